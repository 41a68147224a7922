"""Arms and a head that a recording lacks do what people do with theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import posable
from posable import Clip, Figure, Skeleton
from posable.motion import retargeting
from posable.skeleton import joints_below
from posable.spatial import Array

ARMS = [f"{part}_{side}" for side in "lr" for part in ("shoulder", "upper_arm")]


@cache
def _walk() -> Clip:
    return posable.load(posable.sample("walk.bvh")).clips[0]


@cache
def _knight() -> Figure:
    return posable.load(posable.sample("knight.glb"))


def _without(clip: Clip, roles: Sequence[str], *, ends: bool = True) -> Clip:
    """The clip of the skeleton that ends where the joints of these roles were."""
    found, definitions = posable.roles(clip.skeleton), clip.skeleton.definitions
    gone = {j for role in roles if role in found for j in joints_below(clip.skeleton, found.index(role))}
    kept = [j for j in range(len(definitions)) if j not in gone]
    tips = {j: list(definitions[j].tips) for j in kept}
    for j in gone if ends else ():
        if (parent := int(clip.skeleton.parents[j])) in tips:
            tips[parent].append(definitions[j].position)
    joints = [replace(definitions[j], tips=tuple(tips[j])) for j in kept]
    first = [*clip.skeleton.tables.first_coordinate, clip.q.shape[1]]
    columns = [column for j in kept for column in range(first[j], first[j + 1])]
    return Clip(Skeleton(joints, up=clip.skeleton.up), clip.q[:, columns], clip.fps)


def _places(clip: Clip, figure: Figure, roles: Sequence[str]) -> Array:
    """`[role, frame, 3]`."""
    found = posable.roles(figure)
    return np.array([clip.poses.origins[:, found.index(role)] for role in roles])


def _bones(clip: Clip, figure: Figure, side: str) -> Array:
    """`[frame, bone, 3]` directions of upper arm and forearm."""
    bones = np.diff(_places(clip, figure, [f"{part}_{side}" for part in ("upper_arm", "lower_arm", "hand")]), axis=0)
    return (bones / np.linalg.norm(bones, axis=-1, keepdims=True)).swapaxes(0, 1)


@pytest.mark.slow
def test_arms_hang_and_swing() -> None:
    figure = posable.figure("mannequin")
    whole = posable.retarget(_walk(), figure)
    found = retargeting(_without(_walk(), ARMS), figure)
    assert {"upper_arm_l", "forearm_l", "upper_arm_r", "forearm_r"} <= set(found.proposed)
    for side in "lr":
        upper = _bones(found.clip, figure, side)[:, 0]
        assert np.degrees(np.arccos(-upper[:, 1])).max() < 45  # at rest they stand out by more
        thigh = np.diff(_places(found.clip, figure, [f"upper_leg_{side}", f"lower_leg_{side}"]), axis=0)[0, :, 2]
        assert np.corrcoef(upper[:, 2], thigh)[0, 1] < -0.3  # against the leg of their side
    assert _step(found.clip) <= _step(whole)


@pytest.mark.slow
def test_arms_that_stick_out_at_rest_come_down() -> None:
    bare = _without(_walk(), ARMS)
    found, rest = (posable.retarget(bare, _knight(), natural=natural) for natural in (True, False))
    for side in "lr":
        down, out = (-_bones(clip, _knight(), side)[:, 0, 1] for clip in (found, rest))
        assert down.min() > 0.6 > 0.2 > np.abs(out).max()


def _step(clip: Clip) -> float:
    return float(np.abs(np.diff(clip.poses.world_from_joint[..., :3, :3], axis=0)).max())


@pytest.mark.slow
def test_the_rest_of_the_body_stays_as_it_is() -> None:
    bare = _without(_walk(), ARMS)
    plain, found = (retargeting(bare, _knight(), natural=natural).copy for natural in (False, True))
    roles = posable.roles(_knight())
    arms = {j for role in ARMS if role in roles for j in joints_below(_knight().skeleton, roles.index(role))}
    others = [j for j in range(len(_knight().skeleton.joints)) if j not in arms]
    np.testing.assert_allclose(
        found.poses.world_from_joint[:, others], plain.poses.world_from_joint[:, others], atol=1e-12
    )


@pytest.mark.slow
def test_a_head_that_is_lacking_looks_ahead() -> None:
    found = retargeting(_without(_walk(), [*ARMS, "neck", "head"]), _knight())
    assert "head" in found.proposed
    whole = posable.retarget(_walk(), _knight())
    head = posable.roles(_knight()).index("head")
    turns = [clip.poses.world_from_joint[:, head, :3, :3] for clip in (found.clip, whole)]
    apart = np.arccos(np.clip((np.einsum("fij,fij->f", *turns) - 1) / 2, -1, 1))
    assert np.degrees(apart).mean() < 30


@pytest.mark.slow
@pytest.mark.parametrize("gone", [[], ["toes_l", "toes_r"], ["hand_l", "hand_r"]])
def test_a_source_with_arms_proposes_nothing(gone: Sequence[str]) -> None:
    assert retargeting(_without(_walk(), gone), _knight()).proposed == ()


@pytest.mark.parametrize("gone", ["shoulder_l", "upper_arm_l"])
def test_of_one_arm_the_other_is_moved_as_recorded(gone: str) -> None:
    figure = posable.figure("mannequin")
    found = retargeting(_without(_walk(), [gone], ends=False), figure)
    whole = posable.retarget(_walk(), figure)
    assert all(name.endswith("_l") for name in found.proposed) and "upper_arm_l" in found.proposed
    bones = [_bones(clip, figure, "r") for clip in (found.clip, whole)]
    off = np.degrees(np.arccos(np.clip(np.sum(bones[0] * bones[1], axis=-1), -1, 1)))
    assert off.mean() < 3
    heads = [_places(clip, figure, ["head"]) for clip in (found.clip, whole)]
    assert np.linalg.norm(heads[0] - heads[1], axis=-1).mean() < 0.02 * figure.height  # the trunk leans alike


@pytest.mark.slow
def test_feet_that_are_points_walk_on() -> None:
    points = _without(_walk(), ["toes_l", "toes_r"], ends=False)
    found = retargeting(points, _knight())
    assert all(len(foot.stands) >= 2 for foot in found.feet)


def test_arms_that_end_at_the_wrist_are_found_by_name_and_by_shape() -> None:
    skeleton = _without(_walk(), ["hand_l", "hand_r"]).skeleton
    wanted = {"shoulder_l": "LeftShoulder", "upper_arm_l": "LeftArm", "lower_arm_l": "LeftForeArm"}
    named = posable.roles(skeleton)
    assert {role: named.get(role) for role in (*wanted, "hand_l")} == {**wanted, "hand_l": None}
    # Without names the forearm's end must be as far off as the elbow is, or it may be a hand's.
    long = ((26.0, 0.0, 0.0),)
    longer = {j.name: replace(j, tips=long) if "ForeArm" in j.name else j for j in skeleton.definitions}
    order = {name: f"j{k}" for k, name in enumerate(longer)}
    joints = [replace(j, name=order[j.name], parent=order.get(str(j.parent), j.parent)) for j in longer.values()]
    shaped = posable.roles(Skeleton(joints, up=skeleton.up))
    sides = {shaped.get(f"lower_arm_{side}") for side in "lr"}
    assert sides == {order["LeftForeArm"], order["RightForeArm"]}
    assert {shaped.get(f"upper_arm_{side}") for side in "lr"} == {order["LeftArm"], order["RightArm"]}

"""Persons without limits of their own get a person's in trunk, neck and head."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import posable
from posable.figures.effectors import pelvis
from posable.spatial import Array

RIGS = ["rigs/modular_women_Soldier.glb", "rigs/modular_men_Suit.glb", "characters/MH_game_engine.glb"]


def trunk_of(figure: posable.Figure) -> tuple[str, str]:
    """The joint between the legs, and the topmost one of the trunk."""
    found = posable.roles(figure)
    return pelvis(figure.skeleton, found), next(found[role] for role in ("upper_chest", "chest") if role in found)


def angles(figure: posable.Figure, pose: posable.Pose, lower: str, upper: str) -> Array:
    """`[..., 3]` degrees by which a joint is bent forwards and aside, and rotated, against another."""
    found, skeleton = posable.roles(figure), figure.skeleton
    axes = np.stack([found.left, found.up, found.forward], axis=1)
    rest, world = figure.rest.world_from_joint[:, :3, :3], pose.world_from_joint[..., :3, :3]
    below, above = (axes.T @ world[..., j, :, :] @ rest[j].T @ axes for j in map(skeleton.index, (lower, upper)))
    bent = np.swapaxes(below, -1, -2) @ above
    x, y, z = (bent[..., k, 1] for k in range(3))
    swing = np.degrees(np.arccos(np.clip(y, -1.0, 1.0))) / np.maximum(np.hypot(x, z), 1e-12)
    turned = np.degrees(np.arctan2(bent[..., 0, 2] - bent[..., 2, 0], bent[..., 0, 0] + bent[..., 2, 2]))
    return np.stack([swing * z, swing * x, turned], axis=-1)


@pytest.mark.parametrize("name", RIGS)
def test_trunk_neck_and_head_have_a_persons_range(shared: Path, name: str) -> None:
    figure = posable.load(shared / name)
    limited = posable.with_human_limits(figure)
    found, rng, (hips, top) = posable.roles(figure), np.random.default_rng(0), trunk_of(figure)
    wild = posable.Pose(limited.skeleton, figure.skeleton.random_pose(rng, (500,)).q).clamped()
    trunk, neck = angles(figure, wild, hips, top), angles(figure, wild, top, found["head"])
    assert trunk[:, 0].max() < 84.1 and trunk[:, 0].min() > -60.0  # bent back and aside at once, a little further
    assert np.abs(trunk[:, 1]).max() < 67.0 and np.linalg.norm(neck[:, :2], axis=1).max() < 45.1
    rest = posable.Pose(limited.skeleton, figure.rest.q)
    np.testing.assert_allclose(rest.clamped().q, figure.rest.q, atol=1e-12)
    for axis, most in ((found.up, 44.0), (found.left, 84.0), (-np.asarray(found.left), 36.0)):
        far = turned_about(figure, limited, np.asarray(axis), hips, top)
        assert np.linalg.norm(angles(figure, far, hips, top)) == pytest.approx(most, abs=0.5)
    changed = [
        one.name
        for one, other in zip(figure.skeleton.definitions, limited.skeleton.definitions, strict=True)
        if one != other
    ]
    chain = [figure.skeleton.joints[j] for j in figure.skeleton.chain(found["head"])]
    assert changed and set(changed) <= set(chain[chain.index(hips) + 1 :])


def turned_about(figure: posable.Figure, limited: posable.Figure, axis: Array, lower: str, upper: str) -> posable.Pose:
    """The pose in which every joint between two is rotated by 80° about an axis of the world, as far as it may."""
    skeleton = figure.skeleton
    chain, step = skeleton.chain(upper), np.zeros(skeleton.dof)
    for j in chain[chain.index(skeleton.index(lower)) + 1 :]:
        own = list(skeleton.freedom_range(j))[-3:]
        step[own] = np.radians(80.0) * figure.rest.world_from_joint[j, :3, :3].T @ axis
    return posable.Pose(limited.skeleton, figure.rest.plus(step).q).clamped()


def test_limits_of_a_file_stay_and_who_is_no_person_gets_none(shared: Path) -> None:
    for name in ("mannequin", "snake", "arm6"):
        figure = posable.figure(name)
        assert posable.with_human_limits(figure) is figure
    for name in ("characters/Fox.glb", "robots/g1_29dof.urdf"):
        figure = posable.load(shared / name)
        assert posable.with_human_limits(figure) is figure
    figure = posable.load(shared / RIGS[0])
    spine = posable.roles(figure)["spine"]
    cone = posable.Cone((0, 1, 0), 0.3)
    joints = [replace(one, cone=cone) if one.name == spine else one for one in figure.skeleton.definitions]
    stated = figure.on(posable.Skeleton(joints, figure.skeleton.up))
    limited = posable.with_human_limits(stated).skeleton
    cones = [joint.name for joint in limited.definitions if joint.cone is not None]
    assert spine in cones and posable.roles(figure)["chest"] not in cones, "the trunk's are its own"
    assert posable.roles(figure)["head"] in cones


def test_a_hand_out_of_reach_no_longer_bends_the_trunk_like_rubber(shared: Path) -> None:
    figure = posable.load(shared / RIGS[0])
    found, origins = posable.roles(figure), figure.rest.origins
    shoulder, elbow, hand = (
        origins[figure.skeleton.index(found[f"{part}_r"])] for part in ("upper_arm", "lower_arm", "hand")
    )
    arm = float(np.linalg.norm(elbow - shoulder) + np.linalg.norm(hand - elbow))
    above = shoulder + 1.4 * arm * np.asarray(found.up)
    feet = [
        posable.Place(found[f"foot_{side}"], figure.rest.world_from_joint[figure.skeleton.index(found[f"foot_{side}"])])
        for side in "lr"
    ]
    off, aside = [], []
    for one in (figure, posable.with_human_limits(figure)):
        solution = posable.solve(
            one.rest, [*feet, posable.Reach(found["hand_r"], above, priority=1), posable.Natural()]
        )
        off.append(float(np.linalg.norm(solution.pose.origins[figure.skeleton.index(found["hand_r"])] - above)) / arm)
        aside.append(float(np.abs(angles(figure, solution.pose, *trunk_of(figure))[:2]).max()))
    assert aside[0] > 50.0 and aside[1] < 40.0
    assert off[1] - off[0] < 0.1

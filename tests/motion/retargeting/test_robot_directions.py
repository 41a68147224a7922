"""Where trunks and arms of robots point, whose waists, necks and wrists lack freedoms."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import posable
from posable import Clip, Figure
from posable.motion import Retargeting, retargeting
from posable.motion.transfer.measured import Body
from posable.skeleton import Axis, Joint, Skeleton
from posable.spatial import Array, normalized


def _recorded(shared: Path, name: str, frames: int = 120) -> Clip:
    clip = posable.load(shared / f"mocap_cmu/{name}.bvh").clips[0]
    clip = replace(clip, q=clip.q[1:]).resample(30.0)
    return replace(clip, q=clip.q[:frames], events=())


def _way(clip: Clip, body: Body, start: str, end: str) -> Array:
    """`[frame, 3]` from the middle of both sides to that of others, in the figure's axes."""
    ends = [np.sum([body.positions(clip.poses, f"{role}_{side}") for side in "lr"], axis=0) for role in (start, end)]
    return normalized(ends[1] - ends[0]) @ body.axes


def _trunk_off(found: Retargeting, clip: Clip) -> float:
    ways = [_way(c, b, "upper_leg", "upper_arm") for c, b in ((clip, found.source), (found.clip, found.target))]
    return float(np.degrees(np.arccos(np.clip(np.sum(ways[0] * ways[1], axis=1), -1, 1))).mean())


@pytest.mark.parametrize(("path", "dance"), [("robots/h1.urdf", "salsa_11"), ("robots/g1_29dof_rev_1_0.urdf", "05_06")])
def test_a_robot_leans_as_a_whole_by_what_its_waist_cannot(shared: Path, path: str, dance: str) -> None:
    """An H1's waist only rotates about the vertical, a G1's has limits, and its head does not move."""
    clip = _recorded(shared, dance)
    assert _trunk_off(retargeting(clip, posable.load(shared / path, root="free")), clip) < 1.5  # 15 and 7 before


def test_arms_without_hands_point_as_the_persons(shared: Path) -> None:
    """An H1's forearms end in no joint, and are bent at rest; upper arms were 13° off, as forearms pulled at them."""
    clip = _recorded(shared, "martial_04")
    found = retargeting(clip, posable.load(shared / "robots/h1.urdf", root="free"))
    for side in "lr":
        upper, lower = (
            normalized(body.positions(c.poses, f"lower_arm_{side}") - body.positions(c.poses, f"upper_arm_{side}"))
            @ body.axes
            for c, body in ((clip, found.source), (found.clip, found.target))
        )
        assert np.degrees(np.arccos(np.clip(np.sum(upper * lower, axis=1), -1, 1))).mean() < 3
        forearm = found.target.forearm(side)
        assert forearm is not None
        joint = found.target.joints[f"lower_arm_{side}"]
        turns = found.clip.poses.world_from_joint[:, joint, :3, :3] @ found.target.rest[joint, :3, :3].T
        ends = [found.source.positions(clip.poses, f"{role}_{side}") for role in ("lower_arm", "hand")]
        wanted = normalized(ends[1] - ends[0]) @ found.source.axes
        off = np.sum((turns @ forearm @ found.target.axes) * wanted, axis=1)
        assert np.degrees(np.arccos(np.clip(off, -1, 1))).mean() < 5


def _armed(axis: tuple[float, float, float], centre: tuple[float, float, float]) -> Body:
    """Two legs and two arms of which the left ends in a forearm with that axis and centre of mass."""
    joints = [Joint("pelvis", "free")]
    for side, sign in (("left", 1.0), ("right", -1.0)):
        hinge = (Axis((0.0, 1.0, 0.0)),)
        for name, parent, at in (
            ("hip", "pelvis", (0.0, 0.1 * sign, -0.05)), ("knee", f"{side}_hip", (0.0, 0.0, -0.4)),
            ("ankle", f"{side}_knee", (0.0, 0.0, -0.4)), ("shoulder", "pelvis", (0.0, 0.2 * sign, 0.5)),
        ):  # fmt: skip
            joints.append(Joint(f"{side}_{name}", parent=parent, position=at, axes=hinge))
        elbow = Joint(
            f"{side}_elbow", parent=f"{side}_shoulder", position=(0, 0, -0.3), axes=(Axis(axis),), mass=1.0,
            mass_center=centre,
        )  # fmt: skip
        joints.append(elbow)
    skeleton = Skeleton(joints, "z")
    parts = {"hip": "upper_leg", "knee": "lower_leg", "ankle": "foot", "shoulder": "upper_arm", "elbow": "lower_arm"}
    sides = (("left", "l"), ("right", "r"))
    table = {f"{role}_{s}": f"{side}_{joint}" for side, s in sides for joint, role in parts.items()}
    return Body(skeleton, posable.Roles(skeleton, {"hips": "pelvis", **table}), ())


@pytest.mark.parametrize(
    ("axis", "centre", "way"),
    [
        ((0, 1, 0), (0.2, 0.03, 0.0), (1, 0, 0)),  # off the plane in which the elbow bends: in it
        ((1, 0, 0), (0.2, 0.03, 0.01), (1, 0, 0)),  # turned about itself: along the axis
        ((0, 1, 0), (0.0, 0.0, 0.0), None),  # no centre of mass
    ],
)
def test_a_forearm_without_a_hand_goes_where_its_mass_is(
    axis: tuple[float, float, float], centre: tuple[float, float, float], way: tuple[float, float, float] | None
) -> None:
    found = _armed(axis, centre).forearm("l")
    if way is None or found is None:
        assert found is way
    else:
        np.testing.assert_allclose(found, way, atol=1e-12)


def test_a_figure_without_a_waist_is_no_reason_to_lean_characters(shared: Path) -> None:
    """A character's hips are turned as the person's: its spine bends by itself."""
    clip = _recorded(shared, "salsa_11", 30)
    figure: Figure = posable.load(shared / "characters/CesiumMan.glb")
    found = retargeting(clip, figure)
    assert _trunk_off(found, clip) < 0.5

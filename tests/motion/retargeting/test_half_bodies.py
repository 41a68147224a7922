"""Where one of two figures has no legs, trunk, arms and head are carried over, and the rest stands still."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import posable
from posable import Clip, Figure
from posable.errors import GoalError
from posable.motion import retargeting
from posable.motion.transfer.measured import Body
from posable.skeleton import Skeleton, joints_below
from posable.spatial import Array, matrix_from_wxyz, normalized, wxyz_from_rotation_vector, wxyz_multiply

ARM = ("upper_arm", "lower_arm", "hand")


def _recorded(shared: Path, name: str, frames: int = 90) -> Clip:
    clip = posable.load(shared / f"{name}.bvh").clips[0]
    clip = replace(clip, q=clip.q[1:]).resample(30.0)
    return replace(clip, q=clip.q[:frames], events=())


def _upper(clip: Clip) -> Clip:
    """The clip without the joints of the legs."""
    roles, skeleton = posable.roles(clip.skeleton), clip.skeleton
    gone = {j for side in "lr" for j in joints_below(skeleton, roles.index(f"upper_leg_{side}"))}
    kept = [j for j in range(len(skeleton.joints)) if j not in gone]
    first = skeleton.tables.first_coordinate
    columns = [column for j in kept for column in range(first[j], first[j + 1])]
    return Clip(Skeleton([skeleton.definitions[j] for j in kept], skeleton.up), clip.q[:, columns], clip.fps)


def _bones(clip: Clip, body: Body) -> Array:
    """`[bone, frame, 3]` directions of arm bones in the figure's axes, seen from the way that its hips face."""
    ends = [(f"{a}_{s}", f"{b}_{s}") for s in "lr" for a, b in pairwise(ARM)]
    ways = [normalized(body.positions(clip.poses, b) - body.positions(clip.poses, a)) @ body.axes for a, b in ends]
    hips = body.joints["hips"]
    faces = clip.poses.world_from_joint[:, hips, :3, :3] @ body.rest[hips, :3, :3].T @ body.axes[:, 2] @ body.axes
    yaw = np.arctan2(faces[:, 0], faces[:, 2])
    back = matrix_from_wxyz(wxyz_from_rotation_vector(-yaw[:, None] * [0.0, 1.0, 0.0]))
    return np.array([(back @ way[..., None])[..., 0] for way in ways])


def _off(one: Array, other: Array) -> Array:
    """`[bone]` mean degrees."""
    return np.degrees(np.arccos(np.clip(np.sum(one * other, axis=2), -1, 1))).mean(axis=1)


def test_arms_of_a_robot_without_legs_point_as_the_persons(shared: Path) -> None:
    """The person hardly turns; the robot's base, one of whose hinges is in its chain of arms, stays."""
    clip, robot = _recorded(shared, "mocap/wave_hello"), posable.load(shared / "robots/baxter.urdf")
    found = retargeting(clip, robot)
    assert len(found.clip) == len(clip) and found.note.startswith("the figure to move has no legs")
    off = _off(_bones(clip, found.source), _bones(found.copy, found.target))
    assert off.max() < 30 and off.mean() < 15  # its upper arms are set off from where they turn
    limits = found.clip.poses.clamped().minus(found.clip.poses)
    assert np.abs(limits).max() < 1e-6
    assert np.abs(np.diff(found.clip.q, axis=0)).max() <= 12.0 / clip.fps + 1e-6


def test_a_robot_without_legs_neither_travels_nor_turns_with_a_walk(shared: Path) -> None:
    """With a free root, as the command line gives it, too; a person who turns round moves it as one who does not."""
    clip, robot = (
        _recorded(shared, "mocap/cmu_12_01_walk", 60),
        posable.load(shared / "robots/baxter.urdf", root="free"),
    )
    found = retargeting(clip, robot)
    base = found.clip.poses.world_from_joint[:, 0]
    np.testing.assert_allclose(base, np.broadcast_to(base[0], base.shape), atol=1e-3)
    q = np.array(clip.q)
    up = np.eye(3)["xyz".index(clip.skeleton.up)]
    q[:, 3:7] = wxyz_multiply(wxyz_from_rotation_vector(2.0 * up), q[:, 3:7])
    turned = retargeting(replace(clip, q=q), robot)
    off = _off(_bones(found.clip, found.target), _bones(turned.clip, turned.target))
    assert off.max() < 5.0  # 115 where it turned too


@pytest.mark.parametrize("path", ["characters/CesiumMan.glb", "robots/g1_29dof.xml", "robots/h1.urdf"])
def test_a_recording_of_an_upper_body_moves_who_stands(shared: Path, path: str) -> None:
    clip, figure = _recorded(shared, "mocap/wave_hello"), posable.load(shared / path)
    half = _upper(clip)
    assert not posable.roles(half.skeleton).legs
    found = retargeting(half, figure)
    assert found.note.startswith("the clip's figure has no legs")
    moved, rest = found.clip.poses.origins, figure.rest.origins
    for side in "lr":
        for part in ("upper_leg", "foot"):
            joint = found.target.joints[f"{part}_{side}"]
            np.testing.assert_allclose(moved[:, joint], np.broadcast_to(rest[joint], moved[:, joint].shape), atol=2e-3)
    if "hand_l" in found.target.joints:
        assert _off(_bones(half, found.source), _bones(found.clip, found.target)).max() < 8


def test_a_rotated_recording_of_an_upper_body_is_the_same(shared: Path) -> None:
    half = _upper(_recorded(shared, "mocap/wave_hello", 30))
    figure = posable.load(shared / "characters/CesiumMan.glb")
    one, other = retargeting(half, figure), retargeting(_upper(_recorded(shared, "mocap/wave_hello", 30)), figure)
    np.testing.assert_array_equal(one.clip.q, other.clip.q)


@pytest.mark.parametrize("name", ["panda", "allegro_right_hand"])
def test_who_has_neither_legs_nor_arms_is_still_refused(shared: Path, name: str) -> None:
    """Of a hand two fingers may look like arms, but nobody is sure."""
    clip = _recorded(shared, "mocap/wave_hello", 10)
    with pytest.raises(posable.PosableError, match="retargeting needs figures with two legs"):
        posable.retarget(clip, to=posable.load(shared / f"robots/{name}.urdf"))


def test_balance_needs_legs(shared: Path) -> None:
    robot: Figure = posable.load(shared / "robots/baxter.urdf")
    with pytest.raises(GoalError, match="no legs"):
        posable.retarget(_recorded(shared, "mocap/wave_hello", 10), to=robot, balance=1.0)

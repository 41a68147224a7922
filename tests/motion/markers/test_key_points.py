"""Key points → rotations → key points."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import posable
from posable.errors import PosableError, UnknownJointError
from posable.spatial import normalized, wxyz_from_matrix

RECORDINGS = (
    "cmu_02_01",
    "cmu_03_02",
    "cmu_12_01_walk",
    "mh_pose_gym01",
    "mh_walk1",
    "test_freebvh",
    "wave_hello",
    "zombie",
)


def _largest_twist(clip: posable.Clip) -> float:
    """In degrees a frame, of every bone about itself."""
    frames, origins, largest = clip.poses.world_from_joint[..., :3, :3], clip.poses.origins, 0.0
    for child, joint in enumerate(clip.skeleton.parents):
        bone = origins[1:, child] - origins[1:, joint]
        if joint >= 0 and len(clip) > 1 and np.linalg.norm(bone, axis=1).min() > 1e-5 * clip.skeleton.reach:
            turn = wxyz_from_matrix(frames[1:, joint] @ np.swapaxes(frames[:-1, joint], 1, 2))
            twist = 2 * np.arctan2(np.sum(turn[:, 1:] * normalized(bone), axis=1), turn[:, 0])
            largest = max(largest, float(np.degrees(np.abs(twist).max())))
    return largest


@pytest.mark.parametrize("name", RECORDINGS)
def test_points_of_recordings_come_back_without_twist(shared: Path, name: str) -> None:
    figure = posable.load(shared / f"mocap/{name}.bvh")
    source = figure.clips[0]
    points = source.poses.origins
    clip = posable.pose_from_points(figure, points, figure.skeleton.joints, fps=source.fps)
    assert isinstance(clip, posable.Clip)
    assert clip.fps == source.fps
    millimetre = figure.height / 1750
    assert np.linalg.norm(clip.poses.origins - points, axis=2).max() < 0.01 * millimetre
    assert _largest_twist(clip) < 30


@pytest.fixture(scope="module")
def walk() -> posable.Clip:
    return posable.walk(posable.figure("mannequin"), steps=2, fps=30)


BODY = ("root", "chest", "head", "upper_arm_l", "forearm_l", "hand_l", "upper_arm_r", "forearm_r", "hand_r",
        "thigh_l", "shin_l", "foot_l", "toe_l", "thigh_r", "shin_r", "foot_r", "toe_r")  # fmt: skip


def _points(walk: posable.Clip, joints: tuple[str, ...] = BODY) -> np.ndarray:
    return np.array(walk.poses.origins[:, [walk.skeleton.index(joint) for joint in joints]])


def test_some_points_on_joints_with_limits(walk: posable.Clip) -> None:
    clip = posable.pose_from_points(walk.skeleton, _points(walk), BODY)
    assert isinstance(clip, posable.Clip)
    away = np.linalg.norm(_points(clip) - _points(walk), axis=2)
    assert away.max() < 2e-3
    assert np.abs(clip.poses.minus(clip.poses.clamped())).max() < 1e-9


def test_points_that_limits_allow_are_met_to_a_fifth_of_a_millimetre(walk: posable.Clip) -> None:
    clip = posable.pose_from_points(walk.skeleton, walk.poses.origins, walk.skeleton.joints)
    assert isinstance(clip, posable.Clip)
    assert np.linalg.norm(clip.poses.origins - walk.poses.origins, axis=2).max() < 2e-4


def test_points_that_are_missing_or_not_believed_are_carried(walk: posable.Clip) -> None:
    points, sure = _points(walk), np.ones((len(walk), len(BODY)))
    points[10:14, BODY.index("hand_l")] = np.nan
    points[20:23] = np.nan
    points[30, BODY.index("shin_r")] += 1.0
    sure[30, BODY.index("shin_r")] = 0.0
    clip = posable.pose_from_points(walk.skeleton, points, BODY, sure)
    assert isinstance(clip, posable.Clip)
    assert np.linalg.norm(_points(clip) - _points(walk), axis=2).max() < 0.05


def test_one_frame_gives_a_pose(walk: posable.Clip) -> None:
    pose = posable.pose_from_points(posable.figure("mannequin"), _points(walk)[5], BODY)
    assert isinstance(pose, posable.Pose)
    assert pose.shape == ()
    own = [walk.skeleton.index(joint) for joint in BODY]
    assert np.linalg.norm(pose.origins[own] - _points(walk)[5], axis=1).max() < 2e-3


def test_what_cannot_be_meant_is_one_clear_error(walk: posable.Clip) -> None:
    skeleton, points = walk.skeleton, _points(walk)
    with pytest.raises(PosableError, match=r"points of 16 joints are \[frame, 16, 3\]"):
        posable.pose_from_points(skeleton, points, BODY[1:])
    with pytest.raises(PosableError, match=r"points of 17 joints"):
        posable.pose_from_points(skeleton, points[:0], BODY)
    with pytest.raises(UnknownJointError, match="tail"):
        posable.pose_from_points(skeleton, points, ("tail", *BODY[1:]))
    with pytest.raises(PosableError, match="'head' has two points"):
        posable.pose_from_points(skeleton, points, ("head", *BODY[1:]))
    with pytest.raises(PosableError, match="every point is NaN"):
        posable.pose_from_points(skeleton, np.full_like(points, np.nan), BODY)
    with pytest.raises(PosableError, match="no point has confidence"):
        posable.pose_from_points(skeleton, points, BODY, np.zeros(17))
    with pytest.raises(PosableError, match=r"confidence is .*17"):
        posable.pose_from_points(skeleton, points, BODY, np.ones(3))
    with pytest.raises(PosableError, match="at least 0 for every point"):
        posable.pose_from_points(skeleton, points, BODY, -np.ones(17))


CAMERA = ("head", "upper_arm_l", "lower_arm_l", "hand_l", "upper_arm_r", "lower_arm_r", "hand_r", "upper_leg_l",
          "lower_leg_l", "foot_l", "upper_leg_r", "lower_leg_r", "foot_r")  # fmt: skip
ENDS = ("head", "hand_l", "hand_r", "foot_l", "foot_r")


@pytest.mark.parametrize(("parts", "near", "turned"), [(CAMERA, 1.0, 0.65), (ENDS, 0.4, 0.5)])
@pytest.mark.parametrize("turn", [0.0, 2.0])
def test_what_few_points_of_a_person_leave_open_is_as_in_people(
    parts: tuple[str, ...], near: float, turned: float, turn: float
) -> None:
    """A recorded walk, ahead and to the side; judged by all parts, and by how they are turned."""
    figure = posable.load(posable.sample("walk.bvh"), unit="cm")
    roles, skeleton = posable.roles(figure), figure.skeleton
    walked = figure.clips[0].poses[::2]
    about = np.array([[np.cos(turn), 0, np.sin(turn)], [0, 1, 0], [-np.sin(turn), 0, np.cos(turn)]])
    truth = walked.origins @ about.T
    rotations = about @ walked.world_from_joint[..., :3, :3]
    joints = [roles[part] for part in parts]
    points = truth[:, [skeleton.index(joint) for joint in joints]]
    judged = [skeleton.index(joint) for role, joint in roles.items() if "_1" not in role and "_2" not in role]
    misses, angles = [], []
    for natural in (False, True):
        clip = posable.pose_from_points(figure, points, joints, fps=15.0, natural=natural)
        assert isinstance(clip, posable.Clip)
        misses.append(np.linalg.norm(clip.poses.origins - truth, axis=-1)[:, judged].mean())
        trace = np.einsum("nkij,nkij->nk", clip.poses.world_from_joint[..., :3, :3], rotations)[:, judged]
        angles.append(np.arccos(np.clip((trace - 1) / 2, -1, 1)).mean())
    assert misses[1] < near * misses[0]
    assert angles[1] < turned * angles[0]
    met = np.linalg.norm(clip.poses.origins[:, [skeleton.index(joint) for joint in joints]] - points, axis=-1)
    assert met.max() < 2e-3
    assert _largest_twist(clip) < 45


def test_points_of_what_people_do_not_do_decide_alone() -> None:
    """Upside down, which no recording is."""
    figure = posable.figure("mannequin")
    roles = posable.roles(figure)
    joints = [roles[part] for part in CAMERA]
    points = (figure.rest.origins * (1, -1, -1) + (0, 2, 0))[:, None].swapaxes(0, 1)
    given = points[:, [figure.skeleton.index(joint) for joint in joints]]
    clip = posable.pose_from_points(figure, given, joints)
    assert isinstance(clip, posable.Clip)
    found = clip.poses.origins[:, [figure.skeleton.index(joint) for joint in joints]]
    assert np.linalg.norm(found - given, axis=-1).max() < 2e-3

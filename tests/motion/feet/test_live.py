"""Live feet: locked where they come to rest, let go smoothly, on the ground of a terrain, within reach."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import posable
from posable.clips import Clip
from posable.errors import MethodError, PoseError, SkeletonError, TerrainError
from posable.figures import Figure
from posable.motion.feet import FootLock, FootPlacement, Terrain, foot_metrics, soles
from posable.skeleton import Skeleton
from posable.spatial import matrix_from_wxyz, wxyz_multiply


@cache
def _sliding() -> tuple[Figure, Clip]:
    figure = posable.figure("mannequin")
    clip = posable.walk(figure, "human", steps=5, fps=60.0)
    q = np.array(clip.q)
    q[:, 0] += 0.02 * np.sin(2.6 * clip.times)
    q[:, 2] += 0.03 * np.sin(3.7 * clip.times)
    return figure, replace(clip, q=q)


def _played(clip: Clip, placement: FootPlacement) -> tuple[Clip, np.ndarray]:
    """(the clip as it comes out, `[frame, foot]` which feet were locked)."""
    frames, locked = [], []
    for n in range(len(clip)):
        frames.append(placement.update(clip.poses[n], 1 / clip.fps).q)
        locked.append(placement.locked)
    return replace(clip, q=np.array(frames)), np.array(locked)


def _stood(placement: FootPlacement, figure: Figure, fps: float = 60.0, frames: int = 90) -> posable.Pose:
    """The rest pose after it has stood for so many frames."""
    pose = figure.rest
    for _ in range(frames):
        pose = placement.update(figure.rest, 1 / fps)
    return pose


def test_a_locked_foot_stands_and_a_free_one_follows_its_animation() -> None:
    figure, clip = _sliding()
    placed, locked = _played(clip, FootPlacement(figure))
    assert 0.4 < locked.mean() < 0.8
    assert foot_metrics(placed, figure=figure).skate < 0.2 * foot_metrics(clip, figure=figure).skate
    for foot, sole in enumerate(soles(figure)):
        here, there = sole.ball_places(placed.poses), sole.ball_places(clip.poses)
        steps = np.linalg.norm(np.diff(here, axis=0), axis=1)
        stays = locked[1:, foot] & locked[:-1, foot]
        assert np.quantile(steps[stays], 0.9) < 0.002
        assert steps.max() < 1.15 * np.linalg.norm(np.diff(there, axis=0), axis=1).max()  # and nothing jumps
        swing = ~locked[:, foot]
        swing[:18] = False
        late = swing & np.roll(swing, 12) & np.roll(swing, 6)  # 0.2 s are four half-lives
        assert np.linalg.norm((here - there)[late], axis=1).max() < 0.015


def test_a_standing_figure_is_left_as_it_is() -> None:
    figure = posable.figure("mannequin")
    floor = float(soles(figure)[0].corner_places(figure.rest)[:, 1].min())
    placement = FootPlacement(figure, level=floor)
    pose = _stood(placement, figure, frames=30)
    assert placement.locked == (True, True)
    assert pose.origins == pytest.approx(figure.rest.origins, abs=1e-3)
    placement.reset()
    assert placement.locked == (False, False)


@pytest.mark.parametrize("pelvis", ["lowest", "mean", "still"])
def test_one_foot_on_a_box(pelvis: str) -> None:
    """The left foot stands 10 cm higher; the pelvis does as it is told."""
    figure = posable.figure("mannequin")
    floor = float(soles(figure)[0].corner_places(figure.rest)[:, 1].min())
    box = Terrain.stairs(0.1, 9.0, 1, (1, 0, 0), start=(0.0, floor, 0.0))  # left of the middle
    placement = FootPlacement(figure, box, level=floor, lock=FootLock(pelvis=pelvis))  # type: ignore[arg-type]
    pose = _stood(placement, figure)
    left, right = (sole.ball_places(pose)[1] - sole.ball_places(figure.rest)[1] for sole in soles(figure))
    risen = pose.origins[0, 1] - figure.rest.origins[0, 1]
    assert left == pytest.approx(0.1, abs=5e-3)
    assert right == pytest.approx({"lowest": 0.0, "mean": 0.0, "still": 0.0}[pelvis], abs=0.02)
    assert risen <= {"lowest": 1e-3, "mean": 0.051, "still": 1e-3}[pelvis]


def test_where_the_leg_is_too_short_the_heel_lifts_before_the_pelvis_drops() -> None:
    figure = posable.figure("mannequin")
    floor = float(soles(figure)[0].corner_places(figure.rest)[:, 1].min())
    shallow = Terrain.stairs(-0.03, 9.0, 1, (1, 0, 0), start=(0.0, floor, 0.0))
    placement = FootPlacement(figure, shallow, level=floor, lock=FootLock(pelvis="still"))
    pose = _stood(placement, figure)
    left = soles(figure)[0]
    assert pose.origins[0, 1] == pytest.approx(figure.rest.origins[0, 1], abs=5e-3)
    assert left.ball_places(pose)[1] == pytest.approx(left.ball_places(figure.rest)[1] - 0.03, abs=5e-3)
    assert left.heel_places(pose)[1] > floor - 0.03 + 0.005
    deep = Terrain.stairs(-0.3, 9.0, 1, (1, 0, 0), start=(0.0, floor, 0.0))
    placement = FootPlacement(figure, deep, level=floor, lock=FootLock(pelvis="still"))
    pose = _stood(placement, figure)
    assert pose.origins[0, 1] < figure.rest.origins[0, 1] - 0.1


def test_the_frame_rate_does_not_matter() -> None:
    figure = posable.figure("mannequin")
    floor = float(soles(figure)[0].corner_places(figure.rest)[:, 1].min())
    ends = []
    for fps in (30, 120):
        placement = FootPlacement(figure, Terrain.plane(floor - 0.1), level=floor)
        pose = _stood(placement, figure, fps, fps // 10)
        ends.append(pose.origins[0, 1])
    assert ends[0] == pytest.approx(ends[1], abs=1e-4)


def test_the_first_free_joint_carries_the_figure() -> None:
    # As in many files of games: under a first joint that is fixed, here one that is turned as well.
    figure = posable.figure("mannequin")
    floor = float(soles(figure)[0].corner_places(figure.rest)[:, 1].min())
    turned = (0.8, 0.0, 0.0, 0.6)
    first, *others = figure.skeleton.definitions
    rig = posable.Joint("rig", "fixed", wxyz=turned)
    hung = Skeleton([rig, replace(first, parent="rig"), *others], figure.skeleton.up)
    q = np.array(figure.rest.q)
    q[:3] = matrix_from_wxyz(turned).T @ q[:3]
    q[3:7] = wxyz_multiply(np.array(turned) * [1, -1, -1, -1], q[3:7])
    same = posable.Pose(hung, q)
    np.testing.assert_allclose(same.origins[1:], figure.rest.origins, atol=1e-12)
    placed = FootPlacement(hung, Terrain.plane(0.25), level=floor).update(same, 1 / 30)
    expected = FootPlacement(figure.skeleton, Terrain.plane(0.25), level=floor).update(figure.rest, 1 / 30)
    np.testing.assert_allclose(placed.origins[1:], expected.origins, atol=1e-6)


def test_the_first_pose_stands_on_the_ground_at_once() -> None:
    figure = posable.figure("mannequin")
    floor = float(soles(figure)[0].corner_places(figure.rest)[:, 1].min())
    placement = FootPlacement(figure, Terrain.plane(0.25), level=floor)
    for _ in range(2):
        pose = placement.update(figure.rest, 1 / 30)
        np.testing.assert_allclose(soles(figure)[0].corner_places(pose)[:, 1].min(), 0.25, atol=2e-3)
        placement.reset()


def test_each_refusal_says_what_is_wrong() -> None:
    figure = posable.figure("mannequin")
    with pytest.raises(MethodError, match="a foot's lock has numbers above 0, and locks at a lower speed than it rel"):
        FootLock(lock_speed=2.0)
    with pytest.raises(MethodError, match="the pelvis follows the 'lowest' foot, their 'mean', or is 'still'"):
        FootLock(pelvis="up")  # type: ignore[arg-type]
    with pytest.raises(TerrainError, match="the terrain has z up and the figure y"):
        FootPlacement(figure, Terrain.plane(up="z"))
    with pytest.raises(SkeletonError, match="no free joint carries the legs, so the figure cannot follow a terrain"):
        FootPlacement(figure.with_root("fixed"))
    placement = FootPlacement(figure)
    for pose, seconds in ((figure.rest, 0.0), (posable.Pose(figure.skeleton, figure.rest.q[None]), 0.1)):
        with pytest.raises(PoseError, match="live placement takes one pose of its own skeleton at a time"):
            placement.update(pose, seconds)

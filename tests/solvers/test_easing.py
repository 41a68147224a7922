"""Targets that are eased into: critically damped in closed form, from where the figure is."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from solvers.chains import panda, planar_arm, rest
from solvers.people import mannequin

from posable import (
    GoalError,
    LookAt,
    Orient,
    Place,
    Pole,
    Pose,
    Reach,
    prepare,
    track,
)
from posable.solvers import CyclicDescent, Fabrik, GradientDescent
from posable.solvers.packing import NINE_TENTHS
from posable.spatial import matrix_from_wxyz, random_wxyz, wxyz_about

RNG = np.random.default_rng(7)
ARM = planar_arm(1.0, 0.8, 0.6)
BENT = Pose(ARM, (0.4, 0.5, -0.3))


def filtered(targets: np.ndarray, begin: np.ndarray, rate: float) -> np.ndarray:
    """The recursion as the docstring states it; speeds are a frame."""
    y, v, out = np.array(begin), np.zeros_like(begin), [begin]
    for x in targets[1:]:
        d = y - x
        c = v + rate * d
        y, v = x + (d + c) * np.exp(-rate), (v - rate * c) * np.exp(-rate)
        out.append(y)
    return np.array(out)


@pytest.mark.parametrize("fps", [12.0, 60.0])
def test_a_jump_is_made_good_by_nine_tenths_in_time_and_never_overshot(fps: float) -> None:
    ease, target = 0.5, np.array([1.2, 1.1, 0.0])
    frames = int(4 * ease * fps) + 1
    solution = prepare(ARM, [Reach("tip", target)]).track(
        BENT, [np.repeat(target[None], frames, axis=0)], fps=fps, ease=ease
    )
    np.testing.assert_allclose(solution.pose.q[0], BENT.q, atol=1e-12)
    away, whole = solution.pose.origins[:, -1] - target, BENT.origins[-1] - target
    x = NINE_TENTHS * np.arange(frames) / (ease * fps)
    np.testing.assert_allclose(away, np.outer((1 + x) * np.exp(-x), whole), atol=2e-6)
    assert np.linalg.norm(away[round(ease * fps)]) == pytest.approx(0.1 * np.linalg.norm(whole), abs=2e-6)
    left = np.linalg.norm(away, axis=1)
    assert (np.diff(left) < 2e-6).all(), "never farther than the frame before"
    speed = np.linalg.norm(np.diff(solution.pose.origins[:, -1], axis=0), axis=1)
    assert speed[0] < 0.75 * speed.max(), "it sets off gently"
    assert speed[-1] < 0.01 * speed.max(), "and comes to rest"


def test_any_motion_of_the_target_goes_through_the_stated_recursion() -> None:
    frames = 0.2 * np.cumsum(RNG.normal(size=(50, 3)), axis=0) + (1.5, 0.5, 0.0)
    prepared = prepare(ARM, [Reach("tip", frames[0])])
    solution = prepared.track(BENT, [frames], fps=25, ease=0.3)
    wanted = filtered(frames, BENT.origins[-1], NINE_TENTHS / (0.3 * 25))
    np.testing.assert_allclose(solution.asked[0].target, wanted, atol=1e-12)
    plain = prepared.track(BENT, [wanted], fps=25)
    np.testing.assert_allclose(solution.pose.q, plain.pose.q, atol=1e-9)
    np.testing.assert_array_equal(solution.status, plain.status)
    np.testing.assert_array_equal(
        prepared.track(BENT, [frames], ease=0.0).pose.q, prepared.track(BENT, [frames]).pose.q
    )


def test_a_steady_target_is_followed_half_of_the_time_behind() -> None:
    fps, ease = 50, 0.4
    time = np.arange(200)[:, None] / fps
    frames = BENT.origins[-1] + time * (-0.1, 0.08, 0.0)
    solution = prepare(ARM, [Reach("tip", frames[0])]).track(BENT, [frames], fps=fps, ease=ease)
    behind = np.linalg.norm(frames[-1] - solution.pose.origins[-1, -1]) / np.linalg.norm((0.1, 0.08))
    assert behind == pytest.approx(2 * ease / NINE_TENTHS, abs=0.6 / fps)


def test_turns_go_the_shorter_way_round_and_leave_the_same_share() -> None:
    arm, turn = panda(), wxyz_about((0.0, 0.6, 0.8), 1.0)
    start = Pose(arm, 0.5 * (arm.lower + arm.upper))
    first = Rotation.from_matrix(start.world_from_joint[-1, :3, :3])
    target = (Rotation.from_quat(turn, scalar_first=True) * first).as_quat(scalar_first=True)
    frames = np.repeat(target[None], 31, axis=0) * np.where(np.arange(31) % 2, -3.0, 2.0)[:, None]
    solution = prepare(arm, [Orient("hand", target)]).track(start, [frames], fps=30, ease=0.5)
    turned = Rotation.from_matrix(solution.pose.world_from_joint[:, -1, :3, :3]) * first.inv()
    x = NINE_TENTHS * np.arange(31) / 15
    share = 1 - (1 + x) * np.exp(-x)
    np.testing.assert_allclose(turned.as_rotvec(), np.outer(share, (0.0, 0.6, 0.8)), atol=3e-5)


def person_goals(frames: int) -> list:
    """One goal of each kind for the mannequin, all far from met at rest."""

    def walk(*place: float) -> np.ndarray:
        return np.array(place) + 0.02 * np.cumsum(RNG.normal(size=(frames, 3)), axis=0)

    foot = np.broadcast_to(np.eye(4), (frames, 4, 4)).copy()
    foot[:, :3, :3], foot[:, :3, 3] = matrix_from_wxyz(random_wxyz(RNG)), walk(0.2, 0.3, 0.2)
    return [
        Reach("hand_r", walk(-0.3, 1.2, 0.4)),
        Reach("hand_l", walk(0.1, 0.1, 0.1), relative_to="head"),
        Place("foot_l", foot),
        Orient("foot_r", np.repeat(random_wxyz(RNG)[None], frames, axis=0), relative_to="hips"),
        LookAt("head", walk(1.0, 1.0, 1.0)),
        Pole("hand_r", walk(-0.8, 0.4, -1.0), priority=0),
    ]


def test_whatever_the_goal_it_starts_where_the_figure_is() -> None:
    skeleton = mannequin()
    start = rest(skeleton).plus(0.05 * RNG.normal(size=skeleton.dof) * ~skeleton.freedom_mask(["root"])).clamped()
    goals = person_goals(8)
    solution = prepare(skeleton, goals, frozen=("root",)).track(start, fps=30, ease=1.0)
    for goal, given in zip(solution.asked, goals, strict=True):
        asked = np.asarray(getattr(goal, goal.TARGET))
        left = goal.residual(start)
        assert np.abs(left[0]).max() < 1e-9, type(goal).__name__
        assert np.abs(type(goal).residual(given, start)[0]).max() > 0.05, "and that was not so by itself"
        assert np.abs(asked[-1] - np.asarray(getattr(given, given.TARGET))[-1]).max() > 1e-3
    np.testing.assert_allclose(solution.pose.q[0], start.q, atol=1e-6)


def test_a_batch_is_the_loop_of_trajectories() -> None:
    starts = Pose(ARM, BENT.q + 0.1 * RNG.normal(size=(3, 3)))
    frames = 0.05 * np.cumsum(RNG.normal(size=(3, 20, 3)), axis=1) + (1.5, 0.5, 0.0)
    prepared = prepare(ARM, [Reach("tip", (0, 0, 0))])
    batch = prepared.track(starts, [frames], ease=0.4)
    for n in range(3):
        single = prepared.track(starts[n], [frames[n]], ease=0.4)
        np.testing.assert_array_equal(batch.pose.q[n], single.pose.q)
        np.testing.assert_array_equal(batch.asked[0].target[n], single.asked[0].target)


@pytest.mark.parametrize("method", [Fabrik(), CyclicDescent(), GradientDescent(adaptive=True)])
def test_every_method_is_eased(method: object) -> None:
    target = np.array([1.2, 1.1, 0.0])
    prepared = prepare(ARM, [Reach("tip", target)], method=method, tolerance=1e-3)
    solution = prepared.track(BENT, [np.repeat(target[None], 31, axis=0)], fps=30, ease=0.5)
    x = NINE_TENTHS * np.arange(31) / 15
    away = np.linalg.norm(solution.pose.origins[:, -1] - target, axis=1)
    whole = np.linalg.norm(BENT.origins[-1] - target)
    np.testing.assert_allclose(away, (1 + x) * np.exp(-x) * whole, atol=1e-3)


def test_a_clip_is_eased_and_smoothing_keeps_what_was_eased() -> None:
    target = np.repeat([(1.2, 1.1, 0.0)], 31, axis=0)
    plain, smoothed = (track(BENT, [Reach("tip", target)], ease=0.5, smooth=smooth) for smooth in (0.0, 0.2))
    for clip in (plain, smoothed):
        x = NINE_TENTHS * np.arange(31) / 15
        away = np.linalg.norm(Pose(ARM, clip.q).origins[:, -1] - target, axis=1)
        whole = np.linalg.norm(BENT.origins[-1] - target[0])
        np.testing.assert_allclose(away, (1 + x) * np.exp(-x) * whole, atol=2e-6)
    jolt = [np.abs(np.diff(clip.q, 2, axis=0)).max() for clip in (plain, smoothed, track(BENT, [Reach("tip", target)]))]
    assert jolt[1] <= jolt[0]


def test_nonsense_is_refused() -> None:
    for ease in (-1.0, np.nan, "slow"):
        with pytest.raises(GoalError, match="ease is a time in seconds of at least 0, not"):
            prepare(ARM, [Reach("tip", np.zeros((4, 3)))]).track(BENT, ease=ease)  # pyright: ignore[reportArgumentType]
    frames = np.ones((5, 3))
    frames[3] = np.nan
    with pytest.raises(GoalError, match=r"not finite.*frame 3"):
        prepare(ARM, [Reach("tip", (1, 1, 0))]).track(BENT, [frames], ease=0.3)

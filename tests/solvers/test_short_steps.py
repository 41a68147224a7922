"""Where bodies keep apart, no joint leaps in a drag."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import posable
from benchmarks.natural import drags
from posable.solvers.short_steps import QUICKEST, SETTLES, SLOW, SWIFT
from posable.spatial import Array

INTO_CHEST = [(0.15, -0.35, -0.1), (0.05, -0.05, -0.3), (0.2, 0.0, -0.15), (0.1, -0.1, 0.3)]
"""A path of the right hand beside, behind, through and before the chest, from the shoulder."""


@pytest.fixture(scope="module")
def figure() -> posable.Figure:
    return posable.with_capsules(posable.figure("mannequin"))


def prepared_for(figure: posable.Figure) -> posable.Prepared:
    skeleton, frames = figure.skeleton, figure.rest.world_from_joint
    feet = [posable.Place(foot, frames[skeleton.index(foot)], priority=0) for foot in ("foot_l", "foot_r")]
    hand = posable.Reach("hand_r", figure.rest.origins[skeleton.index("hand_r")], priority=1)
    goals = [hand, *feet, posable.Natural(keep=True), posable.KeepApart()]
    return posable.prepare(skeleton, goals, restarts=0, tolerance=1e-5)


def path(figure: posable.Figure, count: int) -> Array:
    """`[count + 1, 3]`"""
    origins, index = figure.rest.origins, figure.skeleton.index
    knots = [origins[index("hand_r")], *(origins[index("upper_arm_r")] + np.array(INTO_CHEST))]
    return CubicSpline(np.linspace(0.0, 1.0, len(knots)), knots, bc_type="natural")(np.linspace(0.0, 1.0, count + 1))


def dragged(
    figure: posable.Figure, prepared: posable.Prepared, count: int, weights: list[Any] | None = None
) -> tuple[Array, list[posable.Solution]]:
    """(`[count]` the largest rotations of a joint in a step, the solutions)."""
    pose, steps, found, rest = figure.rest, [], [], [None] * 4
    targets = path(figure, count)
    for before, target in pairwise(targets):
        origin = figure.rest, [targets[0], *rest]
        solution = prepared.solve(pose, [target, *rest], weights=weights, since=[before, *rest], origin=origin)
        steps.append(np.abs(solution.pose.minus(pose))[~figure.skeleton.slides].max())
        pose = solution.pose
        found.append(solution)
    return np.array(steps), found


def allowed(figure: posable.Figure, count: int) -> Array:
    change = np.abs(np.diff(path(figure, count), axis=0)).max(axis=1)
    return QUICKEST * change / figure.skeleton.reach


def test_a_hand_that_goes_into_the_chest_does_not_leap(figure: posable.Figure) -> None:
    prepared, largest = prepared_for(figure), {}
    for count in (120, 240):
        steps, found = dragged(figure, prepared, count)
        assert (steps <= allowed(figure, count) * (1 + 1e-6)).all()
        largest[count] = steps.max()
        assert max(float(one.goals[-1].distance or 0.0) for one in found) < 3e-3  # by no more than the margin
        assert np.mean([one.status is posable.Status.REACHED for one in found]) > 0.85  # 0.88 to 0.91, by rounding
    assert largest[240] < 0.75 * largest[120]
    prepared._proposals.short = None
    without = dragged(figure, prepared, 120)[0]
    assert (without > 3.0 * allowed(figure, 120)).any()


def test_with_weights_as_without(figure: posable.Figure) -> None:
    steps, _ = dragged(figure, prepared_for(figure), 120, [2.0, None, None, None, None])
    assert (steps <= allowed(figure, 120) * (1 + 1e-6)).all()


def test_what_a_short_step_left_undone_is_made_up_for(figure: posable.Figure) -> None:
    prepared, rest = prepared_for(figure), [None] * 4
    _, found = dragged(figure, prepared, 120)
    short = [n for n, one in enumerate(found) if one.status is posable.Status.OUT_OF_ITERATIONS]
    target = path(figure, 120)[short[0] + 1]
    solution = found[short[0]]
    pose = solution.pose
    for _ in range(60):
        solution = prepared.solve(pose, [target, *rest], since=[target, *rest])
        assert np.abs(solution.pose.minus(pose))[~figure.skeleton.slides].max() <= SETTLES * (1 + 1e-6)
        pose = solution.pose
    assert solution.status is not posable.Status.OUT_OF_ITERATIONS


@pytest.fixture(scope="module")
def behind_the_back() -> tuple[posable.Prepared, Array]:
    """A hand that is dragged to where its arm is at its limits, and (`[step, 3]`) the targets."""
    mannequin = posable.figure("mannequin")
    curve = drags.paths(mannequin, "hand_r", 50, 1)[44]
    goals = [posable.Reach("hand_r", (0.0, 0.0, 0.0)), posable.Natural(keep=True)]
    return posable.prepare(mannequin.skeleton, goals, frozen=["root"]), curve(np.arange(0.0, 3.0, 1.0 / 60.0))


def swung(prepared: posable.Prepared, targets: Array) -> tuple[Array, list[posable.Solution]]:
    """(`[step]` the largest rotations of a joint, the solutions)."""
    skeleton = prepared.skeleton
    found = [prepared.solve(posable.Pose(skeleton, skeleton.rest_coordinates), [targets[0], None])]
    for before, target in pairwise(targets):
        found.append(prepared.solve(found[-1].pose, [target, None], since=[before, None]))
    steps = [np.abs(after.pose.minus(before.pose))[~skeleton.slides].max() for before, after in pairwise(found)]
    return np.array(steps), found[1:]


def test_an_arm_at_its_limits_swings_round_in_some_steps(behind_the_back: tuple[posable.Prepared, Array]) -> None:
    prepared, targets = behind_the_back
    steps, found = swung(prepared, targets)
    assert steps.max() < 1.0
    assert found[-1].reached
    late = [n for n, one in enumerate(found) if not one.reached]
    assert 3 < len(late) < 30, "some tenths of a second"
    assert all(found[n].status is posable.Status.OUT_OF_ITERATIONS for n in late)
    short, prepared._proposals.short = prepared._proposals.short, None
    leaps, _ = swung(prepared, targets)
    prepared._proposals.short = short
    assert leaps.max() > 1.5


@pytest.mark.parametrize(("number", "late"), [(139, 2), (926, 0)])
def test_no_joint_rotates_fast_for_a_target_that_moves_slowly_or_that_others_can_meet(number: int, late: int) -> None:
    mannequin = posable.figure("mannequin")
    curve = drags.paths(mannequin, "hand_r", number + 1, 1)[number]
    goals = [posable.Reach("hand_r", (0.0, 0.0, 0.0)), posable.Natural(keep=True)]
    prepared = posable.prepare(mannequin.skeleton, goals, frozen=["root"])
    targets = curve(np.arange(0.0, 3.0, 1.0 / 60.0))
    change = QUICKEST * np.abs(np.diff(targets, axis=0)).max(axis=1) / mannequin.skeleton.reach
    steps, found = swung(prepared, targets)
    assert steps[change < SLOW].max() <= SWIFT * (1 + 1e-6) and np.degrees(steps.max()) < 15.0
    off = [float(one.goals[0].distance or 0.0) for one in found if not one.reached]
    assert len(off) <= late and max(off, default=0.0) < 0.01 * mannequin.skeleton.reach
    prepared._proposals.short = None
    assert np.degrees(swung(prepared, targets)[0].max()) > 15.0


def test_an_arm_goes_on_where_its_target_rests(behind_the_back: tuple[posable.Prepared, Array]) -> None:
    prepared, targets = behind_the_back
    first = next(n for n, one in enumerate(swung(prepared, targets)[1]) if not one.reached)
    rests = np.concatenate([targets[: first + 2], np.repeat(targets[first + 1 : first + 2], 30, axis=0)])
    steps, found = swung(prepared, rests)
    assert steps[first + 1 :].max() < 0.35
    assert found[-1].reached


def test_weights_that_are_given_are_followed_at_once(behind_the_back: tuple[posable.Prepared, Array]) -> None:
    """They may have changed, and with them the pose."""
    prepared, targets = behind_the_back
    rest = posable.Pose(prepared.skeleton, prepared.skeleton.rest_coordinates)
    before = prepared.solve(rest, [targets[0], None], weights=[0.0, None])
    near = targets[0] + (1e-4, 0.0, 0.0)
    after = prepared.solve(before.pose, [near, None], weights=[2.0, None], since=[targets[0], None])
    assert after.reached


def test_hips_that_flat_feet_hold_back_do_not_flip_the_body() -> None:
    """Further down than ankles let them: the nearest poses lie now on one side, now on the other, 125° away."""
    person = posable.figure("mannequin")
    skeleton, hips = person.skeleton, person.rest.origins[0]
    feet = [posable.Place(foot, person.rest.world_from_joint[skeleton.index(foot)]) for foot in ("foot_l", "foot_r")]
    goals = [posable.Reach("hips", hips), *feet, posable.Natural(keep=True)]
    prepared = posable.prepare(skeleton, goals, restarts=0)
    t = np.linspace(0.0, 2 * np.pi, 181)
    targets = hips + np.stack([0.1 * np.sin(t), 0.2 * (np.cos(t) - 1.0), 0.15 * np.sin(2 * t)], axis=1)
    pose, steps, met = person.rest, [], 0
    for before, target in pairwise(targets):
        first, since = (person.rest, [targets[0], None, None, None]), [before, None, None, None]
        solution = prepared.solve(pose, [target, None, None, None], since=since, origin=first)
        steps.append(np.abs(solution.pose.minus(pose))[~skeleton.slides].max())
        pose, met = solution.pose, met + bool(solution.reached)
    assert np.degrees(max(steps)) < 25.0
    assert 50 < met < 100

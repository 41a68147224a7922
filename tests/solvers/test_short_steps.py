"""Where bodies keep apart, no joint leaps in a drag."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import posable
from posable.solvers.short_steps import QUICKEST, SETTLES
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
        assert np.mean([one.status is posable.Status.REACHED for one in found]) > 0.9
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

"""A target that is dragged round a figure: whoever looks at it turns round without a leap."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import posable
from posable.solvers.short_steps import GAZE, SETTLES
from posable.spatial import Array

EYES, WAIST, KNEES = 1.6, 1.0, 0.5


@pytest.fixture(scope="module")
def figure() -> posable.Figure:
    return posable.figure("mannequin")


def prepared_for(figure: posable.Figure, pinned: bool) -> posable.Prepared:
    """Looking, as in the studio above pinned feet, or with the root as it is."""
    skeleton, frames = figure.skeleton, figure.rest.world_from_joint
    feet = [posable.Place(foot, frames[skeleton.index(foot)]) for foot in ("foot_l", "foot_r") if pinned]
    look = posable.LookAt("head", (0.0, 1.6, 2.0), priority=int(pinned))
    frozen = () if pinned else ("root",)
    goals = [look, *feet, posable.Natural(keep=True)]
    return posable.prepare(skeleton, goals, restarts=0, frozen=frozen, tolerance=1e-5, angle_tolerance=1e-4)


def around(height: float, radius: float, degrees: Array) -> Array:
    """`[..., 3]` positions round the figure; 0 is ahead, positive to its left."""
    angles = np.radians(degrees)
    return np.stack([radius * np.sin(angles), np.full(angles.shape, height), radius * np.cos(angles)], axis=-1)


def dragged(figure: posable.Figure, prepared: posable.Prepared, targets: Array) -> tuple[Array, list[posable.Solution]]:
    """(`[step]` degrees of the joint that rotates most, the solutions)."""
    rest = [None] * (len(prepared.structure.goal_set.goals) - 1)
    pose = first = prepared.solve(figure.rest, [targets[0], *rest]).pose
    steps, found = [], []
    for before, target in pairwise(targets):
        origin = first, [targets[0], *rest]
        solution = prepared.solve(pose, [target, *rest], since=[before, *rest], origin=origin)
        steps.append(np.degrees(np.abs(solution.pose.minus(pose))[~figure.skeleton.slides].max()))
        pose = solution.pose
        found.append(solution)
    return np.array(steps), found


def side(figure: posable.Figure, pose: posable.Pose) -> float:
    """Degrees by which the head faces to the left."""
    index = figure.skeleton.index("head")
    ahead = pose.world_from_joint[index, :3, :3] @ figure.rest.world_from_joint[index, :3, :3].T @ [0.0, 0.0, 1.0]
    return float(np.degrees(np.arctan2(ahead[0], ahead[2])))


@pytest.mark.parametrize("pinned", [True, False])
@pytest.mark.parametrize(("height", "radius"), [(EYES, 2.0), (WAIST, 2.0), (KNEES, 2.0)])
def test_a_target_that_goes_round_turns_nobody_at_once(
    figure: posable.Figure, height: float, radius: float, pinned: bool
) -> None:
    """In three seconds: over feet that stay, or a root that does, no one gets round without turning back."""
    prepared, largest = prepared_for(figure, pinned), {}
    for count in (180, 360):
        steps, found = dragged(figure, prepared, around(height, radius, np.linspace(0.0, 360.0, count + 1)))
        largest[count] = steps.max()
        if pinned:
            assert np.mean([one.reached for one in found]) > 0.91
    assert largest[180] < 15.0
    assert largest[360] < 0.75 * largest[180]
    prepared._proposals.short = None
    assert dragged(figure, prepared, around(height, radius, np.linspace(0.0, 360.0, 181)))[0].max() > 1.5 * largest[180]


def test_a_joint_rotates_by_no_more_than_the_look(figure: posable.Figure) -> None:
    prepared, targets = prepared_for(figure, False), around(WAIST, 2.0, np.linspace(90.0, 270.0, 91))
    steps, found = dragged(figure, prepared, targets)
    head = figure.skeleton.index("head")
    for n, solution in enumerate(found[:-1]):
        one, other = (targets[n + k] - solution.pose.origins[head] for k in (1, 2))
        angle = np.arctan2(np.linalg.norm(np.cross(one, other)), one @ other)
        assert steps[n + 1] <= np.degrees(GAZE * angle) * 1.01  # clamped to a cone, it may lie a little farther


def test_what_stays_behind_is_looked_at_over_the_same_shoulder(figure: posable.Figure) -> None:
    """A target that sways a little right behind turns the head neither to nor fro; far to the other side it does."""
    prepared = prepared_for(figure, False)
    sways = 180.0 + 5.0 * np.sin(np.linspace(0.0, 6.0 * np.pi, 91))
    targets = around(EYES, 1.5, np.concatenate([np.linspace(60.0, 178.0, 60), sways, np.linspace(182.0, 250.0, 35)]))
    steps, found = dragged(figure, prepared, targets)
    sides = np.array([side(figure, one.pose) % 360.0 for one in found])
    assert (np.abs(np.diff(sides[59:149])) < 2.0).all()
    assert np.ptp(sides[59:149]) < 10.0
    assert steps.max() < 15.0
    assert found[-1].reached


def test_it_turns_round_also_where_the_target_rests(figure: posable.Figure) -> None:
    prepared = prepared_for(figure, False)
    targets = around(EYES, 1.5, np.linspace(60.0, 198.0, 70))
    _, found = dragged(figure, prepared, targets)
    solution, steps = found[-1], 0
    assert solution.status is posable.Status.OUT_OF_ITERATIONS
    while solution.status is posable.Status.OUT_OF_ITERATIONS and steps < 200:
        pose, rests = solution.pose, [targets[-1], None]
        solution, steps = prepared.solve(pose, rests, since=rests), steps + 1
        assert np.abs(solution.pose.minus(pose)).max() <= SETTLES * (1.0 + 1e-6)
    assert steps > 5
    assert solution.status is posable.Status.AT_LIMIT
    assert 200.0 < side(figure, solution.pose) % 360.0 < 250.0  # over the right shoulder

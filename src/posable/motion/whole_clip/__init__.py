"""One least-squares solve over all frames of a clip: goals are met, and the source's detail is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from posable.clips import Clip
from posable.errors import GoalError, is_number
from posable.goals import Goal
from posable.motion.whole_clip.clip_problem import ClipProblem
from posable.motion.whole_clip.clip_rows import ClipRows, Inequalities
from posable.spatial import Array
from posable.spatial.marquardt import minimise


@dataclass(frozen=True, eq=False)
class ClipSolution:
    """A corrected clip and its cost.

    Args:
        clip: The corrected clip.
        cost_before: Cost of the source as it was.
        cost_after: Cost of `clip`.
        iterations: Gauss–Newton steps tried.
        distances: `[goal, frame]` residual of each goal in the figure's length unit; NaN for a goal without one.
        angles: `[goal, frame]` residual of each goal in radians; NaN for a goal without one.
        weights: `[goal, frame]` as they were given.

    Example:
        >>> hand = posable.Reach("hand_r", clip.poses.of("hand_r")[..., :3, 3] + [0, 0.1, 0])
        >>> solution = posable.motion.solve_clip(clip, [hand])
        >>> float(solution.largest_distances[0]) < 0.01
        True
    """

    clip: Clip
    cost_before: float
    cost_after: float
    iterations: int
    distances: Array
    angles: Array
    weights: Array

    @cached_property
    def largest_distances(self) -> Array:
        """`[goal]` the largest distance over the frames in which the goal has weight, NaN without any."""
        return _largest(self.distances, self.weights)

    @cached_property
    def largest_angles(self) -> Array:
        """`[goal]` likewise the largest angle."""
        return _largest(self.angles, self.weights)

    def followed_by(self, later: ClipSolution) -> ClipSolution:
        """Both solves as one, of which the later began with the clip of the first."""
        parts = zip(*((one.distances, one.angles, one.weights) for one in (self, later)), strict=True)
        distances, angles, weights = (np.concatenate(own) for own in parts)
        return ClipSolution(
            later.clip,
            self.cost_before + later.cost_before,
            self.cost_after + later.cost_after,
            self.iterations + later.iterations,
            distances,
            angles,
            weights,
        )


def solve_clip(
    source: Clip,
    goals: Sequence[Goal],
    weights: Sequence[ArrayLike | None] | None = None,
    *,
    free: Sequence[str] | None = None,
    stay: ArrayLike = 1e-3,
    smooth: ArrayLike = 1e-8,
    speed: ArrayLike = np.inf,
    inequalities: Sequence[Inequalities] = (),
    start: Clip | None = None,
    tolerance: float = 1e-4,
    max_iterations: int = 30,
) -> ClipSolution:
    """The clip near `source` that meets the goals best, all frames solved together.

    It minimises ½ Σ_t (Σ_goals w ‖residual‖² + stay · c² + smooth · c̈²) over the corrections c_t of the free degrees of
    freedom, q_t = source_t ⊕ c_t, with c̈ their second derivative by time (per s²). Lengths count in the figure's
    reaches, so units do not matter; weights of terms are as in `posable.solve`. Limits of the free degrees of freedom
    are kept exactly, cones of ball joints too.

    Args:
        source: The clip to correct.
        goals: Targets with a leading axis of frames, or one for all.
        weights: For each goal a number or `[frame]` in place of its own weight, None to keep it; 0 switches the goal
            off in that frame.
        free: Joints or single axes ("spine.x") that may move; None for all.
        stay: One number, or `[dof]`; a larger one keeps closer to the source.
        smooth: One number, or `[dof]`; a larger one spreads a correction over more time, about
            2π (smooth / stay)^¼ seconds.
        speed: One number, or `[dof]`; hinges and slides change by at most so much per second, softly. A movement that
            is too fast begins earlier and ends later; inf is any.
        inequalities: Rows that count only while they are above zero, besides the goals.
        start: The clip from which the descent starts, the source unless given.
        tolerance: The relative decrease of the cost below which it ends.
        max_iterations: Maximum number of Gauss–Newton steps.

    Raises:
        GoalError: For goals, weights or penalties that do not fit, and numbers out of range.
        UnknownJointError: For an unknown joint.

    Example:
        >>> higher = clip.poses.origins[:, figure.skeleton.index("hand_r")] + (0.0, 0.1, 0.0)
        >>> raised = posable.motion.solve_clip(clip, [posable.Reach("hand_r", higher)]).clip
    """
    if not (is_number(tolerance) and 0 <= tolerance < np.inf):
        raise GoalError(f"tolerance must be a number of at least 0, not {tolerance!r}")
    if not (is_number(max_iterations) and 0 <= max_iterations < 2**31):
        raise GoalError(f"max_iterations must be a whole number of at least 0, not {max_iterations!r}")
    rows = ClipRows(source.skeleton, goals, weights, len(source))
    problem = ClipProblem(source, rows, free, stay, smooth, inequalities, speed)
    correction = np.zeros((len(source), len(problem.free)))
    begun = problem.at(correction if start is None else start.poses.minus(source.poses)[:, problem.free])
    costs = begun.costs
    if start is not None or not np.array_equal(begun.pose.q, source.poses.q):  # limits may move the source itself
        costs = problem.costs(source.poses, rows.evaluate(source.poses)[0], correction)
    before = float(costs.sum())
    state, iterations = minimise(problem, begun, steps=int(max_iterations), tolerance=tolerance)
    distances, angles = rows.lengths_and_angles(state.residual)
    clip = replace(source, q=state.pose.q)
    return ClipSolution(clip, before, float(state.costs.sum()), iterations, distances, angles, rows.over_time)


def _largest(errors: Array, weights: Array) -> Array:
    counted = np.where(weights > 0, errors, -np.inf).max(axis=1)
    return np.where(np.isfinite(counted), counted, np.nan)

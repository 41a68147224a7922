"""Pursuit: a few steps of any method at every frame, towards goals that move on meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from posable.clips import Clip
from posable.errors import GoalError
from posable.goals import Custom, Goal, SoftGoal
from posable.skeleton import Pose
from posable.solvers import solve
from posable.solvers.solve import AnyMethod
from posable.spatial import Array


def pursue(
    start: Pose,
    goals: Sequence[Goal | SoftGoal | Custom],
    method: AnyMethod | None = None,
    *,
    steps: int = 12,
    tolerance: float = 1e-6,
    frozen: Sequence[str] = (),
    fps: float = 30.0,
) -> Clip:
    """The clip of a figure after its goals: at every frame the method takes at most `steps` steps on from the last one.

    Where `posable.track` meets its goals at every frame, this lags behind them, hurries after them and overshoots as
    the method has it: a snake that chases, a tentacle that gropes. The first frame is already `steps` from `start`.
    goals: targets with a leading axis of frames, all of one length; those without one stay the same.
    method, tolerance, frozen: as for `posable.solve`; there are no restarts.
    Raises GoalError where no target has an axis of frames or two differ, and as `posable.solve` does.
    """
    frames = _frames(goals)
    pose, q = start, np.empty((frames, start.skeleton.coordinates))
    for k in range(frames):
        now = [_at(goal, k) for goal in goals]
        pose = solve(
            pose, now, method=method, tolerance=tolerance, max_iterations=steps, restarts=0, frozen=frozen
        ).pose
        q[k] = pose.q
    return Clip(start.skeleton, q, fps, "pursuit")


def _moving(goal: Goal | SoftGoal | Custom) -> Array | None:
    """The targets of a goal that has one for every frame."""
    if not isinstance(goal, Goal) or not goal.TARGET:
        return None
    target = np.asarray(getattr(goal, goal.TARGET))
    return target if target.ndim > len(goal.SHAPE) else None


def _frames(goals: Sequence[Goal | SoftGoal | Custom]) -> int:
    lengths = sorted({len(target) for goal in goals if (target := _moving(goal)) is not None})
    if len(lengths) != 1:
        raise GoalError(
            f"what is pursued has targets for {' and '.join(map(str, lengths))} frames; give all the same"
            if lengths
            else "nothing to pursue: give a goal a target with a leading axis of frames"
        )
    return lengths[0]


def _at(goal: Goal | SoftGoal | Custom, frame: int) -> Goal | SoftGoal | Custom:
    target = _moving(goal)
    return goal if target is None else replace(goal, **{goal.TARGET: target[frame]})  # type: ignore[union-attr]

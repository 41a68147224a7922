"""Goals that move: a clip whose every frame meets them, each frame from the one before."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from posable.clips import Clip, evened
from posable.errors import GoalError, is_number
from posable.goals import Goal, Stay
from posable.skeleton import Pose
from posable.solvers import prepare, solve
from posable.solvers.prepared import check_start
from posable.solvers.solving import AnyMethod

_ROUNDS = 3


def track(
    start: Pose,
    goals: Sequence[Goal],
    fps: float = 30.0,
    *,
    weights: Sequence[ArrayLike | None] | None = None,
    frozen: Sequence[str] = (),
    speed: ArrayLike | None = None,
    acceleration: ArrayLike | None = None,
    smooth: float = 0.0,
    ease: float = 0.0,
    tolerance: float = 1e-6,
    angle_tolerance: float = 1e-5,
    max_iterations: int = 100,
) -> Clip:
    """The clip in which the goals are met at every frame; each frame starts from the one before, so nothing flips.

    With a `Natural` among the goals the whole body goes along as in a drag that begins at the first frame.

    For the status of each frame use `posable.prepare(...).track(...)`, which returns a Solution.

    Args:
        start: The pose from which the first frame is searched.
        goals: Targets with a leading axis of frames; those without one stay the same.
        fps: Frames per second.
        weights: One number or array `[frame]` per goal in place of its own weight, None to keep that; 0 switches it
            off.
        frozen: Joints ("root") or single axes ("spine.x") that must not move.
        speed: Largest speed of the joints, a number or `[dof]`, rad/s and lengths/s; kept even where a goal is missed.
        acceleration: Largest acceleration, rad/s² and lengths/s².
        smooth: Seconds over which the joints' motion is smoothed, all frames together, in the freedom that the goals
            leave; 0 is off.
        ease: Seconds in which the figure covers nine tenths of a jump of its targets, from its state in `start`,
            without overshooting a fixed target; behind a steadily moving target it lags by half of that. 0 is off.
        tolerance: Distance, in the figure's length unit, within which a position counts as reached.
        angle_tolerance: Angle in radians within which a rotation counts as reached.
        max_iterations: Most iterations of one frame.

    Raises:
        GoalError: Where no target has an axis of frames, or one has more; further as `posable.solve`.

    Example:
        >>> path = np.linspace((-0.4, 1.1, 0.3), (-0.4, 1.3, 0.3), 31)  # [frame, 3]
        >>> clip = posable.track(figure.rest, [posable.Reach("hand_r", path)], fps=30.0, frozen=["root"])
    """
    options = {"tolerance": tolerance, "angle_tolerance": angle_tolerance, "max_iterations": max_iterations}
    if not (is_number(smooth) and 0 <= smooth < math.inf):
        raise GoalError(f"smooth is a time in seconds of at least 0, not {smooth!r}")
    check_start(start)
    prepared = prepare(start.skeleton, goals, frozen=frozen, restarts=0, **options)
    followed = prepared.track(start, weights=weights, fps=fps, speed=speed, acceleration=acceleration, ease=ease)
    pose = followed.pose
    if len(pose.shape) > 1:
        raise GoalError(
            f"targets and weights for a clip have one axis of frames, not {pose.shape}; "
            "posable.prepare(...).track(...) follows several trajectories at once"
        )
    if smooth > 0:
        prepared = prepare(start.skeleton, [*followed.asked, Stay(pose)], frozen=frozen, restarts=0, **options)
        given = None if weights is None else [*weights, None]
        for _ in range(_ROUNDS):
            pose = prepared.solve(pose, [*[None] * len(goals), evened(pose, smooth * fps).q], weights=given).pose
    return Clip(start.skeleton, pose.q, fps)


# Chase: a few steps of any method at every frame, towards moving goals.


def chase(
    start: Pose,
    goals: Sequence[Goal],
    method: AnyMethod | None = None,
    *,
    steps: int = 12,
    tolerance: float = 1e-6,
    frozen: Sequence[str] = (),
    fps: float = 30.0,
) -> Clip:
    """The clip of a figure that chases its goals, with at most `steps` steps of the method at each frame.

    `posable.track` meets its goals at every frame; this lags behind them and overshoots, depending on the method: a
    snake that chases, a tentacle that gropes. The first frame is already `steps` steps from `start`.

    Args:
        start: The pose from which the first frame is searched.
        goals: Targets with a leading axis of frames, all of one length; those without one stay the same.
        method: As for `posable.solve`; there are no restarts.
        steps: Most steps of the method in one frame.
        tolerance: As for `posable.solve`; there are no restarts.
        frozen: As for `posable.solve`; there are no restarts.
        fps: Frames per second.

    Raises:
        GoalError: Where no target has an axis of frames or two differ, and as `posable.solve` does.
    """
    frames = _frames(goals)
    pose, q = start, np.empty((frames, start.skeleton.coordinates))
    for k in range(frames):
        now = [goal.of_frames(k) for goal in goals]
        pose = solve(
            pose, now, method=method, tolerance=tolerance, max_iterations=steps, restarts=0, frozen=frozen
        ).pose
        q[k] = pose.q
    return Clip(start.skeleton, q, fps, "pursuit")


def _frames(goals: Sequence[Goal]) -> int:
    lengths = sorted(set().union(*(goal.frames() for goal in goals)))
    if len(lengths) != 1:
        raise GoalError(
            f"what is pursued has targets for {' and '.join(map(str, lengths))} frames; give all the same"
            if lengths
            else "nothing to chase: give a goal a target with a leading axis of frames"
        )
    return lengths[0]

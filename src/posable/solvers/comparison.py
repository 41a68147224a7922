"""All methods on one problem, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from posable.clips import Clip
from posable.errors import MethodError, check_kind
from posable.figures import Clips, Figure
from posable.goals import Goal
from posable.skeleton import Pose
from posable.solvers.default.least_squares import LeastSquares
from posable.solvers.methods import Method
from posable.solvers.prepared import Prepared
from posable.solvers.solution import Solution, Status
from posable.solvers.solving import NAMES, method_named, prepare
from posable.spatial import Array

_TIMED_SOLVES = 5  # of which the fastest counts
_TIMING_SECONDS = 0.5  # after which no further solve is timed
_STEPS_PER_SECOND = 10.0  # in clips of the paths


@dataclass(frozen=True, eq=False)
class Compared:
    """The result of one method.

    Args:
        name: Name of the method.
        solution: The solution with its trace; None if the method cannot be used.
        seconds: Duration of one solve, once everything is compiled and set up.
        refusal: Why the method cannot be used, "" if it can.

    Example:
        >>> row = posable.compare(figure, [posable.Reach("hand_r", (-0.4, 1.2, 0.3))], ["CyclicDescent"])[0]
        >>> row.name, row.reached
        ('CyclicDescent', True)
    """

    name: str
    solution: Solution | None
    seconds: float = 0.0
    refusal: str = ""

    @property
    def reached(self) -> bool:
        """Whether every goal is met."""
        return self.solution is not None and self.solution.status is Status.REACHED

    @property
    def distance(self) -> float | None:
        """The largest remaining distance, in the figure's length unit; None where no goal has a position."""
        return self._left(0)

    @property
    def angle(self) -> float | None:
        """The largest remaining angle, radians; None where no goal has a rotation."""
        return self._left(1)

    @property
    def iterations(self) -> int:
        """How many steps it took."""
        return 0 if self.solution is None else int(self.solution.iterations)

    @cached_property
    def largest_move(self) -> float:
        """The largest change of a joint from start to end, radians; a slide's change is in reaches."""
        trace = self.trace
        return 0.0 if trace is None else float(np.abs(_away(trace[-1], trace[0])).max(initial=0.0))

    @cached_property
    def jerkiness(self) -> float | None:
        """Roughness of the path: the root mean square of the joints' second differences from step to step, radians.

        None for a path of fewer than two steps.
        """
        way = self.steps
        if way is None or len(way.q) < 3:
            return None
        steps = _away(way[1:], way[:-1])
        return float(np.sqrt(np.mean(np.diff(steps, axis=0) ** 2)))

    @property
    def steps(self) -> Pose | None:
        """Every pose of the path, the start first: the solution's trace."""
        return None if self.solution is None else self.solution.trace

    @cached_property
    def trace(self) -> Pose | None:
        """The same, with the solution appended where it is not the last step."""
        if self.solution is None or self.steps is None:
            return None
        way, end = self.steps, self.solution.pose
        if np.array_equal(way.q[-1], end.q):
            return way
        return Pose.trusted(end.skeleton, np.concatenate([way.q, end.q[None]]))

    def _left(self, which: int) -> float | None:
        goals = () if self.solution is None else self.solution.goals
        values = [value for goal in goals if (value := (goal.distance, goal.angle)[which]) is not None]
        return max(map(float, values)) if values else None


class Comparison(list[Compared]):
    """The results of several methods on one problem; a notebook shows the paths of those that can be used.

    Args:
        rows: One of each method.
        figure: The figure.
        goals: The goals.

    Example:
        >>> goals = [posable.Reach("hand_r", (-0.4, 1.2, 0.3))]
        >>> rows = posable.compare(figure, goals, ["Fabrik", "CyclicDescent"])
        >>> [row.name for row in rows]
        ['Fabrik', 'CyclicDescent']
    """

    def __init__(self, rows: Iterable[Compared], figure: Figure, goals: Sequence[Goal]) -> None:
        super().__init__(rows)
        self.figure = figure
        self.goals = tuple(goals)

    @property
    def clips(self) -> Clips:
        """The paths as motions of ten steps a second, named by the method and its outcome."""
        return Clips(
            Clip(
                row.trace.skeleton,
                row.trace.q,
                _STEPS_PER_SECOND,
                f"{row.name}, {row.iterations} steps: {_outcome(row)}",
            )
            for row in self
            if row.trace is not None
        )


def compare(
    figure: Figure | Pose,
    goals: Sequence[Goal],
    methods: Sequence[LeastSquares | Method | str] | None = None,
    *,
    start: Pose | None = None,
    tolerance: float = 1e-6,
    max_iterations: int = 100,
    frozen: Sequence[str] = (),
    **options: Any,
) -> Comparison:
    """Solve one problem by each method: one `Compared` each, with the reason for methods that cannot be used.

    Args:
        figure: The figure; or a pose of a bare skeleton, which is then the start.
        goals: The goals.
        methods: Methods or their names ("ccd"); None is all.
        start: The start pose; None is the rest pose, or the pose given for the figure.
        tolerance: Distance, in the figure's length unit, within which a position counts as reached.
        max_iterations: Most iterations of each method.
        frozen: Joints ("root") or single axes ("spine.x") that must not move.
        **options: Other options of `posable.solve`. Restarts are off by default, so that each method shows one path.

    Raises:
        GoalError: And others of `solve`, for an invalid problem.
        MethodError: For an unknown name.
        PosableError: If `figure` is neither a figure nor a pose.

    Example:
        >>> goals = [posable.Reach("hand_r", (-0.4, 1.2, 0.3))]
        >>> rows = posable.compare(figure, goals, [posable.LeastSquares()], frozen=["root"])
        >>> rows[0].reached
        True
    """
    if isinstance(figure, Pose):
        figure, start = Figure(figure.skeleton), figure if start is None else start
    check_kind(figure, Figure, "methods are compared on a Figure or from a Pose")
    chosen = [method_named(one) if isinstance(one, str) else one for one in (NAMES if methods is None else methods)]
    options = {"restarts": 0, "tolerance": tolerance, "max_iterations": max_iterations, "frozen": frozen, **options}
    prepare(figure.skeleton, goals, **options)  # raises faults of the goals, which are the same for all methods
    begin = figure.rest if start is None else start
    return Comparison((_compared(method, begin, goals, options) for method in chosen), figure, goals)


def _compared(method: LeastSquares | Method, start: Pose, goals: Sequence[Goal], options: dict[str, Any]) -> Compared:
    name = type(method).__name__
    try:
        prepared = prepare(start.skeleton, goals, method=method, **options)
        solution = prepared.solve(start, trace=True)
    except MethodError as problem:
        return Compared(name, None, refusal=_reason(str(problem)))
    return Compared(name, solution, _time(prepared, start))


def _outcome(row: Compared) -> str:
    """The outcome in a few words."""
    if row.reached or row.solution is None:
        return "reached"
    left = f"{row.distance:.3g}" if row.distance is not None else f"{row.angle:.3g} rad"
    return f"{left} left"


def _time(prepared: Prepared, start: Pose) -> float:
    found: list[float] = []
    while len(found) < 2 or (len(found) < _TIMED_SOLVES and sum(found) < _TIMING_SECONDS):
        found.append(prepared.solve(start).seconds)
    return min(found)


def _reason(message: str) -> str:
    """The reason of a refusal, without the text that all refusals share."""
    return message.partition("cannot be used here: ")[2].partition("; what can: ")[0] or message


def _away(pose: Pose, before: Pose) -> Array:
    """`[..., dof]` in radians and reaches."""
    skeleton = pose.skeleton
    return pose.minus(before) / np.where(skeleton.slides, skeleton.reach, 1.0)

"""The one door to all solvers."""

from __future__ import annotations

from collections.abc import Sequence

from posable.errors import GoalError
from posable.goals import Goal, Stay
from posable.skeleton import Pose
from posable.solvers.least_squares import LeastSquares
from posable.solvers.solution import Solution


def solve(
    start: Pose,
    goals: Sequence[Goal | Stay],
    *,
    method: LeastSquares | None = None,
    tolerance: float = 1e-6,
    angle_tolerance: float = 1e-5,
    max_iterations: int = 100,
    restarts: int = 20,
    seed: int = 0,
    frozen: Sequence[str] = (),
    trace: bool = False,
) -> Solution:
    """The pose that meets `goals`, searched from `start`; where they cannot be met, the best one and why.

    start: one pose or a batch; its leading axes broadcast with those of the targets, and a batch uses all cores. A
    start outside the limits is first moved inside.
    method: how to solve; `LeastSquares()` if None.
    tolerance: the distance, in the figure's length unit, within which a position counts as reached. angle_tolerance:
    radians.
    max_iterations: of one attempt. restarts: seeded further attempts where the first one fails; the nearest to the
    start wins.
    seed: the same seed gives the same answer. frozen: joints ("root") or single axes ("spine.x") that must not move.
    trace: keep every intermediate pose in `solution.trace`.
    Raises GoalError, UnknownJointError or PoseError for what cannot be meant. Out of reach is a status, not an error.
    """
    chosen = LeastSquares() if method is None else method
    if not isinstance(chosen, LeastSquares):
        raise GoalError(f"{method!r} is no method; choose LeastSquares()")
    if not isinstance(start, Pose):
        raise GoalError(f"the start is a Pose, not {type(start).__name__}; a figure's is figure.rest")
    return chosen.solve(
        start,
        goals,
        tolerance=tolerance,
        angle_tolerance=angle_tolerance,
        max_iterations=max_iterations,
        restarts=restarts,
        seed=seed,
        frozen=frozen,
        trace=trace,
    )

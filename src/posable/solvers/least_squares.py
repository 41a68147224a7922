"""The default method: damped Gauss–Newton on the tree, with limits, restarts and soft goals, in one compiled call."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from posable.goals import Custom, Goal, SoftGoal
from posable.skeleton import Pose, Skeleton
from posable.solvers.options import Options
from posable.solvers.packing import standing_values
from posable.solvers.prepared import Prepared
from posable.solvers.solution import Solution


@dataclass(frozen=True)
class LeastSquares:
    """Levenberg–Marquardt descent whose steps come from the articulated-body recursion, linear in the number of joints.

    Hard goals are met first; soft ones (Stay, Comfort, Torsion, higher priority numbers) act in the freedom that is
    left. Limits are an active set, never passed.
    """

    def solve(
        self, start: Pose, goals: tuple[Goal | SoftGoal | Custom, ...], options: Options, trace: bool = False
    ) -> Solution:
        """See `posable.solve`. What the goals' structure needs is prepared once and kept."""
        prepared = _prepared(start.skeleton, _Asked(goals), options)
        return prepared.solve_values(start, standing_values(goals), trace)

    def prepare(self, skeleton: Skeleton, goals: tuple[Goal | SoftGoal | Custom, ...], options: Options) -> Prepared:
        """See `posable.prepare`."""
        return Prepared(skeleton, goals, options)


class _Asked:
    """A list of goals, equal to every other one of the same structure."""

    __slots__ = ("goals", "key")

    def __init__(self, goals: tuple[Goal | SoftGoal | Custom, ...]) -> None:
        self.goals = goals
        self.key = tuple([goal.structure() for goal in goals])

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Asked) and self.key == other.key


@lru_cache(maxsize=64)
def _prepared(skeleton: Skeleton, asked: _Asked, options: Options) -> Prepared:
    return Prepared(skeleton, asked.goals, options)

"""The default method: damped Gauss–Newton on the tree, with limits, restarts and soft goals, in one compiled call."""

from __future__ import annotations

from dataclasses import dataclass

from posable.solvers.compiled import Compiled
from posable.solvers.engine import Engine
from posable.solvers.problem import Structure


@dataclass(frozen=True)
class LeastSquares:
    """Levenberg–Marquardt descent whose steps come from the articulated-body recursion, linear in the number of joints.

    Hard goals are met first; soft ones (Stay, Comfort, Torsion, higher priority numbers) act in the freedom that is
    left. Limits are an active set, never passed.
    """

    def engine(self, structure: Structure) -> Engine:
        """What solves the goals of a structure: compiled code, but for Custom goals."""
        if structure.wishes.custom:
            from posable.solvers.custom import CustomEngine

            return CustomEngine(structure)
        return Compiled(structure)

"""Starting poses in which limbs without goals are outside the body."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from posable.goals.starts import ProposesStarts
from posable.goals.term_arrays import FINE
from posable.solvers.default.least_squares import LeastSquares
from posable.solvers.engine import Batch, with_locked
from posable.solvers.problem import Structure
from posable.solvers.weights import Weighted
from posable.spatial import Array

MAX_ITERATIONS = 60  # iterations


class IdleLimbs:
    """Moves idle limbs out of the body before anything else moves.

    Proposed arms hang close to the trunk, and inside a stout one. If all joints were free to separate them, the trunk
    and the legs would move as well as the arms, and nothing would move them back.

    Args:
        structure: The goals.
        idle: `[dof]` the degrees of freedom of limbs without goals.
    """

    def __init__(self, structure: Structure, idle: NDArray[np.bool_]) -> None:
        options = replace(
            structure.options, restarts=0, max_iterations=min(structure.options.max_iterations, MAX_ITERATIONS)
        )
        held = with_locked(structure._replace(options=options), ~idle)
        self._engine = LeastSquares().engine(held)
        self._weighted = Weighted(held, LeastSquares(), self._engine)

    @staticmethod
    def among(structure: Structure, starter: ProposesStarts) -> IdleLimbs | None:
        """For the goals of a structure, as one of them proposes; None if bodies may touch or no limb is idle."""
        keeps_apart = any(row.is_contact for row in structure.goal_set.rows)
        return IdleLimbs(structure, starter.idle) if keeps_apart and starter.idle.any() else None

    def outside(self, starts: Array, numbers: Array, springs: Array | None, weights: Array | None) -> Array:
        """`[problem, coordinates]` the same starts with the idle limbs outside the body; see `Batch` for the others."""
        out, counts = np.empty_like(starts), np.zeros((len(starts), 3), np.int64)
        engine = self._engine if weights is None else self._weighted
        batch = Batch(starts.copy(), numbers, springs, weights)
        fault = engine.run(batch, out, counts, np.empty((len(starts), 0, starts.shape[1])))
        return out if fault[0] == FINE else starts  # the main solve finds the same fault, and names it

"""The starting poses that one of the goals proposes, and motions in which each pose continues from the one before."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.goals.starts import ProposesStarts
from posable.goals.term_arrays import FINE
from posable.solvers.default.kernels.descent import HALTED, REACHED
from posable.solvers.engine import NO_FAULT, OUTCOME, Batch, Engine, Fault
from posable.solvers.idle_limbs import IdleLimbs
from posable.solvers.problem import Structure
from posable.solvers.short_steps import Shortened, ShortSteps, Step
from posable.solvers.standing import Standing, proposer_of
from posable.solvers.weights import Weighted
from posable.spatial import Array


class Origin(NamedTuple):
    """Where a drag began."""

    pose: Array
    """`[coordinates]`"""
    numbers: Array
    """`[number]` the targets for which it was solved."""


class Proposals:
    """The starting poses of solves of a structure.

    Args:
        structure: The goals.
        at: The index of the goal that proposes.
        starter: The object that proposes the starts.
        standing: Keeps the feet in place, or None.
        idle: Moves idle limbs out of the body, or None.
        short: Bounds the steps of drags, or None.
    """

    def __init__(
        self,
        structure: Structure,
        at: int,
        starter: ProposesStarts,
        standing: Standing | None,
        idle: IdleLimbs | None,
        short: ShortSteps | None,
    ) -> None:
        self.at = at
        self._own_weight = structure.goal_set.goals[at].own_weight
        self.starter, self._standing, self._idle, self.short = starter, standing, idle, short

    @staticmethod
    def among(structure: Structure, is_default: bool) -> Proposals | None:
        """For the goals of a structure; None where none of them proposes.

        is_default: Whether the default solver solves for them, which then keeps feet in place, idle limbs out of the
            body, and steps short.
        """
        found = proposer_of(structure)
        if found is None:
            return None
        if not is_default:
            return Proposals(structure, *found, None, None, None)
        standing, idle = Standing.among(structure, found[1]), IdleLimbs.among(structure, found[1])
        return Proposals(structure, *found, standing, idle, ShortSteps(structure, standing))

    def begin(self, starts: Array, numbers: Array, springs: Array | None, weights: Array | None = None) -> Array:
        """`[problem, coordinates]` the starting poses of solves with these given starts; weights: `[problem, goal]`."""
        begun = self.starter.begun(starts, numbers, self._strengths(weights))
        held = self._held(starts, self._outside(begun, numbers, springs, weights), numbers, springs, weights)
        return held if self._standing is None else self._outside(held, numbers, springs, weights)

    def begin_step(
        self,
        start: Array,
        now: Array,
        before: Array,
        springs: Array | None,
        weights: Array | None,
        origin: Origin | None,
    ) -> tuple[Array, Step]:
        """The starting pose `[coordinates]` of one solve of a drag, and the step: the change of the targets
        moves the start first, partly towards the origin.
        """
        begun = self.starter.begun(start[None].copy(), now, self._strengths(weights), before, origin)
        held = self._held(start[None], begun, now, springs, weights)[0]
        if origin is not None and (held != begun[0]).any():
            held = self.starter.hung(begun[0], held)
        return held, Step(start, begun[0], now, before, springs, weights)

    def shortened(self, step: Step, ended: Array, is_met: bool) -> Shortened | None:
        """The step that replaces one to the pose `ended`; None if no joint rotates too far in that step."""
        return self.short.of(step, ended, is_met) if self.short and self._acts(step.weights).all() else None

    def follow(self, engine: Engine | Weighted, batch: Batch, out: Array, counts: NDArray[np.int64]) -> Fault:
        """As `Engine.follow`, by the steps of a drag that begins at the first frame."""
        origin = None
        for n in range(len(out)):
            if counts[n, OUTCOME] == HALTED:
                return NO_FAULT
            now = slice(n, n + 1)
            _, numbers, springs, weights = batch
            springs, weights = (None if all_rows is None else all_rows[now] for all_rows in (springs, weights))
            step = None
            if origin is None:
                begun = self.begin(batch.starts, numbers[now], springs, weights)[0]
            else:
                begun, step = self.begin_step(out[n - 1], numbers[now], numbers[n - 1 : n], springs, weights, origin)
            code, _, term = engine.follow(
                Batch(begun[None], numbers[now], springs, weights), None, out[now], counts[now]
            )
            if code != FINE:
                return code, n, term
            if step and (shorter := self.shortened(step, out[n], counts[n, OUTCOME] == REACHED)):
                out[n], counts[n] = shorter.q, shorter.counts[0]
            origin = origin or Origin(out[0].copy(), numbers[0])
        return NO_FAULT

    def _strengths(self, weights: Array | None) -> Array | None:
        return None if weights is None else np.minimum(weights[:, self.at], 1.0)

    def _held(self, given: Array, begun: Array, numbers: Array, springs: Array | None, weights: Array | None) -> Array:
        """`begun` with standing feet as in the poses `given`, if the goal that proposes has a weight."""
        if self._standing is None or not (acts := self._acts(weights)).any():
            return begun
        return np.where(acts[:, None], self._standing.of(given, begun, numbers, springs, weights), begun)

    def _outside(self, starts: Array, numbers: Array, springs: Array | None, weights: Array | None) -> Array:
        """The starts with idle limbs outside the body, if the goal that proposes has a weight."""
        if self._idle is None or not (acts := self._acts(weights)).any():
            return starts
        return np.where(acts[:, None], self._idle.outside(starts, numbers, springs, weights), starts)

    def _acts(self, weights: Array | None) -> NDArray[np.bool_]:
        """`[problem]`, or one for all: whether the goal that proposes has a weight."""
        return np.array([self._own_weight > 0]) if weights is None else weights[:, self.at] > 0

"""Levenberg–Marquardt, the least-squares engine for all problems that the compiled tree solver does not solve.

A problem is a batch of items (frames, mostly) with a cost ½‖r‖² each. With H = JᵀJ and g = Jᵀr, a step solves
(H + damping · diag H) step = −g, every item with a damping of its own (Levenberg 1944, Marquardt 1963). `minimise_each`
is for items that do not depend on each other, `minimise` for items that are solved together: `Arrow` where they share
unknowns, `posable.motion.whole_clip.clip_problem` where each is tied to its neighbours.

It needs only arrays and belongs to `spatial`, so that skeletons, skins, motions and solvers can all use it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from posable.progress import tell_progress
from posable.spatial.rotations import Array

FIRST, LEAST, GIVE_UP = 2e-4, 1e-9, 1e6
"""The initial and the least damping, and the one at which a descent gives up lowering the cost."""

HOLDS = 1e8
"""Factor on the diagonal of an unknown whose bound is active: it then practically does not move."""

_MORE, _LESS = 5.0, 0.1
_ROUNDING = 1e-12  # of a cost
_SINGULAR = 1e-12  # of the largest entry of a diagonal: keeps unknowns that nothing depends on

_SOLVING = "solving"

Mask = NDArray[np.bool_]
Indices = NDArray[np.int64]


def next_damping(damping: Array, worse: Mask) -> Array:
    """`[item]` the damping after a step: five times as large where it made the cost worse, a tenth elsewhere."""
    return np.maximum(np.where(worse, _MORE * damping, _LESS * damping), LEAST)


def pushed_over(x: Array, low: Array, high: Array, gradient: Array) -> Mask:
    """Which unknowns are at a bound that a descent step would cross."""
    return ((x <= low) & (gradient > 0)) | ((x >= high) & (gradient < 0))


@dataclass(frozen=True, eq=False)
class Dense:
    """Normal equations of independent items: blocks `[item, n, n]` = JᵀJ, gradient `[item, n]` = Jᵀr.

    held: `[item, n]` the unknowns with an active bound (see `pushed_over`), None for none.
    """

    blocks: Array
    gradient: Array
    held: Mask | None = None

    @classmethod
    def of(cls, jacobian: Array, residual: Array) -> Dense:
        """From J `[item, row, n]` and r `[item, row]`."""
        across = np.swapaxes(jacobian, 1, 2)
        return cls(across @ jacobian, (across @ residual[..., None])[..., 0])

    def held_within(self, x: Array, low: Array, high: Array) -> Dense:
        """The same, stiff where a descent step from x `[item, n]` would cross a bound."""
        return Dense(self.blocks, self.gradient, pushed_over(x, low, high, self.gradient))

    def updated(self, newer: Dense, where: Mask, kept: Mask) -> Dense:
        """The items `kept`, taken from `newer` where that says so."""
        pairs = zip(self._parts, newer._parts, strict=True)
        return Dense(*(np.where(where.reshape(-1, *[1] * (old.ndim - 1)), new, old)[kept] for old, new in pairs))

    @property
    def _parts(self) -> list[Any]:
        return [part for part in (self.blocks, self.gradient, self.held) if part is not None]

    def damped(self, damping: Array) -> Array:
        """`[item, n, n]` the blocks with their damping `[item]`, stiff where bounds are active."""
        diagonal = np.diagonal(self.blocks, axis1=1, axis2=2)
        largest = diagonal.max(axis=1, keepdims=True, initial=0.0)
        more = damping[:, None] * diagonal + _SINGULAR * largest + 1e-300
        if self.held is not None:
            more += np.where(self.held, HOLDS * largest, 0.0)
        found, every = self.blocks.copy(), np.arange(diagonal.shape[1])
        found[:, every, every] += more
        return found

    def solve(self, damping: Array) -> Array:
        """The step `[item, n]` with a damping `[item]`."""
        return -np.linalg.solve(self.damped(damping), self.gradient[..., None])[..., 0].astype(np.float64, copy=False)

    def fall(self, step: Array) -> Array:
        """`[item]` the predicted decrease of the cost."""
        curved = (self.blocks @ step[..., None])[..., 0]
        return -np.sum((self.gradient + 0.5 * curved) * step, axis=1)


@dataclass(frozen=True, eq=False)
class Arrow:
    """Normal equations of items that share unknowns: [own border; borderᵀ corner], each item's own ones eliminated, so
    that a step costs one small solve an item (Triggs et al. 2000).

    border: `[item, n, shared]`; corner: `[shared, shared]`; gradient: `[shared]`.
    """

    own: Dense
    border: Array
    corner: Array
    gradient: Array

    def solve(self, damping: Array) -> tuple[Array, Array]:
        """(the items' step `[item, n]`, the step of the shared unknowns `[shared]`); the latter has the damping of the
        most damped item.
        """
        right = np.concatenate([self.border, self.own.gradient[..., None]], axis=2)
        solved = np.linalg.solve(self.own.damped(damping), right)
        tall = (-1, len(self.gradient))
        border = self.border.reshape(tall)
        corner = self._shared.damped(damping.max(keepdims=True))[0] - border.T @ solved[..., :-1].reshape(tall)
        shift = np.asarray(np.linalg.solve(corner, border.T @ solved[..., -1].ravel() - self.gradient), np.float64)
        return -solved[..., -1] - solved[..., :-1] @ shift, shift

    @property
    def _shared(self) -> Dense:
        return Dense(self.corner[None], self.gradient[None])

    def fall(self, step: tuple[Array, Array]) -> float:
        """The predicted decrease of the cost of all items."""
        across = float(np.sum(step[0] * (self.border @ step[1])))
        return float(self.own.fall(step[0]).sum() + self._shared.fall(step[1][None])[0]) - across


class Batch(Protocol):
    """Independent items. x: `[n, ...]` unknowns of some items; items: `[n]` which ones they are."""

    def linearized(self, x: Array, items: Indices, /) -> tuple[Array, Dense]:
        """(costs `[n]`, the normal equations) at x."""
        ...

    def moved(self, x: Array, step: Array, items: Indices, /) -> Array:
        """x after a step `[n, unknown]`, within its bounds."""
        ...


def minimise_each(
    problem: Batch, x: Array, *, steps: int, tolerance: float = 0.0, enough: float = 0.0, at_once: int = 256
) -> Array:
    """The unknowns `x [item, ...]` of independent items after at most `steps` steps; no item's cost ever grows.

    An item ends with a step that lowers its cost by at most `tolerance` of it plus `enough`, or that cannot lower it by
    more than rounding. at_once: how many items are worked on together, to bound the memory.
    """
    x = np.array(x)
    for first in range(0, len(x), at_once):
        items = np.arange(first, min(first + at_once, len(x)))
        costs, system = problem.linearized(x[items], items)
        damping = np.full(len(items), FIRST)
        for _ in range(steps):
            step = system.solve(damping)
            trial = problem.moved(x[items], step, items)
            found, newer = problem.linearized(trial, items)
            better = found < costs
            x[items[better]] = trial[better]
            slow = costs - found <= tolerance * np.abs(costs) + enough
            spent = system.fall(step) <= _ROUNDING * np.abs(costs) + enough
            costs, damping = np.where(better, found, costs), next_damping(damping, ~better)
            going = ~np.where(better, slow, spent) & (damping < GIVE_UP)
            system = system.updated(newer, better, going)
            items, costs, damping = items[going], costs[going], damping[going]
            if not len(items):
                break
    return x


def linearized(jacobian: Array, residual: Array) -> tuple[Array, Dense]:
    """(costs ½‖r‖² `[item]`, normal equations) of J `[item, row, n]` and r `[item, row]`."""
    return 0.5 * np.sum(residual**2, axis=1), Dense.of(jacobian, residual)


class HasCosts(Protocol):
    """The state of a descent of items that are solved together."""

    @property
    def costs(self) -> Array:
        """`[item]`."""
        ...


State = TypeVar("State", bound=HasCosts)


class System(Protocol):
    """Normal equations with steps of a kind of their own."""

    def solve(self, damping: Array, /) -> Any:
        """The step with a damping `[item]`, None where rounding leaves none."""
        ...

    def fall(self, step: Any, /) -> float:
        """The predicted decrease of the cost."""
        ...


class Coupled(Protocol[State]):
    """Items that are solved together."""

    def system(self, state: State, /) -> System:
        """The normal equations at a state."""
        ...

    def attempt(self, state: State, step: Any, /) -> tuple[State, Mask]:
        """(the state after a step, or the same object where the step does not lower the cost; `[item]` which ones need
        more damping).
        """
        ...


def minimise(
    problem: Coupled[State], state: State, *, steps: int, tolerance: float, enough: float = 0.0
) -> tuple[State, int]:
    """(the final state, how many steps were tried, `steps` at most).

    It ends where the cost falls by at most `tolerance` of it plus `enough`, twice if a step made any item worse; or
    with a step whose predicted decrease is no more.
    """
    damping, tried, slow, ended = np.full(len(state.costs), FIRST), 0, 0, False
    while not ended and tried < steps and slow < 2:
        tell_progress(_SOLVING, tried / steps)
        system, found, cost = problem.system(state), state, float(state.costs.sum())
        worse = np.ones(len(damping), bool)
        least = tolerance * cost + enough
        while not ended and found is state and tried < steps and damping.max() < GIVE_UP:
            tried += 1
            step, worse = system.solve(damping), np.ones(len(damping), bool)
            if step is not None:
                found, worse = problem.attempt(state, step)
                ended = abs(system.fall(step)) <= least  # below 0 where inequality rows come and go
            damping = next_damping(damping, worse)
        slow = slow + (1 if worse.any() else 2) if cost - float(found.costs.sum()) <= least else 0
        ended, state = ended or found is state, found
    tell_progress(_SOLVING, 1.0)
    return state, tried

"""The descent of a whole-clip solve: Gauss–Newton, each frame with a damping of its own."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from posable.motion.clip_problem import ClipProblem, Model, State
from posable.spatial import Array, normalized

_FIRST, _LEAST, _GIVE_UP = 2e-4, 1e-9, 1e6
"""The damping at first, at least, and from which on no step lowers the cost."""

_MORE, _LESS = 5.0, 0.1
"""By how much it grows about frames that a step makes worse, and falls about the others."""

_AROUND = 0.13  # s about a frame within which it is damped, and its step shortened, with it
_SHORTER, _TRIES = 0.3, 5  # of a step, about frames that it makes worse; how often it is tried
_LOOKS = 3  # how often it is looked which one-sided rows count after a step
_ROUNDING = 1e-9
"""Radians by which a cone must have stopped a ball to count as a limit that holds it."""


def descend(problem: ClipProblem, correction: Array, tolerance: float, most: int) -> tuple[State, int]:
    """(where the cost ends from `correction [frame, free]`, how many steps were tried).

    A step is brought back within the limits, and shortened about the frames that it makes worse, until the cost of all
    falls; those frames are damped more in the next (Levenberg 1944, frame by frame). It ends where the cost falls by
    less than `tolerance` of it, twice if the step made any frame worse; or with a step whose model falls by less.
    """
    from scipy.ndimage import maximum_filter1d

    state, tried, slow = problem.at(correction), 0, 0
    near = max(round(_AROUND * problem.fps), 1)
    damping, worse = np.full(len(correction), _FIRST), np.zeros(len(correction), bool)
    while tried < most and slow < 2:
        model, found = problem.model(state), state
        while found is state and tried < most and damping.max() < _GIVE_UP:
            tried += 1
            (step, promise), worse = _step(problem, state, model, damping), np.ones(len(damping), bool)
            if step is not None:
                found, worse = _lower(problem, state, step, near)
            if abs(promise) <= tolerance * state.cost:  # below 0 it tells that rows come and go
                return found, tried
            spread = maximum_filter1d(worse, 2 * near + 1)
            damping = np.maximum(np.where(spread, _MORE * damping, _LESS * damping), _LEAST)
        if found is state:
            break
        fallen, state = state.cost - found.cost, found
        slow = slow + (1 if worse.any() else 2) if fallen <= tolerance * state.cost else 0
    return state, tried


def _step(problem: ClipProblem, state: State, model: Model, damping: Array) -> tuple[Array | None, float]:
    """(`[frame, free]` down the model, made with those one-sided rows that are above zero after it, None where rounding
    leaves none; by how much the model falls).
    """
    active, step = model.rows.over > 0, None
    for _ in range(_LOOKS):
        blocks, gradient = model.with_rows(active)
        diagonal = np.diagonal(blocks, axis1=1, axis2=2) + problem.bands.diagonal
        held, stiff = problem.stiffness(state, gradient, diagonal)
        step = problem.bands.solve(blocks + stiff, held + damping[:, None] * diagonal, -gradient)
        if step is None:
            return None, np.inf
        before, active = active, model.above_after(step)
        if (active == before).all():
            break
    assert step is not None
    return step, model.fall(step) - float(problem.bands.costs(step).sum())


def _lower(problem: ClipProblem, state: State, step: Array, near: int) -> tuple[State, NDArray[np.bool_]]:
    """(where the step leads, shortened about the frames that it makes worse, or the same state where that costs no
    less; `[frame]` which the whole step makes worse).
    """
    from scipy.ndimage import gaussian_filter1d, minimum_filter1d

    share, first = np.ones(len(step)), None
    for _ in range(_TRIES):
        wanted = state.correction + share[:, None] * step
        found = problem.at(wanted)
        worse = found.costs > state.costs
        first = worse if first is None else first
        if found.cost < state.cost:
            _mark_stops(problem, wanted, found)
            return found, first
        shorter = minimum_filter1d(np.where(worse, _SHORTER * share, share), 2 * near + 1)
        share = gaussian_filter1d(shorter, near / 2)
    assert first is not None
    return state, first


def _mark_stops(problem: ClipProblem, wanted: Array, found: State) -> None:
    """Note where cones stopped their balls on the way to `wanted`."""
    for _, at in problem.coned:
        over = wanted[:, at] - found.correction[:, at]
        stopped = np.linalg.norm(over, axis=1, keepdims=True) > _ROUNDING
        found.outward[:, at] = np.where(stopped, normalized(over), 0.0)

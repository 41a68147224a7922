"""The least-squares engine: one damping policy, steps that solve their systems, descents that never go up."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from posable.spatial import Array, marquardt
from posable.spatial.marquardt import Arrow, Dense, Indices, Mask, linearized, minimise, minimise_each, next_damping


class Valley:
    """Rosenbrock's curved valley, one an item, each with a floor of its own; x₀ may not go above `high`."""

    def __init__(self, count: int, high: float = np.inf) -> None:
        self.steep, self.high = np.linspace(1.0, 30.0, count), high
        self.seen: list[Indices] = []

    def residual(self, x: Array, items: Indices) -> Array:
        return np.stack([self.steep[items] * (x[:, 1] - x[:, 0] ** 2), 1 - x[:, 0], np.full(len(x), 0.3)], axis=1)

    def costs(self, x: Array) -> Array:
        return self.linearized(x, np.arange(len(x)))[0]

    def linearized(self, x: Array, items: Indices) -> tuple[Array, Dense]:
        self.seen.append(items)
        slope = np.zeros((len(x), 3, 2))
        slope[:, 0, 0], slope[:, 0, 1], slope[:, 1, 0] = -2 * self.steep[items] * x[:, 0], self.steep[items], -1.0
        costs, system = linearized(slope, self.residual(x, items))
        bound = np.array([self.high, np.inf])
        return costs, system.held_within(x, -bound, bound)

    def moved(self, x: Array, step: Array, items: Indices) -> Array:
        del items
        return np.minimum(x + step, [self.high, np.inf])


def test_the_damping_grows_where_a_step_makes_it_worse_and_falls_elsewhere_down_to_a_least_one() -> None:
    damping = next_damping(np.array([1e-2, 1e-2, 5e-9]), np.array([True, False, False]))
    np.testing.assert_allclose(damping, [5e-2, 1e-3, marquardt.LEAST])


@pytest.mark.parametrize("at_once", [3, 256])
def test_independent_items_go_each_to_its_own_minimum_and_end_when_they_are_there(at_once: int) -> None:
    start = np.random.default_rng(0).normal(size=(20, 2))
    start[7] = 1.0
    valley = Valley(20)
    found = minimise_each(valley, start, steps=200, tolerance=1e-15, at_once=at_once)
    np.testing.assert_allclose(found, np.ones((20, 2)), atol=1e-6)
    assert sum(7 in items for items in valley.seen) == 2  # where it begins, and after a step that saves nothing
    alone = [minimise_each(Only(valley, n), start[n : n + 1], steps=200, tolerance=1e-15)[0] for n in range(20)]
    np.testing.assert_array_equal(found, alone)


class Only(Valley):
    """One of the items of a problem."""

    def __init__(self, of: Valley, item: int) -> None:
        self.steep, self.high, self.seen = of.steep[item : item + 1], of.high, []


def test_no_step_makes_any_item_worse() -> None:
    valley, x = Valley(20), np.random.default_rng(1).normal(scale=3.0, size=(20, 2))
    for steps in range(1, 8):
        found = minimise_each(valley, x, steps=steps)
        assert (valley.costs(found) <= valley.costs(x)).all()


def test_a_bound_holds_what_is_pushed_over_it() -> None:
    found = minimise_each(Valley(5, high=0.5), np.zeros((5, 2)), steps=100, tolerance=1e-15)
    np.testing.assert_allclose(found, np.tile([0.5, 0.25], (5, 1)), atol=1e-6)


def test_the_fall_of_a_quadratic_cost_is_foretold_exactly() -> None:
    rng = np.random.default_rng(2)
    jacobian, residual = rng.normal(size=(4, 6, 3)), rng.normal(size=(4, 6))
    system = Dense.of(jacobian, residual)
    step = system.solve(np.full(4, 0.3))
    after = residual + (jacobian @ step[..., None])[..., 0]
    np.testing.assert_allclose(system.fall(step), 0.5 * np.sum(residual**2 - after**2, axis=1))
    best = residual + (jacobian @ system.solve(np.zeros(4))[..., None])[..., 0]
    np.testing.assert_allclose(np.einsum("irn,ir->in", jacobian, best), 0.0, atol=1e-9)


def _whole(arrow: Arrow) -> tuple[Array, Array]:
    """(matrix, gradient) of all unknowns of an arrow in one."""
    items, n, shared = arrow.border.shape
    matrix = np.zeros((items * n + shared, items * n + shared))
    for i in range(items):
        own = slice(i * n, (i + 1) * n)
        matrix[own, own] = arrow.own.blocks[i]
        matrix[own, items * n :], matrix[items * n :, own] = arrow.border[i], arrow.border[i].T
    matrix[items * n :, items * n :] = arrow.corner
    return matrix, np.concatenate([arrow.own.gradient.ravel(), arrow.gradient])


def _arrow(jacobian: Array, shared: Array, residual: Array) -> Arrow:
    border, flat = np.swapaxes(jacobian, 1, 2) @ shared, shared.reshape(-1, shared.shape[2])
    return Arrow(Dense.of(jacobian, residual), border, flat.T @ flat, flat.T @ residual.ravel())


def test_an_arrow_solves_the_system_of_all_its_unknowns_and_foretells_its_fall() -> None:
    rng = np.random.default_rng(3)
    arrow = _arrow(rng.normal(size=(5, 7, 3)), rng.normal(size=(5, 7, 2)), rng.normal(size=(5, 7)))
    matrix, gradient = _whole(arrow)
    step = arrow.solve(np.full(5, 0.2))
    flat = np.concatenate([step[0].ravel(), step[1]])
    np.testing.assert_allclose((matrix + 0.2 * np.diag(np.diag(matrix))) @ flat, -gradient, atol=1e-9)
    assert arrow.fall(step) == pytest.approx(-(gradient + 0.5 * matrix @ flat) @ flat)


class _Fit(NamedTuple):
    amplitudes: Array
    rates: Array
    costs: Array


class Decays:
    """Items that decay at one rate, each from an amplitude of its own: y = a_i exp(-rate t)."""

    def __init__(self) -> None:
        self.times = np.linspace(0.0, 1.0, 9)
        self.seen = 2.0 * np.arange(1, 5)[:, None] * np.exp(-3.0 * self.times)

    def at(self, amplitudes: Array, rates: Array) -> _Fit:
        left = amplitudes[:, None] * np.exp(-rates[0] * self.times) - self.seen
        return _Fit(amplitudes, rates, 0.5 * np.sum(left**2, axis=1))

    def system(self, state: _Fit) -> Arrow:
        decay = np.exp(-state.rates[0] * self.times) * np.ones((4, 1))
        values = state.amplitudes[:, None] * decay
        return _arrow(decay[..., None], (-self.times * values)[..., None], values - self.seen)

    def attempt(self, state: _Fit, step: tuple[Array, Array]) -> tuple[_Fit, Mask]:
        found = self.at(state.amplitudes + step[0][:, 0], state.rates + step[1])
        lower = bool(found.costs.sum() < state.costs.sum())
        return (found if lower else state), np.full(4, not lower)


def test_items_that_share_an_unknown_are_solved_together() -> None:
    problem = Decays()
    found, tried = minimise(problem, problem.at(np.ones(4), np.zeros(1)), steps=50, tolerance=1e-14)
    np.testing.assert_allclose(found.amplitudes, [2.0, 4.0, 6.0, 8.0], atol=1e-5)
    np.testing.assert_allclose(found.rates, [3.0], atol=1e-5)
    assert tried < 20
    same, tried = minimise(problem, found, steps=50, tolerance=1e-3, enough=1e-6)
    assert tried == 1 and same.costs.sum() <= found.costs.sum()

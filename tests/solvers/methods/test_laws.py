"""What holds for every method: the same answer each time, limits, the best pose, honest distances, any units."""

from __future__ import annotations

import numpy as np
import pytest
from solvers.methods.cases import CASES, MORE, Case

from posable import Status, solve
from posable.solvers import Solution

EVERY = {**CASES, **MORE}
COUNT = 6

pytestmark = pytest.mark.parametrize("case", EVERY.values(), ids=EVERY)


def solved(case: Case, targets: np.ndarray, scale: float = 1.0, **options: object) -> Solution:
    goals = case.goals(case.end, scale * targets)
    options = {"max_iterations": 60, "tolerance": scale * 1e-5, **options}
    return solve(case.start(scale), goals, method=case.method, **options)  # pyright: ignore[reportArgumentType]


def ends(case: Case, solution: Solution) -> np.ndarray:
    return solution.pose.origins[..., case.start().skeleton.index(case.end), :]


def test_the_same_question_has_the_same_answer(case: Case) -> None:
    first, again = (solved(case, case.targets(COUNT)) for _ in range(2))
    np.testing.assert_array_equal(first.pose.q, again.pose.q)
    np.testing.assert_array_equal(first.iterations, again.iterations)


def test_a_batch_is_the_loop_of_singles(case: Case) -> None:
    targets = case.targets(COUNT)
    batch = solved(case, targets, trace=True)
    for n, target in enumerate(targets):
        single = solved(case, target, trace=True)
        np.testing.assert_array_equal(single.pose.q, batch.pose.q[n])
        assert single.iterations == batch.iterations[n]
        assert single.status is Status(batch.status[n])
        assert single.goals[0].distance == batch.goals[0].distance[n]
        assert single.trace is not None
        assert batch.trace is not None
        np.testing.assert_array_equal(single.trace.q, batch.trace.q[: len(single.trace), n])


def test_limits_hold_at_every_pose_of_the_trace(case: Case) -> None:
    trace = solved(case, case.targets(COUNT), trace=True).trace
    assert trace is not None
    np.testing.assert_array_equal(trace.q[0], np.broadcast_to(case.start().q, trace.q[0].shape))
    assert len(trace) > case.steps
    np.testing.assert_allclose(trace.clamped().q, trace.q, rtol=0, atol=1e-12)


def test_the_best_pose_on_the_way_is_the_answer_and_the_distance_left_is_true(case: Case) -> None:
    targets = case.targets(COUNT)
    targets[-2:] *= 4.0
    solution = solved(case, targets, trace=True, max_iterations=25)
    left = np.linalg.norm(ends(case, solution) - targets, axis=-1)
    np.testing.assert_allclose(solution.goals[0].distance, left, rtol=0, atol=1e-12)
    assert solution.trace is not None
    way = solution.trace.origins[..., case.start().skeleton.index(case.end), :] - targets
    np.testing.assert_allclose(left, np.linalg.norm(way, axis=-1).min(axis=0), rtol=0, atol=1e-12)
    np.testing.assert_array_equal(solution.status == Status.REACHED, left <= 1e-5)


def test_most_places_in_reach_are_reached(case: Case) -> None:
    solution = solved(case, case.targets(40), tolerance=1e-3, max_iterations=200)
    assert (solution.status == Status.REACHED).mean() >= case.reached


def test_out_of_reach_is_said_and_the_end_is_far_nearer_than_at_the_start(case: Case) -> None:
    target = np.array([2.0, 0.3, 0.2])
    solution = solved(case, target, max_iterations=100)
    assert solution.status is Status.OUT_OF_REACH
    first = np.linalg.norm(case.start().origins[case.start().skeleton.index(case.end)] - target)
    nearest = np.linalg.norm(target) - 1.4
    assert nearest - 1e-9 <= solution.goals[0].distance < nearest + case.nears * (first - nearest)


def test_what_is_frozen_does_not_move(case: Case) -> None:
    solution = solved(case, case.targets(COUNT), frozen=(case.frozen,), trace=True)
    assert solution.trace is not None
    own = solution.trace.of(case.frozen)
    np.testing.assert_array_equal(own, np.broadcast_to(case.start().of(case.frozen), own.shape))
    moved = solution.pose.q != case.start().q
    assert moved.any()


@pytest.mark.parametrize("scale", [0.01, 1000.0])
def test_units_do_not_matter(case: Case, scale: float) -> None:
    plain = solved(case, case.targets(COUNT), trace=True, max_iterations=12)
    method = case.in_units(scale)
    scaled = solved(method, case.targets(COUNT), scale, trace=True, max_iterations=12)
    assert plain.trace is not None
    assert scaled.trace is not None
    np.testing.assert_allclose(scaled.trace.q, plain.trace.q, rtol=0, atol=1e-6)
    np.testing.assert_array_equal(scaled.iterations, plain.iterations)

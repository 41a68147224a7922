"""`posable.compare`: the numbers of each row are those of its solution, measured here anew."""

from __future__ import annotations

import numpy as np
import pytest

import posable
from posable import Axis, Figure, Joint, LookAt, MethodError, Reach, Skeleton
from posable.errors import UnknownJointError
from posable.solvers import METHODS, PseudoInverse, TwoBone
from posable.solvers.solving import NAMES


def arm() -> Figure:
    """Three hinges about z, a metre apart; the middle one is limited."""
    axis, elbow = (Axis((0, 0, 1)),), (Axis((0, 0, 1), lower=-0.1, upper=2.0),)
    joints = [Joint("a", "hinge", axes=axis), Joint("b", "hinge", "a", (1, 0, 0), axes=elbow)]
    joints += [Joint("c", "hinge", "b", (1, 0, 0), axes=axis), Joint("tip", "fixed", "c", (1, 0, 0))]
    return Figure(Skeleton(joints), name="arm")


GOALS = [Reach("tip", (1.2, 1.4, 0.0))]


def test_every_method_has_a_row_in_order() -> None:
    rows = posable.compare(arm(), GOALS)
    assert [row.name for row in rows] == list(NAMES) and len(rows) == 1 + len(METHODS)
    for row in rows:
        assert (row.solution is None) == bool(row.refusal)
        assert row.seconds > 0 or row.solution is None


def test_a_row_says_what_its_solution_is() -> None:
    figure = arm()
    row = posable.compare(figure, GOALS, [PseudoInverse(0.3)], tolerance=1e-3)[0]
    solution = posable.solve(figure.rest, GOALS, method=PseudoInverse(0.3), tolerance=1e-3, trace=True)
    assert row.reached and row.iterations == solution.iterations and row.angle is None
    assert row.distance == solution.goals[0].distance
    assert solution.trace is not None and row.trace is not None
    q = solution.trace.q
    assert np.array_equal(row.trace.q, q)  # hinges: coordinates are angles
    assert row.largest_move == pytest.approx(np.abs(q[-1] - q[0]).max(), abs=1e-15)
    assert row.jerkiness == pytest.approx(np.sqrt(np.mean((q[2:] - 2 * q[1:-1] + q[:-2]) ** 2)), abs=1e-15)


def test_the_way_ends_at_the_answer_even_if_it_was_not_the_last_step() -> None:
    row = posable.compare(arm(), [Reach("tip", (4, 1, 0))], ["newton"])[0]
    assert not row.reached and row.trace is not None and row.solution is not None
    assert np.array_equal(row.trace.q[-1], row.solution.pose.q)


def test_one_step_has_no_jerks_and_a_turn_has_no_distance() -> None:
    row = posable.compare(arm(), GOALS, [TwoBone()], frozen=["c"])[0]
    assert row.reached and row.iterations == 1 and row.jerkiness is None
    row = posable.compare(arm(), [LookAt("tip", (0, 9, 0), forward=(1, 0, 0))], ["dls"])[0]
    assert row.distance is None and row.angle is not None and row.angle < 1e-5


def test_what_cannot_says_why_and_no_more() -> None:
    row = posable.compare(arm(), GOALS, ["spring"])[0]
    assert row.solution is None and row.trace is None and not row.reached
    assert "the chain that ends at 'tip' is straight at rest" in row.refusal and "what can" not in row.refusal
    assert (row.distance, row.iterations, row.largest_move, row.jerkiness) == (None, 0, 0.0, None)


def test_slides_count_in_reaches() -> None:
    slide = Joint("a", "slide", axes=(Axis((1, 0, 0), slide=True),))
    figure = Figure(Skeleton([slide, Joint("tip", "fixed", "a", (50, 0, 0))]))
    row = posable.compare(figure, [Reach("tip", (75, 0, 0))], ["newton"])[0]
    assert row.largest_move == pytest.approx(25 / figure.skeleton.reach)


def test_what_is_wrong_with_the_problem_is_an_error() -> None:
    with pytest.raises(UnknownJointError, match="no joint is called 'hand'"):
        posable.compare(arm(), [Reach("hand", (0, 0, 0))])
    with pytest.raises(MethodError, match="no method is called 'magic'"):
        posable.compare(arm(), GOALS, ["magic"])

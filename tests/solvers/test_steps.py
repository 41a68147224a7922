"""The compiled steps against their plain statements."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from solvers.chains import absolute_arm, ball_chain, mixture, panda, person, rest

from posable import Orient, Place, Pose, Reach, Skeleton
from posable.compiled.records import keep
from posable.goals.rows import LENGTHS
from posable.goals.term_arrays import ANGLE, read_targets
from posable.solvers.default.kernels.descent import propose
from posable.solvers.default.kernels.forces import hold_at_limits, sum_forces
from posable.solvers.default.kernels.linearize import evaluate, find_motions, weigh_terms
from posable.solvers.default.kernels.workspace import DAMPING, GRADIENT, STATE, STEP, UNIT, make_work
from posable.solvers.packing import Targets
from posable.solvers.problem import Options, build_structure

RNG = np.random.default_rng(5)


@numba.njit
def _step(t, p, coupling, coupled, q, targets, damping, curved):
    """One proposed step: (whether it is good, the rows of `freedom`)."""
    w, memory = make_work(t, p, coupling, coupled)
    read_targets(p.terms, targets, p.scale, w.wanted)
    weigh_terms(p, w, 0)
    evaluate(t, p, w, q, 0, 0, None)
    find_motions(t, p, w, q)
    sum_forces(p, w, 0, 0, curved, None, coupling, coupled)
    hold_at_limits(t, p, w.basis, w.freedom, q)
    for d in range(w.freedom.shape[1]):
        w.freedom[DAMPING, d] = damping
    good = propose(t, p, w, q, 0, 0, curved, None, coupling, coupled)
    freedom = w.freedom.copy()
    keep(memory)
    return good, freedom


def step_of(skeleton: Skeleton, pose: Pose, goals: list, damping: float, curved: bool, frozen: tuple = ()) -> tuple:
    """(step, gradient, state) of the compiled code, all scaled."""
    structure = build_structure(skeleton, goals, Options(frozen=tuple(frozen)))
    problem, coupling, coupled = structure.problem, structure.coupling, structure.coupled
    targets = Targets(skeleton, structure.goal_set)
    numbers = targets.rows(targets.values(None), (), slice(0, 1))[0][0]
    good, freedom = _step(
        skeleton.packed, problem, coupling, coupled, np.array(pose.q), np.array(numbers), damping, curved
    )
    assert good
    return freedom[STEP], freedom[GRADIENT], freedom[STATE], problem.freedom[:, UNIT]


def stated(pose: Pose, goals: list, unit: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """JᵀWJ and the gradient, from the goals' public residuals and Jacobians."""
    hessian, gradient = np.zeros((len(unit), len(unit))), np.zeros(len(unit))
    reach = pose.skeleton.reach
    for goal in goals:
        r, j = goal.residual(pose), goal.jacobian(pose) * unit
        for k, row in enumerate(goal.rows(pose.skeleton)):
            scale = row.weight / (reach**2 if row.kind in LENGTHS else 1 / ANGLE)
            part = slice(3 * k, 3 * k + 3)
            hessian += scale * j[part].T @ j[part]
            gradient -= scale * j[part].T @ r[part]
    return hessian, gradient


FIGURES = {
    "panda": (panda(), "hand", "j4"),
    "balls": (ball_chain(1.0, 0.7, 0.5), "tip", "b1"),
    "person": (person(cones=False), "arm_l3", "leg_r2"),
    "mixture": (mixture().without_limits(), "end", "universal"),
    "absolute": (absolute_arm(), "tip", "a1"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("frozen", [False, True])
def test_the_step_solves_the_normal_equations(name: str, frozen: bool) -> None:
    skeleton, end, middle = FIGURES[name]
    skeleton = skeleton.without_limits()
    pose, other = skeleton.random_pose(RNG), skeleton.random_pose(RNG)
    goals = [
        Place(end, other.world_from_joint[skeleton.index(end)], 0.8, 0.3),
        Reach(middle, other.origins[skeleton.index(middle)], tip=(0.1, 0.2, 0), weight=0.5),
        Orient(middle, (0.5, 0.5, 0.5, -0.5), weight=0.1),
    ]
    names = (skeleton.joints[0], middle) if frozen else ()
    step, gradient, state, unit = step_of(skeleton, pose, goals, 1e-3, False, names)
    hessian, wanted = stated(pose, goals, unit)
    np.testing.assert_allclose(gradient, wanted, atol=1e-10)
    free = state == 0
    assert free.sum() == skeleton.dof - skeleton.freedom_mask(names).sum()
    system = (hessian + 1e-3 * np.eye(len(unit)))[np.ix_(free, free)]
    np.testing.assert_allclose(step[free], np.linalg.solve(system, wanted[free]), atol=1e-9)
    assert (step[~free] == 0).all()


@pytest.mark.slow
@pytest.mark.parametrize("turns", [False, True])
def test_the_curved_step_is_newtons(turns: bool) -> None:
    """With the second derivatives the step solves with the numerically differentiated gradient."""
    skeleton = panda().without_limits()
    pose, other = skeleton.random_pose(RNG), skeleton.random_pose(RNG)
    goals: list = [
        Reach("hand", pose.origins[-1] * 1.3),
        Reach("j5", pose.origins[4] + 0.02, tip=(0, 0.1, 0), weight=0.4),
    ]
    if turns:
        goals += [Place("hand", other.world_from_joint[-1], 0.8, 3.0), Orient("j4", (0.8, 0.6, 0, 0))]
    step, gradient, _, unit = step_of(skeleton, pose, goals, 2.0, True)
    h, columns = 1e-6, []
    for k in range(skeleton.dof):
        v = np.zeros(skeleton.dof)
        v[k] = h
        columns.append((stated(pose.plus(-v), goals, unit)[1] - stated(pose.plus(v), goals, unit)[1]) / (2 * h))
    hessian = np.array(columns) + 2.0 * np.eye(skeleton.dof)
    np.testing.assert_allclose(step, np.linalg.solve(hessian, gradient), atol=1e-7)


def test_a_freedom_that_would_pass_its_limit_goes_exactly_to_it() -> None:
    skeleton = panda()
    pose = skeleton.random_pose(RNG)
    goal = Reach("hand", -2 * pose.origins[-1])
    step, _, state, _ = step_of(skeleton, pose, [goal], 1e-6, False)
    after = pose.q + step
    given = state == 2
    assert given.any()
    to_bound = np.minimum(np.abs(after - skeleton.lower), np.abs(after - skeleton.upper))
    assert to_bound[given].max() < 1e-15
    inside = (after >= skeleton.lower - 1e-12) & (after <= skeleton.upper + 1e-12)
    assert inside.all()


def test_rest_of_the_arm_is_inside_its_limits() -> None:
    assert (rest(panda()).q <= panda().upper).all()

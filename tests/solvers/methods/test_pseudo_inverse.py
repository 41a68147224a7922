"""The doorbell arm's 40 steps, the same method elsewhere, and what all methods owe to their common engine."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from solvers.chains import ball_chain, mixture, planar_arm, rest
from solvers.methods.cases import limited_arm

from posable import MethodError, Orient, Place, Pose, Reach, Skeleton, Status, figure, prepare, solve
from posable.solvers import METHODS, Method, PseudoInverse
from posable.solvers.methods.method import Stepping

DOORBELL = (30.0, -40.0, 0.0)
AFTER_ONE = (1.5840957636756376, 0.17064012974854315, -0.09957489927067237)
AT_THE_END = (0.03466068996820414, -2.098761921442469, -0.4210728394477252)


def literal(start: Pose, joint: str, target: np.ndarray, gain: float, steps: int) -> np.ndarray:
    """θ ← θ ⊕ J⁺ gain e, in plain NumPy, `[step + 1, coordinates]`; lengths of slides count in reaches."""
    skeleton = start.skeleton
    unit = np.where(skeleton.slides, skeleton.reach, 1.0)
    poses = [start]
    for _ in range(steps):
        pose = poses[-1]
        jacobian = pose.jacobian(joint)[:3] * unit
        left = target - pose.origins[skeleton.index(joint)]
        poses.append(pose.plus(unit * (np.linalg.pinv(jacobian) @ (gain * left))))
    return np.array([pose.q for pose in poses])


def test_the_doorbell_arm_presses_the_bell_in_40_steps() -> None:
    arm = figure("doorbell_arm")
    np.testing.assert_array_equal(arm.rest.q, (1.2, 0.7, 0.0))
    solution = solve(arm.rest, [Reach("hand", DOORBELL)], method=PseudoInverse(0.1), tolerance=2.0, trace=True)
    assert solution.status is Status.REACHED
    assert solution.iterations == 40
    assert solution.trace is not None
    assert solution.trace.q.shape == (41, 3)
    np.testing.assert_array_equal(solution.trace.q[0], arm.rest.q)
    np.testing.assert_allclose(solution.trace.q[1], AFTER_ONE, rtol=0, atol=1e-9)
    np.testing.assert_allclose(solution.trace.q[-1], AT_THE_END, rtol=0, atol=1e-9)
    np.testing.assert_array_equal(solution.trace.q[-1], solution.pose.q)
    left = np.linalg.norm(solution.trace.origins[:, -1] - DOORBELL, axis=-1)
    assert left[-2] == pytest.approx(1.8160110913308158, abs=1e-9)
    assert left[-1] == solution.goals[0].distance == pytest.approx(1.6343904016, abs=1e-9)
    assert (left[:-2] > 2.0).all()


def test_every_step_is_the_published_one() -> None:
    """The effector is Σ L u(a) of absolute angles: its Jacobian needs nothing of posable."""
    arm, lengths = figure("doorbell_arm"), np.array((50.0, 45.0, 3.0))
    solution = solve(arm.rest, [Reach("hand", DOORBELL)], method=PseudoInverse(0.1), tolerance=2.0, trace=True)
    angles = np.array((1.2, 0.7, 0.0))
    assert solution.trace is not None
    for step in solution.trace.q[1:]:
        place = np.array((lengths @ np.cos(angles), lengths @ np.sin(angles)))
        jacobian = np.array((-lengths * np.sin(angles), lengths * np.cos(angles)))
        angles = angles + np.linalg.pinv(jacobian) @ (0.1 * (DOORBELL[:2] - place))
        np.testing.assert_allclose(step, angles, rtol=0, atol=1e-12)


def test_relative_hinges_take_other_steps() -> None:
    arm, chain = figure("doorbell_arm"), planar_arm(50.0, 45.0, 3.0)
    options = {"method": PseudoInverse(0.1), "tolerance": 2.0, "trace": True}
    absolute = solve(arm.rest, [Reach("hand", DOORBELL)], **options).trace
    relative = solve(Pose(chain, (1.2, -0.5, -0.7)), [Reach("tip", DOORBELL)], **options).trace
    assert absolute is not None
    assert relative is not None
    same = np.abs(np.cumsum(relative.q, axis=1) - absolute.q)
    np.testing.assert_allclose(same[0], 0, atol=1e-12)
    assert same.max() == pytest.approx(2.379, abs=1e-3)


@pytest.mark.parametrize("make", [lambda: ball_chain(1.0, 0.8, 0.5), mixture], ids=["balls", "mixture"])
@pytest.mark.parametrize("gain", [0.1, 0.6])
def test_in_three_dimensions_it_is_the_same(make: object, gain: float) -> None:
    skeleton = make()  # pyright: ignore[reportCallIssue]
    start, end = rest(skeleton).plus(np.linspace(0.1, -0.2, skeleton.dof)).clamped(), skeleton.joints[-1]
    target = start.origins[-1] + (0.05, -0.08, 0.03)
    solution = solve(start, [Reach(end, target)], method=PseudoInverse(gain), max_iterations=8, trace=True)
    expected = literal(start, end, target, gain, 8)
    assert solution.trace is not None
    np.testing.assert_array_less(np.abs(solution.trace.clamped().minus(solution.trace)), 1e-12)
    np.testing.assert_allclose(solution.trace.q, expected[: len(solution.trace)], rtol=0, atol=1e-10)


def test_place_and_turn_are_asked_for_together() -> None:
    """Six rows: the place in reaches, the turn by the root of 0.1; here both can be had, so weights change nothing."""
    skeleton = limited_arm()
    pose = skeleton.random_pose(np.random.default_rng(3))
    near = pose.plus(np.full(7, 0.1)).clamped()
    solution = solve(near, [Place("tip", pose.world_from_joint[-1])], method=PseudoInverse(0.5))
    assert solution.status is Status.REACHED
    assert solution.goals[0].distance < 1e-6
    assert solution.goals[0].angle < 1e-5


def test_the_step_from_within_the_tolerance_is_still_taken_and_once_only() -> None:
    arm = planar_arm(1.0, 1.0)
    start = Pose(arm, (0.3, 0.4))
    solution = solve(start, [Reach("tip", start.origins[-1] + (1e-3, 0, 0))], method=PseudoInverse(0.5), tolerance=0.01)
    assert solution.iterations == 1
    assert solution.goals[0].distance == pytest.approx(0.5e-3, rel=1e-2)


def test_what_is_asked_is_what_counts_when_the_goals_cannot_both_be_met() -> None:
    skeleton = ball_chain(1.0, 1.0, 1.0)
    start = rest(skeleton).plus(np.full(9, 0.3))
    one, other = np.array([1.0, 1.0, 0.0]), np.array([1.2, 0.6, 0.3])
    goals = [Reach("tip", one, weight=3.0), Reach("tip", other, weight=1.0)]
    solution = solve(start, goals, method=PseudoInverse(1.0), max_iterations=200)
    assert solution.status is Status.COMPROMISE
    np.testing.assert_allclose(solution.pose.origins[-1], 0.75 * one + 0.25 * other, atol=1e-6)


def test_a_limit_in_the_way_is_named() -> None:
    skeleton = planar_arm(1.0, limits=(-0.5, 0.5))
    target = Pose(planar_arm(1.0), [1.0]).origins[-1]
    solution = solve(Pose(skeleton, [0.1]), [Reach("tip", target)], method=PseudoInverse(0.3))
    assert solution.status is Status.AT_LIMIT
    assert solution.pose.q[0] == 0.5
    assert "h0.z" in solution.describe()


def test_following_targets_goes_from_pose_to_pose() -> None:
    skeleton, turns = planar_arm(1.0, 1.0), np.linspace(0.2, 0.6, 5)
    targets = np.stack([1.5 * np.cos(turns), 1.5 * np.sin(turns), 0 * turns], axis=1)
    prepared = prepare(skeleton, [Reach("tip", (1.0, 0, 0))], method=PseudoInverse(1.0))
    tracked = prepared.track(Pose(skeleton, (-0.5, 1.5)), [targets])
    assert (tracked.status == Status.REACHED).all()
    last = Pose(skeleton, (-0.5, 1.5))
    for n, target in enumerate(targets):
        last = prepared.solve(last, [target]).pose
        np.testing.assert_array_equal(tracked.pose.q[n], last.q)
    with pytest.raises(MethodError, match="PseudoInverse keeps no limits of speed or acceleration; LeastSquares does"):
        prepared.track(Pose(skeleton, (-0.5, 1.5)), [targets], speed=1.0)


@pytest.mark.parametrize("gain", [0.0, -0.1, 1.5, float("nan"), "fast"])
def test_a_gain_that_is_none_is_refused(gain: object) -> None:
    with pytest.raises(MethodError, match="PseudoInverse: gain must be a number above 0 and at most 1, not "):
        PseudoInverse(gain)  # pyright: ignore[reportArgumentType]


@dataclass(frozen=True)
class Stubborn(Method):
    """Refuses everything, or steps as told."""

    step: float | None = None

    def refusal(self, structure: object) -> str | None:
        del structure
        return "it never moves 'hand'" if self.step is None else None

    def advance(self, task: object, pose: Pose, measured: object, state: tuple) -> tuple[Pose, tuple]:
        del task, measured
        return pose.plus(np.full(pose.skeleton.dof, self.step)), state


def test_a_method_that_cannot_names_those_that_can() -> None:
    arm = figure("doorbell_arm")
    with pytest.raises(MethodError) as caught:
        solve(arm.rest, [Reach("hand", DOORBELL)], method=Stubborn())
    said, _, able = str(caught.value).partition("; what can: ")
    assert said == "Stubborn cannot be used here: it never moves 'hand'"
    assert able.split(", ")[:2] == ["LeastSquares", "PseudoInverse"]
    assert set(able.split(", ")) <= {"LeastSquares", *METHODS}
    with pytest.raises(
        MethodError,
        match=r"'pseudo' is not a method; methods are LeastSquares, PseudoInverse.* as in posable.solvers.Fabrik\(\)",
    ):
        solve(arm.rest, [Reach("hand", DOORBELL)], method="pseudo")  # pyright: ignore[reportArgumentType]


def turning(step: float, start: float, **options: object) -> tuple[Skeleton, object]:
    skeleton = planar_arm(1.0)
    goal = [Reach("tip", (np.cos(1.0), np.sin(1.0), 0.0))]
    return skeleton, solve(Pose(skeleton, [start]), goal, method=Stubborn(step), trace=True, **options)  # pyright: ignore


def test_the_engine_keeps_the_best_pose_it_saw() -> None:
    _, solution = turning(0.3, 0.0, max_iterations=10)
    assert solution.iterations == 10
    np.testing.assert_allclose(solution.pose.q, [0.9])
    np.testing.assert_allclose(solution.trace.q[:, 0], 0.3 * np.arange(11))
    assert solution.status is Status.OUT_OF_ITERATIONS


def test_the_engine_ends_where_the_goals_are_met_and_where_nothing_moves() -> None:
    _, met = turning(0.25, 0.0)
    assert (met.status, met.iterations) == (Status.REACHED, 4)
    _, still = turning(0.0, 0.5)
    assert (still.status, still.iterations) == (Status.LOCAL_MINIMUM, 1)
    _, there = turning(0.25, 1.0)
    assert (there.status, there.iterations) == (Status.REACHED, 0)
    assert len(there.trace) == 1


def test_the_engine_refuses_where_the_structure_does_not_fit() -> None:
    prepared = prepare(planar_arm(1.0), [Orient("tip", (1.0, 0, 0, 0))], method=PseudoInverse())
    assert isinstance(prepared.engine, Stepping)
    with pytest.raises(MethodError, match="Stubborn cannot be used here"):
        Stepping(prepared.structure, Stubborn())

"""Units do not matter, and every way to ask gives the same answer, for every kind of goal."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from solvers.chains import ball_chain, middle, panda, rest
from solvers.people import ARM_R, mannequin, moved, place, standing

from posable import (
    Balance,
    Box,
    Comfort,
    Cone,
    Gravity,
    KeepApart,
    LookAt,
    Orient,
    Place,
    Pole,
    Pose,
    Reach,
    Segment,
    Skeleton,
    Status,
    Stay,
    Torsion,
    prepare,
    solve,
)
from posable.goals import Goal
from posable.spatial import random_wxyz

RNG = np.random.default_rng(51)
POSES = moved(RNG, (*ARM_R, "spine", "chest", "neck"), 8)
HAND = POSES.world_from_joint[:, mannequin().index("hand_r")]
FEET = [Reach(name, place(standing(), name)) for name in ("foot_l", "foot_r")]
HAND_REACH = Reach("hand_r", HAND[:, :3, 3])
CASES = {
    "Reach": [*FEET, HAND_REACH],
    "Reach a segment": [*FEET, replace(HAND_REACH, within=Segment((0.1, 0.2, 0.0)))],
    "Reach a box": [*FEET, replace(HAND_REACH, within=Box((0.1, 0.02, 0.0)))],
    "Reach a cone": [*FEET, replace(HAND_REACH, within=Cone((0, 0, 1), 0.5))],
    "Orient": [*FEET, Orient("hand_r", random_wxyz(RNG, (8,)))],
    "Orient within": [*FEET, Orient("hand_r", random_wxyz(RNG, (8,)), within=Cone((0, 0, 1), 0.3, (-0.1, 0.1)))],
    "Place": [Place("hand_r", HAND)],
    "LookAt": [LookAt("head", RNG.normal(size=(8, 3)) + np.array([0, 1.5, 2]), share={"neck": 0.4})],
    "Relative": [Reach("hand_r", RNG.uniform(-0.1, 0.2, (8, 3)), relative_to="thigh_r"), *FEET],
    "Pole": [HAND_REACH, Pole("hand_r", RNG.normal(size=(8, 3)))],
    "Balance": [*FEET, Balance(RNG.uniform(-0.1, 0.1, (8, 3)))],
    "Stay": [HAND_REACH, Stay(POSES)],
    "Comfort": [HAND_REACH, Comfort({"forearm_r": ((0.5, 0.7), 1.0)})],
    "Torsion": [HAND_REACH, Torsion()],
    "Gravity": [HAND_REACH, Gravity()],
    "KeepApart": [HAND_REACH, KeepApart(obstacles=[(0, 1.2, 0.4, 0, 1.2, 0.4, 0.1)])],
    "Priority": [*FEET, replace(HAND_REACH, priority=1)],
}

CLOSE = {"Gravity": 3e-5}  # at the bottom the energy is flat: a descent ends where rounding hides what is left


def taken(goal: Goal, index: int) -> Goal:
    """The goal with one of its eight targets."""
    if isinstance(goal, Stay):
        return replace(goal, pose=goal.pose[index])
    batch = bool(goal.TARGET) and goal.given.ndim > len(goal.SHAPE)
    return replace(goal, **{goal.TARGET: goal.given[index]}) if batch else goal


def target(goal: Goal) -> np.ndarray | None:
    return goal.pose.q if isinstance(goal, Stay) else goal.given if goal.TARGET else None


@pytest.mark.parametrize("name", CASES)
def test_solve_prepare_and_batch_agree(name: str) -> None:
    goals, start = CASES[name], standing()
    batch = solve(start, goals, frozen=("root",))
    first = [taken(goal, 0) for goal in goals]
    prepared = prepare(mannequin(), first, frozen=("root",))
    many = prepared.solve(start, [target(goal) for goal in goals])
    np.testing.assert_allclose(many.pose.q, batch.pose.q, atol=1e-9)
    np.testing.assert_array_equal(many.status, batch.status)
    for k in range(8):
        own = [taken(goal, k) for goal in goals]
        alone = solve(start, own, frozen=("root",))
        again = prepared.solve(start, [target(goal) for goal in own])
        np.testing.assert_allclose(alone.pose.q, batch.pose.q[k], atol=1e-9)
        np.testing.assert_allclose(again.pose.q, batch.pose.q[k], atol=1e-9)
        assert alone.status is again.status is Status(batch.status[k])


def enlarged(skeleton: Skeleton, by: float) -> Skeleton:
    """The same figure in other units."""
    joints = []
    for joint in skeleton.definitions:
        axes = tuple(
            replace(
                axis,
                anchor=tuple(by * np.array(axis.anchor)),
                **({"lower": by * axis.lower, "upper": by * axis.upper} if axis.slide else {}),
            )
            for axis in joint.axes
        )
        places = {what: tuple(by * np.array(getattr(joint, what))) for what in ("position", "anchor", "mass_center")}
        tips = tuple(tuple(by * np.array(tip)) for tip in joint.tips)
        capsules = tuple(tuple(by * np.array(capsule)) for capsule in joint.capsules)
        joints.append(replace(joint, axes=axes, tips=tips, capsules=capsules, **places))
    return Skeleton(joints, skeleton.up)


def enlarged_pose(skeleton: Skeleton, pose: Pose, by: float) -> Pose:
    q = np.array(pose.q)
    q[..., :3] *= by  # the root is all that moves along
    return Pose(skeleton, q)


def enlarged_goal(goal: Goal, skeleton: Skeleton, by: float) -> Goal:
    if isinstance(goal, Stay):
        return replace(goal, pose=enlarged_pose(skeleton, goal.pose, by))
    if isinstance(goal, KeepApart):
        return replace(goal, obstacles=by * goal.obstacles)
    if not goal.TARGET or isinstance(goal, Orient):
        return goal
    given = np.array(goal.given)
    if isinstance(goal, Place):
        given[..., :3, 3] *= by
    else:
        given *= by
    within = getattr(goal, "within", None)
    changes: dict[str, object] = {goal.TARGET: given}
    if isinstance(within, Segment):
        changes["within"] = Segment(tuple(by * np.array(within.to)))
    if isinstance(within, Box):
        changes["within"] = Box(tuple(by * np.array(within.half)), within.wxyz)
    return replace(goal, **changes)


@pytest.mark.parametrize("by", [2.0**-7, 2.0**10, 0.01, 1000.0])
@pytest.mark.parametrize("name", CASES)
def test_units_do_not_matter(name: str, by: float) -> None:
    """Down to rounding where the factor is a power of two."""
    skeleton = enlarged(mannequin(), by)
    plain = solve(standing(), CASES[name], frozen=("root",))
    goals = [enlarged_goal(goal, skeleton, by) for goal in CASES[name]]
    large = solve(enlarged_pose(skeleton, standing(), by), goals, tolerance=1e-6 * by, frozen=("root",))
    np.testing.assert_array_equal(large.status, plain.status)
    np.testing.assert_allclose(large.pose.q[..., :3], by * plain.pose.q[..., :3], rtol=1e-12)
    if by not in (2.0**-7, 2.0**10) and name == "Gravity":  # rounding picks among poses that hang as low
        height, other = Gravity().residual(plain.pose), Gravity().residual(large.pose)
        np.testing.assert_allclose(other, height, atol=0.02)
        return
    close = 1e-14 if by in (2.0**-7, 2.0**10) else 1e-6
    np.testing.assert_allclose(large.pose.q[..., 3:], plain.pose.q[..., 3:], atol=close)


def test_the_same_seed_gives_the_same_answer_and_another_may_not() -> None:
    skeleton = panda()
    frames = skeleton.random_pose(RNG, (40,)).world_from_joint[:, -1]
    one, same, other = (solve(middle(skeleton), [Place("hand", frames)], seed=seed).pose.q for seed in (3, 3, 4))
    np.testing.assert_array_equal(one, same)
    assert (one != other).any()


def test_limits_hold_at_every_iteration_and_the_error_falls_within_one_attempt() -> None:
    """Cones of a person and of a chain, targets over the whole reach and beyond."""
    chain = ball_chain(1.0, 0.8, 0.6, cone=Cone((0, 1, 0), 0.7, (-0.4, 0.6)))
    cases = [(standing(), "hand_r", 1.1 * HAND[:, :3, 3]), (standing(), "hand_r", HAND[:, :3, 3])]
    cases.append((rest(chain), "tip", RNG.normal(size=(8, 3))))
    for start, joint, targets in cases:
        for wanted in targets:
            solution = solve(start, [Reach(joint, wanted)], trace=True, restarts=0, frozen=start.skeleton.joints[:1])
            assert solution.trace is not None
            np.testing.assert_allclose(solution.trace.clamped().q, solution.trace.q, atol=1e-12)
            left = np.linalg.norm(place(solution.trace, joint) - wanted, axis=-1)
            assert (np.diff(left) <= 0).all()

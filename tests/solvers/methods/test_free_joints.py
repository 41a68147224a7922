"""Free joints that are held in place and only turn are balls to the methods that pose a limb or a chain."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from solvers.chains import ball_chain, rest
from solvers.methods.cases import limb, long_leg

from posable import Goal, Joint, Place, Pole, Pose, Reach, Skeleton, Status, load, solve
from posable.errors import MethodError
from posable.solvers import Method, SplineIK, SpringIK, TwoBone
from posable.solvers.closed import Limb

RNG = np.random.default_rng(17)


def bent_leg() -> Skeleton:
    return Skeleton([replace(joint, cone=None) for joint in long_leg(kind="ball").definitions])


def freed(skeleton: Skeleton, *names: str) -> Skeleton:
    """The same with some balls free joints."""
    return Skeleton([_freed(joint) if joint.name in names else joint for joint in skeleton.definitions])


def _freed(joint: Joint) -> Joint:
    return replace(joint, kind="free", position=(0, 0, 0), rest=(*joint.position, *(joint.rest or (1, 0, 0, 0))))


def as_free(pose: Pose, skeleton: Skeleton) -> Pose:
    """The same pose of the freed skeleton."""
    parts = []
    for old, new in zip(pose.skeleton.definitions, skeleton.definitions, strict=True):
        parts.append(np.concatenate([old.position, pose.of(old.name)]) if new.kind == "free" else pose.of(old.name))
    return Pose(skeleton, np.concatenate([np.ravel(part) for part in parts]))


def slides(*names: str) -> tuple[str, ...]:
    return tuple(f"{name}.{axis}" for name in names for axis in "xyz")


TOWARDS = Pole("tip", (0.3, 1.0, 2.0))
CASES = [
    (TwoBone(), limb(), ("h0",), []),
    (TwoBone(twist=0.4), limb(), ("h0",), [TOWARDS]),
    (TwoBone(), ball_chain(0.8, 0.6), ("b0", "b1"), []),
    (SpringIK(), bent_leg(), ("h0",), []),
    (SpringIK(twist=0.4), bent_leg(), ("h0", "h3"), []),
    (SplineIK(), bent_leg(), ("h0", "h3"), []),
    (SplineIK([(0, 0, 0), (0.3, 0.2, 0), (0.5, 0.4, 0.3), (2, 1, 1)], twist=(0.2, 0.9)), bent_leg(), ("h1", "h4"), []),
]


@pytest.mark.parametrize(("method", "balls", "names", "more"), CASES)
def test_a_free_joint_that_only_turns_is_a_ball(
    method: Method, balls: Skeleton, names: tuple[str, ...], more: list[Goal]
) -> None:
    free, start = freed(balls, *names), balls.random_pose(RNG) if balls.joints[0] == "b0" else rest(balls)
    target = 0.8 * rest(balls).origins[balls.index("tip")] + (0.0, 0.1, 0.05)
    goals = [Reach("tip", target), *more]
    expected = solve(start, goals, method=method)
    found = solve(as_free(start, free), goals, method=method, frozen=slides(*names))
    np.testing.assert_allclose(found.pose.world_from_joint, expected.pose.world_from_joint, atol=1e-9)
    assert found.goals[0].distance == pytest.approx(expected.goals[0].distance, abs=1e-9)
    if not isinstance(method, SplineIK) or method.curve is None:
        assert found.goals[0].distance < 1e-6


@pytest.mark.parametrize("method", [TwoBone(), SpringIK(), SplineIK()])
def test_a_free_joint_that_slides_is_refused(method: Method) -> None:
    two = isinstance(method, TwoBone)
    free = freed(limb() if two else bent_leg(), "h0")
    message = f"{type(method).__name__} cannot be used here: joint 'h0' slides, and bones keep their lengths here; free"
    for frozen in ((), ("h0.x", "h0.y")):
        with pytest.raises(MethodError, match=message):
            solve(rest(free), Reach("tip", (0.5, 0.5, 0)), method=method, frozen=frozen)
    if two:
        with pytest.raises(MethodError, match=r"'h0\.rx' of the limb that ends at 'tip' is frozen"):
            solve(rest(free), Reach("tip", (0.5, 0.5, 0)), method=method, frozen=(*slides("h0"), "h0.rx"))


def test_a_limb_of_free_joints_reaches_as_one_of_balls() -> None:
    balls = ball_chain(0.8, 0.6)
    free, start = freed(balls, "b0", "b1"), balls.random_pose(RNG)
    targets = RNG.normal(size=(50, 3))
    one, left = Limb(balls, "b0", "b1", "tip").reach(start, targets, pole=(0, 0, 1))
    other, left_too = Limb(free, "b0", "b1", "tip").reach(as_free(start, free), targets, pole=(0, 0, 1))
    np.testing.assert_allclose(other.origins, one.origins, atol=1e-12)
    np.testing.assert_allclose(left_too, left, atol=1e-12)
    np.testing.assert_array_equal(other.of("b1")[:, :3], np.tile(balls.definitions[1].position, (50, 1)))


@pytest.mark.slow
@pytest.mark.parametrize("method", [TwoBone(), SpringIK(), SplineIK()])
@pytest.mark.parametrize(
    ("name", "end", "upper"),
    [
        ("CesiumMan", "Skeleton_arm_joint_L__2_", "Skeleton_arm_joint_L__4_"),
        ("CesiumMan", "Skeleton_arm_joint_R__3_", "Skeleton_arm_joint_R"),
        ("CesiumMan", "leg_joint_L_3", "leg_joint_L_1"),
        ("Knight", "wrist.l", "upperarm.l"),
        ("Knight", "wrist.r", "upperarm.r"),
        ("Knight", "foot.l", "upperleg.l"),
    ],
)
def test_characters_whose_files_move_their_joints_reach(
    shared: Path, method: Method, name: str, end: str, upper: str
) -> None:
    figure = load(shared / "characters" / f"{name}.glb")
    skeleton = figure.skeleton
    assert skeleton.definitions[skeleton.index(upper)].kind == "free"
    origins = figure.rest.origins
    target = 0.8 * origins[skeleton.index(end)] + 0.2 * origins[skeleton.index(upper)]
    floating = [j.name for j in skeleton.definitions if j.kind == "free" and j.active is None]
    solution = solve(figure.rest, Reach(end, target), method=method, frozen=floating)
    assert solution.status is Status.REACHED, solution.describe()
    left = np.linalg.norm(solution.pose.origins[skeleton.index(end)] - target)
    assert left < 1e-6
    moved = np.abs(solution.pose.minus(figure.rest)) > 1e-9
    assert {skeleton.freedoms[k].rpartition(".")[0] for k in np.flatnonzero(moved)} <= set(
        np.array(skeleton.joints)[list(skeleton.chain(end))]
    )
    offsets = np.linalg.norm(np.diff(solution.pose.origins[list(skeleton.chain(end))], axis=0), axis=1)
    np.testing.assert_allclose(
        offsets, np.linalg.norm(np.diff(origins[list(skeleton.chain(end))], axis=0), axis=1), atol=1e-12
    )


@pytest.mark.parametrize(
    ("method", "figure"), [(TwoBone(), limb()), (SpringIK(), bent_leg()), (SplineIK(), bent_leg())]
)
@pytest.mark.parametrize("kind", ["ball", "free"])
@pytest.mark.parametrize("held", [("tip",), ("tip.rx",)])
def test_an_end_that_is_frozen_is_not_turned(
    method: Method, figure: Skeleton, kind: str, held: tuple[str, ...]
) -> None:
    skeleton = freed(figure, "tip") if kind == "free" else figure
    frozen = (*slides("tip"), *held) if kind == "free" else tuple(name.replace("rx", "x") for name in held)
    start = rest(skeleton)
    wanted = np.array(start.world_from_joint[skeleton.index("tip")])
    wanted[:3, :3] = np.array([(0, 0, 1), (1, 0, 0), (0, 1, 0)])
    solution = solve(start, Place("tip", wanted), method=method, frozen=frozen)
    np.testing.assert_array_equal(solution.pose.of("tip"), start.of("tip"))
    assert solution.goals[0].distance == pytest.approx(0.0, abs=1e-6)
    assert solution.goals[0].angle is not None and solution.goals[0].angle > 0.1
    assert solution.status is Status.LOCAL_MINIMUM
    turned = solve(start, Place("tip", wanted), method=method, frozen=slides("tip") if kind == "free" else ())
    assert turned.status is Status.REACHED

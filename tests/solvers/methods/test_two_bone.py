"""Two bones as a method: closed forms, soft reach, poles, twist, single-chain planes, refusals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from solvers.chains import planar_arm, rest
from solvers.methods.cases import limb

import posable
from posable import Axis, Joint, Place, Pole, Pose, Reach, Skeleton, Status, Stay, solve
from posable.errors import MethodError
from posable.solvers import TwoBone
from posable.solvers.closed import two_bone_angles
from posable.spatial import matrix_from_wxyz, wxyz_about

RNG = np.random.default_rng(3)


def directions(count: int) -> np.ndarray:
    vectors = RNG.normal(size=(count, 3))
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_planar_angles_are_those_of_the_law_of_cosines() -> None:
    skeleton = planar_arm(0.8, 0.6)
    targets = directions(200) * RNG.uniform(0.25, 1.35, (200, 1)) * (1, 1, 0)
    targets = targets[np.linalg.norm(targets, axis=1) > 0.25]
    for way, bend in ((0, -1.0), (1, 1.0)):
        start = Pose(skeleton, (0.0, bend))
        solution = solve(start, Reach("tip", targets), method=TwoBone())
        expected = two_bone_angles(targets[:, :2], 0.8, 0.6).angles[:, way]
        away = (solution.pose.q - expected + math.pi) % (2 * math.pi) - math.pi
        assert np.abs(away).max() < 1e-12
        distance, direction = np.linalg.norm(targets, axis=1), np.arctan2(targets[:, 1], targets[:, 0])
        lift = np.arccos((0.8**2 + distance**2 - 0.6**2) / (2 * 0.8 * distance)) * (1 - 2 * way)
        assert np.abs(np.exp(1j * solution.pose.q[:, 0]) - np.exp(1j * (direction + lift))).max() < 1e-12
        assert (solution.status == Status.REACHED).all()
        assert (solution.iterations == 1).all()


def test_a_soft_limb_slows_before_it_is_straight() -> None:
    skeleton, length = limb(), 1.4
    distances = np.array([0.9, 1.12, 1.2, 1.3, 1.4, 2.0, 50.0])
    targets = distances[:, None] * np.array([0.6, 0.0, 0.8])
    solution = solve(rest(skeleton), Reach("tip", targets), method=TwoBone(softness=0.2))
    start = length * 0.8
    soft = start + (length - start) * (1 - np.exp(-(distances - start) / (length - start)))
    expected = np.where(distances > start, soft, distances)
    reached = np.linalg.norm(solution.pose.origins[:, 2], axis=1)
    np.testing.assert_allclose(reached, expected, atol=1e-12)
    np.testing.assert_allclose(solution.goals[0].distance, distances - expected, atol=1e-12)
    assert solution.status.tolist()[:2] == [Status.REACHED, Status.REACHED]
    assert solution.status[-1] == Status.OUT_OF_REACH
    hard = solve(rest(skeleton), Reach("tip", targets), method=TwoBone())
    assert hard.goals[0].distance == pytest.approx([0, 0, 0, 0, 0, 0.6, 48.6], abs=1e-9)


def test_the_elbow_points_to_the_pole_and_the_twist_turns_it_away() -> None:
    skeleton, target, pole = limb(), np.array([0.3, 0.8, 0.2]), np.array([2.0, 0.1, 3.0])
    goals = [Reach("tip", target), Pole("tip", pole)]
    solution = solve(rest(skeleton), goals, method=TwoBone())
    assert solution.status is Status.REACHED
    assert solution.goals[1].angle == pytest.approx(0.0, abs=1e-12)
    assert solution.goals[0].distance < 1e-14
    for twist in (0.7, -2.0):
        turned = solve(rest(skeleton), goals, method=TwoBone(twist=twist))
        assert turned.goals[1].angle == pytest.approx(abs(twist), abs=1e-12)
        assert turned.goals[0].distance < 1e-14


def test_the_plane_follows_the_effector() -> None:
    skeleton = limb()
    start = rest(skeleton).with_joint("h1", 1.0)
    frames = np.tile(start.world_from_joint[2], (2, 1, 1))
    turn = matrix_from_wxyz(wxyz_about(frames[0, :3, 3], 0.9))
    frames[1, :3, :3] = turn @ frames[1, :3, :3]
    solution = solve(start, Place("tip", frames), method=TwoBone(plane="effector"))
    assert (solution.status == Status.REACHED).all()
    np.testing.assert_allclose(solution.pose.origins[0], start.origins, atol=1e-12)
    np.testing.assert_allclose(solution.pose.origins[1, 1], turn @ start.origins[1], atol=1e-12)
    plain = solve(start, Place("tip", frames), method=TwoBone())
    np.testing.assert_allclose(plain.pose.origins[1, 1], start.origins[1], atol=1e-12)


def test_the_rotation_of_a_place_goes_to_the_end_as_far_as_its_hinges_can() -> None:
    arm = planar_arm(0.8, 0.6, 0.1)
    frame = np.eye(4)
    frame[:3, :3], frame[:3, 3] = matrix_from_wxyz(wxyz_about((0, 0, 1), 2.0)), (0.7, 0.6, 0)
    solution = solve(Pose(arm, (0.1, 0.5, 0)), Place("h2", frame), method=TwoBone())
    assert solution.status is Status.REACHED
    assert math.remainder(solution.pose.q.sum() - 2.0, 2 * math.pi) == pytest.approx(0.0, abs=1e-12)


def test_both_arms_of_a_person_and_a_trace() -> None:
    figure = posable.figure("mannequin")
    goals = [Reach("hand_r", (-0.4, 1.3, 0.2)), Reach("hand_l", (0.4, 1.2, 0.25)), Pole("hand_l", (1.0, 0.5, -0.5))]
    solution = solve(figure.rest, goals, method=TwoBone(), trace=True)
    assert solution.status is Status.REACHED
    assert solution.trace is not None
    np.testing.assert_array_equal(solution.trace.q, np.stack([figure.rest.q, solution.pose.q]))
    moved = {
        f.split(".")[0] for f, m in zip(figure.skeleton.freedoms, solution.pose.minus(figure.rest), strict=True) if m
    }
    assert moved <= {"upper_arm_r", "forearm_r", "upper_arm_l", "forearm_l"}


def test_history() -> None:
    """Solving from the rest pose depends on the goal alone; tracking goes on from the last pose."""
    skeleton = planar_arm(0.8, 0.6)
    start = Pose(skeleton, (0.0, 1.0))
    prepared = posable.prepare(skeleton, [Reach("tip", (1.0, 0.3, 0))], method=TwoBone())
    there, back = np.array([[1.0, 0.3, 0]]), np.array([[1.0, -0.3, 0]])
    path = np.concatenate([there, back, there])
    alone = prepared.solve(start, [path]).pose.q
    np.testing.assert_array_equal(alone[0], alone[2])
    tracked = prepared.track(start, [path]).pose.q
    np.testing.assert_allclose(tracked[1], prepared.solve(Pose(skeleton, tracked[0]), [back[0]]).pose.q, atol=1e-15)


def test_what_cannot_be_is_refused() -> None:
    chain = planar_arm(1, 1, 1, 1, 1)
    message = (
        "TwoBone cannot be used here: 'tip' ends a chain of joints at 5 positions, 'h0' the first, and a limb has two; "
        "freeze the joints that should not bend, or name the limb's upper and middle joint; "
        "what can: LeastSquares, PseudoInverse"
    )
    with pytest.raises(MethodError, match=message):
        solve(rest(chain), Reach("tip", (1, 1, 0)), method=TwoBone())
    named = solve(rest(chain), Reach("tip", (3.5, 0.9, 0)), method=TwoBone(upper="h2", middle="h3"))
    assert (named.pose.q[[0, 1, 4]] == 0).all()
    frozen = solve(rest(chain), Reach("tip", (3.5, 0.9, 0)), method=TwoBone(), frozen=("h0", "h1", "h4"))
    assert frozen.status is Status.REACHED
    with pytest.raises(MethodError, match="'tip' has fewer than two movable bones above it"):
        solve(rest(planar_arm(1)), Reach("tip", (1, 0, 0)), method=TwoBone())
    with pytest.raises(MethodError, match="'h0' has too few hinges to rotate the limb about the line"):
        solve(rest(planar_arm(1, 1)), Reach("tip", (1, 0, 0)), method=TwoBone(twist=1.0))
    with pytest.raises(MethodError, match="'tip' has no rotation goal that the limb's plane could follow"):
        solve(rest(limb()), Reach("tip", (1, 0, 0)), method=TwoBone(plane="effector"))
    with pytest.raises(MethodError, match="the goal Stay has no position for a chain's end"):
        solve(rest(limb()), [Reach("tip", (1, 0, 0)), Stay(rest(limb()))], method=TwoBone())
    with pytest.raises(MethodError, match="'h1' has a goal besides the position of a chain's end"):
        solve(rest(limb()), [Reach("tip", (1, 0, 0)), posable.Orient("h1", (1, 0, 0, 0))], method=TwoBone())
    with pytest.raises(MethodError, match="a goal of 'tip' is not a single position or rotation in the world"):
        solve(rest(limb()), Reach("tip", (1, 0, 0), relative_to="h0"), method=TwoBone())
    slide = [Joint("s", "slide", axes=(Axis((1, 0, 0), slide=True),)), Joint("m", "ball", "s", (1, 0, 0))]
    with pytest.raises(MethodError, match="the upper joint of a limb is a ball or has one to three hinges"):
        solve(rest(Skeleton([*slide, Joint("e", "ball", "m", (1, 0, 0))])), Reach("e", (1, 0, 0)), method=TwoBone())
    two = [Reach("tip", (1, 0, 0)), Reach("tip", (1, 0, 0), tip=(0.1, 0, 0))]
    with pytest.raises(MethodError, match="the limb that ends at 'tip' shares joints with another one"):
        solve(rest(limb()), two, method=TwoBone())


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"softness": 1.0}, "TwoBone: softness must be a number from 0 to below 1, not 1.0"),
        ({"twist": math.nan}, "TwoBone: twist must be a finite number of radians, not nan"),
        ({"plane": "up"}, "TwoBone: plane is 'pole' or 'effector', not 'up'"),
    ],
)
def test_parameters_that_cannot_be(parameters: dict, message: str) -> None:
    with pytest.raises(MethodError, match=message):
        TwoBone(**parameters)

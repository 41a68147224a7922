"""The spline solver: arcs, curves, spheres and curves, stretch, twist, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from solvers.chains import ball_chain, rest

from posable import Axis, Joint, Pole, Reach, Skeleton, Status, solve
from posable.errors import MethodError
from posable.solvers import SplineIK
from posable.solvers.methods.spline import catmull_rom

RNG = np.random.default_rng(8)
CURVE = ((0, 0, 0), (0.5, 1, 0), (1.5, 1.5, 0.5), (2.5, 1.5, -0.5), (3, 3, 0))


def universals(count: int) -> Skeleton:
    axes = (Axis((1, 0, 0)), Axis((0, 0, 1)))
    joints = [Joint("u0", "universal", axes=axes)]
    joints += [Joint(f"u{k}", "universal", f"u{k - 1}", (0, 0.5, 0), axes=axes) for k in range(1, count)]
    return Skeleton([*joints, Joint("tip", "fixed", joints[-1].name, (0, 0.5, 0))])


def from_polyline(point: np.ndarray, line: np.ndarray) -> float:
    a, d = line[:-1], np.diff(line, axis=0)
    share = np.clip(((point - a) * d).sum(1) / (d * d).sum(1), 0, 1)
    return float(np.linalg.norm(a + share[:, None] * d - point, axis=1).min())


@pytest.mark.parametrize("skeleton", [ball_chain(*[0.5] * 8), universals(8)], ids=["balls", "universals"])
def test_without_a_curve_the_chain_is_an_arc_that_ends_at_the_target(skeleton: Skeleton) -> None:
    vectors = RNG.normal(size=(60, 3))
    targets = vectors / np.linalg.norm(vectors, axis=1, keepdims=True) * RNG.uniform(0.1, 3.99, (60, 1))
    solution = solve(rest(skeleton), Reach("tip", targets), method=SplineIK())
    assert (solution.status == Status.REACHED).all()
    assert np.max(solution.goals[0].distance) < 1e-10
    bones = np.diff(solution.pose.origins, axis=1)
    turns = (bones[:, 1:] * bones[:, :-1]).sum(-1) / 0.25
    assert np.ptp(np.arccos(np.clip(turns, -1, 1)), axis=1).max() < 1e-6, "equal bones bend equally"
    far = solve(rest(skeleton), Reach("tip", (3.0, 4.0, 0.0)), method=SplineIK())
    assert far.status is Status.OUT_OF_REACH
    assert far.goals[0].distance == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("skeleton", [ball_chain(*[0.5] * 8), universals(8)], ids=["balls", "universals"])
def test_every_joint_is_on_the_curve_and_every_bone_as_long_as_ever(skeleton: Skeleton) -> None:
    solution = solve(rest(skeleton), Reach("tip", CURVE[-1]), method=SplineIK(CURVE))
    line = catmull_rom(np.array(CURVE, float), 32)
    assert max(from_polyline(point, line) for point in solution.pose.origins) < 1e-12
    np.testing.assert_allclose(np.linalg.norm(np.diff(solution.pose.origins, axis=0), axis=1), 0.5, atol=1e-14)
    moved = solve(rest(skeleton), Reach("tip", CURVE[-1]), method=SplineIK(np.array(CURVE) + 7.0))
    np.testing.assert_allclose(moved.pose.q, solution.pose.q, atol=1e-12)


def test_the_curve_goes_through_its_points_without_a_kink() -> None:
    points = np.array(CURVE, float)
    line = catmull_rom(points, 50)
    np.testing.assert_allclose(line[::50], points, atol=1e-14)
    steps = np.diff(line, axis=0)
    steps /= np.linalg.norm(steps, axis=1, keepdims=True)
    assert (steps[1:] * steps[:-1]).sum(1).min() > 0.97
    np.testing.assert_allclose(catmull_rom(points[:2], 4), np.linspace(points[0], points[1], 5), atol=1e-14)


def test_a_stretched_curve_ends_where_the_chain_does() -> None:
    skeleton = ball_chain(*[0.5] * 8)
    solution = solve(rest(skeleton), Reach("tip", CURVE[-1]), method=SplineIK(CURVE, stretch=True))
    end = solution.pose.origins[-1]
    np.testing.assert_allclose(np.cross(end, CURVE[-1]), 0.0, atol=1e-9)
    scaled = catmull_rom(np.array(CURVE, float), 32) * (end[0] / CURVE[-1][0])
    assert max(from_polyline(point, scaled) for point in solution.pose.origins) < 1e-9


def test_twist_goes_from_the_first_bone_to_the_last_in_equal_steps() -> None:
    skeleton = ball_chain(*[0.5] * 4)
    plain, twisted = (
        solve(rest(skeleton), Reach("tip", (0.8, 1.1, 0.2)), method=SplineIK(twist=twist)).pose
        for twist in ((0.0, 0.0), (0.2, 1.1))
    )
    np.testing.assert_allclose(plain.origins, twisted.origins, atol=1e-12)
    for k, roll in enumerate((0.2, 0.5, 0.8, 1.1)):
        turn = twisted.world_from_joint[k, :3, :3] @ plain.world_from_joint[k, :3, :3].T
        assert np.arccos((np.trace(turn) - 1) / 2) == pytest.approx(roll, abs=1e-9)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"curve": [(0, 0, 0)]}, "SplineIK: curve is two finite points or more"),
        ({"curve": [(0, 0, 0), (0, 0, np.nan)]}, "SplineIK: curve is two finite points or more"),
        ({"curve": "round"}, "SplineIK: curve is points"),
        ({"curve": [(1, 0, 0), (1, 0, 0)]}, "two points of the curve that follow one another are the same"),
        ({"stretch": 2}, "SplineIK: stretch is True or False, not 2"),
        ({"twist": 1.0}, "SplineIK: twist is two angles, not 1.0"),
        ({"twist": (0.0, np.inf)}, "SplineIK: twist must be a finite number of radians, not inf"),
    ],
)
def test_parameters_that_cannot_be(parameters: dict, message: str) -> None:
    with pytest.raises(MethodError, match=message):
        SplineIK(**parameters)


def test_a_pole_is_refused() -> None:
    skeleton = ball_chain(1, 1, 1)
    with pytest.raises(MethodError, match="a Pole rotates a chain about its line, but the curve determines every"):
        solve(rest(skeleton), [Reach("tip", (1, 1, 1)), Pole("tip", (1, 0, 0))], method=SplineIK())

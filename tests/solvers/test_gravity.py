"""Weight: what hangs, hangs at the least potential energy that its goals allow."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq, minimize
from solvers.chains import ball_chain, person, rest

from posable import Axis, Comfort, GoalError, Gravity, Joint, Pose, Reach, Skeleton, Status, Torsion, solve

RNG = np.random.default_rng(71)
Z = (Axis((0, 0, 1)),)


def rope(links: int, kind: str = "ball", elasticity: float = 0.0) -> Skeleton:
    """A chain of length 1 along x, its mass evenly spread."""
    length = 1.0 / links
    body = {"mass": length, "mass_center": (length / 2, 0.0, 0.0), "elasticity": elasticity}
    axes = Z if kind == "hinge" else ()
    joints = [Joint("b0", kind, axes=axes, **body)]
    joints += [Joint(f"b{i}", kind, f"b{i - 1}", (length, 0, 0), axes=axes, **body) for i in range(1, links)]
    return Skeleton([*joints, Joint("tip", "fixed", f"b{links - 1}", (length, 0, 0))])


@pytest.mark.parametrize("kind", ["ball", "hinge"])
def test_a_rope_held_at_both_ends_is_a_catenary(kind: str) -> None:
    skeleton, span = rope(40, kind), 0.6
    start = Pose(skeleton, skeleton.rest_coordinates).plus(0.05 * RNG.normal(size=skeleton.dof))
    solution = solve(start, [Reach("tip", (span, 0, 0)), Gravity()], max_iterations=300)
    assert solution.status is Status.REACHED
    a = brentq(lambda a: 2 * a * np.sinh(span / 2 / a) - 1, 0.05, 10)  # y = a cosh(x / a) of length 1
    x, y, z = solution.pose.origins.T
    wanted = a * (np.cosh((x - span / 2) / a) - np.cosh(span / 2 / a))
    sag = a * (np.cosh(span / 2 / a) - 1)
    assert np.abs(y - wanted).max() < 0.01 * sag
    assert np.abs(y - wanted).max() < 2e-3 * sag  # what 40 straight links differ by
    assert np.abs(z).max() < 1e-4


def test_what_is_held_at_one_end_hangs_straight_down() -> None:
    skeleton = rope(6)
    for _ in range(5):
        pose = solve(skeleton.random_pose(RNG), [Gravity()], max_iterations=200).pose
        np.testing.assert_allclose(pose.origins[-1], (0, -1, 0), atol=1e-5)


def test_down_is_against_the_skeletons_up_axis() -> None:
    skeleton = Skeleton(rope(3).definitions, up="z")
    pose = solve(skeleton.random_pose(RNG), [Gravity()], max_iterations=200).pose
    np.testing.assert_allclose(pose.origins[-1], (0, 0, -1), atol=1e-5)


@pytest.mark.parametrize("springs", [Torsion(weight=0.02), Comfort(weight=0.02)], ids=["Torsion", "Comfort"])
def test_weight_and_springs_together_rest_at_the_least_energy(springs: Torsion | Comfort) -> None:
    """A beam held at one end sags: elastic energy, falling off towards the tip, and height, found by scipy as well."""
    plain = rope(5, "hinge")
    elastic = [replace(j, elasticity=1.0 / (1 + k)) for k, j in enumerate(plain.definitions[:-1])]
    skeleton = Skeleton([*elastic, plain.definitions[-1]])
    stiff = 0.02 / (1 + np.arange(5))

    def energy(q: np.ndarray) -> float:
        return float(0.05 * Gravity().residual(Pose(skeleton, q))[0] + 0.5 * stiff @ q**2)

    wanted = minimize(energy, np.full(5, -0.1), method="BFGS", options={"gtol": 1e-9}).x
    pose = solve(rest(skeleton), [Gravity(weight=0.05), springs], max_iterations=300).pose
    np.testing.assert_allclose(pose.q, wanted, atol=1e-4)
    assert pose.origins[-1, 1] < -0.2


def test_an_elastic_joint_bends_less_than_a_limp_one() -> None:
    plain = rope(4, "hinge")
    joints = [replace(j, elasticity=e) for j, e in zip(plain.definitions, (4.0, 2.0, 1.0, 0.5, 0.0), strict=True)]
    skeleton = Skeleton(joints)
    pose = solve(rest(skeleton), [Reach("tip", (0.6, -0.5, 0)), Torsion()]).pose
    np.testing.assert_allclose(pose.origins[-1], (0.6, -0.5, 0), atol=1e-5)
    bend = np.abs(pose.q)
    assert bend[0] < bend[1:].max() and bend[3] > bend[0]


def test_a_goal_keeps_its_tolerance_under_weight() -> None:
    skeleton = rope(8)
    targets = 0.5 * RNG.normal(size=(20, 3)) / np.sqrt(3)
    solution = solve(skeleton.random_pose(RNG), [Reach("tip", targets), Gravity()])
    assert (solution.status == Status.REACHED).all()
    assert np.linalg.norm(solution.pose.origins[:, -1] - targets, axis=1).max() <= 1e-6


def test_what_cannot_hang_is_refused() -> None:
    with pytest.raises(GoalError, match=r"no joint of this figure has a mass.*posable\.with_masses"):
        solve(rest(ball_chain(1.0, 1.0)), [Gravity()])
    heavy = Skeleton([replace(joint, mass=1.0) for joint in person().definitions])
    with pytest.raises(GoalError, match="Gravity: nothing holds 'root', which would fall for ever"):
        solve(rest(heavy), [Gravity()])
    with pytest.raises(GoalError, match="Gravity: weight must be a number above 0, not 0"):
        Gravity(weight=0)

"""The spring solver: one share of all rest bends, a base that aims, poles, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from solvers.chains import ball_chain, planar_arm, rest
from solvers.methods.cases import long_leg

from posable import Axis, Joint, Pole, Reach, Skeleton, Status, solve
from posable.errors import MethodError
from posable.solvers import SpringIK

RNG = np.random.default_rng(5)


def test_all_hinges_bend_by_one_share_of_their_rest_bends() -> None:
    skeleton = long_leg()
    vectors = RNG.normal(size=(50, 3))
    targets = vectors / np.linalg.norm(vectors, axis=1, keepdims=True) * RNG.uniform(1.0, 1.39, (50, 1))
    solution = solve(rest(skeleton), Reach("tip", targets), method=SpringIK())
    assert (solution.status == Status.REACHED).all()
    assert np.max(solution.goals[0].distance) < 1e-12
    bends = solution.pose.q[:, 4:7] / np.array([0.5, -0.8, 0.6])
    assert np.ptp(bends, axis=1).max() < 1e-12
    lengths = np.array([0.4, 0.4, 0.3, 0.3])
    angles = np.cumsum(np.insert(solution.pose.q[:, 4:7], 0, 0.0, axis=1), axis=1)
    ends = np.stack([(lengths * np.cos(angles)).sum(axis=1), (lengths * np.sin(angles)).sum(axis=1)], axis=1)
    np.testing.assert_allclose(np.linalg.norm(ends, axis=1), np.linalg.norm(targets, axis=1), atol=1e-12)
    assert (bends >= 0).all(), "the least share that does it, never the mirrored chain"


def test_the_rest_pose_is_share_one_and_out_of_reach_is_straight() -> None:
    for kind in ("hinge", "ball"):
        skeleton = long_leg(kind=kind)
        at = rest(skeleton).origins[skeleton.index("tip")]
        same = solve(rest(skeleton), Reach("tip", at), method=SpringIK())
        np.testing.assert_allclose(same.pose.q, rest(skeleton).q, atol=1e-12)
        far = solve(rest(skeleton), Reach("tip", (0, 3.0, 0)), method=SpringIK())
        assert far.status is Status.OUT_OF_REACH
        assert far.goals[0].distance == pytest.approx(1.6, abs=1e-12)


def test_pole_and_twist() -> None:
    skeleton = long_leg()
    goals = [Reach("tip", (0.2, 0.9, 0.3)), Pole("tip", (0.5, 0.4, 2.0), middle="h3", first="h0")]
    solution = solve(rest(skeleton), goals, method=SpringIK())
    assert solution.goals[0].distance < 1e-12
    assert solution.goals[1].angle == pytest.approx(0.0, abs=1e-12)
    turned = solve(rest(skeleton), goals, method=SpringIK(twist=0.5))
    assert turned.goals[1].angle == pytest.approx(0.5, abs=1e-12)


def test_a_base_of_hinges_aims_too() -> None:
    base = [Joint("x", axes=(Axis((0, 1, 0)),)), Joint("y", parent="x", axes=(Axis((0, 0, 1)),))]
    legs = [
        Joint("k", parent="y", position=(0.5, 0, 0), axes=(Axis((0, 0, 1)),), rest=(0.6,)),
        Joint("e", "ball", "k", (0.5, 0, 0)),
    ]
    skeleton = Skeleton([*base, *legs])
    solution = solve(rest(skeleton), Reach("e", (0.3, 0.4, 0.5)), method=SpringIK())
    assert solution.status is Status.REACHED


def test_refusals() -> None:
    with pytest.raises(
        MethodError, match="the chain that ends at 'tip' is straight at rest; there is no bend to scale"
    ):
        solve(rest(ball_chain(1, 1, 1)), Reach("tip", (1, 1, 1)), method=SpringIK())
    with pytest.raises(MethodError, match="'tip' ends a chain of 1 rotating joints, and 2 are needed"):
        solve(rest(ball_chain(1)), Reach("tip", (1, 1, 1)), method=SpringIK())
    bent = planar_arm(1, 1, 1)
    bent = Skeleton([*bent.definitions[:1], *(_bent(j) for j in bent.definitions[1:])])
    with pytest.raises(MethodError, match="'h0' at the base is not a ball"):
        solve(rest(bent), Reach("tip", (1, 1, 0)), method=SpringIK(twist=1.0))
    two = [Reach("tip", (1, 1, 0)), Reach("h2", (1, 1, 0))]
    with pytest.raises(MethodError, match="2 effectors have goals, and it poses one chain at a time"):
        solve(rest(bent), two, method=SpringIK())
    with pytest.raises(MethodError, match="joint 'h1' does not move by itself or is frozen in part"):
        mimic = [*bent.definitions[:1], _mimicking(bent.definitions[1]), *bent.definitions[2:]]
        solve(rest(Skeleton(mimic)), Reach("tip", (1, 1, 0)), method=SpringIK())
    with pytest.raises(MethodError, match="SpringIK: twist must be a finite number of radians, not inf"):
        SpringIK(twist=np.inf)


def _bent(joint: Joint) -> Joint:
    from dataclasses import replace

    return replace(joint, rest=(0.3,)) if joint.kind == "hinge" else joint


def _mimicking(joint: Joint) -> Joint:
    from dataclasses import replace

    from posable.skeleton import Follow

    return replace(joint, rest=None, kind="compound", axes=(*joint.axes, Axis((0, 1, 0), follow=Follow("h0"))))

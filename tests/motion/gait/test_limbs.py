"""The first bone of a leg by its kernel, beside the same in plain NumPy."""

from __future__ import annotations

import numpy as np

import posable
from posable.motion.gait.anatomy import Leg
from posable.motion.gait.legs import Limb, facing
from posable.spatial import matrix_from_wxyz


def test_a_bone_lies_along_its_gap_and_its_knee_square_to_where_the_foot_points() -> None:
    rng = np.random.default_rng(3)
    span, gap = (rng.normal((0.0, -0.9, 0.1), 0.2, (50, 3)) for _ in range(2))
    ahead = rng.normal((0.0, 0.0, 1.0), 0.2, (50, 3))
    for side in (1.0, -1.0):
        axis = np.array([side, 0.1, 0.15])
        axis /= np.linalg.norm(axis)
        turn = np.empty((50, 4))
        facing(span, gap, ahead, axis, turn)
        carry = matrix_from_wxyz(turn)
        laid = (carry @ span[..., None])[..., 0]
        np.testing.assert_allclose(
            laid / np.linalg.norm(laid, axis=1)[:, None], gap / np.linalg.norm(gap, axis=1)[:, None], atol=1e-12
        )
        knee = carry @ axis
        assert np.abs((knee * ahead).sum(axis=1)).max() < 1e-12
        assert (side * knee[:, 0] > 0.5).all()
        np.testing.assert_allclose(np.linalg.norm(turn, axis=1), 1.0, atol=1e-12)
        assert (turn[:, 0] >= 0).all()


def test_the_hock_of_a_robots_leg_bends_as_it_rests() -> None:
    """Two legs of three bones: the knee bends forward, the hock behind it the other way."""
    joints = [posable.Joint("hips", "free", None, (0.0, 1.0, 0.0))]
    for side, x in (("l", 0.1), ("r", -0.1)):
        joints += [
            posable.Joint(f"upper_leg_{side}", "ball", "hips", (x, 0.0, 0.0)),
            posable.Joint(f"mid_leg_{side}", "ball", f"upper_leg_{side}", (0.0, -0.35, 0.2)),
            posable.Joint(f"lower_leg_{side}", "ball", f"mid_leg_{side}", (0.0, -0.25, -0.3)),
            posable.Joint(f"foot_{side}", "ball", f"lower_leg_{side}", (0.0, -0.35, 0.1), tips=((0.0, -0.05, 0.2),)),
        ]
    skeleton = posable.Skeleton(joints)
    points = np.array([[0.1, 1.0, 0.0], [0.1, 0.65, 0.2], [0.1, 0.4, -0.1], [0.1, 0.05, 0.0]])
    sole = np.array([0.1, 0.0, 0.0])
    leg = Leg(1, 0, (1, 2, 3), 4, -1, points, sole, sole, sole)
    limb = Limb.of(leg, skeleton, np.tile([1.0, 0.0, 0.0, 0.0], (len(joints), 1)), biped=True)
    assert limb.axes[0][0] > 0.99
    assert limb.axes[1][0] < -0.99

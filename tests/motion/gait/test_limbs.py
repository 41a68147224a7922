"""The first bone of a leg by its kernel, beside the same in plain NumPy."""

from __future__ import annotations

import numpy as np

from posable.motion.gait.legs import facing
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

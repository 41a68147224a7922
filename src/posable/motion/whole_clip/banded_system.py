"""The normal matrix of a whole clip: one block per frame, and the coupling of each freedom with itself over time."""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.linalg import get_lapack_funcs
from threadpoolctl import ThreadpoolController

from posable.spatial import Array

_pbtrf, _pbtrs = get_lapack_funcs(("pbtrf", "pbtrs"), dtype=np.float64)


class BandedSystem:
    """The penalties ½ Σ stay · c² + ½ Σ smooth · (second differences of c)² on corrections `c [frame, free]`, and their
    matrix.

    stay, smooth: `[free]`. The matrix plus one symmetric block per frame is solved by LAPACK's banded Cholesky.
    """

    def __init__(self, frames: int, stay: Array, smooth: Array) -> None:
        n = len(stay)
        self.stay, self.smooth = stay, smooth
        second = _second_differences(frames)
        # By columns of the lower triangle: [frame, freedom, distance below the diagonal], as LAPACK reads it.
        self._fixed = np.zeros((frames, n, 2 * n + 1))
        self._fixed[:, :, 0] = stay + second[0][:, None] * smooth
        self._fixed[:, :, n] = second[1][:, None] * smooth
        self._fixed[:, :, 2 * n] += second[2][:, None] * smooth

    def costs(self, c: Array) -> Array:
        """`[frame]` the penalties; a second difference counts for the frame in its middle."""
        found = 0.5 * (c**2 @ self.stay)
        found[1:-1] += 0.5 * (np.diff(c, 2, axis=0) ** 2 @ self.smooth)
        return found

    def gradient(self, c: Array) -> Array:
        """`[frame, free]`, the derivative of `costs`."""
        found = self.stay * c
        if len(c) > 2:
            second = self.smooth * np.diff(c, 2, axis=0)
            found[:-2] += second
            found[1:-1] -= 2 * second
            found[2:] += second
        return found

    @property
    def diagonal(self) -> Array:
        """`[frame, free]` of the matrix without the blocks."""
        return self._fixed[:, :, 0]

    def solve(self, blocks: Array, more: Array, right: Array) -> Array | None:
        """x `[frame, free]` with (matrix + blocks `[frame, free, free]` + diagonal `more`) x = right.

        None where the matrix is not positive definite after rounding.
        """
        frames, n = right.shape
        bands = self._fixed.copy()
        for i in range(n):
            bands[:, i, : n - i] += blocks[:, i, i:]
        bands[:, :, 0] += more
        with _controller().limit(limits=1, user_api="blas"):
            factor, failed = _pbtrf(bands.reshape(frames * n, 2 * n + 1).T, lower=1, overwrite_ab=1)
            if failed:
                return None
            return _pbtrs(factor, right.reshape(-1, 1), lower=1)[0].reshape(frames, n)


@cache
def _controller() -> ThreadpoolController:
    """Limits LAPACK to one thread: the bands are so narrow that threads mostly wait for each other, up to sixty times
    longer on a busy machine.
    """
    return ThreadpoolController()


def _second_differences(frames: int) -> tuple[Array, Array, Array]:
    """The diagonal of DᵀD and the two below it, each `[frame]`, D the second differences."""
    zero, one, two = np.zeros(frames), np.zeros(frames), np.zeros(frames)
    if frames > 2:
        inner = slice(1, -1)
        zero[:-2] += 1.0
        zero[inner] += 4.0
        zero[2:] += 1.0
        one[:-2] -= 2.0
        one[inner] -= 2.0
        two[:-2] += 1.0
    return zero, one, two

"""The banded matrices of whole-clip solves, filled and solved in SIMD registers, compiled."""

from __future__ import annotations

import math

import numpy as np

from posable.compiled.decorators import inner_kernel, kernel
from posable.compiled.simd_batch import COUNT
from posable.compiled.views import as_lanes
from posable.spatial import Array


@kernel
def find_ties(blocks, tied):
    """tied[c, d]: whether any block `[frame, free, free]`, or the diagonal, has an entry there."""
    for c in range(tied.shape[0]):
        tied[c, c] = True
    for f in range(blocks.shape[0]):
        for c in range(blocks.shape[1]):
            for d in range(blocks.shape[2]):
                if blocks[f, c, d] != 0.0:
                    tied[c, d] = True


def make_bands(frames: int, n: int) -> Array:
    """Memory for the matrix of `n` freedoms in each frame, as `fill_bands` writes it, at a multiple of a register."""
    shape = frames * n, (2 * n + COUNT - 1) // COUNT + 1, COUNT
    numbers = math.prod(shape)
    memory = np.empty(numbers + COUNT)
    first = -(memory.ctypes.data // memory.itemsize) % COUNT
    return memory[first : first + numbers].reshape(shape)


@kernel
def fill_bands(own, diagonal, second, smooth, blocks, after, right, bands, x):
    """The matrix of the freedoms `own` as `solve_banded` reads it, and its right side as `x`; see `BandedSystem`.

    diagonal: `[frame, free]` without the blocks. second: `[3, frame]` the diagonal of DᵀD and the two below it. after:
    `[frame, free]` more entries between a frame and the next, or `[0, free]`. bands: `[row, block, COUNT]` the entry of
    row i in column j ≥ i at block j // COUNT - i // COUNT: entries of one column are in one lane of a register.
    """
    n = own.shape[0]
    rows = bands.reshape(bands.shape[0], bands.shape[1] * COUNT)
    for f in range(right.shape[0]):
        for i in range(n):
            row, c, first = rows[f * n + i], own[i], (f * n + i) % COUNT
            for k in range(row.shape[0]):
                row[k] = 0.0
            for k in range(i, n):
                row[first + k - i] = blocks[f % blocks.shape[0], c, own[k]]
            row[first] += diagonal[f, c]
            row[first + n] += second[1, f] * smooth[c]
            if after.shape[0] > 0:
                row[first + n] += after[f, c]
            row[first + 2 * n] += second[2, f] * smooth[c]
            x[f * n + i] = right[f, c]


@kernel
def solve_banded(bands, width, x):
    """Solve A y = x in place of x, A symmetric as `fill_bands` writes it, with entries up to `width` - 1 columns beside
    the diagonal; by Cholesky's factor, COUNT rows at a time. False where A is not positive definite.
    """
    n, lanes = bands.shape[0], as_lanes(bands)
    rows = bands.reshape(n, bands.shape[1] * COUNT)
    for first in range(0, n, COUNT):
        last = min(first + COUNT, n)
        for j in range(first, last):
            own, begin = rows[j], j % COUNT
            for s in range(first, j):
                share = -rows[s, begin]
                for k in range((s + width - 1) // COUNT - first // COUNT + 1):
                    lanes[j, k] = lanes[j, k] + share * lanes[s, k]
            if not own[begin] > 0.0:
                return False
            root = 1.0 / math.sqrt(own[begin])
            for k in range((j + width - 1) // COUNT - first // COUNT + 1):
                lanes[j, k] = root * lanes[j, k]
        for r in range(last, min(last - 1 + width, n)):
            _subtract_rows(rows, lanes, first, r, (last + width - 2) // COUNT - r // COUNT + 1)
    for j in range(n):
        own, begin = rows[j], j % COUNT
        value = x[j] / own[begin]
        x[j] = value
        for k in range(1, min(width, n - j)):
            x[j + k] -= value * own[begin + k]
    for j in range(n - 1, -1, -1):
        own, begin = rows[j], j % COUNT
        total = x[j]
        for k in range(1, min(width, n - j)):
            total -= own[begin + k] * x[j + k]
        x[j] = total / own[begin]
    return True


@inner_kernel
def _subtract_rows(rows, lanes, first, r, blocks):
    """Subtract from row `r` what the COUNT rows of the factor from `first` on contribute to it."""
    at, off, p = r - first, (r - first) // COUNT, first
    a, b, c, d = -rows[p, at], -rows[p + 1, at], -rows[p + 2, at], -rows[p + 3, at]
    e, f, g, h = -rows[p + 4, at], -rows[p + 5, at], -rows[p + 6, at], -rows[p + 7, at]
    for k in range(blocks):
        o = off + k
        one = (a * lanes[p, o] + b * lanes[p + 1, o]) + (c * lanes[p + 2, o] + d * lanes[p + 3, o])
        other = (e * lanes[p + 4, o] + f * lanes[p + 5, o]) + (g * lanes[p + 6, o] + h * lanes[p + 7, o])
        lanes[r, k] = lanes[r, k] + (one + other)

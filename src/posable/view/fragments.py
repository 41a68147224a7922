"""From a filled depth buffer to fragments: the pieces of surface in each pixel that are to be lit."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.spatial.compile import kernel


class Fragments(NamedTuple):
    """Pieces of surface to be lit: each is one smooth surface within one pixel."""

    triangle: NDArray[np.int32]
    x: NDArray[np.float32]  # where in the picture, in samples
    y: NDArray[np.float32]
    share: NDArray[np.float32]  # of its pixel
    pixel: NDArray[np.int32]  # of the band


@kernel
def _one_surface(faces, one, other):
    """Whether two triangles have a vertex in common: then they shade smoothly into each other."""
    for k in range(3):
        for n in range(3):
            if faces[one, k] == faces[other, n]:
                return True
    return False


@kernel
def _all_alike(ids, row, column, samples):
    first = ids[row, column]
    for y in range(row, row + samples):
        for x in range(column, column + samples):
            if ids[y, x] != first:
                return False
    return True


@kernel
def collect(ids, first_row, samples, faces, free, out):
    """Write the fragments of a band of filled `ids` to `out`, their number back; `free [pixel]` is the part without."""
    triangles, xs, ys, shares, pixels = out.triangle, out.x, out.y, out.share, out.pixel
    count, pixel = 0, -1
    square = samples * samples
    middle = 0.5 * (samples - 1)
    for row in range(0, ids.shape[0], samples):
        for column in range(0, ids.shape[1], samples):
            pixel += 1
            if _all_alike(ids, row, column, samples):
                own = ids[row, column]
                free[pixel] = np.float32(own < 0)
                if own >= 0:
                    triangles[count], pixels[count], shares[count] = own, pixel, 1.0
                    xs[count], ys[count] = column + middle, row + middle + first_row
                    count += 1
                continue
            free[pixel] = 0.0
            for n in range(square):
                own = ids[row + n // samples, column + n % samples]
                if own == -1:
                    free[pixel] += np.float32(1.0) / np.float32(square)
                if own < 0:
                    continue
                here, x_sum, y_sum = 0, 0, 0
                for other in range(n, square):
                    y, x = row + other // samples, column + other % samples
                    if ids[y, x] == own or (ids[y, x] >= 0 and _one_surface(faces, own, ids[y, x])):
                        here, x_sum, y_sum = here + 1, x_sum + x, y_sum + y
                        ids[y, x] = -2
                triangles[count], pixels[count], shares[count] = own, pixel, here / square
                xs[count], ys[count] = x_sum / here, y_sum / here + first_row
                count += 1
    return count

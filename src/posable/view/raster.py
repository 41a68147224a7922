"""The rasteriser's kernels: triangles into a depth buffer, by scan lines, without clipping.

A vertex is homogeneous in pixels, (X, Y, W) with pixel x = X / W. The lines through two vertices, vj × vk / det, are
the barycentric coordinates divided by W, linear over the picture, so triangles that reach behind the camera need no
cutting (Olano and Greer, Triangle Scan Conversion using 2D Homogeneous Coordinates, 1997). Pixel (0, 0) has its centre
at x = y = 0.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import inner_kernel, kernel, shared_kernel

NEAREST = 1e-3
"""Points nearer to the camera plane than this (stage lengths) are not drawn."""


class Triangles(NamedTuple):
    """What filling needs, one row per triangle."""

    edges: NDArray[np.float64]  # [t, 9] a b c of each barycentric coordinate over W: a x + b y + c
    spans: NDArray[np.float64]  # [t, 9] slope, start, side of each edge: where a row x = slope y + start crosses it
    nearness: NDArray[np.float64]  # [t, 3] a b c of what the depth buffer keeps; larger is nearer
    boxes: NDArray[np.int32]  # [t, 4] first and last column, first and last row; nothing is drawn where last < first
    front: NDArray[np.bool_]  # [t] its counter-clockwise side is seen


def empty_triangles(count: int) -> Triangles:
    """Room for `count` triangles."""
    return Triangles(
        np.empty((count, 9)),
        np.empty((count, 9)),
        np.empty((count, 3)),
        np.empty((count, 4), np.int32),
        np.empty(count, np.bool_),
    )


@inner_kernel
def _cross(p, q):
    return p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]


@inner_kernel
def _box(u, v, w, width, height, box):
    """First and last column and row that the triangle may touch; the whole picture if it reaches behind the camera."""
    box[0], box[1], box[2], box[3] = 0, width - 1, 0, height - 1
    least = min(u[2], v[2], w[2])
    if least > NEAREST:
        ux, vx, wx = u[0] / u[2], v[0] / v[2], w[0] / w[2]
        uy, vy, wy = u[1] / u[2], v[1] / v[2], w[1] / w[2]
        box[0] = math.ceil(min(max(min(ux, vx, wx), 0.0), width))
        box[1] = math.floor(max(min(max(ux, vx, wx), width - 1.0), -1.0))
        box[2] = math.ceil(min(max(min(uy, vy, wy), 0.0), height))
        box[3] = math.floor(max(min(max(uy, vy, wy), height - 1.0), -1.0))
    elif max(u[2], v[2], w[2]) <= NEAREST:
        box[1] = -1


@kernel
def place_triangles(points, faces, width, height, out):
    """`points [vertex, 3]` (X, Y, W) → the rows of `out`; the depth buffer keeps 1 / W."""
    for t in range(faces.shape[0]):
        i, j, k = faces[t, 0], faces[t, 1], faces[t, 2]
        u, v, w = points[i], points[j], points[k]
        box = out.boxes[t]
        _box(u, v, w, width, height, box)
        if box[1] < box[0] or box[3] < box[2]:
            continue
        lines = (_cross(v, w), _cross(w, u), _cross(u, v))
        det = u[0] * lines[0][0] + u[1] * lines[0][1] + u[2] * lines[0][2]
        flat = 1e-7 * abs(u[2] * v[2] * w[2])
        if not abs(det) > flat:  # seen edge-on, of no area, or not a number
            box[1] = -1
            continue
        out.front[t] = det < 0  # rows count downwards
        out.nearness[t, :] = 0.0
        sign = 1.0 if det > 0 else -1.0
        for e in range(3):
            a, b, c = lines[e][0] * sign, lines[e][1] * sign, lines[e][2] * sign
            for n, x in enumerate((a, b, c)):
                out.edges[t, 3 * e + n] = x / abs(det)
                out.nearness[t, n] += x / abs(det)
            # Neighbours share these two numbers to the last bit, so no crack opens between them.
            if a == 0.0:
                out.spans[t, 3 * e], out.spans[t, 3 * e + 1], out.spans[t, 3 * e + 2] = b, c, 0.0
            else:
                out.spans[t, 3 * e], out.spans[t, 3 * e + 1] = -b / a, -c / a
                out.spans[t, 3 * e + 2] = 1.0 if a > 0 else -1.0


@inner_kernel
def row_span(box, spans, y):
    """Where row `y` enters and leaves a triangle; the first is larger where it misses it."""
    low, high = float(box[0]), float(box[1])
    for e in range(0, 9, 3):
        crossing = spans[e] * y + spans[e + 1]
        if spans[e + 2] > 0.0:
            low = max(low, crossing)
        elif spans[e + 2] < 0.0:
            high = min(high, crossing)
        elif crossing < 0.0:
            high = -1.0
    return low, high


@shared_kernel
def fill(triangles, first_row, limit, depth, ids):
    """Draw the rows from `first_row` on into `depth` and `ids [row, column]`: the largest nearness to `limit` wins."""
    rows = depth.shape[0]
    for t in range(triangles.boxes.shape[0]):
        box = triangles.boxes[t]
        spans = triangles.spans[t]
        if box[1] < box[0]:
            continue
        for y in range(max(box[2], first_row), min(box[3], first_row + rows - 1) + 1):
            low, high = row_span(box, spans, y)
            if not low <= high:
                continue
            slope = np.float32(triangles.nearness[t, 0])
            start = np.float32(triangles.nearness[t, 1] * y + triangles.nearness[t, 2])
            row, row_ids = depth[y - first_row], ids[y - first_row]
            for x in range(math.ceil(low), math.floor(high) + 1):
                value = start + slope * np.float32(x)
                if value > row[x] and value <= limit:
                    row[x] = value
                    row_ids[x] = t


@kernel
def face_normals_to_vertices(vertices, faces, groups, sums, normals):
    """Unit `normals [vertex, 3]`: the area-weighted mean over the faces of each group; `sums [group, 3]` is scratch."""
    sums[:] = 0.0
    for t in range(faces.shape[0]):
        a, b, c = vertices[faces[t, 0]], vertices[faces[t, 1]], vertices[faces[t, 2]]
        n = _cross((b[0] - a[0], b[1] - a[1], b[2] - a[2]), (c[0] - a[0], c[1] - a[1], c[2] - a[2]))
        for corner in range(3):
            group = groups[faces[t, corner]]
            for axis in range(3):
                sums[group, axis] += n[axis]
    for v in range(normals.shape[0]):
        s = sums[groups[v]]
        length = math.sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2])
        for axis in range(3):
            normals[v, axis] = s[axis] / length if length > 0.0 else 0.0


# From a filled depth buffer to fragments: the pieces of surface in each pixel that are to be lit.


class Fragments(NamedTuple):
    """Pieces of surface to be lit: each is one smooth surface within one pixel."""

    triangle: NDArray[np.int32]
    x: NDArray[np.float32]  # where in the picture, in samples
    y: NDArray[np.float32]
    share: NDArray[np.float32]  # of its pixel
    pixel: NDArray[np.int32]  # of the band


@inner_kernel
def _one_surface(faces, one, other):
    """Whether two triangles have a vertex in common: then they shade smoothly into each other."""
    for k in range(3):
        for n in range(3):
            if faces[one, k] == faces[other, n]:
                return True
    return False


@inner_kernel
def _all_alike(ids, row, column, samples):
    first = ids[row, column]
    for y in range(row, row + samples):
        for x in range(column, column + samples):
            if ids[y, x] != first:
                return False
    return True


@shared_kernel
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

"""Kernels that cut a mesh into voxels. Vertices are in voxels: the middle of voxel (i, j, k) is at (i, j, k)."""

from __future__ import annotations

import math

import numpy as np

from posable.spatial.compile import inner_kernel, kernel


@inner_kernel
def _side(ax, ay, bx, by, x, y):
    """Twice the area of the triangle a, b, (x, y), the same to the last bit when a and b change places."""
    if ax < bx or (ax == bx and ay < by):
        return (bx - ax) * (y - ay) - (by - ay) * (x - ax)
    return -((ax - bx) * (y - by) - (ay - by) * (x - bx))


@inner_kernel
def _cut(points, face, x, y):
    """(depth, sign): where the line up from (x, y) cuts the face, +1 from below its back; sign 0 where it misses."""
    a, b, c = points[face[0]], points[face[1]], points[face[2]]
    u = _side(b[0], b[1], c[0], c[1], x, y)
    v = _side(c[0], c[1], a[0], a[1], x, y)
    w = _side(a[0], a[1], b[0], b[1], x, y)
    if (u >= 0 and v >= 0 and w >= 0) or (u < 0 and v < 0 and w < 0):
        total = u + v + w
        if total != 0:
            return (u * a[2] + v * b[2] + w * c[2]) / total, 1 if total > 0 else -1
    return 0.0, 0


@inner_kernel
def _span(points, face, axis, count):
    """(first, last) lines of voxels that the face's box covers along an axis."""
    low = min(points[face[0], axis], points[face[1], axis], points[face[2], axis])
    high = max(points[face[0], axis], points[face[1], axis], points[face[2], axis])
    return max(0, math.ceil(low)), min(count - 1, math.floor(high))


@kernel
def count_cuts(points, faces, counts):
    """Add to `counts [x, y]` how many faces the line along z through each (x, y) cuts."""
    for f in range(faces.shape[0]):
        x0, x1 = _span(points, faces[f], 0, counts.shape[0])
        y0, y1 = _span(points, faces[f], 1, counts.shape[1])
        for x in range(x0, x1 + 1):
            for y in range(y0, y1 + 1):
                if _cut(points, faces[f], x, y)[1] != 0:
                    counts[x, y] += 1


@kernel
def fill_cuts(points, faces, following, depths, signs):
    """Write each cut to its line's place; `following [x, y]` is where the line's next one goes."""
    for f in range(faces.shape[0]):
        x0, x1 = _span(points, faces[f], 0, following.shape[0])
        y0, y1 = _span(points, faces[f], 1, following.shape[1])
        for x in range(x0, x1 + 1):
            for y in range(y0, y1 + 1):
                depth, sign = _cut(points, faces[f], x, y)
                if sign != 0:
                    depths[following[x, y]] = depth
                    signs[following[x, y]] = sign
                    following[x, y] += 1


@kernel
def mark_inside(firsts, depths, signs, inside):
    """Mark the voxels of each line that an odd number of cuts lies below, or winding cuts both below and above."""
    lines = inside.reshape((-1, inside.shape[2]))
    for line in range(lines.shape[0]):
        first, last = firsts[line], firsts[line + 1]
        if last == first:
            continue
        order = first + np.argsort(depths[first:last])
        total = 0
        for k in order:
            total += signs[k]
        below, winding, passed = 0, 0, 0
        even = (last - first) % 2 == 0
        for z in range(lines.shape[1]):
            while passed < last - first and depths[order[passed]] <= z:
                winding += signs[order[passed]]
                below += 1
                passed += 1
            odd = even and below % 2 == 1
            lines[line, z] = odd or (winding != 0 and winding != total)


@kernel
def mark_surface(points, faces, surface):
    """Mark every voxel that a grid of points on the faces, no more than 0.4 voxels apart, falls into."""
    for f in range(faces.shape[0]):
        a, b, c = points[faces[f, 0]], points[faces[f, 1]], points[faces[f, 2]]
        longest = 0.0
        for k in range(3):
            longest = max(longest, abs(b[k] - a[k]), abs(c[k] - a[k]), abs(c[k] - b[k]))
        steps = math.ceil(longest / 0.4) + 1
        for i in range(steps + 1):
            for j in range(steps + 1 - i):
                u, v = i / steps, j / steps
                x = round(a[0] + u * (b[0] - a[0]) + v * (c[0] - a[0]))
                y = round(a[1] + u * (b[1] - a[1]) + v * (c[1] - a[1]))
                z = round(a[2] + u * (b[2] - a[2]) + v * (c[2] - a[2]))
                surface[x, y, z] = True

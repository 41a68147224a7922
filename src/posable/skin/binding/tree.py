"""A tree of boxes over the faces of a surface, for rays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import inner_kernel, kernel
from posable.spatial import Array

LEAF = 4  # faces in a leaf, at most
ENDS = 64  # crossings of one ray that are kept
_SAME = 1e-9  # of a ray: crossings this close count as one
_END = 1 - 1e-5  # of a ray: hits beyond are at its target, not occluders


class BoxTree(NamedTuple):
    """A complete binary tree of boxes: node i has children 2i + 1 and 2i + 2; the last half are leaves of a few faces.

    boxes: `[node, 6]` low and high corners; leaf k of n holds the faces from count · k // n on.
    faces: `[face, 3]` in the order of the leaves. corner, edge_1, edge_2: `[face, 3]`: a corner and two edges from it.
    """

    boxes: Array
    faces: NDArray[np.int32]
    corner: Array
    edge_1: Array
    edge_2: Array


def box_tree(places: Array, faces: NDArray[np.int32]) -> BoxTree:
    """The tree over `faces`, each box cut at the median along its longest side."""
    leaves = 1
    while leaves * LEAF < len(faces):
        leaves *= 2
    order = np.arange(len(faces))
    sort_into_leaves(places[faces].mean(axis=1), leaves, order)
    faces = np.ascontiguousarray(faces[order])
    corners = places[faces]
    boxes = np.empty((2 * leaves - 1, 6))
    fill_boxes(corners, boxes)
    a = np.ascontiguousarray(corners[:, 0])
    return BoxTree(boxes, faces, a, corners[:, 1] - a, corners[:, 2] - a)


@kernel
def sort_into_leaves(middle, leaves, order):
    """Sorts `order` so that every node's faces lie beside one another: the lower half of the leaves first."""
    count = len(order)
    width = leaves
    while width > 1:
        for first in range(0, leaves, width):
            start, stop = count * first // leaves, count * (first + width) // leaves
            axis, widest = 0, -1.0
            for k in range(3):
                low, high = np.inf, -np.inf
                for i in range(start, stop):
                    low, high = min(low, middle[order[i], k]), max(high, middle[order[i], k])
                if high - low > widest:
                    axis, widest = k, high - low
            part(middle, axis, order, start, count * (first + width // 2) // leaves, stop)
        width //= 2


@inner_kernel
def part(middle, axis, order, start, cut, stop):
    """Sorts order[start:stop] until the lowest cut − start come first (Hoare's selection)."""
    low, high = start, stop - 1
    while low < high:
        pivot = middle[order[(low + high) // 2], axis]
        i, j = low, high
        while i <= j:
            while middle[order[i], axis] < pivot:
                i += 1
            while middle[order[j], axis] > pivot:
                j -= 1
            if i <= j:
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if cut <= j:
            high = j
        elif cut >= i:
            low = i
        else:
            return


@kernel
def fill_boxes(corners, boxes):
    """The boxes of the leaves, then of what holds them; a leaf without faces has an empty box."""
    leaves = (boxes.shape[0] + 1) // 2
    for node in range(boxes.shape[0] - 1, -1, -1):
        for axis in range(3):
            low, high = np.inf, -np.inf
            if node >= leaves - 1:
                leaf = node - leaves + 1
                for face in range(len(corners) * leaf // leaves, len(corners) * (leaf + 1) // leaves):
                    for k in range(3):
                        low, high = min(low, corners[face, k, axis]), max(high, corners[face, k, axis])
            else:
                for child in (2 * node + 1, 2 * node + 2):
                    low, high = min(low, boxes[child, axis]), max(high, boxes[child, 3 + axis])
            boxes[node, axis], boxes[node, 3 + axis] = low, high


@inner_kernel
def meets_box(boxes, node, origin, inverse):
    """Whether origin + t · ray, 0 ≤ t ≤ 1, meets the box of `node`; `inverse` is 1 / ray."""
    near, far = 0.0, 1.0
    for axis in range(3):
        one = (boxes[node, axis] - origin[axis]) * inverse[axis]
        two = (boxes[node, 3 + axis] - origin[axis]) * inverse[axis]
        near, far = max(near, min(one, two)), min(far, max(one, two))
    return near <= far


@inner_kernel
def meets_face(tree, face, origin, ray):
    """(t, side) where origin + t · ray meets a face: side +1 seen from outside, −1 from inside, 0 not at all.

    Möller & Trumbore 1997; a ray through an edge meets both faces.
    """
    ax, ay, az = tree.edge_1[face]
    bx, by, bz = tree.edge_2[face]
    px, py, pz = ray[1] * bz - ray[2] * by, ray[2] * bx - ray[0] * bz, ray[0] * by - ray[1] * bx
    determinant = ax * px + ay * py + az * pz
    if determinant == 0:
        return 0.0, 0
    sx, sy, sz = origin[0] - tree.corner[face, 0], origin[1] - tree.corner[face, 1], origin[2] - tree.corner[face, 2]
    u = (sx * px + sy * py + sz * pz) / determinant
    qx, qy, qz = sy * az - sz * ay, sz * ax - sx * az, sx * ay - sy * ax
    v = (ray[0] * qx + ray[1] * qy + ray[2] * qz) / determinant
    if u < -1e-9 or v < -1e-9 or u + v > 1 + 1e-9:
        return 0.0, 0
    t = (bx * qx + by * qy + bz * qz) / determinant
    if t < 0 or t > _END:
        return 0.0, 0
    return t, 1 if determinant > 0 else -1


@inner_kernel
def crossings(tree, origin, ray, skipped, at, side, stack, inverse):
    """The crossings of origin + t · ray, 0 ≤ t ≤ 1, with faces that have no corner in place `skipped`, sorted along it.

    Written are t to `at`, and to `side` the face's number + 1, negative where the ray leaves it behind: where it comes
    from inside. Returned is their count, at most ENDS. One through the edge of two faces counts once; where it only
    touches an edge it enters before it leaves.
    """
    for axis in range(3):
        inverse[axis] = 1 / ray[axis] if ray[axis] != 0 else 1e300
    leaves = (tree.boxes.shape[0] + 1) // 2
    count, depth = 0, 1
    stack[0] = 0
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if not meets_box(tree.boxes, node, origin, inverse):
            continue
        if node < leaves - 1:
            stack[depth], stack[depth + 1] = 2 * node + 1, 2 * node + 2
            depth += 2
            continue
        leaf = node - leaves + 1
        for face in range(len(tree.faces) * leaf // leaves, len(tree.faces) * (leaf + 1) // leaves):
            if tree.faces[face, 0] == skipped or tree.faces[face, 1] == skipped or tree.faces[face, 2] == skipped:
                continue
            t, facing = meets_face(tree, face, origin, ray)
            if facing != 0 and count < ENDS:
                k = count
                while k > 0 and (at[k - 1] > t + _SAME or (at[k - 1] > t - _SAME and side[k - 1] < 0 < facing)):
                    at[k], side[k] = at[k - 1], side[k - 1]
                    k -= 1
                at[k], side[k] = t, facing * (face + 1)
                count += 1
    kept = 0
    for k in range(count):
        if kept > 0 and side[k] * side[kept - 1] > 0 and at[k] - at[kept - 1] < _SAME:
            continue
        at[kept], side[kept] = at[k], side[k]
        kept += 1
    return kept


# Whether points lie inside a surface that may be open, or cross itself.


_INSIDE_RAYS = 25  # an odd number: no ties


def inside(tree: BoxTree, points: Array) -> NDArray[np.bool_]:
    """`[...]` for points `[..., 3]`: whether most rays from a point leave the surface more often than they enter it.

    The surface lies in a box of diagonal 1; its faces look outward.
    """
    flat = np.ascontiguousarray(points.reshape(-1, 3))
    found = np.zeros(len(flat), np.bool_)
    tell_inside(tree, flat, ways_out(_INSIDE_RAYS), found)
    return found.reshape(points.shape[:-1])


def ways_out(count: int) -> Array:
    """Unit vectors spread over the sphere (a Fibonacci spiral, turned so that none lies along an axis)."""
    k = np.arange(count) + 0.5
    height, turn = 1 - 2 * k / count, np.pi * (3 - np.sqrt(5)) * k + 0.7
    around = np.sqrt(1 - height**2)
    return np.stack([around * np.cos(turn), height, around * np.sin(turn)], axis=1)


@inner_kernel
def is_inside(tree, point, directions, at, side, stack, inverse, ray):
    """Whether most rays from a point leave the surface more often than they enter it."""
    votes = 0
    away = 1 + abs(point[0]) + abs(point[1]) + abs(point[2])
    for direction in range(len(directions)):
        for axis in range(3):
            ray[axis] = directions[direction, axis] * away
        left = 0
        for k in range(crossings(tree, point, ray, -1, at, side, stack, inverse)):
            left += 1 if side[k] < 0 else -1
        votes += left > 0
    return 2 * votes > len(directions)


@kernel
def tell_inside(tree, points, directions, found):
    """Fills `found`."""
    inverse, ray = np.empty(3), np.empty(3)
    at, side, stack = np.empty(ENDS), np.empty(ENDS, np.int64), np.empty(128, np.int64)
    for point in range(len(points)):
        found[point] = is_inside(tree, points[point], directions, at, side, stack, inverse, ray)

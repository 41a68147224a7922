"""The closest point on a mesh's surface."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import inner_kernel, kernel
from posable.errors import SkinError
from posable.skin.binding.tree import box_tree
from posable.skin.mesh import Mesh
from posable.spatial import Array

_DEEP = 128  # nodes that wait at once: two a level


def nearest_on(mesh: Mesh, points: Array) -> tuple[NDArray[np.int64], Array]:
    """(corners `[point, 3]`, shares `[point, 3]`) of the closest point on the faces: point = Σ share × corner.

    Raises SkinError for a mesh without faces.
    """
    if not len(mesh.faces):
        raise SkinError(f"mesh {mesh.name!r} has no faces, so it has no closest point; pass a mesh with triangles")
    tree = box_tree(np.ascontiguousarray(mesh.vertices), mesh.faces)
    face = np.empty(len(points), np.int64)
    shares = np.empty((len(points), 3))
    _find(tree, np.ascontiguousarray(points, float), face, shares, np.empty(_DEEP, np.int64))
    return tree.faces[face].astype(np.int64), shares


@kernel
def _find(tree, points, found, shares, stack):
    """For each point the nearest face and the shares of its corners."""
    leaves = (tree.boxes.shape[0] + 1) // 2
    count = len(tree.faces)
    for i in range(len(points)):
        point = points[i]
        best, depth = np.inf, 1
        stack[0] = 0
        while depth > 0:
            depth -= 1
            node = stack[depth]
            if _to_box(tree.boxes, node, point) >= best:
                continue
            if node < leaves - 1:
                near, far = 2 * node + 1, 2 * node + 2
                if _to_box(tree.boxes, near, point) > _to_box(tree.boxes, far, point):
                    near, far = far, near
                stack[depth], stack[depth + 1] = far, near
                depth += 2
                continue
            k = node - leaves + 1
            for face in range(count * k // leaves, count * (k + 1) // leaves):
                u, v = _nearest_shares(tree, face, point)
                square = 0.0
                for axis in range(3):
                    place = tree.corner[face, axis] + u * tree.edge_1[face, axis] + v * tree.edge_2[face, axis]
                    square += (place - point[axis]) ** 2
                if square < best:
                    best, found[i] = square, face
                    shares[i, 0], shares[i, 1], shares[i, 2] = 1 - u - v, u, v


@inner_kernel
def _to_box(boxes, node, point):
    """The squared distance from a point to a box."""
    square = 0.0
    for axis in range(3):
        out = max(boxes[node, axis] - point[axis], point[axis] - boxes[node, 3 + axis], 0.0)
        square += out * out
    return square


@inner_kernel
def _nearest_shares(tree, face, point):
    """(u, v) of the point corner + u edge_1 + v edge_2 of a triangle closest to the given point (Ericson 2005)."""
    aa = ab = bb = da = db = 0.0
    for axis in range(3):
        a, b, d = tree.edge_1[face, axis], tree.edge_2[face, axis], point[axis] - tree.corner[face, axis]
        aa, ab, bb, da, db = aa + a * a, ab + a * b, bb + b * b, da + a * d, db + b * d
    area = aa * bb - ab * ab
    if area > 1e-14 * aa * bb:
        u, v = (bb * da - ab * db) / area, (aa * db - ab * da) / area
        if u >= 0 and v >= 0 and u + v <= 1:
            return u, v
    on_a, on_b = _part(da, aa), _part(db, bb)
    long = aa - 2 * ab + bb
    on_c = _part(db - da - ab + aa, long)
    first = aa * on_a * on_a - 2 * on_a * da
    second = bb * on_b * on_b - 2 * on_b * db
    u, v = 1 - on_c, on_c
    third = aa * u * u + 2 * ab * u * v + bb * v * v - 2 * (u * da + v * db)
    if first <= second and first <= third:
        return on_a, 0.0
    if second <= third:
        return 0.0, on_b
    return u, v


@inner_kernel
def _part(along, square):
    """How far along an edge, within it; a point for an edge of no length."""
    return min(max(along / square, 0.0), 1.0) if square > 0 else 0.0

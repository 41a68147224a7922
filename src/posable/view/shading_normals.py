"""Which corners of a mesh shade as one: smooth where it is, sharp at creases, blind to the seams of textures."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import kernel
from posable.spatial import normalized

CREASE = math.radians(50)
"""Faces that meet at more than this shade apart, where a mesh brings no normals of its own."""
_SAME_NORMAL = 0.97  # cosine: an exporter's two normals of one corner are this near


def split_at_creases(
    vertices: NDArray[np.float32], faces: NDArray[np.int32], normals: NDArray[np.float32] | None = None
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """A mesh prepared for shading: `origins [drawn]`, `groups [drawn]` and `drawn_faces [face, 3]`.

    A drawn vertex is a mesh vertex as seen from one smooth patch: `vertices[origins]` are their positions; those
    of one group share one normal. `normals` at the vertices decide what is smooth if given, else the angle between
    faces.
    """
    if not len(faces):
        return np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros((0, 3), np.int32)
    place = _welded(vertices)
    group = _patches(vertices, faces, place, normals)
    pairs, drawn = np.unique(group.astype(np.int64) * len(vertices) + faces.ravel(), return_inverse=True)
    origins, groups = pairs % len(vertices), pairs // len(vertices)
    return origins.astype(np.int32), groups.astype(np.int32), drawn.reshape(-1, 3).astype(np.int32)


def _welded(vertices: NDArray[np.float32]) -> NDArray[np.int64]:
    """`[vertex]`: one number for all coincident vertices (to a millionth of the mesh)."""
    size = float(np.ptp(vertices, axis=0).max()) or 1.0
    cells = np.round((vertices - vertices.min(axis=0)) / size * 1e6).astype(np.int64)
    return np.unique(cells @ np.array([1, 2_000_003, 2_000_003**2]), return_inverse=True)[1].ravel()


def _patches(
    vertices: NDArray[np.float32],
    faces: NDArray[np.int32],
    place: NDArray[np.int64],
    normals: NDArray[np.float32] | None,
) -> NDArray[np.int32]:
    """`[face × 3]`: the smooth patch of each corner: corners joined across the edges that do not crease."""
    ends = np.stack([faces, np.roll(faces, -1, axis=1)], axis=-1).reshape(-1, 2)  # edge of corner c: from c to the next
    corners = np.arange(faces.size).reshape(-1, 3)
    corner_ends = np.stack([corners, np.roll(corners, -1, axis=1)], axis=-1).reshape(-1, 2)
    first, second = place[ends].T
    swap = first > second
    corner_ends[swap] = corner_ends[swap, ::-1]
    edge = np.minimum(first, second) * len(vertices) + np.maximum(first, second)
    order = np.argsort(edge)
    same = edge[order[1:]] == edge[order[:-1]]
    a, b = order[:-1][same], order[1:][same]
    one, other = corner_ends[a].ravel(), corner_ends[b].ravel()
    if normals is None:
        of_face = _face_normals(vertices, faces)
        smooth = np.repeat(_agree(of_face[a // 3], of_face[b // 3], math.cos(CREASE)), 2)
    else:
        smooth = _agree(normals[faces.ravel()[one]], normals[faces.ravel()[other]], _SAME_NORMAL)
    one, other = one[smooth], other[smooth]
    return _joined(np.arange(faces.size, dtype=np.int32), one, other)


@kernel
def _joined(first, one, other):
    """`[item]`: the same number for all that the links one[k] — other[k] join (union by path halving, Tarjan 1975)."""
    for k in range(one.shape[0]):
        a, b = one[k], other[k]
        while first[a] != a:
            first[a] = first[first[a]]
            a = first[a]
        while first[b] != b:
            first[b] = first[first[b]]
            b = first[b]
        first[max(a, b)] = min(a, b)
    for k in range(first.shape[0]):
        first[k] = first[first[k]]  # links lead downwards, so the one before is at its end already
    return first


def _face_normals(vertices: NDArray[np.float32], faces: NDArray[np.int32]) -> NDArray[np.float32]:
    a, b, c = (vertices[faces[:, k]].astype(float) for k in range(3))
    return normalized(np.cross(b - a, c - a)).astype(np.float32)


def _agree(one: NDArray[np.float32], other: NDArray[np.float32], cosine: float) -> NDArray[np.bool_]:
    """Whether two normals point alike; a normal of length 0 (a face of no area) agrees with all."""
    dot = np.einsum("ij,ij->i", one, other)
    return (dot >= cosine) | (dot == 0) & ((one == 0).all(axis=1) | (other == 0).all(axis=1))

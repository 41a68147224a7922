"""Centres of rotation of the vertices, computed once from the weights (Le and Hodgins 2016).

The centre of vertex p is the mean of the surface, weighed by how alike its weights are to p's:

    Σₜ s(p, t) aₜ cₜ / Σₜ s(p, t) aₜ,   s(p, t) = Σ_{j<k} pⱼ pₖ tⱼ tₖ exp(−(pⱼ tₖ − pₖ tⱼ)² / σ²)

over triangles t of area a and centroid c, weights being the mean of their corners'. Only triangles that follow both of
two joints count for that pair, and those with nearly the same two weights are taken together.
"""

from __future__ import annotations

from math import exp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import kernel
from posable.compiled.threads import cores, in_threads
from posable.skin.mesh import Mesh
from posable.spatial import Array

_SIGMA = 0.1  # the paper's width of what counts as alike
_BINS = 64  # of one weight: a tenth of σ and less


def centers_of_rotation(mesh: Mesh, joints: NDArray[Any], weights: NDArray[np.float32]) -> Array:
    """`[vertex, 3]`: centres of rotation; a vertex that follows one joint alone is its own.

    joints, weights: `[vertex, influence]`.
    """
    by_vertex = _sparse(joints, weights)
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    areas, centroids = 0.5 * np.linalg.norm(mesh.face_normals, axis=1), (a + b + c) / 3
    by_face: Any = sum(by_vertex[mesh.faces[:, k]] for k in range(3)) / 3
    near, size = np.zeros((len(mesh.vertices), 3)), np.zeros(len(mesh.vertices))
    of_vertices, of_faces = by_vertex.tocsc(), by_face.tocsc()
    shared = (by_vertex.T @ by_vertex).tocoo()
    for j, k in zip(*shared.coords, strict=True):
        if j < k:
            rows, own = _common(of_vertices, j, k)
            faces, theirs = _common(of_faces, j, k)
            bins = _binned(theirs, areas[faces], centroids[faces])
            _gather_shared(own, bins, rows, near, size)
    found = size > 1e-30 * mesh.diagonal**2
    return np.where(found[:, None], near / np.where(found, size, 1.0)[:, None], mesh.vertices)


def _sparse(joints: NDArray[Any], weights: NDArray[np.float32]) -> Any:
    from scipy.sparse import csr_array

    count, influences = joints.shape
    starts = np.arange(0, count * influences + 1, influences)
    shape = (count, int(joints.max(initial=0)) + 1)
    matrix = csr_array((weights.ravel().astype(float), joints.ravel().astype(np.int32), starts), shape=shape)
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    return matrix


def _common(matrix: Any, j: int, k: int) -> tuple[NDArray[np.int64], Array]:
    """Rows where columns j and k both are, and their two entries `[row, 2]`."""
    spans = [slice(matrix.indptr[i], matrix.indptr[i + 1]) for i in (j, k)]
    rows, first, second = np.intersect1d(
        *(matrix.indices[span] for span in spans), assume_unique=True, return_indices=True
    )
    both = np.stack([matrix.data[spans[0]][first], matrix.data[spans[1]][second]], axis=1)
    return rows.astype(np.int64), both


def _binned(weights: Array, areas: Array, centroids: Array) -> Array:
    """Triangles with nearly the same two weights taken together: `[bin, 6]` mean weights, area, area × centroid."""
    cells = np.minimum((weights * _BINS).astype(np.int64), _BINS - 1)
    _, number = np.unique(cells[:, 0] * _BINS + cells[:, 1], return_inverse=True)
    sums = np.zeros((int(number.max(initial=-1)) + 1, 6))
    np.add.at(sums, number, np.column_stack([weights, np.ones(len(areas)), centroids]) * areas[:, None])
    sums = sums[sums[:, 2] > 0]
    sums[:, :2] /= sums[:, 2:3]
    return sums


def _gather_shared(own: Array, bins: Array, rows: NDArray[np.int64], near: Array, size: Array) -> None:
    threads = min(cores(), 1 + len(own) * len(bins) // 1_000_000)
    in_threads(lambda part: _gather(own[part], bins, rows[part], near, size, _SIGMA), len(own), threads, threads)


@kernel
def _gather(own, bins, rows, near, size, sigma):
    """Add what one pair of joints gives to `near [vertex, 3]`, Σ s a c, and `size [vertex]`, Σ s a."""
    for i in range(own.shape[0]):
        v, wj, wk = rows[i], own[i, 0], own[i, 1]
        for b in range(bins.shape[0]):
            tj, tk = bins[b, 0], bins[b, 1]
            apart = (wj * tk - wk * tj) / sigma
            alike = wj * wk * tj * tk * exp(-apart * apart)
            size[v] += alike * bins[b, 2]
            for c in range(3):
                near[v, c] += alike * bins[b, 3 + c]

"""Compiled skin blending, and the centres of rotation for it (Le and Hodgins 2016).

Influences come strongest first, so that the first is the pivot to which the signs of dual quaternions are aligned.

The centre of vertex p is the mean of the surface, weighed by how alike its weights are to p's:

    Σₜ s(p, t) aₜ cₜ / Σₜ s(p, t) aₜ,   s(p, t) = Σ_{j<k} pⱼ pₖ tⱼ tₖ exp(−(pⱼ tₖ − pₖ tⱼ)² / σ²)

over triangles t of area a and centroid c, weights being the mean of their corners'. Only triangles that follow both of
two joints count for that pair, and those with nearly the same two weights are taken together.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import inner_kernel, kernel, lean_kernel
from posable.compiled.simd_float import carried, dual_at, entries, matrix_at, moved, plus_scaled, scaled
from posable.compiled.threads import cores, in_threads
from posable.skin.mesh import Mesh
from posable.spatial import Array
from posable.spatial.kernels import cross, wxyz_of_rotation


@lean_kernel
def fill_columns(world, bind, used, out):
    """`world [pose, joint, 4, 4]` times `bind [joint, 4, 4]` of the `used` joints → `out [pose, 16 × used]`."""
    for p in range(world.shape[0]):
        for u in range(used.shape[0]):
            j = used[u]
            for c in range(4):
                for r in range(3):
                    sum_ = world[p, j, r, 3] if c == 3 else 0.0
                    for k in range(3):
                        sum_ += world[p, j, r, k] * bind[j, k, c]
                    out[p, 16 * u + 4 * c + r] = sum_
                out[p, 16 * u + 4 * c + 3] = 0.0


@lean_kernel
def fill_duals(world, bind, used, out):
    """The same of rigid `bind`, as dual quaternions: `out [pose, 8 × used]`, q and ½ t q."""
    for p in range(world.shape[0]):
        for u in range(used.shape[0]):
            j = used[u]
            a, b = world[p, j], bind[j]
            turn = (
                a[0, 0] * b[0, 0] + a[0, 1] * b[1, 0] + a[0, 2] * b[2, 0],
                a[0, 0] * b[0, 1] + a[0, 1] * b[1, 1] + a[0, 2] * b[2, 1],
                a[0, 0] * b[0, 2] + a[0, 1] * b[1, 2] + a[0, 2] * b[2, 2],
                a[1, 0] * b[0, 0] + a[1, 1] * b[1, 0] + a[1, 2] * b[2, 0],
                a[1, 0] * b[0, 1] + a[1, 1] * b[1, 1] + a[1, 2] * b[2, 1],
                a[1, 0] * b[0, 2] + a[1, 1] * b[1, 2] + a[1, 2] * b[2, 2],
                a[2, 0] * b[0, 0] + a[2, 1] * b[1, 0] + a[2, 2] * b[2, 0],
                a[2, 0] * b[0, 1] + a[2, 1] * b[1, 1] + a[2, 2] * b[2, 1],
                a[2, 0] * b[0, 2] + a[2, 1] * b[1, 2] + a[2, 2] * b[2, 2],
            )
            x = a[0, 0] * b[0, 3] + a[0, 1] * b[1, 3] + a[0, 2] * b[2, 3] + a[0, 3]
            y = a[1, 0] * b[0, 3] + a[1, 1] * b[1, 3] + a[1, 2] * b[2, 3] + a[1, 3]
            z = a[2, 0] * b[0, 3] + a[2, 1] * b[1, 3] + a[2, 2] * b[2, 3] + a[2, 3]
            q, i, j, k = wxyz_of_rotation(turn)
            first = 8 * u
            out[p, first], out[p, first + 1], out[p, first + 2], out[p, first + 3] = q, i, j, k
            out[p, first + 4] = -0.5 * (x * i + y * j + z * k)
            out[p, first + 5] = 0.5 * (x * q + y * k - z * j)
            out[p, first + 6] = 0.5 * (y * q + z * i - x * k)
            out[p, first + 7] = 0.5 * (z * q + x * j - y * i)


@inner_kernel
def fill_signs(duals, p, signs):
    """`signs [joint, joint]`: -1 where two joints' quaternions point away from each other (q and −q are the same
    rotation).
    """
    for i in range(signs.shape[0]):
        for j in range(signs.shape[1]):
            dot = duals[p, 8 * i] * duals[p, 8 * j]
            for k in range(1, 4):
                dot += duals[p, 8 * i + k] * duals[p, 8 * j + k]
            signs[i, j] = -1.0 if dot < 0 else 1.0


@inner_kernel
def matrix_sum(columns, p, joints, weights, v):
    """Σ wₖ Mₖ of one vertex."""
    total = scaled(weights[v, 0], matrix_at(columns, p, joints[v, 0]))
    for k in range(1, joints.shape[1]):
        total = plus_scaled(total, weights[v, k], matrix_at(columns, p, joints[v, k]))
    return total


@inner_kernel
def dual_sum(duals, signs, p, joints, weights, v):
    """Σ ±wₖ qₖ of one vertex, each aligned to the first."""
    pivot = joints[v, 0]
    total = scaled(weights[v, 0], dual_at(duals, p, pivot))
    for k in range(1, joints.shape[1]):
        j = joints[v, k]
        total = plus_scaled(total, weights[v, k] * signs[pivot, j], dual_at(duals, p, j))
    return total


@lean_kernel
def blend_linear(vertices, joints, weights, columns, out):
    """v' = (Σ wₖ Mₖ) v, `out [pose, vertex, 3]`."""
    for p in range(columns.shape[0]):
        for v in range(vertices.shape[0]):
            total = matrix_sum(columns, p, joints, weights, v)
            out[p, v, 0], out[p, v, 1], out[p, v, 2] = moved(total, vertices[v, 0], vertices[v, 1], vertices[v, 2])


@lean_kernel
def blend_dual(vertices, joints, weights, duals, signs, out):
    """v' = the point carried by Σ ±wₖ qₖ (Kavan et al. 2008). `signs [joint, joint]` is scratch."""
    for p in range(duals.shape[0]):
        fill_signs(duals, p, signs)
        for v in range(vertices.shape[0]):
            total = dual_sum(duals, signs, p, joints, weights, v)
            out[p, v, 0], out[p, v, 1], out[p, v, 2] = carried(total, vertices[v, 0], vertices[v, 1], vertices[v, 2])


@lean_kernel
def blend_about_centers(offsets, centers, joints, weights, columns, duals, signs, out):
    """v' = R o + (Σ wₖ Mₖ) c, R of Σ ±wₖ qₖ (Le and Hodgins 2016): `centers` c of rotation, `offsets` o from them."""
    for p in range(duals.shape[0]):
        fill_signs(duals, p, signs)
        for v in range(offsets.shape[0]):
            total = matrix_sum(columns, p, joints, weights, v)
            x, y, z = moved(total, centers[v, 0], centers[v, 1], centers[v, 2])
            a, b, c = turned(
                entries(dual_sum(duals, signs, p, joints, weights, v)), offsets[v, 0], offsets[v, 1], offsets[v, 2]
            )
            out[p, v, 0], out[p, v, 1], out[p, v, 2] = x + a, y + b, z + c


@lean_kernel
def normals_linear(normals, joints, weights, columns, out):
    """Normals of the linear blend: the cofactors of Σ wₖ Mₖ, made unit. `out [pose, vertex, 3]`."""
    for p in range(columns.shape[0]):
        for v in range(normals.shape[0]):
            m = entries(matrix_sum(columns, p, joints, weights, v))
            x, y, z = normals[v, 0], normals[v, 1], normals[v, 2]
            ax, ay, az = cross(m[4], m[5], m[6], m[8], m[9], m[10])
            bx, by, bz = cross(m[8], m[9], m[10], m[0], m[1], m[2])
            cx, cy, cz = cross(m[0], m[1], m[2], m[4], m[5], m[6])
            if m[0] * ax + m[1] * ay + m[2] * az < 0:  # a mirrored matrix
                x, y, z = -x, -y, -z
            out[p, v, 0], out[p, v, 1], out[p, v, 2] = unit(
                ax * x + bx * y + cx * z, ay * x + by * y + cy * z, az * x + bz * y + cz * z
            )


@lean_kernel
def normals_dual(normals, joints, weights, duals, signs, out):
    """Normals turned by the rotation of Σ ±wₖ qₖ. `out [pose, vertex, 3]`."""
    for p in range(duals.shape[0]):
        fill_signs(duals, p, signs)
        for v in range(normals.shape[0]):
            total = entries(dual_sum(duals, signs, p, joints, weights, v))
            out[p, v, 0], out[p, v, 1], out[p, v, 2] = turned(total, normals[v, 0], normals[v, 1], normals[v, 2])


@inner_kernel
def turned(dual, x, y, z):
    """A vector turned by the rotation of a dual quaternion of any length: v + 2 r × (r × v + w v) / |q|²."""
    w, i, j, k = dual[0], dual[1], dual[2], dual[3]
    a, b, c = j * z - k * y + w * x, k * x - i * z + w * y, i * y - j * x + w * z
    twice = np.float32(2.0) / (w * w + i * i + j * j + k * k)
    return x + twice * (j * c - k * b), y + twice * (k * a - i * c), z + twice * (i * b - j * a)


@inner_kernel
def unit(x, y, z):
    """The vector made unit; one of no length stays."""
    length = sqrt(x * x + y * y + z * z)
    if length == 0:
        return x, y, z
    return x / length, y / length, z / length


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

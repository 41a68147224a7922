"""Direct delta mush: a linear blend smoothed over the surface, with its detail rotated back (Le and Lewis 2019, v0).

Smoothing the deformed surface and rotating the lost detail is precomputed: every vertex keeps, for each joint
near by, the moments of the rest surface that the smoothing would mix into it,

    Ψᵢⱼ = Σₖ bᵢₖ wₖⱼ [u uᵀ, u; uᵀ, 1],   u = vₖ − vᵢ,

b the smoothing and w the weights. In a pose Σⱼ Mⱼ Ψᵢⱼ gives the moved surface's mean and, by its nearest rotation, how
the detail rotates. Weights that are stiff or torn come out smooth.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import inner_kernel, lean_kernel
from posable.compiled.simd_float import DUAL, entries, matrix_at, moved
from posable.skin.blend_kernels import turned
from posable.skin.mesh import Mesh, edges, smoothing_step
from posable.spatial import Array
from posable.spatial.kernels import cross, exp_wxyz, multiply_wxyz, rotation_of_wxyz

_REACH = 0.02  # of the mesh's diagonal: over about so far the surface is smoothed
_FEWEST, _MOST = 5, 100  # smoothing steps
_INFLUENCES = 8
_LEAST = 1e-3  # a share of a vertex's mean that is left out
_FLAT = 1e-2  # of an edge's square: where the nearby surface is degenerate, the linear blend's rotation counts

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Mush:
    """moments: `[vertex, influence, 10]`: 1, u, and u uᵀ's xx xy xz yy yz zz. joints: numbers among the used ones.

    vertices, means: `[vertex, 3]` at rest, and Σ u, stretched as the vertex is. flat: the weight of the linear
    rotation.
    """

    moments: Floats
    joints: NDArray[Any]
    vertices: Floats
    sums: Floats
    means: Floats
    flat: float

    @classmethod
    def of(cls, mesh: Mesh, joints: NDArray[Any], weights: Floats, stretches: Array) -> Mush:
        """Work out the moments of a mesh with `joints`, `weights` `[vertex, influence]`."""
        first = np.unique(mesh.welded, return_index=True)[1][mesh.welded]
        start, end = edges(len(first), first[mesh.faces])
        long = np.linalg.norm(mesh.vertices[start] - mesh.vertices[end], axis=1)
        edge = float(long.mean()) if len(long) else 1.0
        steps = int(np.clip(2 * (_REACH * mesh.diagonal / edge) ** 2, _FEWEST, _MOST))  # each spreads by edge²/2
        smoothing = smoothing_step(len(first), start, end)[first]  # a doubled vertex has its first one's row
        moments, near = _moments(mesh, smoothing, joints, weights, steps)
        sums = moments[:, :, 1:4].sum(axis=1)
        return cls(
            moments.astype(np.float32),
            near.astype(joints.dtype),
            mesh.vertices.astype(np.float32),
            sums.astype(np.float32),
            np.einsum("vij,vj->vi", stretches, sums).astype(np.float32),
            _FLAT * edge**2,
        )

    def places(self, columns: Floats, duals: Floats, out: Floats) -> None:
        """Fill `out [pose, vertex, 3]` with the vertices."""
        _mush(self.moments, self.joints, self.vertices, self.sums, self.means, self.flat, columns, duals, False, out)

    def normals(self, columns: Floats, duals: Floats, normals: Floats, out: Floats) -> None:
        """Fill `out [pose, vertex, 3]` with the rest `normals`, turned."""
        _mush(self.moments, self.joints, self.vertices, self.sums, normals, self.flat, columns, duals, True, out)


def _moments(
    mesh: Mesh, smoothing: Any, joints: NDArray[Any], weights: Floats, steps: int
) -> tuple[Array, NDArray[np.int64]]:
    """Moments `[vertex, influence, 10]` about each vertex, whose firsts sum to 1, and joints `[vertex, influence]`."""
    places = mesh.vertices - mesh.vertices.mean(axis=0)
    raw = np.column_stack([np.ones(len(places)), places, _products(places, places)])
    found = []
    for joint in range(int(joints.max(initial=0)) + 1):
        own = np.where(joints == joint, weights, 0).sum(axis=1, dtype=float)
        reach = own
        for _ in range(steps):
            reach = smoothing @ reach
        near = np.flatnonzero((reach > 0) | (own > 0))
        part, sums = smoothing[near][:, near], own[near, None] * raw[near]
        for _ in range(steps):
            sums = part @ sums
        kept = sums[:, 0] >= _LEAST
        found.append((near[kept], np.full(kept.sum(), joint), sums[kept]))
    rows, numbers, sums = (np.concatenate(column) for column in zip(*found, strict=True))
    return _strongest(rows, numbers, sums, places)


def _products(a: Array, b: Array) -> Array:
    """The symmetric part of a bᵀ of rows of three: xx xy xz yy yz zz."""
    pairs = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
    return np.stack([0.5 * (a[:, i] * b[:, j] + a[:, j] * b[:, i]) for i, j in pairs], axis=1)


def _strongest(
    rows: NDArray[np.int64], numbers: NDArray[np.int64], sums: Array, places: Array
) -> tuple[Array, NDArray[np.int64]]:
    """The strongest joints of every vertex, their moments moved from the middle of the mesh to the vertex."""
    order = np.lexsort((-sums[:, 0], rows))
    rows, numbers, sums = rows[order], numbers[order], sums[order]
    rank = np.arange(len(rows)) - np.searchsorted(rows, rows)
    kept = rank < _INFLUENCES
    rows, numbers, sums, rank = rows[kept], numbers[kept], sums[kept], rank[kept]
    sums = sums / np.bincount(rows, sums[:, 0], len(places))[rows, None]
    v, one = places[rows], sums[:, :1]
    sums[:, 4:] += one * _products(v, v) - 2 * _products(sums[:, 1:4], v)
    sums[:, 1:4] -= one * v
    moments = np.zeros((len(places), int(rank.max(initial=0)) + 1, 10))
    joints = np.zeros(moments.shape[:2], np.int64)
    moments[rows, rank], joints[rows, rank] = sums, numbers
    return moments, joints


@lean_kernel
def _mush(moments, joints, vertices, sums, rest, flat, columns, duals, normals, out):
    """Positions, or rotated `normals`: `rest` is the stretched Σ u, or the rest normals."""
    for p in range(columns.shape[0]):
        for v in range(vertices.shape[0]):
            x, y, z = vertices[v, 0], vertices[v, 1], vertices[v, 2]
            q = sums[v, 0], sums[v, 1], sums[v, 2]
            base = moved(matrix_at(columns, p, joints[v, 0]), x, y, z)
            place, spread = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
            for k in range(joints.shape[1]):
                s = moments[v, k]
                if s[0] > 0:
                    matrix = matrix_at(columns, p, joints[v, k])
                    m, b = entries(matrix), moved(matrix, x, y, z)
                    b = b[0] - base[0], b[1] - base[1], b[2] - base[2]
                    place, spread = _mixed(place, spread, m, b, s, q, flat)
            turn = _nearest_turn(spread, duals, p, joints[v, 0])
            a, b, c = turned(turn, rest[v, 0], rest[v, 1], rest[v, 2])
            if normals:
                out[p, v, 0], out[p, v, 1], out[p, v, 2] = a, b, c
            else:
                out[p, v, 0] = base[0] + place[0] - a
                out[p, v, 1] = base[1] + place[1] - b
                out[p, v, 2] = base[2] + place[2] - c


@inner_kernel
def _mixed(place, spread, m, b, s, q, flat):
    """Add one joint's part: to the mean position A s₁ + s₀ b, and to the spread A (S + s₀ flat) + b s₁ᵀ − part qᵀ."""
    extra = s[0] * flat
    c0 = s[4] + extra, s[5], s[6]
    c1 = s[5], s[7] + extra, s[8]
    c2 = s[6], s[8], s[9] + extra
    t0, t1, t2 = _row(0, m, b[0], s), _row(1, m, b[1], s), _row(2, m, b[2], s)
    return (place[0] + t0, place[1] + t1, place[2] + t2), (
        spread[0] + _along(0, m, c0) + b[0] * s[1] - t0 * q[0],
        spread[1] + _along(0, m, c1) + b[0] * s[2] - t0 * q[1],
        spread[2] + _along(0, m, c2) + b[0] * s[3] - t0 * q[2],
        spread[3] + _along(1, m, c0) + b[1] * s[1] - t1 * q[0],
        spread[4] + _along(1, m, c1) + b[1] * s[2] - t1 * q[1],
        spread[5] + _along(1, m, c2) + b[1] * s[3] - t1 * q[2],
        spread[6] + _along(2, m, c0) + b[2] * s[1] - t2 * q[0],
        spread[7] + _along(2, m, c1) + b[2] * s[2] - t2 * q[1],
        spread[8] + _along(2, m, c2) + b[2] * s[3] - t2 * q[2],
    )


@inner_kernel
def _along(row, m, c):
    """One row of the matrix in columns of four, times a vector."""
    return m[row] * c[0] + m[4 + row] * c[1] + m[8 + row] * c[2]


@inner_kernel
def _row(row, m, b, s):
    return m[row] * s[1] + m[4 + row] * s[2] + m[8 + row] * s[3] + b * s[0]


@inner_kernel
def _nearest_turn(a, duals, p, joint):
    """The rotation nearest to the matrix `a` (row by row), from a joint's own on (Müller et al. 2016): a quaternion.

    Each step rotates the axes rᵢ of the rotation towards the columns aᵢ by Σ rᵢ × aᵢ / |Σ rᵢ · aᵢ|.
    """
    first = DUAL * joint
    q = 1.0 * duals[p, first], 1.0 * duals[p, first + 1], 1.0 * duals[p, first + 2], 1.0 * duals[p, first + 3]
    for _ in range(30):
        r = rotation_of_wxyz(q[0], q[1], q[2], q[3])
        along = r[0] * a[0] + r[3] * a[3] + r[6] * a[6] + r[1] * a[1] + r[4] * a[4] + r[7] * a[7]
        along += r[2] * a[2] + r[5] * a[5] + r[8] * a[8]
        x0, y0, z0 = cross(r[0], r[3], r[6], a[0], a[3], a[6])
        x1, y1, z1 = cross(r[1], r[4], r[7], a[1], a[4], a[7])
        x2, y2, z2 = cross(r[2], r[5], r[8], a[2], a[5], a[8])
        size = abs(along) + 1e-30
        x, y, z = (x0 + x1 + x2) / size, (y0 + y1 + y2) / size, (z0 + z1 + z2) / size
        w, i, j, k = exp_wxyz(x, y, z)
        q = multiply_wxyz(w, i, j, k, q[0], q[1], q[2], q[3])
        if sqrt(x * x + y * y + z * z) < 1e-6:
            break
    return q

"""A triangle mesh in its rest pose, not yet bound to anything; its edges, and the smoothing of values on it."""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from posable.errors import SkinError, refuse_masked
from posable.spatial import Array, normalized

if TYPE_CHECKING:
    from scipy.sparse import csr_array


Indices = NDArray[np.int64]
_SAME = 1e-5  # of the mesh's size: vertices as near to one another are one


@dataclass(frozen=True, eq=False)
class Mesh:
    """A triangle mesh; it may be open, non-manifold or in several pieces.

    Args:
        vertices: Positions `[vertex, 3]`.
        faces: Vertex indices `[face, 3]`, counter-clockwise from outside.
        name: Name of the mesh.
        colors: `[vertex, 3]` sRGB 0 … 1, or None.
        up: The up axis, "y" or "z".

    Raises:
        SkinError: If the arrays do not match or a vertex is not finite.

    Example:
        >>> triangle = posable.Mesh(np.eye(3), [[0, 1, 2]])
    """

    vertices: Array
    faces: NDArray[np.int32]
    name: str = ""
    colors: NDArray[np.float32] | None = None
    up: str = "y"

    def __post_init__(self) -> None:
        object.__setattr__(self, "vertices", _rows(self.name, "vertices", self.vertices, np.float64))
        object.__setattr__(self, "faces", _rows(self.name, "faces", self.faces, np.int32))
        if self.colors is not None:
            object.__setattr__(self, "colors", _rows(self.name, "colors", self.colors, np.float32))
            if len(self.colors) != len(self.vertices):
                raise SkinError(
                    f"mesh {self.name!r}: {len(self.colors)} colors do not fit {len(self.vertices)} vertices"
                )
        if not np.isfinite(self.vertices).all():
            raise SkinError(f"mesh {self.name!r}: a vertex is not three finite numbers; export it again")
        if self.faces.size and not (self.faces.min() >= 0 and self.faces.max() < len(self.vertices)):
            raise SkinError(f"mesh {self.name!r}: a face names a vertex outside 0 … {len(self.vertices) - 1}")
        if self.up not in ("y", "z"):
            raise SkinError(f"mesh {self.name!r}: the up axis is 'y' or 'z', not {self.up!r}")

    def __repr__(self) -> str:
        return f"Mesh({self.name!r}, {len(self.vertices)} vertices, {len(self.faces)} faces)"

    @classmethod
    def of(cls, thing: Any) -> Mesh:
        """A mesh from a Mesh, a pair (vertices, faces), or any object with `.vertices` and `.faces` (a Skin, another
        library's mesh). Raises SkinError for anything else."""
        if isinstance(thing, Mesh):
            return thing
        if isinstance(thing, tuple):
            if len(thing) == 2:
                return cls(*thing)
        elif hasattr(thing, "vertices") and hasattr(thing, "faces"):
            return cls(thing.vertices, thing.faces, name=str(getattr(thing, "name", "") or ""))
        raise SkinError(
            f"{type(thing).__name__!r} is not a mesh; pass (vertices, faces), or read a file with posable.load_mesh"
        )

    def turned(self, up: str) -> Mesh:
        """The same mesh with this axis, "y" or "z", upright: y up (x, y, z) is z up (x, -z, y)."""
        if up == self.up:
            return self
        way = (1.0, -1.0, 1.0) if up == "z" else (1.0, 1.0, -1.0)
        return replace(self, vertices=self.vertices[:, [0, 2, 1]] * way, up=up)

    @cached_property
    def diagonal(self) -> float:
        """The length of the diagonal of the box around the faces, or the vertices without any: the mesh's size."""
        corners = self.vertices[np.unique(self.faces)] if len(self.faces) else self.vertices
        return float(np.linalg.norm(np.ptp(corners, axis=0))) if len(corners) else 0.0

    @cached_property
    def face_normals(self) -> Array:
        """`[face, 3]`: normals as long as twice each face's area."""
        a, b, c = (self.vertices[self.faces[:, k]] for k in range(3))
        return np.cross(b - a, c - a)

    @cached_property
    def normals(self) -> Array:
        """`[vertex, 3]` unit normals, faces weighing by their areas, over vertices that lie on one another as well; 0
        where no face is."""
        total = np.zeros((self.welded.max(initial=-1) + 1, 3))
        for k in range(3):
            np.add.at(total, self.welded[self.faces[:, k]], self.face_normals)
        return normalized(total)[self.welded]

    @cached_property
    def welded(self) -> Indices:
        """`[vertex]`: a number for each vertex, equal for coincident vertices.

        Files double vertices along seams of texture and shading; algorithms on the surface must not stop there.
        """
        return np.unique(self.vertices.astype(np.float32), axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)

    @cached_property
    def sewn(self) -> Indices:
        """`[vertex]`: as `welded`, and equal for vertices nearer to one another than a hundred-thousandth of the mesh's
        size: files move the two sides of a seam apart when they round.
        """
        from scipy.spatial import KDTree

        first = np.unique(self.welded, return_index=True)[1]
        pairs = KDTree(self.vertices[first]).query_pairs(_SAME * self.diagonal, output_type="ndarray")
        if not len(pairs):
            return self.welded
        return connected(len(first), pairs[:, 0], pairs[:, 1])[self.welded]

    @cached_property
    def pieces(self) -> Indices:
        """`[vertex]`: the connected piece each vertex belongs to, the largest first; faces that share a point are
        connected, also where it is doubled or nearly so.
        """
        corners = self.sewn[self.faces]
        rows, columns = corners[:, [0, 1]].reshape(-1), corners[:, [1, 2]].reshape(-1)
        labels = connected(int(self.sewn.max(initial=-1)) + 1, rows, columns)[self.sewn]
        order = np.argsort(-np.bincount(labels), kind="stable")
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        return rank[labels].astype(np.int64)


def read_only(thing: str, what: str, value: Any, kind: type) -> NDArray[Any]:
    """`value` as a contiguous read-only array; what a smaller `kind` cannot hold becomes infinite or an
    index out of range. Raises SkinError that names the `thing` and `what` of it.
    """
    refuse_masked(value, SkinError, f"{thing}: {what}")
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            array = np.ascontiguousarray(value, kind).view()
    except (TypeError, ValueError, OverflowError) as problem:
        raise SkinError(f"{thing}: {what} is not a regular array of numbers: {problem}") from problem
    array.setflags(write=False)
    return array


def _rows(name: str, what: str, value: Any, kind: type) -> NDArray[Any]:
    """Rows of three."""
    array = read_only(f"mesh {name!r}", what, value, kind)
    if array.ndim != 2 or array.shape[1] != 3:
        raise SkinError(f"mesh {name!r}: {what} has shape {array.shape}, not ({what}, 3)")
    return array


# Whole numbers that callers give, checked.


def whole(value: Any, what: str, least: int, most: float = math.inf) -> int:
    """`value` as a whole number, `least` … `most`. Raises SkinError that says `what` it should be."""
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if isinstance(value, bool) or not least <= number <= most:
        raise SkinError(f"{what}, not {value!r}")
    return number


def influence_count(influences: Any) -> int:
    """How many joints a vertex may follow. Raises SkinError for less than one."""
    return whole(influences, "influences is the most joints a vertex follows, at least 1", 1)


def connected(count: int, rows: NDArray[Any], columns: NDArray[Any]) -> Indices:
    """`[point]`: a number for each of `count` points, equal for those that the pairs (row, column) join."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(len(rows), np.int8), (rows, columns)), shape=(count, count))
    return connected_components(graph, directed=False)[1].astype(np.int64)


def edges(count: int, faces: NDArray[Any]) -> tuple[Indices, Indices]:
    """Both directions of every edge between two of `count` points, once: (from, to), in the order of the points."""
    ends = np.concatenate([faces[:, [k, (k + 1) % 3]] for k in range(3)]).astype(np.int64)
    ends = ends[ends[:, 0] != ends[:, 1]]
    key = np.unique(np.concatenate([ends[:, 0] * count + ends[:, 1], ends[:, 1] * count + ends[:, 0]]))
    return key // count, key % count


def smoothing_step(count: int, start: Indices, end: Indices) -> csr_array:
    """`[place, place]`: each point moves halfway to the mean of its neighbours; one without any stays.

    start, end: what `edges` says. Each row sums to 1.
    """
    from scipy.sparse import csr_array, diags_array

    beside = np.bincount(start, minlength=count)
    half = csr_array((0.5 / beside[start], (start, end)), shape=(count, count))
    return (half + diags_array(np.where(beside > 0, 0.5, 1.0))).tocsr()


def smoothed(weights: Array, faces: NDArray[np.int32], rounds: int) -> Array:
    """`weights [place, bone]` after `rounds`, in each of which a point moves halfway to the mean of its neighbours."""
    if not rounds:
        return weights
    step = smoothing_step(len(weights), *edges(len(weights), faces))
    for _ in range(rounds):
        weights = step @ weights
    return weights


def strongest(weights: Array, influences: int) -> tuple[Indices, NDArray[np.float32]]:
    """(columns, weights), both `[place, influence]`: the largest of each row, largest first, brought to sum 1."""
    order = np.argsort(-weights, axis=1, kind="stable")[:, :influences]
    kept = np.take_along_axis(weights, order, axis=1)
    kept = kept[:, : max(int((kept > 0).sum(axis=1).max(initial=0)), 1)]
    order = np.where(kept > 0, order[:, : kept.shape[1]], order[:, :1])  # what weighs nothing names no new joint
    return order, (kept / kept.sum(axis=1, keepdims=True)).astype(np.float32)

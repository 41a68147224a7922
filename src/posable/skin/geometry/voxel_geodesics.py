"""Shortest paths through a solid, from voxel to voxel."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.spatial import Array

Indices = NDArray[np.int64]
_STEPS = [(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if (x, y, z) > (0, 0, 0)]
NEIGHBOURS = np.ones((3, 3, 3), np.bool_)
"""Which voxels touch one another: those that share a face, an edge or a corner."""


class Ways:
    """The voxels of a solid and the steps between those that touch; lengths are in voxels.

    voxels: `[n, 3]`, in the order of their indices in the grid. number: `[x, y, z]` of each voxel, -1 outside.
    """

    def __init__(self, filled: NDArray[np.bool_]) -> None:
        from scipy.sparse import csr_array

        self.voxels: Indices = np.argwhere(filled)
        self.number = np.full(filled.shape, -1, np.int64)
        self.number[filled] = np.arange(len(self.voxels))
        around = np.pad(self.number, 1, constant_values=-1)
        starts, ends, lengths = [], [], []
        for step in _STEPS:
            beside = around[tuple(slice(1 + d, 1 + d + n) for d, n in zip(step, filled.shape, strict=True))]
            both = (self.number >= 0) & (beside >= 0)
            starts.append(self.number[both])
            ends.append(beside[both])
            lengths.append(np.full(int(both.sum()), np.sqrt(np.abs(step).sum())))
        pairs = (np.concatenate(starts), np.concatenate(ends))
        count = len(self.voxels)
        self._graph = csr_array((np.concatenate(lengths), pairs), shape=(count, count))

    def from_any(self, sources: Indices) -> Array:
        """`[n]`: how far each voxel is from the nearest of the voxels numbered `sources`; infinite if unreachable."""
        from scipy.sparse.csgraph import dijkstra

        return np.asarray(dijkstra(self._graph, directed=False, indices=sources, min_only=True))

    def from_one(self, source: int, limit: float = np.inf) -> tuple[Array, Indices]:
        """`[n]` how far each voxel is, up to `limit`, and `[n]` the voxel before it on its path from `source`."""
        from scipy.sparse.csgraph import dijkstra

        found: Any = dijkstra(self._graph, directed=False, indices=source, return_predecessors=True, limit=limit)
        return found[0], found[1].astype(np.int64)

    def part_at(self, chosen: Indices, at: int) -> Indices:
        """Of the voxels numbered `chosen`, those that hang together with the one numbered `at`."""
        from scipy.ndimage import label

        places = self.voxels[chosen]
        low = places.min(axis=0)
        box = np.zeros(np.ptp(places, axis=0) + 1, np.bool_)
        box[tuple((places - low).T)] = True
        labels: Any = label(box, NEIGHBOURS)
        marks = labels[0][tuple((places - low).T)]
        nearest = int(np.argmin(((places - self.voxels[at]) ** 2).sum(axis=1)))
        return chosen[marks == marks[nearest]]


def way_to(before: Indices, end: int) -> Indices:
    """The voxels from the source to `end`, from what `from_one` says comes before each."""
    way = [end]
    while before[way[-1]] >= 0:
        way.append(int(before[way[-1]]))
    return np.array(way[::-1], np.int64)


def middle_line(ways: Ways, source: int) -> tuple[Array, Array]:
    """(`[k, 3]` middles, `[k]` sizes) of what is equally far from voxel `source`, in steps of 1.5 voxels."""
    far = ways.from_any(np.array([source]))
    reached = np.isfinite(far)
    step = np.round(far[reached] / 1.5).astype(np.int64)
    count: Indices = np.bincount(step)
    used = np.flatnonzero(count)
    totals = np.zeros((len(count), 3))
    np.add.at(totals, step, ways.voxels[reached])
    return totals[used] / count[used, None], count[used] / 1.5


def joined(filled: NDArray[np.bool_], least: int) -> NDArray[np.bool_]:
    """The solid with its pieces of at least `least` voxels joined by lines of voxels, the nearest first.

    Smaller pieces are left out.
    """
    from scipy.ndimage import label
    from scipy.spatial import KDTree

    labels: Any = label(filled, NEIGHBOURS)[0]  # pyright: ignore[reportIndexIssue]
    sizes = np.bincount(labels.ravel())
    sizes[0] = 0
    order = [int(k) for k in np.argsort(-sizes, kind="stable") if sizes[k] >= least]
    pieces = {k: np.argwhere(labels == k) for k in order}
    if not pieces:
        return np.zeros_like(filled)
    out = labels == order[0]
    gaps = {k: (np.full(len(pieces[k]), np.inf), np.zeros((len(pieces[k]), 3), np.int64)) for k in order[1:]}
    last = order[0]
    while gaps:
        tree = KDTree(pieces[last])
        for k, (far, nearest) in gaps.items():
            distance, which = (np.asarray(one) for one in tree.query(pieces[k]))
            closer = distance < far
            far[closer], nearest[closer] = distance[closer], pieces[last][which[closer]]
        last = min(gaps, key=lambda k: gaps[k][0].min())
        far, nearest = gaps.pop(last)
        here = int(np.argmin(far))
        out[tuple(pieces[last].T)] = True
        _draw(out, pieces[last][here], nearest[here])
    return out


def _draw(filled: NDArray[np.bool_], start: Indices, end: Indices) -> None:
    count = int(np.abs(end - start).max()) + 1
    line = np.rint(np.linspace(start, end, count)).astype(np.int64)
    filled[tuple(line.T)] = True

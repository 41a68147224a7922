"""A limb felt from its tip: cross-sections at equal ways from the tip, until they open into the trunk."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posable.skin.geometry.ways import Indices, Ways, way_to
from posable.spatial import Array, normalized

_STEP = 1.0  # voxels between sections
_OPENING = 1.4  # times the limb's own section, from which on it is trunk


@dataclass(frozen=True, eq=False)
class Tube:
    """along: `[k]` way from the tip to each section, in voxels. centers: `[k, 3]` their middles. areas: `[k]`.

    opening: the section at which the limb becomes trunk. girth: the limb's usual section. voxels: `[voxel]` whether it
    belongs to the limb.
    """

    along: Array
    centers: Array
    areas: Array
    opening: int
    girth: float
    voxels: NDArray[np.bool_]

    @property
    def radius(self) -> float:
        """Of a circle as large as the limb's usual section."""
        return float(np.sqrt(self.girth / np.pi))

    @property
    def slenderness(self) -> float:
        """How long the limb is for its thickness: its length up to the opening over its radius."""
        return float(self.along[self.opening] / max(self.radius, 0.5))

    def direction(self) -> Array:
        """Unit vector along the limb's last third, towards the trunk."""
        first = int(0.6 * self.opening)
        line = self.centers[first : max(self.opening, first + 2)]
        return normalized(line[-1] - line[0])

    def at(self, way: float) -> Array:
        """The limb's axis at a way from the tip."""
        return np.array([np.interp(way, self.along, self.centers[:, k]) for k in range(3)])


def tube_from(ways: Ways, tip: int, sources: Indices, limit: float) -> Tube | None:
    """The limb that ends at voxel `tip`, followed to the nearest of `sources`; None where none is within `limit`."""
    distances, before = ways.from_one(tip, limit)
    nearest = int(sources[np.argmin(distances[sources])])
    length = float(distances[nearest])
    if not np.isfinite(length) or length < 6:
        return None
    path = way_to(before, nearest)
    along = np.arange(1.0, length, _STEP)
    order = np.argsort(distances, kind="stable")
    sorted_distances = distances[order]
    centers, areas = np.empty((len(along), 3)), np.empty(len(along))
    for k, way in enumerate(along):
        shell = order[np.searchsorted(sorted_distances, way - 0.75) : np.searchsorted(sorted_distances, way + 0.75)]
        on_path = int(path[np.argmin(np.abs(distances[path] - way))])
        section = ways.part_at(shell, on_path) if len(shell) else np.array([on_path])
        centers[k] = ways.voxels[section].mean(axis=0)
        areas[k] = len(section) / 1.5
    areas, centers = _smooth(areas), _smooth(centers)
    opening = _opening(areas)
    way_open = along[opening]
    start = _held(areas, centers, opening)
    areas, centers, along, opening = areas[start:], centers[start:], along[start:], opening - start
    girth = float(np.median(areas[int(0.3 * opening) : max(int(0.9 * opening), int(0.3 * opening) + 1)]))
    if start:
        along = along - along[0] + np.sqrt(areas[0] / np.pi)
        tip = centers[0] + along[0] * normalized(centers[0] - centers[max(opening // 3, 1)])
        along, centers, areas = np.r_[0.0, along], np.r_[[tip], centers], np.r_[0.0, areas]
        opening += 1
    else:
        along = along - along[0]
    return Tube(along, centers, areas, opening, girth, distances < way_open)


def _smooth(values: Array) -> Array:
    from scipy.ndimage import uniform_filter1d

    return uniform_filter1d(values, 3, axis=0, mode="nearest")


def _opening(areas: Array) -> int:
    """The first section past two fifths from which on all are much larger than those a little nearer to the tip."""
    first = int(0.4 * len(areas))
    limits = [_OPENING * np.median(areas[(3 * k) // 4 : (3 * k) // 4 + k // 5 + 1]) for k in range(len(areas))]
    small = np.flatnonzero(areas[first:] <= np.array(limits)[first:])
    return int(min(first + small[-1] + 1, len(areas) - 1)) if len(small) else first


def _held(areas: Array, centers: Array, opening: int) -> int:
    """The section at which the hand begins: what is thin, sticks out across the arm and ends in a fist is held."""
    arm = normalized(centers[int(0.75 * opening)] - centers[int(0.95 * opening)])
    for k in range(int(0.8 * opening), 2, -1):
        rod, fist = areas[:k], areas[k : k + max(3, opening // 8)]
        step = normalized(centers[0] - centers[k])
        if np.median(fist) > 2.5 * np.median(rod) and step @ arm < 0.5:
            return k
    return 0

"""Joints along the middle of a long thing: a snake, a tail, a tentacle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.errors import SkinError
from posable.skeleton import Joint, Skeleton
from posable.skin.fitting.body_parts import Body
from posable.skin.fitting.template import Evidence, Places, with_hints
from posable.skin.fitting.upright_voxels import Voxels
from posable.skin.solid import NEIGHBOURS, Indices, Solid, Ways, joined, middle_line, way_to
from posable.spatial import Array, normalized

JOINTS = 12
"""Default number of joints of a chain."""
_MOST = 500
_SWING, _TWIST = 50, 20  # degrees at each joint
_EVEN = 1.15  # times thicker than the other: from there on an end is the thick one


def chain_names(joints: int | None) -> tuple[str, ...]:
    """The joints' names from the root on, and "tip". Raises SkinError for a number that no chain can have."""
    count = JOINTS if joints is None else joints
    if isinstance(count, bool) or not isinstance(count, int) or not 2 <= count <= _MOST:
        raise SkinError(f"a chain has 2 to {_MOST} joints, not {joints!r}")
    return (*(f"segment_{k + 1}" for k in range(count)), "tip")


def find_chain(solid: Solid, up: str, names: tuple[str, ...], known: Places) -> tuple[Places, list[Evidence]]:
    """The positions of `names` along the solid's middle, in the mesh's frame, and the evidence.

    The root is at the thick end; of two alike, at the lower one; where a hint for either end is given, as that says.
    """
    filled = solid.inside | solid.surface
    whole = _largest_share(filled)
    ways = Ways(joined(filled, max(int(0.002 * filled.sum()), 1)))
    first = int(np.argmax(ways.from_any(np.array([0]))))
    line, areas = middle_line(ways, first)
    evidence = [*_evidence(_smooth(line), areas, ways.voxels.astype(np.float64), whole), _within(_smooth(line), filled)]
    line, areas = solid.origin + solid.size * _straight_ends(_smooth(line), areas), _smooth(areas)
    if _is_backward(line, areas, "xyz".index(up), known, names):
        line, areas = line[::-1], areas[::-1]
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    at = np.linspace(0.0, way[-1], len(names))
    spread = np.array([np.interp(at, way, line[:, k]) for k in range(3)]).T
    places = dict(zip(names, spread, strict=True))
    return with_hints(places, known, [names]), evidence


def chain_skeleton(places: Places, names: tuple[str, ...], up: str) -> Skeleton:
    """A free root and ball joints after it."""
    size = float(np.linalg.norm(places[names[-1]] - places[names[0]]))
    body = Body(places, np.eye(3), max(size, 1e-9))
    joints: list[Joint] = [body.free(names[0], ("root",))]
    for parent, name, end in zip(names, names[1:], names[2:], strict=False):
        tip = end if end == names[-1] else ""
        joints.append(body.ball(name, parent, body.towards(name, end), _SWING, (-_TWIST, _TWIST), tip=tip))
    return Skeleton(joints, up="y" if up == "y" else "z")


def _smooth(values: Array) -> Array:
    from scipy.ndimage import gaussian_filter1d

    return gaussian_filter1d(values, 1.5, axis=0, mode="nearest")


def _straight_ends(line: Array, areas: Array) -> Array:
    """The line with its ends, where it starts at an edge, in the direction that it has a radius further in."""
    out = line.copy()
    for order in (slice(None), slice(None, None, -1)):
        points, radius = out[order], np.sqrt(np.mean(areas[order][: max(len(areas) // 4, 1)]) / np.pi)
        way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
        first, second = np.searchsorted(way, (1.5 * radius, 3 * radius))
        if second < len(points) // 2:
            step = normalized(points[first] - points[second])
            points[:first] = points[first] + (way[first] - way[:first])[:, None] * step
    return out


def _is_backward(line: Array, areas: Array, up: int, known: Places, names: tuple[str, ...]) -> bool:
    for name, place in known.items():
        from_start, from_end = (np.linalg.norm(place - end) for end in (line[0], line[-1]))
        early = names.index(name) < len(names) / 2
        return bool(from_start > from_end) == early
    third = max(len(areas) // 3, 1)
    start, end = float(np.mean(areas[:third])), float(np.mean(areas[-third:]))
    if max(start, end) > _EVEN * min(start, end):
        return end > start
    return bool(line[-1, up] < line[0, up])


def _largest_share(filled: Voxels) -> float:
    """How much of the volume is in one piece."""
    from scipy.ndimage import label

    found: Any = label(filled, NEIGHBOURS)
    return float(np.bincount(found[0][filled])[1:].max() / filled.sum())


def _evidence(line: Array, areas: Array, voxels: Array, whole: float) -> list[Evidence]:
    from scipy.spatial import KDTree

    radius = max(float(np.sqrt(np.median(areas) / np.pi)), 0.5)
    slender = float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum()) / radius
    aside = float(np.percentile(KDTree(line).query(voxels)[0], 98)) / radius
    return [
        Evidence("it is not much longer than thick", float(np.clip((slender - 3) / 6, 0, 1)), 0.1),
        Evidence("it branches, or is much thicker in parts", float(np.clip(2.5 - aside / 2, 0, 1)), 0.2),
        Evidence("it is in several pieces, which are joined by guess", float(np.clip(2 * whole - 1, 0, 1)), 0.3),
    ]


def _within(line: Array, filled: Voxels) -> Evidence:
    """Whether the middle runs through what is filled: that of a bowl, a box or a ring stands in the air."""
    at = np.clip(np.rint(line).astype(int), 0, np.array(filled.shape) - 1)
    share = float(filled[tuple(at.T)].mean())
    doubt = "its middle is outside of it: it is hollow and open, or bent round"
    return Evidence(doubt, float(np.clip(2 * share - 1, 0, 1)), 0.2)


# Limb detection from the tip: cross-sections at equal distances, until they open into the trunk.


_STEP = 1.0  # voxels between sections
_STILL_THIN = 0.7  # of a fist's section: what is held is thinner where it leaves the fist
_OPENING = 1.4  # times the limb's own section, from which on it is trunk


@dataclass(frozen=True, eq=False)
class Tube:
    """along: `[k]` distance from the tip to each section, in voxels. centers: `[k, 3]` their middles. areas: `[k]`.

    opening: the section at which the limb becomes trunk. girth: the limb's usual section. roundness: 0 … 1, of its
    usual section: a plate has none. voxels: `[voxel]` whether it belongs to the limb. held: whether something held was
    left out at the tip.
    """

    along: Array
    centers: Array
    areas: Array
    opening: int
    girth: float
    roundness: float
    voxels: NDArray[np.bool_]
    held: bool = False

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
        """The limb's axis at a distance from the tip."""
        return np.array([np.interp(way, self.along, self.centers[:, k]) for k in range(3)])


def tube_from(ways: Ways, tip: int, sources: Indices, limit: float, *, holds: bool = True) -> Tube | None:
    """The limb that ends at voxel `tip`, followed to the nearest of `sources`; None where none is within `limit`.

    holds: whether it may hold something, which is then left out.
    """
    if not len(sources):
        return None
    distances, before = ways.from_one(tip, limit)
    nearest = int(sources[np.argmin(distances[sources])])
    length = float(distances[nearest])
    if not np.isfinite(length) or length < 6:
        return None
    path = way_to(before, nearest)
    along = np.arange(1.0, length, _STEP)
    order = np.argsort(distances, kind="stable")
    sorted_distances = distances[order]
    centers, areas, flat = np.empty((len(along), 3)), np.empty(len(along)), np.empty(len(along))
    for k, way in enumerate(along):
        shell = order[np.searchsorted(sorted_distances, way - 0.75) : np.searchsorted(sorted_distances, way + 0.75)]
        on_path = int(path[np.argmin(np.abs(distances[path] - way))])
        section = ways.part_at(shell, on_path) if len(shell) else np.array([on_path])
        centers[k] = ways.voxels[section].mean(axis=0)
        areas[k] = len(section) / 1.5
        flat[k] = _flatness(ways.voxels[section])
    areas, centers = _smooth_tube(areas), _smooth_tube(centers)
    opening = _opening(areas)
    way_open = along[opening]
    start = _held(areas, centers, opening) if holds else 0
    areas, centers, along, opening = areas[start:], centers[start:], along[start:], opening - start
    girth = float(np.median(areas[int(0.3 * opening) : max(int(0.9 * opening), int(0.3 * opening) + 1)]))
    if start:
        along = along - along[0] + np.sqrt(areas[0] / np.pi)
        tip = centers[0] + along[0] * normalized(centers[0] - centers[max(opening // 3, 1)])
        along, centers, areas = np.r_[0.0, along], np.r_[[tip], centers], np.r_[0.0, areas]
        opening += 1
    else:
        along = along - along[0]
    usual = float(np.median(flat[start + (opening // 3) : start + max(opening, opening // 3 + 1)]))
    return Tube(along, centers, areas, opening, girth, float(np.clip((4.5 - usual) / 2, 0.05, 1)), distances < way_open,
                start > 0)  # fmt: skip


def _flatness(section: Indices) -> float:
    """How many times wider than thick a section is, from 1 on; what bends round counts by its widest."""
    if len(section) < 6:
        return 1.0
    _, middle, widest = np.sqrt(np.maximum(np.linalg.eigvalsh(np.cov(section.T.astype(float))), 0.1))
    return float(widest / middle)


def _smooth_tube(values: Array) -> Array:
    from scipy.ndimage import uniform_filter1d

    return uniform_filter1d(values, 3, axis=0, mode="nearest")


def _opening(areas: Array) -> int:
    """The first section past two fifths from which on all are much larger than those a little nearer to the tip."""
    first = int(0.4 * len(areas))
    limits = [_OPENING * np.median(areas[(3 * k) // 4 : (3 * k) // 4 + k // 5 + 1]) for k in range(len(areas))]
    small = np.flatnonzero(areas[first:] <= np.array(limits)[first:])
    return int(min(first + small[-1] + 1, len(areas) - 1)) if len(small) else first


def _held(areas: Array, centers: Array, opening: int) -> int:
    """The section at which the hand begins: what is thin, sticks out across the arm and ends in a fist is held.

    It is thin up to the fist: past it, in the forearm, all that is nearer to the tip may be thin on average as well.
    """
    arm = normalized(centers[int(0.75 * opening)] - centers[int(0.95 * opening)])
    for k in range(int(0.8 * opening), 2, -1):
        rod, fist = areas[:k], areas[k : k + max(3, opening // 8)]
        step = normalized(centers[0] - centers[k])
        thin = np.median(fist) > 2.5 * np.median(rod) and rod[-1] < _STILL_THIN * np.median(fist)
        if thin and step @ arm < 0.5:
            return k
    return 0

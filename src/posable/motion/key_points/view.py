"""The view of a person: the rays of a camera, or landmarks in space, in metres and with y up."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from posable.errors import PosableError
from posable.figures import Figure
from posable.motion.key_points.convention_tables import KeyPoints, PointSite, attachments_of
from posable.motion.key_points.depth import POINTS, Depths, depths
from posable.spatial import Array, matrix_from_wxyz, normalized, wxyz_between

FOCAL = 0.85
"""Of the longer side of a picture: the focal length of an unknown camera, a view of 61° along it."""

ACROSS = 0.02
"""Metres: the error of points across the view."""

_GIVEN = (0.03, 0.12)  # m: least and largest error of given depths
_DOUBT, _LASTING = 10.0, 0.2  # error of depths per change of bone lengths, which lasts longer than this many seconds
_EVEN = 0.5  # s over which the distance of a person is smoothed
_LEAST_SEEN = 0.05  # confidence below which a point is ignored
_CENTERED = 0.02  # of the person: largest motion of the hips in landmarks relative to the hips
_STANDS_IN = {"toe": ("big_toe", "small_toe", "ball"), "nose": ("jaw",), "crown": ("head",)}
_PAIRS = (
    ("shoulder", "elbow"), ("elbow", "wrist"), ("hip", "knee"), ("knee", "ankle"), ("shoulder", "hip"),
)  # fmt: skip


class View(NamedTuple):
    """Observed points of a person, in metres, y up.

    `places [frame, point, 3]`, 0 where not seen; measured: those for the lengths of bones; weights:
    `[frame, point]`. rays: `[frame, point, 3]` unit vectors
    from the camera, which is at the origin; None without a camera. ahead: `[frame, 3]` from the camera to the person, 0
    where all directions are equally certain. along: `[frame, point]` the certainty of a point along that. travels:
    whether `places` contain the path of the person. world_from_camera: `[3, 3]`. notes: assumptions.
    """

    places: Array
    measured: Array
    weights: Array
    rays: Array | None
    ahead: Array
    along: Array
    travels: bool
    world_from_camera: Array
    notes: tuple[str, ...]


def view_of(points: KeyPoints, person: Figure, focal: float | None) -> View:
    """The view of the person. focal: in pixels, None if unknown."""
    sites = [site for site in points.sites if site is not None]
    weights = np.where(points.weights > _LEAST_SEEN, points.weights, 0.0)
    if not (weights > 0).any():
        raise PosableError(f"key points {points.name!r}: no point is seen in any frame")
    rays, notes = _rays(points, weights, focal)
    if rays is None and points.axes != "camera":
        return _in_space(points, sites, weights, person)
    return _by_camera(points, sites, weights, rays, notes, person)


def _rays(points: KeyPoints, weights: Array, focal: float | None) -> tuple[Array | None, tuple[str, ...]]:
    """(`[frame, point, 3]` unit vectors, x to the right, y up, z to the viewer, or None; notes)."""
    pixels = points.positions if points.flat else points.image
    if pixels is None:
        return None, ()
    size, notes = points.size, ()
    if size is None:
        own = pixels[weights > 0]
        middle = (own.min(axis=0) + own.max(axis=0)) / 2
        length = 4.0 * float(np.ptp(own, axis=0).max())
        notes = ("the size of the picture is not known: taken as seen from far away",)
    else:
        middle, length = np.array(size) / 2, focal or FOCAL * max(size)
        if focal is None:
            notes = (f"the camera is not known: its focal length was taken for {length:.0f} pixels",)
    flat = np.nan_to_num(pixels - middle) * (1.0, -1.0) / length
    return normalized(np.concatenate([flat, np.full((*flat.shape[:2], 1), -1.0)], axis=2)), notes


def _in_space(points: KeyPoints, sites: list[PointSite], weights: Array, person: Figure) -> View:
    """Landmarks in the axes of a world with known up, all directions equally certain."""
    places = np.nan_to_num(points.positions)
    if points.axes == "z":
        places = np.stack([places[..., 0], places[..., 2], -places[..., 1]], axis=-1)
    places = places * _unit(person, points.names, places, weights)
    frames = len(places)
    ahead, along = np.zeros((frames, 3)), np.ones(weights.shape)
    travels = not _is_centered(points.names, places, weights)
    return View(places, places, _site_weights(weights, sites), None, ahead, along, travels, np.eye(3), ())


def _by_camera(
    points: KeyPoints,
    sites: list[PointSite],
    weights: Array,
    rays: Array | None,
    notes: tuple[str, ...],
    person: Figure,
) -> View:
    """Landmarks in the axes of a camera, pixels, or both: rotated into a world whose up is estimated by the network."""
    frames, behind = len(weights), np.array([0.0, 0.0, -1.0])
    ahead = np.broadcast_to(behind, (frames, 3))
    if rays is not None:
        ahead = normalized(np.sum(weights[..., None] * rays, axis=1) + 1e-9 * behind)
    turn = matrix_from_wxyz(wxyz_between(np.broadcast_to(behind, (frames, 3)), ahead))  # [frame, 3, 3]
    given = None if points.flat else np.nan_to_num(points.positions) * (1.0, -1.0, -1.0)
    if rays is None:
        assert given is not None
        flat = given[..., :2]
    else:
        turned = _turned(np.swapaxes(turn, 1, 2), rays)
        if given is not None and _misses(given, rays, weights) < _misses(_turned(turn, given), rays, weights):
            given = _turned(np.swapaxes(turn, 1, 2), given)  # they are in the camera's axes, not in the view's
        flat = turned[..., :2] / np.maximum(-turned[..., 2:], 0.1)
    found = _depths(points.names, flat, weights, points.fps)
    local, measured, spread = _in_depth(points, weights, flat, given, found, person)
    along = np.where(np.isfinite(spread), np.clip(ACROSS / np.maximum(spread, 1e-9), 0.0, 1.0), 0.0)
    up = normalized(np.einsum("tij,tj->ti", turn, found.up).mean(axis=0))
    world = matrix_from_wxyz(wxyz_between(up, np.array([0.0, 1.0, 0.0])))
    tilt = np.degrees(np.arccos(np.clip(up[1], -1, 1)))
    notes = (*notes, f"up was taken to be {tilt:.0f}° off the camera's own")
    places, lengths = (_turned(turn, one) @ world.T for one in (local, measured))
    rays = None if rays is None else rays @ world.T
    return View(places, lengths, _site_weights(weights, sites), rays, ahead @ world.T, along, False, world, notes)


def _in_depth(
    points: KeyPoints, weights: Array, flat: Array, given: Array | None, found: Depths, person: Figure
) -> tuple[Array, Array, Array]:
    """(positions `[frame, point, 3]` in metres, in the axes of the view; those for lengths; `[frame, point]` the spread
    of depths). flat: in a plane across the view; given: landmarks, None for pixels alone.
    """
    names = points.names
    deep, spread = _deepened(names, found)
    if given is None:
        local = np.concatenate([flat * (1.0 - deep[..., None]), deep[..., None]], axis=2)
        distance = _even(_ratios(person, names, local, weights), points.fps)
        local = local * distance[:, None, None]
        return local, local, spread * distance[:, None]
    local = given * _unit(person, names, given, weights)
    distance = _even(_size(local[..., :2], weights) / _size(flat, weights), points.fps)[:, None]
    off = float(np.clip(_DOUBT * _wander(names, local, weights, points.fps), *_GIVEN))
    local[..., 2], spread = _mixed(local[..., 2], off, deep * distance, spread * distance, weights)
    measured = np.concatenate([flat * (distance - local[..., 2])[..., None], local[..., 2:]], axis=2)
    return local, (local if points.image is None else measured), spread


def _turned(turn: Array, places: Array) -> Array:
    """Positions `[frame, point, 3]` rotated by `[frame, 3, 3]`."""
    return np.einsum("tij,tpj->tpi", turn, places)


def displaced_onto(rays: Array, places: Array, weights: Array) -> Array:
    """`[frame, 3]` the displacement that brings positions closest to their rays from the origin."""
    across = weights[..., None, None] * (np.eye(3) - rays[..., :, None] * rays[..., None, :])
    right = -np.einsum("tpij,tpj->ti", across, places)
    return np.linalg.solve(across.sum(axis=1) + 1e-9 * np.eye(3), right[..., None])[..., 0]


def _misses(places: Array, rays: Array, weights: Array) -> float:
    """The distance of positions from their rays after the best displacement, relative to their distance."""
    there = places + displaced_onto(rays, places, weights)[:, None]
    along = np.sum(there * rays, axis=2)
    away = np.linalg.norm(there - along[..., None] * rays, axis=2) / np.maximum(np.abs(along), 1e-9)
    return float(np.sum(weights * np.minimum(away, 1.0)))


def _site_weights(weights: Array, sites: list[PointSite]) -> Array:
    return weights * np.array([site.weight for site in sites])


def _plain(name: str) -> str:
    """left_knee → knee_l, as the network calls its points."""
    for side in ("left", "right"):
        if name.startswith(side + "_"):
            return f"{name[len(side) + 1 :]}_{side[0]}"
    return name


def _sources(names: tuple[str, ...]) -> dict[str, int]:
    """Each known one of POINTS, with the index of its point."""
    own = {_plain(name): k for k, name in enumerate(names)}
    found = {}
    for point in POINTS:
        part, _, side = point.partition("_")
        others = [f"{other}_{side}" if side else other for other in _STANDS_IN.get(part, ())]
        index = next((own[name] for name in (point, *others) if name in own), None)
        if index is not None:
            found[point] = index
    return found


def _depths(names: tuple[str, ...], flat: Array, weights: Array, fps: float) -> Depths:
    places, known = np.zeros((len(flat), len(POINTS), 2)), np.zeros((len(flat), len(POINTS)), bool)
    for point, index in _sources(names).items():
        k = POINTS.index(point)
        places[:, k], known[:, k] = flat[:, index], weights[:, index] > 0
    return depths(places, known, fps)


def _deepened(names: tuple[str, ...], found: Depths) -> tuple[Array, Array]:
    """(depths `[frame, point]` of the points, their spread: infinite for points without an estimate)."""
    deep, spread = np.zeros((2, len(found.up), len(names)))
    spread[:] = np.inf
    for point, index in _sources(names).items():
        k = POINTS.index(point)
        deep[:, index], spread[:, index] = found.depth[:, k], found.spread[:, k]
    return deep, spread


def _wander(names: tuple[str, ...], places: Array, weights: Array, fps: float) -> float:
    """The change of bone lengths, which should be constant: the median of their deviations, smoothed."""
    from scipy.ndimage import gaussian_filter1d

    frames, found = np.arange(len(places)), []
    for a, b in _pairs(names):
        known = np.minimum(weights[:, a], weights[:, b]) > 0
        if known.sum() > 1:
            length = np.linalg.norm(places[:, a] - places[:, b], axis=1)
            length = np.interp(frames, frames[known], length[known])
            found.append(gaussian_filter1d(length, _LASTING * fps, mode="nearest").std())
    return float(np.median(found)) if found else np.inf


def _mixed(given: Array, off: float, deep: Array, spread: Array, weights: Array) -> tuple[Array, Array]:
    """(depths `[frame, point]` fused from those of an estimator, with the error `off`, and those of the network; their
    spread).
    """
    known = np.isfinite(spread) & (weights > 0)
    square = np.where(known, spread, 1.0) ** 2
    sure = np.where(known, weights / square, 0.0)
    moved = deep + (np.sum(sure * (given - deep), axis=1) / np.maximum(sure.sum(axis=1), 1e-300))[:, None]
    share = np.where(known, off**2 / (off**2 + square), 0.0)
    return share * moved + (1 - share) * given, np.where(known, np.sqrt(share * square), np.inf)


def _size(flat: Array, weights: Array) -> Array:
    """`[frame]` the mean distance of points from their middle; NaN where none are seen."""
    share = weights[..., None] / np.where(weights.any(axis=1), weights.sum(axis=1), np.nan)[:, None, None]
    return np.sqrt(np.sum(share * (flat - np.sum(share * flat, axis=1, keepdims=True)) ** 2, axis=(1, 2)))


def _even(values: Array, fps: float) -> Array:
    """Numbers `[frame]` smoothed over time, NaN filled."""
    from scipy.ndimage import gaussian_filter1d

    frames, known = np.arange(len(values)), np.isfinite(values)
    return gaussian_filter1d(np.interp(frames, frames[known], values[known]), _EVEN * fps, mode="nearest")


def _is_centered(names: tuple[str, ...], places: Array, weights: Array) -> bool:
    """Whether landmarks are relative to the hips."""
    pair = [names.index("left_hip"), names.index("right_hip")]
    hips = places[(weights[:, pair] > 0).all(axis=1)][:, pair].mean(axis=1)
    size = np.ptp(places[weights > 0], axis=0).max()
    return bool(len(hips) and np.abs(hips - hips.mean(axis=0)).max() < _CENTERED * size)


def _pairs(names: tuple[str, ...]) -> list[tuple[int, int]]:
    own = {name: k for k, name in enumerate(names)}
    every = [(f"{side}_{a}", f"{side}_{b}") for a, b in _PAIRS for side in ("left", "right")]
    return [(own[a], own[b]) for a, b in every if a in own and b in own]


def _ratios(person: Figure, names: tuple[str, ...], places: Array, weights: Array) -> Array:
    """`[frame]` the ratio of the person's size to that of the positions, NaN where nothing is seen."""
    carriers, offsets = attachments_of(person, names)
    world = person.rest.world_from_joint[carriers]
    rest = (world[:, :3, :3] @ offsets[..., None])[..., 0] + world[:, :3, 3]
    ours, theirs = np.zeros(len(places)), np.zeros(len(places))
    for a, b in _pairs(names):
        both = np.minimum(weights[:, a], weights[:, b])
        ours += both * np.linalg.norm(rest[a] - rest[b])
        theirs += both * np.linalg.norm(places[:, a] - places[:, b], axis=1)
    return np.where(theirs > 0, ours / np.maximum(theirs, 1e-300), np.nan)


def _unit(person: Figure, names: tuple[str, ...], places: Array, weights: Array) -> float:
    """Metres per unit of landmarks: 1 where people have about their size, else the ratio to the person's size."""
    ratio = float(np.nanmedian(_ratios(person, names, places, weights)))
    if 0.6 < ratio < 1.7:
        return 1.0
    return next((unit for unit in (0.1, 0.01, 0.001) if 0.6 < ratio / unit < 1.7), ratio)

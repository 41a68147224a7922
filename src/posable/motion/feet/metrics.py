"""Metrics of foot contact: skate and drift, and the metrics of the literature by their names.

Lengths are metres for a leg of 0.88 m, so that figures of every size and unit compare: a clip's own lengths, divided by
(its leg / 0.88).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.figures import Figure, Roles
from posable.figures.terrain import Terrain
from posable.motion.feet.contact_detection import Contacts, contacts, heights_over, runs
from posable.spatial import Array

_MIDDLE = 0.8  # of a contact, over which it is measured
_GMD_HEIGHT, _GMD_SPEED, _GMD_WINDOW = 0.05, 0.5, 0.25  # m, m/s, s
_PHYSDIFF_TOLERANCE = 0.005  # m


@dataclass(frozen=True)
class FootMetrics:
    """Metrics of the feet in a clip, ours and those of the literature.

    Args:
        skate: Mean horizontal speed of the ball in the middle 80 % of each contact, in m/s; contacts of a single frame
            are ignored; NaN without contacts.
        drift: Distance of the ball from its mean position in a contact, averaged over contacts, in metres.
        drift_most: The largest such distance in metres.
        gmd_skating_ratio: Share of frames in which a foot below 5 cm slides faster than 0.5 m/s (Karunratanakul 2023).
        physdiff_penetrate: Mean depth of the soles' lowest point below the ground, beyond 5 mm (Yuan 2023).
        physdiff_float: Mean height of that point above the ground, beyond 5 mm; meaningless without a skin.
        physdiff_skate: Displacement per frame of feet on the ground (Yuan 2023).
        edge_pfc: Acceleration of the body while no foot is at rest, × 10,000 (Tseng 2023).
        contacts: Number of contacts.

    Example:
        >>> posable.motion.foot_metrics(clip).drift < 0.01
        True
    """

    skate: float
    drift: float
    drift_most: float
    gmd_skating_ratio: float
    physdiff_penetrate: float
    physdiff_float: float
    physdiff_skate: float
    edge_pfc: float
    contacts: int


def foot_metrics(
    clip: Clip,
    terrain: Terrain | None = None,
    feet: Sequence[str] | None = None,
    *,
    figure: Figure | None = None,
    roles: Roles | None = None,
) -> FootMetrics:
    """Measure the feet of a clip.

    Args:
        clip: The clip.
        terrain: The ground; None is as for `contacts`.
        feet: Roles or joints of the feet; None is all.
        figure: The figure, whose skin gives the soles.
        roles: Roles of the joints; None finds them.

    Returns:
        The metrics.

    Raises:
        TerrainError: As `contacts`.
        SkeletonError: As `contacts`.
    """
    touching = contacts(clip, terrain, feet, figure=figure, roles=roles)
    stays = [one for foot in range(len(touching.soles)) for one in _stays(clip, touching, foot)]
    lowest, penetrates = _over_ground(clip, terrain, touching)
    return FootMetrics(
        skate=_mean([skate for skate, _ in stays if not np.isnan(skate)]),
        drift=_mean([drift for _, drift in stays]),
        drift_most=max((drift for _, drift in stays), default=float("nan")),
        gmd_skating_ratio=_gmd_skating_ratio(clip, terrain, touching),
        physdiff_penetrate=penetrates,
        physdiff_float=float(np.maximum(lowest - _PHYSDIFF_TOLERANCE, 0.0).mean()),
        physdiff_skate=_physdiff_skate(clip, touching),
        edge_pfc=_edge_pfc(clip, touching),
        contacts=len(stays),
    )


def _level(clip: Clip, places: Array) -> Array:
    """The components of `places [..., 3]` along the ground."""
    return np.delete(places, "xyz".index(clip.skeleton.up), axis=-1)


def _stays(clip: Clip, touching: Contacts, foot: int) -> list[tuple[float, float]]:
    """(skate, drift) of each contact of a ball."""
    sole = touching.soles[foot]
    places = _level(clip, sole.ball_places(clip.poses)) / sole.scale
    found = []
    for start, end in runs(touching.ball[foot]):
        cut = round(0.5 * (1 - _MIDDLE) * (end - start))
        middle = places[start + cut : end - cut]
        steps = np.linalg.norm(np.diff(middle, axis=0), axis=1)
        away = np.linalg.norm(places[start:end] - places[start:end].mean(axis=0), axis=1)
        found.append((_mean(steps) * clip.fps, float(away.max())))
    return found


def _over_ground(clip: Clip, terrain: Terrain | None, touching: Contacts) -> tuple[Array, float]:
    """(`[frame]` the height of the lowest corner of all soles over the ground, the mean depth of penetrating ones)."""
    rows = []
    for sole in touching.soles:
        corners = np.moveaxis(sole.corner_places(clip.poses), 1, 0)
        if terrain is None:
            heights = corners[..., "xyz".index(clip.skeleton.up)]
            rows.append((heights - np.percentile(heights.min(axis=0), 2)) / sole.scale)
        else:
            rows.append(np.array([heights_over(corner, clip, terrain, sole) for corner in corners]) / sole.scale)
    lowest = np.concatenate(rows).min(axis=0)
    return np.maximum(lowest, 0.0), float(np.maximum(-lowest - _PHYSDIFF_TOLERANCE, 0.0).mean())


def _gmd_skating_ratio(clip: Clip, terrain: Terrain | None, touching: Contacts) -> float:
    from scipy.ndimage import uniform_filter1d

    sliding = np.zeros(max(len(clip) - 1, 1), bool)
    for sole in touching.soles if len(clip) > 1 else ():
        places = sole.ball_places(clip.poses)
        low = (heights_over(places, clip, terrain, sole) - sole.ball_height * (terrain is not None)) / sole.scale
        speed = np.linalg.norm(np.diff(_level(clip, places), axis=0), axis=1) * clip.fps / sole.scale
        window = max(round(_GMD_WINDOW * clip.fps), 1)
        usual = uniform_filter1d(speed, window, mode="constant")
        near = (low[1:] < _GMD_HEIGHT) & (low[:-1] < _GMD_HEIGHT)
        sliding |= near & (speed > _GMD_SPEED) & (usual > _GMD_SPEED)
    return float(sliding.mean())


def _physdiff_skate(clip: Clip, touching: Contacts) -> float:
    moved = []
    for foot, sole in enumerate(touching.soles):
        steps = np.linalg.norm(np.diff(_level(clip, sole.ball_places(clip.poses)), axis=0), axis=1) / sole.scale
        moved.append(steps[touching.ball[foot][1:] & touching.ball[foot][:-1]])
    return _mean(np.concatenate(moved))


def _edge_pfc(clip: Clip, touching: Contacts) -> float:
    if len(clip) < 3:
        return float("nan")
    scale, k = float(np.mean([sole.scale for sole in touching.soles])), "xyz".index(clip.skeleton.up)
    body = np.diff(clip.poses.origins[:, 0], 2, axis=0) * clip.fps**2 / scale
    body[:, k] = np.maximum(body[:, k], 0.0)  # falling needs no foot
    effort = np.linalg.norm(body, axis=1)
    speeds = [np.minimum(*(_speeds(clip, places) for places in _ends(clip, touching, n))) / scale for n in (0, 1)]
    return float(1e4 * np.mean(effort * speeds[0] * speeds[1]) / effort.max()) if effort.max() > 0 else 0.0


def _ends(clip: Clip, touching: Contacts, foot: int) -> tuple[Array, Array]:
    sole = touching.soles[min(foot, len(touching.soles) - 1)]
    return clip.poses.origins[:, clip.skeleton.index(sole.foot)], sole.toe_places(clip.poses)


def _speeds(clip: Clip, places: Array) -> Array:
    """`[frame − 2]` along the ground."""
    return (np.linalg.norm(np.diff(_level(clip, places), axis=0), axis=1) * clip.fps)[1:]


def _mean(values: Sequence[float] | NDArray[np.float64]) -> float:
    return float(np.mean(values)) if len(values) else float("nan")

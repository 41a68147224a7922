"""What a recorded walk shows: its line, its strides, and the angles of its legs in the plane of walking."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from posable.clips import Clip
from posable.errors import PosableError
from posable.figures import Figure, Roles
from posable.motion.gait.body import Body, measure
from posable.motion.gait.pace import leg_gravity
from posable.motion.gait.turning import about_up, inverse, rotate
from posable.spatial import Array

_SMOOTHING = 0.25  # of √(L/g), over which positions are evened out before peaks are looked for
_LEAST_SWING = 0.15  # leg lengths that the ankles pass each other by in a step
_LEAST_WAY = 0.3  # leg lengths, less does not tell where the walk leads
_PARTS = ("upper_leg", "lower_leg", "foot")


@dataclass(frozen=True, eq=False)
class Strides:
    """A recorded walk in the figure's own directions, turned so that it goes forward; leg lengths.

    places: `[frame, joint, 3]`. angles: `[frame, leg, 3]` radians: thigh and shin forward of straight down, toes up of
    the sole. lands: per leg (left, right), the frames, not whole, at which it lands. unit: frames in √(L/g).
    """

    body: Body
    places: Array
    heading: float
    angles: Array
    lands: tuple[Array, Array]
    unit: float

    @property
    def frames(self) -> float:
        """Of a stride, in the mean."""
        return float(np.mean(np.concatenate([np.diff(one) for one in self.lands])))

    @property
    def speed(self) -> float:
        """v/√(gL) from the first stride to the last."""
        first, last = (round(float(f(np.concatenate(self.lands)))) for f in (np.min, np.max))
        way = self.places[last, self.body.pelvis, 2] - self.places[first, self.body.pelvis, 2]
        return float(way / (last - first) * self.unit)

    def phase(self) -> Array:
        """`[frame]`: 0 where the left foot lands first, 1 where it lands next; beyond its ends at the mean rate."""
        left = self.lands[0]
        frame = np.arange(len(self.places))
        inside = np.interp(frame, left, np.arange(len(left)))
        before, after = np.minimum(frame - left[0], 0), np.maximum(frame - left[-1], 0)
        return inside + (before + after) / self.frames


def strides_of(clip: Clip, roles: Roles | None = None, figure: Figure | None = None) -> Strides:
    """Look for the strides of a clip. Raises PosableError where it holds fewer than two of them."""
    body = measure(Figure(clip.skeleton) if figure is None else figure, roles)
    if not body.biped or "foot_l" not in body.roles:
        raise PosableError("a gait is fitted to a walk on two legs with feet")
    places = (clip.poses.origins - body.origin) @ body.to_body.T / body.length
    hips = places[:, body.pelvis]
    way = hips[-1] - hips[0]
    heading = float(np.arctan2(way[0], way[2])) if np.hypot(way[0], way[2]) > _LEAST_WAY else 0.0
    places = rotate(inverse(about_up(np.array(heading))), places)
    unit = clip.fps * float(np.sqrt(body.length / leg_gravity(body.length)))
    angles = np.stack([_leg_angles(clip, body, places, side) for side in "lr"], axis=1)
    lands = _landings(body, places, unit)
    return Strides(body, places, heading, angles, lands, unit)


def _leg_angles(clip: Clip, body: Body, places: Array, side: str) -> Array:
    """`[frame, 3]`; the sole is level where the foot stands in the rest pose."""
    hip, knee, ankle = (places[:, body.roles.index(f"{part}_{side}")] for part in _PARTS)
    foot = body.roles.index(f"foot_{side}")
    leg = next(leg for leg in body.legs if leg.side == (1 if side == "l" else -1))
    toward = leg.ball - leg.ankle
    world = clip.poses.world_from_joint[:, foot, :3, :3] @ Figure(clip.skeleton).rest.world_from_joint[foot, :3, :3].T
    sole = (world @ (body.to_body.T @ toward)) @ body.to_body.T
    rest = np.arctan2(toward[1], toward[2])
    pitch = np.arctan2(sole[:, 1], np.hypot(sole[:, 0], sole[:, 2])) - rest
    return np.stack([_forward(knee - hip), _forward(ankle - knee), pitch], axis=1)


def _forward(bone: Array) -> Array:
    return np.arctan2(bone[:, 2], -bone[:, 1])


def _landings(body: Body, places: Array, unit: float) -> tuple[Array, Array]:
    left, right = (places[:, body.roles.index(f"foot_{side}"), 2] for side in "lr")
    gap = _evened(left - right, max(_SMOOTHING * unit, 1.0))
    peaks = tuple(_peaks(sign * gap) for sign in (1.0, -1.0))
    if min(map(len, peaks)) < 2:
        raise PosableError("the clip holds fewer than two strides of each leg; give more of the walk")
    return peaks[0], peaks[1]


def _evened(values: Array, width: float) -> Array:
    from scipy.ndimage import gaussian_filter1d

    return gaussian_filter1d(values, width / 2, mode="nearest")


def _peaks(values: Array) -> Array:
    """Frames, not whole, of the tops that stand out; ends do not count."""
    from scipy.signal import find_peaks

    tops, _ = find_peaks(values, prominence=_LEAST_SWING, height=_LEAST_SWING)
    a, b, c = values[tops - 1], values[tops], values[tops + 1]
    return tops + 0.5 * (a - c) / np.where(a - 2 * b + c == 0, 1.0, a - 2 * b + c)

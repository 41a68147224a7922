"""A gait from a recorded walk."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from posable.clips import Clip
from posable.errors import PosableError
from posable.figures import Figure, Roles
from posable.motion.gait.body import Body, measure
from posable.motion.gait.coordinates import Coordinates
from posable.motion.gait.footing import Ground
from posable.motion.gait.gait import Gait, Pace, Style, leg_gravity, stance_of
from posable.motion.gait.joint_turns import about_up, inverse, rotate
from posable.motion.gait.plan import make_plan, straight
from posable.motion.gait.planar import QuadraticGait, double_support, quadratic
from posable.motion.gait.walker import Walker
from posable.skeleton import Pose
from posable.spatial import Array

# What a recorded walk shows: its line, its strides, and the angles of its legs in the plane of walking.


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


# Recorded angles as a few numbers: harmonics of the stride, and the quadratics of the plain form.


HARMONICS = {"thigh": 3, "knee": 5, "ankle": 5}
"""How many each angle is given."""


def curve(numbers: ArrayLike, phase: ArrayLike) -> Array:
    """The sum mean + cos·c₁ + sin·s₁ + cos 2·c₂ … of `[mean, c₁, s₁, …]` at `phase [...]`, in strides."""
    return _waves(np.asarray(phase, float), len(np.asarray(numbers)) // 2) @ np.asarray(numbers, float)


def _waves(phase: Array, count: int) -> Array:
    turns = 2 * np.pi * phase[..., None] * np.arange(1, count + 1)
    pairs = np.stack([np.cos(turns), np.sin(turns)], axis=-1).reshape(*phase.shape, 2 * count)
    return np.concatenate([np.ones((*phase.shape, 1)), pairs], axis=-1)


def pieces(strides: Strides) -> list[tuple[Array, Array]]:
    """Every whole stride of either leg: (phase `[frame]` from its landing, thigh, knee and ankle `[frame, 3]`, rad)."""
    found = []
    for leg, lands in enumerate(strides.lands):
        for begin, end in pairwise(lands):
            frame = np.arange(int(np.ceil(begin)), int(np.floor(end)) + 1)
            thigh, shin, sole = strides.angles[frame, leg].T
            found.append(((frame - begin) / (end - begin), np.stack([thigh, thigh - shin, sole - shin], axis=-1)))
    return found


def fitted_curves(strides: list[tuple[Array, Array]]) -> dict[str, tuple[float, ...]]:
    """thigh_curve, knee_curve and ankle_curve in degrees, by least squares over all the given strides."""
    phase = np.concatenate([one for one, _ in strides])
    angles = np.degrees(np.concatenate([one for _, one in strides]))
    found = {}
    for k, (name, count) in enumerate(HARMONICS.items()):
        numbers, *_ = np.linalg.lstsq(_waves(phase, count), angles[:, k], rcond=None)
        found[f"{name}_curve"] = tuple(map(float, numbers))
    return found


def fitted_quadratics(
    strides: list[tuple[Array, Array]], step: float, *, thigh: float, shin: float, foot: float
) -> QuadraticGait:
    """The plain form nearest to the strides in the mean: two shins as a step begins, and four parabolas through it."""
    from scipy.optimize import least_squares

    phase = np.concatenate([one for one, _ in strides])
    angles = np.concatenate([one for _, one in strides])
    lengths = {"thigh": thigh, "shin": shin, "foot": foot}
    at = np.where(phase < 0.5, phase, phase - 0.5) * 2
    standing = phase < 0.5
    recorded = np.stack([angles[:, 0], angles[:, 0] - angles[:, 1]], axis=-1) - np.pi / 2

    def gait_of(numbers: Array) -> QuadraticGait:
        ways = tuple((0.5, float(value)) for value in numbers[2:])
        return QuadraticGait(thigh, shin, foot, step, float(numbers[0]), float(numbers[1]), ways)

    def misses(numbers: Array) -> Array:
        a1, a2, _ = double_support((step, 0.0), (0.0, 0.0), numbers[0], numbers[1], **lengths)
        starts, ends = (a1, numbers[0], a2, numbers[1]), (a2, numbers[1], a1, numbers[0])
        four = [quadratic(b, e, 0.5, v, at) for b, e, v in zip(starts, ends, numbers[2:], strict=True)]
        own = np.where(standing[:, None], np.stack(four[:2], axis=-1), np.stack(four[2:], axis=-1))
        return (own - recorded).ravel()

    first = np.array([-1.66, -2.1, -1.47, -1.7, -1.2, -2.4])
    return gait_of(least_squares(misses, first).x)


_FITTED = (
    "speed", "step", "stance", "width", "toe_out", "lift", "kick", "strike", "roll", "knee", "bounce", "sway", "list",
    "rotation", "tilt", "lean", "pitch", "rock", "twist", "arm_swing", "arm_forward", "arm_out", "elbow", "elbow_swing",
    "nod", "head_bob", "shrug",
)  # fmt: skip
_SEEN = ("hips", "chest", "neck", "head", *(f"{part}_{side}" for side in "lr" for part in (
    "upper_leg", "lower_leg", "foot", "toes", "upper_arm", "lower_arm", "hand")))  # fmt: skip
_MOST_FRAMES = 150
_ROUNDS = 40
_CALM = 1e-9  # pull of every number to where it began, so that what a figure does not show stays


def fit_gait(
    clip: Clip,
    form: Literal["rich", "curves", "quadratic"] = "rich",
    *,
    figure: Figure | None = None,
    roles: Roles | None = None,
) -> Gait:
    """Fit a gait to a recorded straight walk on two legs.

    Args:
        clip: The recording, with at least two strides.
        form: "rich" fits the parameters of footsteps and posture so that the walk on the same skeleton is closest to
            the clip; "curves" keeps the legs' angles as harmonics of the stride; "quadratic" is the simple planar form.
        figure: The figure, if its skin gives the soles.
        roles: Roles of the joints; None finds them.

    Returns:
        The gait.

    Raises:
        PosableError: If the clip has fewer than two strides.

    Example:
        >>> gait = posable.fit_gait(posable.load(posable.sample("walk.bvh")).clips[0])
    """
    strides = strides_of(clip, roles, figure)
    pace = _pace(strides)
    if form == "curves":
        start = Gait(clip.name, "rich", speed=pace.speed, step=pace.step)
        return start.with_(form=form, **fitted_curves(pieces(strides)))
    if form == "quadratic":
        return _plain(strides, pace, clip.name)
    if form != "rich":
        raise PosableError(f"form is 'rich', 'curves' or 'quadratic', not {form!r}")
    return _Fit(strides).best(Gait(clip.name, speed=pace.speed, step=pace.step, stance=stance_of(pace.speed)))


def _pace(strides: Strides) -> Pace:
    speed = strides.speed
    if speed <= 0.02:
        raise PosableError("the clip does not go anywhere; a gait is fitted to a walk straight ahead")
    step = speed * strides.frames / strides.unit / 2
    return Pace(speed, step, stance_of(speed))


def _plain(strides: Strides, pace: Pace, name: str) -> Gait:
    leg = strides.body.legs_scaled()[0]
    hip, knee = leg.points[:2]
    lengths = {"thigh": float(np.hypot(*(knee - hip)[1:])), "shin": knee[1] - leg.tip[1], "foot": leg.tip[2] - knee[2]}
    plain = fitted_quadratics(pieces(strides), pace.step, **lengths)
    names = ("stance_thigh", "stance_shin", "swing_thigh", "swing_shin")
    numbers: dict[str, Any] = {
        n: (share, float(np.degrees(value))) for n, (share, value) in zip(names, plain.ways, strict=True)
    }
    numbers |= {"front_shin": float(np.degrees(plain.front)), "back_shin": float(np.degrees(plain.back))}
    return Gait(name, "quadratic", speed=pace.speed, step=pace.step, **numbers)


class _Fit:
    """Least squares between the places of a clip's joints and those of a gait's walk on the same skeleton."""

    def __init__(self, strides: Strides) -> None:
        self.strides, self.body = strides, strides.body
        joints = [self.body.roles.index(role) for role in _SEEN if role in self.body.roles]
        self.joints = np.array(sorted(set(joints)))
        ends = np.concatenate(strides.lands)
        first, last = int(np.ceil(ends.min())), int(np.floor(ends.max()))
        count = min(_MOST_FRAMES, last - first + 1)
        self.frames = np.unique(np.linspace(first, last, count).astype(int))
        self.places = strides.places[self.frames][:, self.joints]
        self.origin = strides.lands[0][0]
        self.level = Ground(None, self.body.to_body, self.body.origin, self.body.length)

    def best(self, start: Gait) -> Gait:
        """The gait, from `start` on."""
        from scipy.optimize import least_squares

        about = {one.name: one.metadata for one in fields(Gait)}
        low = np.array([about[name]["low"] for name in _FITTED] + [-0.5])
        high = np.array([about[name]["high"] for name in _FITTED] + [0.5])
        first = np.array([getattr(start, name) for name in _FITTED] + [0.0])
        sizes = np.maximum(np.abs(first), 0.05 * (high - low))
        first = np.clip(first, low + 1e-9 * sizes, high - 1e-9 * sizes)

        def misses(shares: Array) -> Array:
            numbers = np.clip(shares * sizes + middle, low, high)
            pull = _CALM * (numbers - first) / sizes
            return np.concatenate([self._misses(self._gait(start, numbers), numbers[-1]), pull])

        middle = first - sizes  # so that every share begins at 1, and steps in proportion to it are all alike
        bounds = ((low - middle) / sizes, (high - middle) / sizes)
        options: dict[str, Any] = {"ftol": 1e-13, "xtol": 1e-12, "gtol": 1e-15, "diff_step": 1e-5}
        found = least_squares(misses, np.ones(len(first)), bounds=bounds, max_nfev=_ROUNDS, **options)
        return self._gait(start, np.clip(found.x * sizes + middle, low, high))

    def _gait(self, start: Gait, numbers: Array) -> Gait:
        return replace(start, **dict(zip(_FITTED, map(float, numbers[:-1]), strict=True)))

    def _misses(self, gait: Gait, shift: float) -> Array:
        """How far the joints of the gait's walk are from the clip's, leg lengths; constant offsets do not count."""
        style = Style.of(gait)
        frames = style.pace.stride_time * self.strides.unit
        phase = (self.frames - self.origin) / frames + shift
        off = np.floor(phase.min())
        steps = 2 * (int(np.ceil(phase.max() - off)) + 1)
        legs = self.body.legs_scaled()
        plan = make_plan(style, legs, straight(), self.level, steps, starts=False, stops=False)
        turns, places, _ = Walker.of(self.body, plan).frames(phase - off)
        q = Coordinates(self.body, len(phase)).fill(turns, places)
        world = Pose.trusted(self.body.skeleton, q).origins[:, self.joints]
        own = (world - self.body.origin) @ self.body.to_body.T / self.body.length
        gap = own - self.places
        return (gap - gap.mean(axis=(0, 1))).ravel()

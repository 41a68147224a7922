"""A gait from a recorded walk."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from posable.clips import Clip
from posable.errors import PosableError, check_kind
from posable.figures import Figure, Roles
from posable.motion.gait.anatomy import Body, measure
from posable.motion.gait.batch_rotations import about_up, inverse, rotate
from posable.motion.gait.footing import Ground
from posable.motion.gait.gait import Gait, Pace, Style, leg_gravity, stance_of
from posable.motion.gait.joint_coordinates import Coordinates
from posable.motion.gait.plan import make_plan, straight
from posable.motion.gait.planar import QuadraticGait, double_support, quadratic
from posable.motion.gait.walker import Walker
from posable.skeleton import Pose
from posable.spatial import Array

# Measurements of a recorded walk: its direction, its strides, and the angles of its legs in the sagittal plane.


_SMOOTHING = 0.25  # of √(L/g), over which positions are smoothed before peaks are sought
_LEAST_SWING = 0.15  # leg lengths: least distance by which the ankles pass each other in a step
_LEAST_TRAVEL = 0.3  # leg lengths: less does not define the direction of the walk
_PARTS = ("upper_leg", "lower_leg", "foot")


@dataclass(frozen=True, eq=False)
class Strides:
    """A recorded walk in the figure's own axes, rotated so that it leads forward; leg lengths.

    positions: `[frame, joint, 3]`. angles: `[frame, leg, 3]` radians: thigh and shin forward of straight down, toes up
    of the sole. lands: per leg (left, right), the fractional frames at which it lands. unit: frames in √(L/g).
    """

    body: Body
    positions: Array
    heading: float
    angles: Array
    lands: tuple[Array, Array]
    unit: float

    @property
    def frames(self) -> float:
        """Mean number of frames of a stride."""
        return float(np.mean(np.concatenate([np.diff(one) for one in self.lands])))

    @property
    def speed(self) -> float:
        """Mean v/√(gL) from the first stride to the last."""
        first, last = (round(float(f(np.concatenate(self.lands)))) for f in (np.min, np.max))
        travel = self.positions[last, self.body.pelvis, 2] - self.positions[first, self.body.pelvis, 2]
        return float(travel / (last - first) * self.unit)

    def phase(self) -> Array:
        """`[frame]`: 0 at the first landing of the left foot, 1 at the next; extrapolated at the mean rate."""
        left = self.lands[0]
        frame = np.arange(len(self.positions))
        inside = np.interp(frame, left, np.arange(len(left)))
        before, after = np.minimum(frame - left[0], 0), np.maximum(frame - left[-1], 0)
        return inside + (before + after) / self.frames


def strides_of(clip: Clip, roles: Roles | None = None, figure: Figure | None = None) -> Strides:
    """Find the strides of a clip. Raises PosableError for fewer than two of them."""
    body = measure(Figure(clip.skeleton) if figure is None else figure, roles)
    if not body.biped or "foot_l" not in body.roles:
        raise PosableError("a gait can only be fitted to a walk on two legs with feet")
    positions = (clip.poses.origins - body.origin) @ body.to_body.T / body.length
    hips = positions[:, body.pelvis]
    travel = hips[-1] - hips[0]
    heading = float(np.arctan2(travel[0], travel[2])) if np.hypot(travel[0], travel[2]) > _LEAST_TRAVEL else 0.0
    positions = rotate(inverse(about_up(np.array(heading))), positions)
    unit = clip.fps * float(np.sqrt(body.length / leg_gravity(body.length)))
    angles = np.stack([_leg_angles(clip, body, positions, side) for side in "lr"], axis=1)
    lands = _landings(body, positions, unit)
    return Strides(body, positions, heading, angles, lands, unit)


def _leg_angles(clip: Clip, body: Body, positions: Array, side: str) -> Array:
    """`[frame, 3]` angles of thigh, shin and sole; the sole counts as level in the rest pose."""
    hip, knee, ankle = (positions[:, body.roles.index(f"{part}_{side}")] for part in _PARTS)
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


def _landings(body: Body, positions: Array, unit: float) -> tuple[Array, Array]:
    left, right = (positions[:, body.roles.index(f"foot_{side}"), 2] for side in "lr")
    gap = _evened(left - right, max(_SMOOTHING * unit, 1.0))
    peaks = tuple(_peaks(sign * gap) for sign in (1.0, -1.0))
    if min(map(len, peaks)) < 2:
        raise PosableError("the clip holds fewer than two strides of each leg; give more of the walk")
    return peaks[0], peaks[1]


def _evened(values: Array, width: float) -> Array:
    from scipy.ndimage import gaussian_filter1d

    return gaussian_filter1d(values, width / 2, mode="nearest")


def _peaks(values: Array) -> Array:
    """Fractional frames of the prominent maxima, without the ends."""
    from scipy.signal import find_peaks

    tops, _ = find_peaks(values, prominence=_LEAST_SWING, height=_LEAST_SWING)
    a, b, c = values[tops - 1], values[tops], values[tops + 1]
    return tops + 0.5 * (a - c) / np.where(a - 2 * b + c == 0, 1.0, a - 2 * b + c)


# Recorded angles as few parameters: harmonics of the stride, and the parabolas of the quadratic form.


HARMONICS = {"thigh": 3, "knee": 5, "ankle": 5}
"""Number of harmonics of each angle."""


def curve(numbers: ArrayLike, phase: ArrayLike) -> Array:
    """The sum mean + cos·c₁ + sin·s₁ + cos 2·c₂ … of `[mean, c₁, s₁, …]` at `phase [...]`, in strides."""
    return _waves(np.asarray(phase, float), len(np.asarray(numbers)) // 2) @ np.asarray(numbers, float)


def _waves(phase: Array, count: int) -> Array:
    angles = 2 * np.pi * phase[..., None] * np.arange(1, count + 1)
    pairs = np.stack([np.cos(angles), np.sin(angles)], axis=-1).reshape(*phase.shape, 2 * count)
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
    """The quadratic form closest to the strides (least squares): two shins at the start of a step, four parabolas."""
    from scipy.optimize import least_squares

    phase = np.concatenate([one for one, _ in strides])
    angles = np.concatenate([one for _, one in strides])
    lengths = {"thigh": thigh, "shin": shin, "foot": foot}
    at = np.where(phase < 0.5, phase, phase - 0.5) * 2
    standing = phase < 0.5
    recorded = np.stack([angles[:, 0], angles[:, 0] - angles[:, 1]], axis=-1) - np.pi / 2

    def gait_of(numbers: Array) -> QuadraticGait:
        waypoints = tuple((0.5, float(value)) for value in numbers[2:])
        return QuadraticGait(thigh, shin, foot, step, float(numbers[0]), float(numbers[1]), waypoints)

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
_CALM = 1e-9  # weight that keeps every parameter at its initial value, so that unobservable ones stay


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
    check_kind(clip, Clip, "a gait is fitted to a Clip", "a file's are posable.load(path).clips")
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
        raise PosableError("the clip does not travel; a gait can only be fitted to a straight walk")
    step = speed * strides.frames / strides.unit / 2
    return Pace(speed, step, stance_of(speed))


def _plain(strides: Strides, pace: Pace, name: str) -> Gait:
    leg = strides.body.legs_scaled()[0]
    hip, knee = leg.points[:2]
    lengths = {"thigh": float(np.hypot(*(knee - hip)[1:])), "shin": knee[1] - leg.tip[1], "foot": leg.tip[2] - knee[2]}
    plain = fitted_quadratics(pieces(strides), pace.step, **lengths)
    names = ("stance_thigh", "stance_shin", "swing_thigh", "swing_shin")
    numbers: dict[str, Any] = {
        n: (share, float(np.degrees(value))) for n, (share, value) in zip(names, plain.waypoints, strict=True)
    }
    numbers |= {"front_shin": float(np.degrees(plain.front)), "back_shin": float(np.degrees(plain.back))}
    return Gait(name, "quadratic", speed=pace.speed, step=pace.step, **numbers)


class _Fit:
    """Least squares between the positions of a clip's joints and those of a gait's walk on the same skeleton."""

    def __init__(self, strides: Strides) -> None:
        self.strides, self.body = strides, strides.body
        joints = [self.body.roles.index(role) for role in _SEEN if role in self.body.roles]
        self.joints = np.array(sorted(set(joints)))
        ends = np.concatenate(strides.lands)
        first, last = int(np.ceil(ends.min())), int(np.floor(ends.max()))
        count = min(_MOST_FRAMES, last - first + 1)
        self.frames = np.unique(np.linspace(first, last, count).astype(int))
        self.positions = strides.positions[self.frames][:, self.joints]
        self.origin = strides.lands[0][0]
        self.level = Ground(None, self.body.to_body, self.body.origin, self.body.length)

    def best(self, start: Gait) -> Gait:
        """The fitted gait, starting from `start`."""
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

        middle = first - sizes  # so that every share starts at 1 and relative steps are equal
        bounds = ((low - middle) / sizes, (high - middle) / sizes)
        # More rounds change the fit to a recording by less than 1e-4 of any parameter's range.
        options: dict[str, Any] = {"ftol": 1e-6, "xtol": 1e-8, "gtol": 1e-15, "diff_step": 1e-5}
        found = least_squares(misses, np.ones(len(first)), bounds=bounds, max_nfev=_ROUNDS, **options)
        return self._gait(start, np.clip(found.x * sizes + middle, low, high))

    def _gait(self, start: Gait, numbers: Array) -> Gait:
        return replace(start, **dict(zip(_FITTED, map(float, numbers[:-1]), strict=True)))

    def _misses(self, gait: Gait, shift: float) -> Array:
        """Offsets of the gait's joints from the clip's, leg lengths, without their mean."""
        style = Style.of(gait)
        frames = style.pace.stride_time * self.strides.unit
        phase = (self.frames - self.origin) / frames + shift
        off = np.floor(phase.min())
        steps = 2 * (int(np.ceil(phase.max() - off)) + 1)
        legs = self.body.legs_scaled()
        plan = make_plan(style, legs, straight(), self.level, steps, starts=False, stops=False)
        rotations, positions, _ = Walker.of(self.body, plan).frames(phase - off)
        q = Coordinates(self.body, len(phase)).fill(rotations, positions)
        world = Pose.trusted(self.body.skeleton, q).origins[:, self.joints]
        own = (world - self.body.origin) @ self.body.to_body.T / self.body.length
        gap = own - self.positions
        return (gap - gap.mean(axis=(0, 1))).ravel()

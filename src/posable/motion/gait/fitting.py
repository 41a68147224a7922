"""A gait from a recorded walk."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, Literal

import numpy as np

from posable.clips import Clip
from posable.errors import PosableError
from posable.figures import Figure, Roles
from posable.motion.gait.coordinates import Coordinates
from posable.motion.gait.curves import fitted_curves, fitted_quadratics, pieces
from posable.motion.gait.gait import Gait
from posable.motion.gait.ground import Ground
from posable.motion.gait.pace import Pace, stance_of
from posable.motion.gait.plan import make_plan
from posable.motion.gait.strides import Strides, strides_of
from posable.motion.gait.style import Style
from posable.motion.gait.track import straight
from posable.motion.gait.walker import Walker
from posable.skeleton import Pose
from posable.spatial import Array

_FITTED = (
    "speed", "step", "stance", "width", "toe_out", "lift", "kick", "strike", "roll", "knee", "bounce", "sway", "list",
    "rotation", "tilt", "lean", "rock", "twist", "arm_swing", "arm_forward", "arm_out", "elbow", "elbow_swing",
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
    """The gait of a recorded walk straight ahead on two legs.

    form: "rich" finds the footsteps' and posture's numbers whose walk on the same skeleton comes nearest to the clip;
    "curves" keeps the legs' angles as harmonics of the stride; "quadratic" is the plain planar form.
    figure: the one that walks, if its skin says where its soles are. roles: which joint is what, if names do not tell.
    Raises PosableError where the clip holds fewer than two strides.
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

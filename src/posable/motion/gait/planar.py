"""One leg and two legs in the plane: the closed chain toe, ankle, knee, hip, knee, ankle, toe of a parametric gait.

Directions are angles in radians against the walking direction (the x axis), u(a) = (cos a, sin a); legs point down,
so their angles are negative. α is the direction of a thigh, β that of a shin, and the foot stands at a right angle to
the shin. All functions broadcast over leading axes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import PosableError, near_names
from posable.motion.gait.gait import Gait
from posable.spatial import Array
from posable.spatial.marquardt import Dense, Indices, linearized, minimise_each

QUANTITIES = ("x1", "y1", "x2", "y2", "alpha1", "alpha2", "beta1", "beta2", "thigh", "shin", "foot")
"""The scalars of the closure: two toe points, four directions, three lengths."""

_STEPS = 60
_CLOSED = 1e-10  # of a leg


def direction(angle: ArrayLike) -> Array:
    """u(a) = (cos a, sin a), `[..., 2]`, of angles `[...]` in radians."""
    angle = np.asarray(angle, float)
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1)


def leg_points(
    toe: ArrayLike, alpha: ArrayLike, beta: ArrayLike, *, thigh: ArrayLike, shin: ArrayLike, foot: ArrayLike
) -> tuple[Array, Array, Array]:
    """Compute ankle, knee and hip of a planar leg from the position of its toe.

    ankle = toe − foot u(β + π/2), knee = ankle − shin u(β), hip = knee − thigh u(α), with u(φ) = (cos φ, sin φ).

    Args:
        toe: Position of the toe, `[..., 2]`.
        alpha: Direction α of the thigh in radians, `[...]`.
        beta: Direction β of the shin in radians, `[...]`.
        thigh: Length of the thigh, `[...]`.
        shin: Length of the shin, `[...]`.
        foot: Length of the foot, `[...]`.

    Returns:
        Ankle, knee and hip, each `[..., 2]`.

    Raises:
        PosableError: For values that are not finite.
    """
    toe = _finite("toe", toe)
    alpha, beta = _finite("alpha", alpha), _finite("beta", beta)
    _check_shapes([toe], (alpha, beta, thigh, shin, foot))
    ankle = toe - _lengths("foot", foot) * direction(beta + np.pi / 2)
    knee = ankle - _lengths("shin", shin) * direction(beta)
    hip = knee - _lengths("thigh", thigh) * direction(alpha)
    shape = np.broadcast_shapes(ankle.shape, knee.shape, hip.shape)
    return np.broadcast_to(ankle, shape), np.broadcast_to(knee, shape), hip


def _check_shapes(toes: Sequence[ArrayLike], numbers: Sequence[ArrayLike]) -> None:
    """Raise PosableError if points and numbers do not broadcast."""
    try:
        np.broadcast_shapes((2,), *(np.shape(toe) for toe in toes), *((*np.shape(one), 1) for one in numbers))
    except ValueError as problem:
        raise PosableError(f"the shapes of toe, angles and lengths do not broadcast: {problem}") from problem


def double_support(
    toe1: ArrayLike,
    toe2: ArrayLike,
    beta1: ArrayLike,
    beta2: ArrayLike,
    *,
    thigh: ArrayLike,
    shin: ArrayLike,
    foot: ArrayLike,
) -> tuple[Array, Array, Array]:
    """Compute both thighs' directions and the common hip of a planar walker with both toes on the ground.

    With V = (knee1 − knee2)/thigh and σ = sign(V_x): S = atan2(−σ V_x, σ V_y), D = σ asin(|V|/2), α1 = S + D,
    α2 = S − D; the hip is above the knees, at any height of the knees. If the knees coincide, the thighs are vertical.

    Args:
        toe1: Position of the first toe, `[..., 2]`.
        toe2: Position of the second toe, `[..., 2]`.
        beta1: Direction of the first shin in radians, `[...]`.
        beta2: Direction of the second shin in radians, `[...]`.
        thigh: Length of the thighs, `[...]`.
        shin: Length of the shins, `[...]`.
        foot: Length of the feet, `[...]`.

    Returns:
        Directions α1 and α2 `[...]` in radians, and the hip `[..., 2]`.

    Raises:
        PosableError: If the knees are further apart than two thighs; names the thigh.
    """
    zero = np.zeros(())
    _check_shapes([toe1, toe2], (beta1, beta2, thigh, shin, foot))
    _, knee1, _ = leg_points(toe1, zero, beta1, thigh=thigh, shin=shin, foot=foot)
    _, knee2, _ = leg_points(toe2, zero, beta2, thigh=thigh, shin=shin, foot=foot)
    gap = (knee1 - knee2) / _lengths("thigh", thigh)
    length = np.linalg.norm(gap, axis=-1)
    if np.any(length > 2.0 + 1e-12):
        worst = float(np.max(length * np.broadcast_to(np.asarray(thigh, float), length.shape)))
        raise PosableError(
            f"the thigh is too short: the knees are up to {worst:.6g} apart, which two thighs do not span; "
            f"make the thigh at least {worst / 2:.6g} long, or the step shorter"
        )
    side = np.where(gap[..., 0] < 0, -1.0, 1.0)
    middle = np.where(length > 0, np.arctan2(-side * gap[..., 0], side * gap[..., 1]), -np.pi / 2)
    half = side * np.arcsin(np.minimum(length / 2, 1.0))
    alpha1, alpha2 = middle + half, middle - half
    return alpha1, alpha2, knee1 - _lengths("thigh", thigh) * direction(alpha1)


def solve_closure(known: Mapping[str, ArrayLike], guess: Mapping[str, ArrayLike]) -> dict[str, Array]:
    """Solve the closure of a planar walker, in which both legs meet at one hip, for one or two quantities.

    The quantities are x1, y1, x2, y2 (the toes), alpha1, alpha2, beta1, beta2 (radians), thigh, shin and foot, each
    `[...]`. The closure has two equations, so up to two quantities are unknown; with one unknown, the known quantities
    must be consistent. Of several solutions, the one that a descent from the guess reaches is returned.

    Args:
        known: The known quantities.
        guess: Initial values of the unknown quantities.

    Returns:
        The unknown quantities.

    Raises:
        PosableError: For missing, repeated or unknown names, and if no solution is found near the guess.
    """
    _check_names(known, guess)
    together = np.broadcast_arrays(*[_finite(name, {**known, **guess}[name]) for name in QUANTITIES])
    values = {name: value.ravel() for name, value in zip(QUANTITIES, together, strict=True)}
    names, shape = list(guess), together[0].shape
    size = np.abs([values[name] for name in ("thigh", "shin", "foot")]).sum(axis=0) + 1e-300
    start = np.stack([values[name] for name in names], axis=1)
    problem = _Closure(tuple(names), values, size)
    found = minimise_each(problem, start, steps=_STEPS, enough=_CLOSED**3, at_once=4096)
    values = problem.at(found, np.arange(len(found)))
    left = np.linalg.norm(closure_error(values), axis=-1) / size
    if not np.all(left < _CLOSED):
        raise PosableError(
            f"no {' and '.join(names)} near the guess closes the two legs (residual {np.nanmax(left):.2g} of a leg); "
            "give another guess, or make a second quantity unknown"
        )
    for name in ("thigh", "shin", "foot"):
        if name in guess and np.any(values[name] <= 0):
            raise PosableError(f"only a {name} that is not above 0 would close the two legs; change the known ones")
    return {name: values[name].reshape(shape) for name in names}


class _Closure(NamedTuple):
    """The closure of many walkers: quantities `[item]`, the names of the unknown ones, and the size of the legs."""

    names: tuple[str, ...]
    values: dict[str, Array]
    size: Array

    def at(self, x: Array, items: Indices) -> dict[str, Array]:
        """All quantities, with the unknown ones equal to `x [item, name]`."""
        return {name: value[items] for name, value in self.values.items()} | dict(zip(self.names, x.T, strict=True))

    def linearized(self, x: Array, items: Indices) -> tuple[Array, Dense]:
        values, size = self.at(x, items), self.size[items, None]
        slope = np.stack([_slope(name, values) for name in self.names], axis=-1)
        return linearized(slope / size[..., None], closure_error(values) / size)

    def moved(self, x: Array, step: Array, items: Indices) -> Array:
        del items
        return x + step


def closure_error(values: Mapping[str, ArrayLike]) -> Array:
    """hip1 − hip2 `[..., 2]`, zero where both legs meet. values: all quantities of the closure."""
    v = {name: np.asarray(value, float)[..., None] for name, value in values.items()}
    hips = []
    for leg in (1, 2):
        toe = np.concatenate(np.broadcast_arrays(v[f"x{leg}"], v[f"y{leg}"]), axis=-1)
        alpha, beta = v[f"alpha{leg}"][..., 0], v[f"beta{leg}"][..., 0]
        ankle = toe - v["foot"] * direction(beta + np.pi / 2)
        hips.append(ankle - v["shin"] * direction(beta) - v["thigh"] * direction(alpha))
    return hips[0] - hips[1]


def _slope(name: str, values: Mapping[str, Array]) -> Array:
    """d closure_error / d name, `[..., 2]`."""
    leg = name[-1]
    sign = -1.0 if leg == "2" else 1.0
    if name[0] in "xy" and len(name) == 2:
        return sign * np.broadcast_to(np.eye(2)["xy".index(name[0])], (*values[name].shape, 2))
    if name.startswith("alpha"):
        return -sign * values["thigh"][..., None] * direction(values[name] + np.pi / 2)
    if name.startswith("beta"):
        shin = values["shin"][..., None] * direction(values[name] + np.pi / 2)
        return sign * (values["foot"][..., None] * direction(values[name]) - shin)
    angle, offset = {"thigh": ("alpha", 0.0), "shin": ("beta", 0.0), "foot": ("beta", np.pi / 2)}[name]
    return direction(values[f"{angle}2"] + offset) - direction(values[f"{angle}1"] + offset)


def _check_names(known: Mapping[str, ArrayLike], guess: Mapping[str, ArrayLike]) -> None:
    for name in (*known, *guess):
        if name not in QUANTITIES:
            near = near_names(name, QUANTITIES, 1)
            cure = f"did you mean {near[0]}?" if near else f"choose from {', '.join(QUANTITIES)}"
            raise PosableError(f"{name!r} is not a quantity of the closure; {cure}")
        if name in known and name in guess:
            raise PosableError(f"{name} is both known and unknown; leave it out of one of the two")
    missing = [name for name in QUANTITIES if name not in known and name not in guess]
    if missing:
        raise PosableError(f"missing {', '.join(missing)}; each quantity is either known or guessed")
    if not 1 <= len(guess) <= 2:
        raise PosableError(f"the closure is two equations: guess one or two quantities, not {len(guess)}")


def _finite(name: str, values: ArrayLike) -> Array:
    try:
        values = np.asarray(values, float)
    except (TypeError, ValueError) as problem:
        raise PosableError(f"{name} must be numbers in a regular array, not {values!r}") from problem
    if not np.isfinite(values).all():
        raise PosableError(f"{name} contains values that are not finite")
    return values


def _lengths(name: str, values: ArrayLike) -> Array:
    """Lengths `[..., 1]`, above 0."""
    values = _finite(name, values)
    if np.any(values <= 0):
        raise PosableError(f"the length of the {name} must be above 0")
    return values[..., None]


# The quadratic form of a gait: four angles per step, each a parabola of time; the standing toe is pinned.
#
# During a step the front leg stands with its toe at rest, and the other one swings. Each of the four angles (thigh and
# shin of both) goes from its own initial value to the other leg's, along the parabola through (0, start),
# (share, value), (1, end); then the legs swap roles. Angles are radians as in the closure above.


_NAMES = ("standing thigh", "standing shin", "swinging thigh", "swinging shin")


def quadratic(begin: ArrayLike, end: ArrayLike, share: ArrayLike, value: ArrayLike, at: ArrayLike) -> Array:
    """Evaluate the parabola through (0, begin), (share, value), (1, end); all arguments broadcast.

    Args:
        begin: Value at 0.
        end: Value at 1.
        share: Position of the middle point, 0 … 1.
        value: Value of the middle point.
        at: Where to evaluate.

    Returns:
        The values at `at`.

    Raises:
        PosableError: For a share outside 0 … 1.

    Example:
        >>> float(posable.motion.quadratic(0.0, 0.0, 0.5, 1.0, at=0.25))
        0.75
    """
    begin, end, share, value, at = (np.asarray(one, float) for one in (begin, end, share, value, at))
    if not np.all((share > 0) & (share < 1)):
        raise PosableError("the share of the step at which a quadratic passes its value must be between 0 and 1")
    bend = (value - begin - (end - begin) * share) / (share * (share - 1))
    return begin + (end - begin) * at + bend * at * (at - 1)


@dataclass(frozen=True)
class QuadraticGait:
    """A gait in the quadratic form, for given lengths of the leg; radians and the lengths' unit.

    step: from toe to toe. front, back: directions of the shins when both feet are down. waypoints: (share, direction)
    of standing thigh, standing shin, swinging thigh and swinging shin.
    Raises PosableError for a thigh that is too short or a knee that would bend backward, with its name.
    """

    thigh: float
    shin: float
    foot: float
    step: float
    front: float
    back: float
    waypoints: tuple[tuple[float, float], ...]

    @classmethod
    def of(cls, gait: Gait, step: float, *, thigh: float, shin: float, foot: float) -> QuadraticGait:
        """The quadratic form given by the fields of a Gait, with a `step` in the lengths' unit."""
        pairs = (gait.stance_thigh, gait.stance_shin, gait.swing_thigh, gait.swing_shin)
        waypoints = tuple((share, math.radians(angle)) for share, angle in pairs)
        return cls(thigh, shin, foot, step, math.radians(gait.front_shin), math.radians(gait.back_shin), waypoints)

    @property
    def lengths(self) -> dict[str, float]:
        return {"thigh": self.thigh, "shin": self.shin, "foot": self.foot}

    def starts(self) -> tuple[float, float, float, float]:
        """Directions of the front thigh and shin, then of the back ones, at the start of a step."""
        front, back, _ = double_support((self.step, 0.0), (0.0, 0.0), self.front, self.back, **self.lengths)
        return float(front), self.front, float(back), self.back

    def angles(self, at: ArrayLike) -> Array:
        """`[..., 4]` directions of standing thigh and shin, swinging thigh and shin, at shares `at [...]` of a step."""
        at = np.asarray(at, float)
        start = self.starts()
        ends = (start[2], start[3], start[0], start[1])
        found = np.stack(
            [quadratic(b, e, *waypoint, at) for b, e, waypoint in zip(start, ends, self.waypoints, strict=True)],
            axis=-1,
        )
        for leg in (0, 2):
            if np.any(found[..., leg + 1] >= found[..., leg]):
                share = float(
                    np.asarray(at)[np.unravel_index(np.argmax(found[..., leg + 1] - found[..., leg]), at.shape)]
                )
                raise PosableError(
                    f"the knee of the {_NAMES[leg].split()[0]} leg would bend backward at {share:.2f} of the step; "
                    f"let the {_NAMES[leg]} pass a larger angle, or the {_NAMES[leg + 1]} a smaller one"
                )
        return found

    def frames(self, steps: int, frames: int) -> tuple[Array, Array, Array]:
        """(angles, toes, hip) of `steps` steps of `frames` frames each, and of the first frame of the next step.

        angles: `[frame, leg, 2]`, thigh and shin; toes: `[frame, leg, 2]`; hip: `[frame, 2]`. Leg 0 is in front at
        the first step, its toe at (step, 0); the toe of the standing leg does not move.
        """
        count = steps * frames + 1
        number, within = np.divmod(np.arange(count), frames)
        four = self.angles(within / frames)
        toe = np.stack([(number + 1) * self.step, np.zeros(count)], axis=-1)
        hip = leg_points(toe, four[:, 0], four[:, 1], **self.lengths)[2]
        reach = leg_points(np.zeros(2), four[:, 2], four[:, 3], **self.lengths)[2]
        standing = number % 2
        angles, toes = np.empty((count, 2, 2)), np.empty((count, 2, 2))
        rows = np.arange(count)
        angles[rows, standing], angles[rows, 1 - standing] = four[:, :2], four[:, 2:]
        toes[rows, standing], toes[rows, 1 - standing] = toe, hip - reach
        return angles, toes, hip

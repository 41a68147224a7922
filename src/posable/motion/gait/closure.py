"""One leg and two legs in the plane: the closed chain toe, ankle, knee, hip, knee, ankle, toe of a parametric gait.

Directions are angles in radians against the walking direction (the x axis), u(a) = (cos a, sin a); legs point down,
so their angles are negative. α is the direction of a thigh, β that of a shin, and the foot stands at a right angle to
the shin. All functions broadcast over leading axes.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import PosableError, near_names
from posable.spatial import Array

QUANTITIES = ("x1", "y1", "x2", "y2", "alpha1", "alpha2", "beta1", "beta2", "thigh", "shin", "foot")
"""The scalars of the closure: two toe points, four directions, three lengths."""

_ROUNDS = 60
_CLOSED = 1e-10


def direction(angle: ArrayLike) -> Array:
    """u(a) = (cos a, sin a), `[..., 2]`, of angles `[...]` in radians."""
    angle = np.asarray(angle, float)
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1)


def leg_points(
    toe: ArrayLike, alpha: ArrayLike, beta: ArrayLike, *, thigh: ArrayLike, shin: ArrayLike, foot: ArrayLike
) -> tuple[Array, Array, Array]:
    """Ankle, knee and hip `[..., 2]` of a leg whose toe stands at `toe [..., 2]`.

    alpha, beta: directions of thigh and shin `[...]`, radians. thigh, shin, foot: lengths `[...]`.
    ankle = toe − foot u(β + π/2), knee = ankle − shin u(β), hip = knee − thigh u(α).
    Raises PosableError for what is no finite number.
    """
    toe = _finite("toe", toe)
    alpha, beta = _finite("alpha", alpha), _finite("beta", beta)
    ankle = toe - _lengths("foot", foot) * direction(beta + np.pi / 2)
    knee = ankle - _lengths("shin", shin) * direction(beta)
    hip = knee - _lengths("thigh", thigh) * direction(alpha)
    shape = np.broadcast_shapes(ankle.shape, knee.shape, hip.shape)
    return np.broadcast_to(ankle, shape), np.broadcast_to(knee, shape), hip


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
    """Directions α1, α2 `[...]` of both thighs and the hip `[..., 2]` they share, both toes on the ground.

    toe1, toe2: `[..., 2]`. beta1, beta2: directions of the shins, radians. thigh, shin, foot: lengths, as both legs
    have them. With V = (knee1 − knee2)/thigh and σ = sign(V_x): S = atan2(−σ V_x, σ V_y), D = σ asin(|V|/2),
    α1 = S + D, α2 = S − D: the hip is above the knees. It holds at any height of the knees; where they coincide and
    every direction would do, the thighs stand upright.
    Raises PosableError, naming the thigh, where the knees are further apart than two thighs.
    """
    zero = np.zeros(())
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
    """The one or two quantities in `guess` that close the chain, everything else being `known`.

    The quantities are x1, y1, x2, y2 (the toes), alpha1, alpha2, beta1, beta2 (radians), thigh, shin, foot; each is
    `[...]` and stands in exactly one of the two mappings. The closure is two equations (both legs meet at one hip), so
    two unknowns are free; with one unknown the known ones must agree. Of several answers the one that Newton's method
    comes to from the guess is given.
    Raises PosableError for names that are missing, double or not there, and where nothing near the guess closes.
    """
    _check_names(known, guess)
    together = np.broadcast_arrays(*[_finite(name, {**known, **guess}[name]) for name in QUANTITIES])
    values = {name: np.array(value) for name, value in zip(QUANTITIES, together, strict=True)}
    names = list(guess)
    for _ in range(_ROUNDS):
        jacobian = np.stack([_slope(name, values) for name in names], axis=-1)
        step = -np.einsum("...ij,...j->...i", np.linalg.pinv(jacobian, rcond=1e-12), closure_error(values))
        longest = np.abs(step).max(axis=-1, keepdims=True, initial=1e-300)
        step = step * np.minimum(1.0, 0.5 / longest)
        for k, name in enumerate(names):
            values[name] = values[name] + step[..., k]
    size = 1e-300 + sum(np.abs(values[name]) for name in ("thigh", "shin", "foot"))
    left = np.linalg.norm(closure_error(values), axis=-1) / size
    if not np.all(left < _CLOSED):
        raise PosableError(
            f"no {' and '.join(names)} near the guess closes the two legs ({np.nanmax(left):.2g} of a leg is left); "
            "give another guess, or let a second quantity be unknown"
        )
    for name in ("thigh", "shin", "foot"):
        if name in guess and np.any(values[name] <= 0):
            raise PosableError(f"only a {name} that is not above 0 would close the two legs; change what is known")
    return {name: values[name] for name in names}


def closure_error(values: Mapping[str, ArrayLike]) -> Array:
    """hip1 − hip2 `[..., 2]` of all quantities of the closure; zero where both legs meet."""
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
    turn = {"thigh": ("alpha", 0.0), "shin": ("beta", 0.0), "foot": ("beta", np.pi / 2)}[name]
    return direction(values[f"{turn[0]}2"] + turn[1]) - direction(values[f"{turn[0]}1"] + turn[1])


def _check_names(known: Mapping[str, ArrayLike], guess: Mapping[str, ArrayLike]) -> None:
    for name in (*known, *guess):
        if name not in QUANTITIES:
            near = near_names(name, QUANTITIES, 1)
            cure = f"did you mean {near[0]}?" if near else f"there are {', '.join(QUANTITIES)}"
            raise PosableError(f"{name!r} is no quantity of the closure; {cure}")
        if name in known and name in guess:
            raise PosableError(f"{name} is both known and to be found; leave it out of one of the two")
    missing = [name for name in QUANTITIES if name not in known and name not in guess]
    if missing:
        raise PosableError(f"nothing is said of {', '.join(missing)}; each is either known or guessed")
    if not 1 <= len(guess) <= 2:
        raise PosableError(f"the closure is two equations: guess one or two quantities, not {len(guess)}")


def _finite(name: str, values: ArrayLike) -> Array:
    try:
        values = np.asarray(values, float)
    except (TypeError, ValueError) as problem:
        raise PosableError(f"{name} must be numbers in a regular array, not {values!r}") from problem
    if not np.isfinite(values).all():
        raise PosableError(f"{name} holds what is no finite number")
    return values


def _lengths(name: str, values: ArrayLike) -> Array:
    """Lengths `[..., 1]`, above 0."""
    values = _finite(name, values)
    if np.any(values <= 0):
        raise PosableError(f"the length of the {name} must be above 0")
    return values[..., None]

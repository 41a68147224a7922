"""How a motion is spread over its time: shares of the way against shares of the time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

import numpy as np

from posable.errors import PosableError
from posable.spatial import Array
from posable.spatial.curves import smootherstep, smoothstep

Ease = Literal["minimum_jerk", "linear", "in", "out", "in_out"]
Profile = Ease | Callable[[Array], Array]

_EASES: dict[str, Callable[[Array], Array]] = {
    "minimum_jerk": smootherstep,
    "linear": lambda u: u,
    "in": lambda u: u * u,
    "out": lambda u: u * (2 - u),
    "in_out": smoothstep,
}


def eased(ease: Profile, shares: Array) -> Array:
    """The share of the way at `shares` of the time, 0 to 1.

    ease: "minimum_jerk", as hands move (Flash & Hogan 1985), "linear", "in" (starts slowly), "out" (stops slowly),
        "in_out", or a function of an array that goes from 0 at 0 to 1 at 1, a speed profile of one's own.
    Raises PosableError for what is none of these.
    """
    if isinstance(ease, str):
        if ease not in _EASES:
            raise PosableError(f"an ease is one of {', '.join(get_args(Ease))}, or a function, not {ease!r}")
        return _EASES[ease](shares)
    if not callable(ease):
        raise PosableError(f"an ease is one of {', '.join(get_args(Ease))}, or a function, not {ease!r}")
    way = np.asarray(ease(np.concatenate([[0.0], shares, [1.0]])), float)
    if way.shape != (len(shares) + 2,) or not np.isfinite(way).all() or abs(way[0]) > 1e-6 or abs(way[-1] - 1) > 1e-6:
        raise PosableError("an ease goes from 0 at 0 to 1 at 1, and is a finite number for every share of the time")
    return way[1:-1]

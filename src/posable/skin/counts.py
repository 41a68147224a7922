"""Whole numbers that callers give, checked."""

from __future__ import annotations

import math
import operator
from typing import Any

from posable.errors import SkinError


def whole(value: Any, what: str, least: int, most: float = math.inf) -> int:
    """`value` as a whole number, `least` … `most`. Raises SkinError that says `what` it should be."""
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if isinstance(value, bool) or not least <= number <= most:
        raise SkinError(f"{what}, not {value!r}")
    return number


def influence_count(influences: Any) -> int:
    """How many joints a vertex may follow. Raises SkinError for less than one."""
    return whole(influences, "influences is the most joints a vertex follows, at least 1", 1)

"""Defaults shared by formats that leave something unstated."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

LARGEST_NUMBER = 1e15
"""Numbers from here on are treated as damage: no measurement is so large, and their sums would overflow."""
_CLEARLY = 3.0


def up_axis(points: ArrayLike) -> Literal["y", "z"]:
    """The up axis: z if the rest points `[point, 3]` extend over three times as far along z as along y, else y.

    A person with the arms out is wide (x), tall and thin: the taller of y and z is the height. The factor keeps
    animals, which are longer than tall, at the usual y.
    """
    _, height, depth = np.ptp(np.asarray(points, float), axis=0)
    return "z" if depth > _CLEARLY * height else "y"


# Mimic relations, with cycles detected immediately for chains of any length.


class Mimics:
    """Relations of followers to leaders, without cycles."""

    def __init__(self) -> None:
        self._ahead: dict[Hashable, Hashable] = {}

    def tie(self, follower: Hashable, leader: Hashable) -> bool:
        """Make `follower` follow `leader`; False without effect if it already follows something, or would follow
        itself.
        """
        if follower in self._ahead or self._last(leader) == follower:
            return False
        self._ahead[follower] = leader
        return True

    def _last(self, one: Hashable) -> Hashable:
        """The end of the chain, with path halving for later queries."""
        while one in self._ahead:
            after = self._ahead[one]
            self._ahead[one] = self._ahead.get(after, after)
            one = self._ahead[one]
        return one

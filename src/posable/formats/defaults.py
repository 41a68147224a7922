"""What files of several formats do not state, decided alike for all of them."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

LARGEST_NUMBER = 1e15
"""Numbers from here on are taken for damage: nothing measured is so large, and sums of them would overflow."""
_CLEARLY = 3.0


def up_axis(points: ArrayLike) -> Literal["y", "z"]:
    """Z where the points `[point, 3]` of a figure at rest reach over three times as far along z as along y, else y.

    A person with the arms out is wide (x), tall and thin: the taller of y and z is the height. The factor leaves
    animals, which are longer than tall, at the usual y.
    """
    _, height, depth = np.ptp(np.asarray(points, float), axis=0)
    return "z" if depth > _CLEARLY * height else "y"


# Who follows whom, with circles found at once however long the chains are.


class Mimics:
    """Ties of followers to leaders, in which nothing may come to follow itself."""

    def __init__(self) -> None:
        self._ahead: dict[Hashable, Hashable] = {}

    def tie(self, follower: Hashable, leader: Hashable) -> bool:
        """Let `follower` follow `leader`; False, and nothing is tied, if it follows something already, or itself."""
        if follower in self._ahead or self._last(leader) == follower:
            return False
        self._ahead[follower] = leader
        return True

    def _last(self, one: Hashable) -> Hashable:
        """The end of the chain; the way there is halved for the next who asks."""
        while one in self._ahead:
            after = self._ahead[one]
            self._ahead[one] = self._ahead.get(after, after)
            one = self._ahead[one]
        return one

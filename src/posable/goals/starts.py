"""How goals may propose the starting poses of solves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from posable.spatial import Array


class Stands(NamedTuple):
    """A joint that is kept in place in the starting pose."""

    joint: str
    position_weight: float
    rotation_weight: float
    first: bool
    """Whether it comes with the goals, not after them."""
    proposed: bool
    """Whether as it is proposed, not as the solve was given it."""


class ProposesStarts(Protocol):
    """A proposal of starting poses."""

    @property
    def stands(self) -> Sequence[Stands]:
        """The joints that are kept in place in the starting pose, as far as the goals allow."""
        ...

    def of(self, starts: Array, numbers: Array, strengths: Array | None = None, since: Array | None = None) -> Array:
        """`[problem, coordinates]`, from the starts that were given, `[problem, number]` the targets, the weights
        `[problem]` of the goal that proposes, None for its own, and `[problem, number]` the targets for which the
        starts were solved, None where that is not known.
        """
        ...

"""How goals may propose the starting poses of solves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from posable.skeleton import Cone
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
    within: Cone | None = None
    """Rotations about the kept one any of which will do."""


class Foot(NamedTuple):
    """A foot that bears."""

    ankle: str
    toes: str
    """The joint of its toes; the ankle where it has none."""
    term: int
    """The term of the goals that says where the ankle is to be; -1 where it stays."""


class Support(NamedTuple):
    """A joint that stays over the feet that bear, so that the figure does not fall."""

    joint: str
    feet: tuple[Foot, ...]
    slack: float
    """How far it may be from the middle of the feet, along each level axis of the world."""
    lifted: float
    """How far a foot has to be above the lowest one to bear nothing."""


class ProposesStarts(Protocol):
    """A proposal of starting poses."""

    @property
    def stands(self) -> Sequence[Stands]:
        """The joints that are kept in place in the starting pose, as far as the goals allow."""
        ...

    @property
    def support(self) -> Support | None:
        """What stays over the feet, as far as the goals allow; None where nothing has to."""
        ...

    @property
    def idle(self) -> NDArray[np.bool_]:
        """`[dof]` the freedoms of limbs that no goal asks for, which are to hang outside the body."""
        ...

    def begun(
        self,
        starts: Array,
        numbers: Array,
        strengths: Array | None = None,
        since: Array | None = None,
        origin: tuple[Array, Array] | None = None,
    ) -> Array:
        """`[problem, coordinates]`: the poses to start from.

        Args:
            starts: `[problem, coordinates]` those that were given.
            numbers: `[problem, number]` the targets, as the kernels read them.
            strengths: `[problem]` weights of the goal that proposes, 0 … 1; None for its own.
            since: In drags, `[problem, number]` the targets for which the starts were solved.
            origin: In the drag of one problem, `[coordinates]` the pose in which it began and `[number]` the targets
                for which that was solved: the start is drawn towards what would be proposed from there.
        """
        ...

    def hung(self, begun: Array, pose: Array) -> Array:
        """`[coordinates]`: in a drag with an origin, the pose once feet are in place, with free arms as in `begun`."""
        ...

"""What is only not to be exceeded, over all frames of a clip: rows that count while they are above zero."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import kernel
from posable.motion.whole_clip.clip_rows import Motions
from posable.skeleton import Pose
from posable.spatial import Array

_AHEAD = 0.03  # reaches that a row may have left and still be looked at: a step may take it over


class Rows(NamedTuple):
    """over: `[frame, slot]`, as many slots as the fullest frame needs, -inf in those that are empty; slopes: `[frame,
    slot, free]`, the derivative by the corrections, 0 there.
    """

    over: Array
    slopes: Array


class OneSided(Protocol):
    """Rows that count while they are above zero.

    Lengths are in reaches, and everything is times the root of what the rows weigh.
    """

    @property
    def bodies(self) -> Iterable[int]:
        """The joints whose motions `near` may ask for."""
        ...

    def over(self, pose: Pose) -> Array:
        """`[frame, row]` by how much, below 0 where it is kept."""
        ...

    def near(self, pose: Pose, motions: Motions) -> Rows:
        """Those rows that are above zero, or may be after a step. motions: of `bodies` in these poses."""
        ...


class Packed:
    """Rows `over [frame, row]` times `root`, those that matter of every frame one after the other."""

    def __init__(self, over: Array, root: float, free: int) -> None:
        self._chosen = over > -_AHEAD * root
        self._slot = np.cumsum(self._chosen, axis=1) - 1
        slots = int(self._slot[:, -1].max(initial=-1)) + 1 if over.shape[1] else 0
        self._given = over
        self.rows = Rows(np.full((len(over), slots), -np.inf), np.zeros((len(over), slots, free)))

    def used(self) -> Iterator[tuple[int, NDArray[np.int64]]]:
        """(row, the frames in which it matters)."""
        for row in np.flatnonzero(self._chosen.any(axis=0)).tolist():
            yield row, np.flatnonzero(self._chosen[:, row])

    def put(self, row: int, at: NDArray[np.int64], slopes: Array) -> None:
        """The slopes `[n, free]` of a row in those frames."""
        slot = self._slot[at, row]
        self.rows.over[at, slot] = self._given[at, row]
        self.rows.slopes[at, slot] = slopes

    def push(self, row: int, at: NDArray[np.int64], place: Array, way: Array, motion: Array) -> None:
        """A row grows in those frames as a point of a body goes along `way [n, 3]`, times what the row is a root of;
        what more bodies do to it is added.

        place: `[n, 3]` the point, in reaches; motion: `[frame, 6, free]` of the body.
        """
        slot = self._slot[at, row]
        self.rows.over[at, slot] = self._given[at, row]
        _add_motion(self.rows.slopes, slot, at, np.concatenate([np.cross(place, way), way], axis=1), motion)


def joined(parts: Sequence[Rows], frames: int, free: int) -> Rows:
    """All rows side by side."""
    if not parts:
        return Rows(np.zeros((frames, 0)), np.zeros((frames, 0, free)))
    return Rows(
        np.concatenate([one.over for one in parts], axis=1), np.concatenate([one.slopes for one in parts], axis=1)
    )


@kernel
def _add_motion(slopes, slot, at, force, motion):
    """slopes[at, slot] += force · motion[at], without a copy of the motions in those frames."""
    for n in range(at.shape[0]):
        row = slopes[at[n], slot[n]]
        for k in range(6):
            share, moved = force[n, k], motion[at[n], k]
            for c in range(row.shape[0]):
                row[c] += share * moved[c]

"""What is only not to be exceeded, over all frames of a clip: rows that count while they are above zero."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from posable.motion.clip_rows import Motions
from posable.skeleton import Pose
from posable.spatial import Array

_AHEAD = 0.03  # reaches that a row may have left and still be looked at: a step may take it over


class Rows(NamedTuple):
    """over: `[frame, slot]`, as many slots as the fullest frame needs, -inf in those that are empty; slopes: `[frame,
    slot, free]`, the derivative along `pose.plus`, 0 there.
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
        self.rows.over[at, self._slot[at, row]] = self._given[at, row]
        self.rows.slopes[at, self._slot[at, row]] = slopes


def moves(place: Array, normal: Array, motion: Array) -> Array:
    """`[n, free]` how a point at `place [n, 3]` (in reaches) goes along `normal [n, 3]` with its body's `motion
    [n, 6, free]`.
    """
    return (np.concatenate([np.cross(place, normal), normal], axis=1)[:, None] @ motion)[:, 0]


def joined(parts: Sequence[Rows], frames: int, free: int) -> Rows:
    """All rows side by side."""
    if not parts:
        return Rows(np.zeros((frames, 0)), np.zeros((frames, 0, free)))
    return Rows(
        np.concatenate([one.over for one in parts], axis=1), np.concatenate([one.slopes for one in parts], axis=1)
    )

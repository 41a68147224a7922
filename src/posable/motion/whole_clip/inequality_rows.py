"""Inequalities over all frames of a clip: rows that count only while they are above zero."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import kernel
from posable.motion.whole_clip.clip_rows import Motions
from posable.skeleton import Pose
from posable.spatial import Array

_AHEAD = 0.03  # reaches below zero from which a row is considered: a step may take it above


class LinearizedRows(NamedTuple):
    """The rows that are above zero or close to it, in slots, as many as the fullest frame needs.

    violations: `[frame, slot]`, -inf in empty slots. jacobian: `[frame, slot, free]`, their derivative by the
    corrections, 0 in empty slots.
    """

    violations: Array
    jacobian: Array


class Inequalities(Protocol):
    """Rows that count while they are above zero.

    Lengths are in reaches; rows are multiplied by the square root of their weight.
    """

    @property
    def bodies(self) -> Iterable[int]:
        """The joints whose motions `linearized` needs."""
        ...

    def violations(self, pose: Pose) -> Array:
        """`[frame, row]`, below 0 where the inequality holds."""
        ...

    def linearized(self, pose: Pose, motions: Motions) -> LinearizedRows:
        """The rows that are above zero, or may be after a step. motions: of `bodies` in these poses."""
        ...


class RowBuilder:
    """Makes LinearizedRows of `violations [frame, row]`, which contain the factor `root`."""

    def __init__(self, violations: Array, root: float, free: int) -> None:
        self._chosen = violations > -_AHEAD * root
        self._slot = np.cumsum(self._chosen, axis=1) - 1
        slots = int(self._slot[:, -1].max(initial=-1)) + 1 if violations.shape[1] else 0
        self._given = violations
        frames = len(violations)
        self.rows = LinearizedRows(np.full((frames, slots), -np.inf), np.zeros((frames, slots, free)))

    def used(self) -> Iterator[tuple[int, NDArray[np.int64]]]:
        """(row, the frames in which it is above zero or close to it)."""
        for row in np.flatnonzero(self._chosen.any(axis=0)).tolist():
            yield row, np.flatnonzero(self._chosen[:, row])

    def put(self, row: int, at: NDArray[np.int64], jacobian: Array) -> None:
        """Set the derivative `[n, free]` of a row in those frames."""
        slot = self._slot[at, row]
        self.rows.violations[at, slot] = self._given[at, row]
        self.rows.jacobian[at, slot] = jacobian

    def add_point(self, row: int, at: NDArray[np.int64], position: Array, direction: Array, motion: Array) -> None:
        """Add to a row's derivative in those frames that it grows as a point of a body moves along `direction [n, 3]`,
        which contains the factor `root`.

        position: `[n, 3]` the point, in reaches; motion: `[frame, 6, free]` of the body.
        """
        slot = self._slot[at, row]
        self.rows.violations[at, slot] = self._given[at, row]
        force = np.concatenate([np.cross(position, direction), direction], axis=1)
        _add_motion(self.rows.jacobian, slot, at, force, motion)


def joined(parts: Sequence[LinearizedRows], frames: int, free: int) -> LinearizedRows:
    """All rows side by side."""
    if not parts:
        return LinearizedRows(np.zeros((frames, 0)), np.zeros((frames, 0, free)))
    violations, jacobian = (np.concatenate(own, axis=1) for own in zip(*parts, strict=True))
    return LinearizedRows(violations, jacobian)


@kernel
def _add_motion(jacobian, slot, at, force, motion):
    """jacobian[at, slot] += force · motion[at], without a copy of the motions in those frames."""
    for n in range(at.shape[0]):
        row = jacobian[at[n], slot[n]]
        for k in range(6):
            share, moved = force[n, k], motion[at[n], k]
            for c in range(row.shape[0]):
                row[c] += share * moved[c]

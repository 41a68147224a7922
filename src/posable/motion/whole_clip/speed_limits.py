"""Limits of speed in a whole-clip solve: a degree of freedom changes by at most so much from one frame to the next."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import kernel
from posable.spatial import Array

_WEIGHT = 1e3  # of the squared excess, in rad or the figure's unit, against the goals


class SpeedLimits(NamedTuple):
    """The penalty ½ Σ weight · excess² on corrections `c [frame, free]` of a clip.

    columns: the degrees of freedom with a limit. moved: `[frame - 1, column]` how they change in the clip from frame
    to frame; most: `[column]` by how much they may. Changes are linear in c, so that the model of the penalty is exact
    while the signs of the excess stay.
    """

    columns: NDArray[np.intp]
    moved: Array
    most: Array

    @classmethod
    def of(cls, q: Array, columns: NDArray[np.intp], most: Array) -> SpeedLimits:
        """The limits of a clip. q: `[frame, column]` its values in `columns`; most: `[free]`, inf for any change."""
        limited = np.isfinite(most[columns])
        return cls(columns[limited], np.diff(q[:, limited], axis=0), most[columns[limited]])

    def _changes(self, c: Array) -> Array:
        """`[frame - 1, column]` of the corrected clip."""
        own = c[:, self.columns]
        return self.moved + (own[1:] - own[:-1])

    def excess(self, c: Array) -> Array:
        """`[frame - 1, column]` signed, 0 within the limits."""
        changes = self._changes(c)
        return changes - np.clip(changes, -self.most, self.most)

    def active(self, c: Array) -> Array:
        """`[frame - 1, column]` the signs of the excess."""
        found = np.empty(self.moved.shape)
        find_signs(*self, c, found)
        return found

    def costs(self, c: Array) -> Array:
        """`[frame]`, that of a change in equal parts for both of its frames."""
        found = np.zeros(len(c))
        add_excess(*self, 0.5 * _WEIGHT, c, found)
        return found

    def worth(self, c: Array, taken: Array, found: Array) -> float:
        """The part of the penalty at c whose signs were taken to be others than those found."""
        other = taken != found
        if not other.any():
            return 0.0
        off = other * (self._changes(c) - (taken + found) * self.most)
        return 0.5 * _WEIGHT * float(np.sum(off**2))

    def add_to(self, c: Array, active: Array, gradient: Array, diagonal: Array, below: Array) -> None:
        """Add the derivative of the penalty, with the excess of these signs, to `gradient [frame, free]`, and its
        second derivative to `diagonal [frame, free]` and, between a frame and the next, to `below [frame, free]`.
        """
        add_signed(*self, _WEIGHT, c, active, gradient, diagonal, below)


@kernel
def find_signs(columns, moved, most, c, signs):
    """`signs [frame - 1, column]` become those of what changes of a clip, corrected by `c [frame, free]`, are more than
    `most`; see `SpeedLimits`.
    """
    for f in range(moved.shape[0]):
        for k in range(columns.shape[0]):
            change = moved[f, k] + (c[f + 1, columns[k]] - c[f, columns[k]])
            signs[f, k] = (1.0 if change > most[k] else 0.0) - (1.0 if change < -most[k] else 0.0)


@kernel
def add_excess(columns, moved, most, weight, c, costs):
    """Add to `costs [frame]` half of `weight` times the squared excess, for both frames of a change."""
    for f in range(moved.shape[0]):
        total = 0.0
        for k in range(columns.shape[0]):
            change = moved[f, k] + (c[f + 1, columns[k]] - c[f, columns[k]])
            over = change - min(max(change, -most[k]), most[k])
            total += over * over
        costs[f] += 0.5 * weight * total
        costs[f + 1] += 0.5 * weight * total


@kernel
def add_signed(columns, moved, most, weight, c, signs, gradient, diagonal, below):
    """See `SpeedLimits.add_to`."""
    for f in range(moved.shape[0]):
        for k in range(columns.shape[0]):
            if signs[f, k] == 0.0:
                continue
            j = columns[k]
            over = weight * (moved[f, k] + (c[f + 1, j] - c[f, j]) - signs[f, k] * most[k])
            gradient[f, j] -= over
            gradient[f + 1, j] += over
            diagonal[f, j] += weight
            diagonal[f + 1, j] += weight
            below[f, j] -= weight

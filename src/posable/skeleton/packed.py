"""The same tables in six arrays: every array that a kernel takes costs compile time and time at each call."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.skeleton.tables import Tables

# Columns of `joint`; the last row holds only the ends of the three ranges.
PARENT, CODE, COORDINATE, DOF, AXIS, TURNED, ANCHORED = range(7)
# Columns of `frame`.
TURN, OFFSET, ANCHOR = 0, 9, 12
# Columns of `axis_number`.
SLIDES, AXIS_ANCHORED, AXIS_COORDINATE, AXIS_DOF, AXIS_COORDINATE2, AXIS_DOF2 = range(6)
# Columns of `axis`.
DIRECTION, AXIS_ANCHOR, GAIN, GAIN2, SHIFT = 0, 3, 6, 7, 8
# Columns of `bound`.
LOWER, UPPER = 0, 1


class Packed(NamedTuple):
    """What kernels read; the columns are named above and explained in `Tables`."""

    joint: NDArray[np.int64]  # [joint + 1, 7]
    frame: NDArray[np.float64]  # [joint, 15]
    axis_number: NDArray[np.int64]  # [axis, 6]
    axis: NDArray[np.float64]  # [axis, 9]
    bound: NDArray[np.float64]  # [dof, 2]
    cones: NDArray[np.float64]  # [joint, 15]


def pack(t: Tables) -> Packed:
    """The tables, packed."""
    count = len(t.parent)
    joint = np.zeros((count + 1, 7), np.int64)
    joint[:, COORDINATE], joint[:, DOF], joint[:, AXIS] = t.first_coordinate, t.first_dof, t.first_axis
    for column, values in ((PARENT, t.parent), (CODE, t.code), (TURNED, t.turned), (ANCHORED, t.anchored)):
        joint[:count, column] = values
    numbers = (t.slides, t.axis_anchored, t.axis_coordinate, t.axis_dof, t.axis_coordinate2, t.axis_dof2)
    packed = Packed(
        joint,
        np.concatenate([t.turn.reshape(count, 9), t.offset, t.anchor], axis=1),
        np.stack([np.asarray(column, np.int64) for column in numbers], axis=1),
        np.concatenate([t.direction, t.axis_anchor, np.stack([t.gain, t.gain2, t.shift], axis=1)], axis=1),
        np.stack([t.lower, t.upper], axis=1),
        np.array(t.cones),
    )
    for array in packed:
        array.setflags(write=False)
    return packed

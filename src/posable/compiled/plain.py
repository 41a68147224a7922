"""Kernels by Numba's documented features alone, for versions whose internals are unknown: slower, with equal results.

It stands for the modules in STANDS_FOR, name by name. A spatial vector is a row of COUNT doubles, of which the last two
are zero, a register a row of floats, a record a named tuple, and a view a slice. Nothing is done side by side: what is
asks `PLAIN_KERNELS` first.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

import numba
import numpy as np
from numba.extending import register_jitable

from posable.compiled.cache import announce_compilation, cache_folder, is_compiled

STANDS_FOR = (
    "numba_internals", "records", "simd_batch", "simd_float", "simd_masks", "spatial_vectors", "views",
)  # fmt: skip
_DOCUMENTED = ("nogil", "error_model", "fastmath", "inline")


def compile_entry(function: Callable[..., Any], **options: Any) -> Any:
    """A kernel that Python calls, in Numba's own cache within posable's, which notices edits."""
    source = Path(function.__code__.co_filename)
    folder, config = cache_folder(source), cast(Any, numba).config
    if folder is None:
        return _compiled(function, options)
    if not is_compiled(source):
        announce_compilation()
    before, config.CACHE_DIR = config.CACHE_DIR, str(folder)  # read by Numba at decoration
    try:
        return _compiled(function, options, cache=True)
    finally:
        config.CACHE_DIR = before


def compile_part(function: Callable[..., Any], **options: Any) -> Any:
    """A kernel that only other kernels call."""
    return _compiled(function, options)


def _compiled(function: Callable[..., Any], options: Mapping[str, Any], **more: Any) -> Any:
    return numba.njit(**{name: options[name] for name in _DOCUMENTED if name in options}, **more)(function)


# views


@register_jitable
def window(memory, first, shape):
    size = 1
    for count in shape:
        size *= count
    return memory[first : first + size].reshape(shape)


@register_jitable
def as_whole(numbers):
    return numbers.view(np.int64)


# records

FIELD_SIZE = 12
TABLE = CUBE = WHOLE_TABLE = None


class RecordType:
    """The named tuple that stands for a record."""

    def __init__(self, name: str, fields: Mapping[str, Any]) -> None:
        self.fields = tuple(fields)
        self.made: Any = namedtuple(name, self.fields)  # pyright: ignore[reportUntypedNamedTuple]


def record_maker(kind: RecordType) -> Any:
    made = kind.made
    return register_jitable(lambda memory, values: made(*values))  # noqa: ARG005


def record_reader(kind: RecordType) -> Any:  # noqa: ARG001
    return _side_by_side


@register_jitable
def keep(memory):  # noqa: ARG001
    return None


# spatial_vectors, and how they are read

COUNT = 8
lanes = LANE_ROW = LANE_TABLE = LANE_CUBE = None


@register_jitable
def spatial_vector(a, b, c, d, e, f):
    row = np.zeros(COUNT)
    row[0], row[1], row[2], row[3], row[4], row[5] = a, b, c, d, e, f
    return row


@register_jitable
def zero_vector():
    return np.zeros(COUNT)


@register_jitable
def dot(one, other):
    return ((one[0] * other[0] + one[4] * other[4]) + one[2] * other[2]) + (
        (one[1] * other[1] + one[5] * other[5]) + one[3] * other[3]
    )


@register_jitable
def lane(row, index):
    return row[index]


@register_jitable
def as_lanes(array):
    return array


@register_jitable
def sine_cosine(angle):
    return np.sin(angle), np.cos(angle)


# simd_float

MATRIX, DUAL = 16, 8


@register_jitable
def matrix_at(columns, row, joint):
    return columns[row, MATRIX * joint : MATRIX * (joint + 1)]


@register_jitable
def dual_at(duals, row, joint):
    return duals[row, DUAL * joint : DUAL * (joint + 1)]


@register_jitable
def scaled(weight, register):
    return np.float32(weight) * register


@register_jitable
def plus_scaled(total, weight, register):
    return total + np.float32(weight) * register


@register_jitable
def entries(register):
    return register


@register_jitable
def moved(matrix, x, y, z):
    return (
        matrix[12] + x * matrix[0] + y * matrix[4] + z * matrix[8],
        matrix[13] + x * matrix[1] + y * matrix[5] + z * matrix[9],
        matrix[14] + x * matrix[2] + y * matrix[6] + z * matrix[10],
    )


@register_jitable
def carried(dual, x, y, z):
    w, a, b, c = dual[0], dual[1], dual[2], dual[3]
    tx = b * z - c * y + w * x + dual[5]
    ty = c * x - a * z + w * y + dual[6]
    tz = a * y - b * x + w * z + dual[7]
    scale = np.float32(2.0) / (w * w + a * a + b * b + c * c)
    return (
        x + scale * (b * tz - c * ty + w * dual[5] - dual[4] * a),
        y + scale * (c * tx - a * tz + w * dual[6] - dual[4] * b),
        z + scale * (a * ty - b * tx + w * dual[7] - dual[4] * c),
    )


# simd_masks, and other functions for SIMD batches alone


def _side_by_side(*_: Any) -> Any:
    """A function that has no plain form."""
    raise NotImplementedError("nothing is done side by side without Numba's inner parts")


angle_of = bits_of = everywhere = gather = larger = magnitude = mask_of = select = _side_by_side
smaller = square_root = store_frames = with_lane = _side_by_side

"""Arrays in kernels: a part of a flat array seen as any shape, and lanes gathered from arrays and written to them.

Nothing is checked or copied: NumPy's slice and reshape take a hundred times longer in a kernel.
"""

from __future__ import annotations

from typing import Any

from posable.compiled.numba_internals import (
    cgutils,
    impl_ret_borrowed,
    intrinsic,
    ir,
    make_array,
    only_contiguous,
    populate_array,
    types,
)
from posable.compiled.simd_batch import COUNT, VECTOR, lanes

# ruff: noqa: ARG001  (Numba hands every intrinsic its context and types, asked for or not)


@intrinsic
def window(typingctx, memory, first, shape):
    """The numbers of the flat array `memory` from `first` on as a contiguous array of `shape`, a tuple of counts."""
    seen = memory.copy(ndim=len(shape), layout="C")

    def code(context, builder, sig, args):
        whole = make_array(sig.args[0])(context, builder, args[0])
        view = make_array(seen)(context, builder)
        counts = cgutils.unpack_tuple(builder, args[2])
        size = ir.Constant(counts[0].type, context.get_abi_sizeof(context.get_data_type(seen.dtype)))
        strides = [size]
        for count in reversed(counts[1:]):
            strides.insert(0, builder.mul(strides[0], count))
        populate_array(
            view,
            data=builder.gep(whole.data, [args[1]]),
            shape=counts,
            strides=strides,
            itemsize=size,
            meminfo=whole.meminfo,
            parent=whole.parent,
        )
        return impl_ret_borrowed(context, builder, seen, view._getvalue())

    return seen(memory, types.intp, types.UniTuple(types.intp, len(shape))), code


@intrinsic
def as_whole(typingctx, numbers):
    """A flat array of doubles seen as the int64 whose bits they hold."""
    only_contiguous(numbers)
    seen = types.Array(types.int64, 1, "C")

    def code(context, builder, sig, args):
        whole = make_array(sig.args[0])(context, builder, args[0])
        view = make_array(seen)(context, builder)
        populate_array(
            view,
            data=builder.bitcast(whole.data, view.data.type),
            shape=cgutils.unpack_tuple(builder, whole.shape),
            strides=cgutils.unpack_tuple(builder, whole.strides),
            itemsize=context.get_constant(types.intp, 8),
            meminfo=whole.meminfo,
            parent=whole.parent,
        )
        return impl_ret_borrowed(context, builder, seen, view._getvalue())

    return seen(numbers), code


# ruff: noqa: ARG001  (Numba hands every intrinsic its context and types, asked for or not)


LANE_ROW, LANE_TABLE, LANE_CUBE = (types.Array(lanes, n, "C", aligned=False) for n in (1, 2, 3))
"""The Numba type of an array of lanes with two axes."""


@intrinsic
def as_lanes(typingctx, array):
    """A contiguous array `[..., COUNT]` of doubles seen as an array `[...]` of lanes."""
    only_contiguous(array)
    seen = types.Array(lanes, array.ndim - 1, "C", aligned=False)

    def code(context, builder, sig, args):
        whole = make_array(sig.args[0])(context, builder, args[0])
        view = make_array(seen)(context, builder)
        populate_array(
            view,
            data=builder.bitcast(whole.data, view.data.type),
            shape=cgutils.unpack_tuple(builder, whole.shape)[:-1],
            strides=cgutils.unpack_tuple(builder, whole.strides)[:-1],
            itemsize=context.get_constant(types.intp, 8 * COUNT),
            meminfo=whole.meminfo,
            parent=whole.parent,
        )
        return impl_ret_borrowed(context, builder, seen, view._getvalue())

    return seen(array), code


@intrinsic
def gather(typingctx, numbers, first, stride):
    """The numbers at first, first + stride, ... of a flat array."""
    only_contiguous(numbers)

    def code(context, builder, sig, args):
        start = builder.gep(make_array(sig.args[0])(context, builder, args[0]).data, [args[1]])
        result = ir.Constant(VECTOR, ir.Undefined)
        for i in range(COUNT):
            place = builder.gep(start, [builder.mul(args[2], ir.Constant(args[2].type, i))])
            result = builder.insert_element(result, builder.load(place), ir.Constant(ir.IntType(32), i))
        return result

    return lanes(numbers, types.intp, types.intp), code


@intrinsic
def store_frames(typingctx, out, first, stride, frame, square):
    """Write COUNT matrices into a flat array, at first, first + stride, ...: rows of `frame`; if `square`, a fourth."""

    def code(context, builder, sig, args):
        kind = context.get_data_type(sig.args[0].dtype)
        start = builder.gep(make_array(sig.args[0])(context, builder, args[0]).data, [args[1]])
        numbers = cgutils.unpack_tuple(builder, args[3], 12)
        if kind != ir.DoubleType():
            numbers = [builder.fptrunc(number, ir.VectorType(kind, COUNT)) for number in numbers]
        rows = [_transposed(builder, numbers[4 * r : 4 * r + 4]) for r in range(3)]
        last = ir.Constant(ir.VectorType(kind, 4), [0.0, 0.0, 0.0, 1.0])
        places = [builder.gep(start, [builder.mul(args[2], ir.Constant(args[2].type, i))]) for i in range(COUNT)]
        for i, place in enumerate(places):
            for r in range(3):
                _store(builder, rows[r][i], place, 4 * r)
        with builder.if_then(args[4]):
            for place in places:
                _store(builder, last, place, 12)
        return context.get_dummy_value()

    return types.void(out, types.intp, types.intp, types.UniTuple(lanes, 12), types.boolean), code


def _store(builder: ir.IRBuilder, row: Any, place: Any, offset: int) -> None:
    there = builder.bitcast(builder.gep(place, [ir.Constant(ir.IntType(64), offset)]), row.type.as_pointer())
    builder.store(row, there, align=4)


def _transposed(builder: ir.IRBuilder, columns: list[Any]) -> list[Any]:
    """Four vectors of COUNT numbers as COUNT rows of four."""

    def pick(left: Any, right: Any, places: list[int]) -> Any:
        return builder.shuffle_vector(left, right, ir.Constant(ir.VectorType(ir.IntType(32), len(places)), places))

    a, b, c, d = columns
    rows = []
    for odd in (0, 1):
        pairs = [i for k in range(odd, COUNT, 2) for i in (k, COUNT + k)]
        ab, cd = pick(a, b, pairs), pick(c, d, pairs)
        rows.append([pick(ab, cd, [k, k + 1, COUNT + k, COUNT + k + 1]) for k in range(0, COUNT, 2)])
    return [rows[i % 2][i // 2] for i in range(COUNT)]

"""A part of a flat array seen as an array of any shape, with no check and no copy: NumPy's slice and reshape take a
hundred times longer in a kernel.
"""

# ruff: noqa: ARG001  (Numba hands every intrinsic its context and types, asked for or not)
from __future__ import annotations

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

"""Spatial vectors: a motion (ω, v) or a force (n, f) of a rigid body about the world's origin, in one register.

They are lanes whose last two numbers are zero, so sums and multiples are written with plain + and *.
"""

# ruff: noqa: ARG001  (Numba passes its context and types to every intrinsic)
from __future__ import annotations

from posable.compiled.decorators import inner_kernel
from posable.compiled.numba_internals import cgutils, intrinsic, ir, types
from posable.compiled.simd_batch import COUNT, VECTOR, lanes

_ZERO = ir.Constant(VECTOR, [0.0] * COUNT)


@intrinsic
def spatial_vector(typingctx, a, b, c, d, e, f):
    """The vector of six numbers."""

    def code(context, builder, sig, args):
        result = _ZERO
        for i, (number, kind) in enumerate(zip(args, sig.args, strict=True)):
            number = context.cast(builder, number, kind, types.float64)
            result = builder.insert_element(result, number, ir.Constant(ir.IntType(32), i))
        return result

    return lanes(a, b, c, d, e, f), code


@intrinsic
def dot(typingctx, one, other):
    """The sum of the products of two vectors' entries: the power of a force along a motion."""

    def code(context, builder, sig, args):
        product = builder.fmul(*args)
        kind = ir.FunctionType(ir.DoubleType(), [ir.DoubleType(), VECTOR])
        function = cgutils.get_or_insert_function(builder.module, kind, f"llvm.vector.reduce.fadd.v{COUNT}f64")
        return builder.call(function, [ir.Constant(ir.DoubleType(), -0.0), product], fastmath=("reassoc",))

    return types.float64(lanes, lanes), code


@inner_kernel
def zero_vector():
    """The zero vector."""
    return spatial_vector(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)

"""Choices lane by lane: comparisons of lanes give masks, and `select` takes from one or the other. Roots, extremes and
the arctangent, without branches.
"""

# ruff: noqa: ARG001, ARG002  (Numba passes its context and types to all of these)
from __future__ import annotations

import math
import operator
from typing import Any

from numba.extending import lower_builtin, models, register_model

from posable.compiled.decorators import inner_kernel
from posable.compiled.numba_internals import AbstractTemplate, cgutils, infer_global, intrinsic, ir, signature, types
from posable.compiled.simd_batch import COUNT, VECTOR, LanesType, lanes

_BITS = ir.VectorType(ir.IntType(1), COUNT)


class MaskType(types.Type):
    """COUNT truth values side by side."""

    def __init__(self) -> None:
        super().__init__(name="Mask")


mask = MaskType()


@register_model(MaskType)
class _MaskModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: MaskType) -> None:
        super().__init__(manager, kind, _BITS)


def _comparison(operation: Any, symbol: str) -> None:
    @infer_global(operation)
    class _Comparison(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            if lanes in args and all(one == lanes or isinstance(one, types.Number) for one in args):
                return signature(mask, lanes, lanes)
            return None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.fcmp_ordered(symbol, *args)  # false where one is not a number, as for numbers

    lower_builtin(operation, LanesType, LanesType)(lower)


_comparison(operator.lt, "<")
_comparison(operator.le, "<=")
_comparison(operator.gt, ">")
_comparison(operator.ge, ">=")


def _logic(operation: Any, instruction: str, arity: int) -> None:
    @infer_global(operation)
    class _Logic(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            return signature(mask, *args) if all(one == mask for one in args) else None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return getattr(builder, instruction)(*args)

    lower_builtin(operation, *[MaskType] * arity)(lower)


_logic(operator.and_, "and_", 2)
_logic(operator.or_, "or_", 2)
_logic(operator.invert, "not_", 1)


@intrinsic
def select(typingctx, chosen, one, other):
    """`one` in the lanes of the mask, `other` elsewhere."""

    def code(context, builder, sig, args):
        return builder.select(*args)

    return lanes(mask, lanes, lanes), code


@intrinsic
def bits_of(typingctx, chosen):
    """The mask as a whole number, lane i in bit i: 0 for none."""

    def code(context, builder, sig, args):
        return builder.zext(builder.bitcast(args[0], ir.IntType(COUNT)), ir.IntType(64))

    return types.int64(mask), code


@intrinsic
def mask_of(typingctx, bits):
    """The mask whose lane i is bit i of a whole number."""

    def code(context, builder, sig, args):
        return builder.bitcast(builder.trunc(args[0], ir.IntType(COUNT)), _BITS)

    return mask(types.int64), code


def _function(name: str, arity: int, docstring: str) -> Any:
    def typed(typingctx, *numbers):
        def code(context, builder, sig, args):
            kind = ir.FunctionType(VECTOR, [VECTOR] * arity)
            return builder.call(
                cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.v{COUNT}f64"), list(args)
            )

        return lanes(*[lanes] * arity), code

    def one(typingctx, number):
        return typed(typingctx, number)

    def two(typingctx, number, other):
        return typed(typingctx, number, other)

    made = one if arity == 1 else two
    made.__doc__ = docstring
    return intrinsic(made)


square_root = _function("sqrt", 1, "The square roots.")
magnitude = _function("fabs", 1, "The numbers without their signs.")
larger = _function("maxnum", 2, "The larger of each two.")
smaller = _function("minnum", 2, "The smaller of each two.")


@intrinsic
def everywhere(typingctx, number):
    """The same number in every lane."""

    def code(context, builder, sig, args):
        return context.cast(builder, args[0], sig.args[0], lanes)

    return lanes(number), code


_HALF_EIGHTH = math.sqrt(2.0) - 1.0  # tan(π/8)
_EIGHTH = 7.85398163397448278999e-01, 3.06161699786838301793e-17  # π/4 in two parts


@inner_kernel
def angle_of(y, x):
    """The angle 0…π of the direction (x, y) of the upper half plane, y ≥ 0: within 1e-15 relative; 0 for (0, 0).

    The arctangent of fdlibm, for tangents up to 7/16; larger angles are reduced by π/4 first.
    """
    size = magnitude(x)
    low, high = smaller(y, size), larger(larger(y, size), everywhere(1e-300))
    far = low > _HALF_EIGHTH * high
    tangent = select(far, low - high, low) / select(far, low + high, high)
    square = tangent * tangent
    series = 3.33333333333329318027e-01 + square * (
        -1.99999999998764832476e-01 + square * (
            1.42857142725034663711e-01 + square * (
                -1.11111104054623557880e-01 + square * (
                    9.09088713343650656196e-02 + square * (
                        -7.69187620504482999495e-02 + square * (
                            6.66107313738753120669e-02 + square * (
                                -5.83357013379057348645e-02 + square * (
                                    4.97687799461593236017e-02 + square * (
                                        -3.65315727442169155270e-02 + square * 1.62858201153657823623e-02
                                    )))))))))  # fmt: skip
    rest = tangent * square * series
    angle = select(far, _EIGHTH[0] - ((rest - _EIGHTH[1]) - tangent), tangent - rest)
    angle = select(y > size, 2.0 * _EIGHTH[0] - (angle - 2.0 * _EIGHTH[1]), angle)
    return select(x < 0.0, 4.0 * _EIGHTH[0] - (angle - 4.0 * _EIGHTH[1]), angle)

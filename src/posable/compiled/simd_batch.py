"""A Numba type of COUNT numbers side by side: it takes COUNT poses at once through formulas written for one.

A kernel that adds, subtracts, multiplies and calls `sine_cosine` runs on lanes as it stands, in the vector registers of
the processor. Arithmetic is that of IEEE doubles in the order written; a product may be fused with the sum it feeds.
"""

# ruff: noqa: ARG001, ARG002  (Numba passes its context and types to all of these)
from __future__ import annotations

import math
import operator
from typing import Any

from numba.extending import lower_builtin, lower_cast, models, overload, register_model

from posable.compiled.numba_internals import (
    AbstractTemplate,
    Conversion,
    cgutils,
    infer_global,
    intrinsic,
    ir,
    signature,
    types,
)

COUNT = 8
"""How many numbers lie side by side: one register of the widest kind; elsewhere the compiler takes several."""

_FUSED = ("contract",)  # and nothing else: the range reduction relies on the order of its sums
VECTOR = ir.VectorType(ir.DoubleType(), COUNT)


class LanesType(types.Type):
    """COUNT doubles side by side. Arithmetic with a plain number repeats it COUNT times."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")

    def can_convert_from(self, typingctx: Any, other: types.Type) -> Any:
        return Conversion.safe if isinstance(other, types.Number) else None

    def unify(self, typingctx: Any, other: types.Type) -> Any:
        return self if isinstance(other, types.Number) else None


lanes = LanesType()


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: LanesType) -> None:
        super().__init__(manager, kind, VECTOR)


def _splat(builder: ir.IRBuilder, number: ir.Value) -> ir.Value:
    first = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), number, ir.Constant(ir.IntType(32), 0))
    everywhere = ir.Constant(ir.VectorType(ir.IntType(32), COUNT), [0] * COUNT)
    return builder.shuffle_vector(first, first, everywhere)


@lower_cast(types.Number, LanesType)
def _cast_number(context: Any, builder: Any, source: Any, target: Any, value: Any) -> Any:
    return _splat(builder, context.cast(builder, value, source, types.float64))


def _arithmetic(operation: Any, instruction: str) -> None:
    @infer_global(operation)
    class _Arithmetic(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            if lanes in args and all(one == lanes or isinstance(one, types.Number) for one in args):
                return signature(lanes, *[lanes] * len(args))
            return None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return getattr(builder, instruction)(*args, flags=_FUSED)

    arity = 1 if operation is operator.neg else 2
    lower_builtin(operation, *[LanesType] * arity)(lower)


_arithmetic(operator.add, "fadd")
_arithmetic(operator.sub, "fsub")
_arithmetic(operator.mul, "fmul")
_arithmetic(operator.truediv, "fdiv")
_arithmetic(operator.neg, "fneg")


# Sine and cosine are fdlibm's, after Cody and Waite's reduction by multiples of π/2.

_FAR = 1e5  # beyond this the three parts of π/2 do not suffice, and each number is reduced by itself
_PER_QUARTER = 2.0 / math.pi
_QUARTER = (
    1.57079632673412561417e00,
    6.07710050630396597660e-11,
    2.02226624879595063154e-21,
)  # π/2 in parts of 33 bits


def sine_cosine(angle):
    """The sine and the cosine of `angle` (radians), a number or lanes: within 3e-16 relative; NaN for NaN, infinity."""
    return math.sin(angle), math.cos(angle)


@overload(sine_cosine)
def _sine_cosine(angle):
    if angle == lanes:
        return _sine_cosine_of_lanes
    return sine_cosine if isinstance(angle, types.Float | types.Integer) else None


def _sine_cosine_of_lanes(angle):
    quarters = nearest(angle * _PER_QUARTER)
    coarse = angle - quarters * _QUARTER[0]  # exact, as is each product: quarters has 17 bits at most
    fine = quarters * _QUARTER[1]
    rest = coarse - fine
    rest = rest - (quarters * _QUARTER[2] - ((coarse - rest) - fine))
    square = rest * rest
    s = rest + rest * square * (
        -1.66666666666666324348e-01
        + square
        * (
            8.33333333332248946124e-03
            + square
            * (
                -1.98412698298579493134e-04
                + square
                * (
                    2.75573137070700676789e-06
                    + square * (-2.50507602534068634195e-08 + square * 1.58969099521155010221e-10)
                )
            )
        )
    )
    c = 1.0 - square * 0.5 + square * square * (
        4.16666666666666019037e-02 + square * (
            -1.38888888888741095749e-03 + square * (
                2.48015872894767294178e-05 + square * (
                    -2.75573143513906633035e-07 + square * (
                        2.08757232129817482790e-09 + square * -1.13596475577881948265e-11)))))  # fmt: skip
    sine, cosine = by_quarter(quarters, s, c)
    if any_beyond(angle, _FAR):
        for i in range(COUNT):
            sine = with_lane(sine, i, math.sin(lane(angle, i)))
            cosine = with_lane(cosine, i, math.cos(lane(angle, i)))
    return sine, cosine


def _vector_function(builder: ir.IRBuilder, name: str, value: ir.Value) -> ir.Value:
    kind = ir.FunctionType(VECTOR, [VECTOR])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.v{COUNT}f64"), [value])


@intrinsic
def nearest(typingctx, number):
    """The nearest whole numbers."""

    def code(context, builder, sig, args):
        return _vector_function(builder, "rint", args[0])

    return lanes(lanes), code


@intrinsic
def any_beyond(typingctx, number, limit):
    """Whether the magnitude of any is above the limit, or not a number."""

    def code(context, builder, sig, args):
        beyond = builder.fcmp_unordered(">", _vector_function(builder, "fabs", args[0]), _splat(builder, args[1]))
        bits = builder.bitcast(beyond, ir.IntType(COUNT))
        return builder.icmp_unsigned("!=", bits, bits.type(0))

    return types.boolean(lanes, types.float64), code


@intrinsic
def by_quarter(typingctx, quarters, s, c):
    """Sine and cosine of `quarters` · π/2 plus a remainder whose sine and cosine are `s` and `c`."""

    def code(context, builder, sig, args):
        quarters, s, c = args
        whole = builder.fptosi(quarters, ir.VectorType(ir.IntType(32), COUNT))
        both = []
        for turn, plain, crossed in ((0, s, c), (1, c, s)):
            swap = builder.trunc(whole, ir.VectorType(ir.IntType(1), COUNT))
            size = builder.select(swap, crossed, plain)
            halves = builder.lshr(builder.add(whole, _all(whole.type, turn)), _all(whole.type, 1))
            both.append(builder.select(builder.trunc(halves, swap.type), builder.fneg(size, flags=_FUSED), size))
        return context.make_tuple(builder, sig.return_type, both)

    return types.UniTuple(lanes, 2)(lanes, lanes, lanes), code


def _all(kind: ir.VectorType, number: int) -> ir.Constant:
    return ir.Constant(kind, [number] * COUNT)


@intrinsic
def lane(typingctx, number, index):
    """The number in one lane."""

    def code(context, builder, sig, args):
        return builder.extract_element(*args)

    return types.float64(lanes, types.intp), code


@intrinsic
def with_lane(typingctx, number, index, value):
    """The same with another number in one lane."""

    def code(context, builder, sig, args):
        return builder.insert_element(args[0], args[2], args[1])

    return lanes(lanes, types.intp, types.float64), code

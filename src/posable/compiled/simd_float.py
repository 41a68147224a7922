"""Sixteen or eight single-precision numbers in one register of the processor: a joint's matrix, or its dual quaternion.

A blend is a weighted sum of these, one instruction per influence. A matrix is stored in columns of four, with padding
instead of the last row: x axis, y axis, z axis, origin.
"""

# ruff: noqa: ARG001  (Numba passes its context and types to all of these)
from __future__ import annotations

from typing import Any

from numba.extending import models, register_model

from posable.compiled.numba_internals import intrinsic, ir, only_contiguous, types

MATRIX, DUAL = 16, 8
"""How many numbers a joint's matrix takes, and its dual quaternion."""

_FUSED = ("contract",)
_FLOAT, _INT = ir.FloatType(), ir.IntType(32)
_ROW = ir.VectorType(_FLOAT, 4)


class RegisterType(types.Type):
    """`count` floats side by side."""

    def __init__(self, count: int) -> None:
        self.count = count
        super().__init__(name=f"Register({count})")


@register_model(RegisterType)
class _RegisterModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: RegisterType) -> None:
        super().__init__(manager, kind, ir.VectorType(_FLOAT, kind.count))


_MATRIX, _DUAL = RegisterType(MATRIX), RegisterType(DUAL)


def _load(count: int) -> Any:
    def code(context, builder, sig, args):
        array = context.make_array(sig.args[0])(context, builder, args[0])
        width = builder.extract_value(array.shape, 1)
        steps = [context.cast(builder, arg, kind, types.intp) for arg, kind in zip(args[1:], sig.args[1:], strict=True)]
        first = builder.add(builder.mul(steps[0], width), builder.mul(steps[1], steps[1].type(count)))
        pointer = builder.gep(array.data, [first])
        return builder.load(builder.bitcast(pointer, ir.VectorType(_FLOAT, count).as_pointer()), align=4)

    return code


@intrinsic
def matrix_at(typingctx, columns, row, joint):
    """The matrix of a joint in `columns [pose, 16 × joint]`."""
    only_contiguous(columns, types.float32)
    return _MATRIX(columns, row, joint), _load(MATRIX)


@intrinsic
def dual_at(typingctx, duals, row, joint):
    """The dual quaternion of a joint in `duals [pose, 8 × joint]`: rotation wxyz, then its dual part."""
    only_contiguous(duals, types.float32)
    return _DUAL(duals, row, joint), _load(DUAL)


@intrinsic
def scaled(typingctx, weight, register):
    """`weight` times the register."""

    def code(context, builder, sig, args):
        return builder.fmul(_splat(builder, args[0], sig.return_type.count), args[1], flags=_FUSED)

    return register(types.float32, register), code


@intrinsic
def plus_scaled(typingctx, total, weight, register):
    """`total` + `weight` times the register."""

    def code(context, builder, sig, args):
        more = builder.fmul(_splat(builder, args[1], sig.return_type.count), args[2], flags=_FUSED)
        return builder.fadd(args[0], more, flags=_FUSED)

    return register(register, types.float32, register), code


@intrinsic
def entries(typingctx, register):
    """All numbers of a register, as a tuple."""

    def code(context, builder, sig, args):
        return context.make_tuple(builder, sig.return_type, _taken(builder, args[0], sig.args[0].count))

    return types.UniTuple(types.float32, register.count)(register), code


@intrinsic
def moved(typingctx, matrix, x, y, z):
    """A point moved by a matrix."""

    def code(context, builder, sig, args):
        total = _part(builder, args[0], range(12, 16))
        for column, number in enumerate(args[1:]):
            axis = _part(builder, args[0], range(4 * column, 4 * column + 4))
            total = builder.fadd(total, builder.fmul(_splat(builder, number, 4), axis, flags=_FUSED), flags=_FUSED)
        return context.make_tuple(builder, sig.return_type, _taken(builder, total, 3))

    return types.UniTuple(types.float32, 3)(matrix, *[types.float32] * 3), code


@intrinsic
def carried(typingctx, dual, x, y, z):
    """A point moved by a dual quaternion of any length: p + 2 (r × t + w d − d₀ r) / |q|², t = r × p + w p + d.

    q = (w, r) is the rotation, (d₀, d) its dual part (Kavan et al. 2008).
    """

    def code(context, builder, sig, args):
        def add(a: ir.Value, b: ir.Value) -> ir.Value:
            return builder.fadd(a, b, flags=_FUSED)

        def sub(a: ir.Value, b: ir.Value) -> ir.Value:
            return builder.fsub(a, b, flags=_FUSED)

        def mul(a: ir.Value, b: ir.Value) -> ir.Value:
            return builder.fmul(a, b, flags=_FUSED)

        def part(vector: ir.Value, *which: int) -> ir.Value:
            return _part(builder, vector, which)

        dual, point = args[0], ir.Constant(_ROW, [0.0] * 4)
        for i, number in enumerate(args[1:]):
            point = builder.insert_element(point, number, _INT(i))
        w, r, r_yzx, r_zxy = (
            part(dual, 0, 0, 0, 0),
            part(dual, 1, 2, 3, 0),
            part(dual, 2, 3, 1, 0),
            part(dual, 3, 1, 2, 0),
        )
        d0, d = part(dual, 4, 4, 4, 4), part(dual, 5, 6, 7, 4)
        turned = sub(mul(r_yzx, part(point, 2, 0, 1, 3)), mul(r_zxy, part(point, 1, 2, 0, 3)))
        t = add(add(turned, mul(w, point)), d)
        crossed = sub(mul(r_yzx, part(t, 2, 0, 1, 3)), mul(r_zxy, part(t, 1, 2, 0, 3)))
        step = add(crossed, sub(mul(w, d), mul(d0, r)))
        real = part(dual, 0, 1, 2, 3)
        square = mul(real, real)
        square = add(square, part(square, 1, 0, 3, 2))
        square = add(square, part(square, 2, 3, 0, 1))
        place = add(point, builder.fdiv(add(step, step), square, flags=_FUSED))
        return context.make_tuple(builder, sig.return_type, _taken(builder, place, 3))

    return types.UniTuple(types.float32, 3)(dual, *[types.float32] * 3), code


def _splat(builder: ir.IRBuilder, number: ir.Value, count: int) -> ir.Value:
    kind = ir.VectorType(_FLOAT, count)
    first = builder.insert_element(ir.Constant(kind, ir.Undefined), number, _INT(0))
    return builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(_INT, count), [0] * count))


def _part(builder: ir.IRBuilder, vector: ir.Value, which: Any) -> ir.Value:
    chosen = list(which)
    return builder.shuffle_vector(vector, vector, ir.Constant(ir.VectorType(_INT, len(chosen)), chosen))


def _taken(builder: ir.IRBuilder, vector: ir.Value, count: int) -> list[ir.Value]:
    return [builder.extract_element(vector, _INT(i)) for i in range(count)]

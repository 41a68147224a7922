"""Records of arrays and numbers that kernels hand on as one pointer.

A NamedTuple of twenty arrays is some two hundred arguments at every call, which takes many seconds to compile; a record
is one. Kernels read its fields as attributes. It lies in memory that the caller provides and keeps alive, as it must
the arrays: nothing is counted.
"""

# ruff: noqa: ARG001  (Numba passes its context and types to all of these)
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numba.extending import lower_getattr_generic, models, register_model

from posable.compiled.numba_internals import (
    AttributeTemplate,
    cgutils,
    impl_ret_borrowed,
    infer_getattr,
    intrinsic,
    ir,
    make_array,
    only_contiguous,
    types,
)

FIELD_SIZE = 12
"""How many doubles of memory one field takes at most: the head of an array of three axes and some room."""


TABLE, CUBE = types.float64[:, ::1], types.float64[:, :, ::1]
WHOLE_TABLE = types.int64[:, ::1]
"""Fields that are arrays of two and of three axes."""


class RecordType(types.Type):
    """The Numba type of a record: its name and the types of its fields, in order."""

    def __init__(self, name: str, fields: Mapping[str, Any]) -> None:
        super().__init__(name=f"{name}({', '.join(f'{key}: {kind}' for key, kind in fields.items())})")
        self.fields = tuple(fields.items())


@register_model(RecordType)
class _RecordModel(models.OpaqueModel):
    pass


@infer_getattr
class _RecordFields(AttributeTemplate):
    key = RecordType

    def generic_resolve(self, typ: Any, attr: str) -> Any:
        return dict(typ.fields).get(attr)


def _field_pointer(context: Any, builder: Any, kind: RecordType, record: Any, index: int) -> Any:
    field = context.get_value_type(kind.fields[index][1])
    place = builder.gep(record, [ir.Constant(ir.IntType(64), 8 * FIELD_SIZE * index)])
    return builder.bitcast(place, field.as_pointer())


@lower_getattr_generic(RecordType)
def _field(context: Any, builder: Any, typ: RecordType, value: Any, attr: str) -> Any:
    index = [name for name, _ in typ.fields].index(attr)
    loaded = builder.load(_field_pointer(context, builder, typ, value, index))
    return impl_ret_borrowed(context, builder, typ.fields[index][1], loaded)


def record_maker(kind: RecordType) -> Any:
    """A function `make(memory, values)` for kernels: the record of a tuple of values, written into the float array
    `memory`, which must have FIELD_SIZE entries a field.
    """

    @intrinsic
    def make(typingctx, memory, values):
        only_contiguous(memory)

        def code(context, builder, sig, args):
            record = builder.bitcast(make_array(sig.args[0])(context, builder, args[0]).data, cgutils.voidptr_t)
            for i, value in enumerate(cgutils.unpack_tuple(builder, args[1], len(kind.fields))):
                cast = context.cast(builder, value, sig.args[1][i], kind.fields[i][1])
                builder.store(cast, _field_pointer(context, builder, kind, record, i))
            return record

        return kind(memory, types.Tuple([one for _, one in kind.fields])), code

    return make


def record_reader(kind: RecordType) -> Any:
    """A function `read(memory)` for kernels: the record that `make` has written into this memory."""

    @intrinsic
    def read(typingctx, memory):
        only_contiguous(memory)

        def code(context, builder, sig, args):
            return builder.bitcast(make_array(sig.args[0])(context, builder, args[0]).data, cgutils.voidptr_t)

        return kind(memory), code

    return read


@intrinsic
def keep(typingctx, memory):
    """Keep the array alive up to this call: records and windows into it are not reference-counted."""

    def code(context, builder, sig, args):
        return context.get_dummy_value()

    return types.none(memory), code

"""Commands read from the JSON that a page sends."""

from __future__ import annotations

import types
from dataclasses import MISSING, fields
from functools import cache
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

import posable
from posable.errors import near_names
from posable.studio import commands
from posable.studio.command import Command

# Values from JSON that a stranger sent, checked against type hints: what comes out is what the hint says.


MOST_TEXT = 200_000
MOST_ITEMS = 100_000
_FARTHEST = 1e9


class MessageError(posable.PosableError, ValueError):
    """A message that cannot be meant; the session goes on."""


def checked(value: Any, hint: Any, where: str) -> Any:
    """`value` as `hint` has it: numbers finite, lists as tuples where the hint is a tuple. Raises MessageError."""
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return _one_of(value, get_args(hint), where)
    if origin is Literal:
        return _choice(value, get_args(hint), where)
    if origin in (tuple, list):
        return _items(value, hint, where)
    if origin is dict:
        return _mapping(value, get_args(hint)[1], where)
    if is_typeddict(hint):
        return _record(value, hint, where)
    return _plain(value, hint, where)


@cache
def hints_of(record: type) -> dict[str, Any]:
    """The type hints of a class, in its order."""
    return get_type_hints(record, include_extras=True)


def _one_of(value: Any, hints: tuple[Any, ...], where: str) -> Any:
    kinds = [hint for hint in hints if is_typeddict(hint)]
    if len(kinds) > 1 and isinstance(value, dict):  # told apart by what their `kind` may be
        for hint in kinds:
            if value.get("kind") in get_args(hints_of(hint)["kind"]):
                return _record(value, hint, where)
        raise MessageError(f"{where}: there is no kind {value.get('kind')!r}"[:200])
    if value is None and type(None) in hints:
        return None
    rest = [hint for hint in hints if hint is not type(None)]
    return checked(value, rest[0], where)


def _choice(value: Any, choices: tuple[Any, ...], where: str) -> Any:
    if not isinstance(value, str) or value not in choices:
        raise MessageError(f"{where} is one of {', '.join(map(str, choices))}, not {str(value)[:40]!r}")
    return value


def _items(value: Any, hint: Any, where: str) -> Any:
    if not isinstance(value, list):
        raise MessageError(f"{where} should be a list")
    of = get_args(hint)
    if get_origin(hint) is list or of[-1] is Ellipsis:
        if len(value) > MOST_ITEMS:
            raise MessageError(f"{where} has {len(value):,} entries; {MOST_ITEMS:,} at most")
        items = [checked(one, of[0], where) for one in value]
        return items if get_origin(hint) is list else tuple(items)
    if len(value) != len(of):
        raise MessageError(f"{where} has {len(of)} entries, not {len(value)}")
    return tuple(checked(one, own, where) for one, own in zip(value, of, strict=True))


def _mapping(value: Any, hint: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict) or len(value) > MOST_ITEMS:
        raise MessageError(f"{where} should be a mapping")
    return {str(name): checked(one, hint, f"{where}.{str(name)[:40]}") for name, one in value.items()}


def _record(value: Any, hint: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise MessageError(f"{where} should be a mapping")
    found: dict[str, Any] = {}
    for name, own in hints_of(hint).items():
        optional = get_origin(own) is NotRequired
        if name in value:
            found[name] = checked(value[name], get_args(own)[0] if optional else own, f"{where}.{name}")
        elif not optional:
            raise MessageError(f"{where} needs {name!r}")
    return found


def _plain(value: Any, hint: Any, where: str) -> Any:
    if hint is bool and isinstance(value, bool):
        return value
    if hint is str and isinstance(value, str) and len(value) <= MOST_TEXT:
        return value
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _FARTHEST
    if hint in (int, float) and is_number:  # no number that is not finite is so near
        if hint is float:
            return float(value)
        if value == int(value):
            return int(value)
    words = {bool: "true or false", str: "text", int: "a whole number", float: "a number"}
    raise MessageError(f"{where} should be {words.get(hint, 'something else')}, not {str(value)[:40]!r}")


def _all(kind: type[Command]) -> list[type[Command]]:
    return [found for one in kind.__subclasses__() for found in (one, *_all(one))]


COMMANDS: dict[str, type[Command]] = {one.op: one for one in _all(Command) if one.__module__ == commands.__name__}
"""By their names in messages."""


def command_from(message: Any) -> Command:
    """The command that a JSON object asks for. Raises MessageError for what is none."""
    if not isinstance(message, dict) or not isinstance(message.get("op"), str):
        raise MessageError("a command is a JSON object with an op")
    kind = COMMANDS.get(message["op"])
    if kind is None:
        near = near_names(message["op"], COMMANDS, 1)
        guess = f"; did you mean {near[0]}?" if near else ""
        raise MessageError(f"there is no command {message['op'][:40]!r}{guess}")
    hints, values = hints_of(kind), {}
    for one in fields(kind):
        if one.name in message:
            values[one.name] = checked(message[one.name], hints[one.name], f"{kind.op}: {one.name}")
        elif one.default is MISSING:
            raise MessageError(f"{kind.op} needs {one.name!r}")
    return kind(**values)

"""Records as JSON and back, by their type hints: frozen dataclasses, typed dictionaries, and what they contain.

JSON from outside is checked against the hints; the result has the hinted types. A field whose hint is annotated with
the name of a form, `Annotated[T, "journal"]`, belongs to that form alone; other fields belong to every form.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from functools import cache
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import posable

MOST_TEXT = 200_000
MOST_ITEMS = 100_000
_FARTHEST = 1e9


class MessageError(posable.PosableError, ValueError):
    """An invalid message; the session goes on."""


class Entry(NamedTuple):
    """A field of a record. hint: its type, without annotations."""

    hint: Any
    is_optional: bool


@cache
def entries_of(record: type, form: str) -> dict[str, Entry]:
    """The fields of a record that belong to a form, in their order."""
    hints = get_type_hints(record, include_extras=True)
    defaults = dict.fromkeys(hints, False)
    if is_dataclass(record):  # its fields alone: class variables have hints too
        defaults = {f.name: f.default is not MISSING or f.default_factory is not MISSING for f in fields(record)}
    found = {}
    for name, has_default in defaults.items():
        hint, marks = hints[name], []
        is_optional = has_default or get_origin(hint) is NotRequired
        if get_origin(hint) in (NotRequired, Annotated):
            hint, *marks = get_args(hint)
        if not marks or form in marks:
            found[name] = Entry(hint, is_optional)
    return found


@dataclass(frozen=True)
class Form:
    """A form of records: its name, and the types for which it has its own writers and readers."""

    name: str
    write: Mapping[type, Callable[[Any], Any]] = field(default_factory=dict)
    read: Mapping[Any, Callable[[Any], Any]] = field(default_factory=dict)

    def to_json(self, value: Any) -> Any:
        """The value as JSON."""
        if (own := self.write.get(type(value))) is not None:
            return own(value)
        if is_dataclass(value):
            return {name: self.to_json(getattr(value, name)) for name in entries_of(type(value), self.name)}
        if isinstance(value, Mapping):
            return {name: self.to_json(one) for name, one in value.items()}
        if isinstance(value, frozenset):
            return sorted(value)
        if isinstance(value, tuple | list):
            is_plain = not value or isinstance(value[0], float | int | str)
            return list(value) if is_plain else [self.to_json(one) for one in value]
        return value

    def from_json(self, value: Any, hint: Any, where: str) -> Any:
        """JSON converted to `hint`: finite numbers, lists as tuples, mappings as records. Raises MessageError."""
        origin = get_origin(hint)
        if hint in self.read:
            return self.read[hint](value)
        if origin in (Union, types.UnionType):
            return self._one_of(value, get_args(hint), where)
        if origin is Literal:
            return _choice(value, get_args(hint), where)
        if origin in (tuple, list, frozenset):
            return self._items(value, hint, where)
        if origin in (dict, Mapping):
            return self._mapping(value, get_args(hint)[1], where)
        if is_typeddict(hint):
            return self.entries(value, hint, where)
        if is_dataclass(hint):
            return hint(**self.entries(value, hint, where))  # type: ignore[operator]
        return _plain(value, hint, where)

    def entries(self, value: Any, record: Any, where: str) -> dict[str, Any]:
        """The fields of a record that a mapping gives; those with defaults may be missing. Raises MessageError."""
        if not isinstance(value, dict):
            raise MessageError(f"{where} should be a mapping")
        found: dict[str, Any] = {}
        for name, entry in entries_of(record, self.name).items():
            if name in value:
                found[name] = self.from_json(value[name], entry.hint, f"{where}.{name}")
            elif not entry.is_optional:
                raise MessageError(f"{where} needs {name!r}")
        return found

    def _one_of(self, value: Any, hints: tuple[Any, ...], where: str) -> Any:
        kinds = [hint for hint in hints if is_typeddict(hint)]
        if len(kinds) > 1 and isinstance(value, dict):  # distinguished by their `kind`
            for hint in kinds:
                if value.get("kind") in get_args(entries_of(hint, self.name)["kind"].hint):
                    return self.entries(value, hint, where)
            raise MessageError(f"{where}: unknown kind {value.get('kind')!r}"[:200])
        if value is None and type(None) in hints:
            return None
        rest = [hint for hint in hints if hint is not type(None)]
        return self.from_json(value, rest[0], where)

    def _items(self, value: Any, hint: Any, where: str) -> Any:
        if not isinstance(value, list):
            raise MessageError(f"{where} should be a list")
        kind, of = get_origin(hint), get_args(hint)
        if kind is not tuple or of[-1] is Ellipsis:
            if len(value) > MOST_ITEMS:
                raise MessageError(f"{where} has {len(value):,} entries; {MOST_ITEMS:,} at most")
            return kind(self.from_json(one, of[0], where) for one in value)  # type: ignore[misc]
        if len(value) != len(of):
            raise MessageError(f"{where} has {len(of)} entries, not {len(value)}")
        return tuple(self.from_json(one, own, where) for one, own in zip(value, of, strict=True))

    def _mapping(self, value: Any, hint: Any, where: str) -> dict[str, Any]:
        if not isinstance(value, dict) or len(value) > MOST_ITEMS:
            raise MessageError(f"{where} should be a mapping")
        return {str(name): self.from_json(one, hint, f"{where}.{str(name)[:40]}") for name, one in value.items()}


def _choice(value: Any, choices: tuple[Any, ...], where: str) -> Any:
    if not isinstance(value, str) or value not in choices:
        raise MessageError(f"{where} is one of {', '.join(map(str, choices))}, not {str(value)[:40]!r}")
    return value


def _plain(value: Any, hint: Any, where: str) -> Any:
    if hint is bool and isinstance(value, bool):
        return value
    if hint is str and isinstance(value, str) and len(value) <= MOST_TEXT:
        return value
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _FARTHEST
    if hint in (int, float) and is_number:  # infinity and NaN fail the comparison
        if hint is float:
            return float(value)
        if value == int(value):
            return int(value)
    words = {bool: "true or false", str: "text", int: "a whole number", float: "a number"}
    raise MessageError(f"{where} should be {words.get(hint, 'something else')}, not {str(value)[:40]!r}")

"""The JSON of a glTF file, checked on access: each value knows its path, for error messages."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from posable.errors import FileError, FileTooLargeError

MAX_JSON_BYTES = 256 * 2**20
MAX_JSON_VALUES = 4_000_000
_KINDS = {dict: "an object {…}", list: "a list […]", str: "text", bool: "true or false", type(None): "null"}


def parse_json(path: Path, text: bytes) -> Item:
    """The root of a JSON text. Raises FileError if it is invalid, nested too deeply or not finite; FileTooLargeError if
    too long.
    """
    if len(text) > MAX_JSON_BYTES:
        raise FileTooLargeError(path, f"has {len(text):,} bytes of JSON; posable accepts at most {MAX_JSON_BYTES:,}")
    values = sum(map(text.count, (b",", b"[", b"{")))
    if values > MAX_JSON_VALUES:
        raise FileTooLargeError(
            path, f"has some {values:,} values in its JSON; posable accepts at most {MAX_JSON_VALUES:,}"
        )
    try:
        value = json.loads(text.decode("utf-8-sig"), parse_constant=_refused_constant, parse_float=_finite)
    except RecursionError as problem:
        raise FileError(path, "its JSON is nested too deeply to be glTF; export it again") from problem
    except json.JSONDecodeError as problem:
        raise FileError(path, f"its JSON is invalid: {problem.msg}; export it again", line=problem.lineno) from problem
    except ValueError as problem:
        raise FileError(path, f"its JSON is invalid: {problem}; export it again") from problem
    if not isinstance(value, dict):
        raise FileError(path, f"its JSON is {_kind(value)} instead of an object; this is not a glTF file")
    return Item(path, value)


def dump_json(path: Path, value: dict[str, Any]) -> bytes:
    """The shortest JSON text of `value`, key order kept."""
    try:
        return json.dumps(value, separators=(",", ":"), allow_nan=False).encode()
    except RecursionError as problem:
        raise FileError(path, "the file's JSON is nested too deeply to be written again") from problem
    except ValueError as problem:
        raise FileError(path, "cannot be written: the figure has lengths that glTF's numbers cannot hold") from problem


def _refused_constant(word: str) -> float:
    raise ValueError(f"{word} is not a JSON number")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(f"the number {digits[:20]} is too large")
    return value


def _kind(value: object) -> str:
    return _KINDS.get(type(value)) or f"the number {str(value)[:20]}"


class Item:
    """A JSON value with its file and path ("skins[0].joints[3]"), which the FileErrors of all methods name."""

    __slots__ = ("path", "place", "value")

    def __init__(self, path: Path, value: Any, place: str = "") -> None:
        self.path = path
        self.value = value
        self.place = place

    def problem(self, what: str) -> FileError:
        """The error to raise for this value."""
        return FileError(self.path, f"{self.place}: {what}" if self.place else what)

    def _object(self) -> dict[str, Any]:
        if not isinstance(self.value, dict):
            raise self.problem(f"must be an object {{…}}, not {_kind(self.value)}; export the file again")
        return self.value

    def find(self, key: str) -> Item | None:
        """The value under `key`, None if missing."""
        members = self._object()
        return Item(self.path, members[key], f"{self.place}.{key}" if self.place else key) if key in members else None

    def at(self, key: str) -> Item:
        """The required value under `key`."""
        found = self.find(key)
        if found is None:
            raise self.problem(f"{key!r} is missing; export the file again")
        return found

    def members(self, key: str) -> dict[str, Item]:
        """The members of the object under `key`; empty if missing."""
        found = self.find(key)
        return {} if found is None else {name: found.at(name) for name in found._object()}

    def entries(self, key: str) -> list[Item]:
        """The entries of the list under `key`; empty if missing."""
        found = self.find(key)
        return [] if found is None else found.listed()

    def listed(self) -> list[Item]:
        """The entries of this value, which must be a list."""
        if not isinstance(self.value, list):
            raise self.problem(f"must be a list […], not {_kind(self.value)}; export the file again")
        return [Item(self.path, value, f"{self.place}[{i}]") for i, value in enumerate(self.value)]

    def text(self) -> str:
        """This value as text, with unpaired surrogates replaced."""
        if not isinstance(self.value, str):
            raise self.problem(f"must be text, not {_kind(self.value)}; export the file again")
        return self.value.encode("utf-8", "replace").decode()

    def number(self) -> float:
        """This value as a finite number."""
        if not isinstance(self.value, (int, float)) or isinstance(self.value, bool):
            raise self.problem(f"must be a number, not {_kind(self.value)}; export the file again")
        try:
            return float(self.value)
        except OverflowError as problem:
            raise self.problem("is too large; export the file again") from problem

    def numbers(self, count: int) -> tuple[float, ...]:
        """This value as a list of `count` finite numbers."""
        entries = self.listed()
        if len(entries) != count:
            raise self.problem(f"must have {count} numbers, not {len(entries)}; export the file again")
        return tuple(entry.number() for entry in entries)

    def whole(self) -> int:
        """This value as an integer of at least 0."""
        number = self.number()
        if number < 0 or number != int(number):
            raise self.problem(f"must be a whole number of at least 0, not {number:g}; export the file again")
        return int(self.value)

    def index(self, count: int, things: str) -> int:
        """This value as an index into `count` things."""
        number = self.whole()
        if number >= count:
            raise self.problem(f"is {number}, but the file has {count} {things}; export the file again")
        return number

    def whole_at(self, key: str, default: int) -> int:
        """The integer under `key`, `default` if missing."""
        found = self.find(key)
        return default if found is None else found.whole()

    def text_at(self, key: str, default: str = "") -> str:
        """The text under `key`, `default` if missing."""
        found = self.find(key)
        return default if found is None else found.text()

    def numbers_at(self, key: str, default: tuple[float, ...]) -> tuple[float, ...]:
        """The numbers under `key`, as many as in `default`, which is used if they are missing."""
        found = self.find(key)
        return default if found is None else found.numbers(len(default))

    def flag_at(self, key: str) -> bool:
        """True or false under `key`; false if missing."""
        found = self.find(key)
        if found is None:
            return False
        if not isinstance(found.value, bool):
            raise found.problem(f"must be true or false, not {_kind(found.value)}; export the file again")
        return found.value

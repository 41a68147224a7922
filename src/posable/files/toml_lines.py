"""TOML with line numbers: typed getters whose errors name file, line, table and key."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from posable.errors import FileError, near_names
from posable.files.access import read_text

MAX_TOML_BYTES = 16 * 2**20
"""The largest accepted TOML file, in bytes: tomllib reads about 2 MB/s."""

REQUIRED: Any = object()
"""Default that marks a key as required."""

_HEADER = re.compile(r"[ \t]*\[\[?[ \t]*([\w-]+)[ \t]*\]\]?[ \t]*(?:#.*)?$")
_KEY = re.compile(r"[ \t]*([\w-]+)[ \t]*=")
_KEY_DOT = re.compile(r"\.(?:[^\d\n]|\d+[ \t]*\.)")  # a dot that is not part of a number
_MAX_KEY_DOTS = 1000


@dataclass(frozen=True)
class Table:
    """One table of a TOML file. `what` names it in errors; `line` is that of its heading, `lines` those of its keys."""

    path: Path
    content: Mapping[str, Any]
    what: str = ""
    line: int | None = None
    lines: Mapping[str, int] = field(default_factory=dict)

    def __contains__(self, key: str) -> bool:
        return key in self.content

    def error(self, problem: str, key: str | None = None) -> FileError:
        """The error to raise for this table, or for one of its keys."""
        line = self.lines.get(key, self.line) if key else self.line
        return FileError(self.path, f"{self.what}: {problem}" if self.what else problem, line=line)

    def refuse_unknown(self, known: Iterable[str]) -> None:
        """Raise FileError for a key that is not in `known`, suggesting the closest one."""
        known = list(known)
        for key in self.content:
            if key not in known:
                near = near_names(key, known, 1)
                cure = f"did you mean {near[0]}?" if near else f"the keys are {', '.join(known)}"
                raise self.error(f"{key[:60]!r} is not a known key; {cure}", key)

    def get(self, key: str, default: Any = REQUIRED) -> Any:
        """The raw value. Raises FileError if a required key is missing."""
        if key not in self.content:
            if default is REQUIRED:
                raise self.error(f"{key} is missing")
            return default
        return self.content[key]

    def text(self, key: str, default: Any = REQUIRED) -> Any:
        """A non-empty string."""
        value = self.get(key, default)
        if key in self.content and (not isinstance(value, str) or not value):
            raise self.error(f"{key} must be a string in quotes, not {_shown(value)}", key)
        return value

    def choice(self, key: str, choices: Sequence[str], default: Any = REQUIRED) -> Any:
        """One of `choices`."""
        value = self.text(key, default)
        if key in self.content and value not in choices:
            near = near_names(value, choices, 1)
            cure = f"did you mean {near[0]!r}?" if near else f"choose from {', '.join(choices)}"
            raise self.error(f"{key} cannot be {_shown(value)}; {cure}", key)
        return value

    def flag(self, key: str, default: bool = False) -> bool:
        """true or false."""
        value = self.get(key, default)
        if not isinstance(value, bool):
            raise self.error(f"{key} must be true or false, not {_shown(value)}", key)
        return value

    def whole(self, key: str, default: Any = REQUIRED, *, low: int = 0, high: int | None = None) -> int:
        """An integer from `low` to `high`."""
        value = self.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or value < low or (high is not None and value > high):
            span = f"of at least {low:,}" if high is None else f"from {low:,} to {high:,}"
            raise self.error(f"{key} must be a whole number {span}, not {_shown(value)}", key)
        return value

    def number(self, key: str, default: Any = REQUIRED) -> Any:
        """A finite number."""
        value = self.get(key, default)
        return self.as_number(key, value) if key in self.content else value

    def numbers(self, key: str, count: int, default: Any = REQUIRED, *, infinite: bool = False) -> Any:
        """`count` numbers in brackets, as a tuple; `infinite`: also accept inf and -inf."""
        value = self.get(key, default)
        return self.as_numbers(key, value, count, infinite=infinite) if key in self.content else value

    def as_number(self, key: str, value: Any, *, infinite: bool = False) -> float:
        """`value`, found under `key`, as a number."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.error(f"{key} must be a number, not {_shown(value)}", key)
        try:
            number = float(value)
        except OverflowError:  # an integer of hundreds of digits
            number = math.inf if infinite else math.nan
        if math.isnan(number) or (math.isinf(number) and not infinite):
            raise self.error(f"{key} must be a {'number' if infinite else 'finite number'}, not {_shown(value)}", key)
        return number

    def as_numbers(self, key: str, value: Any, count: int, *, infinite: bool = False) -> Any:
        """`value`, found under `key`, as `count` numbers."""
        if not isinstance(value, list) or len(value) != count:
            raise self.error(f"{key} must be {count} numbers in brackets, not {_shown(value)}", key)
        return tuple(self.as_number(key, one, infinite=infinite) for one in value)

    def inner(self, key: str, value: Any) -> Table:
        """`value`, found under `key`, as an inline table { … }."""
        if not isinstance(value, dict):
            raise self.error(f"{key} must be a table in braces, not {_shown(value)}", key)
        what = f"{self.what}: {key}" if self.what else key
        return Table(self.path, value, what, self.lines.get(key, self.line))

    def with_content(self, **changes: Any) -> Table:
        """The table with changed values and the same lines; None removes a key."""
        content = {key: value for key, value in {**self.content, **changes}.items() if value is not None}
        return replace(self, content=content)


def read_tables(path: str | Path, sections: Sequence[str]) -> tuple[Table, list[tuple[str, Table]]]:
    """The top-level keys of a TOML file, and the entries of its [[sections]] in file order.

    Raises FileError for invalid TOML (with the line), excessive nesting, or a section that is not an array of tables.
    """
    path = Path(path)
    text = read_text(path, MAX_TOML_BYTES)
    content = _parsed(path, text)
    top_lines, headings = _line_numbers(text)
    entries = []
    for section in sections:
        values = content.get(section, [])
        if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
            raise FileError(
                path, f"{section} must be written as [[{section}]], once for each", line=top_lines.get(section)
            )
        places = headings.get(section, [])
        known = places if len(places) == len(values) else [(None, {})] * len(values)
        for number, (value, (line, lines)) in enumerate(zip(values, known, strict=True), 1):
            name = value.get("name")
            what = f"{section} {name!r}" if isinstance(name, str) else f"{section} {number}"
            entries.append((section, Table(path, value, what, line, lines)))
    entries.sort(key=lambda entry: entry[1].line or 0)
    top = Table(path, {key: value for key, value in content.items() if key not in sections}, lines=top_lines)
    return top, entries


def _parsed(path: Path, text: str) -> dict[str, Any]:
    if sum(count * count for count in map(_key_dots, text.split("\n")) if count > 8) > _MAX_KEY_DOTS**2:
        raise FileError(path, "has keys with too many parts (a.b.c…)")
    try:
        return tomllib.loads(text)
    except RecursionError as problem:
        raise FileError(path, "has brackets nested too deeply") from problem
    except ValueError as problem:
        place = re.search(r"\(at line (\d+), column \d+\)", str(problem))
        line = int(place[1]) if place else None
        reason = str(problem).replace(place[0], "").strip() if place else str(problem)
        raise FileError(path, f"is not valid TOML ({reason[:120]})", line=line) from problem


def _key_dots(line: str) -> int:
    """Number of dots that tomllib may read as those of a dotted key, whose cost is quadratic."""
    return len(_KEY_DOT.findall(line)) if "." in line else 0


def _line_numbers(text: str) -> tuple[dict[str, int], dict[str, list[tuple[int, dict[str, int]]]]]:
    """Lines of the top-level keys, and per [[section]] the lines of its headings and their keys. For messages only."""
    top: dict[str, int] = {}
    headings: dict[str, list[tuple[int, dict[str, int]]]] = {}
    current = top
    for number, line in enumerate(text.split("\n"), 1):
        if heading := _HEADER.match(line.rstrip("\r")):
            current = {}
            headings.setdefault(heading[1], []).append((number, current))
        elif key := _KEY.match(line):
            current.setdefault(key[1], number)
    return top, headings


def _shown(value: Any) -> str:
    try:
        shown = repr(value)
    except (ValueError, RecursionError):  # an integer of thousands of digits; nesting just below the limit
        return "this value"
    return shown if len(shown) <= 60 else f"{shown[:57]}..."

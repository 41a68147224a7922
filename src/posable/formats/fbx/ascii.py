"""The ASCII form of FBX: `Name: value, value { children }`, texts in quotes, arrays as `*count { a: numbers }`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.errors import FileError
from posable.files import check_count
from posable.formats.fbx.tree import MAX_DEPTH, MAX_ELEMENTS, OFTEN, PARSED, Budget, Element, Tree
from posable.progress import tell_progress

# Every repetition keeps what it has matched (++, *+): no text makes the search long.
_SPACE = re.compile(r"(?:\s++|;[^\n]*+)*+")
_NAME = re.compile(r"([A-Za-z_][\w()|.-]*+)\s*+:")
_NUMBER = r"[-+]?+(?:\d++(?:\.\d*+)?+|\.\d++)(?:[eE][-+]?+\d++)?+"
_NUMBERS = re.compile(rf"(?:{_NUMBER}\s*+,\s*+)++(?:{_NUMBER}(?![\w.#]))?+|{_NUMBER}(?![\w.#])")
_ODD = re.compile(r"[-+]?+[\d.]++#?+[\w#()]*+(?:[-+]\d++)?+|[-+](?i:nan|inf)\w*+(?:\([^)\n]*+\))?+")
_TEXT = re.compile(r'"([^"]*+)"')
_WORD = re.compile(r"[A-Za-z_][\w()-]*+(?!\s*+:)")
_ARRAY = re.compile(r"\*\s*+\d*+\s*+\{\s*+(?:[A-Za-z]\w*+\s*+:)?+([^}]*+)\}")
_ESCAPES = {"&quot;": '"', "&cr;": "\r", "&lf;": "\n"}
_VERSION = re.compile(r";\s*FBX\s+(\d+)\.(\d+)\.(\d+)")
_MANY = 16
"""More numbers in a row become one array."""
_MAX_DIGITS = 20  # of a whole number that 64 bits may hold
_MAX_NAME = 255  # letters of a name, as in the binary form


def read_ascii(path: Path, content: bytes) -> Tree:
    """The tree of a text file. Raises FileError with the line of invalid syntax."""
    text = content.decode("utf-8-sig", "surrogateescape")
    top = _Reader(path, text).top()
    version = next((v for e in top if e.name == "FBXHeaderExtension" for v in [_stated(e)] if v), 0)
    if not version and (said := _VERSION.search(text, 0, 1000)):
        major, minor, patch = map(int, said.groups())
        version = major * 1000 + minor * 100 + patch * 10
    return Tree(path, version, True, top, len(content))


def _stated(header: Element) -> int:
    said = header.find("FBXVersion")
    return said.whole() if said else 0


class _Reader:
    def __init__(self, path: Path, text: str) -> None:
        self.path, self.text, self.place, self.count = path, text, 0, 0
        self.budget = Budget.of(path, len(text))

    def top(self) -> list[Element]:
        """Every element at the top; a stack stands for recursion."""
        found: list[Element] = []
        stack, text = [found], self.text
        while True:
            self.place = _SPACE.match(text, self.place).end()  # type: ignore[union-attr]
            if self.place >= len(text) or text[self.place] == "\0":
                break
            if text[self.place] == "}" and len(stack) > 1:
                stack.pop()
                self.place += 1
                continue
            name = _NAME.match(text, self.place)
            if name is None or len(name[1]) > _MAX_NAME:
                raise self._error(f"{text[self.place : self.place + 20]!r} is not an element (Name: …)")
            self.place = name.end()
            element = self._element(name[1])
            stack[-1].append(element)
            if text.startswith("{", self.place):
                self.place += 1
                stack.append(element.children)
                if len(stack) > MAX_DEPTH + 1:
                    raise self._error(f"its elements are more than {MAX_DEPTH} deep")
        if len(stack) > 1:
            raise self._error("the file ends within an element")
        return found

    def _error(self, problem: str) -> FileError:
        line = self.text.count("\n", 0, self.place) + 1
        return FileError(self.path, f"{problem}; export it again", line=line)

    def _element(self, name: str) -> Element:
        self.count += 1
        check_count(self.path, self.count, MAX_ELEMENTS, "elements")
        if not self.count % OFTEN:
            tell_progress(self.path, PARSED * self.place / len(self.text))
        codes, values, text = [], [], self.text
        while True:
            self.place = _SPACE.match(text, self.place).end()  # type: ignore[union-attr]
            comma = self._value(codes, values)
            self.place = _SPACE.match(text, self.place).end()  # type: ignore[union-attr]
            if text.startswith(",", self.place):
                self.place += 1
            elif not comma:
                return Element(name, "".join(codes), values)

    def _value(self, codes: list[str], values: list[Any]) -> bool:
        """One value, or many numbers; whether a comma came after them."""
        text, place = self.text, self.place
        first = text[place : place + 1]
        if first == '"':
            if (found := _TEXT.match(text, place)) is None:
                raise self._error("a text has no closing quote")
            own = found[1]
            if "&" in own:
                own = re.sub("&(?:quot|cr|lf);", lambda one: _ESCAPES[one[0]], own)
            codes.append("S")
            values.append(own)
        elif found := _NUMBERS.match(text, place):
            self.place = found.end()
            return self._numbers(found[0], codes, values)
        elif first == "*" and (found := _ARRAY.match(text, place)):
            numbers = self._array(found[1])
            codes.append("l" if numbers.dtype == np.int64 else "d")
            values.append(numbers)
        elif (first.isdigit() or first in ("-", "+", ".")) and (found := _ODD.match(text, place)):
            codes.append("D")
            values.append(_odd(found[0]))
        elif found := _WORD.match(text, place):
            codes.append("W")
            values.append(found[0])
        else:
            return False
        self.place = found.end()
        return False

    def _numbers(self, said: str, codes: list[str], values: list[Any]) -> bool:
        if said.count(",") >= _MANY:
            numbers = self._array(said)
            codes.append("l" if numbers.dtype == np.int64 else "d")
            values.append(numbers)
        else:
            for part in said.split(","):
                if own := part.strip():
                    digits = own.lstrip("+-")
                    whole = len(digits) < _MAX_DIGITS and digits.isdigit() and -(2**63) <= int(own) < 2**63
                    values.append(int(own) if whole else float(own))
                    codes.append("L" if whole and abs(values[-1]) >= 2**31 else "I" if whole else "D")
        return said.rstrip().endswith(",")

    def _array(self, said: str) -> NDArray[Any]:
        """The numbers of a list, int64 where all are whole."""
        if ";" in said:
            said = re.sub(r";[^\n]*+", "", said)
        parts = said.split(",")
        self.budget.take(8 * len(parts))
        if parts and not parts[-1].strip():
            parts.pop()
        try:
            whole = not any(letter in said for letter in ".eEnN#")
            return np.array(parts, np.int64 if whole else np.float64) if parts else np.zeros(0, np.int64)
        except (ValueError, OverflowError):
            return np.array([_odd(part.strip()) for part in parts], float)


def _odd(said: str) -> float:
    """A value that is not a finite number, as some programs print it: nan, 1.#INF, -1.#IND, inf."""
    try:
        return float(said)
    except ValueError:
        low = said.lower()
        return (-np.inf if low.startswith("-") else np.inf) if "inf" in low else np.nan

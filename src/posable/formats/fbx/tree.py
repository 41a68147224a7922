"""The tree of an FBX file, which its binary and its ASCII form share: named elements with values and children.

Large arrays stay as they are in the file until someone asks for their numbers, so that what posable does not use
(textures, normals, …) costs nothing and is written back byte for byte.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.errors import FileError
from posable.files import check_count

MAX_DEPTH = 32
MAX_ELEMENTS = 1_000_000
MAX_ARRAY_BYTES = 100 * 2**20
"""Of all arrays that are unpacked, together, beyond _PER_BYTE for each byte of the file."""
_PER_BYTE = 20
OFTEN = 4096
"""So many elements between two reports of progress."""
PARSED, MADE = 0.3, 0.6
"""What share of the work is to read a file's elements, and to make those of a new one."""
DTYPES = {"f": "f4", "d": "f8", "l": "i8", "i": "i4", "b": "u1", "c": "u1"}


@dataclass
class Budget:
    """What the arrays of one file may still take when they are unpacked."""

    path: Path
    left: int

    @classmethod
    def of(cls, path: Path, size: int) -> Budget:
        """That of a file of so many bytes."""
        return cls(path, MAX_ARRAY_BYTES + _PER_BYTE * size)

    def take(self, size: int) -> None:
        """Raises FileTooLargeError before memory is taken."""
        check_count(self.path, size, self.left, "bytes of arrays")
        self.left -= size


@dataclass(eq=False, slots=True)
class Packed:
    """An array as stored in a binary file.

    code: f, d, l, i, b or c. encoding: 0 plain, 1 zlib. order: "<", or ">" in a big-endian file.
    """

    code: str
    count: int
    encoding: int
    raw: bytes
    order: str
    budget: Budget = field(repr=False)

    def numbers(self) -> NDArray[Any]:
        """The numbers. Raises FileError where the packed bytes are not so many."""
        kind = np.dtype(self.order + DTYPES[self.code])
        size, raw = self.count * kind.itemsize, self.raw
        self.budget.take(size)
        if self.encoding == 1:
            try:
                raw = zlib.decompressobj().decompress(raw, size) if size else b""
            except zlib.error as problem:
                raise FileError(self.budget.path, f"a packed array is damaged ({problem}); export it again") from None
        if len(raw) < size or self.encoding not in (0, 1):
            raise FileError(self.budget.path, f"an array of {self.count:,} numbers is cut off; export it again")
        found = np.frombuffer(raw, kind, self.count)
        return found if self.order == "<" else found.astype(kind.newbyteorder("<"))


class Element:
    """One element: a name, values with one type code each, children.

    codes: of a binary file its own: C Y I L F D (numbers), S R (text, bytes), f d l i b c (arrays). An ASCII file has
    I L D S, W for a bare word and d or l for arrays.
    """

    __slots__ = ("children", "codes", "name", "values")

    def __init__(
        self, name: str, codes: str = "", values: Sequence[Any] = (), children: list[Element] | None = None
    ) -> None:
        self.name, self.codes, self.values = name, codes, values
        self.children: list[Element] = [] if children is None else children

    def __repr__(self) -> str:
        return f"Element({self.name!r}, {self.codes[:8]!r}, {len(self.children)} children)"

    def find(self, name: str) -> Element | None:
        """The first child of that name."""
        for child in self.children:
            if child.name == name:
                return child
        return None

    def all(self, *names: str) -> Iterator[Element]:
        """The children of those names."""
        return (child for child in self.children if child.name in names)

    def text(self, place: int = 0, default: str = "") -> str:
        """A text value; `default` without one."""
        value = self.values[place] if place < len(self.values) else None
        return value if isinstance(value, str) else default

    def whole(self, place: int = 0, default: int = 0) -> int:
        """A whole number; `default` without one."""
        value = self.number(place, float("nan"))
        own = self.values[place] if place < len(self.values) else None
        if isinstance(own, int):
            return own
        return int(value) if np.isfinite(value) else default

    def number(self, place: int = 0, default: float = 0.0) -> float:
        """A number; `default` without one."""
        value = self.values[place] if place < len(self.values) else None
        if isinstance(value, str):
            try:
                return float(value)
            except ValueError:
                return default
        if isinstance(value, np.ndarray | Packed):
            own = self.numbers()
            return float(own[place]) if place < len(own) else default
        return float(value) if isinstance(value, int | float) else default

    def numbers(self) -> NDArray[Any]:
        """All values as one array: an array as it is typed, single numbers float64, single letters their codes."""
        if len(self.values) == 1:
            own = self.values[0]
            if isinstance(own, Packed):
                return own.numbers()
            if isinstance(own, np.ndarray):
                return own
        found: list[Any] = []
        for value in self.values:
            if isinstance(value, Packed | np.ndarray):
                found += (value.numbers() if isinstance(value, Packed) else value).tolist()
            else:
                found.append(ord(value) if isinstance(value, str) and len(value) == 1 else value)
        try:
            return np.array(found, float)
        except (TypeError, ValueError, OverflowError):
            return np.zeros(0)

    def array(self, name: str) -> NDArray[Any] | None:
        """The numbers of the first child of that name, None without one."""
        child = self.find(name)
        return None if child is None else child.numbers()


@dataclass(frozen=True, eq=False)
class Tree:
    """A whole file. version: 5000 … 7700. ascii: whether it is text. top: the elements at the top. size: its bytes."""

    path: Path
    version: int
    ascii: bool
    top: list[Element]
    size: int

    def find(self, name: str) -> Element:
        """The first element at the top of that name, an empty one without any."""
        for element in self.top:
            if element.name == name:
                return element
        return Element(name)

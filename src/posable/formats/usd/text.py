"""The text form of USD, out: prims, attributes and their metadata."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.errors import FileError
from posable.files import free_name
from posable.spatial import Array


def identifier(name: str) -> str:
    """A name as USD allows it for a prim: letters, digits and underscores of any language."""
    kept = "".join(c if f"_{c}".isidentifier() else "_" for c in unicodedata.normalize("NFC", name))
    return kept if kept.isidentifier() else f"_{kept}"


def unique_names(above: str, names: Sequence[str]) -> list[str]:
    """Prim names below `above`, each another."""
    taken, found = set[str](), list[str]()
    for name in names:
        found.append(above + free_name(identifier(name), taken))
        taken.add(found[-1][len(above) :])
    return found


class Layer:
    """Lines of text, indented as prims are nested."""

    def __init__(self, path: Path) -> None:
        self.path, self.lines, self._depth = path, ["#usda 1.0"], 0

    def add(self, line: str) -> None:
        """Append a line."""
        self.lines.append("    " * self._depth + line)

    def head(self, root: str, up: str, rate: float | None, frames: int) -> None:
        """The layer's metadata. rate: time codes per second. frames: of the active animation."""
        said = [
            f'defaultPrim = "{root}"',
            'doc = "Written by posable"',
            "metersPerUnit = 1",
            f'upAxis = "{up.upper()}"',
        ]
        if rate is not None:
            said += [f"timeCodesPerSecond = {rate!r}", f"framesPerSecond = {rate!r}"]
        if frames:
            said += ["startTimeCode = 0", f"endTimeCode = {frames - 1}"]
        self.lines += ["(", *(f"    {line}" for line in said), ")"]

    @contextmanager
    def prim(self, kind: str, name: str, schemas: Sequence[str] = (), own: Any = None) -> Iterator[None]:
        """A prim with everything added inside the block. own: data that only posable reads, as JSON."""
        said = []
        if schemas:
            said.append(f"prepend apiSchemas = [{', '.join(map(quoted, schemas))}]")
        if own is not None:
            said.append(f"customData = {{ string posable = {quoted(json.dumps(own, separators=(',', ':')))} }}")
        self.add(f'def {kind} "{name}"')
        if said:
            self.lines[-1] += " ("
            for line in said:
                self.add(f"    {line}")
            self.add(")")
        self.add("{")
        self._depth += 1
        yield
        self._depth -= 1
        self.add("}")

    def numbers(self, what: str, array: NDArray, more: str = "") -> None:
        """An attribute of numbers `[n, …]`."""
        self.add(f"{what} = {self.values(array)}{more}")

    def values(self, array: NDArray) -> str:
        """Numbers `[n, …]` in full: 9 digits are a float32, 17 a float64."""
        if not np.isfinite(array).all():
            raise FileError(self.path, "cannot be written: the figure has lengths that USD's numbers cannot hold")
        one = {"f4": "%.9g", "f8": "%.17g"}.get(array.dtype.str[1:], "%d")
        form = ", ".join([_form(array.shape[1:], one)] * len(array))
        return f"[{form % tuple(array.ravel().tolist())}]"

    def samples(self, what: str, times: Array, values: NDArray, *, ends: bool = False) -> None:
        """An attribute `[time, n, …]`. ends: whether a constant one states the first and the last time."""
        if np.array_equal(values, np.broadcast_to(values[0], values.shape)):
            if not ends:
                self.numbers(what, values[0])
                return
            times, values = (array[[0, -1]] if len(times) > 1 else array for array in (times, values))
        self.add(f"{what}.timeSamples = {{")
        for time, row in zip(times.tolist(), values, strict=True):
            self.add(f"    {time!r}: {self.values(row)},")
        self.add("}")


def _form(shape: tuple[int, ...], one: str) -> str:
    return f"({', '.join([_form(shape[1:], one)] * shape[0])})" if shape else one


def quoted(text: str) -> str:
    """Text as USD writes it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(f"\\x{ord(c):02x}" if c < " " or c == "\x7f" else c for c in escaped) + '"'


def words(some: Sequence[str]) -> str:
    """A list of words."""
    return f"[{', '.join(map(quoted, some))}]"


def rows_of(matrices: Array) -> Array:
    """Matrices `[n, 4, 4]` as USD writes them: they act on rows."""
    return np.swapaxes(matrices, 1, 2)

"""The parameters of a C3D file: named groups of named arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from posable.errors import FileError

INTEL, DEC, MIPS = 84, 85, 86
_TYPES = {1: "i1", 2: "i2", 4: "f4"}


@dataclass(frozen=True)
class Parameters:
    """(group, name) → (type, sizes, bytes), both in capitals; machine: INTEL, DEC or MIPS."""

    machine: int
    entries: Mapping[tuple[str, str], tuple[int, tuple[int, ...], bytes]]

    def texts(self, group: str, name: str) -> list[str]:
        """The strings of an array of letters."""
        kind, sizes, raw = self.entries.get((group, name), (-1, (0,), b""))
        width = sizes[0] if sizes else 1
        if kind != -1 or not width:
            return []
        return [raw[k : k + width].decode("latin-1").strip(" \0") for k in range(0, len(raw), width)]

    def text(self, group: str, name: str) -> str:
        """The first string, "" where there is none."""
        found = self.texts(group, name)
        return found[0] if found else ""

    def numbers(self, group: str, name: str) -> NDArray[np.float64]:
        """The numbers of an array, none where there is none."""
        kind, _, raw = self.entries.get((group, name), (1, (), b""))
        if kind == 4:
            return decoded_floats(raw, self.machine)
        if kind not in _TYPES:
            return np.zeros(0)
        return np.frombuffer(raw, (">" if self.machine == MIPS else "<") + _TYPES[kind]).astype(float)

    def number(self, group: str, name: str, otherwise: float) -> float:
        """The first number; `otherwise` where there is none."""
        found = self.numbers(group, name)
        return float(found[0]) if len(found) else otherwise

    def long_frames(self) -> int:
        """The number of frames from TRIAL, which says it in two words, 0 where it does not."""
        ends = [self.numbers("TRIAL", f"ACTUAL_{what}_FIELD") for what in ("START", "END")]
        if any(len(end) < 2 for end in ends):
            return 0
        first, last = (int(end[0]) % 65536 + 65536 * (int(end[1]) % 65536) for end in ends)
        return max(last - first + 1, 0)


def read_parameters(path: Path, raw: bytes, start: int) -> Parameters:
    """The parameter section that begins at byte `start`. Raises FileError where it is damaged."""
    if start + 4 > len(raw) or raw[start + 3] not in (INTEL, DEC, MIPS):
        raise FileError(path, "its parameter section is missing or made by an unknown machine; export it again")
    machine = raw[start + 3]
    groups: dict[int, str] = {}
    found: list[tuple[int, str, tuple[int, tuple[int, ...], bytes]]] = []
    at, end = start + 4, min(len(raw), start + 512 * max(raw[start + 2], 1))
    while at + 4 <= end and raw[at]:
        letters, group = abs(_signed(raw[at])), _signed(raw[at + 1])
        name = raw[at + 2 : at + 2 + letters].decode("latin-1").strip().upper()
        body = at + 2 + letters
        if body + 2 > len(raw):
            raise FileError(path, "is cut short in its parameters; copy or export it again")
        offset = int.from_bytes(raw[body : body + 2], "big" if machine == MIPS else "little")
        if group < 0:
            groups[-group] = name
        else:
            found.append((group, name, _value(path, raw, body + 2)))
        if not offset:
            break
        at = body + offset
    return Parameters(machine, {(groups.get(group, ""), name): value for group, name, value in found})


def _value(path: Path, raw: bytes, at: int) -> tuple[int, tuple[int, ...], bytes]:
    """(type, sizes, bytes) of the array at byte `at`."""
    if at + 2 <= len(raw):
        kind, count = _signed(raw[at]), raw[at + 1]
        sizes = tuple(raw[at + 2 : at + 2 + count])
        first, length = at + 2 + count, abs(kind) * int(np.prod(sizes, dtype=np.int64))
        if count <= 7 and len(sizes) == count and first + length <= len(raw) and kind in (-1, 1, 2, 4):
            return kind, sizes, raw[first : first + length]
    raise FileError(path, "is cut short in its parameters; copy or export it again")


def _signed(byte: int) -> int:
    return byte - 256 if byte > 127 else byte


def decoded_floats(raw: bytes, machine: int) -> NDArray[np.float64]:
    """32-bit floats of any of the three machines. DEC's (VAX F) have their words swapped and are four times IEEE's."""
    raw = raw[: len(raw) // 4 * 4]
    if machine != DEC:
        return np.frombuffer(raw, ">f4" if machine == MIPS else "<f4").astype(float)
    words = np.frombuffer(raw, "<u2").reshape(-1, 2)
    swapped = (words[:, 0].astype(np.uint32) << 16) | words[:, 1]
    return swapped.view(np.float32).astype(float) / 4

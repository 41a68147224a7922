"""C3D: recorded markers, in integer or floating-point encoding of Intel, DEC or MIPS machines.

Only points are read; analogue channels (force plates, EMG) are skipped. Lengths are converted to metres if the file
names its unit. See "The C3D File Format, a technical user guide" (c3d.org, 2023).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from posable.errors import FileError
from posable.files import check_count, read_bytes
from posable.motion.markers import Markers

# Parameters of a C3D file: named groups of named arrays.


INTEL, DEC, MIPS = 84, 85, 86
_TYPES = {1: "i1", 2: "i2", 4: "f4"}


@dataclass(frozen=True)
class Parameters:
    """(group, name) → (type, sizes, bytes), both in capitals; machine: INTEL, DEC or MIPS."""

    machine: int
    entries: Mapping[tuple[str, str], tuple[int, tuple[int, ...], bytes]]

    def texts(self, group: str, name: str) -> list[str]:
        """The strings of a character array."""
        kind, sizes, raw = self.entries.get((group, name), (-1, (0,), b""))
        width = sizes[0] if sizes else 1
        if kind != -1 or not width:
            return []
        return [raw[k : k + width].decode("latin-1").strip(" \0") for k in range(0, len(raw), width)]

    def text(self, group: str, name: str) -> str:
        """The first string, "" if missing."""
        found = self.texts(group, name)
        return found[0] if found else ""

    def numbers(self, group: str, name: str) -> NDArray[np.float64]:
        """The numbers of an array, empty if missing."""
        kind, _, raw = self.entries.get((group, name), (1, (), b""))
        if kind == 4:
            return decoded_floats(raw, self.machine)
        if kind not in _TYPES:
            return np.zeros(0)
        return np.frombuffer(raw, (">" if self.machine == MIPS else "<") + _TYPES[kind]).astype(float)

    def number(self, group: str, name: str, otherwise: float) -> float:
        """The first number, `otherwise` if missing."""
        found = self.numbers(group, name)
        return float(found[0]) if len(found) else otherwise

    def long_frames(self) -> int:
        """The number of frames from TRIAL, which stores it in two words; 0 if missing."""
        ends = [self.numbers("TRIAL", f"ACTUAL_{what}_FIELD") for what in ("START", "END")]
        if any(len(end) < 2 for end in ends):
            return 0
        first, last = (int(end[0]) % 65536 + 65536 * (int(end[1]) % 65536) for end in ends)
        return max(last - first + 1, 0)


def read_parameters(path: Path, raw: bytes, start: int) -> Parameters:
    """The parameter section that begins at byte `start`. Raises FileError if it is damaged."""
    if start + 4 > len(raw) or raw[start + 3] not in (INTEL, DEC, MIPS):
        raise FileError(path, "its parameter section is missing or of an unknown machine; export it again")
    machine = raw[start + 3]
    groups: dict[int, str] = {}
    found: list[tuple[int, str, tuple[int, tuple[int, ...], bytes]]] = []
    at, end, taken = start + 4, min(len(raw), start + 512 * max(raw[start + 2], 1)), 0
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
            taken += len(found[-1][2][2])
            if taken > len(raw):
                raise FileError(path, "has parameters that overlap; export it again")
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


MAX_POINTS = 100_000_000  # points × frames
METRES = {"mm": 1e-3, "cm": 1e-2, "dm": 0.1, "m": 1.0, "in": 0.0254, "ft": 0.3048}

_BLOCK = 512
_MAGIC = 80


def read(path: Path) -> Markers:
    """Read the file's points. Raises FileError if it is not a C3D file or is truncated, FileTooLargeError."""
    path = Path(path)
    raw = read_bytes(path)
    if len(raw) < 2 * _BLOCK or raw[1] != _MAGIC or not 2 <= raw[0] <= 255:
        raise FileError(path, "is not a C3D file: its second byte is not 0x50")
    parameters = read_parameters(path, raw, (raw[0] - 1) * _BLOCK)
    layout = _Layout.of(path, raw, parameters)
    check_count(path, layout.points * layout.frames, MAX_POINTS, "points")
    if layout.start + layout.frames * layout.stride > len(raw):
        there = max(len(raw) - layout.start, 0) // layout.stride
        raise FileError(path, f"declares {layout.frames:,} frames and ends after {there:,}; copy or export it again")
    positions = _positions(raw, layout)
    factor, up = METRES.get(parameters.text("POINT", "UNITS").lower(), 1.0), _up(parameters)
    labels = _labels(parameters, layout.points)
    used = [k for k, label in enumerate(labels) if np.isfinite(positions[:, k]).any() or not label.startswith("*")]
    unique = _unique([labels[k] for k in used])
    return Markers(unique, positions[:, used] * factor, layout.fps, up, path.stem)


@dataclass(frozen=True)
class _Layout:
    """The layout of the points: `frames` rows of `points` × 4 numbers and `analogue` ones, all of one type."""

    machine: int
    start: int
    frames: int
    points: int
    analogue: int
    scale: float
    fps: float

    @classmethod
    def of(cls, path: Path, raw: bytes, parameters: Parameters) -> _Layout:
        order = ">" if parameters.machine == 86 else "<"
        words = np.frombuffer(raw, order + "u2", 10)
        points, analogue, first, last, start = (int(words[k]) for k in (1, 2, 3, 4, 8))
        floats = decoded_floats(raw[12:16], parameters.machine), decoded_floats(raw[20:24], parameters.machine)
        scale = parameters.number("POINT", "SCALE", float(floats[0][0]))
        fps = parameters.number("POINT", "RATE", float(floats[1][0]))
        frames = max(last - first + 1, 0)
        claimed = int(parameters.number("POINT", "FRAMES", frames)) % 65536
        # Both count up to 65,535; long recordings store their last frame in two words of TRIAL.
        frames = parameters.long_frames() or (claimed if frames in (0, 65535) else frames)
        start = start or int(parameters.number("POINT", "DATA_START", 0))
        if not points or not frames or start < 2 or scale == 0 or not np.isfinite(scale):
            raise FileError(path, "has no points; export it with its marker trajectories")
        if not (0 < fps < np.inf):
            raise FileError(path, f"declares {fps:g} frames per second; correct POINT:RATE and export it again")
        return cls(parameters.machine, (start - 1) * _BLOCK, frames, points, analogue, scale, fps)

    @property
    def floating(self) -> bool:
        return self.scale < 0

    @property
    def stride(self) -> int:
        """Bytes per frame."""
        return (4 * self.points + self.analogue) * (4 if self.floating else 2)


def _positions(raw: bytes, layout: _Layout) -> NDArray[np.float64]:
    """`[frame, point, 3]` in the file's unit, NaN for invisible points."""
    body = raw[layout.start : layout.start + layout.frames * layout.stride]
    if layout.floating:
        numbers = decoded_floats(body, layout.machine)
    else:
        numbers = np.frombuffer(body, (">" if layout.machine == 86 else "<") + "i2").astype(float)
    table = numbers.reshape(layout.frames, -1)[:, : 4 * layout.points].reshape(layout.frames, layout.points, 4)
    positions = table[..., :3] * (1.0 if layout.floating else abs(layout.scale))
    positions[(table[..., 3] < 0) | ~np.isfinite(table).all(axis=-1)] = np.nan
    return positions


def _labels(parameters: Parameters, points: int) -> list[str]:
    """One per point; long lists continue in LABELS2, LABELS3, …"""
    labels: list[str] = []
    for k in range(1, 1000):
        more = parameters.texts("POINT", "LABELS" if k == 1 else f"LABELS{k}")
        if not more:
            break
        labels += more
    return [(labels[k] if k < len(labels) else "") or f"*{k}" for k in range(points)]


def _unique(labels: list[str]) -> tuple[str, ...]:
    """The labels, repeated ones numbered."""
    counts: dict[str, int] = {}
    found = []
    for label in labels:
        counts[label] = counts.get(label, 0) + 1
        found.append(label if counts[label] == 1 else f"{label}_{counts[label]}")
    return tuple(found)


def _up(parameters: Parameters) -> Literal["y", "z"]:
    """The axis that points up on the screen, default z."""
    return "y" if parameters.text("POINT", "Y_SCREEN").upper().endswith("Y") else "z"

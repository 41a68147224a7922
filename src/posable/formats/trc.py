"""TRC (Track Row Column, Motion Analysis and OpenSim): recorded markers as a table of text. Up is y."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from posable.errors import FileError
from posable.files import check_count, read_text
from posable.formats.c3d import MAX_POINTS, METRES
from posable.motion.markers import Markers

_HEADER = 6
_MAX_MISSING_POINTS = 1_000_000  # that short lines may lack, beyond one for each character of the file


def read(path: Path) -> Markers:
    """The file's markers; empty cells are gaps. Raises FileError with the line, FileTooLargeError."""
    path = Path(path)
    text = read_text(path)
    lines = text.splitlines()
    if len(lines) < _HEADER or "PathFileType" not in lines[0]:
        raise FileError(path, "is not a TRC file: its first line does not begin with PathFileType", line=1)
    heads = dict(zip(lines[1].split(), lines[2].split(), strict=False))
    fps, count = _number(path, heads, "DataRate"), int(_number(path, heads, "NumMarkers"))
    cells = [cell.strip() for cell in lines[3].split("\t")][2:]
    labels = [cell for cell in cells if cell][:count]
    if len(labels) != count or not count:
        raise FileError(path, f"has {len(labels)} markers, but NumMarkers is {count}", line=4)
    rows = [(n, line) for n, line in enumerate(lines[5:], 6) if line.strip()]
    check_count(path, len(rows) * count, min(MAX_POINTS, _MAX_MISSING_POINTS + len(text)), "points")
    table = np.array([np.array(_row(path, n, line, count)) for n, line in rows]).reshape(-1, count, 3)
    if not len(table):
        raise FileError(path, "has no frames", line=len(lines))
    if "NumFrames" in heads and len(table) < _number(path, heads, "NumFrames"):
        raise FileError(
            path, f"declares {heads['NumFrames']} frames and ends after {len(table)}; copy or export it again"
        )
    unit = heads.get("Units", "m").lower()
    if unit not in METRES:
        raise FileError(path, f"its Units are {unit[:40]!r}; write one of {', '.join(METRES)}", line=3)
    return Markers(tuple(labels), table * METRES[unit], fps, "y", path.stem)


def _number(path: Path, heads: dict[str, str], name: str) -> float:
    try:
        value = float(heads[name])
    except (KeyError, ValueError):
        raise FileError(path, f"has no number for {name}", line=3) from None
    if not 0 < value < 1e9:
        raise FileError(path, f"declares {heads[name]} for {name}", line=3)
    return value


def _row(path: Path, line: int, text: str, count: int) -> list[float]:
    """The numbers of one frame, NaN for empty cells."""
    cells = text.rstrip("\r\n").split("\t")[2 : 2 + 3 * count]
    cells += [""] * (3 * count - len(cells))
    try:
        return [float(cell) if cell.strip() else np.nan for cell in cells]
    except ValueError:
        bad = next(cell for cell in cells if not _is_number(cell))
        raise FileError(path, f"has {bad.strip()[:40]!r} instead of a number", line=line) from None


def _is_number(cell: str) -> bool:
    try:
        float(cell or 0)
    except ValueError:
        return not cell.strip()
    return True

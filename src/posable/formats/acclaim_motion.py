"""The text of an Acclaim motion file (.amc): one value per freedom of each bone and frame."""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from posable.errors import FileError
from posable.files import read_text
from posable.formats.acclaim_skeleton import Line, lines_of
from posable.spatial import Array


def parse_frames(path: Path, widths: Mapping[str, int], *, degrees: bool) -> tuple[Array, bool]:
    """(`values [frame, freedom]`, whether angles are degrees), freedoms in the order of `widths` (bone → how many).

    degrees: what holds where the file does not say.
    Raises FileError with the line where one is missing, double or unknown.
    """
    reader = _Frames(path, widths)
    for line in lines_of(path, read_text(path)):
        first = line.words[0]
        if first.startswith(":"):
            degrees = {":DEGREES": True, ":RADIANS": False}.get(first.upper(), degrees)
        elif len(line.words) == 1 and first.isdecimal():
            reader.begin(line)
        else:
            reader.take(line)
    return reader.finish(), degrees


class _Frames:
    """Collects one frame after another."""

    def __init__(self, path: Path, widths: Mapping[str, int]) -> None:
        ends = np.cumsum([0, *widths.values()]).tolist()
        self.path = path
        self.places = {name: slice(ends[k], ends[k + 1]) for k, name in enumerate(widths)}
        self.values = array("d")
        self.row: list[float] | None = None
        self.line: Line | None = None

    def begin(self, line: Line) -> None:
        self._close()
        self.row, self.line = [math.nan] * max(place.stop for place in self.places.values()), line

    def take(self, line: Line) -> None:
        name = line.words[0]
        if self.row is None:
            raise line.error(f"{name[:40]!r} stands before the first frame number")
        place = self.places.get(name)
        if place is None:
            raise line.error(f"the skeleton has no bone {name[:40]!r}; the motion belongs to another .asf")
        width = place.stop - place.start
        if len(line.words) != width + 1:
            raise line.error(f"bone {name[:40]!r} has {width} freedoms, but {len(line.words) - 1} values stand here")
        if width and not math.isnan(self.row[place.start]):
            raise line.error(f"bone {name[:40]!r} stands twice in this frame")
        self.row[place] = line.numbers(width)

    def finish(self) -> Array:
        self._close()
        if not self.values:
            raise FileError(self.path, "this motion has no frames; it is cut short, or no AMC file")
        return np.array(self.values).reshape(-1, max(place.stop for place in self.places.values()))

    def _close(self) -> None:
        if self.row is None or self.line is None:
            return
        for name, place in self.places.items():
            if any(math.isnan(value) for value in self.row[place]):
                raise self.line.error(f"frame {self.line.words[0][:20]} has no values for bone {name[:40]!r}")
        self.values.extend(self.row)

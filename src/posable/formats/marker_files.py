"""Opening recorded markers."""

from __future__ import annotations

from pathlib import Path

from posable.errors import UnsupportedFileError
from posable.formats import c3d, trc
from posable.motion.markers import Markers

_READERS = {".c3d": c3d.read, ".trc": trc.read}


def load_markers(path: str | Path) -> Markers:
    """Open the markers of a .c3d or .trc file: labels, places in metres, gaps as NaN.

    Raises FileError, with the line where there is one, UnsupportedFileError for another ending.
    """
    path = Path(path)
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise UnsupportedFileError(path, "markers are read from .c3d and .trc; posable.load opens figures and motions")
    return reader(path)

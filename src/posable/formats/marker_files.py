"""Reads recorded markers."""

from __future__ import annotations

from pathlib import Path

from posable.errors import UnsupportedFileError
from posable.formats import c3d, trc
from posable.motion.markers import Markers

_READERS = {".c3d": c3d.read, ".trc": trc.read}


def load_markers(path: str | Path) -> Markers:
    """Read recorded markers from a .c3d or .trc file.

    Args:
        path: The file.

    Returns:
        Labels and positions in metres; gaps are NaN.

    Raises:
        FileError: If the file is invalid, with the line if it has lines.
        UnsupportedFileError: For another suffix.
    """
    path = Path(path)
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise UnsupportedFileError(path, "markers are read from .c3d and .trc; posable.load opens figures and motions")
    return reader(path)

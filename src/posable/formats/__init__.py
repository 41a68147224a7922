"""One file per format, one table of readers and writers."""

from posable.formats.marker_files import load_markers
from posable.formats.meshes import load_mesh, rigged
from posable.formats.table import FORMATS, Format, load, save

__all__ = ["FORMATS", "Format", "load", "load_markers", "load_mesh", "rigged", "save"]

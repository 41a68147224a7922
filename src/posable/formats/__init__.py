"""File formats: one module each, and one table of readers and writers."""

from posable.formats.arrays import from_arrays, to_arrays
from posable.formats.key_points import load_key_points
from posable.formats.meshes import as_figure, load_mesh
from posable.formats.table import FORMATS, Format, load, load_markers, save

__all__ = [
    "FORMATS",
    "Format",
    "as_figure",
    "from_arrays",
    "load",
    "load_key_points",
    "load_markers",
    "load_mesh",
    "save",
    "to_arrays",
]

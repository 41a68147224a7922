"""File formats: one module each, and one table of readers and writers."""

import importlib
from typing import TYPE_CHECKING

from posable.formats.meshes import as_figure, load_mesh
from posable.formats.table import FORMATS, Format, load, load_markers, save

if TYPE_CHECKING:
    from posable.formats.arrays import from_arrays, to_arrays
    from posable.formats.key_points import load_key_points

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

_LATER = {"from_arrays": "arrays", "to_arrays": "arrays", "load_key_points": "key_points"}
"""Names by module, loaded when they are asked for: they take all of `posable.motion` along, half a second."""


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_LATER[name]}"), name)

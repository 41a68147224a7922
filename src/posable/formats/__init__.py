"""One file per format, one table of readers and writers."""

from posable.formats.table import FORMATS, Format, load, save

__all__ = ["FORMATS", "Format", "load", "save"]

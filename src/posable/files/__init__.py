"""File access for readers and writers: size checks before allocation, text decoding, TOML with lines, atomic writes."""

from posable.files.access import (
    MAX_FILE_BYTES,
    atomic_path,
    cannot_be_swapped,
    check_count,
    check_file,
    files_noted,
    free_name,
    generator,
    is_private,
    locked,
    path_of,
    read_bytes,
    read_text,
    sibling,
    sweep,
    write_atomically,
)
from posable.files.toml_lines import REQUIRED, Table, read_tables

__all__ = [
    "MAX_FILE_BYTES",
    "REQUIRED",
    "Table",
    "atomic_path",
    "cannot_be_swapped",
    "check_count",
    "check_file",
    "files_noted",
    "free_name",
    "generator",
    "is_private",
    "locked",
    "path_of",
    "read_bytes",
    "read_tables",
    "read_text",
    "sibling",
    "sweep",
    "write_atomically",
]

"""Reads untrusted files."""

from __future__ import annotations

from pathlib import Path

from posable.errors import FileError, FileTooLargeError

MAX_FILE_BYTES = 512 * 2**20
"""The largest accepted file, in bytes."""


def check_file(path: str | Path, limit: int = MAX_FILE_BYTES) -> None:
    """Check that `path` is a regular file of at most `limit` bytes, without reading it. Raises as `read_bytes`."""
    path = Path(path)
    try:
        if not path.exists():
            raise FileError(path, f"no such file ({path}); check the name and the folder")
        if not path.is_file():
            raise FileError(path, "is not a regular file; give the file itself")
        check_count(path, path.stat().st_size, limit, "bytes")
    except OSError as problem:
        raise FileError(path, f"cannot be read ({problem.strerror or problem})") from problem


def read_bytes(path: str | Path, limit: int = MAX_FILE_BYTES) -> bytes:
    """The whole file, its size checked first.

    Raises FileError (missing, a folder, no permission) or FileTooLargeError.
    """
    check_file(path, limit)
    try:
        return Path(path).read_bytes()
    except OSError as problem:
        raise FileError(path, f"cannot be read ({problem.strerror or problem})") from problem


def read_text(path: str | Path, limit: int = MAX_FILE_BYTES) -> str:
    """The whole file as text: UTF-8 (with or without BOM), else Latin-1. Raises as `read_bytes`, and for NUL bytes."""
    raw = read_bytes(path, limit)
    if b"\0" in raw:
        raise FileError(path, "contains NUL bytes, so it is not a text file; export it again")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def check_count(path: str | Path, count: int, limit: int, things: str) -> None:
    """Raise FileError for a declared `count` of `things` below 0 or above `limit`, before allocating memory for
    them.
    """
    if count < 0:
        raise FileError(path, f"declares {count:,} {things}; export it again")
    if count > limit:
        raise FileTooLargeError(path, f"declares {count:,} {things}; posable accepts at most {limit:,} in one file")


def sibling(path: str | Path, relative: str) -> Path:
    """The file that `path` refers to as `relative`. Raises FileError if it lies outside the folder of `path`."""
    folder = Path(path).resolve().parent
    if "\0" in relative:
        raise FileError(path, "refers to a file name that contains a NUL byte")
    try:
        found = (folder / relative).resolve()
    except (OSError, ValueError, RuntimeError) as problem:
        raise FileError(path, f"refers to {relative[:80]!r}, which is not a file name") from problem
    if folder not in found.parents:
        raise FileError(path, f"refers to {relative[:80]!r}, outside its own folder; put the file beside it")
    return found

"""Reading files that come from strangers."""

from __future__ import annotations

from pathlib import Path

from posable.errors import FileError, FileTooLargeError

MAX_FILE_BYTES = 512 * 2**20
"""The largest file taken, in bytes."""


def check_file(path: str | Path, limit: int = MAX_FILE_BYTES) -> None:
    """Whether there is a plain file of at most `limit` bytes, without reading it. Raises as `read_bytes`."""
    path = Path(path)
    try:
        if not path.exists():
            raise FileError(path, f"there is no such file ({path}); check the name and the folder")
        if not path.is_file():
            raise FileError(path, "this is not a plain file; give the file itself")
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
    """The whole file as text: UTF-8 (with or without mark), else Latin-1. Raises as `read_bytes`; refuses NUL bytes."""
    raw = read_bytes(path, limit)
    if b"\0" in raw:
        raise FileError(path, "holds zero bytes, so it is not the text file its name says; export it again")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def check_count(path: str | Path, count: int, limit: int, things: str) -> None:
    """Refuse a claimed `count` of `things` below 0 or over `limit`, before anything is made for them."""
    if count < 0:
        raise FileError(path, f"claims {count:,} {things}; export it again")
    if count > limit:
        raise FileTooLargeError(path, f"claims {count:,} {things}; posable takes at most {limit:,} in one file")


def sibling(path: str | Path, relative: str) -> Path:
    """The file that `path` refers to as `relative`. Raises FileError if that leads out of the folder of `path`."""
    folder = Path(path).resolve().parent
    if "\0" in relative:
        raise FileError(path, "refers to a file name with a zero byte in it")
    try:
        found = (folder / relative).resolve()
    except (OSError, ValueError, RuntimeError) as problem:
        raise FileError(path, f"refers to {relative[:80]!r}, which is not a file name") from problem
    if folder not in found.parents:
        raise FileError(path, f"refers to {relative[:80]!r}, outside its own folder; put the file beside it")
    return found

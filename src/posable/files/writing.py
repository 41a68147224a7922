"""Atomic writes: to a file beside the target, then renamed over it."""

from __future__ import annotations

import secrets
from collections.abc import Container, Iterator
from contextlib import contextmanager
from pathlib import Path

from posable.errors import FileError


@contextmanager
def atomic_path(path: str | Path, *, overwrite: bool = True) -> Iterator[Path]:
    """A temporary path beside `path`: it replaces `path` if the block succeeds, and is deleted otherwise.

    Raises FileError if the folder is missing or not writable, or if `path` exists and `overwrite` is False.
    """
    path = Path(path)
    if path.exists() and not overwrite:
        raise FileError(path, "already exists; choose another name, or allow overwriting (--force, overwrite=True)")
    if path.is_dir():
        raise FileError(path, "is a folder; give a file name")
    beside = path.with_name(f".{path.stem[:40]}-{secrets.token_hex(6)}{path.suffix}")
    try:
        beside.touch(exist_ok=False)
    except OSError as problem:
        raise FileError(path, f"cannot be written ({problem.strerror}); check that the folder exists") from problem
    except ValueError as problem:
        raise FileError(path, f"is not a valid file name ({problem})") from problem
    try:
        yield beside
        beside.replace(path)
    except OSError as problem:
        raise FileError(path, f"cannot be written ({problem.strerror or problem})") from problem
    finally:
        beside.unlink(missing_ok=True)


def write_atomically(path: str | Path, content: bytes | str, *, overwrite: bool = True) -> None:
    """Write all of `content` (text as UTF-8) or leave `path` unchanged. Raises as `atomic_path`."""
    try:
        raw = content.encode("utf-8") if isinstance(content, str) else content
    except UnicodeEncodeError as problem:
        raise FileError(
            path, f"cannot be written: it contains a name that is not valid Unicode ({problem.reason})"
        ) from problem
    with atomic_path(path, overwrite=overwrite) as beside:
        beside.write_bytes(raw)


# Unused names.


def free_name(wanted: str, taken: Container[object], between: str = "_") -> str:
    """`wanted` if it is free, else `wanted`, `between` and the first free number from 2."""
    name, count = wanted, 2
    while name in taken:
        name, count = f"{wanted}{between}{count}", count + 1
    return name

"""Writing whole files or none: beside the target first, then renamed over it."""

from __future__ import annotations

import secrets
from collections.abc import Container, Iterator
from contextlib import contextmanager
from pathlib import Path

from posable.errors import FileError


@contextmanager
def atomic_path(path: str | Path, *, overwrite: bool = True) -> Iterator[Path]:
    """A path beside `path` to write to: it takes the place of `path` when the block ends well, else it vanishes.

    Raises FileError if the folder is missing or closed, or if `path` exists and `overwrite` is False.
    """
    path = Path(path)
    if path.exists() and not overwrite:
        raise FileError(path, "exists already; choose another name, or ask for overwriting (--force, overwrite=True)")
    if path.is_dir():
        raise FileError(path, "is a folder; give a file name")
    beside = path.with_name(f".{path.stem[:40]}-{secrets.token_hex(6)}{path.suffix}")
    try:
        beside.touch(exist_ok=False)
    except OSError as problem:
        raise FileError(path, f"cannot be written ({problem.strerror}); check that the folder exists") from problem
    except ValueError as problem:
        raise FileError(path, f"is no file name ({problem})") from problem
    try:
        yield beside
        beside.replace(path)
    except OSError as problem:
        raise FileError(path, f"cannot be written ({problem.strerror or problem})") from problem
    finally:
        beside.unlink(missing_ok=True)


def write_atomically(path: str | Path, content: bytes | str, *, overwrite: bool = True) -> None:
    """Write the whole of `content` (text as UTF-8) or leave `path` as it was. Raises as `atomic_path`."""
    try:
        raw = content.encode("utf-8") if isinstance(content, str) else content
    except UnicodeEncodeError as problem:
        raise FileError(path, f"cannot be written: a name in it is no proper text ({problem.reason})") from problem
    with atomic_path(path, overwrite=overwrite) as beside:
        beside.write_bytes(raw)


# Names that differ from those that are taken.


def free_name(wanted: str, taken: Container[object], between: str = "_") -> str:
    """`wanted`, or with `between` and the first free number from 2 on after it where that is taken."""
    name, count = wanted, 2
    while name in taken:
        name, count = f"{wanted}{between}{count}", count + 1
    return name

"""Reads untrusted files, and writes atomically: to a file beside the target, then renamed over it."""

from __future__ import annotations

import codecs
import contextlib
import importlib
import os
import re
import secrets
import stat
import sys
from collections.abc import Container, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from posable.errors import FileError, FileTooLargeError, check_kind

_READ: ContextVar[set[Path] | None] = ContextVar("read", default=None)
"""The files read so far, while someone wants to know."""


@contextmanager
def files_noted() -> Iterator[set[Path]]:
    """The set of all files that are read in the block: a file, those that it names, its tables."""
    before = _READ.set(noted := set())
    try:
        yield noted
    finally:
        _READ.reset(before)


MAX_FILE_BYTES = 512 * 2**20
"""The largest accepted file, in bytes."""


def path_of(given: str | Path) -> Path:
    """The path that names a file. Raises PosableError for what names none."""
    check_kind(given, (str, os.PathLike), "a file is named by its path")
    return Path(given)


def check_file(path: str | Path, limit: int = MAX_FILE_BYTES) -> None:
    """Check that `path` is a regular file of at most `limit` bytes, without reading it. Raises as `read_bytes`."""
    path = Path(path)
    try:
        if not path.exists():
            whole = f" ({path})" if str(path) != path.name else ""  # the message begins with the name
            raise FileError(path, f"no such file{whole}; check the name and the folder")
        if not path.is_file():
            raise FileError(path, "is not a regular file; give the file itself")
        check_count(path, path.stat().st_size, limit, "bytes")
        if (noted := _READ.get()) is not None:
            noted.add(path)
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


def read_text(path: str | Path, limit: int = MAX_FILE_BYTES, notes: list[str] | None = None) -> str:
    """The whole file as text: UTF-8 (with or without BOM), UTF-16 with a BOM, else Latin-1.

    NUL bytes at the end are dropped: programs in C write them by mistake. notes: gets a note where it is Latin-1, which
    any bytes are. Raises as `read_bytes`, and for NUL bytes.
    """
    raw = read_bytes(path, limit)
    try:
        text = _decoded(raw).rstrip("\0")
    except UnicodeDecodeError:
        text = raw.decode("latin-1").rstrip("\0")
        if notes is not None:
            notes.append("its letters are not in UTF-8 and were read as Latin-1; if names look wrong, save it as UTF-8")
    if "\0" in text:
        raise FileError(path, "contains NUL bytes, so it is not a text file; export it again")
    return text


def _decoded(raw: bytes) -> str:
    """Text in UTF-8, or in UTF-16 where it begins with that one's mark. Raises UnicodeDecodeError."""
    return raw.decode("utf-16" if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig")


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


def is_private(folder: Path) -> bool:
    """Whether this is a folder, no link, of this user, and can be written by this user alone."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    if not stat.S_ISDIR(found.st_mode) or not os.access(folder, os.W_OK):
        return False
    return not hasattr(os, "getuid") or (found.st_uid == os.getuid() and not found.st_mode & 0o022)


def cannot_be_swapped(folder: Path) -> bool:
    """Whether no other user can rename `folder` or one above it after it has been looked at, nor put another there.

    Only who may write to a folder can rename what is in it; with the sticky bit only the owner of either.
    """
    if not hasattr(os, "getuid"):
        return True
    trusted = (0, os.getuid(), Path("/").stat().st_uid)  # in a container the root folder may be of no known user
    try:
        above = [parent.lstat() for parent in folder.resolve().parents]
    except OSError:
        return False
    return all(one.st_uid in trusted and (not one.st_mode & 0o022 or one.st_mode & stat.S_ISVTX) for one in above)


_UNFINISHED = re.compile(r"\..*\.posable-[0-9a-f]{12}(\.\w+)?", re.DOTALL)
"""The name of a file that is being written. No other file is ever swept."""

_swept: set[Path] = set()


@contextmanager
def atomic_path(path: str | Path, *, overwrite: bool = True) -> Iterator[Path]:
    """A temporary path beside `path`: it replaces `path` if the block succeeds, and is deleted otherwise.

    A symbolic link stays one: what it leads to is written. A file that is replaced keeps its mode. What dead processes
    left unfinished in the folder is deleted.
    Raises FileError if the folder is missing or not writable, if `path` exists and `overwrite` is False, or if it is a
    pipe or a device.
    """
    path, beside, held = Path(path), None, None
    try:  # from before the file is there, since a signal may come between any two lines
        try:
            target = _target(path, overwrite)
            sweep(target.parent.resolve())
            before = target.stat() if target.exists() else None
            beside = target.with_name(f".{target.stem[:40]}.posable-{secrets.token_hex(6)}{target.suffix}")
            held = _claimed(beside, 0o666 if before is None else 0o600)
        except FileError:
            raise
        except (OSError, RuntimeError) as problem:
            reason = getattr(problem, "strerror", None) or problem
            raise FileError(path, f"cannot be written ({reason}); check that the folder exists") from problem
        except ValueError as problem:
            raise FileError(path, f"is not a valid file name ({problem})") from problem
        try:
            yield beside
            _put(beside, target, before)
        except OSError as problem:
            raise FileError(path, f"cannot be written ({problem.strerror or problem})") from problem
    finally:
        if beside is not None:
            with contextlib.suppress(OSError, ValueError):  # where it could not be made
                beside.unlink(missing_ok=True)
        if held is not None:
            os.close(held)


def _put(beside: Path, target: Path, before: os.stat_result | None) -> None:
    """Put the finished file in place of its target, with the owner and mode that the target had. Raises OSError."""
    if before is not None:
        with contextlib.suppress(PermissionError, AttributeError):  # Windows knows no owners
            os.chown(beside, before.st_uid, before.st_gid)
        beside.chmod(before.st_mode & 0o777)
    beside.replace(target)


def _target(path: Path, overwrite: bool) -> Path:
    """The file to be written, links followed. Raises FileError where none may be."""
    target = path.resolve() if path.is_symlink() else path
    if target.is_symlink():
        raise FileError(path, "is a symbolic link that leads to itself; delete it")
    if target.exists() and not overwrite:
        raise FileError(path, "already exists; choose another name, or allow overwriting (--force, overwrite=True)")
    if target.is_dir():
        raise FileError(path, "is a folder; give a file name")
    if target.exists() and not target.is_file():
        raise FileError(path, "is a pipe or a device; give the name of a file")
    return target


def _claimed(beside: Path, mode: int) -> int | None:
    """Make the file and hold a lock on it, which ends with this process; None where this system has no locks."""
    beside.touch(mode, exist_ok=False)
    held = locked(beside)
    if held is not None and not beside.exists():  # swept by another process between the two
        os.close(held)
        return _claimed(beside, mode)
    return held


def locked(file: Path) -> int | None:
    """A lock on a file or folder, held until it is closed; None where another process holds one, or where none are."""
    try:
        fcntl: Any = importlib.import_module("fcntl")  # which Windows has not
        held = os.open(file, (os.O_RDONLY if file.is_dir() else os.O_RDWR) | os.O_NOFOLLOW | os.O_NONBLOCK)
    except (ImportError, OSError):
        return None
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(held)
        return None
    return held


def sweep(folder: Path, *, again: bool = False) -> None:
    """Delete what dead processes left unfinished in `folder`, looked for once unless `again`."""
    if folder in _swept and not again:
        return
    _swept.add(folder)
    with contextlib.suppress(OSError):
        names = [entry.name for entry in os.scandir(folder) if _UNFINISHED.fullmatch(entry.name)]
        for stale in (folder / name for name in names):
            held = locked(stale)
            if held is not None:
                with contextlib.suppress(OSError):
                    stale.unlink()
                os.close(held)


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


def generator() -> str:
    """What a file says of the program that wrote it: posable and its version.

    The package stands above this layer and is loaded wherever this one is. Its installed metadata would not do: where
    the kernels of a wheel are compiled, nothing is installed.
    """
    return f"posable {sys.modules['posable'].__version__}"


def free_name(wanted: str, taken: Container[object], between: str = "_") -> str:
    """`wanted` if it is free, else `wanted`, `between` and the first free number from 2."""
    name, count = wanted, 2
    while name in taken:
        name, count = f"{wanted}{between}{count}", count + 1
    return name

"""Where inputs and outputs are: folders, archives and object stores, through fsspec."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import importlib.util
import os
import posixpath
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from posable.errors import FileError, MissingExtraError, PosableError
from posable.files import MAX_FILE_BYTES, check_count, locked
from posable.formats.table import FORMATS

_STAMPS = (
    "size",
    "mtime",
    "ETag",
    "etag",
    "LastModified",
    "updated",
    "md5Hash",
    "crc32c",
    "CRC",
    "date_time",
    "created",
)
"""Fields of file systems that change with a file."""
_WILD = "*?["


def optional(name: str) -> Any:
    """A package of the extra `batch`. Raises MissingExtraError."""
    try:
        return importlib.import_module(name)
    except ImportError as problem:
        raise MissingExtraError("batch", "a batch") from problem


@dataclass(frozen=True)
class Found:
    """An input. url: for opening it. name: its path below the folder that all inputs share. stamp: changes with the
    file.
    """

    url: str
    name: str
    stamp: str


def find_inputs(patterns: Sequence[str], outputs: Place, endings: Sequence[str]) -> list[Found]:
    """All files that the patterns match, in the order of their names; of a folder those that end in `endings`.

    Files in the folder of the outputs are left out. Raises PosableError for a pattern that matches nothing.
    """
    listings = [_listing(pattern, endings) for pattern in patterns]
    spaces = {one.space for one in listings}
    shared = os.path.commonpath([one.root for one in listings]) if len(spaces) == 1 and listings[0].root else None
    found: dict[str, Found] = {}
    below = opened(outputs.url)[1].rstrip("/") + "/"
    for pattern, listing in zip(patterns, listings, strict=True):
        own = listing.files
        if listing.space == outputs.space:
            own = {url: found for url, found in own.items() if not found[0].startswith(below)}
        if not own:
            raise PosableError(
                f"{pattern!r} matches only files in the folder of the outputs, {outputs.url}, which are left out; "
                "name another folder for the outputs"
                if listing.files
                else _nothing(pattern, listing, endings)
            )
        root = listing.root if shared is None else shared
        for url, (name, stamp) in own.items():
            found.setdefault(url, Found(url, name.removeprefix(root).lstrip("/"), stamp))
    return [found[url] for url in sorted(found)]


class _Listing(NamedTuple):
    """The matches of a pattern. space: the file system whose names can be compared. root: the folder before the first
    wildcard. files: URL → name in the space, stamp.
    """

    space: str
    root: str
    there: bool
    files: dict[str, tuple[str, str]]


def _listing(pattern: str, endings: Sequence[str]) -> _Listing:
    fs, path = opened(pattern)
    fs.invalidate_cache()  # files may be new since the last batch of this process
    chain = "".join(pattern.partition("::")[1:])
    space = fs.unstrip_protocol("") + chain
    root = path.rpartition("/")[0]
    try:
        if any(sign in path for sign in _WILD) and not fs.exists(path):  # "walk [1].bvh" is a name first
            while any(sign in root for sign in _WILD) and not fs.exists(root):
                root = root.rpartition("/")[0]
            told = fs.glob(_escaped(root) + path[len(root) :], detail=True)
        elif fs.isdir(path):
            root = path.rstrip("/")
            told = {name: one for name, one in fs.find(path, detail=True).items() if _ending(name) in endings}
        else:
            told = {path: fs.info(path)} if fs.exists(path) else {}
        there = bool(told) or not root or fs.exists(root)
    except (OSError, ValueError) as problem:
        raise PosableError(f"{pattern!r} cannot be listed: {problem}") from problem
    files = {name: one for name, one in told.items() if one.get("type", "file") == "file"}
    local = is_local(fs)
    named = {(name if local else fs.unstrip_protocol(name) + chain): (name, _stamp(one)) for name, one in files.items()}
    return _Listing(space, root, there, named)


def _escaped(root: str) -> str:
    """The name of a folder as a pattern that matches nothing else."""
    return re.sub(r"[*?\[]", r"[\g<0>]", root)


def _stamp(told: dict[str, Any]) -> str:
    known = [(key, str(told[key])) for key in _STAMPS if key in told]
    return hashlib.sha256(repr(known).encode()).hexdigest()[:32]


def _ending(name: str) -> str:
    return PurePosixPath(name).suffix.lower()


def _nothing(pattern: str, listing: _Listing, endings: Sequence[str]) -> str:
    if not listing.there:
        return f"{pattern!r} matches no file: the folder {listing.root} does not exist"
    if any(sign in pattern for sign in _WILD):
        return f"{pattern!r} matches no file; put it in quotation marks, so that the shell leaves ** to posable"
    if opened(pattern)[0].exists(opened(pattern)[1]):
        return f"{pattern!r} contains no file that ends in {', '.join(endings)}, except for outputs"
    return f"no such file or folder: {pattern!r}; check the name"


def opened(url: str) -> tuple[Any, str]:
    """The file system and the path on it. Raises PosableError."""
    first, chained, chain = url.partition("::")
    try:
        if chained:
            protocol, _, path = first.partition("://")
            return _archive(protocol, chain), path
        fs, path = optional("fsspec.core").url_to_fs(url)
        return fs, posixpath.normpath(path) if is_local(fs) else path  # without ".." names can be compared
    except MissingExtraError:
        raise
    except (OSError, ValueError, ImportError) as problem:
        raise PosableError(f"{url!r} cannot be opened: {problem}") from problem


@functools.lru_cache(maxsize=4)
def _archive(protocol: str, chain: str) -> Any:
    """The file system of an archive, whose table of contents is read once."""
    return optional("fsspec.core").url_to_fs(f"{protocol}://::{chain}")[0]


def is_local(fs: Any) -> bool:
    """Whether the file system is this machine's own."""
    return "file" in ((fs.protocol,) if isinstance(fs.protocol, str) else fs.protocol)


@contextlib.contextmanager
def fetched(url: str, scratch: str | None = None) -> Iterator[Path]:
    """The input as a file of this machine: itself, or a copy in a private folder. Raises FileError."""
    fs, path = opened(url)
    if is_local(fs):
        yield Path(path)
        return
    if _ending(path) in {ending for one in FORMATS for ending in one.names_others}:
        raise FileError(path, "names files beside it, which are not fetched; copy the folder to this machine")
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        copy = Path(folder) / PurePosixPath(path).name
        try:
            check_count(path, fs.size(path) or 0, MAX_FILE_BYTES, "bytes")
            fs.get_file(path, str(copy))
        except OSError as problem:
            raise FileError(path, f"cannot be fetched ({problem})") from problem
        yield copy


def digest(path: Path) -> str:
    """SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# Outputs.


@dataclass(frozen=True)
class Place:
    """The folder of the outputs: on this machine, or in an object store. url: its name.

    Names in it are paths below it, with "/" between folders.
    """

    url: str

    def __post_init__(self) -> None:
        if "::" in self.url or self.url.startswith(("zip:", "tar:")):
            raise PosableError(f"{self.url!r}: an archive cannot be written by several workers; give a folder")

    @property
    def local(self) -> Path | None:
        """The folder, if it is on this machine."""
        fs, path = opened(self.url)
        return Path(path) if is_local(fs) else None

    @property
    def space(self) -> str:
        """The file system whose names can be compared with its own."""
        return opened(self.url)[0].unstrip_protocol("")

    def names(self) -> set[str]:
        """All files in it."""
        fs, root = opened(self.url)
        fs.invalidate_cache()
        with contextlib.suppress(FileNotFoundError):
            return {name.removeprefix(root).lstrip("/") for name in fs.find(root)}
        return set()

    def check(self) -> None:
        """Raise PosableError if the folder cannot be written; a local folder is created."""
        if self.local is None:
            return
        try:
            self.local.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise FileError(
                self.local, f"cannot be created as a folder ({problem.strerror}); choose another one"
            ) from problem
        if not os.access(self.local, os.W_OK):
            raise FileError(self.local, "cannot be written: no permission for the folder; choose another one")

    @contextlib.contextmanager
    def to_write(self, name: str, may_replace: Callable[[str], bool], scratch: str | None = None) -> Iterator[Path]:
        """A path for writing a file, which becomes the output as a whole when the block ends.

        may_replace: whether an existing file with this SHA-256 may be replaced. Raises FileError.
        """
        fs, root = opened(self.url)
        local, path = self.local, f"{root.rstrip('/')}/{name}"
        with contextlib.ExitStack() as held:
            if fs.exists(path):
                there = Path(path) if local else held.enter_context(fetched_output(fs, path, scratch))
                if not may_replace(digest(there)):
                    raise FileError(name, "already exists and is not from this batch; --force overwrites it")
            if local:
                Path(path).parent.mkdir(parents=True, exist_ok=True)
                yield Path(path)
                return
            folder = held.enter_context(tempfile.TemporaryDirectory(dir=scratch))
            made = Path(folder) / PurePosixPath(name).name
            yield made
            try:
                fs.put_file(str(made), path)
            except OSError as problem:
                raise FileError(name, f"cannot be written ({problem})") from problem

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the folder, since two batches at once would overwrite each other's manifest. Object stores have no
        locks.
        """
        held = None if self.local is None else locked(self.local)
        if self.local is not None and held is None and importlib.util.find_spec("fcntl"):
            raise PosableError(f"another batch is writing to {self.url}; wait until it ends, or choose another folder")
        try:
            yield
        finally:
            if held is not None:
                os.close(held)


@contextlib.contextmanager
def fetched_output(fs: Any, path: str, scratch: str | None) -> Iterator[Path]:
    """A copy of an output."""
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        copy = Path(folder) / "there"
        fs.get_file(path, str(copy))
        yield copy


def safe(name: str) -> bool:
    """Whether an input's name can be the name of an output, that is, does not lead out of the folder."""
    parts = name.split("/")
    return all(part not in ("", ".", "..") and "\0" not in part and "\\" not in part for part in parts)

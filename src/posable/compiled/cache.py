"""Where compiled kernels are kept, and for which Numba: in folders whose names hash all sources of a kernel.

Numba's own cache does not notice an edit in another file's callee. Cached code is executed when it is loaded, so the
folders must belong to this user alone; where no such folder can be made, nothing is cached.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
import uuid
from functools import cache
from pathlib import Path
from time import perf_counter

import numba

from posable.files import cannot_be_swapped, is_private

KNOWN_NUMBA = ("0.61", "0.62", "0.63", "0.64", "0.65", "0.66", "0.67", "0.68")
"""The versions of Numba whose undocumented parts are those that `numba_internals` imports."""

PLAIN_KERNELS = bool(os.environ.get("POSABLE_PLAIN_KERNELS")) or not numba.__version__.startswith(
    tuple(f"{version}." for version in KNOWN_NUMBA)
)


SHIPPED = Path(__file__).with_name("shipped")
"""Folders of kernels that a wheel contains, by `folder_name`; a clone has none."""

PART_ENDING = ".bc"
"""The ending of files of inner kernels, which are not needed where every kernel that Python calls is cached."""

_OWN_FOLDER = "posable-kernels"
_OWN_NAME = re.compile(r"\w+-[0-9a-f]{16}")  # what `folder_name` gives: nothing else is ever pruned
_KEPT_FOLDERS = 300  # four versions of every file that has kernels; fewer than one would delete kernels in use
_PACKAGE = Path(__file__).parents[1]
_DEFINITION = re.compile(rb"^(def|class) ", re.MULTILINE)
_IMPORT = re.compile(rb"^from posable\.([\w.]+) import (\([^)]*\)|[^\n]*)", re.MULTILINE)
_CONSTANT = re.compile(rb"\b[A-Z][A-Z0-9_]*\b(?![a-z])")


def read_shipped(source: Path, name: str) -> bytes | None:
    """The shipped file `name` for the present content of `source`, or None."""
    with contextlib.suppress(OSError):
        return (SHIPPED / folder_name(source) / name).read_bytes()
    return None


def read_kept(source: Path, name: str) -> bytes | None:
    """The file `name` that `keep` has written for the present content of `source`, or None."""
    folder = cache_folder(source)
    with contextlib.suppress(OSError):
        return (folder / name).read_bytes() if folder is not None else None
    return None


def keep(source: Path, name: str, content: bytes) -> None:
    """Write `content` for later runs, atomically; an error gives one line of warning."""
    announce_compiled()
    folder = cache_folder(source)
    if folder is None:
        return _warn("no folder of this user's own can be written")
    unfinished = folder / f"{name}.{uuid.uuid4().hex}"
    try:
        unfinished.write_bytes(content)
        unfinished.replace(folder / name)
    except OSError as error:
        with contextlib.suppress(OSError):
            unfinished.unlink()
        _warn(error.strerror or str(error))
    return None


@cache
def _warn(problem: str) -> None:
    _say(f"posable: compiled kernels are not cached: {problem} (see POSABLE_CACHE)")


def _say(line: str) -> None:
    """Print a line on the error stream, which may be closed or on a full disk."""
    with contextlib.suppress(OSError, ValueError):
        print(line, file=sys.stderr or sys.__stderr__, flush=True)


def is_compiled(source: Path) -> bool:
    """Whether kernels of file `source`, as it is now, came with posable or are in the cache."""
    folders = SHIPPED / folder_name(source), cache_folder(source)
    return any(folder is not None and folder.is_dir() and any(folder.iterdir()) for folder in folders)


@cache
def announce_compilation() -> None:
    """Say on the error stream, once a process, that kernels are being compiled; not where POSABLE_QUIET is set."""
    _progress.begin()
    if not os.environ.get("POSABLE_QUIET"):
        _say(
            "posable: compiling what this kind of call needs, and keeping it for the next time (about a minute of "
            "processor time for the first, less for each new kind) ..."
        )


def announce_compiled() -> None:
    """Say every ten seconds how many kernels are compiled by now, once `announce_compilation` has spoken."""
    if (told := _progress.one_more()) and not os.environ.get("POSABLE_QUIET"):
        _say(f"posable: still compiling: {told}")


class _Progress:
    """How far the compilation in this process is."""

    def __init__(self) -> None:
        self._count, self._began, self._told = 0, 0.0, 0.0

    def begin(self) -> None:
        self._began = self._told = perf_counter()

    def one_more(self) -> str:
        """Another kernel is compiled; words where it is time to say so."""
        self._count += 1
        now = perf_counter()
        if not self._began or now - self._told < SILENCE:
            return ""
        self._told = now
        return f"{self._count} kernels in {now - self._began:.0f} s"


_progress = _Progress()
SILENCE = 10.0
"""Seconds between two words about compilation."""


@cache
def cache_folder(source: Path) -> Path | None:
    """The folder of the compiled kernels of file `source`; None where no folder can be trusted and written.

    It lies in posable's own folder under POSABLE_CACHE or the user's cache folder; where other users may write to that
    or replace it, in a private temporary folder.
    """
    own = _own_folder()
    if own is None:
        return None
    folder = own / folder_name(source)
    try:
        if not folder.exists():
            folder.mkdir(mode=0o700, exist_ok=True)
            _forget_older(own)
    except OSError:
        return None
    return folder if is_private(folder) else None


@cache
def _own_folder() -> Path | None:
    for find, kept_by_others in ((_in_cache, False), (_in_temporary, True)):
        with contextlib.suppress(OSError, RuntimeError):  # no home, a link to itself, no folder for temporary files
            folder = find()
            folder.parent.mkdir(parents=True, mode=0o700, exist_ok=True)
            folder.mkdir(mode=0o700, exist_ok=True)
            if (kept_by_others or is_private(folder.parent)) and is_private(folder) and cannot_be_swapped(folder):
                return folder
    with contextlib.suppress(OSError):
        folder, process = Path(tempfile.mkdtemp(prefix="posable-")), os.getpid()
        atexit.register(lambda: os.getpid() == process and shutil.rmtree(folder, ignore_errors=True))
        return folder if cannot_be_swapped(folder) else None  # for this process alone
    return None


def _in_cache() -> Path:
    return _cache_base().resolve() / _OWN_FOLDER


def _in_temporary() -> Path:
    user = os.getuid() if hasattr(os, "getuid") else 0
    return Path(tempfile.gettempdir()).resolve() / f"{_OWN_FOLDER}-{user}"


def _cache_base() -> Path:
    chosen = os.environ.get("POSABLE_CACHE")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()) / "posable"


def _forget_older(own: Path) -> None:
    dated = []
    for folder in own.iterdir():
        with contextlib.suppress(OSError):  # another process may forget at the same time
            if _OWN_NAME.fullmatch(folder.name) and stat.S_ISDIR((found := folder.lstat()).st_mode):
                dated.append((found.st_mtime, folder))
    for _, folder in sorted(dated, reverse=True)[_KEPT_FOLDERS:]:
        shutil.rmtree(folder, ignore_errors=True)


@cache
def folder_name(source: Path) -> str:
    """The name of the folder of file `source`: a hash of what its kernels depend on, Numba and Python among it."""
    facts = f"{numba.__version__} {sys.implementation.cache_tag} {PLAIN_KERNELS}"
    key = hashlib.blake2b(facts.encode(), digest_size=8)
    for file in [*sorted(kernel_sources(source)), Path(__file__).with_name("plain.py")]:
        key.update(file.read_bytes())
    return f"{source.stem}-{key.hexdigest()}"


@cache
def kernel_sources(source: Path) -> frozenset[Path]:
    """`source` and those of its imports that kernels can depend on: files of this package, with kernels, with records
    that kernels take, of constants alone, or of which a file with kernels imports a constant.

    Other imports, such as errors and the classes of goals, may change without making a kernel stale.
    """
    files = _with_imports(source)
    kernels = {file for file in files if file == source or _has_kernels(file)}
    constant = {taken for file in kernels for taken, names in _imports(file) if _CONSTANT.search(names)}
    return frozenset(file for file in files if file in kernels | constant or _matters(file))


@cache
def _has_kernels(file: Path) -> bool:
    return b"posable.compiled.decorators import" in file.read_bytes()


@cache
def _matters(file: Path) -> bool:
    text = file.read_bytes()
    return file.parent.name in {"compiled", "spatial"} or b"NamedTuple" in text or not _DEFINITION.search(text)


@cache
def _with_imports(source: Path) -> frozenset[Path]:
    """`source` and the posable files that it imports, directly or indirectly."""
    found, waiting = set(), [source]
    while waiting:
        file = waiting.pop()
        found.add(file)
        waiting += [imported for imported, _ in _imports(file) if imported not in found]
    return frozenset(found)


@cache  # some three hundred files are asked for by sixty kernels' files each time that posable starts
def _imports(file: Path) -> list[tuple[Path, bytes]]:
    """(posable file, the names taken from it) for every import in `file`."""
    found = []
    for match in _IMPORT.finditer(file.read_bytes()):
        module = _PACKAGE / match[1].decode().replace(".", "/")
        imported = module.with_suffix(".py") if module.with_suffix(".py").exists() else module / "__init__.py"
        if imported.exists():
            found.append((imported, match[2]))
    return found

"""The one way posable compiles a kernel: Numba, cached on disk under a key made of the kernel's sources.

Numba's own cache does not notice an edit in another file's callee, so the cache folder of a kernel carries a hash of
its file and of every posable file that this one imports, directly or through others, and that kernels can depend on.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba import types
from numba.core import config as _config
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.extending import overload as _overload

from posable.compiled.numba_internals import KernelCompiler, PartCompiler, PartInCache

config: Any = _config
unliteral: Any = types.unliteral
overload: Any = _overload
F = TypeVar("F", bound=Callable[..., Any])

# Never the flags that assume NaN away: a bad target must be seen.
_FASTMATH = {"contract", "arcp", "nsz", "reassoc"}
_KEPT_FOLDERS = 300  # four versions of every file that has kernels: fewer than one would throw out what is in use
_PACKAGE = Path(__file__).parents[1]
_DEFINITION = re.compile(rb"^(def|class) ", re.MULTILINE)
_IMPORT = re.compile(rb"^from posable\.([\w.]+) import (\([^)]*\)|[^\n]*)", re.MULTILINE)
_CONSTANT = re.compile(rb"\b[A-Z][A-Z0-9_]*\b(?![a-z])")


def kernel(function: F) -> F:
    """Compile `function` with Numba at its first call (no Python objects, no GIL, NaN kept) and cache it on disk."""
    return _compiled(function, _Cache, pipeline_class=KernelCompiler)


def lean_kernel(function: F) -> F:
    """A kernel that makes no arrays: those that it is given are not counted, so that a call from Python costs less."""
    return _compiled(function, _Cache, pipeline_class=KernelCompiler, _nrt=False)


def as_python(function: F) -> F:
    """The plain function behind a kernel, to be run by Python; itself where Numba is switched off."""
    return cast(F, getattr(function, "py_func", function))


def inner_kernel(function: F) -> F:
    """A kernel that only other kernels call: it has no entry from Python, which saves a fifth of the compilation.

    It becomes part of its callers, and arrays that pass through it are not counted: it may neither make arrays nor
    return any.
    """
    return _part(function, forceinline=True, _nrt=False)


def shared_kernel(function: F) -> F:
    """A large inner kernel that is called from several places and compiled for all of them once."""
    return _part(function, _nrt=False)


def maker_kernel(function: F) -> F:
    """An inner kernel that makes arrays."""
    return _part(function)


def inlined_kernel(function: F) -> F:
    """A part of one larger kernel, called from one place: its code goes into the caller and is compiled only once."""
    return _part(function, inline="always")


def _part(function: F, **options: Any) -> F:
    wrappers = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    part: Any = _compiled(function, _PartCache, pipeline_class=PartCompiler, **wrappers, **options)
    plain = part.get_call_template

    def for_types(args: Any, kws: Any) -> Any:
        """Numba would compile a part anew for each constant it is called with, as if that were a type of its own."""
        return plain([unliteral(a) for a in args], {name: unliteral(a) for name, a in kws.items()})

    part.get_call_template = for_types
    return cast(F, part)


def _compiled(function: F, cache: type[FunctionCache], **options: Any) -> F:
    before = config.CACHE_DIR
    folder = cache_folder(Path(function.__code__.co_filename))
    config.CACHE_DIR = str(folder)  # read by Numba at decoration, then put back
    try:
        dispatcher: Any = numba.njit(nogil=True, error_model="numpy", fastmath=_FASTMATH, **options)(function)
        dispatcher._cache = cache(function)  # what njit(cache=True) does, with Numba's own cache
        return cast(F, dispatcher)
    finally:
        config.CACHE_DIR = before


class _PartCache(FunctionCache):
    """Numba's cache of a kernel that only other kernels call. Where what it kept cannot be read, it is compiled anew: a
    damaged file, or one that speaks of a type that a newer posable calls otherwise.
    """

    _impl_class = PartInCache

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:
            self.flush()
            return None


class _Cache(_PartCache):
    """The same for a kernel that Python calls: that it is compiled is announced."""

    _impl_class = CompileResultCacheImpl

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        kept = super().load_overload(sig, target_context)
        if kept is None:
            announce_compilation()
        return kept


def is_compiled(source: str) -> bool:
    """Whether kernels of file `source`, as it is now, are in the cache."""
    return any(cache_folder(Path(source)).rglob("*.nbi"))


@cache
def announce_compilation() -> None:
    """Say on the error stream, once a process, that kernels are being compiled; not where POSABLE_QUIET is set."""
    if os.environ.get("POSABLE_QUIET"):
        return
    print(
        "posable: compiling its kernels, once for this machine (some twenty seconds; again for rarer goals) ...",
        file=sys.stderr,
        flush=True,
    )


@cache
def cache_folder(source: Path) -> Path:
    """Where the compiled kernels of file `source` are kept.

    Under POSABLE_CACHE, the user's cache folder, or a temporary folder of this user's alone.
    """
    key = hashlib.blake2b(numba.__version__.encode(), digest_size=8)
    for file in sorted(_kernel_sources(source)):
        key.update(file.read_bytes())
    name = f"{source.stem}-{key.hexdigest()}"
    for base in (_cache_base(), Path(tempfile.gettempdir()) / f"posable-{os.getuid() if hasattr(os, 'getuid') else 0}"):
        folder = _made(base / name)
        if folder is not None:
            return folder
    return Path(tempfile.mkdtemp(prefix="posable-")) / name


def _made(folder: Path) -> Path | None:
    """The cache folder, made if need be; None where it cannot be written or is another user's (its files are run)."""
    try:
        if not folder.exists():
            folder.mkdir(parents=True, mode=0o700)
            _forget_older(folder.parent)
        strange = hasattr(os, "getuid") and folder.stat().st_uid != os.getuid()
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) and not strange else None


def _cache_base() -> Path:
    chosen = os.environ.get("POSABLE_CACHE")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()) / "posable"


@cache
def _kernel_sources(source: Path) -> frozenset[Path]:
    """`source` and what of its imports kernels can depend on: files of this package, with kernels, with records that
    kernels are handed, of constants alone, or of which a file with kernels takes a constant.

    What else is imported on the way, errors, goals' classes and the like, may change without a kernel being stale.
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
    """`source` and the posable files that it imports, all the way down."""
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


def _forget_older(base: Path) -> None:
    folders = sorted((f for f in base.iterdir() if f.is_dir()), key=lambda f: f.stat().st_mtime, reverse=True)
    for folder in folders[_KEPT_FOLDERS:]:
        shutil.rmtree(folder, ignore_errors=True)

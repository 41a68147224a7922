"""The one way posable compiles a kernel: Numba, cached on disk under a key made of every kernel's source.

Numba's own cache does not notice an edit in another file's callee, so the cache folder carries a hash of all kernel files.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import config

# Never the flags that assume NaN away: a bad target must be seen.
_FASTMATH = {"contract", "arcp", "nsz", "reassoc"}
_KEPT_CACHES = 3

F = TypeVar("F", bound=Callable[..., Any])


@cache
def cache_folder() -> Path:
    """Where compiled kernels of this very source are kept: POSABLE_CACHE, or the user's cache folder, or a temporary one."""
    key = hashlib.blake2b(numba.__version__.encode(), digest_size=8)
    package = Path(__file__).parents[1]
    for source in sorted(package.rglob("*.py")):
        content = source.read_bytes()
        if b"@kernel" in content:
            key.update(content)
    base = Path(os.environ.get("POSABLE_CACHE") or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "posable")
    folder = base / key.hexdigest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _forget_older(base)
    except OSError:
        folder = Path(tempfile.gettempdir()) / f"posable-{os.getuid() if hasattr(os, 'getuid') else 0}" / key.hexdigest()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def _forget_older(base: Path) -> None:
    folders = sorted((f for f in base.iterdir() if f.is_dir()), key=lambda f: f.stat().st_mtime, reverse=True)
    for folder in folders[_KEPT_CACHES:]:
        shutil.rmtree(folder, ignore_errors=True)


def kernel(function: F) -> F:
    """Compile `function` with Numba at its first call (no Python objects, no GIL, IEEE NaN kept) and cache it on disk."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(cache_folder())  # read by Numba at decoration; put back so that the user's own functions are untouched
    try:
        return numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=_FASTMATH)(function)
    finally:
        config.CACHE_DIR = before


@cache
def announce_compilation() -> None:
    """Say once, on the error stream, that kernels are about to be compiled, if this source has none cached yet."""
    if not any(cache_folder().rglob("*.nbi")) and not os.environ.get("POSABLE_QUIET"):
        print("posable: compiling its kernels, once for this machine (about ten seconds) ...", file=sys.stderr, flush=True)

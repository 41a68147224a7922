"""The ways in which posable compiles a function: by Numba, cached on disk under a key made of the kernel's sources."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba.extending import overload as _overload

from posable.compiled.numba_internals import compile_entry, compile_part

overload: Any = _overload
F = TypeVar("F", bound=Callable[..., Any])

# Never the flags that assume NaN away: a bad target must be seen. `forceinline` is always stated: Numba lets a kernel
# inherit what is not stated from the caller that it happens to be compiled for first.
_ALWAYS = {
    "forceinline": False,
    "nogil": True,
    "error_model": "numpy",
    "fastmath": {"contract", "arcp", "nsz", "reassoc"},
}


def kernel(function: F) -> F:
    """Compile `function` with Numba at its first call (no Python objects, no GIL, NaN kept) and cache it on disk."""
    return compile_entry(function, **_ALWAYS)


def lean_kernel(function: F) -> F:
    """A kernel that makes no arrays: those that it is given are not counted, so that a call from Python costs less."""
    return compile_entry(function, **_ALWAYS, _nrt=False)


def as_python(function: F) -> F:
    """The plain function behind a kernel, to be run by Python; itself where Numba is switched off."""
    return cast(F, getattr(function, "py_func", function))


def inner_kernel(function: F) -> F:
    """A kernel that only other kernels call: it has no entry from Python, which saves a fifth of the compilation.

    It becomes part of its callers, and arrays that pass through it are not counted: it may neither make arrays nor
    return any. Called from Python it raises TypeError.
    """
    return compile_part(function, **(_ALWAYS | {"forceinline": True}), _nrt=False)


def steady_kernel(function: F) -> F:
    """An inner kernel that rounds alike on every machine: no product is fused with a sum, and no sum reordered."""
    return compile_part(function, **(_ALWAYS | {"forceinline": True, "fastmath": False}), _nrt=False)


def shared_kernel(function: F) -> F:
    """A large inner kernel that is called from several places and compiled for all of them once."""
    return compile_part(function, **_ALWAYS, _nrt=False)


def maker_kernel(function: F) -> F:
    """An inner kernel that makes arrays."""
    return compile_part(function, **_ALWAYS)


def inlined_kernel(function: F) -> F:
    """A part of one larger kernel, called from one place: its code goes into the caller and is compiled only once."""
    return compile_part(function, **_ALWAYS, inline="always")

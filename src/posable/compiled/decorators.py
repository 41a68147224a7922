"""The decorators that compile a function with Numba and cache it on disk under a hash of the kernel's sources."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba.extending import overload as _overload

from posable.compiled.numba_internals import compile_entry, compile_part

overload: Any = _overload
F = TypeVar("F", bound=Callable[..., Any])

# Never the flags that assume that no value is NaN: a bad target must be detected. `forceinline` is always stated: a
# kernel inherits the options that it does not state from the caller that Numba happens to compile it for first.
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
    """A kernel that makes no arrays: its arguments are not reference-counted, so that a call from Python costs less."""
    return compile_entry(function, **_ALWAYS, _nrt=False)


def as_python(function: F) -> F:
    """The plain function behind a kernel, to be run by Python; itself where Numba is switched off."""
    return cast(F, getattr(function, "py_func", function))


def inner_kernel(function: F) -> F:
    """A kernel that only other kernels call: it has no entry from Python, which saves a fifth of the compilation.

    It becomes part of its callers, and arrays that pass through it are not reference-counted: it may neither make nor
    return arrays. Called from Python it raises TypeError.
    """
    return compile_part(function, **(_ALWAYS | {"forceinline": True}), _nrt=False)


def steady_kernel(function: F) -> F:
    """An inner kernel that rounds alike on every machine: no product is fused with a sum, and no sum reordered."""
    return compile_part(function, **(_ALWAYS | {"forceinline": True, "fastmath": False}), _nrt=False)


def shared_kernel(function: F) -> F:
    """A large inner kernel with several callers, compiled once for all of them."""
    return compile_part(function, **_ALWAYS, _nrt=False)


def maker_kernel(function: F) -> F:
    """An inner kernel that makes arrays."""
    return compile_part(function, **_ALWAYS)


def inlined_kernel(function: F) -> F:
    """A part of one larger kernel, its only caller: its code is inlined there and compiled only once."""
    return compile_part(function, **_ALWAYS, inline="always")

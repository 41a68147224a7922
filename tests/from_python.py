"""Inner kernels have no entry from Python; this gives them one, for tests."""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any

import numba


@cache
def callable_kernel(inner: Any) -> Any:
    """A compiled function that passes its arguments on to `inner`."""
    return numba.njit(lambda *arguments: inner(*arguments))


class CallableKernels:
    """The kernels of a module, each with an entry from Python."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return callable_kernel(getattr(self._module, name))

"""What an inner kernel is to Python until a kernel that it is part of is compiled."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, update_wrapper
from typing import Any


class KernelPart:
    """A function that only kernels call: Python cannot.

    Numba's dispatcher takes a fifth of a millisecond to make and is needed only to compile; most kernels come from the
    cache, so it is made when Numba asks for it. That is a tenth of the time of `import posable.solvers`.
    """

    def __init__(self, function: Callable[..., Any], make: Callable[[], Any]) -> None:
        update_wrapper(self, function)
        self.py_func, self._make = function, make

    @cached_property
    def dispatcher(self) -> Any:
        """Numba's own object for the function."""
        return self._make()

    @property
    def _numba_type_(self) -> Any:
        """The attribute by which Numba takes this for the dispatcher."""
        return self.dispatcher._numba_type_

    def __getattr__(self, name: str) -> Any:
        return getattr(self.dispatcher, name)

    def __call__(self, *_: Any, **__: Any) -> Any:
        name = self.py_func.__name__
        raise TypeError(f"{name} is an inner kernel, which only kernels can call; Python can call {name}.py_func")

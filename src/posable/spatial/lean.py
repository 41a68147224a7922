"""Kernels for calls so short that handing over their arrays counts."""

from __future__ import annotations

from typing import cast

from posable.spatial.compile import F, _Cache, _compiled
from posable.spatial.pipeline import KernelCompiler


def lean_kernel(function: F) -> F:
    """A kernel that makes no arrays: those that it is given are not counted, so that a call from Python costs less."""
    return _compiled(function, _Cache, pipeline_class=KernelCompiler, _nrt=False)


def as_python(function: F) -> F:
    """The plain function behind a kernel, to be run by Python; itself where Numba is switched off."""
    return cast(F, getattr(function, "py_func", function))

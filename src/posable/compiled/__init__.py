"""How kernels are compiled, kept and run: the one layer that knows Numba and the processor's registers.

`docs/internals/kernels.md` explains it on one page. With a Numba that `numba_internals` is not known to work with, and
where the environment sets POSABLE_PLAIN_KERNELS, one module stands in for all that is built on it: `plain`.
"""

from __future__ import annotations

import os
import sys

import numba

__all__ = ["KNOWN_NUMBA", "PLAIN_KERNELS"]

KNOWN_NUMBA = ("0.68",)
"""The versions of Numba whose undocumented parts are those that `numba_internals` imports."""

PLAIN_KERNELS = bool(os.environ.get("POSABLE_PLAIN_KERNELS")) or not numba.__version__.startswith(
    tuple(f"{version}." for version in KNOWN_NUMBA)
)

if PLAIN_KERNELS:
    from posable.compiled import plain

    for _name in plain.STANDS_FOR:
        sys.modules[f"{__name__}.{_name}"] = plain

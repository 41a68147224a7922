"""Which versions of Numba are known, and whether the plain path is taken."""

from __future__ import annotations

import os

import numba

KNOWN_NUMBA = ("0.68",)
"""The versions of Numba whose undocumented parts are those that `numba_internals` imports."""

PLAIN_KERNELS = bool(os.environ.get("POSABLE_PLAIN_KERNELS")) or not numba.__version__.startswith(
    tuple(f"{version}." for version in KNOWN_NUMBA)
)

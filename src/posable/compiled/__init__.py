"""How kernels are compiled, kept and run: the one layer that knows Numba and the processor's registers.

`docs/internals/kernels.md` explains it on one page. With a Numba that `numba_internals` is not known to work with, and
where the environment sets POSABLE_PLAIN_KERNELS, the module `plain` replaces all modules that are built on it.
"""

from __future__ import annotations

import sys

from posable.compiled.cache import KNOWN_NUMBA, PLAIN_KERNELS

__all__ = ["KNOWN_NUMBA", "PLAIN_KERNELS"]

if PLAIN_KERNELS:
    from posable.compiled import plain

    for _name in plain.STANDS_FOR:
        sys.modules[f"{__name__}.{_name}"] = plain

"""How kernels are compiled, kept and run: the one layer that knows Numba and the processor's registers.

`docs/internals/kernels.md` explains it on one page.
"""

from __future__ import annotations

__all__: list[str] = []

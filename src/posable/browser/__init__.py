"""The solver in a browser: the same kernels as a WebAssembly module, and what a page is given of a figure.

`static` holds the module, and one script with it inside, for pages. `posable.browser.build` makes the module, `npm run
build` in `web/solver` the script.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from posable.browser.record import figure_record

__all__ = ["figure_record"]


def __getattr__(name: str) -> Any:
    """Loaded when first asked for: the module is built in a process that must not have made kernels before."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from posable.browser import record

    return getattr(record, name)

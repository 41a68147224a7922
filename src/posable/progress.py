"""How far long work is: whoever does it tells, and whoever waits listens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

Listener = Callable[[str, float], None]

_heard: ContextVar[Listener | None] = ContextVar("heard", default=None)


@contextmanager
def progress_heard(listener: Listener) -> Iterator[None]:
    """Call `listener(what, share done)` while long work is done in the block; a share of 1 ends it.

    An exception that the listener raises ends the work, which leaves everything as it was.
    """
    before = _heard.set(listener)
    try:
        yield
    finally:
        _heard.reset(before)


@contextmanager
def part_of_work(begin: float, end: float, what: str = "") -> Iterator[None]:
    """What the block tells counts from the share `begin` to `end` of longer work, which has its name, or `what`.

    The share never falls, though the block may consist of several works, of which each begins anew.
    """
    listener, most = _heard.get(), begin
    if listener is None:
        yield
        return

    def hear(own: str, share: float) -> None:
        nonlocal most
        most = max(most, begin + (end - begin) * share)
        listener(what or own, most)

    with progress_heard(hear):
        yield


def tell_progress(what: str | Path, share: float) -> None:
    """Say what share (0 … 1) of some work is done, or of a file is read or written, to who listens."""
    if (listener := _heard.get()) is not None:
        listener(what.name if isinstance(what, Path) else what, share)

"""How far a long command is, for all pages, and its end where one of them asks."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from time import monotonic
from typing import Any, ParamSpec, TypeVar

import posable
from posable.progress import progress_heard

COMMAND = "command"
"""The name of the command that is executed, in progress events: there is one at a time."""
_TOLD = 0.2  # seconds between two words
_FIRST = 0.02  # of the work: before that the time left is a guess

P = ParamSpec("P")
R = TypeVar("R")


class CommandProgress:
    """Runs commands in a worker thread and tells how far they are, where they tell themselves.

    tell: called in the loop's thread with each event.
    """

    def __init__(self, tell: Callable[[dict[str, Any]], None]) -> None:
        self._tell, self._is_cancelled = tell, threading.Event()

    def cancel(self) -> None:
        """End the command that is executed, if it tells how far it is."""
        self._is_cancelled.set()

    def watched(self, execute: Callable[P, R]) -> Callable[P, R]:
        """The function for the worker thread, watched; call this in the loop. It raises PosableError where it was
        cancelled.
        """
        self._is_cancelled.clear()
        loop, began = asyncio.get_running_loop(), monotonic()
        last = began

        def hear(what: str, share: float) -> None:
            nonlocal last
            if self._is_cancelled.is_set():
                raise posable.PosableError(f"cancelled: {what}; nothing has changed")
            now = monotonic()
            if now - last > _TOLD and _FIRST < share < 1:
                last, left = now, (now - began) * (1 - share) / share
                loop.call_soon_threadsafe(self._tell, progress_event(COMMAND, share, left))

        def run(*arguments: P.args, **named: P.kwargs) -> R:
            with progress_heard(hear):
                return execute(*arguments, **named)

        return run


def progress_event(job: str, share: float, left: float, doing: str = "") -> dict[str, Any]:
    """The event as it is sent."""
    return {"event": "progress", "job": job, "share": round(share, 3), "left": round(left, 1), "doing": doing}

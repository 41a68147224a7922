"""The progress of a long command, sent to all pages, and its cancellation by any of them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from time import monotonic
from typing import Any, ParamSpec, TypeVar

import posable
from posable.progress import progress_heard

COMMAND = "command"
"""The name in progress events of the command that is being executed; only one is at a time."""
_EVENT_SECONDS = 0.2  # between two progress events
_FIRST_SHARE = 0.02  # of the work: before that, the time left cannot be estimated

P = ParamSpec("P")
R = TypeVar("R")


class CommandProgress:
    """Runs commands in a worker thread and reports the progress of those that report it themselves.

    tell: called in the loop's thread with each event.
    """

    def __init__(self, tell: Callable[[dict[str, Any]], None]) -> None:
        self._tell, self._is_cancelled = tell, threading.Event()

    def cancel(self) -> None:
        """Cancel the command that is being executed, if it reports progress."""
        self._is_cancelled.set()

    def watched(self, execute: Callable[P, R]) -> Callable[P, R]:
        """The function for the worker thread, with its progress reported; call this in the loop. The function raises
        PosableError if it is cancelled.
        """
        self._is_cancelled.clear()
        loop, began = asyncio.get_running_loop(), monotonic()
        last = began

        def hear(what: str, share: float) -> None:
            nonlocal last
            if self._is_cancelled.is_set():
                raise posable.PosableError(f"cancelled: {what}; nothing has changed")
            now = monotonic()
            if now - last > _EVENT_SECONDS and _FIRST_SHARE < share < 1:
                last, left = now, (now - began) * (1 - share) / share
                loop.call_soon_threadsafe(self._tell, progress_event(COMMAND, share, left))

        def run(*arguments: P.args, **named: P.kwargs) -> R:
            with progress_heard(hear):
                return execute(*arguments, **named)

        return run


def progress_event(job: str, share: float, left: float, doing: str = "") -> dict[str, Any]:
    """The progress event of a job. share: 0 to 1, finished. left: seconds. doing: what it does now, in words."""
    return {"event": "progress", "job": job, "share": round(share, 3), "left": round(left, 1), "doing": doing}

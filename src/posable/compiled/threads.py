"""Work shared among the machine's processors: kernels release Python's global lock."""

from __future__ import annotations

import _thread
import math
import os
import threading
from collections.abc import Callable
from itertools import pairwise
from time import monotonic

_PATIENCE = 1.5  # seconds to wait for halted threads
_HEARS = 0.2  # seconds after which Windows checks for an interrupt; elsewhere an interrupt wakes the wait at once


def cores() -> int:
    """How many processors this process may use; at most POSABLE_THREADS, where that is set."""
    allowed = os.environ.get("POSABLE_THREADS", "")
    if allowed.isdecimal() and int(allowed):
        return min(int(allowed), _processors())
    return _processors()


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_threads(
    run: Callable[[slice], None],
    count: int,
    parts: int,
    threads: int,
    halt: Callable[[], None] = lambda: None,
    *,
    waits: bool = False,
) -> None:
    """`run` on `parts` slices of `count`, by this thread and `threads` − 1 more; what one raises is raised here.

    halt: called when this thread is interrupted (Ctrl-C), so that running work ends early. waits: leave the work to
    other threads, and wait: the interpreter's main thread notices Ctrl-C only between two calls of compiled code.
    """
    edges = [count * part // parts for part in range(parts + 1)]
    waiting = iter([slice(a, b) for a, b in pairwise(edges)])
    failed: list[BaseException] = []

    def work() -> None:
        try:
            for own in waiting:
                if failed:
                    return
                run(own)
        except Exception as error:
            failed.append(error)

    def work_beside(ended: threading.Lock) -> None:
        try:
            work()
        finally:
            ended.release()

    waits = waits and threading.current_thread() is threading.main_thread()
    begun: list[threading.Lock] = []
    try:
        for _ in range(min(threads, parts) - (not waits)):
            ended = threading.Lock()
            ended.acquire()
            _thread.start_new_thread(work_beside, (ended,))  # `Thread.start` could be interrupted after it has started
            begun.append(ended)
        if not waits:
            work()
        _wait_for(begun)
    except BaseException as interruption:
        failed.append(interruption)
        halt()
        _wait_for(begun, _PATIENCE)  # a compilation cannot be halted, and continues by itself
        raise
    if failed:
        raise failed[0]


def _wait_for(begun: list[threading.Lock], seconds: float = math.inf) -> None:
    """Wait until all have ended. After an interrupt `Thread.join` would report an end that has not come."""
    end = monotonic() + seconds
    while begun and monotonic() < end:
        if begun[-1].acquire(timeout=_HEARS):
            begun.pop()

"""Work shared by the machine's processors: kernels let go of Python's lock."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from itertools import pairwise


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_threads(run: Callable[[slice], None], count: int, parts: int, threads: int) -> None:
    """`run` on `parts` slices of `count`, by this thread and `threads` − 1 more; what one raises is raised here."""
    edges = [count * part // parts for part in range(parts + 1)]
    waiting = iter([slice(a, b) for a, b in pairwise(edges)])
    failed: list[Exception] = []

    def work() -> None:
        try:
            for own in waiting:
                run(own)
        except Exception as error:
            failed.append(error)

    others = [threading.Thread(target=work) for _ in range(min(threads, parts) - 1)]
    for other in others:
        other.start()
    work()
    for other in others:
        other.join()
    if failed:
        raise failed[0]

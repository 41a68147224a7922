"""Compiling what draws beside what solves, on another core, when a machine runs posable for the first time."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_DRAW_SMALL = """
import posable
snake = posable.figure("snake")
goals = [posable.Reach("head", (0, 0, 1)), posable.LookAt("head", (0, 0, 1))]
posable.picture(snake, size=(64, 48), goals=goals)
"""


@contextmanager
def drawing_compiled_ahead(wanted: bool) -> Iterator[Callable[[], object]]:
    """Starts a process that compiles the kernels of pictures, if wanted and not cached; gives what waits for it.

    Whatever becomes of it, kernels that are missing are compiled where they are used. It does not outlive the block.
    """
    if not wanted or (os.cpu_count() or 1) < 2 or _is_cached():
        yield lambda: None
        return
    quiet = {**os.environ, "POSABLE_QUIET": "1"}
    line = [sys.executable, "-c", _DRAW_SMALL]
    with subprocess.Popen(line, env=quiet, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield process.wait
        finally:
            process.kill()


def _is_cached() -> bool:
    from posable.spatial.compile import is_compiled
    from posable.view import shading

    return is_compiled(shading.__file__)

"""Compiles the solver on another core when a machine runs posable for the first time."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

_SOLVE_SMALL = """
from posable import Joint, Pose, Reach, Skeleton, solve
skeleton = Skeleton([Joint("a", "ball"), Joint("b", "fixed", "a", (1, 0, 0))])
solve(Pose(skeleton, [1, 0, 0, 0]), [Reach("b", (0, 1, 0))])
"""


@contextmanager
def solver_compiled_ahead() -> Iterator[Callable[[], object] | None]:
    """Start a process that compiles the solver; yields a function that waits for it, or None if already compiled.

    If the process fails, missing kernels are compiled at first use. It ends with the block.
    """
    from posable.compiled.cache import announce_compilation, is_compiled
    from posable.solvers.default.kernels import restarts

    if (os.cpu_count() or 1) < 2 or is_compiled(Path(restarts.__file__)):
        yield None
        return
    announce_compilation()
    quiet = {**os.environ, "POSABLE_QUIET": "1"}
    line = [sys.executable, "-c", _SOLVE_SMALL]
    with subprocess.Popen(line, env=quiet, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield process.wait
        finally:
            process.kill()

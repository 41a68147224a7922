"""posable's WebAssembly module under node: hands the problem to javascript.mjs and its answers back.

python -m benchmarks.peers.javascript problem.npz answers.npz
"""

from __future__ import annotations

import sys

import numpy as np

from benchmarks.peers.ours import Ours
from benchmarks.peers.protocol import Problem, ask_node, keep
from posable.browser.record import SCRIPT, figure_record


def main() -> None:
    """Answer the problem named on the command line."""
    problem = Problem(sys.argv[1])
    ours = Ours(problem)
    tolerance, restarts = ours.options.get("tolerance", 1e-6), ours.options["restarts"]
    told = {
        "record": figure_record(ours.skeleton),
        "aims": problem.aims,
        "options": {"tolerance": tolerance, "restarts": restarts},
        "start": problem.start.tolist(),
        "targets": np.swapaxes(problem.targets, -1, -2).reshape(*problem.targets.shape[:2], 16).tolist(),
        "warm": problem.warm,
        "seconds": problem.seconds,
    }
    found = ask_node("javascript.mjs", SCRIPT, told)
    settings = f"prepare(…).solve, {restarts} restarts"
    keep(np.array(found["q"]), np.array(found["nanoseconds"]), settings, f"WebAssembly, {found['node']}")


if __name__ == "__main__":
    main()

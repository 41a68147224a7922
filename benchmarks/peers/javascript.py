"""posable's WebAssembly module under node: hands the problem to javascript.mjs and its answers back.

python -m benchmarks.peers.javascript problem.npz answers.npz
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np

from benchmarks.peers.ours import Ours
from benchmarks.peers.protocol import Problem, keep, stay_on_one_core
from posable.browser.record import SCRIPT, figure_record


def main() -> None:
    """Answer the problem named on the command line."""
    problem = Problem(sys.argv[1])
    ours = Ours(problem)
    asked, answers = (Path(sys.argv[2]).with_suffix(ending) for ending in (".asked.json", ".answers.json"))
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
    asked.write_text(json.dumps(told))
    stay_on_one_core()
    script = Path(__file__).with_name("javascript.mjs")
    subprocess.run(["node", str(script), str(SCRIPT), str(asked), str(answers)], check=True)
    found = json.loads(answers.read_text())
    settings = f"prepare(…).solve, {restarts} restarts"
    keep(np.array(found["q"]), np.array(found["nanoseconds"]), settings, f"WebAssembly, {found['node']}")


if __name__ == "__main__":
    main()

"""posable's WebAssembly module under node, or in Chromium: hands the problem to it and its answers back.

python -m benchmarks.peers.javascript problem.npz answers.npz
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peers.ours import Ours
from benchmarks.peers.protocol import Problem, ask_node, keep, stay_on_one_core
from posable.browser.record import SCRIPT, figure_record

_TOGETHER = 10  # solves: a tenth of a millisecond is as fine as a page's clock may be


def _in_chromium(told: dict[str, Any]) -> dict[str, Any]:
    """The same in a page, the mean of some solves at a time."""
    sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
    from studio.browser.viewer import chromium

    stay_on_one_core()
    with chromium() as browser:
        page = browser.new_page()
        for script in (SCRIPT, Path(__file__).with_suffix(".js")):
            page.add_script_tag(path=str(script))
        call = f"told => answered(posable, told, () => performance.now(), {_TOGETHER})"
        return {**page.evaluate(call, told), "versions": f"Chromium {browser.version}"}


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
    found = _in_chromium(told) if getattr(problem, "browser", False) else ask_node("javascript.mjs", SCRIPT, told)
    settings = f"prepare(…).solve, {restarts} restarts"
    keep(np.array(found["q"]), np.array(found["nanoseconds"]), settings, f"WebAssembly, {found['versions']}")


if __name__ == "__main__":
    main()

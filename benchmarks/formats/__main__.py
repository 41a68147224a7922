"""Formats against their judges, in one command; writes `benchmarks/FORMATS.md`.

    python -m benchmarks.formats [--only fbx,speed] [--blender PYTHON] [--film FOLDER --estimator PYTHON]

Run it from the repository's root. `ufbx` judges FBX in a process of its own; PYTHON with `bpy` judges what is written.
FOLDER holds what the wheel `pose2sim` carries (its `Pose2Sim`), PYTHON after --estimator has mediapipe==0.10.21.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.formats import fbx, film
from benchmarks.formats.claims import HELD, Row
from benchmarks.motion.goal import Skipped
from benchmarks.solver.environments import ROOT
from benchmarks.solver.table import machine

PARTS = {"fbx": fbx.corpus, "speed": fbx.speed, "written": fbx.written, "film": film.walk}
HEAD = """# Formats against their judges

Made by `python -m benchmarks.formats`. ✓ met, ✗ missed. Times are processor time, the best of several, compiled code
warm; a machine with other work on it is slower by up to a half.

"""
TABLE = "| claim | aim | measured | |\n|---|---|---|---|\n"


def main() -> None:
    """Measure the chosen parts and write the table."""
    options = _options()
    lines = []
    for name in options.only:
        try:
            rows = list(PARTS[name](options))
        except Skipped as reason:
            rows = [Row(name, "", f"not measured: {reason}", None)]
        for row in rows:
            print(line := row.line(), end="", flush=True)
            lines.append(line)
    text = f"{HEAD}{machine()}.\n\n{TABLE}{''.join(lines)}\n{HELD}"
    options.output.write_text(text, encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.formats", description="Formats against their judges.")
    parser.add_argument(
        "--only", type=lambda text: text.split(","), default=list(PARTS), help=f"some of {', '.join(PARTS)}"
    )
    parser.add_argument("--data", type=Path, default=(ROOT / "../shared/data").resolve(), help="folder of real files")
    parser.add_argument("--blender", help="a Python that has bpy")
    parser.add_argument("--film", type=Path, help="the folder Pose2Sim of the wheel pose2sim")
    parser.add_argument("--estimator", help="a Python that has mediapipe 0.10.21")
    parser.add_argument("--output", type=Path, default=ROOT / "benchmarks/FORMATS.md")
    return parser.parse_args()


if __name__ == "__main__":
    main()

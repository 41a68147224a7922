"""posable's motion against its goals, in one command.

    python -m benchmarks.motion [--goals G1,F2] [--data FOLDER]

Run it from the repository's root on an idle machine. It measures every goal over the real files and writes one Markdown
table: the aim, what is reached, the raw recording and the naive way (rotations copied) beside it.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.motion import clips, feet, gait, markers, retargeting, speed, walks
from benchmarks.motion.goal import Files, Goal
from benchmarks.motion.misses import told
from benchmarks.motion.table import table
from benchmarks.solver.environments import ROOT
from benchmarks.solver.table import machine

GOALS: dict[str, Goal] = {
    "G1": gait.closure, "G2": gait.step_of_speed, "G3": gait.walk_ratio, "G4": gait.stance_share, "G5": gait.pelvis,
    "G6": gait.curves, "G7": gait.clearance, "G8": gait.fitting, "G9": gait.froude, "G10": gait.loops,
    "G11": walks.lives, "G12": walks.jerk, "G13": walks.steps_of_joints,
    "F1": feet.generated, "F2": feet.cleaned, "F3": feet.price, "F4": feet.ground, "F5": feet.detector,
    "R1": retargeting.onto_itself, "R2": retargeting.there_and_back, "R3": retargeting.ends, "R4": retargeting.stands,
    "R5": retargeting.kept_apart, "R6": retargeting.jerk, "R7": retargeting.parts,
    "M1": markers.synthetic, "M2": markers.recorded, "M3": markers.key_points, "C": clips.algebra,
    "S1": speed.planting, "S2": speed.retargeting, "S3": speed.walking, "S4": speed.live,
}  # fmt: skip
HEAD = """# posable's motion against its goals

Made by `python -m benchmarks.motion` over recordings and figures made by others. ✓ met, ✗ missed. Lengths are for a leg
of 0.88 m unless they are shares of a figure's height. "Raw recording" is the same measure of the recording as it is;
"rotations copied" of the naive way onto another figure, the root scaled by the legs. Times are processor time of one
thread, the best of several, compiled code warm.

"""


def main() -> None:
    """Measure the chosen goals and write the table."""
    options = _options()
    chosen = {name: GOALS[name] for name in options.goals}
    text = table(chosen, Files(options.data))
    options.output.write_text(f"{HEAD}{machine()}.\n\n{text}{told(text)}", encoding="utf-8")
    lines = text.splitlines()[2:]
    print(f"\n{sum(line.endswith('✓ |') for line in lines)} of {len(lines)} rows met; wrote {options.output}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.motion", description="posable's motion against its goals"
    )
    parser.add_argument("--goals", type=_names, default=list(GOALS), help=f"some of {','.join(GOALS)}")
    parser.add_argument("--data", type=Path, default=(ROOT / "../shared/data").resolve(), help="recordings, figures")
    parser.add_argument("--output", type=Path, default=ROOT / "benchmarks/MOTION.md")
    options = parser.parse_args()
    if not options.data.is_dir():
        sys.exit(f"{options.data} is not there; --data names the folder with mocap, characters and markers")
    return options


def _names(text: str) -> list[str]:
    names = [word.strip() for word in text.split(",")]
    for name in names:
        if name not in GOALS:
            raise argparse.ArgumentTypeError(f"{name!r} is no goal; choose from {', '.join(GOALS)}")
    return names


if __name__ == "__main__":
    main()

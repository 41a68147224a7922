"""Every method on every built-in figure and on ten real ones: makes docs/methods/outcomes.md.

    python benchmarks/methods.py [FOLDER]

FOLDER holds `characters` and `robots`; ../shared/data unless given.
"""

from __future__ import annotations

import sys
from pathlib import Path

import posable
from posable.cli.reach import held_joints, nearby_goal
from posable.solvers import Compared
from posable.solvers.solving import NAMES

ROOT = Path(__file__).parents[1]
BUILT_IN = ("mannequin", "doorbell_arm", "snake", "tentacle", "telescope", "arm6", "arm7")
REAL = (
    "characters/CesiumMan.glb", "characters/Fox.glb", "characters/Knight.glb", "characters/Q_Wolf.glb",
    "characters/cryptovoxels.vrm", "robots/panda.urdf", "robots/ur5_robot.urdf", "robots/kuka_iiwa.urdf",
    "robots/g1_29dof.xml", "robots/so100.urdf",
)  # fmt: skip
NEAR, MOST = 1e-3, 200
HEAD = f"""# The methods on many figures

An end effector of each figure gets a reachable target nearby, as `posable compare FILE` chooses it, from the rest pose;
floating roots are frozen. Each method has one attempt of at most {MOST} steps; within a thousandth of the figure's
reach counts as reached. A cell states whether the target was reached, the remaining distance in percent of the reach,
the steps, and the milliseconds of one solve on one core (compiled and set up; times differ between machines). For
"cannot" the reason is listed below. Made by `python benchmarks/methods.py`.

"""


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "../shared/data"
    found = {name: _outcomes(posable.figure(name)) for name in BUILT_IN}
    found |= {Path(name).name: _outcomes(posable.load(folder / name)) for name in REAL}
    lines = [f"| | {' | '.join(NAMES)} |", "|---" * (len(NAMES) + 1) + "|"]
    reasons = []
    for name, (reach, rows) in found.items():
        lines.append(f"| {name} | {' | '.join(_cell(row, reach) for row in rows)} |")
        reasons += [f"- {row.name} on {name}: {row.refusal}." for row in rows if row.refusal]
    lines.append(f"| **reached** | {' | '.join(_count(found, name) for name in NAMES)} |")
    words = HEAD + "\n".join(lines) + "\n\n## Reasons of refusals\n\n" + "\n".join(reasons) + "\n"
    (ROOT / "docs/methods/outcomes.md").write_text(words, encoding="utf-8")
    print(f"docs/methods/outcomes.md: {len(found)} figures, {len(NAMES)} methods")


def _outcomes(figure: posable.Figure) -> tuple[float, list[Compared]]:
    """(the figure's reach, a row for each method)."""
    print(figure.name, file=sys.stderr)
    frozen = held_joints(figure, [], [])
    goal, reach = nearby_goal(figure.rest, frozen), figure.skeleton.reach
    return reach, posable.compare(figure, [goal], frozen=frozen, tolerance=NEAR * reach, max_iterations=MOST)


def _cell(row: Compared, reach: float) -> str:
    if row.solution is None:
        return "cannot"
    left = row.angle if row.distance is None else 100 * row.distance / reach
    return f"{'yes' if row.reached else 'no'}, {left:.2g} %, {row.iterations}, {row.seconds * 1000:.2g} ms"


def _count(found: dict[str, tuple[float, list[Compared]]], name: str) -> str:
    own = [row for _, rows in found.values() for row in rows if row.name == name]
    return f"{sum(row.reached for row in own)} of {sum(row.solution is not None for row in own)}"


if __name__ == "__main__":
    main()

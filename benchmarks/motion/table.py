"""From goals to Markdown."""

from __future__ import annotations

import traceback
from collections.abc import Mapping

from benchmarks.motion.goal import Files, Goal, Row, Skipped

HEAD = "| goal | what | aim | reached | raw recording | rotations copied | |\n|---|---|---|---|---|---|---|\n"


def measured(name: str, goal: Goal, files: Files) -> list[str]:
    """The lines of one goal, ✓ where it is met; one that cannot be measured says why."""
    try:
        return [_line(name, row) for row in goal(files)]
    except Skipped as reason:
        return [f"| {name} | skipped | | {reason} | | | – |\n"]
    except Exception as problem:  # one goal that breaks must not hide the others
        traceback.print_exc()
        return [f"| {name} | broke | | {type(problem).__name__}: {str(problem)[:160]} | | | ✗ |\n"]


def table(goals: Mapping[str, Goal], files: Files) -> str:
    """All goals as one table; each line is printed as it comes."""
    text = HEAD
    for name, goal in goals.items():
        for line in measured(name, goal, files):
            print(line, end="", flush=True)
            text += line
    return text


def _line(name: str, row: Row) -> str:
    cells = [name, row.what, row.aim, row.reached, row.raw, row.naive, "✓" if row.met else "✗"]
    return "| " + " | ".join(cell.replace("|", "∣") for cell in cells) + " |\n"

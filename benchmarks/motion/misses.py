"""Why a goal is missed, as far as it is known: printed under the table while it is."""

from __future__ import annotations

WHY = {
    "C": "These recordings hold energy over 15 Hz, which 30 frames a second cannot carry: an ideal low-pass leaves "
    "0.14° and 0.21° (median), the best of splines 0.13° and 0.20°, windowed sincs 0.14° and 0.21°.",
    "S2": "2.7 to 3.1 s from run to run: the Knight's plates lie in one another, so that 4,300 rows hold and steps are "
    "made thrice until the rows that count are told; the banded Cholesky of each (LAPACK) takes 40 ms, half of all.",
    "S3": "What a walk begins with takes 10 ms, shared by few frames: footsteps, limits, and the rounds in which a "
    "heel is lifted whose ankle is at its limit. Each further frame costs 10 µs.",
}


def told(table: str) -> str:
    """The reasons of the goals that `table` shows as missed, as Markdown."""
    missed = {line.split(" | ")[0].removeprefix("| ") for line in table.splitlines() if line.endswith("✗ |")}
    lines = [f"- **{name}**: {why}" for name, why in WHY.items() if name in missed]
    return "\n".join(["", "## Missed", "", *lines, ""]) if lines else ""

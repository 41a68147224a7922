"""Why a goal is missed, as far as it is known: printed under the table while it is."""

from __future__ import annotations

WHY = {
    "C": "These recordings hold energy over 15 Hz, which 30 frames a second cannot carry: an ideal low-pass leaves "
    "0.14° and 0.21° (median), the best of splines 0.13° and 0.20°, windowed sincs 0.14° and 0.21°.",
}


def told(table: str) -> str:
    """The reasons of the goals that `table` shows as missed, as Markdown."""
    missed = {line.split(" | ")[0].removeprefix("| ") for line in table.splitlines() if line.endswith("✗ |")}
    lines = [f"- **{name}**: {why}" for name, why in WHY.items() if name in missed]
    return "\n".join(["", "## Missed", "", *lines, ""]) if lines else ""

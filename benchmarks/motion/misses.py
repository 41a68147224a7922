"""Why a goal is missed, as far as it is known: printed under the table while it is."""

from __future__ import annotations

WHY = {
    "G11": "A knee that has stretched before the foot lands bends again as the hips come over it, a little earlier "
    "than people's: the thigh, which is forward by then, goes back and forth by 2.5°, where it was 5.5°.",
    "F3": "The jog's feet slide at 15 cm/s in contacts that are over at once: to stand still there costs its knees.",
    "R2": "Arms of the mannequin that rotations bring into its body go around it, and stay a little aside back again.",
    "R3": "Hands that would be inside a body of another build are beside it: a belly as broad as an arm is long "
    "(Knight), a jacket (CesiumMan). Feet that roll over their own skin move their balls by up to half a percent.",
    "S2": "Bodies of the Knight that cannot get out of one another are found by solves of their own, and so is how its "
    "feet roll.",
    "C": "These recordings hold energy over 15 Hz, which 30 frames a second cannot carry: an ideal low-pass leaves "
    "0.14° and 0.21° (median), the best of splines 0.13° and 0.20°, windowed sincs 0.14° and 0.21°.",
}


def told(table: str) -> str:
    """The reasons of the goals that `table` shows as missed, as Markdown."""
    missed = {line.split(" | ")[0].removeprefix("| ") for line in table.splitlines() if line.endswith("✗ |")}
    lines = [f"- **{name}**: {why}" for name, why in WHY.items() if name in missed]
    return "\n".join(["", "## Missed", "", *lines, ""]) if lines else ""

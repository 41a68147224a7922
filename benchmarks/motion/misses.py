"""Why a goal is missed, as far as it is known: printed under the table while it is."""

from __future__ import annotations

WHY = {
    "R1": "The feet of a recording slide, and are planted on the way; what the map alone loses stands under rotations "
    "copied. Of the mannequin's own walk forearms, hands and fingers are turned by 11 to 26°: not yet explained.",
    "R2": "Planted twice, as in R1; on other figures the map loses a part too, which stands under rotations copied.",
    "R3": "The 95th percentile over frames, hands and feet together. Not yet explained.",
    "R4": "Told by the detector from the result alone, and its thresholds go by the length of the leg: the Knight's "
    "foot is 63 % as long as its leg, and robots stand on plates without toes.",
    "R5": "The depth is that of the lowest corner of the sole in any frame. The bodies of the Knight and of CesiumMan "
    "overlap as much when rotations are copied.",
    "R6": "The Knight, whose feet are 63 % as long as its legs, bends its knees up to 148° (77° in the copy).",
    "C": "These recordings hold energy over 15 Hz, which 30 frames a second cannot carry: an ideal low-pass leaves "
    "0.14° and 0.21° (median), the best of splines 0.13° and 0.20°, windowed sincs 0.14° and 0.21°.",
    "S4": "On a slope the ground is looked up, and where an ankle is at its limit the legs are solved twice.",
}


def told(table: str) -> str:
    """The reasons of the goals that `table` shows as missed, as Markdown."""
    missed = {line.split(" | ")[0].removeprefix("| ") for line in table.splitlines() if line.endswith("✗ |")}
    lines = [f"- **{name}**: {why}" for name, why in WHY.items() if name in missed]
    return "\n".join(["", "## Missed", "", *lines, ""]) if lines else ""

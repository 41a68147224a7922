"""Why a goal is missed, as far as it is known: printed under the table while it is."""

from __future__ import annotations

WHY = {
    "F1": "A foot that shuffles (sad, elderly) turns about its toes while they are down; its ball then moves slowly enough "
    "to count as in contact. Of every standing foot a point of the sole stays where it is (G4 is measured by that).",
    "F2": "A jog: stands of 0.2 s between flights leave few frames over which a correction can be blended.",
    "F3": "As F2.",
    "R1": "The feet are planted on the way, and a recording's slide. What the map alone loses stands under rotations copied.",
    "R2": "Planted twice, as R1; the other figure's spine and neck have fewer or more joints.",
    "R3": "The 95th percentile of frames, the worst hand or foot. Stands come first: a leg of other proportions takes the "
    "hips along, and the hands with them.",
    "R4": "Told by the detector from the result alone. Robots stand on flat plates and the Knight on feet a third of its "
    "leg long, which touch and leave the ground at other moments than the recorded foot.",
    "R5": "The lowest corner of the sole, at toe-off and landing; capsules fitted to the skin overlap by their own size "
    "where arms hang close to a body.",
    "R6": "The Knight's legs are at their full length as it lands.",
    "M1": "5 mm of noise on three markers a few centimetres apart turn a hand or foot by several degrees; frames are not "
    "smoothed.",
    "C": "These recordings hold 0.14° and 0.20° (median) over 14.5 Hz, which 30 frames a second cannot carry, however they "
    "are interpolated.",
    "S3": "Of a short walk most is the plan: some 30 ms whatever its length.",
    "S4": "Two legs are solved with their limits from Python in each frame.",
}


def told(table: str) -> str:
    """The reasons of the goals that `table` shows as missed, as Markdown."""
    missed = {line.split(" | ")[0].removeprefix("| ") for line in table.splitlines() if line.endswith("✗ |")}
    lines = [f"- **{name}**: {why}" for name, why in WHY.items() if name in missed]
    return "\n".join(["", "## Missed", "", *lines, ""]) if lines else ""

"""Why a goal is missed, as far as it is known: printed under the table while it is."""

from __future__ import annotations

WHY = {
    "R2": "The mannequin has two joints in its spine where the recording has three: the bend between them is lost "
    "(0.9 to 1.3 % at chest, neck and arms), as it is when rotations are copied.",
    "R3": 'The 95th percentile over frames, hands and feet together; "in contact" is while the source\'s ball rests '
    "(slower than 0.2 m/s), without the frames in which it comes down or rolls off. The Knight's feet are 63 % as long "
    "as its legs: its ankles cannot be where a shorter foot would have them as it rolls. Hips of robots have axes some "
    "centimetres apart and ankles that turn little; the H1's file says nothing of its feet, which end in points.",
    "R4": "Told by the detector from the result alone, and its thresholds go by the length of the leg: lost are the "
    "frames in which the toes of the Knight's long feet leave, and those in which the source rolls over toes that the "
    "H1 does not have (its file shows no feet: they end in points at the ankles).",
    "C": "These recordings hold energy over 15 Hz, which 30 frames a second cannot carry: an ideal low-pass leaves "
    "0.14° and 0.21° (median), the best of splines 0.13° and 0.20°, windowed sincs 0.14° and 0.21°.",
    "S4": "On a slope the ground is looked up, and where an ankle is at its limit the legs are solved twice.",
}


def told(table: str) -> str:
    """The reasons of the goals that `table` shows as missed, as Markdown."""
    missed = {line.split(" | ")[0].removeprefix("| ") for line in table.splitlines() if line.endswith("✗ |")}
    lines = [f"- **{name}**: {why}" for name, why in WHY.items() if name in missed]
    return "\n".join(["", "## Missed", "", *lines, ""]) if lines else ""

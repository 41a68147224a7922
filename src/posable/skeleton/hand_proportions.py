"""The proportions of a human hand, and the ranges of fingers and knees.

Limits: American Academy of Orthopaedic Surgeons, "Joint Motion: Method of Measuring and Recording" (1965).
"""

from __future__ import annotations

HAND_LENGTH = 0.194
"""Metres from the wrist to the tip of the middle finger, for the hand of these tables."""
KNUCKLES = {
    "thumb": (0.024, 0.024, 0.010),
    "index": (0.090, 0.0315, 0.000),
    "middle": (0.094, 0.0085, -0.002),
    "ring": (0.089, -0.0145, 0.000),
    "pinky": (0.080, -0.0360, 0.004),
}
"""Each finger's first joint: along the hand, towards the thumb, out of the palm; metres from the wrist."""
PHALANGES = {
    "thumb": (0.044, 0.034, 0.027),
    "index": (0.043, 0.027, 0.022),
    "middle": (0.047, 0.030, 0.023),
    "ring": (0.044, 0.028, 0.022),
    "pinky": (0.034, 0.021, 0.020),
}
"""Each finger's three bones from there to its tip, metres."""
KNEE = (0, 155)
"""Range of a knee in degrees."""
BENDS, THUMB_BENDS = ((-45, 90), (0, 100), (0, 90)), ((-20, 50), (0, 50), (-10, 80))
"""Ranges in degrees of the three joints of a finger, and of the thumb, towards the palm."""

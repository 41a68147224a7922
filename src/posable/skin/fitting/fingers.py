"""Five fingers in proportion to the hand: where the hand ends and how it is turned is seen, the fingers themselves not.

They are as long for the hand as the mannequin's.
"""

from __future__ import annotations

import numpy as np

from posable.skeleton import Joint
from posable.skeleton.hand import BENDS, HAND_LENGTH, KNUCKLES, PHALANGES, THUMB_BENDS
from posable.skin.fitting.limbs import AHEAD, Body, Places
from posable.skin.fitting.stage import Voxels
from posable.spatial import Array, normalized

_DIRECTIONS = {
    "thumb": (0.72, 0.62, 0.22),
    "index": (0.993, 0.122, 0.0),
    "middle": (1.0, 0.009, 0.0),
    "ring": (0.995, -0.105, 0.0),
    "pinky": (0.972, -0.233, 0.0),
}
FINGER_LINES = tuple(("hand", *(f"{finger}_{k}" for k in (1, 2, 3, "tip"))) for finger in KNUCKLES)
"""From the hand along each finger."""
FINGER_NAMES = tuple(name for line in FINGER_LINES for name in line[1:])
"""Joints and tips of a hand's fingers, without the side."""


def finger_places(half: Voxels, arm: Places) -> Places:
    """The fingers of the left hand, straight, from the places of its arm."""
    basis = _hand_axes(half, arm)
    scale = float(np.linalg.norm(arm["hand_tip"] - arm["hand"])) / HAND_LENGTH
    found: Places = {}
    for line in FINGER_LINES:
        finger = line[1].removesuffix("_1")
        place = arm["hand"] + scale * np.array(KNUCKLES[finger]) @ basis
        direction = normalized(np.array(_DIRECTIONS[finger])) @ basis
        for name, length in zip(line[1:], (0.0, *PHALANGES[finger]), strict=True):
            place = place + scale * length * direction
            found[name] = place
    return found


def _hand_axes(half: Voxels, arm: Places) -> Array:
    """Rows: along the hand, towards the thumb, out of the palm. The palm's normal is where the hand is flattest."""
    reach = float(np.linalg.norm(arm["hand_tip"] - arm["hand"]))
    along = _unit(arm["hand_tip"] - arm["hand"], np.array([1.0, 0.0, 0.0]))
    palm = np.cross(arm["forearm"] - arm["upper_arm"], AHEAD)
    palm = _unit(palm - (palm @ along) * along, np.array([0.0, -1.0, 0.0]))
    voxels = np.argwhere(half).astype(float)
    off = voxels - 0.5 * (arm["hand"] + arm["hand_tip"])
    near = off[np.linalg.norm(off, axis=1) < 0.6 * reach]
    if len(near) >= 20:
        flat = near - (near @ along)[:, None] * along
        normal = np.linalg.eigh(np.cov(flat.T))[1][:, 1]  # the first is along the hand, which has been taken out
        normal = normal * np.sign(normal @ palm or 1.0)
        palm = _unit(normal - (normal @ along) * along, palm) if normal @ palm > 0.5 else palm
    return np.array([along, np.cross(palm, along), palm])


def finger_joints(body: Body, side: str) -> list[Joint]:
    """Per finger a knuckle that bends and spreads, and two hinges."""
    hand = f"hand_{side}"
    palm = _palm(body, side)
    found: list[Joint] = []
    for line in FINGER_LINES:
        names = [f"{name}_{side}" for name in line[1:]]
        first, *others = THUMB_BENDS if line[1] == "thumb_1" else BENDS
        along = body.towards(names[0], names[1])
        flexion = np.cross(along, palm)
        axes = (body.axis(flexion, *first, name="bend"), body.axis(palm, -20, 20, name="spread"))
        found.append(body.joint(names[0], hand, "universal", axes=axes))
        for k, limits in zip((1, 2), others, strict=True):
            found.append(body.bend(names[k], names[k - 1], names[k + 1], palm, limits, tip=names[3] if k == 2 else ""))
    return found


def _palm(body: Body, side: str) -> Array:
    """Out of the palm: square to the hand and to the row of knuckles."""
    along, across = body.towards(f"hand_{side}", f"middle_1_{side}"), body.towards(f"pinky_1_{side}", f"index_1_{side}")
    return normalized(np.cross(along, across)) * (1.0 if side == "l" else -1.0)


def _unit(vector: Array, otherwise: Array) -> Array:
    length = float(np.linalg.norm(vector))
    return vector / length if length > 1e-9 else otherwise

"""Makes `mannequin.npz`, the mannequin's skin, out of the solids in `human_body`.

    python -m posable.figures.builtin.sculpting

Drawing the surface takes some seconds, so the result is kept beside this file; a test makes it anew and compares.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.figures.builtin.human import SKIN_FILE, skin_colors, skin_weights
from posable.figures.builtin.human_body import body_field
from posable.figures.builtin.human_joints import finger_points, hand_axes, human_skeleton, points
from posable.figures.builtin.implicit import polygonised
from posable.spatial import Array

BLOCK, LEVELS = 0.144, 5  # m; halved to 72, 36, 18, 9 and 4.5 mm
LOW, HIGH = np.array([-0.792, -0.036, -0.198]), np.array([0.792, 1.836, 0.378])
COARSE, MIDDLING, FINE = BLOCK / 8, BLOCK / 16, BLOCK / 32
_NEAR_FINGERS, _NEAR_HAND, _NEAR_FACE = 0.024, 0.060, 0.058
_NEAR_JOINTS = {"forearm": 0.075, "hand": 0.060, "shin": 0.090, "upper_arm": 0.060}


def cell_size(positions: Array) -> Array:
    """`[point]` the cell size asked for: fine at fingers and face, middling at head, feet and joints."""
    folded = np.column_stack([np.abs(positions[:, 0]), positions[:, 1:]])
    p = points()
    fingers = np.concatenate(list(finger_points().values()))
    to_hand = np.linalg.norm(folded[:, None] - fingers, axis=2).min(axis=1)
    to_hand = np.minimum(to_hand, np.linalg.norm(folded - p["hand"] - 0.05 * hand_axes()[0], axis=1) - 0.015)
    to_face = np.linalg.norm(folded - p["eye"] * (0.4, 1, 1) + (0, 0.012, 0), axis=1)
    middling = (positions[:, 1] > 1.53) | (positions[:, 1] < 0.12) | (to_hand < _NEAR_HAND)
    for joint, radius in _NEAR_JOINTS.items():
        middling |= np.linalg.norm(folded - p[joint], axis=1) < radius
    return np.where((to_hand < _NEAR_FINGERS) | (to_face < _NEAR_FACE), FINE, np.where(middling, MIDDLING, COARSE))


def sculpted() -> dict[str, Any]:
    """The arrays of the skin as they are kept: vertices in 1/65535 of the box LOW … HIGH, weights, colours in 1/255."""
    skeleton = human_skeleton()
    vertices, faces = polygonised(body_field(), LOW, HIGH, BLOCK, LEVELS, cell_size)
    joints, weights = skin_weights(skeleton, vertices, faces)
    steps = np.floor(weights * 255).astype(np.int64)
    steps[:, 0] += 255 - steps.sum(axis=1)
    return {
        "vertices": np.rint((vertices - LOW) / (HIGH - LOW) * 65535).astype(np.uint16),
        "faces": _ordered(faces).astype(np.uint16),
        "joints": joints.astype(np.uint8),
        "weights": steps.astype(np.uint8),
        "colors": np.rint(skin_colors(vertices) * 255).astype(np.uint8),
        "box": np.array([LOW, HIGH]),
    }


def _ordered(faces: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same faces, the least corner first, in rising order: they pack tighter."""
    first = np.argmin(faces, axis=1)
    turned = np.stack([faces[np.arange(len(faces)), (first + k) % 3] for k in range(3)], axis=1)
    return turned[np.lexsort(turned.T[::-1])]


if __name__ == "__main__":
    np.savez_compressed(SKIN_FILE, **sculpted())

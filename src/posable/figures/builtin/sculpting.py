"""Makes `mannequin.npz`, the mannequin's skin, out of the solids in `human_body`: python -m posable.figures.builtin.sculpting

Drawing the surface takes some seconds, so the result is kept beside this file; a test makes it anew and compares.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.figures.builtin.human import SKIN_FILE
from posable.figures.builtin.human_body import body_distance
from posable.figures.builtin.human_joints import human_skeleton
from posable.figures.builtin.human_points import finger_points, hand_axes, points
from posable.figures.builtin.human_skin import skin_colors, skin_weights
from posable.figures.builtin.polygons import polygonised
from posable.spatial import Array

LARGEST_CELL, LEVELS = 0.018, 2
LOW, HIGH = np.array([-0.756, -0.036, -0.198]), np.array([0.756, 1.836, 0.252])
_NEAR_FINGERS, _NEAR_HAND, _NEAR_FACE = 0.026, 0.080, 0.045


def cell_size(places: Array) -> Array:
    """`[point]` the cell size asked for: fine at hands and face, middling at head and feet."""
    folded = np.column_stack([np.abs(places[:, 0]), places[:, 1:]])
    middle_of_hand = points()["hand"] + 0.05 * hand_axes()[0]
    fingers = np.concatenate(list(finger_points().values()))
    to_hand = np.linalg.norm(folded[:, None] - fingers, axis=2).min(axis=1)
    to_hand = np.minimum(to_hand, np.linalg.norm(folded - middle_of_hand, axis=1) - 0.02)
    to_face = np.linalg.norm(folded - points()["eye"] * (0.4, 1, 1) + (0, 0.012, 0), axis=1)
    size = np.where(
        (places[:, 1] > 1.53) | (places[:, 1] < 0.11) | (to_hand < _NEAR_HAND), LARGEST_CELL / 2, LARGEST_CELL
    )
    return np.where((to_hand < _NEAR_FINGERS) | (to_face < _NEAR_FACE), LARGEST_CELL / 4, size)


def sculpted() -> dict[str, NDArray[Any]]:
    """The arrays of the skin as they are kept: vertices in 1/65535 of the box LOW … HIGH, weights and colours in 1/255."""
    skeleton = human_skeleton()
    vertices, faces = polygonised(body_distance, LOW, HIGH, LARGEST_CELL, LEVELS, cell_size)
    joints, weights = skin_weights(skeleton, vertices, faces)
    steps = np.floor(weights * 255).astype(np.int64)
    steps[:, 0] += 255 - steps.sum(axis=1)
    return {
        "vertices": np.rint((vertices - LOW) / (HIGH - LOW) * 65535).astype(np.uint16),
        "faces": faces.astype(np.uint16),
        "joints": joints.astype(np.uint8),
        "weights": steps.astype(np.uint8),
        "colors": np.rint(skin_colors(vertices) * 255).astype(np.uint8),
        "box": np.array([LOW, HIGH]),
    }


if __name__ == "__main__":
    np.savez_compressed(SKIN_FILE, **sculpted())

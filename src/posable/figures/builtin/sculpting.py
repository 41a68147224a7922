"""Makes `mannequin.npz`, the mannequin's skin, out of the pieces in `human_body`.

    python -m posable.figures.builtin.sculpting

Drawing the surfaces takes some seconds, so the result is kept beside this file; a test makes it anew and compares.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.figures.builtin.human import SKIN_FILE
from posable.figures.builtin.human_body import MIDDLE, pieces
from posable.figures.builtin.human_joints import human_skeleton

LOW, HIGH = np.array([-0.792, -0.036, -0.198]), np.array([0.792, 1.836, 0.378])


def sculpted() -> dict[str, Any]:
    """The arrays of the skin as they are kept: vertices in 1/65535 of the box LOW … HIGH, the joint that carries each,
    colours in 1/255.
    """
    skeleton = human_skeleton()
    vertices, faces, joints, colors, count = [], [], [], [], 0
    for piece in pieces():
        own, around = piece.surface()
        for joint, sign in (
            ((piece.joint, 1),) if piece.joint in MIDDLE else ((f"{piece.joint}_l", 1), (f"{piece.joint}_r", -1))
        ):
            vertices.append(own * (sign, 1, 1))
            faces.append(count + _ordered(around if sign > 0 else around[:, ::-1]))
            joints.append(np.full(len(own), skeleton.index(joint)))
            colors.append(np.tile(piece.color, (len(own), 1)))
            count += len(own)
    return {
        "vertices": np.rint((np.concatenate(vertices) - LOW) / (HIGH - LOW) * 65535).astype(np.uint16),
        "faces": np.concatenate(faces).astype(np.uint16),
        "joints": np.concatenate(joints).astype(np.uint8),
        "colors": np.rint(np.concatenate(colors) * 255).astype(np.uint8),
        "box": np.array([LOW, HIGH]),
    }


def _ordered(faces: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same faces, the least corner first, in rising order: they pack tighter."""
    first = np.argmin(faces, axis=1)
    turned = np.stack([faces[np.arange(len(faces)), (first + k) % 3] for k in range(3)], axis=1)
    return turned[np.lexsort(turned.T[::-1])]


if __name__ == "__main__":
    np.savez_compressed(SKIN_FILE, **sculpted())

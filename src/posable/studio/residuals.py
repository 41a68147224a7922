"""How far a pose is from the goals of a document."""

from __future__ import annotations

import numpy as np

import posable
from posable.spatial.rotations import nine_from_wxyz
from posable.studio.document import Document
from posable.studio.schema import Quaternion


def residuals(document: Document, pose: posable.Pose) -> tuple[np.ndarray, np.ndarray]:
    """Distances and angles `[goal]` from the pose to the goals, 0 where a kind has none; disabled goals included."""
    skeleton = pose.skeleton
    distances, angles = np.zeros((2, len(document.goals)))
    for k, goal in enumerate(document.goals):
        frame = pose.world_from_joint[skeleton.index(goal.joint)]
        gap = np.array(goal.position) - frame[:3, 3]
        if goal.kind == "look":
            angles[k] = _between(frame[:3, :3] @ np.array(goal.forward), gap)
        elif goal.kind != "pole":
            distances[k] = np.linalg.norm(gap)
            if goal.kind == "place" and goal.rotation_weight > 0:
                angles[k] = _rotation_angle(frame[:3, :3], goal.rotation)
    return distances, angles


def _between(one: np.ndarray, other: np.ndarray) -> float:
    across = np.linalg.norm(np.cross(one, other))
    return float(np.arctan2(across, one @ other))


def _rotation_angle(matrix: np.ndarray, wxyz: Quaternion) -> float:
    desired = np.array(nine_from_wxyz(*wxyz)).reshape(3, 3)
    cosine = (float(np.sum(matrix * desired)) - 1) / 2
    sine = float(np.linalg.norm(matrix - desired)) / (2 * 2**0.5)  # of half the angle
    return 2 * float(np.arcsin(min(sine, 1.0))) if cosine > -0.9 else float(np.arccos(max(cosine, -1.0)))

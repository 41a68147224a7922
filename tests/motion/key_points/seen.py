"""Key points of a known motion, as a camera would see them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import posable
from posable.motion.key_points.convention_tables import attachments_of, names_of
from posable.motion.key_points.point_rows import positions_of
from posable.spatial import Array

JOINTS = tuple(
    f"{side}_{part}" for part in ("shoulder", "elbow", "wrist", "hip", "knee", "ankle") for side in ("left", "right")
)
FOCAL, SIZE = 1200.0, (1280.0, 720.0)


class Filmed(NamedTuple):
    """What the camera sees, and the truth in its axes (x to the right, y up, z to the viewer)."""

    landmarks: Array  # [frame, point, 3] x to the right, y down, z away, from the hips
    pixels: Array  # [frame, point, 2]
    confidence: Array  # [frame, point]
    joints: Array  # [frame, JOINTS, 3]
    up: Array


def filmed(
    figure: posable.Figure, clip: posable.Clip, convention: str, noise: float = 0.03, lost: float = 0.1
) -> Filmed:
    """noise: of depths, in metres. lost: share of the points that are not seen."""
    names = names_of(convention)
    known = [k for k, name in enumerate(names) if name != "-"]
    carriers, offsets = attachments_of(figure, [*(names[k] for k in known), *JOINTS])
    places = 1.75 / figure.height * positions_of(clip.poses, carriers, offsets)
    turn, tilt = 0.6, 0.15
    about_y = np.array([[np.cos(turn), 0, np.sin(turn)], [0, 1, 0], [-np.sin(turn), 0, np.cos(turn)]])
    about_x = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    camera = about_x @ about_y
    seen = (places - places.mean(axis=(0, 1))) @ camera.T - (0.0, 0.0, 4.0)
    rng, points = np.random.default_rng(0), seen[:, : len(known)]
    joints = seen[:, len(known) :]
    hips = joints[:, 6:8].mean(axis=1, keepdims=True)
    landmarks, pixels = (np.full((len(clip), len(names), n), np.nan) for n in (3, 2))
    landmarks[:, known] = (points - hips + rng.normal(0.0, noise, points.shape) * (0, 0, 1)) * (1, -1, -1)
    pixels[:, known] = np.array(SIZE) / 2 + FOCAL * points[..., :2] / -points[..., 2:] * (1, -1)
    sure = (rng.random((len(clip), len(names))) >= lost).astype(float)
    return Filmed(landmarks, pixels, sure, joints, camera[:, 1])


def joint_error(fit: posable.KeyPointFit, truth: Filmed) -> float:
    """Metres, from the hips, in the axes of the camera."""
    carriers, offsets = attachments_of(posable.figure("mannequin"), JOINTS)
    found = positions_of(fit.person.poses, carriers, 0 * offsets) @ fit.world_from_camera
    off = (one - one[:, 6:8].mean(axis=1, keepdims=True) for one in (found, truth.joints))
    return float(np.linalg.norm(np.subtract(*off), axis=2).mean())

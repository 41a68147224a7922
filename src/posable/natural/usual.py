"""How usual a pose is, for a person or for a figure with learnt habits."""

from __future__ import annotations

import numpy as np

from posable.natural.body import SEGMENTS, body_of, common_rotations, in_parents
from posable.natural.habits import habits_of
from posable.natural.network import Model, human
from posable.skeleton import Pose
from posable.spatial import Array, rotation_vector_from_wxyz, wxyz_from_matrix

_STRANGE = 3.0
"""Distance from the mean, in spreads, from which a part is named."""
_WORDS = {"l": "left", "r": "right"}


def strangeness(pose: Pose, model: Model | None = None) -> tuple[Array, Array, list[str]] | None:
    """Distance of a pose from what the figure, or else a person, usually does; None where nothing is known.

    Args:
        pose: The pose, or a batch.
        model: A model of a person; None for the figure's own habits, or else the built-in model.

    Returns:
        (`[...]` for the whole: the root mean square of its parts, 1 for the median of the recorded poses; `[..., part]`
        for each part: the angle to its mean rotation, in spreads of the recordings; the names of the parts).
    """
    habits = habits_of(pose.skeleton) if model is None else None
    if habits is not None:
        return *habits.strangeness(pose), list(pose.skeleton.joints)
    body, model = body_of(pose.skeleton), model or human()
    if body is None:
        return None
    net = model.network
    away = np.swapaxes(net.mean, -1, -2) @ in_parents(common_rotations(body, pose))
    angles = np.linalg.norm(rotation_vector_from_wxyz(wxyz_from_matrix(away)), axis=-1)
    parts = angles / np.sqrt(3) / net.spread
    there = body.segments >= 0
    names = [_in_words(segment) for segment in SEGMENTS]
    return np.sqrt((parts[..., there] ** 2).mean(axis=-1)) / model.median, parts * there, names


def strange_parts(pose: Pose, model: Model | None) -> list[str]:
    """The unusual parts of one pose, the strangest first, in plain words: "left shoulder"."""
    found = strangeness(pose, model)
    if found is None:
        return []
    _, parts, names = found
    return [names[part] for part in np.argsort(-parts) if parts[part] > _STRANGE]


def _in_words(segment: str) -> str:
    part, _, side = segment.rpartition("_")
    return f"{_WORDS[side]} {part.replace('_', ' ')}" if side in _WORDS else segment

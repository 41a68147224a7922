"""How usual a pose is for a person, or for a figure that has learnt."""

from __future__ import annotations

import numpy as np

from posable.natural.body import SEGMENTS, body_of, common_turns, in_parents
from posable.natural.habits import habits_of
from posable.natural.network import Model, human
from posable.skeleton import Pose
from posable.spatial import Array, rotation_vector_from_wxyz, wxyz_from_matrix

_STRANGE = 3.0
"""How many spreads away from what is usual a part is named."""
_WORDS = {"l": "left", "r": "right"}


def strangeness(pose: Pose, model: Model | None = None) -> tuple[Array, Array, list[str]] | None:
    """How far a pose is from what the figure, or else a person, usually does; None where nothing is known of that.

    Args:
        pose: The pose, or a batch.
        model: A model of a person; None for what the figure has learnt, else for the one that comes with posable.

    Returns:
        (`[...]` for the whole: the root of the mean square of its parts, 1 for the median of the recorded poses; `[...,
        part]` for each: the angle to its mean rotation, over the spread of that in the recordings; the parts' names).
    """
    habits = habits_of(pose.skeleton) if model is None else None
    if habits is not None:
        return *habits.strangeness(pose), list(pose.skeleton.joints)
    body, model = body_of(pose.skeleton), model or human()
    if body is None:
        return None
    net = model.network
    away = np.swapaxes(net.mean, -1, -2) @ in_parents(common_turns(body, pose))
    angles = np.linalg.norm(rotation_vector_from_wxyz(wxyz_from_matrix(away)), axis=-1)
    parts = angles / np.sqrt(3) / net.spread
    there = body.segments >= 0
    names = [_in_words(segment) for segment in SEGMENTS]
    return np.sqrt((parts[..., there] ** 2).mean(axis=-1)) / model.median, parts * there, names


def strange_parts(pose: Pose, model: Model | None) -> list[str]:
    """The parts of one pose that are seldom held so, the strangest first, in plain words: "left shoulder"."""
    found = strangeness(pose, model)
    if found is None:
        return []
    _, parts, names = found
    return [names[part] for part in np.argsort(-parts) if parts[part] > _STRANGE]


def _in_words(segment: str) -> str:
    part, _, side = segment.rpartition("_")
    return f"{_WORDS[side]} {part.replace('_', ' ')}" if side in _WORDS else segment

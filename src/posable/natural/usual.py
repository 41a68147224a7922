"""How usual a pose is for a person."""

from __future__ import annotations

import numpy as np

from posable.natural.body import SEGMENTS, body_of, common_turns, in_parents
from posable.natural.network import Model
from posable.skeleton import Pose
from posable.spatial import Array, rotation_vector_from_wxyz, wxyz_from_matrix

_STRANGE = 3.0
"""How many spreads away from what is usual a part is named."""
_WORDS = {"l": "left", "r": "right"}


def strangeness(pose: Pose, model: Model) -> tuple[Array, Array] | None:
    """How far a pose is from what people usually do; None for a figure in which no person is found.

    Returns:
        (`[...]` for the whole: the root of the mean square of its parts, 1 for the median of the recorded poses; `[...,
        segment]` for each part: the angle to its mean rotation, over the spread of that in the recordings).
    """
    body = body_of(pose.skeleton)
    if body is None:
        return None
    net = model.network
    away = np.swapaxes(net.mean, -1, -2) @ in_parents(common_turns(body, pose))
    angles = np.linalg.norm(rotation_vector_from_wxyz(wxyz_from_matrix(away)), axis=-1)
    parts = angles / np.sqrt(3) / net.spread
    there = body.segments >= 0
    return np.sqrt((parts[..., there] ** 2).mean(axis=-1)) / model.median, parts * there


def strange_parts(pose: Pose, model: Model) -> list[str]:
    """The parts of one pose that people seldom hold so, the strangest first, in plain words: "left shoulder"."""
    found = strangeness(pose, model)
    if found is None:
        return []
    order = np.argsort(-found[1])
    return [_in_words(SEGMENTS[segment]) for segment in order if found[1][segment] > _STRANGE]


def _in_words(segment: str) -> str:
    part, _, side = segment.rpartition("_")
    return f"{_WORDS[side]} {part.replace('_', ' ')}" if side in _WORDS else segment

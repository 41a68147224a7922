"""Where the search begins: vertices that move alike, found by splitting the group that is explained worst."""

from __future__ import annotations

import numpy as np

from posable.skin.learning.moving import normal_sums, sweep
from posable.skin.learning.sequence import Sequence
from posable.skin.learning.sharing import EXACT, Indices, squared_errors
from posable.spatial import Array

_FEWEST = 3  # vertices of a group
_PATCH = 20  # vertices of a new group, at most
_RELABELS = 4
_STALLED = 3  # rounds without a further group, after which no more are looked for


def clusters(sequence: Sequence, count: int) -> tuple[Array, Indices]:
    """(motion `[frame, joint, 4, 3]`, label `[vertex]`) of at most `count` groups that each move rigidly.

    As Le & Deng 2012, but a vertex joins the group that fits it best wherever that is, so that meshes of many shells,
    or of no faces, are no different. Fewer groups come back where so many cannot be told apart.
    """
    label = np.zeros(len(sequence.points), np.int64)
    motion = rigid_fit(sequence, label, 1)
    most, most_label, stalled = motion, label, 0
    while most.shape[1] < count and stalled < _STALLED:
        label, groups = _split(sequence, motion, label, count)
        for _ in range(_RELABELS):
            motion = rigid_fit(sequence, label, groups)
            label = np.argmin(squared_errors(sequence, motion), axis=1)
            label, groups = _without_small(label, groups)
        motion = rigid_fit(sequence, label, groups)
        stalled += 1
        if groups > most.shape[1]:
            most, most_label, stalled = motion, label, 0
    return most, most_label


def rigid_fit(sequence: Sequence, label: Indices, groups: int) -> Array:
    """`[frame, group, 4, 3]`: the rigid motion of each group of vertices (Kabsch 1976)."""
    normal, reached = normal_sums(sequence, label[:, None], np.ones((len(label), 1)), groups)
    motion = np.zeros((len(sequence.frames), groups, 4, 3))
    motion[:, :, :3] = np.eye(3)
    sweep(motion, normal, reached, 1)
    return motion


def _split(sequence: Sequence, motion: Array, label: Indices, count: int) -> tuple[Indices, int]:
    """Half as many groups again, at most `count`: each new one is a patch about the worst vertex of a bad group."""
    groups, label, places = motion.shape[1], label.copy(), sequence.points[:, :3]
    own = np.take_along_axis(squared_errors(sequence, motion), label[:, None], axis=1)[:, 0]
    total = np.bincount(label, own, minlength=groups)
    enough = len(motion) * EXACT**2
    for worst in np.argsort(-total, kind="stable")[: min(max(1, groups // 2), count - motion.shape[1])]:
        members = np.flatnonzero(label == worst)
        if len(members) < 2 * _FEWEST or total[worst] <= len(members) * enough:
            continue
        away = np.linalg.norm(places[members] - places[members].mean(axis=0), axis=1)
        seed = members[np.argmax(own[members] * away)]
        near = np.argsort(np.linalg.norm(places[members] - places[seed], axis=1), kind="stable")
        label[members[near[: max(_FEWEST, min(len(members) // 4, _PATCH))]]] = groups
        groups += 1
    return label, groups


def _without_small(label: Indices, groups: int) -> tuple[Indices, int]:
    """Vertices of groups with too few go to group 0 for now (the next relabelling places them); the rest renumbered."""
    kept = np.flatnonzero(np.bincount(label, minlength=groups) >= _FEWEST)
    if not len(kept):
        return np.zeros_like(label), 1
    number = np.zeros(groups, np.int64)
    number[kept] = np.arange(len(kept))
    return number[label], len(kept)

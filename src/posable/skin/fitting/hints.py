"""What the caller knows of where joints are, and what follows from it for the joints beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from posable.errors import SkeletonError, SkinError, UnknownJointError, near_names
from posable.skeleton import find_joint
from posable.spatial import Array, apply_transform, matrix_from_wxyz, wxyz_between

Places = dict[str, Array]


def read_hints(hints: Mapping[str, Any] | None, known: Sequence[str]) -> Places:
    """Joint → position; "right hand" is hand_r. Raises SkinError for an unknown joint or an invalid position."""
    found: Places = {}
    own = {name: index for index, name in enumerate(known)}
    for said, place in (hints or {}).items():
        try:
            name = known[find_joint(said, known, own, lambda: own)]
        except (UnknownJointError, SkeletonError):
            near = near_names(str(said), known)
            tail = f"did you mean {' or '.join(near)}?" if near else f"its joints are {', '.join(known)}"
            raise SkinError(f"the template has no joint {said!r} to give a hint for; {tail}") from None
        try:
            point = np.array([float(c) for c in place])
        except (TypeError, ValueError) as problem:
            raise SkinError(f"the hint for {name!r} is three numbers x, y, z, not {place!r}") from problem
        if point.shape != (3,) or not np.isfinite(point).all():
            raise SkinError(f"the hint for {name!r} is three finite numbers x, y, z, not {place!r}")
        found[name] = point
    return found


def with_hints(places: Places, hints: Places, lines: Sequence[Sequence[str]]) -> Places:
    """The positions with those hinted, and those between and beyond them along each line of joints moved along.

    Between two joints that are known the line keeps its shape, turned and stretched; past the last one it is shifted.
    """
    places = {**{name: place for name, place in hints.items() if name not in places}, **places}
    moved = {**places, **hints}
    for names in lines:
        line = [name for name in names if name in moved]
        known = [0, *(k for k, name in enumerate(line) if k and name in hints)]
        for first, last in pairwise(known):
            bring = _similarity(places[line[first]], places[line[last]], moved[line[first]], moved[line[last]])
            for name in line[first + 1 : last]:
                moved[name] = apply_transform(bring, places[name])
        for name in line[known[-1] + 1 :]:
            moved[name] = places[name] + moved[line[known[-1]]] - places[line[known[-1]]]
    return moved


def _similarity(a: Array, b: Array, new_a: Array, new_b: Array) -> Array:
    """`[4, 4]`: brings a to new_a and b to new_b by the smallest rotation, a stretch and a shift."""
    before, after = b - a, new_b - new_a
    out = np.eye(4)
    if np.linalg.norm(before) > 0 and np.linalg.norm(after) > 0:
        out[:3, :3] = matrix_from_wxyz(wxyz_between(before, after)) * np.linalg.norm(after) / np.linalg.norm(before)
    out[:3, 3] = new_a - out[:3, :3] @ a
    return out

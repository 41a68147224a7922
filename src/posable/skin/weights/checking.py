"""Vertices whose weights look wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from posable.skin.binding.surface import Surface
from posable.skin.geometry.smoothing import edges
from posable.skin.mesh import Mesh
from posable.skin.skin import Skin
from posable.skin.weights.tables import weight_table
from posable.spatial import Array

Kind = Literal["many influences", "torn", "far joints", "loose"]
_TORN = 1.2  # L1 to the mean of the neighbours: more than half of the weight is elsewhere
_STRONG = 0.1  # a weight that shows
_FAR = 4  # joints on the way from one to the other: an elbow and a hip, not a spine and an upper arm
_VIEWERS = 4  # influences that every engine shows


@dataclass(frozen=True, eq=False)
class Finding:
    """One kind of suspicion, the vertices it falls on, and a sentence for a person."""

    kind: Kind
    vertices: NDArray[np.int64]
    sentence: str


def bad_vertices(skin: Skin) -> tuple[Finding, ...]:
    """What looks wrong about a skin's weights, the worst kind first; nothing for a sound one.

    "torn": a vertex follows quite other joints than its neighbours on the surface do. "far joints": it follows two
    joints far apart in the skeleton, such as an arm and a leg. "many influences": more than engines show. "loose": it
    is in no face.
    """
    table = weight_table(skin)
    sought: tuple[tuple[Kind, NDArray[np.bool_], str], ...] = (
        ("torn", _torn(skin, table), "follow other joints than the surface around them; smooth or paint them"),
        ("far joints", _far(skin, table), "follow joints far apart in the skeleton; prune or paint them"),
        (
            "many influences",
            (skin.weights > 0).sum(axis=1) > _VIEWERS,
            f"follow more than {_VIEWERS} joints, which many engines cut off; limit_weights chooses the strongest",
        ),
        ("loose", ~np.isin(np.arange(len(table)), skin.faces), "are in no face"),
    )
    found = []
    for kind, marked, what in sought:
        vertices = np.flatnonzero(marked)
        if len(vertices):
            found.append(Finding(kind, vertices, f"{len(vertices):,} of {len(table):,} vertices {what}"))
    return tuple(found)


def _torn(skin: Skin, table: Array) -> NDArray[np.bool_]:
    surface = Surface.of(Mesh.of(skin)) if len(skin.faces) else None
    if surface is None or not len(surface.faces):
        return np.zeros(len(table), bool)
    first = np.unique(surface.place_of, return_index=True)[1]
    start, end = edges(len(first), surface.faces)
    around = np.zeros((len(first), table.shape[1]))
    np.add.at(around, start, table[first[end]])
    count = np.bincount(start, minlength=len(first))
    mean = around / np.maximum(count, 1)[:, None]
    apart = np.abs(table - mean[surface.place_of]).sum(axis=1)
    return (apart > _TORN) & (count > 0)[surface.place_of]


def _far(skin: Skin, table: Array) -> NDArray[np.bool_]:
    steps = _steps_between(skin.skeleton.parents)
    strong = table >= _STRONG
    rows, columns = np.nonzero(strong)
    first = strong.argmax(axis=1)
    apart = steps[first[rows], columns] > _FAR
    marked = np.zeros(len(table), bool)
    marked[rows[apart]] = True
    return marked


def _steps_between(parents: NDArray[np.int64]) -> NDArray[np.int64]:
    """`[joint, joint]`: how many bones lie between two joints."""
    steps = np.zeros((len(parents), len(parents)), np.int64)
    for joint, parent in enumerate(parents):
        if parent >= 0:
            steps[joint, :joint] = steps[:joint, joint] = steps[parent, :joint] + 1
    return steps

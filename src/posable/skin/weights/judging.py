"""Vertices whose weights look wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from posable.errors import SkinError
from posable.skin.binding.surface import Surface
from posable.skin.mesh import Mesh, edges
from posable.skin.skin import Skin
from posable.skin.weights.editing import weight_table
from posable.spatial import Array

Kind = Literal["many influences", "torn", "far joints", "loose"]
_TORN = 1.2  # L1 to the mean of the neighbours: more than half of the weight is elsewhere
_STRONG = 0.1  # a weight that shows
_FAR = 4  # joints between the two: an elbow and a hip, not a spine and an upper arm
_VIEWERS = 4  # influences that every engine shows


@dataclass(frozen=True, eq=False)
class Finding:
    """One kind of suspicion, the vertices it falls on, and a sentence for a person.

    Example:
        >>> for finding in posable.skin.weights.bad_vertices(figure.skins[0]):
        ...     worst = finding.kind, len(finding.vertices), finding.sentence
    """

    kind: Kind
    vertices: NDArray[np.int64]
    sentence: str


def bad_vertices(skin: Skin) -> tuple[Finding, ...]:
    """What looks wrong about a skin's weights, the worst kind first; nothing for a sound one.

    "torn": a vertex follows quite other joints than its neighbours on the surface do. "far joints": it follows two
    joints far apart in the skeleton, such as an arm and a leg. "many influences": more than engines show. "loose": it
    is in no face.
    """
    return findings(skin, Surface.of(Mesh.of(skin)) if len(skin.faces) else None)


def findings(skin: Skin, surface: Surface | None) -> tuple[Finding, ...]:
    """The same for a skin whose surface is known; None for one without faces."""
    count = len(skin.vertices)
    sought: tuple[tuple[Kind, NDArray[np.bool_], str], ...] = (
        ("torn", _torn(skin, surface), "follow other joints than the surface around them; smooth or paint them"),
        ("far joints", _far(skin), "follow joints far apart in the skeleton; prune or paint them"),
        (
            "many influences",
            (skin.weights > 0).sum(axis=1) > _VIEWERS,
            f"follow more than {_VIEWERS} joints, which many engines cut off; limit_weights chooses the strongest",
        ),
        ("loose", ~np.isin(np.arange(count), skin.faces), "are in no face"),
    )
    found = []
    for kind, marked, what in sought:
        vertices = np.flatnonzero(marked)
        if len(vertices):
            found.append(Finding(kind, vertices, f"{len(vertices):,} of {count:,} vertices {what}"))
    return tuple(found)


def _torn(skin: Skin, surface: Surface | None) -> NDArray[np.bool_]:
    if surface is None or not len(surface.faces):
        return np.zeros(len(skin.vertices), bool)
    from scipy.sparse import csr_array

    first = np.unique(surface.place_of, return_index=True)[1]
    start, end = edges(len(first), surface.faces)
    count = np.bincount(start, minlength=len(first))
    around = csr_array((1 / count[start], (start, end)), shape=(len(first), len(first)))
    apart = np.zeros(len(skin.vertices))
    for joint in skin.used_joints:  # one by one: a table of all would be large
        own = (skin.weights * (skin.joints == joint)).sum(axis=1, dtype=float)
        apart += np.abs(own - (around @ own[first])[surface.place_of])
    return (apart > _TORN) & (count > 0)[surface.place_of]


def _far(skin: Skin) -> NDArray[np.bool_]:
    steps, strong = _steps_between(skin.skeleton.parents), skin.weights >= _STRONG
    first = np.where(strong, skin.joints, len(steps)).min(axis=1, initial=len(steps))
    first = np.where(first < len(steps), first, 0)
    return np.any((steps[first[:, None], skin.joints] > _FAR) & strong, axis=1)


def _steps_between(parents: NDArray[np.int64]) -> NDArray[np.int64]:
    """`[joint, joint]`: how many bones lie between two joints."""
    steps = np.zeros((len(parents), len(parents)), np.int64)
    for joint, parent in enumerate(parents):
        if parent >= 0:
            steps[joint, :joint] = steps[:joint, joint] = steps[parent, :joint] + 1
    return steps


# Two bindings of one mesh, side by side.


@dataclass(frozen=True, eq=False)
class WeightDifference:
    """How two bindings differ.

    l1: `[vertex]` Σ |a − b| over the joints, 0 (alike) … 2 (no joint in common).
    same_dominant: `[vertex]` whether the strongest joint is the same.
    by_joint: the mean of |a − b| over all vertices, of each joint by name, the largest first.

    Example:
        >>> skin = figure.skins[0]
        >>> posable.skin.weights.compare_weights(skin, skin).mean
        0.0
    """

    l1: Array
    same_dominant: NDArray[np.bool_]
    by_joint: dict[str, float]

    @property
    def mean(self) -> float:
        """The mean L1 of a vertex."""
        return float(self.l1.mean()) if len(self.l1) else 0.0

    def describe(self) -> str:
        """One sentence for a person."""
        if not len(self.l1):
            return "no vertices to compare"
        worst = int(np.argmax(self.l1))
        return (
            f"mean L1 {self.mean:.4g} a vertex (median {np.median(self.l1):.4g}, 95th percentile"
            f" {np.percentile(self.l1, 95):.4g}, worst {self.l1[worst]:.4g} at vertex {worst});"
            f" the strongest joint is the same at {self.same_dominant.mean():.1%}"
        )


def compare_weights(one: Skin, other: Skin) -> WeightDifference:
    """How two skins of the same mesh differ; joints are matched by name, and may be in any order.

    Raises SkinError where they have not the same number of vertices.
    """
    if len(one.vertices) != len(other.vertices):
        raise SkinError(
            f"skins {one.name!r} and {other.name!r} have {len(one.vertices):,} and {len(other.vertices):,} vertices;"
            " only two bindings of one mesh can be compared (transfer_weights brings one over)"
        )
    names = list(dict.fromkeys([*one.skeleton.joints, *other.skeleton.joints]))
    tables = []
    for skin in (one, other):
        table = np.zeros((len(skin.vertices), len(names)))
        table[:, [names.index(joint) for joint in skin.skeleton.joints]] = weight_table(skin)
        tables.append(table)
    apart = np.abs(tables[0] - tables[1])
    means = apart.mean(axis=0) if len(apart) else np.zeros(len(names))
    order = np.argsort(-means, kind="stable")
    same = tables[0].argmax(axis=1) == tables[1].argmax(axis=1)
    return WeightDifference(apart.sum(axis=1), same, {names[j]: float(means[j]) for j in order if means[j] > 0})

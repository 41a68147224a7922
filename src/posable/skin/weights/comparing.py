"""Two bindings of one mesh, side by side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posable.errors import SkinError
from posable.skin.skin import Skin
from posable.skin.weights.tables import weight_table
from posable.spatial import Array


@dataclass(frozen=True, eq=False)
class WeightDifference:
    """How two bindings differ.

    l1: `[vertex]` Σ |a − b| over the joints, 0 (alike) … 2 (no joint in common).
    same_dominant: `[vertex]` whether the strongest joint is the same.
    by_joint: the mean of |a − b| over all vertices, of each joint by name, the largest first.
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

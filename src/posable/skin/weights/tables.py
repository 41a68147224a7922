"""Weights as a table of vertices and joints, and back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from posable.errors import SkinError
from posable.skin.binding.limits import strongest
from posable.skin.counts import influence_count
from posable.skin.mending import mend_weights
from posable.skin.skin import Skin
from posable.spatial import Array


def weight_table(skin: Skin) -> Array:
    """`[vertex, joint]`: how much each vertex follows each joint of the skeleton."""
    table = np.zeros((len(skin.vertices), len(skin.skeleton.joints)))
    np.add.at(table, (np.arange(len(table))[:, None], skin.joints), skin.weights)
    return table


def with_weights(skin: Skin, table: Any, influences: int | None = None) -> Skin:
    """The skin with the weights `[vertex, joint]` of a table, brought to sum 1.

    influences: the most joints that a vertex keeps, its strongest; None keeps all.
    Raises SkinError where the table does not fit the skin or a vertex has no weight.
    """
    table = np.asarray(table, float)
    wanted = (len(skin.vertices), len(skin.skeleton.joints))
    if table.shape != wanted:
        raise SkinError(f"skin {skin.name!r}: a table of weights has shape {table.shape}, not {wanted}")
    weights, notes = mend_weights(table, skin.name) if len(table) else (table, [])
    if any("no weight" in note for note in notes):
        raise SkinError(f"{next(note for note in notes if 'no weight' in note).split(' and ')[0]}; give each a joint")
    most = wanted[1] if influences is None else influence_count(influences)
    joints, few = strongest(np.asarray(weights, float), most)
    return replace(skin, joints=joints.astype(np.int32), weights=few)

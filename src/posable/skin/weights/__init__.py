"""Tools for weights that are there: limit, prune, smooth, mirror, transfer, compare, and find what is wrong."""

from posable.skin.weights.donor import skin_of_donor
from posable.skin.weights.editing import (
    limit_weights,
    mirror_weights,
    paint_weights,
    prune_weights,
    smooth_weights,
    transfer_weights,
    weight_table,
    with_weights,
)
from posable.skin.weights.judging import Finding, WeightDifference, bad_vertices, compare_weights
from posable.skin.weights.twist_joints import with_twist_joints

__all__ = [
    "Finding",
    "WeightDifference",
    "bad_vertices",
    "compare_weights",
    "limit_weights",
    "mirror_weights",
    "paint_weights",
    "prune_weights",
    "skin_of_donor",
    "smooth_weights",
    "transfer_weights",
    "weight_table",
    "with_twist_joints",
    "with_weights",
]

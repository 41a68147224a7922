"""Fewer, smoother, or mirrored weights."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from posable.errors import SkinError
from posable.skeleton import Pose
from posable.skeleton.symmetry import symmetry_of
from posable.skin.binding.limits import smoothed, strongest
from posable.skin.binding.surface import Surface
from posable.skin.counts import influence_count
from posable.skin.mesh import Mesh
from posable.skin.skin import Skin
from posable.skin.weights.nearest import nearest_on
from posable.skin.weights.tables import weight_table, with_weights

_MIDDLE = 1e-4  # of the mesh's size: what lies so near the mirror plane belongs to both sides


def limit_weights(skin: Skin, influences: int = 4) -> Skin:
    """Each vertex keeps its strongest `influences` joints, brought to sum 1. Raises SkinError for less than one."""
    columns, weights = strongest(skin.weights.astype(float), influence_count(influences))
    return replace(skin, joints=np.take_along_axis(skin.joints, columns, axis=1), weights=weights)


def prune_weights(skin: Skin, below: float = 0.01) -> Skin:
    """Weights under `below` become 0, the others are brought to sum 1; a vertex always keeps its strongest joint.

    Raises SkinError unless 0 ≤ below < 1.
    """
    if not 0 <= below < 1:
        raise SkinError(f"below is a share of a vertex's weight, at least 0 and under 1, not {below!r}")
    first = skin.weights == skin.weights.max(axis=1, keepdims=True)
    kept = np.where((skin.weights >= below) | first, skin.weights, 0).astype(float)
    columns, weights = strongest(kept, kept.shape[1])
    return replace(skin, joints=np.take_along_axis(skin.joints, columns, axis=1), weights=weights)


def smooth_weights(skin: Skin, rounds: int = 1, influences: int | None = None) -> Skin:
    """Weights after `rounds`, in each of which a vertex goes half way to the mean of its neighbours on the surface.

    influences: the most joints a vertex then keeps; None as many as it had. Vertices that lie on one another stay
    equal. Raises SkinError for fewer than 0 rounds.
    """
    if rounds < 0:
        raise SkinError(f"rounds of smoothing are at least 0, not {rounds!r}")
    surface = Surface.of(Mesh.of(skin))
    table = np.zeros((len(surface.places), len(skin.skeleton.joints)))
    np.add.at(table, surface.place_of, weight_table(skin))
    table /= np.bincount(surface.place_of)[:, None]
    kept = skin.weights.shape[1] if influences is None else influences
    return with_weights(skin, smoothed(table, surface, rounds)[surface.place_of], kept)


def mirror_weights(skin: Skin, source: Literal["left", "right"] | None = None) -> Skin:
    """Weights alike on both sides of the figure's mirror plane, at rest.

    source: the side that is copied to the other; None takes the mean of both. The other side need not have the same
    vertices: a vertex takes the weights of the place on the surface where its mirror image lies.
    Raises SkinError for another side, SkeletonError where no joint has a mirror image.
    """
    if source not in ("left", "right", None):
        raise SkinError(f"the side to copy is 'left', 'right' or None (the mean of both), not {source!r}")
    symmetry = symmetry_of(skin.skeleton)
    places = skin.deform(Pose(skin.skeleton, skin.skeleton.rest_coordinates)).astype(float)
    mesh = Mesh(places, skin.faces, skin.name)
    off = (places - symmetry.middle) @ symmetry.left
    table = weight_table(skin)
    corners, shares = nearest_on(mesh, places - 2 * off[:, None] * symmetry.left)
    image = np.einsum("vk,vkj->vj", shares, table[corners])[:, symmetry.partner]
    both = (table + image) / 2
    if source is None:
        return with_weights(skin, both, skin.weights.shape[1])
    near = np.abs(off) <= _MIDDLE * mesh.diagonal
    kept = off > 0 if source == "left" else off < 0
    chosen = np.where(kept[:, None], table, image)
    return with_weights(skin, np.where(near[:, None], both, chosen), skin.weights.shape[1])

"""Weights of one mesh for another that stands in the same place."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from posable.skin.mesh import Mesh
from posable.skin.skin import Skin
from posable.skin.weights.nearest import nearest_on
from posable.skin.weights.tables import weight_table, with_weights

_FAR = 0.05  # of the source's size: farther from its surface than this is said


def transfer_weights(skin: Skin, mesh: Any, influences: int | None = None) -> Skin:
    """`mesh` bound as `skin` is: each vertex takes the weights of the nearest place on the skin's surface, at rest.

    mesh: a Mesh, a pair (vertices, faces), or what has `.vertices` and `.faces`, in the skin's own frame and unit:
    clothes for a body, or a finer version of it.
    influences: the most joints a vertex then follows; None as many as the skin's do.
    `notes` say how many vertices are farther from the surface than a twentieth of its size.
    Raises SkinError where either has no faces.
    """
    target, source = Mesh.of(mesh), Mesh.of(skin)
    corners, shares = nearest_on(source, target.vertices)
    table = np.einsum("vk,vkj->vj", shares, weight_table(skin)[corners])
    apart = np.linalg.norm(target.vertices - np.einsum("vk,vki->vi", shares, source.vertices[corners]), axis=1)
    far = int((apart > _FAR * source.diagonal).sum())
    notes = []
    if far:
        share = apart.max() / source.diagonal
        notes.append(f"{far:,} of {len(apart):,} vertices lie far from the source, up to {share:.0%} of its size")
    empty = np.zeros((len(target.vertices), 1))
    bare = replace(
        skin,
        vertices=target.vertices.astype(np.float32),
        faces=target.faces,
        joints=empty.astype(np.int32),
        weights=np.ones_like(empty, np.float32),
        colors=target.colors,
        normals=None,
        morphs=None,
        morph_names=(),
        name=target.name or skin.name,
        notes=tuple(notes),
    )
    return with_weights(bare, table, skin.weights.shape[1] if influences is None else influences)

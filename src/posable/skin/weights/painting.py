"""Weights painted with a brush over the skin as it stands."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import SkinError
from posable.skeleton import Pose
from posable.skeleton.symmetry import symmetry_of
from posable.skin.mesh import Mesh
from posable.skin.skin import Skin
from posable.skin.weights.editing import smooth_weights, weight_table, with_weights
from posable.skin.weights.nearest import nearest_on
from posable.spatial import Array
from posable.spatial.curves import smoothstep

PaintMode = Literal["add", "subtract", "smooth"]
_BLOCK = 64  # points of a stroke at once


def paint_weights(
    skin: Skin,
    pose: Pose,
    joint: str,
    points: ArrayLike,
    radius: float,
    strength: float = 0.5,
    mode: PaintMode = "add",
    *,
    mirror: bool = False,
) -> Skin:
    """The skin after one stroke of a brush: more, less, or smoother weight of `joint` where it went.

    pose: as the figure stands. points: `[point, 3]` in the world, the path of the brush's middle. radius: of the brush,
        in lengths; its strength falls to none there without an edge. strength: 0 … 1, of the distance to all or none.
    mode: "add" brings weights nearer to 1, "subtract" nearer to 0, "smooth" nearer to the neighbours' mean (of all
        joints). What the joint gains the others lose in proportion; a vertex that follows it alone keeps it.
    mirror: the same on the other side of the figure, for the joint's mirror image.
    Raises SkinError for a brush that is none, UnknownJointError, SkeletonError where there is no mirror image.
    """
    places = np.asarray(points, float)
    if places.ndim != 2 or places.shape[1:] != (3,) or not len(places) or not np.isfinite(places).all():
        raise SkinError(f"a stroke is finite points [point, 3], at least one, not of shape {places.shape}")
    if not (0 < radius < np.inf and 0 <= strength <= 1):
        raise SkinError(f"a brush has a radius above 0 and a strength from 0 to 1, not {radius} and {strength}")
    if mode not in get_args(PaintMode):
        raise SkinError(f"a brush can {', '.join(get_args(PaintMode))}, not {mode!r}")
    index, share = skin.skeleton.index(joint), strength * _share(skin.deform(pose).astype(float), places, radius)
    strokes = [(index, share), *([_mirrored(skin, index, share)] if mirror else [])]
    table = weight_table(skin)
    for own, amount in strokes:
        table = _painted(skin, table, own, amount, mode)
    return with_weights(skin, table, max(skin.weights.shape[1], 4))


def _share(vertices: Array, points: Array, radius: float) -> Array:
    """`[vertex]` 1 under the middle of the brush, 0 from its radius on."""
    nearest = np.full(len(vertices), np.inf)
    for first in range(0, len(points), _BLOCK):
        gaps = vertices[:, None] - points[None, first : first + _BLOCK]
        nearest = np.minimum(nearest, np.linalg.norm(gaps, axis=-1).min(axis=1))
    return smoothstep(1 - nearest / radius)


def _mirrored(skin: Skin, joint: int, share: Array) -> tuple[int, Array]:
    """The joint's mirror image, and how much of the stroke every vertex has at the mirror image of its position."""
    symmetry = symmetry_of(skin.skeleton)
    rest = skin.deform(Pose(skin.skeleton, skin.skeleton.rest_coordinates)).astype(float)
    off = (rest - symmetry.middle) @ symmetry.left
    corners, shares = nearest_on(Mesh(rest, skin.faces, skin.name), rest - 2 * off[:, None] * symmetry.left)
    return int(symmetry.partner[joint]), np.einsum("vk,vk->v", shares, share[corners])


def _painted(skin: Skin, table: Array, joint: int, amount: Array, mode: PaintMode) -> Array:
    if mode == "smooth":
        smooth = weight_table(smooth_weights(with_weights(skin, table), 1))
        return table + amount[:, None] * (smooth - table)
    old = table[:, joint]
    new = old + amount * (1 - old) if mode == "add" else old * (1 - amount)
    rest = table.copy()
    rest[:, joint] = 0.0
    others = rest.sum(axis=1)
    alone = others <= 1e-9
    rest *= np.divide(1 - new, others, out=np.zeros_like(others), where=~alone)[:, None]
    rest[:, joint] = np.where(alone, old, new)
    return rest

"""Weights made fewer, smoothed, mirrored, or painted with a brush."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import SkinError
from posable.skeleton import Pose
from posable.skeleton.symmetry import symmetry_of
from posable.skin.binding.surface import Surface
from posable.skin.mending import mend_weights
from posable.skin.mesh import Mesh, influence_count, smoothed, strongest
from posable.skin.skin import Skin
from posable.skin.weights.nearest import nearest_on
from posable.spatial import Array
from posable.spatial.curves import smoothstep

# Weights as a table of vertices and joints, and back.


def weight_table(skin: Skin) -> Array:
    """`[vertex, joint]`: how much each vertex follows each joint of the skeleton.

    Example:
        >>> table = posable.skin.weights.weight_table(figure.skins[0])  # [vertex, joint]
    """
    table = np.zeros((len(skin.vertices), len(skin.skeleton.joints)))
    np.add.at(table, (np.arange(len(table))[:, None], skin.joints), skin.weights)
    return table


def with_weights(skin: Skin, table: Any, influences: int | None = None) -> Skin:
    """The skin with the weights `[vertex, joint]` of a table, brought to sum 1.

    influences: the most joints that a vertex keeps, its strongest; None keeps all.
    Raises SkinError where the table does not fit the skin or a vertex has no weight.

    Example:
        >>> table = posable.skin.weights.weight_table(figure.skins[0])
        >>> same = posable.skin.weights.with_weights(figure.skins[0], table)
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
    """Weights after `rounds`, in each of which a vertex goes halfway to the mean of its neighbours on the surface.

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
    return with_weights(skin, smoothed(table, surface.faces, rounds)[surface.place_of], kept)


def mirror_weights(skin: Skin, source: Literal["left", "right"] | None = None) -> Skin:
    """Weights alike on both sides of the figure's mirror plane, at rest.

    source: the side that is copied to the other; None takes the mean of both. The other side need not have the same
    vertices: a vertex takes the weights of the surface point where its mirror image lies.
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


# Transfer of weights to another mesh at the same position.


_FAR = 0.05  # of the source's size: larger distances from its surface are noted


def transfer_weights(skin: Skin, mesh: Any, influences: int | None = None) -> Skin:
    """`mesh` bound as `skin` is: each vertex takes the weights of the closest point on the skin's surface, at rest.

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
        uvs=None,
        look=None,
        morphs=None,
        morph_names=(),
        name=target.name or skin.name,
        notes=tuple(notes),
    )
    return with_weights(bare, table, skin.weights.shape[1] if influences is None else influences)


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

    What the joint gains the others lose in proportion; a vertex that follows it alone keeps it.

    Args:
        skin: The skin to paint on.
        pose: The pose in which `points` were taken.
        joint: Name of the joint whose weight is painted.
        points: Path of the brush's middle, `[point, 3]` in the world.
        radius: Radius of the brush, in the figure's lengths; its strength fades to zero there without an edge.
        strength: From 0 to 1; 1 goes all the distance to full weight, or to none.
        mode: "add" brings weights nearer to 1, "subtract" nearer to 0, "smooth" nearer to the neighbours' mean.
        mirror: Paint the same on the other side of the figure, for the joint's mirror image.

    Returns:
        A new skin.

    Raises:
        SkinError: For an invalid brush.
        UnknownJointError: For an unknown joint.
        SkeletonError: If `mirror` is asked for and the joint has no mirror image.

    Example:
        >>> skin, elbow = figure.skins[0], figure.rest.origins[figure.skeleton.index("forearm_r")]
        >>> painted = posable.skin.weights.paint_weights(skin, figure.rest, "forearm_r", [elbow], radius=0.05)
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

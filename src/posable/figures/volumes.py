"""Capsules and masses of a figure's bodies, from its skin or its display shapes."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from posable.errors import SkeletonError, check_kind
from posable.figures.model import Figure
from posable.figures.shapes import Shape
from posable.goals.keep_apart import Capsule
from posable.skeleton import Skeleton
from posable.skin import Skin
from posable.spatial import Array, matrix_from_wxyz

_LEAST_VERTICES = 8  # minimum vertices of a body
_BREADTH_QUANTILES = (0.05, 0.95)  # of a body's vertices, which bound its middle for any density of vertices
_COVERED_SHARE = 0.8  # share of a body's vertices inside its radius: larger bulges are ignored
SLIGHT = 0.008  # of the reach: thinner bodies, such as fingers, get no capsule


def with_capsules(figure: Figure) -> Figure:
    """Add capsules around the bodies of all joints, for self-collision avoidance with KeepApart.

    Capsules that a joint already has are kept. Other joints get one around the part of the skin that mainly follows
    them, around their display shapes if there is no skin, or around the solids that are not drawn without either.
    Bodies thinner than 0.008 of the reach get none.

    Args:
        figure: The figure.

    Returns:
        The figure with capsules.

    Raises:
        SkeletonError: If the figure has neither skin nor shapes.

    Example:
        >>> bodied = posable.with_capsules(figure)
    """
    check_kind(figure, Figure, "capsules are fitted to a Figure", "posable.load opens a file")
    skeleton = figure.skeleton
    if any(joint.capsules for joint in skeleton.definitions):
        return figure
    if figure.skins:
        points = points_by_joint(figure, worn=False)
        axes = [_axis(skeleton, j) for j in range(len(skeleton.joints))]
        found = [
            (_fitted(own, axis),) if len(own) >= _LEAST_VERTICES else () for own, axis in zip(points, axes, strict=True)
        ]
    else:
        solids = figure.shapes or figure.solids
        found = [tuple(capsule_around(s) for s in solids if s.joint == name) for name in skeleton.joints]
    kept = [tuple(c for c in own if c[6] >= SLIGHT * skeleton.reach) for own in found]
    if not any(kept):
        raise SkeletonError("neither skin nor display shapes to fit capsules to; state `capsules` of joints")
    joints = [replace(joint, capsules=own) for joint, own in zip(skeleton.definitions, kept, strict=True)]
    return figure.on(Skeleton(joints, skeleton.up))


def points_by_joint(figure: Figure, *, worn: bool = True) -> list[Array]:
    """Per joint, the skin vertices `[vertex, 3]` that mainly follow it, at rest, in its frame.

    worn: Whether to include what is worn over the body: skins that follow a single joint, such as a cape, where
    a skin that follows several joints has enough vertices.
    """
    world = figure.rest.world_from_joint
    vertices = np.concatenate([skin.deform(figure.rest) for skin in figure.skins]).astype(float)
    leading = [skin.joints[np.arange(len(skin.joints)), skin.weights.argmax(axis=1)] for skin in figure.skins]
    bends = np.concatenate([np.full(len(own), len(np.unique(own)) > 1) for own in leading])
    led = np.concatenate(leading)
    found: list[Array] = []
    for j, place in enumerate(world):
        own = led == j
        if not worn and (own & bends).sum() >= _LEAST_VERTICES:
            own &= bends
        found.append((vertices[own] - place[:3, 3]) @ place[:3, :3])
    return found


def _axis(skeleton: Skeleton, j: int) -> Array | None:
    """The direction of the bone, in the joint's frame; None if it has no unique one."""
    ends = [np.array(skeleton.definitions[k].position) for k in skeleton.children(j)]
    ends += [np.array(tip) for tip in skeleton.definitions[j].tips]
    lengths = [float(np.linalg.norm(end)) for end in ends]
    if not ends or max(lengths) < 1e-3 * skeleton.reach:
        return None
    return ends[int(np.argmax(lengths))] / max(lengths) if len(ends) == 1 else None


def _fitted(points: Array, axis: Array | None) -> Capsule:
    """The smallest capsule through the middle of the points, about the bone's axis or one of their own axes, but no
    thicker than the points are at their flattest.

    A belly is broader than it is high, wherever its bone points.
    """
    middle = np.mean(np.quantile(points, _BREADTH_QUANTILES, axis=0), axis=0)
    own = np.asarray(np.linalg.svd(points - points.mean(axis=0), full_matrices=False)[2])
    thin = float(np.ptp(np.quantile(points @ own[2], _BREADTH_QUANTILES)))  # a belt is lower than it is broad
    axes = own if axis is None else [axis, *own]
    best = min(axes, key=lambda one: _content(capsule_about(points, middle, one)))
    return capsule_about(points, middle, best, most=thin)


def capsule_about(
    points: Array, middle: Array, axis: Array, covered: float = _COVERED_SHARE, most: float = math.inf
) -> Capsule:
    """The capsule about an axis, centred there, with the required share of the points within its radius, or within
    `most`.
    """
    along = (points - middle) @ axis
    across = points - middle - along[:, None] * axis
    radius = min(float(np.quantile(np.linalg.norm(across, axis=1), covered)), most)
    low, high = float(along.min()) + radius, float(along.max()) - radius
    if low > high:
        low = high = (low + high) / 2
    return (*(middle + low * axis).tolist(), *(middle + high * axis).tolist(), radius)


def _content(capsule: Capsule) -> float:
    """Its volume divided by π."""
    return capsule[6] ** 2 * (math.dist(capsule[:3], capsule[3:6]) + 4 / 3 * capsule[6])


def capsule_around(shape: Shape) -> Capsule:
    """The capsule of a display shape: that of a box or an ellipsoid along its longest side."""
    center = np.array(shape.position)
    turn: Array = np.asarray(matrix_from_wxyz(shape.wxyz))
    if shape.kind in ("sphere", "capsule", "cylinder"):
        radius, length = (*shape.size, 0.0)[:2]
        half = length / 2 if shape.kind != "cylinder" else max(length / 2 - radius, 0.0)
        axis = turn[:, 2]
    else:
        halves = [size / (2.0 if shape.kind == "box" else 1.0) for size in shape.size]
        longest = halves.index(max(halves))
        radius = (sum(halves) - halves[longest]) / 2
        axis, half = turn[:, longest], max(halves[longest] - radius, 0.0)
    return (*(center - half * axis).tolist(), *(center + half * axis).tolist(), float(radius))


# Masses for a figure whose file states none, from the volume of its skin or display shapes.


WATER = 1000.0


def with_masses(figure: Figure, density: float = WATER) -> Figure:
    """Add a mass and a centre of mass to every joint, for Balance and Gravity.

    Masses stated by the file are kept. Other joints get those of their part of the skin, or of their display shapes if
    there is no skin.

    Args:
        figure: The figure.
        density: kg per cubic length unit of the figure (kg/m³ if its lengths are metres).

    Returns:
        The figure with masses.

    Raises:
        SkeletonError: If nothing has a volume.

    Example:
        >>> heavy = posable.with_masses(figure)
    """
    check_kind(figure, Figure, "masses are found for a Figure", "posable.load opens a file")
    if not 0 < density < math.inf:
        raise SkeletonError(f"a density must be above 0, not {density}")
    if any(joint.mass for joint in figure.skeleton.definitions):
        return figure
    moments = np.zeros((len(figure.skeleton.joints), 4))
    for skin in figure.skins:
        moments += _skin_moments(figure, skin)
    if not figure.skins:
        for shape in figure.shapes:
            volume = volume_of(shape)
            moments[figure.skeleton.index(shape.joint)] += (volume, *(volume * np.array(shape.position)))
    volumes = np.maximum(moments[:, 0], 0.0)
    if not volumes.sum() > 0:
        raise SkeletonError("neither skin nor display shapes have a volume, so masses cannot be computed; state them")
    centers = np.where(volumes[:, None] > 0, moments[:, 1:] / np.where(volumes > 0, volumes, 1.0)[:, None], 0.0)
    joints = [
        replace(joint, mass=float(density * volume), mass_center=tuple(center.tolist()))
        for joint, volume, center in zip(figure.skeleton.definitions, volumes, centers, strict=True)
    ]
    return figure.on(Skeleton(joints, figure.skeleton.up))


def _skin_moments(figure: Figure, skin: Skin) -> Array:
    """`[joint, 4]`: volume, and volume × centre in the joint's frame.

    Each triangle spans a tetrahedron with its joint's origin, so that the cut towards the parent, which has no
    triangles, adds nothing; the cuts towards children lack theirs, so all are scaled to the volume of the whole.
    """
    world = figure.rest.world_from_joint
    corners = skin.deform(figure.rest).astype(float)[skin.faces]  # [face, 3, 3]
    total = abs(np.linalg.det(corners - corners.mean(axis=(0, 1))).sum() / 6)
    shares = np.zeros((len(skin.vertices), len(world)))
    np.add.at(shares, (np.arange(len(shares))[:, None], skin.joints), skin.weights)
    of_face = shares[skin.faces].mean(axis=1)
    moments = np.zeros((len(world), 4))
    for j in np.flatnonzero(of_face.any(axis=0)):
        own = np.flatnonzero(of_face[:, j])
        local = (corners[own] - world[j, :3, 3]) @ world[j, :3, :3]
        volumes = of_face[own, j] * np.linalg.det(local) / 6
        moments[j, 0] = volumes.sum()
        moments[j, 1:] = volumes @ (local.sum(axis=1) / 4)
    moments *= np.sign(moments[:, 0].sum()) or 1.0  # faces may have either winding
    whole = np.maximum(moments[:, 0], 0.0).sum()
    return moments * (total / whole) if whole > 0 else moments


def volume_of(shape: Shape) -> float:
    """The volume of a display shape."""
    size = shape.size
    if shape.kind == "box":
        return size[0] * size[1] * size[2]
    if shape.kind == "sphere":
        return 4 / 3 * math.pi * size[0] ** 3
    if shape.kind == "ellipsoid":
        return 4 / 3 * math.pi * size[0] * size[1] * size[2]
    round_ends = 4 / 3 * math.pi * size[0] ** 3 if shape.kind == "capsule" else 0.0
    return math.pi * size[0] ** 2 * size[1] + round_ends

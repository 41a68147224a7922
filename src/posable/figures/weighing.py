"""Masses for a figure whose file states none, from the volume of its skin or display shapes."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from posable.errors import SkeletonError
from posable.figures.figure import Figure
from posable.figures.shapes import Shape
from posable.skeleton import Skeleton
from posable.skin import Skin
from posable.spatial import Array

WATER = 1000.0


def weighed(figure: Figure, density: float = WATER) -> Figure:
    """The figure with a mass and a centre of mass for every joint, as Balance needs them.

    Where a file states masses they stay; else each joint gets those of its part of the skin, or of its display shapes
    where there is no skin. density: kg per cubic length unit of the figure (its lengths taken as metres).
    Raises SkeletonError where nothing has a volume.
    """
    if not 0 < density < math.inf:
        raise SkeletonError(f"a density must be above 0, not {density}")
    if any(joint.mass for joint in figure.skeleton.definitions):
        return figure
    moments = np.zeros((len(figure.skeleton.joints), 4))
    for skin in figure.skins:
        moments += _skin_moments(figure, skin)
    if not figure.skins:
        for shape in figure.shapes:
            volume = _volume(shape)
            moments[figure.skeleton.index(shape.joint)] += (volume, *(volume * np.array(shape.position)))
    volumes = np.maximum(moments[:, 0], 0.0)
    if not volumes.sum() > 0:
        raise SkeletonError("neither skin nor display shapes have a volume, so nothing can be weighed; state masses")
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
        local = (corners - world[j, :3, 3]) @ world[j, :3, :3]
        volumes = of_face[:, j] * np.linalg.det(local) / 6
        moments[j, 0] = volumes.sum()
        moments[j, 1:] = volumes @ (local.sum(axis=1) / 4)
    moments *= np.sign(moments[:, 0].sum()) or 1.0  # faces may be wound either way
    whole = np.maximum(moments[:, 0], 0.0).sum()
    return moments * (total / whole) if whole > 0 else moments


def _volume(shape: Shape) -> float:
    size = shape.size
    if shape.kind == "box":
        return size[0] * size[1] * size[2]
    if shape.kind == "sphere":
        return 4 / 3 * math.pi * size[0] ** 3
    if shape.kind == "ellipsoid":
        return 4 / 3 * math.pi * size[0] * size[1] * size[2]
    round_ends = 4 / 3 * math.pi * size[0] ** 3 if shape.kind == "capsule" else 0.0
    return math.pi * size[0] ** 2 * size[1] + round_ends

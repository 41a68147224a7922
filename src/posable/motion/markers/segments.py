"""A figure with other segment lengths: each body, and its mirror image, has one factor."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.errors import SkeletonError
from posable.figures import Figure
from posable.skeleton import Joint, Skeleton, symmetry_of
from posable.skin import Skin
from posable.spatial import Array

Indices = NDArray[np.int64]


def length_groups(skeleton: Skeleton, carriers: Indices) -> Indices:
    """`[joint]`: which length factor a body has, -1 where no marker of the `carriers` tells of it.

    Only bodies between the root and a carrier show their length; left and right share one factor.
    """
    told = {int(skeleton.parents[i]) for j in carriers for i in skeleton.chain(int(j))[1:]}
    try:
        partner = symmetry_of(skeleton).partner
    except SkeletonError:
        partner = np.arange(len(skeleton.joints))
    first = np.minimum(partner, np.arange(len(partner)))
    firsts = sorted({int(first[body]) for body in told})
    return np.array([firsts.index(int(one)) if one in firsts else -1 for one in first], np.int64)


def body_factors(skeleton: Skeleton, groups: Indices, factors: Array, overall: float) -> Array:
    """`[joint]`: every body's factor; one that no marker tells of has that of the body above it."""
    found = np.empty(len(groups))
    for j, group in enumerate(groups):
        parent = int(skeleton.parents[j])
        found[j] = factors[group] if group >= 0 else overall if parent < 0 else found[parent]
    return found


def stretched_skeleton(skeleton: Skeleton, factors: Array) -> Skeleton:
    """The skeleton with every body's lengths times its factor `[joint]`."""
    parents = skeleton.parents
    joints = [
        _stretched(joint, float(factors[j]), float(factors[parents[j]]) if parents[j] >= 0 else 1.0)
        for j, joint in enumerate(skeleton.definitions)
    ]
    return Skeleton(joints, skeleton.up)


def stretched_figure(figure: Figure, factors: Array) -> Figure:
    """The figure with skins and shapes to match; its file is left behind, its clips keep their coordinates."""
    skeleton = stretched_skeleton(figure.skeleton, factors)
    shapes = []
    for shape in figure.shapes:
        own = float(factors[skeleton.index(shape.joint)])
        place = (own * shape.position[0], own * shape.position[1], own * shape.position[2])
        shapes.append(replace(shape, size=tuple(own * s for s in shape.size), position=place))
    return replace(
        figure,
        skeleton=skeleton,
        skins=tuple(_stretched_skin(skin, skeleton, factors) for skin in figure.skins),
        clips=tuple(Clip(skeleton, clip.q, clip.fps, clip.name, clip.events) for clip in figure.clips),
        shapes=tuple(shapes),
        source=None,
    )


def unlimited(skeleton: Skeleton) -> Skeleton:
    """The skeleton whose joints turn and slide as far as anybody likes."""
    joints = [
        replace(joint, cone=None, axes=tuple(replace(axis, lower=-np.inf, upper=np.inf) for axis in joint.axes))
        for joint in skeleton.definitions
    ]
    return Skeleton(joints, skeleton.up)


def _stretched(joint: Joint, own: float, above: float) -> Joint:
    def times(factor: float, values: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(factor * x for x in values)

    return replace(
        joint,
        position=times(above, joint.position),
        anchor=times(own, joint.anchor),
        mass_center=times(own, joint.mass_center),
        tips=tuple(times(own, tip) for tip in joint.tips),
        capsules=tuple(times(own, capsule) for capsule in joint.capsules),
        axes=tuple(replace(axis, anchor=times(own, axis.anchor)) for axis in joint.axes),
    )


def _stretched_skin(skin: Skin, skeleton: Skeleton, factors: Array) -> Skin:
    """Vertices follow their bodies, as they were bound, to the new lengths."""
    bind = np.linalg.inv(skin.inverse_bind)
    moved = bind.copy()
    for j, parent in enumerate(skeleton.parents):
        if parent >= 0:
            step = factors[parent] * (bind[j, :3, 3] - bind[parent, :3, 3])
            moved[j, :3, 3] = moved[parent, :3, 3] + step
    sizes = np.ones((len(factors), 4))
    sizes[:, :3] = factors[:, None]
    new_from_old = moved @ (sizes[:, :, None] * skin.inverse_bind)
    matrices = new_from_old[skin.joints]
    points = np.concatenate([skin.vertices, np.ones((len(skin.vertices), 1))], axis=1)
    vertices = np.einsum("vk,vkij,vj->vi", skin.weights, matrices[:, :, :3], points)
    grown = np.einsum("vk,vkij->vij", skin.weights, matrices[:, :, :3, :3])
    return replace(
        skin,
        skeleton=skeleton,
        vertices=vertices.astype(np.float32),
        inverse_bind=np.linalg.inv(moved),
        normals=None,
        morphs=None if skin.morphs is None else np.einsum("vij,tvj->tvi", grown, skin.morphs),
    )

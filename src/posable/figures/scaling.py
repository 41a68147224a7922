"""A figure in another length unit."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from posable.errors import SkeletonError
from posable.figures.figure import Clips, Figure
from posable.figures.shapes import Shape
from posable.skeleton import Axis, Joint, Skeleton
from posable.skin import Skin

UNITS = {"m": 1.0, "dm": 0.1, "cm": 0.01, "mm": 0.001, "in": 0.0254, "inch": 0.0254, "ft": 0.3048}


def scaled(figure: Figure, factor: float) -> Figure:
    """The figure with every length multiplied by `factor`; angles and poses stay.

    What the file was is left behind. Raises SkeletonError unless factor is above 0.
    """
    if not 0 < factor < math.inf:
        raise SkeletonError(f"a scale must be above 0, not {factor}")
    definitions = figure.skeleton.definitions
    slides = {(joint.name, k): axis.slide for joint in definitions for k, axis in enumerate(joint.axes)}
    skeleton = Skeleton([_scaled_joint(joint, factor, slides) for joint in definitions], figure.skeleton.up)
    stretch = _lengths(figure.skeleton, factor)
    return replace(
        figure,
        skeleton=skeleton,
        skins=tuple(_scaled_skin(skin, skeleton, factor) for skin in figure.skins),
        clips=Clips(replace(clip, skeleton=skeleton, q=clip.q * stretch) for clip in figure.clips),
        shapes=tuple(_scaled_shape(shape, factor) for shape in figure.shapes),
        source=None,
    )


def _lengths(skeleton: Skeleton, factor: float) -> np.ndarray:
    """`[coordinates]`: factor where a coordinate is a length, else 1."""
    return np.array(
        [factor if is_length else 1.0 for joint in skeleton.definitions for is_length in _coordinate_lengths(joint)]
    )


def _coordinate_lengths(joint: Joint) -> tuple[bool, ...]:
    """As `Joint.slides`, but per coordinate: a quaternion has one more."""
    return (*joint.slides, False) if joint.kind in ("ball", "free") else joint.slides


def _scaled_joint(joint: Joint, factor: float, slides: Mapping[tuple[str, int], bool]) -> Joint:
    def longer(point: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(factor * x for x in point)

    def stretched(values: tuple[float, ...] | None, lengths: list[bool]) -> tuple[float, ...] | None:
        return values and tuple(x * (factor if long else 1.0) for x, long in zip(values, lengths, strict=True))

    lengths = list(_coordinate_lengths(joint))  # per coordinate; the first ones of a joint are also those per freedom
    pairs = joint.comfort and [stretched(pair, [lengths[k]] * 2) for k, pair in enumerate(joint.comfort)]
    return replace(
        joint,
        position=longer(joint.position),
        anchor=longer(joint.anchor),
        mass_center=longer(joint.mass_center),
        tips=tuple(longer(tip) for tip in joint.tips),
        capsules=tuple(longer(capsule) for capsule in joint.capsules),
        axes=tuple(_scaled_axis(axis, factor, slides) for axis in joint.axes),
        rest=stretched(joint.rest, lengths),
        comfort=pairs,
        ease=joint.ease * (factor if any(axis.slide for axis in joint.axes) else 1.0),
    )


def _scaled_axis(axis: Axis, factor: float, slides: Mapping[tuple[str, int], bool]) -> Axis:
    own = factor if axis.slide else 1.0
    follow = axis.follow
    if follow is not None:
        other = factor if slides[follow.joint, follow.axis] else 1.0
        follow = replace(follow, gain=follow.gain * own / other, offset=follow.offset * own)
    return replace(
        axis,
        anchor=tuple(factor * x for x in axis.anchor),
        lower=axis.lower * own,
        upper=axis.upper * own,
        reference=axis.reference * own,
        follow=follow,
    )


def _scaled_skin(skin: Skin, skeleton: Skeleton, factor: float) -> Skin:
    inverse_bind = np.array(skin.inverse_bind)
    inverse_bind[:, :3, 3] *= factor
    size = np.float32(factor)
    morphs = None if skin.morphs is None else skin.morphs * size
    return replace(skin, skeleton=skeleton, vertices=skin.vertices * size, inverse_bind=inverse_bind, morphs=morphs)


def _scaled_shape(shape: Shape, factor: float) -> Shape:
    position = tuple(factor * x for x in shape.position)
    return replace(shape, size=tuple(factor * s for s in shape.size), position=position)

"""Scales and rotates figures, and builds them from learnt weights."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from posable.clips import Clip
from posable.errors import SkeletonError
from posable.figures.model import Clips, Figure
from posable.figures.shapes import Shape
from posable.skeleton import Axis, Joint, Skeleton
from posable.skeleton.joint import packed_habits
from posable.skin import Skin
from posable.spatial import wxyz_from_matrix, wxyz_multiply

if TYPE_CHECKING:
    from posable.skin import LearntSkin


UNITS = {"m": 1.0, "dm": 0.1, "cm": 0.01, "mm": 0.001, "in": 0.0254, "inch": 0.0254, "ft": 0.3048}


def scaled(figure: Figure, factor: float) -> Figure:
    """Scale a figure; angles and poses stay.

    Args:
        figure: The figure; its `source` is dropped.
        factor: Factor of all lengths, above 0.

    Returns:
        The scaled figure.

    Raises:
        SkeletonError: If `factor` is not above 0.

    Example:
        >>> giant = posable.figures.scaled(figure, 10.0)
    """
    if not 0 < factor < math.inf:
        raise SkeletonError(f"a scale must be above 0, not {factor}")
    definitions = figure.skeleton.definitions
    slides = {(joint.name, k): axis.slide for joint in definitions for k, axis in enumerate(joint.axes)}
    skeleton = Skeleton([_scaled_joint(joint, factor, slides) for joint in definitions], figure.skeleton.up)
    stretch = coordinate_factors(figure.skeleton, factor)
    return replace(
        figure,
        skeleton=skeleton,
        skins=tuple(_scaled_skin(skin, skeleton, factor) for skin in figure.skins),
        clips=Clips(replace(clip, skeleton=skeleton, q=clip.q * stretch) for clip in figure.clips),
        shapes=tuple(_scaled_shape(shape, factor) for shape in figure.shapes),
        solids=tuple(_scaled_shape(shape, factor) for shape in figure.solids),
        source=None,
    )


def coordinate_factors(skeleton: Skeleton, factor: float) -> np.ndarray:
    """`[coordinates]`: factor where a coordinate is a length, else 1."""
    return np.array(
        [factor if is_length else 1.0 for joint in skeleton.definitions for is_length in _coordinate_lengths(joint)]
    )


def _coordinate_lengths(joint: Joint) -> tuple[bool, ...]:
    """As `Joint.slides`, but per coordinate: a quaternion has one more."""
    return (*joint.slides, False) if joint.has_quaternion else joint.slides


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
        habits=packed_habits(joint.usual * np.where(joint.slides, factor, 1.0)) if joint.habits else "",
        ease=joint.ease * (factor if any(axis.slide for axis in joint.axes) else 1.0),
    )


def _scaled_axis(axis: Axis, factor: float, slides: Mapping[tuple[str, int], bool]) -> Axis:
    own = factor if axis.slide else 1.0
    follow = axis.follow
    if follow is not None:
        other = factor if slides.get((follow.joint, follow.axis)) else 1.0  # a ball has no axis
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


# Another up axis.


_Y_FROM_Z = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])


def with_up_axis(figure: Figure, up: Literal["y", "z"]) -> Figure:
    """Rotate a figure about x so that another axis points up; what it looks like, its angles and clips stay.

    Args:
        figure: The figure; its `source` is dropped if it is rotated.
        up: The axis that points up.

    Returns:
        The rotated figure, or the figure itself if that axis points up already.

    Example:
        >>> arm = posable.figures.with_up_axis(posable.figure("arm6"), "y")
        >>> arm.skeleton.up
        'y'
    """
    if figure.skeleton.up == up:
        return figure
    return rotated(figure, _Y_FROM_Z if up == "y" else _Y_FROM_Z.T, up)


def rotated(figure: Figure, turn: np.ndarray, up: Literal["y", "z"]) -> Figure:
    """The figure and its clips in a rotated world. turn: `[3, 3]`. up: the axis that points up then."""
    skeleton = Skeleton([_turned_joint(joint, turn) for joint in figure.skeleton.definitions], up)
    return replace(
        figure,
        skeleton=skeleton,
        skins=tuple(_turned_skin(skin, skeleton, turn) for skin in figure.skins),
        clips=Clips(replace(clip, skeleton=skeleton, q=rotated_roots(skeleton, clip.q, turn)) for clip in figure.clips),
        source=None,
    )


def _turned_joint(joint: Joint, turn: np.ndarray) -> Joint:
    """A root joint in the rotated world; other joints unchanged."""
    if joint.parent is not None:
        return joint
    x, y, z = (turn @ joint.position).tolist()
    rest = joint.rest
    if rest is not None and joint.floating:
        rest = tuple(_turned_frames(np.array(rest), turn).tolist())
    return replace(joint, position=(x, y, z), wxyz=tuple(_turned_wxyz(np.array(joint.wxyz), turn).tolist()), rest=rest)


def _turned_wxyz(wxyz: np.ndarray, turn: np.ndarray) -> np.ndarray:
    return wxyz_multiply(wxyz_from_matrix(turn), wxyz)


def _turned_frames(q: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """`[..., 7]` positions and rotations in the rotated world."""
    return np.concatenate([q[..., :3] @ turn.T, _turned_wxyz(q[..., 3:7], turn)], axis=-1)


def rotated_roots(skeleton: Skeleton, q: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """`[..., coordinate]` with the roots that move freely in the rotated world."""
    q = np.array(q)
    for joint, first in zip(skeleton.definitions, skeleton.tables.first_coordinate, strict=False):
        if joint.parent is None and joint.floating:
            q[..., first : first + 7] = _turned_frames(q[..., first : first + 7], turn)
    return q


def _turned_skin(skin: Skin, skeleton: Skeleton, turn: np.ndarray) -> Skin:
    inverse_bind = np.array(skin.inverse_bind)
    inverse_bind[:, :3, :3] = inverse_bind[:, :3, :3] @ turn.T

    def turned(vectors: np.ndarray | None) -> Any:
        return None if vectors is None else (vectors @ turn.T).astype(np.float32)

    vertices, normals, morphs = turned(skin.vertices), turned(skin.normals), turned(skin.morphs)
    return replace(
        skin, skeleton=skeleton, vertices=vertices, normals=normals, morphs=morphs, inverse_bind=inverse_bind
    )


# Figures learnt from example poses of a mesh.


def figure_from_examples(learnt: LearntSkin, fps: float = 30.0) -> Figure:
    """Build a figure from learnt weights: skeleton, skin, and the example poses as the clip "examples".

    Args:
        learnt: Result of `posable.weights_from_examples`.
        fps: Frame rate of the clip.

    Returns:
        The figure; `posable.save(path, figure, figure.clips[0])` writes it to a file.

    Raises:
        PoseError: If `fps` is not above 0.

    Example:
        >>> rest = np.random.default_rng(0).uniform(-1, 1, (60, 3))
        >>> frames = np.stack([rest, rest + (rest[:, :1] > 0) * (0.0, 0.3, 0.0)])
        >>> moved = posable.figure_from_examples(posable.weights_from_examples(rest, frames, joints=2), fps=30)
    """
    clip = Clip(learnt.skeleton, learnt.q, fps, name="examples")
    return Figure(learnt.skeleton, learnt.skin.name, skins=(learnt.skin,), clips=Clips([clip]))

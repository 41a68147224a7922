"""Scales, rotates and merges figures, and builds them from learnt weights."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
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


# Merging figures, to draw or solve them together.


Point = tuple[float, float, float]


def merge_figures(figures: Mapping[str, Figure], offsets: Mapping[str, Point] | None = None) -> Figure:
    """Merge several figures into one, such as a creature and the cube that it chases.

    The joint "head" of "snake" becomes "snake/head". Coordinates are concatenated in order, so poses of figures with
    fixed roots are merged by `np.concatenate([q, ...], axis=-1)`. Clips and sources are dropped.

    Args:
        figures: {prefix: figure}.
        offsets: {prefix: displacement `[3]` from the figure's own position}; default 0. A free root is moved in the
        rest
            pose; its coordinates remain those of the world.

    Returns:
        The merged figure.

    Raises:
        SkeletonError: For no figures, an unknown prefix in `offsets`, or figures with different up axes.
    """
    offsets = offsets or {}
    if not figures or set(offsets) - set(figures):
        raise SkeletonError(f"merge_figures needs figures, and offsets only of these, not {sorted(set(offsets))}")
    if len({one.skeleton.up for one in figures.values()}) > 1:
        raise SkeletonError(
            "figures with different up axes cannot be merged; `posable.figures.with_up_axis` rotates one of them"
        )
    joints: list[Joint] = []
    shapes: list[Shape] = []
    solids: list[Shape] = []
    for name, one in figures.items():
        one = with_joint_names(one, f"{name}/{{}}".format)
        joints += [_moved(j, offsets.get(name)) for j in one.skeleton.definitions]
        shapes += one.shapes
        solids += one.solids
    skeleton = Skeleton(joints, next(iter(figures.values())).skeleton.up)
    firsts = np.cumsum([0, *(len(one.skeleton.joints) for one in figures.values())])
    skins = [
        _on(skin, skeleton, int(first))
        for one, first in zip(figures.values(), firsts[:-1], strict=True)
        for skin in one.skins
    ]
    return Figure(skeleton, " and ".join(figures), tuple(skins), shapes=tuple(shapes), solids=tuple(solids))


def with_joint_names(figure: Figure, name: Callable[[str], str]) -> Figure:
    """The figure with other names of its joints; clips and source are dropped. name: from the old name to the new."""
    old = figure.skeleton
    skeleton = Skeleton([_renamed(joint, name) for joint in old.definitions], old.up)
    shapes, solids = (
        tuple(replace(one, joint=name(old.joints[old.index(one.joint)])) for one in own)
        for own in (figure.shapes, figure.solids)
    )
    skins = tuple(replace(skin, skeleton=skeleton) for skin in figure.skins)
    return Figure(skeleton, figure.name, skins, shapes=shapes, solids=solids)


def _renamed(joint: Joint, name: Callable[[str], str]) -> Joint:
    axes = tuple(
        a if a.follow is None else replace(a, follow=replace(a.follow, joint=name(a.follow.joint))) for a in joint.axes
    )
    parent = None if joint.parent is None else name(joint.parent)
    return replace(joint, name=name(joint.name), parent=parent, axes=axes, aliases=tuple(map(name, joint.aliases)))


def _moved(joint: Joint, offset: Point | None) -> Joint:
    """A root joint moved by an offset; other joints unchanged."""
    if joint.parent is not None or offset is None:
        return joint
    x, y, z = np.add(joint.position, offset).tolist()
    if not joint.floating or joint.rest is None:
        return replace(joint, position=(x, y, z))
    return replace(joint, position=(x, y, z), rest=(*np.add(joint.rest[:3], offset).tolist(), *joint.rest[3:]))


def _on(skin: Skin, skeleton: Skeleton, first: int) -> Skin:
    """The skin on the joints from `first` on."""
    inverse_bind = np.tile(np.eye(4), (len(skeleton.joints), 1, 1))
    inverse_bind[first : first + len(skin.inverse_bind)] = skin.inverse_bind
    return replace(
        skin, skeleton=skeleton, joints=skin.joints + np.int32(first), inverse_bind=inverse_bind, scales=None
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

"""A figure: a skeleton with skins, shapes and clips, read from a file or built by code."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from posable.clips import Clip
from posable.errors import PosableError, SkeletonError
from posable.figures.shapes import Shape
from posable.skeleton import Joint, Pose, Skeleton
from posable.skeleton.body_roles.skeleton_facts import Seen
from posable.skin import Skin
from posable.skin.bound_frames import bound_frames
from posable.spatial import Array, apply_transform, wxyz_multiply

_LEAST_CHANGE = 1e-6  # of a coordinate over a clip; if smaller, it is constant
_MIRRORED = 0.9  # of the weights
_SAMPLED_FRAMES = 48  # of the first clip, to see how the body moves


class Clips(tuple[Clip, ...]):
    """Clips by number or by name.

    Example:
        >>> knight = posable.load(posable.sample("knight.glb"))
        >>> knight.clips[0] is knight.clips[knight.clips[0].name]
        True
    """

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, str):
            return super().__getitem__(key)
        for clip in self:
            if clip.name == key:
                return clip
        names = ", ".join(clip.name for clip in self)
        raise PosableError(f"no clip is called {key!r}; {f'the clips are {names}' if names else 'the figure has none'}")


@dataclass(frozen=True, eq=False)
class Figure:
    """A skeleton with skins, display shapes and clips.

    Args:
        skeleton: The skeleton.
        name: Name of the figure.
        skins: Meshes bound to the skeleton.
        clips: Motions of the skeleton, by number or by name.
        shapes: Simple solids for display, each fixed to a joint.
        notes: Repairs and omissions of the reader, one sentence each.
        source: The file's content for the writer of its own format, so that saving keeps everything else; opaque to all
            other code.
        solids: Simple solids that are not drawn: a robot's bodies whose meshes are missing, for collision avoidance.
        played: Name of the clip that the file states to be its motion, "" if it states none: the one that posable wrote
            into a glTF or VRM, the current take of an FBX, the animation that a USD file plays.

    Raises:
        UnknownJointError: For a shape on an unknown joint.
        PosableError: For a skin or clip of another skeleton.

    Example:
        >>> bare = posable.Figure(figure.skeleton, "bones")
    """

    skeleton: Skeleton
    name: str = ""
    skins: tuple[Skin, ...] = ()
    clips: Clips = field(default_factory=Clips)
    shapes: tuple[Shape, ...] = ()
    notes: tuple[str, ...] = ()
    source: Any = field(default=None, repr=False)
    solids: tuple[Shape, ...] = ()
    played: str = ""

    def __post_init__(self) -> None:
        for key in ("skins", "shapes", "solids", "notes"):
            object.__setattr__(self, key, tuple(getattr(self, key)))
        object.__setattr__(self, "clips", Clips(self.clips))
        for shape in (*self.shapes, *self.solids):
            self.skeleton.index(shape.joint)
        for skin in self.skins:
            if len(skin.inverse_bind) != len(self.skeleton.joints):
                raise PosableError(f"skin {skin.name!r} is bound to another skeleton than the figure's")
        for clip in self.clips:
            if not self.skeleton.shares_poses(clip.skeleton):
                raise PosableError(f"clip {clip.name!r} moves another skeleton than the figure's")
        known = self.skeleton.seen
        if (any(not skin.automatic for skin in self.skins) and known.weights is None) or (
            self.clips and known.moving is None
        ):
            self.skeleton.notice(_seen(self, known))

    @cached_property
    def rest(self) -> Pose:
        """The rest pose."""
        return Pose(self.skeleton, self.skeleton.rest_coordinates)

    @property
    def main_clip(self) -> Clip | None:
        """The clip called `played`, or else the first; None without clips."""
        first = next(iter(self.clips), None)
        return next((clip for clip in self.clips if clip.name == self.played), first)

    @cached_property
    def height(self) -> float:
        """Extent of skins, joints, tips and shapes' centres along the up axis at rest, in the file's unit."""
        positions = [self.rest.origins, *(skin.deform(self.rest) for skin in self.skins), *self._marks]
        along = np.concatenate([position[:, "xyz".index(self.skeleton.up)] for position in positions])
        return float(along.max() - along.min())

    @property
    def _marks(self) -> list[Array]:
        """Tips and shapes' centres in the world at rest, each `[1, 3]`."""
        marks = [(i, tip) for i, joint in enumerate(self.skeleton.definitions) for tip in joint.tips]
        marks += [(self.skeleton.index(shape.joint), shape.position) for shape in self.shapes]
        return [apply_transform(self.rest.world_from_joint[i], point)[None] for i, point in marks]

    def with_root(self, kind: Literal["free", "fixed"]) -> Figure:
        """The same figure with its root joint free to move, or fixed at rest.

        If this changes the root, the clips lose its motion, but for the rotations of a ball joint that becomes free.

        Args:
            kind: "free" or "fixed".

        Raises:
            SkeletonError: For another kind, or a root that is neither free nor fixed, nor a ball joint to be free.
        """
        if kind not in ("free", "fixed"):
            raise SkeletonError(f"a root is 'free' or 'fixed', not {kind!r}")
        return self.on(_with_root(self.skeleton, kind), coordinates=True)

    def on(self, skeleton: Skeleton, *, coordinates: bool = False) -> Figure:
        """The same figure on another skeleton with the same joints in the same order.

        coordinates: convert the clips' coordinates for joints whose kind has changed.
        """
        clips: Iterable[Clip] = self.clips
        if skeleton.shares_poses(self.skeleton):
            clips = [replace(c, skeleton=skeleton) for c in self.clips]
        elif coordinates:
            clips = [
                replace(c, skeleton=skeleton, q=_moved_coordinates(self.skeleton, skeleton, c.q)) for c in self.clips
            ]
        return replace(
            self, skeleton=skeleton, skins=tuple(skin.on(skeleton) for skin in self.skins), clips=Clips(clips)
        )


def _seen(figure: Figure, known: Seen) -> Seen:
    """The evidence of a skeleton's first skins and clips for each joint."""
    count, first = len(figure.skeleton.joints), figure.skeleton.tables.first_coordinate
    weights: Array | None = np.zeros(count)
    moving = np.zeros(len(figure.skeleton.rest_coordinates), bool)
    skins = [skin for skin in figure.skins if not skin.automatic]
    for skin in skins:
        weights += np.bincount(skin.joints.ravel(), skin.weights.ravel(), count)
    for clip in figure.clips:
        moving |= np.ptp(clip.q, axis=0) > _LEAST_CHANGE
    moved = np.array([moving[a:b].any() for a, b in pairwise(first)], bool)
    if not skins or known.weights is not None:
        weights, bound, mirrored = known.weights, known.bound, known.mirrored
    else:
        bound, mirrored = bound_frames(skins, count), _is_mirrored(skins)
    if not figure.clips or known.moving is not None:
        return replace(known, weights=weights, bound=bound, mirrored=mirrored)
    skeleton, q = figure.skeleton, figure.clips[0].q
    some = q[np.linspace(0, len(q) - 1, min(len(q), _SAMPLED_FRAMES)).round().astype(int)]
    return Seen(weights, moved, partial(_frames, skeleton, some), bound, mirrored)


def _is_mirrored(skins: list[Skin]) -> bool:
    """Whether nearly all of the surface is mirrored from where it was modelled: not a limb copied to the other side."""
    weights = [np.bincount(skin.joints.ravel(), skin.weights.ravel(), len(skin.inverse_bind)) for skin in skins]
    turned = [
        float(own[np.linalg.det(skin.inverse_bind[:, :3, :3]) < 0].sum())
        for own, skin in zip(weights, skins, strict=True)
    ]
    return sum(turned) > _MIRRORED * sum(float(own.sum()) for own in weights)


def _frames(skeleton: Skeleton, q: Array) -> Array:
    return Pose.trusted(skeleton, q).world_from_joint


def _with_root(skeleton: Skeleton, kind: Literal["free", "fixed"]) -> Skeleton:
    root = skeleton.definitions[0]
    if root.kind == kind:
        return skeleton
    ball = _rotates_only(root) and kind == "free" and root.cone is None
    if root.kind not in ("free", "fixed") and not ball:
        raise SkeletonError(f"the root {root.name!r} is a {root.kind} joint; only a fixed or free one can be changed")
    position, wxyz = (root.rest[:3], root.rest[3:]) if root.rest and not ball else (root.position, root.wxyz)
    if ball and root.rest:
        wxyz = tuple(wxyz_multiply(root.wxyz, root.rest).tolist())
    changed: Joint = replace(root, kind=kind, position=position, wxyz=wxyz, rest=None, active=None, comfort=None)
    return Skeleton((changed, *skeleton.definitions[1:]), skeleton.up)


def _rotates_only(joint: Joint) -> bool:
    return joint.manifold.rotation and not joint.manifold.position


def _moved_coordinates(before: Skeleton, after: Skeleton, q: np.ndarray) -> np.ndarray:
    """Frames of `before` on `after`, which differs only in its root."""
    first, root = after.tables.first_coordinate[1], before.definitions[0]
    own = np.broadcast_to(after.rest_coordinates[:first], (len(q), first))
    if _rotates_only(root):
        own = np.concatenate([own[:, :3], wxyz_multiply(root.wxyz, q[:, :4])], axis=1)
    return np.concatenate([own, q[:, before.tables.first_coordinate[1] :]], axis=1)

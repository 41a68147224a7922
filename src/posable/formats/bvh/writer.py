"""Writes a figure's motion as the text of a BVH file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from posable.clips import Clip
from posable.errors import PoseError
from posable.figures import Figure
from posable.files import free_name
from posable.formats.bvh.motion import SINGLE_FRAME_FPS
from posable.formats.bvh.positions import Positions, usual_bone
from posable.skeleton import Pose, Skeleton
from posable.skeleton.coordinates import rest_of
from posable.spatial import Array, euler_from_matrix

_TURNS = ("zrot", "xrot", "yrot")
_POSITIONS = ("xpos", "ypos", "zpos")
_SAME_POSITION = 1e-9  # of the figure's size: a joint that stays closer to its OFFSET needs no position channels
_DEEPEST_INDENT = 40


@dataclass(frozen=True)
class Layout:
    """What is kept of a BVH that was read: each joint's channels, and the joints with displacements for positions."""

    channels: tuple[tuple[str, ...], ...]
    displaced: frozenset[int] = frozenset()


@dataclass(frozen=True)
class _Frames:
    """A motion in BVH's convention: each joint's frame is aligned with the world at rest.

    positions [frame, joint, 3]: in the parent's frame (roots: the world). rotations [frame, joint, 3, 3]: relative to
    the parent. offsets [joint, 3]: the positions at rest. tips: per joint, the end sites.
    """

    positions: Array
    rotations: Array
    offsets: Array
    tips: tuple[Array, ...]
    fps: float


def bvh_text(figure: Figure, motion: Pose | Clip | None) -> str:
    """The whole file; see `posable.formats.bvh.write`."""
    poses, fps = _poses(figure, motion)
    frames = _in_bvh_frames(figure, poses, fps)
    frames, layout = _readable(frames, _layout(figure, frames), figure.skeleton)
    order = _depth_first(figure.skeleton)
    lines = ["HIERARCHY", *_hierarchy(figure.skeleton, frames, layout, order), "MOTION"]
    lines += [f"Frames: {len(frames.positions)}", f"Frame Time: {_frame_time(fps)}"]
    values = _values(frames, layout, order, figure.skeleton)
    row = " ".join(["%.10g"] * values.shape[1])
    lines += [row % tuple(one) for one in values.tolist()]
    return "\n".join(lines) + "\n"


def _poses(figure: Figure, motion: Pose | Clip | None) -> tuple[Pose, float]:
    """The frames as one pose with a leading axis, and the frame rate."""
    if motion is None:
        motion = figure.main_clip or figure.rest
    if isinstance(motion, Clip):
        return Pose.trusted(figure.skeleton, motion.q), motion.fps
    if motion.shape:
        raise PoseError(
            f"a BVH file stores one pose or a clip, not a batch of poses {motion.shape}; make a Clip of them"
        )
    return Pose.trusted(figure.skeleton, motion.q[None]), SINGLE_FRAME_FPS


def _frame_time(fps: float) -> str:
    """The shortest text that reads back as the same frame rate."""
    short = f"{1 / fps:.12g}"
    return short if 1 / float(short) == fps else repr(1 / fps)


def _in_bvh_frames(figure: Figure, poses: Pose, fps: float) -> _Frames:
    zero = _zero(figure)
    world, rest = poses.world_from_joint, zero.world_from_joint
    parents = figure.skeleton.parents
    world_from_bvh = world[..., :3, :3] @ np.swapaxes(rest[..., :3, :3], -1, -2)
    origins = poses.origins
    positions, rotations, offsets = origins.copy(), world_from_bvh.copy(), zero.origins.copy()
    below = np.flatnonzero(parents >= 0)
    above = parents[below]
    bvh_from_world = np.swapaxes(world_from_bvh[:, above], -1, -2)
    positions[:, below] = np.einsum("fjab,fjb->fja", bvh_from_world, origins[:, below] - origins[:, above])
    rotations[:, below] = bvh_from_world @ world_from_bvh[:, below]
    offsets[below] -= zero.origins[above]
    tips = tuple(
        np.array(joint.tips, float).reshape(-1, 3) @ turn.T
        for joint, turn in zip(figure.skeleton.definitions, rest[:, :3, :3], strict=True)
    )
    return _Frames(positions, rotations, offsets, tips, fps)


def _zero(figure: Figure) -> Pose:
    """The pose with all angles 0: of a BVH that was read its own, even if lying or folded, else the rest pose."""
    if not isinstance(figure.source, Layout):
        return figure.rest
    definitions = [replace(joint, rest=None) for joint in figure.skeleton.definitions]
    return Pose(figure.skeleton, np.concatenate([rest_of(joint) for joint in definitions]))


def _layout(figure: Figure, frames: _Frames) -> Layout:
    """The channels of the BVH that the figure came from, if they still suffice, else the default ones."""
    skeleton = figure.skeleton
    moves = np.abs(frames.positions - frames.offsets).max(axis=(0, 2), initial=0.0) > _SAME_POSITION * skeleton.reach
    usual = [
        _POSITIONS + _TURNS if joint.parent is None or moves[j] else _TURNS
        for j, joint in enumerate(skeleton.definitions)
    ]
    source = figure.source
    if not isinstance(source, Layout) or len(source.channels) != len(usual):
        return Layout(tuple(usual))
    straight = np.abs(_zero(figure).world_from_joint[:, :3, :3] - np.eye(3)).max() < 1e-12
    kept = [
        channels if straight and _holds(channels, joint.dof) else usual[j]
        for j, (channels, joint) in enumerate(zip(source.channels, skeleton.definitions, strict=True))
    ]
    return Layout(tuple(kept), source.displaced)


def _readable(frames: _Frames, layout: Layout, skeleton: Skeleton) -> tuple[_Frames, Layout]:
    """The same motion, written so that a reader interprets positions below the roots correctly."""
    pairs = [
        (j, "xyz".index(channel[0]))
        for j, channels in enumerate(layout.channels)
        for channel in channels
        if channel[1:] == "pos" and skeleton.parents[j] >= 0
    ]
    joints, axes = np.array(pairs, int).reshape(-1, 2).T
    offsets = frames.offsets[joints, axes]
    starts = np.where([joint in layout.displaced for joint in joints], offsets, 0.0)
    bone = usual_bone(frames.offsets, skeleton.parents.tolist(), frames.tips)
    positions = frames.positions[:, joints, axes]
    if Positions(joints, axes, positions - starts, offsets, bone).displaced() == layout.displaced.intersection(joints):
        return frames, layout
    moved = frames.offsets.copy()
    moved[joints, axes] = np.median(positions, axis=0)  # no other OFFSET is as close: all are read as replacing it
    return replace(frames, offsets=moved), replace(layout, displaced=frozenset())


def _holds(channels: Sequence[str], dof: int) -> bool:
    """Whether the channels that a joint was read from still cover its degrees of freedom, which may have changed."""
    return len(channels) >= dof


def _depth_first(skeleton: Skeleton) -> list[tuple[int, int]]:
    """(joint, depth) in file order."""
    children: list[list[int]] = [[] for _ in skeleton.joints]
    roots = []
    for j, parent in enumerate(skeleton.parents.tolist()):
        (children[parent] if parent >= 0 else roots).append(j)
    order, waiting = [], [(j, 0) for j in reversed(roots)]
    while waiting:
        j, depth = waiting.pop()
        order.append((j, depth))
        waiting += [(child, depth + 1) for child in reversed(children[j])]
    return order


def _hierarchy(skeleton: Skeleton, frames: _Frames, layout: Layout, order: Sequence[tuple[int, int]]) -> Iterator[str]:
    names = _written_names(skeleton.joints)
    above = -1
    for j, depth in order:
        yield from _closing(above, depth)
        indent = _indent(depth)
        yield f"{indent}{'ROOT' if depth == 0 else 'JOINT'} {names[j]}"
        yield indent + "{"
        yield f"{indent}  OFFSET {_point(frames.offsets[j])}"
        yield f"{indent}  CHANNELS {len(layout.channels[j])} {' '.join(map(_spelled, layout.channels[j]))}".rstrip()
        for tip in frames.tips[j]:
            yield from (indent + "  End Site", indent + "  {", f"{indent}    OFFSET {_point(tip)}", indent + "  }")
        above = depth
    yield from _closing(above, 0)


def _closing(above: int, depth: int) -> Iterator[str]:
    for level in range(above, depth - 1, -1):
        yield _indent(level) + "}"


def _indent(depth: int) -> str:
    return "  " * min(depth, _DEEPEST_INDENT)


def _point(point: Array) -> str:
    return " ".join(f"{x + 0.0:.10g}" for x in point)


def _spelled(channel: str) -> str:
    return channel[0].upper() + {"pos": "position", "rot": "rotation"}[channel[1:]]


def _written_names(names: Sequence[str]) -> list[str]:
    """Unique names without spaces and braces, which many BVH readers do not accept."""
    written: dict[str, None] = {}
    for name in names:
        plain = re.sub(r"[\s{}]+", "_", name) or "joint"
        written[free_name(plain, written)] = None
    return list(written)


def _values(frames: _Frames, layout: Layout, order: Sequence[tuple[int, int]], skeleton: Skeleton) -> Array:
    """`[frame, channel]` in the order of the file."""
    angles = _angles(frames, layout)
    positions = np.where(np.abs(frames.positions) < 1e-12 * skeleton.reach, 0.0, frames.positions)
    columns = []
    for j, _ in order:
        start = frames.offsets[j] if j in layout.displaced else np.zeros(3)
        turned = 0
        for channel in layout.channels[j]:
            axis = "xyz".index(channel[0])
            if channel[1:] == "pos":
                columns.append(positions[:, j, axis] - start[axis])
            else:
                columns.append(angles[:, j, turned])
                turned += 1
    return np.stack(columns, axis=1) + 0.0 if columns else np.zeros((len(positions), 0))


def _angles(frames: _Frames, layout: Layout) -> Array:
    """`[frame, joint, 3]` degrees of each joint's rotation channels in order, continuous over frames."""
    angles: Array = np.zeros((*frames.rotations.shape[:2], 3))
    by_order: dict[str, list[int]] = {}
    for j, channels in enumerate(layout.channels):
        by_order.setdefault("".join(c[0] for c in channels if c[1:] == "rot"), []).append(j)
    for letters, joints in by_order.items():
        full = letters + "".join(c for c in "xyz" if c not in letters)
        euler = euler_from_matrix(full, frames.rotations[:, joints])
        if len(letters) == 2:  # of the two Euler representations, the one without a third rotation
            euler = np.where(np.abs(euler[..., 2:]) > np.pi / 2, _other_way(euler), euler)
        angles[:, joints] = _continued(euler, free=len(letters) == 3)
    return np.round(angles * (180 / np.pi), 9)


def _other_way(angles: Array) -> Array:
    """The same rotations: (a, b, c) is also (a + π, π − b, c + π)."""
    return np.array([np.pi, np.pi, np.pi]) + angles * [1, -1, 1]


def _continued(angles: Array, *, free: bool) -> Array:
    """The same rotations `[frame, joint, 3]` with each frame's angles closest to the previous frame (the first: to 0).

    Angles are equivalent modulo 2π; if all three are `free`, also in the other Euler representation.
    """
    result = np.empty_like(angles)
    before = np.zeros(angles.shape[1:])
    for f, here in enumerate(angles):
        best = _nearest_turn(here, before)
        if free:
            other = _nearest_turn(_other_way(here), before)
            shorter = np.abs(other - before).sum(axis=-1) < np.abs(best - before).sum(axis=-1) - 1e-9
            best = np.where(shorter[:, None], other, best)
        result[f] = before = best
    return result


def _nearest_turn(angles: Array, before: Array) -> Array:
    return angles - 2 * np.pi * np.round((angles - before) / (2 * np.pi))

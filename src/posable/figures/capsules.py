"""Capsules for a figure's links, fitted to its skin or its display shapes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from posable.errors import SkeletonError
from posable.figures.figure import Figure
from posable.figures.shapes import Shape
from posable.goals.keep_apart import Capsule
from posable.skeleton import Skeleton
from posable.spatial import Array, matrix_from_wxyz

_FEWEST = 8  # vertices that make a body
_COVERED = 0.8  # share of a link's vertices that its radius takes in: what bulges more is not worth a longer arm
_SLIGHT = 0.008  # of the reach: thinner bodies, such as fingers, get no capsule


def with_capsules(figure: Figure) -> Figure:
    """The figure with a capsule around the body of every joint, as KeepApart needs them.

    Where its joints state capsules they stay; else each joint gets one around what of the skin follows it most, or
    around its display shapes where there is no skin. Bodies thinner than 0.008 of the reach get none.
    Raises SkeletonError where there is nothing to fit them to.
    """
    skeleton = figure.skeleton
    if any(joint.capsules for joint in skeleton.definitions):
        return figure
    if figure.skins:
        points = _points_by_joint(figure)
        axes = [_axis(skeleton, j) for j in range(len(skeleton.joints))]
        found = [(_fitted(own, axis),) if len(own) >= _FEWEST else () for own, axis in zip(points, axes, strict=True)]
    else:
        found = [tuple(_around(s) for s in figure.shapes if s.joint == name) for name in skeleton.joints]
    kept = [tuple(c for c in own if c[6] >= _SLIGHT * skeleton.reach) for own in found]
    if not any(kept):
        raise SkeletonError("neither skin nor display shapes to fit capsules to; state `capsules` of joints")
    joints = [replace(joint, capsules=own) for joint, own in zip(skeleton.definitions, kept, strict=True)]
    return figure.on(Skeleton(joints, skeleton.up))


def _points_by_joint(figure: Figure) -> list[Array]:
    """Per joint `[vertex, 3]` of the skins that follow it most, at rest, in its frame."""
    world = figure.rest.world_from_joint
    vertices = np.concatenate([skin.deform(figure.rest) for skin in figure.skins]).astype(float)
    leading = np.concatenate(
        [skin.joints[np.arange(len(skin.joints)), skin.weights.argmax(axis=1)] for skin in figure.skins]
    )
    return [(vertices[leading == j] - place[:3, 3]) @ place[:3, :3] for j, place in enumerate(world)]


def _axis(skeleton: Skeleton, j: int) -> Array | None:
    """The direction of the bone, in the joint's frame; None where it has no single one."""
    ends = [np.array(skeleton.definitions[k].position) for k in skeleton.children(j)]
    ends += [np.array(tip) for tip in skeleton.definitions[j].tips]
    lengths = [float(np.linalg.norm(end)) for end in ends]
    if not ends or max(lengths) < 1e-3 * skeleton.reach:
        return None
    return ends[int(np.argmax(lengths))] / max(lengths) if len(ends) == 1 else None


def _fitted(points: Array, axis: Array | None) -> Capsule:
    """The capsule about the axis, through the middle of the points; about their longest direction if there is none."""
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    if axis is None:
        axis = np.asarray(np.linalg.svd(points - points.mean(axis=0), full_matrices=False)[2][0])
    along = (points - middle) @ axis
    across = points - middle - along[:, None] * axis
    center = middle + np.median(across, axis=0)
    radius = float(np.quantile(np.linalg.norm(across - np.median(across, axis=0), axis=1), _COVERED))
    low, high = float(along.min()) + radius, float(along.max()) - radius
    if low > high:
        low = high = (low + high) / 2
    return (*(center + low * axis).tolist(), *(center + high * axis).tolist(), radius)


def _around(shape: Shape) -> Capsule:
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

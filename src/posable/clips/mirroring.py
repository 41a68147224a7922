"""Mirrors clips: exchanges left and right."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from posable.clips.clip import Clip, check_clips
from posable.errors import SkeletonError
from posable.skeleton import Joint, Pose, Skeleton
from posable.skeleton.symmetry import Symmetry, symmetry_of
from posable.spatial import Array

_LEAST_AXIS_COSINE = 0.5  # minimum cosine between an axis and the mirror image of its partner's axis


def mirror(clip: Clip) -> Clip:
    """Exchange left and right; mirroring twice gives the clip again.

    Every joint takes the motion of its partner, rotated about the mirrored axes. The joint that carries the figure is
    mirrored across the plane between both sides at rest. Events move to the other side.

    Args:
        clip: The clip.

    Returns:
        The mirrored clip.

    Raises:
        SkeletonError: If the skeleton has no two sides, or partners that move differently.
    """
    check_clips(clip)
    skeleton = clip.skeleton
    symmetry = symmetry_of(skeleton)
    names = {skeleton.joints[j]: skeleton.joints[int(other)] for j, other in enumerate(symmetry.partner)}
    events = tuple(replace(event, joint=names.get(event.joint, event.joint)) for event in clip.events)
    return replace(clip, q=mirrored(clip.poses, symmetry).q, events=events)


def mirrored(pose: Pose, symmetry: Symmetry) -> Pose:
    """Mirror poses; see `mirror`.

    Args:
        pose: Poses `[...]`.
        symmetry: The partners and the mirror plane of the skeleton.

    Returns:
        The mirrored poses `[...]`.

    Raises:
        SkeletonError: If partners move differently.

    Example:
        >>> symmetry = posable.skeleton.symmetry_of(figure.skeleton)
        >>> other_side = posable.clips.mirrored(clip.poses, symmetry)
    """
    skeleton = pose.skeleton
    reflection = np.eye(3) - 2 * np.outer(symmetry.left, symmetry.left)
    rest = Pose(skeleton, skeleton.rest_coordinates).world_from_joint
    first = skeleton.tables.first_coordinate
    q = np.empty(pose.q.shape)
    for j, joint in enumerate(skeleton.definitions):
        other = int(symmetry.partner[j])
        own, given = pose.q[..., first[j] : first[j + 1]], slice(int(first[other]), int(first[other + 1]))
        partner = skeleton.definitions[other]
        if (joint.kind, joint.coordinates) != (partner.kind, partner.coordinates):
            raise SkeletonError(
                f"{joint.name!r} and its mirror image {partner.name!r} are of different kinds, {joint.kind} and "
                f"{partner.kind}; mirroring needs two of the same kind"
            )
        if joint.floating:
            q[..., given] = _free(own, _above(skeleton, rest, j), _above(skeleton, rest, other), reflection, symmetry)
        elif joint.has_quaternion:
            q[..., given] = _turned(own, rest[j, :3, :3], rest[other, :3, :3], reflection)
        else:
            q[..., given] = own * _signs(joint, partner, rest[j, :3, :3], rest[other, :3, :3], reflection)
    return Pose.trusted(skeleton, q)


def _above(skeleton: Skeleton, rest: Array, joint: int) -> Array:
    parent = int(skeleton.parents[joint])
    return rest[parent] if parent >= 0 else np.eye(4)


def _turned(wxyz: Array, frame: Array, other: Array, reflection: Array) -> Array:
    """Rotations given in `frame`, mirrored in the world, expressed in `other`.

    A mirrored rotation has the negative angle about the mirrored axis, so its vector part is the negative reflection.
    """
    turn = -(other.T @ reflection @ frame)
    return np.concatenate([wxyz[..., :1], wxyz[..., 1:] @ turn.T], axis=-1)


def _free(own: Array, above: Array, other: Array, reflection: Array, symmetry: Symmetry) -> Array:
    """A free joint's position and rotation, given in its parent's rest frame `above`, mirrored, expressed in
    `other`.
    """
    place = own[..., :3] @ above[:3, :3].T + above[:3, 3] - symmetry.middle
    image = place @ reflection.T + symmetry.middle
    return np.concatenate(
        [(image - other[:3, 3]) @ other[:3, :3], _turned(own[..., 3:], above[:3, :3], other[:3, :3], reflection)],
        axis=-1,
    )


def _signs(joint: Joint, partner: Joint, frame: Array, other: Array, reflection: Array) -> Array:
    """Sign of each axis of the partner: a slide's direction is mirrored, a hinge's axis is also reversed."""
    signs = []
    for own, others in zip(joint.axes, partner.axes, strict=True):
        if own.follow is not None:
            continue
        image = reflection @ frame @ np.array(own.direction) * (1.0 if own.slide else -1.0)
        along = float(image @ other @ np.array(others.direction))
        if own.slide != others.slide or abs(along) < _LEAST_AXIS_COSINE:
            raise SkeletonError(f"an axis of {partner.name!r} is not the mirror image of that of {joint.name!r}")
        signs.append(np.sign(along))
    return np.array(signs)

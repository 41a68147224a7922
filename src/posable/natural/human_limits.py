"""The range of a person's trunk, neck and head, for figures whose files state none."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from posable.figures import Figure, roles
from posable.natural.body import body_of, joints_between
from posable.skeleton import Cone, Joint, Skeleton
from posable.spatial import Array


class _Range(NamedTuple):
    """How far a chain of joints rotates together, in degrees. forward: where the middle of the swing lies."""

    forward: float
    swing: float
    twist: float


BACK, NECK = _Range(24.0, 60.0, 44.0), _Range(0.0, 45.0, 60.0)
"""Those of the built-in mannequin (see `figures/builtin/human_joints.py` for their source)."""
_UPRIGHT = math.cos(math.radians(25))  # of the trunk at rest: another one's middle position is unknown


def with_human_limits(figure: Figure) -> Figure:
    """Limit trunk, neck and head of a person to the human range, where the file states no limits.

    Game characters rarely have limits. A hand that reaches far then bends or rotates the trunk by 60 to 90 degrees.
    The range is divided equally among the ball joints of the trunk, and among those of neck and head: the trunk bends
    84° forwards, 36° backwards and 55° to each side, and rotates by 44°; neck and head bend 45° and rotate by 60°.

    Args:
        figure: The figure.

    Returns:
        The figure with these limits. The figure itself if it is not a person, is bent at rest, or already states limits
        for trunk and neck. Joints that also translate, and the limits of all other joints, are left alone.

    Example:
        >>> limited = posable.with_human_limits(posable.load(posable.sample("knight.glb")))
        >>> [joint.name for joint in limited.skeleton.definitions if joint.cone is not None]
        ['spine', 'chest', 'head']
    """
    skeleton = figure.skeleton
    body = body_of(skeleton)
    if body is None:
        return figure
    hips, chest, head = (int(body.segments[part]) for part in range(3))
    rest, found, joints = figure.rest.world_from_joint, roles(skeleton), list(skeleton.definitions)
    trunk = rest[chest, :3, 3] - rest[hips, :3, 3]
    if trunk @ np.asarray(found.up) < _UPRIGHT * float(np.linalg.norm(trunk)):
        return figure
    neck = joints_between(skeleton, chest, head) if head >= 0 else []
    for chain, most in ((joints_between(skeleton, hips, chest), BACK), (neck, NECK)):
        bending = [j for j in chain if joints[j].has_quaternion]
        if any(joints[j].cone is not None for j in bending):
            continue
        for j in bending:
            if not joints[j].floating:
                axes = rest[j, :3, :3].T @ np.stack([found.up, found.left], axis=1)
                joints[j] = _limited(joints[j], axes.T, most, len(bending))
    same = all(one is other for one, other in zip(joints, skeleton.definitions, strict=True))
    return figure if same else figure.on(Skeleton(joints, skeleton.up))


def _limited(joint: Joint, axes: Array, most: _Range, count: int) -> Joint:
    """The joint with its share of the range. axes: `[2, 3]` up and left in its frame at rest."""
    (ux, uy, uz), left = axes[0].tolist(), axes[1]
    forward, swing, twist = (math.radians(angle) / count for angle in most)
    x, y, z = (math.sin(0.5 * forward) * left).tolist()
    center = (math.cos(0.5 * forward), x, y, z)
    return replace(joint, cone=Cone((ux, uy, uz), swing, (-twist, twist), center))

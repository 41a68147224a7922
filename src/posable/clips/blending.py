"""Combines clips: blending, masked layers, additive motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from posable.clips.clip import Clip, check_clips
from posable.errors import PoseError
from posable.skeleton import Pose, Skeleton, joints_below
from posable.spatial import Array

Mask = Sequence[str] | Mapping[str, float]
"""Joint names, or {name: share}."""


def blend(base: Clip, over: Clip, weight: ArrayLike = 0.5, joints: Mask | None = None) -> Clip:
    """Interpolate from `base` (weight 0) to `over` (weight 1), every degree of freedom along its shortest path.

    With `joints` it adds a layer: `blend(walk, wave, 1.0, joints=below(skeleton, "upper_arm_r"))`. The events of both
    clips are kept.

    Args:
        base: The clip at weight 0.
        over: The clip at weight 1; resampled to the frame rate of `base`.
        weight: One number, or `[frame]` numbers to fade in and out.
        joints: Joint names that take part, or {name: share}; None is all.

    Returns:
        The blended clip, with the name and frame rate of `base`.

    Raises:
        PoseError: If the clips differ in skeleton or length.
        UnknownJointError: For a name in `joints` that the skeleton does not have.
    """
    check_clips(base, over)
    over = _matching(base, over)
    step = over.poses.minus(base.poses) * _weights(base, weight, joints)
    return replace(base, q=base.poses.plus(step).q, events=(*base.events, *over.events))


def add(
    base: Clip, extra: Clip, weight: ArrayLike = 1.0, joints: Mask | None = None, neutral: Pose | None = None
) -> Clip:
    """Add the difference between `extra` and `neutral` to `base`: breathing, a limp, recoil.

    Args:
        base: The clip to add to.
        extra: The clip whose motion is added; resampled to the frame rate of `base`.
        weight: One number, or `[frame]` numbers to fade in and out.
        joints: Joint names that take part, or {name: share}; None is all.
        neutral: The pose that adds nothing; None is the first frame of `extra`.

    Returns:
        The layered clip, with the name, events and frame rate of `base`.

    Raises:
        PoseError: If the clips differ in skeleton or length.
        UnknownJointError: For a name in `joints` that the skeleton does not have.

    Example:
        >>> limp = posable.clips.add(clip, posable.clips.time_warp(clip, {0.0: 0.0, clip.seconds: clip.seconds}), 0.5)
    """
    check_clips(base, extra)
    extra = _matching(base, extra)
    start = extra.poses[0] if neutral is None else neutral
    step = extra.poses.minus(start) * _weights(base, weight, joints)
    return replace(base, q=base.poses.plus(step).q)


def below(skeleton: Skeleton, joint: str) -> tuple[str, ...]:
    """List `joint` and all its descendants.

    Args:
        skeleton: The skeleton.
        joint: The topmost joint.

    Returns:
        The names, parents first.

    Raises:
        UnknownJointError: If the skeleton has no such joint.
    """
    return tuple(skeleton.joints[j] for j in joints_below(skeleton, skeleton.index(joint)))


def _matching(base: Clip, over: Clip) -> Clip:
    if not base.skeleton.shares_poses(over.skeleton):
        raise PoseError(f"clips {base.name!r} and {over.name!r} belong to different skeletons; retarget one of them")
    over = over if over.fps == base.fps else over.resample(base.fps)
    if len(over) != len(base):
        raise PoseError(
            f"clips {base.name!r} and {over.name!r} last {base.seconds:g} and {over.seconds:g} s; "
            "trim or warp one of them to the length of the other"
        )
    return over if over.skeleton is base.skeleton else replace(over, skeleton=base.skeleton)


def _weights(clip: Clip, weight: ArrayLike, joints: Mask | None) -> Array:
    """`[frame or 1, dof]`."""
    over_time = np.asarray(weight, float)
    if over_time.shape not in ((), (len(clip),)) or not np.isfinite(over_time).all():
        raise PoseError(
            f"weight must be a finite number or {len(clip)}, one per frame; not an array of {over_time.shape}"
        )
    return over_time.reshape(-1, 1) * mask_of(clip.skeleton, joints)


def mask_of(skeleton: Skeleton, joints: Mask | None) -> Array:
    """Convert joint names or shares to a weight per degree of freedom.

    Args:
        skeleton: The skeleton.
        joints: Joint names (share 1), or {name: share}; None is all.

    Returns:
        `[dof]` shares.

    Raises:
        UnknownJointError: For a name that the skeleton does not have.

    Example:
        >>> weights = posable.clips.mask_of(figure.skeleton, {"spine": 0.5, "chest": 1.0})  # [dof]
    """
    if joints is None:
        return np.ones(skeleton.dof)
    shares = joints if isinstance(joints, Mapping) else dict.fromkeys(joints, 1.0)
    mask = np.zeros(skeleton.dof)
    for name, share in shares.items():
        mask[list(skeleton.freedom_range(skeleton.index(name)))] = share
    return mask

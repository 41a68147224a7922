"""Clips over clips: blended, layered with masks, added."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from posable.clips.clip import Clip
from posable.errors import PoseError
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array

Mask = Sequence[str] | Mapping[str, float]
"""Names of joints, or {name: share}."""


def blend(base: Clip, over: Clip, weight: ArrayLike = 0.5, joints: Mask | None = None) -> Clip:
    """From `base` (weight 0) to `over` (weight 1), every freedom along its shortest way.

    weight: a number, or one a frame, to fade in and out. joints: which of them take part, all where None: a layer is
        `blend(walk, wave, 1.0, joints=below(skeleton, "upper_arm_r"))`. Events of both are kept.
    Raises PoseError for clips that differ in skeleton or length, UnknownJointError.
    """
    over = _matching(base, over)
    step = over.poses.minus(base.poses) * _weights(base, weight, joints)
    return replace(base, q=base.poses.plus(step).q, events=(*base.events, *over.events))


def add(
    base: Clip, extra: Clip, weight: ArrayLike = 1.0, joints: Mask | None = None, neutral: Pose | None = None
) -> Clip:
    """`base` with what `extra` does beyond `neutral` on top: breathing, a limp, recoil.

    neutral: the pose that adds nothing, the first frame of `extra` where None. weight, joints: as for `blend`.
    Raises PoseError for clips that differ in skeleton or length, UnknownJointError.
    """
    extra = _matching(base, extra)
    start = extra.poses[0] if neutral is None else neutral
    step = extra.poses.minus(start) * _weights(base, weight, joints)
    return replace(base, q=base.poses.plus(step).q)


def below(skeleton: Skeleton, joint: str) -> tuple[str, ...]:
    """The names of `joint` and of all joints that it carries. Raises UnknownJointError."""
    carried = {skeleton.index(joint)}
    for j, parent in enumerate(skeleton.parents):
        if int(parent) in carried:
            carried.add(j)
    return tuple(skeleton.joints[j] for j in sorted(carried))


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
        raise PoseError(f"a weight is a finite number, or {len(clip)}, one a frame; not an array of {over_time.shape}")
    return over_time.reshape(-1, 1) * mask_of(clip.skeleton, joints)


def mask_of(skeleton: Skeleton, joints: Mask | None) -> Array:
    """`[dof]`: the share of every freedom. Raises UnknownJointError."""
    if joints is None:
        return np.ones(skeleton.dof)
    shares = joints if isinstance(joints, Mapping) else dict.fromkeys(joints, 1.0)
    mask = np.zeros(skeleton.dof)
    for name, share in shares.items():
        mask[list(skeleton.freedom_range(skeleton.index(name)))] = share
    return mask

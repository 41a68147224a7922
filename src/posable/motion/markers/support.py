"""Which parts of a body markers support, whether they determine how its pelvis tilts, and what a fit notes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from posable.clips import Clip
from posable.figures import Figure, roles
from posable.motion.markers.landmarks import Attachment
from posable.skeleton import Pose
from posable.spatial import Array

_TRUNK = ("hips", "spine", "chest", "upper_chest", "head")
_ABOUT_TRUNK = (*_TRUNK, "neck", "shoulder_l", "shoulder_r")
_ON_A_LINE = 0.02  # of the height: markers as near to one line leave the rotation about it open
_LIMBS = {
    f"{side} {limb}": tuple(f"{part}_{side[0]}" for part in parts)
    for side in ("left", "right")
    for limb, parts in (
        ("arm", ("upper_arm", "lower_arm", "hand")),
        ("leg", ("upper_leg", "lower_leg", "foot", "toes")),
    )
}
_PARTS: Mapping[str, tuple[str, ...]] = {
    "pelvis": ("hips",),
    "chest": ("spine", "chest", "upper_chest", "shoulder_l", "shoulder_r"),
    "head": ("neck", "head"),
    **_LIMBS,
}


def importance(figure: Figure, attachments: Sequence[Attachment]) -> Array:
    """`[marker]`: factors of the weights for the root's pose, relative to which markers of the trunk move least."""
    body = roles(figure)
    trunk = {body[role] for role in _TRUNK if role in body}
    return np.array([1.0 if one.joint in trunk else 0.05 for one in attachments])


def leaves_tilt_open(figure: Figure, attachments: Sequence[Attachment], points: Array) -> bool:
    """Whether the pelvis of a body may tilt as it likes: fewer than three markers off one line are on its trunk.

    Legs say where the pelvis is, but not how it tilts, for hips are balls. points: `[marker, 3]` of one frame.
    """
    body = roles(figure)
    if "hips" not in body:
        return False
    trunk = {body.index(role) for role in _ABOUT_TRUNK if role in body}
    own = points[[figure.skeleton.index(one.joint) in trunk for one in attachments]]
    if len(own) < 3:
        return True
    aside = np.linalg.svd(own - own.mean(axis=0), compute_uv=False)[1] / np.sqrt(len(own))
    return bool(aside < _ON_A_LINE * figure.height)


def unsupported_parts(figure: Figure, attachments: Sequence[Attachment]) -> tuple[str, ...]:
    """The parts of a body, such as "head" or "left arm", that carry no marker and lie between no two that do.

    Empty for a figure without such parts.
    """
    body = roles(figure)
    named = {body.index(role): part for part, own in _PARTS.items() for role in own if role in body}
    chains = [figure.skeleton.chain(joint) for joint in {one.joint for one in attachments}]
    shared = sum(len(set(above)) == 1 for above in zip(*chains, strict=False))  # joints that all markers hang on
    supported = {named[joint] for chain in chains for joint in chain[shared - 1 :] if joint in named}
    supported |= {next((named[joint] for joint in reversed(chain) if joint in named), "") for chain in chains}
    return tuple(part for part in dict.fromkeys(named.values()) if part not in supported)


def stands(figure: Figure, pose: Pose) -> bool:
    """Whether the root of poses `[frame]` is within 60° of as upright as at rest, in most of them."""
    up = "xyz".index(figure.skeleton.up)
    upright = pose.world_from_joint[:, 0, :3, :3] @ figure.rest.world_from_joint[0, :3, :3].T
    return float(np.median(upright[:, up, up])) >= 0.5


def support_notes(unsupported: Sequence[str], tilt_open: bool) -> tuple[str, ...]:
    """What the fit assumes of parts without markers, one sentence each."""
    notes = [f"no marker supports {', '.join(unsupported)}: as at rest"] if unsupported else []
    if tilt_open:
        notes.append("too few markers on the trunk tell how the pelvis tilts: as upright as the others allow")
    return tuple(notes)


def clip_notes(figure: Figure, clip: Clip, unit: float) -> tuple[str, ...]:
    """What to check in a fitted clip, one sentence each."""
    notes = [] if unit == 1.0 else [f"one of the markers' length units was taken for {unit:g} of the figure's"]
    beyond = np.abs(clip.poses.minus(clip.poses.clamped())).max(axis=0) > np.radians(5)
    names = [joint for joint in clip.skeleton.joints if beyond[list(clip.skeleton.freedom_range(joint))].any()]
    if names:
        notes.append(f"beyond the figure's limits: {', '.join(names)}")
    if not stands(figure, clip.poses):
        notes.append("the figure lies on its side: if the person stood or sat, another axis of the markers points up")
    return tuple(notes)

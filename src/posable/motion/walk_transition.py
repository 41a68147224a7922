"""Transitions from standing into a walk of another gait or position: the feet stay until they step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.errors import PosableError
from posable.figures import Figure, Roles
from posable.goals import Place
from posable.motion.feet.contact_detection import contacts, runs
from posable.motion.overlaying import overlay
from posable.motion.reaching import eased
from posable.skeleton import Pose
from posable.spatial import Array, rigid_inverse, slerp, transform, wxyz_from_matrix

_UNTURNED = np.array([1.0, 0.0, 0.0, 0.0])


def step_off(
    pose: Pose,
    clip: Clip,
    seconds: float = 0.6,
    *,
    feet: Sequence[str] | None = None,
    figure: Figure | None = None,
    roles: Roles | None = None,
) -> Clip:
    """Start a clip from a given standing pose.

    Each foot keeps its position in the pose until the clip lifts it for the first time, and lands where the clip has
    it; the rest of the body blends over. A figure that stopped in one gait thus starts in another without sliding feet.

    Args:
        pose: The first frame of the result, close to where the clip begins.
        clip: The clip.
        seconds: Duration of the blend in seconds.
        feet: Roles ("foot_l") or joints of the feet; None is all.
        figure: The figure, whose skin gives the soles.
        roles: Roles of the joints; None finds them.

    Returns:
        The clip, starting with `pose`.

    Raises:
        PosableError: For a duration that is not above 0, or a pose of another skeleton.
        SkeletonError: For a figure without feet.

    Example:
        >>> begins = posable.motion.step_off(figure.rest, clip, 0.5)
    """
    if not 0 < seconds < np.inf:
        raise PosableError(f"stepping off takes some seconds, not {seconds}")
    if not pose.skeleton.shares_poses(clip.skeleton):
        raise PosableError(f"the pose is of another skeleton than clip {clip.name!r}; retarget one of them")
    body = 1.0 - eased("minimum_jerk", np.minimum(clip.times / seconds, 1.0))
    begun = replace(clip, q=clip.poses.plus(body[:, None] * pose.minus(clip.poses[0])).q)
    touching = contacts(clip, None, feet, figure=figure, roles=roles)
    goals: list[Place] = []
    busy = body > 0
    for sole, stands in zip(touching.soles, touching.any, strict=True):
        lifts, share = _first_step(stands)
        joint = clip.skeleton.index(sole.foot)
        frames = clip.poses.world_from_joint[:, joint]
        stood = pose.world_from_joint[joint]
        goals.append(Place(sole.foot, _kept(frames, stood, lifts, share)))
        busy |= share > 0
    stepped = overlay(begun, dict.fromkeys(goals, busy.astype(float)), frozen=())
    return replace(stepped, q=np.concatenate([pose.q[None], stepped.q[1:]]))


def _first_step(stands: NDArray[np.bool_]) -> tuple[int, Array]:
    """(the frame in which a foot lifts first, `[frame]` the share of its old position: 1, and 0 once it has landed).

    A foot that never lifts keeps all of it.
    """
    swings = [(a, b) for a, b in runs(~stands) if a > 0]
    share = np.ones(len(stands))
    if not swings:
        return len(stands) - 1, share
    start, end = swings[0]
    share[start - 1 : end + 1] = 1.0 - eased("minimum_jerk", np.linspace(0, 1, len(share[start - 1 : end + 1])))
    share[end:] = 0.0
    return start, share


def _kept(frames: Array, stood: Array, lifts: int, share: Array) -> Array:
    """`[frame, 4, 4]`: a foot of the clip, moved rigidly to its old position and, once lifted, gradually back."""
    moved = (stood @ rigid_inverse(frames[0])) @ frames
    last = np.minimum(np.arange(len(frames)), lifts)
    away = (moved - frames)[last, :3, 3]
    turn = wxyz_from_matrix((stood @ rigid_inverse(frames[0]))[:3, :3])
    turned = transform(np.zeros(3), slerp(_UNTURNED, turn, share))
    out = turned @ frames
    out[:, :3, 3] = frames[:, :3, 3] + share[:, None] * away
    return out

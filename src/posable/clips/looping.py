"""Clips that go round: the best place to cut, and a seam that does not show."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from posable.clips.clip import Clip
from posable.clips.cutting import travels
from posable.clips.root_motion import Travel, with_root_motion, without_root_motion
from posable.errors import PoseError
from posable.spatial import Array, matrix_from_wxyz, wxyz_about
from posable.spatial.curves import smootherstep


def loop(clip: Clip, seconds: float = 0.25) -> Clip:
    """The clip with its seam repaired: the last frame is the first one again, but for how far the figure has travelled,
    and goes on at the speed of the first.

    seconds: how far from either end the repair reaches; half of what pose and velocity differ is mended on each side,
        fading by a quintic. Cut the clip to one round first: `find_loop` tells where.
    Raises PoseError for fewer than 4 frames.
    """
    if len(clip) < 4:
        raise PoseError(f"a loop needs at least 4 frames, not {len(clip)}")
    if not (0 < seconds < np.inf):
        raise PoseError(f"the repair of a seam takes some time above 0 s, not {seconds}")
    reach = min(seconds, clip.seconds / 2)
    if not travels(clip):
        return _repaired(clip, reach)
    in_place, travel = without_root_motion(clip)
    return with_root_motion(_repaired(in_place, reach), _even(travel, clip, reach))


def find_loop(clip: Clip, shortest: float = 0.5) -> tuple[float, float]:
    """(start, end) in seconds of the part of at least `shortest` seconds that goes round best: where pose and velocity
    at its ends differ the least, the travel over the ground left out.

    Raises PoseError for a clip that is shorter.
    """
    gap = max(int(np.ceil(shortest * clip.fps)), 3)
    if len(clip) <= gap:
        raise PoseError(f"a clip of {clip.seconds:g} s has no part of {shortest:g} s to go round")
    in_place = without_root_motion(clip)[0] if travels(clip) else clip
    places = in_place.poses.origins.reshape(len(clip), -1) / clip.skeleton.reach
    speeds = np.gradient(places, axis=0) * clip.fps * 0.1  # a difference of speed counts as what it makes of 0.1 s
    state = np.concatenate([places, speeds], axis=1)
    squares = np.sum(state**2, axis=1)
    apart = squares[:, None] + squares[None] - 2 * state @ state.T
    frames = np.arange(len(clip))
    apart[frames[None] - frames[:, None] < gap] = np.inf
    start, end = np.unravel_index(int(np.argmin(apart)), apart.shape)
    return float(start / clip.fps), float(end / clip.fps)


def _repaired(clip: Clip, reach: float) -> Clip:
    """Twice: bringing far poses together turns their velocities, which the second time are all there is to mend."""
    return _mended(_mended(clip, reach), reach)


def _mended(clip: Clip, reach: float) -> Clip:
    pose, fps = clip.poses, clip.fps
    ahead, behind = pose[-1].minus(pose[0]) / 2, pose[0].minus(pose[-1]) / 2
    faster = (-pose[-2].minus(pose[-1]) - pose[1].minus(pose[0])) * fps / 2
    since = clip.times / reach
    start = (1 - smootherstep(since))[:, None] * ahead + reach * _rise(since)[:, None] * faster
    left = since[::-1]
    end = (1 - smootherstep(left))[:, None] * behind + reach * _rise(left)[:, None] * faster
    q = np.array(pose.plus(start + end).q)
    q[-1] = _same_side(pose.skeleton.quaternion_columns, q[0], q[-2])
    return replace(clip, q=q)


def _same_side(columns: NDArray[np.int64], q: Array, before: Array) -> Array:
    """The pose `q` written with quaternions on the side of those `before`."""
    q = q.copy()
    turns = q[columns]
    q[columns] = turns * np.where(np.sum(turns * before[columns], axis=-1, keepdims=True) < 0, -1.0, 1.0)
    return q


def _even(travel: Travel, clip: Clip, reach: float) -> Travel:
    """The travel with the same speed at both ends, told by the figure, and the same whole way."""
    up = clip.skeleton.up
    turned = matrix_from_wxyz(wxyz_about(np.eye(3)["xyz".index(up)], travel.headings))
    steps = np.einsum("fji,fj->fi", turned[:-1], np.diff(travel.places, axis=0)) * clip.fps  # in the figure's frame
    turns = np.diff(travel.headings) * clip.fps
    faster, turning = (steps[-1] - steps[0]) / 2, (turns[-1] - turns[0]) / 2
    since = clip.times / reach
    start, end = reach * _rise(since), reach * _rise(since[::-1])
    # The last speed is to fall by what the first is to rise, and `end` runs backwards in time: both add.
    places = travel.places + start[:, None] * (turned[0] @ faster) + end[:, None] * (turned[-1] @ faster)
    return Travel(places, travel.headings + (start + end) * turning)


def _rise(u: Array) -> Array:
    """0 at 0 with slope 1, and 0, level and unbent at 1."""
    u = np.minimum(u, 1.0)
    return u - u**3 * (6 - 8 * u + 3 * u * u)

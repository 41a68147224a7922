"""Looping clips: finds the best cut and repairs the seam."""

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
    """Repair the seam of a cyclic clip.

    The last frame becomes the first one again, up to the distance travelled, and continues with the velocity of the
    first. Half of the difference in pose and velocity is corrected on each side and fades with a quintic. Cut the clip
    to
    one cycle first: `find_loop` finds it.

    Args:
        clip: One cycle of a motion.
        seconds: Extent of the repair from either end, in seconds.

    Returns:
        The seamless clip.

    Raises:
        PoseError: For fewer than 4 frames, or `seconds` not above 0.
    """
    if len(clip) < 4:
        raise PoseError(f"a loop needs at least 4 frames, not {len(clip)}")
    if not (0 < seconds < np.inf):
        raise PoseError(f"the seam repair needs a duration above 0 s, not {seconds}")
    reach = min(seconds, clip.seconds / 2)
    if not travels(clip):
        return _repaired(clip, reach)
    in_place, travel = without_root_motion(clip)
    return with_root_motion(_repaired(in_place, reach), _even(travel, clip, reach))


def find_loop(clip: Clip, shortest: float = 0.5) -> tuple[float, float]:
    """Find the part of a clip that loops best: the smallest difference of pose and velocity at its ends.

    Travel over the ground is ignored.

    Args:
        clip: The clip.
        shortest: Minimum duration of the part in seconds.

    Returns:
        (start, end) in seconds.

    Raises:
        PoseError: If the clip is shorter than `shortest`.
    """
    gap = np.ceil(np.maximum(shortest * clip.fps, 3.0))
    if not gap < len(clip):
        raise PoseError(f"a clip of {clip.seconds:g} s has no part of {shortest:g} s to loop")
    in_place = without_root_motion(clip)[0] if travels(clip) else clip
    positions = in_place.poses.origins.reshape(len(clip), -1) / clip.skeleton.reach
    speeds = (
        np.gradient(positions, axis=0) * clip.fps * 0.1
    )  # a velocity difference counts as the displacement in 0.1 s
    state = np.concatenate([positions, speeds], axis=1)
    squares = np.sum(state**2, axis=1)
    apart = squares[:, None] + squares[None] - 2 * state @ state.T
    frames = np.arange(len(clip))
    apart[frames[None] - frames[:, None] < gap] = np.inf
    start, end = np.unravel_index(int(np.argmin(apart)), apart.shape)
    return float(start / clip.fps), float(end / clip.fps)


def _repaired(clip: Clip, reach: float) -> Clip:
    """Two passes: correcting the poses rotates their velocities, which the second pass corrects."""
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
    """The pose `q` with the signs of its quaternions matched to those of `before`."""
    q = q.copy()
    quaternions = q[columns]
    q[columns] = quaternions * np.where(np.sum(quaternions * before[columns], axis=-1, keepdims=True) < 0, -1.0, 1.0)
    return q


def _even(travel: Travel, clip: Clip, reach: float) -> Travel:
    """The travel with equal velocities (in the figure's frame) at both ends and the same total distance."""
    up = clip.skeleton.up
    rotations = matrix_from_wxyz(wxyz_about(np.eye(3)["xyz".index(up)], travel.headings))
    steps = (
        np.einsum("fji,fj->fi", rotations[:-1], np.diff(travel.positions, axis=0)) * clip.fps
    )  # in the figure's frame
    turn_rates = np.diff(travel.headings) * clip.fps
    faster, turn_rate = (steps[-1] - steps[0]) / 2, (turn_rates[-1] - turn_rates[0]) / 2
    since = clip.times / reach
    start, end = reach * _rise(since), reach * _rise(since[::-1])
    # The last speed falls by as much as the first rises, and `end` runs backwards in time, so both add.
    positions = travel.positions + start[:, None] * (rotations[0] @ faster) + end[:, None] * (rotations[-1] @ faster)
    return Travel(positions, travel.headings + (start + end) * turn_rate)


def _rise(u: Array) -> Array:
    """0 with slope 1 at 0; 0 with zero slope and curvature at 1."""
    u = np.minimum(u, 1.0)
    return u - u**3 * (6 - 8 * u + 3 * u * u)

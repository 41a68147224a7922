"""Cuts, joins, retimes and loops clips."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from posable.clips.clip import Clip, between, check_clips, frame_times, within
from posable.clips.root_motion import Travel, moved, travel_of, with_root_motion, without_root_motion
from posable.errors import PoseError
from posable.skeleton import Pose, joints_below
from posable.spatial import Array, matrix_from_wxyz, rigid_inverse, wxyz_about
from posable.spatial.curves import smootherstep, smoothstep


def trim(clip: Clip, start: float = 0.0, end: float | None = None) -> Clip:
    """Cut a part out of a clip.

    Args:
        clip: The clip.
        start: Start of the part in seconds; frame 0 of the result is exactly here.
        end: End of the part in seconds; None is the end of the clip.

    Returns:
        The part, with the events inside it.

    Raises:
        PoseError: Unless 0 ≤ start ≤ end ≤ the clip's length.
    """
    check_clips(clip)
    end = clip.seconds if end is None else end
    if not 0 <= start <= end <= clip.seconds + 1e-9:
        raise PoseError(f"a part of a clip of {clip.seconds:g} s must lie within it, not {start:g} to {end:g} s")
    pose = clip.at(start + frame_times(clip.skeleton, end - start, clip.fps))
    return replace(clip, q=pose.q, events=within(clip.events, start, end))


def join(first: Clip, second: Clip, overlap: float = 0.0, *, align: bool = True) -> Clip:
    """Append one clip to another, with an optional cross-fade.

    Args:
        first: The first clip.
        second: The second clip; resampled to the frame rate of the first.
        overlap: Duration of the cross-fade in seconds; without one, the second starts one frame after the first ends.
        align: Move the second over the ground to the position and heading at which the first ends; False leaves both
            unchanged.

    Returns:
        The joined clip.

    Raises:
        PoseError: If the skeletons differ, or if the overlap is longer than one of the clips.

    Example:
        >>> longer = posable.clips.join(clip, clip, overlap=0.2)
    """
    check_clips(first, second)
    _check_same(first, second)
    second = second if second.fps == first.fps else second.resample(first.fps)
    shared = round(overlap * first.fps) if np.isfinite(overlap * first.fps) else -1
    if not 0 <= shared < min(len(first), len(second)):
        raise PoseError(
            f"an overlap of {overlap:g} s is too long for clips of {first.seconds:g} and {second.seconds:g} s"
        )
    meeting = len(first) - max(shared, 1)
    if align and travels(first):
        second = _brought(second, first.poses[meeting])
    ahead = first.q[: len(first) - shared]
    fade = between(first.poses[len(first) - shared :], second.poses[:shared], _smooth_steps(shared))
    later = (len(first) - shared) / first.fps
    return replace(
        first,
        q=np.concatenate([ahead, fade.q, second.q[shared:]]),
        events=(*first.events, *(event.moved(later) for event in second.events)),
    )


def _brought(clip: Clip, pose: Pose) -> Clip:
    """The clip moved over the ground so that it starts at the position of `pose`."""
    there, own = travel_of(pose), travel_of(clip.poses[0])
    return replace(clip, q=moved(clip.poses, there @ rigid_inverse(own)).q)


def travels(clip: Clip) -> bool:
    """Whether a free joint moves the figure over the ground.

    Args:
        clip: The clip.

    Example:
        >>> posable.clips.travels(clip)
        True
    """
    return any(joint.floating for joint in clip.skeleton.definitions)


def _smooth_steps(count: int) -> Array:
    """`count` smoothstep values between 0 and 1, without the ends."""
    return smoothstep(np.arange(1, count + 1) / (count + 1))


def _check_same(first: Clip, second: Clip) -> None:
    if not first.skeleton.shares_poses(second.skeleton):
        raise PoseError(f"clips {first.name!r} and {second.name!r} belong to different skeletons; retarget one of them")


def reverse(clip: Clip) -> Clip:
    """Play a clip backwards.

    Args:
        clip: The clip.

    Returns:
        The reversed clip, its events included.

    Example:
        >>> backwards = posable.clips.reverse(clip)
    """
    check_clips(clip)
    return replace(
        clip,
        q=clip.q[::-1].copy(),
        events=tuple(replace(event, seconds=clip.seconds - event.seconds) for event in clip.events),
    )


def time_warp(clip: Clip, times: Mapping[float, float]) -> Clip:
    """Remap the times of a clip smoothly.

    Between the given times, the mapping is a monotone cubic (Fritsch & Carlson 1980), so that time never runs
    backwards.

    Args:
        clip: The clip.
        times: {seconds in the clip: seconds in the result}, both increasing; {0: 0, clip.seconds: 2} plays the clip in
            2 s. The result spans the first to the last.

    Returns:
        The warped clip, at the same frame rate.

    Raises:
        PoseError: For fewer than two times, or times that do not increase.

    Example:
        >>> slower = posable.clips.time_warp(clip, {0.0: 0.0, 0.5: 1.0, clip.seconds: clip.seconds + 0.5})
    """
    check_clips(clip)
    from scipy.interpolate import PchipInterpolator

    old, new = np.array(list(times.keys()), float), np.array(list(times.values()), float)
    rising = len(old) >= 2 and np.isfinite([old, new]).all() and (np.diff([old, new]) > 1e-9).all()
    if not rising or old[0] < -1e-9 or old[-1] > clip.seconds + 1e-9:
        raise PoseError(
            f"a time warp needs two or more increasing times in the clip (0 to {clip.seconds:g} s) and in the result"
        )
    frames = frame_times(clip.skeleton, float(new[-1] - new[0]), clip.fps) + new[0]
    pose = clip.at(PchipInterpolator(new, old)(frames), "cubic")
    forwards = PchipInterpolator(old, new)
    kept = [event for event in clip.events if old[0] <= event.seconds <= old[-1]]
    events = tuple(replace(event, seconds=float(forwards(event.seconds)) - float(new[0])) for event in kept)
    return replace(clip, q=pose.q, events=events)


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
    check_clips(clip)
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
    check_clips(clip)
    gap = np.ceil(np.maximum(shortest * clip.fps, 3.0))
    if not gap < len(clip):
        raise PoseError(f"a clip of {clip.seconds:g} s has no part of {shortest:g} s to loop")
    positions = _without_travel(clip).reshape(len(clip), -1) / clip.skeleton.reach
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


def _without_travel(clip: Clip) -> Array:
    """`[frame, joint, 3]` where joints are over the ground under the free joint that travels, and in its heading.

    That is the joint closest to the root that travels at least half as far as any other: a root above the hips
    may stay. Joints above it are left out.
    """
    skeleton, origins = clip.skeleton, clip.poses.origins
    free = [j for j, joint in enumerate(skeleton.definitions) if joint.floating]
    if not free:
        return origins
    along = np.delete(origins[:, free], "xyz".index(skeleton.up), axis=-1)
    far = np.linalg.norm(np.ptp(along, axis=0), axis=-1)
    carrier = free[int(np.argmax(far >= 0.5 * far.max()))]
    into = rigid_inverse(travel_of(clip.poses, carrier))
    below = joints_below(skeleton, carrier)
    return np.einsum("fab,fjb->fja", into[:, :3, :3], origins[:, below]) + into[:, None, :3, 3]


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

"""Cuts, joins and retimes clips."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from posable.clips.clip import Clip, frame_times, within
from posable.clips.interpolation import between
from posable.clips.root_motion import moved, travel_of
from posable.errors import PoseError
from posable.skeleton import Pose
from posable.spatial import Array, rigid_inverse
from posable.spatial.curves import smoothstep


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
    """
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
    """
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
    """
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

"""Cutting and joining clips, and playing them at another pace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from posable.clips.clip import Clip, within
from posable.clips.interpolation import between
from posable.clips.root_motion import moved, travel_of
from posable.errors import PoseError
from posable.skeleton import Pose
from posable.spatial import Array, rigid_inverse
from posable.spatial.curves import smoothstep


def trim(clip: Clip, start: float = 0.0, end: float | None = None) -> Clip:
    """The part from `start` to `end` seconds, the end where None. Frame 0 is at `start` exactly.

    Raises PoseError unless 0 ≤ start ≤ end ≤ the clip's length.
    """
    end = clip.seconds if end is None else end
    if not 0 <= start <= end <= clip.seconds + 1e-9:
        raise PoseError(f"a part of a clip of {clip.seconds:g} s starts and ends within it, not {start:g} to {end:g} s")
    frames = int(np.floor((end - start) * clip.fps + 1e-9)) + 1
    pose = clip.at(start + np.arange(frames) / clip.fps)
    return replace(clip, q=pose.q, events=within(clip.events, start, end))


def join(first: Clip, second: Clip, overlap: float = 0.0, *, align: bool = True) -> Clip:
    """One clip after the other; over `overlap` seconds they share, the first fades into the second.

    align: bring the second to where the first ends, on the ground and facing as it does; otherwise both stay where they
        are. The second is resampled to the rate of the first. Without overlap it goes on one frame later.
    Raises PoseError for clips of different skeletons, or an overlap longer than one of them.
    """
    _check_same(first, second)
    second = second if second.fps == first.fps else second.resample(first.fps)
    shared = round(overlap * first.fps)
    if not 0 <= shared < min(len(first), len(second)):
        raise PoseError(f"an overlap of {overlap:g} s does not fit clips of {first.seconds:g} and {second.seconds:g} s")
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
    """The clip moved over the ground so that it starts where `pose` stands."""
    there, own = travel_of(pose), travel_of(clip.poses[0])
    return replace(clip, q=moved(clip.poses, there @ rigid_inverse(own)).q)


def travels(clip: Clip) -> bool:
    """Whether a free joint carries the figure about."""
    return any(joint.floating for joint in clip.skeleton.definitions)


def _smooth_steps(count: int) -> Array:
    """`count` shares between 0 and 1, ends left out, slow at both."""
    return smoothstep(np.arange(1, count + 1) / (count + 1))


def _check_same(first: Clip, second: Clip) -> None:
    if not first.skeleton.shares_poses(second.skeleton):
        raise PoseError(f"clips {first.name!r} and {second.name!r} belong to different skeletons; retarget one of them")


def reverse(clip: Clip) -> Clip:
    """The clip played backwards."""
    return replace(
        clip,
        q=clip.q[::-1].copy(),
        events=tuple(replace(event, seconds=clip.seconds - event.seconds) for event in clip.events),
    )


def time_warp(clip: Clip, times: Mapping[float, float]) -> Clip:
    """The clip with its moments moved in time: {seconds in the clip: seconds in the result}, smooth between.

    Both rise; the result starts and ends with the first and the last of them. {0: 0, clip.seconds: 2} plays it in 2 s.
    Between, the pace is a monotone cubic (Fritsch & Carlson 1980), so that time never runs back.
    Raises PoseError for fewer than two moments, or moments that do not rise.
    """
    from scipy.interpolate import PchipInterpolator

    old, new = np.array(list(times.keys()), float), np.array(list(times.values()), float)
    rising = len(old) >= 2 and np.isfinite([old, new]).all() and (np.diff(old) > 0).all() and (np.diff(new) > 0).all()
    if not rising or old[0] < -1e-9 or old[-1] > clip.seconds + 1e-9:
        raise PoseError(
            f"a time warp is two or more moments that rise, in the clip (0 to {clip.seconds:g} s) and in the result"
        )
    frames = np.arange(int(np.floor((new[-1] - new[0]) * clip.fps + 1e-9)) + 1) / clip.fps + new[0]
    pose = clip.at(PchipInterpolator(new, old)(frames), "cubic")
    forwards = PchipInterpolator(old, new)
    kept = [event for event in clip.events if old[0] <= event.seconds <= old[-1]]
    events = tuple(replace(event, seconds=float(forwards(event.seconds)) - float(new[0])) for event in kept)
    return replace(clip, q=pose.q, events=events)

"""The clip: poses over time, and the interpolation between them on the pose manifold.

Cubic segments are Bézier curves in cumulative form (Kim, Kim & Shin 1995), three steps along geodesics of the skeleton:
over numbers exactly cubic Hermite splines, over rotations smooth at any speed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, get_args
from weakref import ReferenceType, WeakKeyDictionary, ref

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.errors import PoseError, check_kind, is_number
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array

Interpolation = Literal["linear", "cubic", "monotone", "step"]
INTERPOLATIONS: tuple[str, ...] = get_args(Interpolation)


def interpolated(
    keys: Pose, times: Array, seconds: ArrayLike, interpolation: Interpolation, velocities: Array | None = None
) -> Pose:
    """Interpolate keys at given times; outside them, the first or last key.

    Args:
        keys: Poses `[key]`.
        times: Increasing times of the keys in seconds, `[key]`.
        seconds: Times `[...]` in seconds.
        interpolation: "linear", "cubic", "monotone" or "step".
        velocities: `[key, dof]` per second at the keys for "cubic" and "monotone"; None is those of `key_velocities`.

    Returns:
        The poses `[...]`.

    Raises:
        PoseError: For an unknown interpolation or a time that is NaN.
    """
    if interpolation not in INTERPOLATIONS:
        raise PoseError(f"interpolation must be one of {', '.join(INTERPOLATIONS)}, not {interpolation!r}")
    wanted = np.asarray(seconds, float)
    if np.isnan(wanted).any():
        raise PoseError("times must be finite numbers of seconds")
    wanted = np.clip(wanted, times[0], times[-1])
    if len(times) == 1:
        return Pose.trusted(keys.skeleton, keys.q[np.zeros(wanted.shape, int)])
    if interpolation == "step":
        return keys[np.clip(np.searchsorted(times, wanted + _TIME_TOLERANCE, side="right") - 1, 0, len(times) - 1)]
    piece = np.clip(np.searchsorted(times, wanted, side="right") - 1, 0, len(times) - 2)
    share = (wanted - times[piece]) / (times[piece + 1] - times[piece])
    if interpolation == "linear":
        return between(keys[piece], keys[piece + 1], share)
    if velocities is None:
        velocities = key_velocities(keys, times, monotone=interpolation == "monotone")
    return _along_curves(keys, times, velocities, piece, share)


_TIME_TOLERANCE = 1e-9  # a time computed as frame / fps must not fall into the previous frame


def between(start: Pose, end: Pose, share: ArrayLike) -> Pose:
    """Interpolate along the shortest path between two poses.

    Args:
        start: The pose at share 0.
        end: The pose at share 1.
        share: Shares `[...]`, 0 … 1.

    Returns:
        The poses `[...]`.

    Example:
        >>> halfway = posable.clips.between(figure.rest, clip.poses[0], 0.5)
    """
    return start.plus(end.minus(start) * np.asarray(share, float)[..., None])


def key_velocities(keys: Pose, times: Array, *, monotone: bool = False) -> Array:
    """Velocities at the keys, of the parabola through a key and its neighbours.

    Args:
        keys: Poses `[key]`.
        times: Times of the keys in seconds, `[key]`.
        monotone: Prevent overshoot: 0 at reversals, and at most three times the slope on either side (Fritsch & Carlson
            1980).

    Returns:
        `[key, dof]` per second, in the tangent space at each key.
    """
    spans = np.diff(times)[:, None]
    ahead = keys[1:].minus(keys[:-1]) / spans  # in the tangent space at the start of each segment
    behind = -keys[:-1].minus(keys[1:]) / spans  # and at its end
    if len(spans) == 1:
        return np.concatenate([ahead, behind])
    inner = (spans[1:] * behind[:-1] + spans[:-1] * ahead[1:]) / (spans[1:] + spans[:-1])
    rows = np.concatenate([2 * ahead[:1] - inner[:1], inner, 2 * behind[-1:] - inner[-1:]])
    if not monotone:
        return rows
    left, right = np.concatenate([ahead[:1], behind]), np.concatenate([ahead, behind[-1:]])
    most = 3 * np.minimum(np.abs(left), np.abs(right))
    return np.where((left * right > 0) & (left * rows > 0), np.clip(rows, -most, most), 0.0)


def _along_curves(keys: Pose, times: Array, velocities: Array, piece: NDArray[np.int64], share: Array) -> Pose:
    third = np.diff(times)[:, None] / 3
    first, last = third * velocities[:-1], third * velocities[1:]
    across = keys[1:].plus(-last).minus(keys[:-1].plus(first))
    pose, u = keys[piece], share[..., None]
    for step, part in ((first, 1 - (1 - u) ** 3), (across, u * u * (3 - 2 * u)), (last, u**3)):
        pose = pose.plus(step[piece] * part)
    return pose


MOST_FRAMES = 10_000_000
MOST_NUMBERS = 100_000_000
"""Coordinates of all frames of a clip that is made anew."""
_LEAST_FPS, _MAX_FPS = 0.99e-9, 1.01e9  # frames a second: what the formats can state


def check_clips(*clips: object) -> None:
    """Raise PosableError for anything but clips."""
    for clip in clips:
        check_kind(clip, Clip, "what is edited is a Clip", "a file's are posable.load(path).clips")


def check_fps(fps: float, what: str = "") -> None:
    """Raise PoseError for anything that cannot be a frame rate. what: the beginning of the message."""
    if not (is_number(fps) and 0 < fps < np.inf):
        raise PoseError(f"{what}fps must be above 0, not {fps!r:.40}")
    if not _LEAST_FPS <= fps <= _MAX_FPS:
        raise PoseError(f"{what}fps must be from 1e-9 to 1e9, not {fps:g}")


def frame_times(skeleton: Skeleton, seconds: float, fps: float) -> Array:
    """`[frame]` times from 0 to `seconds`. Raises PoseError where their poses would take too much memory."""
    most = min(MOST_FRAMES, MOST_NUMBERS // max(1, skeleton.coordinates))
    if not seconds * fps < most:
        raise PoseError(f"{seconds:g} s at {fps:g} fps exceed {most:,} frames")
    return np.arange(int(np.floor(seconds * fps + 1e-9)) + 1) / fps


# Events, such as a foot landing.


@dataclass(frozen=True, order=True)
class Event:
    """A named event of a clip, such as a foot landing.

    Args:
        seconds: Time from the clip's first frame in seconds.
        name: Name of the event.
        joint: The joint concerned, "" if none.

    Raises:
        PoseError: If the time is not finite.

    Example:
        >>> step = posable.Event(0.4, "lands", "foot_l")
    """

    seconds: float
    name: str
    joint: str = ""

    def __post_init__(self) -> None:
        if not (is_number(self.seconds) and math.isfinite(self.seconds)):
            raise PoseError(f"event {self.name!r}: its time must be a finite number of seconds, not {self.seconds!r}")

    def moved(self, seconds: float) -> Event:
        """The event `seconds` later."""
        return replace(self, seconds=self.seconds + seconds)


def within(events: Iterable[Event], start: float, end: float) -> tuple[Event, ...]:
    """The events from `start` to `end` (inclusive, to a microsecond), with times relative to `start`."""
    return tuple(event.moved(-start) for event in events if start - 1e-6 <= event.seconds <= end + 1e-6)


@dataclass(frozen=True, eq=False)
class Clip:
    """A motion: poses of a skeleton at a constant frame rate, frame 0 at 0 s.

    Args:
        skeleton: The skeleton.
        q: Coordinates `[frame, coordinates]`, as in `Pose`.
        fps: Frames per second, from 1e-9 to 1e9.
        name: Name of the clip.
        events: Events of the clip; sorted by time.

    Raises:
        PoseError: For no frames, a wrong shape, values that are not finite, or an fps that is not above 0.

    Example:
        >>> still = posable.Clip(figure.skeleton, np.tile(figure.rest.q, (30, 1)), fps=30.0)
        >>> still.poses.shape
        (30,)
    """

    skeleton: Skeleton
    q: Array
    fps: float
    name: str = ""
    events: tuple[Event, ...] = ()

    def __post_init__(self) -> None:
        check_fps(self.fps, f"clip {self.name!r}: ")
        pose = Pose(self.skeleton, self.q)
        if pose.q.ndim != 2 or len(pose.q) == 0:
            raise PoseError(
                f"clip {self.name!r}: q must be frames × coordinates with at least one frame, not {pose.q.shape}"
            )
        object.__setattr__(self, "q", pose.q)
        object.__setattr__(self, "events", tuple(sorted(self.events)))

    def __repr__(self) -> str:
        return f"Clip({self.name!r}, {len(self.q)} frames at {self.fps:g} fps, {self.seconds:.2f} s)"

    def __len__(self) -> int:
        return len(self.q)

    @property
    def poses(self) -> Pose:
        """All frames as one pose with a leading frame axis: the same object for as long as anyone holds it, with the
        frames of joints that are computed on it.
        """
        known = _HELD.get(self)
        pose = known() if known else None
        if pose is None:
            pose = Pose.trusted(self.skeleton, self.q)
            _HELD[self] = ref(pose)
        return pose

    @property
    def seconds(self) -> float:
        """Duration from the first frame to the last, in seconds."""
        return (len(self.q) - 1) / self.fps

    @property
    def times(self) -> Array:
        """Time of each frame in seconds, `[frame]`."""
        return np.arange(len(self.q)) / self.fps

    def at(self, seconds: ArrayLike, interpolation: Interpolation = "linear") -> Pose:
        """Interpolate the pose at given times; outside the clip, its first or last frame.

        Args:
            seconds: Times `[...]` in seconds.
            interpolation: "linear" (along the shortest path), "cubic" (smooth), "monotone" (smooth without overshoot)
                or
                "step".

        Returns:
            The poses `[...]`.

        Raises:
            PoseError: For an unknown interpolation or a time that is NaN.
        """
        return interpolated(self.poses, self.times, seconds, interpolation)

    def resample(self, fps: float, interpolation: Interpolation = "linear") -> Clip:
        """Resample the motion at another frame rate; its duration changes by less than one frame.

        Args:
            fps: The new frame rate, above 0.
            interpolation: As for `at`.

        Returns:
            The resampled clip.

        Raises:
            PoseError: If `fps` is not above 0.
        """
        check_fps(fps)
        times = frame_times(self.skeleton, self.seconds, fps)
        return replace(self, q=self.at(times, interpolation).q, fps=float(fps))


_HELD: WeakKeyDictionary[Clip, ReferenceType[Pose]] = WeakKeyDictionary()
"""The poses of clips that someone still holds."""

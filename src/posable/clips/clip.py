"""The clip: poses over time."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from posable.clips.interpolation import Interpolation, interpolated
from posable.errors import PoseError
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array

MOST_FRAMES = 10_000_000
MOST_NUMBERS = 100_000_000
"""Coordinates of all frames of a clip that is made anew."""
_SLOWEST, _FASTEST = 0.99e-9, 1.01e9  # frames a second: what the formats can state


def check_fps(fps: float, what: str = "") -> None:
    """Raise PoseError for anything that cannot be a frame rate. what: the beginning of the message."""
    if not (isinstance(fps, int | float | np.number) and 0 < fps < np.inf):
        raise PoseError(f"{what}fps must be above 0, not {fps!r}")
    if not _SLOWEST <= fps <= _FASTEST:
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
        if not math.isfinite(self.seconds):
            raise PoseError(f"event {self.name!r}: its time must be a finite number of seconds, not {self.seconds}")

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
        """All frames as one pose with a leading frame axis."""
        return Pose.trusted(self.skeleton, self.q)

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

"""A clip: poses over time."""

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

# What happens in a clip: a foot lands, a hand lets go.


@dataclass(frozen=True, order=True)
class Event:
    """Something named that happens at `seconds` from a clip's first frame; joint: what it happens to, if to one.

    Raises PoseError for a time that is no finite number.
    """

    seconds: float
    name: str
    joint: str = ""

    def __post_init__(self) -> None:
        if not math.isfinite(self.seconds):
            raise PoseError(f"event {self.name!r}: its time is a finite number of seconds, not {self.seconds}")

    def moved(self, seconds: float) -> Event:
        """The same event so much later."""
        return replace(self, seconds=self.seconds + seconds)


def within(events: Iterable[Event], start: float, end: float) -> tuple[Event, ...]:
    """The events from `start` to `end`, both included to within a microsecond, told from `start`."""
    return tuple(event.moved(-start) for event in events if start - 1e-6 <= event.seconds <= end + 1e-6)


@dataclass(frozen=True, eq=False)
class Clip:
    """`q [frame, coordinates]` of a skeleton at `fps` frames a second; frame 0 is at 0 s.

    events: what happens in it, in the order of time.
    Raises PoseError for no frames, a wrong shape, numbers that are not finite, or an fps that is not above 0.
    """

    skeleton: Skeleton
    q: Array
    fps: float
    name: str = ""
    events: tuple[Event, ...] = ()

    def __post_init__(self) -> None:
        if not (isinstance(self.fps, int | float | np.number) and 0 < self.fps < np.inf):
            raise PoseError(f"clip {self.name!r}: fps must be above 0, not {self.fps!r}")
        pose = Pose(self.skeleton, self.q)
        if pose.q.ndim != 2 or len(pose.q) == 0:
            raise PoseError(
                f"clip {self.name!r}: a clip is frames × coordinates with at least one frame, not {pose.q.shape}"
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
        """From the first frame to the last."""
        return (len(self.q) - 1) / self.fps

    @property
    def times(self) -> Array:
        """`[frame]` when each frame is, in seconds."""
        return np.arange(len(self.q)) / self.fps

    def at(self, seconds: ArrayLike, interpolation: Interpolation = "linear") -> Pose:
        """The pose at `seconds [...]`; before and after the clip, its end frames.

        interpolation: between frames "linear", along the shortest way, "cubic", without kinks, "monotone", without
            kinks and never beyond the frames, or "step".
        """
        return interpolated(self.poses, self.times, seconds, interpolation)

    def resample(self, fps: float, interpolation: Interpolation = "linear") -> Clip:
        """The same motion at another frame rate; it keeps its length to within one frame."""
        if not (0 < fps < np.inf):
            raise PoseError(f"fps must be above 0, not {fps}")
        times = np.arange(int(np.floor(self.seconds * fps + 1e-9)) + 1) / fps
        return replace(self, q=self.at(times, interpolation).q, fps=float(fps))

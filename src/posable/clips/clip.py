"""A clip: poses over time."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import PoseError
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array


@dataclass(frozen=True, eq=False)
class Clip:
    """`q [frame, coordinates]` of a skeleton at `fps` frames a second; frame 0 is at 0 s.

    Raises PoseError for no frames, a wrong shape, numbers that are not finite, or an fps that is not above 0.
    """

    skeleton: Skeleton
    q: Array
    fps: float
    name: str = ""

    def __post_init__(self) -> None:
        if not (0 < self.fps < np.inf):
            raise PoseError(f"clip {self.name!r}: fps must be above 0, not {self.fps}")
        pose = Pose(self.skeleton, self.q)
        if pose.q.ndim != 2 or len(pose.q) == 0:
            raise PoseError(
                f"clip {self.name!r}: a clip is frames × coordinates with at least one frame, not {pose.q.shape}"
            )
        object.__setattr__(self, "q", pose.q)

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

    def at(self, seconds: ArrayLike) -> Pose:
        """The pose at `seconds [...]`, between frames along the shortest way; before and after, the end frames."""
        place = np.clip(np.asarray(seconds, float) * self.fps, 0, len(self.q) - 1)
        if not np.isfinite(place).all():
            raise PoseError("a time is not a finite number of seconds")
        below = np.minimum(place.astype(int), max(len(self.q) - 2, 0))
        start = Pose.trusted(self.skeleton, self.q[below])
        end = Pose.trusted(self.skeleton, self.q[np.minimum(below + 1, len(self.q) - 1)])
        return start.plus(end.minus(start) * (place - below)[..., None])

    def resample(self, fps: float) -> Clip:
        """The same motion at another frame rate; it keeps its length to within one frame."""
        if not (0 < fps < np.inf):
            raise PoseError(f"fps must be above 0, not {fps}")
        times = np.arange(int(np.floor(self.seconds * fps + 1e-9)) + 1) / fps
        return replace(self, q=self.at(times).q, fps=float(fps))

"""Keyframes: a few poses at chosen times, and how to go from each to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.clips.clip import Clip
from posable.clips.interpolation import INTERPOLATIONS, Interpolation, interpolated, key_velocities
from posable.errors import PoseError
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array

MOST_FRAMES = 10_000_000


@dataclass(frozen=True, eq=False)
class Keys:
    """Poses `q [key, coordinates]` of a skeleton at rising `times [key]` (seconds).

    interpolation: "linear", "cubic", "monotone" (cubic without overshoot) or "step", one for all or one a key, for the
        way from it to the next.
    velocities: `[key, dof]` per second, in each key's tangent, the handles of cubic curves; NaN, or None for all, where
        the neighbours decide.
    Raises PoseError for what does not fit together.
    """

    skeleton: Skeleton
    times: Array
    q: Array
    interpolation: Interpolation | Sequence[Interpolation] = "cubic"
    velocities: Array | None = None

    def __post_init__(self) -> None:
        times, poses = np.array(self.times, float), Pose(self.skeleton, self.q)
        if times.ndim != 1 or not len(times) or poses.shape != times.shape:
            raise PoseError(f"keys need as many times as poses, at least one: not {times.shape} and {poses.shape}")
        if not np.isfinite(times).all() or (np.diff(times) <= 0).any():
            raise PoseError("the times of keys are finite and rise; two keys cannot share a time")
        for one in self._modes:
            if one not in INTERPOLATIONS:
                raise PoseError(f"interpolation is one of {', '.join(INTERPOLATIONS)}, not {one!r}")
        if len(self._modes) not in (1, len(times)):
            raise PoseError(f"interpolation is one word, or {len(times)}, one a key, not {len(self._modes)}")
        if self.velocities is not None and np.shape(self.velocities) != (len(times), self.skeleton.dof):
            raise PoseError(
                f"velocities are keys × freedoms, {(len(times), self.skeleton.dof)}, not {np.shape(self.velocities)}"
            )
        object.__setattr__(self, "times", times)
        object.__setattr__(self, "q", poses.q)

    @property
    def _modes(self) -> tuple[Interpolation, ...]:
        return (self.interpolation,) if isinstance(self.interpolation, str) else tuple(self.interpolation)

    def __len__(self) -> int:
        return len(self.times)

    @property
    def poses(self) -> Pose:
        """The keys as one pose with a leading axis."""
        return Pose.trusted(self.skeleton, self.q)

    def at(self, seconds: ArrayLike) -> Pose:
        """The pose at `seconds [...]`; before the first key and after the last, these."""
        wanted = np.asarray(seconds, float)
        q = np.empty((*wanted.shape, self.skeleton.coordinates))
        ways = self._ways(wanted)
        for mode in set(self._modes):
            chosen = ways == mode
            q[chosen] = interpolated(self.poses, self.times, wanted[chosen], mode, self._handles(mode)).q
        return Pose.trusted(self.skeleton, q)

    def _ways(self, seconds: Array) -> NDArray[np.str_]:
        if len(self._modes) == 1:
            return np.full(seconds.shape, self._modes[0])
        piece = np.searchsorted(self.times, seconds, side="right") - 1
        return np.array(self._modes)[np.clip(piece, 0, len(self.times) - 1)]

    def _handles(self, mode: Interpolation) -> Array | None:
        if self.velocities is None or mode != "cubic" or len(self) == 1:
            return None
        given = np.array(self.velocities, float)
        return np.where(np.isnan(given), key_velocities(self.poses, self.times), given)

    def with_key(self, seconds: float, pose: Pose) -> Keys:
        """The same keys and one more, or another in the place of the one at that time."""
        if pose.shape or not pose.skeleton.shares_poses(self.skeleton):
            raise PoseError("a key is one pose of the keys' own skeleton")
        here = int(np.searchsorted(self.times, seconds))
        old = here < len(self) and self.times[here] == seconds
        rest = slice(here + old, None)
        modes = self._modes
        if len(modes) > 1:
            modes = (*modes[:here], modes[min(here, len(modes) - 1)], *modes[rest])
        handles = self.velocities
        if handles is not None:
            handles = np.concatenate([handles[:here], np.full((1, self.skeleton.dof), np.nan), handles[rest]])
        return replace(
            self,
            times=np.concatenate([self.times[:here], [seconds], self.times[rest]]),
            q=np.concatenate([self.q[:here], pose.q[None], self.q[rest]]),
            interpolation=modes[0] if len(modes) == 1 else modes,
            velocities=handles,
        )

    def clip(self, fps: float = 30.0, name: str = "") -> Clip:
        """The keys baked: a frame every 1/fps s from the first key on, the last key's time included where it is on a
        frame. Where every key is within the limits, every frame is.
        """
        if not (0 < fps < np.inf):
            raise PoseError(f"fps must be above 0, not {fps}")
        span = float(self.times[-1] - self.times[0])
        if span * fps > MOST_FRAMES:
            raise PoseError(f"{span:g} s at {fps:g} frames a second are more than {MOST_FRAMES:,} frames")
        frames = np.arange(int(np.floor(span * fps + 1e-9)) + 1) / fps
        pose = self.at(self.times[0] + frames)
        if np.allclose(self.poses.clamped().q, self.q, rtol=0, atol=1e-9):
            pose = pose.clamped()
        return Clip(self.skeleton, pose.q, float(fps), name)

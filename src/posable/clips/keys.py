"""Keyframes: poses at chosen times, interpolation between them, and how a motion is smoothed and reduced to them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.clips.clip import (
    INTERPOLATIONS,
    Clip,
    Interpolation,
    check_clips,
    check_fps,
    frame_times,
    interpolated,
    key_velocities,
)
from posable.errors import PoseError
from posable.skeleton import Pose, Skeleton, forward_kinematics
from posable.spatial import Array, normalized


@dataclass(frozen=True, eq=False)
class Keys:
    """Keyframes: poses at increasing times, and how to interpolate between them.

    Args:
        skeleton: The skeleton.
        times: Times of the keys in seconds, `[key]`, increasing.
        q: Coordinates of the keys, `[key, coordinates]`.
        interpolation: "linear", "cubic", "monotone" (cubic without overshoot) or "step"; one for all, or one per key
            for the segment that starts there.
        velocities: `[key, dof]` per second in each key's tangent space, the handles of cubic and monotone curves; NaN
            entries, or None for all, are derived from the neighbouring keys.

    Raises:
        PoseError: If shapes do not match, times do not increase, or an interpolation is unknown.

    Example:
        >>> poses = np.stack([figure.rest.q, clip.q[0], figure.rest.q])
        >>> keys = posable.Keys(figure.skeleton, [0.0, 0.5, 1.0], poses)
    """

    skeleton: Skeleton
    times: Array
    q: Array
    interpolation: Interpolation | Sequence[Interpolation] = "cubic"
    velocities: Array | None = None

    def __post_init__(self) -> None:
        times, poses = np.array(self.times, float), Pose(self.skeleton, self.q)
        if times.ndim != 1 or not len(times) or poses.shape != times.shape:
            raise PoseError(f"keys need one time per pose and at least one pose, not {times.shape} and {poses.shape}")
        if not np.isfinite(times).all() or (np.diff(times) <= 0).any():
            raise PoseError("key times must be finite and strictly increasing")
        for one in self._modes:
            if one not in INTERPOLATIONS:
                raise PoseError(f"interpolation must be one of {', '.join(INTERPOLATIONS)}, not {one!r}")
        if len(self._modes) not in (1, len(times)):
            raise PoseError(f"interpolation must be one word or {len(times)}, one per key, not {len(self._modes)}")
        if self.velocities is not None and np.shape(self.velocities) != (len(times), self.skeleton.dof):
            raise PoseError(
                f"velocities must be keys × dof, {(len(times), self.skeleton.dof)}, not {np.shape(self.velocities)}"
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
        """The keys as one pose with a leading key axis."""
        return Pose.trusted(self.skeleton, self.q)

    def at(self, seconds: ArrayLike) -> Pose:
        """Interpolate the pose at given times; outside the keys, the first or last key.

        Args:
            seconds: Times `[...]` in seconds.

        Returns:
            The poses `[...]`.
        """
        wanted = np.asarray(seconds, float)
        q = np.empty((*wanted.shape, self.skeleton.coordinates))
        modes = self._modes_at(wanted)
        for mode in set(self._modes):
            chosen = modes == mode
            q[chosen] = interpolated(self.poses, self.times, wanted[chosen], mode, self._handles(mode)).q
        return Pose.trusted(self.skeleton, q)

    def _modes_at(self, seconds: Array) -> NDArray[np.str_]:
        if len(self._modes) == 1:
            return np.full(seconds.shape, self._modes[0])
        piece = np.searchsorted(self.times, seconds, side="right") - 1
        return np.array(self._modes)[np.clip(piece, 0, len(self.times) - 1)]

    def _handles(self, mode: Interpolation) -> Array | None:
        if self.velocities is None or mode not in ("cubic", "monotone") or len(self) == 1:
            return None
        given = np.array(self.velocities, float)
        derived = key_velocities(self.poses, self.times, monotone=mode == "monotone")
        return np.where(np.isnan(given), derived, given)

    def with_key(self, seconds: float, pose: Pose) -> Keys:
        """Add a key, or replace the one at that time.

        Args:
            seconds: Time of the key in seconds.
            pose: A single pose of the same skeleton.

        Returns:
            The new keys.

        Raises:
            PoseError: For a batch of poses or another skeleton.
        """
        if pose.shape or not pose.skeleton.shares_poses(self.skeleton):
            raise PoseError("a key must be a single pose of the same skeleton")
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
        """Bake the keys to a clip with a frame every 1/fps seconds, from the first key on.

        If every key is within the limits, so is every frame.

        Args:
            fps: Frames per second.
            name: Name of the clip.

        Returns:
            The clip; the last key is a frame if its time falls on one.

        Raises:
            PoseError: If `fps` is not above 0, or for too many frames.
        """
        check_fps(fps)
        pose = self.at(self.times[0] + frame_times(self.skeleton, float(self.times[-1] - self.times[0]), fps))
        if np.allclose(self.poses.clamped().q, self.q, rtol=0, atol=1e-9):
            pose = pose.clamped()
        return Clip(self.skeleton, pose.q, float(fps), name)


_MAX_SMOOTHING_FRAMES = 10_000
_LIMIT_TOLERANCE = 1e-9  # rad or length: larger excesses are not rounding


def smooth(clip: Clip, seconds: float) -> Clip:
    """Remove motion faster than `seconds` from a clip, without delay.

    Limits that the clip keeps are kept; a joint that is beyond its limits stays within the clip's own range.

    Args:
        clip: The clip.
        seconds: Period in seconds below which motion is removed; larger is smoother, 0 changes nothing.

    Returns:
        The smoothed clip.

    Raises:
        PoseError: If `seconds` is below 0, or more than 10,000 frames.

    Example:
        >>> calm = posable.clips.smooth(clip, 0.2)
    """
    check_clips(clip)
    if not 0 <= seconds < math.inf:
        raise PoseError(f"smoothing needs a time in seconds of at least 0, not {seconds!r}")
    return replace(clip, q=evened(clip.poses, seconds * clip.fps).q)


def evened(pose: Pose, frames: float) -> Pose:
    """Smooth a motion with Whittaker's smoother.

    The result minimises the squared distance to the motion plus frames⁴ times the squared accelerations (Whittaker
    1923). Rotations are smoothed as quaternions of one sign.

    Args:
        pose: The motion, `[frame]`.
        frames: Period in frames below which motion is removed.

    Returns:
        The smoothed motion, `[frame]`.

    Raises:
        PoseError: Unless `frames` is from 0 to 10,000; beyond that rounding leaves nothing of the motion.

    Example:
        >>> calmer = posable.clips.evened(clip.poses, frames=4.0)
    """
    from scipy.linalg import solveh_banded

    if not 0 <= frames <= _MAX_SMOOTHING_FRAMES:
        raise PoseError(f"smoothing removes what is faster than 0 to {_MAX_SMOOTHING_FRAMES:,} frames, not {frames:g}")
    q = np.array(pose.q)
    for columns in pose.skeleton.quaternion_columns:
        quaternions = q[:, columns]
        q[:, columns] = quaternions * np.cumprod(np.where(_against_last(quaternions), -1.0, 1.0))[:, None]
    second = np.zeros((3, len(q)))
    second[2] = 1.0
    if len(q) > 2:
        _add_second_differences(second, (frames / (2 * math.pi)) ** 4)
    q = solveh_banded(second, q)
    for columns in pose.skeleton.quaternion_columns:
        q[:, columns] = normalized(q[:, columns])
    return _within_own(pose, Pose(pose.skeleton, q))


def _within_own(pose: Pose, smooth: Pose) -> Pose:
    """`smooth` within the limits that `pose` keeps; an axis that is beyond them is within its range there."""
    kept: NDArray[np.bool_] = np.max(np.abs(pose.clamped().q - pose.q), axis=0) <= _LIMIT_TOLERANCE
    axes = np.ones(len(kept), bool)
    for columns in pose.skeleton.quaternion_columns:
        kept[columns], axes[columns] = kept[columns].all(), False
    own = np.where(axes, np.clip(smooth.q, pose.q.min(axis=0), pose.q.max(axis=0)), smooth.q)
    return Pose(pose.skeleton, np.where(kept, smooth.clamped().q, own))


def _against_last(quaternions: Array) -> np.ndarray:
    """`[frame]` whether a quaternion and its predecessor have opposite signs."""
    return np.concatenate([[False], np.sum(quaternions[1:] * quaternions[:-1], axis=1) < 0])


def _add_second_differences(bands: Array, weight: float) -> None:
    """Add weight · DᵀD to the upper bands of a symmetric matrix, D the second differences."""
    difference = (1.0, -2.0, 1.0)
    count = bands.shape[1] - 2
    for a in range(3):
        for b in range(a, 3):
            bands[2 - (b - a), b : b + count] += weight * difference[a] * difference[b]


# Key reduction.


_FRAMES_AT_ONCE = 2048


def reduce_keys(clip: Clip, tolerance: float = 5e-3, interpolation: Interpolation = "cubic") -> Keys:
    """Reduce a clip to few keys within a tolerance.

    Keys are frames of the clip, including the first and the last. Where a segment deviates too far, the frame of the
    largest deviation becomes a key (Ramer 1972; Douglas & Peucker 1973; here over poses). The deviation is that of
    every
    joint's origin and of a point a fifth of the reach along each of its axes, at every frame.

    Args:
        clip: The clip.
        tolerance: Largest deviation, as a share of the figure's reach.
        interpolation: How the keys are interpolated: "linear", "cubic", "monotone" or "step".

    Returns:
        The keys.

    Raises:
        PoseError: If the tolerance is not above 0.

    Example:
        >>> keys = posable.clips.reduce_keys(clip, tolerance=0.01)
    """
    check_clips(clip)
    if not (0 < tolerance < np.inf):
        raise PoseError(f"tolerance must be above 0, not {tolerance}")
    wanted = _marks(clip, clip.q)
    chosen = np.unique([0, len(clip) - 1])
    while True:
        keys = Keys(clip.skeleton, clip.times[chosen], clip.q[chosen], interpolation)
        stray = np.abs(_marks(clip, keys.at(clip.times).q) - wanted).max(axis=1)
        stray[chosen] = 0.0
        worst = _worst_of_pieces(stray, chosen, tolerance)
        if not len(worst):
            return keys
        chosen = np.union1d(chosen, worst)


def _worst_of_pieces(stray: Array, chosen: NDArray[np.int64], tolerance: float) -> NDArray[np.int64]:
    """The frame of the largest deviation in each segment that exceeds the tolerance."""
    worst = [a + int(np.argmax(stray[a:b])) for a, b in pairwise(chosen)]
    return np.array([frame for frame in worst if stray[frame] > tolerance], np.int64)


def _marks(clip: Clip, q: Array) -> Array:
    """`[frame, numbers]`: joint positions in units of the reach, and a fifth of their rotation matrices."""
    parts = []
    for start in range(0, len(q), _FRAMES_AT_ONCE):
        world = forward_kinematics(clip.skeleton, q[start : start + _FRAMES_AT_ONCE])
        positions, rotations = world[..., :3, 3] / clip.skeleton.reach, 0.2 * world[..., :3, :3]
        parts.append(np.concatenate([positions[..., None], rotations], axis=-1).reshape(len(world), -1))
    return np.concatenate(parts)

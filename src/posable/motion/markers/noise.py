"""The noise of recorded markers, and the most likely motion of the person who carries them."""

from __future__ import annotations

import numpy as np

from posable.clips import Clip, evened
from posable.goals import Reach
from posable.motion.markers.marker_model import MarkerModel
from posable.motion.whole_clip import solve_clip
from posable.skeleton import Pose
from posable.spatial import Array

# All frames of a fit together, to separate the noise of markers from the motion of the person.
#
# The result is the most likely motion if markers have white noise and the acceleration of each degree of freedom is
# normally distributed with its own variance. Both are estimated from the recording: the noise is the white part of the
# residuals, and the accelerations are found alternately with the motion (expectation–maximisation; Dempster, Laird &
# Rubin 1977).


_EXACT = 1e-5  # of the reach: markers with less noise are followed frame by frame
_STAY = 1e-6  # keeps degrees of freedom that no marker depends on
_SLOW = 1.0  # s: smoothing of the motion that corrections refer to, less where it rotates far
_FIRST = 0.25  # s: smoothing of the motion that gives the first accelerations
_FAR = 2.0  # rad: corrections stay well below half a revolution
_SLOWEST = 0.05  # rad or reaches per s²: the smallest standard deviation of an acceleration
_EM_ROUNDS = 2
_STEPS = 15


def white_noise(model: MarkerModel, pose: Pose, offsets: Array) -> float:
    """The standard deviation of the markers' white noise along each axis, in the figure's unit: from the fourth
    differences of the residuals, corrected for the degrees of freedom of the fit. 0 for very short recordings.
    """
    if len(pose) < 8:
        return 0.0
    root = np.sqrt(model.weights)
    differences = np.diff((model.positions(pose, offsets) - model.targets) * root[..., None], 4, axis=0)
    counts = np.lib.stride_tricks.sliding_window_view(root > 0, 5, axis=0).all(axis=-1)
    if not counts.any():
        return 0.0
    found = 1.4826 * float(np.median(np.abs(differences[counts]))) / np.sqrt(70)
    measured = 3 * float((model.weights > 0).sum(axis=1).mean())
    return found / np.sqrt(max(1 - len(model.free) / measured, 0.2))


def smoothed_by_noise(model: MarkerModel, pose: Pose, offsets: Array, fps: float, noise: float) -> Pose:
    """The most likely poses `[frame]` for markers with `noise` along each axis; unchanged for less than `_EXACT`."""
    skeleton, sigma = model.skeleton, noise / model.skeleton.reach
    if sigma < _EXACT or len(pose) < 8:
        return pose
    source = Clip(skeleton, _slow_motion(pose, fps).q, fps)
    goals = [Reach(skeleton.joints[j], model.targets[:, m], tip=offsets[m]) for m, j in enumerate(model.carriers)]
    options = {"stay": _STAY, "free": [skeleton.freedoms[f] for f in model.free], "max_iterations": _STEPS}
    found, start = evened(pose, _FIRST * fps), None
    for _ in range(_EM_ROUNDS):
        smooth = (sigma / _accelerations(found, fps)) ** 2
        start = solve_clip(source, goals, list(model.weights.T), smooth=smooth, start=start, **options).clip
        found = start.poses
    return found


def _slow_motion(pose: Pose, fps: float) -> Pose:
    """The motion, smoothed as far as rotations stay close to it."""
    angles = ~pose.skeleton.slides
    frames = _SLOW * fps
    while frames > 1:
        found = evened(pose, frames)
        if np.abs(pose.minus(found)[:, angles]).max(initial=0.0) < _FAR:
            return found
        frames /= 2
    return pose


def _accelerations(pose: Pose, fps: float) -> Array:
    """`[dof]` the root mean square acceleration of each degree of freedom, rad/s² or reaches/s²."""
    velocity = pose[1:].minus(pose[:-1]) * fps
    size = np.sqrt(np.mean((np.diff(velocity, axis=0) * fps) ** 2, axis=0))
    return np.maximum(np.where(pose.skeleton.slides, size / pose.skeleton.reach, size), _SLOWEST)

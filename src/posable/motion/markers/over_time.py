"""All frames of a fit together: what markers tremble by is told apart from what the person does.

The poses are those most likely where markers are off by white noise and each freedom's acceleration is normal, of a
size of its own. Both sizes are the recording's: the noise is what is white in the markers' misses, and how quickly a
freedom accelerates is found with the motion, in turns (expectation–maximisation; Dempster, Laird & Rubin 1977).
"""

from __future__ import annotations

import numpy as np

from posable.clips import Clip, evened
from posable.goals import Reach
from posable.motion.markers.rig import Rig
from posable.motion.whole_clip import solve_clip
from posable.skeleton import Pose
from posable.spatial import Array

_EXACT = 1e-5  # of the reach: markers that tremble by less are followed frame by frame
_STAY = 1e-6  # what keeps freedoms that no marker tells of
_BASE = 1.0  # s: the motion that corrections are counted from is evened over so long, or less where it turns far
_FIRST = 0.25  # s: the motion whose accelerations are believed at first is evened over so long
_FAR = 2.0  # rad: corrections are to stay well below half a turn
_SLOWEST = 0.05  # rad or reaches per s²: nobody keeps a joint stiller
_TURNS = 2
_STEPS = 15


def white_noise(rig: Rig, pose: Pose, offsets: Array) -> float:
    """The standard deviation along each axis of what is white in the markers, in the figure's unit: by the fourth
    differences of their misses, of which the fit itself has taken its share. 0 for a few frames only.
    """
    if len(pose) < 8:
        return 0.0
    root = np.sqrt(rig.weights)
    differences = np.diff((rig.places(pose, offsets) - rig.targets) * root[..., None], 4, axis=0)
    counts = np.lib.stride_tricks.sliding_window_view(root > 0, 5, axis=0).all(axis=-1)
    if not counts.any():
        return 0.0
    left = 1.4826 * float(np.median(np.abs(differences[counts]))) / np.sqrt(70)
    told = 3 * float((rig.weights > 0).sum(axis=1).mean())
    return left / np.sqrt(max(1 - len(rig.free) / told, 0.2))


def steadied(rig: Rig, pose: Pose, offsets: Array, fps: float, noise: float) -> Pose:
    """The poses `[frame]` most likely when markers are off by `noise` along each axis; as they are below a hundred
    thousandth of the reach.
    """
    skeleton, sigma = rig.skeleton, noise / rig.skeleton.reach
    if sigma < _EXACT or len(pose) < 8:
        return pose
    source = Clip(skeleton, _base(pose, fps).q, fps)
    goals = [Reach(skeleton.joints[j], rig.targets[:, m], tip=offsets[m]) for m, j in enumerate(rig.carriers)]
    options = {"stay": _STAY, "free": [skeleton.freedoms[f] for f in rig.free], "max_iterations": _STEPS}
    found, start = evened(pose, _FIRST * fps), None
    for _ in range(_TURNS):
        smooth = (sigma / _quickness(found, fps)) ** 2
        start = solve_clip(source, goals, list(rig.weights.T), smooth=smooth, start=start, **options).clip
        found = start.poses
    return found


def _base(pose: Pose, fps: float) -> Pose:
    """The motion evened as far as every rotation stays near."""
    turns = ~pose.skeleton.slides
    frames = _BASE * fps
    while frames > 1:
        found = evened(pose, frames)
        if np.abs(pose.minus(found)[:, turns]).max(initial=0.0) < _FAR:
            return found
        frames /= 2
    return pose


def _quickness(pose: Pose, fps: float) -> Array:
    """`[dof]` the root mean square of each freedom's acceleration, rad/s² or reaches/s²."""
    velocity = pose[1:].minus(pose[:-1]) * fps
    size = np.sqrt(np.mean((np.diff(velocity, axis=0) * fps) ** 2, axis=0))
    return np.maximum(np.where(pose.skeleton.slides, size / pose.skeleton.reach, size), _SLOWEST)

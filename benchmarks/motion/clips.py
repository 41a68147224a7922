"""C: what cutting, mirroring, resampling and looping keep."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

import posable
from benchmarks.motion.goal import RECORDED, Files, Row, loop, short
from posable import clips
from posable.skeleton import pose_from_rotations, rotations_of


def algebra(files: Files) -> Iterable[Row]:
    """C, for each recorded walk."""
    for name in RECORDED:
        clip = files.clip(name)
        yield from _round_trips(clip, short(name))
        yield _resampled(clip, short(name))
        yield _seam(clip, short(name))
    yield _resampled(loop(), "posable's own walk")


def _round_trips(clip: posable.Clip, name: str) -> Iterable[Row]:
    """Distances in reaches."""
    rotations, positions = rotations_of(clip.poses, "6d")
    trips = {
        "mirrored twice": (clips.mirror(clips.mirror(clip)).poses, 1e-9),
        "root motion out and in": (clips.with_root_motion(*clips.without_root_motion(clip)).poses, 1e-9),
        "6-D and back": (pose_from_rotations(clip.skeleton, rotations, positions), 1e-6),
        "baked keys": (clip.poses if len(clip) < 2 else clip.at(clip.times), 1e-6),
    }
    for what, (poses, aim) in trips.items():
        off = float(np.abs(poses.origins - clip.poses.origins).max()) / clip.skeleton.reach
        yield Row(f"{what}, {name}", f"{aim:g}", f"{off:.0e}", off <= aim)


def _resampled(clip: posable.Clip, name: str) -> Row:
    there = clip.resample(30.0, "cubic").resample(clip.fps, "cubic")
    count = min(len(there), len(clip))
    turns = _turns(clip.poses[:count], there.poses[:count])
    off = float(np.median(turns))
    naive = clip.resample(30.0).resample(clip.fps)
    plain = float(np.median(_turns(clip.poses[:count], naive.poses[:count])))
    return Row(
        f"120 → 30 → 120 a second, {name}", "median 0.05°", f"{off:.3f}°", off <= 0.05, naive=f"{plain:.3f}° linear"
    )


def _turns(one: posable.Pose, other: posable.Pose) -> np.ndarray:
    """`[frame, joint]` degrees between the rotations of each joint in its parent, joints that never turn left out."""
    away, skeleton = one.minus(other), one.skeleton
    free = [[k for k in skeleton.freedom_range(j) if not skeleton.slides[k]] for j in range(len(skeleton.joints))]
    turns = np.stack([np.linalg.norm(away[:, own], axis=1) for own in free if own], axis=1)
    return np.degrees(turns[:, turns.max(axis=0) > 1e-9])


def _seam(clip: posable.Clip, name: str) -> Row:
    """The jump from the last frame to the first after, beside steps between frames within the clip."""
    start, end = clips.find_loop(clip)
    cut = clips.trim(clip, start, end)
    looped = clips.loop(cut)
    seam, within = _jump(looped)
    raw, _ = _jump(cut)
    return Row(
        f"seam of a loop, {name}", "≤ the clip's own 95th percentile", f"× {seam / within:.2f}", seam <= within,
        f"× {raw / within:.2f}",
    )  # fmt: skip


def _jump(clip: posable.Clip) -> tuple[float, float]:
    """(change of the joints' velocities over the seam, 95th percentile of it within), travel left out."""
    clip = clips.without_root_motion(clip)[0] if clips.travels(clip) else clip
    places = clip.poses.origins
    round_and_on = np.concatenate([places[-2:-1], places[:1], places[1:2]])
    gap = np.abs(np.diff(round_and_on, 2, axis=0)).max() + np.abs(places[-1] - places[0]).max()
    within = np.abs(np.diff(places, 2, axis=0)).max(axis=(1, 2))
    return float(gap), float(np.percentile(within, 95))

"""The timeline: from keys and clips to the pose of a frame."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

import posable
from posable.motion import Fade
from posable.spatial import transform
from posable.studio.document import Document, GoalKey, StudioGoal
from posable.studio.schema import Vector

_NUMBERS = ("weight", "pole x", "pole y", "pole z")
_CURVE = posable.Skeleton(
    [
        posable.Joint("goal", "free"),
        *(posable.Joint(name, "slide", axes=(posable.Axis((1.0, 0.0, 0.0), slide=True),)) for name in _NUMBERS),
    ]
)
"""A skeleton whose coordinates are a goal's position, rotation, weight and pole, so that keys of goals have the same
curves as keys of poses.
"""


def goal_at(goal: StudioGoal, frame: float, fps: float) -> StudioGoal:
    """The goal at a frame of its keys; unchanged where it has none."""
    if not goal.keys:
        return goal
    q = _curve(goal, fps).at(frame / fps).q.tolist()
    position, rotation, weight = tuple(q[:3]), tuple(q[3:7]), min(max(q[7], 0.0), 1.0)
    pole = goal.pole if poles_of(goal) is None else tuple(q[8:])
    return replace(goal, position=position, rotation=rotation, weight=weight, pole=pole)


def poles_of(goal: StudioGoal) -> list[Vector] | None:
    """A pole for every key: its own, else that of the last earlier key that has one, else the first one. None where no
    key has a pole, and the goal's own holds at all times.
    """
    found = next((key.pole for key in goal.keys if key.pole is not None), None)
    if found is None:
        return None
    poles = []
    for key in goal.keys:
        found = key.pole or found
        poles.append(found)
    return poles


def _curve(goal: StudioGoal, fps: float) -> posable.Keys:
    keys = goal.keys
    velocities = np.full((len(keys), _CURVE.dof), np.nan)
    for row, key in zip(velocities, keys, strict=True):
        if key.velocity is not None:
            row[:3] = key.velocity
    poles = poles_of(goal) or [(0.0, 0.0, 0.0)] * len(keys)
    return posable.Keys(
        _CURVE,
        np.array([key.frame / fps for key in keys]),
        np.array([(*key.position, *key.rotation, key.weight, *pole) for key, pole in zip(keys, poles, strict=True)]),
        [key.interpolation for key in keys],
        velocities,
    )


def keyed(goal: StudioGoal, frame: int, pose: posable.Pose) -> StudioGoal:
    """The goal with a key of its current values; the interpolation is that of the key before."""
    old = goal.key_at(frame)
    before = old or next((key for key in reversed(goal.keys) if key.frame < frame), None)
    mode = before.interpolation if before else "cubic"
    velocity = old.velocity if old else None
    key = GoalKey(frame, goal.position, goal.rotation, goal.weight, pose.q, mode, velocity, goal.pole)
    return goal.with_keys({**goal.keys_by_frame, frame: key})


def pose_keys(document: Document) -> posable.Keys | None:
    """The figure's poses at the keys, over time; None without keys."""
    found: dict[int, np.ndarray] = {}
    modes: dict[int, str] = {}
    for goal in document.goals:
        for key in goal.keys:
            found[key.frame], modes[key.frame] = key.q, key.interpolation
    if not found:
        return None
    frames = sorted(found)
    return posable.Keys(
        document.figure.skeleton,
        np.array(frames) / document.fps,
        np.array([found[frame] for frame in frames]),
        [modes[frame] for frame in frames],  # type: ignore[arg-type]
    )


def sampled(document: Document, layer: posable.motion.Overlay | None = None) -> posable.Clip:
    """All frames of the timeline, from 0 to the end of its range: the chosen clip or the keyed poses, with the
    feet on the ground, overlaid by the goals that have keys, by their weights.

    layer: reused between calls, so that unchanged frames are not solved again.
    """
    count = document.range[1] + 1
    clip = _placed(document, _base(document, count))
    fades = {}
    for goal in document.goals:
        if goal.keys and goal.enabled:
            fades.update(_over_time(document, goal, count))
    return (layer or posable.motion.Overlay()).over(clip, fades) if fades else clip


def _base(document: Document, count: int) -> posable.Clip:
    times = np.arange(count) / document.fps
    keys, clip = pose_keys(document), document.playing
    if clip is not None:
        pose = clip.at(times)
    elif keys is not None:
        pose = keys.at(times)
    else:
        pose = posable.Pose(document.figure.skeleton, np.tile(document.pose.q, (count, 1)))
    return posable.Clip(document.figure.skeleton, pose.q, document.fps, document.clip or "keys")


def _placed(document: Document, clip: posable.Clip) -> posable.Clip:
    """The clip with its feet on the ground, frame by frame; walks made here already are, and keys stay as they are."""
    if document.terrain["kind"] == "none" or document.walk or document.clip is None:
        return clip
    live = posable.motion.FootPlacement(document.figure, terrain_of(document))
    rows = [live.update(clip.poses[k], 1 / clip.fps).q for k in range(len(clip))]
    return replace(clip, q=np.array(rows))


def _over_time(document: Document, goal: StudioGoal, count: int) -> dict[Any, Fade]:
    """The library's goals with a target for every frame, and their weights."""
    q = _curve(goal, document.fps).at(np.arange(count) / document.fps).q
    place, turn, weight = q[:, :3], q[:, 3:7], np.clip(q[:, 7], 0.0, 1.0)
    fade = Fade(weight, weight)
    if goal.kind == "look":
        return {posable.LookAt(goal.joint, place, forward=goal.forward): fade}
    if goal.kind == "pole":
        return {posable.Pole(goal.joint, place): fade}
    found: dict[Any, Fade] = {}
    if goal.kind == "place" and goal.rotation_weight > 0:
        found[posable.Place(goal.joint, transform(place, turn))] = Fade(weight, weight * min(goal.rotation_weight, 1.0))
    else:
        found[posable.Reach(goal.joint, place)] = fade
    if poles_of(goal) is not None:
        found[posable.Pole(goal.joint, q[:, 8:])] = fade
    elif goal.pole is not None:
        found[posable.Pole(goal.joint, goal.pole)] = fade
    return found


def terrain_of(document: Document) -> posable.Terrain | None:
    """The ground of the document; None where there is none."""
    ground, up = document.terrain, document.figure.skeleton.up
    if ground["kind"] == "none":
        return None
    ahead = posable.roles(document.figure).forward
    if ground["kind"] == "plane":
        return posable.Terrain.plane(ground["height"], up=up)
    if ground["kind"] == "slope":
        return posable.Terrain.slope(ground["degrees"], ahead, up=up)
    if ground["kind"] == "stairs":
        run = ground["run"]
        return posable.Terrain.stairs(ground["rise"], run, ground["count"], ahead, start=ahead * run, up=up)
    if ground["kind"] == "bumps":
        return _bumps(ground["height"], ground["size"], ground["seed"], document.figure)
    mesh = document.meshes[ground["name"]].mesh
    return posable.Terrain.mesh(mesh.vertices, mesh.faces, up=up)


_SPREAD = 40  # lattice points along each side of bumpy ground


def _bumps(height: float, size: float, seed: int, figure: posable.Figure) -> posable.Terrain:
    heights = np.random.default_rng(abs(seed)).uniform(0.0, height, (_SPREAD, _SPREAD))
    heights[_SPREAD // 2 - 1 : _SPREAD // 2 + 2, _SPREAD // 2 - 1 : _SPREAD // 2 + 2] = 0.0  # where the figure stands
    spacing = max(size, 1e-3)
    middle = -spacing * (_SPREAD // 2)
    origin = (middle, 0.0, middle) if figure.skeleton.up == "y" else (middle, middle, 0.0)
    return posable.Terrain.field(heights, spacing, origin, up=figure.skeleton.up)


def shifted(
    keys: dict[int, GoalKey], frames: Sequence[int], by: int, *, copy: bool, ripple: bool
) -> dict[int, GoalKey]:
    """Keys by frame after those at `frames` moved `by` frames. ripple: later keys move too."""
    chosen = set(frames) & keys.keys()
    if ripple and chosen:
        chosen |= {frame for frame in keys if frame >= min(chosen)}
    stay = {frame: key for frame, key in keys.items() if copy or frame not in chosen}
    return {**stay, **{max(frame + by, 0): replace(keys[frame], frame=max(frame + by, 0)) for frame in sorted(chosen)}}


def frames_needed(clip: posable.Clip, fps: float) -> int:
    """The last frame of a clip at another frame rate."""
    return max(math.floor(clip.seconds * fps + 1e-9), 1)

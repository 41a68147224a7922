"""The timeline: from keys and clips to the pose of a frame."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

import posable
from posable.studio.document import Document, GoalKey, StudioGoal
from posable.studio.scenery import goes_with_joint, ground_triangles, localized
from posable.studio.schema import Vector

_SCALARS = ("weight", "switch", "pole x", "pole y", "pole z")
_CURVE = posable.Skeleton(
    [
        posable.Joint("goal", "free"),
        *(posable.Joint(name, "slide", axes=(posable.Axis((1.0, 0.0, 0.0), slide=True),)) for name in _SCALARS),
    ]
)
"""A skeleton whose coordinates are a goal's position, rotation, weight, switch and pole, so that keys of goals have the
same curves as keys of poses.
"""
WEIGHT, SWITCH, POLE = 7, 8, 9  # coordinate indices at which they begin


def goal_at(document: Document, goal: StudioGoal, frame: float) -> StudioGoal:
    """The goal at a frame of its keys, in the frame of the joint with which it goes, if any; unchanged without keys."""
    if not goal.keys:
        return goal
    q = curve_of(document, goal).at(frame / document.fps).q.tolist()
    position, rotation, weight = tuple(q[:3]), tuple(q[3:7]), min(max(q[WEIGHT], 0.0), 1.0)
    pole = goal.pole if poles_of(goal) is None else tuple(q[POLE:])
    enabled = q[SWITCH] > 0.5 if is_switched(goal) else goal.enabled
    return replace(goal, position=position, rotation=rotation, weight=weight, pole=pole, enabled=enabled)


def is_switched(goal: StudioGoal) -> bool:
    """Whether keys state when the limb follows the goal."""
    return any(key.enabled is not None for key in goal.keys)


def acts(goal: StudioGoal) -> bool:
    """Whether a goal with keys leads its limb at some time."""
    return any(key.enabled is not False for key in goal.keys) if is_switched(goal) else goal.enabled


def goes_along(document: Document, goal: StudioGoal) -> bool:
    """Whether a goal with keys is free and goes along with the body during playback too: its keys hold the joints of
    its limb, and not its position. Over a clip or a lower layer this is False, as there its keys lead the limb.
    """
    return goal.loose and document.clip is None and document.edited_layer == document.layers[0].name


def around(document: Document, keys: Sequence[GoalKey]) -> tuple[GoalKey, ...]:
    """The keys; in a loop with those of the cycles before and after, so that the curves are smooth where it closes. The
    last frame of the range is then the first one again.
    """
    first, last = document.range
    own = [key for key in keys if first <= key.frame < last]
    if not document.cyclic or not own:
        return tuple(keys)
    return tuple(replace(key, frame=key.frame + turn * (last - first)) for turn in (-1, 0, 1) for key in own)


def poles_of(goal: StudioGoal) -> list[Vector] | None:
    """A pole for every key: its own, else that of the last earlier key that has one, else the first one. None if no key
    has a pole; the goal's own pole then holds at all times.
    """
    found = next((key.pole for key in goal.keys if key.pole is not None), None)
    if found is None:
        return None
    poles = []
    for key in goal.keys:
        found = key.pole or found
        poles.append(found)
    return poles


def _in_joint_frame(document: Document, goal: StudioGoal, key: GoalKey) -> GoalKey:
    """The key of a goal that goes with a joint, in that joint's frame as it was when the key was set."""
    if not goes_with_joint(goal, document.figure):
        return key
    there = replace(goal, position=key.position, rotation=key.rotation)
    own = localized(there, document.figure, posable.Pose(document.figure.skeleton, key.q))
    return replace(key, position=own.position, rotation=own.rotation, velocity=None)


def curve_of(document: Document, goal: StudioGoal) -> posable.Keys:
    goal = replace(goal, keys=tuple(_in_joint_frame(document, goal, key) for key in around(document, goal.keys)))
    keys, fps = goal.keys, document.fps
    velocities = _eased_velocities(len(keys), _CURVE.dof)
    for row, key in zip(velocities, keys, strict=True):
        if key.velocity is not None:
            row[:3] = key.velocity
    poles = poles_of(goal) or [(0.0, 0.0, 0.0)] * len(keys)
    return posable.Keys(
        _CURVE,
        np.array([key.frame / fps for key in keys]),
        np.array(
            [
                (*key.position, *key.rotation, key.weight, key.enabled is not False, *pole)
                for key, pole in zip(keys, poles, strict=True)
            ]
        ),
        [key.interpolation for key in keys],
        velocities,
    )


def keyed(document: Document, name: str, frame: int) -> StudioGoal:
    """The goal with a key of its current values, which holds its joints in the current pose. The interpolation is that
    of the key before.
    """
    goal = document.goal(name)
    old = goal.key_at(frame)
    before = old or next((key for key in reversed(goal.keys) if key.frame < frame), None)
    mode = before.interpolation if before else "cubic"
    velocity = old.velocity if old else None
    holds = tuple(joint for joint, owner in owners(document).items() if owner == name)
    q = document.pose.q
    target = goal.position, goal.rotation, goal.weight
    key = GoalKey(frame, *target, q, mode, velocity, goal.pole, goal.enabled, holds)
    return goal.with_keys({**goal.keys_by_frame, frame: key})


def gone_along(document: Document, goal: StudioGoal, frame: int) -> StudioGoal:
    """The goal with the joints that its key at the frame, if any, does not hold set to the current pose."""
    key, skeleton = goal.key_at(frame), document.figure.skeleton
    if key is None or key.holds is None:
        return goal
    q, held = document.pose.q.copy(), _columns(skeleton, [skeleton.index(joint) for joint in key.holds])
    q[held] = key.q[held]
    return goal.with_keys({**goal.keys_by_frame, frame: replace(key, q=q)})


def owners(document: Document) -> dict[str, str]:
    """{joint: goal} of the goal whose keys hold a joint. A limb, with what its end carries, belongs to its goal. A
    joint that carries several limbs belongs to the goal at or above it, as the spine to the pelvis, else to the goal
    nearest to the root.
    """
    skeleton = document.figure.skeleton
    at: dict[int, str] = {}
    for goal in document.goals:
        if goal.kind != "pole":
            at.setdefault(skeleton.index(goal.joint), goal.name)
    if not at:
        return {}
    below: list[set[int]] = [set() for _ in skeleton.joints]
    for joint in at:
        for above in skeleton.chain(skeleton.joints[joint]):
            below[above].add(joint)
    least = at[min(at)]
    found: dict[int, str] = {}
    for j, parent in enumerate(skeleton.parents.tolist()):
        others = below[j] - {j}
        if j in at:
            found[j] = at[j]
        elif len(others) == 1:
            found[j] = at[next(iter(others))]
        elif others or parent < 0:
            found[j] = next((at[a] for a in reversed(skeleton.chain(skeleton.joints[j])) if a in at), least)
        else:
            found[j] = found[parent]
    return {skeleton.joints[j]: name for j, name in found.items()}


def keyed_poses(document: Document, times: np.ndarray) -> np.ndarray:
    """`[time, coordinates]`: every joint at `times` (seconds), interpolated between the keys that lead it."""
    skeleton = document.figure.skeleton
    every = [key for goal in document.goals for key in goal.keys]
    q = np.tile(document.pose.q if document.still is None else document.still.q, (len(times), 1))
    led: dict[tuple[int, ...], list[int]] = {}
    for j, joint in enumerate(skeleton.joints):
        led.setdefault(_leading_keys(every, joint), []).append(j)
    for leading, joints in led.items():
        if leading:
            by_frame = {key.frame: key for key in around(document, [every[k] for k in leading])}
            keys = [by_frame[frame] for frame in sorted(by_frame)]
            columns = _columns(skeleton, joints)
            q[:, columns] = keys_over(skeleton, keys, document.fps).at(times).q[:, columns]
    return q


def _columns(skeleton: posable.Skeleton, joints: Sequence[int]) -> list[int]:
    """The coordinates of joints, as indices into `q`."""
    first = skeleton.tables.first_coordinate.tolist()
    return [column for j in joints for column in range(first[j], first[j + 1])]


def _leading_keys(keys: Sequence[GoalKey], joint: str) -> tuple[int, ...]:
    """The indices of the keys that lead a joint. From the first to the last key that holds it, these are the keys that
    do; before and after, all others lead it too. So a body that went along with a hand stays in the pose that it had
    when the hand got its key.
    """
    own = {k for k, key in enumerate(keys) if key.holds is None or joint in key.holds}
    frames = [keys[k].frame for k in own]
    first, last = min(frames, default=math.inf), max(frames, default=-math.inf)
    return tuple(k for k, key in enumerate(keys) if k in own or not first <= key.frame <= last)


def keys_over(skeleton: posable.Skeleton, keys: list[GoalKey], fps: float) -> posable.Keys:
    """The poses of keys. Curves do not overshoot: a knee that is straight at a key would bend backwards before it."""
    return posable.Keys(
        skeleton,
        np.array([key.frame for key in keys]) / fps,
        np.array([key.q for key in keys]),
        ["monotone" if key.interpolation == "cubic" else key.interpolation for key in keys],
        _eased_velocities(len(keys), skeleton.dof),
    )


def _eased_velocities(count: int, dof: int) -> np.ndarray:
    """`[key, dof]` velocities: 0 at the first and the last key, which are eased; NaN at the others, to be computed from
    the neighbouring keys.
    """
    velocities = np.full((count, dof), np.nan)
    velocities[[0, -1]] = 0.0
    return velocities


def terrain_of(document: Document) -> posable.Terrain | None:
    """The ground of the document with the props on which feet stand; None without a ground."""
    stood_on, terrain, up = ground_triangles(document), bare_terrain(document), document.figure.skeleton.up
    if stood_on is None:
        return terrain
    reach, vertices = document.figure.skeleton.reach, stood_on[0]
    low, high = vertices.min(axis=0) - _GROUND_MARGIN * reach, vertices.max(axis=0) + _GROUND_MARGIN * reach
    way = np.array([np.minimum(low, -_GROUND_MARGIN * reach), np.maximum(high, _GROUND_MARGIN * reach)])
    under = (terrain or posable.Terrain.plane(0.0, up=up)).patch(way, 0.0, _TRIANGLE_SIZE * reach)[0].reshape(-1, 3)
    corners = np.concatenate([under, vertices])
    faces = np.concatenate([np.arange(len(under)).reshape(-1, 3), stood_on[1] + len(under)])
    return posable.Terrain.mesh(corners, faces, up=up)


_GROUND_MARGIN, _TRIANGLE_SIZE = 4.0, 0.5  # reaches: ground around the props, and the size of its triangles


def bare_terrain(document: Document) -> posable.Terrain | None:
    """The ground without props; None without a ground."""
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


_LATTICE = 40  # lattice points along each side of bumpy ground


def _bumps(height: float, size: float, seed: int, figure: posable.Figure) -> posable.Terrain:
    heights = np.random.default_rng(abs(seed)).uniform(0.0, height, (_LATTICE, _LATTICE))
    heights[_LATTICE // 2 - 1 : _LATTICE // 2 + 2, _LATTICE // 2 - 1 : _LATTICE // 2 + 2] = (
        0.0  # where the figure stands
    )
    spacing = max(size, 1e-3)
    middle = -spacing * (_LATTICE // 2)
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


_LEAST_CHANGE = 1e-9  # radians, or lengths


def changed_joints(before: Document, document: Document) -> set[str]:
    """The joints whose coordinates differ; none if the skeletons are different ones."""
    skeleton = document.figure.skeleton
    if skeleton is not before.figure.skeleton:
        return set()
    moved = np.abs(document.pose.minus(before.pose)) > _LEAST_CHANGE
    return {joint for j, joint in enumerate(skeleton.joints) if moved[list(skeleton.freedom_range(j))].any()}


def has_other_keys(document: Document, there: Document) -> bool:
    """Whether the keys of two documents differ."""
    keys = [{goal.name: goal.keys_by_frame for goal in one.goals if goal.keys} for one in (document, there)]
    return document.layers != there.layers or document.clip != there.clip or keys[0] != keys[1]


def target_of(goal: StudioGoal | GoalKey) -> tuple[Any, ...]:
    """The values of a goal that its keys hold, without the switch."""
    return goal.position, goal.rotation, goal.weight, goal.pole

"""Playback: the timeline, sampled once and again only when it changes."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

import posable
from posable.formats.gltf.keep import GlbNodes
from posable.formats.mesh_files import MESH_SUFFIXES
from posable.studio import codec
from posable.studio.document import Document, StudioGoal
from posable.studio.edits.goals import snapped
from posable.studio.heels import stays, with_heels
from posable.studio.kept import still_kept
from posable.studio.opening import looked_at, pole_of
from posable.studio.sampling import Overlays, holds_its_place, sampled
from posable.studio.scenery import localized, worldly
from posable.studio.timeline import bare_terrain, goal_at, goes_along, is_switched, poles_of

_POSE_TOLERANCE = 1e-12  # radians, or lengths


class Player:
    """Caches the sampled clip of a document's timeline, and remembers which clip the pages have."""

    def __init__(self) -> None:
        self._key: tuple[Any, ...] = ()
        self._clip: posable.Clip | None = None
        self._sent: posable.Clip | None = None
        self._overlays: dict[str, Overlays] = {}

    def clip(self, document: Document) -> posable.Clip | None:
        """The sampled clip of all frames; None without motion."""
        if not document.is_animated:
            return None
        key = _clip_key(document)
        if self._clip is None or not _is_same_key(key, self._key):
            self._clip, self._key = sampled(document, self._overlays), key
        return self._clip

    def forget(self, document: Document) -> None:
        """Sample again at the next use if the motion has changed."""
        if not _is_same_key(_clip_key(document), self._key):
            self._clip = None

    def at_frame(self, document: Document) -> Document:
        """The document with the pose of its frame, and the goals at their keys or joints."""
        clip = self.clip(document)
        if clip is None:
            return document
        frame = min(document.frame, len(clip) - 1)
        pose = clip.poses[frame]
        goals = []
        for goal in document.goals:
            if goal.keys:
                there = goal_at(document, goal, frame)
                free = (is_switched(goal) and not there.enabled) or goes_along(document, goal)
                goals.append(_met_at(there, pose) if free else worldly(there, document.figure, pose))
            elif holds_its_place(document, goal):
                goals.append(worldly(localized(goal, document.figure, document.pose), document.figure, pose))
            else:
                goals.append(_met_at(goal, pose))
        pose = posable.Pose(document.figure.skeleton, pose.q)
        there = still_kept(document, replace(document, frame=frame, pose=pose, goals=tuple(goals)))

        def rolls(goal: StudioGoal) -> bool:
            return stays(document, goal) if goal.keys else holds_its_place(document, goal)

        return with_heels(there, only=rolls)

    def shows(self, document: Document) -> bool:
        """Whether the pose is the one that plays at the document's frame."""
        clip = self.clip(document)
        if clip is None or document.frame >= len(clip):
            return False
        return np.allclose(
            clip.q[document.frame], document.pose.q, rtol=0, atol=_POSE_TOLERANCE
        )  # quaternions are normalised again

    def news(self, document: Document, nodes: GlbNodes) -> list[bytes]:
        """The clip as bytes if pages have a different one; an empty clip when the motion is gone."""
        clip = self.clip(document)
        if clip is self._sent:
            return []
        self._sent = clip
        return self.whole(document, nodes) or [packed(None, document, nodes)]

    def whole(self, document: Document, nodes: GlbNodes) -> list[bytes]:
        """The clip as bytes for a new viewer."""
        clip = self.clip(document)
        return [] if clip is None else [packed(clip, document, nodes)]


def _met_at(goal: StudioGoal, pose: posable.Pose) -> StudioGoal:
    """The goal moved to where the pose meets it: at its joint, along its gaze, beside its knee or elbow."""
    if goal.kind == "look":
        return replace(goal, position=looked_at(pose, goal.joint, goal.forward))
    if goal.kind == "pole":
        return replace(goal, position=pole_of(pose, goal.joint))
    goal = snapped(goal, pose)
    return goal if goal.pole is None else replace(goal, pole=pole_of(pose, goal.joint))


def packed(clip: posable.Clip | None, document: Document, nodes: GlbNodes) -> bytes:
    """A clip as bytes; an empty one for None."""
    joints = len(document.figure.skeleton.joints)
    if clip is None:
        return codec.pack_clip(codec.ClipMessage(document.fps, np.zeros((0, 3)), np.zeros((0, joints, 4))))
    translations, rotations = nodes.places(clip.poses)
    rest, _ = nodes.places(document.figure.rest)
    moved = np.abs(translations[:, 1:] - rest[1:]).max(initial=0.0) > 1e-7 * document.figure.skeleton.reach
    return codec.pack_clip(codec.ClipMessage(clip.fps, translations[:, 0], rotations, translations if moved else None))


def _clip_key(document: Document) -> tuple[Any, ...]:
    """Everything that the sampled clip depends on; unchanged values are the same objects."""
    goals = tuple(
        (
            goal.joint,
            goal.kind,
            goal.rotation_weight,
            None if is_switched(goal) else goal.enabled,
            goes_along(document, goal),
            goal.forward,
            goal.keys,
            goal.pole if poles_of(goal) is None else None,
            goal.relative_to,
            None if goal.keys else _held(document, goal),
        )
        for goal in document.goals
        if goal.keys or holds_its_place(document, goal)
    )
    ground = tuple(prop for prop in document.props if prop.ground)
    base = document.still, document.frozen, document.playing, document.walk, document.terrain, ground
    return document.figure, goals, document.fps, document.range, document.cyclic, document.layers, base


def _held(document: Document, goal: StudioGoal) -> tuple[Any, ...]:
    """The target that a goal holds; one relative to a joint is compared in that joint's frame, up to rounding."""
    own = localized(goal, document.figure, document.pose)
    if own is goal:
        return goal.position, goal.rotation, goal.weight
    return (*(round(value, 7) + 0.0 for value in (*own.position, *own.rotation)), goal.weight)


def _is_same_key(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Whether two clip keys are equal; figures and clips in them are compared by identity."""
    return one == other


# The ground as triangles, for pages to draw.


_GROUND_MARGIN, _TRIANGLE_SIZE = (
    3.0,
    0.15,
)  # reaches: margin of the drawn ground around the path, and size of its triangles
_MERGE_DISTANCE = 1e-6  # reaches: closer corners are merged
_PATH_FRAMES = 100  # frames sampled for the path of a clip


def ground_mesh(path: Path, up: str) -> posable.Mesh:
    """The mesh of a file as ground for a figure with this `up` axis. Raises FileError."""
    mesh = posable.load_mesh(path)
    # OBJ and STL have no up axis; the figure's own is assumed.
    return mesh if path.suffix.lower() in MESH_SUFFIXES else mesh.turned(up)


def terrain_event(document: Document) -> dict[str, Any]:
    """The ground around the figure's path, without holes; a mesh unchanged; empty without ground."""
    vertices, faces = ground_of(document) or (np.zeros((0, 3)), np.zeros((0, 3), int))
    return {"event": "terrain", "vertices": np.round(vertices, 5).ravel().tolist(), "faces": faces.ravel().tolist()}


def ground_of(document: Document) -> tuple[np.ndarray, np.ndarray] | None:
    """The ground around the figure's path as vertices `[n, 3]` and triangles; None without ground."""
    if document.terrain["kind"] == "mesh":
        mesh = document.meshes[document.terrain["name"]].mesh
        return np.asarray(mesh.vertices, float), np.asarray(mesh.faces)
    ground, reach = shown_terrain(document), document.figure.skeleton.reach
    if ground is None or ground.shown is None:
        return None
    corners, _ = ground.patch(*ground.shown, _TRIANGLE_SIZE * reach)
    cells, faces = np.unique(np.round(corners.reshape(-1, 3) / (_MERGE_DISTANCE * reach)), axis=0, return_inverse=True)
    return cells * _MERGE_DISTANCE * reach, faces.reshape(-1, 3)


def shown_terrain(document: Document) -> posable.Terrain | None:
    """The ground, which pages and films draw around the figure's whole path, a mesh all of it; None without ground."""
    ground = bare_terrain(document)
    if ground is None:
        return None
    reach, up = document.figure.skeleton.reach, "xyz".index(document.figure.skeleton.up)
    if document.terrain["kind"] == "mesh":
        return replace(ground, shown=(document.meshes[document.terrain["name"]].mesh.vertices.tolist(), 0.0))
    ends = np.insert(reach * np.array(_around(document), float), up, 0.0, axis=1)
    return replace(ground, shown=(ends.tolist(), _GROUND_MARGIN * reach))


def ground_key(document: Document) -> tuple[Any, ...]:
    """The values on which the drawn ground depends: a mesh is drawn whole, other ground around the clip's path."""
    if document.terrain["kind"] in ("none", "mesh"):
        return (document.terrain,)
    return document.terrain, document.figure.skeleton.reach, _around(document)


def _around(document: Document) -> tuple[tuple[int, int], tuple[int, int]]:
    """The horizontal bounds of the clip's path, in whole reaches from the world's origin."""
    return ((0, 0), (0, 0)) if document.playing is None else _path_bounds(document.playing)


@lru_cache(maxsize=16)
def _path_bounds(clip: posable.Clip) -> tuple[tuple[int, int], tuple[int, int]]:
    few = clip.poses[:: max(1, len(clip) // _PATH_FRAMES)].origins.reshape(-1, 3)
    few = np.delete(few, "xyz".index(clip.skeleton.up), axis=1) / clip.skeleton.reach
    low, high = np.floor(few.min(axis=0)).astype(int).tolist(), np.ceil(few.max(axis=0)).astype(int).tolist()
    return (low[0], low[1]), (high[0], high[1])


def slides(skeleton: posable.Skeleton, nodes: GlbNodes) -> bool:
    """Whether nodes other than the root's can move in their parents, and not only rotate."""
    return (
        bool((nodes.parents != skeleton.parents).any())
        or any(
            joint.floating or any(joint.anchor) or any(axis.slide or any(axis.anchor) for axis in joint.axes)
            for joint in skeleton.definitions[1:]
        )
        or int((skeleton.parents < 0).sum()) > 1
    )

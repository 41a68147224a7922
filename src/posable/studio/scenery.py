"""The scene around a figure: boxes, spheres and meshes, and goals relative to one of them or to a joint."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

import posable
from posable.figures import merge_figures
from posable.spatial import matrix_from_wxyz, rigid_inverse, transform
from posable.studio.document import Document, StudioGoal, StudioProp, wxyz_of
from posable.studio.schema import Quaternion, Vector

_MOST_BARS = 10  # capsules in place of a box
_ROUND = 16  # corners of a sphere's circle


# Goals relative to a joint or a prop.


def _moved(frame: np.ndarray, position: Vector, rotation: Quaternion) -> tuple[Vector, Quaternion]:
    """A position and a rotation, transformed by `frame`."""
    x, y, z = (frame[:3, :3] @ np.array(position) + frame[:3, 3]).tolist()
    return (x, y, z), wxyz_of(frame[:3, :3] @ matrix_from_wxyz(np.array(rotation)))


def goes_with_joint(goal: StudioGoal, figure: posable.Figure) -> bool:
    """Whether a goal is relative to a joint of the figure."""
    return goal.relative_to is not None and goal.relative_to in figure.skeleton.joints


def localized(goal: StudioGoal, figure: posable.Figure, pose: posable.Pose) -> StudioGoal:
    """A goal relative to a joint in that joint's frame, as the solver needs it; any other goal in the world."""
    if goal.relative_to is None:
        return goal
    if not goes_with_joint(goal, figure):
        return replace(goal, relative_to=None)  # goals relative to a prop were moved with it
    frame = pose.world_from_joint[figure.skeleton.index(goal.relative_to)]
    position, rotation = _moved(rigid_inverse(frame), goal.position, goal.rotation)
    return replace(goal, position=position, rotation=rotation)


def worldly(goal: StudioGoal, figure: posable.Figure, pose: posable.Pose) -> StudioGoal:
    """The inverse of `localized`, at this pose."""
    if goal.relative_to is None or not goes_with_joint(goal, figure):
        return goal
    position, rotation = _moved(
        pose.world_from_joint[figure.skeleton.index(goal.relative_to)], goal.position, goal.rotation
    )
    return replace(goal, position=position, rotation=rotation)


def carried(before: Document, document: Document) -> Document:
    """The document with goals relative to joints moved as those joints were since `before`."""
    if document.pose is before.pose or document.figure.skeleton is not before.figure.skeleton:
        return document
    old = {goal.name: goal for goal in before.goals}
    goals = tuple(
        worldly(localized(goal, before.figure, before.pose), document.figure, document.pose)
        if goal is old.get(goal.name) and goes_with_joint(goal, document.figure)
        else goal
        for goal in document.goals
    )
    return replace(document, goals=goals)


# Props.


def prop_frame(prop: StudioProp, pose: posable.Pose) -> np.ndarray:
    """`[4, 4]` world frame of a prop."""
    frame = transform(np.array(prop.position), np.array(prop.rotation))
    return frame if prop.joint is None else pose.world_from_joint[pose.skeleton.index(prop.joint)] @ frame


def on_joint(prop: StudioProp, joint: str | None, pose: posable.Pose) -> StudioProp:
    """The prop at its world position, attached to another joint or to none."""
    frame = prop_frame(prop, pose)
    if joint is not None:
        frame = rigid_inverse(pose.world_from_joint[pose.skeleton.index(joint)]) @ frame
    x, y, z = frame[:3, 3].tolist()
    return replace(prop, joint=joint, position=(x, y, z), rotation=wxyz_of(frame[:3, :3]))


def with_prop(document: Document, prop: StudioProp) -> Document:
    """The document with this prop instead of the one of its name, and with the goals relative to it moved."""
    old = next(one for one in document.props if one.name == prop.name)
    by = prop_frame(prop, document.pose) @ rigid_inverse(prop_frame(old, document.pose))
    goals = []
    for goal in document.goals:
        if goal.relative_to == prop.name:
            position, rotation = _moved(by, goal.position, goal.rotation)
            goal = replace(goal, position=position, rotation=rotation)
        goals.append(goal)
    props = tuple(prop if one is old else one for one in document.props)
    return replace(document, props=props, goals=tuple(goals))


def triangles_of(document: Document, prop: StudioProp) -> tuple[np.ndarray, np.ndarray]:
    """Vertices `[n, 3]` in the prop's own frame, and faces `[face, 3]`."""
    if prop.kind == "mesh":
        mesh = document.meshes[prop.name].mesh
        return np.asarray(mesh.vertices, float) * np.array(prop.size), np.asarray(mesh.faces)
    vertices, faces = _ball() if prop.kind == "sphere" else _cube()
    return vertices * np.array(prop.size), faces


@lru_cache(maxsize=1)
def _cube() -> tuple[np.ndarray, np.ndarray]:
    vertices = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    # Each side has its own corners, which keeps the edges sharp.
    corners = np.concatenate([vertices[list(quad)] for quad in quads])
    faces = [(4 * k, 4 * k + i, 4 * k + i + 1) for k in range(6) for i in (1, 2)]
    return corners, np.array(faces)


@lru_cache(maxsize=1)
def _ball() -> tuple[np.ndarray, np.ndarray]:
    rows, columns = _ROUND // 2, _ROUND
    polar, turn = np.meshgrid(np.linspace(0, np.pi, rows + 1), np.linspace(0, 2 * np.pi, columns + 1), indexing="ij")
    points = 0.5 * np.stack([np.sin(polar) * np.cos(turn), np.cos(polar), np.sin(polar) * np.sin(turn)], axis=-1)
    at = np.arange((rows + 1) * (columns + 1)).reshape(rows + 1, columns + 1)
    quads = np.stack([at[:-1, :-1], at[:-1, 1:], at[1:, 1:], at[1:, :-1]], axis=-1).reshape(-1, 4)
    return points.reshape(-1, 3), np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])


def obstacles_of(document: Document) -> np.ndarray:
    """`[capsule, 7]` the obstacles of the scene in the world; boxes and meshes' bounds as rounded bars."""
    found = [_capsules(document, prop) for prop in document.props if prop.obstacle and prop.joint is None]
    return np.concatenate(found) if found else np.zeros((0, 7))


def _capsules(document: Document, prop: StudioProp) -> np.ndarray:
    frame, size, middle = prop_frame(prop, document.pose), np.abs(np.array(prop.size)), np.zeros(3)
    if prop.kind == "mesh":
        vertices, _ = triangles_of(document, prop)
        size, middle = np.ptp(vertices, axis=0), (vertices.min(axis=0) + vertices.max(axis=0)) / 2
    if prop.kind == "sphere":
        return np.array([[*frame[:3, 3], *frame[:3, 3], size.max() / 2]])
    thin, broad, long = np.argsort(size)
    radius = max(size[thin] / 2, size[broad] / (2 * _MOST_BARS), 1e-6)
    count = int(np.clip(np.ceil(size[broad] / (2 * radius)), 1, _MOST_BARS))
    ends = np.zeros((count, 2, 3)) + middle
    aside = max(size[broad] / 2 - radius, 0.0)
    ends[:, :, broad] += np.linspace(-aside, aside, count)[:, None] if count > 1 else 0.0
    reach = max(size[long] / 2 - radius, 0.0)
    ends[:, 0, long] -= reach
    ends[:, 1, long] += reach
    placed = ends @ frame[:3, :3].T + frame[:3, 3]
    return np.concatenate([placed.reshape(count, 6), np.full((count, 1), radius)], axis=1)


def ground_triangles(document: Document) -> tuple[np.ndarray, np.ndarray] | None:
    """The props on which feet stand, as one mesh in the world; None without any."""
    vertices, faces, first = [], [], 0
    for prop in document.props:
        if prop.ground and prop.joint is None:
            own, own_faces = triangles_of(document, prop)
            frame = prop_frame(prop, document.pose)
            vertices.append(own @ frame[:3, :3].T + frame[:3, 3])
            faces.append(own_faces + first)
            first += len(own)
    return (np.concatenate(vertices), np.concatenate(faces)) if vertices else None


def with_scene(document: Document, figure: posable.Figure) -> posable.Figure:
    """The figure without its hidden meshes, and with the props as meshes that their joints carry, or nothing.

    Its poses have the coordinates of the figure's own.
    """
    if document.hidden:
        figure = replace(figure, skins=tuple(skin for skin in figure.skins if skin.name not in document.hidden))
    if not document.props:
        return figure
    stand = posable.Figure(posable.Skeleton([posable.Joint("stand", "fixed")], figure.skeleton.up))
    merged = merge_figures({"figure": figure, "scene": stand})
    skins = list(merged.skins)
    for prop in document.props:
        vertices, faces = triangles_of(document, prop)
        joint = "scene/stand" if prop.joint is None else f"figure/{prop.joint}"
        frame = merged.rest.world_from_joint[merged.skeleton.index(joint)]
        frame = frame @ transform(np.array(prop.position), np.array(prop.rotation))
        placed = vertices @ frame[:3, :3].T + frame[:3, 3]
        skins.append(posable.skin.Skin.rigid(merged.skeleton, joint, placed, faces, name=prop.name))
    return replace(merged, name=figure.name, skins=tuple(skins))

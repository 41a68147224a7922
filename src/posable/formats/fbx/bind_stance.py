"""A stance as rest pose if the file's nodes are not in one: the pose in which skins were bound, or one of an animation.

Programs write nodes as they are in the frame that was shown last, in which the figure may sit or lie; what is measured
at rest (where it faces, where its soles are) needs a stance.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from posable.clips import Clip
from posable.figures import Clips, Figure
from posable.figures.stance import at_rest, stance_fault, standing
from posable.formats.defaults import rigid_parts
from posable.formats.fbx.nodes import Nodes
from posable.formats.fbx.skeleton import Bones
from posable.formats.fbx.skins import clusters_of, meshes
from posable.skeleton import Pose, Skeleton
from posable.skeleton.body_roles import MOST_JOINTS
from posable.skeleton.placements import coordinates_of, placements
from posable.spatial import Array, rigid_inverse, transform, wxyz_from_matrix

_SAME_POSITION = 1e-3  # of the figure's reach: joints so near are at the same position


def on_a_stance(figure: Figure, nodes: Nodes, bones: Bones) -> Figure:
    """The figure with a stance as its rest pose, and a note; the figure itself if it stands, or if nothing shows
    a stance. The file's clips, and where its skins are in them, stay as they are.

    A pose that no clip passes through is one that somebody saved, and stays.
    """
    skeleton = figure.skeleton
    if not figure.clips or len(skeleton.joints) > MOST_JOINTS:
        return figure
    fault = stance_fault(skeleton, skeleton.parts.joints)
    if not fault or not any(_passes(clip, figure.rest) for clip in figure.clips):
        return figure
    bound = at_rest(Pose.trusted(skeleton, _bound_pose(skeleton, nodes, bones)))
    if not stance_fault(bound, skeleton.parts.joints):
        note = f"its rest pose is not a stance ({fault}); that in which its skins were bound was taken"
        return _on(figure, bound, note)
    for clip in figure.clips:
        found, note = standing(clip)
        if found is not skeleton and found.up == skeleton.up:
            return _on(figure, found, note)
    return figure


def _on(figure: Figure, skeleton: Skeleton, note: str) -> Figure:
    clips = Clips([replace(clip, skeleton=skeleton) for clip in figure.clips])
    return replace(figure.on(skeleton), clips=clips, notes=(*figure.notes, note))


def _passes(clip: Clip, pose: Pose) -> bool:
    """Whether a frame of the clip is the pose."""
    away = np.abs(clip.poses.origins - pose.origins).max(axis=(1, 2))
    return bool(away.min() < _SAME_POSITION * clip.skeleton.reach)


def _bound_pose(skeleton: Skeleton, nodes: Nodes, bones: Bones) -> Array:
    """Coordinates of the pose stated by the clusters of all skins; joints without a cluster stay on their parents."""
    links = _links(nodes)
    rest = Pose(skeleton, skeleton.rest_coordinates[None])
    position, wxyz = (one[0].copy() for one in placements(rest))
    local = transform(position, wxyz)
    world = np.tile(np.eye(4), (len(local), 1, 1))
    for j, parent in enumerate(skeleton.parents.tolist()):
        above = world[parent] if parent >= 0 else np.eye(4)
        world[j] = links.get(bones.nodes[j], above @ local[j])
        local[j] = rigid_inverse(above) @ world[j]
    return coordinates_of(skeleton, local[None, :, :3, 3], wxyz_from_matrix(local[None, :, :3, :3]))[0]


def _links(nodes: Nodes) -> dict[int, Array]:
    """Node → its rigid frame `[4, 4]` in the world, in metres, when the first skin that follows it was bound."""
    axes, mirror, meters, _ = nodes.space
    found: dict[int, Array] = {}
    for _, owner in meshes(nodes):
        for cluster in clusters_of(nodes.scene, owner):
            link = cluster.matrix("TransformLink")
            if link is None or cluster.node not in nodes.place:
                continue
            frame = rigid_parts(link)
            frame[:3, :3] = axes @ frame[:3, :3] @ mirror
            frame[:3, 3] = meters * axes @ frame[:3, 3]
            found.setdefault(nodes.place[cluster.node], frame)
    return found

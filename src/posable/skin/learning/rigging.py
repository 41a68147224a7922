"""A skeleton, its skin and its motion from what was learnt."""

from __future__ import annotations

import numpy as np

from posable.skeleton import Joint, Skeleton
from posable.skin.learning.alternating import Blend
from posable.skin.learning.sequence import Sequence
from posable.skin.learning.tree import Tree
from posable.skin.mesh import Mesh
from posable.skin.skin import Skin
from posable.spatial import Array, apply_transform, wxyz_from_matrix


def rigged(sequence: Sequence, played: Blend, tree: Tree, mesh: Mesh) -> tuple[Skeleton, Skin, Array]:
    """(skeleton, skin, `q [frame, coordinates]`): ball joints, named by their number, on a free root, parents first.

    The skeleton rests as the mesh does, in the frames' unit, every joint's axes along the world's.
    """
    places = sequence.scale * rest_places(sequence, tree.centers)
    skeleton = _skeleton(tree, places, "z" if mesh.up == "z" else "y")
    inverse_bind = np.tile(np.eye(4), (len(places), 1, 1))
    inverse_bind[:, :3, :3] *= sequence.scale
    inverse_bind[:, :3, 3] = -places[tree.order]
    number = np.argsort(tree.order)
    skin = Skin(
        skeleton=skeleton,
        vertices=mesh.vertices.astype(np.float32),
        faces=mesh.faces,
        joints=number[played.joints].astype(np.int32),
        weights=played.weights.astype(np.float32),
        inverse_bind=inverse_bind,
        colors=mesh.colors,
        name=mesh.name,
    )
    return skeleton, skin, _coordinates(sequence, played.motion, tree)


def rest_places(sequence: Sequence, centers: Array) -> Array:
    """Points `[..., 3]` of the sequence's coordinates in the rest pose's."""
    return apply_transform(np.linalg.inv(sequence.here_from_rest), centers)


def _skeleton(tree: Tree, places: Array, up: str) -> Skeleton:
    joints = []
    for joint in tree.order:
        parent = int(tree.parents[joint])
        at = tuple(places[joint] - (places[parent] if parent >= 0 else 0.0))
        kind, above = ("free", None) if parent < 0 else ("ball", joint_name(parent))
        joints.append(Joint(joint_name(joint), kind, above, at))
    return Skeleton(joints, "z" if up == "z" else "y")


def joint_name(joint: int) -> str:
    """What joint number `joint` is called."""
    return f"joint_{joint}"


def _coordinates(sequence: Sequence, motion: Array, tree: Tree) -> Array:
    world = sequence.world_from_here
    turn = world[:, None, :3, :3] / np.cbrt(np.linalg.det(world[:, :3, :3]))[:, None, None, None]
    rotation = turn @ motion[:, :, :3].swapaxes(-1, -2)
    root = tree.order[0]
    place = tree.centers[root] @ motion[:, root, :3] + motion[:, root, 3]
    parts = [np.einsum("fab,fb->fa", world[:, :3, :3], place) + world[:, :3, 3]]
    for joint in tree.order:
        parent = int(tree.parents[joint])
        local = rotation[:, joint] if parent < 0 else rotation[:, parent].swapaxes(-1, -2) @ rotation[:, joint]
        parts.append(_steady(wxyz_from_matrix(local)))
    return np.concatenate(parts, axis=1)


def _steady(wxyz: Array) -> Array:
    """The same rotations `[frame, 4]`, each with the sign that is nearer to the one before."""
    dots = np.sum(wxyz[1:] * wxyz[:-1], axis=1)
    return wxyz * np.concatenate([[1.0], np.cumprod(np.where(dots < 0, -1.0, 1.0))])[:, None]

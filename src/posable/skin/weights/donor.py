"""Skeleton and weights of a rigged body for another mesh: of the same faces, or that lies on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from posable.skeleton import Joint, Pose, Skeleton
from posable.skin.mesh import Mesh
from posable.skin.skin import Skin
from posable.skin.weights.editing import transfer_weights, weight_table, with_weights
from posable.skin.weights.nearest import nearest_on
from posable.spatial import Array, rigid_inverse

_NEAR, _MOST = 0.01, 0.95  # of the donor's size; of the vertices that are as near to it as that
_SAME = 1e-3  # of the donor's size: joints move where vertices are farther from the donor's
_LITTLE = 0.02  # of a vertex's weight beside a joint's own, so that a joint without a neighbour has vertices, too


def skin_of_donor(skins: Sequence[Skin], mesh: Mesh, influences: int) -> Skin | None:
    """`mesh` with the weights of a donor's skins, at rest in the same frame; None where neither faces nor shape agree.

    With the same faces in the same order each vertex takes the weights of its own; where the body is of another shape,
    the joints go where the vertices around them have gone. A mesh that lies on the donor takes the weights of the
    closest point. `notes` say which it was.

    Args:
        skins: All skins of the donor, on one skeleton.
        mesh: The mesh, in the donor's frame and unit.
        influences: Maximum number of joints per vertex.

    Example:
        >>> mesh = posable.Mesh.of(figure.skins[0])
        >>> skin = posable.skin.weights.skin_of_donor(figure.skins, mesh, influences=4)
        >>> skin.skeleton is figure.skeleton
        True
    """
    if not skins:
        return None
    whole = _joined(skins)
    source = Mesh.of(whole)
    if whole.faces.shape == mesh.faces.shape and (whole.faces == mesh.faces).all():
        apart = np.linalg.norm(mesh.vertices - source.vertices, axis=1).max()
        note = "the same faces as the donor's: every vertex has its weights"
        if apart > _SAME * source.diagonal:
            skeleton = _moved(whole, mesh.vertices)
            if skeleton is None:
                return None
            whole = whole.on(skeleton)
            note += ", every joint went with the vertices around it"
        pose = Pose(whole.skeleton, whole.skeleton.rest_coordinates)
        vertices, inverse = mesh.vertices.astype(np.float32), rigid_inverse(pose.world_from_joint)
        taken = replace(whole, vertices=vertices, inverse_bind=inverse, colors=mesh.colors, name=mesh.name)
        return replace(with_weights(taken, weight_table(taken), influences), notes=(note,))
    corners, shares = nearest_on(source, mesh.vertices)
    off = np.linalg.norm(mesh.vertices - np.einsum("vk,vki->vi", shares, source.vertices[corners]), axis=1)
    if (off < _NEAR * source.diagonal).mean() < _MOST:
        return None
    skin = transfer_weights(whole, mesh, influences)
    return replace(skin, notes=("lies on the donor: weights of the closest points", *skin.notes))


def _joined(skins: Sequence[Skin]) -> Skin:
    """One skin of all, bound in the rest pose."""
    skeleton = skins[0].skeleton
    rest = Pose(skeleton, skeleton.rest_coordinates)
    vertices = np.concatenate([skin.deform(rest) for skin in skins])
    firsts = np.cumsum([0, *(len(skin.vertices) for skin in skins)])
    faces = np.concatenate([skin.faces + first for skin, first in zip(skins, firsts, strict=False)])
    table = np.concatenate([weight_table(skin) for skin in skins])
    joints, weights = np.zeros((len(vertices), 1), np.int32), np.ones((len(vertices), 1), np.float32)
    inverse = rigid_inverse(rest.world_from_joint)
    most = max(skin.weights.shape[1] for skin in skins)
    return with_weights(Skin(skeleton, vertices, faces, joints, weights, inverse), table, most)


def _moved(skin: Skin, vertices: Array) -> Skeleton | None:
    """The skeleton with every joint where the vertices around it have gone, turned as before; None where it slides."""
    skeleton, table, before = skin.skeleton, weight_table(skin), skin.vertices.astype(float)
    pose = Pose(skeleton, skeleton.rest_coordinates)
    origins = pose.origins.copy()
    for joint, parent in enumerate(skeleton.parents):
        beside = table[:, parent] if parent >= 0 else np.zeros(len(table))
        share = table[:, joint] * (beside + _LITTLE)
        if share.sum() > 0:
            origins[joint] = _carried(before, vertices, share, origins[joint])
        elif parent >= 0:
            origins[joint] += origins[parent] - pose.origins[parent]
    joints: list[Joint] = []
    for index, (joint, parent) in enumerate(zip(skeleton.definitions, skeleton.parents, strict=True)):
        step = origins[index] - (origins[parent] if parent >= 0 else 0)
        old = pose.origins[index] - (pose.origins[parent] if parent >= 0 else 0)
        shift = (step - old) @ pose.world_from_joint[parent][:3, :3] if parent >= 0 else step - old
        if joint.kind in ("slide", "planar") or (parent >= 0 and joint.floating):
            return None
        if joint.floating and joint.rest:
            joints.append(replace(joint, rest=(*(np.array(joint.rest[:3]) + shift), *joint.rest[3:])))
        else:
            joints.append(replace(joint, position=tuple(float(c) for c in np.array(joint.position) + shift)))
    return Skeleton(joints, skeleton.up)


def _carried(before: Array, after: Array, share: Array, point: Array) -> Array:
    """Where the point goes with the best similarity from some weighted points to others (Umeyama 1991)."""
    share = share / share.sum()
    here, there = share @ before, share @ after
    off, gone = before - here, after - there
    left, sizes, right = np.linalg.svd((share[:, None] * gone).T @ off)
    sign = np.array([1.0, 1.0, np.sign(np.linalg.det(left @ right)) or 1.0])
    spread = float(share @ (off**2).sum(axis=1))
    scale = float(sizes @ sign) / spread if spread > 0 else 1.0
    return there + scale * ((left * sign) @ right) @ (point - here)

"""Vector–Jacobian products of forward kinematics and of skins."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import PoseError, SkinError
from posable.goals.evaluation import motion_jacobian
from posable.skeleton import Pose, Skeleton
from posable.skin import Skin
from posable.spatial import Array


class Pulled(NamedTuple):
    """A cotangent of the joints' frames, pulled back.

    Example:
        >>> pulled = posable.gradients.kinematics_vjp(figure.rest, np.zeros((len(figure.skeleton.joints), 4, 4)))
        >>> pulled.tangent.shape == (figure.skeleton.dof,), pulled.offsets.shape == (len(figure.skeleton.joints), 3)
        (True, True)
    """

    tangent: Array
    """`[..., dof]` the derivative along `pose.plus`."""
    offsets: Array
    """`[..., joint, 3]` by each joint's offset, its rest translation in its parent's frame (in the world for a root);
    0 for free joints, whose coordinates hold their position."""


def kinematics_vjp(pose: Pose, cotangent: ArrayLike) -> Pulled:
    """Pull a cotangent back through forward kinematics, in time linear in the joints and the ends of chains.

    Args:
        pose: One pose or a batch `[...]`.
        cotangent: `[..., joint, 4, 4]` the derivative of a loss by `pose.world_from_joint`; the last rows do not count.

    Raises:
        PoseError: If the shape does not fit.

    Example:
        >>> aim = np.zeros((len(figure.skeleton.joints), 4, 4))
        >>> aim[figure.skeleton.index("hand_r"), 1, 3] = 1.0  # the height of the hand
        >>> posable.gradients.kinematics_vjp(figure.rest, aim).tangent.shape == (figure.skeleton.dof,)
        True
    """
    given, frames = np.asarray(cotangent, float), pose.world_from_joint
    if given.shape[-3:] != frames.shape[-3:]:
        raise PoseError(f"a cotangent of frames has the shape {frames.shape}, not {given.shape}")
    force = given[..., :3, 3]
    columns = np.cross(frames[..., :3, :3], given[..., :3, :3], axisa=-2, axisb=-2, axisc=-2).sum(axis=-1)
    return pull_wrenches(pose, np.concatenate([columns + np.cross(frames[..., :3, 3], force), force], axis=-1))


def skin_vjp(skin: Skin, pose: Pose, cotangent: ArrayLike) -> tuple[Pulled, Array]:
    """Pull a cotangent back through `skin.deform(pose)`, blended linearly.

    Args:
        skin: The skin.
        pose: One pose or a batch `[...]`.
        cotangent: `[..., vertex, 3]` the derivative of a loss by the deformed vertices.

    Returns:
        The derivative by the pose and the bones, and `[..., vertex, 3]` by the vertices of the skin at rest.

    Raises:
        SkinError: If the shape does not fit.

    Example:
        >>> skin = figure.skins[0]
        >>> pulled, at_rest = posable.gradients.skin_vjp(skin, figure.rest, np.ones((len(skin.vertices), 3)))
    """
    given = np.asarray(cotangent, float)
    count, joints = len(skin.vertices), len(pose.skeleton.joints)
    if given.shape[-2:] != (count, 3):
        raise SkinError(f"a cotangent of this skin has the shape [..., {count}, 3], not {given.shape}")
    shape = np.broadcast_shapes(pose.shape, given.shape[:-2])
    flat = np.broadcast_to(given, (*shape, count, 3)).reshape(-1, count, 3)
    world = np.broadcast_to(pose.world_from_joint, (*shape, joints, 4, 4)).reshape(-1, joints, 4, 4)
    bound = np.concatenate([np.asarray(skin.vertices, float), np.ones((count, 1))], axis=1)
    frames, at_rest = np.zeros_like(world), np.zeros_like(flat)
    for k in range(skin.joints.shape[1]):
        own, weight = skin.joints[:, k], np.asarray(skin.weights[:, k], float)
        local = weight[:, None] * np.einsum("vij,vj->vi", skin.inverse_bind[own], bound)
        moved = world[:, :, :3, :3] @ skin.inverse_bind[:, :3, :3]
        at_rest += weight[:, None] * np.einsum("nvij,nvi->nvj", moved[:, own], flat)
        for n, one in enumerate(flat):
            np.add.at(frames[n, :, :3], own, one[:, :, None] * local[:, None, :])
    posed = Pose.trusted(pose.skeleton, np.broadcast_to(pose.q, (*shape, pose.q.shape[-1])))
    return kinematics_vjp(posed, frames.reshape(*shape, joints, 4, 4)), at_rest.reshape(*shape, count, 3)


def pull_wrenches(pose: Pose, wrenches: Array) -> Pulled:
    """`wrenches [..., joint, 6]`, the derivative by each body's motion (ω, v) about the world's origin, pulled back."""
    skeleton, total = pose.skeleton, wrenches.copy()
    for j in range(len(skeleton.joints) - 1, 0, -1):  # parents come first
        if skeleton.parents[j] >= 0:
            total[..., skeleton.parents[j], :] += total[..., j, :]
    offsets = np.zeros((*pose.shape, len(skeleton.joints), 3))
    for j, above in enumerate(skeleton.parents.tolist()):
        force = total[..., j, 3:]
        if above >= 0:
            force = np.einsum("...ij,...i->...j", pose.world_from_joint[..., above, :3, :3], force)
        offsets[..., j, :] = 0.0 if skeleton.definitions[j].floating else force
    return Pulled(_along_freedoms(pose, wrenches, total), offsets)


def _along_freedoms(pose: Pose, wrenches: Array, total: Array) -> Array:
    """`[..., dof]`; total: the wrenches, each with all below it."""
    skeleton = pose.skeleton
    tangent, done = np.zeros((*pose.shape, skeleton.dof)), np.zeros(skeleton.dof, bool)
    if _is_coupled(skeleton):  # a freedom moves several bodies
        for j in range(len(skeleton.joints)):
            tangent += np.einsum("...id,...i->...d", motion_jacobian(pose, j), wrenches[..., j, :])
        return tangent
    carrier = np.array([j for j in range(len(skeleton.joints)) for _ in skeleton.freedom_range(j)], np.int64)
    for end in _ends(skeleton):
        own = [d for j in skeleton.chain(end) for d in skeleton.freedom_range(j) if not done[d]]
        done[own] = True
        motion = motion_jacobian(pose, end)[..., own]
        tangent[..., own] = np.einsum("...id,...di->...d", motion, total[..., carrier[own], :])
    return tangent


def _is_coupled(skeleton: Skeleton) -> bool:
    """Whether axes mimic others or count absolute angles."""
    tables = skeleton.tables
    return bool((tables.gain != 1.0).any() or (tables.gain2 != 0.0).any() or (np.diff(tables.axis_dof) != 1).any())


def _ends(skeleton: Skeleton) -> list[int]:
    """The joints without children."""
    return sorted(set(range(len(skeleton.joints))) - set(skeleton.parents.tolist()))

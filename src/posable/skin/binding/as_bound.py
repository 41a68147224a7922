"""The stance in which a skeleton's own skin was bound, where that is not its rest pose.

Files are often saved in a frame of an animation: a mesh read from such a file is bent, and stands in a stride. Weights
are worked out in the pose that the figure was modelled in: the mesh is brought there by weights found where it stands,
and bound again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from posable.skeleton import Pose, Skeleton
from posable.skin.binding.surface import Surface, usable
from posable.skin.bound_frames import length_ratio
from posable.skin.mesh import Indices
from posable.spatial import Array, mean_rotation

ROUNDS = 3
"""Times that a mesh is brought to the stance and bound there."""
_SAME, _TURNED = 0.01, 0.05  # of the skeleton's size, and rad: joints so near to where they were bound are there
_FLAT = 0.1  # a blend of rotations with a smaller determinant cannot be undone


@dataclass(frozen=True, eq=False)
class Stance:
    """Where joints were bound, in the world and the unit of the rest pose: `world_from_joint [joint, 4, 4]`."""

    skeleton: Skeleton
    world_from_joint: Array

    @property
    def origins(self) -> Array:
        """`[joint, 3]`."""
        return self.world_from_joint[:, :3, 3]


def stance_of(pose: Pose, joints: Indices) -> Stance | None:
    """The stance in which the skin of the skeleton's own figure was bound; None where it has none, where `pose` is that
    stance, or where some of `joints`, or the lengths of most bones, are unlike.
    """
    bound, world = pose.skeleton.seen.bound, pose.world_from_joint
    if bound is None or len(joints) < 2 or np.isnan(bound[joints, 0, 0]).any():
        return None
    if not np.array_equal(pose.q, pose.skeleton.rest_coordinates):
        return None
    frames, known = world.copy(), np.isfinite(bound[:, 0, 0])
    size = length_ratio(bound, world, pose.skeleton.parents)
    a, b = bound[joints, :3, 3], world[joints, :3, 3]
    turn = mean_rotation((b - b.mean(axis=0)).T @ (a - a.mean(axis=0)))
    frames[known, :3, :3] = turn @ bound[known, :3, :3]
    frames[known, :3, 3] = size * (bound[known, :3, 3] - a.mean(axis=0)) @ turn.T + b.mean(axis=0)
    away = np.linalg.norm(frames[joints, :3, 3] - b, axis=1).max()
    turned = np.linalg.norm(frames[joints, :3, :3] - world[joints, :3, :3], axis=(1, 2)).max() / np.sqrt(2)
    if not size or (away < _SAME * np.linalg.norm(np.ptp(b, axis=0)) and turned < _TURNED):
        return None
    for joint, parent in enumerate(pose.skeleton.parents.tolist()):
        if parent >= 0 and not known[joint] and known[parent]:
            frames[joint] = frames[parent] @ np.linalg.inv(world[parent]) @ world[joint]
            known[joint] = True
    return Stance(pose.skeleton, frames)


def brought(surface: Surface, weights: Array, world: Array, stance: Array) -> Surface:
    """The surface with its positions moved by weights `[place, bone]`, which sum to 1, from where the bones are in the
    world to where they are in the stance, both `[bone, 4, 4]`.
    """
    moves = world @ np.linalg.inv(stance)
    blends = np.einsum("pb,bij->pij", weights, moves)
    flat = np.linalg.det(blends[:, :3, :3]) < _FLAT
    blends[flat] = moves[weights[flat].argmax(axis=1)]
    places = surface.center + surface.size * surface.places
    places = np.linalg.solve(blends[:, :3, :3], (places - blends[:, :3, 3])[..., None])[..., 0]
    low, high = places[surface.faced].min(axis=0), places[surface.faced].max(axis=0)
    center, size = (low + high) / 2, float(np.linalg.norm(high - low))
    places = np.ascontiguousarray((places - center) / size)
    faces = usable(places, surface.faces.astype(np.int64))[0].astype(np.int32)
    return replace(surface, places=places, faces=faces, center=center, size=size)

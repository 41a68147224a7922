"""Which joints of a skeleton may move the skin, and whether they are where the mesh is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from posable.errors import SkinError
from posable.skeleton import Pose
from posable.skin.binding.bones import Bones, carriers
from posable.skin.binding.inside import inside
from posable.skin.binding.surface import Surface
from posable.skin.mesh import Indices, Mesh
from posable.spatial import Array

_SHORTEST = 1e-3  # of the mesh's size: what is shorter is no bone
_SMALLEST = 1e-2  # of the mesh's size: a skeleton that spans less is in another unit
_BESIDE = 0.02  # of the mesh's size: how far outside of its box joints may well stand
_SAMPLES = 9  # points along a bone that are asked whether they are in the flesh
_IN_FLESH = 0.75  # of them: a root that begins in the air, and has less in the flesh, is a frame and no bone
_LISTED = 12  # names in a note


def holding_bones(mesh: Mesh, surface: Surface, pose: Pose, names: Iterable[str] | None) -> tuple[Bones, list[str]]:
    """The bones of the joints that may move the skin, in the surface's frame, and notes about joints.

    The named joints; or all but those that only carry others: frames above the figure, all hinges of one place but the
    last, what lies farther away than the mesh is large. Raises SkinError where mesh and skeleton do not meet.
    """
    bones, notes = Bones.of(pose, _SHORTEST * mesh.diagonal).moved(surface.center, surface.size), []
    away = _away(surface, bones)
    _check_meeting(mesh, pose, away)
    if names is None:
        idle, far = carriers(pose, _SHORTEST * mesh.diagonal), away > 1
        idle |= _above(surface, bones, pose.skeleton.parents)
        if not (idle | far).all() and far.sum() * 2 < len(far):
            idle |= far
        joints = np.flatnonzero(~idle) if not idle.all() else np.arange(len(idle))
        notes += _listing(
            pose,
            np.setdiff1d(np.arange(len(idle)), joints),
            "take no skin: they only carry others, or stand in the air",
        )
    else:
        joints = np.unique([pose.skeleton.index(name) for name in names]).astype(np.int64)
    _check_place(mesh, pose, joints, away)
    chosen = bones.only(joints)
    outside = joints[~inside(surface.tree, chosen.start)[np.unique(chosen.bone_of, return_index=True)[1]]]
    return chosen, notes + _listing(pose, outside, "lie outside the mesh")


def idle_note(pose: Pose, bones: Bones, weights: NDArray[np.float32], columns: Indices) -> list[str]:
    """A note of the bones that no vertex follows."""
    used = np.bincount(columns.reshape(-1), weights.reshape(-1), minlength=len(bones.joints)) > 0
    return _listing(pose, bones.joints[~used], "move no skin: everywhere other bones are nearer")


def _away(surface: Surface, bones: Bones) -> Array:
    """`[bone]`: how far from the mesh's box each joint is, in the mesh's size."""
    heads = bones.start[np.unique(bones.bone_of, return_index=True)[1]]
    half = np.ptp(surface.places, axis=0) / 2
    return np.linalg.norm(np.maximum(np.abs(heads) - half, 0), axis=1)


def _above(surface: Surface, bones: Bones, parents: Indices) -> NDArray[np.bool_]:
    """`[joint]` True for roots, and what follows on such, that stand in the air with a good part of their bone."""
    found = np.zeros(len(parents), bool)
    for joint, parent in enumerate(parents):
        if parent < 0 or found[parent]:
            flesh = inside(surface.tree, bones.points(_SAMPLES)[bones.bone_of == joint])
            found[joint] = not flesh[0, 0] and flesh.mean() < _IN_FLESH
    return found


def _check_meeting(mesh: Mesh, pose: Pose, away: Array) -> None:
    """Refuse a skeleton that stands across the mesh or beside it: its weights would be nonsense."""
    off = int((away > _BESIDE).sum())
    if off * 2 > len(away) and away.max() <= 1:
        spans = [
            " × ".join(f"{side:.3g}" for side in np.ptp(places, axis=0)) for places in (mesh.vertices, pose.origins)
        ]
        raise SkinError(
            f"mesh {mesh.name!r}: {off} of {len(away)} joints lie outside of its box; the mesh spans {spans[0]}"
            f" along x, y and z, the skeleton {spans[1]}; bring both to one place, one unit and one upright axis"
        )


def _check_place(mesh: Mesh, pose: Pose, joints: Indices, away: Array) -> None:
    name = f"mesh {mesh.name!r}: "
    if not len(joints):
        raise SkinError(f"{name}no joint is named that may move the skin; leave joints out to take all that fit")
    farthest = joints[np.argmax(away[joints])]
    if away[farthest] > 1:
        raise SkinError(
            f"{name}joint {pose.skeleton.joints[farthest]!r} lies {away[farthest] * mesh.diagonal:.3g} outside of it, "
            f"more than its size {mesh.diagonal:.3g}; bring mesh and skeleton to one place and one unit"
        )
    span = float(np.linalg.norm(np.ptp(pose.origins[joints], axis=0)))
    if len(joints) > 1 and span < _SMALLEST * mesh.diagonal:
        raise SkinError(f"{name}its size is {mesh.diagonal:.3g} and the skeleton's {span:.3g}; bring both to one unit")


def _listing(pose: Pose, joints: Sequence[int] | Indices, what: str) -> list[str]:
    if not len(joints):
        return []
    names = ", ".join(repr(pose.skeleton.joints[joint]) for joint in joints[:_LISTED])
    more = f" and {len(joints) - _LISTED} more" if len(joints) > _LISTED else ""
    return [f"{len(joints)} of {len(pose.skeleton.joints)} joints {what}: {names}{more}"]

"""Converts UsdSkel skeletons to one posable skeleton: rigid joints in metres; scales remain in `Rig.stretch`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.errors import FileError
from posable.files import check_count
from posable.formats.defaults import rigid_parts
from posable.formats.gltf.container import Item
from posable.formats.gltf.extras import joint_from_extras, rested
from posable.formats.usd.layers import (
    EARLIEST,
    EVERYWHERE,
    LARGEST,
    Usd,
    UsdGeom,
    UsdSkel,
    Vt,
    numbers,
    said_by_posable,
    tokens,
)
from posable.skeleton import MAX_JOINTS, Joint, Skeleton
from posable.spatial import Array, rigid_inverse, wxyz_from_matrix


@dataclass(frozen=True)
class Rig:
    """One UsdSkel skeleton. Matrices act on columns.

    paths: the joints as USD names them; names: as posable does. parents: `[joint]`, -1 for a root.
    rest: `[joint, 4, 4]` parent_from_joint, with scales, in the file's unit. bind: `[joint, 4, 4]` skeleton_from_joint.
    world: `[4, 4]` world_from_skeleton at the first moment, in metres. described: the joints, by posable.
    """

    prim: Any
    paths: tuple[str, ...]
    names: tuple[str, ...]
    parents: NDArray[np.int64]
    rest: Array
    bind: Array
    world: Array
    described: list[Item] | None = None

    @property
    def rigid(self) -> Array:
        """`[joint, 4, 4]` world_from_joint at rest, without scales, as in posable's skeleton."""
        return rigid_parts(composed(self.parents, self.rest, self.world))

    @property
    def stretch(self) -> Array:
        """`[joint, 4, 4]` the file's transforms relative to the rigid ones: scales, in the joint's frame."""
        return rigid_inverse(self.rigid) @ composed(self.parents, self.rest, self.world)


def read_rigs(path: Path, stage: Any, notes: list[str]) -> list[Rig]:
    """Every skeleton of the stage that has joints. Raises FileError if one is not a tree."""
    meters = meters_of(path, stage, notes)
    rigs: list[Rig] = []
    taken: set[str] = set()
    total = 0
    for prim in Usd.PrimRange(stage.GetPseudoRoot(), EVERYWHERE):
        paths = tokens(path, UsdSkel.Skeleton(prim).GetJointsAttr()) if prim.IsA(UsdSkel.Skeleton) else ()
        if not paths:
            continue
        total += len(paths)
        check_count(path, total, MAX_JOINTS, "joints")
        rigs.append(_rig(path, prim, paths, taken, meters, notes))
    if len(rigs) > 1:
        notes.append(
            f"{len(rigs)} skeletons were merged into one figure: {', '.join(rig.prim.GetName() for rig in rigs[:6])}"
        )
    return rigs


def meters_of(path: Path, stage: Any, notes: list[str]) -> float:
    """The length of the stage's unit. Raises FileError if it is invalid."""
    meters = float(UsdGeom.GetStageMetersPerUnit(stage))
    if not 1e-9 <= meters <= 1e9:
        raise FileError(path, f"metersPerUnit is {meters}; it must be above 0")
    if not UsdGeom.StageHasAuthoredMetersPerUnit(stage):
        notes.append("the file states no metersPerUnit; USD's default, centimetres, was assumed")
    return meters


def _rig(path: Path, prim: Any, paths: tuple[str, ...], taken: set[str], meters: float, notes: list[str]) -> Rig:
    topology = UsdSkel.Topology(Vt.TokenArray(paths))
    sound, why = topology.Validate()
    if not sound or len(set(paths)) != len(paths):
        raise FileError(path, f"the joints of {prim.GetPath()} do not form a tree ({why or 'two have one path'})")
    parents = np.array(topology.GetParentIndices(), np.int64)
    rest, bind = _transforms(path, prim, parents, notes)
    world = np.diag([meters, meters, meters, 1.0]) @ world_from(prim, EARLIEST)
    check_finite(path, prim, composed(parents, rest, world))
    told = tokens(path, UsdSkel.Skeleton(prim).GetJointNamesAttr())
    told = told if len(set(told)) == len(paths) and all(told) else tuple(joint.rpartition("/")[2] for joint in paths)
    names = tuple(_unique(name, joint, taken) for name, joint in zip(told, paths, strict=True))
    own = said_by_posable(path, prim)
    said = None if own is None else own.entries("joints")
    if said is not None and len(said) != len(paths):
        notes.append(f"{prim.GetName()} has other joints than posable wrote; kinds and limits of joints were left out")
        said = None
    return Rig(prim, paths, names, parents, rest, bind, world, said)


def _transforms(path: Path, prim: Any, parents: NDArray[np.int64], notes: list[str]) -> tuple[Array, Array]:
    """Rest (parent_from_joint) and bind (skeleton_from_joint) matrices; a missing one is derived from the other."""
    skeleton = UsdSkel.Skeleton(prim)
    rest = _matrices(path, prim, "restTransforms", skeleton.GetRestTransformsAttr(), len(parents))
    bind = _matrices(path, prim, "bindTransforms", skeleton.GetBindTransformsAttr(), len(parents))
    if rest is None and bind is None:
        raise FileError(path, f"{prim.GetPath()} has neither restTransforms nor bindTransforms; export it again")
    if bind is None:
        notes.append(f"{prim.GetName()} has no bindTransforms; its rest pose was used instead")
        bind = composed(parents, np.asarray(rest), np.eye(4))
    if rest is None:
        notes.append(f"{prim.GetName()} has no restTransforms; its bind pose was used instead")
        above = np.where((parents >= 0)[:, None, None], bind[parents], np.eye(4))
        rest = inverted(path, above, f"bindTransforms of {prim.GetPath()}") @ bind
    return rest, bind


def _matrices(path: Path, prim: Any, what: str, attribute: Any, count: int) -> Array | None:
    matrices = np.swapaxes(numbers(path, attribute, 4, 4), 1, 2)
    if len(matrices) not in (0, count):
        raise FileError(path, f"{prim.GetPath()} has {count} joints and {len(matrices)} {what}; export it again")
    return matrices if len(matrices) else None


def check_finite(path: Path, prim: Any, matrices: Array) -> None:
    """Refuse transforms whose products are not finite."""
    if not (np.abs(matrices) < LARGEST).all():
        raise FileError(
            path, f"{prim.GetPath()}: its transforms multiply to positions that are not finite; export it again"
        )


def inverted(path: Path, matrices: Array, what: str) -> Any:
    """Inverses `[..., 4, 4]`. Raises FileError for a singular matrix."""
    try:
        inverse = np.linalg.inv(matrices)
    except np.linalg.LinAlgError as problem:
        raise FileError(path, f"{what} cannot be inverted (a scale of 0?); export it again") from problem
    if not np.isfinite(inverse).all():
        raise FileError(path, f"{what} cannot be inverted (a scale of 0?); export it again")
    return inverse


def world_from(prim: Any, time: Any) -> Array:
    """`[4, 4]` world_from_prim in the file's unit."""
    return np.array(UsdGeom.XformCache(time).GetLocalToWorldTransform(prim), float).T


def composed(parents: NDArray[np.int64], local: Array, world: Array) -> Array:
    """world_from_joint `[..., joint, 4, 4]` of parent_from_joint matrices and world_from_skeleton `[..., 4, 4]`."""
    result = np.empty_like(local)
    for joint, parent in enumerate(parents):
        above = result[..., parent, :, :] if parent >= 0 else world
        result[..., joint, :, :] = above @ local[..., joint, :, :]
    return result


def local_frames(parents: NDArray[np.int64], world_from_joint: Array) -> Array:
    """parent_from_joint `[..., joint, 4, 4]` of rigid frames; a root's are in the world."""
    above = np.where((parents >= 0)[:, None, None], world_from_joint[..., parents, :, :], np.eye(4))
    return rigid_inverse(above) @ world_from_joint


def _unique(wanted: str, joint: str, taken: set[str]) -> str:
    """The name that is wanted; if taken, the path of the joint, then a number."""
    last = wanted or joint or "joint"
    name = next((name for name in (last, joint) if name and name not in taken), "")
    number = 1
    while not name:
        number += 1
        name = "" if f"{last}_{number}" in taken else f"{last}_{number}"
    taken.add(name)
    return name


def skeleton_of(stage: Any, rigs: Sequence[Rig], moved: Sequence[NDArray[np.bool_]], notes: list[str]) -> Skeleton:
    """One skeleton of all rigs: roots free, others balls, or free (fixed in place) where an animation shifts them; or
    as posable described the joints. moved: per rig `[joint]`, whether an animation shifts it.
    """
    joints, said, positions, turns = [], set[int](), [], []
    for rig, shifts in zip(rigs, moved, strict=True):
        frames = local_frames(rig.parents, rig.rigid)
        rotations = wxyz_from_matrix(frames[:, :3, :3])
        positions.append(frames[:, :3, 3])
        turns.append(rotations)
        for j, name in enumerate(rig.names):
            shifted = bool(shifts[j])
            parent = rig.names[rig.parents[j]] if rig.parents[j] >= 0 else None
            if rig.described is not None:
                said.add(len(joints))
                joints.append(joint_from_extras(rig.described[j], name, parent))
                continue
            joints.append(
                Joint(
                    name,
                    "free" if parent is None or shifted else "ball",
                    parent,
                    position=_numbers(frames[j, :3, 3]),
                    wxyz=_numbers(rotations[j]),
                    active=(False,) * 3 + (True,) * 3 if parent is not None and shifted else None,
                    aliases=(rig.paths[j],) if rig.paths[j] != name else (),
                )
            )
    skeleton = Skeleton(joints, "z" if str(UsdGeom.GetStageUpAxis(stage)) == "Z" else "y")
    return rested(skeleton, np.concatenate(positions), np.concatenate(turns), said, notes)


def _numbers(row: Array) -> Any:
    return tuple(float(x) for x in row)

"""Converts UsdSkel skeletons to one posable skeleton: rigid joints in metres; scales remain in `Rig.stretch`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.errors import FileError, UnsupportedFileError
from posable.files import check_count
from posable.formats.defaults import rigid_parts
from posable.formats.usd.layers import EARLIEST, EVERYWHERE, LARGEST, Usd, UsdGeom, UsdSkel, Vt, numbers, tokens
from posable.skeleton import MAX_JOINTS, Joint, Skeleton
from posable.spatial import Array, matrix_from_wxyz, normalized, rigid_inverse, wxyz_from_matrix

# UsdSkel's joint animation as one clip, sampled at every time code.


MAX_FRAMES = 100_000
MAX_PLACES = 5_000_000
"""Frames × joints."""
FEW_PLACES = 500_000
"""That a file may have where it holds few keys: its range of time is only a claim."""

_FRAMES_AT_ONCE = 500


@dataclass(frozen=True)
class Motion:
    """The animation of all rigs. local: per rig `[frame, joint, 4, 4]` rigid frames in the parent's; shifted: per rig
    `[joint]`, whether its position in the parent ever differs from rest."""

    name: str
    fps: float
    rigs: Sequence[Rig]
    local: Sequence[Array]
    shifted: Sequence[NDArray[np.bool_]]

    def on(self, skeleton: Skeleton) -> Clip:
        """The clip on the skeleton built for it."""
        columns = []
        for rig, local in zip(self.rigs, self.local, strict=True):
            rest = local_frames(rig.parents, rig.rigid)
            for j, name in enumerate(rig.names):
                if skeleton.definitions[skeleton.index(name)].floating:
                    columns += [local[:, j, :3, 3], wxyz_from_matrix(local[:, j, :3, :3])]
                else:
                    columns.append(wxyz_from_matrix(rest[j, :3, :3].T @ local[:, j, :3, :3]))
        return Clip(skeleton, np.concatenate(columns, axis=1), self.fps, self.name)


def clip_of(path: Path, stage: Any, rigs: Sequence[Rig], notes: list[str]) -> Motion | None:
    """The animation bound to the rigs, or None. Raises FileTooLargeError for too many frames."""
    queries = [_query(rig) for rig in rigs]
    found = [query for query in queries if query]
    if not found:
        return None
    times = _times(path, stage, found, sum(len(rig.paths) for rig in rigs))
    local, shifted = [], []
    for rig, query in zip(rigs, queries, strict=True):
        frames = _sampled(path, rig, query, times, notes)
        rest = local_frames(rig.parents, rig.rigid)
        size = np.abs(rest[:, :3, 3]).max() or 1.0
        local.append(frames)
        shifted.append((np.abs(frames[..., :3, 3] - rest[:, :3, 3]) > 1e-6 * size).any(axis=(0, 2)))
    if any(query.GetBlendShapeOrder() for query in found):
        notes.append("the animation moves blend shapes too; they were left out")
    return Motion(found[0].GetPrim().GetName(), _fps(stage, notes), rigs, local, shifted)


def _query(rig: Rig) -> Any:
    source = UsdSkel.BindingAPI(rig.prim).GetInheritedAnimationSource()
    if not source or not source.IsActive() or not source.IsA(UsdSkel.Animation):
        return None
    query = UsdSkel.Cache().GetAnimQuery(UsdSkel.Animation(source))
    return query if query and query.GetJointOrder() else None


def _fps(stage: Any, notes: list[str]) -> float:
    fps = float(stage.GetTimeCodesPerSecond())
    if 0 < fps < 1e6:
        return fps
    notes.append(f"the file declares {fps} time codes per second; 24 was assumed")
    return 24.0


def _times(path: Path, stage: Any, queries: Sequence[Any], joints: int) -> Array:
    """The time codes to sample: the stage's range if stated, else from the first key to the last."""
    keys = [time for query in queries for time in query.GetJointTransformTimeSamples()] or [0.0]
    first, last = min(keys), max(keys)
    if stage.HasAuthoredTimeCodeRange():
        first, last = float(stage.GetStartTimeCode()), float(stage.GetEndTimeCode())
    if not (math.isfinite(first) and math.isfinite(last)):
        raise FileError(path, f"its animation runs from {first} to {last}, which are not valid times")
    count = int(max(last - first, 0.0) + 1e-6) + 1
    check_count(path, count, MAX_FRAMES, "frames")
    most = min(MAX_PLACES, FEW_PLACES + 4 * len(set(keys)) * joints)
    check_count(path, count * joints, most, "joint transforms over time")
    return first + np.arange(float(count))


def _sampled(path: Path, rig: Rig, query: Any, times: Array, notes: list[str]) -> Array:
    """`[frame, joint, 4, 4]` rigid frames of one rig in their parents' frames, in metres."""
    deformations = rig.stretch[:, :3, :3]
    undo = np.array([np.linalg.inv(s) if abs(np.linalg.det(s)) > 1e-30 else np.eye(3) for s in deformations])
    moves = any(UsdGeom.Xformable(prim).TransformMightBeTimeVarying() for prim in _xforms_above(rig.prim))
    meters = np.linalg.norm(rig.world[:3, :3]) / (np.linalg.norm(world_from(rig.prim, times[0])[:3, :3]) or 1.0)
    pieces, odd = [], 0.0
    for start in range(0, len(times), _FRAMES_AT_ONCE):
        span = times[start : start + _FRAMES_AT_ONCE]
        local = _local_transforms(path, rig, query, span)
        world = rig.world
        if moves:
            world = np.stack([np.diag([meters] * 3 + [1.0]) @ world_from(rig.prim, Usd.TimeCode(t)) for t in span])
        frames = composed(rig.parents, local, world)
        check_finite(path, rig.prim, frames)
        rigid = rigid_parts(frames)
        rigid[..., :3, :3] = rigid_parts(_with_linear_parts(frames, frames[..., :3, :3] @ undo))[..., :3, :3]
        odd = max(odd, _misfit(frames, rigid, deformations))
        pieces.append(local_frames(rig.parents, rigid))
    if odd > 1e-3:
        notes.append(
            f"the animation of {rig.prim.GetName()} changes scales (by up to {odd:.0%}); joints of posable keep theirs"
        )
    return np.concatenate(pieces)


def _xforms_above(prim: Any) -> list[Any]:
    found = []
    while prim and not prim.IsPseudoRoot():
        if prim.IsA(UsdGeom.Xformable):
            found.append(prim)
        prim = prim.GetParent()
    return found


def _with_linear_parts(matrices: Array, deformations: Array) -> Array:
    result = np.array(matrices)
    result[..., :3, :3] = deformations
    return result


def _misfit(frames: Array, rigid: Array, deformations: Array) -> float:
    """Deviation of the file's frames from a rigid motion of their rest, relative to their size."""
    size = np.linalg.norm(deformations, axis=(-2, -1))
    gap = np.linalg.norm(frames[..., :3, :3] - rigid[..., :3, :3] @ deformations, axis=(-2, -1))
    return float((gap / np.where(size > 0, size, 1.0)).max())


def _local_transforms(path: Path, rig: Rig, query: Any, times: Array) -> Array:
    """`[frame, joint, 4, 4]` parent_from_joint with scales, in the file's unit; channels without animation stay at
    rest.
    """
    local = np.tile(rig.rest, (len(times), 1, 1, 1))
    if query is None:
        return local
    place = {joint: k for k, joint in enumerate(rig.paths)}
    order = [str(joint) for joint in query.GetJointOrder()]
    known = [(k, place[joint]) for k, joint in enumerate(order) if joint in place]
    if not known:
        return local
    source, target = (np.array(column) for column in zip(*known, strict=True))
    parts = [query.ComputeJointLocalTransformComponents(Usd.TimeCode(float(t))) for t in times]
    if not all(part and all(len(piece) == len(order) for piece in part) for part in parts):
        raise FileError(path, f"{query.GetPrim().GetPath()} has {len(order)} joints and a different number of values")
    shifts, xyzw, scales = (np.array([np.array(part[k], float) for part in parts])[:, source] for k in range(3))
    wxyz = normalized(np.roll(xyzw, 1, axis=-1))  # USD keeps the real part last in memory
    if not (np.isfinite(shifts).all() and np.isfinite(scales).all() and (np.linalg.norm(wxyz, axis=-1) > 0.5).all()):
        raise FileError(
            path, f"{query.GetPrim().GetPath()} contains numbers that are not finite, or rotations of length 0"
        )
    local[:, target, :3, :3] = matrix_from_wxyz(wxyz) * scales[..., None, :]
    local[:, target, :3, 3:] = shifts[..., None]
    return local


@dataclass(frozen=True)
class Rig:
    """One UsdSkel skeleton. Matrices act on columns.

    paths: the joints as USD names them; names: as posable does. parents: `[joint]`, -1 for a root.
    rest: `[joint, 4, 4]` parent_from_joint, with scales, in the file's unit. bind: `[joint, 4, 4]` skeleton_from_joint.
    world: `[4, 4]` world_from_skeleton at the first moment, in metres.
    """

    prim: Any
    paths: tuple[str, ...]
    names: tuple[str, ...]
    parents: NDArray[np.int64]
    rest: Array
    bind: Array
    world: Array

    @property
    def rigid(self) -> Array:
        """`[joint, 4, 4]` world_from_joint at rest, without scales, as in posable's skeleton."""
        return rigid_parts(composed(self.parents, self.rest, self.world))

    @property
    def stretch(self) -> Array:
        """`[joint, 4, 4]` the file's transforms relative to the rigid ones: scales, in the joint's frame."""
        return rigid_inverse(self.rigid) @ composed(self.parents, self.rest, self.world)


def read_rigs(path: Path, stage: Any, notes: list[str]) -> list[Rig]:
    """Every skeleton of the stage that has joints. Raises FileError if none has joints, or if one is not a tree."""
    meters = _meters(path, stage, notes)
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
    if not rigs:
        raise UnsupportedFileError(path, "has no skeleton with joints (UsdSkel); export it with its armature")
    if len(rigs) > 1:
        notes.append(
            f"{len(rigs)} skeletons were merged into one figure: {', '.join(rig.prim.GetName() for rig in rigs[:6])}"
        )
    return rigs


def _meters(path: Path, stage: Any, notes: list[str]) -> float:
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
    names = tuple(_unique(joint, taken) for joint in paths)
    return Rig(prim, paths, names, parents, rest, bind, world)


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


def _unique(joint: str, taken: set[str]) -> str:
    """The last part of the path; if taken, the whole path, then a number."""
    last = joint.rpartition("/")[2] or joint or "joint"
    name = next((name for name in (last, joint) if name and name not in taken), "")
    number = 1
    while not name:
        number += 1
        name = "" if f"{last}_{number}" in taken else f"{last}_{number}"
    taken.add(name)
    return name


def skeleton_of(stage: Any, rigs: Sequence[Rig], motion: Motion | None) -> Skeleton:
    """One skeleton of all rigs: roots free, others balls, or free (fixed in place) where an animation shifts them."""
    joints = []
    for number, rig in enumerate(rigs):
        frames = local_frames(rig.parents, rig.rigid)
        rotations = wxyz_from_matrix(frames[:, :3, :3])
        for j, name in enumerate(rig.names):
            shifted = motion is not None and motion.shifted[number][j]
            parent = rig.names[rig.parents[j]] if rig.parents[j] >= 0 else None
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
    return Skeleton(joints, "z" if str(UsdGeom.GetStageUpAxis(stage)) == "Z" else "y")


def _numbers(row: Array) -> Any:
    return tuple(float(x) for x in row)

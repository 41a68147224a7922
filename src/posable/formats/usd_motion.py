"""UsdSkel's joint animation as one clip, sampled at every time code."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.errors import FileError
from posable.files import check_count
from posable.formats.usd_api import Usd, UsdGeom, UsdSkel
from posable.formats.usd_skeleton import Rig, check_finite, composed, local_frames, rigid_parts, world_from
from posable.skeleton import Skeleton
from posable.spatial import Array, matrix_from_wxyz, normalized, wxyz_from_matrix

MAX_FRAMES = 100_000
MAX_PLACES = 5_000_000
"""Frames × joints."""

_FRAMES_AT_ONCE = 500


@dataclass(frozen=True)
class Motion:
    """The animation of all rigs. local: per rig `[frame, joint, 4, 4]` rigid frames in the parent's; shifted: per rig
    `[joint]`, whether its place in the parent ever differs from rest."""

    name: str
    fps: float
    rigs: Sequence[Rig]
    local: Sequence[Array]
    shifted: Sequence[NDArray[np.bool_]]

    def on(self, skeleton: Skeleton) -> Clip:
        """The clip on the skeleton that was made for it."""
        columns = []
        for rig, local in zip(self.rigs, self.local, strict=True):
            rest = local_frames(rig.parents, rig.rigid)
            for j, name in enumerate(rig.names):
                if skeleton.definitions[skeleton.index(name)].kind == "free":
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
    notes.append(f"the file claims {fps} time codes a second; 24 were taken")
    return 24.0


def _times(path: Path, stage: Any, queries: Sequence[Any], joints: int) -> Array:
    """The time codes to sample: the stage's range where it states one, else from the first key to the last."""
    keys = [time for query in queries for time in query.GetJointTransformTimeSamples()] or [0.0]
    first, last = min(keys), max(keys)
    if stage.HasAuthoredTimeCodeRange():
        first, last = float(stage.GetStartTimeCode()), float(stage.GetEndTimeCode())
    if not (math.isfinite(first) and math.isfinite(last)):
        raise FileError(path, f"its animation runs from {first} to {last}, which are no times")
    count = int(max(last - first, 0.0) + 1e-6) + 1
    check_count(path, count, MAX_FRAMES, "frames")
    check_count(path, count * joints, MAX_PLACES, "joint places over time")
    return first + np.arange(float(count))


def _sampled(path: Path, rig: Rig, query: Any, times: Array, notes: list[str]) -> Array:
    """`[frame, joint, 4, 4]` the rigid frames of one rig in their parents', in metres."""
    turns = rig.stretch[:, :3, :3]
    undo = np.array([np.linalg.inv(s) if abs(np.linalg.det(s)) > 1e-30 else np.eye(3) for s in turns])
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
        rigid[..., :3, :3] = rigid_parts(_with_turns(frames, frames[..., :3, :3] @ undo))[..., :3, :3]
        odd = max(odd, _misfit(frames, rigid, turns))
        pieces.append(local_frames(rig.parents, rigid))
    if odd > 1e-3:
        notes.append(
            f"the animation of {rig.prim.GetName()} changes scales (by up to {odd:.0%}); joints here keep theirs"
        )
    return np.concatenate(pieces)


def _xforms_above(prim: Any) -> list[Any]:
    found = []
    while prim and not prim.IsPseudoRoot():
        if prim.IsA(UsdGeom.Xformable):
            found.append(prim)
        prim = prim.GetParent()
    return found


def _with_turns(matrices: Array, turns: Array) -> Array:
    result = np.array(matrices)
    result[..., :3, :3] = turns
    return result


def _misfit(frames: Array, rigid: Array, turns: Array) -> float:
    """How far the file's frames are from a rigid motion of their rest, relative to their size."""
    size = np.linalg.norm(turns, axis=(-2, -1))
    gap = np.linalg.norm(frames[..., :3, :3] - rigid[..., :3, :3] @ turns, axis=(-2, -1))
    return float((gap / np.where(size > 0, size, 1.0)).max())


def _local_transforms(path: Path, rig: Rig, query: Any, times: Array) -> Array:
    """`[frame, joint, 4, 4]` parent_from_joint with scales, in the file's unit; what is not animated stays at rest."""
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
        raise FileError(
            path, f"{query.GetPrim().GetPath()} has {len(order)} joints and another number of values for them"
        )
    shifts, xyzw, scales = (np.array([np.array(part[k], float) for part in parts])[:, source] for k in range(3))
    wxyz = normalized(np.roll(xyzw, 1, axis=-1))  # USD keeps the real part last in memory
    if not (np.isfinite(shifts).all() and np.isfinite(scales).all() and (np.linalg.norm(wxyz, axis=-1) > 0.5).all()):
        raise FileError(
            path, f"{query.GetPrim().GetPath()} holds numbers that are not finite, or rotations of length 0"
        )
    local[:, target, :3, :3] = matrix_from_wxyz(wxyz) * scales[..., None, :]
    local[:, target, :3, 3:] = shifts[..., None]
    return local

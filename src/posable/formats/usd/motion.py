"""The joint animations of UsdSkel as clips, sampled at every time code, or at every frame that posable wrote."""

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
from posable.formats.defaults import rigid_parts
from posable.formats.usd.layers import EVERYWHERE, Usd, UsdGeom, UsdSkel, said_by_posable
from posable.formats.usd.skeleton import Rig, check_finite, composed, local_frames, world_from
from posable.skeleton import Skeleton
from posable.skeleton.placements import coordinates_of, note_left_over
from posable.spatial import Array, matrix_from_wxyz, normalized, wxyz_from_matrix

MAX_FRAMES = 100_000
MAX_PLACES = 5_000_000
"""Frames × joints."""
FEW_PLACES = 500_000
"""That a file may have where it holds few keys: its range of time is only a claim."""

_FRAMES_AT_ONCE = 500


@dataclass(frozen=True)
class Motion:
    """The animation of all rigs. local: per rig `[frame, joint, 4, 4]` rigid frames in the parent's; shifted: per rig
    `[joint]`, whether its position in the parent ever differs from rest. plays: whether the file plays it."""

    name: str
    fps: float
    local: Sequence[Array]
    shifted: Sequence[NDArray[np.bool_]]
    plays: bool

    def on(self, skeleton: Skeleton, notes: list[str]) -> Clip:
        """The clip on the skeleton built for it."""
        local = np.concatenate(self.local, axis=1)
        position, wxyz = local[..., :3, 3], wxyz_from_matrix(local[..., :3, :3])
        q = coordinates_of(skeleton, position, wxyz)
        note_left_over(f"clip {self.name!r}", skeleton, q, (position, wxyz), notes)
        return Clip(skeleton, q, self.fps, self.name)


def read_motions(path: Path, stage: Any, rigs: Sequence[Rig], notes: list[str]) -> list[Motion]:
    """The animation bound to the rigs, and every other that moves joints of one of them, in the file's order.

    Raises FileError for a wrong one, FileTooLargeError for too many frames; one that does not play is left out then.
    """
    plans, playing = _plans(stage, rigs)
    found: dict[str, Motion] = {}
    total = 0
    for place in sorted(plans, key=lambda place: place != playing):
        try:
            motion = _motion(path, stage, rigs, plans[place], place == playing, notes)
            total += len(motion.local[0]) * sum(len(rig.paths) for rig in rigs)
            check_count(path, total, MAX_PLACES, "joint transforms over time")
            found[place] = motion
        except FileError as problem:
            if place == playing:
                raise
            notes.append(f"{place} is not played and was left out: {problem.problem}")
    return [found[place] for place in plans if place in found]


def _plans(stage: Any, rigs: Sequence[Rig]) -> tuple[dict[str, list[Any]], str | None]:
    """What moves each rig, by animation: queries, or None; those that are bound count as one. And which one plays."""
    cache, bound = UsdSkel.Cache(), [_bound(rig) for rig in rigs]
    places = [str(prim.GetPath()) if prim else "" for prim in bound]
    playing = next(filter(None, places), None)
    plans: dict[str, list[Any]] = {}
    for prim in Usd.PrimRange(stage.GetPseudoRoot(), EVERYWHERE):
        if not prim.IsA(UsdSkel.Animation):
            continue
        place, query = str(prim.GetPath()), cache.GetAnimQuery(UsdSkel.Animation(prim))
        order = {str(joint) for joint in query.GetJointOrder() or ()} if query else set()
        fits = next((k for k, rig in enumerate(rigs) if order <= set(rig.paths)), -1)
        mine = [k for k, own in enumerate(places) if own == place] if place in places else [fits]
        if not order or mine == [-1]:
            continue
        plan = plans.setdefault(str(playing) if place in places else place, [None] * len(rigs))
        for k in mine:
            plan[k] = query
    return plans, playing


def _bound(rig: Rig) -> Any:
    """The animation that moves a rig, or None."""
    source = UsdSkel.BindingAPI(rig.prim).GetInheritedAnimationSource()
    return source if source and source.IsActive() and source.IsA(UsdSkel.Animation) else None


def _motion(
    path: Path, stage: Any, rigs: Sequence[Rig], queries: Sequence[Any], plays: bool, notes: list[str]
) -> Motion:
    """One animation of the rigs. queries: per rig, or None. plays: whether the stage's range of time is its own."""
    found = [query for query in queries if query]
    prim, rate = found[0].GetPrim(), _fps(stage, notes)
    own = said_by_posable(path, prim)
    fps = rate if own is None else own.at("fps").number()
    if not 0 < fps < 1e6:
        raise FileError(path, f"{prim.GetPath()} has {fps:g} frames per second; export it again")
    times = _times(path, stage if plays else None, found, (sum(len(rig.paths) for rig in rigs), rate / fps))
    local, shifted = [], []
    for rig, query in zip(rigs, queries, strict=True):
        frames = _sampled(path, rig, query, times, notes)
        rest = local_frames(rig.parents, rig.rigid)
        size = np.abs(rest[:, :3, 3]).max() or 1.0
        local.append(frames)
        shifted.append((np.abs(frames[..., :3, 3] - rest[:, :3, 3]) > 1e-6 * size).any(axis=(0, 2)))
    if any(query.GetBlendShapeOrder() for query in found):
        notes.append("the animation moves blend shapes too; they were left out")
    name = prim.GetName() if own is None else own.text_at("name")
    return Motion(name, fps, local, shifted, plays)


def _fps(stage: Any, notes: list[str]) -> float:
    fps = float(stage.GetTimeCodesPerSecond())
    if 0 < fps < 1e6:
        return fps
    notes.append(f"the file declares {fps} time codes per second; 24 was assumed")
    return 24.0


def _times(path: Path, stage: Any, queries: Sequence[Any], count_and_step: tuple[int, float]) -> Array:
    """The time codes to sample: the stage's range if stated, else from the first key to the last.

    count_and_step: the number of joints, and the time codes from frame to frame.
    """
    joints, step = count_and_step
    keys = [time for query in queries for time in query.GetJointTransformTimeSamples()] or [0.0]
    first, last = min(keys), max(keys)
    if stage is not None and stage.HasAuthoredTimeCodeRange():
        first, last = float(stage.GetStartTimeCode()), float(stage.GetEndTimeCode())
    if not (math.isfinite(first) and math.isfinite(last)):
        raise FileError(path, f"its animation runs from {first} to {last}, which are not valid times")
    count = int(max(last - first, 0.0) / step + 1e-6) + 1
    check_count(path, count, MAX_FRAMES, "frames")
    most = min(MAX_PLACES, FEW_PLACES + 4 * len(set(keys)) * joints)
    check_count(path, count * joints, most, "joint transforms over time")
    return first + step * np.arange(float(count))


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

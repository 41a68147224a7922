"""UsdSkel's skinned meshes as skins: polygons are triangulated, weights repaired, scales folded into the binding."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.errors import FileError
from posable.figures import Shape
from posable.files import check_count, free_name
from posable.formats.gltf.extras import shape_from_extras
from posable.formats.usd.layers import (
    EARLIEST,
    EVERYWHERE,
    LARGEST,
    Usd,
    UsdGeom,
    UsdSkel,
    Vt,
    indices,
    numbers,
    said_by_posable,
    tokens,
)
from posable.formats.usd.skeleton import Rig, inverted
from posable.skeleton import Skeleton
from posable.skin import Skin, mend_weights
from posable.skin.look import srgb_colors
from posable.spatial import Array

MAX_VERTICES = 5_000_000
MAX_INFLUENCES = 10_000_000
"""Vertices × joints that each follows."""
MAX_BIND_MATRICES = 2_000_000
MAX_MORPHED = 20_000_000
"""Vertices × blend shapes."""


def read_skins(
    path: Path, stage: Any, rigs: Sequence[Rig], skeleton: Skeleton, notes: list[str]
) -> tuple[list[Skin], list[Shape]]:
    """The meshes bound to the rigs, and the display shapes of posable. Raises FileError where one does not fit."""
    by_prim = {rig.prim.GetPath(): rig for rig in rigs}
    found, shapes, others, totals = [], [], [], _Totals(path, len(skeleton.joints))
    for root in Usd.PrimRange(stage.GetPseudoRoot(), EVERYWHERE):
        if not root.IsA(UsdSkel.Root) or _under_a_root(root):
            continue
        cache = UsdSkel.Cache()
        cache.Populate(UsdSkel.Root(root), EVERYWHERE)
        for binding in cache.ComputeSkelBindings(UsdSkel.Root(root), EVERYWHERE):
            rig = by_prim.get(binding.GetSkeleton().GetPrim().GetPath())
            for query in binding.GetSkinningTargets():
                if rig is None or not query.HasJointInfluences():
                    continue
                own = said_by_posable(path, query.GetPrim())
                if own is not None and own.find("shape"):
                    shapes.append(shape_from_extras(own.at("shape"), own.at("joint").text()))
                    continue
                if not query.GetPrim().IsA(UsdGeom.Mesh):
                    others.append(query.GetPrim().GetName())
                    continue
                totals.add(query)
                found.append((query, rig))
    if others:
        notes.append(f"skinned prims that are not meshes were left out: {', '.join(others[:6])}")
    return [_skin(path, query, rig, skeleton, notes) for query, rig in found], shapes


class _Totals:
    """The total size claimed by the meshes read so far: they may share arrays by reference, or repeat one value."""

    def __init__(self, path: Path, joints: int) -> None:
        self._path, self._joints = path, joints
        self._vertices = self._influences = self._matrices = self._morphed = 0

    def add(self, query: Any) -> None:
        """Count one more mesh, before it is decoded. Raises FileTooLargeError."""
        points = UsdGeom.Mesh(query.GetPrim()).GetPointsAttr().Get(EARLIEST)
        vertices = len(points) if isinstance(points, Vt.Vec3fArray) else 0
        self._vertices += vertices
        self._influences += vertices * query.GetNumInfluencesPerComponent()
        self._matrices += self._joints
        self._morphed += vertices * len(UsdSkel.BindingAPI(query.GetPrim()).GetBlendShapeTargetsRel().GetTargets())
        check_count(self._path, self._vertices, MAX_VERTICES, "vertices in all its meshes together")
        check_count(self._path, self._influences, MAX_INFLUENCES, "vertex weights in all its meshes together")
        check_count(self._path, self._morphed, MAX_MORPHED, "morphed vertices in all its meshes together")
        check_count(self._path, self._matrices, MAX_BIND_MATRICES, "bind matrices (meshes × joints)")


def _under_a_root(prim: Any) -> bool:
    above = prim.GetParent()
    while above and not above.IsPseudoRoot():
        if above.IsA(UsdSkel.Root):
            return True
        above = above.GetParent()
    return False


def _skin(path: Path, query: Any, rig: Rig, skeleton: Skeleton, notes: list[str]) -> Skin:
    prim = query.GetPrim()
    mesh = UsdGeom.Mesh(prim)
    points = numbers(path, mesh.GetPointsAttr(), 3)
    joints, weights = _influences(path, query, rig, len(points))
    mended, more = mend_weights(weights, prim.GetName())
    notes += more
    if str(query.GetSkinningMethod()) == "dualQuaternion":
        notes.append(f"skin {prim.GetName()!r} asks for dual quaternion blending; it was read as any other")
    first = skeleton.index(rig.names[0])
    own = said_by_posable(path, prim)
    morphs, morph_names = _morphs(path, prim, len(points), notes)
    return Skin(
        skeleton,
        points.astype(np.float32),
        triangles_of(path, mesh, len(points)).astype(np.int32),
        (joints + first).astype(np.int32),
        mended,
        _inverse_bind(path, query, rig, first, len(skeleton.joints)),
        colors=colors_of(prim, len(points)),
        normals=_normals(path, mesh, len(points)),
        name=prim.GetName() if own is None else own.text_at("name"),
        morphs=morphs,
        morph_names=morph_names,
    )


def _inverse_bind(path: Path, query: Any, rig: Rig, first: int, count: int) -> Array:
    """`[skeleton joint, 4, 4]` joint_from_mesh: the joint's scales · bind⁻¹ · where the mesh was when it was bound."""
    geometry = np.array(query.GetGeomBindTransform(EARLIEST), float).T
    if not (np.abs(geometry) < LARGEST).all():
        raise FileError(path, f"mesh {query.GetPrim().GetPath()}: its geomBindTransform is not finite")
    result = np.tile(np.eye(4), (count, 1, 1))
    unbind = inverted(path, rig.bind, f"bindTransforms of {rig.prim.GetPath()}")
    result[first : first + len(rig.paths)] = rig.stretch @ unbind @ geometry
    return result


def _influences(path: Path, query: Any, rig: Rig, vertices: int) -> tuple[NDArray[np.int64], Array]:
    """`[vertex, influence]` joints of the rig, and weights."""
    prim = query.GetPrim()
    found = query.ComputeJointInfluences(EARLIEST)
    if not found:
        raise FileError(
            path, f"mesh {prim.GetPath()}: its joint indices and weights do not fit together; export it again"
        )
    per_vertex = query.GetNumInfluencesPerComponent()
    joints, weights = np.array(found[0], np.int64), np.array(found[1], float)
    if query.IsRigidlyDeformed():
        joints, weights = np.tile(joints, vertices), np.tile(weights, vertices)
    if not len(joints) == len(weights) == vertices * per_vertex:
        raise FileError(
            path, f"mesh {prim.GetPath()} has {vertices} points and {len(weights)} weights, {per_vertex} a point"
        )
    place = {joint: k for k, joint in enumerate(rig.paths)}
    order = [str(joint) for joint in query.GetJointOrder() or rig.paths]
    strangers = [joint for joint in order if joint not in place]
    if strangers:
        raise FileError(
            path, f"mesh {prim.GetPath()} follows the joint {strangers[0]!r}, which its skeleton does not have"
        )
    if joints.size and not (joints.min() >= 0 and joints.max() < len(order)):
        raise FileError(path, f"mesh {prim.GetPath()}: a joint index lies outside 0 … {len(order) - 1}")
    lookup = np.array([place[joint] for joint in order], np.int64)
    return lookup[joints].reshape(vertices, per_vertex), weights.reshape(vertices, per_vertex)


def triangles_of(path: Path, mesh: Any, points: int) -> NDArray[np.int64]:
    """`[face, 3]`: each polygon as a fan, holes left out, turned round where the file counts them clockwise."""
    counts = indices(path, mesh.GetFaceVertexCountsAttr())
    corners = indices(path, mesh.GetFaceVertexIndicesAttr())
    if (counts < 0).any() or counts.sum() != len(corners):
        raise FileError(path, f"mesh {mesh.GetPath()}: its faces want {counts.sum()} corners and it has {len(corners)}")
    if corners.size and not (corners.min() >= 0 and corners.max() < points):
        raise FileError(path, f"mesh {mesh.GetPath()}: a face index lies outside 0 … {points - 1}")
    starts = np.concatenate([[0], np.cumsum(counts)])[:-1]
    holes = indices(path, mesh.GetHoleIndicesAttr())
    kept = np.isin(np.arange(len(counts)), holes, invert=True) & (counts >= 3)
    fans = np.where(kept, counts - 2, 0)
    first = np.repeat(starts, fans)
    step = np.arange(fans.sum()) - np.repeat(np.cumsum(fans) - fans, fans) + 1
    faces = np.stack([corners[first], corners[first + step], corners[first + step + 1]], axis=-1)
    return faces[:, ::-1] if str(mesh.GetOrientationAttr().Get()) == "leftHanded" else faces


def _normals(path: Path, mesh: Any, points: int) -> NDArray[np.float32] | None:
    """`[vertex, 3]`; None where the file has them for corners of faces, or none."""
    normals, kind = mesh.GetNormalsAttr(), str(mesh.GetNormalsInterpolation())
    primvar = UsdGeom.PrimvarsAPI(mesh.GetPrim()).GetPrimvar("normals")
    if primvar and primvar.HasValue():
        if primvar.IsIndexed():
            return None
        normals, kind = primvar.GetAttr(), str(primvar.GetInterpolation())
    found = numbers(path, normals, 3) if kind in ("vertex", "varying") else np.zeros((0, 3))
    return found.astype(np.float32) if points and len(found) == points else None


def _morphs(path: Path, prim: Any, points: int, notes: list[str]) -> tuple[NDArray[np.float32] | None, tuple[str, ...]]:
    """`[target, vertex, 3]` of a mesh's blend shapes, and their names."""
    api = UsdSkel.BindingAPI(prim)
    told = tokens(path, api.GetBlendShapesAttr())
    targets = [prim.GetStage().GetPrimAtPath(one) for one in api.GetBlendShapeTargetsRel().GetTargets()]
    found, names = [], list[str]()
    for k, target in enumerate(targets):
        if not (target and target.IsA(UsdSkel.BlendShape)):
            notes.append(f"mesh {prim.GetName()} names a blend shape that is missing; it was left out")
            continue
        shape = UsdSkel.BlendShape(target)
        if shape.GetInbetweens():
            notes.append("shapes between blend shapes were left out")
        offsets, rows = numbers(path, shape.GetOffsetsAttr(), 3), indices(path, shape.GetPointIndicesAttr())
        rows = rows if len(rows) or not len(offsets) else np.arange(len(offsets))
        if len(rows) != len(offsets) or rows.min(initial=0) < 0 or rows.max(initial=-1) >= points:
            raise FileError(path, f"{target.GetPath()} does not fit the {points} points of its mesh; export it again")
        moved = np.zeros((points, 3), np.float32)
        moved[rows] = offsets
        found.append(moved)
        names.append(free_name(told[k] if k < len(told) else target.GetName(), names))
    return (np.stack(found), tuple(names)) if found else (None, ())


def colors_of(prim: Any, points: int) -> NDArray[np.float32] | None:
    """The display colour, one for all or one per vertex, as sRGB (USD's is linear)."""
    primvar = UsdGeom.PrimvarsAPI(prim).GetPrimvar("displayColor")
    value = primvar.ComputeFlattened(EARLIEST) if primvar and primvar.HasValue() else None
    if not isinstance(value, Vt.Vec3fArray):
        return None
    linear = np.array(value, float).reshape(-1, 3)
    if len(linear) not in (1, points) or not np.isfinite(linear).all():
        return None
    linear = np.broadcast_to(np.clip(linear, 0.0, 1.0), (points, 3))
    return srgb_colors(linear).astype(np.float32)

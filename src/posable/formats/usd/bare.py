"""Meshes of a USD file that no skeleton moves: without any, as one rigid body to be rigged, or bound to another's
skeleton.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from posable.figures import Figure
from posable.files import check_count
from posable.formats.usd.layers import EARLIEST, EVERYWHERE, Usd, UsdGeom, Vt, numbers
from posable.formats.usd.skeleton import check_finite, meters_of, world_from
from posable.formats.usd.skin import MAX_VERTICES, colors_of, triangles_of
from posable.skeleton import Joint, Skeleton
from posable.skin import Skin

_DRAWN = ("default", "render")  # other purposes are guides and stand-ins


def bare_figure(path: Path, stage: Any, notes: list[str]) -> Figure | None:
    """All visible meshes on one free joint; None where the file has none. Raises FileError where one is damaged."""
    meshes = [prim for prim in Usd.PrimRange(stage.GetPseudoRoot(), EVERYWHERE) if _is_drawn(prim)]
    points = [UsdGeom.Mesh(prim).GetPointsAttr().Get(EARLIEST) for prim in meshes]
    total = sum(len(one) for one in points if isinstance(one, Vt.Vec3fArray))
    check_count(path, total, MAX_VERTICES, "vertices in all its meshes together")
    if not total:
        return None
    meters = meters_of(path, stage, [])
    top = stage.GetDefaultPrim()
    name = (top.GetName() if top else "") or path.stem
    skeleton = Skeleton([Joint(name, "free")], "z" if str(UsdGeom.GetStageUpAxis(stage)) == "Z" else "y")
    skins = [_skin(path, prim, skeleton, meters) for prim in meshes]
    notes.append("the file has no skeleton (UsdSkel): its meshes follow one joint")
    return Figure(skeleton, path.stem, tuple(skin for skin in skins if len(skin.faces)), notes=tuple(notes))


def note_unbound(stage: Any, notes: list[str]) -> None:
    """Note the visible meshes of a file with skeletons that no joint moves."""
    drawn = [prim for prim in Usd.PrimRange(stage.GetPseudoRoot(), EVERYWHERE) if _is_drawn(prim)]
    names = [prim.GetName() for prim in drawn if not _is_bound(prim)]
    if names:
        listed = f"{', '.join(names[:6])}{', …' if len(names) > 6 else ''}"
        notes.append(
            f"{len(names)} meshes follow no joint and are not part of the figure: {listed}; bind each to a joint (in"
            " Blender by a vertex group of the bone), or export glTF or FBX, which keep them on the bone they hang on"
        )


def _is_bound(prim: Any) -> bool:
    return bool(UsdGeom.PrimvarsAPI(prim).FindPrimvarWithInheritance("skel:jointIndices"))


def _is_drawn(prim: Any) -> bool:
    if not prim.IsA(UsdGeom.Mesh):
        return False
    seen = UsdGeom.Imageable(prim)
    return seen.ComputePurpose() in _DRAWN and seen.ComputeVisibility(EARLIEST) != UsdGeom.Tokens.invisible


def _skin(path: Path, prim: Any, skeleton: Skeleton, meters: float) -> Skin:
    mesh = UsdGeom.Mesh(prim)
    points = numbers(path, mesh.GetPointsAttr(), 3)
    world = np.diag([meters, meters, meters, 1.0]) @ world_from(prim, EARLIEST)
    check_finite(path, prim, world[None])
    faces = triangles_of(path, mesh, len(points)).astype(np.int32)
    if np.linalg.det(world[:3, :3]) < 0:  # mirrored: what looked outward looks outward still
        faces = faces[:, ::-1]
    vertices = (points @ world[:3, :3].T + world[:3, 3]).astype(np.float32)
    return Skin.rigid(
        skeleton, skeleton.joints[0], vertices, faces, colors=colors_of(prim, len(points)), name=prim.GetName()
    )

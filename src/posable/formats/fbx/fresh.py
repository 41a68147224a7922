"""Writes a new FBX 7.4 of a figure: limb nodes for its joints, skins with clusters and blend shapes, clips.

Lengths are metres, which UnitScaleFactor states. FBX has no limits, kinds or masses of joints as posable has; those of
a figure that was not FBX are not written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.figures import Figure
from posable.figures.shapes import solid_of
from posable.files import free_name
from posable.formats.defaults import bound_rigidly, content_of, played_of
from posable.formats.fbx.animation import degrees_from_wxyz
from posable.formats.fbx.binary import write_binary
from posable.formats.fbx.nodes import Nodes
from posable.formats.fbx.objects import TICKS
from posable.formats.fbx.scenery import KINDS, add_scenery, transform_rows
from posable.formats.fbx.skeleton import Bones
from posable.formats.fbx.tree import MADE, Element
from posable.formats.fbx.writing import (
    Builder,
    Moves,
    add_animation,
    add_clusters,
    add_skin_deformer,
    geometry,
    leaf,
    matrix_row,
    properties,
    said,
    smooth_angles,
    tick,
    time_mode,
)
from posable.formats.shared_binds import Placed, bound_together, inverses
from posable.progress import tell_progress
from posable.skeleton import Pose, Skeleton
from posable.skeleton.placements import placements
from posable.skin import Skin
from posable.spatial import Array, apply_transform, normalized, rigid_inverse, transform

VERSION = 7400
_UNIT = 100.0  # centimetres in a metre
_STILL = 1e-9
_NEARLY = 1e-3
"""Bind matrices this close to rigid ones become rigid, since programs whose bones have no scales need rigid ones."""
_APART = 2e-6
"""Joints that a clip or the rest pose shifts are bound so far, as a share of the figure, off the line of their parent:
Blender takes a bone that starts where its parent ends as joined to it, and then ignores what shifts it.
"""
_FILE_ID = bytes.fromhex("28b32aebb624ccc2bfc8b02aa92bfcf1")
_MADE = "1970-01-01 10:00:00:000"  # goes with the number above, which readers check


def fresh_content(
    path: Path, figure: Figure, motion: Pose | Clip | None, old: tuple[Nodes, Bones] | None = None
) -> bytes:
    """The whole file: `motion` becomes the rest pose if it is a pose, an animation if it is a clip.

    old: the nodes and joints of an older file with the same skeleton, whose cameras and lights are kept.
    """
    rest, clips = content_of(path, figure, motion)
    builder = Builder()
    subs = {} if old is None else {j: old[0].items[n].sub for j, n in enumerate(old[1].nodes)}
    models = _add_joints(builder, figure, rest, subs)
    if old is not None:
        add_scenery(builder, *old, models)
    motions = [_Placed.of(clip, rest) for clip in clips]
    shared, skins = bound_together(figure, rest)
    apart = np.linalg.norm(_in_parents(figure, shared) - _in_parents(figure, rest.world_from_joint), axis=-1)
    shifted = np.any([apart > 1e-7 * figure.skeleton.reach, *(one.shifts for one in motions)], axis=0)
    linked = _apart(figure.skeleton, shared, shifted)  # programs whose bones have no scales read only these
    binds = dict(zip(models, linked, strict=True))
    taken = set(figure.skeleton.joints)
    for one in skins:
        taken.add(name := free_name(one.skin.name or figure.name or "skin", taken))
        binds[_add_skin(builder, one, name, models, (shared, linked), rest)] = np.eye(4)
    for shape in figure.shapes:
        j = figure.skeleton.index(shape.joint)
        vertices, faces = solid_of(shape)
        placed = apply_transform(transform(shape.position, normalized(shape.wxyz)), vertices)
        own = Skin.rigid(figure.skeleton, shape.joint, placed, faces)
        builder.link(_add_mesh(builder, own, f"{shape.joint} {shape.kind}", own.vertices.astype(float))[0], models[j])
    _add_bind_pose(builder, binds)
    taken = set()
    played = clips[0].name if clips else ""
    for k, one in enumerate(motions):
        tell_progress(path, MADE * k / len(motions))
        taken.add(name := free_name(one.clip.name or "posable", taken))
        played = name if one.clip is played_of(figure, motion) else played
        add_animation(builder, one.clip, name, one.moves(models))
    return write_binary(path, VERSION, _document(figure, builder, clips, played))


def _add_joints(builder: Builder, figure: Figure, rest: Pose, subs: Mapping[int, str]) -> list[int]:
    """A limb node for every joint, except that cameras and lights keep their type; returns their numbers."""
    position, wxyz = (one[0] for one in placements(Pose.trusted(figure.skeleton, rest.q[None])))
    frames = transform(position, wxyz)
    models: list[int] = []
    for j, name in enumerate(figure.skeleton.joints):
        sub = subs[j] if subs.get(j) in KINDS else "LimbNode"
        version = Element("Version", "I", (232,))
        rows = transform_rows(frames[j])
        models.append(builder.add("Model", name, sub, version, rows, _shading(), leaf("Culling", "CullingOff")))
        if sub == "LimbNode":
            attribute = builder.add(
                "NodeAttribute", name, sub, properties(said("Size", 1.0)), leaf("TypeFlags", "Skeleton")
            )
            builder.link(attribute, models[j])
        parent = int(figure.skeleton.parents[j])
        builder.link(models[j], models[parent] if parent >= 0 else 0)
    return models


def _shading() -> Element:
    return Element("Shading", "C", (ord("T"),))


def _add_mesh(builder: Builder, skin: Skin, name: str, vertices: Array) -> tuple[int, int]:
    """A mesh node and its geometry; returns their numbers."""
    rows = properties(said("InheritType", 1, kind=("enum", "", "")))
    model = builder.add(
        "Model", name, "Mesh", Element("Version", "I", (232,)), rows, _shading(), leaf("Culling", "CullingOff")
    )
    mesh = builder.add("Geometry", name, "Mesh", *geometry(skin, vertices))
    color = (0.8, 0.8, 0.8) if skin.colors is None else (1.0, 1.0, 1.0)
    shading = [leaf("Version", 102), leaf("ShadingModel", "lambert"), leaf("MultiLayer", 0)]
    material = builder.add("Material", name, "", *shading, properties(said("DiffuseColor", *color)))
    builder.link(mesh, model)
    builder.link(material, model)
    return model, mesh


def _apart(skeleton: Skeleton, frames: Array, some: NDArray[np.bool_]) -> Array:
    """Rigid frames `[joint, 4, 4]` of which some are shifted a little across the line from their parent, each to the
    other side than the joint before.
    """
    result, sides = frames.copy(), np.ones(len(frames))
    for j, parent in enumerate(skeleton.parents):
        if parent < 0:
            continue
        sides[j] = -sides[parent]
        if some[j]:
            along = frames[j, :3, 3] - frames[parent, :3, 3]
            across = np.cross(along, np.eye(3)[np.argmin(np.abs(along))])
            size = np.abs(frames[:, :3, 3]).max()
            result[j, :3, 3] += sides[j] * _APART * size * across / max(float(np.linalg.norm(across)), 1e-300)
    return result


def _in_parents(figure: Figure, frames: Array) -> Array:
    """`[joint, 3]` positions of rigid frames `[joint, 4, 4]` in those of their parents; for roots, the origin."""
    parents = figure.skeleton.parents
    above = np.where((parents >= 0)[:, None, None], frames[parents], frames)
    return (rigid_inverse(above) @ frames)[:, :3, 3]


def _add_skin(
    builder: Builder, placed: Placed, name: str, models: list[int], binds: tuple[Array, Array], rest: Pose
) -> int:
    """A skinned mesh in metres, with vertices in the bind pose; returns its node's number.

    binds: `[joint, 4, 4]` the frames of the bind pose, and those that the file states.
    """
    skin, matrix = placed.skin, placed.matrix
    shared, used = inverses(binds[0]), placed.skin.used_joints
    bind, vertices = skin.inverse_bind @ inverses(matrix), apply_transform(matrix, skin.vertices.astype(float))
    off = np.abs(bind - shared)[used].max() if np.isfinite(bind[used]).all() else np.inf
    if placed.differs or off < _NEARLY:
        bind, vertices = shared, bound_rigidly(skin, shared, rest)
    model, mesh = _add_mesh(builder, replace(skin, normals=_turned(skin, matrix)), name, vertices)
    builder.link(model, 0)
    add_clusters(builder, skin, add_skin_deformer(builder, name, mesh), models, (bind, binds[1]))
    if skin.morphs is not None:
        _add_morphs(builder, skin, name, mesh, matrix[:3, :3])
    return model


def _turned(skin: Skin, matrix: Array) -> Array | None:
    """The normals `[vertex, 3]` after an affine map; None without normals."""
    if skin.normals is None:
        return None
    return normalized(skin.normals.astype(float) @ np.linalg.pinv(matrix[:3, :3]))


def _add_morphs(builder: Builder, skin: Skin, name: str, mesh: int, linear: Array) -> None:
    deformer = builder.add("Deformer", name, "BlendShape", leaf("Version", 100))
    builder.link(deformer, mesh)
    for own, moved in zip(skin.morph_names, skin.morphs if skin.morphs is not None else (), strict=True):
        rows = np.flatnonzero(np.abs(moved).max(axis=1) > 0)
        full = leaf("FullWeights", np.array([100.0]))
        weight = properties(said("DeformPercent", 0.0))
        channel = builder.add(
            "Deformer", own, "BlendShapeChannel", leaf("Version", 100), weight, leaf("DeformPercent", 0.0), full,
            type_name="SubDeformer",
        )  # fmt: skip
        places = (moved[rows].astype(float) @ linear.T).ravel()
        values = [leaf("Version", 100), leaf("Indexes", rows.astype(np.int32)), leaf("Vertices", places)]
        shape = builder.add("Geometry", own, "Shape", *values, leaf("Normals", np.zeros(3 * len(rows))))
        builder.link(channel, deformer)
        builder.link(shape, channel)


def _add_bind_pose(builder: Builder, binds: dict[int, Array]) -> None:
    if binds:
        nodes = [
            Element("PoseNode", children=[Element("Node", "L", (n,)), matrix_row("Matrix", m)])
            for n, m in binds.items()
        ]
        head = [leaf("Type", "BindPose"), leaf("Version", 100), leaf("NbPoseNodes", len(nodes))]
        builder.add("Pose", "BindPose", "BindPose", *head, *nodes)


@dataclass(frozen=True, eq=False)
class _Placed:
    """A clip as frames of joints in their parents': position `[frame, joint, 3]`, wxyz `[frame, joint, 4]`.

    shifts, rotates: `[joint]` whether a joint ever leaves its rest position, its rest rotation.
    """

    clip: Clip
    position: Array
    wxyz: Array
    shifts: NDArray[np.bool_]
    rotates: NDArray[np.bool_]

    @classmethod
    def of(cls, clip: Clip, rest: Pose) -> _Placed:
        position, wxyz = placements(clip.poses)
        still, stood = (one[0] for one in placements(Pose.trusted(rest.skeleton, rest.q[None])))
        shifts = np.abs(position - still).max(axis=(0, 2)) > _STILL * clip.skeleton.reach
        sign = np.where(np.einsum("fjk,jk->fj", wxyz, stood) < 0, -1.0, 1.0)[..., None]
        return cls(clip, position, wxyz, shifts, np.abs(sign * wxyz - stood).max(axis=(0, 2)) > _STILL)

    def moves(self, models: list[int]) -> Iterable[Moves]:
        """What moves; the first joint's rotation if nothing does."""
        turns = self.rotates.copy()
        turns[0] |= not (turns | self.shifts).any()
        for j in np.flatnonzero(self.shifts):
            yield Moves(models[j], "Lcl Translation", self.position[:, j])
        for j in np.flatnonzero(turns):
            yield Moves(models[j], "Lcl Rotation", smooth_angles(degrees_from_wxyz(0, self.wxyz[:, j])))


def _document(figure: Figure, builder: Builder, clips: list[Clip], played: str) -> list[Element]:
    """All elements at the top of the file."""
    made = [leaf(name, value) for name, value in (("Version", 1000), ("Year", 1970), ("Month", 1), ("Day", 1))]
    made += [leaf(name, 0) for name in ("Hour", "Minute", "Second", "Millisecond")]
    header = [leaf("FBXHeaderVersion", 1003), leaf("FBXVersion", VERSION), leaf("EncryptionType", 0)]
    header += [Element("CreationTimeStamp", children=made), leaf("Creator", "posable")]
    scene = Element("Document", "LSS", (builder.number + 1, "Scene", "Scene"), [Element("RootNode", "L", (0,))])
    return [
        Element("FBXHeaderExtension", children=header),
        Element("FileId", "R", (_FILE_ID,)),
        leaf("CreationTime", _MADE),
        leaf("Creator", "posable"),
        Element("GlobalSettings", children=[leaf("Version", 1000), _settings(figure, clips)]),
        Element("Documents", children=[leaf("Count", 1), scene]),
        Element("References"),
        Element("Definitions", children=_definitions(builder.objects)),
        Element("Objects", children=builder.objects),
        Element("Connections", children=builder.links),
        Element("Takes", children=[leaf("Current", played)]),
    ]


def _settings(figure: Figure, clips: list[Clip]) -> Element:
    upright = figure.skeleton.up == "y"
    axes: dict[str, Any] = {"UpAxis": 1 if upright else 2, "UpAxisSign": 1, "FrontAxis": 2 if upright else 1}
    axes |= {"FrontAxisSign": 1 if upright else -1, "CoordAxis": 0, "CoordAxisSign": 1}
    rows = [said(name, value) for name, value in axes.items()]
    rows += [said("UnitScaleFactor", _UNIT), said("OriginalUnitScaleFactor", _UNIT)]
    end = max((clip.seconds for clip in clips), default=0.0)
    rows += [*time_mode(clips[0].fps if clips else 30.0), tick("TimeSpanStart", 0), tick("TimeSpanStop", end * TICKS)]
    return properties(*rows)


def _definitions(objects: list[Element]) -> list[Element]:
    counts = {"GlobalSettings": 1}
    for one in objects:
        counts[one.name] = counts.get(one.name, 0) + 1
    kinds = [Element("ObjectType", "S", (kind,), [leaf("Count", count)]) for kind, count in counts.items()]
    return [leaf("Version", 100), leaf("Count", sum(counts.values())), *kinds]

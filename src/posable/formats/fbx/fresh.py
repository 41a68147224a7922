"""Writes a new FBX 7.4 of a figure: limb nodes for its joints, skins with clusters and blend shapes, clips.

Lengths are metres, which UnitScaleFactor states. FBX has no limits, kinds or masses of joints as posable has; those of
a figure that was not FBX are not written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.figures import Figure
from posable.figures.shapes import solid_of
from posable.files import free_name, tell_progress
from posable.formats.defaults import bound_rigidly, content_of, rigid_parts
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
from posable.skeleton import Pose, Skeleton
from posable.skeleton.placements import placements
from posable.skin import Skin
from posable.spatial import Array, apply_transform, normalized, rigid_inverse, transform

VERSION = 7400
_UNIT = 100.0  # centimetres in a metre
_STILL = 1e-9
_NEARLY = 1e-3
"""Bind matrices this near to rigid ones become rigid: programs whose bones have no scales could not use the rest."""
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
    apart = np.any([np.zeros(len(models), bool), *(one.shifts for one in motions)], axis=0)
    frames = _apart(figure.skeleton, rest.world_from_joint, apart)
    binds = dict(zip(models, frames, strict=True)) if not figure.skins else {}
    taken = set(figure.skeleton.joints)
    for skin in figure.skins:
        if len(skin.vertices) and len(skin.faces):
            taken.add(name := free_name(skin.name or figure.name or "skin", taken))
            _add_skin(builder, skin, name, models, (binds, apart), rest)
    for shape in figure.shapes:
        j = figure.skeleton.index(shape.joint)
        vertices, faces = solid_of(shape)
        placed = apply_transform(transform(shape.position, normalized(shape.wxyz)), vertices)
        own = Skin.rigid(figure.skeleton, shape.joint, placed, faces)
        builder.link(_add_mesh(builder, own, f"{shape.joint} {shape.kind}", own.vertices.astype(float))[0], models[j])
    _add_bind_pose(builder, binds)
    taken = set()
    for k, one in enumerate(motions):
        tell_progress(path, MADE * k / len(motions))
        taken.add(name := free_name(one.clip.name or "posable", taken))
        add_animation(builder, one.clip, name, one.moves(models))
    return write_binary(path, VERSION, _document(figure, builder, clips))


def _add_joints(builder: Builder, figure: Figure, rest: Pose, subs: Mapping[int, str]) -> list[int]:
    """A limb node for every joint, but a camera or light for what is one; returns their numbers."""
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


def _in_parents(skin: Skin, frames: Array) -> Array:
    """`[joint, 3]` where rigid frames `[joint, 4, 4]` stand in those of their parents; of roots, the origin."""
    parents = skin.skeleton.parents
    above = np.where((parents >= 0)[:, None, None], frames[parents], frames)
    return (rigid_inverse(above) @ frames)[:, :3, 3]


def _add_skin(
    builder: Builder, skin: Skin, name: str, models: list[int], bound: tuple[dict[int, Array], Any], rest: Pose
) -> None:
    """A skinned mesh in metres: an even scale of its bind matrices goes to the vertices.

    bound: bind matrices by the node's number, which are added to, and `[joint]` which joints clips shift.
    """
    binds, apart = bound
    sizes = np.abs(np.linalg.det(skin.inverse_bind[skin.used_joints][:, :3, :3])) ** (1 / 3)
    size = float(sizes.mean()) if sizes.min() > 0 else 1.0
    size = 1.0 if abs(size - 1) < 1e-6 else size
    bind = skin.inverse_bind.copy()
    bind[:, :3, :3] /= size
    vertices = size * skin.vertices.astype(float)
    rigid = rigid_parts(bind)
    if np.abs(rigid - bind)[skin.used_joints].max() < _NEARLY:
        bind, vertices = rigid, bound_rigidly(skin, rigid, rest)
    model, mesh = _add_mesh(builder, skin, name, vertices)
    builder.link(model, 0)
    # programs whose bones have no scales read these alone
    linked = rigid_parts(np.array(np.linalg.pinv(bind), float))
    off = np.linalg.norm(_in_parents(skin, linked) - _in_parents(skin, rest.world_from_joint), axis=-1)
    linked = _apart(skin.skeleton, linked, apart | (off > 1e-7 * skin.skeleton.reach))
    add_clusters(builder, skin, add_skin_deformer(builder, name, mesh), models, (bind, linked))
    binds[model] = np.eye(4)
    used = set(skin.used_joints.tolist())
    binds.update({model: linked[j] for j, model in enumerate(models) if j in used or model not in binds})
    if skin.morphs is not None:
        _add_morphs(builder, skin, name, mesh, size)


def _add_morphs(builder: Builder, skin: Skin, name: str, mesh: int, size: float) -> None:
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
        places = (size * moved[rows].astype(float)).ravel()
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


def _document(figure: Figure, builder: Builder, clips: list[Clip]) -> list[Element]:
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
        Element("Takes", children=[leaf("Current", clips[0].name if clips else "")]),
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

"""Writes a new GLB of a figure: nodes for its joints, skins, solids for its shapes or bones, and animations.

`extras.posable` of every joint's node stores what glTF cannot express. A z-up figure, or one with several roots, gets
a node above it, marked as a frame, that rotates it upright for other programs; reading skips that node.

Textures are not written: skins store colours per vertex.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.figures import Figure, Shape
from posable.figures.effectors import carried
from posable.figures.shapes import bone_solid, solid_of
from posable.formats.defaults import content_of, played_of
from posable.formats.gltf.builder import INDICES, VERTICES, Builder, add_bind, add_influences, add_joints
from posable.formats.gltf.extras import extras_of_shape
from posable.formats.gltf.motion import Target, add_animation, mark_played, unique_name
from posable.skeleton import Pose
from posable.skeleton.placements import placements
from posable.skin import Skin
from posable.skin.look import linear_colors
from posable.spatial import Array, apply_transform, matrix_from_wxyz, normalized, transform, wxyz_between

_SHAPE_COLOR = (0.78, 0.77, 0.75)
_BONE_COLOR = (0.87, 0.81, 0.71)
_UPRIGHT = [-(0.5**0.5), 0.0, 0.0, 0.5**0.5]  # xyzw: -90° about x takes z up to y up


def fresh_content(path: Path, figure: Figure, motion: Pose | Clip | None, *, binary: bool) -> bytes:
    """The whole file: `motion` becomes the rest pose if it is a pose, an animation if it is a clip."""
    skeleton = figure.skeleton
    rest, clips = content_of(path, figure, motion)
    said = {"version": 1, "ordered": True, **({"up": "z"} if skeleton.up == "z" else {})}
    asset = {"version": "2.0", "generator": "posable", "extras": {"posable": said}}
    builder = Builder({"asset": asset, "scene": 0}, (), binary=binary)
    position, wxyz = (array[0] for array in placements(Pose.trusted(skeleton, rest.q[None])))
    _add_scene(builder, figure, position, wxyz)
    builder.add("materials", _MATERIAL)
    for skin in figure.skins:
        _add_skin(builder, figure, skin)
    _add_shapes(builder, figure)
    if not figure.skins and not figure.shapes:
        _add_bones(builder, figure)
    target = Target(list(range(len(skeleton.joints))), position, wxyz)
    for clip in clips:
        add_animation(builder, clip, target, name := unique_name(builder, clip.name or "posable"))
        if clip is played_of(figure, motion) and len(clips) > 1:
            mark_played(builder, name)
    return builder.content(path)


_MATERIAL = {
    "name": "posable",
    "pbrMetallicRoughness": {"metallicFactor": 0.0, "roughnessFactor": 0.7},
    "doubleSided": True,
}


def _add_scene(builder: Builder, figure: Figure, position: Array, wxyz: Array) -> None:
    roots = add_joints(builder, figure.skeleton, position, wxyz)
    if figure.skeleton.up == "z" or len(roots) > 1:
        frame: dict[str, Any] = {"name": f"{figure.name or 'figure'} frame", "children": roots}
        if figure.skeleton.up == "z":
            frame["rotation"] = _UPRIGHT
        frame["extras"] = {"posable": {"frame": True}}
        roots = [builder.add("nodes", frame)]
    builder.add("scenes", {"nodes": roots})


def _add_skin(builder: Builder, figure: Figure, skin: Skin) -> None:
    if not len(skin.vertices) or not len(skin.faces):
        return
    skin, uvs = split_at_seams(skin)
    primitive = _primitive(builder, skin.vertices, skin.faces, skin.normals, skin.colors)
    if uvs is not None:
        primitive["attributes"]["TEXCOORD_0"] = builder.accessor(uvs, target=VERTICES)
    name = skin.name or figure.name or "skin"
    bound = add_bind(builder, skin, skin.used_joints, name, np.arange(len(skin.skeleton.joints)))
    add_influences(builder, primitive["attributes"], skin, skin.used_joints)
    said: dict[str, Any] = {"name": name, "primitives": [primitive]}
    if skin.morphs is not None:
        places = [builder.accessor(moved.astype("<f4"), target=VERTICES, bounds=True) for moved in skin.morphs]
        primitive["targets"] = [{"POSITION": place} for place in places]
        said |= {"weights": [0.0] * len(places), "extras": {"targetNames": list(skin.morph_names)}}
    mesh = builder.add("meshes", said)
    node = builder.add("nodes", {"name": name, "mesh": mesh, "skin": bound})
    builder.raw["scenes"][0]["nodes"].append(node)


def split_at_seams(skin: Skin) -> tuple[Skin, NDArray[np.float32] | None]:
    """The skin with one vertex for each pair of a vertex and its texture coordinates, and these, `[vertex, 2]`, v
    downwards as glTF has it. Vertices keep their indices; further copies of them follow. None without coordinates.
    """
    if skin.uvs is None or len(skin.uvs) != len(skin.faces):
        return skin, None
    corners, uvs = skin.faces.reshape(-1), skin.uvs.reshape(-1, 2) * (1, -1) + (0, 1)
    pairs, first, index = np.unique(np.column_stack([corners, uvs]), axis=0, return_index=True, return_inverse=True)
    of = corners[first]
    starts = np.concatenate([[True], of[1:] != of[:-1]])
    place = np.where(starts, of, len(skin.vertices) - 1 + np.cumsum(~starts))
    taken = np.concatenate([np.arange(len(skin.vertices)), of[~starts]])
    flat = np.zeros((len(taken), 2), np.float32)
    flat[place] = pairs[:, 1:]
    normals = _vertex_normals(skin.vertices, skin.faces) if skin.normals is None else skin.normals
    rows = {name: getattr(skin, name)[taken] for name in ("vertices", "joints", "weights")}
    more = None if skin.colors is None else skin.colors[taken]
    morphs = None if skin.morphs is None else skin.morphs[:, taken]
    faces = place[index.reshape(-1)].reshape(-1, 3)
    return replace(
        skin, faces=faces, normals=normals[taken], colors=more, morphs=morphs, uvs=None, look=None, **rows
    ), flat


def _primitive(
    builder: Builder, vertices: NDArray, faces: NDArray, normals: NDArray | None, colors: NDArray | None
) -> dict[str, Any]:
    normals = _vertex_normals(vertices, faces) if normals is None else normals
    attributes = {
        "POSITION": builder.accessor(vertices.astype("<f4"), target=VERTICES, bounds=True),
        "NORMAL": builder.accessor(_unit(normals), target=VERTICES),
    }
    if colors is not None:
        attributes["COLOR_0"] = builder.accessor(linear_colors(colors).astype("<f4"), target=VERTICES)
    kind = "<u2" if len(vertices) < 65535 else "<u4"
    indices = builder.accessor(faces.reshape(-1, 1).astype(kind), target=INDICES)
    return {"attributes": attributes, "indices": indices, "material": 0}


def _vertex_normals(vertices: NDArray, faces: NDArray) -> Array:
    """Area-weighted means of the faces' normals."""
    a, b, c = (vertices[faces[:, k]].astype(float) for k in range(3))
    across, normals = np.cross(b - a, c - a), np.zeros((len(vertices), 3))
    for k in range(3):
        np.add.at(normals, faces[:, k], across)
    return normals


def _unit(normals: NDArray) -> NDArray[np.float32]:
    """Unit normals; an arbitrary direction for zero normals, because the format requires one."""
    unit = normalized(np.nan_to_num(normals.astype(float)))
    unit[np.linalg.norm(unit, axis=1) < 0.5] = (0.0, 0.0, 1.0)
    return unit.astype("<f4")


def _add_shapes(builder: Builder, figure: Figure) -> None:
    """Add the display shapes of each joint as one rigid mesh, with the shapes in its extras."""
    by_joint: dict[int, list[Shape]] = {}
    for shape in figure.shapes:
        by_joint.setdefault(figure.skeleton.index(shape.joint), []).append(shape)
    for j, shapes in by_joint.items():
        parts, colors = [], []
        for shape in shapes:
            vertices, faces = solid_of(shape)
            place = transform(shape.position, normalized(shape.wxyz))
            parts.append((apply_transform(place, vertices), faces))
            colors.append(np.tile(shape.color or _SHAPE_COLOR, (len(vertices), 1)))
        _hang(builder, j, parts, np.concatenate(colors), {"shapes": [extras_of_shape(shape) for shape in shapes]})


def _add_bones(builder: Builder, figure: Figure) -> None:
    """Add a slender solid from each joint to each child, so that other programs show the figure."""
    skeleton = figure.skeleton
    without = carried(skeleton)
    for j, joint in enumerate(skeleton.definitions):
        ends = [np.array(skeleton.definitions[c].position) for c in skeleton.children(j) if c not in without]
        ends += [np.array(tip) for tip in joint.tips]
        parts = [_bone(end) for end in ends if np.linalg.norm(end) > 1e-6 * skeleton.reach]
        if parts:
            _hang(builder, j, parts, np.tile(_BONE_COLOR, (sum(len(v) for v, _ in parts), 1)), {"bones": True})


def _bone(end: Array) -> tuple[Array, NDArray[np.int32]]:
    vertices, faces = bone_solid()
    length = float(np.linalg.norm(end))
    return (vertices * (0.08 * length, 0.08 * length, length)) @ matrix_from_wxyz(wxyz_between((0, 0, 1), end)).T, faces


def _hang(
    builder: Builder, joint: int, parts: list[tuple[Array, NDArray[np.int32]]], colors: Array, said: dict[str, Any]
) -> None:
    starts = np.cumsum([0, *(len(vertices) for vertices, _ in parts)])
    faces = np.concatenate([f + start for (_, f), start in zip(parts, starts, strict=False)])
    primitive = _primitive(builder, np.concatenate([vertices for vertices, _ in parts]), faces, None, colors)
    builder.raw["nodes"][joint]["mesh"] = builder.add(
        "meshes", {"primitives": [primitive], "extras": {"posable": said}}
    )

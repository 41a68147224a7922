"""Writes a figure as USD text without usd-core: a SkelRoot with skeleton, animations, meshes, blend shapes, materials.

Lengths are metres, `upAxis` is the figure's. The `customData` of prims stores, as JSON, what UsdSkel cannot express.
Textures are not written: a skin's colours become materials where there are few, and a primvar anyway.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.figures import Figure, Shape
from posable.figures.shapes import solid_of
from posable.files import free_name
from posable.formats.defaults import content_of
from posable.formats.gltf.extras import extras_of, extras_of_shape
from posable.formats.gltf.motion import continuous
from posable.formats.shared_binds import Placed, bound_together
from posable.formats.usd.text import Layer, identifier, rows_of, unique_names, words
from posable.skeleton import Pose, Skeleton
from posable.skeleton.placements import placements
from posable.skin import Skin
from posable.skin.look import linear_colors
from posable.spatial import Array, apply_transform, normalized, transform

FEW_COLORS = 32
"""So many colours of whole faces become materials of their own; more are read from the vertices by one material."""


def text_of(path: Path, figure: Figure, motion: Pose | Clip | None) -> str:
    """The whole layer: `motion` becomes the rest pose if it is a pose, the animation that plays if it is a clip."""
    rest, clips = content_of(path, figure, motion)
    playing = motion if isinstance(motion, Clip) else figure.main_clip if motion is None else None
    layer = Layer(path)
    root = f"/{identifier(figure.name or 'figure')}"
    names = unique_names("", ["Skeleton", "Materials", *(clip.name or "clip" for clip in clips)])
    binds, skins = bound_together(figure, rest)
    rate = playing.fps if playing is not None else clips[0].fps if clips else None
    layer.head(root[1:], figure.skeleton.up, rate, 0 if playing is None else len(playing))
    with layer.prim("SkelRoot", root[1:], ("SkelBindingAPI",)):
        source = None if playing is None else f"{root}/{names[2 + _place(clips, playing)]}"
        joints = _add_skeleton(layer, figure.skeleton, rest, binds, source)
        for clip, name in zip(clips, names[2:], strict=True):
            _add_animation(layer, clip, name, joints, rate or clip.fps)
        materials = _Materials(f"{root}/Materials")
        taken = set(names)
        for one in skins:
            taken.add(name := free_name(identifier(one.skin.name or "skin"), taken))
            _add_mesh(layer, one, f"{root}/{name}", materials)
        for shape in figure.shapes:
            taken.add(name := free_name(identifier(f"{shape.joint}_{shape.kind}"), taken))
            _add_shape(layer, figure.skeleton, shape, f"{root}/{name}", materials, binds)
        materials.add(layer)
    return "\n".join(layer.lines) + "\n"


def _place(clips: Sequence[Clip], wanted: Clip) -> int:
    return next(k for k, clip in enumerate(clips) if clip is wanted)


# The skeleton and its animations.


def _add_skeleton(layer: Layer, skeleton: Skeleton, rest: Pose, binds: Array, source: str | None) -> list[str]:
    """Returns the joints as USD names them: paths of prims."""
    paths = list[str]()
    for name, parent in zip(unique_names("", skeleton.joints), skeleton.parents.tolist(), strict=True):
        paths.append(f"{paths[parent]}/{name}" if parent >= 0 else name)
    position, wxyz = (one[0] for one in placements(Pose.trusted(skeleton, rest.q[None])))
    own = {"version": 1, "joints": [extras_of(joint) for joint in skeleton.definitions]}
    with layer.prim("Skeleton", "Skeleton", ("SkelBindingAPI",), own):
        layer.add(f"uniform token[] joints = {words(paths)}")
        layer.add(f"uniform token[] jointNames = {words(skeleton.joints)}")
        layer.numbers("uniform matrix4d[] bindTransforms", rows_of(binds))
        layer.numbers("uniform matrix4d[] restTransforms", rows_of(transform(position, wxyz)))
        if source is not None:
            layer.add(f"rel skel:animationSource = <{source}>")
    return paths


def _add_animation(layer: Layer, clip: Clip, name: str, joints: list[str], rate: float) -> None:
    """rate: time codes per second."""
    position, wxyz = placements(clip.poses)
    times = np.arange(float(len(clip))) * np.float64(rate / clip.fps)
    own = {"name": clip.name, "fps": clip.fps}
    with layer.prim("SkelAnimation", name, own=own):
        layer.add(f"uniform token[] joints = {words(joints)}")
        layer.samples("float3[] translations", times, position.astype(np.float32))
        layer.samples("quatf[] rotations", times, continuous(wxyz).astype(np.float32), ends=True)
        layer.numbers("half3[] scales", np.ones((len(joints), 3), np.float32))


# Meshes and materials.


def _add_mesh(layer: Layer, placed: Placed, at: str, materials: _Materials) -> None:
    skin = placed.skin
    name = at.rpartition("/")[2]
    own = {"name": skin.name} if skin.name != name else None
    with layer.prim("Mesh", name, ("SkelBindingAPI", "MaterialBindingAPI"), own):
        _add_surface(layer, placed.vertices.astype(np.float32), skin.faces, skin.normals)
        share = f' (elementSize = {skin.joints.shape[1]}; interpolation = "vertex")'
        layer.numbers("int[] primvars:skel:jointIndices", skin.joints.ravel(), share)
        layer.numbers("float[] primvars:skel:jointWeights", skin.weights.ravel(), share)
        layer.add(f"matrix4d primvars:skel:geomBindTransform = {layer.values(rows_of(placed.matrix[None]))[1:-1]}")
        layer.add(f"rel skel:skeleton = <{at.rpartition('/')[0]}/Skeleton>")
        if skin.colors is not None:
            _add_colors(layer, skin, linear_colors(skin.colors).astype(np.float32), materials)
        if skin.morphs is not None:
            _add_morphs(layer, skin, at)


def _add_surface(layer: Layer, vertices: NDArray, faces: NDArray, normals: NDArray | None) -> None:
    layer.numbers("float3[] extent", np.stack([vertices.min(axis=0), vertices.max(axis=0)]))
    layer.numbers("int[] faceVertexCounts", np.full(len(faces), 3))
    layer.numbers("int[] faceVertexIndices", faces.ravel())
    layer.numbers("point3f[] points", vertices)
    if normals is not None:
        layer.numbers("normal3f[] normals", normals, ' (interpolation = "vertex")')
    layer.add('uniform token subdivisionScheme = "none"')
    layer.add("uniform bool doubleSided = 1")


def _add_colors(layer: Layer, skin: Skin, colors: NDArray[np.float32], materials: _Materials) -> None:
    """A material for each colour of whole faces where these are few, else one that reads the vertices' colours."""
    kinds, which = np.unique(colors, axis=0, return_inverse=True)
    corners = which.reshape(-1)[skin.faces]
    if len(kinds) == 1:
        layer.numbers("color3f[] primvars:displayColor", kinds, ' (interpolation = "constant")')
    else:
        layer.numbers("color3f[] primvars:displayColor", colors, ' (interpolation = "vertex")')
    if len(kinds) > FEW_COLORS or (corners != corners[:, :1]).any():
        layer.add(f"rel material:binding = <{materials.of_vertices()}>")
        return
    if len(kinds) == 1:
        layer.add(f"rel material:binding = <{materials.of(kinds[0])}>")
        return
    layer.add('uniform token subsetFamily:materialBind:familyType = "partition"')
    taken = set(unique_names("", skin.morph_names))
    for k, color in enumerate(kinds):
        faces = np.flatnonzero(corners[:, 0] == k)
        if len(faces):
            taken.add(name := free_name(f"Color_{k + 1}", taken))
            with layer.prim("GeomSubset", name, ("MaterialBindingAPI",)):
                layer.add('uniform token elementType = "face"')
                layer.add('uniform token familyName = "materialBind"')
                layer.numbers("int[] indices", faces)
                layer.add(f"rel material:binding = <{materials.of(color)}>")


def _add_morphs(layer: Layer, skin: Skin, at: str) -> None:
    names = unique_names(f"{at}/", skin.morph_names)
    layer.add(f"uniform token[] skel:blendShapes = {words(skin.morph_names)}")
    layer.add(f"rel skel:blendShapeTargets = [{', '.join(f'<{name}>' for name in names)}]")
    for name, moved in zip(names, skin.morphs if skin.morphs is not None else (), strict=True):
        rows = np.flatnonzero(np.abs(moved).max(axis=1) > 0)
        rows = rows if len(rows) else np.zeros(1, np.int64)
        with layer.prim("BlendShape", name.rpartition("/")[2]):
            layer.numbers("uniform vector3f[] offsets", moved[rows].astype(np.float32))
            layer.numbers("uniform int[] pointIndices", rows)


def _add_shape(layer: Layer, skeleton: Skeleton, shape: Shape, at: str, materials: _Materials, binds: Array) -> None:
    """The solid of a display shape, which follows its joint."""
    vertices, faces = solid_of(shape)
    placed = apply_transform(transform(shape.position, normalized(shape.wxyz)), vertices)
    joint = skeleton.index(shape.joint)
    own = {"joint": shape.joint, "shape": extras_of_shape(shape)}
    with layer.prim("Mesh", at.rpartition("/")[2], ("SkelBindingAPI", "MaterialBindingAPI"), own):
        _add_surface(layer, placed.astype(np.float32), faces, None)
        layer.add(f'int[] primvars:skel:jointIndices = [{joint}] (elementSize = 1; interpolation = "constant")')
        layer.add('float[] primvars:skel:jointWeights = [1] (elementSize = 1; interpolation = "constant")')
        layer.add(f"matrix4d primvars:skel:geomBindTransform = {layer.values(rows_of(binds[joint][None]))[1:-1]}")
        layer.add(f"rel skel:skeleton = <{at.rpartition('/')[0]}/Skeleton>")
        if shape.color is not None:
            color = linear_colors([shape.color]).astype(np.float32)
            layer.numbers("color3f[] primvars:displayColor", color, ' (interpolation = "constant")')
            layer.add(f"rel material:binding = <{materials.of(color[0])}>")


class _Materials:
    """The materials that meshes ask for, each written once. at: the path of their scope."""

    def __init__(self, at: str) -> None:
        self._at, self._found = at, dict[tuple[float, ...] | None, str]()

    def of(self, color: NDArray[np.float32]) -> str:
        """The path of the material of one linear colour."""
        return self._path(tuple(color.tolist()), f"Color_{len(self._found) + 1}")

    def of_vertices(self) -> str:
        """The path of the material that reads the vertices' colours."""
        return self._path(None, "Colors_of_vertices")

    def _path(self, color: tuple[float, ...] | None, name: str) -> str:
        return f"{self._at}/{self._found.setdefault(color, name)}"

    def add(self, layer: Layer) -> None:
        """Write all of them."""
        if not self._found:
            return
        with layer.prim("Scope", self._at.rpartition("/")[2]):
            for color, name in self._found.items():
                self._add(layer, color, f"{self._at}/{name}")

    @staticmethod
    def _add(layer: Layer, color: tuple[float, ...] | None, at: str) -> None:
        with layer.prim("Material", at.rpartition("/")[2]):
            layer.add(f"token outputs:surface.connect = <{at}/Surface.outputs:surface>")
            with layer.prim("Shader", "Surface"):
                layer.add('uniform token info:id = "UsdPreviewSurface"')
                if color is None:
                    layer.add(f"color3f inputs:diffuseColor.connect = <{at}/Colors.outputs:result>")
                else:
                    layer.add(f"color3f inputs:diffuseColor = {layer.values(np.array([color], np.float32))[1:-1]}")
                layer.add("float inputs:roughness = 0.7")
                layer.add("token outputs:surface")
            if color is None:
                with layer.prim("Shader", "Colors"):
                    layer.add('uniform token info:id = "UsdPrimvarReader_float3"')
                    layer.add('string inputs:varname = "displayColor"')
                    layer.add("float3 outputs:result")

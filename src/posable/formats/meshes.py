"""Meshes without a rig: `load_mesh` opens any file with triangles, `as_figure` makes a figure of one."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import numpy as np

from posable.errors import FileError, SkinError
from posable.figures import Figure
from posable.files import check_file, path_of
from posable.formats.gltf import figure_of
from posable.formats.gltf.builder import Builder, add_joints, bind_node
from posable.formats.gltf.container import parse_document, parse_json
from posable.formats.gltf.keep import Source, carried
from posable.formats.mesh_files import MESH_SUFFIXES, read_mesh, read_uvs
from posable.formats.obj_looks import read_look
from posable.formats.table import load
from posable.skeleton import Pose
from posable.skeleton.placements import placements
from posable.skin import Mesh, Skin

# Adding a rig to a glTF file: joints and weights are added, materials and textures stay.


def rigged_gltf(bare: Figure, bound: Skin) -> Figure | None:
    """The file of `bare` with the skeleton and weights of `bound`, whose mesh is `load_mesh` of that file.

    The source of the returned figure is the new file, so that saving keeps the old one's materials.
    None if the file is not glTF, is z-up, or has skinned meshes already.
    """
    source = bare.source
    if not isinstance(source, Source) or bound.skeleton.up != "y" or source.document.root.entries("skins"):
        return None
    path = source.document.path
    raw = parse_json(path, source.document.text).value
    builder = Builder(raw, carried(raw, source, binary=True), binary=True)
    position, wxyz = placements(Pose(bound.skeleton, bound.skeleton.rest_coordinates[None]))
    nodes = len(raw["nodes"]) + np.arange(len(bound.skeleton.joints))
    roots = add_joints(builder, bound.skeleton, position[0], wxyz[0])
    asset = raw["asset"]
    asset["extras"] = {**(asset.get("extras") or {}), "posable": {"version": 1, "ordered": True}}
    raw["scenes"][raw.get("scene", 0)].setdefault("nodes", []).extend(roots)
    start = 0
    for node, skin in source.skins.items():
        raw["nodes"][node]["mesh"] = builder.add("meshes", deepcopy(raw["meshes"][raw["nodes"][node]["mesh"]]))
        bind_node(builder, node, _in_node(bound, source, node), nodes, start)
        start += len(skin.vertices)
    content = builder.content(path)
    figure = figure_of(parse_document(Path(path).with_suffix(".glb"), content))
    return replace(figure, name=bare.name, notes=tuple(dict.fromkeys((*bound.notes, *figure.notes))))


def _in_node(bound: Skin, source: Source, node: int) -> Skin:
    """The same weights for vertices in a node's own frame."""
    return replace(bound, inverse_bind=bound.inverse_bind @ source.nodes.world_matrix(node))


def load_mesh(path: str | Path) -> Mesh:
    """Read the triangles of a file, without its skeleton.

    Reads OBJ, STL, and all meshes of a figure's file (GLB, glTF, VRM, USD, …) in the rest pose. Lengths and axes remain
    the file's own; OBJ and STL do not state an up axis and count as y-up.

    Args:
        path: The file.

    Returns:
        The mesh.

    Raises:
        FileError: If the file is invalid or contains no triangles.
        UnsupportedFileError: For an unknown format.
        FileTooLargeError: Above posable's limits of size.

    Example:
        >>> mesh = posable.load_mesh(posable.sample("person.obj"))
    """
    path = path_of(path)
    return _mesh_of(path, _figure_of(path))


def as_figure(path: str | Path, skin: Skin) -> Figure:
    """Make a figure of a mesh file and the skin that was bound to its mesh.

    A GLB or glTF without a rig keeps its materials, textures and everything else; with other files, and files that
    already have a rig, only the skin's colors remain, and an OBJ's texture coordinates and materials, for pictures.

    Args:
        path: The mesh file.
        skin: The skin, bound to `posable.load_mesh(path)`.

    Returns:
        The figure.

    Raises:
        FileError: If the file cannot be read.
        SkinError: If the skin belongs to another mesh.

    Example:
        >>> mesh = posable.load_mesh(posable.sample("person.obj"))
        >>> skin = posable.bind(mesh, posable.fit_skeleton(mesh))
        >>> person = posable.as_figure(posable.sample("person.obj"), skin)
    """
    path = Path(path)
    bare = _figure_of(path)
    if _mesh_of(path, bare).faces.shape != skin.faces.shape:
        raise SkinError(
            f"{path.name} has another mesh than the skin {skin.name!r}; bind the mesh that load_mesh reads from it"
        )
    notes = list(skin.notes)
    uvs = read_uvs(path) if bare is None else None
    if uvs is not None and len(uvs) == len(skin.faces):
        skin = replace(skin, uvs=uvs)
    if bare is None and (look := read_look(path, len(skin.vertices), notes)) is not None:
        skin = replace(skin, look=look)
    plain = Figure(skin.skeleton, path.stem, (skin,), notes=tuple(notes))
    return plain if bare is None else rigged_gltf(bare, skin) or plain


def _figure_of(path: Path) -> Figure | None:
    """The figure in the file; None for OBJ and STL, which contain only triangles."""
    return None if path.suffix.lower() in MESH_SUFFIXES else load(path)


def _mesh_of(path: Path, figure: Figure | None) -> Mesh:
    """The triangles of a file, given its figure, if it has one."""
    if figure is None:
        check_file(path)
        vertices, faces = read_mesh(path)
        mesh = Mesh(vertices.astype(float), faces, path.stem)
    else:
        mesh = _standing(path, figure)
    if not len(mesh.faces):
        raise FileError(path, "has no triangles; export the mesh with it")
    return mesh


def _standing(path: Path, figure: Figure) -> Mesh:
    """All skins of a figure, deformed to its rest pose."""
    if not figure.skins:
        raise FileError(path, "has no mesh; export the mesh with it")
    firsts = np.cumsum([0, *(len(skin.vertices) for skin in figure.skins)])
    vertices = np.concatenate([skin.deform(figure.rest) for skin in figure.skins]).astype(float)
    faces = np.concatenate([skin.faces + first for skin, first in zip(figure.skins, firsts[:-1], strict=True)])
    colors = None
    if all(skin.colors is not None for skin in figure.skins):
        colors = np.concatenate([skin.colors for skin in figure.skins if skin.colors is not None])
    return Mesh(vertices, faces, path.stem, colors, figure.skeleton.up)

"""Meshes without a rig: `load_mesh` opens them from any file that holds triangles, `rigged` makes figures of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from posable.errors import FileError, SkinError
from posable.figures import Figure
from posable.files import check_file
from posable.formats.gltf_rigging import rigged_gltf
from posable.formats.mesh_files import MESH_SUFFIXES, read_mesh
from posable.formats.table import load
from posable.skin import Mesh, Skin


def load_mesh(path: str | Path) -> Mesh:
    """The triangles of a file: an OBJ or STL, or all meshes of a figure's file (GLB, glTF, VRM, USD, …) at rest, its
    skeleton left behind.

    Lengths and axes stay the file's; OBJ and STL say no up axis, and count as y up.
    Raises FileError where the file is broken or holds no triangles, UnsupportedFileError, FileTooLargeError.
    """
    path = Path(path)
    return _mesh_of(path, _figure_of(path))


def rigged(path: str | Path, skin: Skin) -> Figure:
    """The figure of a mesh's file whose mesh was bound: `skin = posable.bind(posable.load_mesh(path), skeleton)`.

    A GLB or glTF without a rig keeps its materials, textures and all else that is in it; of other files, or one that is
    rigged already, the skin's own colors remain. Raises FileError, SkinError where the skin is not of this file's mesh.
    """
    path = Path(path)
    bare = _figure_of(path)
    if _mesh_of(path, bare).faces.shape != skin.faces.shape:
        raise SkinError(f"{path.name} has another mesh than the skin {skin.name!r}; bind what load_mesh opens of it")
    plain = Figure(skin.skeleton, path.stem, (skin,), notes=skin.notes)
    return plain if bare is None else rigged_gltf(bare, skin) or plain


def _figure_of(path: Path) -> Figure | None:
    """What the file holds; None of an OBJ or STL, which knows triangles alone."""
    return None if path.suffix.lower() in MESH_SUFFIXES else load(path)


def _mesh_of(path: Path, figure: Figure | None) -> Mesh:
    """The triangles of a file, whose figure, if it is one, is at hand."""
    if figure is None:
        check_file(path)
        vertices, faces = read_mesh(path)
        mesh = Mesh(vertices.astype(float), faces, path.stem)
    else:
        mesh = _standing(path, figure)
    if not len(mesh.faces):
        raise FileError(path, "holds no triangles; export the mesh with it")
    return mesh


def _standing(path: Path, figure: Figure) -> Mesh:
    """All skins of a figure's file, deformed to its rest pose."""
    if not figure.skins:
        raise FileError(path, "holds no mesh; export the mesh with it")
    firsts = np.cumsum([0, *(len(skin.vertices) for skin in figure.skins)])
    vertices = np.concatenate([skin.deform(figure.rest) for skin in figure.skins]).astype(float)
    faces = np.concatenate([skin.faces + first for skin, first in zip(figure.skins, firsts[:-1], strict=True)])
    colors = None
    if all(skin.colors is not None for skin in figure.skins):
        colors = np.concatenate([skin.colors for skin in figure.skins if skin.colors is not None])
    return Mesh(vertices, faces, path.stem, colors, figure.skeleton.up)

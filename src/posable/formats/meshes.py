"""Meshes without a rig: `load_mesh` opens them from any file that holds triangles."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from posable.errors import FileError
from posable.files import check_file
from posable.formats.mesh_files import MESH_SUFFIXES, read_mesh
from posable.formats.table import load
from posable.skin import Mesh


def load_mesh(path: str | Path) -> Mesh:
    """The triangles of a file: an OBJ or STL, or all meshes of a figure's file (GLB, glTF, VRM, USD, …) at rest, its
    skeleton left behind.

    Lengths and axes stay the file's; OBJ and STL say no up axis, and count as y up.
    Raises FileError where the file is broken or holds no triangles, UnsupportedFileError, FileTooLargeError.
    """
    path = Path(path)
    if path.suffix.lower() in MESH_SUFFIXES:
        check_file(path)
        vertices, faces = read_mesh(path)
        mesh = Mesh(vertices, faces, path.stem)
    else:
        mesh = _standing(path)
    if not len(mesh.faces):
        raise FileError(path, "holds no triangles; export the mesh with it")
    return mesh


def _standing(path: Path) -> Mesh:
    """All skins of a figure's file, deformed to its rest pose."""
    figure = load(path)
    if not figure.skins:
        raise FileError(path, "holds no mesh; export the mesh with it")
    firsts = np.cumsum([0, *(len(skin.vertices) for skin in figure.skins)])
    vertices = np.concatenate([skin.deform(figure.rest) for skin in figure.skins])
    faces = np.concatenate([skin.faces + first for skin, first in zip(figure.skins, firsts[:-1], strict=True)])
    colors = None
    if all(skin.colors is not None for skin in figure.skins):
        colors = np.concatenate([skin.colors for skin in figure.skins if skin.colors is not None])
    return Mesh(vertices, faces, path.stem, colors, figure.skeleton.up)

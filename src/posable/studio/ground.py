"""The ground as triangles, for pages to draw."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import posable
from posable.studio.document import Document
from posable.studio.timeline import terrain_of

_UNSAID = (".obj", ".stl")  # say no up axis, and count as drawn in the figure's own
_LINES = 81  # of the lattice on which the ground is drawn, along each side
_SIZE = 6.0  # of its side, in reaches of the figure


def ground_mesh(path: Path, up: str) -> posable.Mesh:
    """The mesh of a file as ground for a figure whose `up` axis is upright. Raises FileError."""
    mesh = posable.load_mesh(path)
    return mesh if path.suffix.lower() in _UNSAID else mesh.turned(up)


def terrain_event(document: Document) -> dict[str, Any]:
    """The ground around the figure; a mesh as it is; nothing where there is none. Holes and what is beyond stay out."""
    vertices, faces = ground_of(document) or (np.zeros((0, 3)), np.zeros((0, 3), int))
    return {"event": "terrain", "vertices": np.round(vertices, 5).ravel().tolist(), "faces": faces.ravel().tolist()}


def ground_of(document: Document) -> tuple[np.ndarray, np.ndarray] | None:
    """The ground around the figure as vertices `[n, 3]` and triangles; None where there is none."""
    if document.terrain["kind"] == "mesh":
        mesh = document.meshes[document.terrain["name"]].mesh
        return np.asarray(mesh.vertices, float), np.asarray(mesh.faces)
    ground = terrain_of(document)
    if ground is None:
        return None
    half = _SIZE * document.figure.skeleton.reach / 2
    line = np.linspace(-half, half, _LINES)
    up = "xyz".index(document.figure.skeleton.up)
    level = [axis for axis in range(3) if axis != up]
    points = np.zeros((_LINES * _LINES, 3))
    points[:, level[0]], points[:, level[1]] = (part.ravel() for part in np.meshgrid(line, line, indexing="ij"))
    points[:, up] = ground.height(points)
    corner = np.arange(_LINES * _LINES).reshape(_LINES, _LINES)
    a, b, c, d = corner[:-1, :-1].ravel(), corner[1:, :-1].ravel(), corner[1:, 1:].ravel(), corner[:-1, 1:].ravel()
    first, second = ((a, d, c), (a, c, b)) if up == 1 else ((a, c, d), (a, b, c))
    faces = np.concatenate([np.stack(first, axis=-1), np.stack(second, axis=-1)])
    solid = np.isfinite(points[faces]).all(axis=(1, 2))
    return np.nan_to_num(points), faces[solid]

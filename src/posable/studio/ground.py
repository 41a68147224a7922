"""The ground as triangles, for pages to draw."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

import posable
from posable.studio.document import Document
from posable.studio.timeline import terrain_of

_UNSAID = (".obj", ".stl")  # say no up axis, and count as drawn in the figure's own
_ROOM, _TILE = 3.0, 0.15  # reaches of the figure: so far the ground is drawn about its way, in triangles so large
_SAME = 1e-6  # reaches: corners that are nearer are one
_LOOKS = 100  # frames of a clip that tell its way


def ground_mesh(path: Path, up: str) -> posable.Mesh:
    """The mesh of a file as ground for a figure whose `up` axis is upright. Raises FileError."""
    mesh = posable.load_mesh(path)
    return mesh if path.suffix.lower() in _UNSAID else mesh.turned(up)


def terrain_event(document: Document) -> dict[str, Any]:
    """The ground around the figure's way; a mesh as it is; nothing where there is none. Holes stay out."""
    vertices, faces = ground_of(document) or (np.zeros((0, 3)), np.zeros((0, 3), int))
    return {"event": "terrain", "vertices": np.round(vertices, 5).ravel().tolist(), "faces": faces.ravel().tolist()}


def ground_of(document: Document) -> tuple[np.ndarray, np.ndarray] | None:
    """The ground around the figure's way as vertices `[n, 3]` and triangles; None where there is none."""
    if document.terrain["kind"] == "mesh":
        mesh = document.meshes[document.terrain["name"]].mesh
        return np.asarray(mesh.vertices, float), np.asarray(mesh.faces)
    ground = terrain_of(document)
    if ground is None:
        return None
    reach, up = document.figure.skeleton.reach, "xyz".index(document.figure.skeleton.up)
    ends = np.insert(reach * np.array(_around(document), float), up, 0.0, axis=1)
    corners, _ = ground.patch(ends, _ROOM * reach, _TILE * reach)
    cells, faces = np.unique(np.round(corners.reshape(-1, 3) / (_SAME * reach)), axis=0, return_inverse=True)
    return cells * _SAME * reach, faces.reshape(-1, 3)


def ground_key(document: Document) -> tuple[Any, ...]:
    """What the ground that is drawn depends on: a mesh is drawn whole, all else about the way of what plays."""
    if document.terrain["kind"] in ("none", "mesh"):
        return (document.terrain,)
    return document.terrain, document.figure.skeleton.reach, _around(document)


def _around(document: Document) -> tuple[tuple[int, int], tuple[int, int]]:
    """The corners of where what plays goes, level, in whole reaches from the world's origin."""
    return ((0, 0), (0, 0)) if document.playing is None else _way_of(document.playing)


@lru_cache(maxsize=16)
def _way_of(clip: posable.Clip) -> tuple[tuple[int, int], tuple[int, int]]:
    few = clip.poses[:: max(1, len(clip) // _LOOKS)].origins.reshape(-1, 3)
    few = np.delete(few, "xyz".index(clip.skeleton.up), axis=1) / clip.skeleton.reach
    low, high = np.floor(few.min(axis=0)).astype(int).tolist(), np.ceil(few.max(axis=0)).astype(int).tolist()
    return (low[0], low[1]), (high[0], high[1])

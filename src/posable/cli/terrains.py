"""Terrain files: a mesh, or a text file that says plane, slope, stairs or field."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

import posable
from posable.cli import options
from posable.errors import FileError, TerrainError
from posable.files import Table, read_tables
from posable.spatial import Array

_KEYS = {
    "plane": ("height", "normal"),
    "slope": ("degrees", "uphill", "height"),
    "stairs": ("rise", "run", "count", "direction", "start"),
    "field": ("heights", "spacing", "origin"),
}
_NEEDED = {"plane": (), "slope": ("degrees",), "stairs": ("rise", "run", "count"), "field": ("heights", "spacing")}


def read_terrain(path: Path, up: Any) -> posable.Terrain:
    """The terrain of a file, for a figure whose up axis is `up`: a mesh (.obj, .stl; .glb and .gltf, whose y is up
    and is turned to z where the figure's is), or a text file (.toml).

        kind = "stairs"          # or plane, slope, field
        rise = 0.17              # stairs: rise, run, count, direction, start
        run = 0.3                # slope: degrees, uphill, height;  plane: height, normal
        count = 5                # field: heights (rows of numbers), spacing, origin

    Raises FileError with the line of what is wrong.
    """
    from posable.formats.mesh_files import MESH_SUFFIXES, read_mesh

    suffix = path.suffix.lower()
    if suffix in MESH_SUFFIXES or suffix in (".glb", ".gltf"):
        vertices, faces = read_mesh(path) if suffix in MESH_SUFFIXES else _scene(path, up)
        try:
            return posable.Terrain.mesh(vertices, faces, up=up)
        except TerrainError as problem:
            raise FileError(path, str(problem)) from problem
    top, _ = read_tables(path, ())
    kind = top.choice("kind", tuple(_KEYS))
    keys = _KEYS[kind]
    top.refuse_unknown(("kind", *keys))
    make: Callable[..., posable.Terrain] = getattr(posable.Terrain, kind)
    values = {key: _value(top, key) for key in keys if key in top}
    for key in _NEEDED[kind]:
        top.get(key)
    try:
        return make(**values, up=up)
    except ValueError as problem:
        raise top.error(str(problem), "kind") from problem


def warn_of_units(file: Path | None, unit: str | None, terrain: Path | None) -> None:
    """Say on the error stream that a recording in unknown units goes over a terrain as if they were the same."""
    if terrain is not None and file is not None and not options.is_metric(file, unit):
        click.echo(
            f"posable: {file.name} does not say what its lengths are in, so those of {terrain.name} count in the same; "
            "--unit (m, cm, in ...) makes the figure's metres",
            err=True,
        )


def _scene(path: Path, up: Any) -> tuple[Array, NDArray[Any]]:
    """(vertices, faces) of all meshes of a glTF scene as they stand at rest."""
    figure = posable.load(path)
    if not figure.skins:
        raise FileError(path, "holds no mesh to walk on; export the ground's mesh with it")
    places = np.concatenate([skin.deform(figure.rest) for skin in figure.skins]).astype(float)
    firsts = np.cumsum([0, *(len(skin.vertices) for skin in figure.skins)])
    faces = np.concatenate([skin.faces + first for skin, first in zip(figure.skins, firsts, strict=False)])
    return places if up == "y" else places[:, [0, 2, 1]] * [1.0, -1.0, 1.0], faces


def _value(top: Table, key: str) -> Any:
    if key == "count":
        return top.whole(key, low=1)
    if key in ("normal", "uphill", "direction", "start", "origin"):
        return top.numbers(key, 3)
    return top.get(key) if key == "heights" else top.number(key)

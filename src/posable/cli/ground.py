"""`posable ground`: plants the feet of a clip on a terrain."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

import posable
from posable.cli import options
from posable.cli.clip_choice import beside_others, chosen_clip, which_clip
from posable.cli.roles import role_table, table_of
from posable.cli.terminal import say
from posable.errors import FileError, TerrainError
from posable.files import Table, read_tables
from posable.spatial import Array

# Terrain files: a mesh, or a text file that describes a plane, slope, stairs or field.


_KEYS = {
    "plane": ("height", "normal"),
    "slope": ("degrees", "uphill", "height"),
    "stairs": ("rise", "run", "count", "direction", "start"),
    "field": ("heights", "spacing", "origin"),
}
_NEEDED = {"plane": (), "slope": ("degrees",), "stairs": ("rise", "run", "count"), "field": ("heights", "spacing")}


def read_terrain(path: Path, up: Any) -> posable.Terrain:
    """The terrain in a file, for a figure with up axis `up`: a mesh (.obj, .stl; .glb and .gltf, converted from
    y-up if the figure is z-up) or a text file (.toml).

        kind = "stairs"          # or plane, slope, field
        rise = 0.17              # stairs: rise, run, count, direction, start
        run = 0.3                # slope: degrees, uphill, height;  plane: height, normal
        count = 5                # field: heights (rows of numbers), spacing, origin

    Raises FileError with the line of the mistake.
    """
    from posable.formats.mesh_files import MESH_SUFFIXES, read_mesh

    suffix = path.suffix.lower()
    if suffix in MESH_SUFFIXES or suffix in (".glb", ".gltf"):
        vertices, faces = read_mesh(path) if suffix in MESH_SUFFIXES else _scene(path, up)
        try:
            return posable.Terrain.mesh(vertices, faces, up=up)
        except TerrainError as problem:
            raise FileError(path, str(problem)) from problem
    if suffix != ".toml":
        raise FileError(path, "is not a terrain; give a mesh (.obj, .stl, .glb, .gltf) or a text (.toml)")
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
    """Warn on stderr that a recording in an unknown unit is assumed to share the terrain's unit."""
    if terrain is not None and file is not None and not options.is_metric(file, unit):
        say(
            f"posable: {file.name} states no length unit, so that of {terrain.name} is assumed; --unit (m, "
            "cm, in ...) converts the figure to metres",
            err=True,
        )


def how_to_draw(output: Path, terrain: Path | None, clip: str = "") -> list[str]:
    """A sentence that `output` lacks the ground, with the command that draws both; [] without a terrain."""
    if terrain is None:
        return []
    words = ["posable", "render", str(output), "--terrain", str(terrain), *(["--clip", clip] if clip else [])]
    film = shlex.join([*words, "-o", str(output.with_suffix(".mp4"))])
    return [f"{output.name} contains the figure without the ground; this draws both: {film}"]


def _scene(path: Path, up: Any) -> tuple[Array, NDArray[Any]]:
    """(vertices, faces) of all meshes of a glTF scene in the rest pose."""
    figure = posable.load(path)
    if not figure.skins:
        raise FileError(path, "contains no mesh to walk on; export the ground's mesh with it")
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


@click.command("ground", short_help="Plant the feet of a clip: no sliding, sinking, floating")
@options.input_file()
@options.terrain(
    "The ground: a mesh (.obj, .stl, .glb) or a .toml that describes a plane, slope, stairs or field.  "
    "[default: the clip's own ground level]"
)
@options.clip()
@click.option(
    "--foot",
    "feet",
    type=options.JointName(),
    metavar="JOINT",
    multiple=True,
    help="Plant only this foot: foot_l, foot_r or a joint of FILE; repeatable.",
)
@table_of()
@options.reading
@options.output("Output file; its suffix selects the format.", required=True)
@options.film("Film the result.")
@options.seen_from
@options.force
@options.as_json
def command(**given: Any) -> None:
    """Plant the feet of a clip: remove sliding, sinking and hovering, on level ground or a terrain.

    All frames are solved together. Prints the cost and the foot sliding before and after. A text file for --terrain:

    \b
        kind = "stairs"     # or "slope" with degrees, "plane" with height and normal,
        rise = 0.17         # "field" with heights (rows of numbers) and spacing
        run = 0.3
        count = 5
    """
    outputs = [path for path in (given["output"], given["film"]) if path is not None]
    options.refuse_existing(outputs, given["force"])
    figure = options.open_figure(given["file"], given["unit"], given["up"], given["root"])
    clip = chosen_clip(figure, given["clip"])
    terrain = None if given["terrain"] is None else read_terrain(given["terrain"], figure.skeleton.up)
    warn_of_units(given["file"], given["unit"], given["terrain"])
    feet = given["feet"] or None
    body = role_table(figure, given["roles"])
    found = posable.motion.plant(clip, terrain, feet, figure=figure, roles=body)
    planted, called = beside_others(found.clip, figure, given["output"])
    posable.save(given["output"], figure, planted, overwrite=given["force"])
    if given["film"] is not None:
        shown = {"terrain": terrain, "skeleton": False, "overwrite": given["force"], **options.shot(given)}
        posable.film(figure, found.clip, given["film"], progress=not given["as_json"], **shown)
    before = posable.motion.foot_metrics(clip, None, feet, figure=figure, roles=body)
    after = posable.motion.foot_metrics(found.clip, terrain, feet, figure=figure, roles=body)
    _report(found, before, after, outputs, (planted.name, called), as_json=given["as_json"])
    if not given["as_json"]:
        say(*which_clip(figure, given["clip"]))
        say(*how_to_draw(given["output"], given["terrain"], planted.name if called else ""))


def _report(found: Any, before: Any, after: Any, outputs: list[Path], named: tuple[str, str], *, as_json: bool) -> None:
    name, called = named
    costs = {"before": found.solution.cost_before, "after": found.solution.cost_after}
    plants = sum(len(own) for own in found.plants)
    if as_json:
        numbers = {"clip": name, "cost": costs, "plants": plants, "before": _plain(before), "after": _plain(after)}
        say(json.dumps({**numbers, "wrote": [str(path) for path in outputs]}, allow_nan=False))
        return
    if not plants:
        say("No foot touches the ground in this clip (does it walk in place?), so nothing was planted.")
    feet = "1 foot" if len(found.plants) == 1 else f"{len(found.plants)} feet"
    say(f"{plants} contact{'s' * (plants != 1)} of {feet}; all frames solved together.")
    say(f"cost    {costs['before']:11.4g}  ->  {costs['after']:.4g}")
    if before.contacts and after.contacts and len(found.clip) > 1:
        say(f"skate   {100 * before.skate:8.2f} cm/s -> {100 * after.skate:.2f} cm/s")
        say(f"drift   {100 * before.drift:8.2f} cm   -> {100 * after.drift:.2f} cm   (for a leg of 0.88 m)")
    say(f"Wrote {', '.join(str(path) for path in outputs)}.{called}")


def _plain(metrics: Any) -> dict[str, float | int | None]:
    return {name: None if value != value else value for name, value in vars(metrics).items()}

"""`posable walk`: a figure walks with a gait along a path, over a terrain, or turns in place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import numpy as np

import posable
from posable.cli import options
from posable.cli.bystanders import stays_still
from posable.cli.clip_choice import beside_others
from posable.cli.ground import how_to_draw, read_terrain, warn_of_units
from posable.cli.ranges import Integer, Number
from posable.cli.roles import role_table, table_of
from posable.cli.terminal import say


@click.command("walk", short_help="Make a figure walk: a clip on its own skeleton and skin")
@options.input_file(required=False)
@click.option(
    "--gait",
    metavar="NAME|TOML",
    help="A gait, or the file of one; see --list.  [default: human; for four, six and eight legs wolf, insect, spider]",
)
@click.option("--list", "listed", is_flag=True, help="List the gaits and exit.")
@click.option(
    "--steps",
    type=Integer(1, 10_000),
    metavar="N",
    help="Number of steps.  [default: 6, or as many as the path needs]",
)
@click.option(
    "--path",
    metavar="JSON",
    help="Points on the ground to walk through: '[[x, z], [x, z], ...]', or a file that holds them.",
)
@options.terrain(
    "The ground: a plane, slope, stairs or field in a text file (.toml), or a mesh (.obj, .stl, .glb).  "
    "[default: level]"
)
@click.option("--fps", type=Number(1, 240), default=30.0, show_default=True, help="Frames per second.")
@click.option("--loop", is_flag=True, help="A seamless cycle of whole strides, without a start and a stop.")
@click.option("--backwards", is_flag=True, help="Walk backwards.")
@click.option(
    "--turn",
    type=Number(-36_000, 36_000),
    metavar="DEGREES",
    help="Turn in place to the left (negative: to the right) instead of walking.",
)
@click.option(
    "--seed",
    type=Integer(0),
    metavar="N",
    help="Seed of the small differences between a person's steps.  [default: 0; none in a loop]",
)
@table_of()
@options.reading
@options.output("The figure with its clip.  [default: FILE_walk.glb]")
@options.picture("Draw the middle frame.")
@options.film("Film the walk.")
@options.seen_from
@options.force
@options.as_json
def command(listed: bool, **given: Any) -> None:
    """Make FILE walk: a clip on its own skeleton and skin, with planted feet. Without FILE, the mannequin walks.

    Works for people, for humanoid robots, and for animals with any number of legs if the gait has phases for them
    (wolf, trot, spider, insect). `posable ground --help` shows a text file for --terrain.
    """
    from posable.motion import characters
    from posable.motion.gait.walking import usual_gait

    if listed:
        say(*characters())
        return
    outputs = _outputs(given)
    options.refuse_existing(list(outputs.values()), given["force"])
    figure = options.open_figure(given["file"], given["unit"], given["up"], given["root"])
    figure = figure if given["root"] else options.travelling(figure)
    legs = len(role_table(figure, given["roles"]).legs)
    gait = posable.Gait.load(given["gait"]) if given["gait"] else usual_gait(legs)
    warn_of_units(given["file"], given["unit"], given["terrain"])
    clip, terrain = walked(figure, gait, given)
    clip, called = beside_others(clip, figure, outputs["figure"])
    _write(figure, clip, terrain, outputs, given)
    _report(clip, gait, outputs, called, _off_the_path(figure, clip, given), as_json=given["as_json"])
    if not given["as_json"]:
        say(*(stays_still(figure, given["file"].name) if given["file"] else ()))
        say(*how_to_draw(outputs["figure"], given["terrain"], clip.name if called else ""))


def walked(
    figure: posable.Figure, gait: posable.Gait, given: dict[str, Any]
) -> tuple[posable.Clip, posable.Terrain | None]:
    """The walk of the command's options, and its ground."""
    path = None if given["path"] is None else read_path(given["path"])
    terrain = None if given["terrain"] is None else read_terrain(given["terrain"], figure.skeleton.up)
    how = {name: given[name] for name in ("fps", "backwards", "turn", "seed")}
    how |= {"starts": not given["loop"], "stops": not given["loop"], "roles": role_table(figure, given["roles"])}
    return posable.walk(figure, gait, given["steps"], terrain, path, **how), terrain


def _outputs(given: dict[str, Any]) -> dict[str, Path]:
    """Output files by kind. Default names get a number instead of overwriting a file."""
    outputs = {kind: given[kind] for kind in ("picture", "film") if given[kind] is not None}
    if given["output"] is not None:
        return {"figure": given["output"], **outputs}
    stem = "walk" if given["file"] is None else f"{given['file'].stem}_walk"
    return {"figure": options.unused(stem, ".glb", force=given["force"])[0], **outputs}


def read_path(given: str) -> Any:
    """The points of a JSON text, or of the file that holds it. Raises PosableError."""
    from posable.files import read_text
    from posable.motion import checked_points

    inline = given.lstrip().startswith("[") and not Path(given).is_file()
    try:
        return checked_points(json.loads(given if inline else read_text(given, 2**20)))
    except posable.FileError:
        raise
    except (ValueError, RecursionError, posable.PosableError) as problem:
        wrong = f"is not a valid path ({problem}); write [[x, z], [x, z], ...]"
        raise posable.PosableError(f"--path {wrong}") if inline else posable.FileError(given, wrong) from problem


def _write(
    figure: posable.Figure,
    clip: posable.Clip,
    terrain: posable.Terrain | None,
    outputs: dict[str, Path],
    given: dict[str, Any],
) -> None:
    shown = {"terrain": terrain, "skeleton": False, "overwrite": given["force"], **options.shot(given)}
    posable.save(outputs["figure"], figure, clip, overwrite=given["force"])
    if "picture" in outputs:
        posable.picture(figure, clip.poses[len(clip) // 2], outputs["picture"], **shown)
    if "film" in outputs:
        posable.film(figure, clip, outputs["film"], progress=not given["as_json"], **shown)


_NEAR = 0.5  # of the height of the hips: about half a step


def _off_the_path(figure: posable.Figure, clip: posable.Clip, given: dict[str, Any]) -> str:
    """That so many steps as were asked for do not end where the path does; "" where they do."""
    if given["path"] is None or given["steps"] is None:
        return ""
    hips = posable.roles(figure).get("hips", figure.skeleton.joints[0])
    places, up = clip.poses.origins[:, figure.skeleton.index(hips)], "xyz".index(figure.skeleton.up)
    path = read_path(given["path"])
    come, asked = (float(np.linalg.norm(line[-1] - line[0])) for line in (np.delete(places, up, axis=1), path))
    if abs(come - asked) <= _NEAR * abs(places[0, up]):
        return ""
    steps = "1 step leads" if given["steps"] == 1 else f"{given['steps']} steps lead"
    told = f"{steps} {come:.3g} away from the start, and the path {asked:.3g}"
    return f"{told}: without --steps the walk takes as many as the path needs."


def _report(
    clip: posable.Clip, gait: posable.Gait, outputs: dict[str, Path], called: str, off: str, *, as_json: bool
) -> None:
    if as_json:
        told = {"gait": gait.name, "clip": clip.name, "frames": len(clip), "fps": clip.fps, "seconds": clip.seconds}
        say(json.dumps({**told, "wrote": [str(path) for path in outputs.values()]}))
        return
    say(f"{gait.name or 'The gait'}: {len(clip)} frames at {clip.fps:g} fps, {clip.seconds:.2f} s.")
    say(*([off] if off else []), f"Wrote {', '.join(str(path) for path in outputs.values())}.{called}")

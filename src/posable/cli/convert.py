"""`posable convert`: saves a figure in another format."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import click

import posable
from posable.cli import options
from posable.cli.clip_choice import chosen_clip, chosen_pose, which_clip
from posable.cli.terminal import say


@click.command("convert", short_help="Save a file in another format, with clips and skins")
@options.input_file()
@click.argument("output", type=options.FigurePath())
@options.clip_and_frame
@options.reading
@options.force
@options.as_json
def command(
    file: Path,
    output: Path,
    clip: str | None,
    frame: int | None,
    unit: str | None,
    up: str | None,
    root: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Save the figure in FILE, with its clips, as OUTPUT; the suffix of OUTPUT selects the format.

    With --frame, the figure is saved in that pose. Content that the format cannot store is listed.
    """
    options.refuse_existing([output], force)
    figure = options.open_figure(file, unit, up, root)
    posable.save(output, figure, _motion(figure, clip, frame), overwrite=force)
    try:
        written = posable.load(output)
    except (posable.MissingExtraError, posable.UnsupportedFileError):  # .usda without its reader; tables of numbers
        written = figure
    lost, freed = _lost(figure, written), _freed(figure.skeleton, written.skeleton)
    if as_json:
        say(json.dumps({"wrote": str(output), "left_out": lost, "freed": freed}))
        return
    say(f"Wrote {output}.")
    if lost:
        say(f"Left out, because {output.suffix} cannot store it: {', '.join(lost)}.")
    if freed:
        say(f"Moving about more axes, because {output.suffix} does not state which are fixed: {', '.join(freed)}.")
    if len(written.clips) < len(figure.clips):
        say(*which_clip(figure, clip))


def _motion(figure: posable.Figure, clip: str | None, frame: int | None) -> posable.Pose | posable.Clip | None:
    if frame is not None:
        return chosen_pose(figure, clip, frame)
    return None if clip is None else chosen_clip(figure, clip)


_KINDS = {
    "hinge": "hinge",
    "twist": "twist joint",
    "slide": "slide",
    "universal": "universal joint",
    "planar": "planar joint",
    "compound": "compound joint",
}


def _freed(before: posable.Skeleton, after: posable.Skeleton) -> list[str]:
    """Joints of few axes that are joints of other kinds, with more, when the written file is read again."""
    had, has = (Counter(joint.kind for joint in skeleton.definitions) for skeleton in (before, after))
    return _missing({name: (range(had[kind]), range(has[kind])) for kind, name in _KINDS.items()})


def _lost(before: posable.Figure, after: posable.Figure) -> list[str]:
    """Content missing from the written file when it is read again."""
    from posable.cli.info import limited

    solids = after.shapes or after.skins[len(before.skins) :]  # FBX stores them as meshes
    limits = [range(limited(figure.skeleton)) for figure in (before, after)]
    counts: dict[str, tuple[Any, Any]] = {
        "joint": (before.skeleton.joints, after.skeleton.joints),
        "skin": (before.skins, after.skins),
        "clip": (before.clips, after.clips),
        "display shape": (before.shapes, solids),
        "texture": (_textures(before), _textures(after)),
        "joint limit": (limits[0], limits[1]),
        "coupled axis": (_coupled(before.skeleton), _coupled(after.skeleton)),
        "mass": (_masses(before.skeleton), _masses(after.skeleton)),
    }
    return _missing(counts)


def _textures(figure: posable.Figure) -> set[int]:
    """The images of the skins, each by its identity."""
    looks = [skin.look for skin in figure.skins if skin.look is not None]
    return {id(one.image) for look in looks for one in look.materials if one.image is not None}


def _coupled(skeleton: posable.Skeleton) -> list[posable.Axis]:
    """The axes that follow another one."""
    return [axis for joint in skeleton.definitions for axis in joint.axes if axis.follow is not None]


def _masses(skeleton: posable.Skeleton) -> list[float]:
    """The masses of bodies that are known."""
    return [joint.mass for joint in skeleton.definitions if joint.mass is not None]


def _missing(counts: dict[str, tuple[Any, Any]]) -> list[str]:
    """How many of each thing are gone."""
    missing = {thing: (len(had) - len(has), len(had)) for thing, (had, has) in counts.items() if len(had) > len(has)}
    many = {"coupled axis": "coupled axes", "mass": "masses"}
    named = {thing: thing if had == 1 else many.get(thing, f"{thing}s") for thing, (_, had) in missing.items()}
    return [f"{gone} of {had} {named[thing]}" for thing, (gone, had) in missing.items()]

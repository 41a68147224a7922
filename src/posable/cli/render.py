"""`posable render`: draws a file as a picture or a film."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

import posable
from posable.cli import options
from posable.cli.clip_choice import chosen_clip, chosen_pose, which_clip
from posable.cli.ground import read_terrain, warn_of_units
from posable.cli.options import FILMS, PICTURES
from posable.cli.terminal import say


@click.command("render", short_help="Draw a picture or a film of a file")
@options.input_file()
@options.output("The picture or film.", *PICTURES, *FILMS, metavar="PNG|MP4|GIF", required=True)
@options.clip_and_frame
@options.reading
@options.seen_from
@options.terrain("The ground to draw, as given to `walk` or `ground`, whose files contain only the motion.")
@options.no_skeleton
@options.force
@options.as_json
def command(file: Path, output: Path, **given: Any) -> None:
    """Draw FILE: a picture of its rest pose or of one frame of a clip (.png), or a film of a clip (.mp4, .gif)."""
    options.refuse_existing([output], given["force"])
    figure = options.open_figure(file, given["unit"], given["up"], given["root"])
    warn_of_units(file, given["unit"], given["terrain"])
    ground = None if given["terrain"] is None else read_terrain(given["terrain"], figure.skeleton.up)
    drawing = {**options.marks(given), "terrain": ground, "overwrite": given["force"], **options.shot(given)}
    if output.suffix.lower() in PICTURES:
        pose = chosen_pose(figure, given["clip"], given["frame"])
        posable.picture(figure, pose, output, **drawing)
        shown = None if given["clip"] is None and given["frame"] is None else chosen_clip(figure, given["clip"])
    else:
        shown = _filmed(figure, given["clip"], given["frame"])
        posable.film(figure, shown, output, progress=not given["as_json"], **drawing)
    if given["as_json"]:
        say(json.dumps({"wrote": str(output), "clip": None if shown is None else shown.name}))
        return
    say(f"Wrote {output}{f': clip {shown.name!r}' if shown is not None and shown.name else ''}.")
    say(*(() if shown is None else which_clip(figure, given["clip"])))


def _filmed(figure: posable.Figure, name: str | None, frame: int | None) -> posable.Clip:
    """The clip to film. Raises PosableError if a single frame is given."""
    if frame is not None:
        raise posable.PosableError("a film shows a whole clip; leave --frame out, or write a .png")
    return chosen_clip(figure, name)

"""`posable render`: draws a file as a picture or a film."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

import posable
from posable.cli import options
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
        pose = options.chosen_pose(figure, given["clip"], given["frame"])
        posable.picture(figure, pose, output, **drawing)
        which = ""
    else:
        clip = _filmed(figure, given["clip"], given["frame"])
        posable.film(figure, clip, output, progress=not given["as_json"], **drawing)
        others = f", the first of {len(figure.clips)} clips" if given["clip"] is None and len(figure.clips) > 1 else ""
        which = f": clip {clip.name!r}{others}" if clip.name else ""
    say(json.dumps({"wrote": str(output)}) if given["as_json"] else f"Wrote {output}{which}.")


def _filmed(figure: posable.Figure, name: str | None, frame: int | None) -> posable.Clip:
    """The clip to film. Raises PosableError if a single frame is given."""
    if frame is not None:
        raise posable.PosableError("a film shows a whole clip; leave --frame out, or write a .png")
    return options.chosen_clip(figure, name)

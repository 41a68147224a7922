"""`posable convert`: saves a figure in another format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

import posable
from posable.cli import options
from posable.cli.clip_choice import chosen_clip, chosen_pose
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
        lost = _lost(figure, posable.load(output))
    except (posable.MissingExtraError, posable.UnsupportedFileError):  # .usda without its reader; tables of numbers
        lost = []
    say(json.dumps({"wrote": str(output), "left_out": lost}) if as_json else f"Wrote {output}.")
    if lost and not as_json:
        say(f"Left out, because {output.suffix} cannot store it: {', '.join(lost)}.")


def _motion(figure: posable.Figure, clip: str | None, frame: int | None) -> posable.Pose | posable.Clip | None:
    if frame is not None:
        return chosen_pose(figure, clip, frame)
    return None if clip is None else chosen_clip(figure, clip)


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
        "joint limit": (limits[0], limits[1]),
    }
    missing = {thing: (len(had) - len(has), len(had)) for thing, (had, has) in counts.items() if len(had) > len(has)}
    return [f"{gone} of {had} {thing}{'s' * (had != 1)}" for thing, (gone, had) in missing.items()]

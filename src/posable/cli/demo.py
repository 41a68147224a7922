"""`posable demo`: renders a story as a film."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

import posable
from posable.cli import options
from posable.cli.options import FILMS
from posable.cli.terminal import say


@click.command("demo", short_help="Film a story: doorbell, mace, leg, tentacles, ...")
@click.argument("name", required=False)
@click.option("--list", "listed", is_flag=True, help="List the stories and exit.")
@options.output("The film.  [default: NAME.mp4]", *FILMS, metavar="MP4|GIF")
@click.option(
    "--size", type=options.Size(), default="480x360", show_default=True, metavar="WIDTHxHEIGHT", help="Pixels."
)
@options.force
@options.as_json
def command(name: str | None, listed: bool, output: Path | None, **given: Any) -> None:
    """Film a story: doorbell, mace, leg, telescope, tentacles or snake. Each takes a minute or less."""
    from posable.motion import STORIES, story_named
    from posable.view import Camera

    if listed:
        _list({one: make.__doc__ or "" for one, make in STORIES.items()}, as_json=given["as_json"])
        return
    if name is None:
        raise click.UsageError("missing story NAME; --list shows them")
    make = story_named(name)
    path = output or Path(f"{name}.mp4")
    options.refuse_existing([path], given["force"])
    story = make()
    camera = Camera(story.seen_from, story.seen_at, field_of_view=story.field_of_view)
    shown = {"size": given["size"], "camera": camera, "skeleton": False}
    posable.film(story.figure, story.clip, path, **shown, overwrite=given["force"], progress=not given["as_json"])
    told = {"story": name, "frames": len(story.clip), "fps": story.clip.fps, "wrote": str(path)}
    say(json.dumps(told) if given["as_json"] else f"{name}: {story.clip.seconds:.1f} s. Wrote {path}.")


def _list(stories: dict[str, str], *, as_json: bool) -> None:
    """Each story's name and summary."""
    about = {name: " ".join(text.split("\n\n")[0].split()) for name, text in stories.items()}
    if as_json:
        say(json.dumps({"stories": about}))
        return
    width = max(map(len, about)) + 2
    say(*(f"{name:<{width}}{text}" for name, text in about.items()))

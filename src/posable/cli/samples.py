"""`posable samples`: the files that come with posable."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

import posable
from posable.cli import options
from posable.cli.terminal import say
from posable.files import write_atomically


@click.command("samples", short_help="List or copy the files that come with posable")
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option(
    "-o",
    "--output",
    type=options.OutputPath(),
    metavar="FILE|FOLDER",
    help="Copy the files here: a file name for one, a folder for several.",
)
@options.force
@options.as_json
def command(names: tuple[str, ...], output: Path | None, force: bool, as_json: bool) -> None:
    """List the files that come with posable, or copy those called NAME: a character, an animal, a walk, robots.

    \b
    posable samples                                  what there is
    posable samples knight.glb -o my_knight.glb      a copy under this name
    posable samples knight.glb walk.bvh -o .         copies in this folder
    """
    chosen = [_facts(posable.sample(name)) for name in names] or [_facts(one.path) for one in posable.samples()]
    if output is None:
        say(*([json.dumps({"samples": chosen})] if as_json else map(_sentence, chosen)))
        return
    copies = _copies(chosen, output)
    options.refuse_existing(list(copies), force)
    for copy, path in copies.items():
        write_atomically(copy, path.read_bytes(), overwrite=force)
    wrote = [str(copy) for copy in copies]
    say(json.dumps({"wrote": wrote}) if as_json else f"Wrote {', '.join(wrote)}.")


def _facts(path: Path) -> dict[str, Any]:
    (found,) = (one for one in posable.samples() if one.path == path)
    return {**asdict(found), "path": str(path), "bytes": path.stat().st_size}


def _sentence(facts: dict[str, Any]) -> str:
    return f"{facts['name']:12}{facts['about']} ({facts['licence']}: {facts['source']})"


def _copies(chosen: list[dict[str, Any]], output: Path) -> dict[Path, Path]:
    """The path of each copy, and its sample."""
    if output.is_dir():
        return {output / facts["name"]: Path(facts["path"]) for facts in chosen}
    if len(chosen) > 1:
        raise click.UsageError(f"{output} is not a folder; give a folder for {len(chosen)} files")
    return {output: Path(chosen[0]["path"])}

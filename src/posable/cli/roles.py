"""`posable roles`: which joint is which part of the body, as words, a picture and a table to correct."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

import posable
from posable.cli import options
from posable.cli.terminal import say


def table_of(file: str = "FILE", option: str = "--roles") -> options.Decorator[options.C]:
    """--roles: the role table of a figure."""
    words = f"Role table (TOML) of the figure in {file}, as `posable roles -o` writes it.  [default: found]"
    return click.option(option, type=click.Path(path_type=Path), metavar="TOML", help=words)


def role_table(figure: posable.Figure, path: Path | None) -> posable.Roles:
    """The roles from the user's file, or else those that are found."""
    return posable.roles(figure) if path is None else posable.Roles.load(path, figure)


@click.command("roles", short_help="Show which joint is which part of the body")
@options.input_file()
@options.output("Write the table of roles, to correct by hand.", ".toml", metavar="TOML")
@click.option("--roles", "table", type=click.Path(path_type=Path), metavar="TOML", help="Show this corrected table.")
@options.picture("Also draw the parts in colours, with a legend.")
@options.reading
@options.force
@options.as_json
def command(file: Path, output: Path | None, table: Path | None, picture: Path | None, **given: Any) -> None:
    """Show which joint of FILE is which part of the body, with a confidence.

    Where it is uncertain, look at --picture, correct the table that -o writes, and give it to other commands as
    --roles.
    """
    options.refuse_existing([path for path in (output, picture) if path], given["force"])
    figure = options.open_figure(file, given["unit"], given["up"], given["root"])
    found = role_table(figure, table)
    if output:
        found.save(output, overwrite=given["force"])
    if picture:
        from posable.view import roles_picture

        roles_picture(figure, found, picture, overwrite=given["force"])
    wrote = [str(path) for path in (output, picture) if path]
    if given["as_json"]:
        say(json.dumps({"roles": dict(found), "confidence": dict(found.confidence), "wrote": wrote}))
        return
    say(*_sentences(file, found, drawn=bool(picture), written=bool(output)), *(f"Wrote {path}." for path in wrote))


_MOST = 12  # parts in a sentence


def listed(parts: list[str]) -> str:
    """The first of them, and how many more there are."""
    return ", ".join(parts[:_MOST]) + (f" and {len(parts) - _MOST} more" if len(parts) > _MOST else "")


def _sentences(file: Path, found: posable.Roles, *, drawn: bool, written: bool) -> list[str]:
    if not found:
        return [
            f"No part of a body was found in {file.name}; name them in a table: posable roles {file.name} --roles TOML"
        ]
    wide = max(map(len, found))
    lines = [f"{role:{wide}}  {found.confidence[role]:4.0%}  {joint}" for role, joint in found.items()]
    unsure = [role for role in found if found.confidence[role] < found.SURE]
    if unsure:
        lines.append(f"Is this right? {listed([f'{role} = {found[role]}' for role in unsure])}")
        steps = [] if drawn else ["draw it with --picture PNG"]
        steps += ["correct the table" if written else "write the table with -o TOML, correct it"]
        told = f"{', '.join(steps)} and give it as --roles TOML."
        lines.append(told[0].upper() + told[1:])
    return lines

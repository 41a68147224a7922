"""`posable retarget`: transfers the motion of one file to the figure in another."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

import posable
from posable.cli import options
from posable.cli.bystanders import stays_still
from posable.cli.clip_choice import beside_others, chosen_clip, which_clip
from posable.cli.ranges import Number
from posable.cli.roles import listed, role_table, table_of
from posable.cli.terminal import say


@click.command("retarget", short_help="Transfer the motion of one figure to another")
@options.input_file("clip_file", "CLIP")
@options.input_file("file", "FIGURE")
@options.output("The figure with its new clip.", metavar=None, required=True)
@options.clip("CLIP")
@options.up("FIGURE")
@options.unit("CLIP and FIGURE")
@table_of("FIGURE")
@table_of("CLIP", "--clip-roles")
@click.option("--roles-out", type=options.OutputPath(".toml"), help="Write the role table of FIGURE, for editing.")
@click.option("--clip-roles-out", type=options.OutputPath(".toml"), help="Write the role table of CLIP's figure.")
@click.option("--plant", is_flag=True, help="Plant feet that slide in CLIP even if both figures have the same legs.")
@click.option(
    "--balance",
    type=Number(min=0.0),
    default=0.0,
    metavar="W",
    help="Weight of balance (centre of mass inside the support polygon): 0 is off, 1 strong.",
)
@click.option("--plain", is_flag=True, help="Leave arms and a head that CLIP lacks at rest.")
@options.film("Film the new clip.")
@options.seen_from
@options.force
@options.as_json
def command(
    clip_file: Path,
    file: Path,
    output: Path,
    roles_out: Path | None,
    clip_roles_out: Path | None,
    balance: float,
    plain: bool,
    force: bool,
    as_json: bool,
    **given: Any,
) -> None:
    """Transfer the motion of CLIP to the figure in FIGURE, and save it with everything else in its file.

    Joints are matched automatically. --roles-out writes the table that was used, to edit and pass with --roles.
    """
    options.refuse_existing([path for path in (output, roles_out, clip_roles_out, given["film"]) if path], force)
    recording = options.open_figure(clip_file, given["unit"], beside=(file,))
    motion = chosen_clip(recording, given["clip"])
    figure = options.travelling(options.open_figure(file, given["unit"], given["up"], beside=(clip_file,)))
    own, theirs = role_table(figure, given["roles"]), role_table(recording, given["clip_roles"])
    for path, table in ((roles_out, own), (clip_roles_out, theirs)):
        if path:
            table.save(path, overwrite=force)
    how = {"plant": given["plant"], "balance": balance, "natural": not plain, "roles": own, "clip_roles": theirs}
    found = posable.motion.retargeting(motion, figure, **how)
    moved, called = beside_others(found.clip, figure, output)
    balanced = found.balanced if balance else None
    posable.save(output, figure, moved, overwrite=force)
    if given["film"] is not None:
        shown = {"skeleton": False, "overwrite": force, **options.shot(given)}
        posable.film(figure, moved, given["film"], progress=not as_json, **shown)
    unsure, doubted = _unsure(own), _unsure(theirs)
    if as_json:
        answer = {"wrote": str(output), "clip": moved.name, "frames": len(moved), "fps": moved.fps, "roles": dict(own)}
        answer |= {"unsure": unsure, "clip_unsure": doubted, "proposed": list(found.proposed)}
        say(json.dumps(answer | {"note": found.note} | ({} if balanced is None else {"balanced": balanced})))
        return
    also = f" and {given['film']}" if given["film"] else ""
    wrote = f"Wrote {output}{also}: {_length(moved)}.{called}{_sentence(found.note)}"
    say(*which_clip(recording, given["clip"]), wrote, *stays_still(figure, file.name))
    if found.proposed:
        moves = f"{', '.join(found.proposed)} move as people's do"
        say(f"{clip_file.name} lacks arms or a head: {moves} (with --plain they stay at rest).")
    if balanced is not None:
        say(f"The centre of mass is inside the support polygon in {balanced:.0%} of the frames.")
    for of, some, option in ((file, unsure, "--roles-out"), (clip_file, doubted, "--clip-roles-out")):
        if some:
            say(f"Uncertain roles of {of.name}: {listed(some)}; check the table that {option} writes.")


def _length(clip: posable.Clip) -> str:
    """How long a clip is, in words."""
    return f"{len(clip)} frame{'s' * (len(clip) > 1)} at {clip.fps:g} fps"


def _sentence(note: str) -> str:
    """The note as a sentence after another; "" without one."""
    return f" {note[0].upper()}{note[1:]}." if note else ""


def _unsure(table: posable.Roles) -> list[str]:
    """The roles that may be wrong, each with its confidence."""
    return [f"{role} ({table.confidence[role]:.0%})" for role in table if table.confidence[role] < table.SURE]

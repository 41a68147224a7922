"""`posable ground`: the feet of a clip stand still, on the ground of a terrain."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

import posable
from posable.cli import options
from posable.cli.terrains import read_terrain, warn_of_units


@click.command("ground")
@options.input_file()
@options.terrain(
    "What it walks on: a mesh (.obj, .stl, .glb), or a .toml that says plane, slope, stairs or field; the clip's "
    "own ground unless given."
)
@options.clip()
@click.option(
    "--foot",
    "feet",
    type=options.JointName(),
    metavar="JOINT",
    multiple=True,
    help="Only this foot: foot_l, foot_r or a joint of FILE; may be given several times.",
)
@options.unit_and_root
@options.output("Save here; the ending says the format.", required=True)
@options.film("Film the result.")
@options.force
@options.as_json
def command(**given: Any) -> None:
    """Make the feet of a clip stand: no sliding, no sinking, no hovering, on level ground or a terrain.

    All frames are solved together. Printed are what the clip cost before and after, and how much its feet slid.
    """
    outputs = [path for path in (given["output"], given["film"]) if path is not None]
    options.refuse_existing(outputs, given["force"])
    figure = options.open_figure(given["file"], given["unit"], given["root"])
    clip = options.chosen_clip(figure, given["clip"])
    terrain = None if given["terrain"] is None else read_terrain(given["terrain"], figure.skeleton.up)
    warn_of_units(given["file"], given["unit"], given["terrain"])
    feet = given["feet"] or None
    found = posable.motion.plant(clip, terrain, feet, figure=figure)
    planted, called = options.beside_others(found.clip, figure, given["output"])
    posable.save(given["output"], figure, planted, overwrite=given["force"])
    if given["film"] is not None:
        shown = {"terrain": terrain, "skeleton": False, "overwrite": given["force"]}
        posable.film(figure, found.clip, given["film"], progress=not given["as_json"], **shown)
    before = posable.motion.foot_metrics(clip, None, feet, figure=figure)
    after = posable.motion.foot_metrics(found.clip, terrain, feet, figure=figure)
    _report(found, before, after, outputs, (planted.name, called), as_json=given["as_json"])


def _report(found: Any, before: Any, after: Any, outputs: list[Path], named: tuple[str, str], *, as_json: bool) -> None:
    name, called = named
    costs = {"before": found.solution.cost_before, "after": found.solution.cost_after}
    plants = sum(len(own) for own in found.plants)
    if as_json:
        numbers = {"clip": name, "cost": costs, "plants": plants, "before": _plain(before), "after": _plain(after)}
        click.echo(json.dumps({**numbers, "wrote": [str(path) for path in outputs]}, allow_nan=False))
        return
    if not plants:
        click.echo("No foot touches the ground in this clip (it may walk on the spot), so nothing was planted.")
    click.echo(f"{plants} stands of {len(found.plants)} feet; all frames solved together.")
    click.echo(f"cost    {costs['before']:11.4g}  ->  {costs['after']:.4g}")
    if before.contacts and after.contacts and len(found.clip) > 1:
        click.echo(f"skate   {100 * before.skate:8.2f} cm/s -> {100 * after.skate:.2f} cm/s")
        click.echo(f"drift   {100 * before.drift:8.2f} cm   -> {100 * after.drift:.2f} cm   (for a leg of 0.88 m)")
    click.echo(f"Wrote {', '.join(str(path) for path in outputs)}.{called}")


def _plain(metrics: Any) -> dict[str, float | int | None]:
    return {name: None if value != value else value for name, value in vars(metrics).items()}

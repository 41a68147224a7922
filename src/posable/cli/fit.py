"""`posable fit`: the motion of a figure from recorded markers."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

import posable
from posable.cli import options


@click.command("fit")
@options.input_file("markers_file", "MARKERS")
@options.input_file(required=False)
@options.output("The figure, sized, with its clip.", metavar=None, required=True)
@click.option("--attachments", type=click.Path(path_type=Path), metavar="TOML", help="Where the markers sit.")
@click.option("--attachments-out", type=options.OutputPath(".toml"), help="Write where they sit, as found.")
@click.option("--up", type=click.Choice(["y", "z"]), help="Which axis of MARKERS points up, where the file is wrong.")
@click.option("--keep-lengths", is_flag=True, help="Leave the figure's segments as long as they are.")
@click.option("--limits", is_flag=True, help="Keep the poses within the figure's limits.")
@options.unit_and_root
@options.force
@options.as_json
def command(markers_file: Path, output: Path, attachments_out: Path | None, **given: Any) -> None:
    """Find the motion in MARKERS (.c3d, .trc) on the figure of FILE, the mannequin if there is none.

    Labels such as LASI, RKNE, ArmL1 or R.Heel are understood; --attachments-out writes a table of where every marker
    was taken to sit, for you to edit and give with --attachments. Prints how far each marker is from its place.
    """
    options.refuse_existing([path for path in (output, attachments_out) if path], given["force"])
    figure = options.open_figure(given["file"], given["unit"], given["root"])
    markers = posable.load_markers(markers_file)
    markers = replace(markers, up=given["up"]) if given["up"] else markers
    table = given["attachments"] and posable.Attachments.load(given["attachments"], figure.skeleton)
    fit = posable.fit_markers(figure, markers, table, lengths=not given["keep_lengths"], limits=given["limits"])
    clip, called = options.beside_others(fit.clip, fit.figure, output)
    posable.save(output, fit.figure, clip, overwrite=given["force"])
    if attachments_out:
        fit.attachments.save(attachments_out, overwrite=given["force"])
    click.echo(
        json.dumps(_told(fit, output, clip.name)) if given["as_json"] else f"{fit.text()}\nWrote {output}.{called}"
    )


def _told(fit: posable.MarkerFit, output: Path, clip: str) -> dict[str, Any]:
    residuals = {label: one._asdict() for label, one in fit.residuals.items()}
    told = {"wrote": str(output), "clip": clip, "frames": len(fit.clip), "fps": fit.clip.fps}
    return {
        **told,
        "rms": fit.rms,
        "largest": fit.largest,
        "markers": residuals,
        "unused": dict(fit.unused),
        "notes": list(fit.notes),
    }

"""`posable fit`: fits the motion of a figure to recorded markers."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

import posable
from posable.cli import options
from posable.cli.clip_choice import beside_others
from posable.cli.terminal import say

_UNSURE_SHARE = 0.5  # of the distances that agree: a label with fewer is named


@click.command("fit", short_help="Fit a figure to recorded markers (C3D, TRC)")
@options.input_file("markers_file", "MARKERS")
@options.input_file(required=False)
@options.output("The scaled figure with its clip.", metavar=None, required=True)
@click.option("--attachments", type=click.Path(path_type=Path), metavar="TOML", help="Marker attachments (TOML).")
@click.option(
    "--labels-from",
    type=click.Path(path_type=Path),
    metavar="MARKERS",
    help="A labelled recording of the same person, for markers without labels or with wrong ones.",
)
@click.option("--attachments-out", type=options.OutputPath(".toml"), help="Write the attachments that were found.")
@click.option("--up", type=click.Choice(["y", "z"]), help="Up axis of MARKERS, if the file states a wrong one.")
@click.option("--keep-lengths", is_flag=True, help="Keep the figure's segment lengths.")
@click.option("--keep-labels", is_flag=True, help="Believe every label, also those that are evidently exchanged.")
@click.option("--limits", is_flag=True, help="Keep the poses within the joint limits.")
@options.unit_and_root
@options.force
@options.as_json
def command(markers_file: Path, output: Path, attachments_out: Path | None, **given: Any) -> None:
    """Fit the figure in FILE (default: the mannequin) to the motion in MARKERS (.c3d, .trc).

    Labels such as LASI, RKNE, ArmL1 or R.Heel are recognised. --attachments-out writes the attachment of every
    marker as a table that you can edit and pass with --attachments. Prints the residual of each marker, and the
    parts without markers, which stay at rest.
    """
    options.refuse_existing([path for path in (output, attachments_out) if path], given["force"])
    figure = options.open_figure(given["file"], given["unit"], root=given["root"])
    markers = posable.load_markers(markers_file)
    markers = replace(markers, up=given["up"]) if given["up"] else markers
    if given["labels_from"]:
        markers = _labelled(markers, posable.load_markers(given["labels_from"]), quiet=given["as_json"])
    table = given["attachments"] and posable.Attachments.load(given["attachments"], figure.skeleton)
    wanted = {"lengths": not given["keep_lengths"], "limits": given["limits"], "keep_labels": given["keep_labels"]}
    fit = posable.fit_markers(figure, markers, table, **wanted)
    clip, called = beside_others(fit.clip, fit.figure, output)
    posable.save(output, fit.figure, clip, overwrite=given["force"])
    if attachments_out:
        fit.attachments.save(attachments_out, overwrite=given["force"])
    if given["as_json"]:
        say(json.dumps(_told(fit, output, clip.name)))
    else:
        say(*fit.text().split("\n"), f"Wrote {output}.{called}")


def _labelled(markers: posable.Markers, reference: posable.Markers, *, quiet: bool) -> posable.Markers:
    """The markers with the labels of a reference."""
    found = posable.motion.label_markers(markers, reference)
    unsure = [label for label, certainty in found.certainty.items() if certainty < _UNSURE_SHARE]
    if not quiet:
        say(f"Found {len(found.found)} of {len(reference.labels)} labels by distances.")
        if unsure:
            say(f"Uncertain: {', '.join(unsure)}.")
    return found.markers


def _told(fit: posable.MarkerFit, output: Path, clip: str) -> dict[str, Any]:
    residuals = {label: one._asdict() for label, one in fit.residuals.items()}
    told = {"wrote": str(output), "clip": clip, "frames": len(fit.clip), "fps": fit.clip.fps}
    return {
        **told,
        "rms": fit.rms,
        "largest": fit.largest,
        "markers": residuals,
        "unused": dict(fit.unused),
        "unsupported": list(fit.unsupported),
        "exchanged": [one._asdict() for one in fit.exchanged],
        "notes": list(fit.notes),
    }

"""`posable report`: motion metrics, plots and a film."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import click

import posable
from posable.cli import options
from posable.cli.clip_choice import chosen_clip, which_clip
from posable.cli.ground import read_terrain, warn_of_units
from posable.cli.roles import role_table, table_of
from posable.cli.terminal import say


class _Told(NamedTuple):
    """One clip of a report."""

    file: str
    figure: posable.Figure
    clip: posable.Clip
    report: Any
    terrain: posable.Terrain | None

    @property
    def title(self) -> str:
        """The file, and the clip if it has several."""
        return f"{self.file}: {self.clip.name}" if len(self.figure.clips) > 1 else self.file


@click.command("report", short_help="Measure a motion: slide, jumps, limits, balance")
@options.input_file()
@options.clip()
@click.option(
    "--against",
    type=click.Path(path_type=Path),
    metavar="SOURCE",
    help="The motion FILE was derived from, shown side by side; may be of another figure.",
)
@click.option("--against-clip", metavar="NAME", help="Name of the clip in SOURCE.")
@options.terrain("The ground under FILE's clip, as for `ground`.")
@table_of()
@options.reading
@click.option(
    "-o",
    "--output",
    type=options.OutputPath(),
    metavar="FOLDER|MD|HTML",
    help="The report with plots: a folder, or one .md or .html file.",
)
@options.film("Film the clip, with contacts highlighted.")
@options.force
@options.as_json
def command(**given: Any) -> None:
    """Measure the motion in FILE with the metrics of the literature: feet, steps, joints, limits.

    Lengths are normalised to a leg of 0.88 m, so that figures of any size compare.
    """
    from posable.view.motion_pages import pages_of, plain_table, sentence

    pages = [] if given["output"] is None else list(pages_of(given["output"]).values())
    outputs = [*pages, *([given["film"]] if given["film"] else [])]
    options.refuse_existing(outputs, given["force"], made=given["output"])
    own = {name: given[name] for name in ("up", "root", "terrain", "roles")}
    files = [path for path in (given["file"], given["against"]) if path is not None]
    told = [_told(given["file"], given["clip"], given["unit"], files, **own)]
    if given["against"] is not None:
        told.insert(0, _told(given["against"], given["against_clip"], given["unit"], files))
    change = _change(told)
    _draw(told, change, given["output"], given["film"], overwrite=given["force"])
    if given["as_json"]:
        say(json.dumps(_numbers(told, change, outputs), allow_nan=False))
        return
    say(*plain_table([(one.title, one.report) for one in told]).split("\n"))
    for one, named in zip(told, ("against_clip", "clip")[-len(told) :], strict=True):
        say(*which_clip(one.figure, given[named]))
    if change is not None:
        say(sentence(change))
    if outputs:
        say(f"Wrote {', '.join(str(path) for path in outputs)}.")


def _told(
    file: Path,
    clip: str | None,
    unit: str | None,
    files: list[Path],
    up: Any = None,
    root: Any = None,
    terrain: Path | None = None,
    roles: Path | None = None,
) -> _Told:
    figure = options.open_figure(file, unit, up, root, files)
    chosen = chosen_clip(figure, clip)
    ground = None if terrain is None else read_terrain(terrain, figure.skeleton.up)
    warn_of_units(file, unit, terrain)
    report = posable.motion.motion_report(chosen, ground, figure=figure, roles=role_table(figure, roles))
    return _Told(file.name, figure, chosen, report, ground)


def _change(told: list[_Told]) -> Any:
    """The change from source to result; None unless both are of the same figure, frame by frame."""
    if len(told) < 2 or len(told[0].clip) != len(told[1].clip):
        return None
    source, result = told
    if not source.clip.skeleton.shares_poses(result.clip.skeleton):
        return None
    return posable.motion.motion_change(source.clip, result.clip, figure=source.figure)


def _draw(told: list[_Told], change: Any, output: Path | None, film: Path | None, *, overwrite: bool) -> None:
    from posable.view.motion_pages import Shown, report_film, write_report

    shown = [Shown(one.figure, one.clip, one.title, terrain=one.terrain) for one in told]
    if output is not None:
        write_report(output, [(one.file, one.report) for one in told], shown, change, overwrite=overwrite)
    if film is not None:
        report_film(shown, film, overwrite=overwrite)


def _numbers(told: list[_Told], change: Any, wrote: list[Path]) -> dict[str, Any]:
    names = ("result",) if len(told) == 1 else ("source", "result")
    found: dict[str, Any] = {}
    for name, one in zip(names, told, strict=True):
        report = one.report
        about = {"file": one.file, "clip": report.name, "frames": report.frames, "fps": report.fps, "leg": report.leg}
        measures = {measure.name: {"value": measure.value, "unit": measure.unit} for measure in report.measures()}
        found[name] = {**about, "measures": measures}
    return {**found, "change": None if change is None else vars(change), "wrote": [str(path) for path in wrote]}

"""`posable rig`: makes a walking figure of a bare mesh: a fitted skeleton, weights, a check and a page about them."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import posable
from posable.cli import options
from posable.cli.bind import binding_options, bound, bound_lines, in_metres, write_sheet
from posable.cli.info import likely_unit
from posable.cli.options import JointAt, OutputPath
from posable.cli.ranges import Integer
from posable.cli.terminal import say

if TYPE_CHECKING:
    from posable.skin import TemplateFit

UNLIKELY = 0.25  # score of a fit, below which the mesh is probably of another kind
_GAITS = {"biped": "human", "theropod": "human", "quadruped": "wolf", "spider": "spider", "insect": "insect"}
_TEMPLATES = ("auto", "biped", "quadruped", "bird", "theropod", "fish", "chain", "spider", "insect")
_STEPS = 4


@click.command("rig", short_help="Give a bare mesh a skeleton and weights")
@options.input_file("mesh_file", "MESH")
@click.option(
    "--template",
    type=click.Choice(_TEMPLATES),
    default="auto",
    show_default=True,
    help="Kind of figure; auto tries all and takes the best.",
)
@click.option(
    "--hint",
    "hints",
    type=JointAt(3),
    metavar="JOINT=X,Y,Z",
    multiple=True,
    help="Position of a joint of the template.",
)
@click.option("--fingers", is_flag=True, help="Five fingers on each hand of a biped.")
@click.option("--joints", type=Integer(2, 500), metavar="N", help="Number of joints of a chain.")
@binding_options
@click.option(
    "--unit",
    type=click.Choice(options.UNITS),
    help="Length unit of MESH, where it is an OBJ or STL; lengths become metres, in --hint as well.  [default: m]",
)
@click.option("--page", type=OutputPath(".html"), help="A page that shows what is uncertain and how to correct it.")
@click.option("--no-walk", is_flag=True, help="Write no clip of a walk.")
@options.output("The figure (.glb, ...).", required=True)
@options.picture("Draw the figure at rest, with its bones.")
@options.seen_from
@options.force
@options.as_json
def command(mesh_file: Path, **given: Any) -> None:
    """Fit a skeleton to MESH (OBJ, STL, GLB, ...), bind it, and add a walk if a gait fits.

    A GLB keeps its materials and textures. Doubts are listed, with the options that correct them; --page shows them.
    If MESH probably does not match the template, OUT is written, but the exit status is 1.
    """
    wrote = [path for path in (given["output"], given["picture"], given["sheet"], given["page"]) if path]
    options.refuse_existing(wrote, given["force"])
    mesh = in_metres(posable.load_mesh(mesh_file), mesh_file, given["unit"], "--unit")
    fit = _fitted(mesh, given)
    skin = bound(mesh, fit.skeleton, given)
    figure = posable.as_figure(mesh_file, skin)
    walk, not_walked = (None, "") if given["no_walk"] else _walk(figure, fit)
    posable.save(given["output"], replace(figure, clips=(walk,)) if walk else figure, overwrite=given["force"])
    if given["picture"] is not None:
        posable.picture(figure, None, given["picture"], overwrite=given["force"], **options.shot(given))
    write_sheet(figure, given)
    cures = mended_by(fit, mesh_file, given)
    if given["page"] is not None:
        _write_page(figure, fit, walk, cures, given)
    told = [*bound_lines(skin), *([f"No walk: {not_walked}"] if not_walked else [])]
    told += _unlikely_size(mesh_file, figure, fit, given["unit"])
    if given["as_json"]:
        about = {"template": fit.template, "score": fit.score, "doubts": list(fit.doubts), "cures": cures}
        sizes = {"vertices": len(skin.vertices), "joints": len(skin.skeleton.joints)}
        clip = None if walk is None else walk.name
        say(
            json.dumps(
                {**about, **sizes, "notes": list(skin.notes), "walk": clip, "wrote": [str(one) for one in wrote]}
            )
        )
    else:
        say(f"Fitted a {fit.template} of {len(fit.skeleton.joints)} joints, score {fit.score:.2f} of 1.")
        for doubt in fit.doubts:
            say(f"    doubtful: {doubt}", *([f"      to mend: {cures[doubt]}"] if doubt in cures else []))
        say(*told, f"Wrote {' and '.join(str(one) for one in wrote)}.")
    if fit.score < UNLIKELY:
        raise posable.PosableError(
            f"{mesh_file.name} is probably not a {fit.template} (score {fit.score:.2f} of 1); {given['output']} was "
            f"written nevertheless: check it, give joints with --hint, or choose another --template"
        )


def _fitted(mesh: posable.Mesh, given: dict[str, Any]) -> TemplateFit:
    from posable.skin import fit_template

    return fit_template(
        mesh, given["template"], hints=dict(given["hints"]), fingers=given["fingers"], joints=given["joints"]
    )


def _unlikely_size(mesh_file: Path, figure: posable.Figure, fit: TemplateFit, unit: str | None) -> list[str]:
    """What to say of a person of a size that no person has, of a file that states no unit."""
    from posable.formats.mesh_files import MESH_SUFFIXES

    stated = unit is not None or mesh_file.suffix.lower() not in MESH_SUFFIXES
    if stated or fit.template != "biped" or likely_unit(figure.height) == "m":
        return []
    first = f"It is {figure.height:.4g} m high: the numbers of {mesh_file.name}, which states no unit, count as metres"
    likely = likely_unit(figure.height)
    return [f"{first}; for a person they would be {likely} (--unit {likely})" if likely else f"{first} (see --unit)"]


def _walk(figure: posable.Figure, fit: TemplateFit) -> tuple[posable.Clip | None, str]:
    """(a short walk, "") or (None, the reason)."""
    if fit.template not in _GAITS:
        return None, f"posable has no gait for a {fit.template}; use posable reach"
    try:
        return posable.walk(figure, posable.Gait.load(_GAITS[fit.template]), _STEPS), ""
    except posable.PosableError as problem:
        return None, str(problem)


def mended_by(fit: TemplateFit, mesh_file: Path, given: dict[str, Any]) -> dict[str, str]:
    """For each doubt about joints, the command that corrects their positions, with the present ones as its numbers."""
    now = dict(zip(fit.skeleton.joints, posable.Figure(fit.skeleton).rest.origins, strict=True))
    found: dict[str, str] = {}
    for doubt, joints in fit.unsure.items():
        shown = [f"--hint {name}={','.join(f'{c:.4g}' for c in now[name])}" for name in joints if name in now]
        if shown:
            start = f"posable rig {shlex.quote(str(mesh_file))} --template {fit.template}"
            start += f" --unit {given['unit']}" if given["unit"] else ""
            found[doubt] = f"{start} {' '.join(shown)} -o {shlex.quote(str(given['output']))} --force"
    return found


def _write_page(
    figure: posable.Figure, fit: TemplateFit, walk: posable.Clip | None, cures: dict[str, str], given: dict[str, Any]
) -> None:
    """The page, with the moving figure if this copy of posable has the viewer."""
    from posable.files import write_atomically
    from posable.studio.page import page_of
    from posable.view.rig_page import rig_page

    try:
        viewer = page_of(figure, walk).text
    except posable.PosableError:
        viewer = ""
    write_atomically(given["page"], rig_page(figure, fit, cures, viewer), overwrite=given["force"])

"""`posable bind`: binds an unrigged mesh to a skeleton or a template."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import posable
from posable.cli import options
from posable.cli.options import FILMS, PICTURES, JointAt, OutputPath
from posable.cli.terminal import say

if TYPE_CHECKING:
    from posable.skin import TemplateFit

UNLIKELY = 0.25  # the score of a template below which the mesh is likely of another kind
_SHEETS = (*PICTURES, *FILMS)


class _Rigid(click.ParamType):
    """PIECE or PIECE=JOINT."""

    name = "piece"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, str | None]:
        piece, _, joint = str(value).partition("=")
        if not piece.isdecimal():
            self.fail(f"{value!r} must be the number of a piece, or PIECE=JOINT", param, ctx)
        return int(piece), joint or None


@click.command("bind")
@options.input_file("mesh_file", "MESH")
@options.input_file("skeleton_file", "[SKELETON]", required=False)
@click.option(
    "--template", type=click.Choice(["biped", "quadruped", "chain"]), help="Template skeleton to fit into MESH."
)
@click.option(
    "--hint",
    "hints",
    type=JointAt(3),
    metavar="JOINT=X,Y,Z",
    multiple=True,
    help="Position of a joint of the template.",
)
@click.option("--fingers", is_flag=True, help="A biped with five fingers on each hand.")
@click.option("--joints", type=click.IntRange(2, 500), metavar="N", help="Number of joints of a chain.")
@click.option(
    "--method", type=click.Choice(["heat", "voxel"]), default="heat", show_default=True, help="Weighting method."
)
@click.option(
    "--influences",
    type=click.IntRange(1, 64),
    default=4,
    show_default=True,
    help="Maximum number of joints per vertex.",
)
@click.option("--smoothing", type=click.IntRange(0, 200), default=0, show_default=True, help="Smoothing iterations.")
@click.option("--only", metavar="JOINT", multiple=True, help="A joint that may move the skin; all others may not.")
@click.option("--without", metavar="JOINT", multiple=True, help="A joint that may not move the skin.")
@click.option(
    "--rigid",
    type=_Rigid(),
    metavar="PIECE[=JOINT]",
    multiple=True,
    help="Bind a whole piece of MESH rigidly to one joint.",
)
@click.option("--unit", type=click.Choice(options.UNITS), help="Length unit of SKELETON.")
@click.option(
    "--sheet",
    type=OutputPath(*_SHEETS),
    metavar="PNG|MP4|GIF",
    help="Contact sheet of bends and weights, or a film of the bends.",
)
@options.output("The figure (.glb, ...).", required=True)
@options.force
@options.as_json
def command(mesh_file: Path, skeleton_file: Path | None, **given: Any) -> None:
    """Bind MESH (OBJ, STL, GLB, ...) to the skeleton of another file, or to a template fitted into it.

    A GLB keeps its materials and textures. Repairs and doubts are listed; where MESH is probably no such figure as the
    template, the exit status is 1, though OUT is written.

    The result can be animated: posable walk OUT, posable reach OUT.
    """
    if (skeleton_file is None) == (given["template"] is None):
        raise click.UsageError("give either a SKELETON file or --template biped|quadruped|chain")
    for option in ("hints", "fingers", "joints"):
        if given[option] and given["template"] is None:
            raise click.UsageError(f"--{option.removesuffix('s') if option == 'hints' else option} needs --template")
    options.refuse_existing([path for path in (given["output"], given["sheet"]) if path], given["force"])
    mesh = posable.load_mesh(mesh_file)
    fit = _fitted(mesh, given) if skeleton_file is None else None
    rig = posable.Figure(fit.skeleton) if fit else posable.load(skeleton_file or "", unit=given["unit"])
    skin = posable.bind(
        mesh,
        rig.skeleton,
        given["method"],
        influences=given["influences"],
        smoothing=given["smoothing"],
        joints=given["only"] or None,
        without=given["without"],
        rigid=dict(given["rigid"]),
    )
    figure = replace(posable.as_figure(mesh_file, skin), clips=rig.clips)
    posable.save(given["output"], figure, overwrite=given["force"])
    if given["sheet"] is not None:
        _write_sheet(figure, given)
    _report(skin, fit, given)
    if fit is not None and fit.score < UNLIKELY:
        raise posable.PosableError(
            f"{mesh_file.name} is probably no {fit.template} (score {fit.score:.2f} of 1); {given['output']} was "
            f"written all the same: look at it, give the joints with --hint, or another --template"
        )


def _fitted(mesh: posable.Mesh, given: dict[str, Any]) -> TemplateFit:
    from posable.skin import fit_template

    return fit_template(
        mesh, given["template"], hints=dict(given["hints"]), fingers=given["fingers"], joints=given["joints"]
    )


def _write_sheet(figure: posable.Figure, given: dict[str, Any]) -> None:
    from posable.view import bending_film, binding_sheet

    if given["sheet"].suffix.lower() in PICTURES:
        binding_sheet(figure, given["sheet"], overwrite=given["force"])
    else:
        bending_film(figure, given["sheet"], overwrite=given["force"], progress=not given["as_json"])


def _report(skin: posable.Skin, fit: TemplateFit | None, given: dict[str, Any]) -> None:
    wrote = [str(path) for path in (given["output"], given["sheet"]) if path]
    if given["as_json"]:
        told: dict[str, Any] = {"vertices": len(skin.vertices), "joints": len(skin.skeleton.joints)}
        if fit is not None:
            told |= {"template": fit.template, "score": fit.score, "doubts": list(fit.doubts)}
        say(json.dumps({**told, "notes": list(skin.notes), "wrote": wrote}))
        return
    if fit is not None:
        say(f"Fitted a {fit.template} of {len(fit.skeleton.joints)} joints, score {fit.score:.2f} of 1.")
        for doubt in fit.doubts:
            say(f"    doubtful: {doubt}")
    moving = len(skin.used_joints)
    say(f"Bound {len(skin.vertices):,} vertices to {moving} joints, at most {skin.weights.shape[1]} each.")
    for note in skin.notes:
        say(f"  {note}")
    say(f"Wrote {' and '.join(wrote)}.")

"""`posable bind`: binds an unrigged mesh to the skeleton of another file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import numpy as np

import posable
from posable.cli import options
from posable.cli.options import FILMS, PICTURES, OutputPath
from posable.cli.ranges import Integer
from posable.cli.terminal import say

_SHEETS = (*PICTURES, *FILMS)


class _Rigid(click.ParamType):
    """PIECE or PIECE=JOINT."""

    name = "piece"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, str | None]:
        piece, _, joint = str(value).partition("=")
        if not piece.isdecimal():
            self.fail(f"{value!r} must be the number of a piece, or PIECE=JOINT", param, ctx)
        return int(piece), joint or None


_BINDING = (
    click.option(
        "--method", type=click.Choice(["heat", "voxel"]), default="heat", show_default=True, help="Weighting method."
    ),
    click.option(
        "--influences",
        type=Integer(1, 64),
        default=4,
        show_default=True,
        help="Maximum number of joints per vertex.",
    ),
    click.option("--smoothing", type=Integer(0, 200), default=0, show_default=True, help="Smoothing iterations."),
    click.option("--only", metavar="JOINT", multiple=True, help="A joint that may move the skin; all others may not."),
    click.option("--without", metavar="JOINT", multiple=True, help="A joint that may not move the skin."),
    click.option(
        "--rigid",
        type=_Rigid(),
        metavar="PIECE[=JOINT]",
        multiple=True,
        help="Bind a whole piece of MESH rigidly to one joint.",
    ),
    click.option(
        "--twist",
        type=Integer(1, 8),
        is_flag=False,
        flag_value=3,
        metavar="[N]",
        help="Joints that share the twist along the bones of arms and legs [3], so that wrists keep their volume.",
    ),
    click.option(
        "--sheet",
        type=OutputPath(*_SHEETS),
        metavar="PNG|MP4|GIF",
        help="Contact sheet of bends and weights, or a film of the bends.",
    ),
)


def binding_options(command: Any) -> Any:
    """The options of commands that bind a mesh, for `bound` and `write_sheet`."""
    for option in reversed(_BINDING):
        command = option(command)
    return command


@click.command("bind", short_help="Bind a mesh to the skeleton of another file")
@options.input_file("mesh_file", "MESH")
@options.input_file("skeleton_file", "SKELETON")
@binding_options
@click.option(
    "--weights",
    type=click.Choice(["auto", "new", "donor"]),
    default="auto",
    show_default=True,
    help="Weights of SKELETON's own skin, or new ones; auto uses the former if faces or shape agree.",
)
@click.option("--unit", type=click.Choice(options.UNITS), help="Length unit of SKELETON.")
@click.option(
    "--mesh-unit",
    type=click.Choice(options.UNITS),
    help="Length unit of MESH, where it is an OBJ or STL.  [default: m]",
)
@options.output("The figure (.glb, ...).", required=True)
@options.force
@options.as_json
def command(mesh_file: Path, skeleton_file: Path, **given: Any) -> None:
    """Bind MESH (OBJ, STL, GLB, ...) to the skeleton of another file. Without one, see `posable rig`.

    If SKELETON has a skin with the same faces, or one on which MESH lies, its weights are transferred (--weights).
    A GLB keeps its materials and textures. Repairs and doubts are listed.

    The result can be animated: posable walk OUT, posable reach OUT.
    """
    options.refuse_existing([path for path in (given["output"], given["sheet"]) if path], given["force"])
    mesh = posable.load_mesh(mesh_file)
    rig = posable.load(skeleton_file, unit=given["unit"])
    figure, skin = bound_figure(mesh_file, mesh, rig, given)
    posable.save(given["output"], figure, overwrite=given["force"])
    write_sheet(figure, given)
    wrote = [str(path) for path in (given["output"], given["sheet"]) if path]
    notes = [*_unlike_sizes(skin, rig), *skin.notes]
    if given["as_json"]:
        told = {"vertices": len(skin.vertices), "joints": len(skin.skeleton.joints), "notes": notes}
        say(json.dumps({**told, "wrote": wrote}))
        return
    say(*bound_lines(skin, notes), f"Wrote {' and '.join(wrote)}.")


_SIZE_RATIO = 3.0  # less may be a hat and long hair, or a crouch


def _unlike_sizes(skin: posable.Skin, rig: posable.Figure) -> list[str]:
    """A note about a mesh and a skeleton that are unlikely to be in the same unit; none otherwise."""
    size = float(np.linalg.norm(np.ptp(skin.vertices, axis=0)))
    span = float(np.linalg.norm(np.ptp(rig.rest.origins, axis=0)))
    if span == 0 or span / _SIZE_RATIO < size < span * _SIZE_RATIO:
        return []
    return [f"its size is {size:.3g} and the skeleton's {span:.3g}: give both in one unit (--mesh-unit, --unit)"]


def bound_figure(
    mesh_file: Path, mesh: posable.Mesh, rig: posable.Figure, given: dict[str, Any]
) -> tuple[posable.Figure, posable.Skin]:
    """The figure of the mesh with its new skin, and the clips of the rig, by the options of the command."""
    mesh = in_metres(mesh, mesh_file, given["mesh_unit"], "--mesh-unit")
    taken = _of_donor(mesh, rig, given)
    skin = bound(mesh, rig.skeleton, given) if taken is None else _twisting(taken, given)
    moved = skin.skeleton is not rig.skeleton
    clips = [replace(clip, skeleton=skin.skeleton) for clip in rig.clips] if moved else rig.clips
    return replace(posable.as_figure(mesh_file, skin), clips=clips), skin


def in_metres(mesh: posable.Mesh, mesh_file: Path, unit: str | None, option: str) -> posable.Mesh:
    """The mesh with lengths in metres, of numbers in `unit`. Raises PosableError for files that state their unit."""
    from posable.figures.rebuild import UNITS
    from posable.formats.mesh_files import MESH_SUFFIXES

    if unit is None:
        return mesh
    if mesh_file.suffix.lower() not in MESH_SUFFIXES:
        raise posable.PosableError(f"{mesh_file.name} states its unit; {option} is for OBJ and STL: leave it out")
    return replace(mesh, vertices=mesh.vertices * UNITS[unit])


def _of_donor(mesh: posable.Mesh, rig: posable.Figure, given: dict[str, Any]) -> posable.Skin | None:
    """The skin with the weights of the donor's; None if new ones are to be computed."""
    from posable.skin.weights import skin_of_donor

    asked = given["weights"] == "donor"
    if given["weights"] == "new" or (not asked and (given["only"] or given["without"] or given["rigid"])):
        return None
    skin = skin_of_donor(rig.skins, mesh, given["influences"])
    if skin is None and asked:
        raise posable.SkinError(
            f"mesh {mesh.name!r} has neither the faces of SKELETON's skin nor lies on it; leave --weights out"
        )
    return skin


def bound(mesh: posable.Mesh, skeleton: posable.Skeleton, given: dict[str, Any]) -> posable.Skin:
    """The skin, by the options of `binding_options`."""
    skin = posable.bind(
        mesh,
        skeleton,
        given["method"],
        influences=given["influences"],
        smoothing=given["smoothing"],
        joints=given["only"] or None,
        without=given["without"],
        rigid=dict(given["rigid"]),
    )
    return _twisting(skin, given)


def _twisting(skin: posable.Skin, given: dict[str, Any]) -> posable.Skin:
    """The skin with the joints of `--twist`."""
    from posable.skin.weights import with_twist_joints

    return skin if given["twist"] is None else with_twist_joints(skin, given["twist"], given["influences"])


def write_sheet(figure: posable.Figure, given: dict[str, Any]) -> None:
    """The sheet or film that `--sheet` names, if it does."""
    from posable.view import bending_film, binding_sheet

    if given["sheet"] is None:
        return
    if given["sheet"].suffix.lower() in PICTURES:
        binding_sheet(figure, given["sheet"], overwrite=given["force"])
    else:
        bending_film(figure, given["sheet"], overwrite=given["force"], progress=not given["as_json"])


def bound_lines(skin: posable.Skin, notes: Sequence[str] | None = None) -> list[str]:
    """A summary of the binding and its notes, one sentence each. notes: the skin's own unless given."""
    moving = len(skin.used_joints)
    joints = "1 joint" if moving == 1 else f"{moving} joints"
    first = f"Bound {len(skin.vertices):,} vertices to {joints}, at most {skin.weights.shape[1]} each."
    return [first, *(f"  {note}" for note in (skin.notes if notes is None else notes))]

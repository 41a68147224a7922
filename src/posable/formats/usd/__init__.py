"""USD (.usda, .usd, .usdc, .usdz): the skeletons, skinned meshes, blend shapes and joint animations of UsdSkel.

Lengths become metres (`metersPerUnit`). Several skeletons of one stage become one figure. Reading needs the extra
`usd`, and so does writing anything but text (.usda).
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from posable.clips import Clip
from posable.errors import FileError, PosableError, UnsupportedFileError
from posable.figures import Clips, Figure
from posable.figures.detached import attached
from posable.files import write_atomically
from posable.formats.usd.writer import text_of
from posable.skeleton import Pose


def read(path: str | Path) -> Figure:
    """Read skeletons, skins and animation. Raises FileError with the cure, or MissingExtraError without usd-core."""
    from posable.formats.usd.layers import Tf, quiet, stage_of

    path = Path(path)
    with quiet():
        try:
            return _figure(path, stage_of(path))
        except Tf.ErrorException as problem:
            raise _file_error(path, problem) from None
        except UnicodeDecodeError as problem:
            raise FileError(path, "contains a name that is not UTF-8; export it again") from problem


def _figure(path: Path, stage: Any) -> Figure:
    from posable.formats.usd.bare import bare_figure, note_unbound
    from posable.formats.usd.motion import read_motions
    from posable.formats.usd.skeleton import read_rigs, skeleton_of
    from posable.formats.usd.skin import read_skins

    notes: list[str] = []
    rigs = read_rigs(path, stage, notes)
    if not rigs:
        bare = bare_figure(path, stage, notes)
        if bare is None:
            raise UnsupportedFileError(
                path, "has no skeleton with joints (UsdSkel) and no mesh; export it with its armature"
            )
        return bare
    never = [np.zeros(len(rig.paths), bool) for rig in rigs]
    motions = read_motions(path, stage, rigs, notes)
    moved = [np.any([still, *(motion.shifted[k] for motion in motions)], axis=0) for k, still in enumerate(never)]
    skeleton = skeleton_of(stage, rigs, moved, notes)
    skins, shapes = read_skins(path, stage, rigs, skeleton, notes)
    note_unbound(stage, notes)
    clips = Clips(motion.on(skeleton, notes) for motion in motions)
    notes = list(dict.fromkeys(notes))
    figure = attached(Figure(skeleton, path.stem, tuple(skins), clips, tuple(shapes), tuple(notes)))
    return replace(figure, played=next((motion.name for motion in motions if motion.plays), ""))


def write(path: str | Path, figure: Figure, motion: Pose | Clip | None = None) -> None:
    """Write a figure as text (.usda), or binary with usd-core. Raises FileError, or MissingExtraError without it."""
    path = Path(path)
    with np.errstate(over="ignore", invalid="ignore"):  # values beyond single precision are refused
        text = text_of(path, figure, motion)
    if path.suffix.lower() == ".usda":
        write_atomically(path, text)
        return
    from posable.formats.usd.layers import packed

    write_atomically(path, packed(path, text))


def _file_error(path: Path, problem: Exception) -> PosableError:
    """USD's message without locations in its source code."""
    try:
        said = str(problem.args[0])[:1000] if problem.args else ""  # the message may quote a whole line of the file
    except UnicodeDecodeError:
        said = ""
    found = re.search(r":(\d+):\d+: ([^\n]*)", said)
    if found:
        why = re.split(r" in </| matching pxr", found[2])[0][:120]  # a path in the stage, a rule of USD's own grammar
        return FileError(path, f"is not valid USD ({why}); export it again", line=int(found[1]))
    short = said.partition(" : '")[2].split("\n")[0][:160]
    return FileError(path, f"USD cannot read it ({short or 'no reason given'}); export it again")

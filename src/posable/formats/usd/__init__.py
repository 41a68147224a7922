"""USD (.usda, .usd, .usdc, .usdz): the skeletons, skinned meshes and joint animation of UsdSkel.

Lengths become metres (`metersPerUnit`). Several skeletons of one stage become one figure. Needs the extra `usd`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from posable.errors import FileError, PosableError
from posable.figures import Clips, Figure
from posable.figures.detached import attached


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
    from posable.formats.usd.skeleton import clip_of, read_rigs, skeleton_of
    from posable.formats.usd.skin import read_skins

    notes: list[str] = []
    rigs = read_rigs(path, stage, notes)
    motion = clip_of(path, stage, rigs, notes)
    skeleton = skeleton_of(stage, rigs, motion)
    skins = read_skins(path, stage, rigs, skeleton, notes)
    clips = Clips([motion.on(skeleton)]) if motion else Clips()
    return attached(Figure(skeleton, name=path.stem, skins=tuple(skins), clips=clips, notes=tuple(notes)))


def _file_error(path: Path, problem: Exception) -> PosableError:
    """USD's message without locations in its source code."""
    try:
        said = str(problem.args[0])[:1000] if problem.args else ""  # the message may quote a whole line of the file
    except UnicodeDecodeError:
        said = ""
    found = re.search(r":(\d+):\d+: ([^\n]*)", said)
    if found:
        return FileError(path, f"is not valid USD ({found[2].split(' in </')[0][:120]})", line=int(found[1]))
    short = said.partition(" : '")[2].split("\n")[0][:160]
    return FileError(path, f"USD cannot read it ({short or 'no reason given'}); export it again")

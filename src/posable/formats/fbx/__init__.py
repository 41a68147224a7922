"""FBX 5000 to 7700, binary and ASCII, in; FBX 7.4 binary out: skeletons, skins and clips.

Reading makes one skeleton of the scene's nodes, in metres, with the rotations of every frame as Autodesk's programs
evaluate them. Writing a figure that came from FBX keeps everything else in the file.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from posable.clips import Clip
from posable.errors import FileError
from posable.figures import Clips, Figure
from posable.figures.detached import attached
from posable.files import read_bytes, write_atomically
from posable.formats.fbx.animation import read_stacks
from posable.formats.fbx.ascii import read_ascii
from posable.formats.fbx.binary import MAGIC, read_binary
from posable.formats.fbx.bind_stance import on_a_stance
from posable.formats.fbx.fresh import fresh_content
from posable.formats.fbx.keep import Source, kept_content
from posable.formats.fbx.nodes import read_nodes
from posable.formats.fbx.objects import read_scene, shown
from posable.formats.fbx.skeleton import build_bones
from posable.formats.fbx.skins import build_skins, character_aliases, followed_nodes
from posable.formats.fbx.tree import Tree
from posable.progress import tell_progress
from posable.skeleton import Pose


def read_tree(path: Path) -> Tree:
    """The elements of a file, binary or ASCII. Raises FileError for anything else."""
    content = read_bytes(path)
    if content.startswith(MAGIC.rstrip(b"\0")):
        return read_binary(path, content)
    if b"\0" in content[:256]:
        raise FileError(path, "is not an FBX file; export it again")
    return read_ascii(path, content)


@np.errstate(
    over="ignore", invalid="ignore", divide="ignore"
)  # values that are not finite are refused where they are used
def read(path: str | Path) -> Figure:
    """Read an FBX file as a figure. Raises FileError, UnsupportedFileError or FileTooLargeError."""
    path, notes = Path(path), list[str]()
    tell_progress(path, 0.0)
    scene = read_scene(read_tree(path))
    stacks = read_stacks(scene, notes)
    nodes = read_nodes(scene, stacks, notes)
    bones, clips = build_bones(nodes, stacks, followed_nodes(nodes), character_aliases(nodes), notes)
    skins = build_skins(nodes, bones, notes)
    notes = list(dict.fromkeys(notes))
    figure = attached(Figure(bones.skeleton, path.stem, tuple(skins.values()), Clips(clips), notes=tuple(notes)))
    bones = bones.on(figure.skeleton)
    figure = on_a_stance(figure, nodes, bones)
    kept = dict(zip(skins, figure.skins, strict=True))
    own = {clip.name: clip for clip in figure.clips}
    tell_progress(path, 1.0)
    current = scene.tree.find("Takes").find("Current")
    played = "" if current is None else shown(current.text())
    return replace(figure, source=Source(nodes, bones, kept, own), played=played)


@np.errstate(over="ignore", invalid="ignore", divide="ignore")
def write(path: str | Path, figure: Figure, motion: Pose | Clip | None = None) -> None:
    """Write a figure as binary FBX: 7.4, or the version of the file that it came from. Raises FileError."""
    path = Path(path)
    source = figure.source
    tell_progress(path, 0.0)
    if isinstance(source, Source) and source.still_holds(figure):
        content = kept_content(path, figure, source, motion)
    else:
        old = (source.nodes, source.bones) if isinstance(source, Source) and source.is_of(figure) else None
        content = fresh_content(path, figure, motion, old)
    write_atomically(path, content)
    tell_progress(path, 1.0)

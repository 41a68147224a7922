"""glTF 2.0 and GLB: characters with skins, clips and colours, in and out.

Reading merges all skins of the file into one skeleton, removes node scales (posable's transforms are rigid), and notes
repairs and omissions. Writing a figure that came from glTF keeps everything else in the file.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from posable.clips import Clip
from posable.figures import Clips, Figure
from posable.figures.detached import attached
from posable.files import write_atomically
from posable.formats.gltf.accessors import check_totals
from posable.formats.gltf.animations import read_animations
from posable.formats.gltf.container import Document, open_document
from posable.formats.gltf.fresh import fresh_content
from posable.formats.gltf.keep import Source, kept_content
from posable.formats.gltf.motion import build_clips
from posable.formats.gltf.nodes import read_nodes
from posable.formats.gltf.skeleton import build_bones, humanoid_aliases
from posable.formats.gltf.skins import build_shapes, build_skins, scales_of
from posable.skeleton import Pose


def read(path: str | Path) -> Figure:
    """Read a GLB or .gltf as a figure. Raises FileError, UnsupportedFileError or FileTooLargeError."""
    return figure_of(open_document(path))


@np.errstate(over="ignore", invalid="ignore")  # overflow and NaN are rejected where the values are used
def figure_of(document: Document) -> Figure:
    """The figure in an opened file."""
    notes: list[str] = []
    check_totals(document)
    nodes = read_nodes(document, notes)
    animations = read_animations(document, notes)
    bones = build_bones(document, nodes, animations, humanoid_aliases(document), notes)
    skins = build_skins(document, nodes, bones, notes)
    clips = Clips(build_clips(document, nodes, bones, animations, notes))
    shapes = tuple(build_shapes(document, bones))
    name, notes = document.path.stem, [*dict.fromkeys(notes)]
    figure = attached(Figure(bones.skeleton, name, tuple(skins.values()), clips, shapes, tuple(notes)))
    bones = bones.on(figure.skeleton)
    if skins and (scales := scales_of(nodes, bones)) is not None:
        figure = replace(figure, skins=tuple(replace(skin, scales=scales) for skin in figure.skins))
    skins = dict(zip(skins, figure.skins, strict=True))
    played = next((one.name for one in reversed(animations) if one.played), "")
    return replace(figure, source=Source.of(document, nodes, bones, skins, figure.clips), played=played)


@np.errstate(over="ignore", invalid="ignore")  # values beyond single precision are refused at the end
def write(path: str | Path, figure: Figure, motion: Pose | Clip | None = None) -> None:
    """Write a figure as GLB or as one self-contained .gltf, by the file's suffix. Raises FileError."""
    path = Path(path)
    binary = path.suffix.lower() != ".gltf"
    source = figure.source
    if isinstance(source, Source) and source.still_holds(figure):
        content = kept_content(path, figure, source, motion, binary=binary)
    else:
        content = fresh_content(path, figure, motion, binary=binary)
    write_atomically(path, content)

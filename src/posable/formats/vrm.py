"""VRM: glTF with a humanoid role for each joint: characters (.vrm, 0.x and 1.0), animations without skin (.vrma)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from posable.clips import Clip
from posable.errors import UnsupportedFileError
from posable.figures import Figure
from posable.formats import gltf
from posable.formats.gltf.container import open_document
from posable.formats.gltf.keep import Source
from posable.formats.gltf.skeleton import humanoid_aliases, vrm_extension
from posable.skeleton import Pose

_FACING = {"VRM": "VRM 0.x: the figure looks along -z", "VRMC_vrm": "VRM 1.0: the figure looks along +z"}


def read(path: str | Path) -> Figure:
    """Read a VRM character or animation; the standard names ("leftUpperArm") are aliases of its joints.

    Raises UnsupportedFileError for an animation without a humanoid, otherwise as gltf.read.
    """
    document = open_document(path)
    if Path(path).suffix.lower() == ".vrma":
        if not humanoid_aliases(document):
            raise UnsupportedFileError(
                path, "has no humanoid (extensions.VRMC_vrm_animation), so it is not a VRM animation; name it .glb"
            )
        return gltf.figure_of(document)
    figure = gltf.figure_of(document)
    extension = vrm_extension(document)
    facing = _FACING.get(extension.place.removeprefix("extensions.")) if extension is not None else None
    return replace(figure, notes=(*figure.notes, facing or "the file has no VRM extension; it is read as plain glTF"))


def write(path: str | Path, figure: Figure, motion: Pose | Clip | None = None) -> None:
    """Write a figure that came from a VRM. Raises UnsupportedFileError for any other."""
    source = figure.source
    if not (isinstance(source, Source) and source.still_holds(figure) and vrm_extension(source.document)):
        raise UnsupportedFileError(
            path, "only a figure that was read from a VRM can be written as one; write a .glb instead"
        )
    gltf.write(path, figure, motion)

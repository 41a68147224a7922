"""VRM animation (.vrma): a humanoid skeleton without skin, and its motion."""

from __future__ import annotations

from pathlib import Path

from posable.errors import UnsupportedFileError
from posable.figures import Figure
from posable.formats import gltf
from posable.formats.gltf.container import open_document
from posable.formats.gltf.skeleton import humanoid_aliases


def read(path: str | Path) -> Figure:
    """Read a VRM animation as skeleton and clips; the standard names ("leftUpperArm") are aliases of its joints.

    Raises UnsupportedFileError if it has no humanoid, otherwise as gltf.read.
    """
    document = open_document(path)
    if not humanoid_aliases(document):
        raise UnsupportedFileError(
            path, "has no humanoid (extensions.VRMC_vrm_animation), so it is not a VRM animation; name it .glb"
        )
    return gltf.figure_of(document)

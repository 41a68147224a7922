"""What can be taken home: figure and motion in a file, a film, a picture, a page, or the session itself."""

from __future__ import annotations

import re
from pathlib import Path

import posable
from posable.studio.document import Document
from posable.studio.ground import ground_of
from posable.studio.journal import write_session_file
from posable.studio.pages import page_of
from posable.studio.playing import Player
from posable.studio.timeline import terrain_of

MEDIA = {
    "glb": "model/gltf-binary",
    "bvh": "text/plain",
    "mp4": "video/mp4",
    "gif": "image/gif",
    "png": "image/png",
    "html": "text/html",
    "session": "application/zip",
    "ground": "model/gltf-binary",
}
_ENDINGS = {"session": "posable", "ground": "glb"}  # of the others the kind itself


def export(kind: str, document: Document, player: Player, folder: Path, kept: Path) -> Path:
    """The file of this kind, written into `folder`. kept: the session's own folder.

    Raises PosableError where there is nothing to film, say.
    """
    name = re.sub(r"[^\w .()-]+", "_", document.figure.name).strip(" ._")[:60].rstrip(" .") or "figure"
    clip = player.clip(document)
    motion = clip or document.pose
    path = folder / f"{name}{' ground' * (kind == 'ground')}.{_ENDINGS.get(kind, kind)}"
    if kind == "ground":
        posable.save(path, _ground_figure(document))
    elif kind == "session":
        write_session_file(path, document, kept)
    elif kind == "html":
        path.write_text(page_of(document.figure, motion, ground_of(document)), encoding="utf-8")
    elif kind == "png":
        posable.picture(document.figure, document.pose, path, blend=document.blend, terrain=terrain_of(document))
    elif kind in ("mp4", "gif"):
        if clip is None:
            raise posable.PosableError("nothing moves yet: make two keys, walk, or choose a clip, and film that")
        ground = terrain_of(document)
        posable.film(document.figure, clip, path, blend=document.blend, terrain=ground, progress=False)
    else:
        posable.save(path, document.figure, motion)
    return path


def _ground_figure(document: Document) -> posable.Figure:
    """The ground alone, where the figure walks on it; in a file of its own, so that the figure stays a figure."""
    ground = ground_of(document)
    if ground is None:
        raise posable.PosableError("the ground is level: there is nothing of it to export")
    skeleton = posable.Skeleton([posable.Joint("ground", "fixed")], document.figure.skeleton.up)
    skin = posable.skin.Skin.rigid(skeleton, "ground", *ground, name="ground")
    return posable.Figure(skeleton, "ground", skins=(skin,))

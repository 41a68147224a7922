"""The source of a figure read from glTF, so that writing keeps everything else in the file."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from posable.clips import Clip
from posable.errors import PosableError
from posable.figures import Clips, Figure
from posable.formats.gltf.container import Document
from posable.formats.gltf.nodes import Nodes
from posable.formats.gltf.skeleton import Bones
from posable.skin import Skin


@dataclass(frozen=True, eq=False)
class Source:
    """The unchanged file, the nodes of the joints, and what the figure got from it.

    skins: by their node.
    """

    document: Document
    nodes: Nodes
    bones: Bones
    skins: dict[int, Skin]
    clips: dict[str, Clip]

    @classmethod
    def of(cls, document: Document, nodes: Nodes, bones: Bones, skins: dict[int, Skin], clips: Clips) -> Source:
        """The source of a file that has just been read, with its external images."""
        for image in document.root.entries("images"):
            with suppress(PosableError):  # a missing image is noted when its colours are needed
                document.uri(image.at("uri"))
        return cls(document, nodes, bones, skins, {clip.name: clip for clip in clips})

    def has(self, clip: Clip) -> bool:
        """Whether the file has this clip, unchanged (on a skeleton with other joint kinds: by name)."""
        own = self.clips.get(clip.name)
        if own is None or own.q.shape[1] != clip.q.shape[1]:
            return own is not None
        return own.fps == clip.fps and np.array_equal(own.q, clip.q)

    def still_holds(self, figure: Figure) -> bool:
        """Whether the figure is the file's own: the same joints in the same tree, and the same meshes with any
        weights.
        """
        before, now = self.bones.skeleton, figure.skeleton
        same = before.joints == now.joints and np.array_equal(before.parents, now.parents) and before.up == now.up
        return same and len(self.skins) == len(figure.skins) and all(map(_same_mesh, self.skins.values(), figure.skins))


def _same_mesh(before: Skin, now: Skin) -> bool:
    return np.array_equal(before.vertices, now.vertices) and np.array_equal(before.faces, now.faces)

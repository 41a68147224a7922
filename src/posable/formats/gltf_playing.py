"""Which nodes of its GLB a figure's joints are, and how a pose moves those: for what plays a GLB live."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from posable.figures import Figure
from posable.formats.gltf_keep import target_of
from posable.formats.gltf_source import Source
from posable.skeleton import Pose
from posable.spatial import Array, rigid_inverse, wxyz_from_matrix


@dataclass(frozen=True, eq=False)
class GlbNodes:
    """The nodes of the GLB that `posable.save` writes of a figure.

    nodes: `[joint]` indices. unfold: `[joint, 3, 3]` from posable's lengths to those of the node, None where alike.
    """

    nodes: tuple[int, ...]
    parents: np.ndarray
    unfold: Array | None = None

    @classmethod
    def of(cls, figure: Figure) -> GlbNodes:
        """The nodes of this figure's joints."""
        source, parents = figure.source, figure.skeleton.parents
        if isinstance(source, Source) and source.still_holds(figure):
            target = target_of(source)
            plain = np.allclose(target.unfold, np.eye(3), rtol=0, atol=1e-12)
            return cls(tuple(target.nodes), parents, None if plain else target.unfold)
        return cls(tuple(range(len(parents))), parents)

    def places(self, pose: Pose) -> tuple[Array, Array]:
        """Translations `[..., joint, 3]` and rotations wxyz `[..., joint, 4]` of the nodes in their joints' parents."""
        world = pose.world_from_joint
        above = np.where((self.parents >= 0)[:, None, None], world[..., self.parents, :, :], np.eye(4))
        local = rigid_inverse(above) @ world
        translation = local[..., :3, 3]
        if self.unfold is not None:
            translation = np.einsum("jab,...jb->...ja", self.unfold, translation)
        return translation, wxyz_from_matrix(local[..., :3, :3])

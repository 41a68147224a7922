"""Scales that differ along the axes: they shear what hangs below a joint as it rotates."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from posable.spatial import Array, rigid_inverse


@dataclass(frozen=True, eq=False)
class Scales:
    """The scales of a file's joints, for skins: a pose is rigid and cannot tell the shear that they cause.

    A skin's bind matrices hold the scales as they act at rest; in other poses they act along other axes.

    Args:
        parents: `[joint]` the joint above each in the file, −1 for none.
        stretch: `[joint, 3, 3]` each joint's own scales.
        fold: `[joint, 3, 3]` the scales of each joint and all above it at rest, in the joint's frame.
        unfold: `[joint, 3, 3]` from positions in the parent joint's frame, in a pose's lengths, to the file's.
    """

    parents: NDArray[np.int64]
    stretch: Array
    fold: Array
    unfold: Array

    def frames(self, world_from_joint: Array) -> Array:
        """What skins take for the rigid frames `[..., joint, 4, 4]` of a pose, before their bind matrices; the
        same at rest."""
        above = np.where((self.parents >= 0)[:, None, None], world_from_joint[..., self.parents, :, :], np.eye(4))
        local = rigid_inverse(above) @ world_from_joint
        local[..., :3, 3] = np.einsum("jab,...jb->...ja", self.unfold, local[..., :3, 3])
        local[..., :3, :3] = local[..., :3, :3] @ self.stretch
        for joint in self._downwards:
            if self.parents[joint] >= 0:
                local[..., joint, :, :] = local[..., self.parents[joint], :, :] @ local[..., joint, :, :]
        local[..., :3, :3] = local[..., :3, :3] @ self._unfolded
        return local

    @cached_property
    def _unfolded(self) -> Array:
        return np.asarray(np.linalg.inv(self.fold), np.float64)

    @cached_property
    def _downwards(self) -> list[int]:
        """The joints, those above first."""
        depth = np.zeros(len(self.parents), np.int64)
        above = self.parents
        while (above >= 0).any():
            depth += above >= 0
            above = np.where(above >= 0, self.parents[above], -1)
        return np.argsort(depth, kind="stable").tolist()

"""A skin as the kernels want it: influences packed, matrices split into turns and stretches, once for all poses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from posable.skin.blending import fill_columns, fill_duals
from posable.skin.centers import centers_of_rotation
from posable.skin.mesh import Mesh
from posable.skin.mush import Mush
from posable.spatial import Array, normalized
from posable.spatial.registers import DUAL, MATRIX

if TYPE_CHECKING:  # the skin makes this
    from posable.skin.skin import Skin

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Bound:
    """What one skin's blends share.

    used: `[used]` indices of the joints that move a vertex.
    joints: `[vertex, influence]` numbers among `used`, the strongest first, in the smallest type: reading them is half
        of a linear blend's work. weights: the same shape.
    """

    skin: Skin
    used: NDArray[np.int64]
    joints: NDArray[Any]
    weights: Floats

    @classmethod
    def of(cls, skin: Skin) -> Bound:
        """Sort and pack a skin's influences."""
        order = np.argsort(-skin.weights, axis=1, kind="stable")
        weights = np.take_along_axis(skin.weights, order, axis=1)
        most = max(1, int((weights > 0).sum(axis=1).max(initial=1)))
        joints, weights = np.take_along_axis(skin.joints, order, axis=1)[:, :most], weights[:, :most]
        joints = np.where(weights > 0, joints, joints[:, :1])  # a joint without weight is not used
        used, packed = np.unique(joints, return_inverse=True)
        kind = np.uint8 if len(used) <= 256 else np.uint16 if len(used) <= 65_536 else np.uint32
        packed = packed.reshape(joints.shape).astype(kind)
        return cls(skin, used.astype(np.int64), packed, np.ascontiguousarray(weights))

    def columns(self, world: Array) -> Floats:
        """`world [pose, joint, 4, 4]` → matrices of the used joints, in registers' order `[pose, 16 × used]`."""
        out = np.empty((len(world), MATRIX * len(self.used)), np.float32)
        fill_columns(world, self.skin.inverse_bind, self.used, out)
        return out

    def duals(self, world: Array) -> Floats:
        """The same without their stretches, as dual quaternions `[pose, 8 × used]`."""
        out = np.empty((len(world), DUAL * len(self.used)), np.float32)
        fill_duals(world, self._rigid_bind, self.used, out)
        return out

    @cached_property
    def _turns_and_stretches(self) -> tuple[Array, Array]:
        """The polar parts R S of every inverse bind matrix: R turns, S is symmetric (mirrored where the matrix is)."""
        matrices = self.skin.inverse_bind[:, :3, :3]
        left, _, right = np.linalg.svd(matrices)
        left[:, :, 2] *= np.sign(np.linalg.det(left @ right))[:, None]
        turns = left @ right
        return turns, turns.transpose(0, 2, 1) @ matrices

    @cached_property
    def _rigid_bind(self) -> Array:
        """`[joint, 4, 4]`: the inverse bind matrices without their stretches."""
        rigid = self.skin.inverse_bind.copy()
        rigid[:, :3, :3] = self._turns_and_stretches[0]
        return rigid

    @cached_property
    def stretches(self) -> Array:
        """`[vertex, 3, 3]`: Σ wₖ Sₖ, which dual quaternions cannot carry; it comes before them (Kavan et al. 2008)."""
        each = self._turns_and_stretches[1][self.used]
        return np.einsum("vk,vkij->vij", self.weights.astype(float), each[self.joints])

    def stretched(self, points: Array) -> Floats:
        """`points [vertex, 3]` at rest, stretched as each vertex is by the file's scales."""
        return np.ascontiguousarray(np.einsum("vij,vj->vi", self.stretches, points), np.float32)

    @cached_property
    def mesh(self) -> Mesh:
        """The surface at rest."""
        return Mesh.of(self.skin)

    @cached_property
    def vertices(self) -> Floats:
        """The rest vertices, stretched."""
        return self.stretched(self.skin.vertices.astype(float))

    @cached_property
    def rest_normals(self) -> Floats:
        """`[vertex, 3]`: the skin's own normals, or its faces'."""
        if self.skin.normals is not None:
            return self.skin.normals
        return self.mesh.normals.astype(np.float32)

    @cached_property
    def normals(self) -> Floats:
        """The rest normals of the stretched vertices, unit."""
        cofactors = np.linalg.det(self.stretches)[:, None, None] * np.linalg.inv(self.stretches).transpose(0, 2, 1)
        turned = np.einsum("vij,vj->vi", cofactors, self.rest_normals.astype(float))
        return np.ascontiguousarray(normalized(turned), np.float32)

    @cached_property
    def centers(self) -> tuple[Floats, Floats]:
        """Each vertex's centre of rotation, and its offset from there, stretched; both `[vertex, 3]`."""
        places = self.skin.vertices.astype(float)
        centers = centers_of_rotation(self.mesh, self.joints, self.weights)
        return centers.astype(np.float32), self.stretched(places - centers)

    @cached_property
    def mush(self) -> Mush:
        """What the delta mush keeps of the rest shape."""
        return Mush.of(self.mesh, self.joints, self.weights, self.stretches)

"""A skin: a mesh in its rest pose, bound to a skeleton by weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.errors import SkinError
from posable.skeleton import Pose, Skeleton
from posable.skin.bound import Bound
from posable.skin.deforming import deform, deform_normals
from posable.skin.mesh import read_only
from posable.spatial import Array, rigid_inverse


@dataclass(frozen=True, eq=False)
class Skin:
    """A triangle mesh whose vertices follow several joints each.

    vertices: `[vertex, 3]` at rest, in the mesh's own frame (float32).
    faces: `[face, 3]`, counter-clockwise from outside.
    joints: `[vertex, influence]` indices of the skeleton's joints. weights: the same shape, ≥ 0, each row summing to 1.
    inverse_bind: `[skeleton joint, 4, 4]` joint_from_mesh in the bind pose; a file's scales are in here.
    colors: `[vertex, 3]` 0…1 linear to the eye (sRGB), or None.
    normals: `[vertex, 3]` at rest, or None (then from the faces).
    morphs: `[target, vertex, 3]` how far each morph target moves the vertices at rest, or None; morph_names: theirs.
    notes: what a person should know of how the weights were made, a sentence each.
    Raises SkinError where the arrays do not fit together.
    """

    skeleton: Skeleton
    vertices: NDArray[np.float32]
    faces: NDArray[np.int32]
    joints: NDArray[np.int32]
    weights: NDArray[np.float32]
    inverse_bind: Array
    colors: NDArray[np.float32] | None = None
    normals: NDArray[np.float32] | None = None
    name: str = ""
    notes: tuple[str, ...] = ()
    morphs: NDArray[np.float32] | None = None
    morph_names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for key, kind in _TYPES.items():
            value = getattr(self, key)
            if value is not None:
                object.__setattr__(self, key, read_only(f"skin {self.name!r}", key, value, kind))
        _check(self)

    def __repr__(self) -> str:
        return f"Skin({self.name!r}, {len(self.vertices)} vertices, {len(self.faces)} faces)"

    @classmethod
    def rigid(
        cls, skeleton: Skeleton, joint: str, vertices: Any, faces: Any, joint_from_mesh: Any = None, **more: Any
    ) -> Skin:
        """A mesh that follows one joint as a whole; `joint_from_mesh` is its place there, identity if None."""
        count = len(vertices)
        index, own = skeleton.index(joint), np.eye(4) if joint_from_mesh is None else np.asarray(joint_from_mesh, float)
        rest = Pose(skeleton, skeleton.rest_coordinates).world_from_joint
        inverse_bind = rigid_inverse(rest) @ rest[index] @ own  # so that weights of other joints can be painted, too
        inverse_bind[index] = own
        joints, weights = np.full((count, 1), index, np.int32), np.ones((count, 1), np.float32)
        return cls(skeleton, vertices, faces, joints, weights, inverse_bind, **more)

    def on(self, skeleton: Skeleton) -> Skin:
        """The same skin on another skeleton with the same joints in the same order."""
        return replace(self, skeleton=skeleton)

    def morphed(self, weights: Mapping[str, float]) -> Skin:
        """The skin with morph targets added to its rest shape, each by its weight: `skin.morphed({"smile": 0.7})`.

        Raises SkinError for a target that there is not, or a weight that is no finite number.
        """
        vertices = self.vertices.astype(np.float64)
        for name, weight in weights.items():
            if name not in self.morph_names or self.morphs is None:
                there = f"there are {', '.join(self.morph_names)}" if self.morph_names else "it has none"
                raise SkinError(f"skin {self.name!r} has no morph target {name!r}; {there}")
            if not np.isfinite(weight):
                raise SkinError(
                    f"skin {self.name!r}: the weight of morph target {name!r} is {weight}, no finite number"
                )
            vertices += weight * self.morphs[self.morph_names.index(name)]
        return replace(self, vertices=vertices.astype(np.float32))

    def matrices(self, pose: Pose) -> Array:
        """world_from_mesh of every joint, `[..., joint, 4, 4]`: what each vertex blends."""
        return pose.world_from_joint @ self.inverse_bind

    def deform(self, pose: Pose, blend: str = "linear") -> NDArray[np.float32]:
        """The vertices in the world, `[..., vertex, 3]` float32.

        blend: how a vertex mixes its joints' motions,
            "linear" v' = Σ wₖ Gₖ Bₖ v, as every engine has it; collapses where a joint twists far;
            "dual_quaternion" keeps the volume at twists, bulges at bends (Kavan et al. 2008); a file's scales are
                blended first;
            "center_of_rotation" keeps the volume at both (Le and Hodgins 2016);
            "delta_mush" smooths stiff or torn weights over the surface, detail kept (Le and Lewis 2019).
        The last two work out something about the skin when first used. A batch uses all cores.
        Raises SkinError for another `blend`, or a pose of another skeleton.
        """
        return deform(self._bound, pose, blend)

    def deform_normals(self, pose: Pose, blend: str = "linear") -> NDArray[np.float32]:
        """Unit normals in the world, `[..., vertex, 3]` float32, turned as `deform` turns the surface; 0 where the
        vertex has none. Raises as `deform` does.
        """
        return deform_normals(self._bound, pose, blend)

    @cached_property
    def _bound(self) -> Bound:
        return Bound.of(self)

    @cached_property
    def used_joints(self) -> NDArray[np.int64]:
        """Indices of the joints that move at least one vertex."""
        return np.unique(self.joints[self.weights > 0]).astype(np.int64)


_TYPES = {
    "vertices": np.float32, "faces": np.int32, "joints": np.int32, "weights": np.float32,
    "inverse_bind": np.float64, "colors": np.float32, "normals": np.float32, "morphs": np.float32,
}  # fmt: skip


def _check(skin: Skin) -> None:
    count, joints = len(skin.vertices), len(skin.skeleton.joints)
    shapes = {
        "vertices": (skin.vertices.shape, (count, 3)),
        "faces": (skin.faces.shape, (len(skin.faces), 3)),
        "weights": (skin.weights.shape, skin.joints.shape),
        "inverse_bind": (skin.inverse_bind.shape, (joints, 4, 4)),
    }
    for what in ("colors", "normals"):
        if getattr(skin, what) is not None:
            shapes[what] = (getattr(skin, what).shape, (count, 3))
    if skin.morphs is not None:
        shapes["morphs"] = (skin.morphs.shape, (len(skin.morph_names), count, 3))
    for what, (found, wanted) in shapes.items():
        if found != wanted:
            raise SkinError(f"skin {skin.name!r}: {what} has shape {found}, not {wanted}")
    if skin.joints.ndim != 2 or len(skin.joints) != count:
        raise SkinError(f"skin {skin.name!r}: joints has shape {skin.joints.shape}, not ({count}, influences)")
    for what, array, limit in (("face", skin.faces, count), ("joint", skin.joints, joints)):
        if array.size and not (array.min() >= 0 and array.max() < limit):
            raise SkinError(f"skin {skin.name!r}: a {what} index lies outside 0 … {limit - 1}")
    for array in (skin.vertices, skin.inverse_bind, skin.morphs):
        if array is not None and not np.isfinite(array).all():
            raise SkinError(f"skin {skin.name!r}: a vertex or bind matrix is not a finite number")
    total = skin.weights.sum(axis=1)
    if not (np.isfinite(total).all() and (skin.weights >= 0).all() and np.abs(total - 1).max(initial=0) < 1e-4):
        raise SkinError(
            f"skin {skin.name!r}: weights must be at least 0 and sum to 1 for every vertex; see mend_weights"
        )

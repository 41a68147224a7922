"""A skin: a mesh in its rest pose, bound to a skeleton by weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.compiled.simd_float import DUAL, MATRIX
from posable.compiled.threads import cores, in_threads
from posable.errors import SkinError, near_names
from posable.skeleton import Pose, Skeleton
from posable.skin.blend_kernels import (
    blend_about_centers,
    blend_dual,
    blend_linear,
    centers_of_rotation,
    fill_columns,
    fill_duals,
    normals_dual,
    normals_linear,
)
from posable.skin.look import Look
from posable.skin.mesh import Mesh, read_only
from posable.skin.mush import Mush
from posable.skin.scales import Scales
from posable.spatial import Array, normalized, rigid_inverse

# A skin prepared for the kernels: influences packed, matrices split into rotations and stretches, once for all poses.


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
        if self.skin.scales is not None:
            world = np.ascontiguousarray(self.skin.scales.frames(world))
        fill_columns(world, self.skin.inverse_bind, self.used, out)
        return out

    def duals(self, world: Array) -> Floats:
        """The same without their stretches, as dual quaternions `[pose, 8 × used]`."""
        out = np.empty((len(world), DUAL * len(self.used)), np.float32)
        fill_duals(world, self._rigid_bind, self.used, out)
        return out

    @cached_property
    def _turns_and_stretches(self) -> tuple[Array, Array]:
        """The polar parts R S of every inverse bind matrix: R is a rotation, S is symmetric (mirrored where the matrix
        is).
        """
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


# The blends by name, and how poses are shared among the processor's cores.


_VERTICES_PER_THREAD = 200_000  # vertices × poses that take about a millisecond, several times a thread's start


def deform(bound: Bound, pose: Pose, blend: str) -> Floats:
    """The vertices of all poses `[..., vertex, 3]` in the world."""
    return _shared(_blend(_PLACES, blend), bound, pose)


def deform_normals(bound: Bound, pose: Pose, blend: str) -> Floats:
    """The unit normals of all poses `[..., vertex, 3]` in the world."""
    return _shared(_blend(_NORMALS, blend), bound, pose)


_Blend = Callable[[Bound, Array, Floats], None]


def _blend(table: dict[str, _Blend], name: str) -> _Blend:
    if name not in table:
        near = near_names(name, table)
        guess = f"did you mean {' or '.join(map(repr, near))}? " if near else ""
        raise SkinError(f"unknown blend {name!r}; {guess}choose from {', '.join(map(repr, table))}")
    return table[name]


def _shared(run: _Blend, bound: Bound, pose: Pose) -> Floats:
    count = len(bound.skin.vertices)
    if len(pose.skeleton.joints) != len(bound.skin.inverse_bind):
        joints, wanted = len(pose.skeleton.joints), len(bound.skin.inverse_bind)
        raise SkinError(f"the pose has {joints} joints and the skin was bound to {wanted}")
    world = np.ascontiguousarray(pose.world_from_joint.reshape(-1, *pose.world_from_joint.shape[-3:]))
    out = np.empty((len(world), count, 3), np.float32)
    threads = min(cores(), 1 + len(world) * count // _VERTICES_PER_THREAD)

    def work(part: slice) -> None:
        run(bound, world[part], out[part])

    if threads == 1:
        work(slice(None))
    else:
        run(bound, world[:0], out[:0])  # what is kept for all poses is made once, by one thread
        in_threads(work, len(world), 4 * threads, threads)
    return out.reshape(*pose.shape, count, 3)


def _signs(bound: Bound) -> Floats:
    return np.empty((len(bound.used), len(bound.used)), np.float32)


def _linear(bound: Bound, world: Array, out: Floats) -> None:
    blend_linear(bound.skin.vertices, bound.joints, bound.weights, bound.columns(world), out)


def _linear_normals(bound: Bound, world: Array, out: Floats) -> None:
    normals_linear(bound.rest_normals, bound.joints, bound.weights, bound.columns(world), out)


def _dual(bound: Bound, world: Array, out: Floats) -> None:
    blend_dual(bound.vertices, bound.joints, bound.weights, bound.duals(world), _signs(bound), out)


def _dual_normals(bound: Bound, world: Array, out: Floats) -> None:
    normals_dual(bound.normals, bound.joints, bound.weights, bound.duals(world), _signs(bound), out)


def _centered(bound: Bound, world: Array, out: Floats) -> None:
    columns, duals, (centers, offsets) = bound.columns(world), bound.duals(world), bound.centers
    blend_about_centers(offsets, centers, bound.joints, bound.weights, columns, duals, _signs(bound), out)


def _mushed(bound: Bound, world: Array, out: Floats) -> None:
    bound.mush.places(bound.columns(world), bound.duals(world), out)


def _mushed_normals(bound: Bound, world: Array, out: Floats) -> None:
    bound.mush.normals(bound.columns(world), bound.duals(world), bound.normals, out)


_PLACES: dict[str, _Blend] = {
    "linear": _linear, "dual_quaternion": _dual, "center_of_rotation": _centered, "delta_mush": _mushed,
}  # fmt: skip
_NORMALS: dict[str, _Blend] = {
    "linear": _linear_normals, "dual_quaternion": _dual_normals, "center_of_rotation": _dual_normals,
    "delta_mush": _mushed_normals,
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Skin:
    """A triangle mesh whose vertices each follow one or more joints.

    Args:
        skeleton: The skeleton that moves the skin.
        vertices: Positions in the bind pose, in the mesh's own frame, `[vertex, 3]` float32.
        faces: Vertex indices `[face, 3]`, counter-clockwise from outside.
        joints: Indices of the skeleton's joints, `[vertex, influence]`.
        weights: `[vertex, influence]`, ≥ 0, each row summing to 1.
        inverse_bind: `[joint, 4, 4]` transforms joint_from_mesh in the bind pose, including the file's scales.
        colors: `[vertex, 3]` sRGB 0 … 1, or None.
        normals: `[vertex, 3]` in the bind pose; None derives them from the faces.
        name: Name of the skin.
        notes: Remarks on how the weights were made, one sentence each.
        morphs: Displacement of each vertex by each morph target in the bind pose, `[target, vertex, 3]`, or None.
        morph_names: Names of the morph targets.
        scales: The file's scales of joints where they differ along the axes, or None.
        uvs: Texture coordinates of the faces' corners, `[face, 3, 2]`, v upwards, or None. Figures read from glTF have
            theirs in `Figure.source`.
        automatic: Whether `posable.bind` made the weights. They are then no sign of which joints are there to deform.
        look: Materials and textures, with which pictures and films are drawn, or None for `colors` alone.

    Raises:
        SkinError: If the arrays do not match.

    Example:
        >>> vertices = figure.skins[0].deform(figure.rest)
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
    scales: Scales | None = None
    uvs: NDArray[np.float32] | None = None
    automatic: bool = False
    look: Look | None = None

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
        """A mesh that follows one joint as a whole; `joint_from_mesh` is its transform, identity if None."""
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

        Raises SkinError for an unknown target, or a weight that is not finite.
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
        world = pose.world_from_joint
        return (world if self.scales is None else self.scales.frames(world)) @ self.inverse_bind

    def deform(self, pose: Pose, blend: str = "linear") -> NDArray[np.float32]:
        """The vertices in the world, `[..., vertex, 3]` float32.

        Args:
            pose: The pose, or a batch `[...]` of them; a batch uses all cores.
            blend: How a vertex mixes its joints' motions. "linear", v' = Σ wₖ Gₖ Bₖ v, is what every engine has; it
                collapses where a joint twists far. "dual_quaternion" keeps the volume at twists and bulges at bends
                (Kavan et al. 2008); a file's scales are blended first. "center_of_rotation" keeps the volume at both
                (Le and Hodgins 2016). "delta_mush" smooths stiff or torn weights over the surface and keeps its
                detail (Le and Lewis 2019). The last two prepare something about the skin when first used.

        Raises:
            SkinError: For another `blend`, or a pose of another skeleton.
        """
        return deform(self._bound, pose, blend)

    def deform_normals(self, pose: Pose, blend: str = "linear") -> NDArray[np.float32]:
        """Unit normals in the world, `[..., vertex, 3]` float32, rotated with the surface as by `deform`; 0 where the
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
    "uvs": np.float32,
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
    if skin.look is not None:
        skin.look.check(skin.name, count, len(skin.faces))
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

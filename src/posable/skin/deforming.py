"""The blends by name, and how poses are shared among the processor's cores."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from posable.errors import SkinError, near_names
from posable.skeleton import Pose
from posable.skin.blending import blend_about_centers, blend_dual, blend_linear, normals_dual, normals_linear
from posable.skin.bound import Bound, Floats
from posable.spatial import Array
from posable.spatial.threads import cores, in_threads

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
        raise SkinError(f"blend {name!r} is not there; {guess}choose from {', '.join(map(repr, table))}")
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

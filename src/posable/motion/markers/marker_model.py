"""Markers on a figure over time: their positions, and the derivatives by poses, offsets and lengths."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.errors import SkeletonError
from posable.figures import Figure
from posable.skeleton import Joint, Pose, Skeleton, symmetry_of
from posable.skin import Skin
from posable.spatial import Array, matrix_from_wxyz, wxyz_between, wxyz_from_matrix
from posable.spatial.marquardt import pushed_over

# A figure with other segment lengths: each body, and its mirror image, has one factor.


Indices = NDArray[np.int64]


_BENDS_BACK = np.radians(10)
"""How much further than on the figure a person's elbows and knees may bend back."""


def length_groups(skeleton: Skeleton, carriers: Indices) -> Indices:
    """`[joint]`: the length factor of each body, -1 where no marker of the `carriers` depends on it.

    Only the lengths of bodies between the root and a carrier matter; left and right share one factor.
    """
    between = {int(skeleton.parents[i]) for j in carriers for i in skeleton.chain(int(j))[1:]}
    try:
        partner = symmetry_of(skeleton).partner
    except SkeletonError:
        partner = np.arange(len(skeleton.joints))
    first = np.minimum(partner, np.arange(len(partner)))
    firsts = sorted({int(first[body]) for body in between})
    return np.array([firsts.index(int(one)) if one in firsts else -1 for one in first], np.int64)


def length_factors(skeleton: Skeleton, groups: Indices, factors: Array, overall: float) -> Array:
    """`[joint]`: every body's factor; one without a group has that of its parent."""
    found = np.empty(len(groups))
    for j, group in enumerate(groups):
        parent = int(skeleton.parents[j])
        found[j] = factors[group] if group >= 0 else overall if parent < 0 else found[parent]
    return found


def scaled_skeleton(skeleton: Skeleton, factors: Array) -> Skeleton:
    """The skeleton with the lengths of every body multiplied by its factor `[joint]`."""
    parents = skeleton.parents
    joints = [
        _scaled(joint, float(factors[j]), float(factors[parents[j]]) if parents[j] >= 0 else 1.0)
        for j, joint in enumerate(skeleton.definitions)
    ]
    return Skeleton(joints, skeleton.up)


def scaled_figure(figure: Figure, factors: Array) -> Figure:
    """The figure with its skins and shapes, without its source file; clips keep their coordinates."""
    skeleton = scaled_skeleton(figure.skeleton, factors)
    shapes = []
    for shape in figure.shapes:
        own = float(factors[skeleton.index(shape.joint)])
        position = (own * shape.position[0], own * shape.position[1], own * shape.position[2])
        shapes.append(replace(shape, size=tuple(own * s for s in shape.size), position=position))
    return replace(
        figure,
        skeleton=skeleton,
        skins=tuple(_scaled_skin(skin, skeleton, factors) for skin in figure.skins),
        clips=tuple(Clip(skeleton, clip.q, clip.fps, clip.name, clip.events) for clip in figure.clips),
        shapes=tuple(shapes),
        source=None,
    )


def without_limits(skeleton: Skeleton, bending: Collection[int] = ()) -> Skeleton:
    """The skeleton with joints without limits; `bending` hinges, which bend to one side, keep wider ones."""
    joints = []
    for j, joint in enumerate(skeleton.definitions):
        more = _BENDS_BACK if j in bending and joint.dof == 1 else np.inf
        axes = tuple(replace(axis, lower=axis.lower - more, upper=axis.upper + more) for axis in joint.axes)
        joints.append(replace(joint, cone=None, axes=axes))
    return Skeleton(joints, skeleton.up)


def _scaled(joint: Joint, own: float, above: float) -> Joint:
    def times(factor: float, values: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(factor * x for x in values)

    return replace(
        joint,
        position=times(above, joint.position),
        anchor=times(own, joint.anchor),
        mass_center=times(own, joint.mass_center),
        tips=tuple(times(own, tip) for tip in joint.tips),
        capsules=tuple(times(own, capsule) for capsule in joint.capsules),
        axes=tuple(replace(axis, anchor=times(own, axis.anchor)) for axis in joint.axes),
    )


def _scaled_skin(skin: Skin, skeleton: Skeleton, factors: Array) -> Skin:
    """The skin with every vertex moved along with the bodies that it is bound to."""
    bind = np.linalg.inv(skin.inverse_bind)
    moved = bind.copy()
    for j, parent in enumerate(skeleton.parents):
        if parent >= 0:
            step = factors[parent] * (bind[j, :3, 3] - bind[parent, :3, 3])
            moved[j, :3, 3] = moved[parent, :3, 3] + step
    sizes = np.ones((len(factors), 4))
    sizes[:, :3] = factors[:, None]
    new_from_old = moved @ (sizes[:, :, None] * skin.inverse_bind)
    matrices = new_from_old[skin.joints]
    points = np.concatenate([skin.vertices, np.ones((len(skin.vertices), 1))], axis=1)
    blended = np.einsum("vk,vkij->vij", skin.weights, matrices[:, :, :3])
    vertices = (blended @ points[..., None])[..., 0]
    return replace(
        skin,
        skeleton=skeleton,
        vertices=vertices.astype(np.float32),
        inverse_bind=np.linalg.inv(moved),
        normals=None,
        morphs=None if skin.morphs is None else np.einsum("vij,tvj->tvi", blended[..., :3], skin.morphs),
    )


_STAY = 1e-2  # reaches: the residual of a marker that costs as much as one radian away from the reference pose
_LIMIT = 2e-2  # likewise, one radian beyond a soft limit
_ROOT_STAY_WEIGHT = 1e-9  # weight of the root's distance from the reference pose, on which every marker depends
_TILT = 3e-2  # like _STAY, of the root's rotation where its tilt is open: hips rotate about three times as far


@dataclass(frozen=True, eq=False)
class MarkerModel:
    """Markers attached to a skeleton, with what is measured of them; lengths are in the figure's unit.

    carriers: `[marker]` joints. targets: `[frame, marker, 3]`, any finite number in gaps. weights: `[frame, marker]`, 0
    in gaps. soft_limits: a skeleton whose limits may be exceeded at a cost; those of `skeleton` are never exceeded.
    tilt_open: whether the markers leave the tilt of the root open; then it is near that of the reference pose, which
    `upright` gives it.
    """

    skeleton: Skeleton
    carriers: Indices
    targets: Array
    weights: Array
    soft_limits: Skeleton | None = None
    tilt_open: bool = False

    def at(self, frames: Indices | slice) -> MarkerModel:
        """The same for some frames."""
        return self._with(targets=self.targets[frames], weights=self.weights[frames])

    def _with(self, **changes: Any) -> MarkerModel:
        """The same with other values; what depends on the tree of joints alone is not computed again."""
        found = replace(self, **changes)
        found.__dict__.update(free=self.free, groups=self.groups, _scalars=self._scalars)
        return found

    @cached_property
    def free(self) -> Indices:
        """`[free]`: the active degrees of freedom that move a marker."""
        tables = self.skeleton.tables
        above = {i for j in set(self.carriers.tolist()) for i in self.skeleton.chain(j)}
        own = np.repeat(np.arange(len(tables.code)), np.diff(tables.first_dof))
        return np.flatnonzero(np.isin(own, list(above)) & tables.active)

    @cached_property
    def groups(self) -> Indices:
        """`[joint]`: see `length_groups`."""
        return length_groups(self.skeleton, self.carriers)

    def limit_excess(self, pose: Pose) -> Array:
        """`[frame, free]`: how far the degrees of freedom are beyond the soft limits."""
        if self.soft_limits is None:
            return np.zeros((len(pose), len(self.free)))
        inside = Pose.trusted(self.soft_limits, pose.q).clamped()
        return pose.minus(Pose.trusted(pose.skeleton, inside.q))[:, self.free]

    @property
    def limit_weights(self) -> Array:
        """`[free]`: the weights of `limit_excess`."""
        reach = self.skeleton.reach
        return (np.where(self.skeleton.slides, 1.0, reach**2) * _LIMIT**2)[self.free]

    @property
    def stay_weights(self) -> Array:
        """`[free]`: the weights of the distance from the reference pose."""
        found = np.where(self.skeleton.slides, 1.0, self.skeleton.reach**2) * _STAY**2
        root = np.array(self.skeleton.freedom_range(0), int)
        found[root] *= _ROOT_STAY_WEIGHT / _STAY**2
        if self.tilt_open:
            found[root[~self.skeleton.slides[root]]] = self.tilt_weight
        return found[self.free]

    @property
    def tilt_weight(self) -> float:
        """The weight of the root's rotation away from the reference pose, where `tilt_open`."""
        return float(self.skeleton.reach**2) * _TILT**2

    @property
    def up(self) -> tuple[Array, Array]:
        """(the direction up in the world, the same in the root's frame at rest)."""
        up = np.eye(3)["xyz".index(self.skeleton.up)]
        return up, matrix_from_wxyz(self.skeleton.rest_coordinates[3:7]).T @ up

    def upright(self, pose: Pose, root: Pose | None = None) -> Pose:
        """The pose with its root as upright as at rest if `tilt_open`, facing as that of `root` or its own; unchanged
        otherwise.
        """
        if not self.tilt_open:
            return pose
        up, up_of_root = self.up
        q, source = np.array(pose.q), pose if root is None else root
        q[:, :7] = source.q[:, :7]
        world = matrix_from_wxyz(q[:, 3:7])
        back = matrix_from_wxyz(wxyz_between(world @ up_of_root, np.broadcast_to(up, (len(world), 3))))
        q[:, 3:7] = wxyz_from_matrix(back @ world)
        return Pose.trusted(pose.skeleton, q)

    def scaled(self, logs: Array) -> MarkerModel:
        """The same with other lengths. logs: `[1 + groups]`, logarithms of the overall factor and of each group's
        factor relative to it.
        """
        return self.on_skeleton(scaled_skeleton(self.skeleton, self.factors(logs)))

    def on_skeleton(self, skeleton: Skeleton) -> MarkerModel:
        """The same on a skeleton with the same joints."""
        return self._with(skeleton=skeleton)

    def with_soft_limits(self, skeleton: Skeleton) -> MarkerModel:
        """The same on a skeleton with other limits; the current ones become soft limits."""
        return self._with(skeleton=skeleton, soft_limits=self.skeleton)

    def with_weights(self, weights: Array) -> MarkerModel:
        """The same with other weights."""
        return self._with(weights=weights)

    def with_markers(self, targets: Array, weights: Array) -> MarkerModel:
        """The same with other targets and weights."""
        return self._with(targets=targets, weights=weights)

    def factors(self, logs: Array) -> Array:
        """`[joint]`: every body's factor."""
        return length_factors(self.skeleton, self.groups, np.exp(logs[0] + logs[1:]), float(np.exp(logs[0])))

    def tangent(self, step: Array) -> Array:
        """`[frame, dof]` from a step `[frame, free]`."""
        tangent = np.zeros((len(step), self.skeleton.dof))
        tangent[:, self.free] = step
        return tangent

    def moved(self, pose: Pose, step: Array) -> Pose:
        """The pose after a step `[frame, free]`, within the limits."""
        return self.unwound(pose.plus(self.tangent(step)).clamped())

    def unwound(self, pose: Pose) -> Pose:
        """The pose with hinges moved by whole revolutions to within half of one of the middle of their soft limits."""
        columns, middle = self._hinges
        q = np.array(pose.q)
        q[:, columns] -= 2 * np.pi * np.round((q[:, columns] - middle) / (2 * np.pi))
        return Pose.trusted(pose.skeleton, q)

    def continuous(self, pose: Pose) -> Pose:
        """The poses, one frame after the other, with no hinge further than half a revolution from the frame before."""
        columns, q = self._hinges[0], np.array(pose.q)
        q[:, columns] = np.unwrap(q[:, columns], axis=0)
        return Pose.trusted(pose.skeleton, q)

    @cached_property
    def _hinges(self) -> tuple[Indices, Array]:
        """(columns, the middles of the soft limits) of the rotating axes, where limits are soft."""
        own, columns = self._scalars
        if self.soft_limits is None or not len(columns):
            return columns[:0], np.zeros(0)
        free = self.free[own]
        middle = (self.soft_limits.lower[free] + self.soft_limits.upper[free]) / 2
        turning = ~self.skeleton.slides[free] & np.isfinite(middle)
        return columns[turning], middle[turning]

    def positions(self, pose: Pose, offsets: Array) -> Array:
        """`[frame, marker, 3]` of offsets `[marker, 3]`."""
        world = pose.world_from_joint[:, self.carriers]
        return (world[..., :3, :3] @ offsets[:, :, None])[..., 0] + world[..., :3, 3]

    def jacobian(self, pose: Pose, positions: Array) -> Array:
        """`[frame, marker, 3, free]`: the derivative of positions along `pose.plus`."""
        out = np.empty((len(positions), len(self.carriers), 3, len(self.free)))
        for joint in np.unique(self.carriers):
            mine = np.flatnonzero(self.carriers == joint)
            motion = pose.jacobian(self.skeleton.joints[joint])[..., self.free]
            arms = positions[:, mine] - pose.origins[:, None, joint]
            out[:, mine] = motion[:, None, :3] - _cross(arms) @ motion[:, None, 3:]
        return out

    def length_jacobian(self, pose: Pose) -> Array:
        """`[frame, marker, 3, 1 + groups]`: the derivative of positions by the logarithms of `scaled`."""
        world, parents = pose.world_from_joint, self.skeleton.parents
        found = np.zeros((len(world), len(parents), 3, 1 + int(self.groups.max(initial=-1)) + 1))
        for j, joint in enumerate(self.skeleton.definitions):
            parent = int(parents[j])
            if parent >= 0:
                found[:, j] = found[:, parent]
                bone = world[:, parent, :3, :3] @ np.array(joint.position)
                found[:, j, :, 0] += bone
                if self.groups[parent] >= 0:
                    found[:, j, :, 1 + self.groups[parent]] += bone
        return found[:, self.carriers]

    def blocked(self, pose: Pose, gradient: Array) -> np.ndarray:
        """`[frame, free]`: degrees of freedom at a limit that a descent would push over it."""
        own, columns = self._scalars
        free = self.free[own]
        low, high = self.skeleton.lower[free] + 1e-12, self.skeleton.upper[free] - 1e-12
        found = np.zeros(gradient.shape, bool)
        found[:, own] = pushed_over(pose.q[:, columns], low, high, gradient[:, own])
        return found

    @cached_property
    def _scalars(self) -> tuple[Indices, Indices]:
        """(which of `free` are hinges and slides, their columns in `pose.q`)."""
        columns = self.skeleton.tables.axis_columns[self.free]
        return np.flatnonzero(columns >= 0), columns[columns >= 0]


def _cross(arms: Array) -> Array:
    """`[..., 3, 3]` with _cross(a) @ b = a × b."""
    x, y, z = np.moveaxis(arms, -1, 0)
    zero = np.zeros_like(x)
    rows = [[zero, -z, y], [z, zero, -x], [-y, x, zero]]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)

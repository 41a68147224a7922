"""Markers on a figure over time: where they are, and how that changes with poses, offsets and lengths."""

from __future__ import annotations

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
from posable.spatial import Array

# A figure with other segment lengths: each body, and its mirror image, has one factor.


Indices = NDArray[np.int64]


def length_groups(skeleton: Skeleton, carriers: Indices) -> Indices:
    """`[joint]`: which length factor a body has, -1 where no marker of the `carriers` tells of it.

    Only bodies between the root and a carrier show their length; left and right share one factor.
    """
    told = {int(skeleton.parents[i]) for j in carriers for i in skeleton.chain(int(j))[1:]}
    try:
        partner = symmetry_of(skeleton).partner
    except SkeletonError:
        partner = np.arange(len(skeleton.joints))
    first = np.minimum(partner, np.arange(len(partner)))
    firsts = sorted({int(first[body]) for body in told})
    return np.array([firsts.index(int(one)) if one in firsts else -1 for one in first], np.int64)


def body_factors(skeleton: Skeleton, groups: Indices, factors: Array, overall: float) -> Array:
    """`[joint]`: every body's factor; one that no marker tells of has that of the body above it."""
    found = np.empty(len(groups))
    for j, group in enumerate(groups):
        parent = int(skeleton.parents[j])
        found[j] = factors[group] if group >= 0 else overall if parent < 0 else found[parent]
    return found


def stretched_skeleton(skeleton: Skeleton, factors: Array) -> Skeleton:
    """The skeleton with every body's lengths times its factor `[joint]`."""
    parents = skeleton.parents
    joints = [
        _stretched(joint, float(factors[j]), float(factors[parents[j]]) if parents[j] >= 0 else 1.0)
        for j, joint in enumerate(skeleton.definitions)
    ]
    return Skeleton(joints, skeleton.up)


def stretched_figure(figure: Figure, factors: Array) -> Figure:
    """The figure with skins and shapes to match; its file is left behind, its clips keep their coordinates."""
    skeleton = stretched_skeleton(figure.skeleton, factors)
    shapes = []
    for shape in figure.shapes:
        own = float(factors[skeleton.index(shape.joint)])
        place = (own * shape.position[0], own * shape.position[1], own * shape.position[2])
        shapes.append(replace(shape, size=tuple(own * s for s in shape.size), position=place))
    return replace(
        figure,
        skeleton=skeleton,
        skins=tuple(_stretched_skin(skin, skeleton, factors) for skin in figure.skins),
        clips=tuple(Clip(skeleton, clip.q, clip.fps, clip.name, clip.events) for clip in figure.clips),
        shapes=tuple(shapes),
        source=None,
    )


def unlimited(skeleton: Skeleton) -> Skeleton:
    """The skeleton whose joints turn and slide as far as anybody likes."""
    joints = [
        replace(joint, cone=None, axes=tuple(replace(axis, lower=-np.inf, upper=np.inf) for axis in joint.axes))
        for joint in skeleton.definitions
    ]
    return Skeleton(joints, skeleton.up)


def _stretched(joint: Joint, own: float, above: float) -> Joint:
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


def _stretched_skin(skin: Skin, skeleton: Skeleton, factors: Array) -> Skin:
    """Vertices follow their bodies, as they were bound, to the new lengths."""
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
    vertices = np.einsum("vk,vkij,vj->vi", skin.weights, matrices[:, :, :3], points)
    grown = np.einsum("vk,vkij->vij", skin.weights, matrices[:, :, :3, :3])
    return replace(
        skin,
        skeleton=skeleton,
        vertices=vertices.astype(np.float32),
        inverse_bind=np.linalg.inv(moved),
        normals=None,
        morphs=None if skin.morphs is None else np.einsum("vij,tvj->tvi", grown, skin.morphs),
    )


_CALM = 1e-2  # of the reach, squared: how much a radian away from the reference pose counts against markers
_UNWILLING = 2e-2  # likewise beyond the guard's limits
_FIRM = 1e-9  # likewise for the first joint's freedoms, which every marker tells of


@dataclass(frozen=True, eq=False)
class Rig:
    """carriers: `[marker]` joints. targets: `[frame, marker, 3]`, any finite number in gaps. weights: `[frame,
    marker]`, 0 in gaps. guard: the skeleton whose limits are passed unwillingly only; its own are never passed. All
    lengths are in the figure's unit.
    """

    skeleton: Skeleton
    carriers: Indices
    targets: Array
    weights: Array
    guard: Skeleton | None = None

    def at(self, frames: Indices | slice) -> Rig:
        """The same of some frames."""
        return self._with(targets=self.targets[frames], weights=self.weights[frames])

    def _with(self, **changes: Any) -> Rig:
        """The same with other arrays; what follows from the tree of joints alone is known already."""
        found = replace(self, **changes)
        found.__dict__.update(free=self.free, groups=self.groups, _scalars=self._scalars)
        return found

    @cached_property
    def free(self) -> Indices:
        """`[free]`: the freedoms that move a marker and may move."""
        tables = self.skeleton.tables
        above = {i for j in set(self.carriers.tolist()) for i in self.skeleton.chain(j)}
        own = np.repeat(np.arange(len(tables.code)), np.diff(tables.first_dof))
        return np.flatnonzero(np.isin(own, list(above)) & tables.active)

    @cached_property
    def groups(self) -> Indices:
        """`[joint]`: which length factor a body has, -1 for none."""
        return length_groups(self.skeleton, self.carriers)

    def beyond(self, pose: Pose) -> Array:
        """`[frame, free]`: how far freedoms are beyond the guard's limits."""
        if self.guard is None:
            return np.zeros((len(pose), len(self.free)))
        inside = Pose.trusted(self.guard, pose.q).clamped()
        return pose.minus(Pose.trusted(pose.skeleton, inside.q))[:, self.free]

    @property
    def unwilling(self) -> Array:
        """`[free]`: how much a step beyond the guard's limits counts."""
        reach = self.skeleton.reach
        return (np.where(self.skeleton.slides, 1.0, reach**2) * _UNWILLING**2)[self.free]

    @property
    def calm(self) -> Array:
        """`[free]`: how much a step away from the reference pose counts."""
        reach = self.skeleton.reach
        calm = np.where(self.skeleton.slides, 1.0, reach**2) * _CALM**2
        calm[list(self.skeleton.freedom_range(0))] *= _FIRM / _CALM**2
        return calm[self.free]

    def stretched(self, logs: Array) -> Rig:
        """The same with other lengths. logs: `[1 + groups]`, the logarithm of the overall factor, then of each group's
        factor over that.
        """
        return self.on(stretched_skeleton(self.skeleton, self.factors(logs)))

    def on(self, skeleton: Skeleton) -> Rig:
        """The same on a skeleton with the same joints."""
        return self._with(skeleton=skeleton)

    def guarded(self, skeleton: Skeleton) -> Rig:
        """The same on a skeleton of other limits, with those it had until now as a guard."""
        return self._with(skeleton=skeleton, guard=self.skeleton)

    def weighed(self, weights: Array) -> Rig:
        """The same with other weights."""
        return self._with(weights=weights)

    def factors(self, logs: Array) -> Array:
        """`[joint]`: every body's factor."""
        return body_factors(self.skeleton, self.groups, np.exp(logs[0] + logs[1:]), float(np.exp(logs[0])))

    def spread(self, step: Array) -> Array:
        """`[frame, dof]` of a step `[frame, free]`."""
        tangent = np.zeros((len(step), self.skeleton.dof))
        tangent[:, self.free] = step
        return tangent

    def moved(self, pose: Pose, step: Array) -> Pose:
        """The pose after a step `[frame, free]`, within the limits, without whole turns too many."""
        found = pose.plus(self.spread(step)).clamped()
        own, columns = self._scalars
        if self.guard is None or not len(columns):
            return found
        free = self.free[own]
        middle = (self.guard.lower[free] + self.guard.upper[free]) / 2
        turning = ~self.skeleton.slides[free] & np.isfinite(middle)
        q, columns, middle = np.array(found.q), columns[turning], middle[turning]
        q[:, columns] -= 2 * np.pi * np.round((q[:, columns] - middle) / (2 * np.pi))
        return Pose.trusted(found.skeleton, q)

    def places(self, pose: Pose, offsets: Array) -> Array:
        """`[frame, marker, 3]` of offsets `[marker, 3]`."""
        world = pose.world_from_joint[:, self.carriers]
        return (world[..., :3, :3] @ offsets[:, :, None])[..., 0] + world[..., :3, 3]

    def by_pose(self, pose: Pose, places: Array) -> Array:
        """`[frame, marker, 3, free]`: the derivative of places along `pose.plus`."""
        out = np.empty((len(places), len(self.carriers), 3, len(self.free)))
        for joint in np.unique(self.carriers):
            mine = np.flatnonzero(self.carriers == joint)
            motion = pose.jacobian(self.skeleton.joints[joint])[..., self.free]
            arms = places[:, mine] - pose.origins[:, None, joint]
            out[:, mine] = motion[:, None, :3] - _cross(arms) @ motion[:, None, 3:]
        return out

    def by_length(self, pose: Pose) -> Array:
        """`[frame, marker, 3, 1 + groups]`: the derivative of places by the logarithms of `stretched`."""
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

    def held(self, pose: Pose, gradient: Array) -> np.ndarray:
        """`[frame, free]`: freedoms at a limit that a descent would push over it."""
        own, columns = self._scalars
        free = self.free[own]
        q, pull = pose.q[:, columns], gradient[:, own]
        low, high = self.skeleton.lower[free] + 1e-12, self.skeleton.upper[free] - 1e-12
        held = np.zeros(gradient.shape, bool)
        held[:, own] = ((q <= low) & (pull > 0)) | ((q >= high) & (pull < 0))
        return held

    @cached_property
    def _scalars(self) -> tuple[Indices, Indices]:
        """(which of `free` are turns and slides, their columns in `pose.q`)."""
        columns = self.skeleton.tables.axis_columns[self.free]
        return np.flatnonzero(columns >= 0), columns[columns >= 0]


def _cross(arms: Array) -> Array:
    """`[..., 3, 3]` with _cross(a) @ b = a × b."""
    x, y, z = np.moveaxis(arms, -1, 0)
    zero = np.zeros_like(x)
    rows = [[zero, -z, y], [z, zero, -x], [-y, x, zero]]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)

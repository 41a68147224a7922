"""A pose: one state, or a batch of states, of a skeleton. A value; what derives from it is computed once and kept."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import PoseError
from posable.skeleton.skeleton import Skeleton
from posable.skeleton.tables import SCALAR
from posable.spatial import Array


class Pose:
    """`q [..., coordinates]` of a skeleton: hinge angle (rad), slide length, ball wxyz, free xyz + wxyz, planar x y angle,
    universal two angles; joints in the order of the skeleton. Free coordinates are in the parent's frame, a ball's relative to rest.

    Quaternions are brought to length 1. Raises PoseError for a wrong shape, numbers that are not finite, a zero quaternion.
    """

    skeleton: Skeleton
    q: Array

    def __init__(self, skeleton: Skeleton, q: ArrayLike) -> None:
        q = np.array(q, float)
        if q.ndim < 1 or q.shape[-1] != skeleton.coordinates:
            raise PoseError(
                f"a pose of this skeleton has {skeleton.coordinates} coordinates, not an array of shape {q.shape}"
            )
        if not np.isfinite(q).all():
            raise PoseError(f"a coordinate of joint {_first_bad(skeleton, q)!r} is not a finite number")
        for j in np.flatnonzero(skeleton.tables.code != SCALAR):
            end = int(skeleton.tables.first_coordinate[j + 1])
            length = np.linalg.norm(q[..., end - 4 : end], axis=-1, keepdims=True)
            if not (length > 1e-9).all():
                raise PoseError(
                    f"the quaternion of joint {skeleton.joints[j]!r} has length 0; the neutral one is (1, 0, 0, 0)"
                )
            q[..., end - 4 : end] /= length
        self._keep(skeleton, q)

    def _keep(self, skeleton: Skeleton, q: Array) -> None:
        q.setflags(write=False)
        self.__dict__["skeleton"] = skeleton
        self.__dict__["q"] = q

    @classmethod
    def trusted(cls, skeleton: Skeleton, q: Array) -> Pose:
        """A pose of coordinates that are known to be right (posable's own results): no checks, no copy."""
        pose = cls.__new__(cls)
        pose._keep(skeleton, q)
        return pose

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a pose is a value; make a new one instead of setting {name!r}")

    def __repr__(self) -> str:
        return f"Pose({self.skeleton!r}, shape {self.shape})"

    @property
    def shape(self) -> tuple[int, ...]:
        """The leading axes of the batch, () for one pose."""
        return self.q.shape[:-1]

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, index: object) -> Pose:
        """The poses at `index` of the leading axes."""
        if not self.shape:
            raise PoseError("this is one pose, not a batch; there is nothing to index")
        return Pose.trusted(self.skeleton, self.q[(*index, slice(None)) if isinstance(index, tuple) else index])

    @cached_property
    def world_from_joint(self) -> Array:
        """`[..., joint, 4, 4]`: joint coordinates to world coordinates."""
        from posable.skeleton.kinematics import forward_kinematics

        matrices = forward_kinematics(self.skeleton, self.q)
        matrices.setflags(write=False)
        return matrices

    @property
    def origins(self) -> Array:
        """`[..., joint, 3]`: where the joints are in the world."""
        return self.world_from_joint[..., :3, 3]

    def jacobian(self, joint: str, tip: ArrayLike = (0.0, 0.0, 0.0)) -> Array:
        """`[..., 6, dof]`: rows linear then angular velocity, world frame, of the point `tip` (joint frame) fixed to `joint`.

        It is the derivative along `plus`: d(point)/dt for q(t) = q ⊕ t v is J v.
        """
        from posable.skeleton.batches import jacobians

        flat = self.q.reshape(-1, self.q.shape[-1])
        out = np.empty((len(flat), 6, self.skeleton.dof))
        jacobians(self.skeleton.tables, flat, self.skeleton.index(joint), np.asarray(tip, float), out)
        return out.reshape(*self.shape, 6, self.skeleton.dof)

    def plus(self, v: ArrayLike) -> Pose:
        """The pose reached along the tangent `v [..., dof]`: q ⊕ v, rotations by the exponential map in the joint's own frame,
        free joints as (translation in the parent's frame, rotation vector in their own). Limits are not looked at."""
        from posable.skeleton.batches import steps

        v = np.asarray(v, float)
        if v.shape[-1:] != (self.skeleton.dof,):
            raise PoseError(
                f"a tangent of this skeleton has {self.skeleton.dof} entries, not an array of shape {v.shape}"
            )
        shape = np.broadcast_shapes(self.shape, v.shape[:-1])
        q, v = _flat(self.q, shape), _flat(v, shape)
        out = np.empty_like(q)
        steps(self.skeleton.tables, q, v, out)
        return Pose.trusted(self.skeleton, out.reshape(*shape, -1))

    def minus(self, other: Pose) -> Array:
        """The tangent `[..., dof]` from `other` to this pose: other.plus(self.minus(other)) is this pose."""
        from posable.skeleton.batches import differences

        shape = np.broadcast_shapes(self.shape, other.shape)
        start, end = _flat(other.q, shape), _flat(self.q, shape)
        out = np.empty((len(start), self.skeleton.dof))
        differences(self.skeleton.tables, start, end, out)
        return out.reshape(*shape, -1)

    def clamped(self) -> Pose:
        """The nearest pose, joint by joint, within the limits."""
        from posable.skeleton.batches import clamp_all

        q = np.array(_flat(self.q, self.shape))
        clamp_all(self.skeleton.tables, q)
        return Pose.trusted(self.skeleton, q.reshape(self.q.shape))

    def of(self, joint: str) -> Array:
        """`[..., own coordinates]` of one joint."""
        i = self.skeleton.index(joint)
        first = self.skeleton.tables.first_coordinate
        return self.q[..., first[i] : first[i + 1]]

    def with_joint(self, joint: str, coordinates: ArrayLike) -> Pose:
        """The same pose with other coordinates for one joint."""
        i = self.skeleton.index(joint)
        first = self.skeleton.tables.first_coordinate
        own = np.asarray(coordinates, float).reshape(*np.shape(coordinates)[:-1], -1)
        shape = np.broadcast_shapes(self.shape, own.shape[:-1])
        q = np.array(np.broadcast_to(self.q, (*shape, self.q.shape[-1])))
        q[..., first[i] : first[i + 1]] = own
        return Pose(self.skeleton, q)


def _flat(array: Array, shape: tuple[int, ...]) -> Array:
    return np.ascontiguousarray(np.broadcast_to(array, (*shape, array.shape[-1]))).reshape(-1, array.shape[-1])


def _first_bad(skeleton: Skeleton, q: Array) -> str:
    bad = int(np.argmax(~np.isfinite(q).reshape(-1, q.shape[-1]).all(axis=0)))
    joint = int(np.searchsorted(skeleton.tables.first_coordinate, bad, side="right")) - 1
    return skeleton.joints[joint]

"""A pose: one state, or a batch of states, of a skeleton. A value; what derives from it is computed once and kept."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import PoseError
from posable.skeleton.batches import clamp_all, differences, jacobians, steps
from posable.skeleton.kinematics import flat_rows, forward_kinematics
from posable.skeleton.tables import SCALAR
from posable.spatial import Array

if TYPE_CHECKING:  # the skeleton hands out poses, so it is the one that imports
    from posable.skeleton.skeleton import Skeleton


class Pose:
    """`q [..., coordinates]` of a skeleton, joints in its order.

    Hinge angle (rad), slide length, ball wxyz, free xyz + wxyz, planar x y angle, universal two angles. Those of a free
    joint are in its parent's frame, a ball's relative to rest. Quaternions are brought to length 1.
    Raises PoseError for a wrong shape, what is no finite number, a zero quaternion.
    """

    skeleton: Skeleton
    q: Array

    def __init__(self, skeleton: Skeleton, q: ArrayLike) -> None:
        q = _numbers(q)
        if q.ndim < 1 or q.shape[-1] != skeleton.coordinates:
            raise PoseError(
                f"a pose of this skeleton has {skeleton.coordinates} coordinates, not an array of shape {q.shape}"
            )
        if not np.isfinite(q).all():
            raise PoseError(f"a coordinate of joint {_first_bad(skeleton, q)!r} is not a finite number")
        quaternions = q[..., skeleton.quaternion_columns]
        with np.errstate(over="ignore"):
            length = np.linalg.norm(quaternions, axis=-1, keepdims=True)
        bad = ~((length > 1e-9) & np.isfinite(length))[..., 0].all(axis=tuple(range(q.ndim - 1)))
        if bad.any():
            name = skeleton.joints[np.flatnonzero(skeleton.tables.code != SCALAR)[np.argmax(bad)]]
            raise PoseError(f"the quaternion of joint {name!r} has length 0; the neutral one is (1, 0, 0, 0)")
        q[..., skeleton.quaternion_columns] = quaternions / length
        self._keep(skeleton, q)

    def _keep(self, skeleton: Skeleton, q: Array) -> None:
        q.setflags(write=False)
        self.__dict__["skeleton"] = skeleton
        self.__dict__["q"] = q

    @classmethod
    def trusted(cls, skeleton: Skeleton, q: Array) -> Pose:
        """A pose of coordinates that are known to be right (posable's own results): no checks, no copy."""
        pose = object.__new__(cls)
        q.setflags(write=False)
        own = pose.__dict__
        own["skeleton"], own["q"] = skeleton, q
        return pose

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a pose is a value; make a new one instead of setting {name!r}")

    def __repr__(self) -> str:
        return f"Pose({self.skeleton!r}, shape {self.shape})"

    @property
    def shape(self) -> tuple[int, ...]:
        """The leading axes of the batch, () for one pose."""
        return self.q.shape[:-1]

    def __bool__(self) -> bool:
        return True

    def __len__(self) -> int:
        if not self.shape:
            raise PoseError("this is one pose, not a batch; it has no length")
        return self.shape[0]

    def __getitem__(self, index: Any) -> Pose:
        """The poses at `index` of the leading axes."""
        if not self.shape:
            raise PoseError("this is one pose, not a batch; there is nothing to index")
        return Pose.trusted(self.skeleton, self.q[(*index, slice(None)) if isinstance(index, tuple) else index])

    @cached_property
    def world_from_joint(self) -> Array:
        """`[..., joint, 4, 4]`: joint coordinates to world coordinates."""
        matrices = forward_kinematics(self.skeleton, self.q)
        matrices.setflags(write=False)
        return matrices

    @property
    def origins(self) -> Array:
        """`[..., joint, 3]`: where the joints are in the world."""
        return self.world_from_joint[..., :3, 3]

    def jacobian(self, joint: str, tip: ArrayLike = (0.0, 0.0, 0.0)) -> Array:
        """`[..., 6, dof]`: linear, then angular velocity, in the world, of the point `tip` (in the joint's frame).

        It is the derivative along `plus`: d(point)/dt for q(t) = q ⊕ t v is J v. Raises UnknownJointError or PoseError.
        """
        tip = _numbers(tip)
        if tip.shape != (3,) or not np.isfinite(tip).all():
            raise PoseError(f"a tip is 3 finite numbers, not {tip}")
        index, flat = self.skeleton.index(joint), flat_rows(self.q, self.shape)
        out = np.empty((len(flat), 6, self.skeleton.dof))
        jacobians(self.skeleton.packed, flat, index, tip, out)
        return out.reshape(*self.shape, 6, self.skeleton.dof)

    def plus(self, v: ArrayLike) -> Pose:
        """The pose reached along the tangent `v [..., dof]`: q ⊕ v. Limits are not looked at.

        Rotations move by the exponential map in the joint's own frame, free joints as (translation in the parent's
        frame, rotation vector in their own). Raises PoseError for a wrong shape or what is no finite number.
        """
        v = _numbers(v)
        if v.shape[-1:] != (self.skeleton.dof,):
            raise PoseError(
                f"a tangent of this skeleton has {self.skeleton.dof} entries, not an array of shape {v.shape}"
            )
        if not np.isfinite(v).all():
            raise PoseError("an entry of the tangent is not a finite number")
        shape = self._common(v.shape[:-1])
        q, v = flat_rows(self.q, shape), flat_rows(v, shape)
        out = np.empty(q.shape)
        steps(self.skeleton.packed, q, v, out)
        return Pose.trusted(self.skeleton, out.reshape(*shape, self.skeleton.coordinates))

    def minus(self, other: Pose) -> Array:
        """The tangent `[..., dof]` from `other` to this pose: other.plus(self.minus(other)) is this pose.

        Raises PoseError if the other pose is one of another skeleton.
        """
        if other.skeleton != self.skeleton:
            raise PoseError("the two poses belong to different skeletons")
        shape = self._common(other.shape)
        start, end = flat_rows(other.q, shape), flat_rows(self.q, shape)
        out = np.empty((len(start), self.skeleton.dof))
        differences(self.skeleton.packed, start, end, out)
        return out.reshape(*shape, self.skeleton.dof)

    def _common(self, other: tuple[int, ...]) -> tuple[int, ...]:
        try:
            return np.broadcast_shapes(self.shape, other)
        except ValueError as problem:
            raise PoseError(f"batches of shapes {self.shape} and {other} do not go together") from problem

    def clamped(self) -> Pose:
        """The nearest pose within the limits, joint by joint; of a cone, swing and twist each at its nearest angle."""
        q = np.array(flat_rows(self.q, self.shape))
        clamp_all(self.skeleton.packed, q)
        return Pose.trusted(self.skeleton, q.reshape(self.q.shape))

    def of(self, joint: str) -> Array:
        """`[..., own coordinates]` of one joint."""
        i = self.skeleton.index(joint)
        first = self.skeleton.tables.first_coordinate
        return self.q[..., first[i] : first[i + 1]]

    def with_joint(self, joint: str, coordinates: ArrayLike) -> Pose:
        """The same pose with other `coordinates [..., own coordinates]` for one joint; a number will do for a hinge.

        Raises UnknownJointError or PoseError.
        """
        i = self.skeleton.index(joint)
        first, end = self.skeleton.tables.first_coordinate[i : i + 2]
        own = np.atleast_1d(_numbers(coordinates))
        if own.shape[-1] != end - first:
            raise PoseError(f"joint {self.skeleton.joints[i]!r} has {end - first} coordinates, not {own.shape[-1]}")
        shape = self._common(own.shape[:-1])
        q = np.array(np.broadcast_to(self.q, (*shape, self.q.shape[-1])))
        q[..., first:end] = own
        return Pose(self.skeleton, q)


def _numbers(values: ArrayLike) -> Array:
    """A fresh array of floats."""
    try:
        return np.array(values, float)
    except (TypeError, ValueError) as problem:
        raise PoseError(f"these are not numbers in a regular array: {problem}") from problem


def _first_bad(skeleton: Skeleton, q: Array) -> str:
    bad = int(np.argmax(~np.isfinite(q).reshape(-1, q.shape[-1]).all(axis=0)))
    joint = int(np.searchsorted(skeleton.tables.first_coordinate, bad, side="right")) - 1
    return skeleton.joints[joint]

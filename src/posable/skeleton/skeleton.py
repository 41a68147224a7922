"""The skeleton, a frozen tree of joints checked once when it is built, and its poses, which are values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import PoseError, SkeletonError, UnknownJointError
from posable.skeleton.batches import clamp_all, differences, fill_frames, flat_rows, jacobians, steps
from posable.skeleton.body_roles.search import Parts, find_parts
from posable.skeleton.body_roles.skeleton_facts import NOTHING_SEEN, Seen, body_of
from posable.skeleton.coordinates import check_coordinates, numbers, random_coordinates, reach_of, rest_of, unlimited
from posable.skeleton.joint import Cone, Joint
from posable.skeleton.names import find_joint
from posable.skeleton.tables import SCALAR, Packed, Tables, build_tables, pack
from posable.skeleton.twists import Twists, shared_of, stilled, turn_shared, twists_of
from posable.spatial import Array


@dataclass(frozen=True, eq=False)
class Skeleton:
    """A frozen tree of joints with limits and names. Two are equal when their joints and up axes are.

    Args:
        definitions: The joints, parents before children, with one root or several.
        up: The world axis that points up, "y" or "z".

    Raises:
        SkeletonError: If the joints do not make a tree, or mimic what does not exist.

    Example:
        >>> hinge = (posable.Axis((0, 0, 1), lower=-2, upper=2),)
        >>> arm = posable.Skeleton([posable.Joint("a", axes=hinge), posable.Joint("b", "ball", "a", (0.3, 0, 0))])
        >>> arm.freedoms
        ('a.z', 'b.x', 'b.y', 'b.z')
    """

    definitions: tuple[Joint, ...]
    up: Literal["y", "z"] = "y"
    tables: Tables = field(init=False, repr=False)
    packed: Packed = field(init=False, repr=False)
    twists: Twists | None = field(init=False, repr=False)
    _met: dict[str, int] = field(init=False, repr=False)
    seen: Seen = field(init=False, repr=False)

    def __init__(self, definitions: Iterable[Joint], up: Literal["y", "z"] = "y") -> None:
        definitions = tuple(definitions)
        if up not in ("y", "z"):
            raise SkeletonError(f"the up axis is 'y' or 'z', not {up!r}")
        shared = shared_of(definitions)
        tables = build_tables(stilled(definitions, shared))
        own = {"definitions": definitions, "up": up, "tables": tables, "packed": pack(tables), "_met": {}}
        self.__dict__.update(own, twists=twists_of(definitions, shared, tables), seen=NOTHING_SEEN)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Skeleton) and (
            self is other or (self.up, self.definitions) == (other.up, other.definitions)
        )

    def __hash__(self) -> int:
        return hash((self.up, self.joints))

    def __reduce__(self) -> tuple[type[Skeleton], tuple[tuple[Joint, ...], str], dict[str, Seen]]:
        return Skeleton, (self.definitions, self.up), {"seen": self.seen}

    def __repr__(self) -> str:
        return f"Skeleton({len(self.joints)} joints, {self.dof} freedoms, up {self.up})"

    @cached_property
    def joints(self) -> tuple[str, ...]:
        """The names of the joints, parents first."""
        return tuple(joint.name for joint in self.definitions)

    @cached_property
    def aliases(self) -> Mapping[str, int]:
        """Every exact name that finds a joint, own names before aliases, to its index."""
        found = {joint.name: i for i, joint in enumerate(self.definitions)}
        for i, joint in enumerate(self.definitions):
            for alias in joint.aliases:
                found.setdefault(alias, i)
        return MappingProxyType(found)

    @property
    def parents(self) -> np.ndarray:
        """`[joint]`, the index of the joint above, -1 for a root."""
        return self.tables.parent

    @property
    def dof(self) -> int:
        """The number of freedoms: the size of the tangent space."""
        return len(self.tables.lower)

    @property
    def coordinates(self) -> int:
        """The size of the last axis of `pose.q`."""
        return int(self.tables.first_coordinate[-1])

    @property
    def lower(self) -> Array:
        """`[dof]` lower limits, -inf where free (rad, or the length unit of the figure)."""
        return self.tables.lower

    @property
    def upper(self) -> Array:
        """`[dof]` upper limits, inf where free."""
        return self.tables.upper

    @cached_property
    def slides(self) -> np.ndarray:
        """`[dof]` True for the freedoms that are lengths, False for those that are angles."""
        return np.array([slide for joint in self.definitions for slide in joint.slides], bool)

    @cached_property
    def cones(self) -> Mapping[str, Cone]:
        """Swing–twist limits by the name of the ball joint."""
        return MappingProxyType({joint.name: joint.cone for joint in self.definitions if joint.cone})

    @cached_property
    def freedoms(self) -> tuple[str, ...]:
        """`[dof]` names such as "spine.x"."""
        return tuple(f"{joint.name}.{name}" for joint in self.definitions for name in joint.freedom_names)

    def index(self, name: str) -> int:
        """The joint of that name, matched forgivingly, or else of that role, "left foot". Raises UnknownJointError."""
        with suppress(KeyError, TypeError):
            return self._met[name]
        found = self._met[name] = find_joint(name, self.joints, self.aliases, lambda: self.parts.joints)
        return found

    @cached_property
    def parts(self) -> Parts:
        """Which joint is which part of the body, and the facing of the figure; computed on first use."""
        rest = Pose.trusted(self, self.rest_coordinates).world_from_joint
        return find_parts(body_of(self.definitions, self.parents.tolist(), rest, self.up, self.seen))

    def notice(self, seen: Seen) -> None:
        """Store the evidence of the skins and clips of the first figure on this skeleton, for finding parts."""
        self.__dict__.pop("parts", None)
        self.__dict__["seen"] = seen
        self._met.clear()

    def shares_poses(self, other: Skeleton) -> bool:
        """Whether poses of `other` are poses of this one: the same joints with as many coordinates, in order."""
        if self is other:  # the usual case: a figure has many clips
            return True
        mine, theirs = ([(j.name, j.coordinates) for j in one.definitions] for one in (self, other))
        return mine == theirs

    def children(self, joint: str | int) -> tuple[int, ...]:
        """Indices of the joints directly below."""
        i = joint if isinstance(joint, int) else self.index(joint)
        return tuple(int(c) for c in np.flatnonzero(self.parents == i))

    def chain(self, joint: str | int) -> tuple[int, ...]:
        """Indices from the root down to `joint`, both included."""
        found = [joint if isinstance(joint, int) else self.index(joint)]
        while (above := int(self.parents[found[-1]])) >= 0:
            found.append(above)
        return tuple(reversed(found))

    def freedom_range(self, joint: str | int) -> range:
        """The freedoms of one joint, as indices into the tangent."""
        i = joint if isinstance(joint, int) else self.index(joint)
        return range(*self.tables.first_dof[i : i + 2].tolist())

    def freedom_mask(self, names: Sequence[str]) -> np.ndarray:
        """`[dof]` True for those of joints ("root") and axes ("spine.x"). Raises UnknownJointError or SkeletonError."""
        mask = np.zeros(self.dof, bool)
        for name in names:
            if not isinstance(name, str):
                raise SkeletonError(f"joints and axes are named, as in 'root' or 'spine.x', not {name!r}")
            own = [n for n, freedom in enumerate(self.freedoms) if freedom == name]
            mask[own or self._freedoms_called(name)] = True
        return mask

    def _freedoms_called(self, name: str) -> list[int]:
        try:
            return list(self.freedom_range(name))
        except UnknownJointError:
            joint, dot, axis = name.rpartition(".")
            own = self.definitions[self.index(joint)].freedom_names if dot else ()
            if axis not in own:
                raise
            return [self.freedom_range(joint).start + own.index(axis)]

    @cached_property
    def rest_coordinates(self) -> Array:
        """`[coordinates]` of the rest pose: as stated, or neutral ones moved inside the limits."""
        q = np.concatenate([rest_of(joint) for joint in self.definitions])
        q.setflags(write=False)
        return q

    @cached_property
    def quaternion_columns(self) -> np.ndarray:
        """`[ball or free joint, 4]`: indices of the quaternions in `pose.q`."""
        ends = self.tables.first_coordinate[1:][self.tables.code != SCALAR]
        return ends[:, None] + np.arange(-4, 0)

    @cached_property
    def reach(self) -> float:
        """The longest path from a root along the joints to an end: the unit in which errors are measured."""
        return reach_of(self.definitions, self.parents)

    def random_coordinates(self, rng: np.random.Generator, shape: Sequence[int] = ()) -> Array:
        """Coordinates `[*shape, coordinates]` as `random_pose` draws them."""
        return random_coordinates(self.definitions, self.rest_coordinates, self.reach, rng, tuple(shape))

    def random_pose(self, rng: np.random.Generator, shape: Sequence[int] = ()) -> Pose:
        """Draw poses uniformly within the limits; inactive joints stay at rest.

        Args:
            rng: The random numbers.
            shape: Shape of the batch, () for one pose. Without limits an angle is within ±π, a ball has any rotation,
                and a slide and a free joint are within ± `reach`.
        """
        return Pose.trusted(self, self.random_coordinates(rng, shape))

    def without_limits(self) -> Skeleton:
        """The same joints with no limit on any freedom."""
        return Skeleton(map(unlimited, self.definitions), self.up)


class Pose:
    """One state of a skeleton, or a batch of states: a value, whose derived quantities are computed once.

    Args:
        skeleton: The skeleton.
        q: Coordinates `[..., coordinates]`, joint by joint: angles of axes in radians, slides in lengths, a ball's
            rotation wxyz relative to rest, a free joint's position and rotation wxyz in its parent's frame.
            Quaternions are brought to length 1.

    Raises:
        PoseError: If the shape does not fit, a number is not finite or a quaternion has length 0.

    Example:
        >>> pose = posable.Pose(figure.skeleton, figure.rest.q).with_joint("forearm_r", 0.5)
    """

    skeleton: Skeleton
    q: Array

    def __init__(self, skeleton: Skeleton, q: ArrayLike) -> None:
        q, count = numbers(q), skeleton.coordinates
        if q.ndim < 1 or q.shape[-1] != count:
            raise PoseError(f"a pose of this skeleton has {count} coordinates, not an array of shape {q.shape}")
        check_coordinates(skeleton.definitions, q, skeleton.quaternion_columns)
        q.setflags(write=False)
        self.__dict__.update(skeleton=skeleton, q=q)

    @classmethod
    def trusted(cls, skeleton: Skeleton, q: Array) -> Pose:
        """A pose of coordinates that are known to be valid (posable's own results): no checks, no copy."""
        pose = object.__new__(cls)
        q.setflags(write=False)
        pose.__dict__.update(skeleton=skeleton, q=q)
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
            raise PoseError("this is one pose, not a batch; it cannot be indexed")
        index = index if isinstance(index, tuple) else (index,)
        pose = Pose.trusted(self.skeleton, self.q[(*index, slice(None))])
        if "world_from_joint" in self.__dict__:  # computed already
            pose.__dict__["world_from_joint"] = self.world_from_joint[index]
        return pose

    @cached_property
    def world_from_joint(self) -> Array:
        """`[..., joint, 4, 4]`: joint coordinates to world coordinates."""
        matrices = fill_frames(self.skeleton.packed, self.q, np.empty((*self.shape, len(self.skeleton.joints), 4, 4)))
        turn_shared(self.skeleton.twists, self.q, matrices).setflags(write=False)
        return matrices

    @property
    def origins(self) -> Array:
        """`[..., joint, 3]`: where the joints are in the world."""
        return self.world_from_joint[..., :3, 3]

    def jacobian(self, joint: str, tip: ArrayLike = (0.0, 0.0, 0.0)) -> Array:
        """Return the velocities `[..., 6, dof]`, linear then angular, in the world, of a point fixed to a joint.

        The derivative along `plus`: for q(t) = q ⊕ t v, d(point)/dt is J v.

        Args:
            joint: Name of the joint.
            tip: The point `[3]` in the joint's frame.

        Raises:
            PoseError: If the tip is not 3 finite numbers; UnknownJointError if there is no such joint.
        """
        tip = numbers(tip)
        if tip.shape != (3,) or not np.isfinite(tip).all():
            raise PoseError(f"a tip is 3 finite numbers, not {tip}")
        index, flat = self.skeleton.index(joint), flat_rows(self.q, self.shape)
        out = np.empty((len(flat), 6, self.skeleton.dof))
        jacobians(self.skeleton.packed, flat, index, tip, out)
        return out.reshape(*self.shape, 6, self.skeleton.dof)

    def plus(self, v: ArrayLike) -> Pose:
        """Return the pose reached along a tangent, q ⊕ v, without regard to limits.

        Args:
            v: Tangent `[..., dof]` in radians and lengths; of a rotation, a rotation vector in the joint's own frame.

        Raises:
            PoseError: If the shape does not fit or a number is not finite.
        """
        v, count = numbers(v), self.skeleton.dof
        if v.shape[-1:] != (count,):
            raise PoseError(f"a tangent of this skeleton has {count} entries, not an array of shape {v.shape}")
        if not (np.abs(v) < 1e15).all():
            raise PoseError("an entry of the tangent is not a finite number below 1e15")
        shape = self._common(v.shape[:-1])
        q, v = flat_rows(self.q, shape), flat_rows(v, shape)
        out = np.empty(q.shape)
        steps(self.skeleton.packed, q, v, out)
        return Pose.trusted(self.skeleton, out.reshape(*shape, self.skeleton.coordinates))

    def minus(self, other: Pose) -> Array:
        """Return the tangent `[..., dof]` from `other` to this pose: other.plus(self.minus(other)) is this pose.

        Args:
            other: A pose of the same skeleton. Rotations take the shorter path.

        Raises:
            PoseError: If the other pose belongs to another skeleton.
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
            raise PoseError(f"batches of shapes {self.shape} and {other} cannot be broadcast together") from problem

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
        """Return the same pose with other coordinates of one joint.

        Args:
            joint: Name of the joint.
            coordinates: `[..., own coordinates]`; for a hinge, a number is enough.

        Raises:
            PoseError: If the shape does not fit; UnknownJointError if there is no such joint.
        """
        i = self.skeleton.index(joint)
        first, end = self.skeleton.tables.first_coordinate[i : i + 2]
        own = np.atleast_1d(numbers(coordinates))
        if own.shape[-1] != end - first:
            raise PoseError(f"joint {self.skeleton.joints[i]!r} has {end - first} coordinates, not {own.shape[-1]}")
        shape = self._common(own.shape[:-1])
        q = np.array(np.broadcast_to(self.q, (*shape, self.q.shape[-1])))
        q[..., first:end] = own
        return Pose(self.skeleton, q)

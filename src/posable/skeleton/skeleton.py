"""The skeleton: a frozen tree of joints, checked once where it is built."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Literal

import numpy as np

from posable.errors import SkeletonError, UnknownJointError
from posable.skeleton.joint import Cone, Joint
from posable.skeleton.names import find_joint
from posable.skeleton.pose import Pose
from posable.skeleton.sampling import random_coordinates, rest_of
from posable.skeleton.tables import SCALAR, Packed, Tables, build_tables, pack
from posable.spatial import Array

MAX_JOINTS = 100_000
_SHORTEST, _LONGEST = 1e-50, 1e50  # reaches whose powers are numbers


@dataclass(frozen=True, eq=False)
class Skeleton:
    """What can move: joints, parents first, with one root (or several), limits per freedom, and names.

    definitions: the joints. up: which world axis points up, "y" or "z".
    Two skeletons are equal when their joints and up axis are. Raises SkeletonError where the joints do not make a tree.
    """

    definitions: tuple[Joint, ...]
    up: Literal["y", "z"] = "y"
    tables: Tables = field(init=False, repr=False)
    packed: Packed = field(init=False, repr=False)

    def __init__(self, definitions: Iterable[Joint], up: Literal["y", "z"] = "y") -> None:
        definitions = tuple(definitions)
        if up not in ("y", "z"):
            raise SkeletonError(f"the up axis is 'y' or 'z', not {up!r}")
        index = _checked_order(definitions)
        object.__setattr__(self, "definitions", definitions)
        object.__setattr__(self, "up", up)
        object.__setattr__(self, "tables", build_tables(definitions, index))
        object.__setattr__(self, "packed", pack(self.tables))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Skeleton) and (
            self is other or (self.up, self.definitions) == (other.up, other.definitions)
        )

    def __hash__(self) -> int:
        return hash((self.up, self.joints))

    def __reduce__(self) -> tuple[type[Skeleton], tuple[tuple[Joint, ...], str]]:
        return Skeleton, (self.definitions, self.up)

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
        """The index of the joint that `name` means, matched forgivingly. Raises UnknownJointError."""
        return find_joint(name, self.joints, self.aliases)

    def shares_poses(self, other: Skeleton) -> bool:
        """Whether poses of `other` are poses of this one: the same joints with the same numbers of coordinates, in
        order. Limits, lengths and rest poses may differ.
        """
        if self is other:  # as a rule: a figure's clips are many
            return True
        mine, theirs = ([(j.name, j.coordinates) for j in one.definitions] for one in (self, other))
        return mine == theirs

    def children(self, joint: str | int) -> tuple[int, ...]:
        """Indices of the joints directly below."""
        i = joint if isinstance(joint, int) else self.index(joint)
        return tuple(int(c) for c in np.flatnonzero(self.parents == i))

    def chain(self, joint: str | int) -> tuple[int, ...]:
        """Indices from the root down to `joint`, both included."""
        i = joint if isinstance(joint, int) else self.index(joint)
        found = []
        while i >= 0:
            found.append(i)
            i = int(self.parents[i])
        return tuple(reversed(found))

    def freedom_range(self, joint: str | int) -> range:
        """The freedoms of one joint, as indices into the tangent."""
        i = joint if isinstance(joint, int) else self.index(joint)
        return range(int(self.tables.first_dof[i]), int(self.tables.first_dof[i + 1]))

    def freedom_mask(self, names: Sequence[str]) -> np.ndarray:
        """`[dof]` True for the freedoms of the named joints ("root") and single axes ("spine.x").

        Raises UnknownJointError, SkeletonError for what is no name.
        """
        mask = np.zeros(self.dof, bool)
        for name in names:
            if not isinstance(name, str):
                raise SkeletonError(f"joints and axes are named, as in 'root' or 'spine.x', not {name!r}")
            if name in self.freedoms:
                mask[[n for n, freedom in enumerate(self.freedoms) if freedom == name]] = True
                continue
            try:
                mask[list(self.freedom_range(name))] = True
            except UnknownJointError:
                joint, dot, axis = name.rpartition(".")
                if not dot or axis not in self.definitions[self.index(joint)].freedom_names:
                    raise
                mask[
                    self.freedom_range(joint).start + self.definitions[self.index(joint)].freedom_names.index(axis)
                ] = True
        return mask

    @cached_property
    def rest_coordinates(self) -> Array:
        """`[coordinates]` of the rest pose: as stated, or neutral ones moved inside the limits."""
        q = np.concatenate([rest_of(joint) for joint in self.definitions])
        q.setflags(write=False)
        return q

    @cached_property
    def quaternion_columns(self) -> np.ndarray:
        """`[ball or free joint, 4]`: where in `pose.q` the quaternions stand."""
        ends = self.tables.first_coordinate[1:][self.tables.code != SCALAR]
        return ends[:, None] + np.arange(-4, 0)

    @cached_property
    def reach(self) -> float:
        """The longest way from a root along the joints to an end: the length against which errors are measured."""
        lengths = np.zeros(len(self.definitions))
        for i, joint in enumerate(self.definitions):
            step = 0.0 if joint.parent is None else math.hypot(*joint.position)
            slide = sum(
                max(abs(a.lower), abs(a.upper)) for a in joint.axes if a.slide and math.isfinite(a.upper - a.lower)
            )
            above = lengths[self.parents[i]] if joint.parent is not None else 0.0
            lengths[i] = above + step + slide
        tips = [lengths[i] + math.hypot(*tip) for i, joint in enumerate(self.definitions) for tip in joint.tips]
        longest = float(max([*lengths, *tips], default=0.0))
        if longest and not _SHORTEST <= longest <= _LONGEST:
            far = max(self.definitions, key=lambda joint: math.hypot(*joint.position))
            size = f"joint {far.name!r} is {math.hypot(*far.position):g} from its parent"
            raise SkeletonError(f"{size}, too short or too long to compute with: choose another unit")
        return longest or 1.0

    def random_coordinates(self, rng: np.random.Generator, shape: Sequence[int] = ()) -> Array:
        """Coordinates `[*shape, coordinates]` as `random_pose` draws them."""
        return random_coordinates(self.definitions, self.rest_coordinates, self.reach, rng, tuple(shape))

    def random_pose(self, rng: np.random.Generator, shape: Sequence[int] = ()) -> Pose:
        """A pose, or a batch of `shape`, uniform within the limits; what is not active stays at rest.

        Where there is no limit: a turn within ±π, a ball any rotation, a slide and a free root within ± `reach`.
        """
        return Pose.trusted(self, self.random_coordinates(rng, shape))

    def without_limits(self) -> Skeleton:
        """The same joints with no limit on any freedom."""
        free = [
            replace(
                joint,
                cone=None,
                axes=tuple(replace(a, lower=-math.inf, upper=math.inf) for a in joint.axes),
                rest=tuple(rest_of(joint)),
            )
            for joint in self.definitions
        ]
        return Skeleton(free, self.up)


def _checked_order(joints: Sequence[Joint]) -> dict[str, int]:
    if not joints:
        raise SkeletonError("a skeleton needs at least one joint")
    if len(joints) > MAX_JOINTS:
        raise SkeletonError(f"{len(joints):,} joints; posable takes at most {MAX_JOINTS:,}")
    index: dict[str, int] = {}
    for i, joint in enumerate(joints):
        if joint.name in index:
            raise SkeletonError(f"two joints are called {joint.name!r}; names must differ")
        if joint.parent is not None and joint.parent not in index:
            later = any(other.name == joint.parent for other in joints[i:])
            why = "comes after it (or the parents run in a circle); list parents first" if later else "is not there"
            raise SkeletonError(f"joint {joint.name!r}: its parent {joint.parent!r} {why}")
        index[joint.name] = i
    return index

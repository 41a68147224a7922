"""The arrays that kernels read: a skeleton as plain numbers. Built once by `Skeleton`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.errors import SkeletonError
from posable.skeleton.joint import Cone, Follow, Joint
from posable.spatial import IDENTITY_WXYZ, matrix_from_wxyz, normalized

SCALAR, BALL, FREE = 0, 1, 2
MAX_JOINTS = 100_000

AxisKey = tuple[int, int]  # (joint, axis)
Chain = tuple[AxisKey, float, float]  # an axis of its own, gain, offset


class Tables(NamedTuple):
    """One row per joint, per axis or per freedom; `first_*` have one entry more, so that [i]:[i+1] is a range."""

    parent: NDArray[np.int64]  # [joint] -1 for the root
    code: NDArray[np.int64]  # [joint] SCALAR (any number of axes, none if fixed), BALL or FREE
    turn: NDArray[np.float64]  # [joint, 3, 3] the joint's rest frame in its parent's
    offset: NDArray[np.float64]  # [joint, 3]
    anchor: NDArray[np.float64]  # [joint, 3] the centre of a ball
    turned: NDArray[np.bool_]  # [joint] whether `turn` is more than the identity
    anchored: NDArray[np.bool_]  # [joint] whether `anchor` is away from the joint's origin
    first_coordinate: NDArray[np.int64]  # [joint + 1]
    first_dof: NDArray[np.int64]  # [joint + 1]
    first_axis: NDArray[np.int64]  # [joint + 1]
    slides: NDArray[np.bool_]  # [axis]
    direction: NDArray[np.float64]  # [axis, 3]
    axis_anchor: NDArray[np.float64]  # [axis, 3]
    axis_anchored: NDArray[np.bool_]  # [axis] whether the axis misses the joint's origin
    # An axis stands at gain · q[coordinate] + gain2 · q[coordinate2] + shift: mimics and absolute angles are couplings.
    axis_coordinate: NDArray[np.int64]  # [axis]
    axis_dof: NDArray[np.int64]  # [axis] the freedom of that coordinate
    gain: NDArray[np.float64]  # [axis]
    axis_coordinate2: NDArray[np.int64]  # [axis]
    axis_dof2: NDArray[np.int64]  # [axis]
    gain2: NDArray[np.float64]  # [axis] 0 where there is no second one
    shift: NDArray[np.float64]  # [axis]
    lower: NDArray[np.float64]  # [dof]
    upper: NDArray[np.float64]  # [dof]
    active: NDArray[np.bool_]  # [dof]
    # Per joint: axis (3), centre wxyz (4), swing, twist lower, twist upper, the cosine of swing, sine and cosine of
    # half the lower and half the upper twist; swing is -1 where there is no cone.
    cones: NDArray[np.float64]  # [joint, 15]

    @property
    def rotation_freedoms(self) -> NDArray[np.int64]:
        """`[ball or free joint, 3]`: where in the tangent their rotation vectors stand."""
        ends = self.first_dof[1:][self.code != SCALAR]
        return ends[:, None] + np.arange(-3, 0)

    @property
    def axis_columns(self) -> NDArray[np.int64]:
        """`[dof]`: where in `pose.q` an axis' angle or length stands; -1 for the freedoms of balls and free joints."""
        dof = np.arange(len(self.lower))
        joint = np.repeat(np.arange(len(self.parent)), np.diff(self.first_dof))
        columns = self.first_coordinate[joint] + dof - self.first_dof[joint]
        return np.where(self.code[joint] == SCALAR, columns, -1)


def build_tables(joints: Sequence[Joint]) -> Tables:
    """The arrays of joints. Raises SkeletonError where they are not a tree, or a mimic has no joint to follow."""
    index = _checked_order(joints)
    firsts = [
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        for counts in ([j.coordinates for j in joints], [j.dof for j in joints], [len(j.axes) for j in joints])
    ]
    axes = [axis for joint in joints for axis in joint.axes]
    couplings = _couplings(joints, index, firsts)
    lower, upper = _limits(joints)
    wxyz = _array([IDENTITY_WXYZ if j.floating else j.wxyz for j in joints], (4,))
    turn = np.ascontiguousarray(matrix_from_wxyz(normalized(wxyz)))
    anchor, axis_anchor = _array([j.anchor for j in joints], (3,)), _array([axis.anchor for axis in axes], (3,))
    tables = Tables(
        parent=np.array([-1 if j.parent is None else index[j.parent] for j in joints], np.int64),
        code=np.array([FREE if j.floating else BALL if j.has_quaternion else SCALAR for j in joints], np.int64),
        turn=turn,
        offset=_array([(0, 0, 0) if j.floating else j.position for j in joints], (3,)),
        anchor=anchor,
        turned=(turn != np.eye(3)).any(axis=(1, 2)),
        anchored=np.any(anchor != 0, axis=1),
        first_coordinate=firsts[0],
        first_dof=firsts[1],
        first_axis=firsts[2],
        slides=np.array([axis.slide for axis in axes], bool),
        direction=_array([axis.direction for axis in axes], (3,)),
        axis_anchor=axis_anchor,
        axis_anchored=np.any(axis_anchor != 0, axis=1),
        **couplings,
        lower=lower,
        upper=upper,
        active=np.array([a for j in joints for a in (j.active or (True,) * j.dof)], bool),
        cones=_array([cone_numbers(j.cone) for j in joints], (15,)),
    )
    for array in tables:
        array.setflags(write=False)
    return tables


def _checked_order(joints: Sequence[Joint]) -> dict[str, int]:
    if not joints:
        raise SkeletonError("a skeleton needs at least one joint")
    if len(joints) > MAX_JOINTS:
        raise SkeletonError(f"{len(joints):,} joints; posable accepts at most {MAX_JOINTS:,}")
    index: dict[str, int] = {}
    for i, joint in enumerate(joints):
        if joint.name in index:
            raise SkeletonError(f"two joints are called {joint.name!r}; names must differ")
        if joint.parent is not None and joint.parent not in index:
            later = any(other.name == joint.parent for other in joints[i:])
            why = "comes after it (or the parents run in a circle); list parents first" if later else "does not exist"
            raise SkeletonError(f"joint {joint.name!r}: its parent {joint.parent!r} {why}")
        index[joint.name] = i
    return index


def _array(rows: Sequence[object], shape: tuple[int, ...]) -> NDArray[np.float64]:
    return np.array(rows, np.float64).reshape(len(rows), *shape)


def cone_numbers(cone: Cone | None) -> tuple[float, ...]:
    """A row of `Tables.cones`."""
    if cone is None:
        return (0.0, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1, 0, 1, 0, 1)
    low, high = cone.twist[0] / 2, cone.twist[1] / 2
    edges = (math.cos(cone.swing), math.sin(low), math.cos(low), math.sin(high), math.cos(high))
    return (*cone.axis, *cone.center, cone.swing, *cone.twist, *edges)


def _limits(joints: Sequence[Joint]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    pairs = []
    for joint in joints:
        pairs += [(-np.inf, np.inf)] * len(joint.manifold.slides)
        pairs += [(axis.lower, axis.upper) for axis in joint.own_axes]
    bounds = np.array(pairs, float).reshape(-1, 2)
    return np.ascontiguousarray(bounds[:, 0]), np.ascontiguousarray(bounds[:, 1])


def _own_freedoms(joints: Sequence[Joint], firsts: Sequence[NDArray[np.int64]]) -> dict[AxisKey, tuple[int, int]]:
    """(joint, axis) → (coordinate, freedom), for axes that have one of their own."""
    own: dict[AxisKey, tuple[int, int]] = {}
    for j, joint in enumerate(joints):
        free_axes = [k for k, axis in enumerate(joint.axes) if axis.follow is None]
        for count, k in enumerate(free_axes):
            own[j, k] = int(firsts[0][j]) + count, int(firsts[1][j]) + count
    return own


def _couplings(
    joints: Sequence[Joint], index: Mapping[str, int], firsts: Sequence[NDArray[np.int64]]
) -> dict[str, NDArray]:
    own = _own_freedoms(joints, firsts)
    chains: dict[AxisKey, Chain] = {key: (key, 1.0, 0.0) for key in own}
    above = _absolute_ancestors(joints, index)
    rows = []
    for j, joint in enumerate(joints):
        for k, axis in enumerate(joint.axes):
            source, gain, shift = _followed(joints, index, (j, k), chains)
            coordinate, dof = own[source]
            coordinate2, dof2 = own[above[j], 0] if joint.absolute and above[j] >= 0 else (coordinate, dof)
            gain2 = -1.0 if joint.absolute and above[j] >= 0 else 0.0
            rows.append((coordinate, dof, gain, coordinate2, dof2, gain2, shift - axis.reference))
    columns = list(zip(*rows, strict=True)) if rows else [()] * 7
    names = ("axis_coordinate", "axis_dof", "gain", "axis_coordinate2", "axis_dof2", "gain2", "shift")
    types = (np.int64, np.int64, np.float64, np.int64, np.int64, np.float64, np.float64)
    return {name: np.array(column, kind) for name, column, kind in zip(names, columns, types, strict=True)}


def _followed(joints: Sequence[Joint], index: Mapping[str, int], start: AxisKey, chains: dict[AxisKey, Chain]) -> Chain:
    """The axis at the end of a chain of mimics, with the gain and offset of the whole chain; kept in `chains`."""
    passed: dict[AxisKey, Follow] = {}
    key = start
    while key not in chains:
        follow = joints[key[0]].axes[key[1]].follow
        assert follow is not None  # an axis of its own is in `chains` from the beginning
        passed[key] = follow
        if follow.joint not in index or not 0 <= follow.axis < len(joints[index[follow.joint]].axes):
            raise SkeletonError(
                f"joint {joints[key[0]].name!r} mimics {follow.joint!r}, but no joint of that name has such an axis"
            )
        key = (index[follow.joint], follow.axis)
        if key in passed:
            raise SkeletonError(
                f"joint {joints[key[0]].name!r} mimics itself in a circle; one of them must move by itself"
            )
    source, gain, shift = chains[key]
    for key, follow in reversed(passed.items()):
        gain, shift = gain * follow.gain, follow.gain * shift + follow.offset
        if not (math.isfinite(gain) and math.isfinite(shift)):
            raise SkeletonError(
                f"joint {joints[key[0]].name!r} is mimicked by a value that overflows; correct the gains and offsets"
            )
        chains[key] = (source, gain, shift)
    return chains[start]


def _absolute_ancestors(joints: Sequence[Joint], index: Mapping[str, int]) -> list[int]:
    """Per joint, the nearest one above with an absolute angle, -1 without one below the root.

    Between two absolute joints, or one and the root, only fixed ones may stand.
    """
    above: list[int] = []
    mover: list[str] = []  # the joint that moves above each, neither absolute nor the root
    for joint in joints:
        p = -1 if joint.parent is None else index[joint.parent]
        own = p >= 0 and joints[p].absolute
        passes = p >= 0 and not own and joints[p].kind == "fixed"
        stops = p >= 0 and not (own or passes or joints[p].parent is None)
        above.append(p if own else above[p] if passes else -1)
        mover.append(joints[p].name if stops else mover[p] if passes else "")
        if joint.absolute and mover[-1]:
            raise SkeletonError(
                f"joint {joint.name!r} has an absolute angle, so {mover[-1]!r}, which moves above it, must have one too"
            )
    return above


# The same tables in six arrays: every array that a kernel takes costs compile time and time at each call.


# Columns of `joint`; the last row holds only the ends of the three ranges.
PARENT, CODE, COORDINATE, DOF, AXIS, TURNED, ANCHORED = range(7)
# Columns of `frame`.
TURN, OFFSET, ANCHOR = 0, 9, 12
# Columns of `axis_number`.
SLIDES, AXIS_ANCHORED, AXIS_COORDINATE, AXIS_DOF, AXIS_COORDINATE2, AXIS_DOF2 = range(6)
# Columns of `axis`.
DIRECTION, AXIS_ANCHOR, GAIN, GAIN2, SHIFT = 0, 3, 6, 7, 8
# Columns of `bound`.
LOWER, UPPER = 0, 1


class Packed(NamedTuple):
    """What kernels read; the columns are named above and explained in `Tables`."""

    joint: NDArray[np.int64]  # [joint + 1, 7]
    frame: NDArray[np.float64]  # [joint, 15]
    axis_number: NDArray[np.int64]  # [axis, 6]
    axis: NDArray[np.float64]  # [axis, 9]
    bound: NDArray[np.float64]  # [dof, 2]
    cones: NDArray[np.float64]  # [joint, 15]


def pack(t: Tables) -> Packed:
    """The tables, packed."""
    count = len(t.parent)
    joint = np.zeros((count + 1, 7), np.int64)
    joint[:, COORDINATE], joint[:, DOF], joint[:, AXIS] = t.first_coordinate, t.first_dof, t.first_axis
    for column, values in ((PARENT, t.parent), (CODE, t.code), (TURNED, t.turned), (ANCHORED, t.anchored)):
        joint[:count, column] = values
    numbers = (t.slides, t.axis_anchored, t.axis_coordinate, t.axis_dof, t.axis_coordinate2, t.axis_dof2)
    packed = Packed(
        joint,
        np.concatenate([t.turn.reshape(count, 9), t.offset, t.anchor], axis=1),
        np.stack([np.asarray(column, np.int64) for column in numbers], axis=1),
        np.concatenate([t.direction, t.axis_anchor, np.stack([t.gain, t.gain2, t.shift], axis=1)], axis=1),
        np.stack([t.lower, t.upper], axis=1),
        np.array(t.cones),
    )
    for array in packed:
        array.setflags(write=False)
    return packed

"""The arrays that kernels read: a skeleton as plain numbers. Built once by `Skeleton`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.errors import SkeletonError
from posable.skeleton.joint import Axis, Joint
from posable.spatial import matrix_from_wxyz, normalized

SCALAR, BALL, FREE = 0, 1, 2


class Tables(NamedTuple):
    """One row per joint, per axis or per freedom; `first_*` arrays have one entry more, so that [i]:[i+1] is a range."""

    parent: NDArray[np.int64]  # [joint] -1 for the root
    code: NDArray[np.int64]  # [joint] SCALAR (any number of axes, none if fixed), BALL or FREE
    turn: NDArray[np.float64]  # [joint, 3, 3] the joint's rest frame in its parent's
    offset: NDArray[np.float64]  # [joint, 3]
    anchor: NDArray[np.float64]  # [joint, 3] the centre of a ball
    first_coordinate: NDArray[np.int64]  # [joint + 1]
    first_dof: NDArray[np.int64]  # [joint + 1]
    first_axis: NDArray[np.int64]  # [joint + 1]
    slides: NDArray[np.bool_]  # [axis]
    direction: NDArray[np.float64]  # [axis, 3]
    axis_anchor: NDArray[np.float64]  # [axis, 3]
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
    # Per joint: axis (3), centre wxyz (4), swing, twist lower, twist upper; swing is -1 where there is no cone.
    cones: NDArray[np.float64]  # [joint, 10]


def build_tables(joints: Sequence[Joint], index: Mapping[str, int]) -> Tables:
    """The arrays of checked joints, parents first."""
    firsts = [
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        for counts in ([j.coordinates for j in joints], [j.dof for j in joints], [len(j.axes) for j in joints])
    ]
    axes = [axis for joint in joints for axis in joint.axes]
    couplings = _couplings(joints, index, firsts)
    lower, upper = _limits(joints)
    tables = Tables(
        parent=np.array([-1 if j.parent is None else index[j.parent] for j in joints], np.int64),
        code=np.array([{"ball": BALL, "free": FREE}.get(j.kind, SCALAR) for j in joints], np.int64),
        turn=_array([np.eye(3) if j.kind == "free" else matrix_from_wxyz(normalized(j.wxyz)) for j in joints], (3, 3)),
        offset=_array([(0, 0, 0) if j.kind == "free" else j.position for j in joints], (3,)),
        anchor=_array([j.anchor for j in joints], (3,)),
        first_coordinate=firsts[0],
        first_dof=firsts[1],
        first_axis=firsts[2],
        slides=np.array([axis.slide for axis in axes], bool),
        direction=_array([axis.direction for axis in axes], (3,)),
        axis_anchor=_array([axis.anchor for axis in axes], (3,)),
        **couplings,
        lower=lower,
        upper=upper,
        active=np.array([a for j in joints for a in (j.active or (True,) * j.dof)], bool),
        cones=_array([_cone_row(j) for j in joints], (10,)),
    )
    for array in tables:
        array.setflags(write=False)
    return tables


def _array(rows: Sequence[object], shape: tuple[int, ...]) -> NDArray[np.float64]:
    return np.array(rows, np.float64).reshape(len(rows), *shape)


def _cone_row(joint: Joint) -> tuple[float, ...]:
    cone = joint.cone
    return (*cone.axis, *cone.center, cone.swing, *cone.twist) if cone else (0.0, 0, 0, 1, 0, 0, 0, -1, 0, 0)


def _limits(joints: Sequence[Joint]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    pairs = []
    for joint in joints:
        own = [(axis.lower, axis.upper) for axis in joint.axes if axis.follow is None]
        pairs += own if joint.axes else [(-np.inf, np.inf)] * joint.dof
    bounds = np.array(pairs, float).reshape(-1, 2)
    return np.ascontiguousarray(bounds[:, 0]), np.ascontiguousarray(bounds[:, 1])


def _own_freedoms(
    joints: Sequence[Joint], firsts: Sequence[NDArray[np.int64]]
) -> dict[tuple[int, int], tuple[int, int]]:
    """(joint, axis) → (coordinate, freedom), for axes that have one of their own."""
    own: dict[tuple[int, int], tuple[int, int]] = {}
    for j, joint in enumerate(joints):
        free_axes = [k for k, axis in enumerate(joint.axes) if axis.follow is None]
        for count, k in enumerate(free_axes):
            own[j, k] = int(firsts[0][j]) + count, int(firsts[1][j]) + count
    return own


def _couplings(
    joints: Sequence[Joint], index: Mapping[str, int], firsts: Sequence[NDArray[np.int64]]
) -> dict[str, NDArray]:
    own = _own_freedoms(joints, firsts)
    rows = []
    for j, joint in enumerate(joints):
        for k, axis in enumerate(joint.axes):
            source, gain, shift = _followed(joints, index, j, k, axis)
            coordinate, dof = own[source]
            second = _absolute_ancestor(joints, index, j) if joint.absolute else None
            coordinate2, dof2 = own[second, 0] if second is not None else (coordinate, dof)
            rows.append((coordinate, dof, gain, coordinate2, dof2, -1.0 if second is not None else 0.0, shift))
    columns = list(zip(*rows, strict=True)) if rows else [()] * 7
    names = ("axis_coordinate", "axis_dof", "gain", "axis_coordinate2", "axis_dof2", "gain2", "shift")
    types = (np.int64, np.int64, np.float64, np.int64, np.int64, np.float64, np.float64)
    return {name: np.array(column, kind) for name, column, kind in zip(names, columns, types, strict=True)}


def _followed(
    joints: Sequence[Joint], index: Mapping[str, int], j: int, k: int, axis: Axis
) -> tuple[tuple[int, int], float, float]:
    """The axis at the end of a chain of mimics, with the gain and offset of the whole chain less the axis's reference."""
    gain, shift, seen = 1.0, -axis.reference, {(j, k)}
    while axis.follow is not None:
        follow = axis.follow
        if follow.joint not in index or not 0 <= follow.axis < len(joints[index[follow.joint]].axes):
            raise SkeletonError(
                f"joint {joints[j].name!r} mimics {follow.joint!r}, which is no joint with such an axis"
            )
        shift += gain * follow.offset
        gain *= follow.gain
        j, k = index[follow.joint], follow.axis
        if (j, k) in seen:
            raise SkeletonError(f"joint {joints[j].name!r} mimics itself in a circle; one of them must move by itself")
        seen.add((j, k))
        axis = joints[j].axes[k]
    if not (math.isfinite(gain) and math.isfinite(shift)):
        raise SkeletonError(f"joint {joints[j].name!r} is mimicked beyond all numbers; correct the gains and offsets")
    return (j, k), gain, shift


def _absolute_ancestor(joints: Sequence[Joint], index: Mapping[str, int], j: int) -> int | None:
    """The nearest joint above that has an absolute angle too; between them only fixed joints may stand."""
    parent = joints[j].parent
    while parent is not None:
        above = joints[index[parent]]
        if above.absolute:
            return index[parent]
        if above.kind != "fixed":
            raise SkeletonError(
                f"joint {joints[j].name!r} has an absolute angle, so what moves above it must have one too"
            )
        parent = above.parent
    return None

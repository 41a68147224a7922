"""Kinds of targets: how each is moved into a frame and split into parts. Regions that a goal may name."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import GoalError
from posable.goals.terms import BOX, CAPSULE, CONE, FRAME, NOWHERE, POINT, SEGMENT, WXYZ
from posable.skeleton import Cone
from posable.skeleton.tables import cone_numbers
from posable.spatial import (
    Array,
    apply_transform,
    matrix_from_wxyz,
    normalized,
    transform,
    wxyz_from_matrix,
    wxyz_from_rotation_vector,
    wxyz_multiply,
)

Blend = Callable[..., Array]
"""Blends positions `[..., 3]` or rotations wxyz `[..., 4]`, one for each target, to one."""


class TargetKind:
    """A kind of target: arrays `[..., *shape]`. This one has neither a position nor a rotation, and stays as it is."""

    form: int = NOWHERE
    """How kernels read it."""
    can_blend: bool = False
    """Whether it has a position or a rotation, so that two of them can be interpolated."""

    def __init__(self, *shape: int) -> None:
        self.shape = shape

    def moved(self, frame: Array, target: Array) -> Array:
        """A target in frames `[..., 4, 4]`, moved to the frame in which these are given."""
        del frame
        return target

    def position(self, target: Array) -> Array | None:
        """`[..., 3]`; None for a kind without a position."""
        del target
        return None

    def wxyz(self, target: Array) -> Array | None:
        """The rotation `[..., 4]`; None for a kind without one."""
        del target
        return None

    def rotation(self, target: Array) -> Array | None:
        """The same as a matrix `[..., 3, 3]`."""
        del target
        return None

    def joined(self, position: Array, wxyz: Array) -> Array:
        """The target with this position and rotation, as far as its kind has them."""
        raise NotImplementedError

    def stepped_back(self, target: Array, step: Array) -> Array:
        """The target before `target` by a step `[..., 3 or 6]`: a displacement, a rotation vector or both."""
        raise NotImplementedError

    def blended(self, positions: Blend, rotations: Blend, *targets: Array) -> Array:
        """One target blended from several: its position by `positions`, its rotation by `rotations`."""
        nothing = np.empty(0)
        own = [self.position(target) for target in targets], [self.wxyz(target) for target in targets]
        position, wxyz = (
            nothing if parts[0] is None else blend(*parts)
            for blend, parts in zip((positions, rotations), own, strict=True)
        )
        return self.joined(position, wxyz)


class _Points(TargetKind):
    form, can_blend = POINT, True

    def moved(self, frame: Array, target: Array) -> Array:
        return apply_transform(frame, target)

    def position(self, target: Array) -> Array:
        return target

    def joined(self, position: Array, wxyz: Array) -> Array:
        del wxyz
        return position

    def stepped_back(self, target: Array, step: Array) -> Array:
        return target - step


class _Rotations(TargetKind):
    form, can_blend = WXYZ, True

    def moved(self, frame: Array, target: Array) -> Array:
        return wxyz_multiply(wxyz_from_matrix(frame[..., :3, :3]), target)

    def wxyz(self, target: Array) -> Array:
        return normalized(target)

    def rotation(self, target: Array) -> Array:
        return matrix_from_wxyz(target)

    def joined(self, position: Array, wxyz: Array) -> Array:
        del position
        return wxyz

    def stepped_back(self, target: Array, step: Array) -> Array:
        return wxyz_multiply(wxyz_from_rotation_vector(-step), target)


class _Frames(TargetKind):
    form, can_blend = FRAME, True

    def moved(self, frame: Array, target: Array) -> Array:
        return frame @ target

    def position(self, target: Array) -> Array:
        return target[..., :3, 3]

    def wxyz(self, target: Array) -> Array:
        return wxyz_from_matrix(target[..., :3, :3])

    def rotation(self, target: Array) -> Array:
        return target[..., :3, :3]

    def joined(self, position: Array, wxyz: Array) -> Array:
        return transform(position, wxyz)

    def stepped_back(self, target: Array, step: Array) -> Array:
        begin = np.array(np.broadcast_to(target, (*step.shape[:-1], 4, 4)))
        begin[..., :3, :3] = matrix_from_wxyz(wxyz_from_rotation_vector(-step[..., 3:])) @ begin[..., :3, :3]
        begin[..., :3, 3] -= step[..., :3]
        return begin


class Capsules(TargetKind):
    """`[..., capsule, 7]`: start, end and radius of each."""

    form = CAPSULE

    def __init__(self, count: int) -> None:
        super().__init__(count, 7)

    def moved(self, frame: Array, target: Array) -> Array:
        ends = [apply_transform(frame[..., None, :, :], target[..., k : k + 3]) for k in (0, 3)]
        radii = np.broadcast_to(target[..., 6:], (*ends[0].shape[:-1], 1))
        return np.concatenate([*ends, radii], axis=-1)


NO_TARGET = TargetKind(0)
"""Of goals that take none."""
POINTS, ROTATIONS, FRAMES = _Points(3), _Rotations(4), _Frames(4, 4)
"""`[..., 3]` positions; `[..., 4]` rotations, wxyz; `[..., 4, 4]` rigid transforms."""
OF_FORM = {kind.form: kind for kind in (POINTS, ROTATIONS, FRAMES)}
"""The kinds that have a position or a rotation, by how kernels read them."""


def points_turned(center: Array, wxyz: Array, points: Array) -> Array:
    """`points [..., 3]` rotated by `wxyz [..., 4]` about `center [..., 3]`."""
    return center + apply_transform(transform(wxyz=wxyz), points - center)


@dataclass(frozen=True)
class Segment:
    """A region: the straight line from the target to target + `to`.

    Args:
        to: Vector `[3]` along the axes of the world, or of the frame that the goal is relative to.

    Raises:
        GoalError: Unless `to` is 3 finite numbers.

    Example:
        >>> rail = posable.Reach("hand_r", (0.2, 1.0, 0.4), within=posable.Segment((0.6, 0.0, 0.0)))
    """

    to: tuple[float, float, float]

    def __post_init__(self) -> None:
        object.__setattr__(self, "to", _three("Segment: to", self.to))


@dataclass(frozen=True)
class Box:
    """A region: positions within `half` of the target along each axis of the box.

    Args:
        half: Half the box's sides `[3]`, at least 0; 0 keeps an axis exactly, infinity frees it.
        wxyz: Rotation of the box against the axes of the world, or of the frame that the goal is relative to.

    Raises:
        GoalError: For a negative side, or a zero quaternion.

    Example:
        >>> shelf = posable.Reach("hand_r", (0.2, 1.0, 0.4), within=posable.Box((0.5, 0.0, 0.2)))
    """

    half: tuple[float, float, float]
    wxyz: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        half = _three("Box: half", self.half, infinite=True)
        if min(half) < 0:
            raise GoalError(f"Box: half must be numbers of at least 0, not {self.half}")
        length = math.sqrt(math.fsum(float(one) ** 2 for one in self.wxyz))
        if not 0 < length < math.inf or len(self.wxyz) != 4:
            raise GoalError(f"Box: wxyz must be a rotation, not {self.wxyz}")
        object.__setattr__(self, "half", half)
        object.__setattr__(self, "wxyz", tuple(float(one) / length for one in self.wxyz))


Region = Segment | Box | Cone


def place_constants(region: Region) -> tuple[float, ...]:
    """A region of positions, for kernels: its kind, then its numbers. A Cone has its tip at the target and contains all
    positions up to `swing` off its axis.
    """
    if isinstance(region, Segment):
        return (SEGMENT, *region.to)
    if isinstance(region, Box):
        half = [min(one, 1e15) for one in region.half]
        return (BOX, *half, *np.ravel(matrix_from_wxyz(region.wxyz)).tolist())
    axis = matrix_from_wxyz(region.center) @ np.array(region.axis)
    return (CONE, *axis.tolist(), math.cos(region.swing), math.sin(region.swing))


def turn_constants(cone: Cone) -> tuple[float, ...]:
    """A cone of rotations, for kernels: swing and twist against the target's own frame."""
    return cone_numbers(cone)[:10]


def _three(what: str, value: ArrayLike, infinite: bool = False) -> tuple[float, float, float]:
    try:
        numbers = np.asarray(value, float)
    except (TypeError, ValueError, OverflowError) as problem:
        raise GoalError(f"{what} must be 3 numbers, not {value!r}") from problem
    if numbers.shape != (3,) or np.isnan(numbers).any() or not (infinite or np.isfinite(numbers).all()):
        raise GoalError(f"{what} must be 3 finite numbers, not {value!r}")
    return float(numbers[0]), float(numbers[1]), float(numbers[2])

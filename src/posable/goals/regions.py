"""Regions that a goal may be content with: anywhere on a segment, within a box or a cone, laid at its target."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import GoalError
from posable.goals.terms import BOX, CONE, SEGMENT
from posable.skeleton import Cone
from posable.skeleton.tables import cone_numbers
from posable.spatial import matrix_from_wxyz


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
    except (TypeError, ValueError) as problem:
        raise GoalError(f"{what} must be 3 numbers, not {value!r}") from problem
    if numbers.shape != (3,) or np.isnan(numbers).any() or not (infinite or np.isfinite(numbers).all()):
        raise GoalError(f"{what} must be 3 finite numbers, not {value!r}")
    return float(numbers[0]), float(numbers[1]), float(numbers[2])

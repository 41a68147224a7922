"""What Reach, Orient and Place share: a target relative to a joint or a prop, a region, a priority."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import GoalError
from posable.goals.goal import Goal
from posable.goals.terms import BOX, CONE, SEGMENT
from posable.skeleton import Cone, Skeleton
from posable.skeleton.tables import cone_numbers
from posable.spatial import Array, matrix_from_wxyz

if TYPE_CHECKING:
    from typing import Any


# Regions that a goal may be content with: anywhere on a segment, within a box or a cone, laid at its target.


@dataclass(frozen=True)
class Segment:
    """From the target straight to target + `to`.

    to: `[3]`, along the axes of the world (or of the joint that the goal is relative to).
    """

    to: tuple[float, float, float]

    def __post_init__(self) -> None:
        object.__setattr__(self, "to", _three("Segment: to", self.to))


@dataclass(frozen=True)
class Box:
    """Within `half` of the target along each axis of the box; 0 keeps an axis exactly, infinity frees it.

    wxyz: how the box is turned against the axes of the world (or of the joint that the goal is relative to).
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
    """A region of places, for kernels: its kind, then its numbers. A Cone has its tip at the target and holds all
    places up to `swing` off its axis.
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


Relative = str | ArrayLike | None


def check_relative(goal: Any, places: bool, turns: bool) -> None:
    """Check `relative_to`, `within` and `priority` of a goal; a prop's frame becomes a read-only array."""
    if goal.relative_to is not None and not isinstance(goal.relative_to, str):
        frame = goal._checked("relative_to", goal.relative_to, (4, 4))
        check_rigid(goal, "relative_to", frame)
        goal._set("relative_to", frame)
    kinds = ((Segment, Box) if places else ()) + ((Cone,) if turns or places else ())
    if goal.within is not None and not isinstance(goal.within, kinds):
        names = ", ".join(kind.__name__ for kind in kinds)
        raise GoalError(f"{goal._label}: within must be one of {names}, not {goal.within!r}")
    goal._check_level()


def check_rigid(goal: Goal, what: str, matrix: Array) -> None:
    """GoalError unless the matrices are rigid transforms to 1e-6."""
    if matrix.ndim == 2:  # Python is quicker here
        (a, b, c, _), (d, e, f, _), (g, h, i, _), last = matrix.tolist()
        skew = max(
            abs(a * a + b * b + c * c - 1),
            abs(d * d + e * e + f * f - 1),
            abs(g - (b * f - c * e)),
            abs(h - (c * d - a * f)),
            abs(i - (a * e - b * d)),
            abs(a * d + b * e + c * f),
        )
        wrong_row = last != [0.0, 0.0, 0.0, 1.0] and max(abs(x - y) for x, y in zip(last, (0, 0, 0, 1), strict=True))
    else:
        turn = matrix[..., :3, :3]
        skew = np.abs(turn @ np.swapaxes(turn, -1, -2) - np.eye(3)).max(initial=0.0)
        skew = max(skew, np.abs(np.linalg.det(turn) - 1).max(initial=0.0))
        wrong_row = np.abs(matrix[..., 3, :] - (0, 0, 0, 1)).max(initial=0.0)
    if skew > 1e-6 or wrong_row > 1e-9:
        raise GoalError(f"{goal._label}: {what} is not a rigid transform (rotation part off by {skew:.2g})")


def relative_structure(relative_to: Relative, within: Region | None) -> Hashable:
    """What of the two shapes the rows: a prop's frame does not, it only moves the target."""
    return relative_to if isinstance(relative_to, str) else None, within


def other_joint(relative_to: Relative, skeleton: Skeleton, joint: int, label: str) -> int:
    """The index of the joint that a goal is relative to, or -1."""
    if not isinstance(relative_to, str):
        return -1
    other = skeleton.index(relative_to)
    if other == joint:
        raise GoalError(f"{label}: it cannot be relative to itself")
    return other


def prop(relative_to: Relative) -> Array | None:
    """The frame `[..., 4, 4]` of a prop, None where there is none."""
    return None if relative_to is None or isinstance(relative_to, str) else np.asarray(relative_to)

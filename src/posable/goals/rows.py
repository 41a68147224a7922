"""The records that goals give to solvers and pictures: rows, springs and marks."""

from __future__ import annotations

import math
from typing import Any, ClassVar, NamedTuple, Protocol, cast

import numpy as np

from posable.errors import GoalError, is_number
from posable.goals.target_kinds import OF_FORM
from posable.goals.terms import APART, BALANCE, POLE, POSITION, REGION, ROTATION, SIGHT
from posable.skeleton import Skeleton
from posable.spatial import Array

LARGEST = 1e15
CONSTANTS = 16


class Row(NamedTuple):
    """One term of a goal, for kernels: up to three numbers to be brought to zero."""

    kind: int
    joint: int
    weight: float
    form: int
    """How the goal's target numbers are read."""
    constants: tuple[float, ...] = ()
    """The constants of the kind besides the target, at most CONSTANTS numbers; a local point or direction first."""
    other: int = -1
    """A second joint that takes part, or -1."""
    third: int = -1
    level: int = 0
    """0 is met first, the others only in the remaining freedom."""
    counts: bool = True
    """Whether the solve has reached only once this is within its tolerance; what does not count has a level above 0."""
    slack: float = 0.0
    """The residual that is allowed besides the tolerance, in reaches."""
    at: int = 0
    """Where among the goal's numbers those of the term begin."""

    @property
    def is_length(self) -> bool:
        """Whether its numbers are lengths; those of the others are angles."""
        return self.kind in LENGTHS

    @property
    def is_point(self) -> bool:
        """Whether it asks for one position of a point, in the world or in the frame of another body."""
        return self.kind == POSITION

    @property
    def is_rotation(self) -> bool:
        """Whether it asks for one rotation, in the world or in the frame of another body."""
        return self.kind == ROTATION

    @property
    def is_plain(self) -> bool:
        """Whether it asks for one position of a point, or one rotation, in the world: what every method supports."""
        return (self.is_point or self.is_rotation) and self.other < 0

    @property
    def is_gaze(self) -> bool:
        """Whether it asks for a direction to point at a position."""
        return self.kind == SIGHT

    @property
    def is_contact(self) -> bool:
        """Whether it is a collision constraint, which is inactive where its two bodies are separate."""
        return self.kind == APART

    @property
    def is_side(self) -> bool:
        """Whether it asks for the side to which the middle of a limb points."""
        return self.kind == POLE

    @property
    def on_mass(self) -> bool:
        """Whether it concerns the figure's centre of mass, which every body moves."""
        return self.kind == BALANCE

    @property
    def couples(self) -> bool:
        """Whether it pulls at several bodies at once."""
        return self.kind in (BALANCE, POLE) or (self.other >= 0 and not self.is_contact)

    @property
    def bodies(self) -> tuple[int, ...]:
        """The joints that take part, in the order of the term's rows."""
        return tuple(joint for joint in (self.joint, self.other, self.third) if joint >= 0)

    @property
    def measured(self) -> int:
        """How many of its three numbers are a length or an angle for a person: of a pole's the first."""
        return 1 if self.is_side else 3

    def position(self, numbers: Array) -> Array:
        """`[..., 3]` the position among its target's numbers `[..., number]`."""
        kind = OF_FORM[self.form]
        return cast("Array", kind.position(self._target(numbers)))

    def rotation(self, numbers: Array) -> Array:
        """`[..., 3, 3]` the rotation among its target's numbers `[..., number]`."""
        kind = OF_FORM[self.form]
        return cast("Array", kind.rotation(self._target(numbers)))

    def _target(self, numbers: Array) -> Array:
        shape = OF_FORM[self.form].shape
        return numbers[..., : math.prod(shape)].reshape(*numbers.shape[:-1], *shape)


LENGTHS = (POSITION, REGION, BALANCE, APART)
"""The kinds whose residual is a length; that of the others is an angle."""


class Spring(NamedTuple):
    """Every freedom is drawn to a coordinate: with no force within a band around it, in proportion beyond."""

    q: Array  # [..., coordinates]
    below: Array  # [dof] the band's width on the one side,
    above: Array  # and on the other
    weight: Array  # [dof], 0 where nothing is drawn


class Mark(NamedTuple):
    """Something to show in a picture: a "point", a "frame" or a "sight" line at position `place [3]`, for a joint."""

    kind: str
    joint: str
    place: Array
    wxyz: Array | None = None


class StatesRows(Protocol):
    """An object that states rows: a goal."""

    SHAPE: ClassVar[tuple[int, ...]]
    """The last axes of the target."""

    @property
    def given(self) -> Array:
        """The target, `[..., *SHAPE]`."""
        ...

    def rows(self, skeleton: Skeleton) -> tuple[Row, ...]:
        """The terms for the compiled solver."""
        ...


def body_masses(skeleton: Skeleton) -> Array:
    """`[joint, 4]`: the share of the whole mass, and its centre in the joint's frame. Raises GoalError without mass."""
    rows = np.array([((joint.mass or 0.0), *joint.mass_center) for joint in skeleton.definitions])
    total = rows[:, 0].sum()
    if not (is_number(total) and total > 0):
        raise GoalError(
            "no joint of this figure has a mass, which Balance and Gravity need; state masses in its file, or use "
            "posable.with_masses(figure)"
        )
    rows[:, 0] /= total
    return rows


def check_level(goal: Any) -> None:
    """GoalError unless the goal's `priority` is one."""
    value = goal.priority
    if not (is_number(value) and 0 <= value < 8 and value == int(value)):
        raise GoalError(f"{goal._label}: priority must be a whole number from 0 (met first) to 7, not {value!r}")

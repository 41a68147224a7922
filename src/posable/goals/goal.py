"""The base of all goals: their interface, and the checks of their arguments."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.errors import GoalError, is_number, refuse_masked
from posable.goals.evaluation import residual_jacobians, residuals
from posable.goals.rows import LARGEST, Mark, Row, Spring, check_level
from posable.goals.starts import ProposesStarts
from posable.goals.target_kinds import NO_TARGET, Region, TargetKind
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array

Relative = str | ArrayLike | None
"""What a target may be relative to: a joint, the frame `[..., 4, 4]` of a prop, or the world."""

Bend = Callable[[Array, Array], Array | float]
"""From the first and the last position of a point, `[3]` each, the offsets `[frame, 3]` of its path."""


class Goal:
    """The base of all goals, which are frozen dataclasses: what a pose should satisfy.

    A goal states `rows`, numbers that should become zero, or a `spring`, which acts in the freedom that rows leave.
    Everything else is optional: by default a goal takes no target, shows no marks and moves nothing along a path. For a
    goal with a target, `TARGET` names its field and `KIND` its kind; there may be a batch of targets.

    Example:
        >>> goal = posable.Reach("hand_r", (-0.4, 1.2, 0.3))
        >>> distance, angle = goal.errors(figure.rest)
    """

    joint: str
    """The goal's joint; "" for a goal of the whole figure."""
    relative_to: Relative = None
    """A joint, or the frame `[..., 4, 4]` of a prop, in which the target is given; None for the world."""
    within: Region | None = None
    """A region at the target; any point of it meets the goal."""

    TARGET: ClassVar[str] = ""
    KIND: ClassVar[TargetKind] = NO_TARGET
    SHAPE: ClassVar[tuple[int, ...]] = NO_TARGET.shape
    """The last axes of the target."""
    WEIGHTS: ClassVar[tuple[str, ...]] = ("weight",)
    """The names of its weight fields."""
    FADES: ClassVar[bool] = False
    """Whether it can fade in and out over a clip; see `faded`."""
    ALWAYS: ClassVar[bool] = False
    """Whether a motion towards it must meet it from the first frame on."""

    def structure(self) -> Hashable:
        """Everything but the target: goals of the same structure share what a solver prepares."""
        raise NotImplementedError

    def __dir__(self) -> list[str]:
        """The names that completion offers, without those that only solvers and pictures use."""
        return [name for name in super().__dir__() if name not in _INTERNAL]

    # For solvers.

    def rows(self, skeleton: Skeleton) -> tuple[Row, ...]:
        """The terms for the compiled solver; none for a soft goal. Raises UnknownJointError or GoalError."""
        del skeleton
        return ()

    def spring(self, skeleton: Skeleton) -> Spring | None:
        """The spring of a soft goal; None for other goals. Raises UnknownJointError or GoalError."""
        del skeleton
        return None

    def weight_force(self, skeleton: Skeleton) -> Array | None:
        """`[3]` a force on the centre of mass, in the world; None without."""
        del skeleton
        return None

    def resistances(self, skeleton: Skeleton) -> Array | None:
        """`[dof]` the resistance of each freedom to motion, NaN for that of the joint's stiffness; or None."""
        del skeleton
        return None

    def starts(
        self, skeleton: Skeleton, rows: Sequence[Row], terms: NDArray[np.int64], free: NDArray[np.bool_]
    ) -> ProposesStarts | None:
        """The object that proposes start poses for solves; None for a goal that proposes none.

        Args:
            skeleton: The skeleton.
            rows: The terms of all goals.
            terms: The same as kernels read them.
            free: `[dof]` what may move.
        """
        del skeleton, rows, terms, free
        return None

    @property
    def own_weight(self) -> float:
        """Its weight; the larger where it has two."""
        return float(max(getattr(self, name) for name in self.WEIGHTS))

    def with_weight(self, weight: float) -> Self:
        """The goal with another weight; where it has two, the larger becomes `weight` and their ratio stays."""
        own = self.own_weight
        shares = {name: getattr(self, name) / own if own > 0 else 1.0 for name in self.WEIGHTS}
        return replace(cast(Any, self), **{name: weight * share for name, share in shares.items()})

    def residual(self, pose: Pose) -> Array:
        """`[..., 3 per term]`: displacements towards the target in the figure's length unit, or rotation vectors (rad)
        in the world's frame.
        """
        return residuals(self, pose)

    def jacobian(self, pose: Pose) -> Array:
        """The derivative of `residual` along `pose.plus`, `[..., 3 per term, dof]`."""
        return residual_jacobians(self, pose)

    # For reports and pictures.

    def marks(self, pose: Pose) -> tuple[Mark, ...]:
        """What a picture shows of this goal; of several targets, the first."""
        del pose
        return ()

    def tip_path(self, poses: Pose) -> Array | None:
        """`[..., 3]` the world positions of the point that the goal moves to its target; None without such a point."""
        del poses
        return None

    def with_gaze(self, change: Callable[[str, Array], Mapping[str, Any]]) -> Goal:
        """The goal with the options that `change(joint, point)` gives to a gaze; other goals as they are."""
        del change
        return self

    def remarks(self, pose: Pose) -> tuple[str, ...]:
        """Remarks about one solved pose for people, besides the errors of the goal."""
        del pose
        return ()

    def errors(self, pose: Pose) -> tuple[Array | None, Array | None]:
        """(distance in the figure's length unit, angle in radians) to the target, `[...]` each, or None."""
        rows = self.rows(pose.skeleton)
        left: list[Array | None] = [None, None]
        residual = self.residual(pose) if rows else np.empty(0)
        for k, row in enumerate(rows):
            size = np.linalg.norm(residual[..., 3 * k : 3 * k + row.measured], axis=-1)
            if row.slack:
                size = np.maximum(size - row.slack * pose.skeleton.reach, 0.0)
            before = left[not row.is_length]
            left[not row.is_length] = size if before is None else np.maximum(before, size)
        return left[0], left[1]

    @property
    def solids(self) -> Array:
        """`[..., obstacle, 7]` the capsules in the world that it keeps the figure away from."""
        return np.zeros((0, 7))

    def own_numbers(self, pose: Pose) -> tuple[Array | None, float]:
        """(`[..., m]` what a goal measures that is neither a distance nor an angle, or None; the norm that is met)."""
        del pose
        return None, math.inf

    def counts(self, skeleton: Skeleton) -> tuple[bool, bool]:
        """Whether its distance and its angle have a weight; both are that of a goal that has neither."""
        rows = [row for row in self.rows(skeleton) if row.weight > 0]
        return any(row.is_length for row in rows), any(not row.is_length for row in rows)

    # The target.

    @property
    def stated(self) -> Array:
        """The target as it was given, `[..., *SHAPE]`; for a relative goal, in that frame."""
        return np.asarray(getattr(self, self.TARGET)) if self.TARGET else _NOTHING

    def restated(self, target: Array, **changes: object) -> Self:
        """The goal with another `stated`, and with other changes."""
        return self._with(**{self.TARGET: target}, **changes)

    @property
    def prop(self) -> Array | None:
        """The frame `[..., 4, 4]` of the prop in which the target is given, or None."""
        relative = self.relative_to
        return None if relative is None or isinstance(relative, str) else np.asarray(relative)

    @property
    def given(self) -> Array:
        """The target, `[..., *SHAPE]`, in the world, or in the frame of the joint that the goal is relative to."""
        return self.stated if self.prop is None else self.KIND.moved(self.prop, self.stated)

    def with_target(self, target: Array) -> Self:
        """The goal with another `given`, to which no prop's frame is applied."""
        if not math.prod(self.SHAPE):
            return self
        return self.restated(target) if self.prop is None else self.restated(target, relative_to=None)

    def moved(self, frame: Array, joint: str | None) -> Self:
        """The goal with its target moved from `frame [..., 4, 4]` to where that frame is given: relative to `joint`, or
        None.
        """
        return self.restated(self.KIND.moved(frame, self.stated), relative_to=joint)

    @property
    def raw_shape(self) -> tuple[int, ...] | None:
        """The shape of a target that kernels can read unchanged; None where it must be converted."""
        return None if self.prop is not None else self.SHAPE

    def checked_target(self, target: ArrayLike) -> Array:
        """A caller's target, checked and in the form of `given`. Raises GoalError for one that does not fit."""
        if not self.TARGET:
            raise GoalError(f"{type(self).__name__} takes no target; give None instead")
        if self.prop is not None:
            return self._with(**{self.TARGET: target}).given
        return self.checked_shape(self._as_numbers(self.TARGET, target))

    def checked_shape(self, target: Array) -> Array:
        """`target`, if its last axes fit; GoalError otherwise."""
        if target.shape[max(0, target.ndim - len(self.SHAPE)) :] != self.SHAPE:
            raise GoalError(f"{self._label}: {self.TARGET} must end in shape {self.SHAPE}, not {target.shape}")
        return target

    # Over the frames of a clip.

    def frames(self) -> set[int]:
        """The numbers of frames of the target and the prop; empty if both are fixed."""
        arrays = [(self.stated, len(self.SHAPE))] + ([] if self.prop is None else [(self.prop, 2)])
        return {len(array) for array, axes in arrays if array.ndim > axes}

    def of_frames(self, part: slice | int | NDArray[np.int64]) -> Self:
        """The goal with the targets, and the frames of its prop, of these frames alone."""
        changes: dict[str, object] = {}
        if self.prop is not None and self.prop.ndim > 2:
            changes["relative_to"] = self.prop[part]
        target = self.stated
        if target.ndim > len(self.SHAPE):
            return self.restated(target[part], **changes)
        return self._with(**changes) if changes else self

    def met_by(self, pose: Pose, target: Array) -> Array:
        """The target that `pose` meets, as `given`; if several, the nearest to `target [..., *SHAPE]`."""
        left = self.with_target(target).residual(pose)
        left = left.reshape(*left.shape[:-1], -1, 3)
        if isinstance(self.relative_to, str):
            base = pose.world_from_joint[..., None, pose.skeleton.index(self.relative_to), :3, :3]
            left = (np.swapaxes(base, -1, -2) @ left[..., None])[..., 0]
        return self.KIND.stepped_back(target, left.reshape(*left.shape[:-2], -1))

    def faded(self, poses: Pose, position: Array, rotation: Array) -> Self:
        """The goal with targets for the poses `[frame]`: at shares `[frame]` of the path from its effector in the poses
        to its target.

        Args:
            poses: Poses `[frame]`.
            position: Share of the path of the position, 0 to 1.
            rotation: Share of the path of the rotation, or of the direction of a gaze or a pole, 0 to 1.
        """
        raise NotImplementedError

    def led(self, start: Pose, end: Pose, between: Pose, shares: Array, bend: Bend) -> Self | None:
        """The goal with targets that move its effector from its state in `start` to that in `end`; None for
        a goal without an effector.

        Args:
            start: First pose.
            end: Last pose.
            between: Poses `[frame]` close to which the figure stays on the path.
            shares: Shares `[frame]` of the path.
            bend: See `Bend`.
        """
        del start, end, between, shares, bend
        return None

    def _with(self, **changes: object) -> Self:
        return replace(self, **changes)  # pyright: ignore[reportArgumentType, reportReturnType, reportCallIssue]

    def _set(self, what: str, value: object) -> None:
        object.__setattr__(self, what, value)

    def _check_target(self) -> None:
        self._check_names(self.joint)
        self._set(self.TARGET, self._checked(self.TARGET, getattr(self, self.TARGET), self.SHAPE))

    def _check_direction(self, what: str) -> None:
        direction = self._checked_one(what)
        if not math.hypot(*direction.tolist()) > 0:
            raise GoalError(f"{self._label}: {what} has length 0; it is a direction in the joint's frame")
        self._set(what, direction)

    def _checked_one(self, what: str) -> Array:
        """The field `what` as one read-only array `[3]`; GoalError otherwise."""
        numbers = self._checked(what, getattr(self, what), (3,))
        if numbers.ndim != 1:
            raise GoalError(f"{self._label}: {what} is one of shape (3,), not {numbers.shape}")
        return numbers

    def _checked(self, what: str, value: ArrayLike, shape: tuple[int, ...]) -> Array:
        """`value` as a read-only array that ends in the wanted shape, finite; GoalError otherwise."""
        array = self._as_numbers(what, value, copied=True)
        if array.shape[-len(shape) :] != shape:
            raise GoalError(f"{self._label}: {what} must end in shape {shape}, not {array.shape}")
        self._check_numbers(what, array)
        array.setflags(write=False)
        return array

    def _as_numbers(self, what: str, value: ArrayLike, copied: bool = False) -> Array:
        """`value` as float64; GoalError unless it is an array of real numbers."""
        refuse_masked(value, GoalError, f"{self._label}: {what}")
        try:
            array = np.array(value) if copied else np.asarray(value)
            if array.dtype.kind not in _REAL_KINDS:
                raise TypeError(f"{array.dtype} is not a kind of real number")
            return array.astype(float, copy=False)
        except (TypeError, ValueError, OverflowError) as problem:
            raise GoalError(f"{self._label}: {what} must be numbers, not {value!r}") from problem

    def _check_names(self, *joints: object) -> None:
        for joint in joints:
            if not isinstance(joint, str):
                raise GoalError(f"{type(self).__name__}: a joint is a name, as in skeleton.joints, not {joint!r}")

    def _check_numbers(self, what: str, array: Array) -> None:
        if 0 < array.size < 20:  # plain Python is faster for so few
            numbers = array.ravel().tolist()
            largest = max(max(numbers), -min(numbers))
            finite = math.isfinite(sum(numbers)) or all(map(math.isfinite, numbers))
        else:
            largest, finite = np.abs(array).max(initial=0.0), np.isfinite(array).all()
        if not finite:
            at = np.argwhere(~np.isfinite(array))[0].tolist()
            where = f" (the first at {at})" if array.ndim > 1 else ""
            raise GoalError(f"{self._label}: {what} holds a number that is not finite{where}")
        if largest > LARGEST:
            raise GoalError(
                f"{self._label}: {what} contains a value above {LARGEST:g}, which is not a plausible length"
            )

    def _check_rigid(self, what: str, matrix: Array) -> None:
        """GoalError unless the matrices are rigid transforms to 1e-6."""
        if matrix.ndim == 2:  # plain Python is faster for a single matrix
            (a, b, c, _), (d, e, f, _), (g, h, i, _), last = matrix.tolist()
            skew = max(
                abs(a * a + b * b + c * c - 1),
                abs(d * d + e * e + f * f - 1),
                abs(g - (b * f - c * e)),
                abs(h - (c * d - a * f)),
                abs(i - (a * e - b * d)),
                abs(a * d + b * e + c * f),
            )
            above = (0, 0, 0, 1)
            wrong_row = last != [0.0, 0.0, 0.0, 1.0] and max(abs(x - y) for x, y in zip(last, above, strict=True))
        else:
            turn = matrix[..., :3, :3]
            skew = np.abs(turn @ np.swapaxes(turn, -1, -2) - np.eye(3)).max(initial=0.0)
            skew = max(skew, np.abs(np.linalg.det(turn) - 1).max(initial=0.0))
            wrong_row = np.abs(matrix[..., 3, :] - (0, 0, 0, 1)).max(initial=0.0)
        if skew > 1e-6 or wrong_row > 1e-9:
            raise GoalError(f"{self._label}: {what} is not a rigid transform (rotation part off by {skew:.2g})")

    def _check_prop(self) -> None:
        """Convert the frame of a prop to a read-only array."""
        if self.relative_to is not None and not isinstance(self.relative_to, str):
            frame = self._checked("relative_to", self.relative_to, (4, 4))
            self._check_rigid("relative_to", frame)
            self._set("relative_to", frame)

    def _check_weight(self, what: str) -> None:
        value = getattr(self, what)
        if not (is_number(value) and 0 <= value < np.inf):
            raise GoalError(f"{self._label}: {what} must be a number of at least 0, not {value!r}")

    def _check_level(self) -> None:
        check_level(self)

    @property
    def _label(self) -> str:
        return f"{type(self).__name__}({self.joint!r})" if self.joint else type(self).__name__


_NOTHING = np.empty(0)
_REAL_KINDS = "fiubO"  # objects may be numbers too, and are converted


_INTERNAL = {
    "ALWAYS", "FADES", "KIND", "REGIONS", "SHAPE", "TARGET", "WEIGHTS", "checked_shape", "checked_target", "counts",
    "effector", "faded", "frames", "given", "halfway", "led", "marks", "met_by", "moved", "of_frames", "prop",
    "raw_shape", "remarks", "resistances", "restated", "rows", "spring", "starts", "stated", "structure",
    "tip_path", "wanted", "weight_force",
}  # fmt: skip

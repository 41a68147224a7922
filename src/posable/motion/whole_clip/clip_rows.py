"""Goals and inequalities over all frames of a clip: residuals, and the derivatives by the freedoms that may move."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.errors import GoalError
from posable.goals import Goal
from posable.goals.evaluation import terms_of
from posable.goals.term_arrays import CONSTANT, weight_of
from posable.motion.whole_clip.clip_kernels import (
    add_forces,
    add_normal_equations,
    choose_slots,
    evaluate_frames,
    fill_pairs,
    fill_screws,
    turn_balls,
)
from posable.skeleton import Pose, Skeleton
from posable.skeleton.batches import flat_rows
from posable.solvers.weights import read_weights
from posable.spatial import Array


class Bodies:
    """Some joints of a skeleton whose motions by some of its degrees of freedom are evaluated repeatedly.

    About the world's origin a degree of freedom moves all bodies below it alike, so that one row of motions serves all;
    only where axes follow others (mimics, absolute angles) has each body a row of its own.
    """

    def __init__(self, skeleton: Skeleton, joints: Iterable[int], free: NDArray[np.int64]) -> None:
        self.skeleton, self.free, self.wide = skeleton, free, _with_whole_balls(skeleton, free)
        self.narrow = np.searchsorted(self.wide, free)
        self.ball_freedoms, self.ball_columns = _balls(skeleton, self.wide)
        joints, self.row_of = set(joints), np.zeros(len(skeleton.joints), np.int64)
        if _follows(skeleton):
            self.above, self.leaves = np.ones((len(skeleton.joints), len(free))), np.array(sorted(joints), np.int64)
            self.row_of[self.leaves] = np.arange(len(self.leaves))
            self.source = np.repeat(self.row_of[self.leaves, None], len(self.wide), axis=1)
        else:
            self.above, self.leaves = _above(skeleton, free), _leaves(skeleton, joints)
            below = _above(skeleton, self.wide)[self.leaves] > 0
            self.source = np.where(below, np.arange(len(self.leaves))[:, None], -1).max(axis=0, initial=-1)[None]

    def motions(self, pose: Pose, correction: Array) -> Motions:
        """Their motions in the poses `[frame]`, which the corrections `[frame, freedom]` led to."""
        return Motions(self, pose, correction)


@lru_cache(maxsize=32)  # one figure gets many recordings
def bodies_of(skeleton: Skeleton, joints: frozenset[int], free: tuple[int, ...]) -> Bodies:
    """The `Bodies`, found once."""
    return Bodies(skeleton, joints, np.array(free, np.int64))


class Motions:
    """How bodies move with the correction of each degree of freedom in a clip's poses; computed when first needed."""

    def __init__(self, bodies: Bodies, pose: Pose, correction: Array) -> None:
        self._bodies, self._pose, self._correction = bodies, pose, correction

    @property
    def free(self) -> int:
        """The number of degrees of freedom."""
        return len(self._bodies.free)

    @property
    def row_of(self) -> NDArray[np.int64]:
        """`[joint]` the row of `rows` that has the motion of a body."""
        return self._bodies.row_of

    @property
    def above(self) -> Array:
        """`[joint, free]` 1 for a degree of freedom that moves the joint, else 0: so much of its row is a body's."""
        return self._bodies.above

    @cached_property
    def rows(self) -> Array:
        """`[row, frame, 6, free]` motions (ω, v) about the world's origin, lengths in reaches."""
        bodies, skeleton = self._bodies, self._bodies.skeleton
        found = np.empty((len(bodies.source), len(self._pose), 6, len(bodies.wide)))
        q = flat_rows(self._pose.q, self._pose.shape)
        fill_screws(skeleton.packed, q, bodies.leaves, bodies.wide, bodies.source, 1.0 / skeleton.reach, found)
        turn_balls(found, self._correction, bodies.ball_freedoms, bodies.ball_columns)
        return np.ascontiguousarray(found[..., bodies.narrow]) if len(bodies.free) < len(bodies.wide) else found

    def __getitem__(self, joint: int) -> Array:
        """`[frame, 6, free]` the motion of a joint."""
        return self.rows[self.row_of[joint]] * self.above[joint]


def motion_of_mass(pose: Pose, motions: Motions, masses: Array) -> Array:
    """`[frame, 3, free]` the motion of the centre of mass by each freedom, in reaches. masses: see `body_masses`."""
    total = np.zeros(())
    for joint, (share, *center) in enumerate(masses.tolist()):
        if share > 0:
            frame = pose.world_from_joint[:, joint]
            position = (frame[:, :3, :3] @ center + frame[:, :3, 3]) / pose.skeleton.reach
            turning, moving = motions[joint][:, :3], motions[joint][:, 3:]
            total = total + share * (moving + np.cross(turning, position[:, :, None], axis=1))
    return total


class Rows(Protocol):
    """What a whole-clip solve brings to zero: terms of three numbers each, in every frame."""

    weights: Array
    """`[frame, term]`"""

    @property
    def bodies(self) -> Iterable[int]:
        """The joints whose motions `normal_equations` needs."""
        ...

    def evaluate(self, pose: Pose, /) -> tuple[Array, Array]:
        """(residuals `[frame, term, 3]`, what `normal_equations` takes of them)."""
        ...

    def normal_equations(self, pose: Pose, residual: Array, rows: Array, motions: Motions, /) -> tuple[Array, Array]:
        """(JᵀWJ `[frame, free, free]`, JᵀWr `[frame, free]`), J the derivative of the residuals by the corrections."""
        ...


class ClipRows:
    """The terms of `goals` in every frame, lengths in reaches.

    weights: one entry per goal, a number or `[frame]`, in place of the goal's own weight, which None keeps.
    Raises GoalError for goals, targets and weights that do not fit the frames.
    """

    def __init__(
        self, skeleton: Skeleton, goals: Sequence[Goal], weights: Sequence[ArrayLike | None] | None, frames: int
    ) -> None:
        self.skeleton, self.goals = skeleton, tuple(goals)
        self.over_time = _over_time(goals, weights, frames)
        """`[goal, frame]`"""
        alike = [goal if goal.own_weight == 1.0 else goal.with_weight(1.0) for goal in goals]
        rows = [goal.rows(skeleton) for goal in alike]
        for goal, own in zip(goals, rows, strict=True):
            if not own:
                raise GoalError(f"{type(goal).__name__} is not a goal for single frames; solve_clip takes those")
        self.stated = [row for own in rows for row in own]
        self.goal_of = np.repeat(np.arange(len(rows)), [len(own) for own in rows])
        self._terms = terms_of(self.goals, rows, skeleton, 1.0, 1.0)._replace(scale=1.0 / skeleton.reach)
        self._targets = np.concatenate([np.empty((frames, 0)), *(_numbers(g, frames) for g in goals)], axis=1)
        if not self._targets.shape[1]:
            self._targets = np.zeros((frames, 3))
        parts = [() if row.on_mass else tuple(row.bodies) for row in self.stated]
        self._joints = np.full((len(parts), max(map(len, parts), default=0)), -1)
        for joints, own in zip(self._joints, parts, strict=True):
            joints[: len(own)] = own
        self._read = np.array(sorted(self.bodies), np.int64)
        own = np.array([weight_of(row) for row in self.stated])
        self.weights = np.ascontiguousarray(self.over_time[self.goal_of].T * own)  # one layout: kernels compile once
        """`[frame, term]`"""

    @property
    def bodies(self) -> set[int]:
        """The joints whose motions the terms need."""
        found = {j for row in self.stated if not row.on_mass for j in row.bodies}
        return found | set(np.flatnonzero(self._terms.bodies[:, 0] > 0).tolist())

    def evaluate(self, pose: Pose) -> tuple[Array, Array]:
        """(residuals `[frame, term, 3]`, rows `[frame, term, 3 · part, 6]` on the motion of bodies)."""
        residual = np.zeros((*self.weights.shape, 3))
        rows = np.empty((*self.weights.shape, 3 * self._joints.shape[1], 6))
        evaluate_frames(self._terms, self._read, pose.world_from_joint, self._targets, residual, rows)
        return residual, rows

    def normal_equations(self, pose: Pose, residual: Array, rows: Array, motions: Motions) -> tuple[Array, Array]:
        """See `Rows`."""
        blocks, gradient = np.zeros((len(rows), motions.free, motions.free)), np.zeros((len(rows), motions.free))
        own = (motions.rows, motions.row_of, motions.above)
        add_normal_equations(self.weights, residual, rows, self._joints, *own, blocks, gradient)
        for k in np.flatnonzero([row.on_mass for row in self.stated]).tolist():
            kept = self._terms.measures[k, CONSTANT : CONSTANT + 3]
            jacobian = -kept[:, None] * motion_of_mass(pose, motions, self._terms.bodies)
            more = normal_equations_of(jacobian, self.weights[:, [k]], residual[:, [k]])
            blocks += more[0]
            gradient += more[1]
        return blocks, gradient

    def lengths_and_angles(self, residual: Array) -> tuple[Array, Array]:
        """(distances in the figure's unit, angles in rad), each `[goal, frame]`, NaN for a goal without any."""
        sizes = np.linalg.norm(residual, axis=-1)
        found = np.full((2, len(self.goals), len(residual)), np.nan)
        for k, row in enumerate(self.stated):
            is_angle = int(not row.is_length)
            size = sizes[:, k] * (1.0 if is_angle else self.skeleton.reach)
            found[is_angle, self.goal_of[k]] = np.fmax(found[is_angle, self.goal_of[k]], size)
        return found[0], found[1]


def normal_equations_of(jacobian: Array, weights: Array, residual: Array) -> tuple[Array, Array]:
    """(JᵀWJ, JᵀWr) of J `[frame, 3 · terms, free]`, weights `[frame, term]` and residuals `[frame, term, 3]`."""
    root = np.repeat(np.sqrt(weights), 3, axis=1)
    jacobian = root[..., None] * jacobian
    transposed = np.swapaxes(jacobian, 1, 2)
    return transposed @ jacobian, (transposed @ (root * residual.reshape(root.shape))[..., None])[..., 0]


def _numbers(goal: Goal, frames: int) -> Array:
    """`[frame, numbers]` of a goal's target."""
    given = goal.given
    leading = given.shape[: given.ndim - len(goal.SHAPE)]
    if leading not in ((), (1,), (frames,)):
        raise GoalError(f"{goal._label}: its target has leading axes {leading} and the clip {frames} frames")
    return np.broadcast_to(given, (frames, *goal.SHAPE)).reshape(frames, int(np.prod(goal.SHAPE)))


def _over_time(goals: Sequence[Goal], weights: Sequence[ArrayLike | None] | None, frames: int) -> Array:
    """The weights `[goal, frame]`."""
    given = read_weights(goals, [None] * len(goals) if weights is None else weights)
    for goal, own in zip(goals, given, strict=True):
        if own.shape not in ((), (frames,)):
            raise GoalError(f"{goal._label}: weights of shape {own.shape} do not go with the clip's {frames} frames")
    return np.array([np.broadcast_to(own, frames) for own in given]).reshape(len(goals), frames)


@lru_cache(maxsize=8)
def moved_by(skeleton: Skeleton) -> NDArray[np.bool_]:
    """`[joint, other]` whether the other is the joint itself or above it."""
    found = np.eye(len(skeleton.joints), dtype=bool)
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if parent >= 0:
            found[joint] |= found[parent]
    return found


def _above(skeleton: Skeleton, free: NDArray) -> Array:
    """`[joint, free]` 1 where the degree of freedom belongs to the joint or to one above it."""
    own = np.repeat(np.arange(len(skeleton.joints)), np.diff(skeleton.tables.first_dof))[free]
    return moved_by(skeleton)[:, own].astype(float)


def _follows(skeleton: Skeleton) -> bool:
    joints = skeleton.definitions
    return any(joint.absolute or any(axis.follow is not None for axis in joint.axes) for joint in joints)


def _leaves(skeleton: Skeleton, bodies: set[int]) -> NDArray[np.int64]:
    """Bodies whose chains run through all others, as few as possible."""
    leaves, known = [], set[int]()
    for body in sorted(bodies, reverse=True):
        if body not in known:
            leaves.append(body)
            known.update(skeleton.chain(body))
    return np.array(leaves, np.int64)


def _with_whole_balls(skeleton: Skeleton, free: NDArray[np.int64]) -> NDArray[np.int64]:
    whole = [own for own in skeleton.tables.rotation_freedoms if np.isin(own, free).any()]
    return np.unique(np.concatenate([free, *whole]))


def _balls(skeleton: Skeleton, wide: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first freedom of every rotation that moves, `[ball]` in the tangent and among `wide`."""
    moving = [int(own[0]) for own in skeleton.tables.rotation_freedoms if np.isin(own, wide).all()]
    return np.array(moving, np.int64), np.searchsorted(wide, moving).astype(np.int64)


def run_of(indices: NDArray[np.int64]) -> slice:
    """The slice of consecutive indices."""
    return slice(int(indices[0]), int(indices[-1]) + 1)


AHEAD = 0.03
"""Reaches below zero from which a row is considered: a step may take it above."""


class LinearizedRows(NamedTuple):
    """The rows that are above zero or close to it, in slots, as many as the fullest frame needs.

    violations: `[frame, slot]`, -inf in empty slots. jacobian: `[frame, slot, free]`, their derivative by the
    corrections, 0 in empty slots.
    """

    violations: Array
    jacobian: Array


class Inequalities(Protocol):
    """Rows that count while they are above zero.

    Lengths are in reaches; rows are multiplied by the square root of their weight.
    """

    @property
    def bodies(self) -> Iterable[int]:
        """The joints whose motions `linearized` needs."""
        ...

    def violations(self, pose: Pose) -> Array:
        """`[frame, row]`, below 0 where the inequality holds."""
        ...

    def linearized(self, pose: Pose, motions: Motions) -> LinearizedRows:
        """The rows that are above zero, or may be after a step. motions: of `bodies` in these poses."""
        ...


Of = TypeVar("Of")
Found = TypeVar("Found")


def kept_for_last(compute: Callable[[Any, Of], Found]) -> Callable[[Any, Of], Found]:
    """A method of a pose, or a clip, alone that is not computed again for the one of the last call."""

    def found(self: Any, of: Of) -> Found:
        last = self.__dict__.get("_last")
        if last is None or last[0] is not of:
            last = self.__dict__["_last"] = (of, compute(self, of))
        return last[1]

    return found


class RowBuilder:
    """Makes LinearizedRows of `violations [frame, row]`, which contain the factor `root`, or one for each row."""

    def __init__(self, violations: Array, root: float | Array, free: int) -> None:
        frames, rows = violations.shape
        self._slot, self._given = np.empty((frames, rows), np.int64), violations
        slots = choose_slots(violations, np.broadcast_to(-AHEAD * root, rows).copy(), self._slot)
        self.rows = LinearizedRows(np.full((frames, slots), -np.inf), np.zeros((frames, slots, free)))

    @property
    def used(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(frames, rows) of all that are above zero or close to it."""
        at, row = np.nonzero(self._slot >= 0)
        return at, row

    def put(self, at: NDArray[np.int64], row: NDArray[np.int64], jacobian: Array) -> None:
        """Set the derivatives `[n, free]` of rows in those frames."""
        slot = self._slot[at, row]
        self.rows.violations[at, slot] = self._given[at, row]
        self.rows.jacobian[at, slot] = jacobian

    def add_points(
        self,
        used: tuple[NDArray[np.int64], NDArray[np.int64]],
        position: Array,
        direction: Array,
        body: NDArray[np.int64],
        motions: Motions,
    ) -> None:
        """Add to the derivatives of rows that they grow as points of bodies `[n]` move along `direction [n, 3]`, which
        contains the factor `root`.

        used: see there. position: `[n, 3]` the points, in reaches.
        """
        at, row = used
        slot = self._slot[at, row]
        self.rows.violations[at, slot] = self._given[at, row]
        own = (motions.rows, motions.row_of, motions.above)
        add_forces(self.rows.jacobian, slot, at, position, direction, body, *own)

    def add_pairs(self, ends: Array, scale: float, roots: Array, pairs: NDArray[np.int64], motions: Motions) -> None:
        """Set the rows of all pairs of bodies `[pair, 2]`: they grow as the first one's point comes nearer to the
        other's.

        ends: `[frame, pair, 6]` both points; scale: from lengths to reaches; roots: `[pair]` factors of the rows.
        """
        own = (motions.rows, motions.row_of, motions.above)
        fill_pairs(self._slot, self._given, ends, scale, roots, pairs, *own, *self.rows)


def joined(parts: Sequence[LinearizedRows], frames: int, free: int) -> LinearizedRows:
    """All rows side by side."""
    if not parts:
        return LinearizedRows(np.zeros((frames, 0)), np.zeros((frames, 0, free)))
    violations, jacobian = (np.concatenate(own, axis=1) for own in zip(*parts, strict=True))
    return LinearizedRows(violations, jacobian)

"""Steps of a drag in which no joint leaps."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import kernel
from posable.goals.capsules import MARGIN
from posable.goals.rows import Row
from posable.goals.term_arrays import OFFSET
from posable.goals.terms import CAPSULE, FRAME, NOWHERE, POINT, WXYZ
from posable.skeleton import Pose
from posable.skeleton.forward import difference
from posable.solvers.default.kernels.descent import EXHAUSTED, REACHED
from posable.solvers.default.least_squares import LeastSquares
from posable.solvers.engine import OUTCOME, Batch, with_locked
from posable.solvers.packing import Targets
from posable.solvers.problem import Structure
from posable.solvers.standing import Standing
from posable.solvers.weights import Weighted
from posable.spatial import Array

QUICKEST = 12.0
"""Largest rotation of a joint in a step, in radians for each reach that a target moves or radian that it rotates:
a little more than arms usually need. For a person, a target that moves by a centimetre allows 4.5°."""
LEAPS = (0.35, 6.0), (0.8, 3.0)
"""Pairs of (radians, multiple of that bound) above which a rotation is a leap, if it exceeds both of either pair: near
a straight limb a joint rotates fast, but steadily."""
QUICK = 0.2
"""Radians above which other joints compensate for one that rotates quickly, if that meets the goals too; also the
step of joints after a leap while the targets rest."""
SWIFT, SLOW = 0.25, 0.3
"""Radians above which (SWIFT) other joints compensate for one, regardless of the speed of its target, if that meets the
goals too: more in one step looks like a leap. If a joint may rotate by less than SLOW, none between the root and the
effector rotates by more than SWIFT; for some steps the goals are then off by some millimetres."""
BEHIND = 0.01
"""Of the reach: distance from its targets at which a pose is still completing a leap."""
GAZE = 3.0
"""Largest rotation of a joint in radians for each radian by which the target of a look moves around the looking
joint."""
NEARER = 0.35
"""Radians by which a look over the other shoulder must be nearer to its target for the figure to change shoulders, if
neither meets it. Otherwise a target that sways directly behind would send the figure to and fro."""
SETTLES = 0.05
"""Largest rotation in radians while the targets rest, in which shorter steps are completed."""


class Step(NamedTuple):
    """One solve of a drag."""

    start: Array
    """`[coordinates]`"""
    begun: Array
    """`[coordinates]` the pose proposed from the start, before the feet are planted."""
    numbers: Array
    """`[1, number]` the targets, as the kernels read them."""
    before: Array
    """`[1, number]` the targets for which `start` was solved."""
    springs: Array | None
    weights: Array | None
    """`[1, goal]`; None for the goals' own."""


class Shortened(NamedTuple):
    """The end of a shorter step."""

    q: Array
    """`[coordinates]`"""
    counts: NDArray[np.int64]
    """`[1, 3]`, as engines write them."""


class ShortSteps:
    """Bounds the steps of joints in drags by how far the targets have moved.

    If a limb is at its limits, the only pose that meets a target may be on the other side of them: an arm dragged
    further behind the back would swing round by 150° at once. Instead, the whole figure moves there step by step.

    A body that touches close to its own joint, such as a palm near the wrist, needs a large rotation to move away by a
    small distance: if the target enters the trunk, a hand would rotate by 60° at once for the last millimetre. Such a
    joint rotates as far as its bound allows, the others compensate, and the next steps continue. The same holds for a
    look over one shoulder at a target that moves on behind the back: from some point on, only the other shoulder meets
    it.

    Args:
        structure: The goals.
        standing: Keeps the feet in place.
    """

    def __init__(self, structure: Structure, standing: Standing | None) -> None:
        self._structure, self._standing = structure, standing
        self._targets = Targets(structure.skeleton, structure.goal_set)
        skeleton = structure.skeleton
        self._joint_of = np.repeat(np.arange(len(skeleton.joints)), [joint.dof for joint in skeleton.definitions])
        self._angles = np.logical_not(skeleton.slides)

    def of(self, step: Step, ended: Array, is_met: bool) -> Shortened | None:
        """The step that replaces one to the pose `ended`; None if no joint rotates too far in that step.

        is_met: whether that meets the goals.
        """
        packed, before = self._structure.skeleton.packed, step.before[0]
        if _is_short(packed, step.start, ended, self._angles, step.numbers[0], before, self._units, QUICKEST, SWIFT):
            return None
        start, end = (Pose.trusted(self._structure.skeleton, q) for q in (step.start, ended))
        taken, most = end.minus(start), self._most(step)
        if self._keeps_apart or self._looks_on(step):
            return self._bounded(step, start, ended, taken, most, is_met)
        if step.weights is not None:
            return None
        leaps = any(self._too_far(taken, max(least, times * most)).any() for least, times in LEAPS)
        if not is_met:  # without moving targets, something else has changed, such as keeping the balance
            moves = (step.numbers[0] != step.before[0]).any()
            return self._share(start, taken, max(most, SWIFT)) if leaps and moves else None
        return self._reaching(step, start, taken, most, leaps)

    def _reaching(self, step: Step, start: Pose, taken: Array, most: float, leaps: bool) -> Shortened | None:
        """`of`, for goals other than looks and collision avoidance, which are met and have unchanged weights."""
        if leaps or self._is_behind(step):
            most = most if (step.numbers[0] != step.before[0]).any() else QUICK
            return self._share(start, taken, most) if self._too_far(taken, most).any() else None
        bound = max(QUICK, most)
        if slower := self._met(step, start, taken, min(bound, SWIFT)):
            return slower
        if most < SLOW and (self._too_far(taken, SWIFT) & self._led(step)).any():
            return self._share(start, taken, SWIFT)
        return self._met(step, start, taken, bound) if bound > SWIFT else None

    def _met(self, step: Step, start: Pose, taken: Array, most: float) -> Shortened | None:
        """`_locking`, if it meets the goals."""
        slower = self._locking(step, start, taken, most)
        return slower if slower and slower.counts[0, OUTCOME] == REACHED else None

    def _bounded(
        self, step: Step, start: Pose, ended: Array, taken: Array, most: float, is_met: bool
    ) -> Shortened | None:
        """`of`, with collision avoidance or looks."""
        shorter = None
        if self._gazes and not is_met and self._too_far(taken, most).any():
            shorter = self._over_same_shoulder(step, ended)
            taken = Pose.trusted(start.skeleton, shorter.q).minus(start) if shorter else taken
        shorter = self._locking(step, start, taken, most) or shorter
        return self._apart(step, start, ended, most, shorter) if shorter and self._keeps_apart else shorter

    def _locking(self, step: Step, start: Pose, taken: Array, most: float) -> Shortened | None:
        """The step in which joints that would rotate further rotate by `most`, and the others continue without them;
        None if none would.

        taken: `[dof]` the step without this bound.
        """
        begun, shorter = Pose.trusted(start.skeleton, step.begun).minus(start), None
        locked = np.zeros(len(begun), bool)
        while (far := self._too_far(taken, most) & ~locked).any():
            locked |= far
            for joint in np.unique(self._joint_of[far]):
                own = far & (self._joint_of == joint)
                begun[own] = taken[own] * min(1.0, most / float(np.abs(taken[own]).max()))
            shorter = self._solved(step, start.plus(begun).q, locked)
            if shorter.counts[0, OUTCOME] != REACHED:  # a longer step might meet the goals
                shorter.counts[0, OUTCOME] = EXHAUSTED
            taken = Pose.trusted(start.skeleton, shorter.q).minus(start)
        return shorter

    def _over_same_shoulder(self, step: Step, ended: Array) -> Shortened | None:
        """The pose without a leap; None if the goals are much nearer in the pose `ended`."""
        stays = self._solved(step, step.start, np.zeros(len(self._joint_of), bool))
        (gaze, others), (other_gaze, less) = self._misses(step.numbers, stays.q), self._misses(step.numbers, ended)
        return stays if gaze < other_gaze + NEARER and others <= less + self._structure.options.tolerance else None

    def _misses(self, numbers: Array, q: Array) -> tuple[float, float]:
        """Radians by which looks miss their targets, and the distance of the other goals."""
        pose, found = Pose.trusted(self._structure.skeleton, q[None]), [0.0, 0.0]
        goals = self._targets.goals_of(numbers, None)
        for at in self._structure.goal_set.hard_at:
            off, rows = float(np.linalg.norm(goals[at].residual(pose))), goals[at].rows(pose.skeleton)
            looks = any(row.is_gaze for row in rows)
            found[1 - looks] = max(found[1 - looks], off)
        return found[0], found[1]

    def _apart(self, step: Step, start: Pose, ended: Array, most: float, shorter: Shortened) -> Shortened:
        """The shorter step. If bodies overlap in it by more than their margin, because its joints rotated too little:
        the step to the pose `ended` reduced by one factor for all joints, if they overlap less in that.
        """
        if (depth := self._depth(step, shorter.q)) <= 2.0 * self._margin:
            return shorter
        share = self._share(start, Pose.trusted(start.skeleton, ended).minus(start), most)
        return shorter if self._depth(step, share.q) >= depth else share

    def _share(self, start: Pose, whole: Array, most: float) -> Shortened:
        """The part of the step `whole [dof]` that rotates no joint further than `most`."""
        share = min(1.0, most / float(np.abs(whole[self._angles]).max()))
        return Shortened(start.plus(share * whole).q, np.array([[EXHAUSTED, 1, 0]]))

    def _depth(self, step: Step, q: Array) -> float:
        """Penetration depth of bodies into each other's margins."""
        goals = self._targets.goals_of(step.numbers, None)
        pose = Pose.trusted(self._structure.skeleton, q[None])
        apart = (goal for goal in goals if any(row.is_contact for row in goal.rows(pose.skeleton)))
        return max(float(goal.residual(pose).max()) for goal in apart)

    @cached_property
    def _margin(self) -> float:
        return max(row.constants[MARGIN] for row in self._structure.goal_set.rows if row.is_contact)

    def _most(self, step: Step) -> float:
        """Radians by which a joint may rotate."""
        change = np.abs(step.numbers[0] - step.before[0])[: len(self._units)] * self._units
        most, now, before = QUICKEST * float(change.max(initial=0.0)), step.numbers[0], step.before[0]
        for joint, first in self._gazes:
            eye = Pose.trusted(self._structure.skeleton, step.start).origins[joint]
            most = max(most, GAZE * _angle(before[first : first + 3] - eye, now[first : first + 3] - eye))
        return most or SETTLES

    @cached_property
    def _gazes(self) -> list[tuple[int, int]]:
        """The joints that look, and the positions of their targets among the numbers."""
        terms, rows = self._structure.problem.terms, self._structure.goal_set.rows
        return [(row.joint, int(terms[n, OFFSET])) for n, row in enumerate(rows) if row.is_gaze]

    def _looks_on(self, step: Step) -> bool:
        """Whether the target of a look moves, or no target does."""
        moved = step.numbers[0] != step.before[0]
        return any(moved[first : first + 3].any() or not moved.any() for _, first in self._gazes)

    def _is_behind(self, step: Step) -> bool:
        """Whether the drag is still completing a leap: the start does not meet the targets for which it was solved."""
        return self._misses(step.before, step.start)[1] * self._structure.problem.scale > BEHIND

    @cached_property
    def _keeps_apart(self) -> bool:
        return any(row.is_contact for row in self._structure.goal_set.rows)

    def _led(self, step: Step) -> NDArray[np.bool_]:
        """`[dof]` those between the root and joints with moving targets. Others, such as the knees of a person whose
        hips are dragged, rotate as fast as they need to; otherwise the body would tip instead.
        """
        moved, led = step.numbers[0] != step.before[0], np.zeros(len(self._joint_of), bool)
        for joint, first, units in self._targets_at:
            if moved[first : first + len(units)].any():
                led |= np.isin(self._joint_of, self._structure.skeleton.chain(joint)[1:])
        return led

    @cached_property
    def _targets_at(self) -> list[tuple[int, int, Array]]:
        """(joint, first number, units of its numbers; see `_units`) of each row with a target."""
        terms, scale, rows = self._structure.problem.terms, self._structure.problem.scale, self._structure.goal_set.rows
        own = [(row, int(terms[n, OFFSET])) for n, row in enumerate(rows) if row.form != NOWHERE]
        return [(row.joint, first, _units_of(row, scale)) for row, first in own]

    @cached_property
    def _units(self) -> Array:
        """`[number]` factors that convert the targets' numbers to reaches and radians."""
        units = np.zeros(max((first + len(part) for _, first, part in self._targets_at), default=0))
        for _, first, part in self._targets_at:
            units[first : first + len(part)] = part
        return units

    def _too_far(self, taken: Array, most: float) -> NDArray[np.bool_]:
        """`[dof]` the angles of joints that rotate by more than `most`."""
        joints = self._joint_of[self._angles & (np.abs(taken) > most * (1.0 + 1e-9))]
        return self._angles & np.isin(self._joint_of, joints)

    def _solved(self, step: Step, begun: Array, locked: NDArray[np.bool_]) -> Shortened:
        """A solve with the other degrees of freedom alone, for as long as they gain much, so that none moves far for
        little.
        """
        structure, starts = with_locked(self._structure, locked), begun[None]
        _, _, numbers, _, springs, weights = step
        if self._standing:
            starts = self._standing.locking(locked).of(step.start[None], starts, numbers, springs, weights, True)
        engine = LeastSquares().engine(structure)
        solver = engine if weights is None else Weighted(structure, LeastSquares(), engine)
        out, counts = np.empty_like(starts), np.zeros((1, 3), np.int64)
        solver.follow(Batch(starts.copy(), numbers, springs, weights), None, out, counts)
        return Shortened(out[0], counts)


def _units_of(row: Row, scale: float) -> Array:
    """As `ShortSteps._units`, for the target of one row; 0 for the target of a look, whose angle counts."""
    if row.is_gaze:
        return np.zeros(3)
    if row.form == FRAME:
        return np.array([[1.0, 1.0, 1.0, scale]] * 3).ravel()
    return {POINT: np.full(3, scale), WXYZ: np.full(4, 2.0), CAPSULE: np.full(7, scale)}[row.form]


def _angle(one: Array, other: Array) -> float:
    """Radians between two directions."""
    return float(np.arctan2(np.linalg.norm(np.cross(one, other)), one @ other))


@kernel
def _is_short(t, start, ended, angles, numbers, before, units, quickest, swift):
    """Whether no joint rotates by more than `quickest` radians for each unit by which the targets move, nor `swift`."""
    most, tangent = 0.0, np.empty(angles.shape[0])
    for i in range(units.shape[0]):
        most = max(most, quickest * units[i] * abs(numbers[i] - before[i]))
    difference(t, start, ended, tangent)
    turns = 0.0
    for i in range(tangent.shape[0]):
        turns = max(turns, abs(tangent[i]) * angles[i])
    return turns <= min(most, swift)

"""Virtual forces: the targets pull on the effectors, and every joint yields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.errors import MethodError, is_number
from posable.skeleton import Pose
from posable.solvers.methods.method import Method, State
from posable.solvers.methods.refine import Settling, settled, settling_of
from posable.solvers.methods.sweep_dofs import (
    KIND,
    LOCKED,
    SLIDE,
    TURN,
    Moves,
    moves_of,
    refused,
    turning_axis,
    wanted_of,
)
from posable.solvers.methods.task import Measured, Task
from posable.solvers.problem import Structure
from posable.spatial import Array

_SLOW_SHARE = 0.95  # of the squared distance left after a step
_LEAST_RATE = 1e-4  # of the first rate of settling: smaller steps make no progress


class _Plan(NamedTuple):
    moves: Moves
    planar: bool
    sensitivity: float
    longest: float
    settling: Settling | None


class _State(NamedTuple):
    """`[problem]` each."""

    calm: Array  # the share of the sensitivity that causes no oscillation
    cost: Array
    touched: NDArray[np.bool_]  # whether the goals have been met
    rate: Array  # of settling
    energy: Array
    unrest: Array  # the motion that the internal forces would still cause


@dataclass(frozen=True)
class VirtualForce(Method):
    """A force from each effector to its target rotates every joint a little, from the tip to the base.

    In a plane a hinge rotates by k (f · r), r the unit direction of its bone rotated by 90° about its axis a. In space
    it rotates by k |f| sin∠(a, f) sin∠(b, f), with the sign of (a × b) · f: b is the direction of its bone (from the
    joint to the next one), or, for a hinge along its bone (|cos| > 0.99) or without a bone, that from the joint to the
    effector.
    A ball counts as three hinges about its own axes, the last one first; a slide moves by k · reach times the component
    of the force along it. One pass over all joints is a step.

    The rotation of a stiff joint is reduced by the factor 1 / (1 + stiffness).
    Source: Elias, inverse kinematics by virtual forces.

    Args:
        sensitivity: The factor k, radians for a force of one length unit of the figure; larger is quicker, less calm.
            None: one radian for a force as long as the figure's reach, or longer, shared among all joints where they
            move at once; less where the effectors would oscillate about their targets.
        at_once: All joints feel the force as it is before the step; else each has moved before the next one feels it.
        planar: Whether to use the form for a plane; None: if the axes of all movable hinges are parallel.
        gravity: The weight of the figure, which pulls against the up axis; a joint without mass weighs by the length
            of its bone.
        settle: After the figure has reached its target, joint elasticity and comfort, soft goals and gravity move it on
            until it is at equilibrium; a joint's elasticity pulls it back to its comfortable range (or its rest) in
            proportion to the bend beyond it. The target stays met meanwhile. False leaves all that out.

    Raises:
        MethodError: For invalid parameters.
    """

    sensitivity: float | None = None
    at_once: bool = False
    planar: bool | None = None
    gravity: float = 0.0
    settle: bool = True

    def __post_init__(self) -> None:
        k = self.sensitivity
        if k is not None and not (is_number(k) and 0 < k <= 1e6):
            raise MethodError(f"VirtualForce: sensitivity must be a number above 0 and at most 1e6, or None, not {k!r}")
        if not (is_number(self.gravity) and 0 <= self.gravity <= 1e6):
            raise MethodError(f"VirtualForce: gravity must be a number from 0 to 1e6, not {self.gravity!r}")
        for what in ("at_once", "settle"):
            if not isinstance(getattr(self, what), bool):
                raise MethodError(f"VirtualForce: {what} is True or False, not {getattr(self, what)!r}")
        if self.planar is not None and not isinstance(self.planar, bool):
            raise MethodError(f"VirtualForce: planar is True, False or None, not {self.planar!r}")

    def refusal(self, structure: Structure) -> str | None:
        why = refused(structure, turns=False, soft=self.settle)
        if why is None and self.planar and not _in_a_plane(structure, moves_of(structure)):
            return "planar=True, but the axes of the movable hinges are not parallel"
        return why

    def plan(self, structure: Structure) -> _Plan:
        moves = moves_of(structure)
        planar = _in_a_plane(structure, moves) if self.planar is None else self.planar
        settling = settling_of(structure, float(self.gravity)) if self.settle else None
        if self.sensitivity is not None:
            return _Plan(moves, planar, float(self.sensitivity), np.inf, settling)
        return _Plan(
            moves, planar, _own_sensitivity(structure, moves, self.at_once), structure.skeleton.reach, settling
        )

    def begin(self, task: Task, pose: Pose) -> State:
        count, settling = len(pose.q), task.plan.settling
        rate = 1.0 / settling.stiffest if settling else 0.0
        none = np.full(count, np.inf)
        return _State(np.ones(count), none, np.zeros(count, bool), np.full(count, rate), none, none)

    def advance(self, task: Task, pose: Pose, measured: Measured, state: State) -> tuple[Pose, State]:
        from posable.solvers.methods.force_sweeps import pull

        plan, skeleton, known = task.plan, task.skeleton, _State(*state)
        slow, known = measured.cost > _SLOW_SHARE * known.cost, _calmer(known, measured.cost, self.sensitivity is None)
        q = np.empty(pose.q.shape)
        pull(
            skeleton.packed, plan.moves, wanted_of(task).position, np.array(pose.q), q, plan.sensitivity * known.calm,
            plan.longest, skeleton.reach, plan.planar, self.at_once,
        )  # fmt: skip
        new = Pose.trusted(skeleton, q)
        return (new, known) if plan.settling is None else _settle(task, new.clamped(), measured.met, slow, known)

    def score(self, task: Task, pose: Pose, measured: Measured) -> Array:
        if task.plan.settling is None or not measured.met.any():
            return measured.cost
        return np.where(measured.met, task.plan.settling.energy(task, pose), measured.cost)

    def is_done(self, task: Task, pose: Pose, measured: Measured, state: State) -> NDArray[np.bool_]:
        del pose
        if task.plan.settling is None:
            return measured.met
        known, finest = _State(*state), task.structure.options.angle_tolerance
        return measured.met & ((known.unrest <= finest) | (known.rate <= _LEAST_RATE / task.plan.settling.stiffest))


def _calmer(s: _State, cost: Array, own: bool) -> _State:
    """Shrink the steps after one that has moved the effectors away; they grow again slowly.

    own: whether the sensitivity is the method's to choose.
    """
    calm = np.where(cost > s.cost, 0.7 * s.calm, np.minimum(1.0, 1.05 * s.calm)) if own else s.calm
    return s._replace(calm=calm, cost=cost)


def _settle(task: Task, pose: Pose, met: NDArray[np.bool_], slow: NDArray[np.bool_], s: _State) -> tuple[Pose, State]:
    """One step of the internal forces. It shrinks after one without progress and, before contact, where the targets
    come `slow`ly nearer.
    """
    settling: Settling = task.plan.settling
    first = 1.0 / settling.stiffest
    energy, touched = settling.energy(task, pose), s.touched | met
    worse = np.where(s.touched, energy > s.energy + 1e-12 * np.abs(s.energy), slow)
    rate = np.where(worse, 0.5 * s.rate, 1.1 * s.rate)
    rate = np.where(s.touched, rate, np.where(met, first, np.clip(rate, 1e-9 * first, first)))
    pose, force = settled(task, pose, task.measure(pose), settling.forces(task, pose), rate, touched)
    return pose, s._replace(touched=touched, rate=rate, energy=energy, unrest=force / settling.stiffest)


def _in_a_plane(structure: Structure, moves: Moves) -> bool:
    """Whether all movable joints are slides, or hinges with parallel axes."""
    rows = moves.table[moves.table[:, LOCKED] == 0]
    if not np.isin(rows[:, KIND], (TURN, SLIDE)).all():
        return False
    axes = [turning_axis(structure.skeleton, int(j), int(dof)) for kind, j, _, _, dof, *_ in rows if kind == TURN]
    return all(abs(axis @ axes[0]) > 1 - 1e-9 for axis in axes)


def _own_sensitivity(structure: Structure, moves: Moves, at_once: bool) -> float:
    """One radian for a force of one reach; joints that move at once share it, so that their sum does not exceed it."""
    count = 1 + int((moves.table[:, LOCKED] == 0).sum())
    return (2 / count if at_once else 1.0) / structure.skeleton.reach

"""Perturbations of the joints where sweeps make no progress."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.skeleton import Pose, Skeleton
from posable.solvers.methods.sweep_dofs import SLIDE, TURN, Moves
from posable.spatial import Array

MOST_PATTERN_MOVES = 8  # most extrapolations of one sweep
_STUCK_SHARE = 0.98  # of the squared distance left after a sweep
_STANDSTILL_SHARE = 1 - 1e-9
_PATIENCE = 8  # sweeps between kicks
_MAX_USELESS_KICKS = 4  # kicks in a row with a gain below 1 %, after which no more are tried
_KICK = 2.0  # radians, or reaches


class Kicks(NamedTuple):
    """Perturbations of the movable freedoms, the same for all problems."""

    jolts: Array  # [kick, dof]
    still: NDArray[np.bool_]  # [coordinates] those of joints that do not move


class Kicking(NamedTuple):
    """`[problem]` each."""

    waited: NDArray[np.int64]  # sweeps since the last kick
    kicks: NDArray[np.int64]
    fruitless: NDArray[np.int64]  # the last so many of them
    mark: Array  # the best pose's error at the last kick
    best: Array  # its error now
    best_q: Array


def kicks_of(skeleton: Skeleton, moves: Moves) -> Kicks:
    """The perturbations for these moves."""
    swung, still = np.zeros(skeleton.dof, bool), np.ones(skeleton.coordinates, bool)
    first = skeleton.tables.first_coordinate
    for kind, j, *_, dof, _, locked in moves.table:
        swung[dof : dof + (1 if kind in (TURN, SLIDE) else 3)] = True
        still[first[j] : first[j + 1]] &= bool(locked)
    jolts = np.random.default_rng(0).uniform(-_KICK, _KICK, (16, skeleton.dof))
    return Kicks(jolts * np.where(skeleton.slides, skeleton.reach, 1.0) * (swung & moves.free), still)


def begin_kicking(pose: Pose) -> Kicking:
    """The state at the start."""
    count = np.zeros(len(pose.q), np.int64)
    none = np.full(len(pose.q), np.inf)
    return Kicking(count, count, count, none, none, np.array(pose.q))


def kicked(kicks: Kicks, pose: Pose, new: Pose, costs: Array, s: Kicking) -> tuple[Pose, Kicking]:
    """Perturb the problems that are stuck; those that this has not helped go back to their best pose and end there.

    costs: `[problem, 2]` the error before and after the sweep that led from `pose` to `new`.
    """
    left = costs[:, 1]
    better = left < s.best
    best, best_q = np.where(better, left, s.best), np.where(better[:, None], new.q, s.best_q)
    ending = s.fruitless > _MAX_USELESS_KICKS
    stands = left >= _STANDSTILL_SHARE * costs[:, 0]
    stuck = ~ending & (stands | ((left >= _STUCK_SHARE * costs[:, 0]) & (s.waited >= _PATIENCE)))
    fruitless = np.where(stuck, np.where(best < 0.99 * s.mark, 1, s.fruitless + 1), s.fruitless)
    jolts = stuck & (fruitless <= _MAX_USELESS_KICKS)
    jolted = new.plus(np.where(jolts[:, None], kicks.jolts[s.kicks % len(kicks.jolts)], 0.0)).clamped()
    q = np.where(
        jolts[:, None], np.where(kicks.still, new.q, jolted.q), np.where((stuck & ~jolts)[:, None], best_q, new.q)
    )
    q = np.where((ending & stands)[:, None], pose.q, q)
    waited = np.where(stuck, 0, s.waited + 1)
    return Pose.trusted(pose.skeleton, q), Kicking(
        waited, s.kicks + jolts, fruitless, np.where(stuck, best, s.mark), best, best_q
    )

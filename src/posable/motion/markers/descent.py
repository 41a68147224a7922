"""Poses of frames each by itself, by the default solver; and poses with what all frames share, by bundle adjustment."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from posable.goals import Reach, Stay
from posable.motion.markers.rig import Indices, Rig
from posable.skeleton import Pose
from posable.solvers import prepare
from posable.spatial import Array
from posable.spatial.marquardt import Arrow, Dense, Mask, minimise

_ENOUGH = 1e-6  # of the reach: markers are not followed closer than that


class PoseSolver:
    """Finds the poses `[frame]` that bring markers of these offsets nearest to their targets, within the limits.

    Every frame is a problem of its own; a marker that is not seen has weight 0 in it. What markers do not tell stays
    near a reference.
    """

    def __init__(self, rig: Rig, offsets: Array) -> None:
        self.offsets, skeleton = offsets, rig.skeleton
        reaches = [
            Reach(skeleton.joints[j], np.zeros(3), tip=offset) for j, offset in zip(rig.carriers, offsets, strict=True)
        ]
        goals = [*reaches, Stay(Pose(skeleton, skeleton.rest_coordinates))]
        self._prepared = prepare(skeleton, goals, restarts=0, tolerance=_ENOUGH * skeleton.reach)

    def solve(self, rig: Rig, start: Pose, reference: Pose) -> Pose:
        """From `start [frame]`. rig: with the targets and weights of these frames."""
        targets = [*np.moveaxis(rig.targets, 1, 0), reference.q]
        return self._prepared.solve(start, targets, weights=[*rig.weights.T, None]).pose


def frame_costs(rig: Rig, pose: Pose, offsets: Array, reference: Pose) -> Array:
    """`[frame]`: ½ Σ w ‖miss‖² and what the way from the reference counts."""
    miss = rig.places(pose, offsets) - rig.targets
    away = pose.minus(reference)[:, rig.free]
    held = away**2 @ rig.calm + rig.beyond(pose) ** 2 @ rig.unwilling
    return 0.5 * np.sum(rig.weights * np.sum(miss**2, axis=2), axis=1) + 0.5 * held


def pose_normal(rig: Rig, pose: Pose, offsets: Array, reference: Pose) -> tuple[Array, Array, Array]:
    """(normal matrices `[frame, free, free]`, gradients `[frame, free]`) of each frame's cost, and the weighted
    derivative `[frame, 3 marker, free]` of places.
    """
    places = rig.places(pose, offsets)
    frames, count = places.shape[:2]
    root = np.sqrt(rig.weights)[..., None]
    slope = (rig.by_pose(pose, places) * root[..., None]).reshape(frames, 3 * count, -1)
    miss = ((places - rig.targets) * root).reshape(frames, 3 * count, 1)
    across = np.swapaxes(slope, 1, 2)
    away = pose.minus(reference)[:, rig.free]
    normal = across @ slope
    beyond = rig.beyond(pose)
    every = np.arange(len(rig.free))
    normal[:, every, every] += rig.calm + np.where(np.abs(beyond) > 1e-9, rig.unwilling, 0.0)
    return normal, (across @ miss)[..., 0] + rig.calm * away + rig.unwilling * beyond, slope


class Shared(NamedTuple):
    """What all frames have in common: offsets `[marker, 3]`, logs `[1 + groups]` of lengths (see Rig.stretched)."""

    offsets: Array
    logs: Array

    def moved(self, step: Array, loose: Indices) -> Shared:
        """After a step `[3 loose markers + 1 + groups]`."""
        offsets, logs = self.offsets.copy(), self.logs.copy()
        count = 3 * len(loose)
        offsets[loose] += step[:count].reshape(-1, 3)
        if len(step) > count:
            logs += step[count:]
        return Shared(offsets, logs)


class Prior(NamedTuple):
    """first: what is believed. tight: `[marker]` and `[1 + groups]`, how strongly, against one frame's squared misses.
    loose: indices of markers whose offsets may move. lengths: whether lengths may change.
    """

    first: Shared
    tight_offsets: Array
    tight_logs: Array
    loose: Indices
    lengths: bool

    def cost(self, shared: Shared) -> float:
        """½ Σ tight ‖shared - first‖²"""
        off, logs = shared.offsets - self.first.offsets, shared.logs - self.first.logs
        return float(0.5 * np.sum(self.tight_offsets[:, None] * off**2) + 0.5 * np.sum(self.tight_logs * logs**2))

    def normal(self, shared: Shared) -> tuple[Array, Array]:
        """(diagonal, gradient) along the step of `Shared.moved`."""
        off, logs = shared.offsets - self.first.offsets, shared.logs - self.first.logs
        tight = np.repeat(self.tight_offsets[self.loose], 3)
        diagonal = np.concatenate([tight, self.tight_logs]) if self.lengths else tight
        away = np.concatenate([off[self.loose].ravel(), logs]) if self.lengths else off[self.loose].ravel()
        return diagonal, diagonal * away


def solve_together(
    rig: Rig, pose: Pose, shared: Shared, reference: Pose, prior: Prior, rounds: int = 25
) -> tuple[Pose, Shared]:
    """Poses of all frames, offsets and lengths that fit best together (bundle adjustment).

    rig: with the lengths of the figure as it came; `shared.logs` stretches it.
    """
    problem = _Bundle(rig, reference, prior)
    enough = len(pose) * 1e-3 * (_ENOUGH * rig.skeleton.reach) ** 2
    found, _ = minimise(problem, problem.at(pose.q, shared), steps=rounds, tolerance=3e-5, enough=enough)
    return found.pose, found.shared


class _Fit(NamedTuple):
    """Where a bundle adjustment is. rig: of these lengths; costs: `[frame]`, with the frame's part of the prior's."""

    rig: Rig
    pose: Pose
    shared: Shared
    costs: Array


class _Bundle(NamedTuple):
    """Poses of all frames and what they share."""

    rig: Rig
    reference: Pose
    prior: Prior

    def at(self, q: Array, shared: Shared) -> _Fit:
        """The state of these poses and lengths."""
        rig = self.rig.stretched(shared.logs)
        pose, reference = (Pose.trusted(rig.skeleton, one) for one in (q, self.reference.q))
        costs = frame_costs(rig, pose, shared.offsets, reference) + self.prior.cost(shared)
        return _Fit(rig, pose, shared, costs)

    def system(self, state: _Fit) -> Arrow:
        rig, pose, shared, _ = state
        normal, pull, slope = pose_normal(rig, pose, shared.offsets, Pose.trusted(rig.skeleton, self.reference.q))
        by_shared = _by_shared(rig, pose, self.prior)
        miss = (rig.places(pose, shared.offsets) - rig.targets) * np.sqrt(rig.weights)[..., None]
        diagonal, gradient = self.prior.normal(shared)
        flat = by_shared.reshape(-1, by_shared.shape[2])
        corner = flat.T @ flat + len(pose) * np.diag(diagonal)
        down = flat.T @ miss.ravel() + len(pose) * gradient
        own = Dense(normal, pull, rig.held(pose, pull))
        return Arrow(own, np.swapaxes(slope, 1, 2) @ by_shared, corner, down)

    def attempt(self, state: _Fit, step: tuple[Array, Array]) -> tuple[_Fit, Mask]:
        moved = state.rig.moved(state.pose, step[0])
        found = self.at(moved.q, state.shared.moved(step[1], self.prior.loose))
        lower = bool(found.costs.sum() < state.costs.sum())
        return (found if lower else state), np.full(len(moved), not lower)


def _by_shared(rig: Rig, pose: Pose, prior: Prior) -> Array:
    """`[frame, 3 marker, shared]`: the weighted derivative of places by what frames share."""
    frames, markers = rig.weights.shape
    root = np.sqrt(rig.weights)[..., None, None]
    own = np.zeros((frames, markers, 3, len(prior.loose), 3))
    for k, marker in enumerate(prior.loose):
        own[:, marker, :, k] = pose.world_from_joint[:, rig.carriers[marker], :3, :3]
    parts = [own.reshape(frames, markers, 3, -1)]
    if prior.lengths:
        parts.append(rig.by_length(pose))
    return (np.concatenate(parts, axis=3) * root).reshape(frames, 3 * markers, -1)

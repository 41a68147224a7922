"""Gauss–Newton with damping: poses of frames each by itself, and poses with what all frames share."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from posable.motion.markers.rig import Indices, Rig
from posable.skeleton import Pose
from posable.spatial import Array

_BLOCK = 256
_HOLDS = 1e8  # how much stiffer a freedom is made that its limit holds
_ENOUGH = 1e-6  # of the reach: markers are not followed closer than that


def solve_poses(rig: Rig, start: Pose, offsets: Array, reference: Pose, rounds: int = 30) -> Pose:
    """The poses `[frame]` that bring markers of these offsets nearest to their targets, within the limits.

    What markers do not tell stays near the `reference`.
    """
    parts = [
        _solve_block(rig.at(slice(a, a + _BLOCK)), start[a : a + _BLOCK], offsets, reference[a : a + _BLOCK], rounds)
        for a in range(0, len(start), _BLOCK)
    ]
    return Pose.trusted(start.skeleton, np.concatenate(parts))


def frame_costs(rig: Rig, pose: Pose, offsets: Array, reference: Pose) -> Array:
    """`[frame]`: ½ Σ w ‖miss‖² and what the way from the reference counts."""
    miss = rig.places(pose, offsets) - rig.targets
    away = pose.minus(reference)[:, rig.free]
    held = away**2 @ rig.calm + rig.beyond(pose) ** 2 @ rig.unwilling
    return 0.5 * np.sum(rig.weights * np.sum(miss**2, axis=2), axis=1) + 0.5 * held


def _solve_block(rig: Rig, pose: Pose, offsets: Array, reference: Pose, rounds: int) -> Array:
    q, damping = np.array(pose.q), np.full(len(pose), 1e-4)
    cost = frame_costs(rig, pose, offsets, reference)
    going = np.arange(len(q))
    enough = (_ENOUGH * rig.skeleton.reach) ** 2
    for _ in range(rounds):
        now, part, towards = Pose.trusted(pose.skeleton, q[going]), rig.at(going), reference[going]
        normal, pull, _ = pose_normal(part, now, offsets, towards)
        step = damped_step(part, now, normal, pull, damping[going])
        moved = part.moved(now, step)
        found = frame_costs(part, moved, offsets, towards)
        better = found < cost[going]
        slow = better & (cost[going] - found <= 1e-5 * cost[going] + 1e-3 * enough)
        q[going[better]], cost[going[better]] = moved.q[better], found[better]
        damping[going] = np.clip(np.where(better, damping[going] / 5, damping[going] * 8), 1e-9, 1e9)
        going = going[~slow & (damping[going] < 1e7)]
        if not len(going):
            break
    return q


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


def damped_step(rig: Rig, pose: Pose, normal: Array, pull: Array, damping: Array) -> Array:
    """The step `[frame, free]` down each frame's cost."""
    step = np.linalg.solve(stiffened(rig, pose, normal, pull, damping), pull[..., None])
    return np.asarray(-step[..., 0], np.float64)


def stiffened(rig: Rig, pose: Pose, normal: Array, pull: Array, damping: Array) -> Array:
    """The normal matrices with their damping `[frame]`, stiff where limits hold."""
    diagonal = np.diagonal(normal, axis1=1, axis2=2)
    more = damping[:, None] * diagonal + 1e-12 * diagonal.max(axis=1, keepdims=True)
    more += np.where(rig.held(pose, pull), _HOLDS * diagonal.max(axis=1, keepdims=True), 0.0)
    found = normal.copy()
    found[:, np.arange(found.shape[1]), np.arange(found.shape[1])] += more
    return found


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
    """Poses of all frames, offsets and lengths that fit best together (bundle adjustment: each frame's pose is
    eliminated, so that a step costs one small solve a frame; Triggs et al. 2000).

    rig: with the lengths of the figure as it came; `shared.logs` stretches it.
    """
    frames, damping = len(pose), 1e-3

    def cost_of(q: Array, of: Shared) -> tuple[Rig, Pose, float]:
        there = rig.stretched(of.logs)
        at = Pose.trusted(there.skeleton, q)
        own = frame_costs(there, at, of.offsets, Pose.trusted(there.skeleton, reference.q)).sum()
        return there, at, float(own) + frames * prior.cost(of)

    now, pose, cost = cost_of(pose.q, shared)
    for _ in range(rounds):
        step, shift = _bundle_step(now, pose, shared, Pose.trusted(now.skeleton, reference.q), prior, damping)
        moved = now.moved(pose, step)
        wanted = shared.moved(shift, prior.loose)
        found = cost_of(moved.q, wanted)
        if found[2] >= cost:
            damping *= 8
            if damping > 1e7:
                break
            continue
        fallen, damping = cost - found[2], max(damping / 5, 1e-9)
        (now, pose, cost), shared = found, wanted
        if fallen <= 1e-4 * cost + 1e-3 * frames * (_ENOUGH * rig.skeleton.reach) ** 2:
            break
    return pose, shared


def _bundle_step(
    rig: Rig, pose: Pose, shared: Shared, reference: Pose, prior: Prior, damping: float
) -> tuple[Array, Array]:
    """(the poses' step `[frame, free]`, the step of what they share)."""
    frames = len(pose)
    normal, pull, slope = pose_normal(rig, pose, shared.offsets, reference)
    stiff = stiffened(rig, pose, normal, pull, np.full(frames, damping))
    by_shared = _by_shared(rig, pose, prior)
    miss = (rig.places(pose, shared.offsets) - rig.targets) * np.sqrt(rig.weights)[..., None]
    diagonal, gradient = prior.normal(shared)
    flat = by_shared.reshape(-1, by_shared.shape[2])
    corner = flat.T @ flat
    corner[np.arange(len(corner)), np.arange(len(corner))] += frames * diagonal
    corner[np.arange(len(corner)), np.arange(len(corner))] *= 1 + damping
    down = flat.T @ miss.ravel() + frames * gradient
    border = np.swapaxes(slope, 1, 2) @ by_shared
    solved = np.linalg.solve(stiff, np.concatenate([border, pull[..., None]], axis=2))
    tall = (-1, border.shape[2])
    left = corner - border.reshape(tall).T @ solved[..., :-1].reshape(tall)
    left[np.arange(len(left)), np.arange(len(left))] += 1e-12 * np.diagonal(corner).max(initial=1e-300)
    shift = np.asarray(np.linalg.solve(left, border.reshape(tall).T @ solved[..., -1].ravel() - down), np.float64)
    return -solved[..., -1] - solved[..., :-1] @ shift, shift


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

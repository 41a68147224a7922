"""The pose of each frame of a recording, from known lengths and offsets, without strays and over gaps."""

from __future__ import annotations

import numpy as np

from posable.clips import evened
from posable.motion.markers.bundle_adjustment import PoseSolver, fill_gaps, frame_costs, normal_equations
from posable.motion.markers.calibration import solved_from_one
from posable.motion.markers.marker_model import MarkerModel
from posable.skeleton import Pose
from posable.spatial import Array

_STRAY = (4.0, 0.02)  # a marker strays if its residual is larger than these multiples of its median and of the reach
_VAGUE = 4.0  # a degree of freedom is unknown if its variance is larger than this multiple of the median
_JUMP = np.radians(30)  # of a freedom between two frames: more may be another pose that fits as well
_ABOUT = 16  # times the cost of a frame that fits badly: what a frame may cost that no longer jumps
_PICKS = 4  # how often all frames are solved again without strays


def solved_frames(model: MarkerModel, start: Pose, offsets: Array, trunk: Array) -> tuple[Pose, np.ndarray]:
    """(poses of all frames, `[frame, marker]` which markers count): each frame solved from the calibration, then from
    its neighbours where that is better, then without strays and with gaps filled.
    """
    solver = PoseSolver(model, offsets)
    pose, first = solved_from_one(model, start, solver, trunk)
    for shift in (1, -1):
        pose = _from_neighbours(model, pose, solver, first, shift)
    reference = first
    for turn in range(_PICKS):
        strays = _strays(model, pose, offsets)
        model = model.with_weights(np.where(strays, 0.0, model.weights))
        unknown = _unknown(model, pose, offsets)
        held = fill_gaps(model.skeleton, pose.q, _known(model, unknown))
        reference = model.upright(evened(Pose.trusted(model.skeleton, held), 4.0 if turn == 0 else 0.0))
        pose = solver.solve(model, reference, reference)
    for shift in (1, -1):
        pose = _from_neighbours(model, pose, solver, reference, shift, jumps=True)
    return pose, model.weights > 0


def _strays(model: MarkerModel, pose: Pose, offsets: Array) -> np.ndarray:
    """`[frame, marker]`: markers with a large residual, among the largest of their frame."""
    misses = np.where(model.weights > 0, np.linalg.norm(model.positions(pose, offsets) - model.targets, axis=2), np.nan)
    usual = np.nanmedian(misses, axis=0)
    far = misses > np.maximum(_STRAY[0] * usual, _STRAY[1] * model.skeleton.reach)
    return far & (misses >= 0.8 * np.nanmax(np.where(far, misses, 0.0), axis=1, keepdims=True))


def _from_neighbours(
    model: MarkerModel, pose: Pose, solver: PoseSolver, reference: Pose, shift: int, jumps: bool = False
) -> Pose:
    """The poses; frames that fit worse than most are solved again from the frame before (1) or after (-1), in order.

    jumps: instead those in which a joint jumps, which then have to fit about as well.
    """
    q, costs = np.array(pose.q), frame_costs(model, pose, solver.offsets, reference)
    order = range(1, len(q)) if shift > 0 else range(len(q) - 2, -1, -1)
    enough = 4 * np.median(costs) + (1e-3 * model.skeleton.reach) ** 2
    for frame in order:
        beside, now = (Pose.trusted(pose.skeleton, q[one : one + 1]) for one in (frame - shift, frame))
        jump = np.abs(now.minus(beside)).max()
        worse = costs[frame] > enough and costs[frame - shift] <= 0.5 * costs[frame]
        if not (jump > _JUMP if jumps else worse):
            continue
        one = np.array([frame])
        found = solver.solve(model.at(one), beside, reference[one])
        cost = float(frame_costs(model.at(one), found, solver.offsets, reference[one])[0])
        smooth = jumps and cost < _ABOUT * enough and np.abs(found.minus(beside)).max() < jump
        if cost < costs[frame] or smooth:
            q[frame], costs[frame] = found.q[0], cost
    return Pose.trusted(pose.skeleton, q)


def _unknown(model: MarkerModel, pose: Pose, offsets: Array) -> np.ndarray:
    """`[frame, free]`: degrees of freedom with a much larger variance than in most frames."""
    normal, _, _ = normal_equations(model, pose, offsets, pose)
    variance = np.diagonal(np.linalg.inv(normal), axis1=1, axis2=2)
    return variance > _VAGUE * np.median(variance, axis=0)


def _known(model: MarkerModel, unknown: np.ndarray) -> np.ndarray:
    """`[frame, joint]`: joints without an unknown degree of freedom."""
    own = np.repeat(np.arange(len(model.skeleton.joints)), np.diff(model.skeleton.tables.first_dof))[model.free]
    known = np.ones((len(unknown), len(model.skeleton.joints)), bool)
    for k, joint in enumerate(own):
        known[:, joint] &= ~unknown[:, k]
    return known

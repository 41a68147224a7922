"""Poses from markers: aligned with the figure, then each frame by itself, or all with offsets and lengths together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from posable.goals import LookAt, Reach, Stay
from posable.motion.markers.marker_model import Indices, MarkerModel
from posable.skeleton import Pose, Skeleton
from posable.solvers import prepare
from posable.spatial import Array, normalized, slerp, wxyz_from_matrix
from posable.spatial.marquardt import Arrow, Dense, Mask, minimise

_ENOUGH = 1e-6  # of the reach: markers are not followed closer than that
_FAR_UP = 1e6  # reaches: the direction to a point as high is up wherever the root stands


class PoseSolver:
    """Finds the poses `[frame]` that bring markers with these offsets closest to their targets, within the limits.

    Every frame is a problem of its own; a marker that is not seen has weight 0 in it. Freedom that the markers leave
    goes to a reference pose.
    """

    def __init__(self, model: MarkerModel, offsets: Array) -> None:
        self.offsets, skeleton = offsets, model.skeleton
        joints = [skeleton.joints[j] for j in model.carriers]
        reaches = [Reach(joint, np.zeros(3), tip=offset) for joint, offset in zip(joints, offsets, strict=True)]
        up, up_of_root = model.up
        self._far = [_FAR_UP * skeleton.reach * up] if model.tilt_open else []
        upright = [LookAt(skeleton.joints[0], point, up_of_root, model.tilt_weight) for point in self._far]
        goals = [*reaches, *upright, Stay(Pose(skeleton, skeleton.rest_coordinates))]
        self._prepared = prepare(skeleton, goals, restarts=0, tolerance=_ENOUGH * skeleton.reach)

    def solve(self, model: MarkerModel, start: Pose, reference: Pose) -> Pose:
        """Solve from `start [frame]`. model: with the targets and weights of these frames."""
        targets = [*np.moveaxis(model.targets, 1, 0), *self._far, reference.q]
        weights = [*model.weights.T, *(None for _ in self._far), None]
        return model.unwound(self._prepared.solve(start, targets, weights=weights).pose)


def frame_costs(model: MarkerModel, pose: Pose, offsets: Array, reference: Pose) -> Array:
    """`[frame]`: ½ Σ w ‖residual‖², plus the penalties on the distance from the reference and beyond soft limits."""
    residual = model.positions(pose, offsets) - model.targets
    away = pose.minus(reference)[:, model.free]
    penalties = away**2 @ model.stay_weights + model.limit_excess(pose) ** 2 @ model.limit_weights
    return 0.5 * np.sum(model.weights * np.sum(residual**2, axis=2), axis=1) + 0.5 * penalties


def normal_equations(model: MarkerModel, pose: Pose, offsets: Array, reference: Pose) -> tuple[Array, Array, Array]:
    """(normal matrices `[frame, free, free]`, gradients `[frame, free]`) of each frame's cost, and the weighted
    derivative `[frame, 3 marker, free]` of positions.
    """
    positions = model.positions(pose, offsets)
    frames, count = positions.shape[:2]
    root = np.sqrt(model.weights)[..., None]
    jacobian = (model.jacobian(pose, positions) * root[..., None]).reshape(frames, 3 * count, -1)
    residual = ((positions - model.targets) * root).reshape(frames, 3 * count, 1)
    transposed = np.swapaxes(jacobian, 1, 2)
    away, excess = pose.minus(reference)[:, model.free], model.limit_excess(pose)
    normal, every = transposed @ jacobian, np.arange(len(model.free))
    normal[:, every, every] += model.stay_weights + np.where(np.abs(excess) > 1e-9, model.limit_weights, 0.0)
    gradient = (transposed @ residual)[..., 0] + model.stay_weights * away + model.limit_weights * excess
    return normal, gradient, jacobian


class SharedParameters(NamedTuple):
    """What all frames share: offsets `[marker, 3]`, logarithms of lengths `[1 + groups]` (see `MarkerModel.scaled`)."""

    offsets: Array
    logs: Array

    def moved(self, step: Array, adjustable: Indices) -> SharedParameters:
        """After a step `[3 adjustable markers + 1 + groups]`."""
        offsets, logs = self.offsets.copy(), self.logs.copy()
        count = 3 * len(adjustable)
        offsets[adjustable] += step[:count].reshape(-1, 3)
        if len(step) > count:
            logs += step[count:]
        return SharedParameters(offsets, logs)


class Prior(NamedTuple):
    """A normal prior on the shared parameters.

    mean: the expected values. offset_precisions, log_precisions: `[marker]` and `[1 + groups]` weights against one
    frame's squared residuals. adjustable: indices of markers whose offsets may change. lengths: whether lengths may.
    """

    mean: SharedParameters
    offset_precisions: Array
    log_precisions: Array
    adjustable: Indices
    lengths: bool

    def cost(self, shared: SharedParameters) -> float:
        """½ Σ precision ‖shared - mean‖²."""
        off, logs = shared.offsets - self.mean.offsets, shared.logs - self.mean.logs
        return 0.5 * float(np.sum(self.offset_precisions[:, None] * off**2) + np.sum(self.log_precisions * logs**2))

    def normal(self, shared: SharedParameters) -> tuple[Array, Array]:
        """(diagonal, gradient) along the step of `SharedParameters.moved`."""
        off, logs = shared.offsets - self.mean.offsets, shared.logs - self.mean.logs
        diagonal = np.repeat(self.offset_precisions[self.adjustable], 3)
        diagonal = np.concatenate([diagonal, self.log_precisions]) if self.lengths else diagonal
        away = np.concatenate([off[self.adjustable].ravel(), logs]) if self.lengths else off[self.adjustable].ravel()
        return diagonal, diagonal * away


def bundle_adjust(
    model: MarkerModel, pose: Pose, shared: SharedParameters, reference: Pose, prior: Prior, rounds: int = 25
) -> tuple[Pose, SharedParameters]:
    """The poses of all frames, offsets and lengths that fit best together (bundle adjustment).

    model: with the original lengths of the figure; `shared.logs` scales them.
    """
    problem = _Bundle(model, reference, prior)
    enough = len(pose) * 1e-3 * (_ENOUGH * model.skeleton.reach) ** 2
    found, _ = minimise(problem, problem.at(pose.q, shared), steps=rounds, tolerance=3e-5, enough=enough)
    return found.pose, found.shared


class _State(NamedTuple):
    """The state of a bundle adjustment. model: with these lengths; costs: `[frame]`, the prior's in every frame."""

    model: MarkerModel
    pose: Pose
    shared: SharedParameters
    costs: Array


class _Bundle(NamedTuple):
    """Poses of all frames and what they share."""

    model: MarkerModel
    reference: Pose
    prior: Prior

    def at(self, q: Array, shared: SharedParameters) -> _State:
        """The state of these poses and lengths."""
        model = self.model.scaled(shared.logs)
        pose, reference = (Pose.trusted(model.skeleton, one) for one in (q, self.reference.q))
        costs = frame_costs(model, pose, shared.offsets, reference) + self.prior.cost(shared)
        return _State(model, pose, shared, costs)

    def system(self, state: _State) -> Arrow:
        model, pose, shared, _ = state
        reference = Pose.trusted(model.skeleton, self.reference.q)
        normal, gradient, jacobian = normal_equations(model, pose, shared.offsets, reference)
        by_shared = _shared_jacobian(model, pose, self.prior)
        residual = (model.positions(pose, shared.offsets) - model.targets) * np.sqrt(model.weights)[..., None]
        prior_diagonal, prior_gradient = self.prior.normal(shared)
        flat = by_shared.reshape(-1, by_shared.shape[2])
        corner = flat.T @ flat + len(pose) * np.diag(prior_diagonal)
        shared_gradient = flat.T @ residual.ravel() + len(pose) * prior_gradient
        own = Dense(normal, gradient, model.blocked(pose, gradient))
        return Arrow(own, np.swapaxes(jacobian, 1, 2) @ by_shared, corner, shared_gradient)

    def attempt(self, state: _State, step: tuple[Array, Array]) -> tuple[_State, Mask]:
        moved = state.model.moved(state.pose, step[0])
        found = self.at(moved.q, state.shared.moved(step[1], self.prior.adjustable))
        lower = bool(found.costs.sum() < state.costs.sum())
        return (found if lower else state), np.full(len(moved), not lower)


def _shared_jacobian(model: MarkerModel, pose: Pose, prior: Prior) -> Array:
    """`[frame, 3 marker, shared]`: the weighted derivative of positions by what frames share."""
    frames, markers = model.weights.shape
    root = np.sqrt(model.weights)[..., None, None]
    own = np.zeros((frames, markers, 3, len(prior.adjustable), 3))
    for k, marker in enumerate(prior.adjustable):
        own[:, marker, :, k] = pose.world_from_joint[:, model.carriers[marker], :3, :3]
    parts = [own.reshape(frames, markers, 3, -1)]
    if prior.lengths:
        parts.append(model.length_jacobian(pose))
    return (np.concatenate(parts, axis=3) * root).reshape(frames, 3 * markers, -1)


_UNITS = (1.0, 10.0, 100.0, 1000.0, 1 / 0.0254, 1 / 0.3048)
_NEAR_UNIT = 2.2
"""The largest ratio of sizes of body and figure that is not attributed to units."""


def with_up_axis(positions: Array, given: str, wanted: str) -> Array:
    """Points `[..., 3]` whose `given` axis points up, rotated so that the `wanted` one does."""
    if given == wanted:
        return positions
    x, y, z = np.moveaxis(positions, -1, 0)
    return np.stack([x, z, -y] if given == "z" else [x, -z, y], axis=-1)


def unit_ratio(model: Array, seen: Array, size: float) -> float:
    """The figure's length units per unit of the markers, a common one if possible, from points `[marker, 3]` of both.

    1 if the distances roughly agree: people and figures differ in size far less than units do.
    """
    first, second = np.triu_indices(len(model), 1)
    ours = np.linalg.norm(model[first] - model[second], axis=1)
    theirs = np.linalg.norm(seen[first] - seen[second], axis=1)
    far = (ours > 0.1 * size) & (theirs > 0)
    if not far.any():
        return 1.0
    ratio = float(np.median(ours[far] / theirs[far]))
    if 1 / _NEAR_UNIT < ratio < _NEAR_UNIT:
        return 1.0
    usual = np.array([*_UNITS[1:], *(1 / unit for unit in _UNITS[1:])])
    nearest = float(usual[np.argmin(np.abs(np.log(usual / ratio)))])
    return nearest if 1 / 1.5 < nearest / ratio < 1.5 else ratio


def rigid_fits(model: Array, targets: Array, weights: Array) -> Array:
    """`[frame, 4, 4]`: the rigid motions that bring `model [frame, point, 3]` closest to `targets` (Kabsch 1976)."""
    total = np.maximum(weights.sum(axis=1), 1e-300)[:, None]
    middle = np.sum(weights[..., None] * model, axis=1) / total
    aim = np.sum(weights[..., None] * targets, axis=1) / total
    spread = np.einsum("fm,fmi,fmj->fij", weights, targets - aim[:, None], model - middle[:, None])
    u, _, vt = np.linalg.svd(spread)
    u[..., 2] *= np.linalg.det(u @ vt)[:, None]
    found = np.tile(np.eye(4), (len(model), 1, 1))
    found[:, :3, :3] = u @ vt
    found[:, :3, 3] = aim - (found[:, :3, :3] @ middle[..., None])[..., 0]
    return found


def aligned(model: MarkerModel, pose: Pose, offsets: Array, importance: Array) -> Pose:
    """The poses with their root moved so that the rigid figure fits the markers; frames with fewer than three stay.
    Where markers leave its tilt open, the root is upright.

    importance: `[marker]` factors of the weights.
    """
    root = model.skeleton.definitions[0]
    if not root.floating:
        return pose
    weights = model.weights * importance
    moves = rigid_fits(model.positions(pose, offsets), model.targets, weights)
    world = moves @ pose.world_from_joint[:, 0]
    q = np.array(pose.q)
    enough = (weights > 0).sum(axis=1) >= 3
    q[enough, :3] = world[enough, :3, 3]
    q[enough, 3:7] = wxyz_from_matrix(world[enough, :3, :3])
    return model.upright(Pose.trusted(pose.skeleton, q))


def fill_gaps(skeleton: Skeleton, q: Array, known: np.ndarray) -> Array:
    """`q [frame, coordinates]` with every joint interpolated over frames in which it is not `known [frame, joint]`,
    constant before the first known frame and after the last.
    """
    out, first = np.array(q), skeleton.tables.first_coordinate
    for j, joint in enumerate(skeleton.definitions):
        own = slice(int(first[j]), int(first[j + 1]))
        if not joint.coordinates or not known[:, j].any() or known[:, j].all():
            continue
        before, after, share = _between(known[:, j])
        mixed = (1 - share[:, None]) * q[before, own] + share[:, None] * q[after, own]
        if joint.has_quaternion:
            mixed[:, -4:] = fill_rotation_gaps(q[:, own.stop - 4 : own.stop], known[:, j])
        out[~known[:, j], own] = mixed[~known[:, j]]
    return out


def fill_rotation_gaps(wxyz: Array, known: np.ndarray) -> Array:
    """Quaternions `[frame, 4]` with those not `known [frame]` interpolated likewise."""
    before, after, share = _between(known)
    return np.where(known[:, None], wxyz, normalized(slerp(wxyz[before], wxyz[after], share)))


def _between(known: np.ndarray) -> tuple[np.ndarray, np.ndarray, Array]:
    """(the known frame before, the one after, the relative position between them) for each frame."""
    sure, frames = np.flatnonzero(known), np.arange(len(known))
    after = sure[np.clip(np.searchsorted(sure, frames), 0, len(sure) - 1)]
    before = sure[np.clip(np.searchsorted(sure, frames, side="right") - 1, 0, len(sure) - 1)]
    share = np.where(after > before, (frames - before) / np.maximum(after - before, 1), 0.0)
    return before, after, share

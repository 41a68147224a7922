"""What all frames of a recording share: segment lengths and offsets, from frames spread over it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from posable.motion.markers.bundle_adjustment import (
    PoseSolver,
    Prior,
    SharedParameters,
    aligned,
    bundle_adjust,
    frame_costs,
)
from posable.motion.markers.landmarks import Attachment
from posable.motion.markers.marker_model import Indices, MarkerModel
from posable.skeleton import Pose
from posable.spatial import Array

_SAMPLE = 48  # frames from which lengths and offsets are estimated
_NOISE = (5e-4, 4e-3)  # of the reach: least and largest assumed standard deviation of markers
_EXACT_NOISE = 1e-5  # the least where all offsets are known
_LENGTH_SPREAD = 0.1  # standard deviation of the logarithm of a segment's length relative to the overall size
_SIZE_SPREAD = 0.3  # of the overall size
_ROUNDS = (3, 7)  # how often lengths are estimated, each with the noise of the last: offsets adjustable, or known
_TRIAL_STEPS = 12


class Guess(NamedTuple):
    """What is assumed before the fit.

    offsets, spreads, weights: `[marker]` of the attachments. trunk: `[marker]` factors of the weights for the root's
    pose. lengths: whether segments are scaled.
    """

    offsets: Array
    spreads: Array
    weights: Array
    trunk: Array
    lengths: bool

    @staticmethod
    def of(attachments: Sequence[Attachment], trunk: Array, lengths: bool) -> Guess:
        """The guess from attachments."""
        offsets, spreads, weights = zip(*((one.offset, one.spread, one.weight) for one in attachments), strict=True)
        return Guess(np.array(offsets), np.array(spreads), np.array(weights), trunk, lengths)

    @property
    def adjustable(self) -> Indices:
        """The markers whose offsets may change."""
        return np.flatnonzero(self.spreads > 0)

    def shared(self, model: MarkerModel) -> SharedParameters:
        """These offsets with the lengths of the figure."""
        return SharedParameters(self.offsets, np.zeros(2 + int(model.groups.max(initial=-1))))

    def prior(self, model: MarkerModel, noise: float) -> Prior:
        """The prior on offsets and lengths against markers with this `noise`, relative to the reach."""
        sigma, adjustable = noise * model.skeleton.reach, self.adjustable
        offsets = np.zeros(len(self.spreads))
        offsets[adjustable] = (sigma / self.spreads[adjustable]) ** 2
        first = self.shared(model)
        logs = np.full(len(first.logs), (sigma / _LENGTH_SPREAD) ** 2)
        logs[0] = (sigma / _SIZE_SPREAD) ** 2
        return Prior(first, offsets, logs, adjustable, self.lengths)


class Calibration(NamedTuple):
    """Some frames of a recording, fitted together.

    sample: the model of these frames, with the lengths found. pose: their poses. shared: offsets and lengths. cost: of
    residuals, offsets and lengths, a mean over frames, in squares of the assumed noise.
    """

    sample: MarkerModel
    pose: Pose
    shared: SharedParameters
    cost: float = 0.0


def started(model: MarkerModel, rest: Pose, guess: Guess, frame: int) -> Pose:
    """The pose `[1]` of a frame with most markers, within the limits of the figure."""
    one = model.at(np.array([frame]))
    one = one if one.soft_limits is None else one.on_skeleton(one.soft_limits)
    first = aligned(one, Pose.trusted(one.skeleton, rest.q[None]), guess.offsets, guess.trunk)
    return Pose.trusted(model.skeleton, PoseSolver(one, guess.offsets).solve(one, first, first).q)


def calibration(model: MarkerModel, start: Pose, guess: Guess) -> Calibration:
    """Lengths and offsets, estimated from frames spread over the recording."""
    first = guess.shared(model)
    some = model.at(spread_frames(model, _SAMPLE))
    pose, reference = solved_from_one(some, start, PoseSolver(model, first.offsets), guess.trunk)
    if not (guess.lengths or len(guess.adjustable)):
        return Calibration(some, pose, first)
    shared, noise = first, _NOISE[1]
    least, rounds = (_NOISE[0], _ROUNDS[0]) if len(guess.adjustable) else (_EXACT_NOISE, _ROUNDS[1])
    for _ in range(rounds):
        pose, shared = bundle_adjust(some, pose, shared, reference, guess.prior(model, noise))
        now = some.scaled(shared.logs)
        squares = np.sum((now.positions(pose, shared.offsets) - now.targets) ** 2, axis=2)
        rms = float(np.sqrt(np.sum(now.weights * squares) / max(float(now.weights.sum()), 1e-300)))
        noise = float(np.clip(rms / model.skeleton.reach, least, noise))
        reference = model.upright(Pose.trusted(reference.skeleton, pose.q))
    return Calibration(some.scaled(shared.logs), pose, shared)


def trial(model: MarkerModel, rest: Pose, guess: Guess, frames: Indices) -> Calibration:
    """A calibration on few `frames` with a fixed noise, by whose cost labels are compared."""
    some = model.at(frames)
    start = started(some, rest, guess, int(np.argmax((some.weights > 0) @ guess.trunk)))
    first, prior = guess.shared(model), guess.prior(model, _NOISE[1])
    pose, reference = solved_from_one(some, start, PoseSolver(model, first.offsets), guess.trunk)
    if not (guess.lengths or len(guess.adjustable)):
        shared, now = first, some
    else:
        pose, shared = bundle_adjust(some, pose, first, reference, prior, _TRIAL_STEPS)
        now = some.scaled(shared.logs)
    held = Pose.trusted(now.skeleton, reference.q)
    costs = frame_costs(now, Pose.trusted(now.skeleton, pose.q), shared.offsets, held)
    sigma = _NOISE[1] * model.skeleton.reach
    return Calibration(now, pose, shared, (float(costs.mean()) + prior.cost(shared)) / sigma**2)


def spread_frames(model: MarkerModel, count: int) -> Indices:
    """Up to `count` frames spread over those with the most markers."""
    seen = (model.weights > 0).sum(axis=1)
    rich = np.flatnonzero(seen >= np.quantile(seen, 0.5))
    return rich[np.unique(np.linspace(0, len(rich) - 1, count).astype(int))]


def solved_from_one(model: MarkerModel, start: Pose, solver: PoseSolver, trunk: Array) -> tuple[Pose, Pose]:
    """(poses of all frames, solved from the pose `start [1]`; that pose with only its root aligned)."""
    every = Pose.trusted(start.skeleton, np.repeat(start.q, len(model.weights), axis=0))
    first = aligned(model, every, solver.offsets, np.maximum(trunk, 0.5))
    pose = solver.solve(model, first, first)
    return pose, model.upright(first, pose)

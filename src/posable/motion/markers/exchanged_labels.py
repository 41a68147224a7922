"""Exchanged labels: which markers of a recording carry one another's label, in which frames, by what a body allows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from posable.motion.markers.bundle_adjustment import PoseSolver
from posable.motion.markers.calibration import Calibration, Guess, solved_from_one, spread_frames, started, trial
from posable.motion.markers.continuity import LONGEST, followed
from posable.motion.markers.marker_model import Indices, MarkerModel
from posable.skeleton import Pose
from posable.spatial import Array

_SUSPECT = 8.0  # squares of their spreads by which two markers fit one another's label better, in a frame
_SHARE = 0.05  # of the frames in which they do: fewer are strays
_TRIALS = 4  # how many pairs are tried at once
_ROUNDS = 6
_NEARLY_ALL = 0.9  # of the frames: then a pair may be exchanged in all
_FRAMES = 10  # of a trial
_CLEAR = 12.0  # by which the cost falls with clear evidence: a likelihood e^12 times as large
_LIKELIER = 2.0  # the same of markers that are known to be exchanged in some frames, and the question is in which
_ORDINARY = (4.0, 0.03)  # spreads by which offsets, and reaches by which residuals, are off at most after an exchange
_LEAST_SPREAD = 0.01  # of the reach: offsets are not known better than that
_OFF, _NEARER = 0.02, 0.35  # reaches; of the own distance: a frame in which each is at the other's position


class Exchange(NamedTuple):
    """Labels that were exchanged in a recording.

    labels: each was on the marker of the next, the last on that of the first. start, end: the frames, `end` not among
    them.
    """

    labels: tuple[str, ...]
    start: int
    end: int

    def text(self, frames: int) -> str:
        """A sentence about it. frames: of the whole recording."""
        first, last = self.start == 0, self.end == frames
        when = f"frame {self.start}" if self.end == self.start + 1 else f"frames {self.start} to {self.end - 1}"
        if first and last:
            when = "all frames"
        elif first or last:
            when += " (a beginning was not found)" if first else " (an end was not found)"
        return f"labels exchanged in {when}: {' and '.join(self.labels)}; fitted with them put right"


def exchanges(source: Indices, labels: Sequence[str]) -> tuple[Exchange, ...]:
    """The exchanges that `source [frame, marker]` puts right, in the order of their first frames."""
    found: dict[tuple[int, ...], list[int]] = {}
    changes = np.flatnonzero(np.any(source[1:] != source[:-1], axis=1)) + 1
    done: list[Exchange] = []
    for frame in [0, *changes.tolist(), len(source)]:
        now = set(_cycles(source[frame])) if frame < len(source) else set()
        for cycle in [one for one in found if one not in now]:
            start = found.pop(cycle)[0]
            done.append(Exchange(tuple(labels[m] for m in cycle), start, frame))
        for cycle in now - found.keys():
            found[cycle] = [frame]
    return tuple(sorted(done, key=lambda one: (one.start, one.labels)))


def _cycles(order: Indices) -> list[tuple[int, ...]]:
    found, left = [], set(np.flatnonzero(order != np.arange(len(order))).tolist())
    while left:
        cycle = [min(left)]
        while (following := int(order[cycle[-1]])) != cycle[0]:
            cycle.append(following)
        found.append(tuple(cycle))
        left -= set(cycle)
    return found


def put_right(model: MarkerModel, source: Indices, guess: Guess) -> MarkerModel:
    """The model with the markers of `source [frame, marker]`."""
    rows = np.arange(len(source))[:, None]
    seen = model.weights[rows, source] > 0
    return model.with_markers(model.targets[rows, source], np.where(seen, guess.weights, 0.0))


def continued(model: MarkerModel, fps: float) -> Indices:
    """`[frame, marker]` the columns of markers that exchange their labels from one frame to the next; each has the
    label that it carries in most frames.
    """
    source = followed(model.targets, model.weights > 0, model.skeleton.reach, fps)
    count = source.shape[1]
    for m in range(count):  # a marker keeps the label of most of its frames
        usual = int(np.bincount(source[:, m], minlength=count).argmax())
        if usual != m and len(np.unique(source[:, m])) > 1:
            other = np.flatnonzero(source[0] == usual)
            if len(other) == 1 and np.bincount(source[:, other[0]], minlength=count).argmax() == m:
                source[:, [m, other[0]]] = source[:, [other[0], m]]
    return source


class Exchanges:
    """Finds exchanged labels of a recording.

    model: as labelled. rest: of the figure. frame: one with most markers.
    """

    def __init__(self, model: MarkerModel, rest: Pose, guess: Guess, frame: int, fps: float) -> None:
        self._model, self._rest, self._guess, self._frame = model, rest, guess, frame
        self._longest = max(round(LONGEST * fps), 1)

    def searched(self, source: Indices, found: Calibration) -> Indices:
        """`source` after exchanges that explain the recording far better. found: a calibration with `source`."""
        cycles = [cycle for order in np.unique(source, axis=0) for cycle in _cycles(order)]
        unsure = {(min(cycle), max(cycle)) for cycle in cycles if len(cycle) == 2}
        tried: set[bytes] = set()
        for _ in range(_ROUNDS):
            better = self._best(source, found, unsure, tried)
            if better is None:
                break
            source, found = better
        return source

    def _best(
        self, source: Indices, found: Calibration, unsure: set[tuple[int, int]], tried: set[bytes]
    ) -> tuple[Indices, Calibration] | None:
        """The exchange that lowers the cost most, if any is clear, with its trial."""
        pairs = [*unsure, *(pair for pair in self._suspects(found) if pair not in unsure)]
        if not pairs:
            return None
        model = put_right(self._model, source, self._guess)
        gains = self._pair_gains(*self._solved(model, found))
        best, most = None, 0.0
        for pair in pairs:
            for frames in self._frames(gains[:, pair[0], pair[1]], pair in unsure):
                other = source.copy()
                other[frames[:, None], [*pair]] = other[frames[:, None], [*pair[::-1]]]
                if other.tobytes() in tried:
                    continue
                tried.add(other.tobytes())
                least = _LIKELIER if pair in unsure else _CLEAR
                gain, now = self._compared(model, other, frames, pair)
                if gain > max(least, most) and now is not None:
                    best, most = (other, now), gain
            unsure.discard(pair)
        return best

    def _suspects(self, found: Calibration) -> list[tuple[int, int]]:
        """The pairs of markers that fit one another's label better in many frames, the clearest first."""
        gains = self._pair_gains(found.sample, found.pose)
        often, known = (gains > _SUSPECT).sum(axis=0), np.isfinite(gains).sum(axis=0)
        size = np.nansum(np.maximum(gains, 0.0), axis=0)
        first, second = np.nonzero(np.triu(often > _SHARE * known, 1))
        order = np.argsort(-size[first, second])[:_TRIALS]
        return [(int(first[k]), int(second[k])) for k in order]

    def _pair_gains(self, model: MarkerModel, pose: Pose) -> Array:
        """`[frame, marker, marker]` by how much two fit one another's label better than their own, in squares of the
        spreads of their offsets; NaN where one is not seen.
        """
        guess = self._guess
        predicted = model.positions(Pose.trusted(model.skeleton, pose.q), guess.offsets)
        points = np.where((model.weights > 0)[..., None], model.targets, np.nan)
        square = np.maximum(guess.spreads, _LEAST_SPREAD * model.skeleton.reach) ** 2
        between = (predicted[:, :, None] - predicted[:, None]) * (points[:, :, None] - points[:, None])
        return -2 * between.sum(axis=-1) / (square[:, None] + square[None])

    def _solved(self, model: MarkerModel, found: Calibration) -> tuple[MarkerModel, Pose]:
        """All frames solved with the lengths and offsets of a calibration."""
        sized = model.on_skeleton(found.sample.skeleton)
        solver = PoseSolver(sized, found.shared.offsets)
        start = started(sized, self._rest, self._guess, self._frame)
        return sized, solved_from_one(sized, start, solver, self._guess.trunk)[0]

    def _frames(self, gain: Array, whole: bool) -> list[np.ndarray]:
        """The sets of frames in which a pair may be exchanged: all if `whole`, else those runs in which both are seen
        that fit better so. gain: `[frame]` of the pair.
        """
        known, every = np.flatnonzero(np.isfinite(gain)), np.arange(len(gain))
        if whole or not len(known):
            return [every] if len(known) else []
        state = np.zeros(len(gain), bool)
        for run in np.split(known, np.flatnonzero(np.diff(known) > self._longest) + 1):
            state[run] = np.median(gain[run]) > 0
        frames = np.flatnonzero(state[known[np.searchsorted(known, every).clip(0, len(known) - 1)]])
        partial = 0 < len(frames) < len(gain)
        near_all = len(frames) > _NEARLY_ALL * len(gain)
        return [*([frames] if partial else []), *([every] if near_all else [])]

    def _compared(
        self, model: MarkerModel, source: Indices, frames: np.ndarray, pair: tuple[int, int]
    ) -> tuple[float, Calibration | None]:
        """(by how much the cost falls with `source`, the calibration if both markers are then ordinary)."""
        inside = np.zeros(len(source), bool)
        inside[frames] = True
        both = (model.weights[:, pair[0]] > 0) & (model.weights[:, pair[1]] > 0)
        parts = [own for part in (inside & both, ~inside & both) if len(own := np.flatnonzero(part))]
        each = _FRAMES // len(parts)
        some = np.unique(np.concatenate([own[spread_frames(model.at(own), each)] for own in parts]))
        before = trial(model, self._rest, self._guess, some)
        after = trial(put_right(self._model, source, self._guess), self._rest, self._guess, some)
        return before.cost - after.cost, after if self._are_ordinary(after, pair) else None

    def _are_ordinary(self, found: Calibration, pair: tuple[int, int]) -> bool:
        guess, sample, reach = self._guess, found.sample, found.sample.skeleton.reach
        pose = Pose.trusted(sample.skeleton, found.pose.q)
        misses = np.linalg.norm(sample.positions(pose, found.shared.offsets) - sample.targets, axis=2)
        for m in pair:
            seen = sample.weights[:, m] > 0
            spread = max(float(guess.spreads[m]), _LEAST_SPREAD * reach)
            shift = float(np.linalg.norm(found.shared.offsets[m] - guess.offsets[m])) / spread
            if shift > _ORDINARY[0] or np.sqrt(np.mean(misses[seen, m] ** 2)) > _ORDINARY[1] * reach:
                return False
        return True


def strays_exchanged(model: MarkerModel, pose: Pose, offsets: Array, source: Indices) -> Indices:
    """`source` after exchanges of two in frames where each is at the position of the other.

    model: with every marker that is seen, as `source` has them. pose: of all frames, fitted.
    """
    predicted, seen = model.positions(pose, offsets), model.weights > 0
    off = np.where(seen, np.linalg.norm(predicted - model.targets, axis=2), 0.0)
    far, found = off > _OFF * model.skeleton.reach, source.copy()
    for frame in np.flatnonzero(far.sum(axis=1) > 1):
        own = np.flatnonzero(far[frame])
        cross = np.linalg.norm(predicted[frame, own, None] - model.targets[frame, None, own], axis=2)
        cross /= _NEARER * np.minimum(off[frame, own, None], off[frame, None, own])
        clear = np.maximum(cross, cross.T)
        np.fill_diagonal(clear, np.inf)
        while clear.size and clear.min() < 1:
            a, b = np.unravel_index(int(np.argmin(clear)), clear.shape)
            pair = [own[a], own[b]]
            found[frame, pair] = found[frame, pair[::-1]]
            clear[[a, b]] = np.inf
            clear[:, [a, b]] = np.inf
    return found

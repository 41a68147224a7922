"""The lengths of a person's bones from key points of a whole clip."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.figures import Figure
from posable.motion.key_points.view import ACROSS, View
from posable.motion.markers.marker_model import MarkerModel
from posable.skeleton import Pose
from posable.spatial import Array

_SPANS = (
    ("shoulder", "elbow"), ("elbow", "wrist"), ("hip", "knee"), ("knee", "ankle"), ("shoulder", "hip"),
    ("ankle", "toe"), ("ankle", "big_toe"), ("ankle", "ball"), ("ankle", "heel"),
    ("wrist", "palm"), ("wrist", "index"), ("wrist", "little"),
    ("shoulder", "ear"), ("shoulder", "crown"), ("shoulder", "jaw"), ("shoulder", "head"), ("shoulder", "skull"),
)  # fmt: skip
_ACROSS_BODY = ("hip", "shoulder")
_LENGTH_SPREAD, _SIZE_SPREAD = 0.12, 0.3  # of lengths relative to the size of a person, and of the size
_SYSTEMATIC = 0.03  # of a length: what more frames do not improve
_REPEATED = 0.5  # errors of neighbouring frames are alike: share of one frame's error that a clip leaves
_ROUNDS = 8


class _Span(NamedTuple):
    """A distance of the body: its pairs of points, the measured length in metres and its relative uncertainty."""

    pairs: list[tuple[int, int]]
    length: float
    spread: float


def length_factors_of(view: View, names: tuple[str, ...], figure: Figure, carriers: NDArray, offsets: Array) -> Array:
    """`[joint]` the factors of the bones' lengths of `figure` with which it has the person's proportions.

    Each distance is the weighted median over all frames and both sides, where a frame counts the more the less of the
    distance is along the view. Lengths and size have normal priors, on their logarithms, about those of `figure`.
    carriers, offsets: of the points `names` on the figure.
    """
    model = MarkerModel(figure.skeleton, carriers, view.places[:1], view.weights[:1])
    world = figure.rest.world_from_joint[carriers]
    rest = Pose(figure.skeleton, figure.rest.q[None])
    bones = model.length_jacobian(rest)[0, :, :, 1:]  # [point, 3, group] the rest positions by factors
    outward = (world[:, :3, :3] @ offsets[:, :, None])[..., 0]
    for k, joint in enumerate(carriers.tolist()):
        group = int(model.groups[joint])
        while group < 0 <= joint:
            joint = int(figure.skeleton.parents[joint])
            group = int(model.groups[joint])
        bones[k, :, group] += outward[k]
    spans = _spans(view, names)
    logs = np.zeros(1 + bones.shape[2])
    for _ in range(_ROUNDS):
        logs += _step(spans, bones, logs)
    return model.factors(logs)


def _step(spans: list[_Span], bones: Array, logs: Array) -> Array:
    """A Gauss–Newton step of the logarithms `[1 + group]` of the size and of each group's factor relative to it."""
    factors = np.exp(logs[0] + logs[1:])
    scaled = bones * factors
    precision = np.full(len(logs), _LENGTH_SPREAD**-2)
    precision[0] = _SIZE_SPREAD**-2
    matrix, gradient = np.diag(precision), precision * logs
    for span in spans:
        distance, slope = 0.0, np.zeros(len(logs))
        for a, b in span.pairs:
            parts = scaled[a] - scaled[b]
            away = parts.sum(axis=1)
            length = float(np.linalg.norm(away))
            distance += length / len(span.pairs)
            slope[1:] += parts.T @ away / (length * len(span.pairs))
        slope[0] = slope[1:].sum()
        slope /= distance
        weight = span.spread**-2
        matrix += weight * np.outer(slope, slope)
        gradient += weight * np.log(distance / span.length) * slope
    return -np.asarray(np.linalg.solve(matrix, gradient), np.float64)


def _spans(view: View, names: tuple[str, ...]) -> list[_Span]:
    own = {name: k for k, name in enumerate(names)}
    pairs = [
        [(own.get(f"{side}_{a}"), own.get(f"{side}_{b}", own.get(b))) for side in ("left", "right")] for a, b in _SPANS
    ]
    pairs += [[(own.get(f"left_{part}"), own.get(f"right_{part}"))] for part in _ACROSS_BODY]
    kept = [[(a, b) for a, b in one if a is not None and b is not None] for one in pairs]
    return [span for one in kept if one and (span := _measured(view, one)) is not None]


def _measured(view: View, pairs: list[tuple[int, int]]) -> _Span | None:
    lengths, variances, weights = [], [], []
    for a, b in pairs:
        away = view.measured[:, a] - view.measured[:, b]
        length = np.linalg.norm(away, axis=1)
        seen = (np.minimum(view.weights[:, a], view.weights[:, b]) > 0) & (length > 0)
        along = (np.sum(away * view.ahead, axis=1) / np.maximum(length, 1e-12)) ** 2
        deep = ACROSS / np.maximum(np.minimum(view.along[:, a], view.along[:, b]), 0.05)
        lengths.append(length[seen])
        variances.append(2 * (ACROSS**2 * (1 - along) + deep**2 * along)[seen])
        weights.append(np.minimum(view.weights[:, a], view.weights[:, b])[seen])
    length, variance = np.concatenate(lengths), np.concatenate(variances)
    if not len(length):
        return None
    weight = np.concatenate(weights) / variance
    order = np.argsort(length)
    total = np.cumsum(weight[order])
    median = float(length[order][np.searchsorted(total, 0.5 * total[-1])])
    usual = float(np.sqrt(np.average(variance, weights=weight))) / median
    return _Span(pairs, median, float(np.hypot(_SYSTEMATIC, _REPEATED * usual)))

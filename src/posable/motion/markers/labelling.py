"""Labels of unlabelled or shuffled markers, by distances that stay the same: those of markers on one body."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from posable.errors import PosableError
from posable.motion.markers.markers import Markers
from posable.spatial import Array

_EXACT = 0.01  # of the size of the person: how far off distances on one body are
_FRAMES = 120  # that are looked at
_SHARPER, _ROUNDS, _SINKHORN = 1.06, 90, 8
_STRANGE = 0.3  # of the usual certainty: a marker that has less is a stray point
_CONTINUES = 0.4  # of the usual certainty: a marker that has more continues a label
_CHIRAL = 400  # sets of four markers by which left and right are distinguished


@dataclass(frozen=True, eq=False)
class Labelling:
    """Markers with the labels of a reference.

    Args:
        markers: The recording under the labels that were found, pieces of one marker joined; the others keep theirs.
        found: {label before: label now} of those that were found.
        certainty: {label now: 0 … 1}, the share of the distances to its neighbours that agree with the reference.

    Example:
        >>> names = ("hips", "chest", "head", "hand_l", "foot_r")
        >>> carriers = [figure.skeleton.index(posable.roles(figure)[name]) for name in names]
        >>> reference = posable.Markers(names, clip.poses.origins[:, carriers], clip.fps, "y")
        >>> posable.motion.label_markers(reference.only(names[::-1]), reference).markers.labels == names[::-1]
        True
    """

    markers: Markers
    found: Mapping[str, str]
    certainty: Mapping[str, float]

    @property
    def swapped(self) -> tuple[str, ...]:
        """Labels of the reference that the recording had on another marker."""
        own = set(self.found.values())
        return tuple(before for before, now in self.found.items() if before != now and before in own)


def label_markers(markers: Markers, reference: Markers) -> Labelling:
    """Find the labels of markers that have none, or wrong ones, from a labelled recording of the same person.

    Markers on one part of the body keep their distances: labels are assigned so that as many distances as possible
    agree, those that move little counting more (graduated assignment; Gold & Rangarajan 1996); left and right, whose
    distances are alike, are distinguished by the handedness of sets of markers.

    Args:
        markers: The recording. What one label holds is taken for one marker throughout; several labels that are never
            seen in the same frame may be one marker, and stray points none.
        reference: A recording of the same person with the same markers, labelled: some frames of motion are better than
            a stance.

    Raises:
        PosableError: If either has fewer than 4 markers that are seen.

    Example:
        >>> names = ("hips", "chest", "head", "hand_l", "foot_r")
        >>> carriers = [figure.skeleton.index(posable.roles(figure)[name]) for name in names]
        >>> reference = posable.Markers(names, clip.poses.origins[:, carriers], clip.fps, "y")
        >>> mixed = reference.renamed(dict(zip(names, "ABCDE")))
        >>> sorted(posable.motion.label_markers(mixed, reference).found)
        ['A', 'B', 'C', 'D', 'E']
    """
    ours, theirs = _thinned(reference), _thinned(markers)
    for one, which in ((ours, reference), (theirs, markers)):
        if one.shape[1] < 4:
            raise PosableError(f"markers {which.name!r}: fewer than 4 are seen, so no labels can be found by distances")
    known, own = _seen(reference), _seen(markers)
    (near, still), (far, moves) = _distances(ours), _distances(theirs)
    size = _EXACT * float(np.nanmax(near))
    spread = np.sqrt(size**2 + still[:, None, :, None] ** 2 + moves[None, :, None, :] ** 2)
    agree = np.exp(-0.5 * ((near[:, None, :, None] - far[None, :, None, :]) / spread) ** 2) * size / spread
    agree *= np.exp(-0.5 * np.log((still[:, None, :, None] + size) / (moves[None, :, None, :] + size)) ** 2)
    agree = (
        np.nan_to_num(agree)
        * ~np.eye(len(known), dtype=bool)[:, None, :, None]
        * ~np.eye(len(own), dtype=bool)[:, None]
    )
    match = _assigned(agree)
    match = _unmirrored(match, agree, ours, theirs)
    match = _with_pieces(match, agree, size / spread, markers.seen[:, own])
    names = {markers.labels[own[b]]: reference.labels[known[a]] for a, b in match}
    sure = {reference.labels[known[a]]: _certainty(a, b, match, agree, size / spread) for a, b in reversed(match)}
    taken = set(names.values())
    others = {label: f"{label} (unknown)" for label in markers.labels if label not in names and label in taken}
    return Labelling(_joined(markers, names | others), names, sure)


def _joined(markers: Markers, names: Mapping[str, str]) -> Markers:
    """The markers under other names, pieces of one marker joined."""
    every = [names.get(one, one) for one in markers.labels]
    labels = tuple(dict.fromkeys(every))
    pieces = [markers.positions[:, [k for k, one in enumerate(every) if one == label]] for label in labels]
    positions = [own[np.arange(len(own)), np.isfinite(own).all(axis=2).argmax(axis=1)] for own in pieces]
    return replace(markers, labels=labels, positions=np.stack(positions, axis=1))


def _seen(markers: Markers) -> NDArray[np.int64]:
    return np.flatnonzero(markers.seen.any(axis=0))


def _thinned(markers: Markers) -> Array:
    """`[frame, marker, 3]` of the markers that are seen, in frames spread over the recording."""
    frames = np.unique(np.linspace(0, len(markers) - 1, _FRAMES).astype(int))
    return markers.positions[np.ix_(frames, _seen(markers))]


def _distances(positions: Array) -> tuple[Array, Array]:
    """(`[marker, marker]` the mean distance of each pair, its standard deviation), NaN where never seen together."""
    every = np.linalg.norm(positions[:, :, None] - positions[:, None], axis=3)
    count = np.isfinite(every).sum(axis=0)
    mean = np.where(count > 0, np.nansum(every, axis=0) / np.maximum(count, 1), np.nan)
    square = np.nansum((every - mean) ** 2, axis=0) / np.maximum(count, 1)
    return mean, np.where(count > 0, np.sqrt(square), np.nan)


def _assigned(agree: Array) -> list[tuple[int, int]]:
    """Pairs (of the reference, of the recording) whose distances agree best. agree: `[a, b, a, b]`."""
    from scipy.optimize import linear_sum_assignment

    ours, theirs = agree.shape[:2]
    flat = agree.reshape(ours * theirs, ours * theirs)
    match, sharp = np.full((ours, theirs), 1.0 / max(ours, theirs)), 0.5
    for _ in range(_ROUNDS):
        gain = (flat @ match.ravel()).reshape(ours, theirs)
        match = np.exp(sharp * (gain - gain.max()) / max(float(gain.std()), 1e-12))
        for _ in range(_SINKHORN):
            match /= np.maximum(match.sum(axis=1, keepdims=True), 1e-12)
            match /= np.maximum(match.sum(axis=0, keepdims=True), 1e-12)
        sharp *= _SHARPER
    return _improved(list(zip(*(own.tolist() for own in linear_sum_assignment(-match)), strict=True)), agree)


def _improved(match: list[tuple[int, int]], agree: Array) -> list[tuple[int, int]]:
    """The pairs after exchanges of two, as long as more distances agree."""
    first, second = (np.array(own) for own in zip(*match, strict=True))
    better = True
    while better:
        better = False
        total = _total(first, second, agree)
        for i in range(len(first)):
            for j in range(i):
                second[[i, j]] = second[[j, i]]
                now = _total(first, second, agree)
                if now > total + 1e-9:
                    total, better = now, True
                else:
                    second[[i, j]] = second[[j, i]]
    return list(zip(first.tolist(), second.tolist(), strict=True))


def _total(first: NDArray[np.int64], second: NDArray[np.int64], agree: Array) -> float:
    """How many distances agree."""
    return float(agree[first[:, None], second[:, None], first[None], second[None]].sum())


def _unmirrored(match: list[tuple[int, int]], agree: Array, ours: Array, theirs: Array) -> list[tuple[int, int]]:
    """The pairs, left and right exchanged if the markers then have the handedness of the reference."""
    mirrored = _assigned_to_self(ours)
    second = dict(match)
    swapped = [(a, second[mirrored[a]]) for a in second if mirrored[a] in second]
    if len(swapped) < len(match):
        return match
    swapped = _improved(swapped, agree)
    both = [_handedness(one, ours, theirs) for one in (match, swapped)]
    return match if both[0] >= both[1] else swapped


def _assigned_to_self(positions: Array) -> NDArray[np.int64]:
    """`[marker]` the marker that is most like its mirror image: with about the same distances to all others."""
    from scipy.optimize import linear_sum_assignment

    mean, spread = _distances(positions)
    across = np.sqrt((_EXACT * float(np.nanmax(mean))) ** 2 + spread**2)
    mean, across = np.nan_to_num(mean), np.nan_to_num(across, nan=1.0)
    ordered = np.sort(mean, axis=1)
    like = np.abs(ordered[:, None] - ordered[None]).mean(axis=2) / across.mean()
    like[np.diag_indices(len(like))] = 0.5 * np.median(like)
    return linear_sum_assignment(like)[1]


def _handedness(match: list[tuple[int, int]], ours: Array, theirs: Array) -> float:
    """How much more sets of four markers have the same handedness in both than the opposite one."""
    rng = np.random.default_rng(0)
    first, second = (np.array(own) for own in zip(*match, strict=True))
    fours = np.array([rng.permutation(len(first))[:4] for _ in range(_CHIRAL)])
    mine, other = (_turning(one[:, own[fours]]) for one, own in ((ours, first), (theirs, second)))
    return float(np.nansum(mine * other))


def _turning(fours: Array) -> Array:
    """`[set]` the mean handedness of four points `[frame, set, 4, 3]` , from -1 to 1."""
    a, b, c = (fours[:, :, k] - fours[:, :, 0] for k in (1, 2, 3))
    volume = np.sum(np.cross(a, b) * c, axis=2)
    size = np.linalg.norm(a, axis=2) * np.linalg.norm(b, axis=2) * np.linalg.norm(c, axis=2)
    seen = np.isfinite(volume)
    return np.nansum(volume / np.maximum(size, 1e-12), axis=0) / np.maximum(seen.sum(axis=0), 1)


def _certainty(a: int, b: int, match: list[tuple[int, int]], agree: Array, most: Array) -> float:
    """The share of the distances of a pair of markers that agree, those that move little counting more.

    most: `[a, b, a, b]` what `agree` would be of the same distance.
    """
    first, second = (np.array(own, int) for own in zip(*[(i, j) for i, j in match if i != a], strict=True))
    known = np.nan_to_num(most[a, b, first, second])
    return float(agree[a, b, first, second].sum() / max(float(known.sum()), 1e-12))


def _with_pieces(
    match: list[tuple[int, int]], agree: Array, most: Array, seen: NDArray[np.bool_]
) -> list[tuple[int, int]]:
    """The pairs without those that hardly fit, and with markers that are left over and continue a label in frames in
    which it is on no other. seen: `[frame, marker]`.
    """
    sure = [_certainty(a, b, match, agree, most) for a, b in match]
    usual = float(np.median(sure))
    found = [pair for pair, own in zip(match, sure, strict=True) if own > _STRANGE * usual]
    if len(found) < 4:
        return match
    left = set(range(seen.shape[1])) - {b for _, b in found}
    for b in sorted(left, key=lambda one: int(-seen[:, one].sum())):
        busy = {a for a, other in found if (seen[:, b] & seen[:, other]).any()}
        free = [a for a in range(agree.shape[0]) if a not in busy]
        fits = {a: _certainty(a, b, found, agree, most) for a in free}
        best = max(fits, key=lambda one: fits[one], default=None)
        if best is not None and fits[best] > _CONTINUES * usual:
            found.append((best, b))
    return found

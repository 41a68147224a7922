"""Markers → motion: poses, segment lengths and marker offsets that fit a recording best, all together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from posable.clips import Clip, evened
from posable.errors import PosableError, check_kind, near_names
from posable.figures import Figure, roles
from posable.motion.markers.bundle_adjustment import SharedParameters, aligned, unit_ratio, with_up_axis
from posable.motion.markers.calibration import Calibration, Guess, calibration, started
from posable.motion.markers.each_frame import solved_frames
from posable.motion.markers.exchanged_labels import (
    Exchange,
    Exchanges,
    continued,
    exchanges,
    put_right,
    strays_exchanged,
)
from posable.motion.markers.landmarks import Attachment, Attachments, check_body, guess_attachments
from posable.motion.markers.marker_model import Indices, MarkerModel, scaled_figure, without_limits
from posable.motion.markers.markers import MarkerFit, Markers
from posable.motion.markers.moved_markers import Move, moved_markers
from posable.motion.markers.noise import smoothed_by_noise, white_noise
from posable.motion.markers.support import (
    clip_notes,
    importance,
    leaves_tilt_open,
    stands,
    support_notes,
    unsupported_parts,
)
from posable.skeleton import Pose
from posable.spatial import Array

_BETTER = 0.97  # of the residual: a marker counts as two only if both fit better


def fit_markers(
    figure: Figure,
    markers: Markers,
    attachments: Mapping[str, Attachment] | None = None,
    *,
    lengths: bool = True,
    limits: bool = False,
    noise: float | None = None,
    smooth: float = 0.0,
    keep_labels: bool = False,
) -> MarkerFit:
    """Fit the motion of a figure to recorded markers, with its segments scaled to the person.

    It minimises Σ_t Σ_m w ‖marker − position‖² over the pose of every frame, one length factor per body (the same left
    and right) and the offsets of markers whose attachment has a spread, with a prior on lengths and offsets. Joints are
    interpolated over gaps. Frames in which a marker is far off (a reflection) are ignored for it; the result lists how
    many. Labels that are evidently exchanged are put right, a marker that was put back elsewhere on its body counts as
    two, and the result names them. Positions of 0, 0, 0 are gaps. Parts without markers are as at rest; with fewer than
    three markers on the trunk the pelvis is as upright as they allow; the result names both. Up axes and units are
    detected.

    Args:
        figure: The figure.
        markers: The recording.
        attachments: Label → Attachment, from `Attachments.load` or an earlier fit; None guesses them from the labels.
            Labels without an attachment are ignored and listed in the result.
        lengths: Whether segments are scaled; False keeps the figure's own lengths.
        limits: Whether the poses keep within the figure's limits; False exceeds them where the recording does, elbows
            and knees by 10° at most, and the result's notes name those joints.
        noise: Standard deviation of the markers along each axis, in their unit; None estimates the white noise of the
            residuals. All frames are solved together, as smooth as the recording shows the person to move; markers
            without noise are followed exactly, and with 0 every frame is solved by itself.
        smooth: Additional smoothing in seconds.
        keep_labels: Whether every label is believed in every frame; no marker then counts as two.

    Returns:
        The clip, the scaled figure and the residuals.

    Raises:
        PosableError: If no label matches, matched markers are never seen, or for an invalid noise or smooth.
        UnknownJointError: For an attachment to an unknown joint.

    Example:
        >>> attachments = {f"at {name}": posable.Attachment(name) for name in figure.skeleton.joints}
        >>> markers = posable.Markers(tuple(attachments), clip.poses.origins, clip.fps, "y")
        >>> fit = posable.fit_markers(figure, markers, attachments, lengths=False)
    """
    check_kind(figure, Figure, "markers are fitted by a Figure", "posable.load opens a file")
    check_kind(markers, Markers, "what is fitted are Markers", "posable.load_markers reads a file")
    if not 0 <= smooth < np.inf:
        raise PosableError(f"smooth is a time in seconds of at least 0, not {smooth!r}")
    if noise is not None and not 0 <= noise < np.inf:
        raise PosableError(f"noise is a length of at least 0 in the markers' unit, not {noise!r}")
    figure = figure if figure.skeleton.definitions[0].floating else figure.with_root("free")
    matched = _match(figure, markers := markers.without_strays(), attachments)
    options = _Options(lengths, limits, noise, smooth, keep_labels)
    fit, moves = _fitted(figure, markers, matched, options)
    if moves:
        for move in moves:
            markers, matched = markers.divided(*move[:2], move.later), matched.divided(move)
        again = _fitted(figure, markers, matched, options)[0]
        if again.rms < _BETTER * fit.rms:
            return replace(again, notes=(*(move.text() for move in moves), *again.notes))
    return fit


class _Options(NamedTuple):
    """As in `fit_markers`."""

    lengths: bool
    limits: bool
    noise: float | None
    smooth: float
    keep_labels: bool


def _fitted(figure: Figure, markers: Markers, matched: _Matched, options: _Options) -> tuple[MarkerFit, list[Move]]:
    """(the fit, the markers that are not where they were from some frame on)."""
    trunk = importance(figure, matched.attachments)
    guess = Guess.of(matched.attachments, trunk, options.lengths)
    targets, unit, first = _marker_targets(figure, markers, matched, trunk)
    seen = markers.only(matched.labels).seen
    carriers = np.array([figure.skeleton.index(one.joint) for one in matched.attachments], np.int64)
    weights = np.where(seen, guess.weights, 0.0)
    model = MarkerModel(figure.skeleton, carriers, np.where(seen[..., None], targets, 0.0), weights)
    model = _with_open_tilt(model, figure, matched, trunk, first)
    model = model if options.limits else model.with_soft_limits(without_limits(model.skeleton, _bending(figure)))
    found = _solved(model, figure.rest, guess, first, markers.fps, options.keep_labels)
    exchanged = exchanges(found.source, matched.labels)
    moves = [] if options.keep_labels else _moves(found, matched, exchanged, markers.fps, unit)
    pose = _smoothed(found, options, markers.fps, unit)
    sized = scaled_figure(figure, model.factors(found.shared.logs))
    clip = Clip(sized.skeleton, pose.q, markers.fps, markers.name or "markers")
    misses = np.linalg.norm(found.model.positions(pose, found.shared.offsets) - found.model.targets, axis=2) / unit
    bare = unsupported_parts(figure, matched.attachments)
    kept = found.model.weights > 0
    notes = (
        *(one.text(len(clip)) for one in exchanged), *matched.notes, *support_notes(bare, model.tilt_open),
        *clip_notes(figure, clip, unit),
    )  # fmt: skip
    return MarkerFit(
        clip, sized, matched.found(found.shared.offsets), matched.labels, np.where(kept, misses, np.nan),
        found.seen & ~kept, matched.unused, unit, notes, bare, exchanged,
    ), moves  # fmt: skip


def _smoothed(found: _Solved, options: _Options, fps: float, unit: float) -> Pose:
    """The poses without the noise of markers."""
    model, pose, offsets = found.model, found.pose, found.shared.offsets
    trembling = white_noise(model, pose, offsets) if options.noise is None else options.noise * unit
    pose = smoothed_by_noise(model, pose, offsets, fps, trembling)
    return model.continuous(evened(pose, options.smooth * fps) if options.smooth > 0 else pose)


def _moves(found: _Solved, matched: _Matched, exchanged: tuple[Exchange, ...], fps: float, unit: float) -> list[Move]:
    """The markers whose position on the body changes in one step, without those whose labels are exchanged."""
    others = {label for one in exchanged for label in one.labels}
    moved = moved_markers(found.model, found.pose, found.seen, fps)
    every = [Move(matched.labels[m], frame, distance / unit) for m, frame, distance in moved]
    return [one for one in every if one.label not in others and one.later not in matched.labels]


class _Solved(NamedTuple):
    """Every frame solved. model: without strays, with the markers of `source`; seen: with them."""

    model: MarkerModel
    seen: np.ndarray
    shared: SharedParameters
    pose: Pose
    source: Indices


def _solved(model: MarkerModel, rest: Pose, guess: Guess, first: int, fps: float, keep_labels: bool) -> _Solved:
    """Every frame solved, with exchanged labels put right unless `keep_labels`. first: a frame with most markers."""
    source = np.tile(np.arange(len(guess.weights)), (len(model.weights), 1))
    source = source if keep_labels else continued(model, fps)
    own, start, found = _calibrated(model, rest, guess, first, source)
    if not keep_labels:
        better = Exchanges(model, rest, guess, first, fps).searched(source, found)
        if not np.array_equal(better, source):
            source, (own, start, found) = better, _calibrated(model, rest, guess, first, better)
    offsets, own = found.shared.offsets, own.scaled(found.shared.logs)
    start = Pose.trusted(own.skeleton, start.q)
    pose, kept = solved_frames(own, start, offsets, guess.trunk)
    better = source if keep_labels else strays_exchanged(own, pose, offsets, source)
    if not np.array_equal(better, source):
        source, own = better, put_right(model, better, guess).on_skeleton(own.skeleton)
        pose, kept = solved_frames(own, start, offsets, guess.trunk)
    return _Solved(own.with_weights(np.where(kept, own.weights, 0.0)), own.weights > 0, found.shared, pose, source)


def _calibrated(
    model: MarkerModel, rest: Pose, guess: Guess, first: int, source: Indices
) -> tuple[MarkerModel, Pose, Calibration]:
    """(the model with the markers of `source`, its pose in the frame `first`, lengths and offsets)."""
    own = put_right(model, source, guess)
    start = started(own, rest, guess, first)
    return own, start, calibration(own, start, guess)


class _Matched(NamedTuple):
    """The markers that are used, with their attachments."""

    labels: tuple[str, ...]
    attachments: tuple[Attachment, ...]
    unused: dict[str, str]
    notes: tuple[str, ...]

    @property
    def offsets(self) -> Array:
        return np.array([one.offset for one in self.attachments])

    def divided(self, move: Move) -> _Matched:
        """The same with the label of a marker that was put back elsewhere."""
        own = self.attachments[self.labels.index(move.label)]
        return self._replace(labels=(*self.labels, move.later), attachments=(*self.attachments, own))

    def found(self, offsets: Array) -> Attachments:
        triples = [(float(x), float(y), float(z)) for x, y, z in offsets]
        pairs = zip(self.labels, self.attachments, triples, strict=True)
        return Attachments({label: replace(one, offset=offset, spread=0.0) for label, one, offset in pairs})


def _match(figure: Figure, markers: Markers, attachments: Mapping[str, Attachment] | None) -> _Matched:
    notes: tuple[str, ...] = ()
    if attachments is None:
        table, unused, notes = guess_attachments(figure, markers.labels)
        unused = dict(unused)
        check_body(markers.name, markers.labels, unused)
    else:
        table = Attachments(attachments)
        unused = {label: "is not in the attachments" for label in markers.labels if table.of(label) is None}
    found = {label: one for label in markers.labels if (one := table.of(label)) is not None}
    if not found:
        raise PosableError(_nothing_matches(markers, None if attachments is None else tuple(table)))
    for one in found.values():
        figure.skeleton.index(one.joint)
    never = [label for label in found if not np.isfinite(markers.of(label)).any()]
    unused |= dict.fromkeys(never, "is never seen")
    used = {label: one for label, one in found.items() if label not in never and one.weight > 0}
    unused |= {label: "has weight 0" for label in found if label not in never and label not in used}
    if not used:
        raise PosableError(f"markers {markers.name!r}: no marker of {', '.join(list(found)[:8])} is ever seen")
    return _Matched(tuple(used), tuple(used.values()), unused, notes)


def _nothing_matches(markers: Markers, table: tuple[str, ...] | None) -> str:
    shown = ", ".join(markers.labels[:8]) or "none"
    if table is None:
        cure = "write a table that says where they sit (attachments)"
    else:
        near = near_names(markers.labels[0], table, 1) if markers.labels else []
        cure = f"did you mean {near[0]}?" if near else f"it names {', '.join(table[:8])}"
        return f"markers {markers.name!r}: no label is in the attachments; the labels are {shown}; {cure}"
    return f"markers {markers.name!r}: no label names a part of this figure; the labels are {shown}; {cure}"


def _bending(figure: Figure) -> set[int]:
    """Elbows and knees: a straight one that may bend to both sides would do so from one frame to the next."""
    body = roles(figure)
    parts = (f"{part}_{side}" for part in ("lower_arm", "lower_leg") for side in "lr")
    return {body.index(part) for part in parts if part in body}


def _marker_targets(figure: Figure, markers: Markers, matched: _Matched, trunk: Array) -> tuple[Array, float, int]:
    """(targets in the figure's axes and unit, that unit in the markers', the frame with most of the markers)."""
    only = markers.only(matched.labels)
    targets = with_up_axis(only.positions, markers.up, figure.skeleton.up)
    first = int(np.argmax(only.seen @ trunk))
    seen = only.seen[first]
    carriers = [figure.skeleton.index(one.joint) for one in matched.attachments]
    world = figure.rest.world_from_joint[carriers]
    model = (world[:, :3, :3] @ matched.offsets[..., None])[..., 0] + world[:, :3, 3]
    unit = unit_ratio(model[seen], targets[first, seen], figure.height)
    return targets * unit, unit, first


def _with_open_tilt(model: MarkerModel, figure: Figure, matched: _Matched, trunk: Array, frame: int) -> MarkerModel:
    """The model, with the pelvis to be held upright if markers leave its tilt open. Who lies is not held upright."""
    rest = Pose.trusted(figure.skeleton, figure.rest.q[None])
    rigid = aligned(model.at(np.array([frame])), rest, matched.offsets, trunk)
    seen = np.flatnonzero(model.weights[frame])
    attached = [matched.attachments[m] for m in seen]
    is_open = leaves_tilt_open(figure, attached, model.targets[frame, seen])
    return replace(model, tilt_open=is_open and stands(figure, rigid))

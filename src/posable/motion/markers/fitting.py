"""Markers → motion: poses, segment lengths and marker offsets that fit a recording best, all together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from posable.clips import Clip, evened
from posable.errors import PosableError, check_kind, near_names
from posable.figures import Figure, roles
from posable.goals import Reach
from posable.motion.markers.bundle_adjustment import (
    PoseSolver,
    Prior,
    SharedParameters,
    aligned,
    bundle_adjust,
    fill_gaps,
    frame_costs,
    normal_equations,
    unit_ratio,
    with_up_axis,
)
from posable.motion.markers.landmarks import Attachment, Attachments, check_body, guess_attachments
from posable.motion.markers.marker_model import Indices, MarkerModel, scaled_figure, without_limits
from posable.motion.markers.markers import MarkerFit, Markers
from posable.motion.markers.support import (
    clip_notes,
    importance,
    leaves_tilt_open,
    stands,
    support_notes,
    unsupported_parts,
)
from posable.motion.whole_clip import solve_clip
from posable.skeleton import Pose
from posable.spatial import Array

# All frames of a fit together, to separate the noise of markers from the motion of the person.
#
# The result is the most likely motion if markers have white noise and the acceleration of each degree of freedom is
# normally distributed with its own variance. Both are estimated from the recording: the noise is the white part of the
# residuals, and the accelerations are found alternately with the motion (expectation–maximisation; Dempster, Laird &
# Rubin 1977).


_EXACT = 1e-5  # of the reach: markers with less noise are followed frame by frame
_STAY = 1e-6  # keeps degrees of freedom that no marker depends on
_SLOW = 1.0  # s: smoothing of the motion that corrections refer to, less where it rotates far
_FIRST = 0.25  # s: smoothing of the motion that gives the first accelerations
_FAR = 2.0  # rad: corrections stay well below half a revolution
_SLOWEST = 0.05  # rad or reaches per s²: the smallest standard deviation of an acceleration
_EM_ROUNDS = 2
_STEPS = 15


def white_noise(model: MarkerModel, pose: Pose, offsets: Array) -> float:
    """The standard deviation of the markers' white noise along each axis, in the figure's unit: from the fourth
    differences of the residuals, corrected for the degrees of freedom of the fit. 0 for very short recordings.
    """
    if len(pose) < 8:
        return 0.0
    root = np.sqrt(model.weights)
    differences = np.diff((model.positions(pose, offsets) - model.targets) * root[..., None], 4, axis=0)
    counts = np.lib.stride_tricks.sliding_window_view(root > 0, 5, axis=0).all(axis=-1)
    if not counts.any():
        return 0.0
    found = 1.4826 * float(np.median(np.abs(differences[counts]))) / np.sqrt(70)
    measured = 3 * float((model.weights > 0).sum(axis=1).mean())
    return found / np.sqrt(max(1 - len(model.free) / measured, 0.2))


def smoothed_by_noise(model: MarkerModel, pose: Pose, offsets: Array, fps: float, noise: float) -> Pose:
    """The most likely poses `[frame]` for markers with `noise` along each axis; unchanged for less than `_EXACT`."""
    skeleton, sigma = model.skeleton, noise / model.skeleton.reach
    if sigma < _EXACT or len(pose) < 8:
        return pose
    source = Clip(skeleton, _slow_motion(pose, fps).q, fps)
    goals = [Reach(skeleton.joints[j], model.targets[:, m], tip=offsets[m]) for m, j in enumerate(model.carriers)]
    options = {"stay": _STAY, "free": [skeleton.freedoms[f] for f in model.free], "max_iterations": _STEPS}
    found, start = evened(pose, _FIRST * fps), None
    for _ in range(_EM_ROUNDS):
        smooth = (sigma / _accelerations(found, fps)) ** 2
        start = solve_clip(source, goals, list(model.weights.T), smooth=smooth, start=start, **options).clip
        found = start.poses
    return found


def _slow_motion(pose: Pose, fps: float) -> Pose:
    """The motion, smoothed as far as rotations stay close to it."""
    angles = ~pose.skeleton.slides
    frames = _SLOW * fps
    while frames > 1:
        found = evened(pose, frames)
        if np.abs(pose.minus(found)[:, angles]).max(initial=0.0) < _FAR:
            return found
        frames /= 2
    return pose


def _accelerations(pose: Pose, fps: float) -> Array:
    """`[dof]` the root mean square acceleration of each degree of freedom, rad/s² or reaches/s²."""
    velocity = pose[1:].minus(pose[:-1]) * fps
    size = np.sqrt(np.mean((np.diff(velocity, axis=0) * fps) ** 2, axis=0))
    return np.maximum(np.where(pose.skeleton.slides, size / pose.skeleton.reach, size), _SLOWEST)


_SAMPLE = 48  # frames from which lengths and offsets are estimated
_NOISE = (5e-4, 4e-3)  # of the reach: least and largest assumed standard deviation of markers
_EXACT_NOISE = 1e-5  # the least where all offsets are known
_LENGTH_SPREAD = 0.1  # standard deviation of the logarithm of a segment's length relative to the overall size
_SIZE_SPREAD = 0.3  # of the overall size
_STRAY = (4.0, 0.02)  # a marker strays if its residual is larger than these multiples of its median and of the reach
_VAGUE = 4.0  # a degree of freedom is unknown if its variance is larger than this multiple of the median
_ROUNDS = (3, 7)  # how often lengths are estimated, each with the noise of the last: offsets adjustable, or known
_JUMP = np.radians(30)  # of a freedom between two frames: more may be another pose that fits as well
_ABOUT = 16  # times the cost of a frame that fits badly: what a frame may cost that no longer jumps
_PICKS = 4  # how often all frames are solved again without strays


def fit_markers(
    figure: Figure,
    markers: Markers,
    attachments: Mapping[str, Attachment] | None = None,
    *,
    lengths: bool = True,
    limits: bool = False,
    noise: float | None = None,
    smooth: float = 0.0,
) -> MarkerFit:
    """Fit the motion of a figure to recorded markers, with its segments scaled to the person.

    It minimises Σ_t Σ_m w ‖marker − position‖² over the pose of every frame, one length factor per body (the same left
    and right) and the offsets of markers whose attachment has a spread, with a prior on lengths and offsets. Joints are
    interpolated over gaps. Frames in which a marker is far off (a swapped label, a reflection) are ignored for it; the
    result lists how many. Positions of 0, 0, 0 are gaps. Parts without markers are as at rest; with fewer than three
    markers on the trunk the pelvis is as upright as they allow; the result names both. Up axes and units are detected.

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
    trunk = importance(figure, matched.attachments)
    targets, unit, first = _marker_targets(figure, markers, matched, trunk)
    seen = markers.only(matched.labels).seen
    weights = np.where(seen, np.array([one.weight for one in matched.attachments]), 0.0)
    carriers = np.array([figure.skeleton.index(one.joint) for one in matched.attachments], np.int64)
    model = MarkerModel(figure.skeleton, carriers, np.where(seen[..., None], targets, 0.0), weights)
    model = _with_open_tilt(model, figure, matched, trunk, first)
    start = _calibrated(model, figure.rest, matched.offsets, trunk, first)
    model = model if limits else model.with_soft_limits(without_limits(model.skeleton, _bending(figure)))
    shared = _shared(model, Pose.trusted(model.skeleton, start.q), matched, trunk, lengths)
    model = model.scaled(shared.logs)
    pose, kept = _all_frames(model, Pose.trusted(model.skeleton, start.q), shared.offsets, trunk)
    model = model.with_weights(np.where(kept, model.weights, 0.0))
    trembling = white_noise(model, pose, shared.offsets) if noise is None else noise * unit
    pose = smoothed_by_noise(model, pose, shared.offsets, markers.fps, trembling)
    pose = evened(pose, smooth * markers.fps) if smooth > 0 else pose
    pose, sized = model.continuous(pose), scaled_figure(figure, model.factors(shared.logs))
    clip = Clip(sized.skeleton, pose.q, markers.fps, markers.name or "markers")
    misses = np.linalg.norm(model.positions(pose, shared.offsets) - model.targets, axis=2) / unit
    bare = unsupported_parts(figure, matched.attachments)
    notes = (*matched.notes, *support_notes(bare, model.tilt_open), *clip_notes(figure, clip, unit))
    return MarkerFit(
        clip, sized, matched.found(shared.offsets), matched.labels, np.where(kept, misses, np.nan),
        seen & ~kept, matched.unused, unit, notes, bare,
    )  # fmt: skip


class _Matched(NamedTuple):
    """The markers that are used, with their attachments."""

    labels: tuple[str, ...]
    attachments: tuple[Attachment, ...]
    unused: dict[str, str]
    notes: tuple[str, ...]

    @property
    def offsets(self) -> Array:
        return np.array([one.offset for one in self.attachments])

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


def _calibrated(model: MarkerModel, rest: Pose, offsets: Array, trunk: Array, frame: int) -> Pose:
    """The pose `[1]` of the frame with most markers."""
    one = model.at(np.array([frame]))
    start = aligned(one, Pose.trusted(rest.skeleton, rest.q[None]), offsets, trunk)
    return PoseSolver(model, offsets).solve(one, start, start)


def _shared(model: MarkerModel, start: Pose, matched: _Matched, trunk: Array, lengths: bool) -> SharedParameters:
    """Lengths and offsets, estimated from frames spread over the recording."""
    first = SharedParameters(matched.offsets, np.zeros(2 + int(model.groups.max(initial=-1))))
    spread = np.array([one.spread for one in matched.attachments])
    adjustable = np.flatnonzero(spread > 0)
    if not (lengths or len(adjustable)):
        return first
    rich = np.flatnonzero((model.weights > 0).sum(axis=1) >= np.quantile((model.weights > 0).sum(axis=1), 0.5))
    some = model.at(rich[np.unique(np.linspace(0, len(rich) - 1, _SAMPLE).astype(int))])
    pose, reference = _solve_from_one(some, start, PoseSolver(model, first.offsets), trunk)
    shared, noise = first, _NOISE[1]
    least, rounds = (_NOISE[0], _ROUNDS[0]) if len(adjustable) else (_EXACT_NOISE, _ROUNDS[1])
    for _ in range(rounds):
        prior = _prior(model, first, spread, adjustable, lengths, noise)
        pose, shared = bundle_adjust(some, pose, shared, reference, prior)
        now = some.scaled(shared.logs)
        squares = np.sum((now.positions(pose, shared.offsets) - now.targets) ** 2, axis=2)
        rms = float(np.sqrt(np.sum(now.weights * squares) / max(float(now.weights.sum()), 1e-300)))
        noise = float(np.clip(rms / model.skeleton.reach, least, noise))
        reference = model.upright(Pose.trusted(reference.skeleton, pose.q))
    return shared


def _prior(
    model: MarkerModel, first: SharedParameters, spread: Array, adjustable: Indices, lengths: bool, noise: float
) -> Prior:
    sigma = noise * model.skeleton.reach
    offsets = np.zeros(len(spread))
    offsets[adjustable] = (sigma / spread[adjustable]) ** 2
    logs = np.full(len(first.logs), (sigma / _LENGTH_SPREAD) ** 2)
    logs[0] = (sigma / _SIZE_SPREAD) ** 2
    return Prior(first, offsets, logs, adjustable, lengths)


def _solve_from_one(model: MarkerModel, start: Pose, solver: PoseSolver, trunk: Array) -> tuple[Pose, Pose]:
    """(poses of all frames, solved from the pose `start [1]`; that pose with only its root aligned)."""
    every = Pose.trusted(start.skeleton, np.repeat(start.q, len(model.weights), axis=0))
    first = aligned(model, every, solver.offsets, np.maximum(trunk, 0.5))
    pose = solver.solve(model, first, first)
    return pose, model.upright(first, pose)


def _all_frames(model: MarkerModel, start: Pose, offsets: Array, trunk: Array) -> tuple[Pose, np.ndarray]:
    """(poses of all frames, `[frame, marker]` which markers count): each frame solved from the calibration, then from
    its neighbours where that is better, then without strays and with gaps filled.
    """
    solver = PoseSolver(model, offsets)
    pose, first = _solve_from_one(model, start, solver, trunk)
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

"""Markers → motion: poses, segment lengths and marker offsets that fit a recording best, all together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from posable.clips import Clip, evened
from posable.errors import PosableError, near_names
from posable.figures import Figure, roles
from posable.goals import Reach
from posable.motion.markers.alignment import carried, placed, turned_up, unit_between
from posable.motion.markers.attachments import Attachment, Attachments
from posable.motion.markers.descent import Prior, Shared, frame_costs, pose_normal, solve_poses, solve_together
from posable.motion.markers.landmarks import LACKS, guess_attachments
from posable.motion.markers.markers import MarkerFit, Markers
from posable.motion.markers.rig import Indices, Rig, stretched_figure, unlimited
from posable.motion.whole_clip import solve_clip
from posable.skeleton import Pose
from posable.spatial import Array

# All frames of a fit together: what markers tremble by is told apart from what the person does.
#
# The poses are those most likely where markers are off by white noise and each freedom's acceleration is normal, of a
# size of its own. Both sizes are the recording's: the noise is what is white in the markers' misses, and how quickly
# a
# freedom accelerates is found with the motion, in turns (expectation–maximisation; Dempster, Laird & Rubin 1977).


_EXACT = 1e-5  # of the reach: markers that tremble by less are followed frame by frame
_STAY = 1e-6  # what keeps freedoms that no marker tells of
_BASE = 1.0  # s: the motion that corrections are counted from is evened over so long, or less where it turns far
_FIRST = 0.25  # s: the motion whose accelerations are believed at first is evened over so long
_FAR = 2.0  # rad: corrections are to stay well below half a turn
_SLOWEST = 0.05  # rad or reaches per s²: nobody keeps a joint stiller
_TURNS = 2
_STEPS = 15


def white_noise(rig: Rig, pose: Pose, offsets: Array) -> float:
    """The standard deviation along each axis of what is white in the markers, in the figure's unit: by the fourth
    differences of their misses, of which the fit itself has taken its share. 0 for a few frames only.
    """
    if len(pose) < 8:
        return 0.0
    root = np.sqrt(rig.weights)
    differences = np.diff((rig.places(pose, offsets) - rig.targets) * root[..., None], 4, axis=0)
    counts = np.lib.stride_tricks.sliding_window_view(root > 0, 5, axis=0).all(axis=-1)
    if not counts.any():
        return 0.0
    left = 1.4826 * float(np.median(np.abs(differences[counts]))) / np.sqrt(70)
    told = 3 * float((rig.weights > 0).sum(axis=1).mean())
    return left / np.sqrt(max(1 - len(rig.free) / told, 0.2))


def steadied(rig: Rig, pose: Pose, offsets: Array, fps: float, noise: float) -> Pose:
    """The poses `[frame]` most likely when markers are off by `noise` along each axis; as they are below a hundred
    thousandth of the reach.
    """
    skeleton, sigma = rig.skeleton, noise / rig.skeleton.reach
    if sigma < _EXACT or len(pose) < 8:
        return pose
    source = Clip(skeleton, _base(pose, fps).q, fps)
    goals = [Reach(skeleton.joints[j], rig.targets[:, m], tip=offsets[m]) for m, j in enumerate(rig.carriers)]
    options = {"stay": _STAY, "free": [skeleton.freedoms[f] for f in rig.free], "max_iterations": _STEPS}
    found, start = evened(pose, _FIRST * fps), None
    for _ in range(_TURNS):
        smooth = (sigma / _quickness(found, fps)) ** 2
        start = solve_clip(source, goals, list(rig.weights.T), smooth=smooth, start=start, **options).clip
        found = start.poses
    return found


def _base(pose: Pose, fps: float) -> Pose:
    """The motion evened as far as every rotation stays near."""
    turns = ~pose.skeleton.slides
    frames = _BASE * fps
    while frames > 1:
        found = evened(pose, frames)
        if np.abs(pose.minus(found)[:, turns]).max(initial=0.0) < _FAR:
            return found
        frames /= 2
    return pose


def _quickness(pose: Pose, fps: float) -> Array:
    """`[dof]` the root mean square of each freedom's acceleration, rad/s² or reaches/s²."""
    velocity = pose[1:].minus(pose[:-1]) * fps
    size = np.sqrt(np.mean((np.diff(velocity, axis=0) * fps) ** 2, axis=0))
    return np.maximum(np.where(pose.skeleton.slides, size / pose.skeleton.reach, size), _SLOWEST)


_TRUNK = ("hips", "spine", "chest", "upper_chest", "head")
_SAMPLE = 48  # frames from which lengths and offsets are found
_NOISE = (5e-4, 4e-3)  # of the reach: the least and the most that markers are taken to be off
_EXACT_NOISE = 1e-5  # the least where all offsets are known
_UNSURE_LENGTH = 0.1  # how far segments may be off the overall size, as a share
_UNSURE_SIZE = 0.3
_STRAY = (4.0, 0.02)  # a marker strays that misses by so many times its median, and by that share of the reach
_VAGUE = 4.0  # a freedom is unknown whose variance is so many times the usual one
_ROUNDS = (3, 7)  # how often lengths are found anew, with what was learned of the noise: offsets loose, or known
_PICKS = 4  # how often the solve is repeated about its result, without strays


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
    """The motion of `figure` that follows the markers best, with its segments scaled to the person.

    It minimises Σ_t Σ_m w ‖marker - place‖² over every frame's pose, one length factor per body (left and right the
    same) and the offsets of markers whose attachment has a spread, with each of them held to what was believed as far
    as it is sure. In gaps a joint is carried from before to after. A marker that jumps far off its place for some
    frames (a swapped label, a reflection) does not count in them; the result lists how often.

    A difference of the up axis, and of units by which the figure is far larger or smaller than the markers, is heeded.

    Args:
        figure: The figure.
        markers: The recording.
        attachments: Label → Attachment, as `Attachments.load` reads or an earlier fit found; None guesses from the
            labels. Labels that it does not name, and guesses that find no part of the body, are left out and listed in
            the result.
        lengths: False keeps the figure's own.
        limits: True keeps the poses within the figure's limits; unless asked for, the recording is believed where it
            shows more, and the result's notes name the joints that go beyond.
        noise: By how much markers tremble along each axis (standard deviation, in the markers' unit); None takes
            what is white in their misses. All frames are solved together, as smooth as the recording shows the person
            to move; markers without noise are followed exactly, and with 0 every frame is solved by itself.
        smooth: Seconds; what is quicker than that is evened out on top.

    Raises:
        PosableError: Where labels match nothing or matched markers are never seen.
        UnknownJointError: For an attachment to a joint that the figure does not have.

    Example:
        >>> attachments = {f"at {name}": posable.Attachment(name) for name in figure.skeleton.joints}
        >>> markers = posable.Markers(tuple(attachments), clip.poses.origins, clip.fps, "y")
        >>> fit = posable.fit_markers(figure, markers, attachments, lengths=False)
    """
    if not 0 <= smooth < np.inf:
        raise PosableError(f"smooth is a time in seconds of at least 0, not {smooth!r}")
    if noise is not None and not 0 <= noise < np.inf:
        raise PosableError(f"noise is a length of at least 0 in the markers' unit, not {noise!r}")
    figure = figure if figure.skeleton.definitions[0].floating else figure.with_root("free")
    matched = _match(figure, markers, attachments)
    trunk = _importance(figure, matched)
    targets, unit, first = _brought(figure, markers, matched, trunk)
    seen = markers.only(matched.labels).seen
    weights = np.where(seen, np.array([one.weight for one in matched.attachments]), 0.0)
    carriers = np.array([figure.skeleton.index(one.joint) for one in matched.attachments], np.int64)
    rig = Rig(figure.skeleton, carriers, np.where(seen[..., None], targets, 0.0), weights)
    start = _calibrated(rig, figure.rest, matched.offsets, trunk, first)
    rig = rig if limits else rig.guarded(unlimited(rig.skeleton))
    shared = _shared(rig, Pose.trusted(rig.skeleton, start.q), matched, trunk, lengths)
    rig = rig.stretched(shared.logs)
    pose, kept = _all_frames(rig, Pose.trusted(rig.skeleton, start.q), shared.offsets, trunk)
    rig = rig.weighed(np.where(kept, rig.weights, 0.0))
    trembling = white_noise(rig, pose, shared.offsets) if noise is None else noise * unit
    pose = steadied(rig, pose, shared.offsets, markers.fps, trembling)
    pose = evened(pose, smooth * markers.fps) if smooth > 0 else pose
    sized = stretched_figure(figure, rig.factors(shared.logs))
    clip = Clip(sized.skeleton, pose.q, markers.fps, markers.name or "markers")
    misses = np.linalg.norm(rig.places(pose, shared.offsets) - rig.targets, axis=2) / unit
    notes = (*matched.notes, *_notes(figure, clip, unit))
    return MarkerFit(
        clip, sized, matched.found(shared.offsets), matched.labels, np.where(kept, misses, np.nan),
        seen & ~kept, matched.unused, unit, notes,
    )  # fmt: skip


class _Matched(NamedTuple):
    """Which markers are used, and where they are believed to sit."""

    labels: tuple[str, ...]
    attachments: tuple[Attachment, ...]
    unused: dict[str, str]
    notes: tuple[str, ...]

    @property
    def offsets(self) -> Array:
        return np.array([one.offset for one in self.attachments])

    def found(self, offsets: Array) -> Attachments:
        placed = [(float(x), float(y), float(z)) for x, y, z in offsets]
        pairs = zip(self.labels, self.attachments, placed, strict=True)
        return Attachments({label: replace(one, offset=offset, spread=0.0) for label, one, offset in pairs})


def _match(figure: Figure, markers: Markers, attachments: Mapping[str, Attachment] | None) -> _Matched:
    notes: tuple[str, ...] = ()
    if attachments is None:
        table, unused, notes = guess_attachments(figure, markers.labels)
        unused = dict(unused)
        _check_body(markers, len(table), unused)
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


def _check_body(markers: Markers, found: int, unused: Mapping[str, str]) -> None:
    """Raise PosableError where most labels that name a part of a body name one that the figure does not have."""
    without = {label: why.removeprefix(LACKS) for label, why in unused.items() if why.startswith(LACKS)}
    if found and len(without) > found:
        parts = ", ".join(dict.fromkeys(without.values()))
        raise PosableError(
            f"markers {markers.name!r}: of {found + len(without)} labels that name a part of a body, {found} fit the "
            f"figure, which has no {parts}; choose a figure with these parts, or give attachments"
        )


def _nothing_matches(markers: Markers, table: tuple[str, ...] | None) -> str:
    shown = ", ".join(markers.labels[:8]) or "none"
    if table is None:
        cure = "write a table that says where they sit (attachments)"
    else:
        near = near_names(markers.labels[0], table, 1) if markers.labels else []
        cure = f"did you mean {near[0]}?" if near else f"it names {', '.join(table[:8])}"
        return f"markers {markers.name!r}: no label is in the attachments; the labels are {shown}; {cure}"
    return f"markers {markers.name!r}: no label names a part of this figure; the labels are {shown}; {cure}"


def _importance(figure: Figure, matched: _Matched) -> Array:
    """`[marker]`: how much each counts for the place of the whole: markers of the trunk move least on it."""
    body = roles(figure)
    trunk = {body[role] for role in _TRUNK if role in body}
    return np.array([1.0 if one.joint in trunk else 0.05 for one in matched.attachments])


def _brought(figure: Figure, markers: Markers, matched: _Matched, trunk: Array) -> tuple[Array, float, int]:
    """(targets in the figure's axes and unit, that unit in the markers', the frame with most of the markers)."""
    only = markers.only(matched.labels)
    targets = turned_up(only.positions, markers.up, figure.skeleton.up)
    first = int(np.argmax(only.seen @ trunk))
    seen = only.seen[first]
    carriers = [figure.skeleton.index(one.joint) for one in matched.attachments]
    world = figure.rest.world_from_joint[carriers]
    model = (world[:, :3, :3] @ matched.offsets[..., None])[..., 0] + world[:, :3, 3]
    unit = unit_between(model[seen], targets[first, seen], figure.height)
    return targets * unit, unit, first


def _calibrated(rig: Rig, rest: Pose, offsets: Array, trunk: Array, frame: int) -> Pose:
    """The pose `[1]` of the frame in which most is seen."""
    one = rig.at(np.array([frame]))
    reference = Pose.trusted(rest.skeleton, rest.q[None])
    start = placed(one, reference, offsets, trunk)
    return solve_poses(one, start, offsets, start)


def _shared(rig: Rig, start: Pose, matched: _Matched, trunk: Array, lengths: bool) -> Shared:
    """Lengths and offsets from frames spread over the recording."""
    first = Shared(matched.offsets, np.zeros(2 + int(rig.groups.max(initial=-1))))
    spread = np.array([one.spread for one in matched.attachments])
    loose = np.flatnonzero(spread > 0)
    if not (lengths or len(loose)):
        return first
    rich = np.flatnonzero((rig.weights > 0).sum(axis=1) >= np.quantile((rig.weights > 0).sum(axis=1), 0.5))
    some = rig.at(rich[np.unique(np.linspace(0, len(rich) - 1, _SAMPLE).astype(int))])
    pose, reference = _follow(some, start, first.offsets, trunk)
    shared, noise = first, _NOISE[1]
    least, rounds = (_NOISE[0], _ROUNDS[0]) if len(loose) else (_EXACT_NOISE, _ROUNDS[1])
    for _ in range(rounds):
        prior = _prior(rig, first, spread, loose, lengths, noise)
        pose, shared = solve_together(some, pose, shared, reference, prior)
        now = some.stretched(shared.logs)
        miss = np.sum(now.weights * np.sum((now.places(pose, shared.offsets) - now.targets) ** 2, axis=2))
        rms = float(np.sqrt(miss / max(float(now.weights.sum()), 1e-300)))
        noise = float(np.clip(rms / rig.skeleton.reach, least, noise))
        reference = Pose.trusted(reference.skeleton, pose.q)
    return shared


def _prior(rig: Rig, first: Shared, spread: Array, loose: Indices, lengths: bool, noise: float) -> Prior:
    sigma = noise * rig.skeleton.reach
    tight = np.zeros(len(spread))
    tight[loose] = (sigma / spread[loose]) ** 2
    logs = np.full(len(first.logs), (sigma / _UNSURE_LENGTH) ** 2)
    logs[0] = (sigma / _UNSURE_SIZE) ** 2
    return Prior(first, tight, logs, loose, lengths)


def _follow(rig: Rig, start: Pose, offsets: Array, trunk: Array) -> tuple[Pose, Pose]:
    """(poses of all frames from the one pose `start [1]`, the same as it was placed before its joints moved)."""
    frames = len(rig.weights)
    first = placed(
        rig, Pose.trusted(start.skeleton, np.repeat(start.q, frames, axis=0)), offsets, np.maximum(trunk, 0.5)
    )
    return solve_poses(rig, first, offsets, first), first


def _all_frames(rig: Rig, start: Pose, offsets: Array, trunk: Array) -> tuple[Pose, np.ndarray]:
    """(poses of all frames, `[frame, marker]` which markers count): each frame from the calibration, then from its
    neighbours where that is better, then without strays and with what is not seen carried over.
    """
    pose, first = _follow(rig, start, offsets, trunk)
    for shift in (1, -1):
        pose = _from_neighbours(rig, pose, offsets, first, shift)
    for turn in range(_PICKS):
        strays = _strays(rig, pose, offsets)
        rig = rig.weighed(np.where(strays, 0.0, rig.weights))
        unknown = _unknown(rig, pose, offsets)
        held = carried(rig.skeleton, pose.q, _known(rig, unknown))
        reference = evened(Pose.trusted(rig.skeleton, held), 4.0 if turn == 0 else 0.0)
        pose = solve_poses(rig, reference, offsets, reference)
    return pose, rig.weights > 0


def _strays(rig: Rig, pose: Pose, offsets: Array) -> np.ndarray:
    """`[frame, marker]`: markers far off their place, and the farthest of their frame."""
    misses = np.where(rig.weights > 0, np.linalg.norm(rig.places(pose, offsets) - rig.targets, axis=2), np.nan)
    usual = np.nanmedian(misses, axis=0)
    far = misses > np.maximum(_STRAY[0] * usual, _STRAY[1] * rig.skeleton.reach)
    return far & (misses >= 0.8 * np.nanmax(np.where(far, misses, 0.0), axis=1, keepdims=True))


def _from_neighbours(rig: Rig, pose: Pose, offsets: Array, reference: Pose, shift: int) -> Pose:
    """Frames that fit worse than most, solved again from the frame before (1) or after (-1), one after the other."""
    q, costs = np.array(pose.q), frame_costs(rig, pose, offsets, reference)
    order = range(1, len(q)) if shift > 0 else range(len(q) - 2, -1, -1)
    doubtful = 4 * np.median(costs) + (1e-3 * rig.skeleton.reach) ** 2
    for frame in order:
        if costs[frame] <= doubtful or costs[frame - shift] > 0.5 * costs[frame]:
            continue
        one = np.array([frame])
        found = solve_poses(rig.at(one), Pose.trusted(pose.skeleton, q[one - shift]), offsets, reference[one])
        cost = float(frame_costs(rig.at(one), found, offsets, reference[one])[0])
        if cost < costs[frame]:
            q[frame], costs[frame] = found.q[0], cost
    return Pose.trusted(pose.skeleton, q)


def _unknown(rig: Rig, pose: Pose, offsets: Array) -> np.ndarray:
    """`[frame, free]`: freedoms that the frame's markers leave much less sure than those of most frames do."""
    normal, _, _ = pose_normal(rig, pose, offsets, pose)
    variance = np.diagonal(np.linalg.inv(normal), axis1=1, axis2=2)
    return variance > _VAGUE * np.median(variance, axis=0)


def _known(rig: Rig, unknown: np.ndarray) -> np.ndarray:
    """`[frame, joint]`: those of whose freedoms none is unknown."""
    own = np.repeat(np.arange(len(rig.skeleton.joints)), np.diff(rig.skeleton.tables.first_dof))[rig.free]
    known = np.ones((len(unknown), len(rig.skeleton.joints)), bool)
    for k, joint in enumerate(own):
        known[:, joint] &= ~unknown[:, k]
    return known


def _notes(figure: Figure, clip: Clip, unit: float) -> tuple[str, ...]:
    notes = [] if unit == 1.0 else [f"one of the markers' length units was taken for {unit:g} of the figure's"]
    beyond = np.abs(clip.poses.minus(clip.poses.clamped())).max(axis=0) > np.radians(5)
    names = [joint for joint in clip.skeleton.joints if beyond[list(clip.skeleton.freedom_range(joint))].any()]
    if names:
        notes.append(f"beyond the figure's limits: {', '.join(names)}")
    up = "xyz".index(figure.skeleton.up)
    upright = clip.poses.world_from_joint[:, 0, :3, :3] @ figure.rest.world_from_joint[0, :3, :3].T
    if float(np.median(upright[:, up, up])) < 0.5:
        notes.append("the figure lies on its side: if the person stood or sat, another axis of the markers points up")
    return tuple(notes)

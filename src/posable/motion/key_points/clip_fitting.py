"""Motion from key points: one solve of a whole clip, with bones of constant length and planted feet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip, evened
from posable.errors import check_kind
from posable.figures import Figure
from posable.figures import figure as built_in
from posable.motion.feet import Sole, soles
from posable.motion.feet.contact_detection import contacts_of
from posable.motion.key_points.body_lengths import length_factors_of
from posable.motion.key_points.convention_tables import KeyPoints, attachments_of
from posable.motion.key_points.mixed_sides import with_sides_mended
from posable.motion.key_points.point_rows import PointRows, Seen, positions_of
from posable.motion.key_points.standing import held_feet, slides, travelled
from posable.motion.key_points.view import View, displaced_onto, view_of
from posable.motion.markers.key_points import pose_from_points
from posable.motion.markers.marker_model import Indices, scaled_figure
from posable.motion.transfer import retarget
from posable.motion.whole_clip.clip_problem import ClipProblem
from posable.spatial import Array
from posable.spatial.marquardt import minimise

_STAY, _SMOOTH = 2e-4, 3e-8  # weights of human habits, and of accelerations, relative to a point's
# frames a second of the first poses, of the first whole-clip solve, of the first one on standing feet
_FIRST_RATE, _COARSE_RATE, _MIDDLE_RATE = 6.0, 10.0, 30.0
_COARSE_SOLVES, _COARSE_STEPS, _STEPS, _LAST_STEPS = 2, 6, (3, 2, 2, 2, 1, 1, 1, 1), (2, 2, 2, 1, 1, 1)
_EVEN = 0.1  # s over which the first poses are smoothed
_ENOUGH, _WORSE = 2e-3, 30.0  # of the cost: a smaller decrease ends a solve; factor beyond which a solve is rejected
_STRAY = 2.5  # a point whose error exceeds the usual one by this factor gets less weight


@dataclass(frozen=True, eq=False)
class KeyPointFit:
    """A motion found from key points.

    Args:
        clip: The motion, on the skeleton of `figure`.
        figure: The figure: one with the proportions of the points, or the given one.
        person: The clip of the person, on a body with the person's proportions, regardless of the given figure.
        used: Names of the points that were used.
        unused: Names of the others.
        misses: `[frame, point]` distances of the used points from the person, across the view where there is one, in
            metres; NaN where they were not seen.
        world_from_camera: `[3, 3]` from the camera's axes (x to the right, y up, z to the viewer) to the clip's.
        notes: Assumptions, one sentence each.

    Example:
        >>> names = ("left_shoulder", "right_shoulder", "left_hip", "right_hip", "left_knee", "right_knee")
        >>> joints = ("upper_arm_l", "upper_arm_r", "thigh_l", "thigh_r", "shin_l", "shin_r")
        >>> carriers = [figure.skeleton.index(joint) for joint in joints]
        >>> fit = posable.from_key_points(posable.KeyPoints(names, clip.poses.origins[:, carriers], clip.fps, axes="y"))
        >>> fit.clip.fps == clip.fps
        True
    """

    clip: Clip
    figure: Figure
    person: Clip
    used: tuple[str, ...]
    unused: tuple[str, ...]
    misses: Array
    world_from_camera: Array
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"KeyPointFit({len(self.used)} points, {len(self.clip)} frames, {1000 * self.rms:.0f} mm rms)"

    @property
    def rms(self) -> float:
        """Of all used points in all frames, in metres."""
        return float(np.sqrt(np.nanmean(self.misses**2)))


class _Person(NamedTuple):
    """A body with the lengths of the person, and the positions of the points on it."""

    figure: Figure
    carriers: Indices
    offsets: Array
    free: list[str]


def from_key_points(points: KeyPoints, figure: Figure | None = None, *, focal: float | None = None) -> KeyPointFit:
    """Find the motion of a person from key points of a pose estimator.

    All frames are solved together: bones keep their lengths, joints their limits, and standing feet their positions;
    depth, which a camera measures badly, has less weight, and joints without points move as people usually do. Scale
    and camera need not be known. The person stands on level ground, y up.

    Args:
        points: The key points.
        figure: The figure to move; None for a body with the proportions of the person.
        focal: Focal length of the camera in pixels; None for a usual one.

    Returns:
        The clip, the figure and what was assumed.

    Raises:
        PosableError: If the known points do not determine a body.

    Example:
        >>> joints = ("upper_arm", "forearm", "hand", "thigh", "shin", "foot")
        >>> words = ("shoulder", "elbow", "wrist", "hip", "knee", "ankle")
        >>> names = [f"{side}_{word}" for side in ("left", "right") for word in words]
        >>> carriers = [figure.skeleton.index(f"{joint}_{side}") for side in "lr" for joint in joints]
        >>> points = posable.KeyPoints(names, clip.poses.origins[:, carriers], clip.fps, axes="y")
        >>> fit = posable.from_key_points(points)
    """
    check_kind(points, KeyPoints, "a motion is found from KeyPoints", "posable.load_key_points reads a file")
    used, mixed = with_sides_mended(points.understood())
    unused = tuple(name for k, name in enumerate(points.names) if name != "-" and points.sites[k] is None)
    body = built_in("mannequin")
    view = view_of(used, body, focal)
    person = _sized(view, used.names, _person_of(body, used.names))
    first = _first_poses(used, view, person)
    clip, misses = _whole_clip(used, view, first, person)
    notes = view.notes + mixed
    given, moved = person.figure, clip
    if figure is not None:
        given, moved = figure, retarget(clip, to=figure)
    return KeyPointFit(moved, given, clip, used.names, unused, misses, view.world_from_camera, notes)


def _person_of(body: Figure, names: tuple[str, ...]) -> _Person:
    carriers, offsets = attachments_of(body, names)
    skeleton = body.skeleton
    own = {i for j in carriers.tolist() for i in skeleton.chain(j)}
    return _Person(body, carriers, offsets, [skeleton.joints[j] for j in sorted(own) if skeleton.definitions[j].dof])


def _first_poses(points: KeyPoints, view: View, person: _Person) -> Clip:
    """Poses of some frames, solved separately."""
    frames, fps = _spaced(len(points), points.fps, _FIRST_RATE)
    centers = np.flatnonzero(np.linalg.norm(person.offsets, axis=1) < 1e-9)
    _, kept = np.unique(person.carriers[centers], return_index=True)
    at = centers[kept]
    joints = [person.figure.skeleton.joints[j] for j in person.carriers[at]]
    weights = view.weights[np.ix_(frames, at)]
    found = pose_from_points(person.figure.skeleton, view.places[np.ix_(frames, at)], joints, weights, fps=fps)
    assert isinstance(found, Clip)
    return found


def _spaced(count: int, fps: float, rate: float) -> tuple[NDArray[np.int64], float]:
    """(frames evenly spread over a clip, including the first and the last, about `rate` a second; their rate)."""
    wanted = max(2, round((count - 1) / fps * min(rate, fps)) + 1)
    frames = np.unique(np.round(np.linspace(0, count - 1, wanted)).astype(np.int64))
    return frames, fps * max(len(frames) - 1, 1) / max(count - 1, 1)


def _sized(view: View, names: tuple[str, ...], person: _Person) -> _Person:
    """The body with the lengths that the points show over the clip."""
    factors = length_factors_of(view, names, person.figure, person.carriers, person.offsets)
    figure = scaled_figure(person.figure, factors)
    return person._replace(figure=figure, offsets=person.offsets * factors[person.carriers][:, None])


def _whole_clip(points: KeyPoints, view: View, first: Clip, person: _Person) -> tuple[Clip, Array]:
    """(the clip, on the ground; the errors `[frame, point]`): solved at a low frame rate, then at the full one with
    standing feet.
    """
    source = _placed(view, _spread(first, person, len(points), points.fps), person)
    source = replace(source, q=evened(source.poses, _EVEN * points.fps).q)
    frames, rate = _spaced(len(points), points.fps, _COARSE_RATE)
    seen, found = _seen(view, person), Clip(source.skeleton, source.q[frames], rate)
    coarse, weights = found, seen.weights[frames]
    for _ in range(_COARSE_SOLVES):
        found, weights = _solved(coarse, seen.at(frames)._replace(weights=weights), person, found)
    feet = soles(person.figure)
    share = weights / np.maximum(seen.weights[frames], 1e-12)
    seen = seen._replace(weights=seen.weights * _interpolated(share, frames, len(points)))
    fine = _spread(found, person, len(points), points.fps)
    moved = fine if view.travels else travelled(fine, feet, None if view.rays is None else view.ahead)
    source = replace(source, q=_with_root(source.q, source.q[:, :3] + moved.q[:, :3] - fine.q[:, :3]))
    fine, tries = moved, _STEPS
    if points.fps > 1.5 * _MIDDLE_RATE:
        frames, rate = _spaced(len(points), points.fps, _MIDDLE_RATE)
        own, start = (Clip(source.skeleton, clip.q[frames], rate) for clip in (source, moved))
        middle, _ = _on_feet(own, seen.at(frames), person, feet, start, _STEPS[:4])
        fine, tries = _spread(middle, person, len(points), points.fps), _LAST_STEPS
    fine, ground = _on_feet(source, seen, person, feet, fine, tries)
    misses = np.linalg.norm(PointRows(fine.skeleton, seen).evaluate(fine.poses)[0], axis=2) * fine.skeleton.reach
    start = 0.0 * fine.q[0, :3] if view.travels else fine.q[0, :3] * (1.0, 0.0, 1.0)
    on_ground = _with_root(fine.q, fine.q[:, :3] - start - (0.0, ground, 0.0))
    return replace(fine, q=on_ground), np.where(view.weights > 0, misses, np.nan)


def _on_feet(
    source: Clip, seen: Seen, person: _Person, feet: tuple[Sole, ...], start: Clip, tries: Sequence[int]
) -> tuple[Clip, float]:
    """(the clip on standing feet, the height of the ground): solved again with the contacts of each solution, until no
    foot slides. tries: the most steps of each solve.
    """
    touching = contacts_of(start, feet)
    held, ground = held_feet(start, touching)
    rows = PointRows(source.skeleton, seen)
    problem = ClipProblem(source, rows.holding(held), person.free, _STAY, _SMOOTH)
    correction, found, least = start.poses.minus(source.poses)[:, problem.free], start, np.inf
    for steps in tries:
        problem = problem.with_rows(rows.holding(held))
        begun = problem.at(correction)
        state, _ = minimise(problem, begun, steps=steps, tolerance=_ENOUGH)
        cost = float(state.costs.sum())
        if cost > _WORSE * least:
            break  # what was taken for a contact is none
        correction, found, least = state.correction, replace(source, q=state.pose.q), min(cost, least)
        touching = contacts_of(found, feet)
        if cost > (1 - _ENOUGH) * begun.costs.sum() or not slides(found, touching):
            break
        held, ground = held_feet(found, touching, held)
    return found, ground


def _with_root(q: Array, places: Array) -> Array:
    """Coordinates with the root at these positions."""
    return np.concatenate([places, q[:, 3:]], axis=1)


def _solved(source: Clip, seen: Seen, person: _Person, start: Clip) -> tuple[Clip, Array]:
    """(the clip, the weights `[frame, point]` with those of outliers lowered)."""
    problem = ClipProblem(source, PointRows(source.skeleton, seen), person.free, _STAY, _SMOOTH)
    correction = start.poses.minus(source.poses)[:, problem.free]
    state, _ = minimise(problem, problem.at(correction), steps=_COARSE_STEPS, tolerance=_ENOUGH)
    away = np.linalg.norm(state.residual, axis=2)
    usual = 1.5 * np.sqrt(np.average(away**2, weights=np.maximum(seen.weights, 1e-12)))
    weights = seen.weights / (1.0 + (away / (_STRAY * usual)) ** 2) ** 2
    return replace(source, q=state.pose.q), weights


def _spread(clip: Clip, person: _Person, frames: int, fps: float) -> Clip:
    """A clip of a lower frame rate at all frames, on the person's own skeleton."""
    times = np.minimum(np.arange(frames) / fps, clip.seconds)
    return Clip(person.figure.skeleton, clip.at(times).q, fps, clip.name)


def _interpolated(values: Array, frames: NDArray[np.int64], count: int) -> Array:
    return np.stack([np.interp(np.arange(count), frames, own) for own in values.T], axis=1)


def _placed(view: View, clip: Clip, person: _Person) -> Clip:
    """The clip moved in every frame to the position that the camera sees."""
    from scipy.ndimage import gaussian_filter1d

    if view.rays is None:
        return clip
    points = positions_of(clip.poses, person.carriers, person.offsets)
    away = displaced_onto(view.rays, points, view.weights)
    depth = np.sum(away * view.ahead, axis=1)
    even = gaussian_filter1d(depth, 0.15 * clip.fps, mode="nearest")
    q = np.array(clip.q)
    q[:, :3] += away + (even - depth)[:, None] * view.ahead
    return replace(clip, q=q)


def _seen(view: View, person: _Person) -> Seen:
    """The targets of the points."""
    ahead, maps = view.ahead, np.eye(3) + np.zeros((*view.weights.shape, 3, 3))
    onto = ahead[:, None, :, None] * ahead[:, None, None, :]  # [frame, 1, 3, 3]
    along = view.along[..., None, None] * onto
    if view.rays is None:
        maps += along - onto
        aims = (maps @ view.places[..., None])[..., 0]
        loose = np.zeros_like(maps) if view.travels else maps
    else:
        maps += along - view.rays[..., :, None] * view.rays[..., None, :]
        aims = (along @ view.places[..., None])[..., 0]
        loose = along
    return Seen(person.carriers, person.offsets, np.ascontiguousarray(maps), aims, view.weights, loose)

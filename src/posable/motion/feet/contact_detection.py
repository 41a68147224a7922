"""Contacts of heels, balls and toes with the ground."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.errors import TerrainError
from posable.figures import Figure, Roles
from posable.figures.terrain import Terrain
from posable.motion.feet.sole_shapes import HUMAN_LEG, Sole, soles
from posable.spatial import Array

SLOWER, LOWER = 0.4, 0.05
"""m/s and m over the ground, for a leg of 0.88 m: a faster or higher ball is not in contact."""
HEEL_SLOWER, HEEL_LOWER = 0.6, 0.02
"""Likewise of the heel, which comes down fast and leaves slowly."""
TOE_SLOWER, TOE_LOWER = 0.5, 0.05
"""Likewise of the tip of the toes, about which the foot rotates at last."""
RESTS_LOWER = 0.12
"""Likewise of the joints of knees and wrists, which are inside the body: m."""
SHORTEST = 0.1
"""Seconds: shorter contacts, and shorter gaps between, do not count."""
SMOOTHED = 1 / 30
"""Seconds over which the speed is measured; more for noisy recordings."""

_TIPTOE = 0.06  # m: a heel that is this far over the ball is off the ground, regardless of its duration
_QUIET = 0.08  # m/s: the largest part of a speed that may be noise
_LOW = 10  # the percentile of heights that is taken as the support of a foot at rest
_LOWEST = 2  # the percentile of heights that is taken as the ground
_UNEVEN = 0.08  # m: how far over that the floor of a recording may be locally
_AROUND = 1.2  # s: a foot touches the floor at least once within this
_JUMPS = 6.0  # m/s: the least speed of a jump out of the rest pose with which a recording begins
_TOGETHER = 0.25  # s: both feet of a standing figure rest at least this long; less at the top of a jump
_UNDER, _STANDS = (
    0.25,
    0.6,
)  # of the leg: least height of the hip over a bearing foot, and over both of a stance
_OVER = 0.2  # of the leg: largest horizontal distance of the hips from the middle of such feet


@dataclass(frozen=True, eq=False)
class Contacts:
    """When the feet touch the ground.

    Args:
        soles: The feet.
        heel: `[foot, frame]`, whether the heel touches.
        ball: `[foot, frame]`, whether the ball touches.
        toe: `[foot, frame]`, whether the tip of the toes touches.
        fps: Frames per second.
        rests: Role of each knee (`lower_leg_l`) and hand that rests on the ground at some time, as in kneeling and
            crawling: `[frame]` whether it rests.

    Example:
        >>> contacts = posable.motion.contacts(clip)
        >>> contacts.any.shape == (len(contacts.soles), len(clip))
        True
    """

    soles: tuple[Sole, ...]
    heel: NDArray[np.bool_]
    ball: NDArray[np.bool_]
    toe: NDArray[np.bool_]
    fps: float
    rests: Mapping[str, NDArray[np.bool_]] = field(default_factory=dict)

    @property
    def any(self) -> NDArray[np.bool_]:
        """`[foot, frame]` whether the foot touches the ground at all: its stance."""
        return self.heel | self.ball | self.toe

    @property
    def stance_share(self) -> Array:
        """`[foot]` the share of whole strides (from one landing to the last) that the foot stands; NaN without any."""
        return np.array([_share(row) for row in self.any])


def contacts(
    clip: Clip,
    terrain: Terrain | None = None,
    feet: Sequence[str] | None = None,
    *,
    figure: Figure | None = None,
    roles: Roles | None = None,
) -> Contacts:
    """Detect when heel, ball and toes touch the ground, and when knees and hands rest on it.

    The ball touches while it is slower than 40 cm/s and lower than 5 cm (heel: 60 cm/s and 2 cm; tip of the toes: 50
    cm/s and 5 cm) for at least 0.1 s; gaps below 0.1 s are ignored. Speeds and heights are for a leg of 0.88 m and
    scale with the figure. Speed is smoothed over 1/30 s, and more for noisy recordings.

    Args:
        clip: The clip.
        terrain: The ground; None is what the motion itself shows: level, at the 2nd percentile of each point's heights,
            and wherever else a foot rests that carries the figure, on steps, boxes and rungs.
        feet: Roles or joints of the feet; None is all.
        figure: The figure, whose skin gives the soles.
        roles: Roles of the joints; None finds them.

    Returns:
        The contacts.

    Raises:
        TerrainError: For a hole in the terrain under a foot.
        SkeletonError: For a figure without legs.
        UnknownJointError: For an unknown foot.

    Example:
        >>> found = posable.motion.contacts(clip)
    """
    found = contacts_of(clip, soles(clip if figure is None else figure, feet, roles), terrain)
    return replace(found, rests=_rests(clip, found.soles, terrain, roles))


def contacts_of(clip: Clip, which: tuple[Sole, ...], terrain: Terrain | None = None) -> Contacts:
    """The contacts of feet whose soles are known, without knees and hands."""
    poses = clip.poses
    rows: dict[str, list[NDArray[np.bool_]]] = {"heel": [], "ball": [], "toe": []}
    raised: dict[str, list[NDArray[np.bool_]]] = {"heel": [], "ball": [], "toe": []}
    for sole in which:
        points = {
            "heel": (sole.heel_places(poses), HEEL_SLOWER, HEEL_LOWER, sole.heel_height),
            "ball": (sole.ball_places(poses), SLOWER, LOWER, sole.ball_height),
            "toe": (sole.toe_places(poses), TOE_SLOWER, TOE_LOWER, 0.0),
        }
        for name, (places, slower, lower, height) in points.items():
            smooth = smoothed(places, clip.fps, sole.scale)
            over = heights_over(smooth, clip, terrain, sole) - (0.0 if terrain is None else height)
            slow = np.linalg.norm(velocities(smooth, clip.fps), axis=1) < slower * sole.scale
            rows[name].append(slow & (over < lower * sole.scale))
            raised[name].append(slow & _level(smooth @ _axis(clip), slow, lower * sole.scale) & (terrain is None))
    shape = len(which), len(clip)
    low, high = ({name: np.array(own[name]).reshape(shape) for name in own} for own in (rows, raised))
    bears = _bearing(clip, which, np.any([*low.values()], axis=0), np.any([*high.values()], axis=0))
    heel, ball, toe = (_lasting_all(low[name] | high[name] & bears, clip.fps) for name in ("heel", "ball", "toe"))
    heel &= np.array([_heel_may_touch(clip, sole, terrain) for sole in which]).reshape(shape)
    return Contacts(which, heel, ball, toe, clip.fps)


def _heel_may_touch(clip: Clip, sole: Sole, terrain: Terrain | None) -> NDArray[np.bool_]:
    """`[frame]`; a figure on tiptoe for a whole clip shows no lower position of the heel for comparison."""
    if sole.heel is None or terrain is not None:
        return np.full(len(clip), sole.heel is not None)
    over = (sole.heel_places(clip.poses) - sole.ball_places(clip.poses)) @ _axis(clip)
    return over - (sole.heel_height - sole.ball_height) < _TIPTOE * sole.scale


def _rests(
    clip: Clip, which: Sequence[Sole], terrain: Terrain | None, roles: Roles | None
) -> dict[str, NDArray[np.bool_]]:
    """Role → `[frame]` where knees and hands are slow near the ground; only those that ever are."""
    parts, up, found = clip.skeleton.parts.joints, _axis(clip), {}
    if not which or "front_foot_l" in parts:
        return {}
    scale = float(np.mean([sole.scale for sole in which]))
    feet = [sole.ball_places(clip.poses) @ up - sole.ball_height for sole in which]
    floor = min(percentile(own, _LOWEST) for own in feet)
    for role in (f"{part}_{side}" for part in ("lower_leg", "hand") for side in "lr"):
        joint = parts.get(role) if roles is None else roles.index(role) if role in roles else None
        if joint is not None:
            smooth = smoothed(clip.poses.origins[:, joint], clip.fps, scale)
            over = smooth @ up - (floor if terrain is None else terrain.height(smooth))
            slow = np.linalg.norm(velocities(smooth, clip.fps), axis=1) < SLOWER * scale
            rests = _lasting(slow & (over < RESTS_LOWER * scale), clip.fps)
            found |= {role: rests} if rests.any() else {}
    return found


def velocities(places: Array, fps: float) -> Array:
    """`[frame, 3]` per second, central differences."""
    return np.gradient(places, axis=0) * fps if len(places) > 1 else np.zeros_like(places)


def heights_over(places: Array, clip: Clip, terrain: Terrain | None, sole: Sole) -> Array:
    """`[frame]` over the terrain, or over the floor that the motion implies. Raises TerrainError over a hole."""
    up = clip.skeleton.up
    own = places @ _axis(clip)
    if terrain is None:
        floor = percentile(own, _LOWEST)
        return own - np.clip(_nearest_floor(places, clip, sole), floor, floor + _UNEVEN * sole.scale)
    terrain.check_up(up)
    height = terrain.height(places)
    if np.isnan(height).any():
        frame = int(np.argmax(np.isnan(height)))
        where = ", ".join(f"{x:.3g}" for x in places[frame])
        raise TerrainError(
            f"there is no ground under {sole.name} at frame {frame} ({where}); repair the terrain or move"
        )
    return own - height


def _axis(clip: Clip) -> Array:
    return np.eye(3)["xyz".index(clip.skeleton.up)]


def _nearest_floor(places: Array, clip: Clip, sole: Sole) -> Array:
    """`[frame]` the lowest height around each frame; first and last are left out if the recording jumps there.

    Many recordings begin with their rest pose.
    """
    from scipy.ndimage import minimum_filter1d

    own = np.array(places @ _axis(clip))
    if len(own) > 2:
        ends = clip.poses[[0, 1, -2, -1]].origins
        jumps = np.linalg.norm(np.diff(ends, axis=0)[::2], axis=2).max(axis=1) * clip.fps > _JUMPS * sole.scale
        own[0], own[-1] = np.where(jumps, np.inf, own[[0, -1]])
    return minimum_filter1d(own, max(int(_AROUND * clip.fps) | 1, 1), mode="nearest")


def _level(heights: Array, slow: NDArray[np.bool_], most: float) -> NDArray[np.bool_]:
    """`[frame]` where a point is less than `most` over its lowest height while it is slow."""
    found = np.zeros_like(slow)
    for start, end in runs(slow):
        own = heights[start:end]
        found[start:end] = own - percentile(own, _LOW) < most
    return found


def _bearing(clip: Clip, which: Sequence[Sole], low: NDArray[np.bool_], high: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """`[foot, frame]` where feet at rest above the floor stand on an object, such as a step or a box.

    low, high: `[foot, frame]` where feet are at rest near the floor, and above it. A foot bears while it rests if at
    some time no other rests, so that it alone carries the figure, or if all rest level under the hips. A foot that
    hangs, or is held up beside a standing foot, does not.
    """
    poses, up = clip.poses, _axis(clip)
    places = np.array([sole.ball_places(poses) for sole in which]).reshape(len(which), len(clip), 3)
    hips = np.array([poses.origins[:, clip.skeleton.index(sole.joints[0])] for sole in which]).reshape(places.shape)
    under = (hips - places) @ up > np.array([[_UNDER * sole.length] for sole in which])
    rests = (low | high) & under
    off = (hips.mean(axis=0) - places.mean(axis=0)) if len(which) else np.zeros((len(clip), 3))
    leg = float(np.mean([sole.length for sole in which])) if len(which) else 1.0
    over = np.linalg.norm(off - (off @ up)[:, None] * up, axis=1) < _OVER * leg
    level = np.ptp(places @ up, axis=0) < _UNEVEN / HUMAN_LEG * leg if len(which) else over
    together = rests.all(axis=0) & ~low.any(axis=0) & over & level & (off @ up > _STANDS * leg) & ~_hangs(clip)
    found = np.zeros_like(high)
    for foot, resting in enumerate(rests):
        alone = resting & ~np.delete(rests, foot, axis=0).any(axis=0)
        for start, end in runs(resting & ~low[foot]):
            longest = (max((b - a for a, b in runs(one[start:end])), default=0) for one in (alone, together))
            found[foot, start:end] = any(
                length >= least * clip.fps for length, least in zip(longest, (SHORTEST, _TOGETHER), strict=True)
            )
    return found


def _hangs(clip: Clip) -> NDArray[np.bool_]:
    """`[frame]` whether a hand is over the head, as one that holds a bar."""
    joints, up = clip.skeleton.parts.joints, _axis(clip)
    if not all(role in joints for role in ("head", "hand_l", "hand_r")):
        return np.zeros(len(clip), bool)
    heights = clip.poses.origins @ up
    return np.asarray(heights[:, [joints["hand_l"], joints["hand_r"]]].max(axis=1) > heights[:, joints["head"]])


def smoothed(places: Array, fps: float, unit: float) -> Array:
    """`[frame, 3]` smoothed by a Gaussian just wide enough that noise makes up little of the speed.

    White noise of σ leaves σ / √(4 √π s³ fps) of speed after one of width s, whatever the frame rate.
    """
    noise = _noise(places)
    least = SMOOTHED / np.sqrt(12)  # as wide as a mean over 1/30 s
    width = max((noise / (_QUIET * unit)) ** 2 / (4 * np.sqrt(np.pi) * fps), least**3) ** (1 / 3)
    return _blurred(places, width * fps)


def _noise(places: Array) -> float:
    """The standard deviation of the white noise in a motion: by its fourth differences, most of which are at rest."""
    if len(places) < 8:
        return 0.0
    return float(1.4826 * np.median(np.abs(np.diff(places, 4, axis=0))) / np.sqrt(70))


def _blurred(places: Array, frames: float) -> Array:
    """By a Gaussian of this width in frames; at the ends the motion is continued by point reflection."""
    reach = min(int(np.ceil(4 * frames)), len(places) - 1)
    if reach < 1:
        return places
    before = 2 * places[0] - places[reach:0:-1]
    after = 2 * places[-1] - places[-2 : -2 - reach : -1]
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / frames) ** 2)
    padded = np.concatenate([before, places, after])
    return np.stack([np.convolve(column, weights / weights.sum(), "valid") for column in padded.T], axis=1)


def _lasting_all(touches: NDArray[np.bool_], fps: float) -> NDArray[np.bool_]:
    return np.array([_lasting(row, fps) for row in touches]).reshape(touches.shape)


def _lasting(touches: NDArray[np.bool_], fps: float) -> NDArray[np.bool_]:
    """Close short gaps, then drop short contacts, except those that the ends of the clip cut off."""
    least = SHORTEST * fps
    for value in (False, True):
        touches = touches.copy()
        for start, end in runs(touches == value):
            if end - start < least and start > 0 and end < len(touches):
                touches[start:end] = not value
    return touches


def percentile(values: Array, percent: float) -> float:
    """`np.percentile` of numbers `[n]`, in a tenth of its time where they are few."""
    ordered = np.sort(values)
    place = percent / 100 * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return float(ordered[below] + (place - below) * (ordered[above] - ordered[below]))


def runs(mask: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The (start, end) of every stretch of True."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]


def _share(stands: NDArray[np.bool_]) -> float:
    landings = np.flatnonzero(stands[1:] & ~stands[:-1]) + 1
    if len(landings) < 2:
        return float("nan")
    return float(stands[landings[0] : landings[-1]].mean())

"""Feet on the ground: where heel, ball and tip of the toes rest, and how a foot pivots about its ball."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.motion.feet.contact_detection import runs, smoothed, velocities
from posable.motion.feet.sole_shapes import Sole
from posable.spatial import (
    Array,
    matrix_from_wxyz,
    normalized,
    wxyz_between,
    wxyz_from_rotation_vector,
)

_STILL = 0.3, 0.3, 0.5  # m/s of heel, ball and tip, for a leg of 0.88 m: faster ones still land, or lift off
_STILL_PLATE = 0.3, 0.3, 0.3  # the same for a foot without a toe joint, which cannot roll over its toes
_PIVOTS = 0.4  # rad: a foot that pivots by less while it stands does not pivot at all
_WHIRLS = 4.0  # rad/s: a foot that pivots faster rests on its ball alone
BALL = 1
"""The row of the ball, after the heel and before the tip."""

_MIDDLE = 0.8  # of a contact: the share over which its position is averaged


@dataclass(frozen=True, eq=False)
class Stand:
    """One foot on the ground.

    spans: frames (start, end) in which heel, ball and tip of the toes rest; None for a part that does not.
    positions: `[3, 3]` of those parts. floor: the height of the ground. flat: the frames in the middle, in which the
    foot has the `rotation` `[3, 3]`. pivots: `[frame, 3, 3]` rotations from there about the vertical, from `start` on.
    whirls: `[frame]` whether the foot pivots so fast that it rests on its ball alone.
    """

    spans: tuple[tuple[int, int] | None, ...]
    positions: Array
    floor: float
    flat: slice
    rotation: Array
    pivots: Array
    whirls: NDArray[np.bool_]

    @property
    def start(self) -> int:
        """The first frame."""
        return min(span[0] for span in self.spans if span)

    @property
    def end(self) -> int:
        """The frame after the last."""
        return max(span[1] for span in self.spans if span)

    @property
    def ball(self) -> tuple[int, int] | None:
        """The frames in which the ball rests."""
        return self.spans[1]

    @property
    def ball_position(self) -> Array:
        """`[3]` the position at which the ball rests."""
        return self.positions[BALL]

    @property
    def middle(self) -> float:
        """The frame in the middle."""
        return 0.5 * (self.start + self.end)

    @cached_property
    def turns(self) -> bool:
        """Whether the foot pivots."""
        return bool(np.ptp(self.pivots, axis=0).any())

    def path(self, part: int, start: int, end: int) -> Array:
        """`[frame, 3]` at which heel, ball or tip rests: a foot that pivots does so about its ball."""
        at = np.clip(np.arange(start, end) - self.start, 0, len(self.pivots) - 1)
        return self.ball_position + self.pivots[at] @ (self.positions[part] - self.ball_position)

    def rests(self, part: int, start: int, end: int) -> NDArray[np.bool_]:
        """`[frame]` whether a part does; see `path`."""
        whirls = self.whirls[start - self.start : end - self.start]
        return ~whirls if part != BALL else np.ones(len(whirls), bool)


def _foot_length(sole: Sole) -> float:
    """Length from heel to tip, in legs."""
    return (sole.front + float(np.linalg.norm(sole.back - sole.ball))) / sole.length


def held_parts(
    sole: Sole, shoe: Sole, masks: Sequence[NDArray[np.bool_]], paths: Sequence[Array], fps: float
) -> list[NDArray[np.bool_]]:
    """For heel, ball and tip, `[frame]` the contacts in which the target's part rests.

    sole, shoe: of target and source. masks, paths: contacts `[frame]` and positions `[frame, 3]` of the source's parts.
    """
    still = _STILL if sole.toes else _STILL_PLATE
    # The heel of a longer foot comes down faster in proportion; a source's foot may be a point.
    longer = max(_foot_length(sole) / _foot_length(shoe), 1.0) if _foot_length(shoe) > 0 else 1.0
    still = (longer * still[0], *still[1:])
    return [_held(*one, fps, shoe.scale) for one in zip(masks, paths, still, strict=True)]


def _held(mask: NDArray[np.bool_], positions: Array, speed: float, fps: float, scale: float) -> NDArray[np.bool_]:
    """The contacts without the frames at either end in which the point still lands, or already lifts off."""
    slow = np.linalg.norm(velocities(smoothed(positions, fps, scale), fps), axis=1) < speed * scale
    held = mask.copy()
    for start, end in runs(mask):
        still = np.flatnonzero(slow[start:end])
        if len(still):
            held[start : start + still[0]] = held[start + still[-1] + 1 : end] = False
    return held


def stands_of(
    copy: Clip, sole: Sole, ankle: Array, held: Sequence[NDArray[np.bool_]], ground: Array, *, whirls: bool
) -> Iterator[Stand]:
    """The stands of a foot.

    held: `[frame]` for heel, ball and toe. ground: `[frame]` its height under the ball. whirls: whether a foot that
    pivots fast rests on its ball alone; hinges of robots are calmer with soles flat.
    """
    rotations = copy.poses.world_from_joint[:, copy.skeleton.index(sole.foot), :3, :3]
    up = np.eye(3)["xyz".index(copy.skeleton.up)]
    heel, ball, toe = held
    if sole.toes is None:  # its ball is the front edge
        ball, toe = ball | toe, np.zeros_like(toe)
    if sole.heel is None:  # a leg that ends in a point stands on it
        ball, heel = ball | heel, np.zeros_like(heel)
    found = []
    for start, end in runs(heel | ball | toe):
        spans = tuple(_span(mask, start, end) for mask in (heel, ball, toe))
        own = shared_span(spans[0], spans[1]) or spans[1] or spans[0] or (start, end)
        cut = round(0.5 * (1 - _MIDDLE) * (own[1] - own[0]))
        found.append((start, end, spans, slice(own[0] + cut, own[1] - cut)))
    sums = np.array([rotations[middle].sum(axis=0) for *_, middle in found]).reshape(-1, 3, 3)
    for (start, end, spans, middle), rotation in zip(found, _levelled(sums, sole.flat, up), strict=True):
        pivots, speeds = _pivots(rotations[start:end], rotation, up)
        fast = whirls & (speeds * copy.fps > _WHIRLS)
        floor = float(ground[middle].mean())
        turned = pivots[middle.start - start : middle.stop - start].mean(axis=0) @ rotation
        position = ankle[middle].mean(axis=0) + turned @ sole.ball
        position += (floor + sole.ball_height - position @ up) * up
        back = position + rotation @ (sole.back - sole.ball)
        back += (floor + sole.heel_height - back @ up) * (sole.heel is not None) * up
        ahead = rotation @ sole.ball
        tip = position + sole.front * normalized(ahead - ahead @ up * up)
        tip += (floor - tip @ up) * up
        yield Stand(spans, np.array([back, position, tip]), floor, middle, rotation, pivots, fast)


def _pivots(rotations: Array, rotation: Array, up: Array) -> tuple[Array, Array]:
    """(`[frame, 3, 3]` how rotations `[frame, 3, 3]` differ from `rotation` about the vertical, `[frame]` radians per
    frame); nothing for feet that stand.
    """
    since = rotations @ rotation.T
    turned = np.array([since[:, a, b] - since[:, b, a] for a, b in ((2, 1), (0, 2), (1, 0))])  # 4 w (x, y, z)
    angles = np.unwrap(2 * np.arctan2(up @ turned, 1.0 + np.trace(since, axis1=1, axis2=2)))
    if np.ptp(angles) < _PIVOTS:
        return np.broadcast_to(np.eye(3), rotations.shape), np.zeros(len(angles))
    speeds = np.abs(np.gradient(angles)) if len(angles) > 1 else np.zeros(len(angles))
    return matrix_from_wxyz(wxyz_from_rotation_vector(angles[:, None] * up)), speeds


def unslid(stand: Stand, ankle: Array, sole: Sole, paths: Sequence[Array]) -> Array:
    """`[frame, 3]` displacement of the ankle from its scaled path during a stand, frames counted from its start.

    The sliding of the source's foot (paths: `[frame, 3]` of heel, ball and tip, to scale) is removed.
    """
    start, end = stand.start, stand.end
    slid = np.diff(paths[BALL][start:end], axis=0, prepend=paths[BALL][start : start + 1])
    for part in (2, 0):  # where the ball does not rest, the heel counts before the tip
        span, ball = stand.spans[part], stand.ball or (end, end)
        if span is None:
            continue
        for first, last in ((start + 1, ball[0]), (ball[1], end)):
            first, last = max(first, span[0]), min(last, span[1])
            if first < last:
                slid[first - start : last - start] = np.diff(paths[part][first - 1 : last], axis=0)
    slid = np.cumsum(slid, axis=0)
    flat = slice(stand.flat.start - start, stand.flat.stop - start)
    foot = stand.ball_position - stand.pivots[flat].mean(axis=0) @ stand.rotation @ sole.ball
    return foot - ankle[stand.flat].mean(axis=0) + slid[flat].mean(axis=0) - slid


def _span(mask: NDArray[np.bool_], start: int, end: int) -> tuple[int, int] | None:
    """From the first to the last contact between `start` and `end`."""
    frames = np.flatnonzero(mask[start:end])
    return (start + int(frames[0]), start + int(frames[-1]) + 1) if len(frames) else None


def shared_span(one: tuple[int, int] | None, other: tuple[int, int] | None) -> tuple[int, int] | None:
    """The frames of both; None where they share none."""
    if one is None or other is None or min(one[1], other[1]) <= max(one[0], other[0]):
        return None
    return max(one[0], other[0]), min(one[1], other[1])


def _levelled(sums: Array, flat: Array, up: Array) -> Array:
    """The means of rotations, made flat on the ground, `[stand, 3, 3]` from their sums `[stand, 3, 3]`."""
    left, _, right = np.linalg.svd(sums)
    left[..., 2] *= np.sign(np.linalg.det(left @ right))[:, None]
    means = left @ right
    return matrix_from_wxyz(wxyz_between(means @ flat, up)) @ means

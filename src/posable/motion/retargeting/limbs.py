"""The second stage: hands and feet where the source has them for its size, feet planted where the source's stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import PchipInterpolator

from posable.clips import Clip
from posable.goals import Goal, Orient, Reach
from posable.motion.feet.contacts import Contacts, runs
from posable.motion.feet.soles import Sole
from posable.motion.retargeting.body import SIDES, Body
from posable.motion.retargeting.ground import Ground, heights
from posable.spatial import (
    Array,
    apply_transform,
    matrix_from_wxyz,
    rigid_inverse,
    wxyz_between,
    wxyz_from_matrix,
    wxyz_multiply,
)

_PLANTED, _FOOT, _HAND, _FLAT, _LIFTED = 1000.0, 1.0, 1.0, 1.0, 30.0
_MIDDLE = 0.8  # of a contact, over which its place is the mean


@dataclass(frozen=True, eq=False)
class Stand:
    """One foot on the ground: the frames of ball and heel (start, end), None where it does not touch, and their places
    `[3]`, the height of the ground.
    """

    ball: tuple[int, int] | None
    heel: tuple[int, int] | None
    ball_place: Array
    heel_place: Array
    floor: float

    @property
    def middle(self) -> float:
        """The frame half way."""
        edges = [edge for span in (self.ball, self.heel) if span for edge in span]
        return 0.5 * (min(edges) + max(edges))


@dataclass(frozen=True, eq=False)
class Foot:
    """A foot of the target. ankle: `[frame, 3]` where its ankle is to be for its size; stands: its contacts."""

    sole: Sole
    ankle: Array
    stands: tuple[Stand, ...]

    @property
    def planted(self) -> NDArray[np.bool_]:
        """`[frame]` whether it stands."""
        mask = np.zeros(len(self.ankle), bool)
        for stand in self.stands:
            for span in (stand.ball, stand.heel):
                if span:
                    mask[slice(*span)] = True
        return mask


def limb_ends(clip: Clip, copy: Clip, source: Body, target: Body, limb: tuple[str, str, str]) -> dict[str, Array]:
    """Role of each limb's end → `[frame, 3]` where it is to be: from hip or shoulder as in the source, to scale."""
    lengths = source.limb_length(limb), target.limb_length(limb)
    found: dict[str, Array] = {}
    for side in SIDES:
        begin, end = f"{limb[0]}_{side}", f"{limb[2]}_{side}"
        if all(lengths) and all(role in body.joints for role in (begin, end) for body in (source, target)):
            places = clip.poses.origins
            reach = places[:, source.joints[end]] - places[:, source.begins[begin]]
            scale = (lengths[1] or 1.0) / (lengths[0] or 1.0)
            found[end] = copy.poses.origins[:, target.begins[begin]] + scale * reach @ source.axes @ target.axes.T
    return found


def feet_of(
    clip: Clip, copy: Clip, ends: dict[str, Array], touching: Contacts, soles: Sequence[Sole], ground: Ground
) -> list[Foot]:
    """The feet of the target with the stands that the source's contacts ask for, on that ground."""
    rows = {sole.name: k for k, sole in enumerate(touching.soles)}
    k = "xyz".index(clip.skeleton.up)
    feet = []
    for sole in soles:
        role = f"foot_{sole.name[-1]}"
        if role in ends and sole.name in rows:
            row = rows[sole.name]
            under = ground.under(heights(clip, touching, row, k))
            stands = _stands(copy, sole, ends[role], touching.ball[row], touching.heel[row], under)
            feet.append(Foot(sole, ends[role], tuple(stands)))
    return feet


def _stands(
    copy: Clip, sole: Sole, ankle: Array, ball: NDArray[np.bool_], heel: NDArray[np.bool_], ground: Array
) -> Iterator[Stand]:
    """ground: `[frame]` how high it is when the ball stands on it."""
    turns = copy.poses.world_from_joint[:, copy.skeleton.index(sole.foot), :3, :3]
    up = np.eye(3)["xyz".index(copy.skeleton.up)]
    for start, end in runs(ball | heel):
        spans = [_span(mask, start, end) for mask in (ball, heel)]
        both = _shared(*spans)
        own = both or spans[0] or spans[1] or (start, end)
        cut = round(0.5 * (1 - _MIDDLE) * (own[1] - own[0]))
        middle = slice(own[0] + cut, own[1] - cut)
        turn = _levelled(turns[middle], sole.flat, up)
        place = np.mean(ankle[middle] + turns[middle] @ sole.ball, axis=0)
        floor = float(ground[middle].mean())
        place += (floor + sole.ball_height - place @ up) * up
        back = sole.ball if sole.heel is None else sole.heel
        heel_place = place + turn @ (back - sole.ball)
        heel_place += (floor + sole.heel_height - heel_place @ up) * (sole.heel is not None) * up
        yield Stand(spans[0], spans[1] if sole.heel is not None else None, place, heel_place, floor)


def _span(mask: NDArray[np.bool_], start: int, end: int) -> tuple[int, int] | None:
    """From the first to the last contact in start … end."""
    frames = np.flatnonzero(mask[start:end])
    return (start + int(frames[0]), start + int(frames[-1]) + 1) if len(frames) else None


def _shared(one: tuple[int, int] | None, other: tuple[int, int] | None) -> tuple[int, int] | None:
    if one is None or other is None or min(one[1], other[1]) <= max(one[0], other[0]):
        return None
    return max(one[0], other[0]), min(one[1], other[1])


def _levelled(turns: Array, flat: Array, up: Array) -> Array:
    """The mean of rotations `[frame, 3, 3]`, made to stand flat."""
    left, _, right = np.linalg.svd(turns.sum(axis=0))
    mean = left @ np.diag([1.0, 1.0, np.sign(np.linalg.det(left @ right))]) @ right
    return matrix_from_wxyz(wxyz_between(mean @ flat, up)) @ mean


def limb_goals(
    copy: Clip, target: Body, hands: dict[str, Array], feet: Sequence[Foot], lifts: Sequence[Array]
) -> list[tuple[Goal, Array]]:
    """Goals of hands and feet over all frames, with their weights `[frame]`.

    lifts: per foot `[frame]` how much higher it must swing so as not to scrape the ground.
    """
    found: list[tuple[Goal, Array]] = []
    for role, places in hands.items():
        base = target.skeleton.joints[_shoulders(target)]
        frames = copy.poses.world_from_joint[:, target.skeleton.index(base)]
        local = apply_transform(rigid_inverse(frames), places)
        found.append((Reach(target.roles[role], local, relative_to=base), np.full(len(places), _HAND)))
    for foot, lift in zip(feet, lifts, strict=True):
        swing = np.where(foot.planted, 0.0, np.where(lift > 0, _LIFTED, _FOOT))
        ankle = foot.ankle + _carried(copy, foot) + lift[:, None] * target.roles.up
        found.append((Reach(foot.sole.foot, ankle), swing))
        found += _plants(foot)
        found += _flat(copy, foot)
    return found


def _shoulders(target: Body) -> int:
    """The joint on which the arms hang: hands go where it goes."""
    return next(target.joints[role] for role in ("upper_chest", "chest", "spine", "hips") if role in target.joints)


def _carried(copy: Clip, foot: Foot) -> Array:
    """`[frame, 3]` how far each foot is to be from where its size puts it, so that swings begin and end at stands."""
    turns = copy.poses.world_from_joint[:, copy.skeleton.index(foot.sole.foot), :3, :3]
    frames: list[int] = []
    offsets: list[Array] = []
    for stand in foot.stands:
        for span, place, point in (
            (stand.heel, stand.heel_place, foot.sole.heel),
            (stand.ball, stand.ball_place, foot.sole.ball),
        ):
            if span is None or point is None:
                continue
            for frame in (span[0], span[1] - 1):
                frames.append(frame)
                offsets.append(place - foot.ankle[frame] - turns[frame] @ point)
    if not frames:
        return np.zeros_like(foot.ankle)
    at, first = np.unique(frames, return_index=True)
    if len(at) == 1:
        return np.repeat(np.array(offsets)[first], len(foot.ankle), axis=0)
    return PchipInterpolator(at, np.array(offsets)[first])(np.clip(np.arange(len(foot.ankle)), at[0], at[-1]))


def _plants(foot: Foot) -> Iterator[tuple[Goal, Array]]:
    ball, heel = np.zeros(foot.ankle.shape), np.zeros(foot.ankle.shape)
    on_ball, on_heel = np.zeros(len(foot.ankle)), np.zeros(len(foot.ankle))
    for stand in foot.stands:
        if stand.ball:
            ball[slice(*stand.ball)], on_ball[slice(*stand.ball)] = stand.ball_place, _PLANTED
        if stand.heel:
            heel[slice(*stand.heel)], on_heel[slice(*stand.heel)] = stand.heel_place, _PLANTED
    yield Reach(foot.sole.foot, ball, tip=foot.sole.ball), on_ball
    if foot.sole.heel is not None:
        yield Reach(foot.sole.foot, heel, tip=foot.sole.heel), on_heel


def _flat(copy: Clip, foot: Foot) -> Iterator[tuple[Goal, Array]]:
    """The foot lies flat while heel and ball are down, its toes while the ball is."""
    sole, up = foot.sole, np.eye(3)["xyz".index(copy.skeleton.up)]
    on_both, on_ball = np.zeros(len(copy)), np.zeros(len(copy))
    for stand in foot.stands:
        both = _shared(stand.ball, stand.heel)
        on_both[slice(*(both or (0, 0)))] = _FLAT
        on_ball[slice(*(stand.ball or (0, 0)))] = _FLAT
    for joint, flat, weight in ((sole.foot, sole.flat, on_both), (sole.toes, sole.toes_flat, on_ball)):
        if joint is not None:
            turns = copy.poses.world_from_joint[:, copy.skeleton.index(joint), :3, :3]
            level = wxyz_multiply(wxyz_between(turns @ flat, up), wxyz_from_matrix(turns))
            yield Orient(joint, level), weight


def scraping(clip: Clip, foot: Foot, floor: float) -> Array:
    """`[frame]` how deep the sole is in the ground: `floor`, or the heights on which the foot stands."""
    corners = foot.sole.corner_places(clip.poses)[..., "xyz".index(clip.skeleton.up)]
    stands = [stand for stand in foot.stands if stand.ball or stand.heel]
    ground = np.full(len(clip), floor)
    if stands:
        ground = np.interp(np.arange(len(clip)), [s.middle for s in stands], [s.floor for s in stands])
    return np.maximum(ground - corners.min(axis=1), 0.0)


def moving_joints(target: Body, root: int) -> list[str]:
    """What the second stage may move: the joint that travels, legs and arms, every hinge of them."""
    names = {target.skeleton.joints[root]}
    for limb in (*target.roles.legs, *target.roles.arms):
        for name in limb.joints:
            joint = target.skeleton.index(name)
            hinges = target.skeleton.definitions[joint].kind not in ("ball", "free")
            if (hinges or name in target.roles.values()) and target.skeleton.definitions[joint].dof:
                names.add(name)
    return [name for name in target.skeleton.joints if name in names]

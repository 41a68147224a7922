"""Collision avoidance: bodies stay apart, or at least penetrate no deeper than in the copied clip; and balance."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.compiled.decorators import inner_kernel, kernel
from posable.goals.capsules import nearest_on_segments
from posable.goals.rows import body_masses
from posable.motion.feet.sole_shapes import HUMAN_LEG
from posable.motion.transfer.collision_pairs import pairs_of
from posable.motion.transfer.hands_feet import Foot
from posable.motion.transfer.measured import Body
from posable.motion.whole_clip.clip_rows import (
    AHEAD,
    LinearizedRows,
    Motions,
    RowBuilder,
    kept_for_pose,
    motion_of_mass,
)
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array, apply_transform, normalized, rigid_inverse

_WEIGHT = 100.0  # of the squared depth, in reaches, against the other goals
_FAR_OFF = 0.008  # legs: largest error of a foot's position that collision avoidance may cause
_DEEP = 0.01  # reaches: bodies that stay so deep in one another cannot be separated
_ROOM = 0.002  # reaches: gap kept between bodies that are farther apart in the copy
_OVER = 0.35  # s to either side over which the copy's gap is taken: figures are not exactly in step
_NEAR = 0.06  # reaches: pairs that the copied clip never brings so near are ignored


class Apart:
    """Inequalities that keep pairs of capsules apart which are apart at rest.

    Only pairs that come near in the copied clip and that `moving` joints can bring nearer. capsuled: the skeleton of
    the clip with capsules.
    """

    def __init__(
        self,
        capsuled: Skeleton,
        copy: Clip,
        moving: set[int],
    ) -> None:
        from scipy.ndimage import minimum_filter1d

        skeleton = copy.skeleton
        self._joints, self._capsules, self._between, self._least = pairs_of(capsuled)
        self._far = _NEAR * skeleton.reach
        self._firmer = 1.0
        self._choose(np.asarray(self._between[:, sorted(moving)].any(axis=1), bool))
        self._every = self._joints, self._capsules, self._between, self._least
        gaps = self._gaps(copy.poses)[0]
        near = np.asarray(gaps.min(axis=0, initial=np.inf) < _NEAR * skeleton.reach, bool)
        self._choose(near)
        self._near = near
        self._span = min(round(_OVER * copy.fps), len(copy) - 1)
        room = np.where(self._least < 0, self._least, _ROOM * skeleton.reach)
        self._copied = self._spread(np.minimum(gaps[:, near], room), minimum_filter1d)
        self._kept = np.maximum(self._copied, self._least)
        self._far = (AHEAD + _ROOM) * skeleton.reach  # gaps count up to there
        self.__dict__.pop("_last", None)

    def _choose(self, pairs: NDArray[np.bool_]) -> None:
        for name in ("_joints", "_capsules", "_between", "_least"):
            setattr(self, name, getattr(self, name)[pairs])
        self.__dict__.pop("_last", None)

    def relaxed(self, pose: Pose, leaps: Mapping[int, Array], missed: Mapping[int, Array]) -> Apart | None:
        """The constraints relaxed where they cannot be met; None where nothing would change.

        Within a third of a second, pairs that still penetrate in `pose` may be as deep as they are there, and pairs
        that a leaping joint or a leg with a misplaced foot moves as deep as in the copy. Where a foot is far off, its
        pairs are dropped.

        leaps, missed: joint → `[frame]`, above 0 where it leaps; error of its foot in legs.
        """
        from scipy.ndimage import maximum_filter1d, minimum_filter1d

        gaps = self._gaps(pose)[0]
        deep = (self._kept - gaps) / pose.skeleton.reach - _DEEP
        off = self._moved_by(missed, pose)
        give = np.maximum(self._moved_by(leaps, pose), off)
        reached = np.clip(self._spread(gaps, minimum_filter1d), self._copied, self._kept)
        kept = np.where(self._spread(deep, maximum_filter1d) > 0, reached, self._kept)
        kept = np.where(self._spread(give, maximum_filter1d) > 0, self._copied, kept)
        kept = np.where(self._spread(off, maximum_filter1d) > _FAR_OFF, -pose.skeleton.reach, kept)
        if (kept == self._kept).all():
            return None
        found = Apart.__new__(Apart)
        found.__dict__.update(self.__dict__, _kept=kept)
        return found

    def of_pairs(self, joints: Collection[int], *, moved: bool) -> Apart:
        """Only the pairs whose relative motion depends on one of `joints` (`moved`), or only the others."""
        chosen = self._between[:, sorted(joints)].any(axis=1) == moved
        found = Apart.__new__(Apart)
        found.__dict__.update(self.__dict__, _copied=self._copied[:, chosen], _kept=self._kept[:, chosen])
        found._choose(chosen)
        every = self._every[2][:, sorted(joints)].any(axis=1) == moved
        found._every, found._near = tuple(own[every] for own in self._every), self._near[every]
        return found

    def with_met(self, pose: Pose) -> Apart:
        """With the pairs besides that are in one another in `pose`, though far apart in the copied clip."""
        probe = Apart.__new__(Apart)
        probe._joints, probe._capsules, _, least = every = tuple(own[~self._near] for own in self._every)
        probe._far = 0.0
        met = np.asarray((probe._gaps(pose)[0] < least).any(axis=0), bool)
        if not met.any():
            return self
        found, more = Apart.__new__(Apart), tuple(own[met] for own in every)
        found.__dict__.update(self.__dict__)
        for name, own in zip(("_joints", "_capsules", "_between", "_least"), more, strict=True):
            setattr(found, name, np.concatenate([getattr(self, name), own]))
        kept = np.where(least[met] < 0, least[met], _ROOM * pose.skeleton.reach)
        kept = np.broadcast_to(kept, (len(self._kept), len(kept)))
        found._copied, found._kept = (np.concatenate([own, kept], axis=1) for own in (self._copied, self._kept))
        found._near = self._near.copy()
        found._near[np.flatnonzero(~self._near)[met]] = True
        found.__dict__.pop("_last", None)
        return found

    def of_frames(self, frames: slice, firmer: float = 1.0) -> Apart:
        """The same of these frames alone, with `firmer` times the weight of pairs that are apart at rest."""
        found = Apart.__new__(Apart)
        found.__dict__.update(self.__dict__, _copied=self._copied[frames], _kept=self._kept[frames])
        found._firmer = self._firmer * firmer
        found.__dict__.pop("_last", None)
        return found

    def depths(self, pose: Pose) -> Array:
        """`[frame]` the depth of the deepest pair that is apart at rest, in reaches, without what is conceded to it."""
        apart = self._least == 0
        return (np.minimum(self._kept, 0.0) - self._gaps(pose)[0])[:, apart].max(axis=1, initial=-np.inf) / pose.skeleton.reach

    def pushes(self, pose: Pose, limb: set[int], other: set[int]) -> Array:
        """`[frame, 3]` the displacement of `limb` that would resolve its deepest penetration with `other`."""
        gaps, ends = self._gaps(pose)
        inner = self._kept - gaps
        found, deepest = np.zeros((len(pose), 3)), np.zeros(len(pose))
        for pair, (one, two) in enumerate(self._joints.tolist()):
            sign = (one in limb and two in other) - (two in limb and one in other)
            deeper = inner[:, pair] > deepest
            if sign and deeper.any():
                direction = sign * normalized(ends[deeper, pair, :3] - ends[deeper, pair, 3:6])
                found[deeper], deepest[deeper] = direction * inner[deeper, pair, None], inner[deeper, pair]
        return found

    def _moved_by(self, joints: Mapping[int, Array], pose: Pose) -> Array:
        """`[frame, pair]` the largest value among the joints that move one body of the pair against the other."""
        found = np.full((len(pose), len(self)), -np.inf)
        for joint, values in joints.items():
            own = self._between[:, joint]
            found[:, own] = np.maximum(found[:, own], values[:, None])
        return found

    def _spread(self, values: Array, rule: Callable[..., Array]) -> Array:
        """`[frame, pair]` the running extreme over a third of a second to either side."""
        return rule(values, 2 * self._span + 1, axis=0, mode="nearest") if values.size else values

    def __len__(self) -> int:
        return len(self._joints)

    def violations(self, pose: Pose) -> Array:
        """See `Inequalities`: how much closer the bodies are than allowed, weighted."""
        return self._violations(self._gaps(pose)[0], pose.skeleton)

    @property
    def bodies(self) -> list[int]:
        """See `Inequalities`: both of every pair."""
        return np.unique(self._joints).tolist()

    def linearized(self, pose: Pose, motions: Motions) -> LinearizedRows:
        """See `Inequalities`: with n from the second body to the first at their nearest points p and p', the gap grows
        with the motion of p along n and shrinks with that of p'.
        """
        reach, roots = pose.skeleton.reach, self._roots
        gaps, ends = self._gaps(pose)
        rows = RowBuilder(self._violations(gaps, pose.skeleton), roots, motions.free)
        at, pair = rows.used
        p, q = ends[at, pair, :3] / reach, ends[at, pair, 3:6] / reach
        n = roots[pair, None] * normalized(p - q)
        rows.add_points((at, pair), p, -n, self._joints[pair, 0], motions)
        rows.add_points((at, pair), q, n, self._joints[pair, 1], motions)
        return rows.rows

    @property
    def _roots(self) -> Array:
        """`[pair]` square roots of the weights of squared depths."""
        return np.sqrt(_WEIGHT * np.where(self._least < 0, 1.0, self._firmer))

    def _violations(self, gaps: Array, skeleton: Skeleton) -> Array:
        return self._roots * (self._kept - gaps) / skeleton.reach

    @kept_for_pose
    def _gaps(self, pose: Pose) -> tuple[Array, Array]:
        """(gap `[frame, pair]`, negative for penetration; the nearest points of the axes `[frame, pair, 6]`)."""
        frames = pose.world_from_joint
        ends = np.empty((len(frames), len(self._joints), 7))
        _nearest(frames, self._joints, self._capsules, self._far, ends)
        return ends[..., 6], ends[..., :6]


@kernel
def _nearest(frames, joints, capsules, far, ends):
    """Write the nearest points of both capsules' axes of each pair and the gap between the capsules.

    For pairs whose bounding spheres are farther apart than `far`, write the centres and the gap between the spheres.
    """
    world, middle, around = np.empty((4, 3)), np.empty((joints.shape[0], 6)), np.empty(joints.shape[0])
    for k in range(joints.shape[0]):
        c = capsules[k]
        for a in range(3):
            middle[k, a], middle[k, 3 + a] = 0.5 * (c[a] + c[3 + a]), 0.5 * (c[7 + a] + c[10 + a])
        around[k] = c[6] + c[13] + 0.5 * (_length(c, 0) + _length(c, 7))
    for f in range(frames.shape[0]):
        for k in range(joints.shape[0]):
            c, out, between = capsules[k], ends[f, k], middle[k]
            for body in range(2):
                m = frames[f, joints[k, body]]
                for a in range(3):
                    out[3 * body + a] = m[a, 3]
                    for b in range(3):
                        out[3 * body + a] += m[a, b] * between[3 * body + b]
            apart = math.sqrt((out[0] - out[3]) ** 2 + (out[1] - out[4]) ** 2 + (out[2] - out[5]) ** 2)
            out[6] = apart - around[k]
            if out[6] > far:
                continue
            for end in range(4):
                m, first = frames[f, joints[k, end // 2]], 7 * (end // 2) + 3 * (end % 2)
                for a in range(3):
                    world[end, a] = m[a, 3]
                    for b in range(3):
                        world[end, a] += m[a, b] * c[first + b]
            p, q = (world[0, 0], world[0, 1], world[0, 2]), (world[2, 0], world[2, 1], world[2, 2])
            d = (world[1, 0] - p[0], world[1, 1] - p[1], world[1, 2] - p[2])
            e = (world[3, 0] - q[0], world[3, 1] - q[1], world[3, 2] - q[2])
            s, t = nearest_on_segments(p, d, q, e)
            square = 0.0
            for a in range(3):
                out[a] = p[a] + s * d[a]
                out[3 + a] = q[a] + t * e[a]
                square += (out[a] - out[3 + a]) ** 2
            out[6] = math.sqrt(square) - c[6] - c[13]


@inner_kernel
def _length(c, first):
    """Length of the axis of the capsule with ends at c[first] and c[first + 3]."""
    x, y, z = c[first] - c[first + 3], c[first + 1] - c[first + 4], c[first + 2] - c[first + 5]
    return math.sqrt(x * x + y * y + z * z)


# Balance: the centre of mass inside the support polygon.


_INSIDE = 0.01  # m for a leg of 0.88 m: desired distance of the centre of mass from the edge, where there is room
_HOLDS = 0.005  # the same: distance outside that still counts as balanced


class Support:
    """The support polygon of every frame, and inequalities that keep the centre of mass inside.

    It is the convex hull of the resting corners of the soles: the back ones while the heel rests, the front ones while
    ball or toes do. It tells whether the figure could stand still there; in a fast walk people fall from foot to foot.
    weight: of these inequalities. Raises GoalError for a figure without masses.
    """

    def __init__(self, target: Body, feet: Sequence[Foot], frames: int, weight: float) -> None:
        self._skeleton, self._weight = target.skeleton, _WEIGHT * weight
        self._masses = body_masses(target.skeleton)
        up = "xyz".index(target.skeleton.up)
        self._level = [(up + 1) % 3, (up + 2) % 3]
        self._unit = target.leg_length / HUMAN_LEG
        self._target, self._feet, self._frames = target, feet, frames

    @cached_property
    def _hulls(self) -> Array:
        """`[frame, corner, 2]`, found when first needed: most retargeting asks for no balance."""
        corners = np.concatenate([_resting(foot, self._target, self._frames) for foot in self._feet], axis=1)
        return _hulls(corners[..., self._level])

    @cached_property
    def stands(self) -> NDArray[np.bool_]:
        """`[frame]` whether any foot is on the ground"""
        return np.isfinite(self._hulls[:, 0, 0])

    @cached_property
    def _inside(self) -> Array:
        """`[frame]` the distance from the edge at which the centre of mass is kept."""
        return np.minimum(_INSIDE * self._unit, _breadths(self._hulls) / 4)

    def outside(self, pose: Pose) -> Array:
        """`[frame]` distance of the centre of mass outside, negative inside, in the figure's unit; NaN in flight."""
        return self._off(pose)[0]

    def share(self, pose: Pose) -> float:
        """Share of the frames with a foot on the ground that are balanced: at most 5 mm outside, for a leg of 0.88 m.

        NaN if no foot ever is on the ground.
        """
        outside = self.outside(pose)[self.stands]
        return float((outside <= _HOLDS * self._unit).mean()) if len(outside) else float("nan")

    def violations(self, pose: Pose) -> Array:
        """See `Inequalities`: one row, the distance of the centre of mass outside a slightly smaller hull."""
        return self._violations(self.outside(pose))

    @property
    def bodies(self) -> list[int]:
        """See `Inequalities`: all joints with masses."""
        return np.flatnonzero(self._masses[:, 0] > 0).tolist()

    def linearized(self, pose: Pose, motions: Motions) -> LinearizedRows:
        """See `Inequalities`: along the direction out of the hull."""
        outside, directions = self._off(pose)
        moved = motion_of_mass(pose, motions, self._masses)[:, self._level]
        root = np.sqrt(self._weight)
        rows = RowBuilder(self._violations(outside), root, motions.free)
        at, row = rows.used
        rows.put(at, row, root * (directions[at, None] @ moved[at])[:, 0])
        return rows.rows

    def _violations(self, outside: Array) -> Array:
        over = np.where(self.stands, outside + self._inside, -self._skeleton.reach)
        return np.sqrt(self._weight) * over[:, None] / self._skeleton.reach

    def _off(self, pose: Pose) -> tuple[Array, Array]:
        """(distance outside `[frame]`, outward direction `[frame, 2]`)."""
        frames, shares = pose.world_from_joint, self._masses[:, 0]
        center = shares @ (frames[..., :3, 3] + (frames[..., :3, :3] @ self._masses[:, 1:, None])[..., 0])
        return out_of_hulls(center[:, self._level], self._hulls)


def out_of_hulls(points: Array, hulls: Array) -> tuple[Array, Array]:
    """(distances `[frame]` of points `[frame, 2]` outside convex polygons, negative inside; outward directions).

    hulls: `[frame, corner, 2]`, counterclockwise, padded by repeating the last corner; a line counts as a polygon.
    """
    edges = np.roll(hulls, -1, axis=1) - hulls
    square = np.sum(edges * edges, axis=2)
    to = points[:, None] - hulls
    along = np.clip(np.sum(to * edges, axis=2) / np.where(square > 0, square, 1.0), 0.0, 1.0)
    away = to - along[..., None] * edges
    apart = np.linalg.norm(away, axis=2)
    nearest = np.where(np.isnan(apart), np.inf, apart).argmin(axis=1)
    rows = np.arange(len(points))
    rotations = edges[..., 0] * to[..., 1] - edges[..., 1] * to[..., 0]
    inside = (rotations >= 0).all(axis=1) & (rotations > 0).any(axis=1)
    size, direction = apart[rows, nearest], away[rows, nearest]
    sign = np.where(inside, -1.0, 1.0)
    return sign * size, direction * (sign / np.maximum(size, 1e-12))[:, None]


def convex_hull(points: Array) -> Array:
    """`[corner, 2]` the convex hull of points `[point, 2]`, counterclockwise (Andrew's monotone chain, 1979)."""
    ordered = sorted(map(tuple, points.tolist()))
    halves = []
    for run in (ordered, ordered[::-1]):
        half: list[tuple[float, ...]] = []
        for point in run:
            while len(half) > 1 and _left(half[-2], half[-1], point) <= 0:
                half.pop()
            half.append(point)
        halves.append(half[:-1])
    return np.array(halves[0] + halves[1] or ordered[:1])


def _left(a: Sequence[float], b: Sequence[float], c: Sequence[float]) -> float:
    """Twice the signed area of a, b, c: positive where c lies left of the line from a to b."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _resting(foot: Foot, target: Body, frames: int) -> Array:
    """`[frame, corner, 3]` positions of the resting corners of the sole, NaN for those in the air."""
    found, sole, skeleton = np.full((frames, 4, 3), np.nan), foot.sole, target.skeleton
    into = rigid_inverse(target.rest[skeleton.index(sole.foot)])
    worlds = target.rest[[skeleton.index(joint) for joint in sole.corner_joints]]
    corners = apply_transform(into, apply_transform(worlds, sole.corners))
    for stand in foot.stands:
        positions = stand.ball_position + (corners - sole.ball) @ stand.rotation.T
        for part, own in enumerate((slice(0, 2), slice(2, 4), slice(2, 4))):
            span = stand.spans[part]
            if span:
                found[slice(*span), own] = positions[own]
    return found


def _hulls(corners: Array) -> Array:
    """`[frame, corner, 2]` hulls of points `[frame, point, 2]`, padded with the last corner; NaN without points."""
    known: dict[bytes, Array] = {}
    for frame in corners:
        if frame.tobytes() not in known:
            here = frame[np.isfinite(frame[:, 0])]
            known[frame.tobytes()] = convex_hull(here) if len(here) else np.full((1, 2), np.nan)
    most = max(len(hull) for hull in known.values())
    padded = {
        key: np.concatenate([hull, np.repeat(hull[-1:], most - len(hull), axis=0)]) for key, hull in known.items()
    }
    return np.array([padded[frame.tobytes()] for frame in corners])


def _breadths(hulls: Array) -> Array:
    """`[frame]` the smallest width of each hull, 0 for a line."""
    edges = np.roll(hulls, -1, axis=1) - hulls
    sizes = np.linalg.norm(edges, axis=2)
    to = hulls[:, None] - hulls[:, :, None]  # [frame, edge, corner]
    across = edges[..., 0, None] * to[..., 1] - edges[..., 1, None] * to[..., 0]
    far = np.where(sizes > 0, across.max(axis=2) / np.where(sizes > 0, sizes, 1.0), np.inf)
    return np.where(np.isfinite(far.min(axis=1)), far.min(axis=1), 0.0)

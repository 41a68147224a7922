"""Collision avoidance: bodies stay apart, or at least penetrate no deeper than in the copied clip."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.compiled.decorators import inner_kernel, kernel
from posable.goals.capsules import nearest_on_segments
from posable.motion.transfer.collision_pairs import pairs_of
from posable.motion.whole_clip.clip_rows import (
    AHEAD,
    LinearizedRows,
    Motions,
    RowBuilder,
    kept_for_last,
)
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array, normalized

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
        return self._with(_kept=kept)

    def of_pairs(self, joints: Collection[int], *, moved: bool) -> Apart:
        """Only the pairs whose relative motion depends on one of `joints` (`moved`), or only the others."""
        chosen = self._between[:, sorted(joints)].any(axis=1) == moved
        found = self._with(_copied=self._copied[:, chosen], _kept=self._kept[:, chosen])
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
        kept = np.where(least[met] < 0, least[met], _ROOM * pose.skeleton.reach)
        kept = np.broadcast_to(kept, (len(self._kept), len(kept)))
        near = self._near.copy()
        near[np.flatnonzero(~self._near)[met]] = True
        found = self._with(_near=near, _last=None)
        found._copied, found._kept = (np.concatenate([own, kept], axis=1) for own in (self._copied, self._kept))
        for name, own in zip(("_joints", "_capsules", "_between", "_least"), every, strict=True):
            setattr(found, name, np.concatenate([getattr(self, name), own[met]]))
        return found

    def of_frames(self, frames: slice, firmer: float = 1.0) -> Apart:
        """The same of these frames alone, with `firmer` times the weight of pairs that are apart at rest."""
        return self._with(_copied=self._copied[frames], _kept=self._kept[frames], _firmer=self._firmer * firmer)

    def _with(self, **changes: Any) -> Apart:
        """The same with other values of these attributes."""
        found = copy(self)
        found.__dict__.update(changes)
        return found

    def depths(self, pose: Pose) -> Array:
        """`[frame]` the depth of the deepest pair that is apart at rest, in reaches, without what is conceded to it."""
        apart = self._least == 0
        return (np.minimum(self._kept, 0.0) - self._gaps(pose)[0])[:, apart].max(
            axis=1, initial=-np.inf
        ) / pose.skeleton.reach

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
        roots = self._roots
        gaps, ends = self._gaps(pose)
        rows = RowBuilder(self._violations(gaps, pose.skeleton), roots, motions.free)
        rows.add_pairs(ends, 1.0 / pose.skeleton.reach, roots, self._joints, motions)
        return rows.rows

    @property
    def _roots(self) -> Array:
        """`[pair]` square roots of the weights of squared depths."""
        return np.sqrt(_WEIGHT * np.where(self._least < 0, 1.0, self._firmer))

    def _violations(self, gaps: Array, skeleton: Skeleton) -> Array:
        found = self._kept - gaps
        found *= self._roots / skeleton.reach
        return found

    @kept_for_last
    def _gaps(self, pose: Pose) -> tuple[Array, Array]:
        """(gap `[frame, pair]`, negative for penetration; the nearest points of the axes `[frame, pair, 6]`, where the
        gap is at most `_far`).
        """
        frames = pose.world_from_joint
        gaps = np.empty((len(frames), len(self._joints)))
        ends = np.empty((*gaps.shape, 6))
        _nearest(frames, self._joints, self._capsules, self._far, gaps, ends)
        return gaps, ends


@kernel
def _nearest(frames, joints, capsules, far, gaps, ends):
    """Write the gap between the capsules of each pair and the nearest points of both axes.

    For pairs whose bounding spheres are farther apart than `far`, write the gap between the spheres, and no points.
    """
    whose, bodies = np.empty(joints.shape, np.int64), np.empty(joints.size, np.int64)
    count = _share(joints, capsules, whose, bodies)
    world, around = np.empty((count, 9)), np.empty(count)
    for n in range(count):
        c, first = capsules[bodies[n] // 2], 7 * (bodies[n] % 2)
        x, y, z = c[first] - c[first + 3], c[first + 1] - c[first + 4], c[first + 2] - c[first + 5]
        around[n] = c[first + 6] + 0.5 * math.sqrt(x * x + y * y + z * z)
    for f in range(frames.shape[0]):
        for n in range(count):
            k, side, w = bodies[n] // 2, bodies[n] % 2, world[n]
            m, c = frames[f, joints[k, side]], capsules[k]
            w[0], w[1], w[2] = _placed(m, c, 7 * side)
            w[3], w[4], w[5] = _placed(m, c, 7 * side + 3)
            for i in range(3):
                w[6 + i] = 0.5 * (w[i] + w[3 + i])
        for k in range(joints.shape[0]):
            a, b = world[whose[k, 0]], world[whose[k, 1]]
            apart = math.sqrt((a[6] - b[6]) ** 2 + (a[7] - b[7]) ** 2 + (a[8] - b[8]) ** 2)
            gaps[f, k] = apart - (around[whose[k, 0]] + around[whose[k, 1]])
            if gaps[f, k] > far:
                continue
            p, q = (a[0], a[1], a[2]), (b[0], b[1], b[2])
            d, e = (a[3] - p[0], a[4] - p[1], a[5] - p[2]), (b[3] - q[0], b[4] - q[1], b[5] - q[2])
            s, t = nearest_on_segments(p, d, q, e)
            out, square = ends[f, k], 0.0
            for i in range(3):
                out[i] = p[i] + s * d[i]
                out[3 + i] = q[i] + t * e[i]
                square += (out[i] - out[3 + i]) ** 2
            gaps[f, k] = math.sqrt(square) - capsules[k, 6] - capsules[k, 13]


@inner_kernel
def _share(joints, capsules, whose, bodies):
    """How many capsules there are in all; `bodies [body]` become twice the first pair of each, plus 1 where it is the
    second of it, and `whose [pair, 2]` the bodies of every pair.
    """
    count = 0
    for k in range(joints.shape[0]):
        for side in range(2):
            whose[k, side] = -1
            for n in range(count):
                other, there = bodies[n] // 2, bodies[n] % 2
                same = joints[other, there] == joints[k, side]
                for i in range(7):
                    same = same and capsules[other, 7 * there + i] == capsules[k, 7 * side + i]
                if same:
                    whose[k, side] = n
                    break
            if whose[k, side] < 0:
                whose[k, side], bodies[count] = count, 2 * k + side
                count += 1
    return count


@inner_kernel
def _placed(m, numbers, first):
    """The point whose coordinates in the frame m `[4, 4]` begin at numbers[first], in the world."""
    x, y, z = numbers[first], numbers[first + 1], numbers[first + 2]
    return (
        m[0, 3] + m[0, 0] * x + m[0, 1] * y + m[0, 2] * z,
        m[1, 3] + m[1, 0] * x + m[1, 1] * y + m[1, 2] * z,
        m[2, 3] + m[2, 0] * x + m[2, 1] * y + m[2, 2] * z,
    )

"""Bodies kept out of one another: capsules come no nearer to each other than in the copied clip."""

from __future__ import annotations

import math

import numpy as np
from scipy.ndimage import minimum_filter1d

from posable.clips import Clip
from posable.errors import GoalError, SkeletonError
from posable.figures import Figure, with_capsules
from posable.goals import KeepApart
from posable.goals.capsules import nearest_on_segments
from posable.motion.clip_rows import Motions
from posable.motion.one_sided import Packed, Rows
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array, normalized
from posable.spatial.compile import kernel

_WEIGHT = 30.0  # of the squared depth, in reaches, against the other goals
_TOUCHING = 1e-9  # reaches: what is so near at rest may touch
_ROOM = 0.002  # reaches that are left between bodies which the copy has farther apart
_OVER = 0.35  # s to either side in which the copy may have been as near: no two figures are quite in step
_NEAR = 0.06  # reaches: what the copied clip never brings so near does not meet in the result


def bodies(of: Figure | Skeleton) -> Skeleton:
    """The skeleton with the capsules that its file states, or that fit its skin or shapes; as it is without any."""
    if isinstance(of, Skeleton):
        return of
    try:
        return with_capsules(of).skeleton
    except SkeletonError:
        return of.skeleton


class Apart:
    """Pairs of capsules that are apart at rest stay apart where `copy` has them apart, and get no deeper elsewhere.

    Only pairs that come near in the copied clip, and that `moving` joints can bring nearer. capsuled: the skeleton of
    the clip, with capsules.
    """

    def __init__(self, capsuled: Skeleton, copy: Clip, moving: set[int]) -> None:
        skeleton = copy.skeleton
        rows = _pairs(capsuled)
        rows = [row for row in rows if moving & ({*skeleton.chain(row[0])} ^ {*skeleton.chain(row[1])})]
        self._joints = np.array([row[:2] for row in rows], np.int64).reshape(-1, 2)
        self._capsules = np.array([row[2] for row in rows], float).reshape(-1, 14)
        gaps = self._gaps(copy.poses)[0]
        near = gaps.min(axis=0, initial=np.inf) < _NEAR * skeleton.reach
        self._joints, self._capsules = self._joints[near], self._capsules[near]
        kept = np.minimum(gaps[:, near], _ROOM * skeleton.reach)
        span = min(round(_OVER * copy.fps), len(copy) - 1)
        self._kept = minimum_filter1d(kept, 2 * span + 1, axis=0, mode="nearest") if len(self) else kept

    def __len__(self) -> int:
        return len(self._joints)

    def over(self, pose: Pose) -> Array:
        """As `OneSided` states it: how much nearer they are than they may be."""
        return self._over(self._gaps(pose)[0], pose.skeleton)

    @property
    def bodies(self) -> list[int]:
        """As `OneSided` states it: both of every pair."""
        return np.unique(self._joints).tolist()

    def near(self, pose: Pose, motions: Motions) -> Rows:
        """As `OneSided` states it: along n, from the second body to the first at their nearest points p and p', the gap
        grows with that of p along n and shrinks with that of p'.
        """
        reach, root = pose.skeleton.reach, np.sqrt(_WEIGHT)
        gaps, ends = self._gaps(pose)
        rows = Packed(self._over(gaps, pose.skeleton), root, motions.free)
        for pair, at in rows.used():
            p, q = ends[at, pair, :3] / reach, ends[at, pair, 3:6] / reach
            n = normalized(p - q)
            one, other = self._joints[pair].tolist()
            rows.push(pair, at, p, -root * n, motions[one])
            rows.push(pair, at, q, root * n, motions[other])
        return rows.rows

    def _over(self, gaps: Array, skeleton: Skeleton) -> Array:
        return np.sqrt(_WEIGHT) * (self._kept - gaps) / skeleton.reach

    def _gaps(self, pose: Pose) -> tuple[Array, Array]:
        """(the room `[frame, pair]`, negative inside each other, the nearest points of the axes `[frame, pair, 6]`)."""
        frames = pose.world_from_joint
        ends = np.empty((len(frames), len(self._joints), 7))
        _nearest(frames, self._joints, self._capsules, ends)
        return ends[..., 6], ends[..., :6]


def _pairs(capsuled: Skeleton) -> list[tuple[int, int, tuple[float, ...]]]:
    """(joint, other joint, both capsules) of each pair that KeepApart would keep apart."""
    if not any(joint.capsules for joint in capsuled.definitions):
        return []
    try:
        rows = KeepApart(margin=_TOUCHING * capsuled.reach).rows(capsuled)
    except GoalError:  # no two of them can come nearer
        return []
    return [(row.joint, row.other, row.constants[:14]) for row in rows]


@kernel
def _nearest(frames, joints, capsules, ends):
    """The points of the axes of both capsules of each pair that are nearest, and the room between both."""
    world = np.empty((4, 3))
    for f in range(frames.shape[0]):
        for k in range(joints.shape[0]):
            for end in range(4):
                m, first = frames[f, joints[k, end // 2]], 7 * (end // 2) + 3 * (end % 2)
                for a in range(3):
                    world[end, a] = m[a, 3]
                    for b in range(3):
                        world[end, a] += m[a, b] * capsules[k, first + b]
            p, q = (world[0, 0], world[0, 1], world[0, 2]), (world[2, 0], world[2, 1], world[2, 2])
            d = (world[1, 0] - p[0], world[1, 1] - p[1], world[1, 2] - p[2])
            e = (world[3, 0] - q[0], world[3, 1] - q[1], world[3, 2] - q[2])
            s, t = nearest_on_segments(p, d, q, e)
            square = 0.0
            for a in range(3):
                ends[f, k, a] = p[a] + s * d[a]
                ends[f, k, 3 + a] = q[a] + t * e[a]
                square += (ends[f, k, a] - ends[f, k, 3 + a]) ** 2
            ends[f, k, 6] = math.sqrt(square) - capsules[k, 6] - capsules[k, 13]

"""Balance in retargeting: the centre of mass inside the support polygon."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from posable.goals.rows import body_masses
from posable.motion.feet.sole_shapes import HUMAN_LEG
from posable.motion.transfer.hands_feet import Foot
from posable.motion.transfer.measured import Body
from posable.motion.whole_clip.clip_rows import LinearizedRows, Motions, RowBuilder, motion_of_mass
from posable.skeleton import Pose
from posable.spatial import Array, apply_transform, rigid_inverse

_WEIGHT = 100.0  # of the squared distance outside, in reaches, against the other goals
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

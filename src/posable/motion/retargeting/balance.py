"""Balance: the centre of mass over what the feet on the ground span."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from posable.goals.balance import body_masses
from posable.motion.clip_rows import Motions, motion_of_mass
from posable.motion.feet.soles import HUMAN_LEG
from posable.motion.one_sided import Packed, Rows
from posable.motion.retargeting.body import Body
from posable.motion.retargeting.limbs import Foot
from posable.skeleton import Pose
from posable.spatial import Array, apply_transform, rigid_inverse

_WEIGHT = 30.0  # of the squared distance, in reaches, where balance weighs 1
_INSIDE = 0.01  # m for a leg of 0.88 m: so far from the edge the centre of mass is wished, where there is room
_HOLDS = 0.005  # likewise: so little outside still holds


class Support:
    """What the feet on the ground span, in every frame, and where the centre of mass is against it.

    It is the convex hull of the corners of the soles that rest: of those behind while the heel rests, of those in front
    while ball or toes do. It says whether the figure could stand still there; one that walks fast falls from foot to
    foot, as people do.
    weight: of the wish that the centre of mass be over it. Raises GoalError for a figure without masses.
    """

    def __init__(self, target: Body, feet: Sequence[Foot], frames: int, weight: float) -> None:
        self._skeleton, self._weight = target.skeleton, _WEIGHT * weight
        self._masses = body_masses(target.skeleton)
        up = "xyz".index(target.skeleton.up)
        self._level = [(up + 1) % 3, (up + 2) % 3]
        self._unit = target.leg_length / HUMAN_LEG
        corners = np.concatenate([_resting(foot, target, frames) for foot in feet], axis=1)[..., self._level]
        self._hulls = _hulls(corners)
        self.stands: NDArray[np.bool_] = np.isfinite(self._hulls[:, 0, 0])
        """`[frame]` whether any foot is on the ground"""
        self._inside = np.minimum(_INSIDE * self._unit, _breadths(self._hulls) / 4)

    def outside(self, pose: Pose) -> Array:
        """`[frame]` how far the centre of mass is outside, negative inside, in the figure's unit; NaN in flight."""
        return self._off(pose)[0]

    def share(self, pose: Pose) -> float:
        """Of the frames in which a foot is on the ground, those that hold: at most 5 mm outside for a leg of 0.88 m.

        NaN where none ever is.
        """
        outside = self.outside(pose)[self.stands]
        return float((outside <= _HOLDS * self._unit).mean()) if len(outside) else float("nan")

    def over(self, pose: Pose) -> Array:
        """As `OneSided` states it: one row, how far the centre of mass is outside of a little less than the hull."""
        return self._over(self.outside(pose))

    @property
    def bodies(self) -> list[int]:
        """As `OneSided` states it: all that have masses."""
        return np.flatnonzero(self._masses[:, 0] > 0).tolist()

    def near(self, pose: Pose, motions: Motions) -> Rows:
        """As `OneSided` states it: along the way out."""
        outside, ways = self._off(pose)
        moved = motion_of_mass(pose, motions, self._masses)[:, self._level]
        root = np.sqrt(self._weight)
        rows = Packed(self._over(outside), root, motions.free)
        for row, at in rows.used():
            rows.put(row, at, root * (ways[at, None] @ moved[at])[:, 0])
        return rows.rows

    def _over(self, outside: Array) -> Array:
        over = np.where(self.stands, outside + self._inside, -self._skeleton.reach)
        return np.sqrt(self._weight) * over[:, None] / self._skeleton.reach

    def _off(self, pose: Pose) -> tuple[Array, Array]:
        """(how far outside `[frame]`, the direction out `[frame, 2]`)."""
        frames, shares = pose.world_from_joint, self._masses[:, 0]
        center = shares @ (frames[..., :3, 3] + (frames[..., :3, :3] @ self._masses[:, 1:, None])[..., 0])
        return out_of_hulls(center[:, self._level], self._hulls)


def out_of_hulls(points: Array, hulls: Array) -> tuple[Array, Array]:
    """(how far `[frame]` points `[frame, 2]` are outside of convex polygons, negative inside, the directions out).

    hulls: `[frame, corner, 2]`, counterclockwise, the last corner repeated as need be; a line is a polygon, too.
    """
    edges = np.roll(hulls, -1, axis=1) - hulls
    square = np.sum(edges * edges, axis=2)
    to = points[:, None] - hulls
    along = np.clip(np.sum(to * edges, axis=2) / np.where(square > 0, square, 1.0), 0.0, 1.0)
    away = to - along[..., None] * edges
    apart = np.linalg.norm(away, axis=2)
    nearest = np.where(np.isnan(apart), np.inf, apart).argmin(axis=1)
    rows = np.arange(len(points))
    turns = edges[..., 0] * to[..., 1] - edges[..., 1] * to[..., 0]
    inside = (turns >= 0).all(axis=1) & (turns > 0).any(axis=1)
    size, way = apart[rows, nearest], away[rows, nearest]
    sign = np.where(inside, -1.0, 1.0)
    return sign * size, way * (sign / np.maximum(size, 1e-12))[:, None]


def convex_hull(points: Array) -> Array:
    """`[corner, 2]` of the hull of points `[point, 2]`, counterclockwise (Andrew's monotone chain, 1979)."""
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
    """Twice the area of a, b, c: above 0 where c lies left of the way from a to b."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _resting(foot: Foot, target: Body, frames: int) -> Array:
    """`[frame, corner, 3]` where the corners of the sole rest, NaN while they do not."""
    found, sole, skeleton = np.full((frames, 4, 3), np.nan), foot.sole, target.skeleton
    into = rigid_inverse(target.rest[skeleton.index(sole.foot)])
    worlds = target.rest[[skeleton.index(joint) for joint in sole.corner_joints]]
    corners = apply_transform(into, apply_transform(worlds, sole.corners))
    for stand in foot.stands:
        places = stand.ball_place + (corners - sole.ball) @ stand.turn.T
        for part, own in enumerate((slice(0, 2), slice(2, 4), slice(2, 4))):
            span = stand.spans[part]
            if span:
                found[slice(*span), own] = places[own]
    return found


def _hulls(corners: Array) -> Array:
    """`[frame, corner, 2]` the hulls of points `[frame, point, 2]`, NaN where there are none; the last is repeated."""
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
    """`[frame]` how broad each is where it is narrowest, 0 of a line."""
    edges = np.roll(hulls, -1, axis=1) - hulls
    sizes = np.linalg.norm(edges, axis=2)
    to = hulls[:, None] - hulls[:, :, None]  # [frame, edge, corner]
    across = edges[..., 0, None] * to[..., 1] - edges[..., 1, None] * to[..., 0]
    far = np.where(sizes > 0, across.max(axis=2) / np.where(sizes > 0, sizes, 1.0), np.inf)
    return np.where(np.isfinite(far.min(axis=1)), far.min(axis=1), 0.0)

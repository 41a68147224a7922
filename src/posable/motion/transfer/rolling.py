"""Feet that roll over the ground without slipping: during a contact the lowest point of a foot stands still.

The stage before fixes heel, ball and toes, which suits feet that stand flat. A rolling foot touches the ground with
one point of its skin after the other, and these need not be among the three.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.compiled.decorators import kernel
from posable.figures import Figure
from posable.figures.shapes import solid_of
from posable.goals import Goal, Orient, Reach
from posable.motion.feet.contact_detection import SHORTEST, Contacts, runs
from posable.motion.feet.sole_shapes import Sole
from posable.motion.transfer.foot_stands import Stand
from posable.motion.transfer.hands_feet import CLEAR, Foot
from posable.motion.whole_clip.clip_problem import BandedSystem
from posable.motion.whole_clip.clip_rows import LinearizedRows, Motions, RowBuilder, kept_for_last
from posable.skeleton import Pose, Skeleton, joints_below
from posable.skin import Skin
from posable.spatial import Array, matrix_from_wxyz, normalized, wxyz_from_matrix, wxyz_from_rotation_vector

_FIRM, _ROTATION = 5e4, 3000.0  # weights of a foot's position on the ground, for lengths in legs; of its rotation
_ALOFT = 1.0  # weight of its position in the air
_SETTLES = 0.25  # s over which the correction fades out in the air
_HOLDS = 1e8  # weight of the known values of a correction, against its size
_RIGID, _MOST = 0.99, 500  # weight of a vertex that counts as rigid; most vertices used of all others
_STEP = 0.2  # legs: a foot that stands so far away later in the same contact has made a step
_ROOT = 20.0  # square root of the weight of a foot's squared depth in the ground, in reaches
_SENSORS = 4  # least number of fixed links of a foot without shapes that define its sole
_TIPS, _LEVEL = 3e-3, 1e-2  # rad by which a flat foot that pivots tips; rad within which one is flat
_NEARBY = 1 / 6  # s over which the ends of a foot are compared
_SLIPS, _HOVERS = 2e-3, 5e-4  # tolerated slip in legs per second, and height in legs


@dataclass(frozen=True, eq=False)
class Underside:
    """Points of a foot and of the joints below it that may touch the ground.

    joints, weights: `[point, influence]` their skin weights; local: `[point, influence, 3]` positions in joint frames;
    parts: joint → the points of which it is the main influence.
    """

    joints: NDArray[np.int64]
    weights: Array
    local: Array
    parts: Mapping[int, slice]

    @classmethod
    def of(cls, pieces: Sequence[tuple[NDArray[np.int64], Array, Array]]) -> Underside:
        """Join several (joints, weights, local) that may differ in their numbers of influences."""
        most = max(joints.shape[1] for joints, _, _ in pieces)
        every = [
            [np.pad(one, [(0, 0), (0, most - one.shape[1]), *[(0, 0)] * (one.ndim - 2)]) for one in piece]
            for piece in pieces
        ]
        joints, weights, local = (np.concatenate(own) for own in zip(*every, strict=True))
        leading = np.take_along_axis(joints, weights.argmax(axis=1)[:, None], 1)[:, 0]
        order = np.argsort(leading, kind="stable")
        starts = np.searchsorted(leading[order], np.unique(leading)).tolist()
        ends = [*starts[1:], len(order)]
        parts = {int(leading[order][a]): slice(a, b) for a, b in zip(starts, ends, strict=True)}
        return cls(joints[order], weights[order], local[order], parts)

    def heights(self, pose: Pose, upwards: Array | None = None) -> Array:
        """`[frame, point]`, along `upwards [frame, 3]` if given."""
        carriers, shares = self._shares
        if upwards is None:
            rows = pose.world_from_joint[:, carriers, "xyz".index(pose.skeleton.up), :]
        else:
            rows = np.einsum("fd,fcde->fce", upwards, pose.world_from_joint[:, carriers, :3, :])
        return rows.reshape(len(pose), -1) @ shares

    @cached_property
    def _shares(self) -> tuple[NDArray[np.int64], Array]:
        """(joints that move any point, `[4 · joint, point]` coefficients of their frames' rows in its height)."""
        carriers, own = np.unique(self.joints[self.weights > 0]), np.arange(len(self.joints))
        shares = np.zeros((len(carriers), 4, len(own)))
        for joint, weight, local in zip(self.joints.T, self.weights.T, self.local.swapaxes(0, 1), strict=True):
            at, held = np.minimum(np.searchsorted(carriers, joint), len(carriers) - 1), weight > 0
            shares[at[held], :3, own[held]] += weight[held, None] * local[held]
            shares[at[held], 3, own[held]] += weight[held]
        return carriers, shares.reshape(-1, len(own))

    def positions(self, pose: Pose, frames: NDArray[np.intp], points: NDArray[np.intp]) -> Array:
        """`[n, 3]` in the world, of points `[n]` in these frames `[n]`."""
        carriers = pose.world_from_joint[frames[:, None], self.joints[points]]  # [n, influence, 4, 4]
        own = (carriers[..., :3, :3] @ self.local[points][..., None])[..., 0] + carriers[..., :3, 3]
        return np.sum(self.weights[points][..., None] * own, axis=1)


@lru_cache(maxsize=8)  # one figure gets many recordings
def underside(of: Figure | Skeleton, sole: Sole) -> Underside | None:
    """The underside from the skins that follow a foot and its shapes, else from fixed links such as the sensors of a
    sole; None without any of them.
    """
    skeleton = of if isinstance(of, Skeleton) else of.skeleton
    joint, rest = skeleton.index(sole.foot), Pose(skeleton, skeleton.rest_coordinates)
    below = joints_below(skeleton, joint)
    found: list[tuple[NDArray[np.int64], Array, Array]] = []
    if isinstance(of, Figure) and of.skins:
        up = "xyz".index(skeleton.up)
        found = [_of_skin(skin, below, rest.origins[joint], up) for skin in of.skins]
    if isinstance(of, Figure):
        found += [_rigid(own, points[_hull(points)]) for own, points in _solids(of, below).items()]
    found = [one for one in found if len(one[0])] or _links(skeleton, below)
    return Underside.of(found) if found else None


def _solids(figure: Figure, below: Sequence[int]) -> dict[int, Array]:
    """Joint → `[point, 3]` the points of all its shapes in its frame: together they have one hull."""
    found: dict[int, list[Array]] = {}
    for shape in figure.shapes:
        if (own := figure.skeleton.index(shape.joint)) in below:
            solid = solid_of(shape)[0] @ matrix_from_wxyz(np.array(shape.wxyz)).T + shape.position
            found.setdefault(own, []).append(solid)
    return {joint: np.concatenate(solids) for joint, solids in found.items()}


def _links(skeleton: Skeleton, below: Sequence[int]) -> list[tuple[NDArray[np.int64], Array, Array]]:
    """The origins of a foot and the fixed joints below it; none where they are too few for a sole."""
    fixed = [joint for joint in below[1:] if not skeleton.definitions[joint].dof]
    return [_rigid(joint, np.zeros((1, 3))) for joint in (below[0], *fixed)] if len(fixed) >= _SENSORS else []


def _rigid(joint: int, points: Array) -> tuple[NDArray[np.int64], Array, Array]:
    """Points `[point, 3]` fixed in the frame of `joint`."""
    shape = len(points), 1
    return np.full(shape, joint, np.int64), np.ones(shape), points[:, None]


def _of_skin(skin: Skin, below: Sequence[int], ankle: Array, up: int) -> tuple[NDArray[np.int64], Array, Array]:
    """Corners of the convex hulls of rigid parts, and the blended vertices below the ankle between them."""
    leading = np.take_along_axis(skin.joints, skin.weights.argmax(axis=1)[:, None], 1)[:, 0]
    own = np.flatnonzero(np.isin(leading, below))
    rigid = skin.weights[own].max(axis=1, initial=0.0) > _RIGID
    heights = skin.deform(Pose(skin.skeleton, skin.skeleton.rest_coordinates))[own, up]
    mixed = np.flatnonzero(~rigid & (heights < ankle[up]))
    chosen = [mixed[:: max(len(mixed) // _MOST, 1)]]
    for joint in below:
        at = np.flatnonzero(rigid & (leading[own] == joint))
        chosen.append(at[_hull(skin.vertices[own[at]].astype(float))])
    own = own[np.concatenate(chosen)]
    bind, weights = skin.inverse_bind[skin.joints[own]], skin.weights[own].astype(float)
    local = np.einsum("vkij,vj->vki", bind[..., :3, :3], skin.vertices[own]) + bind[..., :3, 3]
    return skin.joints[own].astype(np.int64), weights / weights.sum(axis=1, keepdims=True), local


def _hull(points: Array) -> NDArray[np.int64]:
    """Indices of the corners of the convex hull; all points, where they are too few or coplanar."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        return np.asarray(ConvexHull(points).vertices, np.int64)
    except (QhullError, ValueError):
        return np.arange(len(points))


@dataclass(frozen=True, eq=False)
class Rolling:
    """One foot: its contacts `[frame]` and its underside, which is guessed for a bare skeleton.

    clear: `[frame]` where it has to stay where it is, as it would roll into a body; None for nowhere.
    """

    foot: Foot
    touches: NDArray[np.bool_]
    under: Underside
    guessed: bool
    clear: NDArray[np.bool_] | None = None

    def off(self, clip: Clip, aside: Array | None = None) -> Array:
        """`[frame, 3]` displacement of the foot with which its lowest point stands still on the ground in contacts.

        The mean position while the foot stands flat is kept, or moved by `aside`. In the air the displacement is
        interpolated smoothly.
        """
        foot, up = self.foot, "xyz".index(clip.skeleton.up)
        assert foot.under is not None
        heights = self._heights(clip)
        stays = (heights[:-1] + self.guessed * heights[1:]).argmin(axis=1)  # corners of a guess alternate as the lowest
        at = np.arange(len(clip) - 1)
        slips = self.under.positions(clip.poses, at + 1, stays) - self.under.positions(clip.poses, at, stays)
        rise = foot.under - heights.min(axis=1)
        off = np.zeros((len(clip), 3))
        for start, end in runs(self.touches):
            own = off[start:end]
            own[1:] = -np.cumsum(slips[start : end - 1], axis=0)
            stands = [stand.flat for stand in foot.stands if start <= stand.flat.start and stand.flat.stop <= end]
            flat = max(stands, key=lambda frames: frames.stop - frames.start, default=slice(start, end))
            if self.clear is not None and self.clear[start:end].any():
                flat = start + np.flatnonzero(self.clear[start:end])
            own -= off[flat].mean(axis=0)
            own += 0.0 if aside is None else aside[start]
            own[:, up] = rise[start:end]
        spread = np.full(3, (_SETTLES * clip.fps / (2 * np.pi)) ** 4)
        known = np.where(self.touches, _HOLDS, 0.0)[:, None] * np.ones(3)
        found = BandedSystem(len(off), np.ones(3), spread).solve(np.zeros((1, 3, 3)), known, known * off)
        assert found is not None  # the matrix is positive definite
        return found

    def _heights(self, clip: Clip) -> Array:
        """`[frame, point]` of the underside, tipped."""
        level = np.eye(3)["xyz".index(clip.skeleton.up)]
        tips = self._tips(clip)
        if tips is None:
            return self.under.heights(clip.poses)
        ankle = clip.poses.origins[:, clip.skeleton.index(self.foot.sole.foot)]
        upwards = level @ tips
        return self.under.heights(clip.poses, upwards) + np.sum(ankle * (level - upwards), axis=1)[:, None]

    @kept_for_last
    def _tips(self, clip: Clip) -> Array | None:
        """`[frame, 3, 3]` rotations by which a flat foot that pivots comes to rest on that end of its sole which moves
        less; None for a foot that does not pivot, or has toes.

        Of a sole that is level, the point that is lowest is one by chance and another in the next frame, and the foot
        pivots now about its heel and now about its ball.
        """
        from scipy.ndimage import uniform_filter1d

        sole, up = self.foot.sole, np.eye(3)["xyz".index(clip.skeleton.up)]
        pivoting = np.zeros(len(clip), bool)
        for stand in self.foot.stands:
            pivoting[stand.start : stand.end] = stand.turns
        pivoting &= self.touches
        if sole.toes is not None or sole.heel is None or not pivoting.any():
            return None
        along = sole.ball - sole.heel
        ahead = normalized(along - along @ sole.flat * sole.flat)
        rotations = clip.poses.world_from_joint[:, clip.skeleton.index(sole.foot), :3, :3]
        paths = np.stack([points(clip.poses) for points in (sole.ball_places, sole.heel_places)])
        speeds = np.linalg.norm(np.diff(paths, axis=1, append=paths[:, -1:]), axis=2)
        ball, heel = uniform_filter1d(speeds, max(round(_NEARBY * clip.fps), 1), axis=1, mode="nearest")
        towards = (rotations @ ahead) * np.where(ball <= heel, 1.0, -1.0)[:, None]
        leans = towards @ up  # sine of how far that end is over the other
        lacks = np.where(pivoting & (np.abs(leans) < _LEVEL), np.clip(leans + _TIPS, 0.0, None), 0.0)
        return matrix_from_wxyz(wxyz_from_rotation_vector(lacks[:, None] * np.cross(rotations @ sole.flat, towards)))

    def aside(self, pushes: Array, up: str) -> Array:
        """`[frame, 3]` the largest of pushes `[frame, 3]` over the ground in each contact, the same all through it."""
        level = np.delete(np.eye(3), "xyz".index(up), axis=0)
        over, found = pushes @ level.T @ level, np.zeros(pushes.shape)
        for start, end in runs(self.touches):
            own = over[start:end]
            direction = normalized(own.sum(axis=0)) if own.any() else np.zeros(3)
            if (far := float((own @ direction).max())) > CLEAR * self.foot.sole.length:
                found[start:end] = far * direction
        return found

    def goals(self, clip: Clip, off: Array) -> list[tuple[Goal, Array]]:
        """Goals that move the foot by `off` and keep its rotation in contacts, with weights `[frame]`."""
        sole, skeleton = self.foot.sole, clip.skeleton
        firm = _FIRM * (skeleton.reach / sole.length) ** 2
        position = clip.poses.origins[:, skeleton.index(sole.foot)] + off
        found: list[tuple[Goal, Array]] = [(Reach(sole.foot, position), np.where(self.touches, firm, _ALOFT))]
        tips = self._tips(clip)
        for joint in (sole.foot, sole.toes):
            if joint is not None:
                frames = clip.poses.world_from_joint[:, skeleton.index(joint), :3, :3]
                rotation = wxyz_from_matrix(frames if tips is None else tips @ frames)
                found.append((Orient(joint, rotation), np.where(self.touches, _ROTATION, 0.0)))
        return found

    def slips(self, clip: Clip, off: Array) -> bool:
        """Whether the foot still slips, or leaves the ground in contacts, by more than the tolerated mean."""
        off, both = off / self.foot.sole.length, self.touches[1:] & self.touches[:-1]
        speeds = np.linalg.norm(np.diff(off, axis=0)[both], axis=1) * clip.fps
        high = np.abs(off[self.touches, "xyz".index(clip.skeleton.up)])
        return bool(speeds.sum() > _SLIPS * len(speeds) or high.sum() > _HOVERS * len(high))


class Aloft:
    """Feet in the air stay above the ground, by the lowest point of each of their joints; see `Inequalities`."""

    def __init__(self, skeleton: Skeleton, feet: Sequence[Rolling]) -> None:
        self._up = "xyz".index(skeleton.up)
        self._feet, self._rows, first = tuple(feet), [], 0
        for one in feet:
            self._rows.append(slice(first, first + len(one.under.parts)))
            first += len(one.under.parts)
        self._carriers = np.array([joint for one in feet for joint in one.under.parts], np.int64)

    @property
    def bodies(self) -> list[int]:
        """See `Inequalities`: the main influences of the points."""
        return sorted(set(self._carriers.tolist()))

    def violations(self, pose: Pose) -> Array:
        """See `Inequalities`: one row per part of a foot."""
        return self._deep(pose)[0]

    def linearized(self, pose: Pose, motions: Motions) -> LinearizedRows:
        """See `Inequalities`: straight up."""
        deep, lowest = self._deep(pose)
        rows = RowBuilder(deep, _ROOT, motions.free)
        at, row = rows.used
        positions, down = np.empty((len(at), 3)), np.zeros((len(at), 3))
        down[:, self._up] = -_ROOT
        for one, own in zip(self._feet, self._rows, strict=True):
            among = (row >= own.start) & (row < own.stop)
            points = one.under.positions(pose, at[among], lowest[at[among], row[among]])
            positions[among] = points / pose.skeleton.reach
        rows.add_points((at, row), positions, down, self._carriers[row], motions)
        return rows.rows

    @kept_for_last
    def _deep(self, pose: Pose) -> tuple[Array, NDArray[np.intp]]:
        """(depth of the lowest point of each part, index of that point), `[frame, row]`."""
        deep = np.empty((len(pose), len(self._carriers)))
        lowest = np.empty(deep.shape, np.int64)
        for one, own in zip(self._feet, self._rows, strict=True):
            assert one.foot.under is not None
            parts = np.array([(points.start, points.stop) for points in one.under.parts.values()])
            scale = _ROOT / pose.skeleton.reach
            heights, under = np.ascontiguousarray(one.under.heights(pose)), np.ascontiguousarray(one.foot.under)
            find_deepest(heights, under, one.touches, parts, own.start, scale, -_ROOT, deep, lowest)
        return deep, lowest


@kernel
def find_deepest(heights, under, touches, parts, first, scale, still, deep, lowest):
    """From column `first` on, `lowest [frame, row]` become the lowest points of parts, and `deep [frame, row]` how far
    they are under the ground, times `scale`; `still` in contacts, as there the goals put the foot on the ground.

    heights: `[frame, point]`; parts: `[part, 2]` the first point of each and the one after its last; under, touches:
    `[frame]` the height of the ground, and the contacts.
    """
    for f in range(heights.shape[0]):
        for k in range(parts.shape[0]):
            best = parts[k, 0]
            for point in range(parts[k, 0] + 1, parts[k, 1]):
                if heights[f, point] < heights[f, best]:
                    best = point
            lowest[f, first + k] = best
            deep[f, first + k] = still if touches[f] else scale * (under[f] - heights[f, best])


def rolling_feet(of: Figure | Skeleton, feet: Sequence[Foot], clip: Clip, touching: Contacts) -> list[Rolling]:
    """The feet on known ground, with the source's contacts."""
    target, found = of if isinstance(of, Skeleton) else of.skeleton, []
    for sole, touches in zip(touching.soles, touching.any, strict=True):
        for foot in feet:
            if foot.sole.name == sole.name and foot.under is not None and touches.any():
                kept = _without_steps(foot.stands, touches, sole.ball_places(clip.poses) / sole.length, clip.fps)
                under = underside(of, foot.sole)
                corners = zip(foot.sole.corner_joints, foot.sole.corners, strict=True)
                guess = Underside.of([_rigid(target.index(joint), corner[None]) for joint, corner in corners])
                found.append(Rolling(foot, kept, under or guess, guessed=under is None))
    return found


def _without_steps(stands: Sequence[Stand], touches: NDArray[np.bool_], balls: Array, fps: float) -> NDArray[np.bool_]:
    """`[frame]` the contacts without the steps within them: slow steps hardly leave the ground.

    balls: `[frame, 3]` of the source, in its legs.
    """
    found = touches.copy()
    for start, end in runs(touches):
        for one, after in pairwise(stand for stand in stands if start <= stand.start and stand.end <= end):
            far = np.linalg.norm(balls[after.flat].mean(axis=0) - balls[one.flat].mean(axis=0)) > _STEP
            if far and after.start - one.end >= SHORTEST * fps:
                found[one.end : after.start] = False
    return found

"""Habits of a figure, learnt from its own clips: start poses for given goals, and the usual range of each joint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.errors import GoalError, check_kind
from posable.figures import Figure, roles
from posable.goals.rows import Row
from posable.goals.starts import Stands
from posable.goals.term_arrays import OFFSET
from posable.natural.origin import drawn_to_origin
from posable.natural.start_kernel import FASTEST
from posable.skeleton import Pose, Skeleton
from posable.skeleton.joint import packed_habits
from posable.spatial import Array, rotation_vector_from_wxyz, wxyz_from_matrix

MOST_POSES = 200
"""Largest number of poses kept of the clips."""

_LEAST_SPREAD = 0.03  # least spread, as a share of the largest: smaller ones do not increase the resistance
_SLIDE_PER_RADIAN = 0.25  # of the reach: the slide that counts as one radian
_NEIGHBOUR_DIVISOR, _LEAST_NEIGHBOURS = 10, 8  # one in ten poses, at least eight, set the width of the weights
_RIDGE = 0.1  # of the poses' own variance: ridge of the regression
_MAX_EXTRAPOLATION = 3.0  # spreads: targets farther away do not extrapolate further
FLAT = 0.3  # weight of the rotation of a standing foot, relative to its position
_LEAST_STRANGENESS_SPREAD = 0.02  # radians: least spread in strangeness, for joints that hardly move


@dataclass(frozen=True, eq=False)
class Habits:
    """The learnt poses of a skeleton.

    Args:
        skeleton: The skeleton.
        tangents: `[pose, dof]` the poses, from the rest pose.
    """

    skeleton: Skeleton
    tangents: Array

    @cached_property
    def poses(self) -> Pose:
        """The learnt poses."""
        return Pose(self.skeleton, self.skeleton.rest_coordinates).plus(self.tangents)

    @cached_property
    def spread(self) -> Array:
        """`[dof]` standard deviation of each degree of freedom; slides converted to radians."""
        return self.tangents.std(axis=0) / np.where(self.skeleton.slides, _SLIDE_PER_RADIAN * self.skeleton.reach, 1.0)

    @cached_property
    def root(self) -> int:
        """The joint in whose frame poses are compared: the first free joint, or else the first."""
        return next((j for j, joint in enumerate(self.skeleton.definitions) if joint.floating), 0)

    @cached_property
    def feet(self) -> tuple[int, ...]:
        """The ends of the legs, which stand unless a goal moves them."""
        return tuple(self.skeleton.index(leg.joints[-1]) for leg in roles(self.skeleton).legs)

    def resistances(self, root: float) -> Array:
        """`[dof]` resistance of each degree of freedom, 1 for the one that moves most, `root` for those of the root."""
        spread, most = self.spread, max(float(self.spread.max()), 1e-9)
        found = (most / np.maximum(spread, _LEAST_SPREAD * most)) ** 2
        if self.skeleton.definitions[self.root].floating:
            found[list(self.skeleton.freedom_range(self.root))] = root
        return found

    def strangeness(self, pose: Pose) -> tuple[Array, Array]:
        """Distance of a pose from the learnt ones: (`[...]` of the whole, 1 for the median of the learnt poses; `[...,
        joint]` of each joint, in spreads).
        """
        away = self._parts(pose.minus(Pose(self.skeleton, self.skeleton.rest_coordinates)))
        return np.sqrt((away**2).mean(axis=-1)) / self._median, away

    def _parts(self, tangents: Array) -> Array:
        own = (tangents - self.tangents.mean(axis=0)) / np.maximum(self.tangents.std(axis=0), self._sure)
        placed = set(self.skeleton.freedom_range(self.root)) if self.skeleton.definitions[self.root].floating else set()
        ranges = (
            [d for d in self.skeleton.freedom_range(j) if d not in placed] for j in range(len(self.skeleton.joints))
        )
        parts = [np.sqrt((own[..., d] ** 2).mean(axis=-1)) if d else np.zeros(own.shape[:-1]) for d in ranges]
        return np.stack(parts, axis=-1)

    @cached_property
    def _sure(self) -> Array:
        return _LEAST_STRANGENESS_SPREAD * np.where(self.skeleton.slides, _SLIDE_PER_RADIAN * self.skeleton.reach, 1.0)

    @cached_property
    def _median(self) -> float:
        return max(float(np.median(np.sqrt((self._parts(self.tangents) ** 2).mean(axis=-1)))), 1e-9)


@lru_cache(maxsize=64)
def habits_of(skeleton: Skeleton) -> Habits | None:
    """The habits of a skeleton, or None. Raises GoalError if those of its joints do not agree."""
    known = [joint.usual for joint in skeleton.definitions if joint.dof]
    counts = {len(own) for own in known}
    if not any(counts):
        return None
    if len(counts) > 1:
        raise GoalError("the habits of this skeleton's joints have different numbers of poses; learn them again")
    return Habits(skeleton, np.concatenate(known, axis=1))


def learn(figure: Figure, clips: Sequence[Clip]) -> Figure:
    """The figure with habits learnt from the clips; see `Natural.learn`."""
    skeleton = figure.skeleton
    for clip in clips:
        check_kind(clip, Clip, "Natural.learn: clips are Clips", error=GoalError)
        if not skeleton.shares_poses(clip.skeleton):
            raise GoalError(f"Natural.learn: clip {clip.name!r} moves another skeleton; retarget it first")
    frames = np.concatenate([clip.q for clip in clips]) if clips else np.zeros((0, skeleton.coordinates))
    if len(frames) < 2:
        raise GoalError("Natural.learn: the figure has no clips of its own; give some: Natural.learn(figure, clips)")
    taken = np.unique(np.linspace(0, len(frames) - 1, min(MOST_POSES, len(frames))).round().astype(int))
    tangents = Pose(skeleton, frames[taken]).minus(Pose(skeleton, skeleton.rest_coordinates))
    joints = [
        replace(joint, habits=packed_habits(tangents[:, list(skeleton.freedom_range(j))]) if joint.dof else "")
        for j, joint in enumerate(skeleton.definitions)
    ]
    return figure.on(Skeleton(joints, skeleton.up))


class HabitStarts:
    """Start poses for one list of goals: the learnt poses that are closest to the goals' targets, combined to be closer
    still (locally weighted regression, Atkeson, Moore and Schaal 1997).
    """

    def __init__(
        self,
        habits: Habits,
        strength: float,
        keep: bool | None,
        rows: Sequence[Row],
        terms: NDArray[np.int64],
        free: NDArray[np.bool_],
    ) -> None:
        self._habits, self._strength, self._keep = habits, strength, keep
        skeleton, root = habits.skeleton, habits.root
        known = [(row, int(terms[k, OFFSET])) for k, row in enumerate(rows) if row.is_plain and row.weight > 0]
        self._points = [(row, at) for row, at in known if row.is_point]
        self._rotations = [(row, at) for row, at in known if row.is_rotation]
        asked = {row.joint for row, _ in self._points}
        own = list(skeleton.freedom_range(root))
        self._travels = skeleton.definitions[root].floating and bool(free[own[:3]].all())
        self._stand = tuple(j for j in habits.feet if j not in asked) if self._travels and keep is not False else ()
        self.stands = [Stands(skeleton.joints[j], 1.0, FLAT, True, False) for j in self._stand]
        self.support = None
        self.idle = np.zeros(skeleton.dof, bool)
        self._travels &= len(self._points) + len(self._stand) > 1
        self._moves = free.copy()
        if skeleton.definitions[root].floating:
            self._moves[own] = False
        learnt = self._features(habits.poses, None)
        self._mean = learnt.mean(axis=0)
        spread, axes = np.linalg.eigh((learnt - self._mean).T @ (learnt - self._mean) / len(learnt))
        kept = spread > 1e-6 * max(float(spread.max(initial=0.0)), 1e-12)
        self._white = axes[:, kept] / np.sqrt(spread[kept])
        self._learnt = (learnt - self._mean) @ self._white
        self._squares = (self._learnt[:, :, None] * self._learnt[:, None, :]).reshape(len(learnt), -1)

    def proposed(
        self, starts: Array, numbers: Array, strengths: Array | None = None, since: Array | None = None
    ) -> Array:
        """The poses to start from; see `NaturalStarts.proposed`."""
        if not self._learnt.shape[1]:
            return starts
        skeleton = self._habits.skeleton
        given = Pose.trusted(skeleton, starts.copy())
        rest = Pose(skeleton, skeleton.rest_coordinates)
        moved = given.minus(rest)
        at_rest = (np.abs(moved[:, self._moves]) <= 1e-6).all(axis=1)
        keep = self._keep if since is None else True
        keeps = np.full(len(starts), keep) if keep is not None else np.logical_not(at_rest)
        desired = self._proposed(self._features(given, numbers))
        before = self._proposed(self._features(given, since)) if keeps.any() else desired
        change = np.where(keeps[:, None], desired - before, desired - moved)
        if since is not None:
            change *= self._limited(change, self._features(given, numbers) - self._features(given, since))
        strength = self._strength if strengths is None else strengths[:, None]
        proposed = given.plus(np.where(self._moves, strength * change, 0.0))
        placed = self._placed(proposed, given, (since, numbers), strength) if self._travels else proposed
        return np.where(strength > 0, placed.q, starts)

    def begun(
        self,
        starts: Array,
        numbers: Array,
        strengths: Array | None = None,
        since: Array | None = None,
        origin: tuple[Array, Array] | None = None,
    ) -> Array:
        """`[problem, coordinates]`: the poses to start from, see `ProposesStarts`; nothing is known of limbs."""
        proposed = self.proposed(starts, numbers, strengths, since)
        if origin is None:
            return proposed
        at_first = self.proposed(origin[0][None], numbers, strengths, origin[1][None])
        return drawn_to_origin(self._habits.skeleton, starts[0], proposed[0], at_first[0])[None]

    def hung(self, begun: Array, pose: Array) -> Array:
        """`[coordinates]`: the pose itself; see `ProposesStarts`."""
        del begun
        return pose

    def _limited(self, change: Array, moved: Array) -> Array:
        """`[problem, 1]` the share of a change that a drag may apply at once, after its targets `moved`."""
        length = _SLIDE_PER_RADIAN * self._habits.skeleton.reach
        most = np.abs(change / np.where(self._habits.skeleton.slides, length, 1.0)).max(axis=1, keepdims=True)
        allowed = FASTEST / length * np.abs(moved).max(axis=1, keepdims=True)
        return np.minimum(1.0, allowed / np.maximum(most, 1e-12))

    def _features(self, pose: Pose, numbers: Array | None) -> Array:
        """`[problem, feature]` the known positions and rotations, in the root's frame.

        They are those of the targets `numbers`; if None, those of the pose. If the root travels, positions are
        relative to their mean.
        """
        frames = pose.world_from_joint
        root = frames[:, self._habits.root]
        back = np.swapaxes(root[:, :3, :3], 1, 2)
        points = self._positions(pose, numbers)
        points = points - (points.mean(axis=1, keepdims=True) if self._travels else root[:, None, :3, 3])
        rotations = [self._rotation(row, at, frames, numbers) for row, at in self._rotations]
        features = [(points @ root[:, :3, :3]).reshape(len(frames), -1)]
        for (row, _), rotation in zip(self._rotations, rotations, strict=True):
            own = np.swapaxes(self._usual_rotation(row.joint), -1, -2) @ back @ rotation
            features.append(
                _SLIDE_PER_RADIAN * self._habits.skeleton.reach * rotation_vector_from_wxyz(wxyz_from_matrix(own))
            )
        return np.concatenate(features, axis=1)

    def _positions(self, pose: Pose, numbers: Array | None) -> Array:
        """`[problem, point, 3]` world positions of the known points; standing feet keep theirs."""
        frames = pose.world_from_joint
        found = [
            frames[:, row.joint, :3, :3] @ np.array(row.constants[:3]) + frames[:, row.joint, :3, 3]
            if numbers is None
            else row.position(numbers[:, at:])
            for row, at in self._points
        ]
        found += [frames[:, j, :3, 3] for j in self._stand]
        return np.stack(found, axis=1) if found else np.zeros((len(frames), 0, 3))

    def _rotation(self, row: Row, at: int, frames: Array, numbers: Array | None) -> Array:
        return frames[:, row.joint, :3, :3] if numbers is None else row.rotation(numbers[:, at:])

    def _usual_rotation(self, joint: int) -> Array:
        """`[3, 3]` rotation of a joint in the root's frame, in the first learnt pose."""
        frames = self._habits.poses.world_from_joint[0, :, :3, :3]
        return frames[self._habits.root].T @ frames[joint]

    def _proposed(self, features: Array) -> Array:
        """`[problem, dof]` proposed tangents from the rest pose."""
        known = (features - self._mean) @ self._white
        size = known.shape[1]
        sizes = (known**2).sum(axis=1)[:, None] + (self._learnt**2).sum(axis=1)
        away = np.maximum(sizes - 2.0 * known @ self._learnt.T, 0.0)
        nth = min(max(len(self._learnt) // _NEIGHBOUR_DIVISOR, _LEAST_NEIGHBOURS), len(self._learnt) - 1)
        width = np.partition(away, nth, axis=1)[:, nth, None] + 1e-9
        weight = np.exp(-0.5 * (away - away.min(axis=1, keepdims=True)) / width)
        weight /= weight.sum(axis=1, keepdims=True)
        middle = weight @ self._learnt
        spread = (weight @ self._squares).reshape(-1, size, size) - middle[:, :, None] * middle[:, None, :]
        off = known - middle
        off /= 1.0 + (np.linalg.norm(off, axis=1, keepdims=True) / (_MAX_EXTRAPOLATION * np.sqrt(size))) ** 4
        pull = np.linalg.solve(spread + _RIDGE * np.eye(size), off[..., None])[..., 0]
        share = weight * (1.0 + pull @ self._learnt.T - (pull * middle).sum(axis=1, keepdims=True))
        return share @ self._habits.tangents

    def _placed(
        self, proposed: Pose, given: Pose, targets: tuple[Array | None, Array], strength: Array | float
    ) -> Pose:
        """The pose moved as a whole by the rest of the desired displacement of the known points' mean.

        targets: those for which the start was solved (None for the pose's own positions), and the new ones.
        """
        skeleton, root = proposed.skeleton, self._habits.root
        goes = self._positions(given, targets[1]) - self._positions(given, targets[0])
        went = self._positions(proposed, None) - self._positions(given, None)
        offset = (goes - went).mean(axis=1) * strength
        above = int(skeleton.parents[root])
        if above >= 0:
            offset = np.einsum("nji,nj->ni", proposed.world_from_joint[:, above, :3, :3], offset)
        first = int(skeleton.tables.first_coordinate[root])
        q = proposed.q.copy()
        q[:, first : first + 3] += offset
        return Pose.trusted(skeleton, q)

"""KeepApart: collision avoidance among bodies and with obstacles."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.errors import GoalError, is_number
from posable.goals.capsules import gaps
from posable.goals.goal import Goal
from posable.goals.rows import Row
from posable.goals.target_kinds import NO_TARGET, Capsules
from posable.goals.terms import APART
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array

Capsule = tuple[float, ...]

_MARGIN = 0.002  # of the reach
_TOUCHING_GAP = 0.25  # of the thinner radius: bodies of one limb closer than this at rest may touch
_JOINTS_ABOVE = 3  # largest number of joints between two bodies of one limb
_SHORT_BODY = 1.5  # radii: if a body this short bends between two others of its limb, they always touch


@dataclass(frozen=True, eq=False)
class KeepApart(Goal):
    """Collision avoidance: the figure's capsules (`Joint.capsules`) stay out of each other and of obstacles.

    `posable.with_capsules(figure)` fits capsules to a skin or to display shapes. Neighbours may touch, and so may
    capsules that overlap at rest, or would overlap if they began at their joints, such as an arm and the chest from
    which it grows. The residual of a pair is its penetration depth, 0 where the two are apart (nearest points of
    segments: Ericson 2005, 5.1.9); the distance in `solution.goals` is the deepest penetration.

    Args:
        joints: Names of the joints whose capsules take part; None for all.
        obstacles: Capsules `[..., obstacle, 7]` in the world: start x y z, end x y z, radius; equal ends make a sphere.
            They are the target of this goal: leading axes are those of a batch or of the frames of a
            motion, and a prepared solve takes new ones, of the same number, with each call.
        among_themselves: Whether the figure's own capsules avoid each other.
        margin: Distance that is kept, in the figure's length unit; None is 0.002 of its reach. A smaller gap does
            not count as touching.
        weight: Factor of the squared depth, at least 0; 0 switches the goal off.
        relative_to: Frame `[..., 4, 4]` of a prop in which the obstacles are given; None for the world.

    Raises:
        GoalError: For an invalid capsule, margin or weight; when it is solved, where no joint has a capsule.

    Example:
        >>> table = posable.KeepApart(obstacles=[(-0.5, 0.7, 0.4, 0.5, 0.7, 0.4, 0.05)])
    """

    joints: Sequence[str] | None = None
    obstacles: ArrayLike = ()
    among_themselves: bool = True
    margin: float | None = None
    weight: float = 1.0
    relative_to: ArrayLike | None = None

    joint = ""
    TARGET = "obstacles"
    ALWAYS = True

    def __post_init__(self) -> None:
        none = isinstance(self.obstacles, Sequence) and not len(self.obstacles)
        rows = np.zeros((0, 7)) if none else self._checked("an obstacle", self.obstacles, (7,))
        if rows.ndim < 2 or not (rows[..., 6] > 0).all():
            raise GoalError("KeepApart: an obstacle is 7 numbers, start, end and a radius above 0; give a list of them")
        if not isinstance(self.among_themselves, bool):
            raise GoalError(f"KeepApart: among_themselves is True or False, not {self.among_themselves!r}")
        if self.margin is not None and not (is_number(self.margin) and 0 < self.margin < math.inf):
            raise GoalError(f"KeepApart: margin must be a number above 0, not {self.margin!r}")
        if isinstance(self.relative_to, str):
            raise GoalError(
                f"KeepApart: relative_to is the frame of a prop, not a joint; {self.relative_to!r} carries capsules "
                f"of its own"
            )
        self._check_prop()
        self._check_weight("weight")
        self._set("obstacles", rows)
        self._set("KIND", Capsules(rows.shape[-2]))  # of this goal alone: one capsule for each obstacle
        self._set("SHAPE", self.KIND.shape)
        if self.joints is not None:
            if not isinstance(self.joints, Iterable):
                raise GoalError(f"KeepApart: joints are names of joints, not {self.joints!r}")
            self._set("joints", (self.joints,) if isinstance(self.joints, str) else tuple(self.joints))
            self._check_names(*self.joints)

    @property
    def solids(self) -> Array:
        return np.asarray(self.given, float)

    def structure(self) -> Hashable:
        return KeepApart, self.joints, self.SHAPE[0], self.among_themselves, self.margin, self.weight

    def rows(self, skeleton: Skeleton) -> tuple[Row, ...]:
        return _rows(skeleton, self.structure())


@lru_cache(maxsize=64)
def _rows(skeleton: Skeleton, structure: tuple) -> tuple[Row, ...]:
    _, joints, obstacles, among_themselves, margin, weight = structure
    margin = _MARGIN * skeleton.reach if margin is None else margin
    chosen = range(len(skeleton.joints)) if joints is None else sorted({skeleton.index(name) for name in joints})
    own = [(j, capsule) for j in chosen for capsule in skeleton.definitions[j].capsules]
    if not own:
        raise GoalError(
            "KeepApart: no joint of this figure has a capsule; state them in its file, or use "
            "posable.with_capsules(figure)"
        )
    pairs = _pairs(skeleton, own, margin) if among_themselves else []
    slack = margin / skeleton.reach
    rows = [Row(APART, i, weight, NO_TARGET.form, (*a, *b, margin), k, slack=slack) for (i, a), (k, b) in pairs]
    none = (0.0,) * 7  # the obstacle is the target
    rows += [
        Row(APART, i, weight, Capsules.form, (*a, *none, margin), slack=slack, at=7 * n)
        for i, a in own
        for n in range(obstacles)
    ]
    if not rows:
        raise GoalError("KeepApart: no two of these capsules can come any nearer than they are, so it has no effect")
    return tuple(rows)


def _pairs(
    skeleton: Skeleton, own: list[tuple[int, Capsule]], margin: float
) -> list[tuple[tuple[int, Capsule], tuple[int, Capsule]]]:
    """The pairs that may collide: on bodies that move relative to each other, not neighbours, separate at rest."""
    one, other = moving_pairs(skeleton, own)
    free = np.minimum(*gaps_at_rest(skeleton, own, one, other)) > margin
    return [(own[i], own[k]) for i, k in zip(one[free], other[free], strict=True)]


def moving_pairs(skeleton: Skeleton, own: list[tuple[int, Capsule]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(`[pair]` one, other) of joints' capsules on bodies that move relative to each other. Neighbours are left out,
    and bodies that touch whenever a short body between them bends, such as thigh and foot of a stumpy leg.
    """
    one, other = np.triu_indices(len(own), 1)
    joints = np.array([j for j, _ in own])
    body = rigid_bodies(skeleton)
    above = np.array([body[skeleton.parents[j]] if skeleton.parents[j] >= 0 else -1 for j in body])
    a, b = body[joints[one]], body[joints[other]]
    free = (a != b) & (above[a] != b) & (above[b] != a)
    thick = np.array([capsule[6] for _, capsule in own])
    thinner = np.minimum(thick[one], thick[other])
    free &= ~(_fold(skeleton, above, a, b, thinner) | _fold(skeleton, above, b, a, thinner))
    return one[free], other[free]


def _fold(
    skeleton: Skeleton, above: NDArray[np.int64], upper: NDArray[np.int64], lower: NDArray[np.int64], thick: Array
) -> NDArray[np.bool_]:
    """`[pair]` whether a body shorter than the others are `thick`, on ball joints, is between `upper` and `lower`.

    False if the upper body branches, so that arms with a short first bone stay out of the chest.

    above: `[joint]` the body that carries it, or -1.
    """
    places = Pose(skeleton, skeleton.rest_coordinates).origins
    balls = np.array([joint.has_quaternion for joint in skeleton.definitions])
    own = np.flatnonzero((rigid_bodies(skeleton) == np.arange(len(above))) & (above >= 0))
    branches = np.bincount(above[own], minlength=len(above)) > 1
    middle = above[lower]
    short = np.linalg.norm(places[lower] - places[middle], axis=1) < _SHORT_BODY * thick
    return (middle >= 0) & (above[middle] == upper) & ~branches[upper] & balls[lower] & balls[middle] & short


def gaps_at_rest(
    skeleton: Skeleton, own: list[tuple[int, Capsule]], one: NDArray[np.int64], other: NDArray[np.int64]
) -> tuple[Array, Array]:
    """`[pair]` the gap between two capsules at rest, or the smaller one if either began at its joint, or if both did
    for capsules on the same body, such as the collar bones on a chest. For bodies of one limb, such as shin and toes,
    the gap is reduced a little, because capsules are only approximate.
    """
    placed = _placed(skeleton, own)
    rooted = _rooted(skeleton, own, placed)
    begun = np.minimum(gaps(rooted[one], placed[other]), gaps(placed[one], rooted[other]))
    joints = np.array([j for j, _ in own])
    above = np.array(skeleton.parents)[joints]
    begun = np.where(above[one] == above[other], np.minimum(begun, gaps(rooted[one], rooted[other])), begun)
    thinner = np.minimum(placed[one, 6], placed[other, 6])
    begun -= _TOUCHING_GAP * thinner * _of_one_limb(skeleton, joints[one], joints[other])
    return gaps(placed[one], placed[other]), begun


def _of_one_limb(skeleton: Skeleton, one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.bool_]:
    """`[pair]` whether a ball joint carries one of the bodies, and the other is at most three above it."""
    parents = np.array([*skeleton.parents, -1])
    balls = np.array([joint.has_quaternion for joint in skeleton.definitions])
    found = np.zeros(len(one), bool)
    for lower, upper in ((one, other), (other, one)):
        at = lower
        for _ in range(_JOINTS_ABOVE):
            at = parents[at]
            found |= balls[lower] & (at == upper)
    return found


def _rooted(skeleton: Skeleton, own: list[tuple[int, Capsule]], placed: Array) -> Array:
    """`[capsule, 7]` the capsules, each extended to the joint that moves it, by at most two radii.

    An arm that is raised at rest still grows out of the chest, and overlaps it when it hangs.
    """
    found, places = placed.copy(), Pose(skeleton, skeleton.rest_coordinates).origins
    for row, (joint, _) in enumerate(own):
        ends = placed[row, :6].reshape(2, 3)
        near = int(np.linalg.norm(ends - places[joint], axis=1).argmin())
        way = places[joint] - ends[near]
        found[row, 3 * near : 3 * near + 3] += way * min(
            1.0, 2 * placed[row, 6] / max(float(np.linalg.norm(way)), 1e-12)
        )
    return found


def rigid_bodies(skeleton: Skeleton) -> NDArray[np.int64]:
    """`[joint]` the joint that moves its rigid body: itself, unless it is fixed to its parent."""
    body = np.arange(len(skeleton.joints))
    for j, joint in enumerate(skeleton.definitions):
        if not joint.dof and skeleton.parents[j] >= 0:
            body[j] = body[skeleton.parents[j]]
    return body


def _placed(skeleton: Skeleton, own: list[tuple[int, Capsule]]) -> Array:
    """`[capsule, 7]` in the world, at rest."""
    world = Pose(skeleton, skeleton.rest_coordinates).world_from_joint
    capsules = np.array([capsule for _, capsule in own])
    turns, places = world[[j for j, _ in own], :3, :3], world[[j for j, _ in own], :3, 3]
    ends = [(turns @ capsules[:, k : k + 3, None])[..., 0] + places for k in (0, 3)]
    return np.concatenate([*ends, capsules[:, 6:]], axis=1)

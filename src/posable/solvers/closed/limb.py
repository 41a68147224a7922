"""A limb of a skeleton, two bones long, that reaches in one step: arm, leg, or two links of a machine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.errors import GoalError, PoseError, SkeletonError
from posable.skeleton import Pose, Skeleton
from posable.skeleton.kinematics import flat_rows
from posable.skeleton.tables import SCALAR
from posable.solvers.closed.limb_poses import reach_with_limbs
from posable.spatial import Array

_MEET = 1e-6  # of the figure's reach: hinges that miss each other by less meet in one point


@dataclass(frozen=True)
class Limb:
    """Two bones: from the upper joint to the middle one, and from there to a point of the end joint.

    upper: a ball, or the first of one to three hinges above the middle joint: three or two whose axes meet in a point,
    or one that is parallel to the middle one. middle: a hinge or a ball. end: a joint below, moved by the middle one.
    A free joint stays where it is and turns as a ball does. Joints in between keep their angles.
    Raises UnknownJointError; SkeletonError for joints that make no such limb.
    """

    skeleton: Skeleton
    upper: str
    middle: str
    end: str

    def __post_init__(self) -> None:
        for field in ("upper", "middle", "end"):
            joint = self.skeleton.joints[self.skeleton.index(getattr(self, field))]
            object.__setattr__(self, field, joint)
        chain = [self.skeleton.joints[j] for j in self.skeleton.chain(self.end)]
        if self.upper not in chain or self.middle not in chain[chain.index(self.upper) + 1 : -1]:
            raise SkeletonError(
                f"a limb leads down from its upper joint over the middle one to its end; {self.upper!r}, "
                f"{self.middle!r}, {self.end!r} do not"
            )
        self._check_kinds()

    def _check_kinds(self) -> None:
        if not turns_freely(self.skeleton, self.middle) and len(self._hinges_of(self.middle)) != 1:
            raise SkeletonError(f"the middle joint of a limb is a hinge or a ball, and {self.middle!r} is neither")
        if turns_freely(self.skeleton, self.upper):
            return
        count = len(self.upper_freedoms)
        if not 1 <= count <= 3:
            raise SkeletonError(
                f"the upper joint of a limb is a ball or has one to three hinges; {self.upper!r} and what follows it "
                f"have {count}"
            )
        directions, points = self._axes(Pose(self.skeleton, self.skeleton.rest_coordinates), self.upper_freedoms)
        if count == 1:
            if turns_freely(self.skeleton, self.middle):
                raise SkeletonError(f"with one hinge above, {self.middle!r} must be a hinge parallel to it, not a ball")
            other = self._axes(Pose(self.skeleton, self.skeleton.rest_coordinates), self._hinges_of(self.middle))[0]
            if np.linalg.norm(np.cross(directions[0], other[0])) > _MEET:
                raise SkeletonError(f"the hinges {self.upper!r} and {self.middle!r} of a limb must be parallel")
        elif _missed(directions, points) > _MEET * self.skeleton.reach:
            raise SkeletonError(f"the hinges of the upper joint {self.upper!r} do not meet in one point")

    def _hinges_of(self, joint: str) -> list[int]:
        """The freedoms of a joint that are plain hinges of its own."""
        t, j = self.skeleton.tables, self.skeleton.index(joint)
        axes = range(t.first_axis[j], t.first_axis[j + 1])
        plain = [a for a in axes if not t.slides[a] and t.gain[a] == 1.0 and t.gain2[a] == 0.0]
        own = self.skeleton.freedom_range(j)
        return [int(t.axis_dof[a]) for a in plain if t.axis_dof[a] in own and t.code[j] == SCALAR]

    @property
    def elbow_freedoms(self) -> list[int]:
        """The hinge of the middle joint, none if it is a ball."""
        return self._hinges_of(self.middle)

    @property
    def upper_freedoms(self) -> list[int]:
        """The hinges from the upper joint down to the middle one, none if the upper joint is a ball."""
        if turns_freely(self.skeleton, self.upper):
            return []
        chain = [self.skeleton.joints[j] for j in self.skeleton.chain(self.middle)]
        return [f for joint in chain[chain.index(self.upper) : -1] for f in self._hinges_of(joint)]

    def _axes(self, pose: Pose, freedoms: list[int]) -> tuple[Array, Array]:
        """Directions and points `[..., freedom, 3]` of hinges, in the world."""
        columns = np.swapaxes(pose.jacobian(self.end)[..., freedoms], -1, -2)
        directions = columns[..., 3:]
        origin = pose.world_from_joint[..., self.skeleton.index(self.end), None, :3, 3]
        return directions, origin + np.cross(directions, columns[..., :3])

    def reach(
        self, start: Pose, target: ArrayLike, pole: ArrayLike | None = None, tip: ArrayLike = (0.0, 0.0, 0.0)
    ) -> tuple[Pose, Array]:
        """The pose with the point `tip` (in the end joint's frame) at `target [..., 3]`, and `[...]` the distance left.

        pole: the direction in the world to which the middle joint points, `[..., 3]`; None: as near to the start as may
        be. Hinges stay within their limits, whichever of the ways to bend that needs; a ball is brought into its cone
        afterwards. Out of reach, the closest pose with the limb straight, or folded, towards the target.
        Raises GoalError for what is no target, PoseError for a start of another skeleton.
        """
        if start.skeleton is not self.skeleton and start.skeleton != self.skeleton:
            raise PoseError("the start pose belongs to another skeleton than the limb")
        target, tip = _points(target, "the target of a limb"), _points(tip, "the tip of a limb")
        towards = _points((0.0, 0.0, 0.0) if pole is None else pole, "the pole of a limb")
        shape = np.broadcast_shapes(start.shape, target.shape[:-1], towards.shape[:-1], tip.shape[:-1])
        targets, poles, tips = (np.array(flat_rows(points, shape)) for points in (target, towards, tip))
        q, left = np.array(flat_rows(start.q, shape)), np.empty(len(targets))
        reach_with_limbs(self.skeleton.packed, *self.numbers, targets, poles, tips, q, left)
        return Pose.trusted(self.skeleton, q.reshape(*shape, q.shape[-1])), left.reshape(shape)

    @cached_property
    def numbers(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(the joints to place `[joint, 1]`, the limb) as `limb_poses` reads them."""
        upper, middle, end = (self.skeleton.index(joint) for joint in (self.upper, self.middle, self.end))
        hinges, elbow = self.upper_freedoms, self._hinges_of(self.middle)
        axes = [self._axis(freedom) for freedom in hinges] + [-1] * (3 - len(hinges))
        used = np.array(self.skeleton.chain(end), np.int64)[:, None]
        limb = [upper, middle, end, len(hinges), *axes, self._axis(elbow[0]) if elbow else -1, 0, len(used)]
        return used, np.array(limb, np.int64)

    def _axis(self, freedom: int) -> int:
        return int(np.flatnonzero(self.skeleton.tables.axis_dof == freedom)[0])


def turns_freely(skeleton: Skeleton, joint: str | int) -> bool:
    """Whether a joint turns about a point, in any direction: a ball, or a free joint."""
    return bool(skeleton.tables.code[joint if isinstance(joint, int) else skeleton.index(joint)] != SCALAR)


def turning_freedoms(skeleton: Skeleton, joint: str | int) -> list[int]:
    """The three freedoms by which such a joint turns; those of its slides come before."""
    return list(skeleton.freedom_range(joint))[-3:]


def _points(values: ArrayLike, what: str) -> Array:
    try:
        points = np.asarray(values, float)
    except (TypeError, ValueError) as problem:
        raise GoalError(f"{what} is not numbers in a regular array: {problem}") from problem
    if points.ndim < 1 or points.shape[-1] != 3 or not np.isfinite(points).all():
        raise GoalError(f"{what} is 3 finite numbers, [..., 3]")
    return points


def _meeting(directions: Array, points: Array) -> Array:
    """The point nearest to all of these lines `[..., line, 3]`; of one line, its own point."""
    if directions.shape[-2] == 1:
        return points[..., 0, :]
    across = np.eye(3) - directions[..., :, None] * directions[..., None, :]
    return np.linalg.solve(across.sum(axis=-3), (across @ points[..., None]).sum(axis=-3))[..., 0]


def _missed(directions: Array, points: Array) -> float:
    """How far the point nearest to all lines is from the worst of them; infinite if they are all parallel."""
    if np.linalg.norm(np.cross(directions[0], directions[1:]), axis=-1).max() < _MEET:
        return np.inf
    return float(np.linalg.norm(np.cross(directions, _meeting(directions, points) - points), axis=-1).max())

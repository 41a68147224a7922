"""Arms of six hinges that have a closed form, recognised from their axes and not from the frames of their file."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import GoalError, PoseError
from posable.goals.term_arrays import NOT_FINITE, NOT_RIGID
from posable.skeleton import Pose, Skeleton
from posable.solvers.closed import links as layout
from posable.solvers.closed.branches import branch_one, branch_rows
from posable.solvers.closed.links import EXACT, Lines, Links, lines_of, links_of
from posable.spatial import Array, rigid_inverse

_CROSSING = 1e-3  # axes within this of parallel, but not parallel, make the formulas ill-conditioned


@dataclass(frozen=True, eq=False)
class ClosedForm:
    """An arm of six hinges for which formulas give all poses that reach a frame, at most eight.

    skeleton, joint: the joint with a target frame. base: the joint that carries the arm, "" for the world.
    arm: the constants that kernels read (`posable.solvers.closed.links`).

    Arms with a spherical wrist (the last three axes meet in a point; or the first three), and with three parallel axes
    next to one another (2, 3, 4 or 3, 4, 5 with the outer two at the other end meeting; 1, 2, 3 or 4, 5, 6 likewise).
    """

    skeleton: Skeleton
    joint: str
    base: str
    arm: Array = field(repr=False)

    @classmethod
    def of(cls, skeleton: Skeleton, joint: str, base: str = "") -> ClosedForm | None:
        """The closed form of the arm that carries `joint`, or None if it has none.

        base: a joint above the arm, for an arm on a moving body; it stays as in the start pose. Between base and joint
        there must be six hinges with freedoms of their own; other joints must be fixed.
        Raises UnknownJointError.
        """
        end = skeleton.index(joint)
        foot = skeleton.index(base) if base else -1
        if foot >= 0 and foot not in skeleton.chain(end):
            return None
        lines = lines_of(skeleton, end, foot)
        arm = None if lines is None else _constants(skeleton, lines)
        if arm is None:
            return None
        arm.setflags(write=False)
        return cls(skeleton, skeleton.joints[end], skeleton.joints[foot] if base else "", arm)

    def branches(self, world_from_joint: ArrayLike, start: Pose) -> tuple[Array, np.ndarray]:
        """All poses within the limits that bring the joint to `world_from_joint [..., 4, 4]`.

        Returns coordinates `[..., 8, coordinates]`, nearest to the start first (by the sum of squared angles), and
        `[...]` their number; the rest of the eight are NaN. Each angle is, modulo 2π, the one within the limits nearest
        to the start's. Where an angle is free (collinear axes) it is the start's. Joints outside the arm stay as in the
        start.
        Raises GoalError for a matrix that is not a rigid transform, PoseError for a start of another skeleton.
        """
        target, q = _as_frames(world_from_joint), start.q
        if start.skeleton is not self.skeleton and start.skeleton != self.skeleton:
            raise PoseError("the start pose belongs to another skeleton than the closed form")
        if self.base:
            target = rigid_inverse(start.world_from_joint[..., self.skeleton.index(self.base), :, :]) @ target
        if target.ndim == 2 and q.ndim == 1:  # the general path would take as long as the formulas
            out = np.empty((layout.MOST_BRANCHES, len(q)))
            wrong, found = branch_one(self.arm, target, q.copy(), out, np.empty(layout.SCRATCH))
            _check(wrong)
            return out, np.array(found)
        try:
            shape = np.broadcast_shapes(target.shape[:-2], start.shape)
        except ValueError:
            raise GoalError(f"targets of shape {target.shape[:-2]} and starts of {start.shape} do not match") from None
        rows = math.prod(shape)
        targets = np.array(np.broadcast_to(target, (*shape, 4, 4))).reshape(rows, 4, 4)
        out, count = self._rows(targets, np.broadcast_to(q, (*shape, q.shape[-1])).reshape(rows, q.shape[-1]))
        return out.reshape(*shape, *out.shape[1:]), count.reshape(shape)

    def _rows(self, targets: Array, starts: Array) -> tuple[Array, np.ndarray]:
        """As `branches`, for `targets [row, 4, 4]` and `starts [row, coordinates]`."""
        rows, coordinates = starts.shape
        out, count = np.empty((rows, layout.MOST_BRANCHES, coordinates)), np.empty(rows, np.int64)
        _check(branch_rows(self.arm, targets, starts.copy(), out, count))
        return out, count


def _check(wrong: int) -> None:
    """GoalError for the fault that a kernel found in a target."""
    if wrong == NOT_FINITE:
        raise GoalError("the target frame of the joint has a number that is not finite")
    if wrong == NOT_RIGID:
        raise GoalError("the target frame of the joint is not a rigid transform: its 3×3 part must be a rotation")


def _as_frames(world_from_joint: ArrayLike) -> Array:
    try:
        target = np.array(world_from_joint, float)
    except (TypeError, ValueError) as problem:
        raise GoalError(f"the target frame of the joint is not a regular array of numbers: {problem}") from problem
    if target.shape[-2:] != (4, 4):
        raise GoalError(f"the target frame of the joint is an array [..., 4, 4], not one of shape {target.shape}")
    return target


def _constants(skeleton: Skeleton, lines: Lines) -> Array | None:
    """The flat array of the first family that the arm belongs to, from its base up or from its end down."""
    points = np.concatenate([lines.points, lines.end[None, :3, 3]])
    size = float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
    if not (size > 0.0 and _moves_everywhere(lines, size)):
        return None
    forward = links_of(lines.directions, lines.points, size)
    backward = links_of(-lines.directions[::-1], lines.points[::-1], size)
    for recognise in (_spherical, _parallel_later, _parallel_early):
        for links, mirrored in ((forward, False), (backward, True)):
            family = recognise(links, size) if links else None
            if links and family is not None:
                return _packed(skeleton, lines, links, family, mirrored, size)
    return None


def _moves_everywhere(lines: Lines, size: float) -> bool:
    """Whether the Jacobian of the arm has rank 6 in some pose."""
    angles = np.random.default_rng(0).uniform(-math.pi, math.pi, (4, 6))
    return any(np.linalg.svd(_jacobian(lines, q, size), compute_uv=False)[-1] > EXACT for q in angles)


def _jacobian(lines: Lines, angles: Array, size: float) -> Array:
    """`[6, 6]` the Jacobian of the end about the base's origin, lengths in sizes of the arm."""
    turn, offset, columns = np.eye(3), np.zeros(3), []
    for h, p, angle in zip(lines.directions, lines.points / size, angles, strict=True):
        axis = turn @ h
        columns.append([*axis, *np.cross(turn @ p + offset, axis)])
        cross = np.cross(np.eye(3), h)
        own = np.eye(3) - math.sin(angle) * cross + (1.0 - math.cos(angle)) * cross @ cross
        turn, offset = turn @ own, turn @ (p - own @ p) + offset
    return np.array(columns).T


def _spherical(links: Links, size: float) -> int | None:
    near, crossing = EXACT * size, np.abs(np.sin(links.alpha))
    if max(abs(links.a[3]), abs(links.a[4]), abs(links.d[4])) > near or min(crossing[3], crossing[4]) < _CROSSING:
        return None
    if crossing[0] < EXACT:
        return layout.FIRST_AND_SECOND_PARALLEL
    if crossing[1] < EXACT:
        return layout.SECOND_AND_THIRD_PARALLEL
    return layout.FIRST_AND_SECOND_MEET if abs(links.a[0]) < near else layout.ANY_THREE


def _parallel_later(links: Links, size: float) -> int | None:
    crossing = np.abs(np.sin(links.alpha))
    parallel = max(crossing[1], crossing[2]) < EXACT and crossing[[0, 3, 4]].min() > _CROSSING
    meet = abs(links.a[4]) < EXACT * size
    return layout.SECOND_TO_FOURTH_PARALLEL if parallel and meet else None


def _parallel_early(links: Links, size: float) -> int | None:
    crossing = np.abs(np.sin(links.alpha))
    if max(crossing[0], crossing[1]) > EXACT or crossing[[2, 3, 4]].min() < _CROSSING:
        return None
    if abs(links.a[4]) < EXACT * size:
        return layout.FIRST_TO_THIRD_PARALLEL
    return layout.FIRST_TO_THIRD_PARALLEL_EARLY if abs(links.a[3]) < EXACT * size else None


def _packed(skeleton: Skeleton, lines: Lines, links: Links, family: int, mirrored: bool, size: float) -> Array:
    arm = np.zeros(layout.ARM)
    arm[[layout.FAMILY, layout.ONE_OVER_SIZE, layout.MIRRORED]] = family, 1.0 / size, mirrored
    left, right = rigid_inverse(links.base), rigid_inverse(links.tool)
    # The motion of the end from the zero pose is target · end⁻¹, or the inverse of that.
    left, right = (left @ lines.end, right) if mirrored else (left, rigid_inverse(lines.end) @ right)
    for first, matrix in ((layout.LEFT, left), (layout.RIGHT, right)):
        arm[first : first + 9] = matrix[:3, :3].ravel()
        arm[first + 9 : first + 12] = matrix[:3, 3] / size
    order = slice(None, None, -1) if mirrored else slice(None)
    freedoms = lines.freedoms[order]
    rows = arm[layout.JOINTS :].reshape(6, layout.JOINT)
    rows[:, layout.A], rows[:, layout.D] = links.a / size, links.d / size
    rows[:, layout.COS_ALPHA], rows[:, layout.SIN_ALPHA] = np.cos(links.alpha), np.sin(links.alpha)
    rows[:, layout.COS_BETA], rows[:, layout.SIN_BETA] = np.cos(links.beta), np.sin(links.beta)
    rows[:, layout.SIGN], rows[:, layout.SHIFT] = links.sign, -links.sign * links.offset
    rows[:, layout.LOWER], rows[:, layout.UPPER] = skeleton.lower[freedoms], skeleton.upper[freedoms]
    rows[:, layout.COORDINATE] = lines.coordinates[order]
    return arm

"""A limb of two bones that reaches its target in one step: an arm, a leg, or two links of a machine."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.compiled.decorators import inner_kernel, kernel, maker_kernel
from posable.compiled.simd_batch import sine_cosine
from posable.errors import GoalError, PoseError, SkeletonError
from posable.skeleton import Pose, Skeleton
from posable.skeleton.batches import flat_rows
from posable.skeleton.forward import axis_value, place_joints, rotation_at
from posable.skeleton.limits import clamp_ball
from posable.skeleton.tables import ANCHOR, AXIS, AXIS_COORDINATE, AXIS_DOF, COORDINATE, LOWER, UPPER
from posable.solvers.closed import bending
from posable.solvers.closed.bending import bend_limb
from posable.spatial import Array
from posable.spatial.kernels import cross, exp_wxyz, multiply_wxyz, rotate

# Compiled: a limb of a pose is bent to its target, from coordinates to coordinates.


# A limb as numbers: its joints, the axes of its hinges (-1 for none), the range of the joints to compute.
FIRST, MIDDLE, END, HINGES, HINGE, ELBOW, BEGIN, STOP = 0, 1, 2, 3, 4, 7, 8, 9
LIMB = 10


class Placed(NamedTuple):
    """Scratch: one pose in the world, and the arguments and results of `bend_limb`."""

    turns: NDArray[np.float64]
    origins: NDArray[np.float64]
    axes: NDArray[np.float64]
    anchors: NDArray[np.float64]
    moved: NDArray[np.float64]
    row: NDArray[np.float64]
    answer: NDArray[np.float64]


@maker_kernel
def make_placed(t):
    """The scratch."""
    joints, axes = t.frame.shape[0], t.axis.shape[0]
    return Placed(
        np.empty((joints, 3, 3)),
        np.empty((joints, 3)),
        np.empty((axes, 3)),
        np.empty((axes, 3)),
        np.empty((3, axes)),
        np.empty(bending.LIMB),
        np.empty(bending.ANSWER),
    )


@inner_kernel
def place_chain(t, used, q, s):
    """Compute the world frames of the joints `used [joint, 1]` of the pose q."""
    for n in range(used.shape[0]):
        for a in range(t.joint[used[n, 0], AXIS], t.joint[used[n, 0] + 1, AXIS]):
            s.moved[0, a] = axis_value(t, q, a)
            s.moved[1, a], s.moved[2, a] = sine_cosine(s.moved[0, a])
    place_joints(t, used, q, s.moved, s.turns, s.origins, s.axes, s.anchors)


@inner_kernel
def point_of(s, j, x, y, z):
    """A point of a joint's frame in the world."""
    x, y, z = rotate(rotation_at(s.turns, j), x, y, z)
    return x + s.origins[j, 0], y + s.origins[j, 1], z + s.origins[j, 2]


@inner_kernel
def _put(row, first, v):
    row[first], row[first + 1], row[first + 2] = v


@inner_kernel
def _put_angle(t, row, first, q, a):
    d = t.axis_number[a, AXIS_DOF]
    row[first] = q[t.axis_number[a, AXIS_COORDINATE]]
    row[first + 1], row[first + 2] = t.bound[d, LOWER], t.bound[d, UPPER]


@inner_kernel
def describe_limb(t, limb, q, tip, s):
    """Fill the limb's row, but for the target, the pole and the twist."""
    row, first, middle = s.row, limb[FIRST], limb[MIDDLE]
    row[bending.HINGES] = limb[HINGES]
    _put(row, bending.END, point_of(s, limb[END], tip[0], tip[1], tip[2]))
    if limb[HINGES] == 0:
        anchor = t.frame[first, ANCHOR], t.frame[first, ANCHOR + 1], t.frame[first, ANCHOR + 2]
        _put(row, bending.UPPER, point_of(s, first, anchor[0], anchor[1], anchor[2]))
    for k in range(limb[HINGES]):
        a = limb[HINGE + k]
        _put(row, bending.HINGE_AXES + 3 * k, (s.axes[a, 0], s.axes[a, 1], s.axes[a, 2]))
        _put_angle(t, row, bending.ANGLES + 3 * k, q, a)
    if limb[HINGES] > 0:
        _put(row, bending.UPPER, _meeting_of_bones(s, limb))
    a = limb[ELBOW]
    if a >= 0:
        _put(row, bending.MIDDLE, (s.anchors[a, 0], s.anchors[a, 1], s.anchors[a, 2]))
        _put(row, bending.AXIS, (s.axes[a, 0], s.axes[a, 1], s.axes[a, 2]))
        _put_angle(t, row, bending.BEND, q, a)
        return
    anchor = t.frame[middle, ANCHOR], t.frame[middle, ANCHOR + 1], t.frame[middle, ANCHOR + 2]
    _put(row, bending.MIDDLE, point_of(s, middle, anchor[0], anchor[1], anchor[2]))
    row[bending.BEND], row[bending.BEND + 1], row[bending.BEND + 2] = 0.0, -math.inf, math.inf


@inner_kernel
def _meeting_of_bones(s, limb):
    """The point of the first hinge nearest to the next one (of three, to the last one where these are parallel)."""
    a = limb[HINGE]
    x, y, z = s.anchors[a, 0], s.anchors[a, 1], s.anchors[a, 2]
    for k in range(1, limb[HINGES]):
        b = limb[HINGE + k]
        dot = s.axes[a, 0] * s.axes[b, 0] + s.axes[a, 1] * s.axes[b, 1] + s.axes[a, 2] * s.axes[b, 2]
        square, along = (1.0 - dot) * (1.0 + dot), 0.0
        if square > 1e-9:
            for i in range(3):
                along += (s.anchors[b, i] - s.anchors[a, i]) * (s.axes[a, i] - dot * s.axes[b, i])
            along /= square
            return x + along * s.axes[a, 0], y + along * s.axes[a, 1], z + along * s.axes[a, 2]
    return x, y, z


@inner_kernel
def _plane(row):
    """The unit normal of the limb's plane: the axis about which a ball in the middle bends.

    Of a straight limb, one across it that bends the middle joint towards the pole.
    """
    m, u, e = bending.MIDDLE, bending.UPPER, bending.END
    ax, ay, az = row[u] - row[m], row[u + 1] - row[m + 1], row[u + 2] - row[m + 2]
    bx, by, bz = row[e] - row[m], row[e + 1] - row[m + 1], row[e + 2] - row[m + 2]
    size = math.sqrt((ax * ax + ay * ay + az * az) * (bx * bx + by * by + bz * bz))
    x, y, z = cross(ax, ay, az, bx, by, bz)
    for k in range(3):
        length = math.sqrt(x * x + y * y + z * z)
        if length > 1e-9 * max(size, 1e-300):
            return x / length, y / length, z / length
        if k == 0:
            p = bending.POLE
            x, y, z = cross(ax, ay, az, row[p], row[p + 1], row[p + 2])
        elif k == 1:
            x, y, z = cross(ax, ay, az, 1.0, 0.0, 0.0)
        else:
            x, y, z = cross(ax, ay, az, 0.0, 1.0, 0.0)
    length = max(math.sqrt(x * x + y * y + z * z), 1e-300)
    return x / length, y / length, z / length


@inner_kernel
def bend_pose(t, limb, s, q):
    """Bend the limb of the pose q as its row states; whether a cone stopped a ball."""
    row, answer, held = s.row, s.answer, False
    if limb[ELBOW] < 0:
        _put(row, bending.AXIS, _plane(row))
    bend_limb(row, answer)
    for k in range(limb[HINGES]):
        _turn_hinge(t, limb[HINGE + k], answer[bending.TURNED + k], q)
    if limb[HINGES] == 0:
        w, x, y, z = answer[1], answer[2], answer[3], answer[4]
        held = _turn_ball(t, limb[FIRST], s, w, x, y, z, q)
    if limb[ELBOW] >= 0:
        _turn_hinge(t, limb[ELBOW], answer[bending.BENT], q)
    else:
        bent, a = answer[bending.BENT], bending.AXIS
        w, x, y, z = exp_wxyz(bent * row[a], bent * row[a + 1], bent * row[a + 2])
        held = _turn_ball(t, limb[MIDDLE], s, w, x, y, z, q) or held
    return held


@inner_kernel
def _turn_hinge(t, a, change, q):
    c, d = t.axis_number[a, AXIS_COORDINATE], t.axis_number[a, AXIS_DOF]
    q[c] = min(max(q[c] + change, t.bound[d, LOWER]), t.bound[d, UPPER])


@inner_kernel
def _turn_ball(t, j, s, w, x, y, z, q):
    """Rotate a ball, or a free joint, by a world rotation T: q ← q · (R⁻¹ T R), R its own rotation in the world."""
    c, r = t.joint[j + 1, COORDINATE] - 4, rotation_at(s.turns, j)
    x, y, z = r[0] * x + r[3] * y + r[6] * z, r[1] * x + r[4] * y + r[7] * z, r[2] * x + r[5] * y + r[8] * z
    w, x, y, z = multiply_wxyz(q[c], q[c + 1], q[c + 2], q[c + 3], w, x, y, z)
    size = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    q[c], q[c + 1], q[c + 2], q[c + 3] = size * w, size * x, size * y, size * z
    return t.cones[j, 7] >= 0.0 and clamp_ball(t.cones[j], q, c)


@inner_kernel
def left_of(t, limb, s, tip, held, used, q):
    """The distance of the tip from the target of the row, once the limb is bent."""
    u, target = bending.UPPER, bending.TARGET
    if held:
        place_chain(t, used, q, s)
        x, y, z = point_of(s, limb[END], tip[0], tip[1], tip[2])
    else:
        first = bending.ENDED
        x, y, z = s.answer[first] + s.row[u], s.answer[first + 1] + s.row[u + 1], s.answer[first + 2] + s.row[u + 2]
    x, y, z = x - s.row[target], y - s.row[target + 1], z - s.row[target + 2]
    return math.sqrt(x * x + y * y + z * z)


@kernel
def reach_with_limbs(t, used, limb, targets, poles, tips, q, left):
    """Bend a limb of every pose `q [pose, coordinates]` to its target `[pose, 3]`; `left [pose]` is the error."""
    s = make_placed(t)
    for p in range(q.shape[0]):
        place_chain(t, used, q[p], s)
        describe_limb(t, limb, q[p], tips[p], s)
        for i in range(3):
            s.row[bending.TARGET + i], s.row[bending.POLE + i] = targets[p, i], poles[p, i]
        s.row[bending.TWIST] = 0.0
        held = bend_pose(t, limb, s, q[p])
        left[p] = left_of(t, limb, s, tips[p], held, used, q[p])


_MEET = 1e-6  # of the figure's reach: axes with a smaller distance meet in one point


@dataclass(frozen=True)
class Limb:
    """Two bones: from the upper joint to the middle one, and from there to a point of the end joint.

    upper: a ball, or the first of one to three hinges above the middle joint: three or two whose axes meet in a point,
    or one that is parallel to the middle one. middle: a hinge or a ball. end: a joint below, moved by the middle one.
    A free joint keeps its position and rotates as a ball does. Joints in between keep their angles.
    Raises UnknownJointError; SkeletonError for joints that are not such a limb.
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
        return [int(t.axis_dof[a]) for a in plain if t.axis_dof[a] in own]

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

        pole: the direction in the world to which the middle joint points, `[..., 3]`; None: as near to the start as
        possible. Hinges stay within their limits, with whichever bend that needs; a ball is brought into its cone
        afterwards. Out of reach, the closest pose with the limb straight, or folded, towards the target.
        Raises GoalError for an invalid target, PoseError for a start of another skeleton.
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
        """(the joints to compute `[joint, 1]`, the limb) as `limb_poses` reads them."""
        upper, middle, end = (self.skeleton.index(joint) for joint in (self.upper, self.middle, self.end))
        hinges, elbow = self.upper_freedoms, self._hinges_of(self.middle)
        axes = [self._axis(freedom) for freedom in hinges] + [-1] * (3 - len(hinges))
        used = np.array(self.skeleton.chain(end), np.int64)[:, None]
        limb = [upper, middle, end, len(hinges), *axes, self._axis(elbow[0]) if elbow else -1, 0, len(used)]
        return used, np.array(limb, np.int64)

    def _axis(self, freedom: int) -> int:
        return int(np.flatnonzero(self.skeleton.tables.axis_dof == freedom)[0])


def turns_freely(skeleton: Skeleton, joint: str | int) -> bool:
    """Whether a joint rotates freely about a point: a ball, or a free joint."""
    return skeleton.definitions[joint if isinstance(joint, int) else skeleton.index(joint)].has_quaternion


def turning_freedoms(skeleton: Skeleton, joint: str | int) -> list[int]:
    """The three rotational freedoms of such a joint; those of its slides come before."""
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
    """The distance of the point nearest to all lines from the farthest of them; infinite if they are all parallel."""
    if np.linalg.norm(np.cross(directions[0], directions[1:]), axis=-1).max() < _MEET:
        return np.inf
    return float(np.linalg.norm(np.cross(directions, _meeting(directions, points) - points), axis=-1).max())

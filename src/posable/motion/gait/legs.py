"""Legs in closed form: from hip to ankle, all frames at once, with one number for the bend of all knees of a leg.

A leg of two bones bends its knee about its joint's axis, by the law of cosines; a leg of more bones bends all its
knees together, in proportion to their bend at rest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from posable.compiled.decorators import inner_kernel, lean_kernel
from posable.errors import SkeletonError
from posable.goals import Reach
from posable.motion.gait.anatomy import Body, Leg, hinges_apart
from posable.motion.gait.batch_rotations import about_axis, cross, multiply, rotate
from posable.motion.gait.joint_coordinates import can_set
from posable.skeleton import Joint, Pose, Skeleton
from posable.solvers import prepare
from posable.spatial import Array, apply_transform, normalized, wxyz_between
from posable.spatial.kernels import cross as cross_numbers
from posable.spatial.kernels import wxyz_of_rotation

# The rotation of a leg's first bone, frame by frame: compiled, as walks need it often and for a few frames each.


@inner_kernel
def unit(x, y, z):
    """The unit vector; zero for a zero vector."""
    size = math.sqrt(x * x + y * y + z * z)
    scale = 1.0 / size if size > 0.0 else 0.0
    return x * scale, y * scale, z * scale


@inner_kernel
def carried(a, b):
    """The rotation matrix, nine numbers, that takes one orthonormal basis to another: Σ b aᵀ."""
    return (
        b[0][0] * a[0][0] + b[1][0] * a[1][0] + b[2][0] * a[2][0],
        b[0][0] * a[0][1] + b[1][0] * a[1][1] + b[2][0] * a[2][1],
        b[0][0] * a[0][2] + b[1][0] * a[1][2] + b[2][0] * a[2][2],
        b[0][1] * a[0][0] + b[1][1] * a[1][0] + b[2][1] * a[2][0],
        b[0][1] * a[0][1] + b[1][1] * a[1][1] + b[2][1] * a[2][1],
        b[0][1] * a[0][2] + b[1][1] * a[1][2] + b[2][1] * a[2][2],
        b[0][2] * a[0][0] + b[1][2] * a[1][0] + b[2][2] * a[2][0],
        b[0][2] * a[0][1] + b[1][2] * a[1][1] + b[2][2] * a[2][1],
        b[0][2] * a[0][2] + b[1][2] * a[1][2] + b[2][2] * a[2][2],
    )


@lean_kernel
def facing(span, gap, ahead, axis, out):
    """Rotations `out [n, 4]` that take `span [n, 3]` to `gap [n, 3]`, with the knee's unit `axis [3]`, which moves with
    the span, as perpendicular to `ahead [n, 3]` as possible.

    With d along the gap, u perpendicular to d and ahead, and w = d × u, the component of the axis across the span gets
    an angle from u whose sine is −a (d·ahead) / (b w·ahead); a, b are the axis' components along and across the span.
    """
    side = 1.0 if axis[0] >= 0.0 else -1.0
    for k in range(len(out)):
        e = unit(span[k, 0], span[k, 1], span[k, 2])
        d = unit(gap[k, 0], gap[k, 1], gap[k, 2])
        along = e[0] * axis[0] + e[1] * axis[1] + e[2] * axis[2]
        across = math.sqrt(max(1.0 - along * along, 1e-12))
        f = (axis[0] - along * e[0]) / across, (axis[1] - along * e[1]) / across, (axis[2] - along * e[2]) / across
        ux, uy, uz = cross_numbers(ahead[k, 0], ahead[k, 1], ahead[k, 2], d[0], d[1], d[2])
        u = unit(side * ux, side * uy, side * uz)
        w = cross_numbers(d[0], d[1], d[2], u[0], u[1], u[2])
        slope = w[0] * ahead[k, 0] + w[1] * ahead[k, 1] + w[2] * ahead[k, 2]
        slope = slope if abs(slope) > 1e-9 else 1.0
        level = d[0] * ahead[k, 0] + d[1] * ahead[k, 1] + d[2] * ahead[k, 2]
        sine = min(max(-along * level / (across * slope), -0.9), 0.9)
        cosine = math.sqrt(1.0 - sine * sine)
        g = cosine * u[0] + sine * w[0], cosine * u[1] + sine * w[1], cosine * u[2] + sine * w[2]
        h = cross_numbers(e[0], e[1], e[2], f[0], f[1], f[2])
        c = cross_numbers(d[0], d[1], d[2], g[0], g[1], g[2])
        rotation = wxyz_of_rotation(carried((e, f, h), (d, g, c)))
        sign = 1.0 if rotation[0] >= 0.0 else -1.0
        out[k, 0], out[k, 1], out[k, 2], out[k, 3] = (
            sign * rotation[0],
            sign * rotation[1],
            sign * rotation[2],
            sign * rotation[3],
        )


_STUB = 0.25  # of the longest bone: shorter ones at the top belong to the body
_LEAST_BEND = 0.35  # radians: least share of a knee of a many-boned leg, however straight at rest
_ALONG = 0.9  # cosine between a bone and the axis of a hinge that rotates it about itself
_STRAIGHT = 0.01  # radians: a knee that is bent less at rest does not tell in which direction it bends
_BENT = 0.15  # radians: a bend at rest that defines in which direction knees of many-boned legs of bipeds bend
_TABLE = 129
_FOLDED = 2.0  # largest bend of a many-boned leg, in multiples of its bend at rest
_POLISH = 6


@dataclass(frozen=True, eq=False)
class Limb:
    """A leg prepared for posing.

    joints: hip first. bones: `[bone, 3]` at rest. axes: `[knee, 3]`. shares: `[knee]` rotation of each knee per radian
    of bend. biped: the foot leads the knee.
    """

    joints: tuple[int, ...]
    hip: Array
    bones: Array
    axes: Array
    shares: Array
    straight: float  # the bend at which the leg is longest
    least: float  # the bend from straight at which limits let it be longest
    folded: float
    biped: bool

    @classmethod
    def of(cls, leg: Leg, skeleton: Skeleton, rotations: Array, *, biped: bool) -> Limb:
        """rotations: `[joint, 4]`, joint frames at rest to the figure's own axes."""
        moving = [k for k, joint in enumerate(leg.joints) if skeleton.definitions[joint].dof] or range(len(leg.joints))
        joints, points = tuple(leg.joints[k] for k in moving), leg.points[[*moving, -1]]
        first, bones = 0, np.diff(points, axis=0)
        sizes = np.linalg.norm(bones, axis=1)
        while len(bones) - first > 2 and (
            sizes[first] < _STUB * sizes.max()
            or _is_along(bones[first], skeleton.definitions[joints[first + 1]], rotations[joints[first + 1]])
        ):
            first += 1
        bones, joints, hip = bones[first:], joints[first:], points[first]
        axes, shares = _knees(skeleton, joints, bones, rotations, biped=biped)
        straight, folded = _range(cls(joints, hip, bones, axes, shares, 0.0, 0.0, 0.0, biped))
        least = max(_least_bend(skeleton, joints, axes, shares, rotations) - straight, 0.0)
        return cls(joints, hip, bones, axes, shares, straight, least, folded, biped)

    def reach(self, bend: float) -> float:
        """Distance from hip to ankle when the leg is bent by `bend` radians from straight."""
        return float(np.linalg.norm(self.span(np.array([self.straight + bend]))[0]))

    def span(self, bend: Array) -> Array:
        """`[n, 3]` vector from hip to ankle in the frame of the thigh at rest."""
        end = np.broadcast_to(self.bones[-1], (len(bend), 3))
        for axis, share, bone in zip(self.axes[::-1], self.shares[::-1], self.bones[-2::-1], strict=True):
            end = bone + rotate(about_axis(axis, share * bend), end)
        return end

    def bends(self, distance: Array) -> Array:
        """`[n]` bend at which hip and ankle are `distance [n]` apart; straight or folded where out of range."""
        if len(self.bones) == 2:
            return self._one_knee(distance)
        grid = np.linspace(self.straight, self.folded, _TABLE)
        sizes = np.linalg.norm(self.span(grid), axis=1)
        bend = np.interp(distance, sizes[::-1], grid[::-1])
        step = 1e-6
        for _ in range(_POLISH):
            off = np.linalg.norm(self.span(bend), axis=1) - distance
            slope = (np.linalg.norm(self.span(bend + step), axis=1) - distance - off) / step
            move = np.where(np.abs(slope) > 1e-6, off / np.where(slope == 0, 1.0, slope), 0.0)
            bend = np.clip(bend - np.clip(move, -0.1, 0.1), self.straight, self.folded)
        return bend

    def _one_knee(self, distance: Array) -> Array:
        constant, size, middle = _cosine_terms(self)
        cosine = np.clip((distance**2 - constant) / (2 * size), -1.0, 1.0)
        return middle + np.arccos(cosine)

    def pose(self, hip: Array, ankle: Array, ahead: Array, body: Array) -> list[Array]:
        """Rotations since rest `[n, 4]` of the leg's joints, hip first.

        hip, ankle: `[n, 3]`. ahead: `[n, 3]`, direction of the foot: a person's knee axis is perpendicular to it, as an
        ankle that cannot twist requires. body: `[n, 4]`, rotation of the body, which other legs follow.
        """
        gap = ankle - hip
        bend = self.bends(np.linalg.norm(gap, axis=1))
        span = self.span(bend)
        top = self._facing(span, gap, ahead) if self.biped else self._following(span, gap, body)
        rotations = [top]
        for axis, share in zip(self.axes, self.shares, strict=True):
            rotations.append(multiply(rotations[-1], about_axis(axis, share * bend)))
        return rotations

    def _following(self, span: Array, gap: Array, body: Array) -> Array:
        carried = rotate(body, span)
        return multiply(wxyz_between(carried, gap), body)

    def _facing(self, span: Array, gap: Array, ahead: Array) -> Array:
        rotation = np.empty((len(gap), 4))
        facing(np.ascontiguousarray(span), gap, np.ascontiguousarray(ahead), self.axes[0], rotation)
        return rotation


def _knees(
    skeleton: Skeleton, joints: tuple[int, ...], bones: Array, rotations: Array, *, biped: bool
) -> tuple[Array, Array]:
    """Axes and shares of the knees: the joint's own axis if it has one, else perpendicular to the bend at rest."""
    axes, shares = [], []
    for k, joint in enumerate(joints[1:]):
        normal = cross(bones[k], bones[k + 1])
        angle = np.arctan2(np.linalg.norm(normal), bones[k] @ bones[k + 1])
        own = skeleton.definitions[joint].axes
        if own and not own[0].slide:
            axis = rotate(rotations[joint], np.array(own[0].direction))
            forward = axis[0] if biped else axis @ normal if angle > _STRAIGHT else _room(skeleton, joint)
            axis = axis if forward >= 0 else -axis
        else:
            bent = angle > _BENT and len(joints) > 2 if biped else np.linalg.norm(normal) > 0
            axis = normalized(normal) if bent else np.array([1.0, 0.0, 0.0])
        axes.append(axis)
        shares.append(1.0 if len(joints) == 2 else max(float(angle), _LEAST_BEND))
    return np.array(axes), np.array(shares)


def _least_bend(skeleton: Skeleton, joints: tuple[int, ...], axes: Array, shares: Array, rotations: Array) -> float:
    """The bend, from rest, of which the limits of the knees' hinges allow no less."""
    found = -np.inf
    for joint, axis, share in zip(joints[1:], axes, shares, strict=True):
        definition = skeleton.definitions[joint]
        if definition.kind == "hinge":
            own, rest = definition.axes[0], skeleton.rest_coordinates[skeleton.tables.first_coordinate[joint]]
            along = rotate(rotations[joint], np.array(own.direction)) @ axis > 0
            found = max(found, float(own.lower - rest if along else rest - own.upper) / share)
    return found


def _is_along(bone: Array, joint: Joint, rotation: Array) -> bool:
    """Whether the bone above a hinge lies along its axis: that hinge is one more of the hip, and no knee."""
    if joint.kind != "hinge":
        return False
    axis = rotate(rotation, np.array(joint.axes[0].direction))
    return abs(float(axis @ bone)) > _ALONG * float(np.linalg.norm(bone))


def _room(skeleton: Skeleton, joint: int) -> float:
    """By how much farther the hinge of a straight knee may bend about its axis than against it."""
    axis, rest = skeleton.definitions[joint].axes[0], skeleton.tables.first_coordinate[joint]
    room = axis.lower + axis.upper - 2 * float(skeleton.rest_coordinates[rest])
    return room if np.isfinite(room) else 0.0


def _cosine_terms(limb: Limb) -> tuple[float, float, float]:
    """distance² = constant + 2 size cos(bend − middle)."""
    a, b, k = limb.bones[0], limb.bones[1], limb.axes[0]
    along = (a @ k) * (b @ k)
    even, odd = a @ b - along, a @ cross(k, b)
    return float(a @ a + b @ b + 2 * along), float(np.hypot(even, odd)), float(np.arctan2(odd, even))


def _range(limb: Limb) -> tuple[float, float]:
    """The bends at which the leg is longest, and folded to its maximum."""
    if len(limb.bones) == 2:
        middle = _cosine_terms(limb)[2]
        return middle, middle + np.pi
    grid = np.linspace(-1.5, _FOLDED, 701)
    sizes = np.linalg.norm(limb.span(grid), axis=1)
    longest = int(np.argmax(sizes))
    falls = np.flatnonzero(np.diff(sizes[longest:]) > 0)
    return float(grid[longest]), float(grid[longest + falls[0]] if len(falls) else grid[-1])


# Legs of hinges about different axes, as robots have, or of compound joints: a thigh's rotation cannot be split between
# them one by one, so the solver finds their angles together.


_TOLERANCE = 1e-6  # of a leg's length
_ASTRAY = 0.1  # leg lengths from a foot to its step, in the median: it does not walk


def ends_on_plan(body: Body, q: Array, ankles: Sequence[Array]) -> Array:
    """The coordinates `q [frame, coordinates]` with the ankles of such legs at their planned positions, within limits.

    Each frame starts from its own angles. ankles: `[frame, 3]` per leg, in leg lengths and the figure's own axes;
    empty for a walk without planned ankles.
    """
    if body.biped:  # bipeds with such legs have a stand-in (`stand_in.py`)
        return q
    skeleton = body.skeleton
    apart = [k for k in range(len(ankles)) if _is_solved(body, body.legs[k])]
    if not apart:
        return q
    targets = [body.world(ankles[k] * body.length) for k in apart]
    ends = [_end(body, body.legs[k]) for k in apart]
    goals = [Reach(skeleton.joints[end], where[0], tip) for (end, tip), where in zip(ends, targets, strict=True)]
    moving = {joint for k in apart for joint in body.legs[k].joints}
    frozen = [name for joint, name in enumerate(skeleton.joints) if joint not in moving]
    solver = prepare(skeleton, goals, tolerance=_TOLERANCE * body.length, restarts=0, frozen=frozen)
    found = solver.solve(Pose(skeleton, q), targets).pose
    for k, (end, tip), where in zip(apart, ends, targets, strict=True):
        _check_follows(
            body.legs[k], body.length, found, end, apply_transform(found.world_from_joint[:, end], tip), where
        )
    return np.array(found.q)


def _check_follows(leg: Leg, length: float, pose: Pose, end: int, at: Array, where: Array) -> None:
    """Raise SkeletonError for a leg whose end is `at [frame, 3]` and mostly far from where it should be."""
    off = float(np.median(np.linalg.norm(at - where, axis=-1)))
    if off > _ASTRAY * length:
        names, definitions = pose.skeleton.joints, pose.skeleton.definitions
        moving = [f"{names[j]} ({definitions[j].kind})" for j in leg.joints if definitions[j].dof]
        raise SkeletonError(
            f"{names[end]!r} stays {off:.3g} from its steps, as the leg has too little freedom for a walk: "
            f"{', '.join(moving) or 'no moving joint'}; widen its limits, or take a figure whose legs have three"
        )


def _is_solved(body: Body, leg: Leg) -> bool:
    own = (body.skeleton.definitions[joint] for joint in leg.joints)
    return bool(hinges_apart(body.skeleton, leg, body.rest_rotations)) or not all(map(can_set, own))


def _end(body: Body, leg: Leg) -> tuple[int, Sequence[float]]:
    """The joint of the ankle, and the ankle's position in its frame."""
    last = leg.joints[-1]
    if leg.foot >= 0:
        return leg.foot, (0.0, 0.0, 0.0)
    frame = body.world_rest[last]
    x, y, z = (body.world(leg.ankle) - frame[:3, 3]) @ frame[:3, :3]
    return last, (float(x), float(y), float(z))

"""The geometry of a six-hinge arm: its axes as lines at zero angles, and the links between them.

A link leads from one axis to the next as in Denavit and Hartenberg's convention: rotate about z by the joint's angle,
slide along z by d, along x by a, rotate about x by alpha, and by beta about y, which is 0 unless the axes are nearly
parallel (Hayati 1983); there d is 0.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from posable.compiled.decorators import inner_kernel
from posable.compiled.simd_batch import sine_cosine
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array, rigid_inverse

EXACT = 1e-6  # axes with a smaller deviation, in lengths of the arm or radians, count as meeting or parallel


class Lines(NamedTuple):
    """Six axes at the zero pose, from the base up, and the frame at the end, in the base's frame."""

    directions: Array  # [6, 3] of length 1
    points: Array  # [6, 3]
    end: Array  # [4, 4]
    coordinates: list[int]  # where in a pose the six angles stand
    freedoms: list[int]


class Links(NamedTuple):
    """base · Π (rotation by the angle + offset, then the link) · tool = the motion of the end from the zero pose."""

    base: Array  # [4, 4]
    tool: Array  # [4, 4]
    a: Array  # [6]
    d: Array  # [6]
    alpha: Array  # [6]
    beta: Array  # [6]
    offset: Array  # [6]
    sign: Array  # [6] -1 where the axis was reversed to be parallel to the one before


def lines_of(skeleton: Skeleton, joint: int, base: int) -> Lines | None:
    """The axes of the six hinges between joint `base` (-1: the world) and `joint`; None if there is anything else."""
    t = skeleton.tables
    chain = [j for j in skeleton.chain(joint) if j > base]
    axes = [a for j in chain for a in range(t.first_axis[j], t.first_axis[j + 1])]
    freedoms = [int(t.axis_dof[a]) for a in axes]
    plain = not (t.slides[axes].any() or t.gain2[axes].any() or (t.gain[axes] != 1.0).any())
    hinged = plain and len(set(freedoms)) == len(axes) == 6 and t.active[freedoms].all()
    if not hinged or any(skeleton.definitions[j].has_quaternion for j in chain):
        return None
    coordinates = [int(t.axis_coordinate[a]) for a in axes]
    q = np.array(skeleton.rest_coordinates)
    q[coordinates] = 0.0
    pose = Pose(skeleton, q)
    jacobian = pose.jacobian(skeleton.joints[joint])[:, freedoms]
    end = pose.world_from_joint[joint]
    # A point on each axis: its velocity is axis × lever, the lever perpendicular to the axis.
    directions = jacobian[3:].T
    points = end[:3, 3] - np.cross(jacobian[:3].T, directions)
    world_from_base = pose.world_from_joint[base] if base >= 0 else np.eye(4)
    turn, origin = world_from_base[:3, :3], world_from_base[:3, 3]
    end = rigid_inverse(world_from_base) @ end
    return Lines(directions @ turn, (points - origin) @ turn, end, coordinates, freedoms)


def links_of(directions: Array, points: Array, size: float) -> Links | None:
    """The links between six axes; None if two of them lie on one line. `size` is that of the arm."""
    h, sign = _aligned(directions)
    frame = np.eye(4)
    frame[:3, 3] = points[0]
    frame[:3, :3] = _turn_from(h[0], _normal(h[0], h[1], points[1] - points[0]))
    frame[:3, 3] = _feet(h[0], points[0], h[1], points[1], points[0])[0]
    base, rows = frame.copy(), []
    for k in range(5):
        foot, next_foot = _feet(h[k], points[k], h[k + 1], points[k + 1], frame[:3, 3])
        x = _normal(h[k], h[k + 1], next_foot - foot)
        local = frame[:3, :3].T @ np.stack([x, foot - frame[:3, 3], next_foot - foot, h[k + 1]], axis=1)
        offset = math.atan2(local[1, 0], local[0, 0])
        d, a = local[2, 1], float((next_foot - foot) @ x)
        turned = _about_z(-offset) @ local[:, 3]
        beta = math.asin(np.clip(turned[0], -1.0, 1.0)) if _parallel(h[k], h[k + 1]) else 0.0
        alpha = math.atan2(-turned[1], turned[2])
        if _parallel(h[k], h[k + 1]) and a < EXACT * size:
            return None
        rows.append((a, d, alpha, beta, offset))
        frame[:3, :3] = frame[:3, :3] @ _about_z(offset) @ _about_x(alpha) @ _about_y(beta)
        frame[:3, 3] = next_foot
    a, d, alpha, beta, offset = np.array([*rows, (0.0,) * 5]).T
    return Links(base, rigid_inverse(frame), a, d, alpha, beta, offset, sign)


def _aligned(directions: Array) -> tuple[Array, Array]:
    """The same axes, reversed where they are antiparallel to the one before."""
    h, sign = np.array(directions, float), np.ones(6)
    for k in range(1, 6):
        if _parallel(h[k - 1], h[k]) and h[k - 1] @ h[k] < 0.0:
            h[k], sign[k] = -h[k], -1.0
    return h, sign


def _parallel(one: Array, other: Array) -> bool:
    return bool(np.linalg.norm(np.cross(one, other)) < EXACT)


def _normal(one: Array, other: Array, between: Array) -> Array:
    """The direction perpendicular to both axes; for parallel ones, the one from the first across to the second."""
    across = between - one * (one @ between)
    normal = np.asarray(across if _parallel(one, other) else np.cross(one, other), float)
    if not normal.any():
        normal = np.asarray(np.cross(one, np.eye(3)[np.argmin(np.abs(one))]), float)
    return normal / math.hypot(*normal)


def _feet(h: Array, p: Array, other: Array, q: Array, origin: Array) -> tuple[Array, Array]:
    """The feet of the common normal on both axes; of parallel ones, at `origin` on the first."""
    if _parallel(h, other):
        return origin, q + other * ((h @ (origin - q)) / (h @ other))
    cosine, between = h @ other, q - p
    along, across = h @ between, other @ between
    square = 1.0 - cosine * cosine
    return p + h * ((along - cosine * across) / square), q + other * ((cosine * along - across) / square)


def _turn_from(z: Array, x: Array) -> Array:
    return np.stack([x, np.cross(z, x), z], axis=1)


def _about_x(angle: float) -> Array:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])


def _about_y(angle: float) -> Array:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def _about_z(angle: float) -> Array:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


# Offsets in the flat array that describes an arm to the kernels.


FAMILY = 0  # one of the families below
ONE_OVER_SIZE = 1  # lengths inside are in sizes of the arm
MIRRORED = 2  # whether the arm is solved from its end to its base
LEFT, RIGHT = 3, 15  # two transforms, nine numbers of the rotation and three of the offset each
JOINTS = 27

# Of each joint, in the order of solving.
A, D, COS_ALPHA, SIN_ALPHA, COS_BETA, SIN_BETA = range(6)
SIGN, SHIFT = 6, 7  # the coordinate is SIGN · (angle of the link) + SHIFT
LOWER, UPPER, COORDINATE = 8, 9, 10
JOINT = 11
ARM = JOINTS + 6 * JOINT

# Families of arms with a spherical wrist, by the geometry of the first three axes.
SECOND_AND_THIRD_PARALLEL = 0
FIRST_AND_SECOND_PARALLEL = 1
FIRST_AND_SECOND_MEET = 2
ANY_THREE = 3
# Arms with three parallel axes, by which, and where the last ones meet.
SECOND_TO_FOURTH_PARALLEL = 4
FIRST_TO_THIRD_PARALLEL = 5
FIRST_TO_THIRD_PARALLEL_EARLY = 6  # the fourth and fifth meet, not the fifth and sixth

MOST_BRANCHES = 8
CANDIDATES = 24  # the most that the formulas give before duplicates are removed
POLISHING = 92  # numbers that a step of polishing, or a quartic, works with
SCRATCH = 12 + 12 * CANDIDATES + POLISHING


# The candidates of the families: six link angles each, as cosines and sines, to be checked and sorted later.


@inner_kernel
def note(candidates, count, c1, s1, c2, s2, c3, s3, c4, s4, c5, s5, c6, s6):
    """Write down a candidate; the new count."""
    if count >= candidates.shape[0]:
        return count
    row = candidates[count]
    row[0], row[1], row[2], row[3], row[4], row[5] = c1, s1, c2, s2, c3, s3
    row[6], row[7], row[8], row[9], row[10], row[11] = c4, s4, c5, s5, c6, s6
    return count + 1


@inner_kernel
def note_start(arm, start_q, start):
    """The link angles of the start pose into `start [12]`: the choice where an angle is free."""
    for k in range(6):
        j = JOINTS + JOINT * k
        s, c = sine_cosine(arm[j + SIGN] * (start_q[int(arm[j + COORDINATE])] - arm[j + SHIFT]))
        start[2 * k], start[2 * k + 1] = c, s

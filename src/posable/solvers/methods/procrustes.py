"""Compiled: rotate a joint, within its limits, so that the points that it carries come nearest to given positions.

A motion is twelve numbers: those of a rotation matrix, row by row, and an offset. Joints and points are in the world.
"""

from __future__ import annotations

import math

import numpy as np

from posable.compiled.decorators import inner_kernel, maker_kernel, shared_kernel
from posable.goals.term_arrays import read_targets
from posable.skeleton.limits import clamp, clamp_ball
from posable.skeleton.tables import (
    AXIS,
    AXIS_COORDINATE,
    AXIS_DOF,
    CODE,
    COORDINATE,
    FREE,
    LOWER,
    SCALAR,
    UPPER,
)
from posable.solvers.default.kernels.workspace import put
from posable.spatial.kernels import (
    cross,
    multiply_rotations,
    multiply_wxyz,
    rotate,
    rotate_back,
    rotation_about,
    rotation_of_wxyz,
    wxyz_of_rotation,
)

# The best rotation for several pairs of vectors (Davenport's q-method), compiled.


_SAME = 1e-9  # eigenvalues that differ by less, against the largest, are one
_JACOBI_ROUNDS = 12  # of Jacobi rotations; 4 × 4 matrices need about five


@inner_kernel
def add_pair(pairs, weight, vx, vy, vz, nx, ny, nz):
    """Add weight · n vᵀ to the 3 × 3 matrix of the pairs: v should be rotated onto n."""
    pairs[0, 0] += weight * nx * vx
    pairs[0, 1] += weight * nx * vy
    pairs[0, 2] += weight * nx * vz
    pairs[1, 0] += weight * ny * vx
    pairs[1, 1] += weight * ny * vy
    pairs[1, 2] += weight * ny * vz
    pairs[2, 0] += weight * nz * vx
    pairs[2, 1] += weight * nz * vy
    pairs[2, 2] += weight * nz * vz


@shared_kernel
def best_turn(pairs, square, vectors):
    """The unit quaternion that maximises Σ weight n · (R v); of several equally good ones the smallest rotation.

    pairs: the sum of `add_pair`. square, vectors: memory, each `[4, 4]`.
    The maximum is reached by the eigenvectors of the largest eigenvalue of Davenport's matrix, and (1, 0, 0, 0)
    projected onto these is the smallest rotation among them.
    """
    b = pairs
    trace = b[0, 0] + b[1, 1] + b[2, 2]
    square[0, 0] = trace
    square[0, 1] = square[1, 0] = b[2, 1] - b[1, 2]
    square[0, 2] = square[2, 0] = b[0, 2] - b[2, 0]
    square[0, 3] = square[3, 0] = b[1, 0] - b[0, 1]
    for i in range(3):
        for j in range(3):
            square[i + 1, j + 1] = b[i, j] + b[j, i]
        square[i + 1, i + 1] -= trace
    _diagonalize(square, vectors)
    top, size = square[0, 0], 0.0
    for k in range(4):
        top, size = max(top, square[k, k]), max(size, abs(square[k, k]))
    w = x = y = z = 0.0
    best = 0
    for k in range(4):
        if square[k, k] >= top:
            best = k
        if square[k, k] >= top - _SAME * size:
            w += vectors[0, k] * vectors[0, k]
            x += vectors[0, k] * vectors[1, k]
            y += vectors[0, k] * vectors[2, k]
            z += vectors[0, k] * vectors[3, k]
    length = math.sqrt(w * w + x * x + y * y + z * z)
    if length < 1e-9:  # a rotation by π about any axis of a plane
        return vectors[0, best], vectors[1, best], vectors[2, best], vectors[3, best]
    return w / length, x / length, y / length, z / length


@inner_kernel
def _diagonalize(square, vectors):
    """Make the symmetric matrix diagonal by Jacobi rotations; its eigenvectors become the columns of `vectors`."""
    for i in range(4):
        for j in range(4):
            vectors[i, j] = 1.0 if i == j else 0.0
    for _ in range(_JACOBI_ROUNDS):
        for i in range(3):
            for j in range(i + 1, 4):
                if square[i, j] == 0.0:
                    continue
                half = 0.5 * (square[j, j] - square[i, i]) / square[i, j]
                tangent = math.copysign(1.0, half) / (abs(half) + math.sqrt(half * half + 1.0))
                cosine = 1.0 / math.sqrt(tangent * tangent + 1.0)
                sine = tangent * cosine
                for n in range(4):
                    one, other = square[n, i], square[n, j]
                    square[n, i], square[n, j] = cosine * one - sine * other, sine * one + cosine * other
                for n in range(4):
                    one, other = square[i, n], square[j, n]
                    square[i, n], square[j, n] = cosine * one - sine * other, sine * one + cosine * other
                    one, other = vectors[n, i], vectors[n, j]
                    vectors[n, i], vectors[n, j] = cosine * one - sine * other, sine * one + cosine * other
                square[i, j] = square[j, i] = 0.0


POINT, PLACE, SHARE = 0, 3, 6  # columns of a mark: its position, its target, its weight
MARK = 7
_ROUNDS = 20  # of several axes that are rotated one after the other
_NOTHING = 1e-14
_WHOLE = 2.0 * math.pi


@inner_kernel
def begin(t, terms, start, numbers, wanted, q):
    """Begin one problem: `q` at its start, within the limits, its targets read into `wanted`. Returns (code, term) of
    the first invalid target.
    """
    put(q, start)
    clamp(t, q)
    return read_targets(terms, numbers, 1.0, wanted)


@inner_kernel
def motion_at(motions, n):
    """(rotation, offset) of row `n`."""
    m = motions[n]
    return (m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]), (m[9], m[10], m[11])


@inner_kernel
def put_motion(motions, n, r, o):
    """Write a motion."""
    for i in range(9):
        motions[n, i] = r[i]
    motions[n, 9], motions[n, 10], motions[n, 11] = o


@inner_kernel
def moved(r, o, p):
    """A point after a motion."""
    x, y, z = rotate(r, p[0], p[1], p[2])
    return x + o[0], y + o[1], z + o[2]


@inner_kernel
def moved_back(r, o, p):
    """A point before a motion."""
    return rotate_back(r, p[0] - o[0], p[1] - o[1], p[2] - o[2])


@inner_kernel
def transposed(r):
    """The inverse of a rotation."""
    return r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8]


@inner_kernel
def offset_about(r, c):
    """The offset of a rotation about the point c."""
    x, y, z = rotate(r, c[0], c[1], c[2])
    return c[0] - x, c[1] - y, c[2] - z


@inner_kernel
def put_mark(marks, k, point, place, share):
    """Write a mark; the number of the next one."""
    marks[k, 0], marks[k, 1], marks[k, 2] = point
    marks[k, 3], marks[k, 4], marks[k, 5] = place
    marks[k, 6] = share
    return k + 1


@inner_kernel
def best_angle(axis, center, marks, first, count):
    """The angle about a line that brings the marks nearest to their targets, weighted by their shares; 0 if all are on
    the line.

    Σ share |Rot(θ) p − z|² is least at θ = atan2(Σ share a·(p × z), Σ share (p·z − (a·p)(a·z))).
    """
    sine, cosine, most = 0.0, 0.0, 0.0
    for k in range(first, count):
        px, py, pz = marks[k, 0] - center[0], marks[k, 1] - center[1], marks[k, 2] - center[2]
        zx, zy, zz = marks[k, 3] - center[0], marks[k, 4] - center[1], marks[k, 5] - center[2]
        x, y, z = cross(px, py, pz, zx, zy, zz)
        sine += marks[k, 6] * (axis[0] * x + axis[1] * y + axis[2] * z)
        along = (axis[0] * px + axis[1] * py + axis[2] * pz) * (axis[0] * zx + axis[1] * zy + axis[2] * zz)
        cosine += marks[k, 6] * (px * zx + py * zy + pz * zz - along)
        most += marks[k, 6] * (px * px + py * py + pz * pz + zx * zx + zy * zy + zz * zz)
    if math.sqrt(sine * sine + cosine * cosine) <= _NOTHING * most:
        return 0.0
    return math.atan2(sine, cosine)


@inner_kernel
def within(angle, at, lower, upper):
    """The change of an angle at `at` that is nearest to `angle` on the circle and within the limits."""
    if lower <= at + angle <= upper:
        return angle
    other = angle - _WHOLE if angle > 0.0 else angle + _WHOLE
    if lower <= at + other <= upper:
        return other
    below, above = lower - at - angle, at + angle - upper
    below, above = below - _WHOLE * math.floor(below / _WHOLE), above - _WHOLE * math.floor(above / _WHOLE)
    return (lower if below < above else upper) - at


@inner_kernel
def turn_from_to(p, z):
    """The smallest rotation of the direction p to z; by π about any normal for opposites, none for a zero vector."""
    pp, zz = p[0] * p[0] + p[1] * p[1] + p[2] * p[2], z[0] * z[0] + z[1] * z[1] + z[2] * z[2]
    size = math.sqrt(pp * zz)
    if size < 1e-280:
        return 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0
    w = size + p[0] * z[0] + p[1] * z[1] + p[2] * z[2]
    x, y, k = cross(p[0], p[1], p[2], z[0], z[1], z[2])
    if w < 1e-9 * size:
        w = 0.0
        if abs(p[0]) > abs(p[2]):
            x, y, k = cross(p[0], p[1], p[2], 0.0, 0.0, 1.0)
        else:
            x, y, k = cross(p[0], p[1], p[2], 1.0, 0.0, 0.0)
    length = math.sqrt(w * w + x * x + y * y + k * k)
    return rotation_of_wxyz(w / length, x / length, y / length, k / length)


@inner_kernel
def move_marks(marks, count, r, o):
    """Move the points of all marks."""
    for k in range(count):
        marks[k, 0], marks[k, 1], marks[k, 2] = moved(r, o, (marks[k, 0], marks[k, 1], marks[k, 2]))


@inner_kernel
def turn_best(center, marks, count, together, pairs):
    """The rotation about a point that brings the marks nearest to their targets. The points of the marks are moved.

    Unless they count `together`, the first goes exactly to its direction, by the smallest rotation, and the others
    decide the rotation about that. pairs: scratch of `make_pairs`.
    """
    x, y, z = marks[0, 0] - center[0], marks[0, 1] - center[1], marks[0, 2] - center[2]
    a, b, c = marks[0, 3] - center[0], marks[0, 4] - center[1], marks[0, 5] - center[2]
    length = math.sqrt(a * a + b * b + c * c)
    if count == 1 or not (together or length == 0.0):
        r = turn_from_to((x, y, z), (a, b, c))
        if count > 1:
            move_marks(marks, count, r, offset_about(r, center))
            axis = (a / length, b / length, c / length)
            angle = best_angle(axis, center, marks, 1, count)
            r = multiply_rotations(rotation_about(axis[0], axis[1], axis[2], math.sin(angle), math.cos(angle)), r)
        return r
    matrix, square, vectors = pairs
    for i in range(3):
        for k in range(3):
            matrix[i, k] = 0.0
    for k in range(count):
        x, y, z = marks[k, 0] - center[0], marks[k, 1] - center[1], marks[k, 2] - center[2]
        a, b, c = marks[k, 3] - center[0], marks[k, 4] - center[1], marks[k, 5] - center[2]
        add_pair(matrix, marks[k, 6], x, y, z, a, b, c)
    w, x, y, z = best_turn(matrix, square, vectors)
    return rotation_of_wxyz(w, x, y, z)


@maker_kernel
def make_pairs():
    """Scratch for `turn_best`."""
    return np.empty((3, 3)), np.empty((4, 4)), np.empty((4, 4))


@inner_kernel
def fit_axes(t, q, j, may, axes, anchors, marks, count, out):
    """The axes of joint `j`, one after the other, each the best it can, round after round; into `out` too."""
    first, last = t.joint[j, AXIS], t.joint[j + 1, AXIS]
    r, o = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0)
    for c in range(t.joint[j, COORDINATE], t.joint[j + 1, COORDINATE]):
        out[c] = q[c]
    for _ in range(1 if last - first == 1 else _ROUNDS):
        r, o = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0)
        most = 0.0
        for a in range(first, last):
            c, d = t.axis_number[a, AXIS_COORDINATE], t.axis_number[a, AXIS_DOF]
            ax, ay, az = axes[a, 0], axes[a, 1], axes[a, 2]
            center = (anchors[a, 0], anchors[a, 1], anchors[a, 2])
            if may[d]:
                axis, middle = rotate(r, ax, ay, az), moved(r, o, center)
                angle = best_angle(axis, middle, marks, 0, count)
                change = within(angle, out[c], t.bound[d, LOWER], t.bound[d, UPPER])
                out[c] += change
                most = max(most, abs(change))
                more = rotation_about(axis[0], axis[1], axis[2], math.sin(change), math.cos(change))
                move_marks(marks, count, more, offset_about(more, middle))
            angle = out[c] - q[c]
            own = rotation_about(ax, ay, az, math.sin(angle), math.cos(angle))
            about = offset_about(own, center)
            o = moved(r, o, about)
            r = multiply_rotations(r, own)
        if most < 1e-13:
            break
    return r, o


@inner_kernel
def turned_ball(t, q, j, turn, center, r, out):
    """The motion of the bodies of ball `j`, or of a free joint that only rotates, when it is rotated by `r` in the
    world as far as its cone allows.
    """
    c = t.joint[j, COORDINATE] + (3 if t.joint[j, CODE] == FREE else 0)
    w, x, y, z = wxyz_of_rotation(multiply_rotations(transposed(turn), multiply_rotations(r, turn)))
    w, x, y, z = multiply_wxyz(q[c], q[c + 1], q[c + 2], q[c + 3], w, x, y, z)
    size = math.sqrt(w * w + x * x + y * y + z * z)
    out[c], out[c + 1], out[c + 2], out[c + 3] = w / size, x / size, y / size, z / size
    if t.cones[j, 7] >= 0.0 and clamp_ball(t.cones[j], out, c):
        w, x, y, z = multiply_wxyz(q[c], -q[c + 1], -q[c + 2], -q[c + 3], out[c], out[c + 1], out[c + 2], out[c + 3])
        r = multiply_rotations(turn, multiply_rotations(rotation_of_wxyz(w, x, y, z), transposed(turn)))
    return r, offset_about(r, center)


@inner_kernel
def fit_joint(t, q, j, may, turn, center, axes, anchors, marks, count, together, pairs, out):
    """(rotation, offset) of the bodies of joint `j`, best for the marks within its limits; its coordinates go into
    `out`.
    """
    if t.joint[j, CODE] != SCALAR:
        r = turn_best(center, marks, count, together, pairs)
        return turned_ball(t, q, j, turn, center, r, out)
    return fit_axes(t, q, j, may, axes, anchors, marks, count, out)

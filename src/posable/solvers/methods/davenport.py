"""The best rotation for several pairs of vectors (Davenport's q-method), compiled."""

from __future__ import annotations

import math

from posable.spatial.compile import inner_kernel, shared_kernel

_SAME = 1e-9  # eigenvalues that differ by less, against the largest, are one
_ROUNDS = 12  # of Jacobi rotations; 4 × 4 matrices need about five


@inner_kernel
def add_pair(pairs, weight, vx, vy, vz, nx, ny, nz):
    """Add weight · n vᵀ to the 3 × 3 matrix of the pairs: v is to be turned onto n."""
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
    """The unit quaternion that maximises Σ weight n · (R v); of several equally good ones the smallest turn.

    pairs: the sum of `add_pair`. square, vectors: memory, each `[4, 4]`.
    The maximum is reached by the eigenvectors of the largest eigenvalue of Davenport's matrix, and (1, 0, 0, 0)
    projected onto these is the smallest turn among them.
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
    if length < 1e-9:  # half a turn about any axis of a plane
        return vectors[0, best], vectors[1, best], vectors[2, best], vectors[3, best]
    return w / length, x / length, y / length, z / length


@inner_kernel
def _diagonalize(square, vectors):
    """Make the symmetric matrix diagonal by Jacobi rotations; its eigenvectors become the columns of `vectors`."""
    for i in range(4):
        for j in range(4):
            vectors[i, j] = 1.0 if i == j else 0.0
    for _ in range(_ROUNDS):
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

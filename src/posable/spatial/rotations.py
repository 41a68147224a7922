"""Rotations as unit quaternions (wxyz) and 3×3 matrices, over arrays with any leading axes. NumPy only.

A quaternion rotates a column vector, v' = R v; products compose like matrices, the right one first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

IDENTITY_WXYZ: Array = np.array([1.0, 0.0, 0.0, 0.0])
IDENTITY_WXYZ.setflags(write=False)


def normalized(vectors: ArrayLike) -> Array:
    """Vectors `[..., n]` at length 1; a zero vector stays zero."""
    vectors = np.asarray(vectors, float)
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return vectors / np.where(length > 0, length, 1.0)


def _stacked(parts: Sequence[Any]) -> Array:
    """`np.stack` along a new last axis, of parts of one shape: a third of its time where they are small."""
    stacked = np.empty((*np.shape(parts[0]), len(parts)))
    for k, part in enumerate(parts):
        stacked[..., k] = part
    return stacked


def _parts(vectors: ArrayLike) -> list[Array]:
    """`[...]` each of the last axis' entries; `np.moveaxis` takes longer than the arithmetic of a hundred frames."""
    vectors = np.asarray(vectors, float)
    return [vectors[..., k] for k in range(vectors.shape[-1])]


def hamilton_product(
    aw: Any, ax: Any, ay: Any, az: Any, bw: Any, bx: Any, by: Any, bz: Any
) -> tuple[Any, Any, Any, Any]:
    """The product of two quaternions, first b, then a: w, x, y, z of numbers or of arrays. Kernels compile it too."""
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def nine_from_wxyz(w: Any, x: Any, y: Any, z: Any) -> tuple[Any, ...]:
    """The rotation matrix of a unit quaternion, nine entries row by row, of numbers or of arrays. Kernels compile it
    too.
    """
    return (
        1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y),
        2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x),
        2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y),
    )  # fmt: skip


def wxyz_multiply(left: ArrayLike, right: ArrayLike) -> Array:
    """The Hamilton product `[..., 4]`: first `right`, then `left`."""
    return _stacked(hamilton_product(*_parts(left), *_parts(right)))


def wxyz_inverse(wxyz: ArrayLike) -> Array:
    """The inverse of unit quaternions `[..., 4]`."""
    return np.asarray(wxyz, float) * np.array([1.0, -1.0, -1.0, -1.0])


def matrix_from_wxyz(wxyz: ArrayLike) -> Array:
    """Rotation matrices `[..., 3, 3]` of unit quaternions `[..., 4]`."""
    nine = _stacked(nine_from_wxyz(*_parts(wxyz)))
    return nine.reshape(*nine.shape[:-1], 3, 3)


def wxyz_from_matrix(matrix: ArrayLike) -> Array:
    """Unit quaternions `[..., 4]`, w ≥ 0, of rotation matrices `[..., 3, 3]` (Shepperd 1978)."""
    m = np.asarray(matrix, float)
    a, b, c = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    squares = _stacked([1 + a + b + c, 1 + a - b - c, 1 - a + b - c, 1 - a - b + c])  # 4w², 4x², 4y², 4z²
    wx, wy, wz = m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]
    xy, xz, yz = m[..., 1, 0] + m[..., 0, 1], m[..., 0, 2] + m[..., 2, 0], m[..., 2, 1] + m[..., 1, 2]
    ww, xx, yy, zz = _parts(squares)
    products = _stacked([ww, wx, wy, wz, wx, xx, xy, xz, wy, xy, yy, yz, wz, xz, yz, zz]).reshape(-1, 4, 4)
    best = products[np.arange(len(products)), np.argmax(squares, axis=-1).ravel()]
    wxyz = normalized(best.reshape(squares.shape))
    return np.where(wxyz[..., :1] < 0, -wxyz, wxyz)


def wxyz_from_rotation_vector(vector: ArrayLike) -> Array:
    """The exponential map: unit quaternions `[..., 4]` of axis × angle vectors `[..., 3]` (radians)."""
    vector = np.asarray(vector, float)
    angle = np.linalg.norm(vector, axis=-1, keepdims=True)
    return np.concatenate([np.cos(angle / 2), 0.5 * np.sinc(angle / (2 * np.pi)) * vector], axis=-1)


def rotation_vector_from_wxyz(wxyz: ArrayLike) -> Array:
    """The logarithm: axis × angle vectors `[..., 3]`, angle in 0…π, of unit quaternions `[..., 4]`."""
    wxyz = np.asarray(wxyz, float)
    wxyz = np.where(wxyz[..., :1] < 0, -wxyz, wxyz)
    sine = np.linalg.norm(wxyz[..., 1:], axis=-1, keepdims=True)
    angle = 2 * np.arctan2(sine, wxyz[..., :1])
    return np.where(sine > 1e-12, angle / np.where(sine > 0, sine, 1.0), 2.0) * wxyz[..., 1:]


def wxyz_about(axis: ArrayLike, angle: ArrayLike) -> Array:
    """Unit quaternions `[..., 4]` of rotations by `angle [...]` (rad) about `axis [..., 3]` of any length but zero."""
    return wxyz_from_rotation_vector(normalized(axis) * np.asarray(angle, float)[..., None])


def wxyz_between(start: ArrayLike, end: ArrayLike) -> Array:
    """The smallest rotation from direction `start [..., 3]` to `end [..., 3]`; by π about any normal for opposites."""
    a, b = np.broadcast_arrays(normalized(start), normalized(end))
    halfway = a + b
    w = 0.5 * np.sum(halfway * halfway, axis=-1, keepdims=True)  # 1 + a·b, exact near opposite directions too
    turn = np.concatenate([w, np.cross(a, b)], axis=-1)
    if (w > 1e-10).all():
        return normalized(turn)
    square = np.cross(a, np.eye(3)[np.argmin(np.abs(a), axis=-1)])
    half_turn = np.concatenate([np.zeros_like(w), normalized(square)], axis=-1)
    rest = np.concatenate([2.0 - w, np.cross(-a, b)], axis=-1)  # the small remainder from -start to end
    return normalized(np.where(w > 1e-10, turn, wxyz_multiply(rest, half_turn)))


def wxyz_from_euler(order: str, angles: ArrayLike) -> Array:
    """Unit quaternions of Euler angles about the moving axes `order` ("zxy": first z), `angles [..., axis]` (rad)."""
    angles = np.asarray(angles, float)
    result = np.broadcast_to(IDENTITY_WXYZ, (*angles.shape[:-1], 4))
    for k, letter in enumerate(order.lower()):
        half = angles[..., k] / 2
        turn = np.zeros((*half.shape, 4))
        turn[..., 0] = np.cos(half)
        turn[..., 1 + "xyz".index(letter)] = np.sin(half)
        result = wxyz_multiply(result, turn)
    return result


def euler_from_matrix(order: str, matrix: ArrayLike) -> Array:
    """Angles `[..., 3]` (radians) about the moving axes `order` (three different letters), of matrices `[..., 3, 3]`.

    Where the middle angle is ±90° the first and last share one degree of freedom: the last is then 0.
    """
    m = np.asarray(matrix, float)
    i, j, k = ("xyz".index(letter) for letter in order.lower())
    parity = 1.0 if (i, j, k) in ((0, 1, 2), (1, 2, 0), (2, 0, 1)) else -1.0
    middle = np.arctan2(parity * m[..., i, k], np.hypot(m[..., i, i], m[..., i, j]))
    locked = np.hypot(m[..., i, i], m[..., i, j]) < 1e-9
    first = np.where(
        locked, np.arctan2(parity * m[..., k, j], m[..., j, j]), np.arctan2(-parity * m[..., j, k], m[..., k, k])
    )
    last = np.where(locked, 0.0, np.arctan2(-parity * m[..., i, j], m[..., i, i]))
    return np.stack([first, middle, last], axis=-1)


def slerp(start: ArrayLike, end: ArrayLike, share: ArrayLike) -> Array:
    """Unit quaternions at `share [...]` (0 start, 1 end) of the shorter arc from `start` to `end [..., 4]`."""
    turn = rotation_vector_from_wxyz(wxyz_multiply(wxyz_inverse(start), end))
    return wxyz_multiply(start, wxyz_from_rotation_vector(turn * np.asarray(share, float)[..., None]))


def mean_rotation(matrices: ArrayLike) -> Array:
    """The rotation `[3, 3]` nearest to all of `matrices [..., 3, 3]`, by least squares."""
    left, _, right = np.linalg.svd(np.asarray(matrices, float).reshape(-1, 3, 3).sum(axis=0))
    return left @ np.diag([1.0, 1.0, np.sign(np.linalg.det(left @ right))]) @ right


def random_wxyz(rng: np.random.Generator, shape: Sequence[int] = ()) -> Array:
    """Uniformly distributed rotations `[*shape, 4]`."""
    return normalized(rng.standard_normal((*shape, 4)))


# Rigid transforms as 4×4 matrices over any leading axes; `world_from_joint` takes joint coordinates to world ones.


def transform(position: ArrayLike = (0, 0, 0), wxyz: ArrayLike = (1, 0, 0, 0)) -> Array:
    """Transforms `[..., 4, 4]` that rotate by unit quaternions `wxyz [..., 4]`, then move by `position [..., 3]`."""
    position = np.asarray(position, float)
    turn = matrix_from_wxyz(wxyz)
    result = np.zeros((*np.broadcast_shapes(position.shape[:-1], turn.shape[:-2]), 4, 4))
    result[..., :3, :3] = turn
    result[..., :3, 3] = position
    result[..., 3, 3] = 1.0
    return result


def rigid_inverse(matrix: ArrayLike) -> Array:
    """Inverses of rigid transforms `[..., 4, 4]`."""
    matrix = np.asarray(matrix, float)
    turn = np.swapaxes(matrix[..., :3, :3], -1, -2)
    result = np.zeros_like(matrix)
    result[..., :3, :3] = turn
    result[..., :3, 3] = -np.einsum("...ij,...j->...i", turn, matrix[..., :3, 3])
    result[..., 3, 3] = 1.0
    return result


def apply_transform(matrix: ArrayLike, points: ArrayLike) -> Array:
    """Points `[..., 3]` moved by transforms `[..., 4, 4]`."""
    matrix = np.asarray(matrix, float)
    return np.einsum("...ij,...j->...i", matrix[..., :3, :3], np.asarray(points, float)) + matrix[..., :3, 3]

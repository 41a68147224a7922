"""Joint motion from blend weights: per joint and frame the rigid motion that fits the residual of the other joints."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from posable.compiled.decorators import kernel
from posable.skin.bound_frames import nearest_rotation
from posable.skin.learning.sequence import Sequence
from posable.skin.learning.weight_solve import Indices
from posable.spatial import Array, matrix_from_wxyz, wxyz_from_rotation_vector
from posable.spatial.marquardt import Dense, minimise_each


def normal_sums(sequence: Sequence, joints: Indices, weights: Array, count: int) -> tuple[Array, Array]:
    """The sums over vertices that determine the motion of `count` joints.

    (N `[joint, 4, joint, 4]` = Σ_v w_i w_j x xᵀ, B `[frame, joint, 4, 3]` = Σ_v w_j x pᵀ.)
    """
    normal, reached = np.zeros((count, 4, count, 4)), np.zeros((count, 4, sequence.flat.shape[1]))
    add_sums(sequence.points, sequence.flat, joints, weights, normal, reached)
    return normal, np.ascontiguousarray(reached.reshape(count, 4, -1, 3).transpose(2, 0, 1, 3))


@kernel
def add_sums(points, flat, joints, weights, normal, reached):
    """The sums of `normal_sums`; `flat [vertex, 3·frame]`, `reached [joint, 4, 3·frame]`."""
    for v in range(points.shape[0]):
        x = points[v]
        for k in range(joints.shape[1]):
            i, w = joints[v, k], weights[v, k]
            if w == 0:
                continue
            for n in range(joints.shape[1]):
                j, both = joints[v, n], w * weights[v, n]
                for a in range(4):
                    for b in range(4):
                        normal[i, a, j, b] += both * x[a] * x[b]
            for a in range(4):
                for c in range(flat.shape[1]):
                    reached[i, a, c] += w * x[a] * flat[v, c]


def sweep(motion: Array, normal: Array, reached: Array, sweeps: int) -> None:
    """Fit joint after joint to the residual of the others, `sweeps` times, `motion [frame, joint, 4, 3]` in place.

    The weighted Kabsch problem of Le & Deng 2012: minimise Σ_v |w_j T_j x + Σ_i≠j w_i T_i x − p|² over rotations and
    translations, from the sums alone. A joint without weights stays.
    """
    frames, count = motion.shape[:2]
    flat = motion.reshape(frames, 4 * count, 3)
    for _ in range(sweeps):
        for j in range(count):
            own = normal[j, :, j]
            mass, lever = own[3, 3], own[:3, 3]
            if mass <= 1e-12:
                continue
            others = normal[j].reshape(4, 4 * count) @ flat - own @ motion[:, j]
            left = reached[:, j] - others
            motion[:, j, :3] = nearest_rotation(left[:, :3] - lever[:, None] * left[:, 3:] / mass)
            motion[:, j, 3] = (left[:, 3] - lever @ motion[:, j, :3]) / mass


def unit_ratio(motion: Array, normal: Array, reached: Array, left: Array) -> float:
    """The ratio of the size of the frames to that of the rest pose under `motion`, one number for all.

    left: `[joint]` the mean squared error of each joint's vertices; the more rigid a part, the larger its weight.
    """
    frames, count = motion.shape[:2]
    rest = reached - (normal.reshape(4 * count, 4 * count) @ motion.reshape(frames, -1, 3)).reshape(reached.shape)
    each = np.arange(count)
    own = normal[each, :, each]
    lever, mass = own[:, :3, 3], np.maximum(own[:, 3, 3], 1e-300)
    spread = np.einsum("jaa->j", own[:, :3, :3]) - np.sum(lever**2, axis=1) / mass
    missing = rest[:, :, :3] - lever[:, :, None] * rest[:, :, 3:] / mass[:, None, None]
    sure = 1 / (left + 1e-12)
    size = frames * float(sure @ spread)
    return 1.0 + float(np.sum(motion[:, :, :3] * missing, axis=(0, 2, 3)) @ sure) / size if size > 0 else 1.0


# All joints at once: the motion of each frame, with free joints or with the joints of a skeleton.


_FRAMES = 16  # solved together, to bound the memory
_PROGRESS = 1e-9


class Freedom(Protocol):
    """The degrees of freedom of the joints in a frame.

    `slope(motion)` is `[frame, 6·joint, freedom]`: derivatives of the twists (ω, v) of all joints; `moved(motion,
    step)` is the motion after a step `[frame, freedom]`.
    """

    def slope(self, motion: Array) -> Array | None: ...
    def moved(self, motion: Array, step: Array) -> Array: ...


class EachFree:
    """Every joint is free."""

    def slope(self, motion: Array) -> None:
        """No slope: the freedoms are the twists themselves."""

    def moved(self, motion: Array, step: Array) -> Array:
        """The joints rotated and translated by their twists (ω, v) about the origin."""
        twist = step.reshape(*motion.shape[:2], 6)
        rotation = matrix_from_wxyz(wxyz_from_rotation_vector(twist[..., :3]))
        moved = np.einsum("fjpa,fjba->fjpb", motion, rotation)
        moved[:, :, 3] += twist[..., 3:]
        return moved


def minimised(motion: Array, normal: Array, reached: Array, freedom: Freedom, steps: int) -> Array:
    """`motion [frame, joint, 4, 3]` after at most `steps` descent steps; the cost of no frame increases.

    normal, reached: as `normal_sums` gives them.
    """
    problem = _Motion(normal, reached, freedom)
    return minimise_each(problem, motion, steps=steps, tolerance=_PROGRESS, at_once=_FRAMES)


class _Motion(NamedTuple):
    """The least-squares problem of independent frames."""

    normal: Array
    reached: Array
    freedom: Freedom

    def linearized(self, motion: Array, frames: Indices) -> tuple[Array, Dense]:
        blocks, slope = _normal_equations(motion, self.normal, self.reached[frames], self.freedom)
        return frame_costs(motion, self.normal, self.reached[frames]), Dense(blocks, -slope)

    def moved(self, motion: Array, step: Array, frames: Indices) -> Array:
        del frames
        return self.freedom.moved(motion, step)


def frame_costs(motion: Array, normal: Array, reached: Array) -> Array:
    """`[frame]`: Σ_v |Σ_j w_j T_j x − p|² without the constant Σ_v |p|²."""
    flat = motion.reshape(len(motion), -1, 3)
    by_motion = normal.reshape(flat.shape[1], flat.shape[1]) @ flat
    return np.einsum("fnc,fnc->f", flat, by_motion - 2 * reached.reshape(flat.shape))


def _normal_equations(motion: Array, normal: Array, reached: Array, freedom: Freedom) -> tuple[Array, Array]:
    """(JᵀJ, Jᵀr) of each frame with respect to its degrees of freedom."""
    hessian, slope = _twist_equations(motion, normal, reached)
    by_freedom = freedom.slope(motion)
    if by_freedom is None:
        return hessian, slope
    transposed = by_freedom.swapaxes(-1, -2)
    return transposed @ hessian @ by_freedom, (transposed @ slope[..., None])[..., 0]


def _twist_equations(motion: Array, normal: Array, reached: Array) -> tuple[Array, Array]:
    """(JᵀJ `[frame, 6·joint, 6·joint]`, Jᵀr) of twists: a vertex moves by Σ_j w_j (ω_j × T_j x + v_j)."""
    frames, count = motion.shape[:2]
    half = np.einsum("ipjq,fjqb->fipjb", normal, motion, optimize=True)
    left = reached - half.sum(axis=3)
    both = np.einsum("fipa,fipjb->fijab", motion, half, optimize=True)
    cross = _cross(np.einsum("fipa,ipj->fija", motion, normal[..., 3], optimize=True))
    trace = np.einsum("fijaa->fij", both)[..., None, None]
    hessian = np.zeros((frames, count, 6, count, 6))
    hessian[:, :, :3, :, :3] = (trace * np.eye(3) - both.swapaxes(-1, -2)).transpose(0, 1, 3, 2, 4)
    hessian[:, :, :3, :, 3:] = cross.transpose(0, 1, 3, 2, 4)
    hessian[:, :, 3:, :, :3] = cross.transpose(0, 2, 4, 1, 3)
    hessian[:, :, 3:, :, 3:] = (normal[:, 3, :, 3][..., None, None] * np.eye(3)).transpose(0, 2, 1, 3)
    arm = np.einsum("fjpa,fjpb->fjab", motion, left)
    torque = [arm[..., a, b] - arm[..., b, a] for a, b in ((1, 2), (2, 0), (0, 1))]
    slope = np.concatenate([np.stack(torque, axis=-1), left[:, :, 3]], axis=-1)
    return hessian.reshape(frames, 6 * count, 6 * count), slope.reshape(frames, 6 * count)


def _cross(vectors: Array) -> Array:
    """Matrices `[..., 3, 3]` of the cross products with `vectors [..., 3]`."""
    matrix = np.zeros((*vectors.shape, 3))
    for a, b, c in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        matrix[..., a, b], matrix[..., b, a] = -vectors[..., c], vectors[..., c]
    return matrix

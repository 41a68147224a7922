"""Joint motion from blend weights: per joint and frame the rigid motion that fits what the other joints leave over."""

from __future__ import annotations

import numpy as np

from posable.skin.learning.sequence import Sequence, nearest_rotation
from posable.skin.learning.sharing import Indices
from posable.spatial import Array
from posable.spatial.compile import kernel


def normal_sums(sequence: Sequence, joints: Indices, weights: Array, count: int) -> tuple[Array, Array]:
    """Everything that the motion of `count` joints needs to know of the vertices.

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
    """Fit joint after joint to what the others leave over, `sweeps` times, `motion [frame, joint, 4, 3]` in place.

    The weighted Kabsch problem of Le & Deng 2012: minimise Σ_v |w_j T_j x + Σ_i≠j w_i T_i x − p|² over rotations and
    translations, from the sums alone. A joint that no vertex follows stays.
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
    """The factor common to all joints and frames by which the frames are larger than `motion` makes the rest pose.

    left: `[joint]` the mean squared error of the vertices that follow each: the more rigid a part, the more it counts.
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

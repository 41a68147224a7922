"""The loops over frames of hinges in a chain, compiled: their rotation, and least squares for a desired one."""

from __future__ import annotations

import numpy as np

from posable.compiled.decorators import inner_kernel, kernel
from posable.spatial.kernels import exp_wxyz, log_wxyz, multiply_wxyz, rotate, rotation_of_wxyz


@kernel
def rotate_hinges(chain, base, values, world, axes):
    """`world [frame, 4]` become the rotations of the last joint and `axes [frame, axis, 3]` the axes in the world.

    chain: (`[joint, 4]` rotations at rest of the joints to their parents, `[axis]` the joint of each axis, `[axis, 3]`
    directions, `[axis]` factors and offsets from values `[frame, axis]` to angles). base: `[frame, 4]` the rotation of
    the first joint's parent.
    """
    for f in range(base.shape[0]):
        world[f, 0], world[f, 1], world[f, 2], world[f, 3] = _rotated(chain, base[f], values[f], axes[f])


@kernel
def linearize_hinges(chain, speeds, base, values, desired, items, costs, blocks, gradient):
    """Least squares for values `[item, axis]` with which the last joint is rotated as `desired [frame, 4]`.

    costs: `[item]`, half the squares of the rotation vectors that are left; blocks, gradient: their normal equations.
    items: `[item]` frames of `base [frame, 4]` and `desired`. speeds: `[axis]` of the angles. See `rotate_hinges`.
    """
    n = values.shape[1]
    axes, residual = np.empty((n, 3)), np.empty(3)
    for item in range(values.shape[0]):
        f = items[item]
        w, x, y, z = _rotated(chain, base[f], values[item], axes)
        d = desired[f]
        w, x, y, z = multiply_wxyz(d[0], d[1], d[2], d[3], w, -x, -y, -z)
        residual[0], residual[1], residual[2] = log_wxyz(w, x, y, z)
        costs[item] = 0.5 * (residual[0] ** 2 + residual[1] ** 2 + residual[2] ** 2)
        for a in range(n):
            along = -speeds[a] * (axes[a, 0] * residual[0] + axes[a, 1] * residual[1] + axes[a, 2] * residual[2])
            gradient[item, a] = along
            for b in range(n):
                both = axes[a, 0] * axes[b, 0] + axes[a, 1] * axes[b, 1] + axes[a, 2] * axes[b, 2]
                blocks[item, a, b] = speeds[a] * speeds[b] * both


@inner_kernel
def _rotated(chain, base, values, axes):
    """The rotation wxyz of the last joint in one frame; see `rotate_hinges`."""
    rests, joint_of, directions, gains, shifts = chain
    w, x, y, z = base[0], base[1], base[2], base[3]
    joint = -1
    for k in range(joint_of.shape[0]):
        while joint < joint_of[k]:
            joint += 1
            r = rests[joint]
            w, x, y, z = multiply_wxyz(w, x, y, z, r[0], r[1], r[2], r[3])
        u = directions[k]
        axes[k, 0], axes[k, 1], axes[k, 2] = rotate(rotation_of_wxyz(w, x, y, z), u[0], u[1], u[2])
        angle = gains[k] * values[k] + shifts[k]
        ew, ex, ey, ez = exp_wxyz(angle * u[0], angle * u[1], angle * u[2])
        w, x, y, z = multiply_wxyz(w, x, y, z, ew, ex, ey, ez)
    while joint < rests.shape[0] - 1:
        joint += 1
        r = rests[joint]
        w, x, y, z = multiply_wxyz(w, x, y, z, r[0], r[1], r[2], r[3])
    return w, x, y, z

"""Compiled skin blending."""

from __future__ import annotations

from posable.spatial.compile import kernel


@kernel
def blend_linear(vertices, joints, weights, matrices, out):
    """`matrices [pose, joint, 3, 4]` → `out [pose, vertex, 3]`: v' = (Σ wₖ Mₖ) v."""
    for p in range(matrices.shape[0]):
        for v in range(vertices.shape[0]):
            x, y, z = vertices[v, 0], vertices[v, 1], vertices[v, 2]
            ox = oy = oz = vertices[v, 0] * 0
            for k in range(joints.shape[1]):
                w = weights[v, k]
                if w > 0:
                    m = matrices[p, joints[v, k]]
                    ox += w * (m[0, 0] * x + m[0, 1] * y + m[0, 2] * z + m[0, 3])
                    oy += w * (m[1, 0] * x + m[1, 1] * y + m[1, 2] * z + m[1, 3])
                    oz += w * (m[2, 0] * x + m[2, 1] * y + m[2, 2] * z + m[2, 3])
            out[p, v, 0], out[p, v, 1], out[p, v, 2] = ox, oy, oz

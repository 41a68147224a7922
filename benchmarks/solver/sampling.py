"""Poses at random inside the limits, cones included."""

from __future__ import annotations

import numpy as np

from benchmarks.solver.trees import Array, Node, Swing, Tree, quaternion_about


def inside(tree: Tree, start: Array, count: int, rng: np.random.Generator) -> Array:
    """`[count, coordinate]`: every joint uniform in its limits; what has none stays as at `start`."""
    first = tree.first()
    parts = [
        _own(node, start[first[i] : first[i + 1]], count, rng) for i, node in enumerate(tree.nodes) if node.coordinates
    ]
    return np.hstack(parts)


def _own(node: Node, start: Array, count: int, rng: np.random.Generator) -> Array:
    if node.limits is not None:
        return in_cone(node.limits, count, rng)
    if node.kind != "axes":
        return np.tile(start, (count, 1))
    ends = np.array([(axis.lower, axis.upper) for axis in node.axes if axis.follow is None])
    bounded = np.isfinite(ends).all(1)
    low, high = np.where(bounded[:, None], ends, start[:, None]).T
    return rng.uniform(low, high, (count, len(ends)))


def in_cone(limits: Swing, count: int, rng: np.random.Generator) -> Array:
    """`[count, 4]` wxyz: leaning evenly over the cap, turned evenly."""
    axis = np.array(limits.axis)
    side = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    side /= np.linalg.norm(side)
    around = rng.uniform(0, 2 * np.pi, (count, 1))
    normal = np.cos(around) * side + np.sin(around) * np.cross(axis, side)
    swing = quaternion_about(normal, np.arccos(rng.uniform(np.cos(limits.swing), 1, count)))
    twist = quaternion_about(np.broadcast_to(axis, (count, 3)), rng.uniform(*limits.twist, count))
    return product(np.array(limits.center), product(swing, twist))


def product(one: Array, other: Array) -> Array:
    """`[..., 4]`: first `other`, then `one`."""
    w, v, a, b = one[..., :1], one[..., 1:], other[..., :1], other[..., 1:]
    cross = np.cross(np.broadcast_to(v, b.shape), b)
    return np.concatenate([w * a - (v * b).sum(-1, keepdims=True), w * b + a * v + cross], axis=-1)

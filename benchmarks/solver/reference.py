"""The best answer that a thousand starts find: a plain NumPy solver that takes its time, for chains of hinges.

Damped Gauss–Newton with limits from every start at once, then Newton's method on the best few: where a target is out of
reach Gauss–Newton crawls, and what is compared with it must be the minimum itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.solver.judge import RADIAN, Aim
from benchmarks.solver.trees import Array, Tree, place

ROUGH, FINE, NEWTON = 25, 100, 25  # iterations: of all starts, of the better tenth, of the best
KEPT, POLISHED = 0.1, 3
STATIONARY = 1e-13


@dataclass(frozen=True)
class Reference:
    """One aim of a chain of hinges; lengths are measured in `reach`."""

    tree: Tree
    aim: Aim
    reach: float

    def best(self, target: Array, starts: Array) -> float:
        """The root of (distance / reach)² + RADIAN · angle², as small as any start gets it. starts `[start, joint]`."""
        q = self._descend(starts, target, ROUGH)
        q = q[np.argsort(self.cost(q, target))[: max(int(KEPT * len(q)), POLISHED)]]
        q = self._descend(q, target, FINE)
        q = q[np.argsort(self.cost(q, target))[:POLISHED]]
        return float(np.sqrt(min(2 * self._newton(one, target) for one in q)))

    def cost(self, q: Array, target: Array) -> Array:
        """`[...]`: half the sum of squares."""
        return 0.5 * (self._linear(q, target)[0] ** 2).sum(-1)

    def _linear(self, q: Array, target: Array) -> tuple[Array, Array]:
        """The residual `[..., row]` and how the joints reduce it `[..., row, joint]`."""
        world = place(self.tree, q)
        tip = world[..., self.tree.index(self.aim.body), :, :]
        moving = [i for i, node in enumerate(self.tree.nodes) if node.axes]
        axes = np.stack([world[..., i, :3, :3] @ self.tree.nodes[i].axes[0].direction for i in moving], axis=-2)
        arms = tip[..., None, :3, 3] - world[..., moving, :, :][..., :3, 3]
        residual, rows = [], []
        if self.aim.position:
            residual.append((target[:3, 3] - tip[..., :3, 3]) / self.reach)
            rows.append(np.swapaxes(np.cross(axes, arms), -1, -2) / self.reach)
        if self.aim.rotation:
            turn, inverse = logarithm(target[:3, :3] @ np.swapaxes(tip[..., :3, :3], -1, -2))
            residual.append(np.sqrt(RADIAN) * turn)
            rows.append(np.sqrt(RADIAN) * inverse @ np.swapaxes(axes, -1, -2))
        return np.concatenate(residual, axis=-1), np.concatenate(rows, axis=-2)

    def _descend(self, q: Array, target: Array, iterations: int) -> Array:
        lower, upper = self.tree.scalar_limits()
        damping = np.full(len(q), 1e-2)
        cost = self.cost(q, target)
        for _ in range(iterations):
            residual, rows = self._linear(q, target)
            pull = (np.swapaxes(rows, -1, -2) @ residual[..., None])[..., 0]
            held = ((q <= lower) & (pull < 0)) | ((q >= upper) & (pull > 0))
            rows = np.where(held[:, None, :], 0.0, rows)
            matrix = np.swapaxes(rows, -1, -2) @ rows + damping[:, None, None] * np.eye(q.shape[-1])
            step = np.linalg.solve(matrix, np.where(held, 0.0, pull)[..., None])[..., 0]
            tried = np.clip(q + step, lower, upper)
            found = self.cost(tried, target)
            better = found < cost
            q, cost = np.where(better[:, None], tried, q), np.where(better, found, cost)
            damping = np.clip(np.where(better, damping / 4, damping * 4), 1e-9, 1e6)
        return q

    def _newton(self, q: Array, target: Array) -> float:
        """The cost where it is stationary; second derivatives by differences of the exact gradient."""
        lower, upper = self.tree.scalar_limits()
        cost, damping = float(self.cost(q, target)), 1e-6
        for _ in range(NEWTON):
            pull = self._pull(q, target)
            free = ~(((q <= lower) & (pull < 0)) | ((q >= upper) & (pull > 0)))
            if not np.abs(pull[free]).max(initial=0) > STATIONARY:
                break
            small = 1e-6 * np.eye(len(q))
            bend = (self._pull(q - small, target) - self._pull(q + small, target)) / 2e-6
            values, ways = np.linalg.eigh(((bend + bend.T) / 2)[np.ix_(free, free)])
            step = np.zeros(len(q))
            step[free] = ways @ ((ways.T @ pull[free]) / (np.abs(values) + damping))
            tried = np.clip(q + step, lower, upper)
            found = float(self.cost(tried, target))
            if found < cost:
                q, cost, damping = tried, found, damping / 10
            else:
                damping = 100 * damping + 1e-9
        return cost

    def _pull(self, q: Array, target: Array) -> Array:
        residual, rows = self._linear(q, target)
        return (np.swapaxes(rows, -1, -2) @ residual[..., None])[..., 0]


def logarithm(turn: Array) -> tuple[Array, Array]:
    """The rotation vector r of `[..., 3, 3]`, and the inverse left Jacobian: how r shrinks with a turn of the body."""
    skew = np.stack(
        [turn[..., 2, 1] - turn[..., 1, 2], turn[..., 0, 2] - turn[..., 2, 0], turn[..., 1, 0] - turn[..., 0, 1]], -1
    )
    sine, cosine = 0.5 * np.linalg.norm(skew, axis=-1), 0.5 * (np.trace(turn, axis1=-2, axis2=-1) - 1)
    angle = np.arctan2(sine, cosine)
    scale = np.where(sine > 1e-9, angle / np.maximum(2 * sine, 1e-300), 0.5)
    r = scale[..., None] * skew
    x, y, z = np.moveaxis(r, -1, 0)
    o = np.zeros_like(x)
    cross = np.moveaxis(np.array([[o, -z, y], [z, o, -x], [-y, x, o]]), (0, 1), (-2, -1))
    half = angle / 2
    curve = np.where(angle > 1e-4, (1 - half / np.tan(np.maximum(half, 1e-12))) / np.maximum(angle, 1e-12) ** 2, 1 / 12)
    return r, np.eye(3) + 0.5 * cross + curve[..., None, None] * (cross @ cross)

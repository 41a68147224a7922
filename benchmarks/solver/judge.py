"""Whether an answer is right: forward kinematics, limits and flips, by formulas of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.solver.trees import Array, Swing, Tree, matrix_of, place

POSITION, ANGLE = 1e-6, 1e-5  # metres, radians: what counts as there
SLACK = 1e-6  # a joint this far outside its limits does not spoil a success: QP solvers cannot do better
RADIAN = 0.1  # what a squared radian counts against a squared reach where a goal cannot be met: posable's own measure
ROUNDING = 1 + 1e-6  # two ways of computing the same distance
PART = 50_000  # answers judged at a time: matrices of a million poses fill the memory
EXACT = 1e-9  # but it is counted as outside


@dataclass(frozen=True)
class Aim:
    """What is wanted of one body: its position, its rotation, or both (weights 0 or 1)."""

    body: str
    position: float = 1.0
    rotation: float = 1.0


@dataclass(frozen=True)
class Verdict:
    """Of every answer: how far off it is, how far outside the limits, and whether it is right."""

    distance: Array  # [problem, aim] metres, 0 where no position is wanted
    angle: Array  # [problem, aim]
    outside: Array  # [problem] the worst joint's way outside its limits

    def error(self, reach: float) -> Array:
        """`[problem]`: what a solver makes small, √Σ((distance / reach)² + RADIAN · angle²)."""
        return np.sqrt((self.distance**2).sum(-1) / reach**2 + RADIAN * (self.angle**2).sum(-1))

    def right(self, position: float = POSITION, angle: float = ANGLE) -> Array:
        """`[problem]`: within both tolerances and the limits."""
        near = (self.distance.max(-1) <= position * ROUNDING) & (self.angle.max(-1) <= angle * ROUNDING)
        return near & (self.outside <= SLACK)


def judge(tree: Tree, aims: Sequence[Aim], q: Array, targets: Array) -> Verdict:
    """q `[problem, coordinate]`, targets `[problem, aim, 4, 4]`; answers that are not finite are infinitely wrong."""
    parts = range(0, len(q), PART)
    found = [_judge(tree, aims, q[i : i + PART], targets[i : i + PART]) for i in parts]
    return Verdict(
        *(np.concatenate([getattr(one, name) for one in found]) for name in ("distance", "angle", "outside"))
    )


def _judge(tree: Tree, aims: Sequence[Aim], q: Array, targets: Array) -> Verdict:
    finite = np.isfinite(q).all(-1)
    bodies = [tree.index(aim.body) for aim in aims]
    found = place(tree, np.where(finite[:, None], q, 0.5))[:, bodies]
    distance = np.linalg.norm(found[..., :3, 3] - targets[..., :3, 3], axis=-1)
    angle = angle_between(found[..., :3, :3], targets[..., :3, :3])
    distance = np.where([aim.position > 0 for aim in aims], distance, 0.0)
    angle = np.where([aim.rotation > 0 for aim in aims], angle, 0.0)
    bad = ~finite[:, None]
    return Verdict(np.where(bad, np.inf, distance), np.where(bad, np.inf, angle), outside(tree, q))


def angle_between(one: Array, other: Array) -> Array:
    """`[...]` of two rotations, from the chord between them: exact to the last digits near 0."""
    chord = np.linalg.norm(one - other, axis=(-2, -1))
    return 2 * np.arcsin(np.clip(chord / np.sqrt(8.0), 0, 1))


def outside(tree: Tree, q: Array) -> Array:
    """`[...]`: how far the worst joint is outside its limits; infinite where a number is not finite."""
    lower, upper = tree.scalar_limits()
    worst = np.maximum(np.maximum(lower - q, q - upper), 0).max(-1)
    first = tree.first()
    for i, node in enumerate(tree.nodes):
        if node.limits is not None:
            worst = np.maximum(worst, outside_swing(node.limits, q[..., first[i] : first[i + 1]]))
    return np.where(np.isfinite(q).all(-1), worst, np.inf)


def outside_swing(limits: Swing, wxyz: Array) -> Array:
    """`[...]`: radians by which a ball leans or turns too far."""
    turned = np.swapaxes(matrix_of(np.array(limits.center)), -1, -2) @ matrix_of(wxyz)
    axis = np.array(limits.axis)
    leaned = turned @ axis
    swing = np.arctan2(np.linalg.norm(np.cross(axis, leaned), axis=-1), leaned @ axis)
    twist = twist_about(axis, turned)
    low, high = limits.twist
    return np.maximum(np.maximum(swing - limits.swing, np.maximum(low - twist, twist - high)), 0)


def twist_about(axis: Array, turned: Array) -> Array:
    """`[...]`: the turn about `axis` that is left when the smallest swing is taken out."""
    leaned = turned @ axis
    side = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    side /= np.linalg.norm(side)
    base = carry(axis, leaned, side)
    reached = turned @ side
    return np.arctan2((np.cross(base, reached) * leaned).sum(-1), (base * reached).sum(-1))


def carry(axis: Array, leaned: Array, side: Array) -> Array:
    """`side` after the smallest rotation that takes `axis` to `leaned`."""
    normal = np.cross(np.broadcast_to(axis, leaned.shape), leaned)
    cosine = (leaned @ axis)[..., None]
    along = np.cross(normal, np.broadcast_to(side, normal.shape))
    return side * cosine + along + normal * (normal @ side)[..., None] / np.maximum(1 + cosine, 1e-12)


def steps(tree: Tree, q: Array) -> Array:
    """`[frame - 1]`: the largest step of any coordinate between frames; balls by angle, slides by length."""
    first = tree.first()
    found = []
    for i, node in enumerate(tree.nodes):
        own = q[:, first[i] : first[i + 1]]
        if node.kind == "ball":
            turns = matrix_of(own)
            found.append(angle_between(turns[1:], turns[:-1])[:, None])
        elif node.kind == "free":
            turns = matrix_of(own[:, 3:])
            found += [angle_between(turns[1:], turns[:-1])[:, None], np.abs(np.diff(own[:, :3], axis=0))]
        elif node.coordinates:
            found.append(np.abs(np.diff(own, axis=0)))
    return np.concatenate(found, axis=1).max(1)


def flips(tree: Tree, q: Array, smooth: Array) -> int:
    """How many steps of q are over twice the largest of the smooth motion that made the targets."""
    return int((steps(tree, q) > 2 * steps(tree, smooth).max()).sum())

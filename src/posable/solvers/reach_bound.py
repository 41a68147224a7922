"""Proofs that a position cannot be reached: the distance that a chain of rigid pieces keeps from it without limits."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.skeleton import Pose
from posable.spatial import Array

_PARALLEL = 1e-9
_ANGLES = np.linspace(0.0, math.pi, 121)
_SINES, _COSINES = np.sin(_ANGLES), np.cos(_ANGLES)
_STEP = float(_ANGLES[1])
_AROUND = np.linspace(0.0, 2 * math.pi, 240, endpoint=False)


class Link(NamedTuple):
    """A rigid piece beyond a joint, in a frame whose z is the joint's axis and in whose x–z plane it ends; of a ball,
    z is the axis of the next joint.
    """

    turns_freely: bool  # a ball, or several axes
    across: float
    along: float
    next_axis: tuple[float, float, float]
    slack: float  # the reach that several axes about different points may add


class _Chain(NamedTuple):
    """The movable joints in a pose, from the base to the tip."""

    pivots: Array  # [joint + 1, 3] in the world, the tip last
    axes: list[Array | None]  # in the world; None where a joint has no single one
    slack: list[float]

    @property
    def pieces(self) -> Array:
        """`[joint, 3]` from each pivot to the next."""
        return np.diff(self.pivots, axis=0)


def least_distances(
    poses: Pose,
    first_motion: NDArray[np.int64],
    locked: NDArray[np.bool_],
    joint: int,
    tip: Array,
    targets: Array,
) -> Array:
    """`[problem]` distances that the point `tip` of `joint` keeps from `targets [problem, 3]` in every pose.

    With a slide, or a movable free joint, nothing is proved (0); locked joints are rigid in their present pose.
    """
    j_locked = [j for j in poses.skeleton.chain(joint) if locked[first_motion[j] : first_motion[j + 1]].any()]
    first = poses.skeleton.tables.first_coordinate
    columns = np.concatenate([np.arange(first[j], first[j + 1]) for j in j_locked] or [np.empty(0, int)])
    if len(poses) > 1 and not (poses.q[:, columns] == poses.q[:1, columns]).all():  # the poses have different chains
        parts = [slice(n, n + 1) for n in range(len(poses))]
        bounds = [least_distances(poses[part], first_motion, locked, joint, tip, targets[part]) for part in parts]
        return np.concatenate(bounds)
    chain = _chain(poses[0], first_motion, locked, joint, tip)
    if chain is None:
        return np.zeros(len(targets))
    away = targets - chain.pivots[0]
    if not chain.pieces.any() and not any(chain.slack):  # the tip cannot move
        return np.linalg.norm(away, axis=1)
    return np.maximum(_beyond_hull(chain, away), _outside_annulus(chain, away))


def _beyond_hull(chain: _Chain, away: Array) -> Array:
    """A lower bound of each target's distance from the convex hull of all tip positions: max over u of u·t − S(u)."""
    scale = float(np.linalg.norm(chain.pieces, axis=1).sum()) + math.fsum(chain.slack)
    links = _links(chain, scale)
    most = _support(tuple(links)) + 1e-8 * len(links)
    axis = chain.axes[0]
    if axis is None:
        return np.maximum(np.linalg.norm(away, axis=1) - scale * float(most[0]), 0.0)
    along = away @ axis
    across = np.linalg.norm(away - along[:, None] * axis, axis=1)
    bounds = across[:, None] * _SINES + along[:, None] * _COSINES - scale * most
    return np.maximum(bounds.max(axis=1), 0.0)


@lru_cache(maxsize=512)
def _support(links: tuple[Link, ...]) -> Array:
    """S `[angle]`: the largest distance of the tip from the first pivot along a direction u, by the angle γ between u
    and the first axis. It depends on γ alone, since the first joint rotates about that axis.

    In link i, u revolves about the axis as joint i rotates: Sᵢ(γ) = max over φ of u(γ, φ)·vᵢ + Sᵢ₊₁(angle between
    u(γ, φ) and axis i + 1). Every number is an upper bound. Between two angles, S is at most the combination of
    both that u is of their directions, since support functions are sublinear. Between two φ, the maximum is at most
    L Δφ²/8 over the largest value, L being the length of the chain.
    """
    link, rest = links[0], links[1:]
    beyond = _support(rest) if rest else np.zeros(len(_ANGLES))
    length = sum(math.hypot(one.across, one.along) + one.slack for one in links)
    if link.turns_freely:
        best = float((link.along * _COSINES + link.across * _SINES + beyond).max())
        return np.full(len(_ANGLES), best + length * _STEP**2 / 8 + link.slack)
    x, y = _SINES[:, None] * np.cos(_AROUND), _SINES[:, None] * np.sin(_AROUND)
    z = np.broadcast_to(_COSINES[:, None], x.shape)
    bx, by, bz = link.next_axis
    angle = np.arccos(np.clip(bx * x + by * y + bz * z, -1.0, 1.0))
    at = np.minimum((angle / _STEP).astype(int), len(_ANGLES) - 2)
    over = angle - _STEP * at
    found = (np.sin(_STEP - over) * beyond[at] + np.sin(over) * beyond[at + 1]) / math.sin(_STEP)
    found += link.across * x + link.along * z
    return found.max(axis=1) + length * _SINES * float(_AROUND[1]) ** 2 / 8 + link.slack


def _links(chain: _Chain, scale: float) -> list[Link]:
    """Pieces in shares of the total length `scale`, rounded so that all poses of a chain give the same."""
    links = []
    for vector, axis, after, slack in zip(chain.pieces, chain.axes, [*chain.axes[1:], None], chain.slack, strict=True):
        z = axis if axis is not None else after if after is not None else np.array([0.0, 0.0, 1.0])
        along = float(vector @ z)
        side = vector - along * z
        across = float(np.linalg.norm(side))
        if across <= 1e-9 * scale:  # on the axis: any direction will do
            side = np.cross(z, np.eye(3)[int(np.argmin(np.abs(z)))])
        x = side / np.linalg.norm(side)
        b = z if after is None else after
        numbers = [across / scale, along / scale, b @ x, b @ np.cross(z, x), b @ z, slack / scale]
        across, along, bx, by, bz, slack = (round(float(number), 10) + 0.0 for number in numbers)
        links.append(Link(axis is None, across, along, (bx, by, bz), slack))
    return links


def _outside_annulus(chain: _Chain, away: Array) -> Array:
    """The distance of each target from the annulus of a chain of balls with these lengths; where all axes are parallel,
    from that of the lengths across them, at its height.
    """
    vectors, axis = chain.pieces, _common(chain.axes)
    height = np.zeros(len(away))
    if axis is not None:
        height = (away - vectors.sum(axis=0)) @ axis
        away = away - (away @ axis)[:, None] * axis
        vectors = vectors - np.outer(vectors @ axis, axis)
    lengths = [*np.linalg.norm(vectors, axis=1).tolist(), *chain.slack]
    farthest = math.fsum(lengths)
    nearest = 2 * max(lengths) - farthest
    distance = np.linalg.norm(away, axis=1)
    return np.hypot(height, np.maximum(0.0, np.maximum(distance - farthest, nearest - distance)))


def _chain(
    pose: Pose, first_motion: NDArray[np.int64], locked: NDArray[np.bool_], joint: int, tip: Array
) -> _Chain | None:
    """The movable joints of the chain; None where nothing can be proved."""
    matrices = pose.world_from_joint
    pivots = [matrices[joint, :3, :3] @ tip + matrices[joint, :3, 3]]
    axes: list[Array | None] = []
    slack: list[float] = []
    for j in reversed(pose.skeleton.chain(joint)):
        first, last = int(first_motion[j]), int(first_motion[j + 1])
        moving = [m - first for m in range(first, last) if not locked[m]]
        if not moving:
            continue
        if any(_proves_nothing(pose, j, motion) for motion in moving):
            return None
        pivots.append(matrices[j, :3, 3] + matrices[j, :3, :3] @ _pivot(pose, j))
        axes.append(_single_axis(pose, j))
        slack.append(_slack(pose, j))
    return _Chain(np.array(pivots[::-1]), axes[::-1], slack[::-1])


def _proves_nothing(pose: Pose, j: int, motion: int) -> bool:
    """Whether a motion is a slide, which changes the length of its piece."""
    if pose.skeleton.definitions[j].floating:
        return motion < 3
    axes = pose.skeleton.definitions[j].axes
    return bool(axes) and axes[motion].slide


def _slack(pose: Pose, j: int) -> float:
    """The additional reach of rotations about different points over the same rotations about the first of these points:
    for each, at most twice the distance between the two.
    """
    anchors = np.array([axis.anchor for axis in pose.skeleton.definitions[j].axes]).reshape(-1, 3)
    return 2 * float(np.linalg.norm(anchors - anchors[:1], axis=1).sum())


def _pivot(pose: Pose, j: int) -> Array:
    """The point in the joint's frame about which it rotates."""
    axes = pose.skeleton.definitions[j].axes
    return np.asarray(axes[0].anchor if axes else pose.skeleton.tables.anchor[j], float)


def _single_axis(pose: Pose, j: int) -> Array | None:
    """The world direction of a joint with one axis."""
    axes = pose.skeleton.definitions[j].axes
    return pose.world_from_joint[j, :3, :3] @ np.array(axes[0].direction) if len(axes) == 1 else None


def _common(directions: list[Array | None]) -> Array | None:
    """The direction to which all are parallel, or None."""
    if any(one is None for one in directions):
        return None
    stacked = np.array(directions)
    across = np.linalg.norm(np.cross(stacked, stacked[0]), axis=1).max()
    return stacked[0] if across < _PARALLEL else None

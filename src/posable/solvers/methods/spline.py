"""The spline solver: the joints of a chain follow a curve."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.errors import MethodError
from posable.skeleton import Pose
from posable.solvers.engine import Fault
from posable.solvers.methods.chains import ChainOf, chain_of, pivots
from posable.solvers.methods.method import AtOnceMethod, Formula
from posable.solvers.methods.two_bone import check_turn
from posable.solvers.problem import Structure
from posable.spatial import Array

_PIECES_PER_SPAN = 32  # of the curve between two of its points
_STRAIGHT = 1e-6  # of the chain's length: a rest pose with a smaller bend is straight


@dataclass(frozen=True)
class SplineIK(AtOnceMethod):
    """The joints of the chain above the effector lie on a curve, at distances of their bones' lengths.

    Each joint is the first intersection, after the joint before, of the curve with a sphere of the bone's length. Balls
    and pairs of hinges lie on it exactly, single hinges as near as each can.
    Source: Barry and Goldman 1988 and Yuksel et al. 2011 for the curve; the spline solvers of animation tools.

    Args:
        curve: Points `[point, 3]` through which a centripetal Catmull-Rom curve runs; it is moved to begin at the
            chain's first joint. None: the circular arc from there to the target on which the end meets it, bowed to
            the side to which the chain bows at rest.
        stretch: Scale the given curve so that the chain ends at its end; else the chain keeps the curve's scale, and
            continues straight beyond the curve's end.
        twist: Radians about the bone for the first and the last one, in equal steps in between; balls only.

    Raises:
        MethodError: For an invalid curve or twist.
    """

    curve: ArrayLike | None = None
    stretch: bool = False
    twist: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        if self.curve is not None:
            object.__setattr__(self, "curve", _checked_curve(self.curve))
        if not isinstance(self.stretch, bool):
            raise MethodError(f"SplineIK: stretch is True or False, not {self.stretch!r}")
        try:
            first, last = self.twist
        except (TypeError, ValueError) as problem:
            raise MethodError(f"SplineIK: twist is two angles, not {self.twist!r}") from problem
        for angle in (first, last):
            check_turn("SplineIK", "twist", angle)
        object.__setattr__(self, "twist", (float(first), float(last)))

    def refusal(self, structure: Structure) -> str | None:
        chain = chain_of(structure, 2)
        if isinstance(chain, str):
            return chain
        if chain.goal.pole >= 0:
            return "a Pole rotates a chain about its line, but the curve determines every joint; use twist"
        return None

    def plan(self, structure: Structure) -> Formula:
        chain = chain_of(structure, 2)
        assert not isinstance(chain, str)
        return _Spline(structure, chain, self)


def _checked_curve(curve: ArrayLike) -> tuple[tuple[float, ...], ...]:
    """The points as tuples: parameters are compared and hashed."""
    try:
        points = np.array(curve, float)
    except (TypeError, ValueError) as problem:
        raise MethodError("SplineIK: curve is points, [point, 3]") from problem
    if points.ndim != 2 or points.shape[1] != 3 or len(points) < 2 or not np.isfinite(points).all():
        raise MethodError("SplineIK: curve is two finite points or more, [point, 3]")
    if (np.linalg.norm(np.diff(points, axis=0), axis=1) <= 1e-9 * np.abs(points).max()).any():
        raise MethodError("SplineIK: two points of the curve that follow one another are the same")
    return tuple(tuple(point) for point in points.tolist())


def catmull_rom(points: Array, pieces: int) -> Array:
    """The centripetal Catmull-Rom curve through `points [point, 3]`, with `pieces` segments between two of them.

    Knot intervals are the square roots of the points' distances; mirrored inner points extend the ends.
    """
    whole = np.concatenate([[2 * points[0] - points[1]], points, [2 * points[-1] - points[-2]]])
    knots = np.concatenate([[0.0], np.cumsum(np.sqrt(np.linalg.norm(np.diff(whole, axis=0), axis=1)))])
    found = [points[:1]]
    for k in range(1, len(whole) - 2):
        t = np.linspace(knots[k], knots[k + 1], pieces + 1)[1:, None]
        level = [whole[k - 1 + i] for i in range(4)]
        for step in range(1, 4):  # Barry and Goldman's pyramid; its last level spans the middle knots
            level = [
                _between(t, knots[k - 1 + i + (step == 3)], knots[k - 1 + i + (2 if step == 3 else step)], a, b)
                for i, (a, b) in enumerate(pairwise(level))
            ]
        found.append(level[0])
    return np.concatenate(found)


def _between(t: Array, start: float, end: float, a: Array, b: Array) -> Array:
    return (end - t) / (end - start) * a + (t - start) / (end - start) * b


def rest_bow(structure: Structure, chain: ChainOf) -> Array:
    """`[2, 3]` the line from the chain's first joint to its end at rest, and the side to which it bows, across it."""
    rest = Pose(structure.skeleton, structure.skeleton.rest_coordinates)
    points = _points(rest, chain)
    total = np.linalg.norm(np.diff(points, axis=0), axis=1).sum()
    line = points[-1] - points[0]
    if np.linalg.norm(line) < _STRAIGHT * total:  # closed at rest
        line = points[len(points) // 2] - points[0]
    line = line / np.linalg.norm(line)
    side = (points - points[0]).sum(axis=0)
    side = side - (side @ line) * line
    if np.linalg.norm(side) < _STRAIGHT * total:
        side = np.cross(line, np.eye(3)[np.argmin(np.abs(line))])
    return np.stack([line, side / np.linalg.norm(side)])


def _points(pose: Pose, chain: ChainOf) -> Array:
    """`[point, 3]` the chain's joints and its end."""
    frame = pose.world_from_joint[chain.goal.joint]
    joints = [pivots(pose, j) for j in (chain.bases[-1], *chain.joints)]
    return np.array([*joints, frame[:3, 3] + frame[:3, :3] @ chain.goal.tip])


class _Spline:
    """A chain and its curve as numbers."""

    def __init__(self, structure: Structure, chain: ChainOf, method: SplineIK) -> None:
        self.structure, self.chain = structure, chain
        self.joints = np.array([chain.bases[-1], *chain.joints], np.int64)
        self.used = np.array(structure.skeleton.chain(chain.goal.joint), np.int64)[:, None]
        self.bow, self.twist = rest_bow(structure, chain), np.array(method.twist)
        self.curve, self.scale = np.empty((0, 3)), 1.0
        if method.curve is not None:
            self.curve = catmull_rom(np.array(method.curve), _PIECES_PER_SPAN)
            self.scale = self._scale() if method.stretch else 1.0

    def _scale(self) -> float:
        """The scale of the curve with which the chain ends at its end."""
        from posable.solvers.methods.spline_solves import curve_scale

        rest = Pose(self.structure.skeleton, self.structure.skeleton.rest_coordinates)
        return curve_scale(self.curve, np.linalg.norm(np.diff(_points(rest, self.chain), axis=0), axis=1))

    def solve(self, starts: Array, numbers: Array, out: Array, counts: NDArray[np.int64]) -> Fault:
        from posable.solvers.methods.spline_solves import spline_all

        structure, options, chain = self.structure, self.structure.options, self.chain
        return spline_all(
            structure.skeleton.packed,
            structure.problem.terms,
            self.used,
            self.joints,
            self.curve,
            self.bow,
            self.scale,
            self.twist,
            chain.numbers,
            chain.goal.tip,
            structure.free,
            np.array([options.tolerance, options.angle_tolerance]),
            starts,
            numbers,
            out,
            counts,
        )

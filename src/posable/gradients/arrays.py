"""Solves as functions of plain arrays, with their vector–Jacobian products: what other libraries' gradients need."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from posable.skeleton import Pose
from posable.solvers import Prepared, Solution
from posable.solvers.derivatives.implicit import Derivative
from posable.spatial import Array, wxyz_inverse, wxyz_multiply


class ArrayCotangents(NamedTuple):
    """A loss by the arrays that were given, each of the shape of its array.

    Example:
        >>> target = [np.array([-0.3, 1.3, 0.3])]
        >>> prepared = posable.prepare(figure.skeleton, [posable.Reach("hand_r", target[0])])
        >>> solve = posable.gradients.ArraySolve(prepared)
        >>> q = solve(figure.rest.q, target)
        >>> solve.pull(q, target, None, np.ones_like(q)).start.shape == q.shape
        True
    """

    start: Array
    targets: tuple[Array, ...]
    weights: Array


class ArraySolve:
    """`Prepared.solve` from arrays to an array.

    Args:
        prepared: Goals on a skeleton, made ready by `posable.prepare`.

    Example:
        >>> prepared = posable.prepare(figure.skeleton, [posable.Reach("hand_r", (-0.4, 1.2, 0.3))])
        >>> solve = posable.gradients.ArraySolve(prepared)
        >>> q = solve(figure.rest.q, [np.array([-0.3, 1.3, 0.3])])
        >>> solve.pull(q, [np.array([-0.3, 1.3, 0.3])], None, np.ones_like(q)).targets[0].shape
        (3,)
    """

    def __init__(self, prepared: Prepared) -> None:
        self.prepared, self._skeleton = prepared, prepared.skeleton

    def __call__(self, start: Array, targets: Sequence[Array], weights: Array | None = None) -> Array:
        """`[..., coordinates]` the solution.

        Args:
            start: `[..., coordinates]`.
            targets: One array per goal, `[..., *shape of its target]`.
            weights: `[..., goal]`; None for the goals' own.
        """
        return self._solved(start, targets, weights).pose.q

    def _solved(self, start: Array, targets: Sequence[Array], weights: Array | None) -> Solution:
        given = None if weights is None else list(np.moveaxis(np.asarray(weights, float), -1, 0))
        return self.prepared.solve(Pose(self._skeleton, start), [np.asarray(t, float) for t in targets], weights=given)

    def pull(self, q: Array, targets: Sequence[Array], weights: Array | None, cotangent: Array) -> ArrayCotangents:
        """What a loss is worth by what was given: `cotangent [..., coordinates]` is its derivative by the solution `q`.

        It is 0 where there is no derivative (`Derivative.exists`).
        """
        arrays = [np.asarray(target, float) for target in targets]
        solution = self._solved(q, arrays, weights)  # it is there already
        derivative = Derivative(solution)
        along = self._along_plus(solution.pose, np.broadcast_to(cotangent, solution.pose.q.shape))
        pulled = derivative.pull(along)
        goals = zip(self.prepared.structure.goal_set.goals, arrays, pulled.targets, strict=True)
        return ArrayCotangents(
            np.nan_to_num(self._by_coordinates(solution.pose, pulled.start)),
            tuple(_summed(np.nan_to_num(_by_array(target, own)), target.shape) for _, target, own in goals),
            np.nan_to_num(pulled.weights),
        )

    def _along_plus(self, pose: Pose, cotangent: Array) -> Array:
        """`[..., dof]` of a cotangent of coordinates: q ⊕ v changes a quaternion by ½ q (0, v)."""
        skeleton = self._skeleton
        found = np.zeros((*pose.shape, skeleton.dof))
        for columns, freedoms, turns in _pieces(pose):
            if turns:
                found[..., freedoms] = (
                    0.5 * wxyz_multiply(wxyz_inverse(pose.q[..., columns]), cotangent[..., columns])[..., 1:]
                )
            else:
                found[..., freedoms] = cotangent[..., columns]
        return found

    def _by_coordinates(self, pose: Pose, tangent: Array) -> Array:
        """The inverse of `_along_plus`: the smallest cotangent of coordinates with the same effect."""
        found = np.zeros(pose.q.shape)
        for columns, freedoms, turns in _pieces(pose):
            own = tangent[..., freedoms]
            if turns:
                pure = np.concatenate([np.zeros((*own.shape[:-1], 1)), own], axis=-1)
                own = 2.0 * wxyz_multiply(pose.q[..., columns], pure)
            found[..., columns] = own
        return found


def _pieces(pose: Pose) -> list[tuple[slice, slice, bool]]:
    """(coordinates, freedoms, whether they are a quaternion) of each joint."""
    skeleton, tables, found = pose.skeleton, pose.skeleton.tables, []
    for j, joint in enumerate(skeleton.definitions):
        column, freedom = int(tables.first_coordinate[j]), skeleton.freedom_range(j)
        moves = len(freedom) - 3 * joint.has_quaternion
        found.append((slice(column, column + moves), slice(freedom.start, freedom.start + moves), False))
        if joint.has_quaternion:
            column += moves
            found.append((slice(column, column + 4), slice(freedom.start + moves, freedom.stop), True))
    return found


def _by_array(target: Array, own: Array) -> Array:
    """`[..., *shape]` by a target's numbers, of `own [..., k]`, that by its position and its rotation vector."""
    if target.shape[-1:] == (3,):
        return own
    turn = own[..., -3:]
    if target.shape[-2:] == (4, 4):
        found = np.zeros((*own.shape[:-1], 4, 4))
        rotation = np.broadcast_to(target[..., :3, :3], (*own.shape[:-1], 3, 3))
        found[..., :3, :3] = 0.5 * np.cross(turn[..., None, :], np.swapaxes(rotation, -1, -2)).swapaxes(-1, -2)
        found[..., :3, 3] = own[..., :3]
        return found
    pure = np.concatenate([np.zeros((*turn.shape[:-1], 1)), turn], axis=-1)
    return 2.0 * wxyz_multiply(pure, np.broadcast_to(target, (*own.shape[:-1], 4)))


def _summed(found: Array, shape: tuple[int, ...]) -> Array:
    """`found` summed over the axes along which an array of this shape was repeated."""
    found = found.sum(axis=tuple(range(found.ndim - len(shape))))
    spread = tuple(k for k, size in enumerate(shape) if size == 1 and found.shape[k] > 1)
    return found.sum(axis=spread, keepdims=True)

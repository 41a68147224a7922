"""Turns and hinges of a figure set as nearly as they can be to rotations that are wanted of its joints."""

from __future__ import annotations

import numpy as np

from posable.skeleton import Skeleton
from posable.spatial import (
    Array,
    matrix_from_wxyz,
    rotation_vector_from_wxyz,
    wxyz_from_matrix,
    wxyz_from_rotation_vector,
    wxyz_inverse,
    wxyz_multiply,
)

_STEPS = 12
_STILL = 1e-12  # rad
_DAMPED = 1e-9
_TWIST = 0.05  # what a limb's twist counts against the directions of its bones


class Hinges:
    """The turning axes of joints that follow one another, from `first` down to `last`."""

    def __init__(self, skeleton: Skeleton, joints: list[int]) -> None:
        tables = skeleton.tables
        self._turns, self._axes = wxyz_from_matrix(tables.turn[joints]), []
        for row, joint in enumerate(joints):
            for axis in range(int(tables.first_axis[joint]), int(tables.first_axis[joint + 1])):
                if not tables.slides[axis]:
                    self._axes.append((row, axis))
        chosen = [axis for _, axis in self._axes]
        self.coordinates = tables.axis_coordinate[chosen]
        freedoms = tables.axis_dof[chosen]
        self._low, self._high = tables.lower[freedoms], tables.upper[freedoms]
        self._active = tables.active[freedoms]
        self._direction, self._gain, self._shift = tables.direction[chosen], tables.gain[chosen], tables.shift[chosen]

    def turned(self, base: Array, values: Array) -> tuple[Array, Array]:
        """(world rotation `[frame, 4]` of the last joint, `[frame, axis, 3]` the axes in the world) where what is above
        the first is turned by `base`.
        """
        world, axes, row = base, [], -1
        for k, (own, _) in enumerate(self._axes):
            while row < own:
                row += 1
                world = wxyz_multiply(world, self._turns[row])
            axes.append(matrix_from_wxyz(world) @ self._direction[k])
            angle = self._gain[k] * values[:, k] + self._shift[k]
            world = wxyz_multiply(world, wxyz_from_rotation_vector(angle[:, None] * self._direction[k]))
        for turn in self._turns[row + 1 :]:
            world = wxyz_multiply(world, turn)
        return world, np.stack(axes, axis=1) if axes else np.zeros((len(base), 0, 3))

    def __len__(self) -> int:
        return len(self._axes)

    def fit(self, base: Array, values: Array, wanted: Array) -> Array:
        """`[frame, axis]` values within limits with which the last joint is turned as nearly as can be as `wanted`.

        Gauss–Newton from `values`; an axis at a limit that is pushed over it stays there.
        """
        values = np.clip(values, self._low, self._high)
        for _ in range(_STEPS):
            world, axes = self.turned(base, values)
            left = rotation_vector_from_wxyz(wxyz_multiply(wanted, wxyz_inverse(world)))
            across = axes * self._gain[:, None]
            pull = (across @ left[..., None])[..., 0]
            held = ((values <= self._low) & (pull < 0)) | ((values >= self._high) & (pull > 0)) | ~self._active
            across = np.where(held[..., None], 0.0, across)
            normal = across @ np.swapaxes(across, 1, 2) + (_DAMPED + held[:, None]) * np.eye(len(self._axes))
            step = np.linalg.solve(normal, np.where(held, 0.0, pull)[..., None])[..., 0]
            moved = np.clip(values + step, self._low, self._high)
            still = float(np.abs(moved - values).max(initial=0.0)) < _STILL
            values = moved
            if still:
                break
        return values

    def bent(self, base: Array, values: Array, bones: tuple[Array, Array], ways: tuple[Array, Array]) -> Array:
        """`[frame, 4]` how a ball above a single hinge is turned so that both bones point along `ways [frame, 3]`.

        base: as the ball is to be turned otherwise, which decides its twist where the limb is straight. bones: unit
        vectors in the frames of ball and hinge.
        """
        turn, values = base, np.clip(values, self._low, self._high)
        for _ in range(_STEPS):
            below, axes = self.turned(turn, values)
            upper, lower = matrix_from_wxyz(turn) @ bones[0], matrix_from_wxyz(below) @ bones[1]
            off = rotation_vector_from_wxyz(wxyz_multiply(base, wxyz_inverse(turn)))
            left = np.concatenate([ways[0] - upper, ways[1] - lower, _TWIST * off], axis=1)
            rows = np.zeros((len(turn), 9, 4))
            rows[:, :3, :3], rows[:, 3:6, :3] = -_crossing(upper), -_crossing(lower)
            rows[:, 6:, :3] = _TWIST * np.eye(3)
            rows[:, 3:6, 3] = self._gain[0] * np.cross(axes[:, 0], lower)
            across = np.swapaxes(rows, 1, 2)
            step = np.linalg.solve(across @ rows + _DAMPED * np.eye(4), across @ left[..., None])[..., 0]
            turn = wxyz_multiply(wxyz_from_rotation_vector(step[:, :3]), turn)
            values = np.clip(values + step[:, 3:], self._low, self._high)
            if float(np.abs(step).max(initial=0.0)) < _STILL:
                break
        return turn


def _crossing(vectors: Array) -> Array:
    """`[frame, 3, 3]` matrices M with M x = vector × x."""
    x, y, z = np.moveaxis(vectors, -1, 0)
    none = np.zeros_like(x)
    return np.stack([none, -z, y, z, none, -x, -y, x, none], axis=-1).reshape(*vectors.shape, 3)

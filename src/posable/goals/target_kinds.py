"""What targets are: how one of each kind is moved into a frame, taken apart, put together and blended, once for all."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from posable.goals.terms import CAPSULE, FRAME, NOWHERE, POINT, WXYZ
from posable.spatial import (
    Array,
    apply_transform,
    matrix_from_wxyz,
    normalized,
    transform,
    wxyz_from_matrix,
    wxyz_from_rotation_vector,
    wxyz_multiply,
)

Blend = Callable[..., Array]
"""Positions `[..., 3]` or rotations wxyz `[..., 4]`, as many as there are targets, to one."""


class TargetKind:
    """A kind of target: arrays `[..., *shape]`. This one has neither a position nor a rotation, and stays as it is."""

    form: int = NOWHERE
    """How kernels read it."""
    can_blend: bool = False
    """Whether it has a position or a rotation, so that there is something between two of them."""

    def __init__(self, *shape: int) -> None:
        self.shape = shape

    def moved(self, frame: Array, target: Array) -> Array:
        """A target given in frames `[..., 4, 4]`, where these are given."""
        del frame
        return target

    def position(self, target: Array) -> Array | None:
        """`[..., 3]`; None for a kind without a position."""
        del target
        return None

    def wxyz(self, target: Array) -> Array | None:
        """The rotation `[..., 4]`; None for a kind without one."""
        del target
        return None

    def rotation(self, target: Array) -> Array | None:
        """The same as a matrix `[..., 3, 3]`."""
        del target
        return None

    def joined(self, position: Array, wxyz: Array) -> Array:
        """The target with this position and rotation, of which it takes what it has."""
        raise NotImplementedError

    def stepped_back(self, target: Array, step: Array) -> Array:
        """The target before `target` by a step `[..., 3 or 6]`: a displacement, a rotation vector or both."""
        raise NotImplementedError

    def blended(self, positions: Blend, rotations: Blend, *targets: Array) -> Array:
        """One target of several: its position by `positions` of theirs, its rotation by `rotations` of theirs."""
        nothing = np.empty(0)
        own = [self.position(target) for target in targets], [self.wxyz(target) for target in targets]
        position, wxyz = (
            nothing if parts[0] is None else blend(*parts)
            for blend, parts in zip((positions, rotations), own, strict=True)
        )
        return self.joined(position, wxyz)


class _Points(TargetKind):
    form, can_blend = POINT, True

    def moved(self, frame: Array, target: Array) -> Array:
        return apply_transform(frame, target)

    def position(self, target: Array) -> Array:
        return target

    def joined(self, position: Array, wxyz: Array) -> Array:
        del wxyz
        return position

    def stepped_back(self, target: Array, step: Array) -> Array:
        return target - step


class _Rotations(TargetKind):
    form, can_blend = WXYZ, True

    def moved(self, frame: Array, target: Array) -> Array:
        return wxyz_multiply(wxyz_from_matrix(frame[..., :3, :3]), target)

    def wxyz(self, target: Array) -> Array:
        return normalized(target)

    def rotation(self, target: Array) -> Array:
        return matrix_from_wxyz(target)

    def joined(self, position: Array, wxyz: Array) -> Array:
        del position
        return wxyz

    def stepped_back(self, target: Array, step: Array) -> Array:
        return wxyz_multiply(wxyz_from_rotation_vector(-step), target)


class _Frames(TargetKind):
    form, can_blend = FRAME, True

    def moved(self, frame: Array, target: Array) -> Array:
        return frame @ target

    def position(self, target: Array) -> Array:
        return target[..., :3, 3]

    def wxyz(self, target: Array) -> Array:
        return wxyz_from_matrix(target[..., :3, :3])

    def rotation(self, target: Array) -> Array:
        return target[..., :3, :3]

    def joined(self, position: Array, wxyz: Array) -> Array:
        return transform(position, wxyz)

    def stepped_back(self, target: Array, step: Array) -> Array:
        begin = np.array(np.broadcast_to(target, (*step.shape[:-1], 4, 4)))
        begin[..., :3, :3] = matrix_from_wxyz(wxyz_from_rotation_vector(-step[..., 3:])) @ begin[..., :3, :3]
        begin[..., :3, 3] -= step[..., :3]
        return begin


class Capsules(TargetKind):
    """`[..., capsule, 7]`: start, end and radius of each."""

    form = CAPSULE

    def __init__(self, count: int) -> None:
        super().__init__(count, 7)

    def moved(self, frame: Array, target: Array) -> Array:
        ends = [apply_transform(frame[..., None, :, :], target[..., k : k + 3]) for k in (0, 3)]
        radii = np.broadcast_to(target[..., 6:], (*ends[0].shape[:-1], 1))
        return np.concatenate([*ends, radii], axis=-1)


NO_TARGET = TargetKind(0)
"""Of goals that take none."""
POINTS, ROTATIONS, FRAMES = _Points(3), _Rotations(4), _Frames(4, 4)
"""`[..., 3]` positions; `[..., 4]` rotations, wxyz; `[..., 4, 4]` rigid transforms."""
OF_FORM = {kind.form: kind for kind in (POINTS, ROTATIONS, FRAMES)}
"""The kinds that have a position or a rotation, by how kernels read them."""


def points_turned(center: Array, wxyz: Array, points: Array) -> Array:
    """`points [..., 3]` turned by `wxyz [..., 4]` about `center [..., 3]`."""
    return center + apply_transform(transform(wxyz=wxyz), points - center)

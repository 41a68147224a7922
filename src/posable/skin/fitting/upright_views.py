"""A mesh set upright in every manner that it may stand: what every template begins with."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from posable.skin.fitting.upright_voxels import Stage, room_in, rooms_of_body, stages
from posable.skin.mesh import Mesh
from posable.skin.solid import Solid
from posable.spatial import Array

_LEAST_SYMMETRY = 0.55  # of the volume: a plane that leaves less of it with an image is none between left and right
_LEAST_HEIGHT = 0.12  # of its longest side: what is flatter does not stand
_ALIGNED = 0.9  # of the volume with an image across a plane along the mesh's axes: below, other planes are tried


class Views:
    """A mesh set upright in every manner that it may stand, worked out once for all templates."""

    def __init__(self, mesh: Mesh) -> None:
        self.mesh = mesh
        self._standing: dict[str, list[Stage]] = {}

    @cached_property
    def room(self) -> Solid:
        """The voxels inside the mesh."""
        return room_in(self.mesh)

    @cached_property
    def _rooms(self) -> list[Solid]:
        return [self.room, *rooms_of_body(self.mesh)]

    def standing(self, up: str) -> list[Stage]:
        """Its stages with this axis upright."""
        if up not in self._standing:
            self._standing[up] = list(_standing(self.mesh, self._rooms, up))
        return self._standing[up]


def _standing(mesh: Mesh, rooms: list[Solid], up: str) -> Iterator[Stage]:
    """The stages along the mesh's axes; where they leave little symmetry, also along its own axes seen from above."""
    standing = [stage for room in rooms for stage in stages(room, up)]
    most = max(stage.symmetry for stage in standing)
    if most < _ALIGNED:
        turn = _turn_to_axes(rooms[0], up)
        turned = Mesh(mesh.vertices @ turn.T, mesh.faces, mesh.name)
        standing += [stage.turned_by(turn) for stage in stages(room_in(turned), up)]
        most = max(stage.symmetry for stage in standing)
    for stage in standing:
        if stage.symmetry >= min(_LEAST_SYMMETRY, most) and stage.height > _LEAST_HEIGHT * max(stage.filled.shape):
            yield stage


def _turn_to_axes(room: Solid, up: str) -> Array:
    """`[3, 3]`: rotates the solid's horizontal main axes to the mesh's; one of them lies in the mirror plane."""
    upright = "xyz".index(up)
    level = [(upright + 1) % 3, (upright + 2) % 3]
    spread = np.cov(np.argwhere(room.inside)[:, level].T)
    angle = 0.5 * np.arctan2(2 * spread[0, 1], spread[0, 0] - spread[1, 1])
    turn = np.eye(3)
    turn[np.ix_(level, level)] = [[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]
    return turn

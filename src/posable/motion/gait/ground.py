"""The ground as a walk asks for it: height and normal at places told in the figure's own directions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from posable.errors import PosableError
from posable.motion.feet import Terrain
from posable.motion.gait.body import Body
from posable.spatial import Array


@dataclass(frozen=True, eq=False)
class Ground:
    """terrain: in the world; None for level ground under the rest pose.

    to_body, origin, length: how the figure's own directions and leg lengths relate to the world.
    """

    terrain: Terrain | None
    to_body: Array
    origin: Array
    length: float

    @property
    def level(self) -> bool:
        return self.terrain is None

    def at(self, places: Array) -> tuple[Array, Array]:
        """(height `[...]`, unit normal `[..., 3]`) under `places [..., 3]`. Raises PosableError where there is none."""
        height, normal = self.seen(places)
        if not np.isfinite(height).all():
            spot = self._world(places.reshape(-1, 3)[np.argmax(~np.isfinite(height.reshape(-1)))])
            told = ", ".join(f"{number:.3g}" for number in spot)
            raise PosableError(f"the terrain has no ground under ({told}), where a foot would come; lead the path past")
        return height, normal

    def seen(self, places: Array) -> tuple[Array, Array]:
        """As `at`, but NaN where there is no ground."""
        if self.terrain is None:
            return np.zeros(places.shape[:-1]), np.broadcast_to([0.0, 1.0, 0.0], places.shape)
        height, normal = self.terrain.ground(self._world(places))
        return (height - self.to_body[1] @ self.origin) / self.length, normal @ self.to_body.T

    def _world(self, places: Array) -> Array:
        return self.origin + self.length * places @ self.to_body


def ground_of(terrain: Terrain | None, body: Body) -> Ground:
    """The ground under a figure. Raises PosableError for a terrain of another up axis."""
    up = body.skeleton.up
    if terrain is not None and terrain.up != up:
        raise PosableError(f"the terrain's up axis is {terrain.up}, the figure's is {up}; make it with up={up!r}")
    return Ground(terrain, body.to_body, body.origin, body.length)

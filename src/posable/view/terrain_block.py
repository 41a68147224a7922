"""The ground that a figure walks on: a solid block of it, laid with two tones of tiles, that stands on the stage."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posable.figures import Figure
from posable.figures.terrain import Terrain
from posable.spatial import Array
from posable.view.camera import Camera, View
from posable.view.scene import Mesh, paint
from posable.view.shading_normals import split_at_creases

_TONES = np.array([(0.60, 0.66, 0.70), (0.52, 0.58, 0.63), (0.44, 0.50, 0.55)])
"""Light tiles, dark tiles, and the sides of the block: sRGB."""

_ROOM = 0.45  # of the height of what stands on it: so far it goes on about it
_TILE = 0.15  # likewise
_THICK = 0.06  # likewise, under its lowest point
_ELSEWHERE = ((0, 0), (0, 15), (45, 0), (45, 12), (80, 0), (80, 12), (115, 5), (115, 15), (0, 35))
"""Degrees round and up from a view at which a camera is tried."""

_WORTH = 0.05  # of the feet that more must be seen of for a camera to go further
_SEEN, _SAMPLES = 400, 40  # samples, and points on the ray from each to the eye, for the occlusion test
_SUNK = 0.01  # of the block's height that a sight may graze


@dataclass(frozen=True, eq=False)
class Ground:
    """vertices: `[vertex, 3]` of `mesh`, in the world. base: the height of its underside. terrain: of its top. Both are
    None where there is nothing.
    """

    mesh: Mesh
    vertices: NDArray[np.float32]
    base: float | None = None
    terrain: Terrain | None = None

    @classmethod
    def none(cls) -> Ground:
        """Nothing but the floor of the stage."""
        return cls(Mesh.none(), np.zeros((0, 3), np.float32))

    @classmethod
    def under(cls, terrain: Terrain, points: Array, figure: Figure) -> Ground:
        """The ground under the figure, which is at `points [point, 3]`; none where all of it is a hole.

        Raises TerrainError for a terrain of another up axis.
        """
        terrain.check_up(figure.skeleton.up)
        k, height = "xyz".index(figure.skeleton.up), figure.height or figure.skeleton.reach
        top, odd = terrain.patch(points, _ROOM * height, _TILE * height)
        if not len(top):
            return cls.none()
        base = float(top[..., k].min()) - _THICK * height
        sides = _sides(top, base, k)
        tones = np.concatenate([_TONES[odd.astype(int)], np.repeat(_TONES[2:], len(sides), axis=0)])
        places = [faces.reshape(-1, 3).astype(np.float32) for faces in (top, sides)]
        splits = [split_at_creases(own, np.arange(len(own), dtype=np.int32).reshape(-1, 3)) for own in places]
        colors = np.split(np.repeat(paint(tones), 3, axis=0), [len(places[0])])
        vertices = [own[origins] for own, (origins, _, _) in zip(places, splits, strict=True)]
        return cls(Mesh.joined(colors, splits, (None, None)), np.concatenate(vertices), base, terrain)

    def camera(
        self, points: Array, feet: Array, up: str, view: View, aspect: float, front: Array | None = None
    ) -> Camera:
        """The camera framed on `points [point, 3]` as the view says, or further round or up where that shows more of
        the `feet [point, 3]`, which the ground may hide. front: as for `Camera.framing`.
        """
        stands = _ELSEWHERE if view == "three_quarter" else [one for one in _ELSEWHERE if not one[0]]
        best, least = None, np.inf
        for around, above in stands:
            camera = Camera.framing(points, up, view, aspect, front=front, around=around, above=above)
            hidden = self._hidden(feet, np.array(camera.position))
            if hidden < least - _WORTH:
                best, least = camera, hidden
        assert best is not None
        return best

    def _hidden(self, places: Array, eye: Array) -> float:
        """The share of points `[point, 3]` that the block hides from the eye."""
        if self.terrain is None or not len(places):
            return 0.0
        k, low, high = "xyz".index(self.terrain.up), self.vertices.min(axis=0), self.vertices.max(axis=0)
        some = places[np.linspace(0, len(places) - 1, min(len(places), _SEEN)).astype(int)]
        way = some[:, None] + np.linspace(0.0, 1.0, _SAMPLES)[1:, None] ** 2 * (eye - some)[:, None]
        level = [axis for axis in range(3) if axis != k]
        over_block = ((way >= low) & (way <= high))[..., level].all(axis=2)
        deep = self.terrain.height(way) - way[..., k] > _SUNK * float(high[k] - low[k])
        return float((deep & over_block).any(axis=1).mean())


def _sides(top: Array, base: float, up: int) -> Array:
    """`[face, 3, 3]` walls from the edges of the triangles `top [face, 3, 3]` that no other shares, down to `base`."""
    ends = np.stack([top, np.roll(top, -1, axis=1)], axis=2).reshape(-1, 2, 3)
    size = float(np.ptp(top.reshape(-1, 3), axis=0).max()) or 1.0
    cells = np.round(ends / (1e-6 * size)).astype(np.int64)
    _, place = np.unique(cells.reshape(-1, 3), axis=0, return_inverse=True)
    pairs = np.sort(place.reshape(-1, 2), axis=1)
    _, which, counts = np.unique(pairs, axis=0, return_inverse=True, return_counts=True)
    start, end = np.moveaxis(ends[counts[which.ravel()] == 1], 1, 0)
    low_start, low_end = start.copy(), end.copy()
    low_start[:, up] = low_end[:, up] = base
    return np.stack([start, low_start, low_end, start, low_end, end], axis=1).reshape(-1, 3, 3)

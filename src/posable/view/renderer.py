"""One camera on one stage: meshes in, pixels out."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from posable.spatial import Array, normalized
from posable.view.backdrop import Stage, backdrop, srgb_code
from posable.view.camera import Camera
from posable.view.light import Lamps, Lens, Scratch, Surface, draw_rows, scratch
from posable.view.raster import empty_triangles, place_triangles
from posable.view.scene import Mesh
from posable.view.shadows import cast_shadows, directions, ground_darkness, ground_points, lamp_axes, sky_light

Image = NDArray[np.uint8]
# The room, linear light: what comes from straight up, from the horizon, and back from the floor.
_ZENITH, _HORIZON, _FLOOR = np.array([0.86, 0.93, 1.0]), np.array([0.46, 0.47, 0.48]), np.array([0.34, 0.32, 0.30])
_LAMPS = np.array([[0.95, 0.90, 0.82], [0.22, 0.24, 0.27], [0.85, 0.95, 1.10]])  # key, fill, rim
# Each lamp's direction as seen from the figure: to the camera's right, upwards, towards the camera.
_STANDS = np.array([[-0.75, 1.05, 0.62], [0.9, 0.25, 0.6], [0.55, 0.7, -0.9]])

_BAND = 24  # pixel rows drawn in one go


@dataclass(frozen=True)
class Quality:
    """Quality settings.

    samples: per pixel and axis. shadow_map, sky_map: side lengths in texels. sky: directions of the ambient light.
    ground: points of the floor per axis at which its light is computed.
    """

    samples: int
    shadow_map: int
    sky: int
    sky_map: int
    ground: int


STILL = Quality(samples=4, shadow_map=1536, sky=96, sky_map=160, ground=72)
MOVING = Quality(samples=2, shadow_map=512, sky=20, sky_map=64, ground=40)


class Renderer:
    """Draws meshes as `camera` sees them on `stage`; what does not move is worked out once."""

    def __init__(self, stage: Stage, camera: Camera, size: tuple[int, int], quality: Quality) -> None:
        self.stage, self.size, self.quality = stage, size, quality
        self._aim(camera)
        self._towards = normalized(_STANDS @ _level_axes(self._axes))
        sky = directions(quality.sky)
        self._key_axes, self._sky_axes = lamp_axes(self._towards[0]), lamp_axes(sky)
        self._radiance = _room(sky)
        self._code = srgb_code()
        self._own = threading.local()
        upwards = np.clip(sky[:, 2], 0, None)
        self._open_ground = float((upwards[:, None] * self._radiance).mean() * 4)

    def _aim(self, camera: Camera) -> None:
        self.camera, size, samples = camera, self.size, self.quality.samples
        self._axes = self.stage.place_directions(camera.axes)
        self._scale = camera.pixels_per_slope(size[1]) * samples
        self._lens = _lens(self.stage.place(camera.position), self._axes, self._scale, size, samples)
        self._backdrop, self._fades = backdrop(self.stage, self._lens, samples, size, _pool())

    def through(self, camera: Camera) -> Renderer:
        """The same stage in the same light, before another camera."""
        if camera == self.camera:
            return self
        other = copy(self)
        other._aim(camera)
        return other

    def draw(self, mesh: Mesh, world_vertices: NDArray[np.float32]) -> Image:
        """The picture `[height, width, 3]` of a mesh whose vertices are at `world_vertices [vertex, 3]`."""
        image = np.empty((self.size[1], self.size[0], 3), np.uint8)
        vertices = self.stage.place(world_vertices)
        if not len(mesh.faces):
            vertices = np.zeros((3, 3), np.float32)
            mesh = Mesh.empty()
        surface, lamps = self._lit(mesh, vertices)
        triangles = empty_triangles(len(mesh.faces))
        place_triangles(self._homogeneous(vertices), mesh.faces, *self._grid, triangles)
        solid, sheer = triangles, mesh.sheer
        if len(sheer):
            solid = triangles._replace(boxes=triangles.boxes.copy())
            solid.boxes[sheer, 1] = -1
        drawn = (self.quality.samples, (triangles, solid, sheer), surface, mesh.looks)
        more = (*drawn, self._lens, lamps, self._backdrop, self._fades, self._code, image)

        def band(first: int) -> None:
            draw_rows(first, min(first + _BAND, self.size[1]), *more, self._scratch())

        list(_pool().map(band, range(0, self.size[1], _BAND)))
        return image

    def _scratch(self) -> Scratch:
        if not hasattr(self._own, "scratch"):
            self._own.scratch = scratch(_BAND, self.size[0], self.quality.samples)
        return self._own.scratch

    def pixels(self, world_points: Array) -> Array:
        """`[..., 3]` pixel x, y and depth of world points."""
        return self.camera.project(world_points, self.size)

    @property
    def _grid(self) -> tuple[int, int]:
        return self.size[0] * self.quality.samples, self.size[1] * self.quality.samples

    def _homogeneous(self, vertices: NDArray[np.float32]) -> Array:
        """X, Y, W in samples, the first one's centre at 0."""
        local = (vertices - self._lens.eye).astype(float) @ self._axes.T
        middle = (np.array(self._grid) - 1) / 2
        x = local[:, 0] * self._scale - local[:, 2] * middle[0]
        y = -local[:, 1] * self._scale - local[:, 2] * middle[1]
        return np.stack([x, y, -local[:, 2]], axis=1)

    def _lit(self, mesh: Mesh, vertices: NDArray[np.float32]) -> tuple[Surface, Lamps]:
        normals = mesh.normals(vertices)
        pixels = self.quality.shadow_map
        shadows = _pool().submit(cast_shadows, vertices, mesh.casting, self._key_axes, pixels)
        grid, place = ground_points(vertices, self.quality.ground)
        points = np.concatenate([vertices, grid])
        outwards = np.concatenate([normals, np.tile(np.array([0, 0, 1], np.float32), (len(grid), 1))])
        room = (self._sky_axes, self._radiance, self.quality.sky_map, _pool())
        light = sky_light(points, outwards, (vertices, mesh.casting), *room)
        darkness = ground_darkness(light[len(vertices) :], self._open_ground)
        lamps = Lamps(self._towards.astype(np.float32), _LAMPS.astype(np.float32), *shadows.result(), darkness, place)
        return Surface(vertices, normals, mesh.colors, light[: len(vertices)], mesh.faces), lamps


def _lens(eye: NDArray[np.float32], axes: Array, scale: float, size: tuple[int, int], samples: int) -> Lens:
    middle = (np.array(size) * samples - 1) / 2
    across, down = axes[0] / scale, -axes[1] / scale
    corner = -axes[2] - across * middle[0] - down * middle[1]
    return Lens(eye, *(v.astype(np.float32) for v in (corner, across, down)))


def _level_axes(axes: Array) -> Array:
    """`[3, 3]`: rows right, up, towards the camera, with up the stage's: lamps do not tilt with the camera."""
    up = np.array([0.0, 0.0, 1.0])
    towards = normalized(axes[2] * (1, 1, 0)) if np.hypot(*axes[2, :2]) > 1e-3 else -axes[1]
    return np.stack([np.cross(up, towards), up, towards])


def _room(towards: Array) -> NDArray[np.float32]:
    """The room's light `[direction, 3]`."""
    height = towards[:, 2:]
    above = _HORIZON + (_ZENITH - _HORIZON) * np.clip(height, 0, 1) ** 0.7
    return np.where(height > 0, above, _FLOOR + (_HORIZON - _FLOOR) * np.clip(1 + height, 0, 1) ** 6).astype(np.float32)


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(min(os.cpu_count() or 1, 16), thread_name_prefix="posable-view")

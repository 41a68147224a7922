"""Surfaces of smooth unions of cones with round ends, of which `made_bodies` makes its bodies."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import igl
import numpy as np

import posable
from posable.spatial import matrix_from_wxyz, wxyz_about

Point = np.ndarray
HIGH = 100  # cells of the figure's longest side
LEFT, UP, AHEAD = np.eye(3)


@dataclass
class Solid:
    """Round cones, ellipsoids and flat plates. Each is (start, end, radii at both, how much narrower in depth, how
    soft it joins).
    """

    parts: list[tuple[Point, Point, float, float, float, float]] = field(default_factory=list)

    def cone(self, start: Point, end: Point, first: float, last: float, depth: float = 1.0, soft: float = 0.3) -> None:
        self.parts.append((np.array(start, float), np.array(end, float), first, last, depth, soft * min(first, last)))

    def line(self, points: list[Point], radii: list[float], depth: float = 1.0, soft: float = 0.3) -> None:
        """Cones from point to point."""
        for k in range(len(points) - 1):
            self.cone(points[k], points[k + 1], radii[k], radii[k + 1], depth, soft)

    def ball(self, middle: Point, radius: float, depth: float = 1.0, soft: float = 0.3) -> None:
        self.cone(middle, middle, radius, radius, depth, soft)

    def surface(self) -> posable.Mesh:
        """The surface as one mesh."""
        ends = np.array([point for part in self.parts for point in part[:2]])
        wide = np.array([max(part[2], part[3]) * max(1.0, part[4]) for part in self.parts for _ in "ab"])
        low, high = (ends - wide[:, None]).min(axis=0), (ends + wide[:, None]).max(axis=0)
        step = float((high - low).max()) / HIGH
        ends = zip((low - 3 * step).tolist(), (high + 3 * step).tolist(), strict=True)
        axes = [np.arange(first, last, step, dtype=np.float32) for first, last in ends]
        shape = [len(axis) for axis in axes]
        field_ = np.full(shape, 1.0, np.float32)
        for start, end, first, last, depth, soft in self.parts:
            _join(field_, axes, start, end, first, last, depth, soft)
        z, y, x = np.meshgrid(axes[2], axes[1], axes[0], indexing="ij")
        grid = np.stack([x.ravel(), y.ravel(), z.ravel()], axis=1).astype(float)
        values = np.ascontiguousarray(field_.transpose(2, 1, 0).ravel(), float)
        found: Any = igl.marching_cubes(values, grid, shape[0], shape[1], shape[2], 0.0)
        return posable.Mesh(found[0], found[1][:, ::-1].astype(np.int32), name="made")


def _join(field_: np.ndarray, axes: list[np.ndarray], start: Point, end: Point, first: float, last: float,
          depth: float, soft: float) -> None:  # fmt: skip
    """Add a round cone to the distances, softly, within its own box."""
    reach = max(first, last) * max(1.0, depth) + 2 * soft + 0.03
    low, high = np.minimum(start, end) - reach, np.maximum(start, end) + reach
    cut = tuple(slice(*np.searchsorted(axis, (a, b))) for axis, a, b in zip(axes, low, high, strict=True))
    x, y, z = (axis[own] for axis, own in zip(axes, cut, strict=True))
    px, py, pz = x[:, None, None] - start[0], y[None, :, None] - start[1], (z[None, None, :] - start[2]) / depth
    way = (end - start) / (1, 1, depth)
    share = np.clip((px * way[0] + py * way[1] + pz * way[2]) / max(float(way @ way), 1e-12), 0, 1)
    off = np.sqrt((px - share * way[0]) ** 2 + (py - share * way[1]) ** 2 + (pz - share * way[2]) ** 2)
    own = (off - first - share * (last - first)) * min(1.0, depth)
    near = np.maximum(soft - np.abs(field_[cut] - own), 0) / max(soft, 1e-9)
    field_[cut] = np.minimum(field_[cut], own) - 0.25 * soft * near**2


@dataclass
class Made:
    """A body. places: role → where that joint is. told: what is special about it."""

    name: str
    kind: str
    mesh: posable.Mesh
    places: dict[str, Point]
    told: tuple[str, ...]


def placed(made: Made, rng: np.random.Generator) -> Made:
    """Turned, scaled, moved and, in part, set upright along z."""
    angle = rng.choice([0.0, 0.5 * np.pi, np.pi, -0.5 * np.pi, rng.uniform(0, 2 * np.pi)], p=[0.5, 0.1, 0.1, 0.1, 0.2])
    matrix = matrix_from_wxyz(wxyz_about(UP, angle))
    up = "z" if rng.random() < 0.2 else "y"
    if up == "z":
        matrix = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]]) @ matrix
    scale, shift = 10 ** rng.uniform(-2, 2), rng.normal(size=3)
    vertices = scale * (made.mesh.vertices @ matrix.T + shift)
    mesh = posable.Mesh(vertices, made.mesh.faces, up=up, name=made.name)
    places = {role: scale * (matrix @ place + shift) for role, place in made.places.items()}
    return Made(made.name, made.kind, mesh, places, made.told)


def swung(points: list[Point], angle: float) -> list[Point]:
    """A leg rotated about its first joint, its foot left on the floor."""
    turn = matrix_from_wxyz(wxyz_about(LEFT, angle))
    out = [points[0] + turn @ (point - points[0]) for point in points]
    out[-1][1] = points[-1][1]
    return out

"""Capsules close around rigid bodies, such as a robot's links: as many for each as its shape needs."""

from __future__ import annotations

import numpy as np

from posable.figures.model import Figure
from posable.figures.shapes import Shape, solid_of
from posable.figures.volumes import SLIGHT, capsule_about, capsule_around, points_by_joint
from posable.goals.keep_apart import Capsule
from posable.spatial import Array, matrix_from_wxyz

_MAX_CAPSULES = 4  # of one body
_CLOSE_ENOUGH = 0.012  # of the reach: distance from its hull at which a capsule is not divided further
_LEAST_RADIUS = 0.05  # of the reach: radius of a piece; other bodies slip through between thinner ones, as of feet
_COVERED_SHARE = 0.9  # share of a hull's surface within its capsule's radius
_SAMPLES = 400  # points on a hull
_LEAST_VERTICES = 8  # vertices of a piece


def is_rigid(figure: Figure) -> bool:
    """Whether each vertex of the figure's skins follows one joint alone, as the meshes of robots do."""
    return bool(figure.skins) and all((skin.weights.max(axis=1) > 1 - 1e-6).all() for skin in figure.skins)


def close_capsules(figure: Figure) -> list[tuple[Capsule, ...]]:
    """Per joint, capsules around the convex hull of a body's mesh, or around pieces of it if these fit more
    closely; without a mesh, around its shapes and solids.

    One capsule around a box leaves its corners out or bulges over its faces; two or four do so less. Physics engines
    use convex hulls for collisions as well; hulls ignore the inside of a mesh.
    """
    skeleton, reach = figure.skeleton, figure.skeleton.reach
    points = points_by_joint(figure) if figure.skins else [np.zeros((0, 3))] * len(skeleton.joints)
    found = [_close(own, reach) if len(own) >= _LEAST_VERTICES else () for own in points]
    for shape in (*figure.shapes, *figure.solids):
        joint = skeleton.index(shape.joint)
        if len(points[joint]) < _LEAST_VERTICES:
            found[joint] = (*found[joint], *_about(shape, reach))
    return [tuple(one for one in own if one[6] >= SLIGHT * reach) for own in found]


def _about(shape: Shape, reach: float) -> tuple[Capsule, ...]:
    """The capsules of a shape: as many as needed for an ellipsoid that represents a whole body, one for any other."""
    if shape.kind != "ellipsoid" or not min(shape.size) > 0:
        return (capsule_around(shape),)
    return _close(solid_of(shape)[0] @ matrix_from_wxyz(np.array(shape.wxyz)).T + shape.position, reach)


class _Piece:
    """A part of a body's vertices `[vertex, 3]` with one capsule around its convex hull."""

    def __init__(self, points: Array) -> None:
        self.points, self.surface = points, _on_hull(points)
        middle = 0.5 * (self.surface.min(axis=0) + self.surface.max(axis=0))
        self.axes = np.linalg.svd(self.surface - self.surface.mean(axis=0), full_matrices=False)[2]
        tried = [capsule_about(self.surface, middle, axis, _COVERED_SHARE) for axis in self.axes]
        off = [float(np.sqrt(np.mean(_distances(self.surface, one) ** 2))) for one in tried]
        best = int(np.argmin(off))
        self.capsule, self.off = tried[best], off[best]
        """The capsule nearest to the hull, and how far it is from that, root of the mean square."""

    def halves(self) -> list[_Piece]:
        """The two halves, cut across one of its axes, whose capsules fit best; none if too few vertices remain."""
        cuts = []
        for axis in self.axes:
            along, ends = self.points @ axis, self.surface @ axis
            beyond = along > 0.5 * (ends.min() + ends.max())
            if min(beyond.sum(), (~beyond).sum()) >= _LEAST_VERTICES:
                cuts.append([_Piece(self.points[beyond]), _Piece(self.points[~beyond])])
        return min(cuts, key=lambda both: max(one.off for one in both), default=[])


def _close(points: Array, reach: float) -> tuple[Capsule, ...]:
    """The capsules of one body's vertices."""
    pieces = [_Piece(points)]
    while len(pieces) < _MAX_CAPSULES:
        worst = max(pieces, key=lambda one: one.off)
        halves = worst.halves() if worst.off > _CLOSE_ENOUGH * reach else []
        if not halves or min(half.capsule[6] for half in halves) < _LEAST_RADIUS * reach:
            break
        pieces = [one for one in pieces if one is not worst] + halves
    return tuple(one.capsule for one in pieces)


def _distances(points: Array, capsule: Capsule) -> Array:
    """`[point]` from the capsule's surface, below 0 inside."""
    start, end = np.array(capsule[:3]), np.array(capsule[3:6])
    way = end - start
    share = np.clip((points - start) @ way / max(float(way @ way), 1e-300), 0.0, 1.0)
    return np.linalg.norm(points - start - share[:, None] * way, axis=1) - capsule[6]


def _on_hull(points: Array) -> Array:
    """Points spread evenly over the convex hull of vertices; the vertices themselves where they have none."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        hull = ConvexHull(points)
    except QhullError:  # all in a plane
        return points
    corners = points[hull.simplices]
    edges = corners[:, 1:] - corners[:, :1]
    areas = np.linalg.norm(np.cross(edges[:, 0], edges[:, 1]), axis=1)
    ends = np.cumsum(areas)
    at = (np.arange(_SAMPLES) + 0.5) / _SAMPLES * ends[-1]
    face = np.minimum(np.searchsorted(ends, at), len(ends) - 1)
    u, v = np.modf(np.arange(1, _SAMPLES + 1)[:, None] * (0.7548776662466927, 0.5698402909980532))[0].T  # Roberts 2018
    u, v = np.where(u + v > 1, 1 - u, u), np.where(u + v > 1, 1 - v, v)
    return corners[face, 0] + u[:, None] * edges[face, 0] + v[:, None] * edges[face, 1]

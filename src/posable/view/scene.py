"""What there is to draw: a figure made ready once, then placed pose by pose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from posable.figures import Figure
from posable.skeleton import Pose
from posable.spatial import Array
from posable.view.bones import Bones, bone_parts, uncovered
from posable.view.parts import shape_parts, skin_part
from posable.view.raster import face_normals_to_vertices
from posable.view.smoothing import split_at_creases

Split = tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]  # as split_at_creases gives it
_SOLE = 0.02  # of the height at rest: what is not higher stands on the ground


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles ready for shading.

    groups: `[vertex]`, vertices of one number share a normal. colors: `[vertex, 3]`, linear light.
    """

    faces: NDArray[np.int32]
    groups: NDArray[np.int32]
    colors: NDArray[np.float32]

    @classmethod
    def none(cls) -> Mesh:
        """A mesh of nothing."""
        return cls(np.zeros((0, 3), np.int32), np.zeros(0, np.int32), np.zeros((0, 3), np.float32))

    @classmethod
    def empty(cls) -> Mesh:
        """A mesh of one triangle without area, for an empty stage."""
        return cls(np.zeros((1, 3), np.int32), np.zeros(3, np.int32), np.zeros((3, 3), np.float32))

    @classmethod
    def joined(cls, colors: Sequence[NDArray[np.float32]], splits: Sequence[Split]) -> Mesh:
        """One mesh of parts with these `colors [vertex, 3]`, each split at its creases."""
        whole = cls.none()
        for own, (origins, groups, faces) in zip(colors, splits, strict=True):
            whole = whole.beside(cls(faces, groups, own[origins]))
        return whole

    def beside(self, other: Mesh) -> Mesh:
        """Both as one, the vertices of `other` after its own."""
        faces = np.concatenate([self.faces, other.faces + np.int32(len(self.groups))])
        groups = np.concatenate([self.groups, other.groups + self.groups.max(initial=-1) + np.int32(1)])
        return Mesh(faces, groups, np.concatenate([self.colors, other.colors]))

    def normals(self, vertices: NDArray[np.float32]) -> NDArray[np.float32]:
        """Smooth unit normals `[vertex, 3]`."""
        sums = np.zeros((int(self.groups.max(initial=-1)) + 1, 3))
        normals = np.empty_like(vertices)
        face_normals_to_vertices(vertices, self.faces, self.groups, sums, normals)
        return normals


class Scene:
    """A figure made drawable: its skins and shapes; bones where it has neither, or in their place if `skin` is False.

    `mesh` does not change; `placed(pose)` are its vertices. `bare`: nothing but bones is drawn.
    """

    def __init__(self, figure: Figure, *, skin: bool = True, blend: str = "linear") -> None:
        self.figure = figure
        self.bones = Bones.of(figure)
        covering = [*(skin_part(s, blend) for s in figure.skins if len(s.faces)), *shape_parts(figure)] if skin else []
        self.bare = not covering
        solid = self.bones if self.bare else uncovered(figure, self.bones)
        self._parts = covering if solid is None else [*covering, *bone_parts(figure, solid)]
        splits = [split_at_creases(part.placed(figure.rest), part.faces, part.normals) for part in self._parts]
        self._origins = [origins for origins, _, _ in splits]
        self.mesh = Mesh.joined([part.colors for part in self._parts], splits)

    def placed(self, pose: Pose) -> NDArray[np.float32]:
        """The mesh's vertices in the world, `[vertex, 3]`, for one pose."""
        placed = [part.placed(pose)[own] for part, own in zip(self._parts, self._origins, strict=True)]
        return np.concatenate([np.zeros((0, 3), np.float32), *placed])

    def outline(self, pose: Pose) -> Array:
        """The outermost points `[point, 3]` of what is drawn: enough to frame it."""
        points = self._points(pose)
        far = np.unique(np.argmax(points @ self._directions.T, axis=0))
        return points[far]

    def _points(self, pose: Pose) -> Array:
        points = self.placed(pose)
        return points.astype(float) if len(points) else np.concatenate([pose.origins, *self.bones.ends(pose)])

    def feet(self, pose: Pose) -> Array | None:
        """The points `[point, 3]` on which a figure that moves about freely stands at rest; None for one that is fixed
        somewhere. What hangs lower in this pose, a sword or a hand, is none of them.
        """
        if not any(joint.kind == "free" for joint in self.figure.skeleton.definitions):
            return None
        return self._points(pose)[self._lowest]

    @cached_property
    def _lowest(self) -> NDArray[np.intp]:
        rest = self._points(self.figure.rest) @ np.eye(3)["xyz".index(self.figure.skeleton.up)]
        return np.flatnonzero(rest <= rest.min() + _SOLE * np.ptp(rest))

    @cached_property
    def _directions(self) -> Array:
        steps = np.stack(np.meshgrid(*[np.linspace(-1, 1, 5)] * 3), axis=-1).reshape(-1, 3)
        return steps[np.abs(steps).max(axis=1) == 1]

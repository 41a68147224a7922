"""What there is to draw: a figure made ready once, then placed pose by pose."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from posable.figures import Figure
from posable.figures.solids import Solid, bone_solid, ellipsoid, solid_of
from posable.skeleton import Pose
from posable.skin import Skin
from posable.spatial import Array, matrix_from_wxyz, transform, wxyz_between
from posable.view.backdrop import linear
from posable.view.raster import face_normals_to_vertices
from posable.view.smoothing import split_at_creases

SKIN_COLOR = (0.80, 0.66, 0.54)  # sRGB: pale wood
SHAPE_COLOR = (0.84, 0.77, 0.68)
BONE_COLOR = (0.87, 0.81, 0.71)
BALL_COLOR = (0.33, 0.40, 0.50)
_DULLEST, _BRIGHTEST = np.float32(0.012), np.float32(0.80)


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles ready for shading. `groups [vertex]`: vertices of one number share a normal. `colors [vertex, 3]`: linear light."""

    faces: NDArray[np.int32]
    groups: NDArray[np.int32]
    colors: NDArray[np.float32]

    @classmethod
    def empty(cls) -> Mesh:
        """A mesh of one triangle without area, for an empty stage."""
        return cls(np.zeros((1, 3), np.int32), np.zeros(3, np.int32), np.zeros((3, 3), np.float32))

    def normals(self, vertices: NDArray[np.float32]) -> NDArray[np.float32]:
        """Smooth unit normals `[vertex, 3]`."""
        sums = np.zeros((int(self.groups.max(initial=-1)) + 1, 3))
        normals = np.empty_like(vertices)
        face_normals_to_vertices(vertices, self.faces, self.groups, sums, normals)
        return normals


class Part(Protocol):
    """Something drawn: `placed(pose)` are its vertices `[vertex, 3]` in the world."""

    faces: NDArray[np.int32]
    colors: NDArray[np.float32]
    normals: NDArray[np.float32] | None

    def placed(self, pose: Pose) -> NDArray[np.float32]: ...


@dataclass(frozen=True, eq=False)
class SkinPart:
    """A skin of the figure."""

    skin: Skin

    @property
    def faces(self) -> NDArray[np.int32]:
        return self.skin.faces

    @property
    def normals(self) -> NDArray[np.float32] | None:
        return self.skin.normals

    @property
    def colors(self) -> NDArray[np.float32]:
        colors = self.skin.colors
        return _painted(len(self.skin.vertices), SKIN_COLOR) if colors is None else _paint(colors)

    def placed(self, pose: Pose) -> NDArray[np.float32]:
        return self.skin.deform(pose)


@dataclass(frozen=True, eq=False)
class RigidPart:
    """Solids fixed to joints: `local [vertex, 3]` in the frame of `joints [vertex]`."""

    local: NDArray[np.float32]
    joints: NDArray[np.int32]
    faces: NDArray[np.int32]
    colors: NDArray[np.float32]
    normals: None = None

    def placed(self, pose: Pose) -> NDArray[np.float32]:
        matrices = pose.world_from_joint[self.joints]
        return (np.einsum("vij,vj->vi", matrices[:, :3, :3], self.local) + matrices[:, :3, 3]).astype(np.float32)


@dataclass(frozen=True, eq=False)
class BonePart:
    """One solid per bone, stretched from its joint to where it ends, also where a slide or a free joint changes its length."""

    bones: Bones
    radii: Array
    solid: Solid

    normals = None

    @property
    def faces(self) -> NDArray[np.int32]:
        return _repeated(self.solid, len(self.radii))

    @property
    def colors(self) -> NDArray[np.float32]:
        return _painted(len(self.radii) * len(self.solid[0]), BONE_COLOR)

    def placed(self, pose: Pose) -> NDArray[np.float32]:
        starts, ends = self.bones.ends(pose)
        way = ends - starts
        size = np.stack([self.radii, self.radii, np.linalg.norm(way, axis=1)], axis=1)
        turns = matrix_from_wxyz(wxyz_between((0.0, 0.0, 1.0), way)) * size[:, None, :]
        return (np.einsum("bij,vj->bvi", turns, self.solid[0]) + starts[:, None]).reshape(-1, 3).astype(np.float32)


@dataclass(frozen=True, eq=False)
class Bones:
    """The lines of a skeleton: from the origin of joint `start [bone]` to `tip [bone, 3]` in the frame of joint `end [bone]`."""

    start: NDArray[np.int64]
    end: NDArray[np.int64]
    tip: Array

    @classmethod
    def of(cls, figure: Figure) -> Bones:
        """From every joint to its children and tips; with skins, only where the skin is moved, not to far helpers."""
        shown = _shown_joints(figure)
        definitions = figure.skeleton.definitions
        rows = [
            (p, j, (0.0, 0.0, 0.0)) for j, p in enumerate(figure.skeleton.parents) if p >= 0 and shown[p] and shown[j]
        ]
        rows += [(j, j, tip) for j, joint in enumerate(definitions) if shown[j] for tip in joint.tips]
        start, end, tips = zip(*rows, strict=True) if rows else ((), (), ())
        return cls(np.array(start, int), np.array(end, int), np.array(tips, float).reshape(-1, 3))

    def ends(self, pose: Pose) -> tuple[Array, Array]:
        """Where the bones begin and end in the world, `[bone, 3]` each."""
        matrices = pose.world_from_joint
        ends = np.einsum("bij,bj->bi", matrices[self.end, :3, :3], self.tip) + matrices[self.end, :3, 3]
        return matrices[self.start, :3, 3], ends


class Scene:
    """A figure made drawable. `mesh` does not change; `placed(pose)` are its vertices."""

    def __init__(self, figure: Figure, *, skin: bool = True) -> None:
        self.figure = figure
        self.bones = Bones.of(figure)
        covering = [*(SkinPart(s) for s in figure.skins if len(s.faces)), *_shape_parts(figure)] if skin else []
        self.bare = not covering
        self._parts: list[Part] = covering or _bone_parts(figure, self.bones)
        rest = [part.placed(figure.rest) for part in self._parts]
        splits = [split_at_creases(v, part.faces, part.normals) for v, part in zip(rest, self._parts, strict=True)]
        self._origins = [origins for origins, _, _ in splits]
        self.mesh = _joined(self._parts, splits)

    def placed(self, pose: Pose) -> NDArray[np.float32]:
        """The mesh's vertices in the world, `[vertex, 3]`, for one pose."""
        placed = [part.placed(pose)[own] for part, own in zip(self._parts, self._origins, strict=True)]
        return np.concatenate([np.zeros((0, 3), np.float32), *placed])

    def outline(self, pose: Pose) -> Array:
        """The outermost points `[point, 3]` of what is drawn: enough to frame it."""
        points = self.placed(pose)
        if not len(points):
            points = np.concatenate([pose.origins, *self.bones.ends(pose)])
        far = np.unique(np.argmax(points @ self._directions.T, axis=0))
        return points[far].astype(float)

    @cached_property
    def _directions(self) -> Array:
        steps = np.stack(np.meshgrid(*[np.linspace(-1, 1, 5)] * 3), axis=-1).reshape(-1, 3)
        return steps[np.abs(steps).max(axis=1) == 1]


def _joined(parts: list[Part], splits: list[tuple[NDArray, NDArray, NDArray]]) -> Mesh:
    faces, groups, colors, vertex, group = [], [], [], 0, 0
    for part, (origins, own_groups, own_faces) in zip(parts, splits, strict=True):
        faces.append(own_faces + vertex)
        groups.append(own_groups + group)
        colors.append(part.colors[origins])
        vertex += len(origins)
        group += int(own_groups.max(initial=-1)) + 1
    if not parts:
        return Mesh(np.zeros((0, 3), np.int32), np.zeros(0, np.int32), np.zeros((0, 3), np.float32))
    return Mesh(
        *(np.concatenate(a).astype(k) for a, k in ((faces, np.int32), (groups, np.int32), (colors, np.float32)))
    )


def _shown_joints(figure: Figure) -> NDArray[np.bool_]:
    """Joints that move a skin, or stand between two that do; all of them for a figure without skins."""
    parents = figure.skeleton.parents
    used = np.zeros(len(parents), bool)
    for skin in figure.skins:
        used[skin.used_joints] = True
    if not used.any():
        return np.ones(len(parents), bool)
    above, below = used.copy(), used.copy()
    for j, parent in enumerate(parents):
        above[j] |= parent >= 0 and above[parent]
    for j in range(len(parents) - 1, 0, -1):
        if parents[j] >= 0:
            below[parents[j]] |= below[j]
    return used | (above & below)


def _shape_parts(figure: Figure) -> list[Part]:
    parts: list[Part] = []
    for shape in figure.shapes:
        vertices, faces = solid_of(shape)
        matrix = transform(shape.position, np.divide(shape.wxyz, np.linalg.norm(shape.wxyz)))
        local = (vertices @ matrix[:3, :3].T + matrix[:3, 3]).astype(np.float32)
        joints = np.full(len(local), figure.skeleton.index(shape.joint), np.int32)
        parts.append(RigidPart(local, joints, faces, _painted(len(local), shape.color or SHAPE_COLOR)))
    return parts


def _bone_parts(figure: Figure, bones: Bones) -> list[Part]:
    """Bones and the balls between them, as thick as their lengths ask, for a figure that has nothing else to show."""
    starts, ends = bones.ends(figure.rest)
    lengths = np.linalg.norm(ends - starts, axis=1)
    size = float(np.ptp(np.concatenate([starts, ends]), axis=0).max()) if len(starts) else 0.0
    long = lengths > 1e-4 * size
    kept = Bones(bones.start[long], bones.end[long], bones.tip[long])
    radii = np.clip(0.13 * lengths[long], 0.005 * size, 0.03 * size)
    ball_radii = np.full(len(figure.skeleton.joints), 0.008 * size or 1.0)
    np.maximum.at(ball_radii, kept.start, 0.8 * radii)
    vertices, faces = ellipsoid((1.0, 1.0, 1.0), 16)
    shown = np.unique(np.concatenate([kept.start, kept.end])) if len(radii) else np.arange(len(figure.skeleton.joints))
    local = (vertices[None] * ball_radii[shown, None, None]).reshape(-1, 3).astype(np.float32)
    owners = np.repeat(shown, len(vertices)).astype(np.int32)
    balls = RigidPart(local, owners, _repeated((vertices, faces), len(shown)), _painted(len(local), BALL_COLOR))
    return [balls, BonePart(kept, radii, bone_solid())] if len(radii) else [balls]


def _repeated(solid: Solid, count: int) -> NDArray[np.int32]:
    vertices, faces = solid
    return (faces[None] + np.arange(count, dtype=np.int32)[:, None, None] * len(vertices)).reshape(-1, 3)


def _painted(count: int, color: tuple[float, ...]) -> NDArray[np.float32]:
    return np.tile(_paint(np.array(color)), (count, 1))


def _paint(srgb: NDArray) -> NDArray[np.float32]:
    """Linear light that a surface throws back: no paint is quite white or quite pure, so every one shows its shading."""
    return _DULLEST + (_BRIGHTEST - _DULLEST) * linear(np.clip(srgb, 0, 1))

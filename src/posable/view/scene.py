"""What there is to draw: a figure made ready once, then placed pose by pose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from posable.figures import Figure
from posable.figures.effectors import carried
from posable.figures.merging import merged_figures
from posable.figures.shapes import Solid, bone_solid, ellipsoid, solid_of
from posable.goals import Goal
from posable.skeleton import Pose
from posable.skin import Skin
from posable.skin.look import Material, linear_colors
from posable.spatial import Array, matrix_from_wxyz, normalized, transform, wxyz_between
from posable.view.light import BRIGHTEST, DULLEST
from posable.view.raster import face_normals_to_vertices
from posable.view.shading_normals import split_at_creases
from posable.view.textures import Cover, Looks, mostly_there, packed

# The parts a figure is drawn from: its skins, and solids that stand on its joints.


SKIN_COLOR = (0.80, 0.66, 0.54)  # sRGB: pale wood
SHAPE_COLOR = (0.84, 0.77, 0.68)


@dataclass(frozen=True, eq=False)
class Part:
    """Triangles `faces [face, 3]` whose vertices are at `placed(pose) [vertex, 3]` in the world.

    colors: `[vertex, 3]`, linear light. normals: `[vertex, 3]` at rest, if the mesh brings its own. cover: materials,
    which the colors are multiplied with.
    """

    faces: NDArray[np.int32]
    colors: NDArray[np.float32]
    placed: Callable[[Pose], NDArray[np.float32]]
    normals: NDArray[np.float32] | None = None
    cover: Cover | None = None


def skin_part(skin: Skin, blend: str) -> Part:
    """A skin with its materials, in its own colors, or in the color of wood."""
    cover = None if skin.look is None else Cover.of(skin.look, skin.faces)
    if skin.look is not None:
        colors = np.ascontiguousarray(skin.look.tints[:, :3])
    else:
        colors = painted(len(skin.vertices), SKIN_COLOR) if skin.colors is None else paint(skin.colors)
    chosen = ("center_of_rotation" if skin.automatic else "linear") if blend == "auto" else blend
    return Part(skin.faces, colors, lambda pose: skin.deform(pose, chosen), skin.normals, cover)


def rigid_part(
    local: NDArray[np.float32], joints: NDArray[np.int32], faces: NDArray[np.int32], color: tuple[float, ...]
) -> Part:
    """Solids fixed to joints: vertices `local [vertex, 3]` in the frames of `joints [vertex]`."""

    def placed(pose: Pose) -> NDArray[np.float32]:
        matrices = pose.world_from_joint[joints]
        return (np.einsum("vij,vj->vi", matrices[:, :3, :3], local) + matrices[:, :3, 3]).astype(np.float32)

    return Part(faces, painted(len(local), color), placed)


def shape_parts(figure: Figure) -> list[Part]:
    """The figure's display shapes."""
    parts = []
    for shape in figure.shapes:
        vertices, faces = solid_of(shape)
        matrix = transform(shape.position, normalized(shape.wxyz))
        local = (vertices @ matrix[:3, :3].T + matrix[:3, 3]).astype(np.float32)
        joints = np.full(len(local), figure.skeleton.index(shape.joint), np.int32)
        parts.append(rigid_part(local, joints, faces, shape.color or SHAPE_COLOR))
    return parts


def repeated(solid: Solid, count: int) -> NDArray[np.int32]:
    """The faces of `count` copies of a solid, vertices one copy after the other."""
    vertices, faces = solid
    return (faces[None] + np.arange(count, dtype=np.int32)[:, None, None] * len(vertices)).reshape(-1, 3)


def painted(count: int, color: tuple[float, ...]) -> NDArray[np.float32]:
    """`[count, 3]` of one sRGB color."""
    return np.tile(paint(np.array(color)), (count, 1))


def paint(srgb: NDArray) -> NDArray[np.float32]:
    """The linear light of paint of an sRGB color."""
    return DULLEST + (BRIGHTEST - DULLEST) * linear_colors(srgb).astype(np.float32)


# The lines of a skeleton, and the solids drawn along them where a figure has nothing else to show.


BONE_COLOR = (0.87, 0.81, 0.71)
BALL_COLOR = (0.33, 0.40, 0.50)
_TORN = 0.4  # of the length of all bones
_HIDES = 0.6  # of a bone's length, that a shape is long


@dataclass(frozen=True, eq=False)
class Bones:
    """From the origin of joint `start [bone]` to the point `tip [bone, 3]` in the frame of joint `end [bone]`."""

    start: NDArray[np.int64]
    end: NDArray[np.int64]
    tip: Array

    @classmethod
    def of(cls, figure: Figure) -> Bones:
        """From every joint to its children and tips; with skins, only where the skin is moved, not to far helpers."""
        shown, without = _shown_joints(figure), carried(figure.skeleton)
        parents = enumerate(figure.skeleton.parents)
        rows = [(p, j, (0.0, 0.0, 0.0)) for j, p in parents if p >= 0 and shown[p] and shown[j] and j not in without]
        joints = enumerate(figure.skeleton.definitions)
        rows += [(j, j, tip) for j, joint in joints if shown[j] for tip in joint.tips]
        start, end, tips = zip(*rows, strict=True) if rows else ((), (), ())
        return cls(np.array(start, int), np.array(end, int), np.array(tips, float).reshape(-1, 3))

    @classmethod
    def joined(cls, parts: Sequence[tuple[Bones, int]]) -> Bones:
        """Bones of several merged figures. parts: of each its bones, and its first joint among all."""
        starts, ends = ([getattr(own, name) + first for own, first in parts] for name in ("start", "end"))
        return cls(np.concatenate(starts), np.concatenate(ends), np.concatenate([own.tip for own, _ in parts]))

    def ends(self, pose: Pose) -> tuple[Array, Array]:
        """Where the bones begin and end in the world, `[bone, 3]` each."""
        matrices = pose.world_from_joint
        ends = np.einsum("bij,bj->bi", matrices[self.end, :3, :3], self.tip) + matrices[self.end, :3, 3]
        return matrices[self.start, :3, 3], ends

    def longer_than(self, length: float, pose: Pose) -> tuple[Bones, Array]:
        """Those bones that are, and their lengths."""
        starts, ends = self.ends(pose)
        lengths = np.linalg.norm(ends - starts, axis=1)
        kept = lengths > length
        return Bones(self.start[kept], self.end[kept], self.tip[kept]), lengths[kept]


def _members(figure: Figure) -> list[tuple[Figure, int]]:
    """Each of several merged figures, which look as they would alone, and its first joint among all."""
    return [(one, joints.start) for one, joints in merged_figures(figure)] or [(figure, 0)]


def uncovered(figure: Figure, bones: Bones) -> Bones | None:
    """The bones without skin about them, or a shape of their size, if they are so much of the figure that it would look
    torn.
    """
    covered = np.zeros(len(figure.skeleton.joints))
    for shape in figure.shapes:
        joint = figure.skeleton.index(shape.joint)
        covered[joint] = max(covered[joint], float(np.ptp(solid_of(shape)[0], axis=0).max()))
    for skin in figure.skins:
        covered[skin.used_joints] = np.inf
    starts, ends = bones.ends(figure.rest)
    lengths = np.linalg.norm(ends - starts, axis=1)
    bare = covered[bones.start] < _HIDES * lengths
    if lengths[bare].sum() <= _TORN * lengths.sum():
        return None
    return Bones(bones.start[bare], bones.end[bare], bones.tip[bare])


def bone_parts(figure: Figure, bones: Bones) -> list[Part]:
    """Bones, as thick as their lengths ask, and the balls between them."""
    points = np.concatenate(bones.ends(figure.rest))
    size = float(np.ptp(points, axis=0).max()) if len(points) else 0.0
    kept, lengths = bones.longer_than(1e-4 * size, figure.rest)
    radii = np.clip(0.13 * lengths, 0.005 * size, 0.03 * size)
    ball_radii = np.full(len(figure.skeleton.joints), 0.008 * size or 1.0)
    np.maximum.at(ball_radii, kept.start, 0.8 * radii)
    jointed = np.unique(np.concatenate([kept.start, kept.end]))
    parts = [_balls(ball_radii, jointed if len(jointed) else np.arange(len(ball_radii)))]
    return [*parts, _sticks(kept, radii)] if len(radii) else parts


def _balls(radii: Array, joints: NDArray[np.int64]) -> Part:
    vertices, faces = ellipsoid((1.0, 1.0, 1.0), 16)
    local = (vertices[None] * radii[joints, None, None]).reshape(-1, 3).astype(np.float32)
    owners = np.repeat(joints, len(vertices)).astype(np.int32)
    return rigid_part(local, owners, repeated((vertices, faces), len(joints)), BALL_COLOR)


def _sticks(bones: Bones, radii: Array) -> Part:
    """One solid per bone, stretched from its joint to where it ends, also where a slide changes its length."""
    solid = bone_solid()

    def placed(pose: Pose) -> NDArray[np.float32]:
        starts, ends = bones.ends(pose)
        way = ends - starts
        size = np.stack([radii, radii, np.linalg.norm(way, axis=1)], axis=1)
        turns = matrix_from_wxyz(wxyz_between((0.0, 0.0, 1.0), way)) * size[:, None, :]
        return (np.einsum("bij,vj->bvi", turns, solid[0]) + starts[:, None]).reshape(-1, 3).astype(np.float32)

    return Part(repeated(solid, len(radii)), painted(len(radii) * len(solid[0]), BONE_COLOR), placed)


def _shown_joints(figure: Figure) -> NDArray[np.bool_]:
    """Joints that move a skin, or stand between two that do. Without skins, all but the handles of a body."""
    parts = figure.skeleton.parts
    hidden = ("control", "helper") if figure.skins else ("control",) if parts.found.joints else ()
    return np.array([use not in hidden for use, _ in parts.body.uses], bool)


# What stands about the figure.


OBSTACLE_COLOR = (0.55, 0.60, 0.66)


def obstacles_of(goals: Sequence[Goal], frame: int = 0) -> Array:
    """`[obstacle, 7]` the capsules in the world that goals keep the figure away from, in one frame of a motion."""
    rows = [solids.reshape(-1, *solids.shape[-2:]) for goal in goals if (solids := goal.solids).size]
    return np.concatenate([np.zeros((0, 7)), *(some[min(frame, len(some) - 1)] for some in rows)])


def obstacle_vertices(capsules: Array) -> NDArray[np.float32]:
    """Where the vertices of `capsules [obstacle, 7]` are, each a solid of as many."""
    way = capsules[:, 3:6] - capsules[:, :3]
    turns = matrix_from_wxyz(wxyz_between((0.0, 0.0, 1.0), np.where(np.any(way, axis=1)[:, None], way, (0, 0, 1))))
    round_, _ = _CAPSULE
    ends = np.where(round_[:, 2:] > 0, 0.5, -0.5) * way[:, None]
    places = 0.5 * (capsules[:, None, :3] + capsules[:, None, 3:6]) + ends
    local = round_ * capsules[:, None, 6:]
    return (np.einsum("oij,ovj->ovi", turns, local) + places).reshape(-1, 3).astype(np.float32)


_CAPSULE = ellipsoid((1.0, 1.0, 1.0), 24)


Split = tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]  # as split_at_creases gives it
_SOLE = 0.02  # of the height at rest: what is not higher stands on the ground


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles ready for shading.

    groups: `[vertex]`, vertices of one number share a normal. colors: `[vertex, 3]`, linear light. of_face: `[face]`
    into `materials`, -1 where colors say all. corners: `[face with a material, 9]` u, v and alpha of each corner.
    """

    faces: NDArray[np.int32]
    groups: NDArray[np.int32]
    colors: NDArray[np.float32]
    of_face: NDArray[np.int32]
    corners: NDArray[np.float32]
    materials: tuple[Material, ...] = ()

    @classmethod
    def of(
        cls,
        faces: NDArray[np.int32],
        groups: NDArray[np.int32],
        colors: NDArray[np.float32],
        cover: Cover | None = None,
    ) -> Mesh:
        """A mesh with the colors of its vertices, and with materials where its faces are covered with some."""
        if cover is None:
            return cls(faces, groups, colors, np.full(len(faces), -1, np.int32), np.zeros((0, 9), np.float32))
        return cls(faces, groups, colors, cover.of_face, cover.corners, cover.materials)

    @classmethod
    def none(cls) -> Mesh:
        """A mesh of nothing."""
        return cls.of(np.zeros((0, 3), np.int32), np.zeros(0, np.int32), np.zeros((0, 3), np.float32))

    @classmethod
    def empty(cls) -> Mesh:
        """A mesh of one triangle without area, for an empty stage."""
        return cls.of(np.zeros((1, 3), np.int32), np.zeros(3, np.int32), np.zeros((3, 3), np.float32))

    @classmethod
    def obstacles(cls, capsules: Array) -> Mesh:
        """The mesh of `capsules [obstacle, 7]`; `obstacle_vertices` says where its vertices are."""
        faces = repeated(_CAPSULE, len(capsules))
        count = len(capsules) * len(_CAPSULE[0])
        return cls.of(faces, np.arange(count, dtype=np.int32), painted(count, OBSTACLE_COLOR))

    @classmethod
    def joined(
        cls, colors: Sequence[NDArray[np.float32]], splits: Sequence[Split], covers: Sequence[Cover | None]
    ) -> Mesh:
        """One mesh of parts with these `colors [vertex, 3]` and covers, each split at its creases."""
        whole = cls.none()
        for own, (origins, groups, faces), cover in zip(colors, splits, covers, strict=True):
            whole = whole.beside(cls.of(faces, groups, own[origins], cover))
        return whole

    def beside(self, other: Mesh) -> Mesh:
        """Both as one, the vertices of `other` after its own."""
        groups = other.groups + self.groups.max(initial=-1) + np.int32(1)
        of_face = np.where(other.of_face < 0, np.int32(-1), other.of_face + np.int32(len(self.materials)))
        return Mesh(
            np.concatenate([self.faces, other.faces + np.int32(len(self.groups))]),
            np.concatenate([self.groups, groups]),
            np.concatenate([self.colors, other.colors]),
            np.concatenate([self.of_face, of_face]),
            np.concatenate([self.corners, other.corners]),
            (*self.materials, *other.materials),
        )

    @cached_property
    def looks(self) -> Looks:
        """The materials as kernels read them."""
        drawn = self.of_face >= 0
        row = np.where(drawn, np.cumsum(drawn) - 1, -1).astype(np.int32)
        return packed(row, self.corners, self.of_face[drawn], self.materials)

    @cached_property
    def sheer(self) -> NDArray[np.int32]:
        """The faces whose material lets through what is behind them."""
        through = np.array([material.alpha != "opaque" for material in self.materials] + [False])
        return np.flatnonzero(through[self.of_face]).astype(np.int32)

    @cached_property
    def casting(self) -> NDArray[np.int32]:
        """`[face, 3]`: the faces that cast shadows, without those that are mostly not there."""
        if not len(self.sheer):
            return self.faces
        kept = np.ones(len(self.faces), bool)
        kept[self.sheer] = mostly_there(self.looks, self.sheer)
        return self.faces[kept]

    def normals(self, vertices: NDArray[np.float32]) -> NDArray[np.float32]:
        """Smooth unit normals `[vertex, 3]`."""
        sums = np.zeros((int(self.groups.max(initial=-1)) + 1, 3))
        normals = np.empty_like(vertices)
        face_normals_to_vertices(vertices, self.faces, self.groups, sums, normals)
        return normals


class Scene:
    """A drawable figure: its skins and shapes; bones if it has neither, or if `skin` is False.

    `mesh` does not change; `placed(pose)` are its vertices. `bare`: only bones are drawn.
    """

    def __init__(self, figure: Figure, *, skin: bool = True, blend: str = "auto") -> None:
        self.figure = figure
        members = [(one, Bones.of(one), first) for one, first in _members(figure)]
        self.bones = Bones.joined([(bones, first) for _, bones, first in members])
        covering = [*(skin_part(s, blend) for s in figure.skins if len(s.faces)), *shape_parts(figure)] if skin else []
        self.bare = not covering
        if self.bare:
            shown = [self.bones]
        else:
            torn = [(seen, first) for one, own, first in members if (seen := uncovered(one, own)) is not None]
            shown = [Bones.joined(torn)] if torn else []
        self._parts = [*covering, *(part for bones in shown for part in bone_parts(figure, bones))]
        splits = [split_at_creases(part.placed(figure.rest), part.faces, part.normals) for part in self._parts]
        self._origins = [origins for origins, _, _ in splits]
        self.mesh = Mesh.joined([p.colors for p in self._parts], splits, [p.cover for p in self._parts])

    def placed(self, pose: Pose) -> NDArray[np.float32]:
        """The mesh's vertices in the world, `[vertex, 3]`, for one pose."""
        placed = [part.placed(pose)[own] for part, own in zip(self._parts, self._origins, strict=True)]
        return np.concatenate([np.zeros((0, 3), np.float32), *placed])

    def outline(self, pose: Pose) -> Array:
        """The outermost points `[point, 3]` of what is drawn: enough to frame it."""
        points = self._points(pose)
        far = np.unique(np.argmax(self._directions @ points.T, axis=1))
        return points[far]

    def _points(self, pose: Pose) -> Array:
        points = self.placed(pose)
        return points.astype(float) if len(points) else np.concatenate([pose.origins, *self.bones.ends(pose)])

    def feet(self, pose: Pose) -> Array | None:
        """The points `[point, 3]` on which a figure that moves about freely stands at rest; None for one that is fixed
        somewhere. What hangs lower in this pose, a sword or a hand, is none of them.
        """
        if not any(joint.floating for joint in self.figure.skeleton.definitions):
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

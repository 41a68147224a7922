"""The parts a figure is drawn from: its skins, and solids that stand on its joints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posable.figures import Figure
from posable.figures.solids import Solid, solid_of
from posable.skeleton import Pose
from posable.skin import Skin
from posable.spatial import normalized, transform
from posable.view.backdrop import linear

SKIN_COLOR = (0.80, 0.66, 0.54)  # sRGB: pale wood
SHAPE_COLOR = (0.84, 0.77, 0.68)
_DULLEST, _BRIGHTEST = np.float32(0.012), np.float32(0.80)


@dataclass(frozen=True, eq=False)
class Part:
    """Triangles `faces [face, 3]` whose vertices are at `placed(pose) [vertex, 3]` in the world.

    colors: `[vertex, 3]`, linear light. normals: `[vertex, 3]` at rest, if the mesh brings its own.
    """

    faces: NDArray[np.int32]
    colors: NDArray[np.float32]
    placed: Callable[[Pose], NDArray[np.float32]]
    normals: NDArray[np.float32] | None = None


def skin_part(skin: Skin, blend: str) -> Part:
    """A skin in its own colors, or in the color of wood."""
    colors = painted(len(skin.vertices), SKIN_COLOR) if skin.colors is None else paint(skin.colors)
    return Part(skin.faces, colors, lambda pose: skin.deform(pose, blend), skin.normals)


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
    """Linear light that a surface throws back: no paint is quite white or quite pure, so all of them show shading."""
    return _DULLEST + (_BRIGHTEST - _DULLEST) * linear(np.clip(srgb, 0, 1))

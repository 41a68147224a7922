"""Small figures for tests of pictures."""

from __future__ import annotations

import numpy as np

import posable
from posable.figures import Shape
from posable.view.camera import Camera, View
from posable.view.pictures import Shot
from posable.view.renderer import MOVING
from posable.view.scene import Scene

FACES = np.array([[0, 1, 2], [0, 2, 3]])


def ball(radius: float = 1.0, around: int = 48) -> tuple[np.ndarray, np.ndarray]:
    """A sphere about the origin: vertices and counter-clockwise faces, symmetric about its axis y."""
    height = np.linspace(0, np.pi, around // 2 + 1)
    angle = np.arange(around) * 2 * np.pi / around
    y, ring = np.cos(height), np.sin(height)
    places = [np.outer(ring, np.sin(angle)), np.repeat(y[:, None], around, 1), np.outer(ring, np.cos(angle))]
    row, column = np.meshgrid(np.arange(around // 2), np.arange(around), indexing="ij")
    here, after = row * around + column, row * around + (column + 1) % around
    faces = [
        np.stack(k, -1).reshape(-1, 3) for k in ((here, here + around, after + around), (here, after + around, after))
    ]
    return radius * np.stack(places, -1).reshape(-1, 3), np.concatenate(faces)


def skinned(vertices: np.ndarray, faces: np.ndarray, up: str = "y", **more: object) -> posable.Figure:
    """A rigid mesh on one joint that turns about the up axis."""
    axis = (0, 1, 0) if up == "y" else (0, 0, 1)
    skeleton = posable.Skeleton([posable.Joint("spin", axes=(posable.Axis(axis),))], up)
    return posable.Figure(skeleton, skins=(posable.Skin.rigid(skeleton, "spin", vertices, faces, **more),))


def arm(scale: float = 1.0, *, shapes: bool = True) -> posable.Figure:
    """Two links that stand upright, z up, with a box and a capsule, or bare."""
    turn = (posable.Axis((0, 1, 0)),)
    joints = [
        posable.Joint("base", "fixed"),
        posable.Joint("shoulder", "hinge", "base", position=(0, 0, 0.2 * scale), axes=turn),
        posable.Joint(
            "elbow", "hinge", "shoulder", position=(0, 0, 0.5 * scale), axes=turn, tips=((0, 0, 0.4 * scale),)
        ),
    ]
    solids = (
        Shape("base", "box", (0.4 * scale, 0.3 * scale, 0.2 * scale), (0, 0, 0.1 * scale), color=(0.3, 0.35, 0.4)),
        Shape("shoulder", "capsule", (0.07 * scale, 0.4 * scale), (0, 0, 0.25 * scale), color=(0.9, 0.5, 0.2)),
        Shape("elbow", "capsule", (0.05 * scale, 0.3 * scale), (0, 0, 0.2 * scale)),
    )
    return posable.Figure(posable.Skeleton(joints, "z"), shapes=solids if shapes else ())


def taken(
    figure: posable.Figure,
    camera: Camera | View = "three_quarter",
    size: tuple[int, int] = (96, 96),
    pose: posable.Pose | None = None,
) -> np.ndarray:
    """A quick picture without the skeleton, as films take them."""
    pose = figure.rest if pose is None else pose
    return Shot.of(Scene(figure), [pose], size, (), camera, MOVING, skeleton=False).take(pose, ())

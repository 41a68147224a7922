"""The cameras of a film from the page's view: they follow a figure that walks, and keep all of it in sight."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

import posable
from posable.figures.volumes import points_by_joint
from posable.spatial import Array, apply_transform, normalized
from posable.studio.document import Document
from posable.studio.events import carrier_of
from posable.view import Camera

_FREE_SWAY, _FREE_ACROSS = (
    0.06,
    0.2,
)  # of its height: motion not followed, in depth and vertically; across. As in `web/src/view/steady.ts`
_FRAME_SHARE = 0.97  # share of the picture's width and height in which the figure stays


def following(camera: Camera, along: tuple[float, float, float], clip: posable.Clip, height: float) -> list[Camera]:
    """The camera at each frame. It follows a figure that walks, and ignores the sway of one that stands.

    along: position of the joint that carries the figure, for `camera` itself. height: of the figure.
    """
    up, seen, height = "xyz".index(clip.skeleton.up), np.array(along), max(height, 1e-9)
    deep = np.array(camera.axes[2])
    deep[up] = 0.0
    deep = normalized(deep)
    cameras = []
    for place in clip.poses.world_from_joint[:, carrier_of(clip.skeleton), :3, 3]:
        off = place - seen
        rise, depth = off[up], off @ deep
        across = off - depth * deep
        across[up] = 0.0
        step = _excess(depth, _FREE_SWAY * height) * deep
        step += across * (
            _excess(float(np.linalg.norm(across)), _FREE_ACROSS * height) / (np.linalg.norm(across) or 1.0)
        )
        step[up] = _excess(rise, _FREE_SWAY * height)
        seen = seen + step
        cameras.append(_shifted(camera, seen - along))
    return cameras


def _excess(much: float, free: float) -> float:
    """The part of a number, of either sign, whose magnitude exceeds `free`."""
    return math.copysign(max(0.0, abs(much) - free), much)


def _shifted(camera: Camera, shift: Array) -> Camera:
    position, target = (tuple((np.array(end) + shift).tolist()) for end in (camera.position, camera.target))
    return replace(camera, position=position, target=target)


def with_all_in(
    cameras: list[Camera], document: Document, clip: posable.Clip, view: Camera, size: tuple[int, int]
) -> list[Camera]:
    """The cameras, moved back if the picture would cut off the figure although the page's view shows all of it.

    view: the camera of the page, which shows the document's pose. A close view, as of a face, is left as it is.
    """
    joints, boxes = _boxes(document)
    if not len(joints) or _step_back(view, _corners(document.pose.world_from_joint, joints, boxes), size) > 0:
        return cameras
    frames = clip.poses.world_from_joint
    back = max(_step_back(one, _corners(frames[k], joints, boxes), size) for k, one in enumerate(cameras))
    return [_shifted(one, back * one.axes[2]) for one in cameras] if back > 0 else cameras


def _boxes(document: Document) -> tuple[NDArray[np.int64], Array]:
    """`[part]` joints, and `[part, 8, 3]` corners of the boxes around what each moves, in its frame."""
    figure = document.figure
    seen = replace(figure, skins=tuple(skin for skin in figure.skins if skin.name not in document.hidden))
    if not seen.skins:
        return np.arange(len(figure.skeleton.joints)), np.zeros((len(figure.skeleton.joints), 1, 3))
    parts = [(joint, points) for joint, points in enumerate(points_by_joint(seen)) if len(points)]
    ends = np.array([(points.min(axis=0), points.max(axis=0)) for _, points in parts])
    which = np.array([[(k >> axis) & 1 for axis in range(3)] for k in range(8)])
    return np.array([joint for joint, _ in parts]), ends[:, which, np.arange(3)]


def _corners(world_from_joint: Array, joints: NDArray[np.int64], boxes: Array) -> Array:
    """`[corner, 3]` the corners of the boxes in the world."""
    return apply_transform(world_from_joint[joints, None], boxes).reshape(-1, 3)


def _step_back(camera: Camera, points: Array, size: tuple[int, int]) -> float:
    """How far the camera has to move back to see the points; 0 if it sees them all."""
    local = (points - np.array(camera.position)) @ camera.axes.T
    slope = _FRAME_SHARE * math.tan(math.radians(camera.field_of_view / 2))
    most = np.maximum(np.abs(local[:, 0]) * size[1] / size[0], np.abs(local[:, 1])) / slope + local[:, 2]
    return max(0.0, float(most.max()))

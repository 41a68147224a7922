"""What is drawn over the picture, heedless of depth: the skeleton through the skin, and the goals."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from posable.compiled.decorators import kernel
from posable.goals import Goal, Mark
from posable.skeleton import Pose
from posable.spatial import Array, matrix_from_wxyz
from posable.view.renderer import Image, Renderer
from posable.view.scene import Bones

Color = tuple[int, int, int]
_INK, _PAPER = (22, 52, 84), (255, 255, 255)
_TARGET, _SIGHT = (226, 62, 28), (108, 66, 193)
_AXES = ((214, 40, 40), (34, 145, 60), (36, 92, 214))
_FRAME = 0.09  # the length of a goal's axes, stage lengths


class Ink:
    """One color blended over an image: strokes are collected in a mask, so that crossings are not blended twice.

    Lengths are in pixels of a picture 720 lines high; positions in pixels of this one.
    """

    def __init__(self, image: Image) -> None:
        self.image = image
        self.scale = max(image.shape[0] / 720, 0.6)
        self._mask = np.zeros(image.shape[:2], np.float32)

    def line(self, start: ArrayLike, end: ArrayLike, width: float, dash: float = 0.0) -> None:
        """Draw a polyline; `dash` is the length of a dash and of the gap after it."""
        (x0, y0), (x1, y1) = np.asarray(start, float)[:2], np.asarray(end, float)[:2]
        _stroke(self._mask, x0, y0, x1, y1, width * self.scale / 2, dash * self.scale)

    def dot(self, place: ArrayLike, radius: float) -> None:
        """A disc."""
        self.line(place, place, 2 * radius)

    def ring(self, place: ArrayLike, radius: float, width: float) -> None:
        """A circle."""
        x, y = np.asarray(place, float)[:2]
        _ring(self._mask, x, y, radius * self.scale, width * self.scale / 2)

    def lay(self, color: Color, opacity: float) -> None:
        """Onto the image, and begin anew."""
        _blend(self.image, self._mask, *color, opacity)
        self._mask[:] = 0.0


def draw_skeleton(image: Image, renderer: Renderer, bones: Bones, pose: Pose) -> None:
    """Thin lines along the bones and dots at the joints, seen through whatever is before them."""
    starts, ends = (renderer.pixels(points) for points in bones.ends(pose))
    seen = (starts[:, 2] > 0) & (ends[:, 2] > 0)
    starts, ends = starts[seen], ends[seen]
    ink = Ink(image)
    lengths = np.linalg.norm(ends[:, :2] - starts[:, :2], axis=1) / ink.scale
    radii = np.clip(0.16 * lengths, 0.8, 3.2)
    for start, end, radius in zip(starts, ends, radii, strict=True):
        ink.line(start, end, max(0.75 * radius, 1.0))
    ink.lay(_INK, 0.5)
    for place, radius in [*zip(starts, radii, strict=True), *zip(ends, radii, strict=True)]:
        ink.dot(place, radius + 0.9)
    ink.lay(_PAPER, 0.55)
    for place, radius in [*zip(starts, radii, strict=True), *zip(ends, radii, strict=True)]:
        ink.dot(place, radius)
    ink.lay(_INK, 0.85)


def marks_of(goals: Iterable[Goal], pose: Pose, frame: int = 0) -> list[Mark]:
    """What the goals want shown, in a pose. frame: of the motion, for targets that move; they stay at their last."""
    return [mark for goal in goals for mark in _at(goal, frame).marks(pose)]


def _at(goal: Goal, frame: int) -> Goal:
    counts = goal.frames()
    return goal.of_frames(min(frame, *(count - 1 for count in counts))) if counts else goal


def draw_marks(image: Image, renderer: Renderer, marks: Iterable[Mark], pose: Pose) -> None:
    """Each goal's target, and a dashed line to it from the joint that is to get there."""
    ink = Ink(image)
    for mark in marks:
        joint = renderer.pixels(pose.origins[pose.skeleton.index(mark.joint)])
        place = renderer.pixels(mark.place)
        if place[2] <= 0 or not np.isfinite(place).all() or np.abs(place[:2]).max() > 1e5:
            continue
        if mark.kind == "frame" and mark.wxyz is not None:
            _draw_axes(ink, renderer, mark.place, mark.wxyz)
        elif mark.kind == "sight":
            _draw_target(ink, place, joint, _SIGHT, 6.5)
        else:
            _draw_target(ink, place, joint, _TARGET, 10.0)


def _draw_target(ink: Ink, place: Array, joint: Array, color: Color, radius: float) -> None:
    for color_of, wider, opacity in ((_PAPER, 2.6, 0.75), (color, 0.0, 0.95)):
        away = joint[:2] - place[:2]
        distance = float(np.hypot(*away))
        if joint[2] > 0 and distance > radius * ink.scale:
            ink.line(joint, place[:2] + away * (radius * ink.scale / distance), 1.7 + wider / 2, 7.0)
        ink.ring(place, radius, 2.4 + wider)
        ink.dot(place, 2.2 + wider / 2)
        for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            tick = np.array([x, y]) * ink.scale
            ink.line(place[:2] + tick * radius, place[:2] + tick * (radius + 4.5), 2.4 + wider)
        ink.lay(color_of, opacity)


def _draw_axes(ink: Ink, renderer: Renderer, place: Array, wxyz: Array) -> None:
    start = renderer.pixels(place)
    ends = renderer.pixels(place + matrix_from_wxyz(wxyz).T * _FRAME * renderer.stage.size)
    for end in ends:
        ink.line(start, end, 5.0)
    ink.lay(_PAPER, 0.75)
    for color, end in zip(_AXES, ends, strict=True):
        ink.line(start, end, 2.6)
        ink.lay(color, 0.95)


@kernel
def _stroke(mask, x0, y0, x1, y1, half, dash):
    """The part of each pixel within `half` of a segment, the larger of it and what is there."""
    first_row, last_row = max(int(min(y0, y1) - half - 1), 0), min(int(max(y0, y1) + half + 2), mask.shape[0])
    dx, dy = x1 - x0, y1 - y0
    square = dx * dx + dy * dy
    length = math.sqrt(square)
    reach = half + 1.5
    for row in range(first_row, last_row):
        left, right = min(x0, x1) - reach, max(x0, x1) + reach
        if abs(dy) > 1e-9 and length > 4 * reach:  # only the stretch of the row that is near the line
            middle, spread = x0 + (row + 0.5 - y0) * dx / dy, reach * length / abs(dy)
            left, right = max(left, middle - spread), min(right, middle + spread)
        for column in range(max(int(left), 0), min(int(right) + 1, mask.shape[1])):
            px, py = column + 0.5 - x0, row + 0.5 - y0
            along = min(max((px * dx + py * dy) / square, 0.0), 1.0) if square > 0 else 0.0
            if dash > 0 and (along * length) % (2 * dash) > dash:
                continue
            cover = min(max(half + 0.5 - math.hypot(px - along * dx, py - along * dy), 0.0), 1.0)
            mask[row, column] = max(mask[row, column], np.float32(cover))


@kernel
def _ring(mask, x, y, radius, half):
    reach = radius + half + 1
    for row in range(max(int(y - reach), 0), min(int(y + reach) + 1, mask.shape[0])):
        for column in range(max(int(x - reach), 0), min(int(x + reach) + 1, mask.shape[1])):
            off = abs(math.hypot(column + 0.5 - x, row + 0.5 - y) - radius)
            cover = min(max(half + 0.5 - off, 0.0), 1.0)
            mask[row, column] = max(mask[row, column], np.float32(cover))


@kernel
def _blend(image, mask, red, green, blue, opacity):
    for row in range(mask.shape[0]):
        for column in range(mask.shape[1]):
            if mask[row, column] > 0:
                share = mask[row, column] * opacity
                for n, level in enumerate((red, green, blue)):
                    below = image[row, column, n]
                    image[row, column, n] = np.uint8(below + (level - below) * share + 0.5)

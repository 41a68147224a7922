"""Methods side by side: the result and path of each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from posable.errors import PosableError, UnsupportedFileError
from posable.figures import Figure
from posable.files import atomic_path
from posable.goals import Goal
from posable.skeleton import Pose
from posable.solvers import Compared
from posable.spatial import Array
from posable.view.camera import Camera, View
from posable.view.overlay import Color, Ink, draw_marks, marks_of
from posable.view.pictures import Shot, check_size, draw_to, writer_for
from posable.view.renderer import MOVING, STILL, Image, Quality
from posable.view.scene import Scene
from posable.view.sheet import captioned, in_rows

_INK, _PAPER = (22, 52, 84), (255, 255, 255)
_GHOST, _TRAIL = (110, 122, 138), (36, 92, 214)
_THERE, _SHORT = (24, 120, 50), (190, 48, 20)
_FPS = 10.0
_LONGEST = 150  # frames of a race at most: longer ones show only every second step, or third
_BEFORE, _AFTER = 5, 12  # frames that show the start, and the end
_NEAR = 0.6  # of the figure's extent: how far paths may extend the framing


def comparison_picture(
    figure: Figure,
    goals: Sequence[Goal],
    compared: Sequence[Compared],
    path: str | Path | None = None,
    *,
    size: tuple[int, int] = (400, 300),
    columns: int | None = None,
    camera: Camera | View = "three_quarter",
    overwrite: bool = True,
) -> Image:
    """Draw one panel per method: its result, the start as a ghost, and the paths of the goals' joints.

    Args:
        figure: The figure.
        goals: The goals that were solved.
        compared: Result of `posable.compare`.
        path: A .png file to write as well, or None.
        size: Width and height of a panel in pixels.
        columns: Number of columns; None gives about as many as rows.
        camera: A camera, or a view framed on all results.
        overwrite: Whether an existing file may be replaced.

    Returns:
        `[height, width, 3]` sRGB bytes.

    Raises:
        PosableError: If no method has a result, or for an invalid size.
        FileError: If the file cannot be written.

    Example:
        >>> goals = [posable.Reach("hand_r", (-0.4, 1.2, 0.3))]
        >>> methods = ["LeastSquares", "CyclicDescent"]
        >>> compared = posable.compare(figure, goals, methods=methods, frozen=["root"])
        >>> image = posable.view.comparison_picture(figure, goals, compared, size=(160, 120))
    """
    if path is not None and Path(path).suffix.lower() != ".png":
        raise UnsupportedFileError(path, "a picture is written as .png; give it that ending")
    panels = Panels(figure, goals, compared, size, STILL, camera)
    return draw_to(path, lambda: panels.together(panels.longest, columns), overwrite=overwrite)


def comparison_film(
    figure: Figure,
    goals: Sequence[Goal],
    compared: Sequence[Compared],
    path: str | Path,
    *,
    size: tuple[int, int] = (320, 240),
    camera: Camera | View = "three_quarter",
    overwrite: bool = True,
) -> None:
    """Render the methods side by side: ten iterations per second, until the last method has finished.

    Args:
        figure: The figure.
        goals: The goals that were solved.
        compared: Result of `posable.compare`.
        path: The file: .mp4 or .gif.
        size: Width and height of a panel in pixels, even.
        camera: A camera, or a view framed on all results.
        overwrite: Whether an existing file may be replaced.

    Raises:
        PosableError: If no method has a result, or for an invalid size.
        UnsupportedFileError: For another suffix.
        FileError: If the file cannot be written.

    Example:
        >>> goals = [posable.Reach("hand_r", (-0.4, 1.2, 0.3))]
        >>> methods = ["LeastSquares", "CyclicDescent"]
        >>> compared = posable.compare(figure, goals, methods=methods, frozen=["root"])
        >>> posable.view.comparison_film(figure, goals, compared, "methods.mp4", size=(160, 120))
    """
    write = writer_for(path)
    if size[0] % 2 or size[1] % 2:
        raise PosableError(f"a panel of a film needs an even width and height, not {size[0]} × {size[1]}")
    panels = Panels(figure, goals, compared, size, MOVING, camera)
    stride = math.ceil(panels.longest / _LONGEST) or 1
    steps = [0] * _BEFORE + [*range(0, panels.longest, stride)] + [panels.longest] * _AFTER
    first = panels.together(0, None)

    def frames() -> Iterator[Image]:
        last, image = 0, first
        for step in steps:
            image = image if step == last else panels.together(step, None)
            last = step
            yield image

    with atomic_path(path, overwrite=overwrite) as beside:
        write(beside, frames(), _FPS, (first.shape[1], first.shape[0]))


class Panels:
    """What each method did, drawn alike: one camera, one light, one clock."""

    def __init__(
        self,
        figure: Figure,
        goals: Sequence[Goal],
        compared: Sequence[Compared],
        size: tuple[int, int],
        quality: Quality,
        camera: Camera | View,
    ) -> None:
        check_size(size)
        shown = [(one, one.trace) for one in compared if one.trace is not None]
        if not shown:
            raise PosableError("no method could be used, so there is nothing to draw")
        self._shown, self._goals = shown, goals
        poses = [trace[0] for _, trace in shown[:1]] + [trace[-1] for _, trace in shown]
        scene = Scene(figure)
        self._shot = Shot.of(scene, _framed(poses, shown), size, goals, camera, quality, skeleton=True)
        self._done: dict[int, Image] = {}
        self.longest = max(len(trace) for _, trace in shown) - 1

    def together(self, step: int, columns: int | None) -> Image:
        """All of them after `step` steps, those that have ended as they ended."""
        images = [self.panel(n, step) for n in range(len(self._shown))]
        return in_rows(images, columns)

    def panel(self, n: int, step: int) -> Image:
        """Method number `n` after `step` steps."""
        one, trace = self._shown[n]
        last = len(trace) - 1
        if step >= last and n in self._done:
            return self._done[n]
        at = min(step, last)
        image = self._shot.take(trace[at], ())
        self._draw_start(image, trace[0])
        for way in _ways(self._goals, one.steps or trace):
            self._draw_way(image, way[: at + 1])
        draw_marks(image, self._shot.renderer, marks_of(self._goals, trace[at]), trace[at])
        image = captioned(image, one.name, *_outcome(one, at, at == last))
        if step >= last:
            self._done[n] = image
        return image

    def _draw_start(self, image: Image, start: Pose) -> None:
        ink = Ink(image)
        for one, other in zip(*map(self._shot.renderer.pixels, self._shot.scene.bones.ends(start)), strict=True):
            ink.line(one, other, 2.5)
        ink.lay(_GHOST, 0.55)

    def _draw_way(self, image: Image, way: Array) -> None:
        places = self._shot.renderer.pixels(way)
        for color, wider, opacity in ((_PAPER, 2.0, 0.7), (_TRAIL, 0.0, 0.95)):
            ink = Ink(image)
            for one, other in pairwise(places):
                ink.line(one, other, 2.0 + wider)
            for place in places:
                ink.dot(place, 3.2 + wider / 2)
            ink.lay(color, opacity)


def _framed(poses: list[Pose], shown: list[tuple[Compared, Pose]]) -> list[Pose]:
    """The points to frame: the start, the results, and the parts of the paths close to them."""
    points = np.concatenate([pose.origins for pose in poses])
    low, high = points.min(axis=0), points.max(axis=0)
    room = _NEAR * float((high - low).max())
    for _, trace in shown:
        for k in np.unique(np.linspace(0, len(trace) - 1, 12).astype(int)):
            origins = trace[int(k)].origins
            if (origins > low - room).all() and (origins < high + room).all():
                poses.append(trace[int(k)])
    return poses


def _ways(goals: Sequence[Goal], trace: Pose) -> list[Array]:
    """`[entry, 3]` the positions of each goal's point along the path."""
    return [path for goal in goals if (path := goal.tip_path(trace)) is not None]


def _outcome(one: Compared, step: int, ended: bool) -> tuple[str, Color]:
    """The caption and its color."""
    steps = f"{step} step{'' if step == 1 else 's'}"
    if not ended:
        return steps, _INK
    steps = f"{one.iterations} step{'' if one.iterations == 1 else 's'}"
    if one.reached:
        return f"reached, {steps}", _THERE
    left = f"{one.distance:.2g} left" if one.distance is not None else f"{math.degrees(one.angle or 0.0):.2g}° left"
    return f"{left}, {steps}", _SHORT

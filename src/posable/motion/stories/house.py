"""The house of the doorbell's story: a wall, a door, and a bell whose button can be pressed."""

from __future__ import annotations

from posable.figures import Figure, Shape
from posable.motion.stories.story import Color, Point
from posable.skeleton import Axis, Joint, Skeleton

_WALL: Color = (0.80, 0.77, 0.72)
_DOOR: Color = (0.20, 0.36, 0.38)
_FRAME: Color = (0.93, 0.92, 0.89)
_GLASS: Color = (0.62, 0.76, 0.84)
_BRASS: Color = (0.80, 0.62, 0.28)
_RED: Color = (0.80, 0.13, 0.12)
_THICK = 0.10
_OUT = 0.02  # how far the button's face stands out of the wall
_BOARDS = (  # of the wall's face: from x, y to x, y, how far it stands out, color
    (-0.95, 0.00, -0.16, 2.40, 0.000, _WALL),
    (0.82, 0.00, 1.25, 2.40, 0.000, _WALL),
    (-0.16, 2.10, 0.82, 2.40, 0.000, _WALL),
    (-0.08, 0.00, 0.74, 2.02, -0.030, _DOOR),
    (-0.16, 0.00, -0.08, 2.10, 0.020, _FRAME),
    (0.74, 0.00, 0.82, 2.10, 0.020, _FRAME),
    (-0.08, 2.02, 0.74, 2.10, 0.020, _FRAME),
    (0.12, 1.36, 0.54, 1.84, -0.025, _GLASS),
)


def house(bell: Point) -> Figure:
    """A wall along x, and in it a door; `bell` is the middle of the button's face, which looks to -z.

    Joints: wall (fixed) and button, a slide along z by at most a centimetre.
    """
    x, y, front = bell
    wall = front + _OUT
    shapes = [_board("wall", *board, wall) for board in _BOARDS]
    shapes += [
        Shape("wall", "sphere", (0.035,), (0.02, 1.0, wall - 0.03), color=_BRASS),
        Shape("wall", "box", (0.08, 0.13, 0.014), (x, y, wall), color=_BRASS),
        Shape("button", "cylinder", (0.022, 0.03), (0.0, 0.0, 0.015), color=_RED),
    ]
    slide = Axis((0.0, 0.0, 1.0), slide=True, lower=0.0, upper=0.01)
    joints = [Joint("wall", "fixed"), Joint("button", "slide", "wall", bell, axes=(slide,))]
    return Figure(Skeleton(joints), "house", shapes=tuple(shapes))


def _board(
    joint: str, left: float, low: float, right: float, high: float, out: float, color: Color, wall: float
) -> Shape:
    middle = ((left + right) / 2, (low + high) / 2, wall - out + _THICK / 2)
    return Shape(joint, "box", (right - left, high - low, _THICK), middle, color=color)

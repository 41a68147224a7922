"""The mace: a jewel, ten rings and a handle, dragged by a ring in the middle."""

from __future__ import annotations

import numpy as np

from posable.figures import Figure, Shape
from posable.goals import Reach
from posable.motion.stories.story import UPRIGHT, Story
from posable.motion.track import track
from posable.skeleton import Axis, Joint, Skeleton

DRAGGED = "ring_6"
"""The ring that is dragged: the handle's side follows by inverse kinematics, the jewel's is carried along."""

_GOLD, _BLUE = (0.93, 0.74, 0.25), (0.15, 0.35, 0.75)
_STEEL, _RUBY = (0.55, 0.58, 0.62), (0.75, 0.10, 0.18)


def mace() -> Story:
    """A jewel, ten rings and a handle: the sixth ring is dragged round a loop, and takes the jewel along."""
    figure = mace_figure()
    turn = np.linspace(0.0, 2 * np.pi, 97)
    bend = np.stack([0.20 * np.sin(turn), 0.12 * (np.cos(turn) - 1) - 0.03, 0.12 * np.sin(2 * turn)], axis=-1)
    loop = figure.rest.origins[figure.skeleton.index(DRAGGED)] + bend
    clip = track(figure.rest, [Reach(DRAGGED, loop)], fps=24)
    return Story("mace", figure, clip, (2.1, 1.35, 3.4), (-0.35, 0.72, 0.0))


def mace_figure() -> Figure:
    """The handle stands in a socket; each of the ten rings turns about two axes square to its neighbour's length.

    Joints: handle (fixed), ring_1 … ring_10 (universal), jewel (fixed). Metres, y up.
    """
    joints = [Joint("handle", "fixed", None)]
    shapes = [Shape("handle", "capsule", (0.035, 0.38), (0.0, 0.22, 0.0), UPRIGHT, _STEEL)]
    axes = tuple(Axis(direction, lower=-0.9, upper=0.9) for direction in ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)))
    for k in range(1, 11):
        place = (0.0, 0.45 if k == 1 else 0.11, 0.0)
        name = f"ring_{k}"
        joints.append(Joint(name, "universal", joints[-1].name, place, axes=axes, rest=(0.03, 0.05)))
        color = _BLUE if name == DRAGGED else _GOLD
        shapes.append(Shape(name, "ellipsoid", (0.045, 0.062, 0.045), (0.0, 0.055, 0.0), color=color))
    joints.append(Joint("jewel", "fixed", "ring_10", (0.0, 0.18, 0.0)))
    return Figure(Skeleton(joints), "mace", shapes=(*shapes, Shape("jewel", "sphere", (0.10,), color=_RUBY)))

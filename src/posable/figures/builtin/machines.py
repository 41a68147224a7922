"""Figures of plain solids: the doorbell arm, the telescope and two industrial arms."""

from __future__ import annotations

import math

from posable.figures.model import Figure
from posable.figures.shapes import Shape
from posable.skeleton import Axis, Joint, Skeleton

Color = tuple[float, float, float]
_HALF = math.sqrt(0.5)
ALONG_X, ALONG_Y = (_HALF, 0.0, _HALF, 0.0), (_HALF, -_HALF, 0.0, 0.0)  # rotate a shape that lies along z
SHELL: Color = (0.93, 0.92, 0.89)
ACCENT: Color = (0.91, 0.47, 0.16)
STEEL: Color = (0.35, 0.37, 0.40)


def doorbell_arm() -> Figure:
    """The cartoon arm that presses a doorbell: three bones of 50, 45 and 3 in a plane, with absolute joint angles.

    Each angle counts from the world's x axis: the hand is at 50 u(a₁) + 45 u(a₂) + 3 u(a₃), u(a) = (cos a, sin a). At
    rest they are 1.2, 0.7 and 0. Lengths have no unit; y up. Joints: shoulder, elbow, wrist (hinges about z), hand
    (fixed).
    """
    lengths = {"shoulder": 50.0, "elbow": 45.0, "wrist": 3.0}
    joints, shapes, offset = [], [], 0.0
    for (name, length), angle, radius in zip(lengths.items(), (1.2, 0.7, 0.0), (4.5, 3.5, 2.2), strict=True):
        parent = joints[-1].name if joints else None
        axis = Axis((0.0, 0.0, 1.0))
        joints.append(Joint(name, "hinge", parent, (offset, 0.0, 0.0), axes=(axis,), rest=(angle,), absolute=True))
        shapes.append(
            Shape(
                name, "capsule", (radius, length), (length / 2, 0.0, 0.0), ALONG_X, SHELL if name == "wrist" else ACCENT
            )
        )
        offset = length
    joints.append(Joint("hand", "fixed", "wrist", (offset, 0.0, 0.0)))
    return Figure(Skeleton(joints, up="y"), name="doorbell_arm", shapes=tuple(shapes))


def telescope() -> Figure:
    """Three cylinders of height 30 that slide into one another, for limits and the order in which joints yield.

    Joints: bottom (fixed), middle and top (slides along y, 0 … 30, at rest fully out), tip (fixed, the upper end: 90
    high at rest, 30 when all is pushed in). Lengths have no unit; y up.
    """
    height, wall = 30.0, 1.0
    joints, shapes = [Joint("bottom", "fixed", None)], []
    for parent, name in (("bottom", "middle"), ("middle", "top")):
        joints.append(
            Joint(
                name,
                "slide",
                parent,
                axes=(Axis((0.0, 1.0, 0.0), slide=True, lower=0.0, upper=height),),
                rest=(height,),
            )
        )
    for k, color in enumerate((STEEL, SHELL, ACCENT)):
        shapes.append(
            Shape(joints[k].name, "cylinder", (7.0 - wall * k, height), (0.0, height / 2, 0.0), ALONG_Y, color)
        )
    joints.append(Joint("tip", "fixed", "top", (0.0, height, 0.0)))
    return Figure(Skeleton(joints, up="y"), name="telescope", shapes=tuple(shapes))


def arm6() -> Figure:
    """A small industrial arm with six hinges, the last three meeting in one point (a spherical wrist).

    Metres, z up, reaching along +x. Joints: base (fixed), joint_1 … joint_6 (about z, y, y, x, y, x), tool (fixed, the
    flange, its x axis outwards). At angles 0 the upper arm stands upright and the forearm lies along +x.
    """
    rest = (0.0, 0.25, 0.10, 0.0, 0.90, 0.0)
    links = [
        ("joint_1", "z", (0.0, 0.0, 0.16), 170.0),
        ("joint_2", "y", (0.06, 0.0, 0.20), 110.0),
        ("joint_3", "y", (0.0, 0.0, 0.44), 135.0),
        ("joint_4", "x", (0.14, 0.0, 0.04), 180.0),
        ("joint_5", "y", (0.28, 0.0, 0.0), 120.0),
        ("joint_6", "x", (0.08, 0.0, 0.0), 180.0),
    ]
    shapes = [
        Shape("base", "cylinder", (0.115, 0.05), (0.0, 0.0, 0.025), color=STEEL),
        Shape("base", "cylinder", (0.085, 0.12), (0.0, 0.0, 0.10), color=SHELL),
        Shape("joint_1", "cylinder", (0.090, 0.10), (0.0, 0.0, 0.05), color=ACCENT),
        Shape("joint_1", "capsule", (0.062, 0.16), (0.04, 0.0, 0.15), color=ACCENT),
        Shape("joint_2", "cylinder", (0.072, 0.19), wxyz=ALONG_Y, color=STEEL),
        Shape("joint_2", "capsule", (0.052, 0.44), (0.0, 0.0, 0.22), color=ACCENT),
        Shape("joint_3", "cylinder", (0.060, 0.16), wxyz=ALONG_Y, color=STEEL),
        Shape("joint_3", "capsule", (0.050, 0.10), (0.05, 0.0, 0.04), ALONG_X, ACCENT),
        Shape("joint_4", "capsule", (0.040, 0.24), (0.12, 0.0, 0.0), ALONG_X, SHELL),
        Shape("joint_5", "cylinder", (0.040, 0.10), wxyz=ALONG_Y, color=STEEL),
        Shape("joint_5", "capsule", (0.032, 0.05), (0.03, 0.0, 0.0), ALONG_X, ACCENT),
        Shape("joint_6", "cylinder", (0.030, 0.025), (0.0125, 0.0, 0.0), ALONG_X, STEEL),
    ]
    return _arm("arm6", links, rest, (0.025, 0.0, 0.0), shapes)


def arm7() -> Figure:
    """A slender arm with seven hinges, like a human's (shoulder 3, elbow 1, wrist 3): the elbow swings freely.

    Metres, z up. Joints: base (fixed), joint_1 … joint_7 (about z and y alternately), tool (fixed, the flange, its z
    axis outwards). At angles 0 it stands upright.
    """
    rest = (0.0, 0.55, 0.0, 1.45, 0.0, 0.75, 0.0)
    positions = (0.14, 0.18, 0.19, 0.19, 0.18, 0.18, 0.06)
    limits = (170.0, 115.0, 170.0, 120.0, 170.0, 115.0, 175.0)
    links = [(f"joint_{k + 1}", "zy"[k % 2], (0.0, 0.0, positions[k]), limits[k]) for k in range(7)]
    shapes = [
        Shape("base", "cylinder", (0.100, 0.04), (0.0, 0.0, 0.02), color=STEEL),
        Shape("base", "cylinder", (0.072, 0.10), (0.0, 0.0, 0.09), color=SHELL),
    ]
    for k, place in enumerate((*positions[1:], 0.045)):
        radius = 0.064 - 0.0045 * k
        shapes.append(
            Shape(
                f"joint_{k + 1}",
                "capsule",
                (radius, place - 0.01),
                (0.0, 0.0, place / 2),
                color=STEEL if k == 6 else SHELL,
            )
        )
        if k % 2:
            shapes.append(
                Shape(f"joint_{k + 1}", "cylinder", (radius * 0.86, 2.3 * radius), wxyz=ALONG_Y, color=ACCENT)
            )
    return _arm("arm7", links, rest, (0.0, 0.0, 0.10), shapes)


def _arm(
    name: str,
    links: list[tuple[str, str, tuple[float, float, float], float]],
    rest: tuple[float, ...],
    tool: tuple[float, float, float],
    shapes: list[Shape],
) -> Figure:
    """links: name, axis, position in the parent link and limit in degrees in both directions, from the base up."""
    directions = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
    joints = [Joint("base", "fixed", None)]
    for (joint, letter, place, degrees), angle in zip(links, rest, strict=True):
        axis = Axis(directions[letter], lower=-math.radians(degrees), upper=math.radians(degrees))
        joints.append(Joint(joint, "hinge", joints[-1].name, place, axes=(axis,), rest=(angle,)))
    joints.append(Joint("tool", "fixed", joints[-1].name, tool))
    return Figure(Skeleton(joints, up="z"), name=name, shapes=tuple(shapes))

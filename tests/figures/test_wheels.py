"""Robots that stand on wheels: their legs have the parts, but neither walk nor are retargeted to."""

from __future__ import annotations

import numpy as np
import pytest

import posable
from posable import Axis, Joint, Skeleton
from posable.errors import PosableError

LEG = (("hip", (0.0, -0.1)), ("femur_frame", (0.05, -0.12)), ("knee_motor", (0.05, -0.13)), ("knee", (0.02, 0.0)))


def wheeled(wheel: str = "wheel") -> Skeleton:
    """A biped as upkie: hinges of hip and knee with frames of the bones on them, and a wheel below a fixed ankle."""
    joints = [Joint("torso", "free", None, rest=(0, 0, 0.7, 1, 0, 0, 0))]
    for side, out in (("left", 0.1), ("right", -0.1)):
        above = "torso"
        for part, (more, down) in (*LEG, ("ankle_base", (0.0, -0.25)), (wheel, (0.03, 0.0))):
            name = f"{side}_{part}"
            y = (out if above == "torso" else 0.0) + np.sign(out) * more
            hinge = part in ("hip", "knee", wheel)
            axes = (Axis((0, 1, 0), lower=-1.3, upper=1.3),) if hinge else ()
            joints.append(Joint(name, "hinge" if hinge else "fixed", above, (0.0, y, down), axes=axes))
            above = name
    return Skeleton(joints, "z")


def test_bones_of_a_robot_are_its_hinges_and_not_the_frames_on_them() -> None:
    """Femur and stator, which are fixed, were thigh and shin, and the hip was no part of the leg."""
    found = posable.roles(wheeled())
    assert (found["upper_leg_l"], found["lower_leg_l"]) == ("left_hip", "left_knee")


def test_legs_that_end_in_wheels_are_refused() -> None:
    """It made steps on its wheels, 24 degrees off the person's."""
    figure = posable.Figure(wheeled())
    with pytest.raises(PosableError, match="these end in wheels: left_wheel, right_wheel"):
        posable.walk(figure)
    walk = posable.walk(posable.figure("mannequin"))
    with pytest.raises(PosableError, match="legs of the figure to move end in wheels: left_wheel, right_wheel"):
        posable.retarget(walk, to=figure)

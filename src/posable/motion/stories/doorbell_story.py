"""The character who walks to the door, rings, waits, and walks away with another gait."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from posable.clips import Clip, Event, below, join, trim
from posable.figures import Figure, Shape, figure
from posable.goals import Goal, LookAt, Reach, Stay
from posable.motion.gait import walk
from posable.motion.overlaying import fade, overlay
from posable.motion.reaching import move, reach
from posable.motion.stories.story import Color, Point, Story, gathered
from posable.motion.walk_transition import step_off
from posable.skeleton import Axis, Joint, Pose, Skeleton
from posable.spatial import Array

# The house of the doorbell's story: a wall, a door, and a bell whose button can be pressed.


_WALL: Color = (0.80, 0.77, 0.72)
_DOOR: Color = (0.20, 0.36, 0.38)
_FRAME: Color = (0.93, 0.92, 0.89)
_GLASS: Color = (0.62, 0.76, 0.84)
_BRASS: Color = (0.80, 0.62, 0.28)
_RED: Color = (0.80, 0.13, 0.12)
_THICK = 0.10
_OUT = 0.02  # distance of the button's face from the wall
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


BELL = (-0.27, 1.28, 0.50)
"""The middle of the button's face until it is pressed. The character stops at the origin, facing it along z."""

DEEP = 0.008
"""Metres by which the button is pressed."""

_SETTLING = 0.8  # seconds at the end of the rotation in which the feet stand already, which need not be waited for
_FACE = (0.33, 1.60, 0.55)  # where one would look out of the door
_FINGER = "index_tip_r"
_CURLED = {"middle_{}_r": (1.2, 1.3, 0.9), "ring_{}_r": (1.25, 1.4, 1.0), "pinky_{}_r": (1.3, 1.4, 1.0)}


def doorbell() -> Story:
    """A jaunty walk to the door, a fingertip on the bell, a look at it and at the door; and a sad walk away."""
    person = figure("mannequin")
    comes = walk(person, "jaunty", path=[(0.0, -2.9), (0.0, 0.0)])
    rings = _ring(comes.poses[-1])
    turns = step_off(rings.poses[-1], walk(person, "sad", turn=-180.0), figure=person)
    turns = trim(turns, 0.0, turns.seconds - _SETTLING)
    leaves = step_off(turns.poses[-1], walk(person, "sad", path=[(0.0, 0.0), (0.0, -2.4)]), figure=person)
    whole = _after(_after(_after(comes, rings), turns), leaves)
    stops, goes = comes.seconds, comes.seconds + rings.seconds
    clip = _looking(whole, stops, goes)
    both, motion = gathered(
        {"person": person, "house": house(BELL)}, {"person": clip.q, "house": _pressed(clip)}, clip.fps
    )
    motion = replace(motion, name="doorbell", events=(Event(stops, "stops"), Event(goes, "leaves")))
    return Story("doorbell", both, motion, (-5.2, 1.75, -3.7), (-0.1, 0.95, -1.15), 36.0)


def _ring(stands: Pose) -> Clip:
    """From standing to the bell, into it, out of it, and back; only the arm moves, so the feet stay."""
    arm = below(stands.skeleton, "clavicle_r")
    still = [name for name in stands.skeleton.joints if name not in arm]
    points = Stay(_pointing(stands), weight=1e-2)
    before, inside = np.subtract(BELL, (0.0, 0.0, 0.06)), np.add(BELL, (0.0, 0.0, DEEP))
    clip = reach(stands, [*_finger(before), points], 1.0, hold=0.1, frozen=still)
    for place, seconds, hold in ((inside, 0.3, 0.45), (before, 0.25, 0.0)):
        clip = _after(clip, reach(clip.poses[-1], [*_finger(place), points], seconds, hold=hold, frozen=still))
    return _after(clip, move(clip.poses[-1], stands, 1.1, hold=1.3))


def _finger(tip: Array) -> list[Goal]:
    """The fingertip there, pointing straight ahead and a little down."""
    return [Reach(_FINGER, tip), Reach("index_1_r", np.add(tip, (-0.01, 0.025, -0.08)), weight=0.2)]


def _pointing(pose: Pose) -> Pose:
    """With all fingers of the right hand curled except the one that rings."""
    for name, bends in _CURLED.items():
        for number, bend in enumerate(bends, start=1):
            pose = pose.with_joint(name.format(number), (bend, 0.0) if number == 1 else bend)
    return pose.with_joint("index_1_r", (0.15, 0.0)).with_joint("index_2_r", 0.1).with_joint("index_3_r", 0.05)


def _after(first: Clip, second: Clip) -> Clip:
    """One after the other; the last frame of the first is the first of the second."""
    return join(first, second, 1 / first.fps, align=False)


def _looking(clip: Clip, arrives: float, leaves: float) -> Clip:
    """Eyes on the bell until it has rung, and then on the door for a while; the rest of the body goes on."""
    still = set(clip.skeleton.joints) - set(below(clip.skeleton, "neck"))
    share = {"neck": 0.35}
    looks = {
        LookAt("head", BELL, share=share, limit=1.2): fade(clip, arrives - 0.9, arrives + 2.5, 0.6),
        LookAt("head", _FACE, share=share, limit=1.2): fade(clip, arrives + 2.3, leaves + 0.1, 0.5),
    }
    for look, weight in looks.items():
        clip = overlay(clip, {look: weight}, frozen=sorted(still))
    return clip


def _pressed(clip: Clip) -> Array:
    """`[frame, 1]`: the travel of the button under the fingertip."""
    tip = clip.poses.origins[:, clip.skeleton.index(_FINGER)]
    there = np.linalg.norm((tip - BELL)[:, :2], axis=1) < 0.02
    return np.where(there, np.clip(tip[:, 2] - BELL[2], 0.0, 0.01), 0.0)[:, None]

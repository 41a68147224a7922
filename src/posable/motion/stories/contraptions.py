"""The leg whose goal has keys at frames 50 and 100."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from posable.clips import Keys
from posable.figures import Figure, Shape, figure
from posable.goals import Orient, Pole, Reach
from posable.motion.stories.story import Story, gathered, thing
from posable.motion.tracking import chase, track
from posable.skeleton import Pose, Skeleton
from posable.solvers.methods import CyclicDescent, Method
from posable.spatial import wxyz_about, wxyz_from_matrix, wxyz_multiply

KEYS = {0: (0.0, 0.0, 0.0), 50: (0.02, 0.42, 0.34), 100: (-0.01, 0.20, -0.36), 130: (0.0, 0.0, 0.0)}
"""Frames, and how far the goal is then from where the ankle rests (metres)."""

PITCH = {0: 0.0, 50: -0.35, 100: 0.85, 130: 0.0}
"""How far the goal is turned then, toes down, in radians."""

_FPS = 30.0


def leg() -> Story:
    """A leg follows a goal that has a key at frame 50, where the knee is up, and one at frame 100, where the heel is;
    the knee never bends backwards.
    """
    person = figure("mannequin")
    ankle = person.rest.world_from_joint[person.skeleton.index("foot_r")]
    mark = thing("goal", *_cross(), kind="free")
    turns = wxyz_about((1.0, 0.0, 0.0), np.array(list(PITCH.values())))
    keyed = np.concatenate([ankle[:3, 3] + np.array(list(KEYS.values())), turns], axis=1)
    goal = Keys(mark.skeleton, np.array(list(KEYS)) / _FPS, keyed, "cubic").clip(fps=_FPS)
    place = Reach("foot_r", goal.q[:, :3])
    turn = Orient("foot_r", wxyz_multiply(goal.q[:, 3:], wxyz_from_matrix(ankle[:3, :3])), priority=1)
    held = [name for name in person.skeleton.joints if name not in ("thigh_r", "shin_r", "foot_r")]
    knee = Pole("foot_r", towards=ankle[:3, 3] + (0.0, 0.5, 2.0))
    follows = track(_at_ease(person.rest), [place, turn, knee], _FPS, frozen=held)
    both, clip = gathered({"person": person, "goal": mark}, {"person": follows.q, "goal": goal.q}, _FPS)
    return Story("leg", both, clip, (-3.9, 1.2, 2.1), (-0.05, 0.9, 0.05), 29.0)


def _at_ease(pose: Pose) -> Pose:
    """Arms a little away from the sides and ahead, out of the leg's way."""
    return pose.with_joint("forearm_r", 0.5).with_joint("forearm_l", 0.5)


def _cross() -> tuple[Shape, ...]:
    """Three bars across one another, as animation programs draw a goal."""
    sizes = np.full((3, 3), 0.012) + 0.19 * np.eye(3)
    return tuple(Shape("goal", "box", tuple(size), color=(0.85, 0.16, 0.14)) for size in sizes.tolist())


# The telescope: three cylinders pulled down into one another.


_TELESCOPE_FPS = 20.0


def telescope() -> Story:
    """Three telescopes pulled down: in order, the top one first; with ease, a little of both; shared by all joints.

    Their joints are order/middle, order/top, ease/middle and so on; the tip is pulled from 90 to 30 and let up again.
    """
    plain = figure("telescope")
    in_order = CyclicDescent(order="tip_first", help=False)
    ways: dict[str, tuple[Figure, Method | None]] = {
        "order": (plain, in_order),
        "ease": (_eased(plain, 10.0), in_order),
        "shared": (plain, None),
    }
    down = np.linspace(90.0, 30.0, 41)
    heights = np.concatenate([down, np.full(10, 30.0), down[::-1], np.full(5, 90.0)])
    targets = np.stack([0 * heights, heights, 0 * heights], axis=-1)
    goals = [Reach("tip", targets)]
    moves = {name: chase(one.rest, goals, method, steps=100).q for name, (one, method) in ways.items()}
    three, clip = gathered({name: one for name, (one, _) in ways.items()}, moves, _TELESCOPE_FPS, {
        "ease": (35.0, 0.0, 0.0), "shared": (70.0, 0.0, 0.0)
    })  # fmt: skip
    return Story("telescope", three, clip, (80.0, 95.0, 290.0), (35.0, 42.0, 0.0), 26.0)


def _eased(plain: Figure, ease: float) -> Figure:
    """The telescope whose slides resist the more, the nearer they are to their ends."""
    joints = [replace(one, ease=ease) if one.kind == "slide" else one for one in plain.skeleton.definitions]
    return plain.on(Skeleton(joints, plain.skeleton.up))

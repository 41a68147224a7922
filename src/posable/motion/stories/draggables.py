"""The snake that chases a cube."""

from __future__ import annotations

from functools import partial

import numpy as np

from posable.figures import Figure, Shape, figure
from posable.goals import Custom, Goal, Orient, Reach, Torsion
from posable.motion.stories.story import UPRIGHT, Story, carried, gathered, thing
from posable.motion.tracking import chase, track
from posable.skeleton import Axis, Joint, Pose, Skeleton
from posable.solvers.methods import GradientDescent, VirtualForce
from posable.spatial import Array
from posable.spatial.curves import smoothstep

SNOUT = (0.0, 0.0, 0.079)
"""What is to touch the cube, from the joint of the head."""

TOUCH = 0.035
"""Metres from the snout to the middle of the cube, whose edge is 6 cm, within which it has it."""

_FPS = 20.0
_HIGH = 0.6  # of the post that holds the tail
_PLACES = ((0.35, 0.5, 0.55), (0.45, 0.5, 0.35), (-0.1, 0.75, 0.2), (-0.5, 0.45, 0.3), (-0.25, 0.15, 0.6))


def snake() -> Story:
    """A snake, its tail held by a post, chases a small cube by virtual forces; once it has the cube, it goes on moving
    until it lies comfortably.

    Joints: snake/tail and so on, cube/cube, post/post.
    """
    body = figure("snake")
    places = np.array(_PLACES)
    time = np.minimum(np.linspace(0.0, 5.6, 141), 4.0)  # the cube stands still in the end
    step = np.minimum(time.astype(int), 3)
    share = time - step
    path = places[step] + smoothstep(share)[:, None] * (places[step + 1] - places[step])
    still = int(np.argmax(time == time[-1]))
    chases = _pursued(body.rest, path[:still], at_ease=False)
    rests = _pursued(Pose(body.skeleton, chases[-1]), path[still:], at_ease=True)
    cube = thing("cube", Shape("cube", "box", (0.06, 0.06, 0.06), color=(0.85, 0.2, 0.15)), kind="free")
    post = thing("post", Shape("post", "cylinder", (0.03, _HIGH), (0.0, _HIGH / 2, -0.72), UPRIGHT, (0.45, 0.40, 0.36)))
    lifted = np.array((0.0, _HIGH, 0.0))
    both, clip = gathered(
        {"snake": body, "cube": cube, "post": post},
        {"snake": np.concatenate([chases, rests]), "cube": carried(path + lifted)},
        _FPS,
        {"snake": (0.0, _HIGH, 0.0)},
    )
    return Story("snake", both, clip, (3.0, 1.7, 2.2), (0.0, 0.85, -0.1), 28.0)


def _pursued(start: Pose, path: Array, *, at_ease: bool) -> Array:
    """`[frame, coordinates]`: one step a frame towards the cube; at_ease: its elastic joints go where they rest."""
    method = VirtualForce(sensitivity=0.15, settle=at_ease)
    return chase(start, [Reach("head", path, tip=SNOUT)], method, steps=1, tolerance=TOUCH, fps=_FPS).q


# The mace: a jewel, ten rings and a handle, dragged by a ring in the middle.


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


# The tentacles: one that minds only where its tip is, and an organic one.


BALL, RADIUS = np.array((0.22, 0.66, 0.0)), 0.11
"""The middle of the ball that a tentacle curls round."""

_APART = 0.9
_NEXT = 4  # joints that are no further from each other along the tentacle are neighbours, which may touch
_ROOM = 0.01


def tentacles() -> Story:
    """Two tentacles curl round two balls by gradient descent. The plain one goes through its ball; the organic one
    sums distance, rotation, torsion and a term of its own, and goes round it.

    Their joints are plain/segment_1 and so on, and organic/segment_1.
    """
    arm = figure("tentacle")
    touch, wxyz = _way_round(60)
    reaching: list[Goal] = [Reach("tip", touch, weight=3.0)]
    plain = chase(arm.rest, reaching, GradientDescent(0.15, 1e-5, adaptive=True), steps=8, tolerance=0.01)
    organic = chase(
        arm.rest,
        [
            *reaching,
            Orient("tip", wxyz, weight=0.3),
            Torsion(weight=0.5),
            Custom(partial(_crossing, radii=thickness())),
        ],
        GradientDescent(0.05, 1e-5, adaptive=True),
        steps=8,
        tolerance=0.01,
    )
    ball = thing("ball", Shape("ball", "sphere", (RADIUS,), color=(0.92, 0.72, 0.25)), place=tuple(BALL.tolist()))
    far = (_APART, 0.0, 0.0)
    both, clip = gathered(
        {"plain": arm, "organic": arm, "ball": ball, "other ball": ball},
        {"plain": plain.q, "organic": organic.q},
        15.0,
        {"organic": far, "other ball": far},
    )
    return Story("tentacles", both, clip, (0.9, 1.0, 4.0), (0.5, 0.55, 0.0), 26.0)


def thickness() -> Array:
    """`[joint]`: the tentacle's radius at its joints, with its suckers."""
    return np.interp(np.arange(26), (0, 4, 10, 18, 25), (0.098, 0.068, 0.058, 0.045, 0.026))


def clearances(middle: Array, radii: Array) -> tuple[Array, Array]:
    """(how far a tentacle is from the ball `[...]`, and from itself `[...]`), below 0 where they cross.

    middle: `[..., joint, 3]`, its joints, the ball being at `BALL`. radii: `[joint]`.
    """
    ball = np.linalg.norm(middle - BALL, axis=-1) - RADIUS - radii
    apart = np.linalg.norm(middle[..., :, None, :] - middle[..., None, :, :], axis=-1) - radii[:, None] - radii
    count = np.arange(len(radii))
    far = np.abs(np.subtract.outer(count, count)) > _NEXT
    return ball.min(axis=-1), apart[..., far].min(axis=-1)


def _crossing(pose: Pose, radii: Array) -> float:
    """How deep the tentacle is in the ball and in itself."""
    return float(10.0 * sum(np.maximum(0.0, _ROOM - clear) for clear in clearances(pose.origins, radii)))


def _way_round(frames: int) -> tuple[Array, Array]:
    """`[frame, 3]` and `[frame, 4]`: round the ball along its surface, from its left over its top."""
    turn = np.radians(np.linspace(170, 25, frames))
    out = np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=-1)
    touch = BALL + (RADIUS + 0.03) * out
    half = (turn - np.pi) / 2
    return touch, np.stack([np.cos(half), 0 * turn, 0 * turn, np.sin(half)], axis=-1)

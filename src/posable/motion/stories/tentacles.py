"""The tentacles: one that minds only where its tip is, and an organic one."""

from __future__ import annotations

from functools import partial

import numpy as np

from posable.figures import Shape, figure
from posable.goals import Custom, Goal, Orient, Reach, Torsion
from posable.motion.pursuit import pursue
from posable.motion.stories.story import Story, gathered, thing
from posable.skeleton import Pose
from posable.solvers.methods import GradientDescent
from posable.spatial import Array

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
    plain = pursue(arm.rest, reaching, GradientDescent(0.15, 1e-5, adaptive=True), steps=8, tolerance=0.01)
    organic = pursue(
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

"""The snake that chases a cube."""

from __future__ import annotations

import numpy as np

from posable.figures import Shape, figure
from posable.goals import Reach
from posable.motion.pursuit import pursue
from posable.motion.stories.story import UPRIGHT, Story, carried, gathered, thing
from posable.skeleton import Pose
from posable.solvers.methods import VirtualForce
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
    return pursue(start, [Reach("head", path, tip=SNOUT)], method, steps=1, tolerance=TOUCH, fps=_FPS).q

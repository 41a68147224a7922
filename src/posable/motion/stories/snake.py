"""The snake that chases a cube."""

from __future__ import annotations

import numpy as np

from posable.figures import Shape, figure
from posable.goals import Reach
from posable.motion.pursuit import pursue
from posable.motion.stories.story import UPRIGHT, Story, carried, gathered, thing
from posable.solvers.methods import VirtualForce
from posable.spatial.curves import smoothstep

_FPS = 20.0
_HIGH = 0.6  # of the post that holds the tail
_SNOUT = (0.0, 0.0, 0.079)
_PLACES = ((0.35, 0.5, 0.55), (0.45, 0.5, 0.35), (-0.1, 0.75, 0.2), (-0.5, 0.45, 0.3), (-0.25, 0.15, 0.6))


def snake() -> Story:
    """A snake, its tail held by a post, chases a small cube by virtual forces; once it has the cube, it goes on moving
    until it lies comfortably.
    """
    body = figure("snake")
    places = np.array(_PLACES)
    time = np.minimum(np.linspace(0.0, 5.6, 141), 4.0)  # the cube stands still in the end
    step = np.minimum(time.astype(int), 3)
    share = time - step
    path = places[step] + smoothstep(share)[:, None] * (places[step + 1] - places[step])
    goal = Reach("head", path, tip=_SNOUT)
    chase = pursue(body.rest, [goal], VirtualForce(sensitivity=0.15), steps=1, tolerance=0.035, fps=_FPS)
    cube = thing("cube", Shape("cube", "box", (0.06, 0.06, 0.06), color=(0.85, 0.2, 0.15)), kind="free")
    post = thing("post", Shape("post", "cylinder", (0.03, _HIGH), (0.0, _HIGH / 2, -0.72), UPRIGHT, (0.45, 0.40, 0.36)))
    lifted = np.array((0.0, _HIGH, 0.0))
    both, clip = gathered(
        {"snake": body, "cube": cube, "post": post},
        {"snake": chase.q, "cube": carried(path + lifted)},
        _FPS,
        {"snake": (0.0, _HIGH, 0.0)},
    )
    return Story("snake", both, clip, (3.0, 1.7, 2.2), (0.0, 0.85, -0.1), 28.0)

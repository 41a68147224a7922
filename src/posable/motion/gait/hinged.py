"""Legs of hinges about different axes, as robots have them: no hinge can take its share of a thigh's turn by itself, so
that the solver finds their angles together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from posable.goals import Reach
from posable.motion.gait.body import Body, Leg, hinges_apart
from posable.skeleton import Pose
from posable.solvers import prepare
from posable.spatial import Array

_TOLERANCE = 1e-6  # of a leg's length


def ends_on_plan(body: Body, q: Array, ankles: Sequence[Array]) -> Array:
    """The coordinates `q [frame, coordinates]` with such legs ending where the plan has their ankles, as far as their
    limits let them; each frame from the angles that it has, which are near.

    ankles: `[frame, 3]` per leg, in leg lengths and the figure's own directions; none of a walk that plans none.
    """
    if body.biped:  # persons with such legs are refused (`check_hips`)
        return q
    skeleton = body.skeleton
    apart = [k for k in range(len(ankles)) if hinges_apart(skeleton, body.legs[k], body.rest_turns)]
    if not apart:
        return q
    targets = [body.world(ankles[k] * body.length) for k in apart]
    ends = [_end(body, body.legs[k]) for k in apart]
    goals = [Reach(skeleton.joints[end], where[0], tip) for (end, tip), where in zip(ends, targets, strict=True)]
    moving = {joint for k in apart for joint in body.legs[k].joints}
    frozen = [name for joint, name in enumerate(skeleton.joints) if joint not in moving]
    solver = prepare(skeleton, goals, tolerance=_TOLERANCE * body.length, restarts=0, frozen=frozen)
    return np.array(solver.solve(Pose(skeleton, q), targets).pose.q)


def _end(body: Body, leg: Leg) -> tuple[int, Sequence[float]]:
    """The joint that the ankle belongs to, and where it is in that."""
    last = leg.joints[-1]
    return (leg.foot, (0.0, 0.0, 0.0)) if leg.foot >= 0 else (last, body.skeleton.definitions[last].tips[0])

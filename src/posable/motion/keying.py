"""Auto-key: a goal moved at one moment of a clip changes the motion around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from posable.clips import Clip, Keys
from posable.errors import PosableError
from posable.goals import Custom, Goal, SoftGoal, Stay
from posable.solvers import solve
from posable.spatial.curves import smootherstep

Motion = TypeVar("Motion", Clip, Keys)


def key(
    motion: Motion,
    time: float,
    goals: Sequence[Goal | SoftGoal | Custom],
    *,
    reach: float = 0.5,
    frozen: Sequence[str] = (),
    restarts: int = 20,
) -> Motion:
    """The motion with `goals` met at `time` seconds.

    Of `Keys`, the pose there becomes a key. Of a `Clip`, what the pose changes fades to nothing `reach` seconds before
    and after, without a kink, so that the rest of the recording stays as it is.
    The pose is the nearest to the motion's own that the goals allow. Raises PosableError for a time outside a clip or a
    reach that is not above 0, and as `posable.solve` does.
    """
    if not np.isfinite(time):
        raise PosableError(f"a key is at some seconds, not {time}")
    if not 0 < reach < np.inf:
        raise PosableError(f"a key reaches some seconds, not {reach}")
    if isinstance(motion, Clip) and not 0 <= time <= motion.seconds + 1e-9:
        raise PosableError(f"a key of a clip is within its {motion.seconds:g} s, not at {time:g} s")
    before = motion.at(time)
    after = solve(before, [*goals, Stay(before)], frozen=frozen, restarts=restarts).pose
    if isinstance(motion, Keys):
        return motion.with_key(time, after)
    share = smootherstep(1 - np.abs(motion.times - time) / reach)
    return replace(motion, q=motion.poses.plus(share[:, None] * after.minus(before)).q)

"""The plain form of a gait: four angles per step, each along one quadratic, the standing toe pinned.

During a step the front leg stands, its toe where it is, and the other swings. Each of the four angles (thigh and shin
of both) runs from its own start to the other leg's start value, along the quadratic through (0, start),
(share, value on the way), (1, end); then the legs swap roles. Angles are radians as in `closure`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import PosableError
from posable.motion.gait.closure import double_support, leg_points
from posable.motion.gait.gait import Gait
from posable.spatial import Array

_NAMES = ("standing thigh", "standing shin", "swinging thigh", "swinging shin")


def quadratic(begin: ArrayLike, end: ArrayLike, share: ArrayLike, value: ArrayLike, at: ArrayLike) -> Array:
    """The parabola through (0, begin), (share, value), (1, end) at `at`; all broadcast. Raises PosableError for a
    share outside 0…1.
    """
    begin, end, share, value, at = (np.asarray(one, float) for one in (begin, end, share, value, at))
    if not np.all((share > 0) & (share < 1)):
        raise PosableError("the share of the step at which a quadratic passes its value lies between 0 and 1")
    bend = (value - begin - (end - begin) * share) / (share * (share - 1))
    return begin + (end - begin) * at + bend * at * (at - 1)


@dataclass(frozen=True)
class QuadraticGait:
    """A gait in the plain form, for one leg's lengths; radians and the lengths' unit.

    step: from toe to toe. front, back: directions of the shins when both feet are down. ways: for each of standing
    thigh, standing shin, swinging thigh, swinging shin the (share, direction) that it passes.
    Raises PosableError, naming it, where a thigh would be too short or a knee would bend backward.
    """

    thigh: float
    shin: float
    foot: float
    step: float
    front: float
    back: float
    ways: tuple[tuple[float, float], ...]

    @classmethod
    def of(cls, gait: Gait, step: float, *, thigh: float, shin: float, foot: float) -> QuadraticGait:
        """The plain form that a Gait's own fields tell, with a `step` in the lengths' unit."""
        pairs = (gait.stance_thigh, gait.stance_shin, gait.swing_thigh, gait.swing_shin)
        ways = tuple((share, math.radians(angle)) for share, angle in pairs)
        return cls(thigh, shin, foot, step, math.radians(gait.front_shin), math.radians(gait.back_shin), ways)

    @property
    def lengths(self) -> dict[str, float]:
        return {"thigh": self.thigh, "shin": self.shin, "foot": self.foot}

    def starts(self) -> tuple[float, float, float, float]:
        """Directions of the front thigh and shin, then of the back ones, as a step begins."""
        front, back, _ = double_support((self.step, 0.0), (0.0, 0.0), self.front, self.back, **self.lengths)
        return float(front), self.front, float(back), self.back

    def angles(self, at: ArrayLike) -> Array:
        """`[..., 4]` of the standing thigh and shin, the swinging thigh and shin at shares `at [...]` of a step."""
        at = np.asarray(at, float)
        start = self.starts()
        ends = (start[2], start[3], start[0], start[1])
        found = np.stack([quadratic(b, e, *way, at) for b, e, way in zip(start, ends, self.ways, strict=True)], axis=-1)
        for leg in (0, 2):
            if np.any(found[..., leg + 1] >= found[..., leg]):
                share = float(
                    np.asarray(at)[np.unravel_index(np.argmax(found[..., leg + 1] - found[..., leg]), at.shape)]
                )
                raise PosableError(
                    f"the knee of the {_NAMES[leg].split()[0]} leg would bend backward at {share:.2f} of the step; "
                    f"let the {_NAMES[leg]} pass a larger angle, or the {_NAMES[leg + 1]} a smaller one"
                )
        return found

    def frames(self, steps: int, frames: int) -> tuple[Array, Array, Array]:
        """(angles, toes, hip) of `steps` steps of `frames` frames each, and the first frame of the one after.

        angles: `[frame, leg, 2]`, thigh and shin; toes: `[frame, leg, 2]`; hip: `[frame, 2]`. Leg 0 is in front as the
        first step begins, its toe at (step, 0); the toe of the standing leg does not move.
        """
        count = steps * frames + 1
        number, within = np.divmod(np.arange(count), frames)
        four = self.angles(within / frames)
        toe = np.stack([(number + 1) * self.step, np.zeros(count)], axis=-1)
        hip = leg_points(toe, four[:, 0], four[:, 1], **self.lengths)[2]
        reach = leg_points(np.zeros(2), four[:, 2], four[:, 3], **self.lengths)[2]
        standing = number % 2
        angles, toes = np.empty((count, 2, 2)), np.empty((count, 2, 2))
        rows = np.arange(count)
        angles[rows, standing], angles[rows, 1 - standing] = four[:, :2], four[:, 2:]
        toes[rows, standing], toes[rows, 1 - standing] = toe, hip - reach
        return angles, toes, hip

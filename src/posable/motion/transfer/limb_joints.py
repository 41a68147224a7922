"""Joints of a clip's figure that are solved together: what keeps them calm and near the copied motion."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from posable.clips import Clip, between
from posable.goals import Goal
from posable.motion.transfer.copying import root_freedoms, rotation_by_frame
from posable.motion.transfer.hands_feet import Foot, missed
from posable.motion.transfer.measured import Body
from posable.motion.transfer.self_collision import Apart
from posable.motion.whole_clip import ClipSolution, solve_clip
from posable.motion.whole_clip.clip_rows import Inequalities
from posable.spatial import Array
from posable.spatial.curves import smoothstep

WeightedGoals = Sequence[tuple[Goal, Array]]
"""Goals with their weights `[frame]`."""

SPEED = 12.0
"""rad/s, the most of a robot's hinge. Motors are rated at 9 to 37; faster joints look like pops. A whole clip is
solved at once, so that a faster movement begins earlier and ends later, and does not lag."""
STAY = 1e-3
_ROOT_STAYS = 3000.0  # times a joint's weight: legs bend before the pelvis moves or leans, which is conspicuous
_OVER = 0.35  # s over which a correction spreads
_MIXES = 4  # most rounds in which more frames are taken from a calmer clip
FALL = 5e-2  # relative decrease of the cost that ends a solve


@dataclass(frozen=True, eq=False)
class Limbs:
    """Joints of a clip's figure that are solved together.

    copy: the clip to stay close to. moving: the joints. most: the largest rotation per frame, in radians, that
    collision avoidance may cause. smoother: factor of smoothness.
    """

    copy: Clip
    target: Body
    moving: Collection[int]
    most: float
    smoother: float = 1.0

    def solved(
        self, goals: WeightedGoals, rows: Sequence[Inequalities], start: Clip | None, tolerance: float = FALL
    ) -> ClipSolution:
        """The whole clip solved."""
        skeleton = self.copy.skeleton
        root = root_freedoms(self.target)
        stay = np.full(skeleton.dof, STAY)
        stay[root] *= _ROOT_STAYS
        # A position of the root is a slide too, and no motor's.
        speed = np.full(skeleton.dof, SPEED if self.target.made_of_hinges else np.inf)
        speed[root] = np.inf
        return solve_clip(
            self.copy,
            [goal for goal, _ in goals],
            [weights for _, weights in goals],
            free=[skeleton.joints[joint] for joint in sorted(self.moving)],
            stay=stay,
            smooth=self.smoother * stay * (_OVER / (2 * np.pi)) ** 4,
            speed=speed,
            inequalities=rows,
            start=start,
            tolerance=tolerance,
        )

    def leaps(self, clip: Clip) -> dict[int, Array]:
        """Joints that rotate by more than `most` between frames → `[frame]` the excess, above 0 where they do."""
        rotations = rotation_by_frame(clip.poses)
        return {
            joint: np.append(own, 0.0) - self.most
            for joint, own in rotations.items()
            if joint in self.moving and own.max(initial=0.0) > self.most
        }

    def solved_apart(
        self,
        solution: ClipSolution,
        goals: WeightedGoals,
        others: Sequence[Inequalities],
        apart: Apart,
        feet: Sequence[Foot],
        anyway: Mapping[int, Array],
    ) -> tuple[ClipSolution, Apart | None]:
        """The solution with bodies apart as far as feet keep their positions and no joint rotates by more than `most`.

        Constraints that conflict with either are relaxed, and returned so; None if they had to be dropped.
        anyway: first joint of the leg → `[frame]` error of its foot that is not due to collision avoidance.
        """
        for again in (False, True):
            leaps = self.leaps(solution.clip)
            off = missed(feet, solution.clip.poses)
            off = {leg: np.where(anyway.get(leg, 0.0) > 0, np.minimum(own, 0.0), own) for leg, own in off.items()}
            left = apart.relaxed(solution.clip.poses, leaps, off)
            if left is None or (again and not leaps):
                return solution, apart
            apart = left
            solution = self.solved(goals, [*others, apart], None if leaps else solution.clip)
        if not self.leaps(solution.clip):
            return solution, apart
        without = self.solved(goals, others, None)
        if self.leaps(without.clip):
            return solution, apart
        mixed = self._mixed(solution.clip, without.clip)
        return (without, None) if mixed is None else (replace(solution, clip=mixed), apart)

    def _mixed(self, clip: Clip, calm: Clip) -> Clip | None:
        """The clip, and the calm one around frames in which joints leap; None where joints leap between the two."""
        from scipy.ndimage import distance_transform_edt

        near, mixed = np.zeros(len(clip), bool), clip
        for _ in range(_MIXES):
            leaps = self.leaps(mixed)
            if not leaps:
                return mixed
            near |= np.any([own > 0 for own in leaps.values()], axis=0)
            away = np.asarray(distance_transform_edt(~near)) / clip.fps
            mixed = replace(clip, q=between(clip.poses, calm.poses, smoothstep(2 - away / _OVER)).clamped().q)
        return None


def farthest_off(feet: Sequence[Foot], clip: Clip) -> float:
    """The largest error of a foot's position beyond the tolerated one, in legs."""
    return max((float(own.max()) for own in missed(feet, clip.poses).values()), default=-np.inf)

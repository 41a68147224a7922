"""The whole-clip solves of the second stage: legs and travel first, then arms, which give way to legs.

No goal of a hand depends on a leg, as hands go where the trunk goes. So two small solves find what one large one does,
at a fifth of its cost, which grows with the cube of the freedoms.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from posable.clips import Clip
from posable.goals import Goal
from posable.motion.transfer.copying import travelling_joint, turns_by_frame
from posable.motion.transfer.hands_feet import Foot, foot_goals, missed, settled, stepped_aside
from posable.motion.transfer.measured import LEG, Body
from posable.motion.transfer.rolling import Aloft, Rolling
from posable.motion.transfer.self_collision import Apart
from posable.motion.whole_clip import ClipSolution, solve_clip
from posable.motion.whole_clip.clip_rows import Inequalities
from posable.skeleton import joints_below
from posable.spatial import Array

Wanted = Sequence[tuple[Goal, Array]]
"""Goals with their weights `[frame]`."""

_STAY = 1e-3
_ROOT_STAYS = 3000.0  # times as firmly as a joint: legs bend before the pelvis moves or leans, which shows at once
_OVER = 0.35  # s over which a correction spreads
_ASIDE = 3  # times at most that feet step aside
_ROLLS = 6  # times at most that feet are set rolling: how they turn changes a little with where they are
_CALMER = (10.0, 100.0, 1000.0)  # times as smooth as usual, one after the other, for arms that would leap for bodies
_FALL, _FIRST_FALL = 1e-2, 3e-2  # the relative decrease of the cost that ends a solve; one that another follows


@dataclass(frozen=True, eq=False)
class Limbs:
    """Some joints of a clip's figure that are solved together.

    copy: the clip that they keep close to. moving: the joints. most: radians a frame that a joint is to turn at most
    for what keeps bodies apart. smoother: times as smooth as usual.
    """

    copy: Clip
    target: Body
    moving: Collection[int]
    most: float
    smoother: float = 1.0

    def solved(
        self, wanted: Wanted, rows: Sequence[Inequalities], start: Clip | None, tolerance: float = _FALL
    ) -> ClipSolution:
        """The whole clip solved."""
        skeleton = self.copy.skeleton
        root = travelling_joint(self.target)
        stay = np.full(skeleton.dof, _STAY)
        stay[list(skeleton.freedom_range(root))] *= _ROOT_STAYS
        return solve_clip(
            self.copy,
            [goal for goal, _ in wanted],
            [weights for _, weights in wanted],
            free=[skeleton.joints[joint] for joint in sorted(self.moving)],
            stay=stay,
            smooth=self.smoother * stay * (_OVER / (2 * np.pi)) ** 4,
            inequalities=rows,
            start=start,
            tolerance=tolerance,
        )

    def leaps(self, clip: Clip) -> dict[int, Array]:
        """Joint → `[frame]` above 0 where it turns by more than `most` to the next, of those that do."""
        turns = turns_by_frame(clip.poses)
        return {
            joint: np.append(own, 0.0) - self.most
            for joint, own in turns.items()
            if joint in self.moving and own.max(initial=0.0) > self.most
        }

    def solved_apart(
        self,
        solution: ClipSolution,
        wanted: Wanted,
        others: Sequence[Inequalities],
        apart: Apart,
        feet: Sequence[Foot],
        anyway: Mapping[int, Array],
    ) -> tuple[ClipSolution, Apart | None]:
        """The solution, or one with bodies apart as far as that leaves feet at their places, and turns no joint by more
        than `most` a frame.

        anyway: first joint of the leg → `[frame]` how far its foot is off its place, but not for bodies.
        """
        for again in (False, True):
            leaps = self.leaps(solution.clip)
            off = missed(feet, solution.clip.poses)
            off = {leg: np.where(anyway.get(leg, 0.0) > 0, np.minimum(own, 0.0), own) for leg, own in off.items()}
            left = apart.relaxed(solution.clip.poses, leaps, off)
            if left is None or (again and not leaps):
                return solution, apart
            apart = left
            solution = self.solved(wanted, [*others, apart], None if leaps else solution.clip)
        if not self.leaps(solution.clip):
            return solution, apart
        without = self.solved(wanted, others, None)
        return (solution, apart) if self.leaps(without.clip) else (without, None)


def solved_arms(arms: Limbs, wanted: Wanted, apart: Apart) -> ClipSolution | None:
    """Arms with hands near their places and out of other bodies; None where there is nothing to solve."""
    if not arms.moving or not (wanted or (apart.violations(arms.copy.poses) > 0).any()):
        return None
    solution = arms.solved(wanted, [apart], None)
    for smoother in _CALMER if arms.leaps(solution.clip) else ():
        calmer = replace(arms, smoother=smoother)
        found = calmer.solved(wanted, [apart], solution.clip)
        deep, deepest = (apart.violations(one.poses).max(initial=0.0) for one in (found.clip, arms.copy))
        if not arms.leaps(found.clip) and deep < 0.5 * deepest:
            arms, solution = calmer, found
            break
    return arms.solved_apart(solution, wanted, [], apart, [], {})[0]


def solved_legs(
    legs: Limbs,
    feet: list[Foot],
    rolling: Sequence[Rolling],
    apart: Apart,
    ground: Sequence[Inequalities],
    others: Sequence[Inequalities],
) -> tuple[ClipSolution, list[Foot]]:
    """Legs and travel with feet on their places, and then rolling over the ground.

    ground: that feet which do not roll are not in it. others: what holds for all.
    """
    fall = _FIRST_FALL if rolling else _FALL
    solution, feet, wanted, anyway = _standing_clear(legs, feet, apart, [*ground, *others], fall)
    solution, left = legs.solved_apart(solution, wanted, [*ground, *others], apart, feet, anyway)
    if not rolling:
        return solution, feet
    own = {foot.sole.name: foot for foot in feet}
    rolling = [replace(one, foot=own[one.foot.sole.name]) for one in rolling]
    solution = _rolled(legs, solution, [Aloft(legs.copy.skeleton, rolling), *others], left, rolling)
    return solution, [settled(foot, solution.clip.poses) for foot in feet]


def _standing_clear(
    legs: Limbs, feet: list[Foot], apart: Apart, rows: Sequence[Inequalities], fall: float
) -> tuple[ClipSolution, list[Foot], Wanted, Mapping[int, Array]]:
    """The whole clip solved, with feet moved aside as far as shins and feet need that would stand in one another:
    thicker ones than the source's have less room. Besides, those feet, what was wanted of them, and first joint of the
    leg → `[frame]` how far its foot would be off its place even if bodies did not matter.
    """
    skeleton, below = legs.copy.skeleton, _below_knees(legs, feet)
    wanted = foot_goals(legs.copy, feet)
    solution, share, deepest = legs.solved(wanted, [*rows, apart], None, fall), 0.5, np.inf
    for _ in range(_ASIDE):
        pushes = [apart.pushes(solution.clip.poses, leg, set().union(*below) - leg) for leg in below]
        before, deepest = deepest, float(np.abs(pushes).max(initial=0.0))
        share = min(share / max(1.0 - deepest / before, 0.25), 2.0)  # knees give way: farther, by how little it helped
        moved = stepped_aside(feet, share * np.array(pushes), skeleton.up, legs.copy.fps)
        if moved is None:
            break
        feet, wanted = moved, foot_goals(legs.copy, moved)
        solution = legs.solved(wanted, [*rows, apart], None, fall)
    off = _farthest(feet, solution)
    if off <= 0:
        return solution, feet, wanted, {}
    # A leg that comes against another from the wrong side is stuck there: begin where legs go through one another.
    free = legs.solved(wanted, rows, None, fall)
    other = legs.solved(wanted, [*rows, apart], free.clip, fall)
    solution = other if _farthest(feet, other) < off else solution
    return solution, feet, wanted, {leg: np.maximum(own, 0.0) for leg, own in missed(feet, free.clip.poses).items()}


def _farthest(feet: Sequence[Foot], solution: ClipSolution) -> float:
    """How far a foot is off its place at most, over what does no harm, in legs."""
    return max((float(own.max()) for own in missed(feet, solution.clip.poses).values()), default=-np.inf)


def _below_knees(legs: Limbs, feet: Sequence[Foot]) -> list[set[int]]:
    """Of each foot's leg, the joints from the knee on."""
    skeleton, knees = legs.copy.skeleton, legs.target.joints
    return [{*joints_below(skeleton, knees[f"{LEG[1]}_{foot.sole.name[-1]}"])} for foot in feet]


def _aside(legs: Limbs, clip: Clip, apart: Apart | None, feet: Sequence[Rolling]) -> Sequence[Array | None]:
    """`[frame, 3]` of each foot by how much it is to go aside in contacts in which it would stand in the other leg."""
    if apart is None or len(feet) < 2:
        return [None] * len(feet)
    below = _below_knees(legs, [one.foot for one in feet])
    pushes = [apart.pushes(clip.poses, leg, set().union(*below) - leg) for leg in below]
    both = np.logical_and.reduce([one.touches for one in feet])[:, None]
    return [one.aside(0.5 * both * push, clip.skeleton.up) for one, push in zip(feet, pushes, strict=True)]


def _rolled(
    legs: Limbs,
    solution: ClipSolution,
    rows: Sequence[Inequalities],
    apart: Apart | None,
    feet: Sequence[Rolling],
) -> ClipSolution:
    """Solved again, near that solution, until feet that touch the ground roll over it without slipping. Where a joint
    then turns by more than the most a frame, bodies give way.
    """
    leaps: Mapping[int, Array] = {}
    for _ in range(_ROLLS):
        clip = solution.clip
        aside = _aside(legs, clip, apart, feet)
        offs = [foot.off(clip, way) for foot, way in zip(feet, aside, strict=True)]
        moves = any(way is not None and way.any() for way in aside)
        if not moves and not any(foot.slips(clip, off) for foot, off in zip(feet, offs, strict=True)):
            break
        goals = [goal for foot, off in zip(feet, offs, strict=True) for goal in foot.goals(clip, off)]
        kept = [*rows, *([apart] if apart else [])]
        found = legs.solved(goals, kept, None if leaps else solution.clip)
        leaps = legs.leaps(found.clip)
        if leaps and apart:
            apart = apart.relaxed(found.clip.poses, leaps, {})
        else:
            solution = found
    return solution

"""The whole-clip solves of the second stage: legs and travel first, then arms, which yield to legs.

Hands move with the trunk, so their goals do not depend on the legs. Two small solves therefore find the result of one
large solve at a fifth of its cost, which grows with the cube of the degrees of freedom.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from posable.clips import Clip
from posable.motion.transfer.copying import rotation_by_frame
from posable.motion.transfer.detours import detoured, wider
from posable.motion.transfer.hands_feet import Foot, foot_goals, missed, over_ground, settled, stepped_aside
from posable.motion.transfer.limb_joints import FALL, SPEED, STAY, Limbs, WeightedGoals, farthest_off
from posable.motion.transfer.measured import LEG, Body
from posable.motion.transfer.rolling import Aloft, Rolling
from posable.motion.transfer.self_collision import Apart
from posable.motion.whole_clip import ClipSolution, solve_clip
from posable.motion.whole_clip.clip_rows import Inequalities
from posable.progress import part_of_work
from posable.skeleton import joints_below
from posable.spatial import Array

_FIRMER = 10.0  # times the weight of depths where legs have got past bodies
_STUCK = 0.0025  # reaches: legs less deep in bodies stay so, as all of the leg would rotate for a few millimetres
_MET = 4  # most rounds of detours, on each of which arms may meet others
_ASIDE = 3  # most rounds of stepping aside
_STANDING = 0.3  # of the time of a solve of legs, about: before feet roll
_ROLLS = 10  # most rounds of rolling: the rotations of feet change a little with their positions
_ROLLING = 3.0  # times the weight of depths while feet roll, whose positions are firm then; for lengths in legs
_SHORTEST_STEP = 0.25  # of the distance of a foot that rolls: where joints leap even then, collision avoidance yields
_DEEPER, _LESS = 0.02, 0.8  # reaches by which feet that roll may bring bodies deeper; the share of the most that pays
_CALMER = (10.0, 100.0, 1000.0)  # factors of smoothness tried in turn for arms that collision avoidance makes leap
_FIRST_FALL = 0.3  # relative decrease of the cost that ends a solve of legs if another follows


def unhurried(clip: Clip, target: Body, moving: Collection[int]) -> Clip:
    """The clip of a robot with the hinges that no later solve moves, such as those of a waist, within `SPEED`."""
    most = SPEED / clip.fps
    turns = rotation_by_frame(clip.poses) if target.made_of_hinges else {}
    fast = [joint for joint, own in turns.items() if joint not in moving and own.max(initial=0.0) > most]
    if not fast:
        return clip
    names = [clip.skeleton.joints[joint] for joint in fast]
    return solve_clip(clip, [], free=names, stay=STAY, smooth=0.0, speed=SPEED, tolerance=FALL).clip


def solved_arms(arms: Limbs, goals: WeightedGoals, apart: Apart) -> ClipSolution | None:
    """Solve the arms: hands near their targets, out of other bodies; None where there is nothing to solve."""
    if not arms.moving or not (goals or arms.target.made_of_hinges or (apart.violations(arms.copy.poses) > 0).any()):
        return None
    arms, solution = _calm(arms, goals, apart, arms.solved(goals, [apart], None))
    solution = arms.solved_apart(solution, goals, [], apart, [], {})[0]
    for _ in range(_MET):
        apart = apart.with_met(solution.clip.poses)
        found = detoured(arms, solution.clip, goals, apart)
        if found is solution.clip:
            break
        solution = replace(solution, clip=found)
    return solution


def _calm(arms: Limbs, goals: WeightedGoals, apart: Apart, solution: ClipSolution) -> tuple[Limbs, ClipSolution]:
    """The arms, calmer if need be, and their solution in which none leaps and bodies are apart; as given if none is
    found.

    Arms deep in a stout body get out of it to another side in every frame. They start again from the copied motion
    with arms held wider, and are made smoother.
    """
    if not arms.leaps(solution.clip):
        return arms, solution
    deepest = apart.violations(arms.copy.poses).max(initial=0.0)
    wide = wider(arms.copy, arms.target, lambda pose: float(np.maximum(apart.depths(pose), 0.0).sum()))
    for start, smoother in ((wide, 1.0), *((solution.clip, factor) for factor in _CALMER), (wide, _CALMER[-1])):
        calmer = replace(arms, smoother=smoother)
        found = calmer.solved(goals, [apart], start)
        if not arms.leaps(found.clip) and apart.violations(found.clip.poses).max(initial=0.0) < 0.5 * deepest:
            return calmer, found
    return arms, solution


def solved_fingers(fingers: Limbs, apart: Apart) -> ClipSolution | None:
    """Solve fingers that are in palms or in one another; None where none is, or where one would leap for that."""
    if not len(apart) or apart.depths(fingers.copy.poses).max(initial=0.0) <= _STUCK:
        return None
    solution = fingers.solved([], [apart], None)
    return None if fingers.leaps(solution.clip) else solution


def solved_legs(
    legs: Limbs,
    feet: list[Foot],
    rolling: Sequence[Rolling],
    apart: Apart,
    ground: Sequence[Inequalities],
    others: Sequence[Inequalities],
) -> tuple[ClipSolution, list[Foot]]:
    """Solve legs and travel: first with feet planted, then with feet that roll over the ground.

    ground: inequalities that keep feet above it before they roll. others: inequalities of every solve.
    """
    fall = _FIRST_FALL if rolling else FALL
    with part_of_work(0.0, _STANDING):
        solution, feet, goals, anyway = _standing_clear(legs, feet, apart, [*ground, *others], fall)
        found = solution.clip if others else _beside(legs, solution.clip, goals, apart, feet)
        firmer = _FIRMER if found is not solution.clip else 1.0
        solution, left = legs.solved_apart(
            replace(solution, clip=found), goals, [*ground, *others], apart, feet, anyway
        )
    left = apart.of_frames(slice(None), firmer) if left is apart else left
    if not rolling:
        return solution, feet
    if left:  # positions of feet that roll count in legs
        left = left.of_frames(slice(None), _ROLLING * (legs.copy.skeleton.reach / feet[0].sole.length) ** 2)
    own = {foot.sole.name: foot for foot in feet}
    rolling = [replace(one, foot=own[one.foot.sole.name]) for one in rolling]
    with part_of_work(_STANDING, 1.0):
        rows = [Aloft(legs.copy.skeleton, rolling), *others]
        solution = _rolled(legs, solution, rows, left, rolling, apart)
    return solution, [settled(foot, solution.clip.poses) for foot in feet]


def _beside(legs: Limbs, clip: Clip, goals: WeightedGoals, apart: Apart, feet: Sequence[Foot]) -> Clip:
    """The clip with legs out of bodies in which they are stuck."""

    def ground(frames: slice) -> Sequence[Inequalities]:
        known = [replace(foot, under=foot.under[frames]) for foot in feet if foot.under is not None]
        return over_ground(clip.skeleton, known)

    return detoured(legs, clip, goals, apart, ground, feet, _STUCK)


def _standing_clear(
    legs: Limbs, feet: list[Foot], apart: Apart, rows: Sequence[Inequalities], fall: float
) -> tuple[ClipSolution, list[Foot], WeightedGoals, Mapping[int, Array]]:
    """(solution, feet, their goals, errors); feet step aside where legs thicker than the source's would collide.

    errors: first joint of the leg → `[frame]` error of its foot even without collision avoidance.
    """
    skeleton, below = legs.copy.skeleton, _below_knees(legs, feet)
    goals = foot_goals(legs.copy, feet)
    solution, share, deepest = legs.solved(goals, [*rows, apart], None, fall), 0.5, np.inf
    for _ in range(_ASIDE):
        pushes = [apart.pushes(solution.clip.poses, leg, set().union(*below) - leg) for leg in below]
        before, deepest = deepest, float(np.abs(pushes).max(initial=0.0))
        share = min(
            share / max(1.0 - deepest / before, 0.25), 2.0
        )  # knees yield: the less it helped, the farther it goes next
        moved = stepped_aside(feet, share * np.array(pushes), skeleton.up, legs.copy.fps)
        if moved is None:
            break
        feet, goals = moved, foot_goals(legs.copy, moved)
        solution = legs.solved(goals, [*rows, apart], None, fall)
    off = farthest_off(feet, solution.clip)
    if off <= 0:
        return solution, feet, goals, {}
    # A leg that meets the other from the wrong side gets stuck: start from the solution without collision avoidance.
    free = legs.solved(goals, rows, None, fall)
    other = legs.solved(goals, [*rows, apart], free.clip, fall)
    solution = other if farthest_off(feet, other.clip) < off else solution
    return solution, feet, goals, {leg: np.maximum(own, 0.0) for leg, own in missed(feet, free.clip.poses).items()}


def _below_knees(legs: Limbs, feet: Sequence[Foot]) -> list[set[int]]:
    """Per foot, the joints of its leg from the knee down."""
    skeleton, knees = legs.copy.skeleton, legs.target.joints
    return [{*joints_below(skeleton, knees[f"{LEG[1]}_{foot.sole.name[-1]}"])} for foot in feet]


def _aside(legs: Limbs, clip: Clip, apart: Apart | None, feet: Sequence[Rolling]) -> Sequence[Array | None]:
    """Per foot, `[frame, 3]` its displacement aside in contacts in which it would collide with the other leg."""
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
    every: Apart,
) -> ClipSolution:
    """Solve again, near `solution`, with feet that roll; where they bring bodies much deeper into one another, their
    contacts are moved so that they are there where they were.

    A long foot that pivots about one point of its edge and then another goes far aside.

    every: what was to be kept apart before anything was conceded.
    """
    found = _rolled_over(legs, solution, rows, apart, feet)
    depths = _depths(every, found.clip)
    deeper = depths > _depths(every, solution.clip) + _DEEPER
    if not deeper.any():
        return found
    other = _rolled_over(legs, solution, rows, apart, [replace(foot, clear=deeper) for foot in feet])
    return other if _depths(every, other.clip).max() < _LESS * depths.max() else found


def _depths(apart: Apart, clip: Clip) -> Array:
    """`[frame]` how deep bodies are in one another, in reaches, with those that the copied clip never brings near."""
    return np.maximum(apart.with_met(clip.poses).depths(clip.poses), 0.0)


def _rolled_over(
    legs: Limbs,
    solution: ClipSolution,
    rows: Sequence[Inequalities],
    apart: Apart | None,
    feet: Sequence[Rolling],
) -> ClipSolution:
    """Solve again, near `solution`, until feet that touch the ground roll over it without slipping.

    Bodies that meet, though the copied clip never brings them near, are kept apart from then on. Where a joint rotates
    by more than `legs.most` per frame, feet go only a part of their distance at once; where it does so even for a
    short part, collision avoidance is relaxed.
    """
    share = 1.0
    for done in range(_ROLLS):
        clip = solution.clip
        aside = _aside(legs, clip, apart, feet)
        offs = [foot.off(clip, direction) for foot, direction in zip(feet, aside, strict=True)]
        moves = any(direction is not None and direction.any() for direction in aside)
        if not moves and not any(foot.slips(clip, off) for foot, off in zip(feet, offs, strict=True)):
            break
        goals = [goal for foot, off in zip(feet, offs, strict=True) for goal in foot.goals(clip, share * off)]
        kept = [*rows, *([apart] if apart else [])]
        with part_of_work(done / _ROLLS, (done + 1) / _ROLLS):
            found = legs.solved(goals, kept, clip)
        met = apart.with_met(found.clip.poses) if apart else None
        if met is not apart:
            apart = met
            continue
        leaps = legs.leaps(found.clip)
        if leaps and apart and share > _SHORTEST_STEP:
            share *= 0.5
            continue
        share = min(2.0 * share, 1.0)
        if leaps and apart:
            apart = apart.relaxed(found.clip.poses, leaps, {})
        else:
            solution = found
    return solution

"""Poses of robots with desired rotations: all hinges are solved together, and the clip is tracked from a few frames."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

import numpy as np

from posable.errors import GoalError
from posable.goals import Goal, KeepApart, LookAt, Orient
from posable.motion.transfer.measured import ARM, LEG, SIDES, Body
from posable.motion.transfer.target_rotations import Rotations
from posable.skeleton import Pose, Skeleton, joints_below
from posable.solvers.solving import shared_preparation
from posable.spatial import Array, matrix_from_wxyz, normalized

_TRUNK = 3.0  # weight of the rotation of the chest: limbs at their limits do not bend a waist
_APART, _DEEP = 10.0, 0.01  # weight of depths in reaches, of arms that lack freedom; reaches: not worth another path
_TWIST, _YIELDS = (
    0.01,
    0.05,
)  # weights of a bone's twist, and of the rotation of hands, feet and heads; directions: 1
_FAR = 1e4  # reaches: a point so far away lies in the same direction from everywhere
_RESTARTS = 10  # for a key frame, so that a limb does not begin on the wrong side of its limits
_POINTS = 0.01  # 1 - cos, summed over both bones: about 6 degrees are close enough
_KEYS = (0.0, 1 / 3, 2 / 3, 1.0)  # fractions of the clip: frames from which it is tracked to both ends


def tracked_robot(
    target: Body,
    desired: Rotations,
    pose: Pose,
    held: Sequence[Goal],
    speed: Array,
    capsuled: Skeleton | None = None,
) -> Pose:
    """The poses `[frame]` of a robot with the desired rotations, from `pose` on.

    held: goals that hold its root. speed: `[dof]` largest step of each freedom per frame. capsuled: the skeleton with
    capsules, of whose other bodies arms that lack freedom keep out.
    """
    skeleton = target.skeleton
    hinged = [joint for joint in desired if has_hinges(skeleton, joint)]

    def tracked(key: int, joints: Collection[int], more: Sequence[Goal] = ()) -> Pose:
        goals = _hinge_goals(target, {joint: desired[joint] for joint in joints})
        own = Pose(capsuled, pose.q) if more and capsuled else pose
        return Pose(skeleton, _tracked([*goals, *held, *more], own, key, speed).q)

    keys = sorted({round(share * (len(pose) - 1)) for share in _KEYS})
    found = tracked(keys[0], hinged)
    off = [arm.side for arm in target.roles.arms if _off(found, desired, target, arm.side) >= _POINTS]
    if not off:
        return found
    others = _other_limbs(target, off)  # they move nothing of these arms, as the root is held, but cost iterations
    joints = [joint for joint in hinged if joint not in others]
    apart = _apart(target, off, capsuled, found)
    paths = [tracked(key, joints, apart) for key in (keys if apart else keys[1:])]
    return _with_best_arms(found, paths if apart else [found, *paths], desired, target, off)


def has_hinges(skeleton: Skeleton, joint: int) -> bool:
    """Whether any hinge moves `joint`."""
    return any(skeleton.definitions[j].own_axes for j in skeleton.chain(joint))


def _apart(target: Body, sides: Collection[str], capsuled: Skeleton | None, pose: Pose) -> list[Goal]:
    """The goal that keeps the arms of these sides out of the body that they hang on and out of one another; none where
    they are out of them.
    """
    if capsuled is None or not any(joint.capsules for joint in capsuled.definitions):
        return []
    arms = [capsuled.index(arm.joints[0]) for arm in target.roles.arms if arm.side in sides]
    own = {joint for arm in arms for joint in joints_below(capsuled, arm)} | {
        int(capsuled.parents[arm]) for arm in arms
    }
    names = [capsuled.joints[joint] for joint in sorted(own) if capsuled.definitions[joint].capsules]
    goal = KeepApart(names, weight=_APART / capsuled.reach**2)
    try:
        depths = np.abs(goal.residual(Pose(capsuled, pose.q)))
    except GoalError:  # no two of them can meet
        return []
    return [goal] if depths.max(initial=0.0) > _DEEP * capsuled.reach else []


def _other_limbs(target: Body, sides: Collection[str]) -> set[int]:
    """The joints of legs, and of arms that are not of these sides."""
    skeleton, limbs = target.skeleton, [*target.roles.legs, *(a for a in target.roles.arms if a.side not in sides)]
    return {joint for limb in limbs for joint in joints_below(skeleton, skeleton.index(limb.joints[0]))}


def _tracked(goals: Sequence[Goal], pose: Pose, key: int, speed: Array) -> Pose:
    """Solve the key frame with restarts, then track from it to both ends, so that no wrist flips."""
    skeleton = pose.skeleton
    targets = [goal.given[key] if len(goal.given) else goal.given for goal in goals]
    first = shared_preparation(skeleton, goals, restarts=_RESTARTS)
    start, found = first.solve(pose[key].clamped(), targets).pose, np.empty(pose.q.shape)
    found[key] = start.q
    on = shared_preparation(skeleton, goals, restarts=0, max_iterations=30)
    for frames in (np.arange(key, len(pose)), np.arange(key, -1, -1)):
        if len(frames) > 1:
            targets = [goal.given[frames] if len(goal.given) else goal.given for goal in goals]
            found[frames] = on.track(start, targets, fps=1.0, speed=speed).pose.q
    return Pose(skeleton, found)


def _with_best_arms(
    found: Pose, paths: Sequence[Pose], desired: Rotations, target: Body, sides: Collection[str]
) -> Pose:
    """The pose `found`, with each arm of these sides from the path in which its bones point best.

    Limits divide the workspace of an arm into regions without a path between them; an arm stays in the one in which
    it began.
    """
    tables, q = target.skeleton.tables, np.array(found.q)
    for arm in target.roles.arms:
        if arm.side in sides:
            best = paths[int(np.argmin([_off(path, desired, target, arm.side) for path in paths]))]
            for joint in map(target.skeleton.index, arm.joints):
                own = slice(int(tables.first_coordinate[joint]), int(tables.first_coordinate[joint + 1]))
                q[:, own] = best.q[:, own]
    return Pose(target.skeleton, q)


def _off(pose: Pose, desired: Rotations, target: Body, side: str) -> float:
    """Error of the directions of an arm's bones: the mean of 1 - cos."""
    off = [0.0]
    for role, end in pairwise([f"{part}_{side}" for part in ARM]):
        joint = target.joints.get(role)
        way = _bone(target, role, end) if joint in desired else None
        if way is not None and joint is not None:
            along = target.rest[joint, :3, :3].T @ way
            directions = matrix_from_wxyz(desired[joint]) @ along, pose.world_from_joint[:, joint, :3, :3] @ along
            off.append(float(1 - np.mean(np.sum(directions[0] * directions[1], axis=1))))
    return sum(off)


def _hinge_goals(target: Body, desired: Rotations) -> list[Goal]:
    """Goals: bones of limbs point in their directions with a weak twist; ends (hands, feet, head) yield to the rest."""
    goals: list[Goal] = []
    bones = {f"{part}_{side}": f"{end}_{side}" for limb in (LEG, ARM) for part, end in pairwise(limb) for side in SIDES}
    roles = {joint: role for role, joint in target.joints.items()}
    chest, hips = target.trunk[-1:], target.joints["hips"]
    for joint, rotation in desired.items():
        role, name = roles.get(joint, ""), target.skeleton.joints[joint]
        way = _bone(target, role, bones.get(role, ""))
        if way is not None:
            along = target.rest[joint, :3, :3].T @ way
            far = _FAR * target.skeleton.reach * (matrix_from_wxyz(rotation) @ along)
            goals += [LookAt(name, far, forward=along), Orient(name, rotation, _TWIST)]
        else:
            firm = joint == hips or role[:-2] in (LEG[1], ARM[1], "shoulder")
            goals.append(Orient(name, rotation, _TRUNK if joint in chest else 1.0 if firm else _YIELDS))
    return goals


def _bone(target: Body, role: str, end: str) -> Array | None:
    """`[3]` the direction of a limb's bone at rest; None of other joints."""
    if end in target.joints:
        return normalized(target.position(end) - target.position(role))
    return target.forearm(role[-1]) if role[:-2] == ARM[1] else None

"""The first stage: rotations copied between matched rest frames, the root's travel scaled by the legs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from posable.clips import Clip
from posable.errors import GoalError, PosableError
from posable.goals import Goal, KeepApart, LookAt, Orient, Place
from posable.motion.transfer.measured import ARM, LEG, SIDES, Body
from posable.motion.transfer.target_rotations import Hinges, Rotations
from posable.natural import natural_if_known
from posable.skeleton import Pose, Skeleton, joints_below
from posable.solvers import prepare
from posable.solvers.solving import shared_preparation
from posable.spatial import (
    IDENTITY_WXYZ,
    Array,
    matrix_from_wxyz,
    normalized,
    wxyz_from_matrix,
    wxyz_inverse,
    wxyz_multiply,
)

_FIRM = 100.0  # weight of a robot's root position while its hinges are fitted
_TRUNK = 3.0  # weight of the rotation of the chest: limbs at their limits do not bend a waist
_APART, _DEEP = 10.0, 0.01  # weight of depths in reaches, of arms that lack freedom; reaches: not worth another path
_TWIST, _YIELDS = 0.01, 0.05  # weights of a bone's twist and of a hand's, foot's or head's rotation; its direction counts 1
_FAR = 1e4  # reaches: a point so far away lies in the same direction from everywhere
_RESTARTS = 10  # for a key frame, so that a limb does not begin on the wrong side of its limits
_POINTS = 0.01  # 1 - cos, summed over both bones: about 6 degrees are close enough
_RATED = 20.0  # rad/s, top speed of humanoid robots' motors; people's joints are hardly faster, recordings are
_KEYS = (0.0, 1 / 3, 2 / 3, 1.0)  # fractions of the clip: frames from which it is tracked to both ends


def hips_travel(clip: Clip, source: Body, target: Body, scale: float, rise: Array | float = 0.0) -> Array:
    """`[frame, 3]` target position of the midpoint between the target's hips, in the world.

    It is the source's, scaled about the world's origin and raised by higher ankles.
    rise: further offset of the ground, one number or `[frame]`.
    """
    middle = source.hip_middle(clip.poses)
    lift = target.ankle_height - scale * source.ankle_height + np.asarray(rise)
    return scale * (middle @ source.axes) @ target.axes.T + lift[..., None] * target.roles.up


def rotation_by_frame(pose: Pose) -> dict[int, Array]:
    """Joint → `[frame - 1]` its rotation from one frame to the next, radians; without joints that travel."""
    skeleton = pose.skeleton
    joints = [j for j, one in enumerate(skeleton.definitions) if one.dof and not one.travels]
    if not joints:
        return {}
    squares = np.where(skeleton.slides, 0.0, pose[1:].minus(pose[:-1]) ** 2)
    # Columns of joints that travel lie in between; their sums are dropped.
    edges = np.unique(np.concatenate([skeleton.tables.first_dof[joints], skeleton.tables.first_dof[np.add(joints, 1)]]))
    rotations = np.sqrt(np.add.reduceat(squares, edges[edges < skeleton.dof], axis=1))
    at = np.searchsorted(edges, skeleton.tables.first_dof[joints])
    still = np.logical_and.reduceat(skeleton.slides, edges[edges < skeleton.dof])
    return {joint: rotations[:, k] for joint, k in zip(joints, at, strict=True) if not still[k]}


def largest_rotation(pose: Pose) -> float:
    """The largest rotation of any joint from one frame to the next, radians."""
    return max((float(rotations.max(initial=0.0)) for rotations in rotation_by_frame(pose).values()), default=0.0)


def _within_limits(pose: Pose, fastest: float) -> Pose:
    """The pose clamped to the limits, without leaps.

    A desired rotation that passes behind both ends of a limit would make the joint jump from one end to the other;
    it stays at its end instead, or moves by at most `fastest` radians per frame.
    """
    inside, skeleton = pose.clamped(), pose.skeleton
    leaping = [joint for joint, rotations in rotation_by_frame(inside).items() if rotations.max(initial=0.0) > fastest]
    if not leaping:
        return inside
    tables, q = skeleton.tables, np.array(inside.q)
    columns = [np.arange(tables.first_coordinate[j], tables.first_coordinate[j + 1]) for j in leaping]
    freedoms = [list(skeleton.freedom_range(joint)) for joint in leaping]
    middle = Pose(skeleton, skeleton.rest_coordinates).clamped()
    for frame in range(1, len(q)):
        before = Pose(skeleton, q[frame - 1])
        directions = [aim.minus(before) for aim in (pose[frame], middle)]
        free = np.abs(inside[frame].minus(pose[frame]))
        moved = [before.plus(_shortened(direction, freedoms, fastest)).clamped() for direction in directions]
        gone = moved[0].minus(before)
        for own, coordinates in zip(freedoms, columns, strict=True):
            stuck = np.linalg.norm(gone[own]) < 0.1 * min(float(np.linalg.norm(directions[0][own])), fastest)
            # The desired value is allowed, but a limit blocks the short path to it.
            aside = stuck and free[own].max() < 1e-9
            q[frame, coordinates] = moved[int(aside)].q[coordinates]
    return Pose(skeleton, q)


def _shortened(direction: Array, freedoms: Sequence[Sequence[int]], fastest: float) -> Array:
    """The tangent `[dof]` with the step of each joint in `freedoms` limited to `fastest`; other joints stay."""
    short = np.zeros_like(direction)
    for own in freedoms:
        short[own] = direction[own] * min(1.0, fastest / max(float(np.linalg.norm(direction[own])), 1e-12))
    return short


def posed(
    desired: Rotations,
    middle: Array,
    target: Body,
    fastest: float = np.inf,
    fps: float = 0.0,
    capsuled: Skeleton | None = None,
) -> Pose:
    """The poses `[frame]` of the target with the desired rotations and the midpoint of its hips at `middle`.

    Ball and free joints get their rotations exactly, except for the twist of limbs whose knees or elbows are hinges:
    the twist makes both bones point in their desired directions. Hinges are fitted within their limits; a figure
    made of hinges alone is solved as a whole. No joint leaps between limits: it moves by at most `fastest` radians
    per frame. Arms of a robot that lack freedom keep out of its other bodies (`capsuled`: the skeleton with capsules).
    """
    skeleton = target.skeleton
    q = np.repeat(skeleton.rest_coordinates[None], len(middle), axis=0)
    root = travelling_joint(target)
    hinged = [joint for joint in desired if _has_hinges(skeleton, joint)]
    robot = bool(hinged) and target.made_of_hinges
    if robot and root in desired:
        _set_root(root, desired[root], q, target)
    else:
        set_rotations(desired, q, target)
    pose = Pose(skeleton, q)
    pose = shifted(target, pose, middle - target.hip_middle(pose))
    if not robot:
        return _within_limits(pose, fastest)
    held = Place(skeleton.joints[root], pose.world_from_joint[:, root], _FIRM, _FIRM)
    speed = np.full(skeleton.dof, min(fastest, _RATED / fps if fps else np.inf))
    speed[list(skeleton.freedom_range(root))] = np.inf

    def tracked(key: int, joints: Collection[int], more: Sequence[Goal] = ()) -> Pose:
        goals = _hinge_goals(target, {joint: desired[joint] for joint in joints})
        own = Pose(capsuled, pose.q) if more and capsuled else pose
        return Pose(skeleton, _tracked([*goals, held, *more], own, key, speed).q)

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


def _apart(target: Body, sides: Collection[str], capsuled: Skeleton | None, pose: Pose) -> list[Goal]:
    """The goal that keeps the arms of these sides out of the body that they hang on and out of one another; none where
    they are out of them.
    """
    if capsuled is None or not any(joint.capsules for joint in capsuled.definitions):
        return []
    arms = [capsuled.index(arm.joints[0]) for arm in target.roles.arms if arm.side in sides]
    own = {joint for arm in arms for joint in joints_below(capsuled, arm)} | {int(capsuled.parents[arm]) for arm in arms}
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


def _set_root(root: int, rotation: Array, q: Array, target: Body) -> None:
    """Fill in the coordinates of the root alone."""
    parent, base = int(target.skeleton.parents[root]), target.skeleton.tables.turn[root]
    if parent >= 0:
        base = target.rest[parent, :3, :3] @ base
    end = int(target.skeleton.tables.first_coordinate[root + 1])
    q[:, end - 4 : end] = wxyz_multiply(wxyz_inverse(wxyz_from_matrix(base)), rotation)


def lacking(source: Body, target: Body) -> tuple[str, ...]:
    """The joints of arms, neck and head that have no counterpart in the source."""
    found: list[str] = []
    for arm in target.roles.arms:
        lacks = all(f"{part}_{arm.side}" not in source.joints for part in ARM[:2])
        if lacks and not any(name in source.skeleton.joints for name in arm.joints):
            shoulder = target.roles.get(f"shoulder_{arm.side}")
            found += [*([shoulder] if shoulder else []), *arm.joints]
    if "head" not in source.joints and (head := target.roles.get("head")) not in source.skeleton.joints:
        found += [*(target.skeleton.joints[j] for j in target.neck), *([head] if head else [])]
    return tuple(found) if found and natural_if_known(target.skeleton) else ()


def completed_naturally(clip: Clip, joints: Sequence[str]) -> Clip:
    """The clip with these joints posed as people pose them, given the others."""
    kept = [name for name in clip.skeleton.joints if name not in joints]
    # The rest pose, in which arms may stick out, is not kept.
    goals = [replace(goal, keep=False) for goal in natural_if_known(clip.skeleton)]
    return replace(clip, q=prepare(clip.skeleton, goals, frozen=kept, restarts=0).solve(clip.poses).pose.q)


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
        if joint in desired and end in target.joints:
            along = target.rest[joint, :3, :3].T @ normalized(target.position(end) - target.position(role))
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


def travelling_joint(body: Body) -> int:
    """The free joint that moves the hips. Raises PosableError where none does."""
    chain = body.skeleton.chain(body.joints["hips"])
    free = [joint for joint in chain if body.skeleton.definitions[joint].floating]
    if not free:
        raise PosableError(
            "retargeting needs a figure that can travel, but no joint above its hips is free; "
            "use figure.with_root('free')"
        )
    return free[-1]


def set_rotations(desired: Rotations, q: Array, target: Body) -> None:
    """Fill in the coordinates that give the joints their desired rotations, parents first."""
    skeleton, tables = target.skeleton, target.skeleton.tables
    world: dict[int, Array] = {-1: IDENTITY_WXYZ}
    rotations = wxyz_from_matrix(tables.turn)
    goals = {}
    for joint, rotation in desired.items():
        above = carrier(skeleton, joint)
        goals[above] = (
            rotation if above == joint else wxyz_multiply(rotation, wxyz_inverse(_fixed(skeleton, above, joint)))
        )
    limbs = _limbs(target)
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if not skeleton.definitions[joint].has_quaternion:
            if joint in goals:
                _set_hinges(skeleton, joint, goals, world, q)
            world[joint] = _hinged(skeleton, [joint], world[parent], q)
            continue
        base = wxyz_multiply(world[parent], rotations[joint])
        end = int(tables.first_coordinate[joint + 1])
        own = q[:, end - 4 : end]
        if joint in goals:
            goal = goals[joint]
            if joint in limbs and limbs[joint][0] in desired:
                goal = _bent(target, joint, limbs[joint], goal, desired[limbs[joint][0]])
            own[:] = wxyz_multiply(wxyz_inverse(base), goal)
        world[joint] = wxyz_multiply(base, own)


def _limbs(target: Body) -> dict[int, tuple[int, int]]:
    """Ball joint → (knee or elbow, end of the limb), for limbs with a single hinge right below the ball joint."""
    found = {}
    for upper, lower, end in ([f"{part}_{side}" for part in limb] for limb in (LEG, ARM) for side in SIDES):
        if all(role in target.joints for role in (upper, lower, end)):
            ball, hinge = target.joints[upper], target.joints[lower]
            directly = target.skeleton.parents[hinge] == ball and target.skeleton.definitions[ball].has_quaternion
            if directly and len(Hinges(target.skeleton, [hinge])) == 1:
                found[ball] = hinge, target.joints[end]
    return found


def _bent(target: Body, upper: int, limb: tuple[int, int], goal: Array, below: Array) -> Array:
    """The rotation of ball joint `upper` with which both bones of its limb point in their desired directions."""
    lower, end = limb
    rest = target.rest
    bones = tuple(
        normalized(rest[start, :3, :3].T @ (rest[stop, :3, 3] - rest[start, :3, 3]))
        for start, stop in ((upper, lower), (lower, end))
    )
    directions = matrix_from_wxyz(goal) @ bones[0], matrix_from_wxyz(below) @ bones[1]
    hinge = Hinges(target.skeleton, [lower])
    values = np.broadcast_to(target.skeleton.rest_coordinates[hinge.coordinates], (len(goal), 1))
    return hinge.fit_limb(goal, values, (bones[0], bones[1]), directions)


def _set_hinges(skeleton: Skeleton, joint: int, goals: Rotations, world: dict[int, Array], q: Array) -> None:
    """Fit the hinges that end in `joint`, up to the next joint that has its own rotation or is not a hinge."""
    group = [joint]
    above = int(skeleton.parents[joint])
    while above >= 0 and above not in goals and not skeleton.definitions[above].has_quaternion:
        group.insert(0, above)
        above = int(skeleton.parents[above])
    hinges = Hinges(skeleton, group)
    base = np.broadcast_to(world[above], (len(q), 4))
    q[:, hinges.coordinates] = hinges.fit(base, q[:, hinges.coordinates], goals[joint])
    for one in group:
        world[one] = _hinged(skeleton, [one], world[int(skeleton.parents[one])], q)


def _hinged(skeleton: Skeleton, joints: list[int], base: Array, q: Array) -> Array:
    """`[frame, 4]` the rotation of the last of these joints in the world."""
    hinges = Hinges(skeleton, joints)
    return hinges.rotated(np.broadcast_to(base, (len(q), 4)), q[:, hinges.coordinates])[0]


def carrier(skeleton: Skeleton, joint: int) -> int:
    """The joint whose motion rotates `joint`: itself, or the nearest moving parent of a fixed one."""
    while skeleton.definitions[joint].dof == 0 and skeleton.parents[joint] >= 0:
        joint = int(skeleton.parents[joint])
    return joint


def _fixed(skeleton: Skeleton, upper: int, lower: int) -> Array:
    """The constant rotation from `upper` to `lower`, between which all joints are fixed."""
    rotation = IDENTITY_WXYZ
    for joint in skeleton.chain(lower)[skeleton.chain(lower).index(upper) + 1 :]:
        rotation = wxyz_multiply(rotation, wxyz_from_matrix(skeleton.tables.turn[joint]))
    return rotation


def _has_hinges(skeleton: Skeleton, joint: int) -> bool:
    """Whether any hinge moves `joint`."""
    return any(skeleton.definitions[j].own_axes for j in skeleton.chain(joint))


def shifted(target: Body, pose: Pose, off: Array) -> Pose:
    """The pose with the whole figure translated by `off [frame, 3]`."""
    root = travelling_joint(target)
    parent = int(target.skeleton.parents[root])
    if parent >= 0:
        off = np.einsum("fji,fj->fi", pose.world_from_joint[:, parent, :3, :3], off)
    q = np.array(pose.q)
    first = int(target.skeleton.tables.first_coordinate[root])
    q[:, first : first + 3] += off
    return Pose(target.skeleton, q)

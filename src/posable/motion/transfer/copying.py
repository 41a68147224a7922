"""The first stage: rotations copied between matched rest frames, the root's travel scaled by the legs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.clips.root_motion import why_it_stays
from posable.compiled.decorators import kernel
from posable.errors import PosableError
from posable.goals import Place
from posable.motion.transfer.measured import ARM, LEG, SIDES, Body
from posable.motion.transfer.robot_poses import has_hinges, tracked_robot
from posable.motion.transfer.target_rotations import Hinges, Rotations
from posable.natural import natural_if_known
from posable.skeleton import Pose, Skeleton
from posable.skeleton.batches import flat_rows
from posable.skeleton.forward import difference
from posable.solvers import prepare
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
_RATED = 20.0  # rad/s, top speed of humanoid robots' motors; people's joints are hardly faster, recordings are


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
    starts, freedoms, joints = _rotating(pose.skeleton)
    rotations = np.empty((max(len(pose) - 1, 0), len(joints)))
    q = flat_rows(pose.q, pose.shape)
    measure_rotations(pose.skeleton.packed, q, starts, freedoms, rotations)
    return {joint: rotations[:, k] for k, joint in enumerate(joints)}


@lru_cache(maxsize=16)
def _rotating(skeleton: Skeleton) -> tuple[NDArray[np.int64], NDArray[np.int64], tuple[int, ...]]:
    """The joints that rotate and do not travel, and their freedoms that rotate one joint after the other: where those
    of each begin and end `[joint + 1]`, and which ones they are.
    """
    found = {
        joint: [d for d in skeleton.freedom_range(joint) if not skeleton.slides[d]]
        for joint, one in enumerate(skeleton.definitions)
        if one.dof and not one.travels
    }
    found = {joint: own for joint, own in found.items() if own}
    starts = np.cumsum([0, *map(len, found.values())])
    return starts, np.array([d for own in found.values() for d in own], np.int64), tuple(found)


@kernel
def measure_rotations(t, q, starts, freedoms, out):
    """`out [frame - 1, joint]` become by how much joints rotate from one frame of `q` to the next; see `_rotating`."""
    tangent = np.empty(t.bound.shape[0])
    for f in range(out.shape[0]):
        difference(t, q[f], q[f + 1], tangent)
        for k in range(starts.shape[0] - 1):
            square = 0.0
            for n in range(starts[k], starts[k + 1]):
                square += tangent[freedoms[n]] ** 2
            out[f, k] = math.sqrt(square)


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
    hinged = [joint for joint in desired if has_hinges(skeleton, joint)]
    robot = bool(hinged) and target.made_of_hinges
    if robot and root in desired:
        _set_root(root, desired[root], q, target)
    else:
        set_rotations(desired, q, target)
    pose = Pose(skeleton, q)
    pose = shifted(target, pose, middle - target.hip_middle(pose))
    if not robot:
        return _within_limits(pose, fastest)
    speed = np.full(skeleton.dof, min(fastest, _RATED / fps if fps else np.inf))
    speed[list(skeleton.freedom_range(root))] = np.inf
    held = Place(skeleton.joints[root], pose.world_from_joint[:, root], _FIRM, _FIRM)
    return tracked_robot(target, desired, pose, [held], speed, capsuled)


def posed_in_place(
    desired: Rotations, frames: int, target: Body, fastest: float, fps: float, capsuled: Skeleton | None = None
) -> Pose:
    """The poses `[frame]` of a target that stands where it does at rest, with the desired rotations of other joints.

    See `posed`.
    """
    skeleton = target.skeleton
    q = np.repeat(skeleton.rest_coordinates[None], frames, axis=0)
    if not target.made_of_hinges:
        set_rotations(desired, q, target)
        return _within_limits(Pose(skeleton, q), fastest)
    pose, free = Pose(skeleton, q), root_freedoms(target)
    held = [Place(skeleton.joints[j], pose.world_from_joint[:, j], _FIRM, _FIRM) for j in _roots_of(skeleton, free)]
    speed = np.full(skeleton.dof, min(fastest, _RATED / fps if fps else np.inf))
    speed[free] = np.inf
    found = np.array(tracked_robot(target, desired, pose, held, speed, capsuled).q)
    used = {above for joint in desired for above in skeleton.chain(joint)} - {*_roots_of(skeleton, free)}
    for joint in {*range(len(skeleton.joints))} - used:  # restarts leave legs anywhere
        own = slice(*skeleton.tables.first_coordinate[joint : joint + 2])
        found[:, own] = q[:, own]
    return Pose(skeleton, found)


def _roots_of(skeleton: Skeleton, freedoms: Sequence[int]) -> list[int]:
    """The joints that have these freedoms."""
    return [j for j in range(len(skeleton.joints)) if set(skeleton.freedom_range(j)) & set(freedoms)]


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
            shoulder = target.roles.joints.get(f"shoulder_{arm.side}")
            found += [*([shoulder] if shoulder else []), *arm.joints]
    if "head" not in source.joints and (head := target.roles.joints.get("head")) not in source.skeleton.joints:
        found += [*(target.skeleton.joints[j] for j in target.neck), *([head] if head else [])]
    return tuple(found) if found and natural_if_known(target.skeleton) else ()


def completed_naturally(clip: Clip, joints: Sequence[str]) -> Clip:
    """The clip with these joints posed as people pose them, given the others."""
    kept = [name for name in clip.skeleton.joints if name not in joints]
    # The rest pose, in which arms may stick out, is not kept.
    goals = [replace(goal, keep=False) for goal in natural_if_known(clip.skeleton)]
    return replace(clip, q=prepare(clip.skeleton, goals, frozen=kept, restarts=0).solve(clip.poses).pose.q)


def root_freedoms(body: Body) -> list[int]:
    """The freedoms of the free joint that moves the hips; none of a figure that stands where it is."""
    chain = body.skeleton.chain(body.joints["hips"])
    free = [joint for joint in chain if body.skeleton.definitions[joint].floating]
    return [*body.skeleton.freedom_range(free[-1])] if free else []


def travelling_joint(body: Body) -> int:
    """The free joint that moves the hips. Raises PosableError where none does."""
    chain = body.skeleton.chain(body.joints["hips"])
    free = [joint for joint in chain if body.skeleton.definitions[joint].floating]
    if not free:
        raise PosableError(f"retargeting needs a figure that can travel: {why_it_stays(body.skeleton)}")
    return free[-1]


def set_rotations(desired: Rotations, q: Array, target: Body) -> None:
    """Fill in the coordinates that give the joints their desired rotations, parents first."""
    skeleton, tables = target.skeleton, target.skeleton.tables
    world: dict[int, Array] = {-1: IDENTITY_WXYZ}
    rotations = wxyz_from_matrix(tables.turn)
    goals = {}
    for joint, rotation in desired.items():
        turned = carrier(skeleton, joint)
        goals[turned] = (
            rotation if turned == joint else wxyz_multiply(rotation, wxyz_inverse(_fixed(skeleton, turned, joint)))
        )
    limbs = _limbs(target)
    above = {joint for goal in goals for joint in skeleton.chain(goal)}  # others move nothing that is desired
    for joint in sorted(above):
        parent = int(skeleton.parents[joint])
        if not skeleton.definitions[joint].has_quaternion:
            if joint in goals:
                _set_hinges(skeleton, joint, goals, world, q)
            else:
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

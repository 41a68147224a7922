"""Key points → rotations: where joints are, frame by frame, becomes how they are turned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from posable.clips import Clip
from posable.errors import PosableError
from posable.figures import Figure
from posable.motion.markers.descent import solve_poses
from posable.motion.markers.placing import carried_turns, rigid_fits
from posable.motion.markers.rig import Rig
from posable.motion.markers.twists import steady_turns
from posable.skeleton import Pose, Skeleton, pose_from_rotations
from posable.spatial import Array, matrix_from_wxyz, wxyz_from_matrix

_FLAT = 0.05  # a joint's bones tell its whole turn where the second of their extents is that share of the first
_CLOSE = 1e-5  # of the reach: bones shorter than that point nowhere
_EXACT = 1e-6  # of the reach: nearer than that needs no solve


def pose_from_points(
    skeleton: Skeleton | Figure,
    points: ArrayLike,
    joints: Sequence[str],
    confidence: ArrayLike | None = None,
    *,
    fps: float = 30.0,
    name: str = "points",
) -> Clip | Pose:
    """The motion whose joints are at `points [frame, point, 3]`, a Clip; of one frame `[point, 3]`, a Pose.

    A joint with two bones or more in different directions is turned to fit them all; one with a single bone by the
    direction of it, and about it as little as can be, evenly over time and in agreement with the plane in which the
    next joint bends. Where joints cannot turn that far, or bones have other lengths, the nearest pose is found.

    joints: the name of each point's joint. NaN points are carried over from the frames around them.
    confidence: `[frame, point]` or `[point]`, 0 for a point that is not to be believed, 1 for a sure one.
    fps: frames a second of the clip. The points' axes and unit are the skeleton's.
    Raises PosableError for shapes that do not fit, two points of one joint, or no point at all; UnknownJointError for a
    name that the skeleton does not have.
    """
    skeleton = skeleton.skeleton if isinstance(skeleton, Figure) else skeleton
    seen = _Points.checked(skeleton, points, joints, confidence)
    wxyz = _turns(skeleton, seen)
    q = pose_from_rotations(skeleton, wxyz, form="quaternion").q
    pose = _rooted(skeleton, Pose(skeleton, q), seen)
    pose = _nearest(skeleton, pose, seen)
    return Clip(skeleton, pose.q, fps, name) if np.ndim(points) == 3 else pose[0]


class _Points(NamedTuple):
    """carriers: `[point]` joints. places: `[frame, point, 3]`, 0 where not seen. weights: `[frame, point]`."""

    carriers: np.ndarray
    places: Array
    weights: Array

    @staticmethod
    def checked(skeleton: Skeleton, points: ArrayLike, joints: Sequence[str], confidence: ArrayLike | None) -> _Points:
        given = np.asarray(points, float)
        places = given[None] if given.ndim == 2 else given
        if places.ndim != 3 or places.shape[1:] != (len(joints), 3) or not len(places):
            raise PosableError(f"points of {len(joints)} joints are [frame, {len(joints)}, 3], not {given.shape}")
        carriers = np.array([skeleton.index(joint) for joint in joints], np.int64)
        if len(set(carriers.tolist())) != len(carriers):
            every = [skeleton.index(joint) for joint in joints]
            twice = next(j for j in every if every.count(j) > 1)
            raise PosableError(f"the joint {skeleton.joints[twice]!r} has two points; take one of them away")
        finite = np.isfinite(places).all(axis=2)
        if not finite.any():
            raise PosableError("every point is NaN: there is nothing to find a pose from")
        weights = np.ones(places.shape[:2])
        if confidence is not None:
            try:
                weights = np.broadcast_to(np.asarray(confidence, float), places.shape[:2])
            except ValueError:
                raise PosableError(
                    f"confidence is [frame, point] or [point], {places.shape[:2]}, not {np.shape(confidence)}"
                ) from None
            if not (np.isfinite(weights).all() and (weights >= 0).all()):
                raise PosableError("confidence is a number of at least 0 for every point")
        if not (finite & (weights > 0)).any():
            raise PosableError("no point has confidence: there is nothing to find a pose from")
        return _Points(carriers, np.where(np.expand_dims(finite, 2), places, 0.0), np.where(finite, weights, 0.0))


def _bones(skeleton: Skeleton, rest: Array, carriers: np.ndarray, joint: int) -> list[int]:
    """The points next below a joint, past joints that have none and past those at the same place: indices of points."""
    found, below = [], list(skeleton.children(joint))
    point_of = {int(j): p for p, j in enumerate(carriers)}
    while below:
        child = below.pop(0)
        if child in point_of and np.linalg.norm(rest[child] - rest[joint]) > _CLOSE * skeleton.reach:
            found.append(point_of[child])
        else:
            below += skeleton.children(child)
    return found


def _turns(skeleton: Skeleton, seen: _Points) -> Array:
    """`[frame, joint, 4]`: every joint's turn in its parent's frame, a root's in the world."""
    rest = Pose(skeleton, skeleton.rest_coordinates).world_from_joint
    frames = len(seen.places)
    local = np.empty((frames, len(skeleton.joints), 4))
    world = np.empty((frames, len(skeleton.joints), 3, 3))
    for joint, parent in enumerate(skeleton.parents):
        above = world[:, parent] if parent >= 0 else np.broadcast_to(np.eye(3), (frames, 3, 3))
        at_rest = (rest[parent, :3, :3].T if parent >= 0 else np.eye(3)) @ rest[joint, :3, :3]
        bones = _bones(skeleton, rest[:, :3, 3], seen.carriers, joint)
        turned, known = _turn(skeleton, rest, seen, joint, bones, above @ at_rest)
        local[:, joint] = wxyz_from_matrix(np.swapaxes(above, 1, 2) @ turned)
        if known.any() and not known.all():
            local[:, joint] = carried_turns(local[:, joint], known)
        world[:, joint] = above @ matrix_from_wxyz(local[:, joint])
    return local


def _turn(
    skeleton: Skeleton, rest: Array, seen: _Points, joint: int, bones: list[int], plain: Array
) -> tuple[Array, np.ndarray]:
    """(the joint's turn in the world `[frame, 3, 3]`, `[frame]` where the points tell it). plain: its turn if it stood
    on its parent as at rest.
    """
    if not bones:
        return plain, np.ones(len(plain), bool)
    own = np.flatnonzero(seen.carriers == joint).tolist()
    used = [*own, *bones]
    arms = (rest[seen.carriers[used], :3, 3] - rest[joint, :3, 3]) @ rest[joint, :3, :3]
    spread = arms[1:] if own else arms - arms.mean(axis=0)
    if len(bones) > 1 and _wide(spread):
        weights = seen.weights[:, used] * np.where(np.arange(len(used)) < len(own), 1e3, 1.0)
        fits = rigid_fits(np.broadcast_to(arms, (len(plain), *arms.shape)), seen.places[:, used], weights)
        return fits[:, :3, :3], (weights > 0).sum(axis=1) >= min(3, len(used))
    if not own:
        return plain, np.ones(len(plain), bool)
    longest = int(np.argmax(np.linalg.norm(arms[1:], axis=1)))
    bone = bones[longest]
    told = (seen.weights[:, bone] > 0) & (seen.weights[:, own[0]] > 0)
    aim = seen.places[:, bone] - seen.places[:, own[0]]
    return steady_turns(plain, arms[1 + longest], aim, told, *_next_bone(skeleton, rest, seen, joint, bone)), told


def _wide(arms: Array) -> bool:
    """Whether points in these directions tell a whole turn."""
    extents = np.linalg.svd(arms, compute_uv=False)
    return bool(len(extents) > 1 and extents[1] > _FLAT * extents[0])


def _next_bone(skeleton: Skeleton, rest: Array, seen: _Points, joint: int, bone: int) -> tuple[Array, Array]:
    """(the bone after `bone` at rest in the frame of `joint` `[3]`, and now in the world `[frame, 3]`), 0 for none."""
    child = int(seen.carriers[bone])
    after = _bones(skeleton, rest[:, :3, 3], seen.carriers, child)
    if len(after) != 1:
        return np.zeros(3), np.zeros((len(seen.places), 3))
    arm = rest[joint, :3, :3].T @ (rest[seen.carriers[after[0]], :3, 3] - rest[child, :3, 3])
    aim = seen.places[:, after[0]] - seen.places[:, bone]
    both = (seen.weights[:, after[0]] > 0) & (seen.weights[:, bone] > 0)
    return arm, np.where(both[:, None], aim, 0.0)


def _rooted(skeleton: Skeleton, pose: Pose, seen: _Points) -> Pose:
    """The poses with a free root moved to where the points are: its own one if it has one, else their middle."""
    if skeleton.definitions[0].kind != "free":
        return pose
    weights = seen.weights * np.where(seen.carriers == 0, 1e9, 1.0)
    total = weights.sum(axis=1)
    away = np.sum(weights[..., None] * (seen.places - pose.origins[:, seen.carriers]), axis=1)
    q = np.array(pose.q)
    q[:, :3] += away / np.maximum(total, 1e-300)[:, None]
    known, frames = total > 0, np.arange(len(q))
    for k in range(3):
        q[:, k] = np.interp(frames, frames[known], q[known, k])
    return Pose.trusted(skeleton, q)


def _nearest(skeleton: Skeleton, pose: Pose, seen: _Points) -> Pose:
    """The poses nearest to the points where turning bones alone does not bring joints there."""
    rig = Rig(skeleton, seen.carriers, seen.places, seen.weights)
    middle = np.zeros((len(seen.carriers), 3))
    misses = np.linalg.norm(rig.places(pose, middle) - rig.targets, axis=2)
    if misses[seen.weights > 0].max() <= _EXACT * skeleton.reach:
        return pose
    return solve_poses(rig, pose.clamped(), middle, pose.clamped())

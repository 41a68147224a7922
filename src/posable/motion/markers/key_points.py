"""Key points → rotations: from the positions of joints in every frame to the rotations of bones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from posable.clips import Clip
from posable.errors import PosableError
from posable.figures import Figure
from posable.goals import Reach
from posable.motion.markers.bundle_adjustment import PoseSolver, fill_rotation_gaps, rigid_fits
from posable.motion.markers.marker_model import MarkerModel
from posable.natural import Natural
from posable.natural.body import body_of
from posable.skeleton import Pose, Skeleton, pose_from_rotations
from posable.solvers import prepare
from posable.spatial import (
    Array,
    matrix_from_wxyz,
    normalized,
    wxyz_about,
    wxyz_between,
    wxyz_from_matrix,
    wxyz_multiply,
)

# The twist of a bone about itself when only its direction is known: as small as possible, and smooth over time.


_SMOOTH = 25.0  # weight of smoothness of the twist; its root is about the number of frames a change spreads over
_MOST = np.radians(20)  # per frame
_LEAST = 0.05  # weight of the smallest rotation against the plane of a bend
_BENT = 0.1  # sine of the bend at rest from which its plane is used


def smooth_rotations(
    plain: Array, arm: Array, aim: Array, known: np.ndarray, next_arm: Array, next_aim: Array
) -> Array:
    """Rotations `[frame, 3, 3]` that point `arm [3]` along `aim [frame, 3]`.

    Of those, each is close to the smallest rotation from `plain [frame, 3, 3]`, and to the one that brings the next
    bone, `next_arm [3]` at rest, into the plane of `next_aim [frame, 3]`; from one frame to the next the twist about
    the bone changes by 20° at most. known: `[frame]`, whether `aim` is known.
    """
    aim = normalized(_filled(aim, known))
    least = _shortest(plain @ arm, aim) @ plain
    moved = _shortest(aim[:-1], aim[1:]) @ least[:-1]
    drift = np.concatenate([[0.0], np.cumsum(_twist(least[1:], moved, aim[1:]))])
    straight = np.sum(normalized(plain @ arm) * aim, axis=1)
    wanted = _LEAST * ((1 + straight) / 2) ** 2 + _bending_twist(least, arm, aim, next_arm, next_aim)
    wanted = wanted * np.exp(-1j * drift)
    angle = drift + _smooth_angles(np.where(known, wanted, 0.0))
    return matrix_from_wxyz(wxyz_about(aim, angle)) @ least


def _shortest(start: Array, end: Array) -> Array:
    return matrix_from_wxyz(wxyz_between(start, end))


def _twist(start: Array, end: Array, axis: Array) -> Array:
    """`[frame]`: the angle about `axis` from `start` to `end`, which differ by a rotation about it."""
    turn = end @ np.swapaxes(start, 1, 2)
    sine = np.stack([turn[:, 2, 1] - turn[:, 1, 2], turn[:, 0, 2] - turn[:, 2, 0], turn[:, 1, 0] - turn[:, 0, 1]], 1)
    return np.arctan2(np.sum(sine * axis, axis=1), np.trace(turn, axis1=1, axis2=2) - 1)


def _bending_twist(least: Array, arm: Array, aim: Array, next_arm: Array, next_aim: Array) -> Array:
    """`[frame]` complex: the twist that brings the next bone into its plane, with its certainty as absolute value."""
    across_arm = next_arm - normalized(arm) * (normalized(arm) @ next_arm)
    if np.linalg.norm(across_arm) <= _BENT * np.linalg.norm(next_arm):
        return np.zeros(len(least), complex)
    ours = least @ normalized(across_arm)
    theirs = normalized(next_aim)
    theirs = theirs - aim * np.sum(aim * theirs, axis=1, keepdims=True)
    return np.sum(ours * theirs, axis=1) + 1j * np.sum(aim * np.cross(ours, theirs), axis=1)


def _smooth_angles(wanted: Array) -> Array:
    """`[frame]`: angles close to those of complex numbers, weighted by their absolute values, and smooth over time."""
    from scipy.linalg import solve_banded

    bands = np.zeros((3, len(wanted)), complex)
    bands[1] = np.abs(wanted) + 1e-9
    if len(wanted) > 1:
        bands[1, :-1] += _SMOOTH
        bands[1, 1:] += _SMOOTH
        bands[0, 1:] = bands[2, :-1] = -_SMOOTH
    smooth = np.unwrap(np.angle(solve_banded((1, 1), bands, wanted)))
    angle = smooth.copy()
    for frame in range(1, len(angle)):
        angle[frame] = angle[frame - 1] + np.clip(smooth[frame] - angle[frame - 1], -_MOST, _MOST)
    return angle


def _filled(aim: Array, known: np.ndarray) -> Array:
    """The aims, where unknown that of the frame before, or the first known one."""
    frames = np.flatnonzero(known)
    if not len(frames):
        return np.tile([0.0, 0.0, 1.0], (len(aim), 1))
    return aim[frames[np.clip(np.searchsorted(frames, np.arange(len(aim)), side="right") - 1, 0, None)]]


_FLAT = 0.05  # ratio of the second extent of a joint's bones to the first from which they determine its rotation
_CLOSE = 1e-5  # of the reach: shorter bones have no direction
_EXACT = 1e-6  # of the reach: closer points need no solve


def pose_from_points(
    skeleton: Skeleton | Figure,
    points: ArrayLike,
    joints: Sequence[str],
    confidence: ArrayLike | None = None,
    *,
    fps: float = 30.0,
    name: str = "points",
    natural: bool = True,
) -> Clip | Pose:
    """Reconstruct a motion from the positions of joints.

    A joint with several bones in different directions is rotated to fit all of them; one with a single bone by the
    bone's direction, with the least twist about it, smooth over time and consistent with the bending plane of the next
    joint. Where limits or bone lengths do not allow an exact fit, the closest pose is found.

    Of a person the points are usually few, those of a camera without the spine, or hands, feet and head alone: what
    they leave open is done as people do it.

    Args:
        skeleton: The skeleton, or a figure.
        points: Positions `[frame, point, 3]`, or `[point, 3]` for a single pose, in the skeleton's axes and unit. NaN
            points are interpolated from neighbouring frames.
        joints: Name of each point's joint.
        confidence: Weights of the points, 0 (ignored) … 1, `[frame, point]` or `[point]`; None is 1.
        fps: Frames per second.
        name: Name of the clip.
        natural: Whether a person does what the points leave open as people do (`posable.Natural`); figures in which no
            person is found are not concerned, nor are points of all parts of one.

    Returns:
        A Clip, or a Pose for a single frame.

    Raises:
        PosableError: For shapes that do not match, two points of one joint, or no point at all.
        UnknownJointError: For an unknown joint.

    Example:
        >>> names = ("root", "hand_l", "hand_r", "foot_l", "foot_r")
        >>> points = figure.rest.origins[[figure.skeleton.index(name) for name in names]]
        >>> pose = posable.pose_from_points(figure, points, names)
    """
    skeleton = skeleton.skeleton if isinstance(skeleton, Figure) else skeleton
    seen = _Points.checked(skeleton, points, joints, confidence)
    pose = _natural(skeleton, seen, fps) if natural else None
    if pose is None:
        wxyz = _joint_rotations(skeleton, seen)
        q = pose_from_rotations(skeleton, wxyz, form="quaternion").q
        pose = _root_aligned(skeleton, Pose(skeleton, q), seen)
    pose = _solved(skeleton, pose, seen)
    return Clip(skeleton, pose.q, fps, name) if np.ndim(points) == 3 else pose[0]


class _Points(NamedTuple):
    """carriers: `[point]` joints. positions: `[frame, point, 3]`, 0 where not seen. weights: `[frame, point]`."""

    carriers: np.ndarray
    positions: Array
    weights: Array

    @staticmethod
    def checked(skeleton: Skeleton, points: ArrayLike, joints: Sequence[str], confidence: ArrayLike | None) -> _Points:
        given = np.ma.filled(np.ma.asarray(points, float), np.nan)
        positions = given[None] if given.ndim == 2 else given
        if positions.ndim != 3 or positions.shape[1:] != (len(joints), 3) or not len(positions):
            raise PosableError(f"points of {len(joints)} joints are [frame, {len(joints)}, 3], not {given.shape}")
        carriers = np.array([skeleton.index(joint) for joint in joints], np.int64)
        if len(set(carriers.tolist())) != len(carriers):
            every = [skeleton.index(joint) for joint in joints]
            twice = next(j for j in every if every.count(j) > 1)
            raise PosableError(f"the joint {skeleton.joints[twice]!r} has two points; take one of them away")
        finite = np.isfinite(positions).all(axis=2)
        if not finite.any():
            raise PosableError("every point is NaN, so no pose can be found")
        weights = np.ones(positions.shape[:2])
        if confidence is not None:
            try:
                weights = np.broadcast_to(np.asarray(confidence, float), positions.shape[:2])
            except ValueError:
                raise PosableError(
                    f"confidence is [frame, point] or [point], {positions.shape[:2]}, not {np.shape(confidence)}"
                ) from None
            if not (np.isfinite(weights).all() and (weights >= 0).all()):
                raise PosableError("confidence is a number of at least 0 for every point")
        if not (finite & (weights > 0)).any():
            raise PosableError("no point has confidence, so no pose can be found")
        return _Points(carriers, np.where(np.expand_dims(finite, 2), positions, 0.0), np.where(finite, weights, 0.0))


def _next_points(skeleton: Skeleton, rest: Array, carriers: np.ndarray, joint: int) -> list[int]:
    """Indices of the points next below a joint, past joints without a point or at the same position."""
    found, below = [], list(skeleton.children(joint))
    point_of = {int(j): p for p, j in enumerate(carriers)}
    while below:
        child = below.pop(0)
        if child in point_of and np.linalg.norm(rest[child] - rest[joint]) > _CLOSE * skeleton.reach:
            found.append(point_of[child])
        else:
            below += skeleton.children(child)
    return found


def _joint_rotations(skeleton: Skeleton, seen: _Points) -> Array:
    """`[frame, joint, 4]`: every joint's rotation in its parent's frame, a root's in the world."""
    rest = Pose(skeleton, skeleton.rest_coordinates).world_from_joint
    frames = len(seen.positions)
    local = np.empty((frames, len(skeleton.joints), 4))
    world = np.empty((frames, len(skeleton.joints), 3, 3))
    for joint, parent in enumerate(skeleton.parents):
        above = world[:, parent] if parent >= 0 else np.broadcast_to(np.eye(3), (frames, 3, 3))
        at_rest = (rest[parent, :3, :3].T if parent >= 0 else np.eye(3)) @ rest[joint, :3, :3]
        bones = _next_points(skeleton, rest[:, :3, 3], seen.carriers, joint)
        turned, known = _joint_rotation(skeleton, rest, seen, joint, bones, above @ at_rest)
        local[:, joint] = wxyz_from_matrix(np.swapaxes(above, 1, 2) @ turned)
        if known.any() and not known.all():
            local[:, joint] = fill_rotation_gaps(local[:, joint], known)
        world[:, joint] = above @ matrix_from_wxyz(local[:, joint])
    return local


def _joint_rotation(
    skeleton: Skeleton, rest: Array, seen: _Points, joint: int, bones: list[int], plain: Array
) -> tuple[Array, np.ndarray]:
    """(the joint's rotation in the world `[frame, 3, 3]`, `[frame]` whether the points determine it). plain: its
    rotation if it were at rest relative to its parent.
    """
    if not bones:
        return plain, np.ones(len(plain), bool)
    own = np.flatnonzero(seen.carriers == joint).tolist()
    used = [*own, *bones]
    arms = (rest[seen.carriers[used], :3, 3] - rest[joint, :3, 3]) @ rest[joint, :3, :3]
    spread = arms[1:] if own else arms - arms.mean(axis=0)
    if len(bones) > 1 and _wide(spread):
        weights = seen.weights[:, used] * np.where(np.arange(len(used)) < len(own), 1e3, 1.0)
        fits = rigid_fits(np.broadcast_to(arms, (len(plain), *arms.shape)), seen.positions[:, used], weights)
        return fits[:, :3, :3], (weights > 0).sum(axis=1) >= min(3, len(used))
    if not own:
        return plain, np.ones(len(plain), bool)
    longest = int(np.argmax(np.linalg.norm(arms[1:], axis=1)))
    bone = bones[longest]
    known = (seen.weights[:, bone] > 0) & (seen.weights[:, own[0]] > 0)
    aim = seen.positions[:, bone] - seen.positions[:, own[0]]
    return smooth_rotations(plain, arms[1 + longest], aim, known, *_next_bone(skeleton, rest, seen, joint, bone)), known


def _wide(arms: Array) -> bool:
    """Whether points in these directions determine a rotation."""
    extents = np.linalg.svd(arms, compute_uv=False)
    return bool(len(extents) > 1 and extents[1] > _FLAT * extents[0])


def _next_bone(skeleton: Skeleton, rest: Array, seen: _Points, joint: int, bone: int) -> tuple[Array, Array]:
    """The bone after `bone`, 0 for none: (at rest in the frame of `joint` `[3]`, now in the world `[frame, 3]`)."""
    child = int(seen.carriers[bone])
    after = _next_points(skeleton, rest[:, :3, 3], seen.carriers, child)
    if len(after) != 1:
        return np.zeros(3), np.zeros((len(seen.positions), 3))
    arm = rest[joint, :3, :3].T @ (rest[seen.carriers[after[0]], :3, 3] - rest[child, :3, 3])
    aim = seen.positions[:, after[0]] - seen.positions[:, bone]
    both = (seen.weights[:, after[0]] > 0) & (seen.weights[:, bone] > 0)
    return arm, np.where(both[:, None], aim, 0.0)


def _root_aligned(skeleton: Skeleton, pose: Pose, seen: _Points) -> Pose:
    """The poses with a free root moved to its own point if it has one, else to the middle of the points."""
    if not skeleton.definitions[0].floating:
        return pose
    weights = seen.weights * np.where(seen.carriers == 0, 1e9, 1.0)
    total = weights.sum(axis=1)
    away = np.sum(weights[..., None] * (seen.positions - pose.origins[:, seen.carriers]), axis=1)
    q = np.array(pose.q)
    q[:, :3] += away / np.maximum(total, 1e-300)[:, None]
    known, frames = total > 0, np.arange(len(q))
    for k in range(3):
        q[:, k] = np.interp(frames, frames[known], q[known, k])
    return Pose.trusted(skeleton, q)


# What people do where points are few: each frame solved from what the network proposes, in the facing of the points.


_FEW = 3  # points of a person that say more than where it is
_TURNS = 0.25  # of a second: so fast does the facing change that the points show
_CARRIED = 1e-2  # weight of a point that is not seen: between those that are, where these leave it to it
_BEYOND = 0.05  # of the reach: a frame whose points are missed by more shows what people do not do
_STRANGE = 0.1  # share of such frames from which the points alone decide


def _natural(skeleton: Skeleton, seen: _Points, fps: float) -> Pose | None:
    """The poses that bring the joints to the points as people do; None where no person is found, the points are of all
    its parts or of hardly any, or show what people do not do.
    """
    body = body_of(skeleton)
    if body is None or not skeleton.definitions[0].floating:
        return None
    parts = {int(j) for j in body.segments if j >= 0}
    own = parts & set(seen.carriers.tolist())
    if len(own) < _FEW or own == parts:
        return None
    points = _between_frames(seen)
    goals = [Reach(skeleton.joints[j], (0.0, 0.0, 0.0)) for j in seen.carriers]
    prepared = prepare(skeleton, [*goals, Natural(keep=False)], tolerance=1e-10, restarts=0)
    weights = [*np.maximum(seen.weights.T, _CARRIED), None]
    start = _facing_as(skeleton, seen._replace(positions=points), fps)
    pose = prepared.solve(start, [*np.moveaxis(points, 1, 0), None], weights=weights).pose
    away = np.linalg.norm(pose.origins[:, seen.carriers] - points, axis=2) * (seen.weights > 0)
    return None if (away.max(axis=1) > _BEYOND * skeleton.reach).mean() > _STRANGE else pose


def _between_frames(seen: _Points) -> Array:
    """`[frame, point, 3]`, points that are not seen between those of the frames before and after."""
    points, frames = seen.positions.copy(), np.arange(len(seen.positions))
    for k in range(points.shape[1]):
        known = seen.weights[:, k] > 0
        if known.any():
            points[:, k] = np.stack([np.interp(frames, frames[known], points[known, k, i]) for i in range(3)], axis=1)
    return points


def _facing_as(skeleton: Skeleton, seen: _Points, fps: float) -> Pose:
    """The rest pose in every frame, turned about the vertical and moved onto the points."""
    from scipy.ndimage import gaussian_filter1d

    rest = Pose(skeleton, np.repeat(skeleton.rest_coordinates[None], len(seen.positions), axis=0))
    along, across = (2, 0) if skeleton.up == "y" else (0, 1)
    weights = seen.weights[..., None]
    total = np.maximum(weights.sum(axis=1, keepdims=True), 1e-12)
    both = rest.origins[:, seen.carriers], seen.positions
    own, points = (where - (weights * where).sum(axis=1, keepdims=True) / total for where in both)
    turned = np.conj(own[..., along] + 1j * own[..., across]) * (points[..., along] + 1j * points[..., across])
    facing = np.angle(gaussian_filter1d((turned * seen.weights).sum(axis=1), _TURNS * fps, mode="nearest"))
    up = np.eye(3)["xyz".index(skeleton.up)]
    q = rest.q.copy()
    q[:, 3:7] = wxyz_multiply(wxyz_about(np.broadcast_to(up, (len(q), 3)), facing), q[:, 3:7])
    return _root_aligned(skeleton, Pose(skeleton, q), seen)


def _solved(skeleton: Skeleton, pose: Pose, seen: _Points) -> Pose:
    """The poses closest to the points, solved for if the rotations of bones alone do not bring joints there."""
    model = MarkerModel(skeleton, seen.carriers, seen.positions, seen.weights)
    middle = np.zeros((len(seen.carriers), 3))
    misses = np.linalg.norm(model.positions(pose, middle) - model.targets, axis=2)
    if misses[seen.weights > 0].max() <= _EXACT * skeleton.reach:
        return pose
    return PoseSolver(model, middle).solve(model, pose.clamped(), pose.clamped())

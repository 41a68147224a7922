"""Key points → rotations: where joints are, frame by frame, becomes how they are turned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import solve_banded

from posable.clips import Clip
from posable.errors import PosableError
from posable.figures import Figure
from posable.motion.markers.alignment import carried_turns, rigid_fits
from posable.motion.markers.descent import solve_poses
from posable.motion.markers.rig import Rig
from posable.skeleton import Pose, Skeleton, pose_from_rotations
from posable.spatial import Array, matrix_from_wxyz, normalized, wxyz_about, wxyz_between, wxyz_from_matrix

# How a bone turns about itself when only its direction is known: as little as can be, and evenly over time.


_EVEN = 25.0  # how much an uneven twist counts against a plain one; its root is about the frames a change spreads over
_MOST = np.radians(20)  # a frame
_PLAIN = 0.05  # how much the least turn counts against a bend's plane
_BENT = 0.1  # sine of the bend at rest from which on its plane means something


def steady_turns(plain: Array, arm: Array, aim: Array, told: np.ndarray, next_arm: Array, next_aim: Array) -> Array:
    """Turns `[frame, 3, 3]` that point `arm [3]` along `aim [frame, 3]`.

    Of all those, each is near the smallest turn from `plain [frame, 3, 3]`, and near the one that brings the next bone,
    `next_arm [3]` at rest, into the plane of `next_aim [frame, 3]`; from one frame to the next the twist about the bone
    changes by 20° at most. told: `[frame]`, where `aim` is known.
    """
    aim = normalized(_filled(aim, told))
    least = _smallest(plain @ arm, aim) @ plain
    moved = _smallest(aim[:-1], aim[1:]) @ least[:-1]
    drift = np.concatenate([[0.0], np.cumsum(_twist(least[1:], moved, aim[1:]))])
    straight = np.sum(normalized(plain @ arm) * aim, axis=1)
    wish = _PLAIN * ((1 + straight) / 2) ** 2 * np.exp(-1j * drift)
    wish = wish + _plane(least, arm, aim, next_arm, next_aim) * np.exp(-1j * drift)
    angle = drift + _even(np.where(told, wish, 0.0))
    return matrix_from_wxyz(wxyz_about(aim, angle)) @ least


def _smallest(start: Array, end: Array) -> Array:
    return matrix_from_wxyz(wxyz_between(start, end))


def _twist(start: Array, end: Array, axis: Array) -> Array:
    """`[frame]`: the angle about `axis` from `start` to `end`, which differ by nothing else."""
    turn = end @ np.swapaxes(start, 1, 2)
    sine = np.stack([turn[:, 2, 1] - turn[:, 1, 2], turn[:, 0, 2] - turn[:, 2, 0], turn[:, 1, 0] - turn[:, 0, 1]], 1)
    return np.arctan2(np.sum(sine * axis, axis=1), np.trace(turn, axis1=1, axis2=2) - 1)


def _plane(least: Array, arm: Array, aim: Array, next_arm: Array, next_aim: Array) -> Array:
    """`[frame]` complex: the twist that brings the next bone into its plane; its size says how sure that is."""
    across_arm = next_arm - normalized(arm) * (normalized(arm) @ next_arm)
    if np.linalg.norm(across_arm) <= _BENT * np.linalg.norm(next_arm):
        return np.zeros(len(least), complex)
    ours = least @ normalized(across_arm)
    theirs = normalized(next_aim)
    theirs = theirs - aim * np.sum(aim * theirs, axis=1, keepdims=True)
    return np.sum(ours * theirs, axis=1) + 1j * np.sum(aim * np.cross(ours, theirs), axis=1)


def _even(wish: Array) -> Array:
    """`[frame]`: angles near those of the complex wishes, the surer the nearer, and even over time."""
    bands = np.zeros((3, len(wish)), complex)
    bands[1] = np.abs(wish) + 1e-9
    if len(wish) > 1:
        bands[1, :-1] += _EVEN
        bands[1, 1:] += _EVEN
        bands[0, 1:] = bands[2, :-1] = -_EVEN
    wanted = np.unwrap(np.angle(solve_banded((1, 1), bands, wish)))
    angle = wanted.copy()
    for frame in range(1, len(angle)):
        angle[frame] = angle[frame - 1] + np.clip(wanted[frame] - angle[frame - 1], -_MOST, _MOST)
    return angle


def _filled(aim: Array, told: np.ndarray) -> Array:
    """The aims with those that are not told as in the frame before, or the first that is."""
    frames = np.flatnonzero(told)
    if not len(frames):
        return np.tile([0.0, 0.0, 1.0], (len(aim), 1))
    return aim[frames[np.clip(np.searchsorted(frames, np.arange(len(aim)), side="right") - 1, 0, None)]]


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
    """Reconstruct a motion from the positions of joints.

    A joint with several bones in different directions is rotated to fit all of them; one with a single bone by the
    bone's direction, with the least twist about it, smooth over time and consistent with the bending plane of the next
    joint. Where limits or bone lengths do not allow an exact fit, the closest pose is found.

    Args:
        skeleton: The skeleton, or a figure.
        points: Positions `[frame, point, 3]`, or `[point, 3]` for a single pose, in the skeleton's axes and unit. NaN
            points
            are interpolated from neighbouring frames.
        joints: Name of each point's joint.
        confidence: Weights of the points, 0 (ignored) … 1, `[frame, point]` or `[point]`; None is 1.
        fps: Frames per second.
        name: Name of the clip.

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
        given = np.ma.filled(np.ma.asarray(points, float), np.nan)
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
            raise PosableError("every point is NaN, so no pose can be found")
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
            raise PosableError("no point has confidence, so no pose can be found")
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
    if not skeleton.definitions[0].floating:
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

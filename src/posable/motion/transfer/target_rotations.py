"""Desired rotations of the target's joints: the source's rotations since rest, applied to matched rest poses."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from posable.clips import Clip
from posable.motion.feet.contact_detection import Contacts
from posable.motion.transfer.hinge_kernels import linearize_hinges, rotate_hinges
from posable.motion.transfer.measured import ARM, FINGERS, SIDES, Body, matching_rotations
from posable.skeleton import Skeleton
from posable.spatial import (
    IDENTITY_WXYZ,
    Array,
    matrix_from_wxyz,
    normalized,
    rotation_vector_from_wxyz,
    slerp,
    wxyz_between,
    wxyz_from_matrix,
    wxyz_from_rotation_vector,
    wxyz_inverse,
    wxyz_multiply,
)
from posable.spatial.marquardt import Dense, Indices, linearized, minimise_each

Rotations = dict[int, Array]
"""Joint → wxyz `[frame, 4]` in the world."""


def target_rotations_of(clip: Clip, source: Body, target: Body, leans: Mapping[str, Array] | None = None) -> Rotations:
    """The desired world rotations of the target's joints."""
    moved = _Moved(clip, source, target)
    match = dict(matching_rotations(source, target))
    match |= {role: lean @ match[role] for role, lean in (leans or {}).items() if role in match}
    own = {joint: role for role, joint in target.joints.items() if role in source.joints}
    since = {joint: moved.of(source.joints[role]) for joint, role in own.items()}
    hips = moved.of(source.joints["hips"])
    since |= _along(moved, hips, source.trunk, target.trunk)
    top = moved.of(source.trunk[-1]) if source.trunk else hips
    since |= _along(moved, top, source.neck, target.neck)
    for joint, name in enumerate(target.skeleton.joints):  # joints without a role are matched by name
        if joint not in since and name in source.skeleton.joints and not _has_role(source, name):
            since[joint] = moved.of(source.skeleton.joints.index(name))
    palms = _palms(source, target, since)
    since |= {joint: since[hand] for joint, hand in palms.items()}
    own |= {joint: own[hand] for joint, hand in palms.items()}
    desired = moved.onto(since, {joint: match[role] for joint, role in own.items() if role in match})
    _lean(clip, source, target, desired)
    return desired


def foot_leans(clip: Clip, source: Body, touching: Contacts) -> dict[str, Array]:
    """Role → rotation `[3, 3]`: how feet and toes lean at rest compared with lying on the ground in the clip.

    The rest poses of recordings often have feet that point down, or up, while a character's stand flat.
    """
    found = {}
    for row, sole in enumerate(touching.soles):
        both = touching.ball[row] & touching.heel[row] if sole.heel is not None else touching.ball[row]  # a point
        for role, frames in ((f"foot_{sole.name[-1]}", both), (f"toes_{sole.name[-1]}", touching.ball[row])):
            if role in source.joints and frames.any():
                joint = source.joints[role]
                since_rest = clip.poses.world_from_joint[frames, joint, :3, :3] @ source.rest[joint, :3, :3].T
                up = normalized(np.mean(since_rest.swapaxes(1, 2) @ source.roles.up, axis=0))
                lean = wxyz_between(np.array([0.0, 1.0, 0.0]), source.axes.T @ up)
                found[role] = matrix_from_wxyz(lean)
    return found


def _palms(source: Body, target: Body, since: Collection[int]) -> dict[int, int]:
    """Bones of a palm beside the one that has the role of the hand → that one, as whose they rotate.

    They hang on the forearm and carry fingers. Left at rest they would tear the hand apart, and fingers would bend back
    into the forearm.
    """
    found = {}
    for side in SIDES:
        role = f"{ARM[2]}_{side}"
        if role not in source.joints or role not in target.joints:
            continue
        hand, chain = target.joints[role], target.skeleton.chain
        for finger in FINGERS:
            below = chain(target.joints.get(f"{finger}_1_{side}", hand))
            if hand not in below:
                found |= {j: hand for j in below[:-1] if j not in chain(hand) and j not in since}
    return found


def _has_role(body: Body, name: str) -> bool:
    return name in body.roles.values()


class _Moved:
    """Rotations since rest, in the figures' own axes."""

    def __init__(self, clip: Clip, source: Body, target: Body) -> None:
        self.source, self.target = source, target
        frames, into = clip.poses.world_from_joint[..., :3, :3], source.axes.T
        self._since_rest = wxyz_from_matrix(into @ frames @ (source.rest[:, :3, :3].swapaxes(1, 2) @ into.T))

    def of(self, joint: int) -> Array:
        """`[frame, 4]` rotation of the source's joint since rest."""
        return self._since_rest[:, joint]

    def onto(self, since: Rotations, match: Mapping[int, Array]) -> Rotations:
        """World rotations of the target's joints: the rest rotation, then `match`, then the rotation since rest."""
        joints, out = list(since), self.target.axes
        rests = out.T @ self.target.rest[joints, :3, :3]
        for k, joint in enumerate(joints):
            if joint in match:
                rests[k] = match[joint] @ rests[k]
        rotations = np.stack([since[joint] for joint in joints])
        world = wxyz_multiply(wxyz_from_matrix(out), wxyz_multiply(rotations, wxyz_from_matrix(rests)[:, None]))
        return dict(zip(joints, world, strict=True))


def _along(moved: _Moved, base: Array, source: Sequence[int], target: Sequence[int]) -> Rotations:
    """Rotations of the joints of a spine or neck that bend it as the source's, whatever the numbers of joints.

    The last joint rotates as the source's last. A joint further down gets the mean of the source's rotations over its
    own segment, so that the last joint reaches the source's position. base: rotation of the parent since rest.
    """
    if not source or not target:
        return {}
    rotations = [moved.of(joint) for joint in source]
    if len(source) == len(target):
        own = rotations
    elif len(source) == 1 or not _parts(moved.source, source)[-1]:
        own = [slerp(base, rotations[-1], np.full(len(base), k / len(target))) for k in range(1, len(target) + 1)]
    else:
        ends, parts = _parts(moved.source, source), _parts(moved.target, target)
        own = [_mean(rotations[:-1], ends, low, high) for low, high in pairwise(parts)] + rotations[-1:]
    return dict(zip(target, own, strict=True))


def _lean(clip: Clip, source: Body, target: Body, desired: Rotations) -> None:
    """Rotate the spine further until its shoulders lie in the same direction from its hips as the source's.

    The same rotations lean a spine differently that bends elsewhere, or is more or less upright at rest.
    """
    segments, own = source.trunk_segments(), target.trunk_segments()
    if not segments or not own:
        return
    frames = clip.poses.world_from_joint[..., :3, :3]
    direction = np.sum([frames[:, joint] @ offset for joint, offset in segments], axis=0) @ source.axes @ target.axes.T
    leaning = [*target.trunk, *(target.joints[role] for role in ("shoulder_l", "shoulder_r") if role in target.joints)]
    leaning = [joint for joint in leaning if joint in desired]
    parts = [matrix_from_wxyz(desired[joint]) @ offset for joint, offset in own]
    stays, bends, more = parts[0], np.sum(parts[1:], axis=0), IDENTITY_WXYZ
    for _ in range(_LEANING_ROUNDS):
        rotation = wxyz_between(stays + bends, direction)
        bends = (matrix_from_wxyz(rotation) @ bends[..., None])[..., 0]
        more = wxyz_multiply(rotation, more)
        if np.abs(rotation[..., 1:]).max(initial=0.0) < _LEANS:
            break
    for joint in leaning:
        desired[joint] = wxyz_multiply(more, desired[joint])


def _parts(body: Body, joints: Sequence[int]) -> list[float]:
    """Fraction of the chain's length at each joint at rest: 0 at the first, 1 at the last; all 0 if they coincide."""
    steps = np.linalg.norm(np.diff(body.rest[list(joints), :3, 3], axis=0), axis=1)
    far = np.concatenate([[0.0], np.cumsum(steps)])
    return (far / far[-1] if far[-1] > 0 else far).tolist()


def _mean(rotations: Sequence[Array], ends: Sequence[float], low: float, high: float) -> Array:
    """The mean of rotations between `low` and `high`; the k-th one spans ends[k] to ends[k + 1]."""
    found, total = rotations[sum(end <= low for end in ends[1:-1])], 0.0
    for rotation, start, stop in zip(rotations, ends[:-1], ends[1:], strict=True):
        part = min(stop, high) - max(start, low)
        if part > 0:
            total += part
            found = slerp(found, rotation, np.full(len(rotation), part / total))
    return found


# Hinges fitted to the desired rotations of their joints.


_LEANING_ROUNDS, _LEANS = 10, 1e-12  # most rounds; sine of half an angle by which a round need not rotate on
_DESCENT = {"steps": 12, "tolerance": 1e-14, "enough": 1e-24, "at_once": 4096}
_TWIST = 0.05  # weight of a limb's twist against the directions of its bones


class Hinges:
    """The hinge axes of consecutive `joints`, from the top down."""

    def __init__(self, skeleton: Skeleton, joints: list[int]) -> None:
        tables = skeleton.tables
        own = [
            (row, axis)
            for row, joint in enumerate(joints)
            for axis in range(int(tables.first_axis[joint]), int(tables.first_axis[joint + 1]))
            if not tables.slides[axis]
        ]
        rows, chosen = np.array([row for row, _ in own], np.int64), [axis for _, axis in own]
        self.coordinates = tables.axis_coordinate[chosen]
        freedoms = tables.axis_dof[chosen]
        self.low, self.high = tables.lower[freedoms], tables.upper[freedoms]
        gains = tables.gain[chosen]
        self.speeds = np.where(tables.active[freedoms], gains, 0.0)
        rests = wxyz_from_matrix(tables.turn[joints])
        self.chain = rests, rows, tables.direction[chosen], gains, tables.shift[chosen]
        """As `rotate_hinges` reads it."""

    def rotated(self, base: Array, values: Array) -> tuple[Array, Array]:
        """(world rotation `[frame, 4]` of the last joint, `[frame, axis, 3]` the axes in the world).

        base: `[frame, 4]` world rotation of the first joint's parent.
        """
        world, axes = np.empty((len(base), 4)), np.empty((len(base), len(self), 3))
        rotate_hinges(self.chain, np.ascontiguousarray(base), np.ascontiguousarray(values), world, axes)
        return world, axes

    def __len__(self) -> int:
        return len(self.speeds)

    def fit(self, base: Array, values: Array, desired: Array) -> Array:
        """`[frame, axis]` values within limits that bring the last joint's rotation closest to `desired`, starting from
        `values`.
        """
        fit = _Fit(self, np.ascontiguousarray(base), np.ascontiguousarray(desired))
        return minimise_each(fit, np.clip(values, self.low, self.high), **_DESCENT)

    def fit_limb(
        self, base: Array, values: Array, bones: tuple[Array, Array], directions: tuple[Array, Array]
    ) -> Array:
        """`[frame, 4]` the rotation of a ball joint above a single hinge with which both bones point along `directions
        [frame, 3]`.

        base: the preferred rotation of the ball joint, which decides its twist where the limb is straight. bones: unit
        vectors in the frames of ball joint and hinge.
        """
        start = np.concatenate([base, np.clip(values, self.low, self.high)], axis=1)
        return minimise_each(_LimbFit(self, base, bones, directions), start, **_DESCENT)[:, :4]


class _Fit(NamedTuple):
    """Least squares for values `[frame, axis]` of hinges whose last joint gets the rotation `desired [frame, 4]`."""

    hinges: Hinges
    base: Array
    desired: Array

    def linearized(self, values: Array, frames: Indices) -> tuple[Array, Dense]:
        n, own = values.shape
        costs, blocks, gradient = np.empty(n), np.empty((n, own, own)), np.empty((n, own))
        chain, speeds = self.hinges.chain, self.hinges.speeds
        linearize_hinges(chain, speeds, self.base, values, self.desired, frames, costs, blocks, gradient)
        return costs, Dense(blocks, gradient).held_within(values, self.hinges.low, self.hinges.high)

    def moved(self, values: Array, step: Array, frames: Indices) -> Array:
        del frames
        return np.clip(values + step, self.hinges.low, self.hinges.high)


class _LimbFit(NamedTuple):
    """The rotation of a ball joint and the value of the hinge below, `[frame, 5]`; see `Hinges.fit_limb`."""

    hinge: Hinges
    base: Array
    bones: tuple[Array, Array]
    directions: tuple[Array, Array]

    def linearized(self, x: Array, frames: Indices) -> tuple[Array, Dense]:
        rotation = x[:, :4]
        below, axes = self.hinge.rotated(rotation, x[:, 4:])
        upper, lower = matrix_from_wxyz(rotation) @ self.bones[0], matrix_from_wxyz(below) @ self.bones[1]
        off = rotation_vector_from_wxyz(wxyz_multiply(rotation, wxyz_inverse(self.base[frames])))
        first, second = (direction[frames] for direction in self.directions)
        residual = np.concatenate([upper - first, lower - second, _TWIST * off], axis=1)
        jacobian = np.zeros((len(rotation), 9, 4))
        jacobian[:, :3, :3], jacobian[:, 3:6, :3] = -_crossing(upper), -_crossing(lower)
        jacobian[:, 6:, :3] = _TWIST * np.eye(3)
        jacobian[:, 3:6, 3] = self.hinge.speeds[0] * np.cross(axes[:, 0], lower)
        return linearized(jacobian, residual)

    def moved(self, x: Array, step: Array, frames: Indices) -> Array:
        del frames
        rotation = wxyz_multiply(wxyz_from_rotation_vector(step[:, :3]), x[:, :4])
        return np.concatenate([rotation, np.clip(x[:, 4:] + step[:, 3:], self.hinge.low, self.hinge.high)], axis=1)


def _crossing(vectors: Array) -> Array:
    """`[frame, 3, 3]` matrices M with M x = vector × x."""
    x, y, z = np.moveaxis(vectors, -1, 0)
    none = np.zeros_like(x)
    return np.stack([none, -z, y, z, none, -x, -y, x, none], axis=-1).reshape(*vectors.shape, 3)

"""How joints of the target are to be turned: as the source's are, since rests that are matched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from posable.clips import Clip
from posable.motion.feet.contact_detection import Contacts
from posable.motion.transfer.measured import Body, matching_turns
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

Turns = dict[int, Array]
"""Joint → wxyz `[frame, 4]` in the world."""


def wanted_turns(clip: Clip, source: Body, target: Body, leans: Mapping[str, Array] | None = None) -> Turns:
    """How the target's joints are to be turned in the world, as the source's are, from matched rests."""
    moved = _Moved(clip, source, target)
    match = dict(matching_turns(source, target))
    match |= {role: lean @ match[role] for role, lean in (leans or {}).items() if role in match}
    own = {joint: role for role, joint in target.joints.items() if role in source.joints}
    since = {joint: moved.of(source.joints[role]) for joint, role in own.items()}
    hips = moved.of(source.joints["hips"])
    since |= _along(moved, hips, source.trunk, target.trunk)
    top = moved.of(source.trunk[-1]) if source.trunk else hips
    since |= _along(moved, top, source.neck, target.neck)
    for joint, name in enumerate(target.skeleton.joints):  # what has no role goes by its name
        if joint not in since and name in source.skeleton.joints and not _has_role(source, name):
            since[joint] = moved.of(source.skeleton.joints.index(name))
    wanted = moved.onto(since, {joint: match[role] for joint, role in own.items() if role in match})
    _lean(clip, source, target, wanted)
    return wanted


def leans_of(clip: Clip, source: Body, touching: Contacts) -> dict[str, Array]:
    """Role → turn `[3, 3]`: how feet and toes lean at rest against how they lie on the ground in the clip.

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


def _has_role(body: Body, name: str) -> bool:
    return name in body.roles.values()


class _Moved:
    """Turns since rest, in figures' own axes."""

    def __init__(self, clip: Clip, source: Body, target: Body) -> None:
        self.source, self.target = source, target
        frames, into = clip.poses.world_from_joint[..., :3, :3], source.axes.T
        self._turned = wxyz_from_matrix(into @ frames @ (source.rest[:, :3, :3].swapaxes(1, 2) @ into.T))

    def of(self, joint: int) -> Array:
        """`[frame, 4]` how the source's joint has turned from rest."""
        return self._turned[:, joint]

    def onto(self, since: Turns, match: Mapping[int, Array]) -> Turns:
        """The world rotations of the target's joints that have turned so from rest, which `match` turns first."""
        joints, out = list(since), self.target.axes
        rests = out.T @ self.target.rest[joints, :3, :3]
        for k, joint in enumerate(joints):
            if joint in match:
                rests[k] = match[joint] @ rests[k]
        turns = np.stack([since[joint] for joint in joints])
        world = wxyz_multiply(wxyz_from_matrix(out), wxyz_multiply(turns, wxyz_from_matrix(rests)[:, None]))
        return dict(zip(joints, world, strict=True))


def _along(moved: _Moved, base: Array, source: Sequence[int], target: Sequence[int]) -> Turns:
    """How the joints of a spine or neck turn so that it bends as the source's, whatever the numbers of joints are.

    The last turns as the last; what is between two others turns as the source does there in the mean, so that the last
    comes to be where the source's is. base: how what carries them has turned.
    """
    if not source or not target:
        return {}
    turns = [moved.of(joint) for joint in source]
    if len(source) == len(target):
        own = turns
    elif len(source) == 1 or not _parts(moved.source, source)[-1]:
        own = [slerp(base, turns[-1], np.full(len(base), k / len(target))) for k in range(1, len(target) + 1)]
    else:
        ends, parts = _parts(moved.source, source), _parts(moved.target, target)
        own = [_mean(turns[:-1], ends, low, high) for low, high in pairwise(parts)] + turns[-1:]
    return dict(zip(target, own, strict=True))


def _lean(clip: Clip, source: Body, target: Body, wanted: Turns) -> None:
    """Turn the spine further so that shoulders come to be over hips in the direction in which the source has them.

    Spines that bend in other places, or that stand more or less upright at rest, lean differently by the same turns.
    """
    segments, own = source.trunk_segments(), target.trunk_segments()
    if not segments or not own:
        return
    frames = clip.poses.world_from_joint[..., :3, :3]
    way = np.sum([frames[:, joint] @ offset for joint, offset in segments], axis=0) @ source.axes @ target.axes.T
    leaning = [*target.trunk, *(target.joints[role] for role in ("shoulder_l", "shoulder_r") if role in target.joints)]
    leaning = [joint for joint in leaning if joint in wanted]
    parts = [matrix_from_wxyz(wanted[joint]) @ offset for joint, offset in own]
    stays, bends, more = parts[0], np.sum(parts[1:], axis=0), IDENTITY_WXYZ
    for _ in range(_LEANING_ROUNDS):
        turn = wxyz_between(stays + bends, way)
        bends = (matrix_from_wxyz(turn) @ bends[..., None])[..., 0]
        more = wxyz_multiply(turn, more)
    for joint in leaning:
        wanted[joint] = wxyz_multiply(more, wanted[joint])


def _parts(body: Body, joints: Sequence[int]) -> list[float]:
    """How far each of the joints is along them at rest: 0 for the first, 1 for the last, or 0 where they are at one
    place.
    """
    steps = np.linalg.norm(np.diff(body.rest[list(joints), :3, 3], axis=0), axis=1)
    far = np.concatenate([[0.0], np.cumsum(steps)])
    return (far / far[-1] if far[-1] > 0 else far).tolist()


def _mean(turns: Sequence[Array], ends: Sequence[float], low: float, high: float) -> Array:
    """The mean of turns between `low` and `high`, the k-th of which holds from ends[k] to ends[k + 1]."""
    found, total = turns[sum(end <= low for end in ends[1:-1])], 0.0
    for turn, start, stop in zip(turns, ends[:-1], ends[1:], strict=True):
        part = min(stop, high) - max(start, low)
        if part > 0:
            total += part
            found = slerp(found, turn, np.full(len(turn), part / total))
    return found


# Hinges fitted to rotations that are wanted of their joints.


_LEANING_ROUNDS = 10
_DESCENT = {"steps": 12, "tolerance": 1e-14, "enough": 1e-24, "at_once": 4096}
_TWIST = 0.05  # weight of a limb's twist against the directions of its bones


class Hinges:
    """The turning axes of joints that follow one another, from `first` down to `last`."""

    def __init__(self, skeleton: Skeleton, joints: list[int]) -> None:
        tables = skeleton.tables
        self._turns, self._axes = wxyz_from_matrix(tables.turn[joints]), []
        for row, joint in enumerate(joints):
            for axis in range(int(tables.first_axis[joint]), int(tables.first_axis[joint + 1])):
                if not tables.slides[axis]:
                    self._axes.append((row, axis))
        chosen = [axis for _, axis in self._axes]
        self.coordinates = tables.axis_coordinate[chosen]
        freedoms = tables.axis_dof[chosen]
        self.low, self.high = tables.lower[freedoms], tables.upper[freedoms]
        self._direction, self._gain, self._shift = tables.direction[chosen], tables.gain[chosen], tables.shift[chosen]
        self.speeds = np.where(tables.active[freedoms], self._gain, 0.0)

    def turned(self, base: Array, values: Array) -> tuple[Array, Array]:
        """(world rotation `[frame, 4]` of the last joint, `[frame, axis, 3]` the axes in the world) where what is above
        the first is turned by `base`.
        """
        world, axes, row = base, [], -1
        for k, (own, _) in enumerate(self._axes):
            while row < own:
                row += 1
                world = wxyz_multiply(world, self._turns[row])
            axes.append(matrix_from_wxyz(world) @ self._direction[k])
            angle = self._gain[k] * values[:, k] + self._shift[k]
            world = wxyz_multiply(world, wxyz_from_rotation_vector(angle[:, None] * self._direction[k]))
        for turn in self._turns[row + 1 :]:
            world = wxyz_multiply(world, turn)
        return world, np.stack(axes, axis=1) if axes else np.zeros((len(base), 0, 3))

    def __len__(self) -> int:
        return len(self._axes)

    def fit(self, base: Array, values: Array, wanted: Array) -> Array:
        """`[frame, axis]` the values within the limits that bring the rotation of the last joint closest to `wanted`,
        searched from `values`.
        """
        return minimise_each(_Fit(self, base, wanted), np.clip(values, self.low, self.high), **_DESCENT)

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
    """Values `[frame, axis]` of hinges whose last joint is to have the rotation `wanted [frame, 4]`."""

    hinges: Hinges
    base: Array
    wanted: Array

    def linearized(self, values: Array, frames: Indices) -> tuple[Array, Dense]:
        world, axes = self.hinges.turned(self.base[frames], values)
        residual = rotation_vector_from_wxyz(wxyz_multiply(self.wanted[frames], wxyz_inverse(world)))
        costs, system = linearized(-np.swapaxes(axes * self.hinges.speeds[:, None], 1, 2), residual)
        return costs, system.held_within(values, self.hinges.low, self.hinges.high)

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
        turn = x[:, :4]
        below, axes = self.hinge.turned(turn, x[:, 4:])
        upper, lower = matrix_from_wxyz(turn) @ self.bones[0], matrix_from_wxyz(below) @ self.bones[1]
        off = rotation_vector_from_wxyz(wxyz_multiply(turn, wxyz_inverse(self.base[frames])))
        first, second = (direction[frames] for direction in self.directions)
        residual = np.concatenate([upper - first, lower - second, _TWIST * off], axis=1)
        jacobian = np.zeros((len(turn), 9, 4))
        jacobian[:, :3, :3], jacobian[:, 3:6, :3] = -_crossing(upper), -_crossing(lower)
        jacobian[:, 6:, :3] = _TWIST * np.eye(3)
        jacobian[:, 3:6, 3] = self.hinge.speeds[0] * np.cross(axes[:, 0], lower)
        return linearized(jacobian, residual)

    def moved(self, x: Array, step: Array, frames: Indices) -> Array:
        del frames
        turn = wxyz_multiply(wxyz_from_rotation_vector(step[:, :3]), x[:, :4])
        return np.concatenate([turn, np.clip(x[:, 4:] + step[:, 3:], self.hinge.low, self.hinge.high)], axis=1)


def _crossing(vectors: Array) -> Array:
    """`[frame, 3, 3]` matrices M with M x = vector × x."""
    x, y, z = np.moveaxis(vectors, -1, 0)
    none = np.zeros_like(x)
    return np.stack([none, -z, y, z, none, -x, -y, x, none], axis=-1).reshape(*vectors.shape, 3)

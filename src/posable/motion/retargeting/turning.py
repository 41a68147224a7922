"""How joints of the target are to be turned: as the source's are, since rests that are matched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from posable.clips import Clip
from posable.motion.feet.contacts import Contacts
from posable.motion.retargeting.body import Body
from posable.motion.retargeting.matching import matching_turns
from posable.spatial import (
    Array,
    matrix_from_wxyz,
    normalized,
    slerp,
    wxyz_between,
    wxyz_from_matrix,
    wxyz_multiply,
)

Turns = dict[int, Array]
"""Joint → wxyz `[frame, 4]` in the world."""


def wanted_turns(clip: Clip, source: Body, target: Body, leans: Mapping[str, Array] | None = None) -> Turns:
    """How the target's joints are to be turned in the world, as the source's are, from matched rests."""
    moved = _Moved(clip, source, target)
    match = matching_turns(source, target)
    match |= {role: lean @ match[role] for role, lean in (leans or {}).items() if role in match}
    wanted: Turns = {}
    for role, joint in target.joints.items():
        if role in source.joints:
            wanted[joint] = moved.onto(joint, moved.of(source.joints[role]), match.get(role))
    hips = moved.of(source.joints["hips"])
    _along(moved, wanted, hips, source.trunk, target.trunk)
    top = moved.of(source.trunk[-1]) if source.trunk else hips
    _along(moved, wanted, top, source.neck, target.neck)
    for joint, name in enumerate(target.skeleton.joints):  # what has no role goes by its name
        if joint not in wanted and name in source.skeleton.joints and not _has_role(source, name):
            wanted[joint] = moved.onto(joint, moved.of(source.skeleton.joints.index(name)))
    return wanted


def leans_of(clip: Clip, source: Body, touching: Contacts) -> dict[str, Array]:
    """Role → turn `[3, 3]`: how feet and toes lean at rest against how they lie on the ground in the clip.

    The rest poses of recordings often have feet that point down, or up, while a character's stand flat.
    """
    found = {}
    for row, sole in enumerate(touching.soles):
        both = touching.ball[row] & touching.heel[row]
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
        self._frames = clip.poses.world_from_joint
        self._into, self._out = source.axes.T, target.axes

    def of(self, joint: int) -> Array:
        """`[frame, 4]` how the source's joint has turned from rest."""
        since_rest = self._frames[:, joint, :3, :3] @ self.source.rest[joint, :3, :3].T
        return wxyz_from_matrix(self._into @ since_rest @ self._into.T)

    def onto(self, joint: int, turn: Array, match: Array | None = None) -> Array:
        """`[frame, 4]` the world rotation of the target's joint that has turned so from its (matched) rest."""
        rest = self._out.T @ self.target.rest[joint, :3, :3]
        rest = rest if match is None else match @ rest
        return wxyz_multiply(wxyz_from_matrix(self._out), wxyz_multiply(turn, wxyz_from_matrix(rest)))


def _along(moved: _Moved, wanted: Turns, base: Array, source: Sequence[int], target: Sequence[int]) -> None:
    """Turn the joints of a spine or neck as the source's bends, whatever the numbers of joints are.

    The last turns as the last; what is between two others turns as the source does there in the mean, so that the last
    comes to be where the source's is. base: how what carries them has turned.
    """
    if not source or not target:
        return
    turns = [moved.of(joint) for joint in source]
    if len(source) == len(target):
        own = turns
    elif len(source) == 1 or not _parts(moved.source, source)[-1]:
        own = [slerp(base, turns[-1], np.full(len(base), k / len(target))) for k in range(1, len(target) + 1)]
    else:
        ends, parts = _parts(moved.source, source), _parts(moved.target, target)
        own = [_mean(turns[:-1], ends, low, high) for low, high in pairwise(parts)] + turns[-1:]
    for joint, turn in zip(target, own, strict=True):
        wanted[joint] = moved.onto(joint, turn)


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

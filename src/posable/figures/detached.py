"""Detached feet and hands: joints at the end of a limb that have another parent in the file.

Rigs whose limbs were driven by inverse kinematics in their modelling program are often exported like this: the foot is
a child of the armature, the shin has no child, and only the file's own animations keep the two together. Here such a
joint becomes a child of the limb that it ends, at its rest position, so that it moves with the limb. Legs that are
separate roots likewise become children of the trunk. Clips keep every joint where it was in the world.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.figures.loose_pieces import loose_pieces
from posable.figures.model import Clips, Figure
from posable.skeleton import Joint, Pose, Skeleton
from posable.skeleton.body_roles import MOST_JOINTS
from posable.skeleton.body_roles.skeleton_facts import Body
from posable.skin import Skin
from posable.spatial import (
    Array,
    apply_transform,
    normalized,
    rigid_inverse,
    transform,
    wxyz_from_matrix,
    wxyz_inverse,
    wxyz_multiply,
)

_NEAR_TIP = 0.1  # of the last bone: distance within which a joint is at its end
_NEAR_JOINT = 0.05  # of the last bone: distance within which a joint stands for the limb's last joint
_ALONG = 0.998  # the cosine within which a joint lies where a bone without an end points
_LEAST_LENGTH, _MAX_LENGTH = 0.25, 2.5  # of a bone without an end, as multiples of the bone before it
_LENGTH_TOLERANCE = 0.05  # of a bone between rest and bind pose; if exceeded, the bind matrices mean something else
_LEAST_LIMB = 0.1  # of the figure's size: shorter chains are fingers and curls
_LEAST_BONE = 0.02  # of the figure's size: shorter bones do not make a limb
_NEAR_TRUNK = 0.4  # of the figure's size: largest distance of a separate leg from the trunk's first joint
_MAX_SKINS = 8  # those with the most joints
_LEAST_DISPLACEMENT = 1e-6  # of the figure's size: a clip that moves a joint less keeps it on its limb
_FRAMES_AT_ONCE = 512  # frames whose joints are computed at once
_ROTATIONS_ONLY = (False, False, False, True, True, True)  # what solvers move of a joint that clips take off its limb


def attached(figure: Figure) -> Figure:
    """The figure with detached feet, hands and other ends attached to their limb; the figure itself if it has none.

    The rest pose, the skins and the clips look as before. A joint that the clips take off its limb is free, and solvers
    only rotate it.
    """
    ends, pieces = _sought(figure)
    above = dict(sorted((ends | pieces).items()))
    if not above:
        return figure
    order = _order(_parents(figure.skeleton, above))
    rest = _in_limbs(Pose(figure.skeleton, figure.rest.q[None]), above)
    moved = [_in_limbs(clip.poses, above) for clip in figure.clips]
    off = _LEAST_DISPLACEMENT * figure.skeleton.parts.body.size
    kind = "free" if any(np.abs(one - rest)[..., :3, 3].max() > off for one in moved) else "ball"
    definitions = [_hung(figure, j, above[j], kind) if j in above else figure.skeleton.definitions[j] for j in order]
    skeleton = Skeleton(definitions, figure.skeleton.up)
    new = np.argsort(order).astype(np.int32)
    skins = [
        replace(skin, skeleton=skeleton, joints=new[skin.joints], inverse_bind=skin.inverse_bind[order])
        for skin in figure.skins
    ]
    clips = [
        _converted(clip, skeleton, order, dict(zip(above, np.moveaxis(frames, 1, 0), strict=True)))
        for clip, frames in zip(figure.clips, moved, strict=True)
    ]
    notes = (*figure.notes, *_notes(figure, ends, pieces))
    return replace(figure, skeleton=skeleton, skins=tuple(skins), clips=Clips(clips), notes=notes)


def _notes(figure: Figure, above: Mapping[int, int], pieces: Mapping[int, int]) -> list[str]:
    """Notes: one about ends of limbs, one about pieces that only skins connect, one about both legs."""
    names, legs = figure.skeleton.joints, _loose_legs(figure.skeleton, _carries(figure))
    ends = {joint: limb for joint, limb in above.items() if joint not in legs}
    told = [_note(figure, ends, "stand at the end of a limb and do not hang on it in the file")] if ends else []
    told += [_note(figure, pieces, "share skin with a joint and do not hang on it in the file")] if pieces else []
    if legs:
        both, trunk = " and ".join(names[leg] for leg in legs), names[next(iter(legs.values()))]
        told.append(f"the legs {both} are roots of their own in the file; here they follow {trunk}")
    return told


def _note(figure: Figure, above: Mapping[int, int], why: str) -> str:
    names = figure.skeleton.joints
    listed = ", ".join(f"{names[joint]} on {names[limb]}" for joint, limb in [*above.items()][:6])
    return f"{len(above)} joints {why}; here they follow it: {listed}{', …' if len(above) > 6 else ''}"


# Which joints are detached, and where they belong.


def find_detached(figure: Figure) -> dict[int, int]:
    """Detached joint → the joint of its limb that becomes its parent.

    A joint is detached if it is at the end of a limb (two bones or more) without being its child, at rest or as its
    skin was bound. In a figure with a skin, helpers that carry no skin are not detached, unless roles identify one as
    the only foot or hand of a limb: a skin may be bound to the shin down to the sole. Pieces that only skins connect
    are detached too (`loose_pieces`).
    """
    ends, pieces = _sought(figure)
    return dict(sorted((ends | pieces).items()))


def _sought(figure: Figure) -> tuple[dict[int, int], dict[int, int]]:
    """Detached joint → new parent: ends of limbs, with loose legs, and pieces that only skins connect."""
    skeleton = figure.skeleton
    if not 3 < len(skeleton.joints) <= MOST_JOINTS or not any(_may_hang(joint) for joint in skeleton.definitions):
        return {}, {}
    found: dict[int, int] = {}
    telling = sorted(figure.skins, key=lambda skin: len(skin.used_joints))[-_MAX_SKINS:]
    binds, carries, named = [_bind(skin) for skin in telling], _carries(figure), _named(skeleton)
    while True:
        more = _Search(skeleton.parts.body, binds, _parents(skeleton, found), carries, found, named).found()
        if not more:
            break
        found |= more
    found = dict(sorted((found | _loose_legs(skeleton, carries)).items()))
    return found, _pieces(figure, found)


def _pieces(figure: Figure, found: Mapping[int, int]) -> dict[int, int]:
    """First joints of pieces that only skins connect → their new parents."""
    skeleton = figure.skeleton
    pieces = loose_pieces(skeleton.parts.body, figure.skins, _parents(skeleton, found)) if figure.skins else {}
    return {top: joint for top, joint in pieces.items() if top not in found and _may_hang(skeleton.definitions[top])}


def _may_hang(joint: Joint) -> bool:
    return joint.has_quaternion and not any(joint.anchor)


def _carries(figure: Figure) -> NDArray[np.bool_]:
    """`[joint]` whether it carries a part of a skin or a shape; all of them if nothing does."""
    carries = np.zeros(len(figure.skeleton.joints), bool)
    for skin in figure.skins:
        carries[skin.used_joints] = True
    for shape in figure.shapes:
        carries[figure.skeleton.index(shape.joint)] = True
    return carries if carries.any() else ~carries


def _bind(skin: Skin) -> Array:
    """`[joint, 4, 4]` where joints were when the skin was bound, in its frame; NaN for those that do not move it."""
    frames = np.full(skin.inverse_bind.shape, np.nan)
    frames[skin.used_joints] = np.linalg.pinv(skin.inverse_bind[skin.used_joints])
    return frames


def _seen_from(frames: Array, joint: int) -> Array:
    """`[joint, 3]` the origins of `frames [joint, 4, 4]` in that of `joint`; infinite where not known."""
    if np.isnan(frames[joint, 0, 0]):
        return np.full((len(frames), 3), np.inf)
    seen = apply_transform(np.linalg.pinv(frames[joint]), frames[:, :3, 3])
    return np.where(np.isnan(seen), np.inf, seen)


_LIMBS = (("upper_leg", "lower_leg", "foot"), ("lower_leg", "foot", "toes"), ("upper_arm", "lower_arm", "hand"))


def _named(skeleton: Skeleton) -> list[tuple[int, ...]]:
    """The last three joints of limbs by roles, such as thigh, shin and foot."""
    joints = skeleton.parts.found.joints
    limbs = [[f"{part}_{side}" for part in parts] for parts in _LIMBS for side in "lr"]
    return [tuple(joints[role] for role in limb) for limb in limbs if all(role in joints for role in limb)]


def _loose_legs(skeleton: Skeleton, carries: NDArray[np.bool_]) -> dict[int, int]:
    """Both legs attached to the trunk, if each is a root of the file and the trunk, with head or arms, is another."""
    joints, body = skeleton.parts.found.joints, skeleton.parts.body
    legs = [body.chain(joints[role])[0] for role in ("upper_leg_l", "upper_leg_r") if role in joints]
    uppers = [body.chain(joints[role]) for role in ("head", "upper_arm_l", "upper_arm_r") if role in joints]
    roots = {chain[0] for chain in uppers}
    if len({*legs}) != 2 or len(roots) != 1 or roots & {*legs}:
        return {}
    trunk = next((joint for joint in uppers[0] if body.bodily[joint]), uppers[0][0])
    near = all(body.distance(leg, trunk) < _NEAR_TRUNK * body.size for leg in legs)
    hang = all(_may_hang(skeleton.definitions[leg]) and carries[body.below(leg)].any() for leg in legs)
    return dict.fromkeys(legs, trunk) if near and hang else {}


def _parents(skeleton: Skeleton, above: Mapping[int, int]) -> list[int]:
    return [above.get(j, int(parent)) for j, parent in enumerate(skeleton.parents)]


def _order(parents: list[int]) -> NDArray[np.int64]:
    """The joints in their order, except for those that must come after their parents."""
    children: list[list[int]] = [[] for _ in parents]
    for joint, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(joint)
    order, ready = [], [joint for joint, parent in enumerate(parents) if parent < 0]
    while ready:
        order.append(heapq.heappop(ready))
        for child in children[order[-1]]:
            heapq.heappush(ready, child)
    return np.array(order)


@dataclass(frozen=True, eq=False)
class _Search:
    """One pass over all ends of limbs. binds: of each skin, as a rest pose may be any frame of an animation; parents:
    with what is hung already, `settled`, and in this pass; carries: `[joint]` whether it carries a skin or shapes.
    """

    body: Body
    binds: list[Array]
    parents: list[int]
    carries: NDArray[np.bool_]
    settled: Mapping[int, int]
    named: list[tuple[int, ...]]

    def found(self) -> dict[int, int]:
        """Detached joint → where it belongs, those nearest to the end of their limb first."""
        found: dict[int, int] = {}
        loose = np.array([j for j in range(len(self.parents)) if self._is_loose(j)], int)
        offers = [offer for last in range(len(self.parents)) for offer in self._offers(last, loose)]
        for _, joint, limb in sorted([*offers, *self._by_roles(loose)]):
            if joint not in found and self._belongs(joint, limb):
                self.parents[joint] = found[joint] = limb
        return found

    def _is_loose(self, joint: int) -> bool:
        """Whether it may be detached: it can move, carries a part of the skin, and has less than half of the body."""
        below = self.body.below(joint)
        return (
            joint not in self.settled
            and _may_hang(self.body.definitions[joint])
            and bool(self.carries[below].any())
            and 2 * len(below) < len(self.parents)
        )

    def _offers(self, last: int, loose: NDArray[np.int64]) -> Iterator[tuple[float, int, int]]:
        """(distance, joint, limb): the joints that stand at the end of the bone `last`, or where it is itself."""
        parent, places, tips = self.parents[last], self.body.positions, self.body.definitions[last].tips
        is_leaf = last not in self.parents
        bone = float(np.linalg.norm(places[last] - places[parent])) if parent >= 0 else 0.0
        if not (bone and len(loose) and (tips or is_leaf)):
            return
        rest, *bound = (_seen_from(frames, last) for frames in (self.body.frames, *self.binds))
        known = [view for view in bound if abs(np.linalg.norm(view[parent]) - bone) < _LENGTH_TOLERANCE * bone]
        seen = np.stack([rest, *known])[:, loose]
        ends = [(np.array(tip), last, _NEAR_TIP * float(np.linalg.norm(tip))) for tip in tips]
        ends += [(np.zeros(3), parent, _NEAR_JOINT * bone)] if is_leaf else []
        for end, limb, near in ends:
            gaps = np.linalg.norm(seen - end, axis=-1).min(axis=0)
            for k in np.flatnonzero(gaps < near).tolist():
                doubled = self.carries[last] and not self.carries[loose[k]]  # a handle of what moves the skin there
                yield float(gaps[k]), int(loose[k]), last if doubled else limb
        if not tips:
            yield from ((far, joint, last) for far, joint in self._ahead(last, loose))

    def _ahead(self, last: int, loose: NDArray[np.int64]) -> Iterator[tuple[float, int]]:
        """(distance, joint): those to which a bone without an end points, along the axis by which it is attached
        itself.
        """
        frames, places = self.body.frames, self.body.positions
        before = places[last] - places[self.parents[last]]
        along = frames[last, :3, :3] @ (frames[self.parents[last], :3, :3].T @ normalized(before))
        ahead = places[loose] - places[last]
        far, bone = np.linalg.norm(ahead, axis=1), np.linalg.norm(before)
        fits = (_LEAST_LENGTH * bone < far) & (far < _MAX_LENGTH * bone) & (ahead @ along > _ALONG * far)
        yield from ((float(far[k]), int(loose[k])) for k in np.flatnonzero(fits))

    def _by_roles(self, loose: NDArray[np.int64]) -> Iterator[tuple[float, int, int]]:
        """(distance, joint, limb) of a foot or hand that roles identify, about the length of a bone away."""
        for upper, lower, end in self.named:
            far, bone = self.body.distance(lower, end), self.body.distance(upper, lower)
            if (end in loose or self._is_only_end(end, lower)) and _LEAST_LENGTH * bone < far < _MAX_LENGTH * bone:
                yield far, end, lower

    def _is_only_end(self, end: int, lower: int) -> bool:
        """Whether `end` carries nothing and has another parent, and `lower` carries the skin there instead."""
        below, rest = self.body.below(end), self.body.below(lower)
        is_bare = not self.carries[below].any() and self.carries[lower] and self.carries[rest].sum() == 1
        return bool(is_bare and end not in self.settled and _may_hang(self.body.definitions[end]))

    def _belongs(self, joint: int, limb: int) -> bool:
        """Whether `limb` ends a limb beside `joint`: no other part of the body is between the joint and the joint that
        carries both, and two bones or more are on the other side.
        """
        mine, limbs = self._chain(joint), self._chain(limb)
        shared = sum(one == other for one, other in zip(mine, limbs, strict=False))
        if joint in limbs or limb in mine or self.carries[mine[shared:-1]].any():
            return False
        line = [*limbs[shared:], joint]
        bones = np.linalg.norm(np.diff(self.body.positions[line], axis=0), axis=1) / self.body.size
        return bool((bones > _LEAST_BONE).sum() >= 2 and bones.sum() > _LEAST_LIMB)

    def _chain(self, joint: int) -> list[int]:
        """From the root down to `joint`, with the parents found so far."""
        chain = [joint]
        while self.parents[chain[-1]] >= 0:
            chain.append(self.parents[chain[-1]])
        return chain[::-1]


# The same figure on the other tree.


def _in_limbs(pose: Pose, above: Mapping[int, int]) -> Array:
    """`[frame, attached joint, 4, 4]`: each of `above` in the frame of its limb, for poses `[frame]`."""
    blocks = []
    for start in range(0, len(pose), _FRAMES_AT_ONCE):
        world = pose[start : start + _FRAMES_AT_ONCE].world_from_joint
        blocks.append(rigid_inverse(world[:, list(above.values())]) @ world[:, list(above)])
    return np.concatenate(blocks)


def _hung(figure: Figure, joint: int, limb: int, kind: Literal["ball", "free"]) -> Joint:
    """The joint as a child of `limb`; a ball keeps what its rest coordinates and limits mean."""
    own, rest, parent = figure.skeleton.definitions[joint], figure.rest.world_from_joint, figure.skeleton.parents[joint]
    keeps = kind == "ball" and own.has_quaternion and not own.floating
    neutral = rest[joint]
    if keeps:
        neutral = (rest[parent] if parent >= 0 else np.eye(4)) @ transform(own.position, normalized(own.wxyz))
    local = rigid_inverse(rest[limb]) @ neutral
    placed = replace(
        own,
        kind="ball",
        parent=figure.skeleton.joints[limb],
        position=tuple(local[:3, 3].tolist()),
        wxyz=tuple(wxyz_from_matrix(local[:3, :3]).tolist()),
        rest=own.rest if keeps else None,
        active=None,
        cone=own.cone if keeps else None,
        comfort=own.comfort if keeps else None,
    )
    return placed if kind == "ball" else replace(placed, kind="free", active=_ROTATIONS_ONLY)


def _converted(clip: Clip, skeleton: Skeleton, order: NDArray[np.int64], in_limbs: Mapping[int, Array]) -> Clip:
    """The clip on the other tree. in_limbs: hung joint, by its old number → `[frame, 4, 4]` in its limb's frame."""
    first = clip.skeleton.tables.first_coordinate
    columns = []
    for joint, own in zip(order.tolist(), skeleton.definitions, strict=True):
        if joint not in in_limbs:
            columns.append(clip.q[:, first[joint] : first[joint + 1]])
            continue
        turn = wxyz_from_matrix(in_limbs[joint][:, :3, :3])
        if own.floating:
            columns.append(np.concatenate([in_limbs[joint][:, :3, 3], turn], axis=1))
        else:
            columns.append(wxyz_multiply(wxyz_inverse(normalized(own.wxyz)), turn))
    return replace(clip, skeleton=skeleton, q=np.concatenate(columns, axis=1))

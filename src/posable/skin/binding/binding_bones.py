"""The bones of a skeleton in a pose: the lines along which joints hold the skin."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from posable.errors import SkinError
from posable.skeleton import Pose
from posable.skeleton.body_roles.skeleton_facts import LEAST_SHARE, NOTHING_SEEN, Body
from posable.skin.binding.as_bound import Stance
from posable.skin.binding.surface import Surface
from posable.skin.binding.tree import inside
from posable.skin.mesh import Indices, Mesh
from posable.spatial import Array

_LEAF = 0.5  # of its parent's length: a bone whose end no child and no tip shows
_ALONG, _MOST = 0.99, 0.8  # cosine, and share of the joints with one child: so many have it along one axis of theirs
_ENOUGH = 4  # joints with one child: fewer show no habit


@dataclass(frozen=True, eq=False)
class Bones:
    """Segments start → end `[segment, 3]`; `bone_of [segment]` says whose, `joints [bone]` which joint each bone is of.

    A bone has one segment, or one to each of several children. parents: `[bone]` the bone above, or −1. grip: `[bone]`
    how far from a joint for weapons and tools the thing is that it holds; 0 for the bones of the body.
    """

    joints: Indices
    start: Array
    end: Array
    bone_of: Indices
    parents: Indices
    grip: Array

    @classmethod
    def of(cls, pose: Pose | Stance, shortest: float, used: Indices | None = None) -> Bones:
        """A bone for every joint: from the joint to each of its children; of a leaf, to the mean of its tips, or half
        as long as its parent's bone and along it.

        Programs whose figures are of joints draw bones like that. Blender draws one bone along the y of its own frame:
        where the joints that have one child have it there, a bone of several children goes to the one on its axis, or
        as far along that as they are. A leaf without tips lies along whatever axis of theirs the others lie along.

        used: joints beside which others do not count as children, unless one of these hangs on them; None is all.

        What is not longer than `shortest` gives no direction: the rule is a leaf's. A root without any length is a
        point.
        """
        counts = _carrying(pose.skeleton.parents, used)
        ends = [_ends(pose, joint, counts) for joint in range(len(pose.origins))]
        vector, axis = np.zeros((len(ends), 3)), drawn_along(pose, shortest)
        start, end, bone_of = [], [], []
        for joint, own in enumerate(ends):
            head, parent = pose.origins[joint], pose.skeleton.parents[joint]
            drawn = pose.world_from_joint[joint, :3, :3] @ axis if axis.any() else axis
            mean = own.mean(axis=0, keepdims=True) if len(own) else own
            tries = (_on_axis(head, own, drawn, shortest), mean - head, own - head)
            if axis[1] <= 0 and pose.skeleton.children(joint):
                tries = (own - head,)
            ways = next((w for w in (_longer(way, shortest) for way in tries) if len(w)), None)
            if ways is None:
                length = _LEAF * float(np.linalg.norm(vector[parent])) if parent >= 0 else 0.0
                ways = (length * drawn if axis.any() else _LEAF * vector[parent] * (parent >= 0))[None]
            vector[joint] = ways.mean(axis=0)
            if parent >= 0 and np.linalg.norm(vector[joint]) <= shortest:
                vector[joint] = vector[parent]  # the direction for what comes below
            start += [head] * len(ways)
            end += list(head + ways)
            bone_of += [joint] * len(ways)
        parents = np.asarray(pose.skeleton.parents)
        lines = np.array(start), np.array(end), np.array(bone_of)
        return cls(np.arange(len(ends)), *lines, parents, np.zeros(len(ends)))

    def only(self, joints: Indices, holders: Indices) -> Bones:
        """The bones of these joints and of `holders`, which hold things; of the bones of all joints."""
        joints = np.union1d(joints, holders)
        rows = [np.flatnonzero(self.bone_of == joint) for joint in joints]
        order = np.concatenate(rows)
        bone_of = np.repeat(np.arange(len(joints)), [len(row) for row in rows])
        number = np.full(len(self.joints) + 1, -1)  # the last for what has no parent
        number[joints] = np.arange(len(joints))
        above = self.parents[joints]
        while (skipped := (above >= 0) & (number[above] < 0)).any():
            above = np.where(skipped, self.parents[above], above)
        grip = np.zeros(len(joints))
        grip[number[holders]] = np.linalg.norm(self.heads[holders] - self.heads[self.parents[holders]], axis=1)
        return Bones(joints, self.start[order], self.end[order], bone_of, number[above], grip)

    def moved(self, center: Array, size: float) -> Bones:
        """The same in a frame that lies at `center` and is `size` times as large."""
        start, end = (self.start - center) / size, (self.end - center) / size
        return replace(self, start=start, end=end, grip=self.grip / size)

    def apart(self, points: Array) -> Array:
        """`[bone]`: how far points are from each on average."""
        own = [self.bone_of == bone for bone in range(len(self.joints))]
        return np.array([to_segments(points, self.start[rows], self.end[rows]).mean() for rows in own])

    @cached_property
    def heads(self) -> Array:
        """`[bone, 3]`: where each begins."""
        return self.start[np.unique(self.bone_of, return_index=True)[1]]

    @cached_property
    def lengths(self) -> Array:
        """`[bone]`: the longest segment of each."""
        longest = np.zeros(len(self.joints))
        np.maximum.at(longest, self.bone_of, np.linalg.norm(self.end - self.start, axis=1))
        return longest

    def points(self, count: int) -> Array:
        """`[segment, count, 3]` points spread evenly over every segment, both ends included."""
        t = np.linspace(0, 1, count)[:, None]
        return self.start[:, None] * (1 - t) + self.end[:, None] * t


def _carrying(parents: Indices, used: Indices | None) -> NDArray[np.bool_]:
    """`[joint]`: whether it or one below it is among `used`."""
    found = np.isin(np.arange(len(parents)), np.arange(len(parents)) if used is None else used)
    for joint in range(len(parents) - 1, 0, -1):
        if found[joint] and parents[joint] >= 0:
            found[parents[joint]] = True
    return found


def _ends(pose: Pose | Stance, joint: int, counts: NDArray[np.bool_]) -> Array:
    """`[end, 3]`: where a joint's children are, those that count if any does; or its tips if it has no child."""
    children = list(pose.skeleton.children(joint))
    children = [child for child in children if counts[child]] or children
    if children:
        return pose.origins[children]
    tips = np.array(pose.skeleton.definitions[joint].tips).reshape(-1, 3)
    world_from_joint = pose.world_from_joint[joint]
    return tips @ world_from_joint[:3, :3].T + world_from_joint[:3, 3]


def _longer(ways: Array, shortest: float) -> Array:
    return ways[np.linalg.norm(ways, axis=1) > shortest]


def drawn_along(pose: Pose | Stance, shortest: float) -> Array:
    """`[3]`: the axis, or its opposite, of their own frames on which nearly all joints with one child have that child;
    zeros where no axis is.
    """
    parents = np.asarray(pose.skeleton.parents)
    only = np.flatnonzero((parents >= 0) & (np.bincount(parents[parents >= 0], minlength=len(parents))[parents] == 1))
    ways = pose.origins[only] - pose.origins[parents[only]]
    length = np.linalg.norm(ways, axis=1)
    ways, frames = ways[length > shortest], pose.world_from_joint[parents[only], :3, :3][length > shortest]
    cosine = np.einsum("jba,jb->ja", frames, ways) / length[length > shortest, None]
    share = np.concatenate([cosine >= _ALONG, cosine <= -_ALONG], axis=1).sum(axis=0) / max(len(ways), _ENOUGH)
    best = int(share.argmax())
    return np.eye(3)[best % 3] * (1 - 2 * (best // 3)) * (share[best] >= _MOST)


def _on_axis(head: Array, ends: Array, drawn: Array, shortest: float) -> Array:
    """`[1, 3]`: from a joint of several ends to the one on its axis, or as far along that as any is; else `[0, 3]`."""
    ways = ends - head
    along = ways @ drawn
    if len(ends) < 2 or along.max() <= shortest:
        return np.empty((0, 3))
    on = (along > shortest) & (along >= _ALONG * np.linalg.norm(ways, axis=1))
    return ways[on].mean(axis=0, keepdims=True) if on.any() else (along.max() * drawn)[None]


def to_segments(points: Array, start: Array, end: Array) -> Array:
    """`[point]`: the distance of the nearest segment."""
    way = end - start
    squared = np.maximum((way * way).sum(axis=1), 1e-300)
    t = np.clip(((points[:, None] - start) * way).sum(axis=2) / squared, 0, 1)
    return np.linalg.norm(points[:, None] - start - t[..., None] * way, axis=2).min(axis=1)


def carriers(bones: Bones, shortest: float) -> NDArray[np.bool_]:
    """`[joint]` True where all children of a joint stand where it does: one of several coincident hinges, or a
    frame above the figure; the last of them holds the skin.
    """
    below = bones.parents >= 0
    away = np.linalg.norm(bones.heads[below] - bones.heads[bones.parents[below]], axis=1) > shortest
    children = np.bincount(bones.parents[below], minlength=len(below))
    return (children > 0) & (np.bincount(bones.parents[below], away, minlength=len(below)) == 0)


# Which joints of a skeleton may move the skin, and whether they are where the mesh is.


_SHORTEST = 1e-3  # of the mesh's size: minimum length of a bone
_SMALLEST = 1e-2  # of the mesh's size: a skeleton that spans less is in another unit
_BESIDE = 0.02  # of the mesh's size: how far outside of its box, or beside its surface, joints may well stand
_SAMPLES = 9  # points along a bone that are tested for being in the interior
_FACE, _FRONT = 0.8, 0.7  # of the distance to the face: a segment's length; the cosine from which on its bone does it
_FARTHEST = 0.25  # of the mesh's size: how far ahead a face is looked for
_FINE, _FINER = 60, 4  # points of that line that are tested; times that the search goes on between two of them
_IN_FLESH = 0.75  # of them: a root that begins in the air, and has less in the interior, is a frame, not a bone
_SMALL = 0.25  # of all joints: what more hang on is not a limb
_LITTLE = 0.01  # of all weight: a frame above the figure that moves as little was not meant to
_LISTED = 12  # names in a note
_HOLDS = "hold things: what is in the hand follows them, and no skin"
_REASONS = (
    "were left out as asked",
    _HOLDS,
    "moved no skin in the figure they are from",
    "are handles, ends or frames by their names and positions",
    "only carry others, or stand in the air",
    "lie too far away",
)
"""Why joints take no skin."""


def holding_bones(
    mesh: Mesh, surface: Surface, pose: Pose, names: Iterable[str] | None, without: Iterable[str]
) -> tuple[Bones, list[str]]:
    """The bones of the joints that may move the skin, in the surface's frame, and notes about joints.

    The named joints; or those that moved the skin of the figure that the skeleton is from; or, without one, all but
    handles, frames above the figure, all coincident hinges but the last, and what lies farther away than the mesh is
    large. Joints for weapons and tools are added, for what they hold. Raises SkinError where mesh and skeleton do not
    meet.
    """
    bones = Bones.of(pose, _SHORTEST * mesh.diagonal).moved(surface.center, surface.size)
    away = _away(surface, bones)
    _check_meeting(mesh, pose, away)
    if names is None:
        why = _left_out(surface, bones, pose.skeleton.parts.body, away)
    else:
        why = np.full(len(away), _REASONS[0])
        why[[pose.skeleton.index(name) for name in names]] = ""
    why[[pose.skeleton.index(name) for name in without]] = _REASONS[0]
    joints, holders = np.flatnonzero(why == ""), np.flatnonzero(why == _HOLDS)
    notes = [note for reason in _REASONS for note in _reason_note(pose, why, reason, named=names is not None)]
    _check_place(mesh, pose, joints, away)
    bones = Bones.of(pose, _SHORTEST * mesh.diagonal, joints).moved(surface.center, surface.size)
    chosen = _with_face(bones.only(joints, holders), surface, pose)
    outside = chosen.joints[(chosen.grip == 0) & ~inside(surface.tree, chosen.heads)]
    return chosen, notes + _listing(pose, outside, "lie outside the mesh")


def bones_in(stance: Stance, bones: Bones, surface: Surface) -> Bones:
    """The same bones as they are in a stance, in the frame of the surface there."""
    body = bones.grip == 0
    found = Bones.of(stance, _SHORTEST * surface.size, bones.joints[body])
    found = found.only(bones.joints[body], bones.joints[~body]).moved(surface.center, surface.size)
    return _with_face(found, surface, stance)


def _with_face(bones: Bones, surface: Surface, pose: Pose | Stance) -> Bones:
    """With a segment from the head's joint towards the face, where its bone goes up: chin and jaw hang before the neck,
    below that joint, and belong to the skull. Not where bones are Blender's, whose weights know nothing of it.
    """
    skeleton, shortest = pose.skeleton, _SHORTEST * surface.size
    head, forward = skeleton.parts.joints.get("head", -1), skeleton.parts.forward
    if forward is None or head not in bones.joints or drawn_along(pose, shortest)[1] > 0:
        return bones
    rest = Pose(skeleton, skeleton.rest_coordinates).world_from_joint[head, :3, :3]
    ahead = pose.world_from_joint[head, :3, :3] @ rest.T @ forward
    bone = int(np.flatnonzero(bones.joints == head)[0])
    rows, start = np.flatnonzero(bones.bone_of == bone), bones.heads[bone]
    way, far = (bones.end[rows] - bones.start[rows]).mean(axis=0), _to_air(surface, start, ahead)
    if not far or way @ ahead > _FRONT * np.linalg.norm(way):
        return bones
    new = ((bones.start, start), (bones.end, start + _FACE * far * ahead), (bones.bone_of, bone))
    starts, ends, bone_of = (np.insert(old, rows[-1] + 1, value, axis=0) for old, value in new)
    return replace(bones, start=starts, end=ends, bone_of=bone_of)


def _to_air(surface: Surface, start: Array, way: Array) -> float:
    """How far it is from a point to the air; 0 where it stands there, or none is within reach."""
    low, high = 0.0, _FARTHEST
    for _ in range(_FINER):
        steps = np.linspace(low, high, _FINE)
        deep = inside(surface.tree, start + steps[:, None] * way)
        if not deep[0] or deep.all():
            return 0.0
        first = int(np.argmin(deep))
        low, high = float(steps[first - 1]), float(steps[first])
    return low


def _reason_note(pose: Pose, why: NDArray[np.str_], reason: str, *, named: bool) -> list[str]:
    """A note of the joints left out for a reason; none where those that may move the skin are named."""
    out = np.flatnonzero(why == reason)
    return [] if named else _listing(pose, out, reason if reason == _HOLDS else f"take no skin: they {reason}")


def _left_out(surface: Surface, bones: Bones, body: Body, away: Array) -> NDArray[np.str_]:
    """`[joint]`: why it is not to move the skin; empty for those that are."""
    _, holds, unmoved, no_part, idle, far = _REASONS
    weights, plain = body.seen.weights, replace(body, seen=NOTHING_SEEN)
    why = np.full(len(away), "", f"<U{max(map(len, _REASONS))}")
    above = _above(surface, bones, body)
    moved = None if weights is None else weights > LEAST_SHARE * weights.sum()
    if weights is not None and moved is not None and 2 * moved.sum() >= sum(plain.bodily):
        why[above & (weights < _LITTLE * weights.sum())] = idle
        why[~moved] = unmoved
        props = moved & np.array([use == "prop" for use, _ in body.uses])
    else:
        uses = np.array([use for use, _ in plain.uses])
        why[np.isin(uses, ("control", "helper", "end")) & ~_in_limbs(surface, bones, uses, above)] = no_part
        why[above | carriers(bones, _SHORTEST)] = idle
        props = uses == "prop"
    if 2 * (away > 1).sum() < len(away):
        why[away > 1] = far
    why[props & (bones.parents >= 0)] = holds
    return why if (why == "").any() else np.full_like(why, "")


def _in_limbs(surface: Surface, bones: Bones, uses: NDArray[np.str_], above: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """`[joint]` True for handles by their name that stand in a limb, to which the path lies in the flesh; and for
    roots that stand in the body.
    """
    found = np.isin(uses, ("deforming", "twist"))
    t = np.linspace(0, 1, _SAMPLES)[:, None]
    for joint in np.flatnonzero(np.isin(uses, ("control", "helper"))):
        parent = bones.parents[joint]
        if parent < 0 or (not found[parent] and uses[joint] == "helper"):
            found[joint] = not above[joint]
        elif found[parent] and np.linalg.norm(bones.heads[joint] - bones.heads[parent]) > _SHORTEST:
            way = bones.heads[parent] * (1 - t) + bones.heads[joint] * t
            found[joint] = inside(surface.tree, way).mean() >= _IN_FLESH
    return found


def idle_note(pose: Pose, bones: Bones, weights: NDArray[np.float32], columns: Indices) -> list[str]:
    """A note of the bones that no vertex follows."""
    used = np.bincount(columns.reshape(-1), weights.reshape(-1), minlength=len(bones.joints)) > 0
    return _listing(pose, bones.joints[~used & (bones.grip == 0)], "move no skin: everywhere other bones are nearer")


def _away(surface: Surface, bones: Bones) -> Array:
    """`[bone]`: how far from the mesh's box each joint is, in the mesh's size."""
    half = np.ptp(surface.places[surface.faced], axis=0) / 2
    return np.linalg.norm(np.maximum(np.abs(bones.heads) - half, 0), axis=1)


def _above(surface: Surface, bones: Bones, body: Body) -> NDArray[np.bool_]:
    """`[joint]` True for roots, and what follows on such, that stand in the air with a good part of their bone: a frame
    above the figure, a pole beside it. Not what its name says is a part of the body, nor a detached foot.
    """
    found = np.zeros(len(bones.joints), bool)
    for joint, parent in enumerate(bones.parents):
        if (parent < 0 or found[parent]) and not body.words[joint].part:
            points = bones.points(_SAMPLES)[bones.bone_of == joint]
            flesh = inside(surface.tree, points)
            found[joint] = not flesh[0, 0] and flesh.mean() < _IN_FLESH
            if found[joint] and body.counts[joint] <= _SMALL * len(found):
                found[joint] = surface.gap(points.reshape(-1, 3)).min() > _BESIDE
    return found


def _check_meeting(mesh: Mesh, pose: Pose, away: Array) -> None:
    """Refuse a skeleton that stands across the mesh or beside it: its weights would be nonsense."""
    off = int((away > _BESIDE).sum())
    if off * 2 > len(away) and away.max() <= 1:
        spans = [
            " × ".join(f"{side:.3g}" for side in np.ptp(places, axis=0))
            for places in (mesh.vertices[np.unique(mesh.faces)], pose.origins)
        ]
        raise SkinError(
            f"mesh {mesh.name!r}: {off} of {len(away)} joints lie outside of its box; the mesh spans {spans[0]}"
            f" along x, y and z, the skeleton {spans[1]}; give both the same position, unit and up axis"
        )


def _check_place(mesh: Mesh, pose: Pose, joints: Indices, away: Array) -> None:
    name = f"mesh {mesh.name!r}: "
    if not len(joints):
        raise SkinError(f"{name}no joint is named that may move the skin; leave joints out to take all that fit")
    farthest = joints[np.argmax(away[joints])]
    if away[farthest] > 1:
        raise SkinError(
            f"{name}joint {pose.skeleton.joints[farthest]!r} lies {away[farthest] * mesh.diagonal:.3g} outside of it, "
            f"more than its size {mesh.diagonal:.3g}; give mesh and skeleton the same position and unit"
        )
    span = float(np.linalg.norm(np.ptp(pose.origins, axis=0)))
    if len(pose.origins) > 1 and span < _SMALLEST * mesh.diagonal:
        raise SkinError(f"{name}its size is {mesh.diagonal:.3g} and the skeleton's {span:.3g}; bring both to one unit")


def _listing(pose: Pose, joints: Sequence[int] | Indices, what: str) -> list[str]:
    if not len(joints):
        return []
    names = ", ".join(repr(pose.skeleton.joints[joint]) for joint in joints[:_LISTED])
    more = f" and {len(joints) - _LISTED} more" if len(joints) > _LISTED else ""
    return [f"{len(joints)} of {len(pose.skeleton.joints)} joints {what}: {names}{more}"]

"""The bones of a skeleton in a pose: the lines along which joints hold the skin."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posable.errors import SkinError
from posable.skeleton import Pose
from posable.skin.binding.surface import Surface
from posable.skin.binding.tree import inside
from posable.skin.mesh import Indices, Mesh
from posable.spatial import Array

_LEAF = 0.5  # of its parent's length: a bone whose end no child and no tip shows


@dataclass(frozen=True, eq=False)
class Bones:
    """Segments start → end `[segment, 3]`; `bone_of [segment]` says whose, `joints [bone]` which joint each bone is of.

    A bone has one segment as a rule; several where a joint stands in the middle of its children.
    """

    joints: Indices
    start: Array
    end: Array
    bone_of: Indices
    reach: Array
    parents: Indices

    @classmethod
    def of(cls, pose: Pose, shortest: float) -> Bones:
        """A bone for every joint: from the joint to the mean of its children's positions; of a leaf, to the mean of its
        tips, or half as long as its parent's bone and along it.

        What is not longer than `shortest` gives no direction: the vectors to the several ends are taken one by one, and
        where these are no longer either, a leaf's rule. A root without any length is a point.
        """
        ends = [_ends(pose, joint) for joint in range(len(pose.origins))]
        vector = np.zeros((len(ends), 3))
        start, end, bone_of = [], [], []
        for joint, own in enumerate(ends):
            head, parent = pose.origins[joint], pose.skeleton.parents[joint]
            mean = own.mean(axis=0, keepdims=True) if len(own) else own
            ways = next((w for w in (_longer(head, mean, shortest), _longer(head, own, shortest)) if len(w)), None)
            if ways is None:
                ways = (_LEAF * vector[parent] if parent >= 0 else np.zeros(3))[None]
            vector[joint] = ways.mean(axis=0)
            if parent >= 0 and np.linalg.norm(vector[joint]) <= shortest:
                vector[joint] = vector[parent]  # the direction for what comes below
            start += [head] * len(ways)
            end += list(head + ways)
            bone_of += [joint] * len(ways)
        return cls(np.arange(len(ends)), np.array(start), np.array(end), np.array(bone_of), np.zeros(len(ends)), np.array(pose.skeleton.parents))

    def only(self, joints: Indices) -> Bones:
        """The bones of these joints, in their order."""
        rows = [np.flatnonzero(self.joints[self.bone_of] == joint) for joint in joints]
        order = np.concatenate(rows)
        bone_of = np.repeat(np.arange(len(joints)), [len(row) for row in rows])
        number = np.full(len(self.joints) + 1, -1)
        number[joints] = np.arange(len(joints))
        above = self.parents[joints]
        while (hidden := (above >= 0) & (number[above] < 0)).any():
            above = np.where(hidden, self.parents[above], above)
        return Bones(
            np.asarray(joints), self.start[order], self.end[order], bone_of, self.reach[joints], number[above]
        )

    def moved(self, center: Array, size: float) -> Bones:
        """The same in a frame that lies at `center` and is `size` times as large."""
        return Bones(self.joints, (self.start - center) / size, (self.end - center) / size, self.bone_of, self.reach / size, self.parents)

    def points(self, count: int) -> Array:
        """`[segment, count, 3]` points spread evenly over every segment, both ends included."""
        t = np.linspace(0, 1, count)[:, None]
        return self.start[:, None] * (1 - t) + self.end[:, None] * t


def _ends(pose: Pose, joint: int) -> Array:
    """`[end, 3]`: where a joint's children are, or its tips if it has no child."""
    children = list(pose.skeleton.children(joint))
    if children:
        return pose.origins[children]
    tips = np.array(pose.skeleton.definitions[joint].tips).reshape(-1, 3)
    world_from_joint = pose.world_from_joint[joint]
    return tips @ world_from_joint[:3, :3].T + world_from_joint[:3, 3]


def _longer(head: Array, ends: Array, shortest: float) -> Array:
    ways = ends - head
    return ways[np.linalg.norm(ways, axis=1) > shortest]


def carriers(pose: Pose, shortest: float) -> np.ndarray:
    """`[joint]` True where all children of a joint stand where it does: one of several coincident hinges, or a
    frame above the figure; the last of them holds the skin.
    """
    parents = pose.skeleton.parents
    below = parents >= 0
    away = np.linalg.norm(pose.origins[below] - pose.origins[parents[below]], axis=1) > shortest
    children = np.bincount(parents[below], minlength=len(parents))
    return (children > 0) & (np.bincount(parents[below], away, minlength=len(parents)) == 0)


# Which joints of a skeleton may move the skin, and whether they are where the mesh is.


_SHORTEST = 1e-3  # of the mesh's size: minimum length of a bone
_SMALLEST = 1e-2  # of the mesh's size: a skeleton that spans less is in another unit
_BESIDE = 0.02  # of the mesh's size: how far outside of its box joints may well stand
_SAMPLES = 9  # points along a bone that are tested for being in the interior
_IN_FLESH = 0.75  # of them: a root that begins in the air, and has less in the interior, is a frame, not a bone
_LISTED = 12  # names in a note
_HOLDING = ("deforming", "twist")


def holding_bones(mesh: Mesh, surface: Surface, pose: Pose, names: Iterable[str] | None) -> tuple[Bones, list[str]]:
    """The bones of the joints that may move the skin, in the surface's frame, and notes about joints.

    The named joints; or all but those that only carry others: frames above the figure, all coincident hinges but the
    last, what lies farther away than the mesh is large. Raises SkinError where mesh and skeleton do not meet.
    """
    bones, notes = Bones.of(pose, _SHORTEST * mesh.diagonal).moved(surface.center, surface.size), []
    away = _away(surface, bones)
    _check_meeting(mesh, pose, away)
    if names is None:
        joints, props, told = _deforming(surface, bones, pose, away)
        bones.reach[props] = [
            np.linalg.norm(pose.origins[j] - pose.origins[pose.skeleton.parents[j]]) / surface.size for j in props
        ]
        joints = np.union1d(joints, props)
        notes += told
    else:
        joints = np.unique([pose.skeleton.index(name) for name in names]).astype(np.int64)
    _check_place(mesh, pose, joints, away)
    chosen = bones.only(joints)
    outside = joints[~inside(surface.tree, chosen.start)[np.unique(chosen.bone_of, return_index=True)[1]]]
    return chosen, notes + _listing(pose, outside, "lie outside the mesh")


def idle_note(pose: Pose, bones: Bones, weights: NDArray[np.float32], columns: Indices) -> list[str]:
    """A note of the bones that no vertex follows."""
    used = np.bincount(columns.reshape(-1), weights.reshape(-1), minlength=len(bones.joints)) > 0
    return _listing(pose, bones.joints[~used], "move no skin: everywhere other bones are nearer")


def _deforming(surface: Surface, bones: Bones, pose: Pose, away: Array) -> tuple[Indices, list[str]]:
    """The joints that move the skin of the figure that the skeleton is from; without one, those that structure, names
    and the mesh around them tell from frames, handles and props. And a note of those left out.
    """
    body = pose.skeleton.parts.body
    uses = [use for use, _ in body.uses]
    idle = np.array([use not in _HOLDING for use in uses])
    far = away > 1
    seen = body.seen.weights
    if seen is not None and (seen > 0).any():
        idle |= seen <= 1e-6 * seen.sum()
        idle |= (seen <= 1e-2 * seen.sum()) & _above(surface, bones, pose.skeleton.parents)
    else:
        idle &= ~_in_limbs(surface, bones, pose.skeleton.parents, uses)
        idle |= carriers(pose, _SHORTEST) | _above(surface, bones, pose.skeleton.parents)
    if not (idle | far).all() and far.sum() * 2 < len(far):
        idle |= far
    props = np.flatnonzero([use == "prop" for use in uses])
    if seen is not None and (seen > 0).any():
        props = props[seen[props] > 1e-6 * seen.sum()]
    props = props[np.array([pose.skeleton.parents[j] >= 0 for j in props], bool)]
    idle[props] = True
    joints = np.flatnonzero(~idle) if not idle.all() else np.arange(len(idle))
    out = np.setdiff1d(np.arange(len(idle)), joints)
    return joints, props, _listing(pose, out, "take no skin: they only carry others, or stand in the air")


def _in_limbs(surface: Surface, bones: Bones, parents: Indices, uses: list[str]) -> NDArray[np.bool_]:
    """`[joint]` True for handles by their name that stand in a limb: the bone to them lies in the flesh."""
    found = np.zeros(len(parents), bool)
    heads = bones.start[np.unique(bones.bone_of, return_index=True)[1]]
    for joint, parent in enumerate(parents):
        if parent < 0 or uses[joint] in _HOLDING or not (uses[parent] in _HOLDING or found[parent]) :
            continue
        t = np.linspace(0, 1, _SAMPLES)[:, None]
        found[joint] = inside(surface.tree, heads[parent] * (1 - t) + heads[joint] * t).mean() >= _IN_FLESH and uses[joint] != "prop"
    return found


def _away(surface: Surface, bones: Bones) -> Array:
    """`[bone]`: how far from the mesh's box each joint is, in the mesh's size."""
    heads = bones.start[np.unique(bones.bone_of, return_index=True)[1]]
    half = np.ptp(surface.places, axis=0) / 2
    return np.linalg.norm(np.maximum(np.abs(heads) - half, 0), axis=1)


def _above(surface: Surface, bones: Bones, parents: Indices) -> NDArray[np.bool_]:
    """`[joint]` True for roots, and what follows on such, that stand in the air with a good part of their bone."""
    found = np.zeros(len(parents), bool)
    for joint, parent in enumerate(parents):
        if parent < 0 or found[parent]:
            flesh = inside(surface.tree, bones.points(_SAMPLES)[bones.bone_of == joint])
            found[joint] = not flesh[0, 0] and flesh.mean() < _IN_FLESH
    return found


def _check_meeting(mesh: Mesh, pose: Pose, away: Array) -> None:
    """Refuse a skeleton that stands across the mesh or beside it: its weights would be nonsense."""
    off = int((away > _BESIDE).sum())
    if off * 2 > len(away) and away.max() <= 1:
        spans = [
            " × ".join(f"{side:.3g}" for side in np.ptp(places, axis=0)) for places in (mesh.vertices, pose.origins)
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
    span = float(np.linalg.norm(np.ptp(pose.origins[joints], axis=0)))
    if len(joints) > 1 and span < _SMALLEST * mesh.diagonal:
        raise SkinError(f"{name}its size is {mesh.diagonal:.3g} and the skeleton's {span:.3g}; bring both to one unit")


def _listing(pose: Pose, joints: Sequence[int] | Indices, what: str) -> list[str]:
    if not len(joints):
        return []
    names = ", ".join(repr(pose.skeleton.joints[joint]) for joint in joints[:_LISTED])
    more = f" and {len(joints) - _LISTED} more" if len(joints) > _LISTED else ""
    return [f"{len(joints)} of {len(pose.skeleton.joints)} joints {what}: {names}{more}"]

"""The bones of a skeleton in a pose: the lines along which joints hold the skin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from posable.skeleton import Pose
from posable.skin.mesh import Indices
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

    @classmethod
    def of(cls, pose: Pose, shortest: float) -> Bones:
        """A bone for every joint: from the joint to the mean of its children's places; of a leaf, to the mean of its
        tips, or half as long as its parent's bone and along it.

        What is not longer than `shortest` is no direction: the ways to the several ends are taken one by one, and
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
        return cls(np.arange(len(ends)), np.array(start), np.array(end), np.array(bone_of))

    def only(self, joints: Indices) -> Bones:
        """The bones of these joints, in their order."""
        rows = [np.flatnonzero(self.joints[self.bone_of] == joint) for joint in joints]
        order = np.concatenate(rows)
        bone_of = np.repeat(np.arange(len(joints)), [len(row) for row in rows])
        return Bones(np.asarray(joints), self.start[order], self.end[order], bone_of)

    def moved(self, center: Array, size: float) -> Bones:
        """The same in a frame that lies at `center` and is `size` times as large."""
        return Bones(self.joints, (self.start - center) / size, (self.end - center) / size, self.bone_of)

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
    """`[joint]` True where all children of a joint stand where it does: one of several hinges of the same place, or a
    frame above the figure; the last of them holds the skin.
    """
    parents = pose.skeleton.parents
    below = parents >= 0
    away = np.linalg.norm(pose.origins[below] - pose.origins[parents[below]], axis=1) > shortest
    children = np.bincount(parents[below], minlength=len(parents))
    return (children > 0) & (np.bincount(parents[below], away, minlength=len(parents)) == 0)

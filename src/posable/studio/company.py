"""Several figures that were merged into one: each as a figure of its own."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

import posable
from posable.figures.rebuild import with_joint_names
from posable.studio.document import Document


class Part(NamedTuple):
    """One figure of several. joints, columns: the ranges of its joints and of their coordinates among all."""

    figure: posable.Figure
    joints: slice
    columns: slice

    @property
    def name(self) -> str:
        """The name of the figure among several: what its joints' names begin with."""
        return self.figure.skeleton.joints[0].rpartition("/")[0]

    @property
    def alone(self) -> posable.Figure:
        """The figure with the names of joints that it had before the figures were merged."""
        return with_joint_names(self.figure, lambda joint: joint.rpartition("/")[2])

    def pose(self, whole: posable.Pose) -> posable.Pose:
        """The part of a pose, or of a batch of poses, of all figures that is this one's."""
        return posable.Pose.trusted(self.figure.skeleton, np.ascontiguousarray(whole.q[..., self.columns]))

    def of(self, document: Document) -> Document:
        """The part of a document of all figures that is this one's."""
        names = set(self.figure.skeleton.joints)
        return replace(
            document,
            figure=self.figure,
            opened=self.figure,
            pose=self.pose(document.pose),
            still=None,
            goals=tuple(goal for goal in document.goals if _full_name(document, goal.joint) in names),
            frozen=frozenset(document.frozen & names),
            kept={joint: rotation for joint, rotation in document.kept.items() if joint in names},
        )


def _full_name(document: Document, joint: str) -> str:
    skeleton = document.figure.skeleton
    return skeleton.joints[skeleton.index(joint)]


@lru_cache(maxsize=8)
def parts_of(figure: posable.Figure) -> tuple[Part, ...]:
    """The figures that were merged into one, "first/hips" and "second/hips"; none for a single figure."""
    skeleton = figure.skeleton
    prefixes = [name.rpartition("/")[0] for name in skeleton.joints]
    starts = [k for k, prefix in enumerate(prefixes) if k == 0 or prefix != prefixes[k - 1]]
    parents = skeleton.parents.tolist()
    is_merged = all(above < 0 or prefixes[above] == prefix for above, prefix in zip(parents, prefixes, strict=True))
    if len(starts) < 2 or len(set(prefixes)) != len(starts) or not is_merged:
        return ()
    first = skeleton.tables.first_coordinate
    ends = [*starts[1:], len(prefixes)]
    return tuple(
        Part(_part(figure, a, b), slice(a, b), slice(int(first[a]), int(first[b])))
        for a, b in zip(starts, ends, strict=True)
    )


def parts_or_whole(figure: posable.Figure) -> tuple[Part, ...]:
    """Each of several merged figures; a single figure as the only part."""
    return parts_of(figure) or (whole(figure),)


def whole(figure: posable.Figure) -> Part:
    """Everything as one part."""
    return Part(figure, slice(None), slice(None))


def figures_of(figure: posable.Figure) -> list[posable.Figure]:
    """Each of several merged figures; the figure itself if it is a single one."""
    return [part.figure for part in parts_or_whole(figure)]


def _part(figure: posable.Figure, first: int, end: int) -> posable.Figure:
    """The joints from `first` up to, not including, `end` as a figure of their own, with what they carry."""
    names = set(figure.skeleton.joints[first:end])
    skeleton = posable.Skeleton(figure.skeleton.definitions[first:end], figure.skeleton.up)
    skins = [
        replace(
            skin,
            skeleton=skeleton,
            joints=np.where(skin.weights > 0, skin.joints, first) - first,
            inverse_bind=skin.inverse_bind[first:end],
        )
        for skin in figure.skins
        if first <= skin.joints[skin.weights > 0].min(initial=end) < end
    ]
    shapes, solids = ([one for one in own if one.joint in names] for own in (figure.shapes, figure.solids))
    return posable.Figure(skeleton, figure.name, skins=tuple(skins), shapes=tuple(shapes), solids=tuple(solids))

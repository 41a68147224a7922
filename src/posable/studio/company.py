"""Several figures that were merged into one: each as a figure of its own."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

import posable
from posable.figures.merging import merged_figures, with_joint_names
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
    """The figures that were merged into one; none for a single figure."""
    first = figure.skeleton.tables.first_coordinate
    return tuple(
        Part(one, joints, slice(int(first[joints.start]), int(first[joints.stop])))
        for one, joints in merged_figures(figure)
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

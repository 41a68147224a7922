"""Persons whose files state no limits: their trunk, neck and head rotate no further than a person's."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

import posable
from posable.studio.document import Document

_LIMIT_TOLERANCE = 1e-4  # of a coordinate: larger excesses are not rounding


def solved_figure(document: Document, start: posable.Pose) -> posable.Figure:
    """The figure with the limits with which a document is solved from a pose: its own ones unless the option is on. If
    the pose is outside a person's range, as one set by hand or of a clip may be, none of a person's limits apply.
    """
    options = document.options
    if not options.human_limits or options.natural == 0 or document.demo:
        return document.figure
    return figure_in_range(document.figure, start)


def figure_in_range(figure: posable.Figure, poses: posable.Pose) -> posable.Figure:
    """The figure with a person's limits, if all of the poses are within them, else the figure."""
    limited = _limited(figure)
    return limited if limited is figure or _is_within(limited.skeleton, poses) else figure


def dragged_figure(document: Document) -> posable.Figure:
    """The figure with the limits that apply when a drag goes on."""
    began = document if document.origin is None else document.origin
    return solved_figure(document, began.pose)


def has_human_limits(document: Document) -> bool:
    """Whether drags are solved with limits that the figure itself does not state."""
    return dragged_figure(document) is not document.figure


@lru_cache(maxsize=8)
def _limited(figure: posable.Figure) -> posable.Figure:
    return posable.with_human_limits(figure)


def _is_within(skeleton: posable.Skeleton, pose: posable.Pose) -> bool:
    return bool(np.abs(posable.Pose.trusted(skeleton, np.array(pose.q)).clamped().q - pose.q).max() < _LIMIT_TOLERANCE)

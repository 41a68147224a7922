"""Options that are tried out: one that is switched on and off, or moved there and back, leaves the pose as it was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import posable
from posable.studio.document import Document
from posable.studio.edits.goals import with_free


class Trial:
    """The document before options were changed. Others are solved from it until something else moves the figure."""

    def __init__(self) -> None:
        self._before_trial: Document | None = None
        self._last_pose: posable.Pose | None = None

    def solved(self, before: Document, document: Document, solve: Callable[[Document, Document], Document]) -> Document:
        """The document with other options, solved. With the first options again, it is as it was with them.

        solve: solves a document that follows another.
        """
        base = self._before_trial
        if base is None or before.pose is not self._last_pose:
            base = self._before_trial = before
        document = replace(document, pose=base.pose)
        if base is not before and document.options == base.options:
            document = replace(document, goals=with_free(document), origin=base.origin)
        else:
            document = solve(document, base)
        self._last_pose = document.pose
        return document

    def settled(self, before: posable.Pose, after: posable.Pose) -> None:
        """Note that a solve went on from one pose to another."""
        if before is self._last_pose:
            self._last_pose = after

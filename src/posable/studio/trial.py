"""Options that are tried: what is switched on and off again, or led there and back, leaves the pose as it was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import posable
from posable.studio.document import Document
from posable.studio.edits.goals import with_free


class Trial:
    """The document before options were changed, from which they are solved as long as nothing else moves the figure."""

    def __init__(self) -> None:
        self._base: Document | None = None
        self._shown: posable.Pose | None = None

    def solved(self, before: Document, document: Document, solve: Callable[[Document, Document], Document]) -> Document:
        """The document with other options, solved; with those of the beginning, as it was then.

        solve: a document, as it follows another.
        """
        base = self._base
        if base is None or before.pose is not self._shown:
            base = self._base = before
        document = replace(document, pose=base.pose)
        if base is not before and document.options == base.options:
            document = replace(document, goals=with_free(document), origin=base.origin)
        else:
            document = solve(document, base)
        self._shown = document.pose
        return document

    def settled(self, before: posable.Pose, after: posable.Pose) -> None:
        """A solve has gone on."""
        if before is self._shown:
            self._shown = after

"""Commands about the skin."""

from __future__ import annotations

from dataclasses import replace

from posable.studio import commands as c
from posable.studio.document import Document
from posable.studio.edits import edit


@edit(c.SkinBlend)
def blend(document: Document, command: c.SkinBlend) -> Document:
    """How the skin follows."""
    return replace(document, blend=command.blend)

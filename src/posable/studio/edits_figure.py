"""Commands that take another figure."""

from __future__ import annotations

from dataclasses import replace

import posable
from posable.studio import commands as c
from posable.studio.demos import demo_document
from posable.studio.document import Document
from posable.studio.edits import edit
from posable.studio.opening import document_of


@edit(c.FigureBuiltin)
def builtin(document: Document, command: c.FigureBuiltin) -> Document:
    """A built-in figure."""
    return taken(document, posable.figure(command.name), command.name)


@edit(c.DemoLoad)
def demo(document: Document, command: c.DemoLoad) -> Document:
    """A demonstration."""
    del document
    return demo_document(command.name)


def taken(document: Document, figure: posable.Figure, source: str) -> Document:
    """Another figure in the same studio: how skins follow and gizmos lie stays."""
    return replace(document_of(figure, source), blend=document.blend, space=document.space)

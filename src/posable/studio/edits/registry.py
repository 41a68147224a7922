"""Which function does which command, and `apply`, which calls it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from posable.studio.command import Command
from posable.studio.document import Document

_EDITS: dict[type[Command], Callable[[Document, Command], Document]] = {}

C = TypeVar("C", bound=Command)
Edit = Callable[[Document, C], Document]


def edit(kind: type[C]) -> Callable[[Edit[C]], Edit[C]]:
    """Register the decorated function for commands of this kind."""

    def register(function: Edit[C]) -> Edit[C]:
        _EDITS[kind] = function  # type: ignore[assignment]
        return function

    return register


def apply(document: Document, command: Command) -> Document:
    """The document after a command. Raises PosableError for what is invalid; the document is a value and stays."""
    return _EDITS[type(command)](document, command)


def edits_document(kind: type[Command]) -> bool:
    """Whether commands of this kind edit a document alone; others (undo, say) need the session."""
    return kind in _EDITS

"""Commands to documents: `apply(document, command)` is the document that the command makes of another one.

Nothing is solved here: where goals moved, the session does that next. What each kind of command does stands in
`edits_figure`, `edits_goals`, `edits_joints`, `edits_keys`, `edits_time` and `edits_skin`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TypeVar

from posable.studio.command import Command
from posable.studio.document import Document

_EDITS: dict[type[Command], Callable[[Document, Command], Document]] = {}
_ROOMS = ("figure", "goals", "joints", "keys", "time", "skin")

C = TypeVar("C", bound=Command)
Edit = Callable[[Document, C], Document]


def edit(kind: type[C]) -> Callable[[Edit[C]], Edit[C]]:
    """Marks the function that does commands of this kind."""

    def keep(function: Edit[C]) -> Edit[C]:
        _EDITS[kind] = function  # type: ignore[assignment]
        return function

    return keep


def apply(document: Document, command: Command) -> Document:
    """The document after a command. Raises PosableError for what cannot be done, and then nothing was."""
    for room in _ROOMS:
        importlib.import_module(f"posable.studio.edits_{room}")
    return _EDITS[type(command)](document, command)


def does(command: Command) -> bool:
    """Whether the command is one for documents, and not for the session alone (undo, say)."""
    for room in _ROOMS:
        importlib.import_module(f"posable.studio.edits_{room}")
    return type(command) in _EDITS

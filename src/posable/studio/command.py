"""What all commands have in common, and which function does which."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any, ClassVar, TypeVar

from posable.studio.document import Document


class Unset(Enum):
    """The default of an entry that a command may leave unchanged."""

    UNSET = "unset"


UNSET = Unset.UNSET


class After(Enum):
    """What the session does with the document after a command."""

    MEASURE = "measure how far the goals are from being met"
    SOLVE = "solve the goals from the current pose"
    PLAY = "pose the figure as the timeline has it at the frame"


@dataclass(frozen=True)
class Command:
    """A request from a page. op: its name in messages. after: what the session does next.

    auto_keys: whether auto-key makes keys of the goals that it moves. is_step: whether undo takes it back.
    """

    op: ClassVar[str]
    after: ClassVar[After]
    auto_keys: ClassVar[bool]
    is_step: ClassVar[bool]

    def __init_subclass__(
        cls, *, op: str, after: After = After.MEASURE, auto_keys: bool = False, is_step: bool = True
    ) -> None:
        cls.op, cls.after, cls.auto_keys, cls.is_step = op, after, auto_keys, is_step

    def given(self, *without: str) -> dict[str, Any]:
        """The entries that are set, except those with these names."""
        own = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: value for name, value in own.items() if value is not UNSET and name not in without}


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

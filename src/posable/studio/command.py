"""What all commands have in common."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import Enum
from typing import Any, ClassVar


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

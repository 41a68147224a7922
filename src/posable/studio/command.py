"""What all commands have in common."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import Enum
from typing import Any, ClassVar


class Left(Enum):
    """An entry that a command leaves as it is."""

    AS_IT_IS = "as it is"


AS_IT_IS = Left.AS_IT_IS


@dataclass(frozen=True)
class Command:
    """Something a page asks for. `op` is its name in messages."""

    op: ClassVar[str] = ""

    def given(self, *leaving: str) -> dict[str, Any]:
        """Its entries that are not left as they are, but for those of these names."""
        own = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: value for name, value in own.items() if value is not AS_IT_IS and name not in leaving}

"""Commands read from the JSON that a page sends."""

from __future__ import annotations

from typing import Any

from posable.errors import near_names
from posable.studio import commands
from posable.studio.command import Command
from posable.studio.records import Form, MessageError

_FORM = Form("command")


def _all(kind: type[Command]) -> list[type[Command]]:
    return [found for one in kind.__subclasses__() for found in (one, *_all(one))]


COMMANDS: dict[str, type[Command]] = {one.op: one for one in _all(Command) if one.__module__ == commands.__name__}
"""By their names in messages."""


def command_from(message: Any) -> Command:
    """The command in a JSON object. Raises MessageError for an invalid one."""
    if not isinstance(message, dict) or not isinstance(message.get("op"), str):
        raise MessageError("a command is a JSON object with an op")
    kind = COMMANDS.get(message["op"])
    if kind is None:
        near = near_names(message["op"], COMMANDS, 1)
        guess = f"; did you mean {near[0]}?" if near else ""
        raise MessageError(f"unknown command {message['op'][:40]!r}{guess}")
    return _FORM.from_json(message, kind, kind.op)

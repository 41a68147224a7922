"""The page's half of the schema: types in TypeScript from the Python ones, its codec, and vectors for both.

Run as `python -m posable.studio.typescript` in a clone; a test says when what it writes is out of date.
"""

from __future__ import annotations

import json
import types
from dataclasses import is_dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

import numpy as np

from posable.solvers import short_steps
from posable.studio import balanced_solver, balancing, codec, events, pacing, posing, schema, whole_body
from posable.studio.command import Unset
from posable.studio.commands import COMMANDS
from posable.studio.document import Document, PageEntries, page_form
from posable.studio.records import Entry, entries_of

_WEB = Path(__file__).parents[3] / "web" / "src"
_CODEC = Path(__file__).with_name("codec.ts.txt")
_LISTED = {"STATUSES": "Status", "INTERPOLATIONS": "Interpolation"}
_NAMED = {
    name: hint
    for name, hint in vars(schema).items()
    if get_origin(hint) in (Literal, tuple, Union, types.UnionType) and name not in _LISTED.values()
}
_FIRST = """\
// The messages between page and session: JSON text for commands and events, little-endian bytes for the streams.
"""
_WRITTEN = "// Written by `python -m posable.studio.typescript` from src/posable/studio: change them there."


def write() -> None:
    """Write web/src/schema.ts, web/src/drag-rules.ts and web/src/vectors.json of this clone."""
    (_WEB / "schema.ts").write_text(schema_text(), encoding="utf-8")
    (_WEB / "drag-rules.ts").write_text(drag_rules_text(), encoding="utf-8")
    (_WEB / "vectors.json").write_text(vectors_text(), encoding="utf-8")


def schema_text() -> str:
    """All of schema.ts."""
    parts = [f"{_FIRST}{_WRITTEN}\n"]
    for name, singular in _LISTED.items():
        words = ", ".join(json.dumps(word) for word in getattr(schema, name))
        parts.append(f"export const {name} = [{words}] as const;\nexport type {singular} = (typeof {name})[number];\n")
    parts += [f"export type {name} = {_expanded(hint)};\n" for name, hint in _NAMED.items()]
    parts += [
        _record(record) for record in _records(*get_args(events.ServerEvent), events.UploadAnswer, balancing.BodyShape)
    ]
    parts.append(f"export type ServerEvent = {_expanded(events.ServerEvent)};\n")
    commands = "\n".join(f"  | {_command(kind)}" for kind in COMMANDS.values())
    parts.append(f"export type Command =\n{commands};\n")
    numbers = ("GOAL", "POSE", "CLIP", "ROTATION_GIVEN", "GESTURE_BEGINS", "GESTURE_ENDS", "ROTATION_FREE")
    numbers += ("WITH_TRANSLATIONS", "WITH_COORDINATES")
    parts.append("".join(f"export const {name} = {getattr(codec, name)};\n" for name in numbers))
    parts.append(_CODEC.read_text(encoding="utf-8"))
    return "\n".join(parts)


_DRAG_RULES: tuple[tuple[ModuleType, tuple[str, ...]], ...] = (
    (posing, ("TOLERANCE", "ANGLE_TOLERANCE")),
    (whole_body, ("VISIBLE_MISS",)),
    (short_steps, ("QUICK", "SWIFT")),
    (pacing, ("BODY_PACE", "MEETING", "LEAST_BODY_PACE", "SLOW", "ALLOWED_LAG")),
    (balancing, ("SUPPORT_SHARE", "LEANING_HEIGHT", "MAX_IMBALANCE")),
    (balanced_solver, ("MIN_STRIDE", "FIRST_STRIDE", "RETREATS")),
)
"""Modules, and their numbers by which pages that solve drags themselves do what the session does."""


def drag_rules_text() -> str:
    """All of drag-rules.ts."""
    lines = [f"// Numbers of drags that pages share with the session, which states what they mean.\n{_WRITTEN}"]
    for module, names in _DRAG_RULES:
        lines.append(f"\n// of {module.__name__}")
        lines += [f"export const {name} = {json.dumps(getattr(module, name))};" for name in names]
    return "\n".join(lines) + "\n"


def _records(*hints: Any) -> dict[Any, None]:
    """The records that these hints are made of, each after those that it contains."""
    found: dict[Any, None] = {}
    for hint in hints:
        if _is_record(hint):
            found |= _records(*(one.hint for one in _fields(hint).values())) | {hint: None}
        else:
            found |= _records(*get_args(hint))
    return found


def _is_record(hint: Any) -> bool:
    return is_typeddict(hint) or (is_dataclass(hint) and hint not in page_form().write)


def _fields(record: Any) -> dict[str, Entry]:
    """The fields of a record as pages get it."""
    own = entries_of(record, "page")
    return own | entries_of(PageEntries, "page") if record is Document else own


def _record(record: Any) -> str:
    lines = [f"  {_field(name, one, may_be_missing=is_typeddict(record))};" for name, one in _fields(record).items()]
    summary = (record.__doc__ or "").strip().splitlines()[0]
    return f"/** {summary} */\nexport interface {record.__name__} {{\n" + "\n".join(lines) + "\n}\n"


def _field(name: str, one: Entry, *, may_be_missing: bool) -> str:
    """may_be_missing: whether an optional field may be missing, as in what typed dictionaries and commands say."""
    whole = "Partial<Document>" if name == "set" else _type(one.hint)
    return f"{name}{'?' * (one.is_optional and may_be_missing)}: {whole}"


def _command(kind: Any) -> str:
    entries = [_field(name, one, may_be_missing=True) for name, one in _fields(kind).items()]
    return "{ " + "; ".join([f"op: {json.dumps(kind.op)}", *entries]) + " }"


_PLAIN = {float: "number", int: "number", str: "string", bool: "boolean", type(None): "null", object: "unknown"}


def _type(hint: Any) -> str:
    """The TypeScript of a type, by its own name where it has one."""
    for name in (*_NAMED, *_LISTED.values()):
        if hint == getattr(schema, name):
            return name
    if _is_record(hint):
        return hint.__name__
    if hint in page_form().write:
        return _type(get_type_hints(page_form().write[hint])["return"])
    return _expanded(hint)


def _expanded(hint: Any) -> str:
    origin, of = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        named = [one for one in of if one is not Unset]
        without_null = Union[tuple(one for one in named if one is not type(None))]  # noqa: UP007
        first = _type(without_null) if without_null != hint else " | ".join(_type(one) for one in named)
        return f"{first} | null" if type(None) in named else first
    if origin is Literal:
        return " | ".join(json.dumps(word) for word in of)
    if origin is list or (origin is tuple and of[-1] is Ellipsis):
        inner = _type(of[0])
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if origin is tuple:
        return f"[{', '.join(_type(one) for one in of)}]"
    if origin is dict:
        return f"Record<{_type(of[0])}, {_type(of[1])}>"
    return _PLAIN[hint]


def vectors_text() -> str:
    """Messages with what they hold, for the tests of both codecs: numbers that 4 bytes hold exactly."""
    goal = codec.GoalMessage(
        3, codec.ROTATION_GIVEN | codec.GESTURE_BEGINS, 4_000_000_000, (1.5, -2.25, 0.125), (1, 0, 0, 0)
    )
    count = np.arange(64, dtype=float) / 8
    still = codec.PoseMessage(
        1, 7, count[:3], count[:8].reshape(2, 4), count[8:22].reshape(2, 7), count[22:26].reshape(2, 2)
    )
    sliding = still._replace(status=2, translations=count[30:36].reshape(2, 3))
    going_on = sliding._replace(coordinates=count[36:41])
    clip = codec.ClipMessage(29.5, count[:9].reshape(3, 3), count[:24].reshape(3, 2, 4))
    moving = clip._replace(translations=count[24:42].reshape(3, 2, 3))
    found = {
        "goals": [_vector(codec.pack_goal(goal), goal)],
        "poses": [_vector(codec.pack_pose(one), one) for one in (still, sliding, going_on)],
        "clips": [_vector(codec.pack_clip(one), one) for one in (clip, moving)],
    }
    return json.dumps(found, indent=1) + "\n"


def _vector(message: bytes, values: Any) -> dict[str, Any]:
    found = {
        name: value.ravel().tolist() if isinstance(value, np.ndarray) else value
        for name, value in values._asdict().items()
    }
    return {"hex": message.hex(), **found}


if __name__ == "__main__":
    write()

"""Where markers sit on a figure: the site that a label names (Plug-in-Gait, anatomy), and a table to edit."""

from __future__ import annotations

import itertools
import json
import math
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from posable.errors import PosableError, UnknownJointError
from posable.figures import Figure, Roles, roles
from posable.files import Table, read_tables, write_atomically
from posable.skeleton import Skeleton
from posable.spatial import Array

_TABLE_HEAD = """# Where each marker sits: edit, add or take away tables.
# offset: x, y, z in the joint's frame. spread: how far off the offset may be, 0 for not at all.
"""


@dataclass(frozen=True)
class Attachment:
    """A marker attached to a figure.

    Args:
        joint: The joint that carries the marker.
        offset: Position of the marker in the joint's frame, in the figure's length unit.
        weight: Weight relative to other markers.
        spread: Uncertainty of the offset in the figure's length unit: 0 keeps it exactly, more lets the fit change it.
        alias: Other labels of the marker in files.

    Raises:
        PosableError: For values that are negative or not finite.

    Example:
        >>> knee = posable.Attachment("shin_r", (0.0, 0.02, 0.05), spread=0.02)
    """

    joint: str
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    weight: float = 1.0
    spread: float = 0.0
    alias: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "offset", tuple(float(x) for x in self.offset))
        object.__setattr__(self, "alias", tuple(self.alias))
        if len(self.offset) != 3 or not all(map(math.isfinite, self.offset)):
            raise PosableError(f"a marker on {self.joint!r}: offset is 3 finite numbers, not {self.offset}")
        for what in ("weight", "spread"):
            if not 0 <= getattr(self, what) < math.inf:
                raise PosableError(f"a marker on {self.joint!r}: {what} is at least 0, not {getattr(self, what)}")


@dataclass(frozen=True, eq=False)
class Attachments(Mapping[str, Attachment]):
    """A table from label to attachment, in the order of the file.

    Args:
        by_label: {label: attachment}.

    Example:
        >>> table = posable.Attachments({"RKNE": posable.Attachment("shin_r", (0.0, 0.02, 0.05))})
        >>> table.save("where.toml")
    """

    by_label: Mapping[str, Attachment]

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_label", MappingProxyType(dict(self.by_label)))

    def __reduce__(self) -> tuple[type[Attachments], tuple[object, ...]]:
        """Without the view of its dictionary, which does not pickle."""
        return Attachments, ({**self.by_label},)

    def __getitem__(self, label: str) -> Attachment:
        return self.by_label[label]

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_label)

    def __len__(self) -> int:
        return len(self.by_label)

    def __repr__(self) -> str:
        return f"Attachments({len(self)} markers)"

    def of(self, label: str) -> Attachment | None:
        """The attachment of a label or of an alias; None for an unknown label."""
        if label in self.by_label:
            return self.by_label[label]
        return next((one for one in self.by_label.values() if label in one.alias), None)

    def text(self) -> str:
        """The table as TOML that `load` reads."""
        return _TABLE_HEAD + "".join(_written(label, one) for label, one in self.items())

    def save(self, path: str | Path, *, overwrite: bool = False) -> None:
        """Write the table as TOML. Raises FileError where the file exists, unless `overwrite`."""
        write_atomically(path, self.text(), overwrite=overwrite)

    @staticmethod
    def load(path: str | Path, skeleton: Skeleton) -> Attachments:
        """The table of a TOML file for this skeleton. Raises FileError with what is wrong and where."""
        top, _ = read_tables(path, ())
        top.refuse_unknown(["markers"])
        markers = top.inner("markers", top.get("markers"))
        found = {label: _read(markers.inner(label, markers.get(label)), skeleton) for label in markers.content}
        if not found:
            raise top.error('[markers] names no marker; write [markers.LABEL] with joint = "..."')
        return Attachments(found)


def _written(label: str, one: Attachment) -> str:
    numbers = ", ".join(f"{x:.6g}" for x in one.offset)
    lines = [f"\n[markers.{json.dumps(label, ensure_ascii=False)}]"]
    lines += [f"joint = {json.dumps(one.joint, ensure_ascii=False)}", f"offset = [{numbers}]"]
    lines += [f"{what} = {getattr(one, what):.6g}" for what in ("weight", "spread")]
    if one.alias:
        lines.append(f"alias = {json.dumps(list(one.alias), ensure_ascii=False)}")
    return "\n".join(lines) + "\n"


def _read(table: Table, skeleton: Skeleton) -> Attachment:
    table.refuse_unknown(["joint", "offset", "weight", "spread", "alias"])
    try:
        joint = skeleton.joints[skeleton.index(table.text("joint"))]
    except UnknownJointError as problem:
        raise table.error(str(problem)) from problem
    alias = table.get("alias", [])
    if not isinstance(alias, list) or not all(isinstance(name, str) for name in alias):
        raise table.error("alias must be a list of labels in quotes")
    try:
        return Attachment(
            joint,
            table.numbers("offset", 3, (0.0, 0.0, 0.0)),
            table.number("weight", 1.0),
            table.number("spread", 0.0),
            tuple(alias),
        )
    except PosableError as problem:
        raise table.error(str(problem)) from problem


Side = Literal["l", "r", ""]


class Site(NamedTuple):
    """A site of markers on an adult's body.

    roles: of the body that carries it, the first that the figure has. base: a role near it, the carrier's if empty;
        along: its share of the path from the carrier to the base, 1 at the base.
    out, up, forward: displacement from there, relative to the figure's height; out is to the marker's own side.
    spread: its uncertainty, relative to the height.
    """

    roles: tuple[str, ...]
    base: str = ""
    along: float = 1.0
    out: float = 0.0
    up: float = 0.0
    forward: float = 0.0
    spread: float = 0.02


_LABELS = Path(__file__).with_name("labels.toml")
_INNER = {"med", "medial", "inner", "in"}
_LEFT, _RIGHT = {"l", "left"}, {"r", "right"}
_STARTS: dict[str, Side] = {"left": "l", "right": "r", "l": "l", "r": "r"}
_PIECES = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


class _Labels(NamedTuple):
    """The tables of labels.toml. sided, middle: {code: site}; words: {word: site}; computed: words of no markers."""

    sided: dict[str, Site]
    middle: dict[str, Site]
    words: dict[str, Site]
    computed: frozenset[str]


@cache
def _labels() -> _Labels:
    tables = tomllib.loads(_LABELS.read_text(encoding="utf-8"))

    def site(row: dict[str, Any]) -> Site:
        on, row = row["on"], {("base" if name == "to" else name): row[name] for name in row if name != "on"}
        return Site(tuple(on if isinstance(on, list) else tables["groups"][on]), **row)

    sided, middle = ({code: site(row) for code, row in tables[part].items()} for part in ("sided", "middle"))
    for code, others in tables["same"].items():
        table = sided if code in sided else middle
        table |= dict.fromkeys(others, table[code])
    words = {
        word: {**sided, **middle}[row] if isinstance(row, str) else site(row) for word, row in tables["words"].items()
    }
    return _Labels(sided, middle, words, frozenset(tables["computed"]["words"]))


class Meaning(NamedTuple):
    """The meaning of a label. site: None for a label that names no part of the body; `why` gives the reason."""

    site: Site | None
    side: Side
    why: str = ""


def meaning_of(label: str) -> Meaning:
    """The meaning of a marker's label, without a subject's name before a colon."""
    bare = label.rsplit(":", 1)[-1].strip()
    if bare.startswith("*") or not any(c.isalpha() for c in bare):
        return Meaning(None, "", "has no name")
    code, labels = re.sub(r"[\W_]", "", bare).upper(), _labels()
    for own in (code, code.rstrip("0123456789")):  # the markers of a cluster are numbered
        if own in labels.middle:
            return Meaning(labels.middle[own], "")
        if own == "RBAK":
            return Meaning(labels.sided["BAK"], "r")
        if own[:1] in ("L", "R") and own[1:] in labels.sided:
            return Meaning(labels.sided[own[1:]], "l" if own[0] == "L" else "r")
    return _by_words([piece.lower() for piece in _PIECES.findall(bare)])


def _by_words(words: list[str]) -> Meaning:
    labels = _labels()
    if labels.computed.intersection(words):
        return Meaning(None, "", "is computed, not a marker")
    side: Side = "l" if _LEFT.intersection(words) else "r" if _RIGHT.intersection(words) else ""
    bare = [word for word in words if not word.isdigit()]
    known = {*bare, *(one + two for one, two in itertools.pairwise(bare))}
    for word, site in labels.words.items():
        if word in known or word + "s" in known:
            return Meaning(site._replace(out=-site.out) if _INNER.intersection(words) else site, side)
    for word in bare:  # lknee, rightheel
        for start, own in _STARTS.items():
            if word.startswith(start) and len(word) > len(start) + 3 and word.removeprefix(start) in labels.words:
                return Meaning(labels.words[word.removeprefix(start)], own)
    return Meaning(None, side, "names no part of the body")


SIDED_ROLES = frozenset(
    (
        "shoulder",
        "upper_arm",
        "lower_arm",
        "hand",
        "thumb_2",
        "index_1",
        "middle_1",
        "little_1",
        "upper_leg",
        "lower_leg",
        "foot",
        "toes",
    )
)
"""The roles whose names end in a side."""


# From labels to attachments on a figure.


class Named(NamedTuple):
    """attachments: of the labels that name a site on this figure; unused: label → reason; notes: assumptions."""

    attachments: Attachments
    unused: Mapping[str, str]
    notes: tuple[str, ...]


LACKS = "the figure has no "
"""Begins the reason for a label that names a part of the body which the figure lacks."""


def guess_attachments(figure: Figure, labels: Sequence[str]) -> Named:
    """Guess the attachments of markers from their labels alone, with a spread for their uncertainty."""
    found: dict[str, Attachment] = {}
    unused: dict[str, str] = {}
    sideless: list[str] = []
    body = roles(figure)
    size = figure.height
    for label in labels:
        site, side, why = meaning_of(label)
        if site is None:
            unused[label] = why
            continue
        if not side and SIDED_ROLES.intersection((site.roles[0], site.base)):
            sideless.append(label)
            side = "l"
        attachment = attached(figure, body, site, side, size)
        if attachment is None:
            unused[label] = f"{LACKS}{site.roles[0].replace('_', ' ')}"
        else:
            found[label] = attachment
    notes = (f"no side in {', '.join(sideless)}: taken for the left",) if sideless else ()
    return Named(Attachments(found), unused, notes)


def listed(labels: Sequence[str], most: int = 12) -> str:
    """The labels in a row, of many the first."""
    more = f" and {len(labels) - most} more" if len(labels) > most else ""
    return (", ".join(labels[:most]) or "none") + more


LEAST = 6
"""Fewer understood labels than that do not determine a body; a table of attachments may have fewer."""


def check_body(name: str, labels: Sequence[str], unused: Mapping[str, str]) -> None:
    """Raise PosableError where most labels that name a part of a body name one that the figure does not have, or where
    hardly any are understood.
    """
    found = len(labels) - len(unused)
    without = {label: why.removeprefix(LACKS) for label, why in unused.items() if why.startswith(LACKS)}
    if found and len(without) > found:
        parts = ", ".join(dict.fromkeys(without.values()))
        raise PosableError(
            f"markers {name!r}: of {found + len(without)} labels that name a part of a body, {found} fit the figure, "
            f"which has no {parts}; choose a figure with these parts, or give attachments"
        )
    if 0 < found < LEAST:
        understood = listed([label for label in labels if label not in unused])
        raise PosableError(
            f"markers {name!r}: {found} of {len(labels)} labels are understood, and a body takes at least {LEAST}; "
            f"understood: {understood}; not understood: {listed([*unused])}; rename the labels, or write a "
            "table that says where they sit (attachments)"
        )


def attached(figure: Figure, body: Roles, site: Site, side: Side, size: float) -> Attachment | None:
    """The attachment of a site on this figure; None where it lacks the part. size: the figure's height."""
    carrier = next((role for name in site.roles if (role := _role(name, side)) in body), None)
    if carrier is None:
        return None
    world = figure.rest.world_from_joint[body.index(carrier)]
    base = _role(site.base, side)
    start = world[:3, 3]
    point = start + site.along * (_origin(figure, body, base) - start) if base in body else start
    out = -body.left if side == "r" else body.left
    point = point + size * (site.out * out + site.up * body.up + site.forward * body.forward)
    offset = world[:3, :3].T @ (point - world[:3, 3])
    return Attachment(body[carrier], (offset[0], offset[1], offset[2]), spread=site.spread * size)


def _origin(figure: Figure, body: Roles, role: str) -> Array:
    return figure.rest.origins[body.index(role)]


def _role(name: str, side: Side) -> str:
    return f"{name}_{side or 'l'}" if name in SIDED_ROLES else name

"""Where markers sit on a figure: a table that people can edit."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from posable.errors import PosableError, UnknownJointError
from posable.files import Table, read_tables, write_atomically
from posable.skeleton import Skeleton

_HEAD = """# Where each marker sits: edit, add or take away tables.
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
        return _HEAD + "".join(_written(label, one) for label, one in self.items())

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

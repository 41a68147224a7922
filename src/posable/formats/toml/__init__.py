"""posable's own text description of a figure (`.toml`), written by hand or by `save`.

`docs/text-description.md` has every key. A figure of skeleton and shapes alone is stored exactly: what is written
reads back the same, and writing that gives the same text. Skins from files and clips cannot be stored; the file lists
omissions (`left_out`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from posable.clips import Clip
from posable.errors import SkeletonError, SkinError, UnsupportedFileError
from posable.figures import Figure, Shape
from posable.figures.shapes import SIZES
from posable.files import Table, check_count, generator, read_tables, write_atomically
from posable.formats.toml.joints import Angle, check_tree, joint_tables, read_joint, rotation
from posable.formats.toml.tube import Tube, read_tube, tube_skin
from posable.formats.toml.writer import description
from posable.skeleton import Joint, Pose, Skeleton

SECTIONS = ("joint", "chain", "shape", "skin")
TOP_KEYS = ("posable", "generator", "left_out", "name", "up", "angles")
SHAPE_KEYS = ("joint", "kind", "size", "position", "wxyz", "turn", "color")
VERSION = 1
MAX_TUBES = 100
MAX_VERTICES = 1_000_000  # of all tubes together
MAX_BIND_MATRICES = 1_000_000


@dataclass(frozen=True)
class Source:
    """Content of a text description beyond the figure, kept for writing it again."""

    generator: str | None
    left_out: str | None
    tubes: tuple[Tube, ...]


def read(path: str | Path) -> Figure:
    """Read a text description. Raises FileError with the line and the cure."""
    top, entries = read_tables(path, SECTIONS)
    _check_top(top)
    angle: Angle = math.radians if top.choice("angles", ("degrees", "radians"), "degrees") == "degrees" else float
    skeleton = _skeleton(top, [entry for entry in entries if entry[0] in ("joint", "chain")], angle)
    shapes = tuple(_shape(table, skeleton, angle) for section, table in entries if section == "shape")
    check_count(path, sum(section == "skin" for section, _ in entries), MAX_TUBES, "skins")
    tubes = [(table, read_tube(table, skeleton)) for section, table in entries if section == "skin"]
    vertices = sum(len(skeleton.chain(tube.end)) * tube.rings * tube.sides for _, tube in tubes)
    check_count(path, vertices, MAX_VERTICES, "vertices of tubes")
    check_count(path, len(tubes) * len(skeleton.joints), MAX_BIND_MATRICES, "bind matrices (skins × joints)")
    left_out = top.text("left_out", None)
    return Figure(
        skeleton,
        name=top.text("name", ""),
        skins=tuple(_skin(table, tube, skeleton) for table, tube in tubes),
        shapes=shapes,
        notes=(f"this text description leaves out {left_out}",) if left_out else (),
        source=Source(top.text("generator", None), left_out, tuple(tube for _, tube in tubes)),
    )


def write(path: str | Path, figure: Figure, motion: Pose | Clip | None = None) -> None:
    """Write skeleton and shapes as text; a pose becomes the rest pose. Raises UnsupportedFileError for a clip."""
    if isinstance(motion, Clip):
        raise UnsupportedFileError(path, "a text description cannot store motion; save the clip as .bvh or .glb")
    if motion is not None and motion.shape:
        raise UnsupportedFileError(path, f"a text description stores one pose, not {motion.shape}; save one of them")
    source = figure.source if isinstance(figure.source, Source) else Source(generator(), None, ())
    names = {skin.name for skin in figure.skins}
    tubes = [tube for tube in source.tubes if tube.name in names]
    text = description(figure, motion, source.generator, source.left_out, tubes)
    try:
        write_atomically(path, text.encode("utf-8"))
    except UnicodeEncodeError as problem:
        raise UnsupportedFileError(
            path, "a name contains an unpaired surrogate, which no text file can store; rename it"
        ) from problem


def _check_top(top: Table) -> None:
    if "posable" not in top:
        raise top.error("is TOML, but not a description of a figure, which begins with posable = 1")
    written_in = top.whole("posable", low=1)
    if written_in > VERSION:
        raise top.error(
            f"is written in version {written_in} of the description; this posable reads {VERSION}: update it", "posable"
        )
    top.refuse_unknown((*TOP_KEYS, *SECTIONS))


def _skeleton(top: Table, entries: Sequence[tuple[str, Table]], angle: Angle) -> Skeleton:
    tables = joint_tables(entries)
    if not tables:
        raise top.error("has no joint; begin with a [[joint]]")
    joints = [read_joint(table, angle) for table in tables]
    check_tree(tables, joints)
    up = top.choice("up", ("y", "z"), "y")
    try:
        return Skeleton(joints, up)
    except SkeletonError as problem:
        table = _named_in(str(problem), tables, joints) or top
        raise table.error(str(problem).removeprefix(table.what).lstrip(": ")) from problem


def _named_in(problem: str, tables: Sequence[Table], joints: Sequence[Joint]) -> Table | None:
    """The table of the joint that the message names."""
    for table, joint in zip(tables, joints, strict=True):
        if problem.startswith(f"joint {joint.name!r}"):
            return table
    return None


def _shape(table: Table, skeleton: Skeleton, angle: Angle) -> Shape:
    table.refuse_unknown(SHAPE_KEYS)
    kind: Any = table.choice("kind", tuple(SIZES))
    size = table.get("size")
    color = table.numbers("color", 3, None)
    if color is not None and not all(0 <= c <= 1 for c in color):
        raise table.error("color is red, green and blue, each from 0 to 1", "color")
    try:
        joint = table.text("joint")
        skeleton.index(joint)
        return Shape(
            joint,
            kind,
            table.as_numbers("size", size if isinstance(size, list) else [size], SIZES[kind]),
            position=table.numbers("position", 3, (0.0, 0.0, 0.0)),
            wxyz=rotation(table, angle),
            color=color,
        )
    except SkeletonError as problem:
        raise table.error(str(problem)) from problem


def _skin(table: Table, tube: Tube, skeleton: Skeleton) -> Any:
    try:
        return tube_skin(tube, skeleton)
    except SkinError as problem:
        raise table.error(str(problem)) from problem

"""Joints of the text description: from tables with line numbers to `Joint`s; chains are expanded."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from posable.errors import SkeletonError, near_names
from posable.files import Table, check_count
from posable.skeleton import MAX_JOINTS, Axis, Cone, Follow, Joint
from posable.skeleton.joint import MANIFOLDS, SINGLE_AXIS_KINDS
from posable.spatial import wxyz_about, wxyz_multiply

Angle = Callable[[float], float]
"""Converts the file's angles to radians."""

AXIS_KEYS = ("axis", "slide", "limits", "anchor", "name", "follow", "reference")
FOLLOW_KEYS = ("joint", "gain", "offset", "axis")
CONE_KEYS = ("axis", "swing", "twist", "center")
JOINT_KEYS = (
    "name", "kind", "parent", "position", "wxyz", "turn", "axis", "limits", "follow",
    "reference", "axes", "anchor", "cone", "rest", "active", "absolute", "ease", "stiffness",
    "elasticity", "comfort", "mass", "mass_center", "tips", "capsules", "aliases", "habits",
)  # fmt: skip
CHAIN_KEYS = (*(key for key in JOINT_KEYS if key not in ("aliases", "habits")), "count", "step", "cycle")
TAPERING = ("ease", "stiffness", "elasticity", "mass")
DIRECTIONS = {f"{sign}{letter}": tuple((-1.0 if sign else 1.0) * (k == i) for k in range(3))
              for sign in ("", "-") for i, letter in enumerate("xyz")}  # fmt: skip
MAX_CHAIN = 10_000


def joint_tables(entries: Sequence[tuple[str, Table]]) -> list[Table]:
    """One table per joint, in file order, chains expanded. Counts are checked before allocation."""
    total = 0
    for section, table in entries:
        if section == "chain":
            table.refuse_unknown(CHAIN_KEYS)
        total += table.whole("count", low=1, high=MAX_CHAIN) if section == "chain" else 1
        check_count(table.path, total, MAX_JOINTS, "joints")
    tables = []
    for section, table in entries:
        tables += _links(table) if section == "chain" else [table]
    return tables


def _links(chain: Table) -> Iterator[Table]:
    """A chain as joints NAME_1 … NAME_count: the first at `position`, each other one `step` from its predecessor."""
    count, name = chain.whole("count"), chain.text("name")
    step = list(chain.numbers("step", 3))
    cycle = _cycle(chain)
    tapers = {key: _taper(chain, key, count) for key in TAPERING if isinstance(chain.get(key, None), list)}
    for i in range(count):
        changes: dict[str, Any] = {"name": f"{name}_{i + 1}", "count": None, "step": None, "cycle": None}
        changes |= {"axis": cycle[i % len(cycle)]} if cycle else {}
        changes |= {key: values[i] for key, values in tapers.items()}
        if i:
            changes |= {"parent": f"{name}_{i}", "position": step, "wxyz": None, "turn": None}
        if i < count - 1:
            changes["tips"] = None
        elif "tips" not in chain:
            changes["tips"] = [step]
        yield chain.with_content(**changes)


def _cycle(chain: Table) -> list[Any]:
    cycle = chain.get("cycle", [])
    if not isinstance(cycle, list) or ("cycle" in chain and not cycle):
        raise chain.error('cycle must be axes in brackets, such as ["x", "y"]', "cycle")
    if cycle and "axis" in chain:
        raise chain.error("give axis (the same for every joint) or cycle (one after the other), not both", "cycle")
    return cycle


def _taper(chain: Table, key: str, count: int) -> list[float]:
    first, last = chain.numbers(key, 2)
    return [first + (last - first) * (i / max(count - 1, 1)) for i in range(count)]


def read_joint(table: Table, angle: Angle) -> Joint:
    """The joint that a table describes. Raises FileError with the line."""
    table.refuse_unknown(JOINT_KEYS)
    name, kind = table.text("name"), table.choice("kind", tuple(MANIFOLDS), "hinge")
    try:
        axes = _axes(table, kind, angle)
        turns = _which_turn(kind, axes)
        eased = float if any(axis.slide for axis in axes) else angle
        return Joint(
            name,
            kind,
            parent=table.text("parent", None),
            position=table.numbers("position", 3, (0.0, 0.0, 0.0)),
            wxyz=rotation(table, angle),
            axes=axes,
            anchor=table.numbers("anchor", 3, (0.0, 0.0, 0.0)),
            cone=_cone(table, angle),
            rest=_rest(table, kind, turns, angle),
            active=_active(table, len(turns)),
            absolute=table.flag("absolute"),
            ease=eased(table.number("ease", 0.0)),
            stiffness=table.number("stiffness", 0.0),
            elasticity=table.number("elasticity", 0.0),
            comfort=_comfort(table, turns, angle),
            mass=table.number("mass", None),
            mass_center=table.numbers("mass_center", 3, (0.0, 0.0, 0.0)),
            tips=tuple(table.as_numbers("tips", tip, 3) for tip in _array(table, "tips")),
            capsules=tuple(table.as_numbers("capsules", one, 7) for one in _array(table, "capsules")),
            aliases=_aliases(table),
            habits=table.text("habits", ""),
        )
    except SkeletonError as problem:
        raise table.error(str(problem).removeprefix(f"joint {name!r}: ")) from problem


def rotation(table: Table, angle: Angle) -> Any:
    """The rotation under `wxyz`, or under `turn`: about the named axes in order, each moved by its predecessors."""
    if "turn" not in table:
        return table.numbers("wxyz", 4, (1.0, 0.0, 0.0, 0.0))
    if "wxyz" in table:
        raise table.error("give either `wxyz` or `turn`", "turn")
    turns = table.inner("turn", table.get("turn"))
    turns.refuse_unknown(tuple("xyz"))
    wxyz = (1.0, 0.0, 0.0, 0.0)
    for letter in turns.content:
        wxyz = wxyz_multiply(wxyz, wxyz_about(DIRECTIONS[letter], angle(turns.number(letter))))
    return tuple(float(x) for x in wxyz)


def _axes(table: Table, kind: str, angle: Angle) -> tuple[Axis, ...]:
    own = [key for key in ("axis", "limits", "follow", "reference") if key in table]
    if "axes" in table:
        if own:
            raise table.error(f"{own[0]} belongs inside axes here, one table for each axis", own[0])
        slides = MANIFOLDS[kind].axes or ()
        return tuple(
            _listed_axis(table, item, k < len(slides) and slides[k], angle)
            for k, item in enumerate(_array(table, "axes"))
        )
    if kind in SINGLE_AXIS_KINDS:
        return (_axis(table, angle, slide=MANIFOLDS[kind].axes == (True,), name="", anchor=(0.0, 0.0, 0.0)),)
    if own:
        raise table.error(f"a {kind} joint has no single axis; leave {own[0]} out, or write axes = [...]", own[0])
    return Joint("", "planar").axes if kind == "planar" else ()


def _listed_axis(table: Table, item: Any, slide: bool, angle: Angle) -> Axis:
    axis = table.inner("axes", item if isinstance(item, dict) else {"axis": item})
    axis.refuse_unknown(AXIS_KEYS)
    return _axis(
        axis,
        angle,
        slide=axis.flag("slide", slide),
        name=axis.text("name", ""),
        anchor=axis.numbers("anchor", 3, (0.0, 0.0, 0.0)),
    )


def _axis(table: Table, angle: Angle, *, slide: bool, name: str, anchor: Any) -> Axis:
    """The axis with its direction, limits and mimic from `table`: a single-axis joint, or an entry of axes."""
    scale = float if slide else angle
    lower, upper = (scale(x) for x in table.numbers("limits", 2, (-math.inf, math.inf), infinite=True))
    if lower > upper:
        raise table.error(f"limits are crossed: write the lower one first, not {table.get('limits')}", "limits")
    follow = _follow(table, scale) if "follow" in table else None
    reference = scale(table.number("reference", 0.0))
    return Axis(_direction(table), slide, anchor, lower, upper, name, follow, reference)


def _direction(table: Table) -> Any:
    value = table.get("axis")
    if not isinstance(value, str):
        return table.as_numbers("axis", value, 3)
    if value not in DIRECTIONS:
        raise table.error(f"axis must be one of {', '.join(DIRECTIONS)}, or three numbers, not {value[:40]!r}", "axis")
    return DIRECTIONS[value]


def _follow(table: Table, scale: Angle) -> Follow:
    follow = table.inner("follow", table.get("follow"))
    follow.refuse_unknown(FOLLOW_KEYS)
    return Follow(
        follow.text("joint"),
        gain=follow.number("gain", 1.0),
        offset=scale(follow.number("offset", 0.0)),
        axis=follow.whole("axis", 0, high=MAX_JOINTS),
    )


def _cone(table: Table, angle: Angle) -> Cone | None:
    if "cone" not in table:
        return None
    cone = table.inner("cone", table.get("cone"))
    cone.refuse_unknown(CONE_KEYS)
    twist = cone.numbers("twist", 2, None)
    return Cone(
        _direction(cone),
        swing=angle(cone.number("swing")) if "swing" in cone else math.pi,
        twist=(-math.pi, math.pi) if twist is None else (angle(twist[0]), angle(twist[1])),
        center=cone.numbers("center", 4, (1.0, 0.0, 0.0, 0.0)),
    )


def _which_turn(kind: str, axes: Sequence[Axis]) -> list[bool]:
    """Whether each degree of freedom is an angle."""
    own = (axis.slide for axis in axes if axis.follow is None)
    return [not slide for slide in (*MANIFOLDS[kind].slides, *own)]


def _rest(table: Table, kind: str, turns: Sequence[bool], angle: Angle) -> tuple[float, ...] | None:
    if "rest" not in table:
        return None
    are_angles = [False] * (len(turns) + 1) if MANIFOLDS[kind].rotation else turns
    value = table.get("rest")
    numbers = table.as_numbers("rest", value if isinstance(value, list) else [value], len(are_angles))
    return tuple(angle(x) if turn else x for x, turn in zip(numbers, are_angles, strict=True))


def _active(table: Table, dof: int) -> tuple[bool, ...] | None:
    value = table.get("active", None)
    if value is None:
        return None
    flags = value if isinstance(value, list) else [value] * dof
    if not all(isinstance(flag, bool) for flag in flags) or not isinstance(value, list | bool):
        raise table.error("active must be true, false, or a list with one per degree of freedom", "active")
    return tuple(flags)


def _comfort(table: Table, turns: Sequence[bool], angle: Angle) -> tuple[tuple[float, float], ...] | None:
    """One pair, or one per degree of freedom."""
    if "comfort" not in table:
        return None
    value = _array(table, "comfort")
    pairs = value if not value or isinstance(value[0], list) else [value]
    if len(pairs) != len(turns):
        raise table.error(
            f"comfort needs {len(turns)} pairs [lower, upper], one per degree of freedom, not {len(pairs)}", "comfort"
        )
    ranges = []
    for pair, turn in zip(pairs, turns, strict=True):
        lower, upper = (angle(x) if turn else x for x in table.as_numbers("comfort", pair, 2, infinite=True))
        if lower > upper:
            raise table.error(f"comfort range is crossed: write the lower end first, not {pair}", "comfort")
        ranges.append((lower, upper))
    return tuple(ranges)


def _aliases(table: Table) -> tuple[str, ...]:
    aliases = _array(table, "aliases")
    if not all(isinstance(alias, str) for alias in aliases):
        raise table.error("aliases must be strings in quotes", "aliases")
    return tuple(aliases)


def _array(table: Table, key: str) -> list[Any]:
    value = table.get(key, [])
    if not isinstance(value, list):
        raise table.error(f"{key} must be a list in brackets", key)
    return value


def check_tree(tables: Sequence[Table], joints: Sequence[Joint]) -> None:
    """Check that names are unique and parents come first. Raises FileError with the line."""
    known: dict[str, Table] = {}
    everyone = {joint.name for joint in joints}
    for table, joint in zip(tables, joints, strict=True):
        if joint.name in known:
            before = known[joint.name].line
            where = f" by the one in line {before}" if before else ""
            raise table.error(f"the name {joint.name!r} is taken{where}; names must be unique", "name")
        if joint.parent is not None and joint.parent not in known:
            raise table.error(f"its parent {joint.parent!r} {_absence(joint.parent, everyone)}", "parent")
        known[joint.name] = table


def _absence(parent: str, everyone: set[str]) -> str:
    if parent in everyone:
        return "comes later, or the parents form a cycle; parents must come first"
    near = near_names(parent, everyone, 2)
    return f"does not exist; did you mean {' or '.join(near)}?" if near else "does not exist"

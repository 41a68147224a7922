"""Writes a figure as a text description: canonical, with every number as short as exact reading allows."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from posable.figures import Figure, Shape
from posable.formats.toml.joints import DIRECTIONS
from posable.formats.toml.tube import Tube
from posable.skeleton import Axis, Cone, Follow, Joint, Pose, Skeleton
from posable.skeleton.joint import SINGLE_AXIS_KINDS

Angle = Callable[[float], float]
"""Converts radians to the file's angles."""

_ORIGIN = (0.0, 0.0, 0.0)
_NO_TURN = (1.0, 0.0, 0.0, 0.0)


class _NotInDegreesError(Exception):
    """An angle that has no short exact value in degrees."""


def description(
    figure: Figure, pose: Pose | None, generator: str | None, left_out: str | None, tubes: Sequence[Tube]
) -> str:
    """The text: in degrees if every angle has a short exact value, else in radians.

    pose: becomes the rest pose. tubes: the skins that the text can store.
    """
    joints = figure.skeleton.definitions if pose is None else _resting(figure.skeleton, pose)
    left_out = _left_out(figure, tubes) or left_out
    for angles, to_file in (("degrees", _degrees), ("radians", float)):
        top = {
            "posable": 1,
            "generator": generator,
            "left_out": left_out,
            "name": figure.name or None,
            "up": figure.skeleton.up,
            "angles": angles,
        }
        try:
            tables = [
                *(("joint", _joint(joint, to_file)) for joint in joints),
                *(("shape", _shape(shape)) for shape in figure.shapes),
                *(("skin", _tube(tube)) for tube in tubes),
            ]
        except _NotInDegreesError:
            continue
        return "\n".join(
            [*_lines(top), *(line for name, table in tables for line in ("", f"[[{name}]]", *_lines(table))), ""]
        )
    raise AssertionError("radians are always exact")


def _left_out(figure: Figure, tubes: Sequence[Tube]) -> str | None:
    skins, clips = len(figure.skins) - len(tubes), len(figure.clips)
    parts = [f"{count} {what}{'s' * (count > 1)}" for count, what in ((skins, "skin"), (clips, "clip")) if count > 0]
    return f"{' and '.join(parts)}: keep them in a .glb" if parts else None


def _resting(skeleton: Skeleton, pose: Pose) -> list[Joint]:
    """The joints with `pose` as their rest; a neutral rest is omitted."""
    neutral = Skeleton([replace(joint, rest=None) for joint in skeleton.definitions], skeleton.up)
    before = Pose(neutral, neutral.rest_coordinates)
    joints = []
    for plain in neutral.definitions:
        own = tuple(float(x) for x in pose.of(plain.name))
        joints.append(plain if own == tuple(before.of(plain.name)) else replace(plain, rest=own))
    return joints


def _degrees(angle: float) -> float:
    if not math.isfinite(angle):
        return angle
    for digits in range(1, 10):
        degrees = float(f"{math.degrees(angle):.{digits}g}")
        if math.radians(degrees) == angle:
            return degrees
    raise _NotInDegreesError


def _joint(joint: Joint, to_file: Angle) -> dict[str, Any]:
    turns = [not slide for slide in joint.slides]
    eased = float if any(axis.slide for axis in joint.axes) else to_file
    return {
        "name": joint.name,
        "kind": joint.kind,
        "parent": joint.parent,
        "position": _unless(joint.position, _ORIGIN),
        "wxyz": _unless(joint.wxyz, _NO_TURN),
        **_axes(joint, to_file),
        "anchor": _unless(joint.anchor, _ORIGIN),
        "cone": joint.cone and _cone(joint.cone, to_file),
        "rest": _rest(joint, turns, to_file),
        "active": _active(joint),
        "absolute": _unless(joint.absolute, False),
        "ease": _unless(eased(joint.ease), 0.0),
        "stiffness": _unless(joint.stiffness, 0.0),
        "elasticity": _unless(joint.elasticity, 0.0),
        "comfort": _comfort(joint, turns, to_file),
        "mass": joint.mass,
        "mass_center": _unless(joint.mass_center, _ORIGIN),
        "tips": _unless(joint.tips, ()),
        "capsules": _unless(joint.capsules, ()),
        "aliases": _unless(joint.aliases, ()),
        "habits": _unless(joint.habits, ""),
    }


def _unless(value: Any, default: Any) -> Any:
    return None if value == default else value


def _axes(joint: Joint, to_file: Angle) -> dict[str, Any]:
    if not joint.axes or (joint.kind == "planar" and joint.axes == Joint("", "planar").axes):
        return {}
    tables = [_axis(axis, to_file) for axis in joint.axes]
    if joint.kind in SINGLE_AXIS_KINDS and tables[0].keys() <= {"axis", "slide", "limits", "follow", "reference"}:
        return {key: value for key, value in tables[0].items() if key != "slide"}
    return {"axes": [table if joint.kind == "compound" else _without(table, "slide") for table in tables]}


def _without(table: dict[str, Any], gone: str) -> dict[str, Any]:
    return {key: value for key, value in table.items() if key != gone}


def _axis(axis: Axis, to_file: Angle) -> dict[str, Any]:
    scale = float if axis.slide else to_file
    limits = (scale(axis.lower), scale(axis.upper))
    table = {
        "axis": next((name for name, way in DIRECTIONS.items() if way == axis.direction), axis.direction),
        "slide": axis.slide or None,
        "limits": _unless(limits, (-math.inf, math.inf)),
        "anchor": _unless(axis.anchor, _ORIGIN),
        "name": _unless(axis.name, Axis(axis.direction).name),
        "follow": axis.follow and _follow(axis.follow, scale),
        "reference": _unless(scale(axis.reference), 0.0),
    }
    return {key: value for key, value in table.items() if value is not None}


def _follow(follow: Follow, scale: Angle) -> dict[str, Any]:
    return {
        "joint": follow.joint,
        "gain": _unless(follow.gain, 1.0),
        "offset": _unless(scale(follow.offset), 0.0),
        "axis": _unless(follow.axis, 0),
    }


def _cone(cone: Cone, to_file: Angle) -> dict[str, Any]:
    return {
        "axis": next((name for name, way in DIRECTIONS.items() if way == cone.axis), cone.axis),
        "swing": to_file(cone.swing),
        "twist": tuple(to_file(x) for x in cone.twist),
        "center": _unless(cone.center, _NO_TURN),
    }


def _rest(joint: Joint, turns: Sequence[bool], to_file: Angle) -> Any:
    if joint.rest is None:
        return None
    if joint.has_quaternion:
        return joint.rest
    numbers = [to_file(x) if turn else x for x, turn in zip(joint.rest, turns, strict=True)]
    return numbers[0] if len(numbers) == 1 else numbers


def _active(joint: Joint) -> Any:
    if joint.active is None:
        return None
    return bool(joint.active[0]) if len(set(joint.active)) == 1 else joint.active


def _comfort(joint: Joint, turns: Sequence[bool], to_file: Angle) -> Any:
    if joint.comfort is None:
        return None
    pairs = [tuple(to_file(x) if turn else x for x in pair) for pair, turn in zip(joint.comfort, turns, strict=True)]
    return pairs[0] if len(pairs) == 1 else pairs


def _shape(shape: Shape) -> dict[str, Any]:
    return {
        "joint": shape.joint,
        "kind": shape.kind,
        "size": shape.size[0] if len(shape.size) == 1 else shape.size,
        "position": _unless(shape.position, _ORIGIN),
        "wxyz": _unless(shape.wxyz, _NO_TURN),
        "color": shape.color,
    }


def _tube(tube: Tube) -> dict[str, Any]:
    return {
        "name": _unless(tube.name, "skin"),
        "from": tube.start,
        "to": tube.end,
        "radius": tube.radius[0] if len(tube.radius) == 1 else tube.radius,
        "sides": _unless(tube.sides, 16),
        "rings": _unless(tube.rings, 4),
        "color": tube.color,
    }


def _lines(table: dict[str, Any]) -> Iterator[str]:
    for key, value in table.items():
        if value is not None:
            yield f"{key} = {_value(value)}"


def _value(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, dict):
        return f"{{ {', '.join(_lines(value))} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_value(one) for one in value)}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return _number(float(value))


def _number(number: float) -> str:
    whole = number.is_integer() and abs(number) < 1e15 and repr(number) != "-0.0"
    return str(int(number)) if whole else repr(number)

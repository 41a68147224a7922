"""What glTF and USD cannot express (kinds of joints, limits, ease, mass, display shapes …), as JSON.

Numbers are written in full, so that joints round-trip exactly; defaults are omitted, and an infinite limit is null.
"""

from __future__ import annotations

import math
from collections.abc import Container
from dataclasses import MISSING, fields, replace
from typing import Any

import numpy as np

from posable.errors import SkeletonError
from posable.figures import Shape
from posable.formats.gltf.container import Item
from posable.skeleton import Axis, Cone, Follow, Joint, Pose, Skeleton
from posable.skeleton.placements import coordinates_of, note_left_over
from posable.spatial import Array, normalized, wxyz_inverse, wxyz_multiply

_NUMBERS = ("ease", "stiffness", "elasticity", "mass")
_POINTS = {"position": 3, "wxyz": 4, "anchor": 3, "mass_center": 3}


def extras_of(joint: Joint) -> dict[str, Any]:
    """The joint as JSON, without name and parent, which the node has."""
    return {"kind": joint.kind, **_changed(joint, skip=("name", "kind", "parent"))}


def _changed(record: Any, skip: tuple[str, ...] = ()) -> dict[str, Any]:
    said = {}
    for one in fields(record):
        value = getattr(record, one.name)
        if one.name not in skip and (one.default is MISSING or value != one.default):
            said[one.name] = _plain(value)
    return said


def _plain(value: Any) -> Any:
    if isinstance(value, (Axis, Cone, Follow)):
        return _changed(value)
    if isinstance(value, tuple):
        return [_plain(v) for v in value]
    if isinstance(value, float) and math.isinf(value):
        return None
    if isinstance(value, (bool, str)) or value is None:
        return value
    return int(value) if isinstance(value, int) else float(value)


def joint_from_extras(own: Item, name: str, parent: str | None) -> Joint:
    """The joint that `own`, a node's `extras.posable` with a kind, describes. Raises FileError with the JSON path."""
    said: dict[str, Any] = {key: own.at(key).number() for key in _NUMBERS if own.find(key)}
    said |= {key: own.at(key).numbers(count) for key, count in _POINTS.items() if own.find(key)}
    said |= {"rest": tuple(entry.number() for entry in own.entries("rest"))} if own.find("rest") else {}
    said["axes"] = tuple(_axis(item) for item in own.entries("axes"))
    said["tips"] = tuple(item.numbers(3) for item in own.entries("tips"))
    said["capsules"] = tuple(item.numbers(7) for item in own.entries("capsules"))
    said["aliases"] = tuple(item.text() for item in own.entries("aliases"))
    said["absolute"] = own.flag_at("absolute")
    said["habits"] = own.text_at("habits")
    if own.find("active"):
        said["active"] = tuple(item.value is True for item in own.entries("active"))
    if own.find("comfort"):
        said["comfort"] = tuple(_limits(item) for item in own.entries("comfort"))
    if cone := own.find("cone"):
        said["cone"] = _made(cone, lambda: Cone(**_cone(cone)))
    return _made(own, lambda: Joint(name, kind=own.at("kind").text(), parent=parent, **said))  # type: ignore[arg-type]


def _made(place: Item, make: Any) -> Any:
    try:
        return make()
    except SkeletonError as problem:
        raise place.problem(str(problem)) from problem


def _limits(item: Item) -> tuple[float, float]:
    entries = item.listed()
    if len(entries) != 2:
        raise item.problem("must be [lower, upper], null where there is no limit")
    return _limit(entries[0], -math.inf), _limit(entries[1], math.inf)


def _limit(item: Item, infinite: float) -> float:
    return infinite if item.value is None else item.number()


def _cone(item: Item) -> dict[str, Any]:
    counts = {"axis": 3, "twist": 2, "center": 4}
    said: dict[str, Any] = {key: item.at(key).numbers(count) for key, count in counts.items() if item.find(key)}
    return (
        said
        | ({"swing": item.at("swing").number()} if item.find("swing") else {})
        | {"axis": item.at("axis").numbers(3)}
    )


def _axis(item: Item) -> Axis:
    said: dict[str, Any] = {"direction": item.at("direction").numbers(3), "slide": item.flag_at("slide")}
    said |= {
        key: item.at(key).number()
        for key in ("lower", "upper", "reference")
        if (i := item.find(key)) and i.value is not None
    }
    said |= {"anchor": item.at("anchor").numbers(3)} if item.find("anchor") else {}
    if follow := item.find("follow"):
        numbers = {key: follow.at(key).number() for key in ("gain", "offset") if follow.find(key)}
        said["follow"] = Follow(follow.at("joint").text(), axis=follow.whole_at("axis", 0), **numbers)
    return _made(item, lambda: Axis(name=item.text_at("name"), **said))


def extras_of_shape(shape: Shape) -> dict[str, Any]:
    """A display shape as JSON, without the joint, which has it."""
    said: dict[str, Any] = {
        "kind": shape.kind,
        "size": _plain(shape.size),
        "position": _plain(shape.position),
        "wxyz": _plain(shape.wxyz),
    }
    return said if shape.color is None else {**said, "color": _plain(shape.color)}


def shape_from_extras(item: Item, joint: str) -> Shape:
    """The display shape that `item` describes. Raises FileError with the JSON path."""
    color = item.find("color")
    said: dict[str, Any] = {
        "kind": item.at("kind").text(),
        "size": tuple(entry.number() for entry in item.entries("size")),
        "position": item.numbers_at("position", (0.0, 0.0, 0.0)),
        "wxyz": item.numbers_at("wxyz", (1.0, 0.0, 0.0, 0.0)),
        "color": None if color is None else color.numbers(3),
    }
    return _made(item, lambda: Shape(joint, **said))


_SINGLE_PRECISION = 5e-7  # equality in single precision


def rested(skeleton: Skeleton, position: Array, wxyz: Array, described: Container[int], notes: list[str]) -> Skeleton:
    """Joints that posable described rest where the file has them, which may differ from the neutral pose.

    position `[joint, 3]`, wxyz `[joint, 4]`: their frames in their parents'. described: those joints.
    """
    if not any(j in described for j in range(len(skeleton.joints))):
        return skeleton
    q = coordinates_of(skeleton, position[None], wxyz[None])[0]
    tangent = Pose(skeleton, q).minus(Pose(skeleton, skeleton.rest_coordinates))
    joints = []
    for j, joint in enumerate(skeleton.definitions):
        own = slice(*skeleton.tables.first_coordinate[j : j + 2])
        moved = bool(np.abs(tangent[list(skeleton.freedom_range(j))]).max(initial=0.0) > _SINGLE_PRECISION)
        if joint.kind == "fixed" and not _stands_at(joint, position[j], wxyz[j]):
            joint = replace(joint, position=tuple(position[j].tolist()), wxyz=tuple(wxyz[j].tolist()))
        elif moved and j in described:
            joint = replace(joint, rest=tuple(q[own].tolist()))
        joints.append(joint)
    result = Skeleton(joints, skeleton.up)
    note_left_over("at rest", result, result.rest_coordinates[None], (position[None], wxyz[None]), notes)
    return result


def _stands_at(joint: Joint, position: Array, wxyz: Array) -> bool:
    turn = wxyz_multiply(wxyz_inverse(normalized(joint.wxyz)), wxyz)
    far = np.abs(position - joint.position).max() > _SINGLE_PRECISION * (1.0 + np.abs(position).max())
    return bool(not far and np.abs(turn[1:]).max() < _SINGLE_PRECISION)

"""The cameras and lights of a file older than FBX 7, where the figure is written anew: nodes with attributes of FBX 7.

Old files state both in the model itself: as properties from version 6000 on, as elements before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from posable.formats.fbx.animation import degrees_from_wxyz
from posable.formats.fbx.nodes import Nodes, Space
from posable.formats.fbx.objects import Item
from posable.formats.fbx.skeleton import Bones
from posable.formats.fbx.tree import Element
from posable.formats.fbx.writing import Builder, leaf, properties, said
from posable.spatial import Array, rigid_inverse, wxyz_from_matrix

KINDS = ("Camera", "Light")
_OF_NODES = (
    "Lcl ", "Rotation", "Scaling", "Translation", "Geometric", "PreRotation", "PostRotation", "MinDamp", "MaxDamp",
    "PreferedAngle", "AxisLen", "InheritType", "Visibility", "Show", "QuaternionInterpolate", "LookAtProperty",
    "UpVectorProperty", "NegativePercentShapeSupport", "DefaultAttributeIndex",
)  # fmt: skip
"""How the properties of a node begin, which are not its camera's or light's."""
_LENGTHS = (
    "NearPlane", "FarPlane", "FocusDistance", "OrthoZoom", "DecayStart", "NearAttenuationStart", "NearAttenuationEnd",
    "FarAttenuationStart", "FarAttenuationEnd",
)  # fmt: skip
_POINTS = ("Position", "InterestPosition")
_WHOLE = ("bool", "enum", "int", "Integer", "Short", "UByte", "Byte")
_RENAMED = {"Cone angle": "OuterAngle", "HotSpot": "InnerAngle"}
_ELEMENTS = {
    "Position": ("Position",), "Up": ("UpVector",), "LookAt": ("InterestPosition",), "Roll": ("Roll",),
    "FocalLength": ("FocalLength",), "Aperture": ("FieldOfView",), "FieldOfViewXProperty": ("FieldOfViewX",),
    "FieldOfViewYProperty": ("FieldOfViewY",), "NearPlane": ("NearPlane",), "FarPlane": ("FarPlane",),
    "AspectW": ("AspectWidth",), "AspectH": ("AspectHeight",), "PixelRatio": ("PixelAspectRatio",),
    "SqueezeRatio": ("FilmSqueezeRatio",), "CameraAperture": ("FilmWidth", "FilmHeight"),
    "CameraOrthoZoom": ("OrthoZoom",), "ApertureMode": ("ApertureMode",), "AspectType": ("AspectRatioMode",),
    "BackGroundColor": ("BackgroundColor",), "Color": ("Color",), "Intensity": ("Intensity",),
    "ConeAngle": ("OuterAngle",), "Fog": ("Fog",), "LightType": ("LightType",), "CastLight": ("CastLightOnObject",),
}  # fmt: skip
"""Elements of cameras and lights before version 6000, and the properties that they became."""
_ENUMS = ("ApertureMode", "AspectRatioMode", "LightType", "CastLightOnObject")


def add_scenery(builder: Builder, nodes: Nodes, bones: Bones, models: list[int]) -> None:
    """Add the file's cameras and lights. models: `[joint]` the nodes of the joints, which may be cameras themselves."""
    for n, item in enumerate(nodes.items):
        if item.sub not in KINDS:
            continue
        rows = list(_rows(item, nodes.space))
        if item.sub == "Camera" and not any(row.text() == "OrthoZoom" for row in rows):
            rows.append(said("OrthoZoom", float(nodes.space.meters)))  # one unit of the file
        attribute = builder.add("NodeAttribute", item.name, item.sub, properties(*rows), leaf("TypeFlags", item.sub))
        joint = bones.joint_of.get(n)
        builder.link(attribute, _add_node(builder, nodes, bones, models, n) if joint is None else models[joint])


def _add_node(builder: Builder, nodes: Nodes, bones: Bones, models: list[int], n: int) -> int:
    """A node that is not a joint, below the nearest joint above it; returns its number."""
    above = nodes.tree.parents[n]
    while above >= 0 and above not in bones.joint_of:
        above = nodes.tree.parents[above]
    base = bones.world[above] if above >= 0 else np.eye(4)
    rows = transform_rows(rigid_inverse(base) @ bones.world[n])
    model = builder.add("Model", nodes.items[n].name, nodes.items[n].sub, Element("Version", "I", (232,)), rows)
    builder.link(model, models[bones.joint_of[above]] if above >= 0 else 0)
    return model


def transform_rows(frame: Array) -> Element:
    """The properties of a node at a rigid frame `[4, 4]` in its parent's."""
    angles = degrees_from_wxyz(0, wxyz_from_matrix(frame[:3, :3])[None])[0]
    return properties(
        said("InheritType", 1, kind=("enum", "", "")),
        said("RotationActive", True),
        said("Lcl Translation", *map(float, frame[:3, 3])),
        said("Lcl Rotation", *map(float, angles)),
        said("Lcl Scaling", 1.0, 1.0, 1.0),
    )


def _rows(item: Item, space: Space) -> Iterator[Element]:
    """The properties of a camera or light as FBX 7 has them."""
    old = item.element.find("Properties60")
    for row in [] if old is None else old.children:
        name, kind, flags = row.text(0), row.text(1), row.text(2)
        if not name.startswith(_OF_NODES):
            yield from _row(_RENAMED.get(name, name), (kind, "", "A" if "A" in flags else ""), row.values[3:], space)
    for element in item.element.children if old is None else ():
        values = list(element.values)
        for name in _ELEMENTS.get(element.name, ()):
            count = 1 if len(_ELEMENTS[element.name]) > 1 else len(values)
            own, values = values[:count], values[count:]
            yield from _row(name, ("enum" if name in _ENUMS else "Number", "", "A"), own, space)


def _row(name: str, kind: tuple[str, str, str], values: Any, space: Space) -> Iterator[Element]:
    numbers = [x for one in values for x in (one.tolist() if isinstance(one, np.ndarray) else [one])]
    if not numbers or not all(isinstance(one, int | float) for one in numbers):
        return
    if kind[0] in _WHOLE:
        yield said(name, *map(int, numbers), kind=kind)
        return
    if name in _LENGTHS:
        numbers = [space.meters * one for one in numbers]
    elif len(numbers) == 3 and (name in _POINTS or name == "UpVector"):
        numbers = ((space.meters if name in _POINTS else 1.0) * (space.axes @ np.array(numbers, float))).tolist()
    yield said(name, *map(float, numbers), kind=kind)

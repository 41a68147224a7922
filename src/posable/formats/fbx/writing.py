"""Elements of FBX 7 under construction: objects with numbers, properties, connections, animations, skins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.formats.fbx.animation import FPS, RATES
from posable.formats.fbx.objects import CUSTOM, TICKS
from posable.formats.fbx.tree import Element
from posable.skin import Skin
from posable.spatial import Array

_KEY_FLAGS = 0x4 | 0x100 | 0x2000 | 0x4000  # straight to the next key
_NO_WEIGHTS = 9.419963346924634e-30  # the bits of two weights of a third
_PROPERTY = {
    "Lcl Translation": ("Lcl Translation", "", "A"), "Lcl Rotation": ("Lcl Rotation", "", "A"),
    "Lcl Scaling": ("Lcl Scaling", "", "A"), "d|X": ("Number", "", "A"), "d|Y": ("Number", "", "A"),
    "d|Z": ("Number", "", "A"), "DiffuseColor": ("Color", "", "A"), "DeformPercent": ("Number", "", "A"),
}  # fmt: skip
_KINDS = {bool: ("bool", "", ""), int: ("int", "Integer", ""), float: ("double", "Number", "")}
_CODES = {bool: "I", int: "I", float: "D", str: "S"}


def said(name: str, *values: Any, kind: tuple[str, str, str] | None = None) -> Element:
    """A property: its type by its name, else by that of its values."""
    own = kind or _PROPERTY.get(name) or _KINDS[type(values[0])]
    codes = "L" if own[0] == "KTime" else "".join(_CODES[type(one)] for one in values)
    return Element("P", "SSSS" + codes, (name, *own, *values))


def tick(name: str, ticks: float) -> Element:
    """A property that is a time."""
    return said(name, round(ticks), kind=("KTime", "Time", ""))


def leaf(name: str, *values: Any) -> Element:
    """An element with plain values; arrays by their type."""
    codes = ""
    for value in values:
        array = isinstance(value, np.ndarray)
        codes += {"i4": "i", "i8": "l", "f4": "f", "f8": "d"}[value.dtype.str[1:]] if array else _CODES[type(value)]
    return Element(name, codes, values)


def properties(*rows: Element) -> Element:
    """Properties70."""
    return Element("Properties70", children=list(rows))


def time_mode(fps: float) -> list[Element]:
    """The settings that state a frame rate."""
    near = [k for k, rate in enumerate(RATES) if k and k != CUSTOM and abs(rate - fps) < 1e-6 * fps]
    mode = {30.0: 6, 24.0: 11}.get(fps, near[0] if near else CUSTOM)
    own = float(fps) if mode == CUSTOM else -1.0
    return [said("TimeMode", mode, kind=("enum", "", "")), said("CustomFrameRate", own)]


@dataclass
class Builder:
    """Objects and connections to be written. number: the next free one."""

    number: int = 1_000_000
    objects: list[Element] = field(default_factory=list)
    links: list[Element] = field(default_factory=list)

    def add(self, kind: str, name: str, sub: str, *children: Element, type_name: str = "") -> int:
        """Add an object; returns its number."""
        self.number += 1
        full = f"{name}\0\1{type_name or kind}"
        self.objects.append(Element(kind, "LSS", (self.number, full, sub), list(children)))
        return self.number

    def link(self, source: int, target: int, prop: str = "") -> None:
        """Connect an object to another, or to a property of it."""
        values: Sequence[Any] = ("OP", source, target, prop) if prop else ("OO", source, target)
        self.links.append(Element("C", "SLLS"[: len(values)], values))


# Animations.


@dataclass(frozen=True, eq=False)
class Moves:
    """What a clip does to one property of one object: `values [frame, 3]`."""

    target: int
    prop: str
    values: Array


_SHORT = {"Lcl Translation": "T", "Lcl Rotation": "R", "Lcl Scaling": "S"}


def add_animation(builder: Builder, clip: Clip, name: str, moves: Iterable[Moves], ticks: int = TICKS) -> None:
    """Append a stack of one layer with straight keys in every frame."""
    times = np.round(np.arange(len(clip)) * (ticks / clip.fps)).astype(np.int64)
    span = [
        tick(f"{kind}{end}", at) for kind in ("Local", "Reference") for end, at in (("Start", 0), ("Stop", times[-1]))
    ]
    span.append(said(FPS, float(clip.fps), kind=("double", "Number", "U")))
    stack = builder.add("AnimationStack", name, "", properties(*span), type_name="AnimStack")
    layer = builder.add("AnimationLayer", "BaseLayer", "", type_name="AnimLayer")
    builder.link(layer, stack)
    for move in moves:
        usual = [said(f"d|{axis}", float(v)) for axis, v in zip("XYZ", move.values[0], strict=True)]
        node = builder.add("AnimationCurveNode", _SHORT[move.prop], "", properties(*usual), type_name="AnimCurveNode")
        builder.link(node, layer)
        builder.link(node, move.target, move.prop)
        for axis, values in zip("XYZ", move.values.T, strict=True):
            still = np.ptp(values) == 0
            builder.link(
                _curve(builder, times[[0, -1]] if still and len(times) > 1 else times, values), node, f"d|{axis}"
            )


def _curve(builder: Builder, times: NDArray[np.int64], values: Array) -> int:
    values = values if len(values) == len(times) else values[[0, -1]]
    rows = (
        leaf("Default", float(values[0])),
        leaf("KeyVer", 4008),
        leaf("KeyTime", times),
        leaf("KeyValueFloat", values.astype(np.float32)),
        leaf("KeyAttrFlags", np.array([_KEY_FLAGS], np.int32)),
        leaf("KeyAttrDataFloat", np.array([0, 0, _NO_WEIGHTS, 0], np.float32)),
        leaf("KeyAttrRefCount", np.array([len(times)], np.int32)),
    )
    return builder.add("AnimationCurve", "", "", *rows, type_name="AnimCurve")


def smooth_angles(degrees: Array) -> Array:
    """The same rotations `[frame, joint, 3]` (degrees, x before y before z) by angles that jump as little as can be.

    A rotation has two triples of angles. From one frame to the next, staying costs the same from either of them, and so
    does changing: where changing is shorter does not depend on what was chosen before.
    """
    other = np.stack([degrees[..., 0] + 180, 180 - degrees[..., 1], degrees[..., 2] + 180], axis=-1)
    change = _far(degrees[:-1], other[1:]) < _far(degrees[:-1], degrees[1:])
    changed = np.concatenate([np.zeros((1, *change.shape[1:]), bool), np.cumsum(change, axis=0) % 2 == 1])
    return np.unwrap(np.where(changed[..., None], other, degrees), period=360, axis=0)


def _far(start: Array, end: Array) -> Array:
    """How far angles in degrees are apart, all three together."""
    return np.abs((end - start + 180) % 360 - 180).sum(axis=-1)


# Meshes and their bindings.


def geometry(skin: Skin, vertices: Array) -> list[Element]:
    """The rows of a Geometry of a skin's triangles: vertices, faces, normals, colours."""
    corners = skin.faces.astype(np.int32).copy()
    corners[:, 2] = ~corners[:, 2]
    rows = [
        leaf("GeometryVersion", 124),
        leaf("Vertices", vertices.astype(float).ravel()),
        leaf("PolygonVertexIndex", corners.ravel()),
    ]
    layers = []
    if skin.normals is not None:
        rows.append(_layer_element("LayerElementNormal", 101, leaf("Normals", skin.normals.astype(float).ravel())))
        layers.append("LayerElementNormal")
    if skin.colors is not None:
        rgba = np.concatenate([skin.colors.astype(float), np.ones((len(skin.colors), 1))], axis=1)
        rows.append(_layer_element("LayerElementColor", 101, leaf("Colors", rgba.ravel())))
        layers.append("LayerElementColor")
    kinds = [Element("LayerElement", children=[leaf("Type", kind), leaf("TypedIndex", 0)]) for kind in layers]
    return [*rows, Element("Layer", "I", (0,), [leaf("Version", 100), *kinds])]


def _layer_element(kind: str, version: int, values: Element) -> Element:
    rows = [leaf("Version", version), leaf("Name", ""), leaf("MappingInformationType", "ByVertice")]
    return Element(kind, "I", (0,), [*rows, leaf("ReferenceInformationType", "Direct"), values])


def matrix_row(name: str, matrix: Array) -> Element:
    """A matrix `[4, 4]` as FBX keeps it, column by column."""
    return leaf(name, np.ascontiguousarray(matrix.T, float).ravel())


def add_clusters(
    builder: Builder, skin: Skin, deformer: int, models: Sequence[int], binds: tuple[Array, Array]
) -> None:
    """Add a cluster for every joint that the skin uses.

    models: `[joint]` numbers of their models. binds: `[joint, 4, 4]` Transform and TransformLink.
    """
    for j in skin.used_joints:
        rows, columns = np.nonzero((skin.joints == j) & (skin.weights > 0))
        vertices, place = np.unique(rows, return_inverse=True)
        weights = np.bincount(place, skin.weights[rows, columns].astype(float), len(vertices))
        cluster = builder.add(
            "Deformer", skin.skeleton.joints[j], "Cluster",
            leaf("Version", 100), leaf("UserData", "", ""),
            leaf("Indexes", vertices.astype(np.int32)), leaf("Weights", weights),
            matrix_row("Transform", binds[0][j]), matrix_row("TransformLink", binds[1][j]),
            type_name="SubDeformer",
        )  # fmt: skip
        builder.link(cluster, deformer)
        builder.link(models[j], cluster)


def add_skin_deformer(builder: Builder, name: str, target: int) -> int:
    """Add a Skin to a geometry; returns its number."""
    own = builder.add("Deformer", name, "Skin", leaf("Version", 101), leaf("Link_DeformAcuracy", 50.0))
    builder.link(own, target)
    return own

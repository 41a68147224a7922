"""The animations of an FBX file: stacks of layers, each with curves for properties of objects, and their values.

Versions before 7000 keep takes instead: each is a stack of one layer here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from posable.files import check_count
from posable.formats.fbx.curves import Curve, KeyTimes, read_curve
from posable.formats.fbx.objects import CUSTOM, LISTED, NUMBERED, Item, Key, Scene
from posable.formats.fbx.takes import read_old_curve
from posable.formats.fbx.transforms import DEFAULTS, ORDERS, Values, local_values, rotation_order, wxyz_from_degrees
from posable.formats.fbx.tree import Element
from posable.spatial import IDENTITY_WXYZ, Array, euler_from_matrix, matrix_from_wxyz, slerp, wxyz_multiply

RATES = (
    30.0, 120.0, 100.0, 60.0, 50.0, 48.0, 30.0, 30.0, 30 / 1.001, 30 / 1.001, 25.0, 24.0, 1000.0, 24 / 1.001, 24.0,
    96.0, 72.0, 60 / 1.001, 120 / 1.001,
)  # fmt: skip
"""Frames a second of each time mode."""
_USUAL_MODE = 11
FPS = "posable|fps"
"""The property of a stack that states the frame rate of the clip that it was written from."""
MAX_KEYS = 100_000_000
_BITS = 7200
"""From this version on ASCII files state tangents as the bits of floats."""
_LATEST = 1e19
"""Ticks: more than 64 bits hold."""
_ADD, _REPLACE, _BLEND = 0, 1, 2
"""Blend modes of layers: added to the layers below, replacing them, or mixed with them by weight."""
_AXES = {"X": 0, "d|X": 0, "Y": 1, "d|Y": 1, "Z": 2, "d|Z": 2}


@dataclass(frozen=True, eq=False)
class Channel:
    """The curves of one property: x, y and z, None where it keeps its value `usual [3]`."""

    usual: Array
    curves: tuple[Curve | None, Curve | None, Curve | None]

    def at(self, times: Array) -> Array:
        """Values at `times [frame]`: `[frame, 3]`, or `[3]` where nothing moves."""
        if not any(self.curves):
            return self.usual
        result = np.empty((3, len(times))).T  # so that each axis is contiguous
        for axis, curve in enumerate(self.curves):
            result[:, axis] = self.usual[axis] if curve is None else curve.at(times)
        return result


@dataclass(frozen=True, eq=False)
class Layer:
    """One layer. weight: 0 … 1, or the channel of it in percent. whole_turns, whole_scales: whether rotations are
    composed rather than added angle by angle, and scales multiplied.
    """

    channels: dict[tuple[Key, str], Channel]
    blend: int = _ADD
    weight: float | Channel = 1.0
    whole_turns: bool = True
    whole_scales: bool = True

    def weights(self, times: Array) -> Array:
        """`[frame]` or `[]`, 0 … 1."""
        share = self.weight.at(times)[..., 0] / 100 if isinstance(self.weight, Channel) else np.array(self.weight)
        return np.where(share > 0.99999, 1.0, np.clip(share, 0.0, 1.0))


@dataclass(frozen=True, eq=False)
class Stack:
    """One animation. span: (start, end) in ticks as the file states it, None where it does not. fps: that of the clip
    that posable wrote, 0 in other files.
    """

    name: str
    layers: tuple[Layer, ...]
    span: tuple[float, float] | None
    fps: float = 0.0

    def curves(self) -> Iterator[Curve]:
        """All curves of properties that move nodes."""
        for layer in self.layers:
            for (_, name), channel in layer.channels.items():
                if name in DEFAULTS:
                    yield from (one for one in channel.curves if one is not None)


def frame_rate(scene: Scene) -> float:
    """Frames a second by the file's time mode."""
    mode = int(np.clip(np.nan_to_num(scene.setting("TimeMode", _USUAL_MODE)), -1, len(RATES)))
    if mode == CUSTOM:
        own = scene.setting("CustomFrameRate", RATES[CUSTOM])
        return own if 0.1 <= own <= 10_000 else RATES[CUSTOM]
    return RATES[mode if 0 <= mode < len(RATES) else _USUAL_MODE]


def read_stacks(scene: Scene, notes: list[str]) -> list[Stack]:
    """Every animation of the file."""
    reader = _Reader(scene)
    found = list(reader.stacks() if scene.version >= NUMBERED else reader.takes())
    if reader.lost:
        notes.append(f"{reader.lost} animation curves have keys that do not fit together, and are left out")
    return found


class _Reader:
    def __init__(self, scene: Scene) -> None:
        self.scene, self.lost, self.keys = scene, 0, 0
        self.known: dict[Key, Curve | None] = {}
        self.times: dict[bytes, KeyTimes] = {}

    def _curve(self, item: Item) -> Curve | None:
        return read_curve(item.element, self.scene.ticks, self.times, bits=self.scene.version >= _BITS)

    def _counted(self, curve: Curve | None) -> Curve | None:
        if curve is None:
            self.lost += 1
            return None
        self.keys += len(curve.times)
        check_count(self.scene.tree.path, self.keys, MAX_KEYS, "keys of animation curves")
        return curve

    def stacks(self) -> Iterator[Stack]:
        """The stacks of versions from 7000 on."""
        spans = {take.text(): _span(take) for take in self.scene.tree.find("Takes").all("Take")}
        for item in self.scene.items.values():
            if item.kind != "AnimationStack":
                continue
            layers = tuple(self._layer(one) for one in self.scene.under(item.key, "AnimationLayer"))
            span, fps = spans.get(item.name), item.number(FPS)
            fps = fps if 1e-3 < fps < 1e6 else 0.0
            if item.own:
                start, stop = item.number("LocalStart"), item.number("LocalStop")
                span = (start, stop)
            yield Stack(item.name, layers, span if span and _LATEST > span[1] > span[0] > -_LATEST else None, fps)

    def _layer(self, item: Item) -> Layer:
        channels: dict[tuple[Key, str], Channel] = {}
        for node in self.scene.under(item.key, "AnimationCurveNode"):
            for link in self.scene.out_of.get(node.key, ()):
                if link.prop and not link.taken:
                    channels.setdefault((link.target, link.prop), self._channel(node))
        own = item.number("Weight", 100.0) / 100
        weight = channels.get((item.key, "Weight"), own)
        blend = item.whole("BlendMode")
        turns, scales = item.whole("RotationAccumulationMode"), item.whole("ScaleAccumulationMode")
        return Layer(channels, blend if blend in (_ADD, _BLEND) else _REPLACE, weight, turns == 0, scales == 0)

    def _channel(self, node: Item) -> Channel:
        usual = np.zeros(3)
        for name, axis in _AXES.items():
            usual[axis] = node.number(name, usual[axis])
        curves: list[Curve | None] = [None, None, None]
        for link in self.scene.into.get(node.key, ()):
            source = self.scene.items.get(link.source)
            if source is None or source.kind != "AnimationCurve" or not link.prop:
                continue
            if source.key not in self.known:
                self.known[source.key] = self._counted(self._curve(source))
            axis = _AXES.get(link.prop, 0)
            usual[axis] = node.number(link.prop, usual[axis])
            curves[axis] = self.known[source.key]
        return Channel(usual, (curves[0], curves[1], curves[2]))

    def takes(self) -> Iterator[Stack]:
        """The takes of versions before 7000; before 6000, curves in the models themselves are one more take."""
        for take in self.scene.tree.find("Takes").all("Take"):
            channels: dict[tuple[Key, str], Channel] = {}
            for model in take.all("Model"):
                self._old_channels(model, model.text(), channels)
            yield Stack(take.text(), (Layer(channels),), _span(take))
        if self.scene.version < LISTED:
            channels = {}
            for item in self.scene.items.values():
                self._old_channels(item.element, item.key, channels)
            yield Stack("", (Layer(channels),), None)

    def _old_channels(self, model: Element, key: Key, found: dict[tuple[Key, str], Channel]) -> None:
        for own in model.all("Channel"):
            if own.text() == "Transform":
                for part in own.all("Channel"):
                    if (name := _OLD_NAMES.get(part.text())) is not None:
                        self._old_channel(part, key, name, found)
            else:
                self._old_channel(own, key, own.text(), found)

    def _old_channel(self, own: Element, key: Key, name: str, found: dict[tuple[Key, str], Channel]) -> None:
        parts = [own]
        if own.find("Key") is None and own.find("Default") is None:
            parts = [one for one in own.all("Channel") if one.find("Key") or one.find("Default")][:3]
        usual, curves = np.zeros(3), [None, None, None]
        for axis, part in enumerate(parts):
            default = part.find("Default")
            usual[axis] = 0.0 if default is None else default.number()
            if part.find("Key") is not None:
                curves[axis] = self._counted(read_old_curve(part, self.scene.ticks))  # type: ignore[call-overload]
        if parts and (key, name) not in found:
            found[key, name] = Channel(np.nan_to_num(usual), (curves[0], curves[1], curves[2]))


_OLD_NAMES = {"T": "Lcl Translation", "R": "Lcl Rotation", "S": "Lcl Scaling"}


def _span(take: Element) -> tuple[float, float] | None:
    for name in ("LocalTime", "ReferenceTime"):
        own = take.find(name)
        if own is not None and _LATEST > own.number(1) > own.number(0) > -_LATEST:
            return own.number(0), own.number(1)
    return None


def rest_values(scene: Scene, stacks: Iterable[Stack], item: Item) -> dict[str, Array]:
    """The properties of a node's local transform at rest. Before version 6000 only animations state them."""
    if scene.version >= LISTED:
        return local_values(item)
    found: dict[str, Array] = {}
    for stack in stacks:
        for layer in stack.layers:
            found |= {name: own.usual for name in DEFAULTS if (own := layer.channels.get((item.key, name)))}
    return found


def values_at(scene: Scene, stack: Stack, item: Item, rest: Values, times: Array) -> Values:
    """The properties of a node's local transform at `times [frame]` in ticks."""
    found = dict(rest)
    for name, usual in DEFAULTS.items():
        taken = _taken_from(scene, item.key, name)
        if taken is not None:
            source, prop = taken
            start = source.vector(prop, (usual, usual, usual))
            found[name] = _layered(stack, source.key, prop, start, rotation_order(item), times)
        elif any((item.key, name) in layer.channels for layer in stack.layers):
            start = rest.get(name, np.full(3, usual))
            found[name] = _layered(stack, item.key, name, start, rotation_order(item), times)
    return found


def _taken_from(scene: Scene, key: Key, name: str) -> tuple[Item, str] | None:
    """The object and property at the end of a node property's chain of connections; None without one."""
    found, seen = None, set[tuple[Key, str]]()
    while True:
        link = next((one for one in scene.into.get(key, ()) if one.taken and one.prop == name), None)
        item = scene.items.get(link.source) if link is not None else None
        if link is None or item is None:
            return found
        if (link.source, link.taken) in seen:
            return None
        key, name = link.source, link.taken
        seen.add((key, name))
        found = item, name


def _layered(stack: Stack, key: Key, name: str, start: Array, order: int, times: Array) -> Array:
    """A property through all layers, `[frame, 3]` or `[3]`."""
    value = start
    for number, layer in enumerate(stack.layers):
        channel = layer.channels.get((key, name))
        if channel is None:
            continue
        own = channel.at(times)
        value = own if number == 0 or layer.blend == _REPLACE else _blended(layer, name, order, value, own, times)
    return value


def _blended(layer: Layer, name: str, order: int, below: Array, own: Array, times: Array) -> Array:
    """What lies below and the layer's own value, by its blend mode and weight."""
    weight = layer.weights(times)[..., None]
    added = layer.blend == _ADD
    if name == "Lcl Scaling" and layer.whole_scales:
        return (below if added else _power(below, 1 - weight)) * _power(own, weight)
    if name == "Lcl Rotation" and layer.whole_turns:
        return _composed(order, added, below, own, weight[..., 0])
    return below + own * weight if added else below * (1 - weight) + own * weight


def _power(values: Array, share: Array) -> Array:
    """Values to a power from 0 to 1, with their signs."""
    powered = np.sign(values) * np.abs(values) ** share
    return np.where(share <= 0, 1.0, np.where(share >= 1, values, powered))


def _composed(order: int, added: bool, below: Array, own: Array, weight: Array) -> Array:
    """Angles of one rotation after the other, or of the rotation between both."""
    start, turn = wxyz_from_degrees(order, below), wxyz_from_degrees(order, own)
    result = wxyz_multiply(start, slerp(IDENTITY_WXYZ, turn, weight)) if added else slerp(start, turn, weight)
    return degrees_from_wxyz(order, result)


def degrees_from_wxyz(order: int, wxyz: Array) -> Array:
    """Angles about x, y and z in degrees, `[..., 3]`, of rotations in one of FBX's orders."""
    axes = ORDERS[order]
    angles = euler_from_matrix(axes[::-1], matrix_from_wxyz(wxyz))
    return np.degrees(np.stack([angles[..., 2 - axes.index(letter)] for letter in "xyz"], axis=-1))

"""Commands about layers of keys."""

from __future__ import annotations

from dataclasses import replace

import posable
from posable.files import free_name
from posable.studio import layer_commands as c
from posable.studio.command import edit
from posable.studio.document import Document, KeyLayer

_MOST_LAYERS = 32
_LONGEST = 60


def _free(document: Document, wanted: str) -> str:
    """A name for a layer that no other one has."""
    return free_name(wanted.strip()[:_LONGEST] or "Layer", [layer.name for layer in document.layers], " ")


def _index(document: Document, name: str) -> int:
    """The index of a layer among the others. Raises PosableError."""
    return document.layers.index(document.layer(name))


@edit(c.LayerAdd)
def add(document: Document, command: c.LayerAdd) -> Document:
    """One layer more, which is edited."""
    if len(document.layers) >= _MOST_LAYERS:
        raise posable.PosableError(f"a session has {_MOST_LAYERS} layers of keys; remove some first")
    name, at = _free(document, command.name), _index(document, document.edited_layer) + 1
    layers = (*document.layers[:at], KeyLayer(name), *document.layers[at:])
    return replace(document, layers=layers).with_layer(name)


@edit(c.LayerChoose)
def choose(document: Document, command: c.LayerChoose) -> Document:
    """Another layer is edited."""
    return document.with_layer(command.name)


@edit(c.LayerSet)
def change(document: Document, command: c.LayerSet) -> Document:
    """Another weight or name of a layer, or whether it counts."""
    layer, values = document.layer(command.name), command.given("name")
    if not 0 <= values.get("weight", 0.0) <= 1:
        raise posable.PosableError(f"{layer.name}: a weight lies between 0 and 1, not {values['weight']:g}")
    title = values.pop("rename", layer.name)
    name = layer.name if title.strip() in ("", layer.name) else _free(document, title)
    changed = replace(layer, name=name, **values)
    layers = tuple(changed if one is layer else one for one in document.layers)
    edited = name if layer.name == document.edited_layer else document.edited_layer
    return replace(document, layers=layers, edited_layer=edited)


@edit(c.LayerMove)
def move(document: Document, command: c.LayerMove) -> Document:
    """A layer over or under others."""
    layers = list(document.layers)
    layer = layers.pop(at := _index(document, command.name))
    layers.insert(min(max(at + command.by, 0), len(layers)), layer)
    return replace(document, layers=tuple(layers))


@edit(c.LayerRemove)
def remove(document: Document, command: c.LayerRemove) -> Document:
    """One layer fewer, with its keys. Raises PosableError for the only one."""
    at = _index(document, command.name)
    if len(document.layers) == 1:
        raise posable.PosableError(f"{command.name} is the only layer of keys, which stays; delete its keys instead")
    if command.name == document.edited_layer:
        document = document.with_layer(document.layers[at - 1 if at else 1].name)
    return replace(document, layers=tuple(one for one in document.layers if one.name != command.name))

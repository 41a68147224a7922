"""The objects of an FBX file: their properties with defaults, and their connections.

Versions from 7000 on number their objects; older ones name them, keep geometry in the model, and before 6000 have
neither a list of objects nor connections. All come out alike here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from posable.errors import FileError, UnsupportedFileError
from posable.files import check_count
from posable.formats.fbx.tree import Element, Packed, Tree
from posable.spatial import Array

MAX_OBJECTS = 500_000
OLDEST, NEWEST = 3000, 7999
NUMBERED = 7000
"""From this version on, objects have numbers; before, they are identified by name."""
LISTED = 6000
"""From this version on, objects are in one list."""
TICKS = 46_186_158_000
"""A second in the unit of times; files may say that theirs is `NEW_TICKS`."""
NEW_TICKS = 141_120_000
ROOTS = (0, "Model::Scene", "Scene\0\1Model")

Key = int | str
Properties = dict[str, tuple[Any, ...]]


@dataclass(eq=False)
class Item:
    """One object.

    kind: "Model", "Geometry", "Deformer", … as in the file. sub: its subtype ("LimbNode", "Mesh", "Skin", …).
    template: the properties that it has unless it says otherwise.
    """

    key: Key
    kind: str
    sub: str
    name: str
    element: Element
    template: Properties = field(default_factory=dict, repr=False)

    @cached_property
    def own(self) -> Properties:
        """The properties that the object states itself."""
        return read_properties(self.element)

    def value(self, name: str) -> tuple[Any, ...] | None:
        """The values of a property, its own or the template's."""
        found = self.own.get(name)
        return self.template.get(name) if found is None else found

    def vector(self, name: str, default: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Array:
        """A property of three numbers."""
        found = self.value(name)
        if found is None or len(found) < 3 or not all(isinstance(one, int | float) for one in found[:3]):
            return np.array(default)
        return np.array(found[:3], float)

    def number(self, name: str, default: float = 0.0) -> float:
        """A property of one number."""
        found = self.value(name)
        return float(found[0]) if found and isinstance(found[0], int | float) else default

    def whole(self, name: str, default: int = 0) -> int:
        """A property of one whole number."""
        found = self.number(name, float("nan"))
        return int(found) if np.isfinite(found) else default


def read_properties(element: Element) -> Properties:
    """name → values of an element's Properties70 or Properties60."""
    rows, skip = element.find("Properties70"), 4
    if rows is None:
        rows, skip = element.find("Properties60"), 3
    if rows is None:
        return {}
    found: Properties = {}
    for row in rows.children:
        values = row.values
        if values and isinstance(values[0], str) and not any(isinstance(one, Packed) for one in values):
            found[values[0]] = _flat(values[skip:])
    return found


def _flat(values: Any) -> tuple[Any, ...]:
    """Values of which some may be arrays: long lists of an ASCII file are."""
    if not any(isinstance(one, np.ndarray) for one in values):
        return tuple(values)
    return tuple(x for one in values for x in (one.tolist() if isinstance(one, np.ndarray) else [one]))


@dataclass(frozen=True, eq=False)
class Link:
    """A connection: `source` belongs to `target`, or to a property of it; `taken` is the source's property, if any."""

    source: Key
    target: Key
    prop: str = ""
    taken: str = ""


@dataclass(frozen=True, eq=False)
class Scene:
    """All objects of a file, in its order, and their connections."""

    tree: Tree
    version: int
    ticks: int
    items: dict[Key, Item]
    links: list[Link]
    settings: Properties

    @cached_property
    def into(self) -> dict[Key, list[Link]]:
        """Connections by target, in the file's order."""
        found: dict[Key, list[Link]] = {}
        for link in self.links:
            found.setdefault(link.target, []).append(link)
        return found

    @cached_property
    def out_of(self) -> dict[Key, list[Link]]:
        """Connections by source."""
        found: dict[Key, list[Link]] = {}
        for link in self.links:
            found.setdefault(link.source, []).append(link)
        return found

    def under(self, key: Key, kind: str, *subs: str) -> Iterator[Item]:
        """The objects of that kind (and one of these subtypes) that are connected to an object."""
        for link in self.into.get(key, ()):
            item = self.items.get(link.source)
            if item is not None and not link.prop and item.kind == kind and (not subs or item.sub in subs):
                yield item

    def setting(self, name: str, default: float) -> float:
        """A number of the global settings."""
        found = self.settings.get(name)
        return float(found[0]) if found and isinstance(found[0], int | float) else default


def read_scene(tree: Tree) -> Scene:
    """The objects and connections of a file. Raises UnsupportedFileError for a version of another format."""
    header = tree.find("FBXHeaderExtension")
    version = tree.version
    if version < LISTED and (said := header.find("FBXVersion")) is not None:
        version = max(version, min(said.whole(), LISTED - 1))
    if not OLDEST <= version <= NEWEST:
        raise UnsupportedFileError(
            tree.path, f"is FBX of version {version}; posable reads 5000 to 7700: export it again as FBX 2014 or later"
        )
    items = _listed(tree, version) if version >= LISTED else _loose(tree)
    check_count(tree.path, len(items), MAX_OBJECTS, "objects")
    links = list(_connections(tree, version)) if version >= LISTED else list(_family(items))
    return Scene(tree, version, _ticks(header), items, links, _settings(tree, version))


def _ticks(header: Element) -> int:
    """Ticks per second: the header's value is valid from version 1004 of the header on."""
    said, own = header.find("FBXHeaderVersion"), header.find("OtherFlags")
    definition = own.find("TCDefinition") if own is not None else None
    if said is None or said.whole() < 1004 or definition is None:
        return TICKS
    return TICKS if definition.whole() == 127 else NEW_TICKS


def split_name(said: str) -> tuple[str, str]:
    """(type, name) of "Model::hips" (ASCII) or "hips\\0\\1Model" (binary)."""
    if "\0\1" in said:
        name, _, kind = said.partition("\0\1")
        return kind, name
    kind, between, name = said.partition("::")
    return (kind, name) if between else ("", said)


def shown(name: str) -> str:
    """A name as it may be shown: bytes that are not UTF-8 are replaced."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _listed(tree: Tree, version: int) -> dict[Key, Item]:
    templates = _templates(tree)
    first = 1 if version >= NUMBERED else 0
    found: dict[Key, Item] = {}
    for listed in (one for one in tree.top if one.name == "Objects"):
        for element in listed.children:
            said = element.text(first)
            key: Key = element.whole() if version >= NUMBERED else said
            if len(element.values) <= first or (version >= NUMBERED and not isinstance(element.values[0], int)):
                continue
            sub = element.text(first + 1).removeprefix("Fbx")
            template = templates.get((element.name, sub), templates.get((element.name, ""), {}))
            found.setdefault(key, Item(key, element.name, sub, split_name(said)[1], element, template))
    return found


_FOR_ALL = ("Material", "Model", "AnimationStack", "AnimationLayer")


def _templates(tree: Tree) -> dict[tuple[str, str], Properties]:
    """Default properties by (kind, subtype); those of models and some others hold for all subtypes."""
    found: dict[tuple[str, str], Properties] = {}
    for kind in tree.find("Definitions").all("ObjectType"):
        template = kind.find("PropertyTemplate")
        if template is not None:
            sub = "" if kind.text() in _FOR_ALL else template.text().removeprefix("Fbx")
            found.setdefault((kind.text(), sub), read_properties(template))
    return found


def _connections(tree: Tree, version: int) -> Iterator[Link]:
    for listed in (one for one in tree.top if one.name == "Connections"):
        for row in listed.children:
            values = row.values
            kind = row.text()
            if kind not in ("OO", "OP", "PO", "PP") or len(values) < 3:
                continue
            rest = list(values[1:])
            source, taken = rest.pop(0), rest.pop(0) if kind[0] == "P" else ""
            target = rest.pop(0) if rest else None
            prop = rest.pop(0) if kind[1] == "P" and rest else ""
            wanted = int if version >= NUMBERED else str
            if isinstance(source, wanted) and isinstance(target, wanted):
                yield Link(source, target, str(prop), str(taken))


def _settings(tree: Tree, version: int) -> Properties:
    """The global settings, wherever this version stores them."""
    found: Properties = {}
    places = [tree.find("GlobalSettings"), tree.find("Objects").find("GlobalSettings")]
    for place in places:
        found |= {} if place is None else read_properties(place)
    old = tree.find("Version5").find("Settings") if version >= LISTED else tree.find("Settings")
    rate = None if old is None else old.find("FrameRate")
    if rate is not None and rate.number() > 0 and "TimeMode" not in found:
        found |= {"TimeMode": (CUSTOM,), "CustomFrameRate": (rate.number(),)}
    return found


CUSTOM = 14
"""The time mode of a custom frame rate."""


# Before version 6000, models are at the top level of the file and name their children.


def _loose(tree: Tree) -> dict[Key, Item]:
    found: dict[Key, Item] = {}
    for element in tree.top:
        if element.name == "Model" and (said := element.text()):
            kind = element.find("Type")
            sub = kind.text() if kind is not None else "Mesh" if element.find("Vertices") else ""
            found.setdefault(said, Item(said, "Model", sub, split_name(said)[1], element))
    return found


def _family(items: dict[Key, Item]) -> Iterator[Link]:
    for item in items.values():
        children = item.element.find("Children")
        for child in children.values if children is not None else ():
            if isinstance(child, str):
                yield Link(child, item.key)


def read_parents(scene: Scene) -> tuple[list[Item], list[int]]:
    """The models in the file's order and the index of each one's parent, -1 for a root.

    Of several parents the last in the file counts. Raises FileError for cycles.
    """
    models = [item for item in scene.items.values() if item.kind == "Model" and item.key not in ROOTS]
    place = {item.key: i for i, item in enumerate(models)}
    parents = [-1] * len(models)
    for i, item in enumerate(models):
        for link in scene.into.get(item.key, ()):
            child = place.get(link.source)
            if child is not None and not link.prop and not link.taken:
                parents[child] = i
    done = [False] * len(models)
    for start in range(len(models)):
        way, here = set[int](), start
        while here >= 0 and not done[here]:
            if here in way:
                raise FileError(
                    scene.tree.path, f"the node {shown(models[here].name)!r} is its own ancestor; export it again"
                )
            way.add(here)
            here = parents[here]
        for one in way:
            done[one] = True
    return models, parents

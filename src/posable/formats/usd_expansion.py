"""How many prims a few lines of references can grow to, counted before USD composes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from posable.files import check_count

MAX_PRIMS = 50_000
"""Prims of a stage that refers to parts of itself or to other layers."""

Node = tuple[str, str]
"""A layer's key and a prim's path in it."""

_ARCS = ("references", "payload", "inheritPaths", "specializes")


def check_expansion(path: Path, layers: Mapping[str, Any], target: Callable[[str, str], str]) -> None:
    """Raise FileTooLargeError where references upon references make too many prims.

    layers: by key, the file itself first. target: from the key of a layer and an asset that it names to that one's key.
    """
    if not any(_has_arcs(layer) for layer in layers.values()):
        return
    first = next(iter(layers))
    tops = [(key, str(prim.path)) for key in _stack(first, layers, target) for prim in layers[key].rootPrims]
    sizes = _sizes(tops, layers, target)
    check_count(path, sum(sizes[node] for node in tops), MAX_PRIMS, "prims by reference")


def _has_arcs(layer: Any) -> bool:
    paths: list[Any] = []
    layer.Traverse("/", paths.append)
    specs = (layer.GetPrimAtPath(path) for path in paths if path.IsPrimPath() or path.IsPrimVariantSelectionPath())
    return any(spec.HasInfo(arc) for spec in specs if spec for arc in _ARCS)


def _stack(key: str, layers: Mapping[str, Any], target: Callable[[str, str], str]) -> list[str]:
    """A layer with its sublayers, theirs, and so on."""
    found = [key]
    for one in found:
        below = (target(one, str(asset)) for asset in layers[one].subLayerPaths)
        found += [layer for layer in below if layer in layers and layer not in found]
    return found


def _sizes(tops: list[Node], layers: Mapping[str, Any], target: Callable[[str, str], str]) -> dict[Node, int]:
    """At most how many prims each node makes; what refers to itself counts once."""
    links: dict[Node, list[Node]] = {}
    sizes: dict[Node, int] = {}
    waiting = [(node, False) for node in tops]
    while waiting:
        node, links_known = waiting.pop()
        if links_known:
            sizes[node] = 1 + sum(sizes.get(below, 0) for below in links[node])
        elif node not in links:
            links[node] = list(_links(node, layers, target))
            waiting += [(node, True), *((below, False) for below in links[node])]
    return sizes


def _links(node: Node, layers: Mapping[str, Any], target: Callable[[str, str], str]) -> Iterator[Node]:
    """The children of a prim, and the prims that it refers to."""
    for key in _stack(node[0], layers, target):
        spec = layers[key].GetPrimAtPath(node[1])
        if not spec:
            continue
        yield from ((key, str(child.path)) for child in spec.nameChildren)
        for variants in spec.variantSets.values():
            yield from ((key, str(variant.primSpec.path)) for variant in variants.variants.values())
        for item in (*spec.referenceList.GetAddedOrExplicitItems(), *spec.payloadList.GetAddedOrExplicitItems()):
            other = target(key, str(item.assetPath)) if item.assetPath else key
            aim = str(item.primPath) or (other in layers and layers[other].defaultPrim)
            if other in layers and aim:
                yield other, f"/{aim.lstrip('/')}"
        for other_path in (
            *spec.inheritPathList.GetAddedOrExplicitItems(),
            *spec.specializesList.GetAddedOrExplicitItems(),
        ):
            yield key, str(other_path.MakeAbsolutePath(spec.path.GetPrimPath()))

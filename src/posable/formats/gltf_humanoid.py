"""The humanoid maps of VRM 0.x, VRM 1.0 and VRM animation: which node is which part of the body."""

from __future__ import annotations

from posable.formats.gltf_container import Document
from posable.formats.gltf_json import Item

NAMES = {"VRM": "VRM 0.x", "VRMC_vrm": "VRM 1.0", "VRMC_vrm_animation": "VRM animation"}


def vrm_extension(document: Document) -> Item | None:
    """The VRM extension of the file, whichever it has."""
    extensions = document.root.members("extensions")
    return next((extensions[name] for name in NAMES if name in extensions), None)


def humanoid_aliases(document: Document) -> dict[int, tuple[str, ...]]:
    """Node index → standard humanoid names ("leftUpperArm"), empty for files without such a map."""
    extension = vrm_extension(document)
    humanoid = extension.find("humanoid") if extension is not None else None
    bones = humanoid.find("humanBones") if humanoid is not None else None
    if humanoid is None or bones is None:
        return {}
    if isinstance(bones.value, list):
        pairs = [(item.at("bone").text(), item.at("node")) for item in bones.listed()]
    else:
        pairs = [(name, item.at("node")) for name, item in humanoid.members("humanBones").items()]
    found: dict[int, tuple[str, ...]] = {}
    for name, reference in pairs:
        if reference.value != -1:  # VRM 0.x writes -1 for a part that is not there
            node = reference.index(len(document.nodes), "nodes")
            found[node] = (*found.get(node, ()), name.encode("utf-8", "replace").decode())
    return found

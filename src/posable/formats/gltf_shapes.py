"""Display shapes that posable kept in a glTF file: a mesh on a joint says in its extras which solids it shows."""

from __future__ import annotations

from typing import Any

from posable.errors import SkeletonError
from posable.figures import Shape
from posable.formats.gltf_container import Document
from posable.formats.gltf_json import Item
from posable.formats.gltf_nodes import posable_extras
from posable.formats.gltf_skeleton import Bones


def build_shapes(document: Document, bones: Bones) -> list[Shape]:
    """The shapes of all joints. Raises FileError for a description that is none."""
    meshes, shapes = document.root.entries("meshes"), []
    for node, j in bones.joint_of.items():
        reference = document.nodes[node].find("mesh")
        own = None if reference is None else posable_extras(meshes[reference.index(len(meshes), "meshes")])
        if own is not None:
            shapes += [_shape(item, bones.skeleton.joints[j]) for item in own.entries("shapes")]
    return shapes


def _shape(item: Item, joint: str) -> Shape:
    color = item.find("color")
    said: dict[str, Any] = {
        "kind": item.at("kind").text(),
        "size": tuple(entry.number() for entry in item.entries("size")),
        "position": item.numbers_at("position", (0.0, 0.0, 0.0)),
        "wxyz": item.numbers_at("wxyz", (1.0, 0.0, 0.0, 0.0)),
        "color": None if color is None else color.numbers(3),
    }
    try:
        return Shape(joint, **said)
    except SkeletonError as problem:
        raise item.problem(str(problem)) from problem

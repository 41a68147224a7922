"""A glTF file without a rig gets one: joints and weights go into it, its materials and textures stay."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import numpy as np

from posable.figures import Figure
from posable.formats.gltf import figure_of
from posable.formats.gltf_builder import Builder
from posable.formats.gltf_container import parse_document
from posable.formats.gltf_json import parse_json
from posable.formats.gltf_keep import carried
from posable.formats.gltf_rig import add_joints, bind_node
from posable.formats.gltf_source import Source
from posable.skeleton import Pose
from posable.skeleton.placements import placements
from posable.skin import Skin


def rigged_gltf(bare: Figure, bound: Skin) -> Figure | None:
    """The file of `bare` with the skeleton and the weights of `bound`, whose mesh is `load_mesh` of that file.

    The figure that comes back remembers the new file, so that saving it keeps the looks of the old one.
    None where the file cannot take a rig so: it is no glTF, stands upright along z, or its meshes are skinned already.
    """
    source = bare.source
    if not isinstance(source, Source) or bound.skeleton.up != "y" or source.document.root.entries("skins"):
        return None
    path = source.document.path
    raw = parse_json(path, source.document.text).value
    builder = Builder(raw, carried(raw, source, binary=True), binary=True)
    position, wxyz = placements(Pose(bound.skeleton, bound.skeleton.rest_coordinates[None]))
    nodes = len(raw["nodes"]) + np.arange(len(bound.skeleton.joints))
    roots = add_joints(builder, bound.skeleton, position[0], wxyz[0])
    asset = raw["asset"]
    asset["extras"] = {**(asset.get("extras") or {}), "posable": {"version": 1, "ordered": True}}
    raw["scenes"][raw.get("scene", 0)].setdefault("nodes", []).extend(roots)
    start = 0
    for node, skin in source.skins.items():
        raw["nodes"][node]["mesh"] = builder.add("meshes", deepcopy(raw["meshes"][raw["nodes"][node]["mesh"]]))
        bind_node(builder, node, _in_node(bound, source, node), nodes, start)
        start += len(skin.vertices)
    content = builder.content(path)
    figure = figure_of(parse_document(Path(path).with_suffix(".glb"), content))
    return replace(figure, name=bare.name, notes=tuple(dict.fromkeys((*bound.notes, *figure.notes))))


def _in_node(bound: Skin, source: Source, node: int) -> Skin:
    """The same weights for vertices in a node's own frame."""
    return replace(bound, inverse_bind=bound.inverse_bind @ source.nodes.world_matrix(node))

"""What a rig is in glTF: nodes for joints, the bind matrices of a skin, joints and weights at vertices."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.formats.gltf_builder import VERTICES, Builder
from posable.formats.gltf_extras import extras_of
from posable.skeleton import Skeleton
from posable.skin import Skin
from posable.spatial import Array


def add_joints(builder: Builder, skeleton: Skeleton, position: Array, wxyz: Array) -> list[int]:
    """A node for every joint, one after the other, at `position`, `wxyz` in their parents; the nodes of the roots.

    Each carries in `extras.posable` what glTF cannot say of it.
    """
    first = len(builder.raw.get("nodes", ()))
    for j, joint in enumerate(skeleton.definitions):
        node: dict[str, Any] = {"name": joint.name}
        if children := skeleton.children(j):
            node["children"] = [first + child for child in children]
        node["translation"] = position[j].tolist()
        node["rotation"] = np.roll(wxyz[j], -1).tolist()
        node["extras"] = {"posable": extras_of(joint)}
        builder.add("nodes", node)
    return [first + int(j) for j in np.flatnonzero(skeleton.parents < 0)]


def add_bind(builder: Builder, skin: Skin, used: NDArray[np.int64], name: str, nodes: NDArray[np.int64]) -> int:
    """The glTF skin of the `used` joints; its index. nodes: `[joint]` of all joints of the skeleton."""
    columns = skin.inverse_bind[used].transpose(0, 2, 1).reshape(-1, 16)
    matrices = builder.accessor(columns.astype("<f4"))
    return builder.add("skins", {"name": name, "joints": nodes[used].tolist(), "inverseBindMatrices": matrices})


def add_influences(
    builder: Builder, attributes: dict[str, Any], skin: Skin, used: NDArray[np.int64], rows: slice = slice(None)
) -> None:
    """The joints and weights, four a set, of a primitive whose vertices are `rows` of the skin's, for those it had."""
    for name in [name for name in attributes if name.startswith(("JOINTS_", "WEIGHTS_"))]:
        del attributes[name]
    joints, weights = skin.joints[rows], skin.weights[rows]
    local = np.searchsorted(used, np.where(weights > 0, joints, used[0]))
    kind = "u1" if len(used) <= 256 else "u2"
    for k in range(0, local.shape[1], 4):
        share = np.zeros((2, len(local), 4))
        share[0, :, : local.shape[1] - k] = np.where(weights > 0, local, 0)[:, k : k + 4]
        share[1, :, : local.shape[1] - k] = weights[:, k : k + 4]
        attributes[f"JOINTS_{k // 4}"] = builder.accessor(share[0].astype(f"<{kind}"), target=VERTICES)
        attributes[f"WEIGHTS_{k // 4}"] = builder.accessor(share[1].astype("<f4"), target=VERTICES)


def bind_node(builder: Builder, node: int, skin: Skin, nodes: NDArray[np.int64], start: int = 0) -> None:
    """Bind the mesh of a node, whose vertices are those of the skin from `start` on; what other nodes show stays.

    nodes: `[joint]` of the skeleton's joints.
    """
    raw: dict[str, Any] = builder.raw
    used, said = skin.used_joints, raw["nodes"][node]
    said["skin"] = add_bind(builder, skin, used, said.get("name", f"node_{node}"), nodes)
    if sum(other.get("mesh") == said["mesh"] for other in raw["nodes"]) > 1:
        said["mesh"] = builder.add("meshes", deepcopy(raw["meshes"][said["mesh"]]))
    for primitive in raw["meshes"][said["mesh"]]["primitives"]:
        if primitive.get("mode", _TRIANGLES[0]) in _TRIANGLES:
            count = raw["accessors"][primitive["attributes"]["POSITION"]]["count"]
            add_influences(builder, primitive["attributes"], skin, used, slice(start, start + count))
            start += count


_TRIANGLES = (4, 5, 6)

"""The meshes of an FBX scene as skins: clusters with their bind matrices, rigid meshes, blend shapes, plain colours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.errors import FileError, SkinError
from posable.files import check_count
from posable.formats.defaults import LARGEST_NUMBER, bound_too
from posable.formats.fbx.nodes import Nodes
from posable.formats.fbx.objects import LISTED, NUMBERED, Item, Key, Scene, shown
from posable.formats.fbx.skeleton import Bones
from posable.formats.fbx.transforms import geometry_matrix
from posable.formats.fbx.tree import Element
from posable.skin import Skin, mend_weights
from posable.spatial import Array, rigid_inverse

MAX_VERTICES = 5_000_000
MAX_INFLUENCES = 20_000_000
"""Vertices × joints that each follows."""
MAX_MORPHED = 20_000_000
"""Vertices × blend shapes."""
MAX_BIND_MATRICES = 2_000_000


@dataclass(frozen=True, eq=False)
class Cluster:
    """What one node moves of a mesh. node: the node's key. element: Indexes, Weights, Transform, TransformLink."""

    node: Key
    element: Element

    def matrix(self, name: str) -> Array | None:
        """`[4, 4]` of a matrix by name; None without one that is finite."""
        numbers = self.element.array(name)
        if numbers is None or len(numbers) < 16 or not (np.abs(numbers[:16]) < LARGEST_NUMBER).all():
            return None
        return numbers[:16].astype(float).reshape(4, 4).T


def mesh_matrix(bones: Bones, node: int) -> Array:
    """world_from_node `[4, 4]` at rest, scales and unit included."""
    matrix = bones.world[node].copy()
    matrix[:3, :3] = matrix[:3, :3] @ bones.fold[node]
    return matrix


def skin_objects(scene: Scene, owner: Key) -> tuple[list[Key], list[Key]]:
    """The keys of a geometry's skin deformers, and of their clusters."""
    deformers = [one.key for one in scene.under(owner, "Deformer", "Skin")]
    return deformers, [one.key for key in deformers for one in scene.under(key, "Deformer", "Cluster")]


def clusters_of(scene: Scene, owner: Item) -> list[Cluster]:
    """The clusters of a geometry (of a model before version 7000)."""
    if scene.version < LISTED:
        return [Cluster(one.text(), one) for one in owner.element.all("Link")]
    found = []
    for key in skin_objects(scene, owner.key)[1]:
        node = next((one.key for one in scene.under(key, "Model")), None)
        if node is not None:
            found.append(Cluster(node, scene.items[key].element))
    return found


def meshes(nodes: Nodes) -> Iterator[tuple[int, Item]]:
    """(node, object with its geometry) of every node with a mesh."""
    for n, item in enumerate(nodes.items):
        if item.element.find("Vertices") is not None:
            yield n, item
        if nodes.scene.version >= NUMBERED:
            for geometry in nodes.scene.under(item.key, "Geometry", "Mesh"):
                yield n, geometry


def followed_nodes(nodes: Nodes) -> set[int]:
    """The nodes that skins follow."""
    keys = {cluster.node for _, owner in meshes(nodes) for cluster in clusters_of(nodes.scene, owner)}
    return {nodes.place[key] for key in keys if key in nodes.place}


def build_skins(nodes: Nodes, bones: Bones, notes: list[str]) -> dict[tuple[int, Key], Skin]:
    """One skin for each node's mesh, by (node, geometry)."""
    reader, found = _Reader(nodes, bones, notes), {}
    drawn = list(meshes(nodes))
    check_count(
        nodes.scene.tree.path, len(drawn) * len(bones.nodes), MAX_BIND_MATRICES, "bind matrices (meshes × joints)"
    )
    for n, owner in drawn:
        try:
            skin = reader.skin(n, owner)
        except SkinError as problem:
            raise FileError(nodes.scene.tree.path, f"{problem}; export it again") from problem
        if skin is not None:
            found[n, owner.key] = skin
    if reader.lost:
        notes.append(
            f"{len(reader.lost)} meshes have no joint and are not part of the figure: {', '.join(reader.lost[:6])}"
        )
    return found


class _Reader:
    def __init__(self, nodes: Nodes, bones: Bones, notes: list[str]) -> None:
        self.nodes, self.bones, self.notes = nodes, bones, notes
        self.scene, self.path = nodes.scene, nodes.scene.tree.path
        self.vertices = self.influences = self.morphed = 0
        self.lost: list[str] = []

    def skin(self, n: int, owner: Item) -> Skin | None:
        """The skin of one mesh; None if it has no triangles or no joint."""
        name = shown(owner.name or self.nodes.items[n].name) or f"mesh_{n}"
        vertices, faces, polygons = self._surface(owner.element, name)
        if not len(faces):
            return None
        joint = self._joint_above(n)
        clusters = [
            one for one in clusters_of(self.scene, owner) if self.nodes.place.get(one.node, -1) in self.bones.joint_of
        ]
        if joint is None and not clusters:
            self.lost.append(name)
            return None
        more: dict[str, Any] = {"name": name, "colors": self._colors(n, owner.element, len(vertices), faces, polygons)}
        more |= self._morphs(owner, len(vertices))
        geometry, placed = geometry_matrix(self.nodes.items[n]), mesh_matrix(self.bones, n)
        if np.linalg.det((placed @ geometry)[:3, :3]) < 0:  # mirrored: what is outside stays outside
            faces = faces[:, ::-1]
        if clusters:
            return self._skinned(clusters, joint, (vertices, faces), placed, geometry, more)
        own = rigid_inverse(self.bones.world[self.bones.nodes[joint or 0]]) @ placed @ geometry
        return Skin.rigid(self.bones.skeleton, self.bones.skeleton.joints[joint or 0], vertices, faces, own, **more)

    def _joint_above(self, n: int) -> int | None:
        while n >= 0 and n not in self.bones.joint_of:
            n = self.nodes.tree.parents[n]
        return self.bones.joint_of.get(n)

    def _surface(self, element: Element, name: str) -> tuple[NDArray[np.float32], NDArray[np.int32], NDArray[np.int64]]:
        """Vertices `[vertex, 3]`, triangles `[face, 3]` and the polygon of each triangle; polygons become fans."""
        numbers, corners = element.array("Vertices"), element.array("PolygonVertexIndex")
        none = np.zeros((0, 3), np.float32), np.zeros((0, 3), np.int32), np.zeros(0, np.int64)
        if numbers is None or corners is None:
            return none
        vertices = numbers[: len(numbers) // 3 * 3].reshape(-1, 3)
        self.vertices += len(vertices)
        check_count(self.path, max(self.vertices, len(corners)), MAX_VERTICES, "vertices in all its meshes together")
        if not (np.abs(vertices) < LARGEST_NUMBER).all():
            self.notes.append(f"mesh {name!r} has vertices that are not three finite numbers, and is left out")
            return none
        corners = corners.astype(np.int64)
        last = np.flatnonzero(corners < 0)
        corners = np.where(corners < 0, ~corners, corners)
        if not len(last):
            return none
        starts = np.concatenate([[0], last[:-1] + 1])
        sizes = last + 1 - starts
        fans = np.maximum(sizes - 2, 0)
        first = np.repeat(starts, fans)
        step = np.arange(fans.sum()) - np.repeat(np.cumsum(fans) - fans, fans) + 1
        faces = np.stack([corners[first], corners[first + step], corners[first + step + 1]], axis=-1)
        polygons = np.repeat(np.arange(len(sizes)), fans)
        fits = (faces < len(vertices)).all(axis=1)
        if not fits.all():
            self.notes.append(
                f"mesh {name!r}: {int((~fits).sum())} triangles refer to vertices that do not exist, and are left out"
            )
        return vertices.astype(np.float32), faces[fits].astype(np.int32), polygons[fits]

    def _skinned(
        self, clusters: Sequence[Cluster], above: int | None, mesh: tuple[NDArray, NDArray], placed: Array,
        geometry: Array, more: dict[str, Any],
    ) -> Skin:  # fmt: skip
        vertices, faces = mesh
        bones, count = self.bones, len(vertices)
        rows: list[tuple[NDArray, NDArray, NDArray]] = []
        inverse_bind, named = np.tile(np.eye(4), (len(bones.nodes), 1, 1)), list[int]()
        for cluster in clusters:
            node = self.nodes.place[cluster.node]
            joint = bones.joint_of[node]
            own = self._bind(cluster, node, placed) @ geometry
            if joint in named and not np.allclose(inverse_bind[joint], own, rtol=1e-4, atol=1e-6):
                self.notes.append(
                    f"skin {more['name']!r} binds {bones.skeleton.joints[joint]!r} twice; the first counts"
                )
            elif joint not in named:
                inverse_bind[joint] = own
                named.append(joint)
            rows.append((*self._weights(cluster, count), joint))  # type: ignore[arg-type]
        spare = self._spare(named[0] if above is None else above, named)
        if spare not in named:  # vertices without a cluster stay where they are at rest
            inverse_bind[spare] = rigid_inverse(bones.world[bones.nodes[spare]]) @ placed @ geometry
            named.append(spare)
        rest = np.array([bones.world[n] for n in bones.nodes])
        bound_too(rest, bones.skeleton.parents, inverse_bind, named)
        joints, weights = self._table(rows, count, spare)
        mended, notes = mend_weights(weights, more["name"])
        self.notes += [one for one in notes if "sum" not in one]
        return Skin(bones.skeleton, vertices, faces, joints, mended, inverse_bind, **more)

    def _spare(self, joint: int, named: Sequence[int]) -> int:
        """The nearest joint that no cluster names, from this one up; this one where all above are named."""
        above = joint
        while above in named:
            above = int(self.bones.skeleton.parents[above])
            if above < 0:
                return joint
        return above

    def _bind(self, cluster: Cluster, node: int, placed: Array) -> Array:
        """joint_from_mesh `[4, 4]` when it was bound, in the joint's rigid frame."""
        own = cluster.matrix("Transform")
        if own is None:
            link = cluster.matrix("TransformLink")
            bound = np.eye(4)
            bound[:3, :3] = self.bones.fold[node]
            world = self.bones.world[node] @ bound
            own = np.linalg.pinv(world if link is None else link) @ (
                placed if link is None else self.nodes.space.in_file(placed)
            )
        fold = np.eye(4)
        fold[:3, :3] = self.bones.fold[node]
        return fold @ own

    def _weights(self, cluster: Cluster, count: int) -> tuple[NDArray[np.int64], Array]:
        indices, weights = cluster.element.array("Indexes"), cluster.element.array("Weights")
        if indices is None or weights is None or len(indices) != len(weights):
            return np.zeros(0, np.int64), np.zeros(0)
        self.influences += len(indices)
        check_count(self.path, self.influences, MAX_INFLUENCES, "vertex weights in all its meshes together")
        indices, weights = indices.astype(np.int64), weights.astype(float)
        fits = (indices >= 0) & (indices < count) & (np.nan_to_num(weights) > 0)
        return indices[fits], np.minimum(weights[fits], 1e6)

    def _table(self, rows: list[Any], count: int, spare: int) -> tuple[NDArray[np.int32], Array]:
        """`[vertex, influence]` joints and weights; a vertex without any follows the joint `spare`."""
        vertex = np.concatenate([v for v, _, _ in rows])
        weight = np.concatenate([w for _, w, _ in rows])
        joint = np.concatenate([np.full(len(v), j) for v, _, j in rows])
        order = np.argsort(vertex, kind="stable")
        vertex, weight, joint = vertex[order], weight[order], joint[order]
        each = np.bincount(vertex, minlength=count)
        most = max(int(each.max(initial=0)), 1)
        check_count(self.path, count * most, MAX_INFLUENCES, "vertex weights (vertices × joints that each follows)")
        place = np.arange(len(vertex)) - np.repeat(np.cumsum(each) - each, each)
        joints, weights = np.full((count, most), spare, np.int32), np.zeros((count, most))
        joints[vertex, place], weights[vertex, place] = joint, weight
        weights[each == 0, 0] = 1.0
        return joints, weights

    def _morphs(self, owner: Item, count: int) -> dict[str, Any]:
        """The blend shapes of a mesh, each at its full weight."""
        shapes = [(one.text(), one) for one in owner.element.all("Shape")]
        for deformer in self.scene.under(owner.key, "Deformer", "BlendShape"):
            for channel in self.scene.under(deformer.key, "Deformer", "BlendShapeChannel"):
                targets = list(self.scene.under(channel.key, "Geometry", "Shape"))
                shapes += [(channel.name or targets[-1].name, targets[-1].element)] if targets else []
        self.morphed += len(shapes) * count
        check_count(self.path, self.morphed, MAX_MORPHED, "morphed vertices in all its meshes together")
        if not shapes:
            return {}
        morphs, names = np.zeros((len(shapes), count, 3), np.float32), dict[str, None]()
        for k, (name, element) in enumerate(shapes):
            indices, moved = element.array("Indexes"), element.array("Vertices")
            names.setdefault(shown(name) if shown(name) not in names and name else f"shape_{k + 1}")
            if indices is None or moved is None or 3 * len(indices) != len(moved):
                continue
            indices, moved = indices.astype(np.int64), moved.reshape(-1, 3)
            fits = (indices >= 0) & (indices < count) & (np.abs(moved) < LARGEST_NUMBER).all(axis=1)
            morphs[k, indices[fits]] = moved[fits]
        return {"morphs": morphs, "morph_names": tuple(names)} if len(names) == len(shapes) else {}

    def _colors(
        self, n: int, element: Element, count: int, faces: NDArray[np.int32], polygons: NDArray[np.int64]
    ) -> NDArray[np.float32] | None:
        """sRGB `[vertex, 3]`: painted, or the materials' diffuse colours; None without either."""
        painted = _painted(element, count)
        if painted is not None:
            return painted
        materials = list(self.scene.under(self.nodes.items[n].key, "Material")) if self.scene.version >= LISTED else []
        if not materials:
            return None
        table = np.array([one.vector("DiffuseColor", (0.8, 0.8, 0.8)) for one in materials])
        layer = element.find("LayerElementMaterial")
        used = None if layer is None else layer.array("Materials")
        colors = np.tile(table[0], (count, 1))
        if used is not None and len(used) > polygons.max(initial=0) and len(table) > 1:
            own = np.clip(used.astype(np.int64)[polygons], 0, len(table) - 1)
            colors[faces.ravel()] = np.repeat(table[own], 3, axis=0)
        return np.clip(np.nan_to_num(colors), 0, 1).astype(np.float32)


def _painted(element: Element, count: int) -> NDArray[np.float32] | None:
    """The colours of a mesh's vertices `[vertex, 3]`; if the corners of a vertex differ, that of the last one."""
    layer = element.find("LayerElementColor")
    values = None if layer is None else layer.array("Colors")
    corners = element.array("PolygonVertexIndex")
    if layer is None or values is None or corners is None or not len(values) // 4:
        return None
    table, kind = values[: len(values) // 4 * 4].reshape(-1, 4)[:, :3], layer.find("MappingInformationType")
    indices = layer.array("ColorIndex")
    indices = np.arange(len(table)) if indices is None else indices.astype(np.int64)
    corners = np.where(corners < 0, ~corners.astype(np.int64), corners.astype(np.int64))
    at = corners if kind is not None and kind.text() == "ByPolygonVertex" else np.arange(count)
    rows = min(len(at), len(indices))
    at, indices = at[:rows], indices[:rows]
    fits = (at < count) & (indices >= 0) & (indices < len(table))
    colors = np.ones((count, 3))
    colors[at[fits]] = table[indices[fits]]
    return np.clip(np.nan_to_num(colors), 0, 1).astype(np.float32)


# HumanIK: which node is which part of the body, stated by the file's characters.


_PARTS = {
    "Hips": "hips", "Spine": "spine", "Spine1": "chest", "Spine2": "upperChest", "Neck": "neck", "Head": "head",
    "UpLeg": "UpperLeg", "Leg": "LowerLeg", "Foot": "Foot", "ToeBase": "Toes", "Shoulder": "Shoulder",
    "Arm": "UpperArm", "ForeArm": "LowerArm", "Hand": "Hand",
}  # fmt: skip
"""HumanIK's names of slots and the standard names of a humanoid (VRM)."""


def character_aliases(nodes: Nodes) -> dict[int, tuple[str, ...]]:
    """Node → other names, the standard one of its part of the body first."""
    found: dict[int, tuple[str, ...]] = {}
    for item in nodes.scene.items.values():
        if item.kind not in ("Constraint", "Character") or item.sub != "Character":
            continue
        for link in nodes.scene.into.get(item.key, ()):
            node, slot = nodes.place.get(link.source), link.prop.removesuffix("Link")
            if node is None or slot == link.prop or slot == "Reference" or node in found:
                continue
            side = next((one for one in ("Left", "Right") if slot.startswith(one)), "")
            part = _PARTS.get(slot.removeprefix(side))
            names = (side.lower() + part, slot) if part else (slot,)
            found[node] = tuple(dict.fromkeys(names))
    return found

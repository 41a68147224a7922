"""Skins of a glTF file: skinned meshes on the figure's skeleton, and meshes rigidly attached to one joint."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from posable.errors import SkinError
from posable.figures import Shape
from posable.files import check_count
from posable.formats.defaults import bound_too
from posable.formats.gltf.accessors import read_accessor
from posable.formats.gltf.container import Document, Item
from posable.formats.gltf.extras import shape_from_extras
from posable.formats.gltf.materials import Materials
from posable.formats.gltf.meshes import MAX_MORPHED, MAX_VERTICES, Mesh, read_mesh
from posable.formats.gltf.nodes import Nodes, is_uniform, posable_extras
from posable.formats.gltf.skeleton import Bones
from posable.skin import Skin, mend_weights
from posable.skin.look import Look
from posable.skin.scales import Scales
from posable.spatial import Array, rigid_inverse

_MAX_SCALE_RATIO = 1e8  # scales that differ more cannot be undone
MAX_BIND_MATRICES = 2_000_000
MAX_INFLUENCES = 20_000_000  # vertices × joints that each follows


class _Reader:
    """State shared while reading the skins of one file."""

    def __init__(self, document: Document, nodes: Nodes, bones: Bones, notes: list[str]) -> None:
        self.document, self.nodes, self.bones, self.notes = document, nodes, bones, notes
        self.materials = Materials(document, notes)
        self.mesh_items, self.skin_items = document.root.entries("meshes"), document.root.entries("skins")
        self.meshes: dict[int, Mesh | None] = {}
        self.mended: dict[int, NDArray[np.float32]] = {}
        self.vertices = self.morphed = self.influences = 0

    def shown(self, node: Item) -> bool:
        """Whether the mesh of a node duplicates parts of the figure: posable's bones and shapes."""
        index = node.at("mesh").index(len(self.mesh_items), "meshes")
        return posable_extras(self.mesh_items[index]) is not None

    def mesh(self, node: Item) -> Mesh | None:
        """The mesh of a node, read once; None if it has no triangles."""
        meshes = self.mesh_items
        index = node.at("mesh").index(len(meshes), "meshes")
        if index not in self.meshes:
            self.meshes[index] = read_mesh(self.document, meshes[index], self.materials, self.notes)
        mesh = self.meshes[index]
        if mesh is not None:
            path, count = self.document.path, len(mesh.vertices)
            self.vertices += count
            self.morphed += 0 if mesh.morphs is None else len(mesh.morphs) * count
            self.influences += 0 if mesh.joints is None else mesh.joints.size
            check_count(path, self.vertices, MAX_VERTICES, "vertices in all its meshes together")
            check_count(path, self.morphed, MAX_MORPHED, "morphed vertices in all its meshes together")
            check_count(path, self.influences, MAX_INFLUENCES, "vertex weights in all its meshes together")
        return mesh


def build_skins(document: Document, nodes: Nodes, bones: Bones, notes: list[str]) -> dict[int, Skin]:
    """One skin per node with a mesh, by node. Raises FileError, or FileTooLargeError before allocation."""
    reader, skins = _Reader(document, nodes, bones, notes), {}
    with_mesh = [n for n in nodes.order if nodes.items[n].find("mesh") is not None and not reader.shown(nodes.items[n])]
    check_count(document.path, len(with_mesh) * len(bones.nodes), MAX_BIND_MATRICES, "bind matrices (meshes × joints)")
    lost = []
    for n in with_mesh:
        item = nodes.items[n]
        mesh = reader.mesh(item)
        if mesh is None:
            continue
        skin = _rigid(reader, n, mesh) if item.find("skin") is None else _skinned(reader, n, mesh)
        if skin is None:
            lost.append(item.text_at("name") or f"node_{n}")
        else:
            skins[n] = skin
    if lost:
        notes.append(f"{len(lost)} meshes have no joint and are not part of the figure: {', '.join(lost[:6])}")
    return skins


def _rigid(reader: _Reader, node: int, mesh: Mesh) -> Skin | None:
    nodes, bones = reader.nodes, reader.bones
    above = node
    while above >= 0 and above not in bones.joint_of:
        above = int(nodes.parents[above])
    if above < 0:
        return None
    joint_from_mesh = rigid_inverse(nodes.world[above]) @ nodes.world_matrix(node)
    name = nodes.items[node].text_at("name") or mesh.name
    joint = bones.skeleton.joints[bones.joint_of[above]]
    faces, look = _outside_out(nodes, node, mesh)
    return _made(
        nodes.items[node],
        lambda: Skin.rigid(
            bones.skeleton,
            joint,
            mesh.vertices,
            faces,
            joint_from_mesh,
            colors=mesh.colors,
            normals=mesh.normals,
            name=name,
            morphs=mesh.morphs,
            morph_names=mesh.morph_names,
            look=look,
        ),
    )


def _outside_out(nodes: Nodes, node: int, mesh: Mesh) -> tuple[NDArray[np.int32], Look | None]:
    """The faces and the look of a node's mesh, with corners in the opposite order where the node is mirrored: what is
    outside stays outside (glTF 2.0, section 3.7.4), also of a skin, although the node does not move it.
    """
    if np.linalg.det(nodes.world_matrix(node)[:3, :3]) >= 0:
        return mesh.faces, mesh.look
    return mesh.faces[:, ::-1], None if mesh.look is None else mesh.look.turned()


def _made(place: Item, make: object) -> Skin:
    try:
        return make()  # type: ignore[operator]
    except SkinError as problem:
        raise place.problem(f"{problem}; export the file again") from problem


def _skinned(reader: _Reader, n: int, mesh: Mesh) -> Skin | None:
    node = reader.nodes.items[n]
    name = node.text_at("name") or mesh.name
    if mesh.joints is None or mesh.weights is None:
        reader.notes.append(f"mesh {name!r} has a skin but no joints and weights, and is left out")
        return None
    skins = reader.skin_items
    item = skins[node.at("skin").index(len(skins), "skins")]
    joints = np.array([reader.bones.joint_of[r.value] for r in item.entries("joints")], np.int64)
    used = np.where(mesh.weights > 0, mesh.joints, 0)
    if not len(joints) or used.max(initial=0) >= len(joints) or used.min(initial=0) < 0:
        raise node.problem(
            f"its mesh follows joint {used.max(initial=0)} of {item.place}, which has {len(joints)}; export it again"
        )
    if id(mesh) not in reader.mended:
        reader.mended[id(mesh)], notes = mend_weights(mesh.weights, name)
        reader.notes += notes
    weights = reader.mended[id(mesh)]
    inverse_bind = _inverse_bind(reader, item, joints)
    faces, look = _outside_out(reader.nodes, n, mesh)
    return _made(
        node,
        lambda: Skin(
            reader.bones.skeleton,
            mesh.vertices,
            faces,
            joints[used].astype(np.int32),
            weights,
            inverse_bind,
            mesh.colors,
            mesh.normals,
            name,
            morphs=mesh.morphs,
            morph_names=mesh.morph_names,
            look=look,
        ),
    )


def _inverse_bind(reader: _Reader, item: Item, joints: NDArray[np.int64]) -> Array:
    """`[skeleton joint, 4, 4]` joint_from_mesh, including each joint's stretch."""
    reference = item.find("inverseBindMatrices")
    matrices = np.tile(np.eye(4), (len(joints), 1, 1))
    if reference is not None:
        found = read_accessor(reader.document, reference, "MAT4")
        if len(found) < len(joints):
            raise reference.problem(f"has {len(found)} matrices for {len(joints)} joints; export the file again")
        matrices = found[: len(joints)].astype(float)
    matrices[:, :3] = np.einsum(
        "jab,jbc->jac", reader.nodes.fold[[reader.bones.nodes[j] for j in joints]], matrices[:, :3]
    )
    result = np.tile(np.eye(4), (len(reader.bones.nodes), 1, 1))
    for j, matrix in zip(joints, matrices, strict=True):
        if (joints == j).sum() > 1 and not np.allclose(matrix, matrices[np.flatnonzero(joints == j)[0]]):
            raise item.problem("names one joint twice with different bind matrices; export the file again")
        result[j] = matrix
    rest = reader.nodes.world[list(reader.bones.nodes)]
    return bound_too(rest, reader.bones.skeleton.parents, result, joints.tolist())


def scales_of(nodes: Nodes, bones: Bones) -> Scales | None:
    """The file's scales, where they differ along the axes above a joint that moves; None if nowhere, or if one is 0."""
    joints = list(bones.nodes)
    above, fold = np.array([nodes.parent_fold(n) for n in joints]), nodes.fold[joints]
    moving = [joint.kind != "fixed" for joint in bones.skeleton.definitions]
    if all(is_uniform(own) for own, moves in zip(above, moving, strict=True) if moves):
        return None
    if not (np.linalg.cond(fold) < _MAX_SCALE_RATIO).all() or not (np.linalg.cond(above) < _MAX_SCALE_RATIO).all():
        return None
    return Scales(bones.parents(nodes), nodes.stretch[joints], fold, np.asarray(np.linalg.inv(above), np.float64))


# Display shapes that posable stored in a glTF file, in the extras of a joint's mesh.


def build_shapes(document: Document, bones: Bones) -> list[Shape]:
    """The shapes of all joints. Raises FileError for an invalid description."""
    meshes, shapes = document.root.entries("meshes"), []
    for node, j in bones.joint_of.items():
        reference = document.nodes[node].find("mesh")
        own = None if reference is None else posable_extras(meshes[reference.index(len(meshes), "meshes")])
        if own is not None:
            shapes += [shape_from_extras(item, bones.skeleton.joints[j]) for item in own.entries("shapes")]
    return shapes

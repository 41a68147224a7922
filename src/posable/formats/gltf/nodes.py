"""The nodes of a glTF file: their tree and rest transforms, with scales separated.

posable's transforms are rigid. With G the rigid transform of a node in the world, a glTF node's world matrix is
W = G · F, where F is the accumulated 3×3 stretch: for a node with local translation t, rotation R and
stretch K (its scales),

    G = G_parent · (F_parent t, R),      F = Rᵀ F_parent R K.

For uniform scales F is a multiple of the identity, and this holds in every pose; for others it holds while R is at
rest, and skins follow the file's own chain (`scales_of`). Scales that mirror are uniform ones, positive or negative,
after a rotation by π about an axis.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posable.files import check_count
from posable.formats.gltf.container import Document, Item
from posable.skeleton import MAX_JOINTS
from posable.spatial import Array, matrix_from_wxyz, normalized, wxyz_from_matrix, wxyz_multiply

LARGEST = 1e100
"""Positions and scales above this overflow when squared."""
UNEVEN = 1e-5
"""Relative difference above which the scales along three axes count as different."""


@dataclass(frozen=True, eq=False)
class Nodes:
    """The nodes by index.

    parents: -1 for a root. order: depth first, parents before children, in document order (or as posable
    wrote them). translation, wxyz,
    stretch: the local rest transform. world: `[node, 4, 4]` rigid transform G. fold: `[node, 3, 3]` F. frame: True for
    the node that posable puts above a z-up figure; its rotation is not part of the figure. flip: `[node]` wxyz, the
    rotation by π about an axis where the scales mirror, else none: part of `wxyz` here, and not of the file's
    rotation.
    """

    items: list[Item]
    parents: NDArray[np.int64]
    order: list[int]
    translation: Array
    wxyz: Array
    stretch: Array
    world: Array
    fold: Array
    frame: NDArray[np.bool_]
    flip: Array

    def parent_fold(self, node: int) -> Array:
        """F of the parent, the identity above a root."""
        parent = self.parents[node]
        return self.fold[parent] if parent >= 0 else np.eye(3)

    def world_matrix(self, node: int) -> Array:
        """The whole world matrix W `[4, 4]` of a node at rest, scales included."""
        matrix = self.world[node].copy()
        matrix[:3, :3] = matrix[:3, :3] @ self.fold[node]
        return matrix


def read_nodes(document: Document, notes: list[str]) -> Nodes:
    """All nodes of the file. Raises FileError for cycles, second parents and invalid transforms."""
    items = document.nodes
    check_count(document.path, len(items), MAX_JOINTS, "nodes")
    parents = _parents(items)
    order = _order(document, items, parents)
    if _is_ordered(document, parents):
        order = list(range(len(items)))
    local = [_local(item, notes) for item in items]
    translation = np.array([t for t, _, _, _ in local]).reshape(-1, 3)
    flip = np.array([f for _, _, _, f in local]).reshape(-1, 4)
    wxyz = wxyz_multiply(np.array([r for _, r, _, _ in local]).reshape(-1, 4), flip)
    stretch = np.array([k for _, _, k, _ in local]).reshape(-1, 3, 3)
    frame = np.array([_is_frame(item) for item in items], bool) & (parents < 0)
    world, fold = _folded(order, parents, translation, wxyz, stretch, frame)
    if not (
        np.abs(world).max(initial=0) < LARGEST and np.abs(fold).max(initial=0) < LARGEST
    ):  # also where not a number
        raise document.root.problem(f"its nodes have positions or scales above {LARGEST:g}; export it again")
    return Nodes(items, parents, order, translation, wxyz, stretch, world, fold, frame, flip)


def posable_extras(item: Item) -> Item | None:
    """`extras.posable` of an object, if that is an object."""
    extras = item.find("extras")
    if extras is None or not isinstance(extras.value, dict):
        return None
    own = extras.find("posable")
    return own if own is not None and isinstance(own.value, dict) else None


def is_uniform(fold: Array) -> bool:
    """Whether a 3×3 stretch is uniform."""
    mean = float(np.trace(fold)) / 3
    return bool(np.abs(fold - mean * np.eye(3)).max() <= UNEVEN * max(abs(mean), 1e-300))


def _is_ordered(document: Document, parents: NDArray[np.int64]) -> bool:
    """Whether posable marked the nodes as being in joint order, and they are a valid one."""
    own = posable_extras(document.root.at("asset"))
    said = own is not None and own.find("ordered") is not None and own.flag_at("ordered")
    frames = [child.whole() for item in document.nodes if _is_frame(item) for child in item.entries("children")]
    before = (parents < np.arange(len(parents))) | np.isin(np.arange(len(parents)), frames)
    return said and bool(before.all())


def _parents(items: list[Item]) -> NDArray[np.int64]:
    parents = np.full(len(items), -1, np.int64)
    for i, item in enumerate(items):
        for reference in item.entries("children"):
            child = reference.index(len(items), "nodes")
            if parents[child] >= 0:
                both = f"nodes[{parents[child]}] and nodes[{i}]"
                raise reference.problem(
                    f"node {child} is a child of both {both}; a node has one parent: export the file again"
                )
            parents[child] = i
    return parents


def _order(document: Document, items: list[Item], parents: NDArray[np.int64]) -> list[int]:
    """Depth first from the roots: those of the scenes in their order, then the others."""
    named = [r.index(len(items), "nodes") for scene in document.root.entries("scenes") for r in scene.entries("nodes")]
    roots = [n for n in dict.fromkeys([*named, *range(len(items))]) if parents[n] < 0]
    children = [[child.whole() for child in item.entries("children")] for item in items]
    order, waiting = [], roots[::-1]
    while waiting:
        node = waiting.pop()
        order.append(node)
        waiting += children[int(node)][::-1]
    if len(order) < len(items):
        lost = min(set(range(len(items))) - set(order))
        raise items[lost].problem("is its own ancestor: the nodes form a cycle; export the file again")
    return [int(n) for n in order]


def _local(item: Item, notes: list[str]) -> tuple[Array, Array, Array, Array]:
    """Translation, rotation wxyz, stretch and flip of one node."""
    if (matrix := item.find("matrix")) is not None:
        return *_decomposed(item, np.array(matrix.numbers(16)).reshape(4, 4).T, notes), np.eye(4)[0]
    x, y, z, w = item.numbers_at("rotation", (0.0, 0.0, 0.0, 1.0))
    if not np.hypot(np.hypot(x, y), np.hypot(z, w)) > 1e-9:
        raise item.problem("its rotation has length 0; the neutral one is [0, 0, 0, 1]")
    scale = item.numbers_at("scale", (1.0, 1.0, 1.0))
    signs = np.where(np.array(scale) < 0, -1.0, 1.0)
    signs *= signs.prod()  # a rotation by π about the axis that is left positive, or none
    own = np.array(item.numbers_at("translation", (0.0, 0.0, 0.0))), normalized((w, x, y, z)), np.diag(scale * signs)
    return *own, wxyz_from_matrix(np.diag(signs))


def _decomposed(item: Item, matrix: Array, notes: list[str]) -> tuple[Array, Array, Array]:
    """A matrix as translation, closest rotation, and remaining stretch; a reflection is a scale of -1."""
    left, sizes, right = np.linalg.svd(matrix[:3, :3])
    turn = left @ right
    turn = turn if np.linalg.det(turn) > 0 else -turn
    stretch = turn.T @ matrix[:3, :3]
    if np.abs(stretch - np.diag(np.diag(stretch))).max() > UNEVEN * max(sizes[0], 1e-300):
        notes.append(f"{item.place} ({item.text_at('name')!r}): its matrix shears; the shear is kept as it is at rest")
    return matrix[:3, 3].copy(), wxyz_from_matrix(turn), stretch


def _is_frame(item: Item) -> bool:
    own = posable_extras(item)
    return own is not None and own.find("frame") is not None and own.flag_at("frame")


def _folded(
    order: list[int],
    parents: NDArray[np.int64],
    translation: Array,
    wxyz: Array,
    stretch: Array,
    frame: NDArray[np.bool_],
) -> tuple[Array, Array]:
    world = np.tile(np.eye(4), (len(order), 1, 1))
    fold = np.tile(np.eye(3), (len(order), 1, 1))
    turns = matrix_from_wxyz(wxyz)
    for node in order:
        if frame[node]:
            continue
        above, turn, place = parents[node], turns[node], translation[node]
        if above >= 0:
            above_turn = world[above, :3, :3]
            place = world[above, :3, 3] + above_turn @ (fold[above] @ place)
            fold[node] = turn.T @ fold[above] @ turn @ stretch[node]
            turn = above_turn @ turn
        else:
            fold[node] = stretch[node]
        world[node, :3, :3], world[node, :3, 3] = turn, place
    return world, fold

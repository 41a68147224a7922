"""A tree of joints in plain NumPy: what the judge places, and what every peer is given to read.

Nothing of posable is used here: the judge of its answers must not share its formulas.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

Array = np.ndarray
COORDINATES = {"fixed": 0, "ball": 4, "free": 7}


@dataclass(frozen=True)
class Turn:
    """One scalar motion: a turn about `direction` through `anchor`, or a slide along it.

    follow: (node, axis) of the motion it mimics, at gain × that one + offset. reference: where nothing has moved yet.
    """

    direction: tuple[float, float, float]
    lower: float = -math.inf
    upper: float = math.inf
    slide: bool = False
    anchor: tuple[float, float, float] = (0.0, 0.0, 0.0)
    follow: tuple[int, int] | None = None
    gain: float = 1.0
    offset: float = 0.0
    reference: float = 0.0


@dataclass(frozen=True)
class Swing:
    """Limits of a ball: how far `axis` may lean from its place in `center` (wxyz), and the turn about it."""

    axis: tuple[float, float, float]
    swing: float
    twist: tuple[float, float]
    center: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Node:
    """A joint and the body that it moves: fixed, ball, free, or "axes" in a row. `rest`: its frame in its parent's."""

    name: str
    parent: int
    kind: str
    rest: Array = field(default_factory=lambda: np.eye(4))
    axes: tuple[Turn, ...] = ()
    limits: Swing | None = None
    anchor: tuple[float, float, float] = (0.0, 0.0, 0.0)
    absolute: bool = False

    @property
    def coordinates(self) -> int:
        """How many numbers of a pose are its own."""
        return COORDINATES.get(self.kind, sum(axis.follow is None for axis in self.axes))


@dataclass(frozen=True)
class Tree:
    """Nodes, parents first."""

    name: str
    nodes: tuple[Node, ...]

    def index(self, name: str) -> int:
        """The node of this name."""
        return next(i for i, node in enumerate(self.nodes) if node.name == name)

    def first(self) -> list[int]:
        """`[node + 1]`: where each node's coordinates begin."""
        return [0, *np.cumsum([node.coordinates for node in self.nodes]).tolist()]

    def chain(self, name: str) -> list[int]:
        """The nodes from the root down to `name`."""
        found = [self.index(name)]
        while self.nodes[found[-1]].parent >= 0:
            found.append(self.nodes[found[-1]].parent)
        return found[::-1]

    def only(self, ends: Sequence[str]) -> Tree:
        """The nodes on the way from the root to `ends`."""
        kept = sorted({i for end in ends for i in self.chain(end)})
        place = {old: new for new, old in enumerate(kept)} | {-1: -1}
        nodes = [Node(**{**vars(self.nodes[i]), "parent": place[self.nodes[i].parent]}) for i in kept]
        return Tree(self.name, tuple(nodes))

    def scalar_limits(self) -> tuple[Array, Array]:
        """`[coordinate]` lower and upper bounds, infinite for balls and free joints."""
        lower: list[float] = []
        upper: list[float] = []
        for node in self.nodes:
            own = [(a.lower, a.upper) for a in node.axes if a.follow is None]
            own = own or [(-math.inf, math.inf)] * node.coordinates
            lower += [low for low, _ in own]
            upper += [high for _, high in own]
        return np.array(lower), np.array(upper)


def rotation(axis: Sequence[float], angle: Array) -> Array:
    """`[..., 3, 3]` about a unit axis (Rodrigues)."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]], float)
    angle = np.asarray(angle, float)[..., None, None]
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * (cross @ cross)


def matrix_of(wxyz: Array) -> Array:
    """`[..., 3, 3]` of quaternions wxyz of any length."""
    w, x, y, z = np.moveaxis(wxyz / np.linalg.norm(wxyz, axis=-1, keepdims=True), -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def quaternion_of(matrix: Array) -> Array:
    """wxyz of one rotation matrix, by its largest component."""
    m = matrix
    square = [1 + m[0, 0] + m[1, 1] + m[2, 2], *(1 + 2 * m[i, i] - np.trace(m) for i in range(3))]
    k = int(np.argmax(square))
    skew = np.array([m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]])
    if k == 0:
        found = np.array([square[0], *skew])
    else:
        found = np.array([skew[k - 1], *(m[k - 1, i] + m[i, k - 1] for i in range(3))])
        found[k] = square[k]
    return found / np.linalg.norm(found)


def quaternion_about(axis: Array, angle: Array) -> Array:
    """`[..., 4]` wxyz of turns about axes of any length."""
    unit = axis / np.linalg.norm(axis, axis=-1, keepdims=True)
    half = np.asarray(angle)[..., None] / 2
    return np.concatenate([np.cos(half), np.sin(half) * unit], axis=-1)


def frame(position: Sequence[float] = (0, 0, 0), turn: Array | None = None) -> Array:
    """`[4, 4]` of a position and a rotation matrix."""
    out = np.eye(4)
    out[:3, 3] = position
    out[:3, :3] = np.eye(3) if turn is None else turn
    return out


def place(tree: Tree, q: Array) -> Array:
    """`[..., node, 4, 4]`: where every body is. Forward kinematics, one matrix product per motion."""
    q = np.asarray(q, float)
    out = np.zeros((*q.shape[:-1], len(tree.nodes), 4, 4))
    first = tree.first()
    values: dict[tuple[int, int], Array] = {}
    for i, node in enumerate(tree.nodes):
        own = q[..., first[i] : first[i + 1]]
        above = out[..., node.parent, :, :] if node.parent >= 0 else np.broadcast_to(np.eye(4), (*q.shape[:-1], 4, 4))
        if node.kind == "free":
            out[..., i, :, :] = above @ moved(own[..., :3], matrix_of(own[..., 3:]))
        elif node.kind == "ball":
            turn = matrix_of(own)
            anchor = np.array(node.anchor)
            out[..., i, :, :] = above @ node.rest @ moved(anchor - turn @ anchor, turn)
        else:
            turned = values.get((above_absolute(tree, i), 0), 0.0)
            out[..., i, :, :] = above @ node.rest @ motions(node, i, own, values, q.shape[:-1], turned)
    return out


def above_absolute(tree: Tree, i: int) -> int:
    """The nearest node above an absolute one that is absolute too; -1 if there is none or it is not absolute."""
    node = tree.nodes[i]
    while node.absolute and node.parent >= 0:
        if tree.nodes[node.parent].absolute:
            return node.parent
        node = replace(node, parent=tree.nodes[node.parent].parent)
    return -1


def moved(position: Array, turn: Array) -> Array:
    """`[..., 4, 4]`."""
    out = np.zeros((*position.shape[:-1], 4, 4))
    out[..., :3, :3], out[..., :3, 3], out[..., 3, 3] = turn, position, 1
    return out


def motions(
    node: Node, i: int, own: Array, values: dict[tuple[int, int], Array], shape: tuple[int, ...], turned: Array | float
) -> Array:
    """`[..., 4, 4]`: the axes of one node in a row; what each stands at goes to `values` for those that mimic it.

    turned: how far what carries an absolute angle has turned already.
    """
    out = np.broadcast_to(np.eye(4), (*shape, 4, 4))
    taken = 0
    for k, axis in enumerate(node.axes):
        if axis.follow is None:
            value, taken = own[..., taken], taken + 1
        else:
            value = axis.gain * values[axis.follow] + axis.offset
        values[i, k] = value
        by = value - axis.reference - turned
        if axis.slide:
            out = out @ moved(by[..., None] * np.array(axis.direction), np.broadcast_to(np.eye(3), (*shape, 3, 3)))
        else:
            turn, anchor = rotation(axis.direction, by), np.array(axis.anchor)
            out = out @ moved(anchor - turn @ anchor, turn)
    return out


def to_plain(tree: Tree) -> dict[str, object]:
    """The tree as JSON can hold it."""
    nodes = [{**asdict(node), "rest": node.rest.tolist()} for node in tree.nodes]
    return {"name": tree.name, "nodes": nodes}


def from_plain(plain: dict[str, Any]) -> Tree:
    """The other way round."""
    return Tree(plain["name"], tuple(_node(dict(node)) for node in plain["nodes"]))


def _node(plain: dict[str, Any]) -> Node:
    axes = tuple(Turn(**{**axis, "follow": axis["follow"] and tuple(axis["follow"])}) for axis in plain.pop("axes"))
    limits = plain.pop("limits")
    rest = np.array(plain.pop("rest"))
    return Node(**plain, rest=rest, axes=axes, limits=None if limits is None else Swing(**limits))

"""Where nodes are: the local transform that FBX builds of many properties, the world transform by inherit mode.

A point goes through T · Roff · Rp · Rpre · R · Rpost⁻¹ · Rp⁻¹ · Soff · Sp · S · Sp⁻¹ (Autodesk, "Computing
transformation matrices"). How a scale acts on children is the child's inherit mode: on everything (RSrs, the usual),
on each axis of their own (RrSs), or, of the parent's, not at all (Rrs, Maya's scale compensation).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.formats.fbx.objects import Item
from posable.spatial import Array, matrix_from_wxyz, wxyz_inverse, wxyz_multiply

ORDERS = ("xyz", "xzy", "yzx", "yxz", "zxy", "zyx", "xyz")
"""Rotation orders by number: about which axis first. The last is "spheric", which rotates as xyz."""
COMPONENTWISE, NORMAL, WITHOUT_PARENT = 0, 1, 2
"""Inherit modes: RrSs, RSrs, Rrs."""
DEFAULTS = {
    "Lcl Translation": 0.0, "Lcl Rotation": 0.0, "Lcl Scaling": 1.0, "RotationOffset": 0.0, "RotationPivot": 0.0,
    "ScalingOffset": 0.0, "ScalingPivot": 0.0, "PreRotation": 0.0, "PostRotation": 0.0,
}  # fmt: skip
"""The properties of a local transform."""
Values = Mapping[str, Array]
"""Properties of one node by name, `[3]` or `[frame, 3]`; those that are missing have their defaults."""


class Local(NamedTuple):
    """Local transforms of one node: translation `[..., 3]`, rotation wxyz `[..., 4]`, scale `[..., 3]`."""

    translation: Array
    wxyz: Array
    scale: Array


def wxyz_from_degrees(order: int, degrees: Array) -> Array:
    """Quaternions of rotations about fixed axes in one of ORDERS, `degrees [..., 3]` about x, y and z."""
    tangent = np.tan(degrees * (np.pi / 720))  # of a quarter: NumPy's tan takes an eighth of its cos and sin
    twice = 2 / (1 + tangent * tangent)
    cosine, sine = twice - 1, twice * tangent
    c, b, a = ("xyz".index(letter) for letter in ORDERS[order])
    sign = 1.0 if (a, b, c) in ((0, 1, 2), (1, 2, 0), (2, 0, 1)) else -1.0
    result = np.moveaxis(np.empty((4, *tangent.shape[:-1])), 0, -1)  # so that each of w, x, y, z is contiguous
    ca, cb, cc = cosine[..., a], cosine[..., b], cosine[..., c]
    sa, sb, sc = sine[..., a], sine[..., b], sine[..., c]
    sc_signed = sign * sc
    cc_ab, cs_ab, sc_ab, ss_ab = ca * cb, ca * sb, sa * cb, sa * sb
    result[..., 0] = cc_ab * cc - ss_ab * sc_signed
    result[..., 1 + a] = sc_ab * cc + cs_ab * sc_signed
    result[..., 1 + b] = cs_ab * cc - sc_ab * sc_signed
    result[..., 1 + c] = cc_ab * sc + ss_ab * (sign * cc)
    return result


def local_values(item: Item) -> dict[str, Array]:
    """The properties of a node's local transform as the file states them, without those at their defaults."""
    found = {name: item.vector(name, (usual, usual, usual)) for name, usual in DEFAULTS.items()}
    return {name: own for name, own in found.items() if (own != DEFAULTS[name]).any()}


def rotation_order(item: Item) -> int:
    """The number of a node's rotation order."""
    order = item.whole("RotationOrder")
    return order if 0 <= order < len(ORDERS) else 0


def local_transform(order: int, values: Values) -> Local:
    """The local transform of properties."""
    wxyz = rotation(order, values)
    scale = values.get("Lcl Scaling", np.ones(3))
    shift = np.zeros(3)
    if "ScalingPivot" in values:
        shift = values["ScalingPivot"] * (1 - scale)
    shift = shift + values.get("ScalingOffset", 0.0)
    pivot = values.get("RotationPivot", 0.0)
    shift = shift - pivot
    if np.any(shift):
        shift = (matrix_from_wxyz(wxyz) @ shift[..., None])[..., 0]
    shift = shift + pivot + values.get("RotationOffset", 0.0) + values.get("Lcl Translation", 0.0)
    return Local(shift, wxyz, scale)


def rotation(order: int, values: Values) -> Array:
    """Rpre · R · Rpost⁻¹, wxyz."""
    wxyz = wxyz_from_degrees(order, values.get("Lcl Rotation", np.zeros(3)))
    if "PreRotation" in values:
        wxyz = wxyz_multiply(wxyz_from_degrees(0, values["PreRotation"]), wxyz)
    if "PostRotation" in values:
        wxyz = wxyz_multiply(wxyz, wxyz_inverse(wxyz_from_degrees(0, values["PostRotation"])))
    return wxyz


def geometry_matrix(item: Item) -> Array:
    """node_from_geometry `[4, 4]`: acts on a node's mesh, but not on its children."""
    result = np.eye(4)
    turn = matrix_from_wxyz(wxyz_from_degrees(0, item.vector("GeometricRotation")))
    result[:3, :3] = turn * item.vector("GeometricScaling", (1.0, 1.0, 1.0))
    result[:3, 3] = item.vector("GeometricTranslation")
    return result


@dataclass(frozen=True, eq=False)
class Tree:
    """The nodes in an order in which parents come first.

    parents: `[node]`, -1 for a root. order: depth first. modes: `[node]` inherit modes.
    """

    parents: Sequence[int]
    order: Sequence[int]
    modes: NDArray[np.int64]


class World(NamedTuple):
    """World transforms of one node: the matrix without translation `[..., 3, 3]`, its position `[..., 3]`, and the
    product of the rotations alone, `[..., 3, 3]`.
    """

    linear: Array
    place: Array
    rotation: Array


class Worlds:
    """World transforms of nodes, found one by one, parents first, in the file's unit and axes.

    found: `[node]`. plain: `[node]` the matrices without the node's own scale. scales: `[node]` what heirs inherit axis
    by axis.
    """

    def __init__(self, tree: Tree) -> None:
        count = len(tree.parents)
        self._tree, self._heirs = tree, inherited_from(tree)
        self.found: list[World] = [_NOWHERE] * count
        self._plain: list[Array] = [np.eye(3)] * count
        self._scales: list[Array] = [np.ones(3)] * count

    def above(self, node: int) -> tuple[World, Array]:
        """The world transform of a node's parent, and the matrix `[..., 3, 3]` from the node's translation to the
        world.
        """
        parent = self._tree.parents[node]
        if parent < 0:
            return _NOWHERE, np.eye(3)
        if self._tree.modes[node] == NORMAL:
            return self.found[parent], self.found[parent].linear
        return self.found[parent], self._plain[parent] * self._scales[parent][..., None, :]

    def add(self, node: int, own: Local) -> None:
        """Add a node. One with its own inherit mode takes some of the scales above it along its own axes."""
        parent, turn, scale = self._tree.parents[node], matrix_from_wxyz(own.wxyz), own.scale
        above, base = self.above(node)
        place = above.place + (base @ own.translation[..., None])[..., 0]
        if parent >= 0 and self._tree.modes[node] != NORMAL:
            base = self._plain[parent]
            scale = scale if self._heirs[node] < 0 else scale * self._scales[self._heirs[node]]
        self._plain[node], self._scales[node] = base @ turn, scale
        self.found[node] = World(self._plain[node] * scale[..., None, :], place, above.rotation @ turn)


_NOWHERE = World(np.eye(3), np.zeros(3), np.eye(3))


def worlds(tree: Tree, locals_: Sequence[Local]) -> list[World]:
    """World transforms of all nodes."""
    result = Worlds(tree)
    for node in tree.order:
        result.add(node, locals_[node])
    return result.found


def inherited_from(tree: Tree) -> list[int]:
    """`[node]` the node whose scale each inherits axis by axis, -1 for none."""
    found = [-1] * len(tree.parents)
    for node in tree.order:
        parent = tree.parents[node]
        if parent >= 0 and tree.modes[node] == COMPONENTWISE:
            found[node] = parent
        elif parent >= 0 and tree.modes[node] == WITHOUT_PARENT:
            found[node] = found[parent]
    return found

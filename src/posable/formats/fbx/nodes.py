"""The nodes of an FBX scene: their tree, their properties at rest, and the file's axes and unit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from posable.errors import FileError
from posable.files import check_count
from posable.formats.defaults import LARGEST_NUMBER
from posable.formats.fbx.animation import Stack, rest_values
from posable.formats.fbx.objects import Item, Key, Scene, read_parents, shown
from posable.formats.fbx.transforms import Local, Tree, Values, local_transform, rotation_order, worlds
from posable.skeleton import MAX_JOINTS
from posable.spatial import Array, wxyz_from_matrix


class Space(NamedTuple):
    """The file's axes and unit. axes: `[3, 3]` from the file's axes to posable's, mirrored where the file's are
    left-handed. mirror: `[3, 3]` what then mirrors each joint's own frame back. meters: of one unit.
    """

    axes: Array
    mirror: Array
    meters: float
    up: Literal["y", "z"]

    def in_file(self, matrix: Array) -> Array:
        """A world matrix `[4, 4]` in metres, in the file's axes and unit."""
        back = np.eye(4)
        back[:3, :3] = self.axes.T / self.meters
        return back @ matrix


def read_space(scene: Scene, notes: list[str]) -> Space:
    """Right-handed files whose up is y or z keep their axes; others are turned so that y is up, z ahead."""
    meters = scene.setting("UnitScaleFactor", 1.0) / 100
    if not 1e-9 <= meters <= 1e9:
        raise FileError(
            scene.tree.path, f"its UnitScaleFactor is {100 * meters:g}; it must be above 0: export it again"
        )
    axes = np.zeros((3, 3))
    for row, (name, usual) in enumerate((("CoordAxis", 0), ("UpAxis", 1), ("FrontAxis", 2))):
        axis, sign = scene.setting(name, usual), scene.setting(f"{name}Sign", 1)
        if axis in (0, 1, 2):
            axes[row, int(axis)] = -1.0 if sign < 0 else 1.0
    hand = np.linalg.det(axes)
    if not hand:
        notes.append("its axes are not three different ones; y was taken for up")
    if not hand or (hand > 0 and axes[1, 1] > 0):
        return Space(np.eye(3), np.eye(3), meters, "y")
    if hand > 0 and axes[1, 2] > 0:
        return Space(np.eye(3), np.eye(3), meters, "z")
    return Space(axes, np.diag([np.sign(hand), 1.0, 1.0]), meters, "y")


@dataclass(frozen=True, eq=False)
class Nodes:
    """All models of the file. rest: the properties of each one's local transform."""

    scene: Scene
    items: list[Item]
    tree: Tree
    rest: list[dict[str, Array]]
    orders: list[int]
    space: Space
    place: dict[Key, int]

    @cached_property
    def still(self) -> list[Local]:
        """The local transforms at rest."""
        return [self.local(n, values) for n, values in enumerate(self.rest)]

    def local(self, node: int, values: Values) -> Local:
        """A node's local transform with these properties."""
        return local_transform(self.orders[node], values)


def read_nodes(scene: Scene, stacks: Iterable[Stack], notes: list[str]) -> Nodes:
    """The nodes. Raises FileError without any, for cycles, and for transforms that are not finite."""
    items, parents = read_parents(scene)
    if not items:
        raise FileError(
            scene.tree.path, "has no nodes, so there is no figure in it; export the model with its armature"
        )
    check_count(scene.tree.path, len(items), MAX_JOINTS, "nodes")
    children: list[list[int]] = [[] for _ in items]
    for i, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(i)
    order, waiting = [], [i for i, parent in enumerate(parents) if parent < 0][::-1]
    while waiting:
        order.append(waiting.pop())
        waiting += children[order[-1]][::-1]
    modes = np.array([item.whole("InheritType", 1) for item in items])
    rest = [rest_values(scene, stacks, item) for item in items]
    for item, values in zip(items, rest, strict=True):
        if not all((np.abs(own) < LARGEST_NUMBER).all() for own in values.values()):
            raise FileError(scene.tree.path, f"the transform of {shown(item.name)!r} is not finite; export it again")
    place = {item.key: i for i, item in enumerate(items)}
    orders = [rotation_order(item) for item in items]
    return Nodes(scene, items, Tree(parents, order, modes), rest, orders, read_space(scene, notes), place)


def rest_frames(nodes: Nodes) -> tuple[Array, Array, Array, Array]:
    """At rest, of all nodes: rigid world frames `[node, 4, 4]` in metres, folds `[node, 3, 3]`, and the frames in the
    nodes above, positions `[node, 3]` and wxyz `[node, 4]`.
    """
    found = worlds(nodes.tree, nodes.still)
    axes, mirror, meters, _ = nodes.space
    world = np.tile(np.eye(4), (len(found), 1, 1))
    rotations = np.array([one.rotation for one in found])
    world[:, :3, :3] = axes @ rotations @ mirror
    world[:, :3, 3] = meters * np.array([one.place for one in found]) @ axes.T
    if not (np.abs(world) < LARGEST_NUMBER).all():
        raise FileError(nodes.scene.tree.path, "its nodes stand at positions that are not finite; export it again")
    fold = meters * mirror @ np.swapaxes(rotations, 1, 2) @ np.array([one.linear for one in found])
    above = np.array(nodes.tree.parents)
    base = np.where((above >= 0)[:, None, None], world[above], np.eye(4))
    back = np.swapaxes(base[:, :3, :3], 1, 2)
    position = (back @ (world[:, :3, 3] - base[:, :3, 3])[..., None])[..., 0]
    return world, fold, position, wxyz_from_matrix(back @ world[:, :3, :3])

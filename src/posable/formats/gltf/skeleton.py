"""The skeleton of a glTF file: which nodes are joints, their kinds, and their rest pose.

Joints are all nodes that skins name, their ancestors, and nodes with meshes that an animation moves. The topmost joint
of the skins is free; if several are topmost under one node, that node is. Other joints of skins are balls. Nodes
between and above are fixed unless an animation moves them. A node's `extras.posable` has priority over all of these
rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from posable.formats.defaults import free_roots, with_ancestors
from posable.formats.gltf.animations import Animation
from posable.formats.gltf.container import Document, Item
from posable.formats.gltf.extras import joint_from_extras, rested
from posable.formats.gltf.nodes import Nodes, is_uniform, posable_extras
from posable.skeleton import Joint, Skeleton
from posable.skeleton.joint import Kind
from posable.spatial import normalized, wxyz_inverse, wxyz_multiply

_SHIFT = 1e-5
_TURN = 1e-6


@dataclass(frozen=True, eq=False)
class Bones:
    """The skeleton and its nodes in the file. nodes: `[joint]` node indices. joint_of: node index → joint index."""

    skeleton: Skeleton
    nodes: tuple[int, ...]
    joint_of: dict[int, int]

    def on(self, skeleton: Skeleton) -> Bones:
        """The same nodes on a skeleton with the same joints in another tree."""
        node_of = dict(zip(self.skeleton.joints, self.nodes, strict=True))
        nodes = tuple(node_of[name] for name in skeleton.joints)
        return Bones(skeleton, nodes, {node: j for j, node in enumerate(nodes)})

    def parents(self, nodes: Nodes) -> np.ndarray:
        """`[joint]` the joint above each in the file, -1 for a root: another than the skeleton's for detached feet."""
        return np.array([self.joint_of.get(int(nodes.parents[node]), -1) for node in self.nodes])


@dataclass(frozen=True)
class _Choice:
    """The nodes that become joints, their kinds, and the degrees of freedom that solvers do not move (None: no degree
    of freedom).
    """

    nodes: list[int]
    kinds: dict[int, Kind]
    active: dict[int, tuple[bool, ...] | None]


@dataclass(frozen=True)
class Moves:
    """The nodes that animations actually rotate, and those they translate, from rest."""

    turning: frozenset[int]
    shifting: frozenset[int]


def build_bones(
    document: Document,
    nodes: Nodes,
    animations: list[Animation],
    humanoid: Mapping[int, tuple[str, ...]],
    notes: list[str],
) -> Bones:
    """Choose the joints and build the skeleton. humanoid: other names by node; they become aliases.

    Raises FileError if the file has no nodes or joints.
    """
    if not len(nodes.items):
        raise document.root.problem("has no nodes, so there is no figure in it; export the model with its armature")
    said = {
        n: own for n, item in enumerate(nodes.items) if (own := posable_extras(item)) is not None and own.find("kind")
    }
    core = _core(document, nodes, said, humanoid)
    moves = find_moves(nodes, animations, _size(nodes, core), notes)
    choice = _chosen(document, nodes, core, moves)
    names = _names(nodes, choice.nodes, notes)
    joints = []
    for node in choice.nodes:
        parent = names.get(int(nodes.parents[node]))
        if node in said:
            joint = joint_from_extras(said[node], names[node], parent)
            aliases = dict.fromkeys([*joint.aliases, *humanoid.get(node, ())])
            joints.append(replace(joint, aliases=tuple(aliases)))
        else:
            joints.append(_plain(nodes, node, choice, names[node], parent, humanoid.get(node, ())))
    _note_uneven(nodes, choice, names, notes)
    skeleton, own = Skeleton(joints, _up(document)), {j for j, node in enumerate(choice.nodes) if node in said}
    if own:
        position = np.array([nodes.parent_fold(n) @ nodes.translation[n] for n in choice.nodes])
        skeleton = rested(skeleton, position, nodes.wxyz[choice.nodes], own, notes)
    return Bones(skeleton, tuple(choice.nodes), {node: j for j, node in enumerate(choice.nodes)})


def find_moves(nodes: Nodes, animations: list[Animation], size: float, notes: list[str]) -> Moves:
    """The nodes that animations actually move; changing scales are noted, since poses have no scales."""
    turning, shifting, scaled = set(), set(), set()
    for animation in animations:
        for channel in animation.channels:
            n = channel.node
            if channel.path == "rotation":
                turn = wxyz_multiply(
                    wxyz_inverse(wxyz_multiply(nodes.wxyz[n], nodes.flip[n])), normalized(channel.values)
                )
                if np.abs(turn[:, 1:]).max() > _TURN:
                    turning.add(n)
            elif channel.path == "translation":
                shift = (channel.values - nodes.translation[n]) @ nodes.parent_fold(n).T
                if np.linalg.norm(shift, axis=1).max() > _SHIFT * size:
                    shifting.add(n)
            elif np.abs(np.abs(channel.values) - np.abs(np.diag(nodes.stretch[n]))).max() > 1e-4 * max(
                np.abs(nodes.stretch[n]).max(), 1e-300
            ):
                scaled.add(n)
    if scaled:
        listed = ", ".join(nodes.items[n].text_at("name") or f"node_{n}" for n in sorted(scaled)[:6])
        notes.append(f"animations change the scale of {len(scaled)} nodes ({listed}); poses keep their scale at rest")
    return Moves(frozenset(turning), frozenset(shifting))


def _core(
    document: Document, nodes: Nodes, said: Mapping[int, Item], humanoid: Mapping[int, tuple[str, ...]]
) -> set[int]:
    """The nodes that skins, posable or a humanoid map name as joints; all nodes if none do."""
    count = len(nodes.items)
    named = {r.index(count, "nodes") for skin in document.root.entries("skins") for r in skin.entries("joints")}
    found = named | set(said) or set(humanoid) or set(range(count))
    return {n for n in found if not nodes.frame[n]}


def _size(nodes: Nodes, core: Iterable[int]) -> float:
    places = nodes.world[sorted(core), :3, 3]
    return float(np.linalg.norm(np.ptp(places, axis=0))) or 1.0 if len(places) else 1.0


def _chosen(document: Document, nodes: Nodes, core: set[int], moves: Moves) -> _Choice:
    wanted = set(core)
    for n, item in enumerate(nodes.items):
        if item.find("mesh") is not None and item.find("skin") is None:
            wanted |= with_ancestors(nodes.parents, [n]) & (moves.turning | moves.shifting)
    wanted = with_ancestors(nodes.parents, wanted)
    chosen = [n for n in nodes.order if n in wanted and not nodes.frame[n]]
    if not chosen:
        raise document.root.problem("has no joints, so there is no figure in it; export the model with its armature")
    return _with_kinds(nodes, core, chosen, moves)


def _with_kinds(nodes: Nodes, core: set[int], chosen: list[int], moves: Moves) -> _Choice:
    """Kinds by the rules of this module; nodes above a free root are moved only by the file."""
    free = free_roots(nodes.parents, chosen, core)
    above = with_ancestors(nodes.parents, free) - free
    kinds: dict[int, Kind] = {}
    active: dict[int, tuple[bool, ...] | None] = {}
    for n in chosen:
        if n in free or n in moves.shifting:
            kinds[n] = "free"
            active[n] = None if n in free else (False,) * 3 + (n not in above,) * 3
        else:
            kinds[n] = "ball" if n in core or n in moves.turning else "fixed"
            active[n] = (False,) * 3 if n in above and kinds[n] == "ball" else None
    return _Choice(chosen, kinds, active)


def _children(nodes: Nodes, node: int) -> list[int]:
    return [child.whole() for child in nodes.items[node].entries("children")]


def _names(nodes: Nodes, chosen: list[int], notes: list[str]) -> dict[int, str]:
    """A unique name for each joint."""
    names: dict[int, str] = {}
    taken: set[str] = set()
    counts: Counter[str] = Counter()
    twice = {}
    for n in chosen:
        wanted = name = nodes.items[n].text_at("name") or f"node_{n}"
        while name in taken:
            counts[wanted] += 1
            name = f"{wanted}_{counts[wanted] + 1}"
        taken.add(name)
        names[n] = name
        if name != wanted:
            twice[name] = wanted
    if twice:
        listed = ", ".join(f"{name} (was {wanted})" for name, wanted in list(twice.items())[:6])
        notes.append(f"{len(twice)} nodes with repeated names were renamed: {listed}")
    return names


def _plain(nodes: Nodes, node: int, choice: _Choice, name: str, parent: str | None, aliases: tuple[str, ...]) -> Joint:
    """The joint of a node without `extras.posable`."""
    ends = [c for c in _children(nodes, node) if c not in choice.kinds and _is_end(nodes.items[c])]
    return Joint(
        name,
        choice.kinds[node],
        parent,
        position=_floats(nodes.parent_fold(node) @ nodes.translation[node]),  # type: ignore[arg-type]
        wxyz=_floats(nodes.wxyz[node]),  # type: ignore[arg-type]
        active=choice.active[node],
        aliases=aliases,
        tips=tuple(_floats(nodes.fold[node] @ nodes.translation[c]) for c in ends),  # type: ignore[arg-type]
    )


def _is_end(item: Item) -> bool:
    return not any(item.find(key) for key in ("children", "mesh", "camera", "extensions"))


def _floats(values: np.ndarray) -> tuple[float, ...]:
    return tuple(float(v) for v in values)


def _up(document: Document) -> Literal["y", "z"]:
    own = posable_extras(document.root.at("asset"))
    return "z" if own is not None and own.find("up") and own.at("up").value == "z" else "y"


def _note_uneven(nodes: Nodes, choice: _Choice, names: Mapping[int, str], notes: list[str]) -> None:
    uneven = {
        int(nodes.parents[n])
        for n in choice.nodes
        if choice.kinds[n] != "fixed" and not is_uniform(nodes.parent_fold(n))
    }
    if uneven:
        listed = ", ".join(names.get(n, f"node_{n}") for n in sorted(uneven)[:6])
        notes.append(
            f"{len(uneven)} joints with non-uniform scales are above moving ones ({listed}): their skin is exact in"
            " every pose, the positions of joints only at rest"
        )


# The humanoid maps of VRM 0.x, VRM 1.0 and VRM animation, from nodes to roles.


NAMES = {"VRM": "VRM 0.x", "VRMC_vrm": "VRM 1.0", "VRMC_vrm_animation": "VRM animation"}


def vrm_extension(document: Document) -> Item | None:
    """The VRM extension of the file, of any version."""
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
        if reference.value != -1:  # VRM 0.x writes -1 for a missing part
            node = reference.index(len(document.nodes), "nodes")
            found[node] = (*found.get(node, ()), name.encode("utf-8", "replace").decode())
    return found

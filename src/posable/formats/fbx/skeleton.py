"""The skeleton and the clips of an FBX scene: which nodes are joints, their kinds, and their motion in each animation.

Joints are all limbs, the nodes that skins follow, the nodes that an animation moves, and their ancestors; all nodes in
a scene without limbs and skins. posable's transforms are rigid: a joint has the product of the rotations above it and
stands where its node stands in the world, in metres; scales stay in `Bones.fold`. Where a scale moves a joint off its
parent over time, the joint is free, so that every frame is exact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.files import free_name
from posable.formats.defaults import free_roots, with_ancestors
from posable.formats.fbx.animation import Stack
from posable.formats.fbx.motion import animated, sample
from posable.formats.fbx.nodes import Nodes, rest_frames
from posable.formats.fbx.objects import Item, Scene, shown
from posable.formats.fbx.transforms import NORMAL, Tree
from posable.skeleton import Joint, Skeleton
from posable.skeleton.joint import Kind
from posable.skeleton.placements import coordinates_of
from posable.spatial import Array

LIMBS = ("LimbNode", "Limb", "Root")
ASIDE = ("Camera", "Light", "CameraSwitcher", "CameraStereo")
"""Nodes that are joints only where something moves them, or there is nothing else."""
_SHIFT, _TURN, _UNEVEN_SCALE = 1e-6, 1e-7, 1e-3


@dataclass(frozen=True, eq=False)
class Bones:
    """The skeleton and its nodes. nodes: `[joint]`. joint_of: node → joint. world: `[node, 4, 4]` every node's rigid
    frame at rest, in metres; fold: `[node, 3, 3]` what its scales do in that frame, with the unit.
    """

    skeleton: Skeleton
    nodes: tuple[int, ...]
    joint_of: dict[int, int]
    world: Array
    fold: Array

    def on(self, skeleton: Skeleton) -> Bones:
        """The same nodes on a skeleton with the same joints in another tree."""
        node_of = dict(zip(self.skeleton.joints, self.nodes, strict=True))
        nodes = tuple(node_of[name] for name in skeleton.joints)
        return replace(self, skeleton=skeleton, nodes=nodes, joint_of={node: j for j, node in enumerate(nodes)})

    def parents(self, tree: Tree) -> NDArray[np.int64]:
        """`[joint]` the joint above each in the file, -1 for a root: another than the skeleton's for detached feet."""
        return np.array([self.joint_of.get(tree.parents[node], -1) for node in self.nodes])


def build_bones(
    nodes: Nodes, stacks: Sequence[Stack], followed: set[int], aliases: Mapping[int, tuple[str, ...]], notes: list[str]
) -> tuple[Bones, list[Clip]]:
    """The skeleton and a clip of each animation that moves it. followed: the nodes that skins follow."""
    core = {i for i, item in enumerate(nodes.items) if _is_limb(nodes.scene, item)} | followed | set(aliases)
    core = core or {i for i, item in enumerate(nodes.items) if item.sub not in ASIDE} or set(range(len(nodes.items)))
    world, fold, position, wxyz = rest_frames(nodes)
    moved = core.union(*(animated(nodes, stack) for stack in stacks))
    wanted = with_ancestors(nodes.tree.parents, moved)
    sampled = [n for n in nodes.tree.order if n in wanted]
    motions = sample(nodes, stacks, sampled, notes)
    size = float(np.linalg.norm(np.ptp(world[sampled, :3, 3], axis=0))) or 1.0
    shifting, turning = set[int](), set[int]()
    for motion in motions:
        shifting |= {sampled[k] for k in np.flatnonzero(_leave(motion.position, position[sampled], _SHIFT * size))}
        turning |= {sampled[k] for k in np.flatnonzero(_leave_rotations(motion.wxyz, wxyz[sampled], _TURN))}
    kept = with_ancestors(nodes.tree.parents, core | shifting | turning)
    chosen = [n for n in sampled if n in kept]
    skeleton = _skeleton(nodes, chosen, core, (shifting, turning), (position, wxyz), aliases, notes)
    _note_uneven(nodes, fold, {n for n in chosen if n in core or n in turning}, notes)
    bones = Bones(skeleton, tuple(chosen), {n: j for j, n in enumerate(chosen)}, world, fold)
    columns = [sampled.index(n) for n in chosen] if len(chosen) < len(sampled) else slice(None)
    clips, taken = [], set[str]()
    for motion in motions:
        if motion.resized:
            said = shown(motion.stack.name)
            notes.append(f"animation {said!r} changes scales: joints stand where it puts them, skins keep theirs")
        name = free_name(shown(motion.stack.name) or "clip", taken)
        taken.add(name)
        q = coordinates_of(skeleton, motion.position[:, columns], motion.wxyz[:, columns])
        clips.append(Clip(skeleton, q, motion.fps, name))
    return bones, clips


def _note_uneven(nodes: Nodes, fold: Array, turning: set[int], notes: list[str]) -> None:
    """Note scales that differ along the axes above joints that rotate: rigid joints shear no skin."""
    above = {nodes.tree.parents[n] for n in turning if nodes.tree.modes[n] == NORMAL} - {-1}
    gram = {n: fold[n].T @ fold[n] for n in above}
    uneven = [n for n in above if np.abs(gram[n] - gram[n][0, 0] * np.eye(3)).max() > _UNEVEN_SCALE * gram[n][0, 0]]
    if uneven:
        listed = ", ".join(shown(nodes.items[n].name) for n in sorted(uneven)[:6])
        notes.append(
            f"{len(uneven)} joints with non-uniform scales are above moving ones ({listed}): their skin is exact at"
            " rest and shears less than in the file elsewhere; apply the scales before export, or export glTF"
        )


def _leave(values: Array, rest: Array, slack: float) -> NDArray[np.bool_]:
    """`[node]` whether a number of `[frame, node, number]` is ever further from `rest [node, number]`."""
    return (np.maximum(values.max(axis=0) - rest, rest - values.min(axis=0)) > slack).any(axis=1)


def _leave_rotations(wxyz: Array, rest: Array, slack: float) -> NDArray[np.bool_]:
    """`[node]` the same for quaternions, where q and -q are one."""

    def near_rest(nodes: NDArray[np.int64], frames: slice) -> Array:
        own = wxyz[frames, nodes]
        return np.where(np.einsum("fjk,jk->fj", own, rest[nodes])[..., None] < 0, -own, own)

    every = np.arange(len(rest))
    found = _leave(near_rest(every, slice(None, None, max(len(wxyz) // 3, 1))), rest, slack)
    still = np.flatnonzero(~found)  # most that moves is known by a few frames
    found[still] = _leave(near_rest(still, slice(None)), rest[still], slack)
    return found


def _is_limb(scene: Scene, item: Item) -> bool:
    return item.sub in LIMBS or any(True for _ in scene.under(item.key, "NodeAttribute", *LIMBS))


def _skeleton(
    nodes: Nodes, chosen: list[int], core: set[int], moves: tuple[set[int], set[int]], rest: tuple[Array, Array],
    aliases: Mapping[int, tuple[str, ...]], notes: list[str],
) -> Skeleton:  # fmt: skip
    """The topmost joint of each tree is free, others are balls, or free (fixed in place) where animations shift them;
    nodes above and between are fixed unless an animation moves them.
    """
    shifting, turning = moves
    free = free_roots(nodes.tree.parents, chosen, core)
    above = with_ancestors(nodes.tree.parents, free) - free
    names = _names(nodes, chosen, notes)
    joints = []
    for n in chosen:
        kind: Kind = "free" if n in free or n in shifting else "ball" if n in core or n in turning else "fixed"
        held = (False,) * 3 + (n not in above,) * 3 if kind == "free" and n not in free else None
        joints.append(
            Joint(
                names[n],
                kind,
                names.get(nodes.tree.parents[n]),
                position=tuple(rest[0][n].tolist()),
                wxyz=tuple(rest[1][n].tolist()),
                active=(False,) * 3 if kind == "ball" and n in above else held,
                aliases=aliases.get(n, ()),
            )
        )
    return Skeleton(joints, nodes.space.up)


def _names(nodes: Nodes, chosen: list[int], notes: list[str]) -> dict[int, str]:
    """A unique name for each joint."""
    names: dict[int, str] = {}
    taken: set[str] = set()
    again = []
    for n in chosen:
        wanted = shown(nodes.items[n].name) or f"node_{n}"
        names[n] = free_name(wanted, taken)
        taken.add(names[n])
        if names[n] != wanted:
            again.append(f"{names[n]} (was {wanted})")
    if again:
        notes.append(f"{len(again)} nodes with repeated names were renamed: {', '.join(again[:6])}")
    return names

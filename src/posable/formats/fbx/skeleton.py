"""The skeleton and the clips of an FBX scene: which nodes are joints, their kinds, and what they do in each animation.

Joints are all limbs, the nodes that skins follow, the nodes that an animation moves, and their ancestors; all nodes in
a scene without limbs and skins. posable's transforms are rigid: a joint has the product of the rotations above it and
stands where its node stands in the world, in metres; scales stay in `Bones.fold`. Where a scale moves a joint off its
parent over time, the joint is free, so that every frame is exact.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.errors import FileError
from posable.files import check_count, free_name
from posable.formats.defaults import LARGEST_NUMBER, free_roots, with_ancestors
from posable.formats.fbx.animation import Stack, frame_rate, rest_values, values_at
from posable.formats.fbx.objects import Item, Key, Scene, read_parents, shown
from posable.formats.fbx.transforms import DEFAULTS, Local, Tree, Values, local_transform, rotation_order, worlds
from posable.skeleton import MAX_JOINTS, Joint, Skeleton
from posable.skeleton.joint import Kind
from posable.skeleton.placements import coordinates_of
from posable.spatial import IDENTITY_WXYZ, Array, matrix_from_wxyz, wxyz_from_matrix, wxyz_inverse, wxyz_multiply

LIMBS = ("LimbNode", "Limb", "Root")
ASIDE = ("Camera", "Light", "CameraSwitcher", "CameraStereo")
"""Nodes that are joints only where something moves them, or there is nothing else."""
MAX_PLACES = 3_000_000
"""Frames × joints of all clips."""
FEW_PLACES = 500_000
"""That a file may have where it holds few keys: its range of time is only a claim."""
_PLACES_AT_ONCE = 200_000
_SHIFT, _TURN, _EVEN = 1e-6, 1e-7, 5e-7


class Space(NamedTuple):
    """The file's axes and unit. turn: `[3, 3]` from the file's axes to posable's, mirrored where the file's are
    left-handed. mirror: `[3, 3]` what then mirrors each joint's own frame back. meters: of one unit.
    """

    turn: Array
    mirror: Array
    meters: float
    up: Literal["y", "z"]

    def in_file(self, matrix: Array) -> Array:
        """A world matrix `[4, 4]` in metres, in the file's axes and unit."""
        back = np.eye(4)
        back[:3, :3] = self.turn.T / self.meters
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


class Motion(NamedTuple):
    """What nodes do in one animation: rigid frames in the nodes above, position `[frame, node, 3]` in metres, wxyz
    `[frame, node, 4]`; resized: whether a scale changes.
    """

    stack: Stack
    fps: float
    position: Array
    wxyz: Array
    resized: bool


def build_bones(
    nodes: Nodes, stacks: Sequence[Stack], followed: set[int], aliases: Mapping[int, tuple[str, ...]], notes: list[str]
) -> tuple[Bones, list[Clip]]:
    """The skeleton and a clip of each animation that moves it. followed: the nodes that skins follow."""
    core = {i for i, item in enumerate(nodes.items) if _is_limb(nodes.scene, item)} | followed | set(aliases)
    core = core or {i for i, item in enumerate(nodes.items) if item.sub not in ASIDE} or set(range(len(nodes.items)))
    world, fold, position, wxyz = rest_frames(nodes)
    moved = core.union(*(_animated(nodes, stack) for stack in stacks))
    wanted = with_ancestors(nodes.tree.parents, moved)
    sampled = [n for n in nodes.tree.order if n in wanted]
    motions = sample(nodes, stacks, sampled, notes)
    size = float(np.linalg.norm(np.ptp(world[sampled, :3, 3], axis=0))) or 1.0
    shifting, turning = set[int](), set[int]()
    for motion in motions:
        shift = np.abs(motion.position - position[sampled]).max(axis=(0, 2))
        turn = np.abs(wxyz_multiply(wxyz_inverse(wxyz[sampled]), motion.wxyz)[..., 1:]).max(axis=(0, 2))
        shifting |= {sampled[k] for k in np.flatnonzero(shift > _SHIFT * size)}
        turning |= {sampled[k] for k in np.flatnonzero(turn > _TURN)}
    kept = with_ancestors(nodes.tree.parents, core | shifting | turning)
    chosen = [n for n in sampled if n in kept]
    skeleton = _skeleton(nodes, chosen, core, (shifting, turning), (position, wxyz), aliases, notes)
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


def _is_limb(scene: Scene, item: Item) -> bool:
    return item.sub in LIMBS or any(True for _ in scene.under(item.key, "NodeAttribute", *LIMBS))


def _animated(nodes: Nodes, stack: Stack) -> set[int]:
    """The nodes whose local transform has curves or another value than at rest, or is taken from another object."""
    tied = {link.target for link in nodes.scene.links if link.taken and link.prop in DEFAULTS}
    found = {nodes.place[key] for key in tied if key in nodes.place}
    for layer in stack.layers:
        for (key, name), own in layer.channels.items():
            node = nodes.place.get(key)
            if node is not None and name in DEFAULTS:
                usual = nodes.rest[node].get(name, DEFAULTS[name])
                if any(own.curves) or (own.usual != usual).any():
                    found.add(node)
    return found


def rest_frames(nodes: Nodes) -> tuple[Array, Array, Array, Array]:
    """At rest, of all nodes: rigid world frames `[node, 4, 4]` in metres, folds `[node, 3, 3]`, and the frames in the
    nodes above, positions `[node, 3]` and wxyz `[node, 4]`.
    """
    found = worlds(nodes.tree, [nodes.local(n, values) for n, values in enumerate(nodes.rest)])
    turn, mirror, meters, _ = nodes.space
    world = np.tile(np.eye(4), (len(found), 1, 1))
    turns = np.array([one.turn for one in found])
    world[:, :3, :3] = turn @ turns @ mirror
    world[:, :3, 3] = meters * np.array([one.place for one in found]) @ turn.T
    if not (np.abs(world) < LARGEST_NUMBER).all():
        raise FileError(nodes.scene.tree.path, "its nodes stand at places that are not finite; export it again")
    fold = meters * mirror @ np.swapaxes(turns, 1, 2) @ np.array([one.linear for one in found])
    above = np.array(nodes.tree.parents)
    base = np.where((above >= 0)[:, None, None], world[above], np.eye(4))
    back = np.swapaxes(base[:, :3, :3], 1, 2)
    position = (back @ (world[:, :3, 3] - base[:, :3, 3])[..., None])[..., 0]
    return world, fold, position, wxyz_from_matrix(back @ world[:, :3, :3])


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


# Sampling: every animation at one frame rate.


def sample(nodes: Nodes, stacks: Sequence[Stack], chosen: list[int], notes: list[str]) -> list[Motion]:
    """What the chosen nodes do in each animation that has curves for nodes. Raises FileTooLargeError for too many
    frames.
    """
    motions, places, path = [], 0, nodes.scene.tree.path
    for stack in stacks:
        if not _animated(nodes, stack):
            continue
        fps, times, keys = _frames(nodes.scene, stack, notes)
        most = (min(MAX_PLACES, FEW_PLACES + 4 * keys) - places) // len(chosen)
        if times > most > 1:
            fps, times = fps * (most - 1) / times, most
            notes.append(f"animation {shown(stack.name)!r} claims a very long time; it is sampled at {fps:g} fps")
        check_count(path, int(times), most, "frames")
        places += int(times) * len(chosen)
        ticks = _span_of(stack)[0] + np.round(np.arange(int(times)) * (nodes.scene.ticks / fps))
        motions.append(_sampled(nodes, stack, chosen, fps, np.asarray(ticks, float)))
    return motions


def _span_of(stack: Stack) -> tuple[float, float]:
    if stack.span is not None:
        return stack.span
    curves = [one for one in stack.curves() if len(one.times)]
    return min((one.times[0] for one in curves), default=0.0), max((one.times[-1] for one in curves), default=0.0)


_SLOWEST, _FASTEST = 20.0, 1000.0
_NEAR = 0.02
"""Of a frame: a key or an end so near one lies on it."""


def _frames(scene: Scene, stack: Stack, notes: list[str]) -> tuple[float, float, int]:
    """(frame rate, number of frames, number of keys); the rate is the file's, or one on which all keys lie."""
    start, end = _span_of(stack)
    fps, keys, seen = frame_rate(scene), 0, list[Array]()
    for curve in stack.curves():
        keys += len(curve.times)
        if not any(len(one) == len(curve.times) and np.array_equal(one, curve.times) for one in seen[-4:]):
            seen.append(curve.times)
    times = np.unique(np.concatenate([one[:100_000] for one in seen])) if seen else np.zeros(1)
    times = (times[(times >= start) & (times <= end)] - start) / scene.ticks
    if len(times) > 1 and not on_grid(times, fps):
        gap = float(np.diff(times).min())
        own = 1 / gap if gap * _FASTEST > 1 - 1e-6 else 0.0
        own = float(round(own)) if abs(own - round(own)) < 1e-3 * own else own
        if own and on_grid(times, own):
            fps = own if own >= _SLOWEST else own * math.ceil(fps / own)
        else:
            notes.append(
                f"animation {shown(stack.name)!r}: some keys lie between its frames; it is sampled at {fps:g} fps"
            )
    return fps, np.floor((end - start) / scene.ticks * fps + _NEAR) + 1, keys


def on_grid(times: Array, fps: float) -> bool:
    """Whether every time in seconds is a whole number of frames."""
    return bool(np.abs(times * fps - np.round(times * fps)).max(initial=0.0) < _NEAR)


def _sampled(nodes: Nodes, stack: Stack, chosen: list[int], fps: float, ticks: Array) -> Motion:
    position, wxyz = np.empty((len(ticks), len(chosen), 3)), np.empty((len(ticks), len(chosen), 4))
    resized = False
    at_once = max(_PLACES_AT_ONCE // len(chosen), 100)
    for begin in range(0, len(ticks), at_once):
        span = slice(begin, begin + at_once)
        locals_ = [nodes.local(n, values) for n, values in enumerate(nodes.rest)]
        for n in chosen:
            values = values_at(nodes.scene, stack, nodes.items[n], nodes.rest[n], ticks[span])
            locals_[n] = nodes.local(n, {name: _still(name, own) for name, own in values.items()})
        resized |= any(one.scale.ndim > 1 for one in locals_)
        fill = _fill_plain if _is_plain(nodes, chosen, locals_) else _fill
        fill(nodes, chosen, locals_, position[span], wxyz[span])
    if not (np.abs(position) < LARGEST_NUMBER).all():
        raise FileError(
            nodes.scene.tree.path, f"animation {shown(stack.name)!r} moves nodes to places that are not finite"
        )
    return Motion(stack, fps, position, wxyz, resized)


def _still(name: str, values: Array) -> Array:
    """`[3]` of values `[frame, 3]` that never change; of scales, that change no more than single precision rounds."""
    slack = _EVEN * np.abs(values[0]) if values.ndim > 1 and name == "Lcl Scaling" else 0.0
    return values[0] if values.ndim > 1 and (np.abs(values - values[0]) <= slack).all() else values


def _is_plain(nodes: Nodes, chosen: list[int], locals_: Sequence[Local]) -> bool:
    """Whether all scales stand still and are even, so that rotations pass them by."""
    if nodes.space.mirror[0, 0] < 0:
        return False
    scales = [locals_[n].scale for n in chosen]
    return all(s.ndim == 1 and np.ptp(s) <= _EVEN * abs(s[0]) and s[0] > 0 for s in scales)


def _fill_plain(nodes: Nodes, chosen: list[int], locals_: Sequence[Local], position: Array, wxyz: Array) -> None:
    """Frames in the nodes above where the scales above are numbers."""
    turn, _, meters, _ = nodes.space
    ahead = worlds(nodes.tree, [Local(np.ones(3), IDENTITY_WXYZ, one.scale) for one in locals_])
    for column, n in enumerate(chosen):
        parent = nodes.tree.parents[n]
        if parent < 0:
            position[:, column] = meters * locals_[n].translation @ turn.T
            wxyz[:, column] = wxyz_multiply(wxyz_from_matrix(turn), locals_[n].wxyz)
        else:  # a node that is shifted by (1, 1, 1) goes as far as the scales above say
            position[:, column] = meters * (ahead[n].place - ahead[parent].place)[0] * locals_[n].translation
            wxyz[:, column] = locals_[n].wxyz


def _fill(nodes: Nodes, chosen: list[int], locals_: Sequence[Local], position: Array, wxyz: Array) -> None:
    """Frames in the nodes above, through the world."""
    turn, mirror, meters, _ = nodes.space
    found = worlds(nodes.tree, locals_)
    for column, n in enumerate(chosen):
        parent = nodes.tree.parents[n]
        own = found[n]
        if parent < 0:
            position[:, column] = meters * own.place @ turn.T
            wxyz[:, column] = wxyz_from_matrix(turn @ own.turn @ mirror)
        else:
            above = found[parent]
            shift = np.swapaxes(above.turn, -1, -2) @ (own.place - above.place)[..., None]
            position[:, column] = meters * (mirror @ shift)[..., 0]
            local = matrix_from_wxyz(locals_[n].wxyz)
            wxyz[:, column] = wxyz_from_matrix(mirror @ local @ mirror)

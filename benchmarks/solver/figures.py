"""From the judge's plain trees to posable's skeletons and back, by public names."""

from __future__ import annotations

import numpy as np

from benchmarks.solver.trees import Node, Swing, Tree, Turn, frame, matrix_of, quaternion_of
from posable import Axis, Cone, Joint, Skeleton
from posable.skeleton.joint import Follow


def skeleton_of(tree: Tree, up: str = "z") -> Skeleton:
    """The same coordinates in the same order."""
    return Skeleton([_joint(tree, node) for node in tree.nodes], up)  # pyright: ignore[reportArgumentType]


def _joint(tree: Tree, node: Node) -> Joint:
    parent = tree.nodes[node.parent].name if node.parent >= 0 else None
    position, wxyz = tuple(node.rest[:3, 3].tolist()), tuple(quaternion_of(node.rest[:3, :3]).tolist())
    axes = tuple(_axis(tree, turn) for turn in node.axes)
    slides = tuple(turn.slide for turn in node.axes)
    kinds = {(False,): "hinge", (True,): "slide", (False, False): "universal", (True, True, False): "planar"}
    kind = kinds.get(slides, "compound") if node.kind == "axes" else node.kind
    cone = None
    if node.limits is not None:
        cone = Cone(node.limits.axis, node.limits.swing, node.limits.twist, node.limits.center)
    return Joint(node.name, kind, parent, position, wxyz, axes=axes, anchor=node.anchor, cone=cone)  # type: ignore[arg-type]


def _axis(tree: Tree, turn: Turn) -> Axis:
    follow = None
    if turn.follow is not None:
        follow = Follow(tree.nodes[turn.follow[0]].name, turn.gain, turn.offset, turn.follow[1])
    return Axis(
        turn.direction, turn.slide, turn.anchor, turn.lower, turn.upper, follow=follow, reference=turn.reference
    )


def tree_of(skeleton: Skeleton, name: str) -> Tree:
    """What a skeleton's public records say."""
    names = list(skeleton.joints)
    nodes = []
    for joint, parent in zip(skeleton.definitions, skeleton.parents.tolist(), strict=True):
        kind = joint.kind if joint.kind in ("fixed", "ball", "free") else "axes"
        cone = joint.cone
        limits = None if cone is None else Swing(cone.axis, cone.swing, cone.twist, cone.center)
        axes = tuple(_turn(names, axis) for axis in joint.axes)
        rest = frame(joint.position, matrix_of(np.array(joint.wxyz)))
        nodes.append(Node(joint.name, parent, kind, rest, axes, limits, joint.anchor, joint.absolute))
    return Tree(name, tuple(nodes))


def _turn(names: list[str], axis: Axis) -> Turn:
    ends = axis.lower, axis.upper
    if axis.follow is None:
        return Turn(axis.direction, *ends, axis.slide, axis.anchor, reference=axis.reference)
    follow = (names.index(axis.follow.joint), axis.follow.axis)
    gain, offset = axis.follow.gain, axis.follow.offset
    return Turn(axis.direction, *ends, axis.slide, axis.anchor, follow, gain, offset, axis.reference)

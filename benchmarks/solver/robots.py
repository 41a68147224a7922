"""Reads the kinematics of robot files (URDF, MJCF), and writes one plain URDF that every peer can read."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np

from benchmarks.solver.trees import Array, Node, Tree, Turn, frame, matrix_of, rotation

_KINDS = {"revolute": False, "continuous": False, "prismatic": True}


def read_urdf(path: Path) -> Tree:
    """Links as nodes, limb after limb, each named as the link that its joint moves; a floating base is left out (see
    `floating`).
    """
    robot = ET.parse(path).getroot()
    joints = [j for j in robot.findall("joint") if j.get("type") != "floating"]
    below = {j.find("child").get("link"): j for j in joints}  # type: ignore[union-attr]
    floats = [j.find("parent").get("link") for j in robot.findall("joint") if j.get("type") == "floating"]  # type: ignore[union-attr]
    names = [link.get("name", "") for link in robot.findall("link") if link.get("name") not in floats]
    order: list[str] = []
    waiting = [name for name in names if name not in below]
    while waiting:
        name = waiting.pop(0)
        order.append(name)
        waiting[:0] = [n for n in names if n in below and below[n].find("parent").get("link") == name]  # type: ignore[union-attr]
    nodes = [Node(order[0], -1, "fixed")]
    nodes += [_urdf_node(below[name], name, order) for name in order[1:]]
    return Tree(robot.get("name", "robot"), tuple(nodes))


def _urdf_node(joint: ET.Element, name: str, order: list[str]) -> Node:
    parent = order.index(joint.find("parent").get("link", ""))  # type: ignore[union-attr]
    origin = joint.find("origin")
    rest = np.eye(4)
    if origin is not None:
        roll, pitch, yaw = _numbers(origin.get("rpy", "0 0 0"))
        turn = rotation((0, 0, 1), yaw) @ rotation((0, 1, 0), pitch) @ rotation((1, 0, 0), roll)
        rest = frame(_numbers(origin.get("xyz", "0 0 0")), turn)
    kind = joint.get("type", "fixed")
    if kind not in _KINDS:
        return Node(name, parent, "fixed", rest)
    axis = joint.find("axis")
    direction = np.array(_numbers(axis.get("xyz", "1 0 0")) if axis is not None else (1.0, 0, 0))
    limit = joint.find("limit")
    ends = (-math.inf, math.inf)
    if kind != "continuous" and limit is not None:
        ends = float(limit.get("lower", 0)), float(limit.get("upper", 0))
    unit = tuple((direction / np.linalg.norm(direction)).tolist())
    return Node(name, parent, "axes", rest, (Turn(unit, *ends, slide=_KINDS[kind]),))


def read_mjcf(path: Path) -> Tree:
    """Bodies as nodes; hinges at the origin of their body, angles in radians, as the files used here have them."""
    nodes: list[Node] = []
    waiting = [(body, -1) for body in ET.parse(path).getroot().findall("worldbody/body")]
    while waiting:
        body, parent = waiting.pop(0)
        turn = matrix_of(np.array(_numbers(body.get("quat", "1 0 0 0"))))
        rest = frame(_numbers(body.get("pos", "0 0 0")), turn)
        axes = tuple(_mjcf_turn(j) for j in body.findall("joint") if j.get("type", "hinge") == "hinge")
        nodes.append(Node(body.get("name", ""), parent, "axes" if axes else "fixed", rest, axes))
        waiting += [(child, len(nodes) - 1) for child in body.findall("body")]
    return Tree(path.stem, tuple(nodes))


def _mjcf_turn(joint: ET.Element) -> Turn:
    direction = np.array(_numbers(joint.get("axis", "0 0 1")))
    lower, upper = _numbers(joint.get("range", "-inf inf"))
    return Turn(tuple((direction / np.linalg.norm(direction)).tolist()), lower, upper)


def fits_urdf(tree: Tree) -> bool:
    """Whether the root stands or floats and every other node has at most one axis of its own."""
    root, *others = tree.nodes
    plain = all(node.kind in ("fixed", "axes") and len(node.axes) < 2 for node in others)
    return plain and root.kind in ("fixed", "free") and not any(a.follow for node in others for a in node.axes)


def write_urdf(tree: Tree, path: Path) -> None:
    """Joints, limits and small even masses (MuJoCo wants some); angles with all their digits; no shapes."""
    robot = ET.Element("robot", name=tree.name)
    for node in tree.nodes:
        link = ET.SubElement(robot, "link", name=node.name)
        inertial = ET.SubElement(link, "inertial")
        ET.SubElement(inertial, "origin", xyz="0 0 0", rpy="0 0 0")
        ET.SubElement(inertial, "mass", value="1.0")
        ET.SubElement(inertial, "inertia", ixx="0.01", iyy="0.01", izz="0.01", ixy="0", ixz="0", iyz="0")
    for node in tree.nodes:
        if node.parent >= 0:
            _write_joint(robot, node, tree.nodes[node.parent].name)
    ET.indent(robot)
    ET.ElementTree(robot).write(path, encoding="utf-8", xml_declaration=True)


def _write_joint(robot: ET.Element, node: Node, parent: str) -> None:
    axis = node.axes[0] if node.axes else None
    kind = "fixed" if axis is None else "prismatic" if axis.slide else "revolute"
    joint = ET.SubElement(robot, "joint", name=joint_name(node), type=kind)
    ET.SubElement(joint, "parent", link=parent)
    ET.SubElement(joint, "child", link=node.name)
    ET.SubElement(joint, "origin", xyz=_text(node.rest[:3, 3]), rpy=_text(roll_pitch_yaw(node.rest)))
    if axis is not None:
        ET.SubElement(joint, "axis", xyz=_text(axis.direction))
        limits = {"lower": repr(float(axis.lower)), "upper": repr(float(axis.upper))}
        ET.SubElement(joint, "limit", effort="100", velocity="1000", **limits)


def joint_name(node: Node) -> str:
    """What the joint above a link is called in the files written here."""
    return f"{node.name}_joint"


def roll_pitch_yaw(matrix: Array) -> tuple[float, float, float]:
    """The URDF angles of a rotation; at a pitch of ±90° the roll is 0."""
    m = matrix
    pitch = math.atan2(-m[2, 0], math.hypot(m[0, 0], m[1, 0]))
    if math.hypot(m[0, 0], m[1, 0]) < 1e-9:
        return 0.0, pitch, math.atan2(-m[0, 1], m[1, 1])
    return math.atan2(m[2, 1], m[2, 2]), pitch, math.atan2(m[1, 0], m[0, 0])


def _numbers(text: str) -> list[float]:
    return [float(word) for word in text.split()]


def _text(numbers: Array | tuple[float, ...]) -> str:
    return " ".join(repr(float(number)) for number in numbers)

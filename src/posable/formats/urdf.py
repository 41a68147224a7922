"""URDF: robots as links and joints. Read only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from posable.figures import Figure, Shape
from posable.figures.link_solids import LinkBody, stand_ins
from posable.formats.defaults import Mimics
from posable.formats.mesh_files import Placed, VisualMeshes, beside
from posable.formats.xml import HERE, Element, Frame, euler, read_xml
from posable.skeleton import Axis, Follow, Joint, Skeleton
from posable.skeleton.joint import Kind, Point
from posable.spatial import Array, matrix_from_wxyz, wxyz_between

# Appearance of a URDF robot: solids with colours, and mesh files.


Color = tuple[float, float, float]


class Visuals:
    """The <visual> elements of a robot's links, collected into `shapes` and `meshes`.

    A link whose visuals are all missing mesh files shows its collision solids instead. `solids` are for collision
    avoidance: what stands for such links, and for those of a robot without any visuals.
    """

    def __init__(self, robot: Element) -> None:
        self.shapes: list[Shape] = []
        self.meshes = VisualMeshes(robot.path)
        self.instead = 0
        self._colors = _named_colors(robot)
        self._bodies: list[LinkBody] = []

    @property
    def solids(self) -> tuple[Shape, ...]:
        """Substitutes for bodies whose meshes are missing; for all bodies if the robot has no visual geometry."""
        shows = bool(self.shapes or self.meshes.any_found)
        return tuple(stand_ins([one if shows else replace(one, missing=True) for one in self._bodies]))

    def add(self, joint: str, link: Element) -> None:
        """Add the visuals of `link`, fixed to `joint`."""
        solids = [_solid_of(visual) for visual in link.all("visual")]
        shown = [self._add_solid(joint, *solid) for solid in solids if solid is not None]
        plain: list[Shape] = []
        if not any(shown):
            others = [_solid_of(collision) for collision in link.all("collision")]
            plain = [shape for other in others if other is not None and (shape := self._shape(joint, *other))]
        missing = bool(shown) and not any(shown)
        if missing:
            self.instead += bool(plain)
            self.shapes += plain
        drawn, hidden = (tuple(plain), ()) if missing else ((), tuple(plain))
        self._bodies.append(LinkBody(joint, missing, drawn, hidden, *_inertial(link)))

    def notes(self) -> list[str]:
        """Missing mesh files, and their substitutes."""
        links = "1 link shows" if self.instead == 1 else f"{self.instead} links show"
        return self.meshes.notes() + ([f"{links} collision solids instead"] if self.instead else [])

    def _add_solid(self, joint: str, visual: Element, solid: Element) -> bool:
        """Add one visual; False if its mesh file is missing."""
        if solid.tag == "mesh":
            name = solid.text("filename")
            scale = solid.point("scale", (1.0, 1.0, 1.0))
            placed = Placed(joint, scale, *frame_of(visual), self._color(visual))
            return self.meshes.add(name, beside(name), placed)
        shape = self._shape(joint, visual, solid)
        self.shapes += [shape] if shape else []
        return True

    def _shape(self, joint: str, element: Element, solid: Element) -> Shape | None:
        """The solid of a <visual> or <collision>; None for a mesh, and for elements that URDF does not define."""
        placed = (*frame_of(element), self._color(element))
        if solid.tag == "box":
            return Shape(joint, "box", _sizes(solid, solid.point("size")), *placed)
        if solid.tag == "sphere":
            return Shape(joint, "sphere", _sizes(solid, (solid.number("radius", 0.0),)), *placed)
        if solid.tag in ("cylinder", "capsule"):
            sizes = _sizes(solid, (solid.number("radius", 0.0), solid.number("length", 0.0)))
            return Shape(joint, "cylinder" if solid.tag == "cylinder" else "capsule", sizes, *placed)
        return None

    def _color(self, visual: Element) -> Color | None:
        material = visual.child("material")
        if material is None:
            return None
        return _color_of(material) or self._colors.get(material.attributes.get("name", ""))


def _solid_of(element: Element) -> tuple[Element, Element] | None:
    """A <visual> or <collision> with the content of its <geometry>; None if that is empty."""
    geometry = element.child("geometry")
    return (element, geometry.children[0]) if geometry and geometry.children else None


def frame_of(element: Element) -> Frame:
    """Position and rotation of an element's <origin>: roll, pitch, yaw about the fixed axes x, y, z."""
    origin = element.child("origin")
    if origin is None:
        return HERE
    roll, pitch, yaw = origin.point("rpy")
    return origin.point("xyz"), euler("XYZ", (roll, pitch, yaw))


def _sizes(solid: Element, sizes: tuple[float, ...]) -> tuple[float, ...]:
    if min(sizes) < 0:
        raise solid.error(f"a <{solid.tag}> has a size below 0")
    return sizes


def _named_colors(robot: Element) -> dict[str, Color]:
    """Colours of all materials in the file: a link may use a material that another link defines."""
    found: dict[str, Color] = {}
    for element in robot.walk():
        if element.tag == "material" and (color := _color_of(element)):
            found.setdefault(element.attributes.get("name", ""), color)
    return found


def _color_of(material: Element) -> Color | None:
    color = material.child("color")
    rgba = color.numbers("rgba", 3, 4) if color else None
    return (rgba[0], rgba[1], rgba[2]) if rgba else None


KINDS: dict[str, Kind] = {
    "revolute": "hinge",
    "continuous": "hinge",
    "prismatic": "slide",
    "fixed": "fixed",
    "floating": "free",
    "planar": "planar",
    "spherical": "ball",  # not of URDF itself, but of PyBullet's and others' robots
}
_FOLLOWABLE = ("revolute", "continuous", "prismatic")


def read(path: str | Path) -> Figure:
    """The robot in a URDF file, z up, metres.

    The root link becomes a fixed joint of its name; every other link is an alias of the joint that moves it. Joints
    stand depth-first in the order of the document, and so do their coordinates. Raises FileError with the line for
    links that do not form a tree, for xacro, and for invalid numbers.
    """
    root = read_xml(path)
    if root.tag == "mujoco":
        raise root.error("this is an MJCF model, not URDF; name the file .xml")
    if root.tag != "robot":
        raise root.error(f"a URDF file is a <robot>, not <{root.tag[:40]}>")
    return read_robot(root)


def read_robot(robot: Element) -> Figure:
    """The figure of a <robot> element. Raises as `read`."""
    _refuse_xacro(robot)
    links = _by_name(robot, "link")
    if not links:
        raise robot.error("the robot has no <link>")
    joints = _by_name(robot, "joint")
    ordered, notes = _depth_first(robot, links, joints)
    visuals, builder = Visuals(robot), _JointBuilder(joints)
    built: list[Joint] = []
    for joint, name, parent, link in ordered:
        one = Joint(name, "fixed") if joint is None else builder.build(joint, name, parent)
        built.append(_with_mass(one, link))
        visuals.add(name, link)
    skeleton = Skeleton(built, up="z")
    return Figure(
        skeleton,
        name=robot.attributes.get("name", ""),
        skins=visuals.meshes.skins(skeleton),
        shapes=tuple(visuals.shapes),
        solids=visuals.solids,
        notes=(*notes, *builder.notes, *visuals.notes()),
    )


def _refuse_xacro(robot: Element) -> None:
    for element in robot.walk():
        if element.tag.startswith("xacro:"):
            raise element.error(
                f"<{element.tag[:40]}> is xacro, not URDF; expand it first: xacro file.xacro > file.urdf"
            )


def _by_name(robot: Element, tag: str) -> dict[str, Element]:
    found: dict[str, Element] = {}
    for element in robot.all(tag):
        name = element.text("name")
        if name in found:
            raise element.error(
                f"a second {tag} is called {name!r} (the first is in line {found[name].line}); rename one"
            )
        found[name] = element
    return found


def _end(joint: Element, end: str, links: dict[str, Element]) -> str:
    """The link that a joint names as parent or child."""
    place = joint.child(end)
    if place is None:
        raise joint.error(f'joint {joint.text("name")!r} has no <{end} link="…"/>')
    link = place.text("link")
    if link not in links:
        raise place.error(f"joint {joint.text('name')!r} names the {end} link {link!r}, which is not in the file")
    return link


def _depth_first(
    robot: Element, links: dict[str, Element], joints: dict[str, Element]
) -> tuple[list[tuple[Element | None, str, str | None, Element]], list[str]]:
    """(joint element, its name, parent joint's name, link element) from the root on, and notes. Checks the tree."""
    below, mover = _hanging(links, joints)
    root = _root_link(robot, links, mover)
    name, notes = root, []
    while name in joints:
        name += "_root"
        notes = [f"the root is called {name!r}, because a joint is called {root!r} like the root link"]
    ordered: list[tuple[Element | None, str, str | None, Element]] = [(None, name, None, links[root])]
    waiting = [(joint, child, name) for joint, child in reversed(below[root])]
    unreached = dict.fromkeys(mover)
    while waiting:
        joint, link, parent = waiting.pop()
        del unreached[link]
        own = joint.text("name")
        ordered.append((joint, own, parent, links[link]))
        waiting.extend((next_joint, child, own) for next_joint, child in reversed(below[link]))
    for link in unreached:
        raise mover[link].error(
            f"link {link!r} is its own ancestor through a cycle of joints; the root does not reach it"
        )
    return ordered, notes


def _hanging(
    links: dict[str, Element], joints: dict[str, Element]
) -> tuple[dict[str, list[tuple[Element, str]]], dict[str, Element]]:
    """For each link the joints and links below it, and for each link but the root the joint that moves it."""
    below: dict[str, list[tuple[Element, str]]] = {link: [] for link in links}
    mover: dict[str, Element] = {}
    for joint in joints.values():
        parent, child = _end(joint, "parent", links), _end(joint, "child", links)
        if child in mover:
            both = f"joint {mover[child].text('name')!r} in line {mover[child].line} and joint {joint.text('name')!r}"
            raise joint.error(f"link {child!r} has two parents, {both}; a link has one parent joint")
        mover[child] = joint
        below[parent].append((joint, child))
    return below, mover


def _root_link(robot: Element, links: dict[str, Element], mover: dict[str, Element]) -> str:
    roots = [link for link in links if link not in mover]
    if not roots:
        raise robot.error("every link has a parent joint, so the joints form a cycle; one link must be the root")
    if len(roots) > 1:
        raise links[roots[1]].error(
            f"links {roots[0]!r} and {roots[1]!r} both have no parent joint; a robot has one root, so "
            "connect them by a joint"
        )
    return roots[0]


class _JointBuilder:
    """Converts joint elements to joints of the skeleton; `notes` lists what is skipped."""

    def __init__(self, joints: dict[str, Element]) -> None:
        self._unlimited: list[str] = []
        self._joints = joints
        self._mimics = Mimics()

    def build(self, joint: Element, name: str, parent: str | None) -> Joint:
        kind = joint.text("type")
        if kind not in KINDS:
            raise joint.error(f"joint {name!r} is of type {kind[:40]!r}; URDF has {', '.join(KINDS)}")
        child = joint.child("child")
        aliases = (child.text("link"),) if child else ()
        return Joint(name, KINDS[kind], parent, *frame_of(joint), axes=tuple(self._axes(joint, kind)), aliases=aliases)

    @property
    def notes(self) -> list[str]:
        """Joints that by the letter of URDF could not move, both limits being 0: simulators let them, and so do we."""
        if not self._unlimited:
            return []
        more = f" and {len(self._unlimited) - 1} more" if len(self._unlimited) > 1 else ""
        return [f"joint {self._unlimited[0]!r}{more} without lower and upper limits: taken as unlimited"]

    def _axes(self, joint: Element, kind: str) -> Iterator[Axis]:
        if kind in ("fixed", "floating", "spherical"):
            return
        place = joint.child("axis")
        direction = (1.0, 0.0, 0.0) if place is None else place.point("xyz", (1.0, 0.0, 0.0))
        if place is not None and not any(direction):
            raise place.error(f"joint {joint.text('name')!r} has a zero axis")
        if kind == "planar":
            yield from _planar_axes(direction)
            return
        lower, upper = self._limits(joint, kind)
        yield Axis(direction, kind == "prismatic", lower=lower, upper=upper, follow=self._follow(joint))

    def _limits(self, joint: Element, kind: str) -> tuple[float, float]:
        if kind == "continuous":
            return float("-inf"), float("inf")
        name, limit = joint.text("name"), joint.child("limit")
        if limit is None:
            raise joint.error(f'joint {name!r} is {kind} and has no <limit lower="…" upper="…"/>; add it')
        if "lower" not in limit.attributes and "upper" not in limit.attributes:
            self._unlimited.append(name)
            return float("-inf"), float("inf")
        return limit.limits(limit.number("lower", 0.0, infinite=True), limit.number("upper", 0.0, infinite=True))

    def _follow(self, joint: Element) -> Follow | None:
        mimic = joint.child("mimic")
        if mimic is None:
            return None
        followed = mimic.text("joint")
        if followed not in self._joints or self._joints[followed].attributes.get("type") not in _FOLLOWABLE:
            raise mimic.error(f"it mimics {followed!r}, which is not a single-axis joint of this file")
        if not self._mimics.tie(joint.text("name"), followed):
            raise mimic.error(
                f"joint {joint.text('name')!r} mimics itself through a cycle; one of the joints must move independently"
            )
        return Follow(followed, mimic.number("multiplier", 1.0), mimic.number("offset", 0.0))


def _planar_axes(normal: tuple[float, float, float]) -> Iterator[Axis]:
    """Two slides in the plane normal to the axis, and the rotation about it; for a normal z the slides are x and y."""
    turn = matrix_from_wxyz(wxyz_between((0, 0, 1), normal))
    for k, name in enumerate(("x", "y")):
        yield Axis((float(turn[0, k]), float(turn[1, k]), float(turn[2, k])), slide=True, name=name)
    yield Axis(normal, name="angle")


def _inertial(link: Element) -> tuple[float, Point, Array]:
    """(mass, its centre, inertia `[3, 3]` about the centre) in the link's frame; 0 where it is not stated."""
    inertial, inertia = link.child("inertial"), np.zeros((3, 3))
    stated = [one for tag in ("mass", "inertia") if inertial and (one := inertial.child(tag))]
    if inertial is None or len(stated) < 2:
        return 0.0, (0.0, 0.0, 0.0), inertia
    mass, moments = stated
    for i, k in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)):
        inertia[i, k] = inertia[k, i] = moments.number(f"i{'xyz'[i]}{'xyz'[k]}", 0.0)
    center, wxyz = frame_of(inertial)
    turn = matrix_from_wxyz(wxyz)
    return mass.number("value", 0.0), center, turn @ inertia @ turn.T


def _with_mass(joint: Joint, link: Element) -> Joint:
    inertial = link.child("inertial")
    stated = inertial.child("mass") if inertial else None
    if inertial is None or stated is None:
        return joint
    mass = stated.number("value", 0.0)
    if mass < 0:
        raise stated.error(f"link {link.text('name')!r} has a mass of {mass:g} kg; it must be at least 0")
    return replace(joint, mass=mass, mass_center=frame_of(inertial)[0])

"""An MJCF file before its bodies: includes, compiler settings, defaults, frames."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from posable.errors import FileError
from posable.files import check_count, sibling
from posable.formats.xml import HERE, MAX_ELEMENTS, UPRIGHT, Element, Frame, Wxyz, about, compose, euler, read_xml
from posable.spatial import wxyz_from_matrix

NO_TURN: Wxyz = (0.0, 0.0, 0.0, 0.0)
ORIENTATIONS = ("quat", "axisangle", "xyaxes", "zaxis", "euler")
_DEFAULTED = {  # only elements for geometry and appearance
    "joint": ("type", "pos", "axis", "range", "limited", "ref"),
    "geom": ("type", "pos", "size", "fromto", "rgba", "mesh", "group", "material", *ORIENTATIONS),
    "mesh": ("scale", "refpos", "refquat"),
    "material": ("rgba",),
    "equality": ("active",),
}
Attributes = dict[str, dict[str, str]]


def put_includes(root: Element) -> list[str]:
    """Replace every <include> by its content; returns the names of missing files.

    As in MuJoCo, names are relative to the folder of the whole model, else to that of the including file; they must
    stay inside the model's folder, and a file is included only once, which also prevents cycles. Raises FileError.
    """
    seen, missing = {root.path.resolve()}, []
    count = sum(1 for _ in root.walk())
    waiting = [root]
    while waiting:
        element = waiting.pop()
        while any(child.tag == "include" for child in element.children):
            children: list[Element] = []
            for child in element.children:
                part = _included(child, root.path, seen, missing) if child.tag == "include" else [child]
                count += sum(1 for one in part for _ in one.walk()) if part != [child] else 0
                check_count(root.path, count, MAX_ELEMENTS, "XML elements")
                children += part
            element.children = children
        waiting.extend(element.children)
    return missing


def _included(include: Element, model: Path, seen: set[Path], missing: list[str]) -> list[Element]:
    name = include.text("file")
    file = _included_file(include, model, name)
    if file is None:
        missing.append(name)
        return []
    if file in seen:
        raise include.error(f"{name!r} is included a second time, or includes itself; include a file only once")
    seen.add(file)
    return read_xml(file).children


def _included_file(include: Element, model: Path, name: str) -> Path | None:
    """Beside the model, else beside the file that includes it; None if it is in neither folder.

    What is named outside the model's folder may have been put beside the model.
    """
    refusal: FileError | None = None
    bare = name.replace("\\", "/").rpartition("/")[2]
    for place in (name, str(include.path.resolve().parent / name), *([bare] if ".." in name else [])):
        try:
            file = sibling(model, place)
            if file.is_file():
                return file
        except FileError as problem:
            refusal = refusal or include.error(problem.problem)
        except OSError:
            refusal = refusal or include.error(f"includes {name[:80]!r}, which is not a file name")
    if refusal:
        raise refusal
    return None


_RADIANS = (
    "no <compiler angle> is stated, which means degrees, but all limits are within 6.3 and few are whole numbers: "
    'taken as radians; write <compiler angle="degree"/> if they are degrees'
)
_LEAST_LIMITED_JOINTS = 3  # joints that tell the unit


def _are_radians(root: Element) -> bool:
    """Whether a model without a stated unit writes its angles in radians, as parts of larger models do."""
    angles = [
        element.numbers(name, 0, 64, infinite=True) or ()
        for element in root.walk()
        for name in ("range", "euler")
        if name == "euler" or (element.tag == "joint" and element.attributes.get("type", "hinge") != "slide")
    ]
    limits = [one for one in angles if len(one) == 2]
    every = [abs(angle) for one in angles for angle in one]
    if len(limits) < _LEAST_LIMITED_JOINTS or not 1 <= max(every) <= 2 * math.pi + 1e-3:
        return False
    stated = [angle for one in limits for angle in one if angle]
    return sum(angle != round(angle) for angle in stated) >= 0.5 * len(stated)


class Compiler:
    """The <compiler> settings for the interpretation of numbers. Raises FileError for unsupported ones."""

    def __init__(self, root: Element) -> None:
        stated: dict[str, str] = {}
        for element in root.all("compiler"):
            stated.update(element.attributes)
            if element.attributes.get("coordinate", "local") != "local":
                raise element.error('coordinate="global" is obsolete; open and save the file with MuJoCo 2.3.3 first')
            if stated.get("angle", "degree") not in ("degree", "radian"):
                raise element.error(f"angle must be 'degree' or 'radian', not {stated['angle'][:40]!r}")
            order = stated.get("eulerseq", "xyz")
            if len(order) != 3 or order.lower().strip("xyz"):
                raise element.error(f"eulerseq must be three of the letters x, y, z, X, Y, Z, not {order[:40]!r}")
        radians = "angle" not in stated and _are_radians(root)
        self.notes = (_RADIANS,) * radians
        self.unit = math.pi / 180 if stated.get("angle", "degree") == "degree" and not radians else 1.0
        self.euler_order = stated.get("eulerseq", "xyz")
        self.auto_limits = stated.get("autolimits", "true") != "false"
        self.mesh_folder = stated.get("meshdir", stated.get("assetdir", ""))
        self.strip_path = stated.get("strippath", "false") == "true"

    def frame_of(self, element: Element) -> Frame:
        """Position and rotation of an element, in any of MJCF's five notations."""
        return element.point("pos"), self._rotation(element)

    def _rotation(self, element: Element) -> Wxyz:
        found = [name for name in ORIENTATIONS if name in element.attributes]
        if not found:
            return UPRIGHT
        if len(found) > 1:
            raise element.error(f"<{element.tag}> has two rotations, {found[0]} and {found[1]}; keep one")
        numbers = element.numbers(found[0], {"quat": 4, "axisangle": 4, "xyaxes": 6}.get(found[0], 3)) or ()
        wxyz = _ROTATIONS[found[0]](self, numbers)
        size = math.hypot(*wxyz)
        if not size > 1e-14:
            raise element.error(f"<{element.tag}> {found[0]}: a direction is zero")
        w, x, y, z = wxyz
        return w / size, x / size, y / size, z / size

    def _euler(self, angles: tuple[float, ...]) -> Wxyz:
        return euler(self.euler_order, [angle * self.unit for angle in angles])

    def _axis_angle(self, numbers: tuple[float, ...]) -> Wxyz:
        axis = _unit(numbers[:3])
        return about(axis, numbers[3] * self.unit) if any(axis) else NO_TURN


def _of_quat(_: Compiler, numbers: tuple[float, ...]) -> Wxyz:
    return numbers[0], numbers[1], numbers[2], numbers[3]


def _of_axes(_: Compiler, numbers: tuple[float, ...]) -> Wxyz:
    """From the directions of x and y; y is made perpendicular to x."""
    x, y = _unit(numbers[:3]), numbers[3:]
    share = sum(a * b for a, b in zip(x, y, strict=True))
    y = _unit([b - share * a for a, b in zip(x, y, strict=True)])
    if not (any(x) and any(y)):
        return NO_TURN
    z = (x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0])
    w, i, j, k = wxyz_from_matrix([[x[row], y[row], z[row]] for row in range(3)])
    return float(w), float(i), float(j), float(k)


def z_towards(numbers: tuple[float, ...]) -> Wxyz:
    """The smallest rotation that takes z to a direction; 180° about x for its opposite. Both to MuJoCo's 1e-7."""
    x, y, z = _unit(numbers)
    if not (x or y or z):
        return NO_TURN
    sine = math.hypot(x, y)
    if sine <= 1e-7:
        return (1.0, 0.0, 0.0, 0.0) if z > 0 else (0.0, 1.0, 0.0, 0.0)
    return about((-y / sine, x / sine, 0.0), math.atan2(sine, z))


def _unit(vector: tuple[float, ...] | list[float]) -> tuple[float, ...]:
    size = math.hypot(*vector)
    return tuple(c / size for c in vector) if size > 1e-14 else (0.0, 0.0, 0.0)


_ROTATIONS = {
    "quat": _of_quat,
    "axisangle": Compiler._axis_angle,
    "xyaxes": _of_axes,
    "zaxis": lambda _, numbers: z_towards(numbers),
    "euler": Compiler._euler,
}


@dataclass(frozen=True)
class Defaults:
    """The classes of the <default> sections, each with its inherited attributes."""

    classes: dict[str, Attributes]

    @classmethod
    def of(cls, root: Element) -> Defaults:
        """Collect the classes. Raises FileError for a nested class without a name, or with a name that is taken."""
        outermost = root.all("default")
        main: Attributes = {}
        for element in outermost:
            main = _stated(element, main)
        classes = {element.attributes.get("class", "main"): main for element in outermost} | {"main": main}
        waiting = [(one, "main") for element in outermost for one in element.all("default")][::-1]
        while waiting:
            element, above = waiting.pop()
            name = element.text("class")
            if name in classes:
                raise element.error(f"a second default class is called {name!r}; rename one")
            classes[name] = _stated(element, classes[above])
            waiting.extend((one, name) for one in reversed(element.all("default")))
        return cls(classes)

    def applied(self, element: Element, childclass: str, tag: str = "") -> Element:
        """The element, its own class or the enclosing `childclass` providing what it does not state."""
        name = element.attributes.get("class", childclass)
        if name not in self.classes:
            raise element.error(f"unknown default class {name!r}; choose from {', '.join([*self.classes][:12])}")
        return replace(element, attributes=_over(self.classes[name].get(tag or element.tag, {}), element.attributes))


def _stated(section: Element, above: Attributes) -> Attributes:
    stated = dict(above)
    for element in section.children:
        known = _DEFAULTED.get(element.tag, ())
        own = {key: value for key, value in element.attributes.items() if key in known}
        stated[element.tag] = _over(stated.get(element.tag, {}), own)
    return {tag: stated[tag] for tag in _DEFAULTED if tag in stated}


def _over(defaults: dict[str, str], own: dict[str, str]) -> dict[str, str]:
    """Own attributes over defaults; a rotation in any notation replaces one in any other."""
    if any(name in own for name in ORIENTATIONS):
        defaults = {key: value for key, value in defaults.items() if key not in ORIENTATIONS}
    return {**defaults, **own}


# The bodies of an MJCF model with names, frames and content; <frame> elements and default classes are resolved.


_REFUSED = ("replicate", "composite", "flexcomp", "attach")


@dataclass(slots=True)
class Body:
    """A <body>: its name, its parent's name, its frame there; its joints and geoms with defaults and enclosing
    frames.
    """

    element: Element
    name: str
    parent: str | None
    frame: Frame
    childclass: str
    joints: list[tuple[Element, Frame]] = field(default_factory=list)
    geoms: list[tuple[Element, Frame]] = field(default_factory=list)


Found = tuple[Element, Frame, str]


def bodies_of(root: Element, compiler: Compiler, defaults: Defaults) -> tuple[list[Body], list[str]]:
    """All bodies depth-first in document order, as MuJoCo numbers them, and notes. Raises FileError."""
    stated = {element.attributes.get("name", "") for element in root.walk() if element.tag == "body"}
    bodies: dict[str, Body] = {}
    nameless: list[str] = []
    waiting: list[tuple[Found, str | None]] = [(found, None) for found in _below_world(root, compiler)]
    while waiting:
        (element, around, childclass), parent = waiting.pop()
        name = element.attributes.get("name", "")
        if not name:
            name = _free_name(f"body_{len(bodies) + 1}", stated)
            nameless.append(name)
        if name in bodies:
            first = bodies[name].element.line
            raise element.error(f"a second body is called {name!r} (the first is in line {first}); rename one")
        frame = compose(around, compiler.frame_of(element))
        body = Body(element, name, parent, frame, element.attributes.get("childclass", childclass))
        bodies[name] = body
        waiting += [(found, name) for found in reversed(list(_fill(body, compiler, defaults)))]
    if not bodies:
        raise root.error("the model has no <body>")
    notes = [f"unnamed bodies ({len(nameless)}) are called {', '.join(nameless[:3])} …"] if nameless else []
    return list(bodies.values()), notes


def _free_name(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _below_world(root: Element, compiler: Compiler) -> list[Found]:
    """The children of the world, last first."""
    found = []
    for world in root.all("worldbody"):
        for child, frame, childclass in _contents(world, compiler, world.attributes.get("childclass", "main")):
            if child.tag in ("joint", "freejoint"):
                raise child.error("the world itself cannot move; put the joint into a <body>")
            if child.tag == "body":
                found.append((child, frame, childclass))
    return found[::-1]


def _contents(owner: Element, compiler: Compiler, childclass: str) -> Iterator[Found]:
    """The content of a body or the world, in order, with enclosing <frame> elements resolved."""
    waiting = [(child, HERE, childclass) for child in reversed(owner.children)]
    while waiting:
        child, around, inherited = waiting.pop()
        if child.tag in _REFUSED:
            raise child.error(
                f"<{child.tag}> makes bodies that are not written in the file; load it in MuJoCo and save the expanded "
                "model (mujoco.mj_saveLastXML)"
            )
        if child.tag != "frame":
            yield child, around, inherited
            continue
        inner = compose(around, compiler.frame_of(child))
        waiting += [(c, inner, child.attributes.get("childclass", inherited)) for c in reversed(child.children)]


def _fill(body: Body, compiler: Compiler, defaults: Defaults) -> Iterator[Found]:
    """Sort the content of a body into its lists; returns its child bodies."""
    for child, frame, childclass in _contents(body.element, compiler, body.childclass):
        if child.tag == "body":
            yield child, frame, childclass
        elif child.tag == "freejoint":
            body.joints.append((child, frame))
        elif child.tag == "joint":
            body.joints.append((defaults.applied(child, childclass), frame))
        elif child.tag == "geom":
            body.geoms.append((defaults.applied(child, childclass), frame))

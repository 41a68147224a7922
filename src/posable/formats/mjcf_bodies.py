"""The bodies of an MJCF model: names, frames, and what stands in each, frames and default classes resolved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from posable.formats.frames import HERE, Frame, compose
from posable.formats.mjcf_document import Compiler, Defaults
from posable.formats.xml import Element

_REFUSED = ("replicate", "composite", "flexcomp", "attach")


@dataclass(slots=True)
class Body:
    """A <body>: its name, its parent's, its frame there; its joints and geoms with defaults and the frames around."""

    element: Element
    name: str
    parent: str | None
    frame: Frame
    childclass: str
    joints: list[tuple[Element, Frame]] = field(default_factory=list)
    geoms: list[tuple[Element, Frame]] = field(default_factory=list)


Found = tuple[Element, Frame, str]


def bodies_of(root: Element, compiler: Compiler, defaults: Defaults) -> tuple[list[Body], list[str]]:
    """All bodies depth-first in the order of the document, as MuJoCo numbers them, and notes. Raises FileError."""
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
        raise root.error("the model has no <body>; there is nothing to move")
    notes = [f"bodies without a name ({len(nameless)}) are called {', '.join(nameless[:3])} …"] if nameless else []
    return list(bodies.values()), notes


def _free_name(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _below_world(root: Element, compiler: Compiler) -> list[Found]:
    """The bodies that hang on the world, last first."""
    found = []
    for world in root.all("worldbody"):
        for child, frame, childclass in _contents(world, compiler, world.attributes.get("childclass", "main")):
            if child.tag in ("joint", "freejoint"):
                raise child.error("the world itself cannot move; put the joint into a <body>")
            if child.tag == "body":
                found.append((child, frame, childclass))
    return found[::-1]


def _contents(owner: Element, compiler: Compiler, childclass: str) -> Iterator[Found]:
    """What stands in a body or the world, in order, with the <frame> elements around it resolved."""
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
    """Sort what stands in a body into its lists; its child bodies come out."""
    for child, frame, childclass in _contents(body.element, compiler, body.childclass):
        if child.tag == "body":
            yield child, frame, childclass
        elif child.tag == "freejoint":
            body.joints.append((child, frame))
        elif child.tag == "joint":
            body.joints.append((defaults.applied(child, childclass), frame))
        elif child.tag == "geom":
            body.geoms.append((defaults.applied(child, childclass), frame))

"""What a URDF robot looks like: solids with their colours, and mesh files."""

from __future__ import annotations

from posable.figures import Shape
from posable.formats.frames import HERE, Frame, euler
from posable.formats.visual_meshes import Placed, VisualMeshes, beside
from posable.formats.xml import Element

Color = tuple[float, float, float]


class Visuals:
    """The <visual> elements of a robot's links, gathered link by link into `shapes` and `meshes`.

    A link all of whose visuals are mesh files that are not there shows the plain solids it collides with instead.
    """

    def __init__(self, robot: Element) -> None:
        self.shapes: list[Shape] = []
        self.meshes = VisualMeshes(robot.path)
        self.instead = 0
        self._colors = _named_colors(robot)

    def add(self, joint: str, link: Element) -> None:
        """Take what `link` shows; it is fixed to `joint`."""
        solids = [_solid_of(visual) for visual in link.all("visual")]
        shown = [self._add_solid(joint, *solid) for solid in solids if solid is not None]
        if shown and not any(shown):
            solids = [_solid_of(collision) for collision in link.all("collision")]
            plain = [solid for solid in solids if solid is not None and solid[1].tag != "mesh"]
            self.instead += bool(plain)
            for solid in plain:
                self._add_solid(joint, *solid)

    def notes(self) -> list[str]:
        """What of its looks is not in the file's folder, and what stands for it."""
        links = "1 link shows" if self.instead == 1 else f"{self.instead} links show"
        return self.meshes.notes() + ([f"{links} the plain solids of collisions instead"] if self.instead else [])

    def _add_solid(self, joint: str, visual: Element, solid: Element) -> bool:
        """Whether it is there: a mesh file may not be."""
        position, wxyz = frame_of(visual)
        color = self._color(visual)
        if solid.tag == "mesh":
            name = solid.text("filename")
            scale = solid.point("scale", (1.0, 1.0, 1.0))
            return self.meshes.add(name, beside(name), Placed(joint, scale, position, wxyz, color))
        if solid.tag == "box":
            self.shapes.append(Shape(joint, "box", _sizes(solid, solid.point("size")), position, wxyz, color))
        elif solid.tag == "sphere":
            self.shapes.append(
                Shape(joint, "sphere", _sizes(solid, (solid.number("radius", 0.0),)), position, wxyz, color)
            )
        elif solid.tag in ("cylinder", "capsule"):
            sizes = _sizes(solid, (solid.number("radius", 0.0), solid.number("length", 0.0)))
            kind = "cylinder" if solid.tag == "cylinder" else "capsule"
            self.shapes.append(Shape(joint, kind, sizes, position, wxyz, color))
        return True

    def _color(self, visual: Element) -> Color | None:
        material = visual.child("material")
        if material is None:
            return None
        return _color_of(material) or self._colors.get(material.attributes.get("name", ""))


def _solid_of(element: Element) -> tuple[Element, Element] | None:
    """A <visual> or <collision>, and what its <geometry> holds; None where it holds nothing."""
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
    """Colours of all materials that state one, wherever they stand: a link may use what another link defines."""
    found: dict[str, Color] = {}
    for element in robot.walk():
        if element.tag == "material" and (color := _color_of(element)):
            found.setdefault(element.attributes.get("name", ""), color)
    return found


def _color_of(material: Element) -> Color | None:
    color = material.child("color")
    rgba = color.numbers("rgba", 3, 4) if color else None
    return (rgba[0], rgba[1], rgba[2]) if rgba else None

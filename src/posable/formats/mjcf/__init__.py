"""MJCF: MuJoCo models as bodies with joints, solids and mesh files. Read only."""

from __future__ import annotations

import math
from pathlib import Path, PurePosixPath

import numpy as np

from posable.figures import Figure, Shape
from posable.figures.link_solids import LinkBody, stand_ins
from posable.formats import urdf
from posable.formats.mesh_files import Placed, VisualMeshes, beside
from posable.formats.mjcf.document import Body, Compiler, Defaults, bodies_of, put_includes, z_towards
from posable.formats.mjcf.joints import Joints
from posable.formats.xml import UPRIGHT, Element, Frame, compose, read_xml
from posable.skeleton import Skeleton
from posable.skeleton.joint import Point
from posable.spatial import Array, matrix_from_wxyz

Color = tuple[float, float, float]
_SIZE_COUNT = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}
_FIRST_HIDDEN_GROUP = 3  # MuJoCo's viewer shows groups 0, 1 and 2; collision solids are usually in 3


class Geoms:
    """The <geom> elements of bodies, collected into `shapes` and `meshes`.

    `solids` are for collision avoidance: what stands for bodies whose meshes are missing.
    """

    def __init__(self, root: Element, compiler: Compiler, defaults: Defaults) -> None:
        self.shapes: list[Shape] = []
        self._bodies: list[LinkBody] = []
        self.meshes = VisualMeshes(root.path)
        self._compiler = compiler
        assets = [element for section in root.all("asset") for element in section.children]
        self._colors = {
            element.attributes.get("name", ""): _rgba(defaults.applied(element, "main"))
            for element in assets
            if element.tag == "material"
        }
        self._mesh_files = {
            _mesh_name(element): defaults.applied(element, "main") for element in assets if element.tag == "mesh"
        }

    def add(self, body: Body) -> None:
        """Add the geoms of a body, fixed to the joint of its name: the visible ones to what is drawn."""
        missing, drawn, hidden = len(self.meshes.missing), len(self.shapes), list[Shape]()
        for geom, around in body.geoms:
            rgba = _rgba(geom) or self._colors.get(geom.attributes.get("material", ""))
            visible = geom.number("group", 0) < _FIRST_HIDDEN_GROUP and (rgba is None or rgba[3] > 0)
            self._add(body.name, geom, around, rgba and rgba[:3], self.shapes if visible else hidden)
        missed = len(self.meshes.missing) > missing
        own = (tuple(self.shapes[drawn:]), tuple(hidden))
        self._bodies.append(LinkBody(body.name, missed, *own, *self._inertial(body)))

    @property
    def solids(self) -> tuple[Shape, ...]:
        """Substitutes for bodies whose meshes are missing."""
        return tuple(stand_ins(self._bodies))

    def _add(self, joint: str, geom: Element, around: Frame, color: Color | None, shapes: list[Shape]) -> None:
        """Add a geom to `shapes`, or to the meshes where these are what is drawn."""
        kind = geom.attributes.get("type", "mesh" if "mesh" in geom.attributes else "sphere")
        if "mesh" in geom.attributes:
            if shapes is self.shapes:
                self._add_mesh(joint, geom, compose(around, self._compiler.frame_of(geom)), color)
        elif kind in _SIZE_COUNT:
            size, frame = self._solid(geom, kind)
            shapes.append(_shape(joint, geom, kind, size, compose(around, frame), color))

    def _inertial(self, body: Body) -> tuple[float, Point, Array]:
        """(mass, its centre, inertia `[3, 3]` about the centre) of a body; 0 where it is not stated."""
        inertial = body.element.child("inertial")
        if inertial is None:
            return 0.0, (0.0, 0.0, 0.0), np.zeros((3, 3))
        whole, center = inertial.numbers("fullinertia", 6), inertial.point("pos")
        mass = inertial.number("mass", 0.0)
        if whole is not None:
            xx, yy, zz, xy, xz, yz = whole
            return mass, center, np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        turn = matrix_from_wxyz(self._compiler.frame_of(inertial)[1])
        return mass, center, turn * inertial.point("diaginertia") @ turn.T

    def _solid(self, geom: Element, kind: str) -> tuple[tuple[float, ...], Frame]:
        """Sizes in MJCF's convention, and the frame; both from the two end points if given."""
        size = geom.numbers("size", 1, 3)
        ends = geom.numbers("fromto", 6)
        needed = _SIZE_COUNT[kind]
        if ends is not None and kind != "sphere" and size:
            along = tuple(a - b for a, b in zip(ends[:3], ends[3:], strict=True))
            wxyz = z_towards(along)
            if not any(wxyz):
                raise geom.error("fromto: the two ends coincide")
            middle = tuple((a + b) / 2 for a, b in zip(ends[:3], ends[3:], strict=True))
            size = (size[0], math.hypot(*along) / 2) if needed == 2 else (size[0], size[0], math.hypot(*along) / 2)
            return size, ((middle[0], middle[1], middle[2]), wxyz)
        if size is None or len(size) < needed:
            raise geom.error(f"a {kind} has {needed} sizes, not {len(size or ())}; write them all")
        return size[:needed], self._compiler.frame_of(geom)

    def _add_mesh(self, joint: str, geom: Element, frame: Frame, color: Color | None) -> None:
        name = geom.text("mesh")
        mesh = self._mesh_files.get(name)
        if mesh is None:
            raise geom.error(f"no <mesh> is called {name!r} among the assets")
        if "file" not in mesh.attributes:  # its vertices are inside the model, or it is a primitive
            self.meshes.missing.append(name)
            return
        file = mesh.text("file")
        if self._compiler.strip_path:
            file = PurePosixPath(file).name
        placed = Placed(joint, mesh.point("scale", (1.0, 1.0, 1.0)), *frame, color, _own_frame(mesh))
        self.meshes.add(file, beside(f"{self._compiler.mesh_folder}/{file}".lstrip("/")), placed)


def _shape(joint: str, geom: Element, kind: str, size: tuple[float, ...], frame: Frame, color: Color | None) -> Shape:
    if min(size) < 0:
        raise geom.error(f"a {kind} has a size below 0")
    if kind == "box":
        return Shape(joint, "box", tuple(2 * half for half in size), *frame, color)
    if kind == "capsule":
        return Shape(joint, "capsule", (size[0], 2 * size[1]), *frame, color)
    if kind == "cylinder":
        return Shape(joint, "cylinder", (size[0], 2 * size[1]), *frame, color)
    return Shape(joint, "sphere" if kind == "sphere" else "ellipsoid", size, *frame, color)


def _rgba(element: Element) -> tuple[float, float, float, float] | None:
    rgba = element.numbers("rgba", 3, 4)
    return None if rgba is None else (rgba[0], rgba[1], rgba[2], rgba[3] if len(rgba) == 4 else 1.0)


def _own_frame(mesh: Element) -> Frame:
    wxyz = mesh.numbers("refquat", 4) or UPRIGHT
    size = math.hypot(*wxyz)
    if not size > 0:
        raise mesh.error("<mesh> refquat: a zero quaternion is not a rotation")
    return mesh.point("refpos"), (wxyz[0] / size, wxyz[1] / size, wxyz[2] / size, wxyz[3] / size)


def _mesh_name(mesh: Element) -> str:
    """The name of a mesh; default: that of its file."""
    return mesh.attributes.get("name") or PurePosixPath(mesh.attributes.get("file", "")).stem


def read(path: str | Path) -> Figure:
    """The model in an MJCF file, z up, metres; a <robot> is read as URDF.

    Joints are the bodies, in MuJoCo's order, and the coordinates of a pose are MuJoCo's qpos number for number, unless
    an equality constraint couples one joint to another, which then has no coordinate. The file's joint names are
    aliases. Raises FileError with the line, also for unsupported content: replicated, composite and attached bodies.
    """
    root = read_xml(path)
    if root.tag == "robot":
        return urdf.read_robot(root)
    if root.tag == "mujocoinclude":
        raise root.error("is a part of an MJCF model; open the file that includes it")
    if root.tag != "mujoco":
        raise root.error(f"an XML file with a <{root.tag[:40]}> is neither MJCF (<mujoco>) nor URDF (<robot>)")
    return _read_model(root)


def _read_model(root: Element) -> Figure:
    missing = put_includes(root)
    compiler, defaults = Compiler(root), Defaults.of(root)
    bodies, notes = bodies_of(root, compiler, defaults)
    joints = Joints(compiler)
    joints.add(bodies)
    joints.couple(root, defaults)
    geoms = Geoms(root, compiler, defaults)
    for body in bodies:
        geoms.add(body)
    skeleton = Skeleton(joints.built, up="z")
    return Figure(
        skeleton,
        name=root.attributes.get("model", ""),
        skins=geoms.meshes.skins(skeleton),
        shapes=tuple(geoms.shapes),
        solids=geoms.solids,
        notes=(*_about_missing(missing), *compiler.notes, *notes, *joints.notes, *geoms.meshes.notes()),
    )


def _about_missing(files: list[str]) -> list[str]:
    if not files:
        return []
    more = f" and {len(files) - 1} more" if len(files) > 1 else ""
    return [f"includes {files[0][:200]}{more}, which are missing: their content is left out"]

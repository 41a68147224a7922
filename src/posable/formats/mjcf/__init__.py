"""MJCF: MuJoCo models as bodies with joints. Read only."""

from __future__ import annotations

from pathlib import Path

from posable.figures import Figure
from posable.formats import urdf
from posable.formats.mjcf.document import Compiler, Defaults, bodies_of, put_includes
from posable.formats.mjcf.geoms import Geoms
from posable.formats.mjcf.joints import Joints
from posable.formats.xml import Element, read_xml
from posable.skeleton import Skeleton


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
        notes=(*_about_missing(missing), *notes, *joints.notes, *geoms.meshes.notes()),
    )


def _about_missing(files: list[str]) -> list[str]:
    if not files:
        return []
    more = f" and {len(files) - 1} more" if len(files) > 1 else ""
    return [f"includes {files[0][:200]}{more}, which are missing: their content is left out"]

"""The triangles of Collada (DAE) files, which many robots are drawn with; everything else in them is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from posable.files import check_count, read_bytes
from posable.formats.xml import Element, read_xml
from posable.spatial import Array, matrix_from_wxyz, wxyz_from_rotation_vector

MAX_TRIANGLES = 1_000_000
_MAX_NODES = 10_000  # that are drawn: a node may be drawn many times
_FLAT = ("triangles", "polylist", "polygons")

Mesh = tuple[NDArray[np.float32], NDArray[np.int32]]


def read_dae(path: Path) -> Mesh:
    """Vertices `[vertex, 3]` float32 in metres and faces `[face, 3]` of all that the scene draws.

    Polygons become fans. The axis that the file says is up is left to `says_y_up`.

    Raises FileError with the line for what is not as Collada has it, FileTooLargeError above a million triangles.
    """
    root = read_xml(path, words=True)
    if root.tag != "COLLADA":
        raise root.error(f"a DAE file is a <COLLADA>, not <{root.tag[:40]}>; export the mesh again")
    unit = next((one for one in root.walk() if one.tag == "unit"), None)
    meter = 1.0 if unit is None else unit.number("meter", 1.0)
    known = {one.attributes["id"]: one for one in root.walk() if "id" in one.attributes}
    places, faces, count, triangles = [np.zeros((0, 3))], [np.zeros((0, 3), np.int64)], 0, 0
    for geometry, matrix in _drawn(root, known):
        for vertices, own in _parts(geometry, known):
            triangles += max(len(own), len(vertices))
            check_count(path, triangles, MAX_TRIANGLES, "vertices or triangles")
            with np.errstate(over="ignore", invalid="ignore"):
                places.append(meter * (vertices @ matrix[:3, :3].T + matrix[:3, 3]))
            faces.append(own + count)
            count += len(vertices)
    vertices = np.concatenate(places)
    if not (np.abs(vertices) < 1e30).all():
        raise root.error("a vertex is not three finite numbers; export the mesh again")
    return vertices.astype(np.float32), np.concatenate(faces).astype(np.int32)


def says_y_up(path: Path) -> bool:
    """Whether a DAE file states that y is up. RViz and Gazebo ignore this, other programs do not."""
    return re.search(rb"<up_axis>\s*Y_UP", read_bytes(path)) is not None


def _drawn(root: Element, known: dict[str, Element]) -> Iterator[tuple[Element, Array]]:
    """Every geometry of the scene with its transform; in a file without a scene, all geometries untransformed."""
    scene = next((one for one in root.walk() if one.tag == "visual_scene"), None)
    if scene is None:
        yield from ((one, np.eye(4)) for one in root.walk() if one.tag == "geometry")
        return
    waiting, seen = [(one, np.eye(4)) for one in reversed(scene.all("node"))], 0
    while waiting:
        node, above = waiting.pop()
        seen += 1
        check_count(root.path, seen, _MAX_NODES, "nodes that are drawn")
        here = above @ _placed(node)
        for one in node.all("instance_geometry"):
            yield _linked(one, "url", known), here
        below = node.all("node") + [_linked(one, "url", known) for one in node.all("instance_node")]
        waiting.extend((one, here) for one in reversed(below))


def _placed(node: Element) -> Array:
    """`[4, 4]` transform of a node in its parent."""
    found = np.eye(4)
    for step in node.children:
        own = np.eye(4)
        if step.tag == "matrix":
            own = _floats(step, 16).reshape(4, 4)
        elif step.tag == "translate":
            own[:3, 3] = _floats(step, 3)
        elif step.tag == "scale":
            own[:3, :3] = np.diag(_floats(step, 3))
        elif step.tag == "rotate":
            *axis, angle = _floats(step, 4)
            size = float(np.linalg.norm(axis)) or 1.0
            own[:3, :3] = matrix_from_wxyz(wxyz_from_rotation_vector(np.radians(angle) / size * np.array(axis)))
        found = found @ own
    return found


def _parts(geometry: Element, known: dict[str, Element]) -> Iterator[tuple[Array, NDArray[np.int64]]]:
    """(vertices `[vertex, 3]`, faces `[face, 3]`) of each set of polygons."""
    mesh = geometry.child("mesh")
    for part in mesh.children if mesh else ():
        inputs = part.all("input")
        corner = next((one for one in inputs if one.attributes.get("semantic") == "VERTEX"), None)
        if part.tag not in _FLAT or corner is None:
            continue
        vertices = _vertices(_linked(corner, "source", known), known)
        stride = 1 + max(_whole(one, "offset") for one in inputs)
        at = _whole(corner, "offset")
        polygons = [_integers(one)[at::stride] for one in part.all("p")]
        sizes = part.child("vcount")
        faces = [_fans(part, polygon, sizes) for polygon in polygons]
        own = np.concatenate([np.zeros((0, 3), np.int64), *faces])
        if len(own) and not (own.min() >= 0 and own.max() < len(vertices)):
            raise part.error(f"a face refers to vertex {own.max()}, but there are {len(vertices):,}; export it again")
        yield vertices, own


def _fans(part: Element, corners: NDArray[np.int64], vcount: Element | None) -> NDArray[np.int64]:
    """`[face, 3]` of one <p>: triangles, polygons of so many corners each, or a single polygon."""
    if part.tag == "triangles":
        return corners[: len(corners) // 3 * 3].reshape(-1, 3)
    sizes = np.array([len(corners)]) if part.tag == "polygons" else _integers(vcount or part)
    if sizes.min(initial=0) < 0 or sizes.sum() != len(corners):
        raise part.error(f"<{part.tag}>: <vcount> and <p> do not fit each other; export the mesh again")
    starts = np.repeat(np.cumsum(sizes) - sizes, np.maximum(sizes - 2, 0))
    steps = np.concatenate([np.zeros(0, np.int64), *(np.arange(max(size - 2, 0)) for size in sizes.tolist())])
    return np.stack([corners[starts], corners[starts + steps + 1], corners[starts + steps + 2]], axis=1)


def _vertices(element: Element, known: dict[str, Element]) -> Array:
    """`[vertex, 3]` of a <vertices>, or of the <source> itself."""
    for one in element.all("input"):
        if one.attributes.get("semantic") == "POSITION":
            element = _linked(one, "source", known)
    floats = element.child("float_array")
    if floats is None:
        raise element.error(f"<{element.tag}> has no positions; export the mesh again")
    accessor = next((one for one in element.walk() if one.tag == "accessor"), None)
    stride = 3 if accessor is None else max(int(accessor.number("stride", 3)), 3)
    numbers = _floats(floats)
    return numbers[: len(numbers) // stride * stride].reshape(-1, stride)[:, :3]


def _linked(element: Element, name: str, known: dict[str, Element]) -> Element:
    """What an attribute such as url="#box" refers to."""
    reference = element.text(name)
    if reference.removeprefix("#") not in known:
        raise element.error(f"<{element.tag}> refers to {reference[:60]!r}, which is not in the file")
    return known[reference.removeprefix("#")]


def _whole(element: Element, name: str) -> int:
    found = element.number(name, 0)
    if not 0 <= found <= 64:
        raise element.error(f"<{element.tag}> {name}: {found:g} is not a number from 0 to 64")
    return int(found)


def _floats(element: Element, count: int | None = None) -> Array:
    """The numbers in an element's text."""
    return _numbers(element, element.words.split(), float, count)


def _integers(element: Element) -> NDArray[np.int64]:
    return _numbers(element, element.words.split(), np.int64, None)


def _numbers(element: Element, words: Sequence[str], kind: type, count: int | None) -> NDArray:
    try:
        found = np.array(words, dtype="U32").astype(kind) if words else np.zeros(0, kind)
    except (ValueError, OverflowError):
        found = np.full(1, np.nan)
    if (count is not None and len(found) != count) or not np.isfinite(found).all():
        wanted = "finite numbers" if count is None else f"{count} finite numbers"
        raise element.error(f"<{element.tag}> is not a list of {wanted}; export the mesh again")
    return found

"""Triangle meshes in OBJ, STL and DAE files, and those of a robot merged into one rigid skin."""

from __future__ import annotations

import codecs
import io
import itertools
import re
from array import array
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.errors import FileError, UnsupportedFileError
from posable.files import check_count, read_bytes, sibling
from posable.formats.collada import MAX_TRIANGLES, Mesh, read_dae, says_y_up
from posable.formats.xml import HERE, Frame
from posable.skeleton import Skeleton
from posable.skin import Skin
from posable.spatial import apply_transform, rigid_inverse, transform

MESH_SUFFIXES = (".obj", ".stl")
_ROBOT_MESH_SUFFIXES = (*MESH_SUFFIXES, ".dae")
_PACKAGE = re.compile(r"(?:package|model)://+([^/]+)/(.+)", re.DOTALL)
_MAX_FOLDERS = 12  # depth of a robot's file in its package
_MODEL_FOLDERS = {"urdf", "urdfs", "mjcf", "mjcfs", "xml", "xmls", "sdf", "xacro", "robot", "robots"}
_MAX_MODEL_FOLDERS = 3  # depth of a robot's file in such a folder
_UPRIGHT = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])  # (x, y, z) @ it = (x, -z, y)
_CLEARLY_BETTER = 0.8  # of the misfit of the meshes as they are, below which rotated ones fit better
MAX_BYTES = 64 * 2**20
MAX_CORNERS = 1_000  # of one polygon

_STL_VERTEX = re.compile(rb"\bvertex\s+(\S+)\s+(\S+)\s+(\S+)")
_STL_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


def read_mesh(path: str | Path) -> Mesh:
    """Vertices `[vertex, 3]` float32 and faces `[face, 3]` of an OBJ or DAE (polygons become fans) or an STL (binary or
    text).

    Raises FileError for an invalid file, UnsupportedFileError for another format, FileTooLargeError above a million
    triangles.
    """
    path = Path(path)
    if path.suffix.lower() == ".dae":
        return read_dae(path)
    readers = {".obj": _read_obj, ".stl": _read_stl}
    if path.suffix.lower() not in readers:
        raise UnsupportedFileError(path, "is neither OBJ nor STL; convert the mesh to one of them")
    return readers[path.suffix.lower()](path, read_bytes(path, MAX_BYTES))


def _read_stl(path: Path, raw: bytes) -> Mesh:
    claimed = int.from_bytes(raw[80:84], "little") if len(raw) >= 84 else -1
    if 84 + 50 * claimed == len(raw):
        check_count(path, claimed, MAX_TRIANGLES, "triangles")
        corners = np.frombuffer(raw, _STL_TRIANGLE, claimed, 84)["corners"].reshape(-1, 3)
        if not (np.abs(corners) < 1e30).all():
            raise FileError(path, "has a vertex that is not three finite numbers; export the mesh again")
        return _merged(corners)
    if not raw.lstrip()[:5].lower() == b"solid":
        raise FileError(
            path, f"declares {max(claimed, 0):,} triangles, more than fit into its {len(raw):,} bytes; export it again"
        )
    check_count(path, raw.count(b"vertex"), 3 * MAX_TRIANGLES, "corners")
    numbers = array("d")
    for match in _STL_VERTEX.finditer(raw):
        numbers.extend(_point(path, match.groups()))
    if len(numbers) % 9:
        raise FileError(path, f"has {len(numbers) // 3:,} corners, which is not a multiple of three; export it again")
    return _merged(_rows(numbers))


def _merged(corners: NDArray[np.float32]) -> Mesh:
    """Triangles given by their corners, with equal corners merged."""
    vertices, index = np.unique(corners, axis=0, return_inverse=True)
    return np.ascontiguousarray(vertices, np.float32), index.reshape(-1, 3).astype(np.int32)


def _read_obj(path: Path, raw: bytes) -> Mesh:
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise FileError(path, "is text in UTF-16; save it as UTF-8")
    points, faces = array("d"), array("i")
    for number, line in enumerate(io.BytesIO(raw), 1):
        words = line.split(maxsplit=MAX_CORNERS)
        if words[:1] == [b"v"]:
            points.extend(_point(path, words[1:4], number))
        elif words[:1] == [b"f"]:
            corners = [_corner(path, number, word, len(points) // 3) for word in words[1:]]
            for b, c in itertools.pairwise(corners[1:]):
                faces.extend((corners[0], b, c))
        check_count(path, max(len(points), len(faces)) // 3, MAX_TRIANGLES, "vertices or triangles")
    return _rows(points), np.array(faces, np.int32).reshape(-1, 3)


def read_uvs(path: str | Path) -> NDArray[np.float32] | None:
    """`[face, 3, 2]` texture coordinates of the corners of an OBJ's triangles, v upwards as in the file; None where it
    has none, or where a corner lacks them. Call `read_mesh` first: it refuses invalid files.
    """
    path = Path(path)
    if path.suffix.lower() != ".obj":
        return None
    points, faces = array("d"), array("i")
    for line in io.BytesIO(read_bytes(path, MAX_BYTES)):
        words = line.split(maxsplit=MAX_CORNERS)
        try:
            if words[:1] == [b"vt"]:
                points.extend((float(words[1]), float(words[2])))
            elif words[:1] == [b"f"]:
                own = [int(word.split(b"/")[1]) for word in words[1:]]
                corners = [index - 1 if index > 0 else len(points) // 2 + index for index in own]
                for b, c in itertools.pairwise(corners[1:]):
                    faces.extend((corners[0], b, c))
        except (ValueError, IndexError):
            return None
    index = np.array(faces, np.int64).reshape(-1, 3)
    known = np.array(points, np.float64).astype(np.float32).reshape(-1, 2)
    if not len(known) or not np.isfinite(known).all() or index.min(initial=0) < 0 or index.max(initial=0) >= len(known):
        return None
    return known[index]


def _rows(numbers: array[float]) -> NDArray[np.float32]:
    return np.array(numbers, np.float64).astype(np.float32).reshape(-1, 3)


def _point(path: Path, words: Sequence[bytes], line: int | None = None) -> tuple[float, ...]:
    """Three numbers that are finite in single precision."""
    try:
        point = tuple(float(word) for word in words)
    except ValueError:
        point = ()
    if len(point) != 3 or not all(abs(x) < 1e30 for x in point):
        raise FileError(path, "a vertex is not three finite numbers; export the mesh again", line=line)
    return point


def _corner(path: Path, line: int, word: bytes, count: int) -> int:
    """Index (from 0) of the vertex that a face's `word` ("7", "7/1/2", "-1") refers to."""
    try:
        index = int(word.split(b"/")[0])
    except ValueError as problem:
        raise FileError(
            path, f"a face has the corner {word[:40].decode('latin-1')!r}, which is not a number", line=line
        ) from problem
    if not (1 <= index <= count or -count <= index <= -1):
        raise FileError(path, f"a face refers to vertex {index}, but only {count:,} precede it", line=line)
    return index - 1 if index > 0 else count + index


GREY = (0.7, 0.7, 0.72)


_MAX_ROBOT_TRIANGLES = 5_000_000  # of all meshes of a robot, many of which are detailed


class Placed(NamedTuple):
    """A mesh placed on a body. scale: per axis; a negative one mirrors. position, wxyz: in the joint's frame.

    own: the mesh's own frame in the file, applied before the scale.
    """

    joint: str
    scale: tuple[float, ...]
    position: Sequence[float]
    wxyz: Sequence[float]
    color: Sequence[float] | None
    own: Frame = HERE


class VisualMeshes:
    """Meshes named by the model in `path`. Add each with its joint, then read `skins` and `notes`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.missing: list[str] = []
        self._size = 0
        self._sought: dict[str, Path | None] = {}
        self._files: dict[Path, Mesh] = {}
        self._stated: dict[Path, bool] = {}
        self._y_up: set[int] = set()  # of _placed
        self._placed: list[tuple[Placed, Mesh]] = []

    def add(self, name: str, candidates: Sequence[str], placed: Placed) -> bool:
        """Add the first existing one of `candidates` (relative to the model); otherwise note `name` as missing, return
        False.

        Raises FileError for an invalid mesh file, FileTooLargeError above five million triangles in total.
        """
        if name not in self._sought:
            self._sought[name] = (
                self._found(self.path, candidates) or self._in_package(name) or self._around(candidates)
            )
        found = self._sought[name]
        if found is None:
            self.missing.append(name)
            return False
        if found not in self._files:
            self._files[found] = read_mesh(found)
        self._size += max(len(part) for part in self._files[found])
        check_count(self.path, self._size, _MAX_ROBOT_TRIANGLES, "vertices or triangles in its meshes")
        if found.suffix.lower() == ".dae" and self._says_y_up(found):
            self._y_up.add(len(self._placed))
        self._placed.append((placed, self._files[found]))
        return True

    def _says_y_up(self, file: Path) -> bool:
        if file not in self._stated:
            self._stated[file] = says_y_up(file)
        return self._stated[file]

    @property
    def any_found(self) -> bool:
        """Whether any mesh was added."""
        return bool(self._placed)

    @staticmethod
    def _found(model: Path, candidates: Sequence[str]) -> Path | None:
        for candidate in candidates:
            try:
                file = sibling(model, candidate)
                if file.suffix.lower() in _ROBOT_MESH_SUFFIXES and file.is_file():
                    return file
            except (FileError, OSError):  # outside the model's folder, or not a file name: counts as missing
                continue
        return None

    def _in_package(self, name: str) -> Path | None:
        """A mesh of the ROS package that the model itself lies in: a folder above it, which the reference names."""
        named = _PACKAGE.fullmatch(name)
        folders = self.path.resolve().parents[1:_MAX_FOLDERS] if named else ()
        found = (self._found(one / self.path.name, [named[2]]) for one in folders if named and one.name == named[1])
        return next((file for file in found if file), None)

    def _around(self, candidates: Sequence[str]) -> Path | None:
        """A mesh beside the folder for models that the model lies in, as in urdf/arm.urdf with ../meshes/a.stl."""
        for folder in self.path.resolve().parents[:_MAX_MODEL_FOLDERS]:
            if folder.name.lower() in _MODEL_FOLDERS:
                return self._found(folder.parent / self.path.name, candidates)
        return None

    def skins(self, skeleton: Skeleton) -> tuple[Skin, ...]:
        """All meshes as one skin in which each vertex follows one joint; empty without meshes."""
        if not self._placed:
            return ()
        meshes = self._upright(skeleton)
        starts = np.cumsum([0, *(len(mesh[0]) for _, mesh in meshes)])
        counts = np.diff(starts)
        joints = [skeleton.index(placed.joint) for placed, _ in meshes]
        colors = [GREY if placed.color is None else placed.color[:3] for placed, _ in meshes]
        skin = Skin(
            skeleton,
            np.concatenate([_vertices(*one) for one in meshes]),
            np.concatenate([_faces(*one) + start for one, start in zip(meshes, starts[:-1], strict=True)]),
            np.repeat(np.array(joints, np.int32), counts)[:, None],
            np.ones((starts[-1], 1), np.float32),
            np.tile(np.eye(4), (len(skeleton.joints), 1, 1)),
            colors=np.repeat(np.array(colors, np.float32), counts, axis=0),
            name="meshes",
        )
        return (skin,)

    def _upright(self, skeleton: Skeleton) -> list[tuple[Placed, Mesh]]:
        """The meshes; those that state that y is up are rotated to z up, if they then fit the joints clearly better.

        Most robots are made for RViz, which draws such meshes as they are, some for programs that rotate them.
        """
        rotated = [
            (placed, ((mesh[0] @ _UPRIGHT).astype(np.float32), mesh[1])) if k in self._y_up else (placed, mesh)
            for k, (placed, mesh) in enumerate(self._placed)
        ]
        misfits = [sum(_misfit(skeleton, *meshes[k]) for k in self._y_up) for meshes in (rotated, self._placed)]
        return rotated if misfits[0] < _CLEARLY_BETTER * misfits[1] else self._placed

    def notes(self) -> list[str]:
        """One sentence about all missing meshes, or nothing."""
        if not self.missing:
            return []
        different = list(dict.fromkeys(self.missing))
        more = f" and {len(different) - 1} more" if len(different) > 1 else ""
        return [
            f"without the mesh {different[0][:200]}{more}: not beside the file, or in its package, as OBJ, STL or DAE"
        ]


def _misfit(skeleton: Skeleton, placed: Placed, mesh: Mesh) -> float:
    """Sum of the distances of a mesh's bounding box from its joint and that joint's children."""
    joint, points = skeleton.index(placed.joint), _vertices(placed, mesh)
    hanging = [skeleton.definitions[k].position for k in np.flatnonzero(skeleton.parents == joint)]
    ends = np.array([(0.0, 0.0, 0.0), *hanging])
    low, high = (points.min(axis=0), points.max(axis=0)) if len(points) else (np.zeros(3), np.zeros(3))
    return float(np.linalg.norm(np.maximum(np.maximum(low - ends, ends - high), 0.0), axis=1).sum())


def _vertices(placed: Placed, mesh: Mesh) -> NDArray[np.float32]:
    own = mesh[0] if placed.own == HERE else apply_transform(rigid_inverse(transform(*placed.own)), mesh[0])
    scaled = own * np.array(placed.scale)
    return apply_transform(transform(placed.position, placed.wxyz), scaled).astype(np.float32)


def _faces(placed: Placed, mesh: Mesh) -> NDArray[np.int32]:
    return mesh[1][:, ::-1] if np.prod(placed.scale) < 0 else mesh[1]


def beside(reference: str) -> list[str]:
    """Candidate paths beside the model for a reference such as "package://robot/meshes/arm.stl", longest first."""
    bare = PurePosixPath(reference.split("://", 1)[-1].replace("\\", "/"))
    parts = [part for part in bare.parts[-12:] if part not in ("/", "..")]
    return [str(bare), *("/".join(parts[k:]) for k in range(".." not in bare.parts, len(parts)))]

"""Triangle meshes in OBJ and STL files, as referenced by robots: only positions and faces."""

from __future__ import annotations

import io
import itertools
import re
from array import array
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from posable.errors import FileError, UnsupportedFileError
from posable.files import check_count, read_bytes

MESH_SUFFIXES = (".obj", ".stl")
MAX_BYTES = 64 * 2**20
MAX_TRIANGLES = 1_000_000
MAX_CORNERS = 1_000  # of one polygon

Mesh = tuple[NDArray[np.float32], NDArray[np.int32]]
_STL_VERTEX = re.compile(rb"\bvertex\s+(\S+)\s+(\S+)\s+(\S+)")
_STL_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


def read_mesh(path: str | Path) -> Mesh:
    """Vertices `[vertex, 3]` float32 and faces `[face, 3]` of an OBJ (polygons become fans) or an STL (binary or text).

    Raises FileError for an invalid file, UnsupportedFileError for another format, FileTooLargeError above a million
    triangles.
    """
    path = Path(path)
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

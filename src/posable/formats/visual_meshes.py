"""The visual mesh files of a robot, merged into one rigid skin; missing files become one note."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.errors import FileError
from posable.files import check_count, sibling
from posable.formats.mesh_files import MAX_TRIANGLES, MESH_SUFFIXES, Mesh, read_mesh
from posable.formats.xml import HERE, Frame
from posable.skeleton import Skeleton
from posable.skin import Skin
from posable.spatial import apply_transform, rigid_inverse, transform

GREY = (0.7, 0.7, 0.72)


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
        self._placed: list[tuple[Placed, Mesh]] = []

    def add(self, name: str, candidates: Sequence[str], placed: Placed) -> bool:
        """Add the first existing one of `candidates` (relative to the model); otherwise note `name` as missing, return
        False.

        Raises FileError for an invalid mesh file, FileTooLargeError above a million triangles in total.
        """
        if name not in self._sought:
            self._sought[name] = self._found(candidates)
        found = self._sought[name]
        if found is None:
            self.missing.append(name)
            return False
        if found not in self._files:
            self._files[found] = read_mesh(found)
        self._size += max(len(part) for part in self._files[found])
        check_count(self.path, self._size, MAX_TRIANGLES, "vertices or triangles in its meshes")
        self._placed.append((placed, self._files[found]))
        return True

    def _found(self, candidates: Sequence[str]) -> Path | None:
        for candidate in candidates:
            try:
                file = sibling(self.path, candidate)
                if file.suffix.lower() in MESH_SUFFIXES and file.is_file():
                    return file
            except (FileError, OSError):  # outside the model's folder, or not a file name: counts as missing
                continue
        return None

    def skins(self, skeleton: Skeleton) -> tuple[Skin, ...]:
        """All meshes as one skin in which each vertex follows one joint; empty without meshes."""
        if not self._placed:
            return ()
        starts = np.cumsum([0, *(len(mesh[0]) for _, mesh in self._placed)])
        counts = np.diff(starts)
        joints = [skeleton.index(placed.joint) for placed, _ in self._placed]
        colors = [GREY if placed.color is None else placed.color[:3] for placed, _ in self._placed]
        skin = Skin(
            skeleton,
            np.concatenate([_vertices(*one) for one in self._placed]),
            np.concatenate([_faces(*one) + start for one, start in zip(self._placed, starts[:-1], strict=True)]),
            np.repeat(np.array(joints, np.int32), counts)[:, None],
            np.ones((starts[-1], 1), np.float32),
            np.tile(np.eye(4), (len(skeleton.joints), 1, 1)),
            colors=np.repeat(np.array(colors, np.float32), counts, axis=0),
            name="meshes",
        )
        return (skin,)

    def notes(self) -> list[str]:
        """One sentence about all missing meshes, or nothing."""
        if not self.missing:
            return []
        different = list(dict.fromkeys(self.missing))
        more = f" and {len(different) - 1} more" if len(different) > 1 else ""
        return [f"without the mesh {different[0][:200]}{more}: not beside the file as OBJ or STL"]


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
    return [str(bare), *("/".join(parts[k:]) for k in range(1, len(parts)))]

"""The table of file formats, and `load` and `save`, which look into it."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Literal

from posable.clips import Clip
from posable.errors import FileError, PosableError, UnsupportedFileError
from posable.figures import Figure, scaled
from posable.figures.rebuild import UNITS
from posable.files import check_file
from posable.skeleton import Pose


@dataclass(frozen=True)
class Format:
    """A file format. Its module here has `read(path) -> Figure` and, where it writes, `write(path, figure, motion)`."""

    name: str
    suffixes: tuple[str, ...]
    module: str
    reads: bool = True
    writes: bool = False


FORMATS = (
    Format("glTF", (".glb", ".gltf"), "gltf", writes=True),
    Format("VRM", (".vrm",), "vrm", writes=True),
    Format("VRM animation", (".vrma",), "vrma"),
    Format("BVH", (".bvh",), "bvh", writes=True),
    Format("Acclaim skeleton", (".asf",), "acclaim"),
    Format("Acclaim motion", (".amc",), "acclaim"),
    Format("URDF", (".urdf",), "urdf"),
    Format("MJCF", (".xml", ".mjcf"), "mjcf"),
    Format("USD", (".usda", ".usd", ".usdc", ".usdz"), "usd"),
    Format("text description", (".toml",), "toml", writes=True),
)
CURES = {
    ".fbx": "open it in Blender and export glTF (.glb)",
    ".dae": "open it in Blender and export glTF (.glb)",
    ".blend": "export glTF (.glb) from Blender",
    ".ma": "export glTF, USD or BVH from Maya",
    ".mb": "export glTF, USD or BVH from Maya",
    ".max": "export glTF or USD from 3ds Max",
    ".xacro": "expand it first: xacro file.xacro > file.urdf",
    ".c3d": "markers carry no skeleton; posable fit makes them a motion, posable.load_markers reads them",
    ".trc": "markers carry no skeleton; posable fit makes them a motion, posable.load_markers reads them",
    ".obj": "it is a mesh without a skeleton; bind it to one: posable bind, posable.bind",
    ".stl": "it is a mesh without a skeleton; bind it to one: posable bind, posable.bind",
}


def load(path: str | Path, *, unit: str | None = None, root: Literal["free", "fixed"] | None = None) -> Figure:
    """Open a figure: skeleton, skins, clips and shapes, in the file's own axes.

    unit: what one length unit of the file is ("cm", "mm", "in", …), where the format does not say (BVH, ASF): lengths
        become metres. Left out, numbers stay as they are in the file.
    root: "free" lets a figure that the file fixes to the world float (a humanoid URDF, say); "fixed" the opposite.
    Raises FileError (with the place and the cure), UnsupportedFileError, FileTooLargeError or MissingExtraError.
    """
    path = Path(path)
    module = _module(path, "read")
    try:
        figure = module.read(path)
        if unit is not None:
            if unit not in UNITS:
                raise PosableError(f"{unit!r} is no unit of length; choose from {', '.join(UNITS)}")
            figure = scaled(figure, UNITS[unit])
        return figure if root is None else figure.with_root(root)
    except FileError:
        raise
    except PosableError as problem:
        if isinstance(problem, ImportError):
            raise
        raise FileError(path, str(problem)) from problem


def save(path: str | Path, figure: Figure, motion: Pose | Clip | None = None, *, overwrite: bool = True) -> None:
    """Write a figure, in a pose or with a clip, in the format that the name's ending says.

    A GLB, glTF or VRM that was read keeps everything else that was in it. Written beside first, then renamed, so that a
    failure leaves nothing half-written. overwrite: False refuses to replace a file that is there.
    Raises FileError or UnsupportedFileError.
    """
    path = Path(path)
    module = _module(path, "write")
    if path.exists() and not overwrite:
        raise FileError(path, "already exists; choose another name, or allow overwriting (--force, overwrite=True)")
    if motion is not None and not figure.skeleton.shares_poses(motion.skeleton):
        raise PosableError("the pose or clip belongs to another skeleton than the figure's; retarget it first")
    module.write(path, figure, motion)


def _module(path: Path, act: Literal["read", "write"]) -> ModuleType:
    suffix = path.suffix.lower()
    if act == "read":
        check_file(path)  # a missing file is said before its ending is judged
        if path.stat().st_size == 0:
            raise FileError(path, "is empty; export or copy it again")
    able = [f for f in FORMATS if (f.reads if act == "read" else f.writes)]
    for one in able:
        if suffix in one.suffixes:
            return importlib.import_module(f"posable.formats.{one.module}")
    known = ", ".join(ending for one in able for ending in one.suffixes)
    cure = (act == "read" and CURES.get(suffix)) or f"posable {act}s {known}"
    raise UnsupportedFileError(path, f"posable does not {act} {suffix or 'files without an ending'}: {cure}")

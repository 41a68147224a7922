"""The table of file formats; `load` and `save`, and `load_markers` for recorded markers."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Literal

from posable.clips import Clip
from posable.errors import FileError, PosableError, UnsupportedFileError, check_kind
from posable.figures import Figure, scaled
from posable.figures.rebuild import UNITS
from posable.figures.stance import stood_up, with_up
from posable.files import check_file, path_of
from posable.skeleton import Pose

if TYPE_CHECKING:
    from posable.motion.markers import Markers


@dataclass(frozen=True)
class Format:
    """A file format of the table.

    Args:
        name: Name of the format.
        suffixes: File suffixes, with the dot.
        module: Module of posable.formats with `read(path) -> Figure` and, if it writes, `write(path, figure, motion)`.
        reads: Whether posable reads the format.
        writes: Whether posable writes the format.
        rank: Priority if several files are given together: the figure is that of the lowest rank.
        has_unit: Whether the format states its length unit.
        many_clips: Whether a written file can store several clips.
        names_others: Suffixes of files that refer to other files beside them.
        up_by_custom: Whether the up axis is a custom, which files stray from and cannot state.

    Example:
        >>> [one.name for one in posable.formats.FORMATS if ".bvh" in one.suffixes and one.writes]
        ['BVH']
    """

    name: str
    suffixes: tuple[str, ...]
    module: str
    reads: bool = True
    writes: bool = False
    rank: int = 0
    has_unit: bool = True
    many_clips: bool = False
    names_others: tuple[str, ...] = ()
    up_by_custom: bool = False

    @property
    def code(self) -> ModuleType:
        """Its module, loaded when it is first used."""
        return importlib.import_module(f"posable.formats.{self.module}")


def states_unit(file: str | Path) -> bool:
    """Whether the format of a file states its length unit, as all but recordings (BVH, ASF, AMC) do."""
    return not str(file).lower().endswith(endings(lambda one: not one.has_unit))


def unit_for(file: str | Path, unit: str | None, *others: str | Path) -> str | None:
    """`unit` for a file that does not state its own, None for another: of several files, it is that of the recordings.

    Raises PosableError for an unknown unit, FileError if the file and all `others` state their own.
    """
    if unit is None:
        return None
    if unit not in UNITS:
        raise PosableError(f"{unit!r} is not a unit of length; choose from {', '.join(UNITS)}")
    if all(map(states_unit, (file, *others))):
        unitless = ", ".join(endings(lambda one: not one.has_unit))
        raise FileError(file, f"is in metres or states its unit; --unit (unit=) is for {unitless} files: leave it out")
    return None if states_unit(file) else unit


def endings(chosen: Callable[[Format], bool]) -> tuple[str, ...]:
    """The suffixes of the formats for which `chosen` is true."""
    return tuple(ending for one in FORMATS if chosen(one) for ending in one.suffixes)


FORMATS = (
    Format("glTF", (".glb", ".gltf"), "gltf", writes=True, rank=3, many_clips=True, names_others=(".gltf",)),
    Format("VRM", (".vrm",), "vrm", writes=True, rank=2, many_clips=True),
    Format("VRM animation", (".vrma",), "vrm", rank=9),
    Format("BVH", (".bvh",), "bvh", writes=True, rank=6, has_unit=False),
    Format("Acclaim skeleton", (".asf",), "acclaim", rank=8, has_unit=False, names_others=(".asf",)),
    Format("Acclaim motion", (".amc",), "acclaim", rank=7, has_unit=False, names_others=(".amc",)),  # its skeleton
    Format("URDF", (".urdf",), "urdf", rank=0, names_others=(".urdf",), up_by_custom=True),
    Format("MJCF", (".xml", ".mjcf"), "mjcf", rank=1, up_by_custom=True),
    Format(
        "USD", (".usda", ".usd", ".usdc", ".usdz"), "usd", writes=True, rank=4, many_clips=True, names_others=(".usd",)
    ),
    Format("FBX", (".fbx",), "fbx", writes=True, rank=11, many_clips=True),
    Format("text description", (".toml",), "toml", writes=True, rank=5),
    Format("table of numbers", (".npz", ".csv", ".parquet"), "number_files", reads=False, writes=True),
)
CURES = {
    ".dae": "convert it to glTF: Blender up to 4.5 opens it, and so does assimp (assimp export in.dae out.glb)",
    ".blend": "export glTF (.glb) from Blender",
    ".ma": "export glTF, USD or BVH from Maya",
    ".mb": "export glTF, USD or BVH from Maya",
    ".max": "export glTF or USD from 3ds Max",
    ".xacro": "expand it first: xacro file.xacro > file.urdf",
    ".c3d": "markers have no skeleton; posable fit fits a motion to them, posable.load_markers reads them",
    ".trc": "markers have no skeleton; posable fit fits a motion to them, posable.load_markers reads them",
    ".npz": "numbers have no skeleton; posable.from_arrays(numpy.load(path), skeleton) makes the clip of them",
    ".csv": "numbers have no skeleton; posable.from_arrays(pandas.read_csv(path), skeleton) makes the clip of them",
    ".parquet": "numbers have no skeleton; posable.from_arrays(pandas.read_parquet(path), skeleton) makes the clip",
    ".obj": "it is a mesh without a skeleton; posable rig gives it one, posable bind that of another file",
    ".stl": "it is a mesh without a skeleton; posable rig gives it one, posable bind that of another file",
}


def load(
    path: str | Path,
    *,
    unit: str | None = None,
    up: Literal["y", "z"] | None = None,
    root: Literal["free", "fixed"] | None = None,
) -> Figure:
    """Read a figure from a file: skeleton, skins, clips and shapes, in the file's own axes.

    Args:
        path: The file; its suffix selects the format.
        unit: Length unit of the file ("cm", "mm", "in", …), only for formats that do not state it (BVH, ASF); lengths
            are converted to metres. None keeps the file's numbers.
        up: The axis of the file that is up, where that is not what its format says; coordinates stay. None takes the
            format's, but y for a person in a URDF or MJCF whose rest pose stands along y; `notes` says so.
        root: "free" makes the root of a figure float that its file fixes to the world (such as a humanoid URDF);
            "fixed" is the reverse. None keeps the file's root.

    Returns:
        The figure; `notes` lists repairs and omissions.

    Raises:
        FileError: If the file is missing or invalid, or states its own unit; names the line and the cure.
        UnsupportedFileError: For a format, or a required extension of one, that posable does not support.
        FileTooLargeError: Above posable's limits of size.
        MissingExtraError: If the format needs an optional package.

    Example:
        >>> figure = posable.load(posable.sample("walk.bvh"), unit="cm")
    """
    path = path_of(path)
    chosen = _format(path, "read")
    code = chosen.code
    unit = unit_for(path, unit)
    try:
        figure = code.read(path)
        if up is not None:
            figure = with_up(figure, up)
        elif chosen.up_by_custom:
            figure = stood_up(figure)
        if unit is not None:
            figure = scaled(figure, UNITS[unit])
        return figure if root is None else figure.with_root(root)
    except FileError as problem:
        other = _misnamed(path)
        if other is not None:
            raise FileError(path, other) from problem
        raise
    except PosableError as problem:
        if isinstance(problem, ImportError):
            raise
        raise FileError(path, str(problem)) from problem


def save(path: str | Path, figure: Figure, motion: Pose | Clip | None = None, *, overwrite: bool = True) -> None:
    """Write a figure, in a pose or with a clip, in the format of the file's suffix.

    A GLB, glTF, VRM or FBX that was read keeps all of its other content. The file is written atomically: a failure
    leaves no incomplete file.

    Args:
        path: The file; its suffix selects the format.
        figure: The figure.
        motion: A single pose or a clip; None writes the figure as it is.
        overwrite: Whether an existing file may be replaced.

    Raises:
        FileError: If the file cannot be written, or exists and `overwrite` is False.
        UnsupportedFileError: If posable does not write the format.

    Example:
        >>> posable.save("walk.bvh", figure, clip)
    """
    _check_saved(path, figure, motion)
    path = Path(path)
    code = _format(path, "write").code
    if path.exists() and not overwrite:
        raise FileError(path, "already exists; choose another name, or allow overwriting (--force, overwrite=True)")
    if motion is not None and not figure.skeleton.shares_poses(motion.skeleton):
        raise PosableError("the pose or clip belongs to another skeleton than the figure; retarget it first")
    code.write(path, figure, motion)


def _check_saved(path: object, figure: object, motion: object) -> None:
    order = "posable.save(path, figure, pose or clip)"
    check_kind(path, (str, PathLike), "the path is the name of a file", order)
    check_kind(figure, Figure, "what is saved is a Figure", order)
    cure = "a solution's pose is solution.pose" if hasattr(motion, "pose") else ""
    check_kind(motion, (Pose, Clip, type(None)), "a figure is saved in a Pose or with a Clip", cure)


def check_written(path: str | Path) -> None:
    """Raise UnsupportedFileError if posable does not write files with the suffix of `path`."""
    _format(Path(path), "write")


def _format(path: Path, act: Literal["read", "write"]) -> Format:
    """The format of a file that is read or written. Raises UnsupportedFileError."""
    suffix = path.suffix.lower()
    if act == "read":
        _check_filled(path)  # a missing file is reported before an unknown suffix
    able = [f for f in FORMATS if (f.reads if act == "read" else f.writes)]
    for one in able:
        if suffix in one.suffixes:
            return one
    known = ", ".join(ending for one in able for ending in one.suffixes)
    cure = (act == "read" and CURES.get(suffix)) or f"posable {act}s {known}"
    raise UnsupportedFileError(path, f"posable does not {act} {suffix or 'files without a suffix'}: {cure}")


def _check_filled(path: Path) -> None:
    """Raise FileError for a file that is missing or empty."""
    check_file(path)
    if path.stat().st_size == 0:
        raise FileError(path, "is empty; export or copy it again")


_HEAD_BYTES = 1024  # in which a file states its format
_SAYS = {
    b"glTF": ("glTF", (".glb", ".gltf", ".vrm", ".vrma")),
    b"HIERARCHY": ("BVH", (".bvh",)),
    b"Kaydara FBX Binary": ("FBX", (".fbx",)),
    b"; FBX": ("FBX", (".fbx",)),
    b"PXR-USDC": ("USD", (".usdc", ".usd", ".usda", ".usdz")),
    b"#usda": ("USD", (".usda", ".usd", ".usdc", ".usdz")),
}
_NOT_FILES = {
    b"version https://git-lfs": "is a pointer of Git LFS instead of the file; run git lfs pull",
    b"<!doctype html": "is a web page; download the file itself (on GitHub: Raw)",
    b"<html": "is a web page; download the file itself (on GitHub: Raw)",
}


def _misnamed(path: Path) -> str | None:
    """The reason why a file cannot be read, if its first bytes show that it has another format."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES).removeprefix(b"\xef\xbb\xbf").lstrip()
    except OSError:  # the reader raises its own error
        return None
    for start, problem in _NOT_FILES.items():
        if head.lower().startswith(start):
            return problem
    for start, (name, own) in _SAYS.items():
        if head.startswith(start) and path.suffix.lower() not in own:
            return f"holds {name}, though its name ends in {path.suffix}; rename it to {path.stem}{own[0]}"
    return None


MARKERS = {".c3d": "c3d", ".trc": "trc"}
"""The reader of each format of markers."""


def load_markers(path: str | Path) -> Markers:
    """Read recorded markers from a .c3d or .trc file.

    Args:
        path: The file.

    Returns:
        Labels and positions in metres; gaps are NaN.

    Raises:
        FileError: If the file is invalid, with the line if it has lines.
        UnsupportedFileError: For another suffix.
    """
    path = path_of(path)
    module = MARKERS.get(path.suffix.lower())
    if module is None:
        raise UnsupportedFileError(
            path,
            "markers are read from .c3d and .trc; posable.load opens figures and motions, posable retarget gives "
            "a motion to another figure",
        )
    _check_filled(path)
    return importlib.import_module(f"posable.formats.{module}").read(path)

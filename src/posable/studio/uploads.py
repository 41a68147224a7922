"""Uploaded files, which are untrusted: stored under generated names, unpacked within bounds, opened by the library."""

from __future__ import annotations

import re
import shutil
import stat
import zipfile
from dataclasses import replace
from pathlib import Path, PurePosixPath

import posable
from posable.formats import FORMATS
from posable.formats.mesh_files import MESH_SUFFIXES
from posable.studio.floors import put_on_ground
from posable.studio.kept_fits import bound

MOST_BYTES = 256 << 20
_MOST_UNPACKED = 1 << 30
_MOST_ENTRIES = 5000
_MAX_EXPANSION = 200  # factor of its packed size above which a zip is a bomb
_MESHES = (*MESH_SUFFIXES, ".ply", ".off")
_SUFFIX_PRIORITY = (*(ending for one in sorted(FORMATS, key=lambda one: one.rank) for ending in one.suffixes), *_MESHES)
"""The order in which one of several files is chosen as the figure; of files with one suffix, the topmost."""

OPENED = tuple(sorted({e for one in FORMATS if one.reads for e in one.suffixes} | {".zip", ".posable", *MESH_SUFFIXES}))
"""The endings of the files that the studio opens."""


def stored_name(name: str, folder: Path) -> str:
    """Reserve a file name in the session's folder for an upload called `name`: number, sanitised stem, ending.
    An empty file of that name exists when this returns.

    Raises PosableError for an unknown ending.
    """
    suffix = _plain(name).suffix.lower()
    if suffix not in {*OPENED, *_MESHES}:  # some meshes are accepted only for a helpful message
        raise posable.PosableError(f"the studio opens {', '.join(OPENED)}, not {suffix or 'files without an ending'}")
    stem = re.sub(r"[^\w-]+", "_", _plain(name).stem, flags=re.ASCII).strip("_")[:40] or "figure"
    number = 1 + sum(1 for _ in folder.glob("upload-*"))
    while True:
        name = f"upload-{number}-{stem}{suffix}"
        try:
            (folder / name).touch(exist_ok=False)
        except FileExistsError:  # another upload at the same time
            number += 1
        else:
            return name


def _plain(name: str) -> PurePosixPath:
    """The last part of a path of any system."""
    return PurePosixPath(PurePosixPath(name.replace("\\", "/")).name)


def title_of(name: str) -> str:
    """The title of a file: its stem on one line, of at most 80 letters; never a path."""
    stem = re.sub(r"^upload-\d+-", "", _plain(name).stem)
    return "".join(letter for letter in stem if letter.isprintable()).strip()[:80] or "figure"


def in_words(problem: Exception) -> str:
    """The text of an error for users; never with a path of this machine."""
    if isinstance(problem, posable.PosableError):
        return str(problem)
    if isinstance(problem, OSError):
        return f"a file cannot be read or written ({problem.strerror or type(problem).__name__})"
    return f"the command failed, and nothing was changed ({type(problem).__name__}; the terminal says more)"


def with_own_name(problem: Exception, stored: str, name: str) -> str:
    """The error message about an upload, with the user's name of the file instead of the stored one."""
    return in_words(problem).replace(stored, _plain(name).name).replace(Path(stored).stem, title_of(name))


def titled(figure: posable.Figure, stem: str, title: str) -> posable.Figure:
    """The figure with this name. Clips that were named after the file, whose stem was `stem`, get it too."""
    clips = [replace(clip, name=title) if clip.name == stem else clip for clip in figure.clips]
    played = title if figure.played == stem else figure.played
    return replace(figure, name=title, clips=type(figure.clips)(clips), played=played)


def remove_upload(folder: Path, name: str) -> None:
    """Delete a refused upload."""
    (folder / name).unlink(missing_ok=True)
    shutil.rmtree((folder / name).with_suffix(".d"), ignore_errors=True)


def stored(folder: Path, name: str) -> Path:
    """The path of an upload; for a zip, of its main file. Raises PosableError for an unknown name."""
    path = folder / name
    if Path(name).name != name or not path.is_file():
        raise posable.PosableError(f"no file {name[:60]!r} was uploaded to this session")
    suffix = path.suffix.lower()
    if suffix == ".amc":
        return _beside_skeleton(path)
    return main_file(unpacked(path)) if suffix == ".zip" else path


def _beside_skeleton(path: Path) -> Path:
    """Copy a motion beside the last uploaded skeleton of its subject: 02.asf for 02_01.amc."""
    own = title_of(path.name)
    fitting = [one for one in path.parent.glob("upload-*.asf") if own.lower().startswith(title_of(one.name).lower())]
    if not fitting:
        raise posable.FileError(path, "is a motion without its skeleton; drop its .asf file first, or both together")
    last = max(fitting, key=lambda one: int(one.name.split("-")[1]))
    target = path.with_suffix(".d")
    target.mkdir(exist_ok=True)
    shutil.copyfile(last, target / f"{title_of(last.name)}.asf")
    shutil.copyfile(path, target / f"{own}.amc")
    return target / f"{own}.amc"


class BareMeshError(posable.PosableError):
    """A file with a mesh and no joints, opened without a request for a skeleton."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path.name} has a mesh and no joints: it needs a skeleton first")


def opened(folder: Path, name: str, title: str = "", *, as_filed: bool = False, fit: bool = True) -> posable.Figure:
    """The figure of an upload, with the user's name of the file. Raises PosableError or FileError.

    as_filed: whether it stays where its file has it, instead of on the ground. fit: whether a bare mesh gets a
    skeleton; else it raises BareMeshError.
    """
    path = stored(folder, name)
    figure = titled(figure_of(path, fit=fit, folder=folder), path.stem, title or title_of(name))
    return figure if as_filed else put_on_ground(figure)


def figure_of(path: Path, *, fit: bool = True, folder: Path | None = None) -> posable.Figure:
    """A figure from any file; a bare mesh gets a fitted skeleton, and keeps its materials.

    fit: False without a request for that skeleton. Raises BareMeshError then. folder: where fits are kept.
    """
    bare = path.suffix.lower() in _MESHES
    figure = None if bare else posable.load(path)
    if figure is None or (figure.skins and not any(joint.dof for joint in figure.skeleton.definitions[1:])):
        if not fit:
            raise BareMeshError(path)
        return bound_mesh(path, folder)
    if path.suffix.lower() == ".urdf" and posable.roles(figure).legs:
        figure = figure.with_root("free")  # a robot with legs is not fixed to the ground
    if not figure.skeleton.dof:
        raise posable.PosableError(f"{path.name} has no joint that moves; give the studio a figure with joints")
    return figure


def bound_mesh(path: Path, folder: Path | None = None) -> posable.Figure:
    """An unrigged mesh bound to the skeleton of the template that fits it best, and a note of it.

    folder: where fits are kept.
    """
    figure = posable.as_figure(path, bound(path, posable.load_mesh(path), folder))
    note = f"its file has no joints: a skeleton of {len(figure.skeleton.joints)} was fitted to its mesh"
    return replace(figure, notes=(*figure.notes, note))


def unpacked(path: Path) -> Path:
    """Unpack a zip; its folder. Raises FileError for names that lead out of it, links, and zip bombs."""
    target = path.with_suffix(".d")
    try:
        with zipfile.ZipFile(path) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            _check_entries(path, entries)
            paths_inside = [_inside(path, entry.filename) for entry in entries]
            _check_names(path, paths_inside)
            for entry, path_inside in zip(entries, paths_inside, strict=True):
                _unpack(archive, entry, target / path_inside)
    except posable.PosableError:
        raise
    except OSError as problem:  # a name that the system rejects, or a full disk
        raise posable.FileError(path, f"cannot be unpacked ({problem.strerror})") from problem
    except Exception as problem:  # each compression raises errors of its own
        raise posable.FileError(path, f"is not a readable zip file: {problem}") from problem
    return target


def _check_entries(path: Path, entries: list[zipfile.ZipInfo]) -> None:
    total = sum(entry.file_size for entry in entries)
    packed = max(sum(entry.compress_size for entry in entries), 1)
    if len(entries) > _MOST_ENTRIES:
        raise posable.FileTooLargeError(path, f"holds {len(entries):,} files; {_MOST_ENTRIES:,} at most")
    if total > _MOST_UNPACKED or (total > 10 << 20 and total > _MAX_EXPANSION * packed):
        raise posable.FileTooLargeError(path, f"unpacks to {total:,} bytes, too much for its packed size")
    if any(stat.S_ISLNK(entry.external_attr >> 16) for entry in entries):
        raise posable.FileError(path, "holds a link; pack the file itself")


def _inside(path: Path, name: str) -> Path:
    parts = PurePosixPath(name.replace("\\", "/")).parts
    if not parts or any(part in ("..", "/") or ":" in part or "\0" in part for part in parts):
        raise posable.FileError(path, f"holds the name {name[:60]!r}, which leads out of the archive")
    return Path(*parts)


def _check_names(path: Path, paths_inside: list[Path]) -> None:
    """Raise FileError if two entries have the same name, or one is both a file and a folder."""
    taken: set[Path] = set()
    folders = {folder for path_inside in paths_inside for folder in path_inside.parents}
    for path_inside in paths_inside:
        if path_inside in taken:
            raise posable.FileError(path, f"holds two files named {str(path_inside)[:60]!r}; keep one of them")
        if path_inside in folders:
            raise posable.FileError(
                path, f"holds {str(path_inside)[:60]!r} as a file and as a folder; rename one of them"
            )
        taken.add(path_inside)


def _unpack(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path) -> None:
    """Unpack one file. Headers may be false: zipfile reads no more than the entry states, and verifies the checksum."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(entry) as packed, target.open("wb") as file:
        shutil.copyfileobj(packed, file, 1 << 20)


def main_file(folder: Path) -> Path:
    """The file of the figure among several. Raises FileError without a figure."""
    files = sorted((one for one in folder.rglob("*") if one.is_file()), key=lambda one: (len(one.parts), one.name))
    for suffix in _SUFFIX_PRIORITY:
        for one in files:
            if one.suffix.lower() == suffix:
                return one
    raise posable.FileError(folder, f"contains no figure: none of its files ends in {', '.join(_SUFFIX_PRIORITY)}")

"""Autosave: an append-only file of every step of a session, so that a session killed at any moment opens again.

A line is JSON: the entries of the document that changed since the previous line. Arrays (poses, clips) are files of
their own, written before the line that names them. A truncated last line is ignored.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

import posable
from posable.studio.document import Document, DroppedMesh, KeyLayer, StudioGoal
from posable.studio.edits.figure import reskinned
from posable.studio.edits.goals import limited
from posable.studio.floors import off_ground
from posable.studio.joint_axes import limits_of
from posable.studio.kept_fits import PREFIX, kept_files
from posable.studio.opening import DEMOS, demo_document, document_of
from posable.studio.playback import ground_mesh
from posable.studio.records import Form
from posable.studio.uploads import opened, stored, stored_name, title_of, unpacked

_NAME = "journal.jsonl"
_NOTHING = object()
_MAX_REASON_LETTERS = 200


class Journal:
    """The steps of a session, in its folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._last: dict[str, Any] = {}
        folder.mkdir(parents=True, exist_ok=True)
        self._file = (folder / _NAME).open("ab")
        if self._file.tell() and not _ends_well(folder / _NAME):
            self._file.write(b"\n")  # a truncated line stays a line of its own, and is ignored

    def write(self, document: Document) -> None:
        """Append one step; it is on disk when this returns."""
        state = to_json(document, self.folder)
        changed = {name: value for name, value in state.items() if self._last.get(name, _NOTHING) != value}
        self._last = state
        self._file.write(json.dumps(changed, separators=(",", ":")).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())


def _ends_well(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


def has_journal(folder: Path) -> bool:
    """Whether this folder contains a session."""
    return (folder / _NAME).is_file()


def recovered(folder: Path, opened_before: dict[str, Document]) -> tuple[list[Document], str]:
    """(the documents of all steps in order, without the steps that cannot be opened; the reason why the last step is
    not among them, "" if it is). No documents without a journal.

    opened_before: documents of figures that are not in the folder, by `base_name`.
    """
    state, found, problem = {}, [], ""
    if not has_journal(folder):
        return [], ""
    bases = dict(opened_before)
    for line in (folder / _NAME).read_bytes().split(b"\n"):
        if not line:
            continue
        try:
            state = {**state, **json.loads(line)}
            found.append(from_json(state, folder, bases))
        except Exception as reason:  # a line damaged by two writers, another version or a bad disk
            problem = _reason(reason)
        else:
            problem = ""
    return found, problem


def _reason(problem: Exception) -> str:
    """Why a step cannot be opened, without a path."""
    if isinstance(problem, OSError):
        text = f"{Path(problem.filename or '').name}: {problem.strerror}"
    else:
        text = str(problem) if isinstance(problem, posable.PosableError) else f"{type(problem).__name__}: {problem}"
    return text[:_MAX_REASON_LETTERS]


def to_json(document: Document, folder: Path) -> dict[str, Any]:
    """The document as JSON, its arrays in files of the folder.

    Besides the document's fields: the name of the figure, whether it stays at its position in the file, the limits that
    differ from its file, and changed skins.
    """
    now, before = document.figure.skeleton.definitions, document.opened.skeleton.definitions
    own = {clip.name for clip in document.opened.clips}
    made_here = tuple(clip for clip in document.clips if clip.name not in own)
    return {
        **_form(folder).to_json(replace(document, clips=made_here)),
        "name": document.opened.name,
        "as_filed": off_ground(document.opened) != 0,
        "limits": {one.name: limits_of(one) for one, other in zip(now, before, strict=True) if one != other},
        "skins": [_skin_json(skin, folder) for skin in document.opened.skins] if document.is_reskinned else None,
    }


def from_json(state: dict[str, Any], folder: Path, bases: dict[str, Document]) -> Document:
    """The document that `to_json` wrote, also from an older version: a missing field has its default.

    bases: documents of figures that are already open, by `base_name`. Raises MessageError for invalid values.
    """
    base = _with_skins(_base(state, folder, bases), state["skins"], folder)
    figure = _with_limits(base.figure, state["limits"])
    found = _form(folder, figure.skeleton).entries(state, Document, "session")
    held = (*found.get("frozen", ()), *found.get("kept", ()))
    _check_names(figure.skeleton, found.get("goals", ()), held, found.get("layers", ()))
    document = replace(base, **{**found, "figure": figure, "clips": (*base.clips, *found.get("clips", ()))})
    _check_layers(document)
    return document


def _check_layers(document: Document) -> None:
    """Raise PosableError for layers that a session cannot have made."""
    names = [layer.name for layer in document.layers]
    if len({*names}) < len(names) or not all(0 <= layer.weight <= 1 for layer in document.layers):
        raise posable.PosableError("layers of keys have names of their own and weights between 0 and 1")
    document.layer()  # raises if the edited layer does not exist


def _check_names(
    skeleton: posable.Skeleton, goals: Sequence[StudioGoal], held: Iterable[str], layers: Iterable[KeyLayer]
) -> None:
    """Raise PosableError for goals of another skeleton."""
    for name in (*(goal.joint for goal in goals), *held):
        skeleton.index(name)
    size = skeleton.rest_coordinates.shape
    every = [keys for layer in layers for keys in layer.keys.values()] + [goal.keys for goal in goals]
    for shape in {key.q.shape for keys in every for key in keys} - {size}:
        raise posable.PoseError(f"a key has coordinates of the shape {shape}, the skeleton of the shape {size}")


def _form(folder: Path, skeleton: posable.Skeleton | None = None) -> Form:
    """How documents are written in a journal; a skeleton is needed to read one."""
    write = {
        np.ndarray: lambda array: _stored(array, folder),
        posable.Pose: lambda pose: _stored(pose.q, folder),
        posable.Clip: lambda clip: {"name": clip.name, "fps": clip.fps, "q": _stored(clip.q, folder)},
        posable.Gait: lambda gait: gait.text(),
        DroppedMesh: lambda ground: ground.file,
    }
    if skeleton is None:
        return Form("journal", write)
    read = {
        np.ndarray: lambda name: _loaded(name, folder),
        posable.Pose: lambda name: posable.Pose(skeleton, _loaded(name, folder)),
        posable.Clip: lambda one: posable.Clip(skeleton, _loaded(one["q"], folder), one["fps"], one["name"]),
        posable.Gait: lambda text: _gait(text, folder),
        DroppedMesh: lambda file: _ground(folder, file, skeleton.up),
    }
    return Form("journal", write, read)


_SKIN = ("joints", "weights", "inverse_bind")


def _skin_json(skin: posable.Skin, folder: Path) -> dict[str, str]:
    return {name: _stored(getattr(skin, name), folder) for name in _SKIN}


def _with_skins(base: Document, skins: list[dict[str, str]] | None, folder: Path) -> Document:
    if skins is None:
        return base
    changed = [
        replace(skin, **{name: _loaded(one[name], folder) for name in _SKIN})
        for skin, one in zip(base.opened.skins, skins, strict=True)
    ]
    return reskinned(base, changed)


def _stored(array: np.ndarray, folder: Path) -> str:
    """The name of an array's file: its content's hash, so that equal arrays are written once."""
    content = np.ascontiguousarray(array)
    name = f"array-{hashlib.blake2b(content.tobytes() + str(content.shape).encode(), digest_size=12).hexdigest()}.npy"
    path = folder / name
    if not path.exists():
        buffer = io.BytesIO()
        np.save(buffer, content, allow_pickle=False)
        beside = path.with_suffix(".part")
        beside.write_bytes(buffer.getvalue())
        beside.replace(path)
    return name


def _loaded(name: str, folder: Path) -> np.ndarray:
    if Path(name).name != name:
        raise posable.PosableError(f"a journal names an array outside its folder: {name[:60]!r}")
    return np.load(folder / name, allow_pickle=False)


def base_name(source: str, *, as_filed: bool) -> str:
    """The key of an opened document: its source, or another name if the figure stays at its position in the file."""
    return f"{source} as in its file" if as_filed else source


def _base(state: dict[str, Any], folder: Path, bases: dict[str, Document]) -> Document:
    """The document as it was opened. Journals of older versions do not state `as_filed`: figures were always at the
    position in their files.
    """
    source, as_filed = state["source"], state.get("as_filed", True)
    known = base_name(source, as_filed=as_filed)
    if known not in bases:
        if source in DEMOS and DEMOS[source].race:
            bases[known] = demo_document(source)
        elif (folder / Path(source).name).is_file():
            bases[known] = document_of(opened(folder, source, state.get("name", ""), as_filed=as_filed), source)
        else:
            bases[known] = document_of(posable.figure(source), source)
    return bases[known]


@lru_cache(maxsize=16)
def _ground(folder: Path, file: str, up: str) -> DroppedMesh:
    return DroppedMesh(file, ground_mesh(stored(folder, file), up))


def _with_limits(figure: posable.Figure, limits: dict[str, Any]) -> posable.Figure:
    if not limits:
        return figure
    definitions = [limited(j, limits[j.name]) if j.name in limits else j for j in figure.skeleton.definitions]
    return figure.on(posable.Skeleton(definitions, figure.skeleton.up))


def _gait(text: str, folder: Path) -> posable.Gait:
    path = folder / "gait.toml"
    path.write_text(text, encoding="utf-8")
    return posable.Gait.load(path)


def write_session_file(path: Path, document: Document, folder: Path) -> None:
    """Write a session as one portable file: a zip of a one-line journal and its arrays."""
    state = to_json(document, folder)
    line = json.dumps(state, separators=(",", ":"))
    names = {one.name for one in folder.glob("array-*.npy") if one.name in line}
    for source in (Path(document.source).name, *(ground.file for ground in document.meshes.values())):
        if source.startswith("upload-") and (folder / source).is_file():  # no other file of the folder
            names.add(source)
    names |= kept_files(folder, Path(document.source).name)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_NAME, line + "\n")
        for name in sorted(names):
            archive.write(folder / name, name)


def read_session_file(path: Path, folder: Path) -> Document:
    """The document of such a file; its arrays are copied into the folder. Raises FileError for an invalid file."""
    found = unpacked(path)
    if not (found / _NAME).is_file():
        raise posable.FileError(path, "is not a session of the studio")
    try:
        state = json.loads((found / _NAME).read_text(encoding="utf-8").splitlines()[-1])
        names = {one.name: _taken_in(one, folder) for one in found.iterdir() if one.is_file() and one.name != _NAME}
        meshes = {name: names.get(file, file) for name, file in state.get("meshes", {}).items()}
        state = {**state, "source": names.get(state["source"], state["source"]), "meshes": meshes}
        return from_json(state, folder, {})
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, OSError) as problem:
        raise posable.FileError(path, f"is a session that cannot be read: {problem}") from problem


def _taken_in(path: Path, folder: Path) -> str:
    """Copy a file of a session into the folder. Returns its name there, a new one if another file has that name."""
    content, name = path.read_bytes(), path.name
    if not name.startswith(("array-", "upload-", PREFIX)):
        raise ValueError(f"it holds {name[:60]!r}")
    if name.startswith(PREFIX) and (folder / name).exists():
        return name  # the existing file has the same content
    if (folder / name).exists() and (folder / name).read_bytes() != content:
        name = stored_name(title_of(name) + path.suffix, folder)
    (folder / name).write_bytes(content)
    return name

"""Fits of bare meshes, stored in the folder of a session, so that it opens again without another fit.

A fit is two files named after the mesh and the version of posable: the skeleton as text, and the weights as arrays.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from pathlib import Path

import numpy as np

import posable
from posable.errors import PosableError
from posable.files import read_bytes, write_atomically
from posable.skin import Mesh

PREFIX = "fit-"
_ARRAYS = ("joints", "weights", "inverse_bind")


def bound(path: Path, mesh: Mesh, folder: Path | None) -> posable.Skin:
    """The mesh of a file, bound to the skeleton of the template that fits it best.

    folder: where fits are stored; None stores none.
    """
    name = _fit_name(path)
    kept = None if folder is None else _read_fit(folder / f"{name}.toml", folder / f"{name}.npz", mesh)
    if kept is not None:
        return kept
    skin = posable.bind(mesh, posable.skin.fit_template(mesh, "auto").skeleton)
    if folder is not None:
        _write_fit(folder / f"{name}.toml", folder / f"{name}.npz", skin)
    return skin


def kept_files(folder: Path, source: str) -> set[str]:
    """The names of the files in a session's folder that store the fit of one of its meshes; none without a fit."""
    if not (folder / source).is_file() or not any(folder.glob(f"{PREFIX}*")):
        return set()
    return {one.name for one in folder.glob(f"{_fit_name(folder / source)}.*")}


def _fit_name(path: Path) -> str:
    content = posable.__version__.encode() + b"\0" + read_bytes(path)
    return PREFIX + hashlib.blake2b(content, digest_size=12).hexdigest()


def _write_fit(text: Path, arrays: Path, skin: posable.Skin) -> None:
    buffer = io.BytesIO()
    notes = np.array(skin.notes, dtype=np.str_)
    np.savez(buffer, notes=notes, **{name: getattr(skin, name) for name in _ARRAYS})
    posable.save(text, posable.Figure(skin.skeleton, "fit"))
    write_atomically(arrays, buffer.getvalue())  # last: the pair is read only if this file exists


def _read_fit(text: Path, arrays: Path, mesh: Mesh) -> posable.Skin | None:
    """The stored skin; None if there is no stored one, or if it does not belong to this mesh."""
    if not (text.is_file() and arrays.is_file()):
        return None
    try:
        skeleton = posable.load(text).skeleton
        content = io.BytesIO(read_bytes(arrays))
        if any(entry.compress_type != zipfile.ZIP_STORED for entry in zipfile.ZipFile(content).infolist()):
            return None  # not written by posable, and may unpack to any size
        with np.load(content, allow_pickle=False) as found:
            joints, weights, inverse = (found[name] for name in _ARRAYS)
            notes = tuple(str(note) for note in found["notes"])
        vertices = mesh.vertices.astype(np.float32)
        return posable.Skin(
            skeleton, vertices, mesh.faces, joints, weights, inverse, mesh.colors, name=mesh.name, notes=notes,
            automatic=True,
        )  # fmt: skip
    except (PosableError, ValueError, KeyError, OSError, MemoryError, zipfile.BadZipFile):  # unreadable: fit again
        return None

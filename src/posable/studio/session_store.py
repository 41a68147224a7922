"""Sessions on disk: their folders, and how a session is opened again."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from pathlib import Path

import posable
from posable.formats.mesh_files import MESH_SUFFIXES
from posable.formats.table import FORMATS, endings
from posable.studio.document import Document
from posable.studio.journal import Journal, recovered
from posable.studio.opening import document_of
from posable.studio.session import Session
from posable.studio.uploads import figure_of, title_of, titled

MANNEQUIN = "mannequin"


def sessions_folder() -> Path:
    """The folder of all sessions: POSABLE_STUDIO, or the system's folder for application state."""
    if folder := os.environ.get("POSABLE_STUDIO"):
        return Path(folder)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "posable" / "studio"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "posable" / "studio"
    return Path(os.environ.get("XDG_STATE_HOME", Path.home() / ".local" / "state")) / "posable" / "studio"


def session_folder(file: Path | None, folder: Path | None = None) -> Path:
    """The folder of a file's session, created where it is missing; `folder` itself where that is given."""
    name = MANNEQUIN if file is None else hashlib.blake2b(str(file.resolve()).encode(), digest_size=8).hexdigest()
    folder = folder or sessions_folder() / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def open_session(file: Path | None, folder: Path | None = None) -> tuple[Session, str]:
    """The session of a file, continued where it was saved, and a notice ("" for a new session).

    folder: the session's folder; by default one that belongs to the file. Raises FileError.
    """
    folder = session_folder(file, folder)
    first = _first(file, folder)
    steps = recovered(folder, {first.source: first})
    if steps:
        session = Session(steps[-1], folder)
        session.undo = steps[:-1]
        notice = f"Going on with the session of {steps[-1].figure.name or folder.name}, {len(steps) - 1} steps in."
    else:
        session, notice = Session(first, folder), ""
    journal = Journal(folder)
    session.on_step = journal.write
    journal.write(session.document)
    return session, notice


_ALONE = {*endings(lambda _: True), *MESH_SUFFIXES}.difference(*(one.names_others for one in FORMATS))
"""Self-contained files are copied into the session; others stay in place, with the files that they name."""


def _first(file: Path | None, folder: Path) -> Document:
    if file is None:
        return document_of(posable.figure(MANNEQUIN), MANNEQUIN)
    figure = titled(figure_of(file), file.stem, title_of(file.name))
    source = str(file.resolve())
    if file.suffix.lower() in _ALONE:
        source = f"upload-0-{file.name}"
        shutil.copyfile(file, folder / source)
    return document_of(figure, source)

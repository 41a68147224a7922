"""Sessions on disk: their folders, and how a session is opened again."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import posable
from posable.formats.mesh_files import MESH_SUFFIXES
from posable.formats.table import FORMATS, endings
from posable.studio.document import Document
from posable.studio.floors import put_on_ground
from posable.studio.journal import Journal, base_name, has_journal, recovered
from posable.studio.opening import document_of
from posable.studio.session import MOST_NOTES, Session
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
    """The folder of a file's session, made where it is missing; `folder` itself where that is given.

    It belongs to this user alone. Raises PosableError for another user's folder, or one with other files in it.
    """
    name = MANNEQUIN if file is None else hashlib.blake2b(str(file.resolve()).encode(), digest_size=8).hexdigest()
    folder = (folder or sessions_folder() / name).absolute()
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        _make_private(folder)
    except OSError as problem:
        raise _unkept(folder, problem) from problem
    return folder


def _unkept(folder: Path, problem: OSError) -> posable.PosableError:
    return posable.PosableError(
        f"the session cannot be kept in {folder} ({problem.strerror}); choose another folder with --session"
    )


def _make_private(folder: Path) -> None:
    if sys.platform == "win32":
        return  # a user's folders are private there
    found = folder.stat()
    if found.st_uid != os.getuid():
        raise posable.PosableError(f"{folder} belongs to another user; choose another folder with --session")
    if found.st_mode & 0o077:
        if any(folder.iterdir()) and not has_journal(folder):
            raise posable.PosableError(
                f"{folder} has other files in it, and others may read it; give --session a folder of its own"
            )
        folder.chmod(0o700)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other processes from the session of a folder. The system ends that with this process, however it ends.

    Raises PosableError if another process has it.
    """
    try:
        opened = (folder / "lock").open("a+", encoding="ascii", errors="replace")
    except OSError as problem:
        raise _unkept(folder, problem) from problem
    with opened as file:
        file.seek(0)
        try:
            _lock(file)
        except (BlockingIOError, PermissionError) as problem:
            owner = f"process {file.read(20).strip() or 'unknown'}"
            raise posable.PosableError(
                f"the session in {folder} is open in another posable studio ({owner}): end that one, or choose another "
                "folder with --session"
            ) from problem
        except OSError as problem:
            raise posable.PosableError(
                f"the session in {folder} cannot be locked ({problem.strerror}); choose a folder of a local disk with "
                "--session"
            ) from problem
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


def _lock(file: IO[str]) -> None:
    """Lock a file for this process without waiting. Raises OSError if another process has it."""
    if sys.platform == "win32":
        import msvcrt

        file.seek(1 << 20)  # beyond the text, so that others can read that
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        file.seek(0)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def open_session(file: Path | None, folder: Path | None = None) -> tuple[Session, str]:
    """The session of a file, continued where it was saved, and a notice ("" for a new session).

    folder: the session's folder; by default one that belongs to the file. Raises FileError.
    """
    folder = session_folder(file, folder)
    first, filed = _first(file, folder)
    steps, lost = recovered(folder, {first.source: first, base_name(first.source, as_filed=True): filed})
    if steps:
        session = Session(steps[-1], folder)
        session.history.adopt(steps)
        notice = f"Going on with the session of {steps[-1].figure.name or folder.name}, {len(steps) - 1} steps in."
    else:
        session = Session(first, folder)
        notice = "\n".join(f"{first.figure.name}: {note}." for note in first.opened.notes[:MOST_NOTES])
    if lost:
        goes_on = "the session goes on from the step before it" if steps else "no step could, so a new session begins"
        session.notice = f"The last step could not be opened ({lost}); {goes_on}."
        notice = f"{notice} {session.notice}".strip()
    journal = Journal(folder)
    session.on_step = journal.write
    journal.write(session.document)
    return session, notice


_SELF_CONTAINED = {*endings(lambda one: one.reads), *MESH_SUFFIXES}.difference(*(one.names_others for one in FORMATS))
"""Self-contained files are copied into the session; others stay in place, with the files that they name."""


def _first(file: Path | None, folder: Path) -> tuple[Document, Document]:
    """The document of a file on the ground, and as its file has it; the same where it stands anyway."""
    if file is None:
        document = document_of(posable.figure(MANNEQUIN), MANNEQUIN)
        return document, document
    figure = titled(figure_of(file, folder=folder), file.stem, title_of(file.name))
    source = str(file.resolve())
    if file.suffix.lower() in _SELF_CONTAINED:
        source = f"upload-0-{file.name}"
        shutil.copyfile(file, folder / source)
    filed, put = document_of(figure, source), put_on_ground(figure)
    return filed if put is figure else document_of(put, source), filed

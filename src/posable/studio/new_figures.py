"""Documents with another figure: opened from a file of the session, edited, or described by a text."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import posable
from posable.studio import commands as c
from posable.studio.document import Document
from posable.studio.edits.figure import Refiguring, refigured, taken
from posable.studio.journal import read_session_file
from posable.studio.uploads import opened, stored_name, title_of


def with_opened(document: Document, command: c.FigureOpen, folder: Path) -> Document:
    """The document with the figure of an uploaded file, or that of a saved session. folder: of uploaded files."""
    if command.file.endswith(".posable"):
        return read_session_file(folder / command.file, folder)
    figure = opened(folder, command.file, title_of(command.name or command.file), fit=command.fit)
    return taken(document, figure, command.file)


def with_edited(document: Document, command: Refiguring, folder: Path) -> Document:
    """The document with an edited figure, which is saved as a new file of the session."""
    name = stored_name("edited.glb", folder)
    try:
        edited = refigured(document, command, name, partial(opened, folder))
        posable.save(folder / name, edited.opened)
    except posable.PosableError:
        (folder / name).unlink(missing_ok=True)
        raise
    return edited


def with_described(document: Document, text: str, folder: Path) -> Document:
    """The document of a text description, not solved; options stay, and so do goals if the joints are the same."""
    name = stored_name("described.toml", folder)
    (folder / name).write_text(text, encoding="utf-8")
    described = taken(document, opened(folder, name, document.figure.name), name)
    is_same = document.figure.skeleton.joints == described.figure.skeleton.joints
    goals = document.goals if is_same else described.goals
    return replace(described, goals=goals, options=document.options, demo=document.demo, text=text)

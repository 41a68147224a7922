"""Where on this machine sessions are kept."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

MANNEQUIN = "mannequin"


def sessions_folder() -> Path:
    """Where this person's programs keep what they do: POSABLE_STUDIO, or the place that the system has for it."""
    if told := os.environ.get("POSABLE_STUDIO"):
        return Path(told)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "posable" / "studio"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "posable" / "studio"
    return Path(os.environ.get("XDG_STATE_HOME", Path.home() / ".local" / "state")) / "posable" / "studio"


def session_folder(file: Path | None, folder: Path | None = None) -> Path:
    """The folder of a file's session, which is there when this returns; `folder` itself where that is given."""
    name = MANNEQUIN if file is None else hashlib.blake2b(str(file.resolve()).encode(), digest_size=8).hexdigest()
    folder = folder or sessions_folder() / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder

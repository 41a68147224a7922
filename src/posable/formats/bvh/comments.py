"""Comments in a BVH file, and text before its first word, neither of which the format has."""

from __future__ import annotations

import re

_COMMENT = re.compile(r"^[^\S\n\r]*(?:#|//|;|%)[^\n\r]*", re.MULTILINE)
_SIGNS = ("#", "//", ";", "%")
_BEGINNING = re.compile(r"^[^\S\n\r]*HIERARCHY\b", re.IGNORECASE | re.MULTILINE)
_LINES = re.compile(r"[^\n\r]+")


def without_comments(text: str) -> tuple[str, tuple[str, ...]]:
    """(the text with spaces for lines of comments and for all lines before HIERARCHY, of the same length, and notes).

    A comment is a line that begins with #, //, ; or %. Names may contain such signs.
    """
    notes: list[str] = []
    if any(sign in text for sign in _SIGNS):
        text, count = _COMMENT.subn(_blank, text)
        notes += [f"lines of comments were not read ({count})"] if count else []
    begins = _BEGINNING.search(text)
    if begins and (before := text[: begins.start()]).strip():
        notes.append("text before HIERARCHY was not read")
        text = _LINES.sub(_blank, before) + text[begins.start() :]
    return text, tuple(notes)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])

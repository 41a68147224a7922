"""Commas in the numbers of a BVH file: those of programs that write numbers as their country does, or as lists."""

from __future__ import annotations

import re

_NAMED = re.compile(r"[^\S\n\r]*(?:ROOT|JOINT|End)\b", re.IGNORECASE)
_DECIMAL = re.compile(r"(?<=\d),(?=\d)")
_SEVERAL = re.compile(r",[^\s,]*,")  # in one word: no decimal commas
_POINT = re.compile(r"\d\.\d|\s\.\d|\d\.\s")
_INSIDE = re.compile(r",(?!\s|\Z)")
CURE = "; write decimal points and spaces, not commas"


def without_commas(text: str) -> tuple[str, tuple[str, ...]]:
    """(the text with commas in its numbers replaced, of the same length, and notes).

    They are decimal commas where no number has a point and no word has several, and spaces where all of them end words.
    Any others stay.
    """
    if "," not in text:
        return text, ()
    lines = text.splitlines(keepends=True)
    numbers = "".join(line for line in lines if not _NAMED.match(line))
    if _DECIMAL.search(numbers) and not _POINT.search(numbers) and not _SEVERAL.search(numbers):
        return _replaced(lines, _DECIMAL, "."), ("its numbers have decimal commas, which were read as points",)
    if "," in numbers and not _INSIDE.search(numbers):
        return _replaced(lines, re.compile(","), " "), ("commas between its numbers were read as spaces",)
    return text, ()


def _replaced(lines: list[str], commas: re.Pattern[str], by: str) -> str:
    return "".join(line if _NAMED.match(line) else commas.sub(by, line) for line in lines)

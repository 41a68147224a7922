"""The HIERARCHY of a BVH file: text → tokens → plain records of joints."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from posable.errors import FileError
from posable.files import check_count
from posable.formats.bvh.commas import CURE
from posable.formats.defaults import LARGEST_NUMBER
from posable.skeleton.joint import Point
from posable.skeleton.tables import MAX_JOINTS

_TOKEN = re.compile(
    r"\s*(?:(?P<brace>[{}])|(?:ROOT|JOINT)\b(?P<joint>[^\n\r{}]*)"
    r"|(?P<end>End(?:[^\S\r\n]*Site)?\b[^\n\r{}]*)|(?P<word>[^\s{}]+)|\Z)",
    re.IGNORECASE,
)
_CHANNELS = ", ".join(f"{axis}{what}" for what in ("position", "rotation", "scale") for axis in "XYZ")
_CHANNEL = re.compile(r"([xyz])(?:(pos)(?:ition)?|(rot)(?:ation)?|(sca)le)", re.IGNORECASE)
_END_SITE = -2
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)


@dataclass
class Declared:
    """A joint as the file declares it.

    parent: index, -1 for a root. channels: "xpos" … "zrot" in the file's order, and "xsca" until scales are left out.
    """

    name: str
    line: int
    parent: int
    offset: Point | None = None
    channels: tuple[str, ...] = ()
    tips: list[Point] = field(default_factory=list)


@dataclass
class Hierarchy:
    """The declared joints, parents first, and where the motion begins (None without motion): position and line."""

    joints: list[Declared]
    motion: tuple[int, int] | None
    notes: tuple[str, ...] = ()

    @property
    def channel_count(self) -> int:
        """Numbers per frame."""
        return sum(len(joint.channels) for joint in self.joints)


def parse_hierarchy(path: Path, text: str) -> Hierarchy:
    """The joints that `text` declares. Raises FileError with the line, FileTooLargeError for too many joints."""
    return _Parser(path, text).run()


class _Parser:
    """One pass over the tokens with a stack of open braces, so that depth is unlimited."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.tokens = _Tokens(text)
        self.rotated = 0
        self.text = text
        self.joints: list[Declared] = []
        self.open: list[int] = []
        self.line = 1
        self.position = 0

    def run(self) -> Hierarchy:
        kind, word = self._next("HIERARCHY")
        if kind != "word" or word.upper() != "HIERARCHY":
            raise self._error("a BVH file begins with the word HIERARCHY; this is not one, or its beginning is missing")
        motion = None
        for kind, word in self._rest():
            if kind == "word" and word.upper() == "MOTION":
                motion = self.position + len("MOTION"), self.line
                break
            self._take(kind, word)
        if self.open:
            raise self._error(
                f"the braces of {self._owner()} are never closed; the file is truncated or a }} is missing"
            )
        if not self.joints:
            raise self._error("HIERARCHY declares no ROOT")
        told = f"{self.rotated} OFFSETs have six numbers; the last three, a rotation, are not used"
        return Hierarchy(self.joints, motion, (told,) * (self.rotated > 0))

    def _take(self, kind: str, word: str) -> None:
        if kind == "joint":
            self._open_joint(word)
        elif kind == "end":
            self._expect_brace("End Site")
            if not self.open or self.open[-1] == _END_SITE:
                raise self._error("an End Site is outside of all joints")
            self.open.append(_END_SITE)
        elif word == "}":
            self._close()
        elif kind == "word" and word.upper() == "OFFSET":
            self._offset()
        elif kind == "word" and word.upper() == "CHANNELS":
            self._channels()
        else:
            raise self._error(
                f"{word[:40]!r} is not expected here; HIERARCHY contains joints, OFFSET, CHANNELS and End Site"
            )

    def _open_joint(self, name: str) -> None:
        check_count(self.path, len(self.joints) + 1, MAX_JOINTS, "joints")
        if self.open and self.open[-1] == _END_SITE:
            raise self._error("a joint is inside an End Site")
        self.joints.append(Declared(name.strip(), self.line, self.open[-1] if self.open else -1))
        self._expect_brace(f"joint {name.strip()[:40]!r}")
        self.open.append(len(self.joints) - 1)

    def _close(self) -> None:
        if not self.open:
            raise self._error("unmatched }")
        if self.open[-1] != _END_SITE and self.joints[self.open[-1]].offset is None:
            raise self._error(f"{self._owner()} has no OFFSET")
        self.open.pop()

    def _offset(self) -> None:
        x, y, z = (self._number("OFFSET") for _ in range(3))
        if not self.open:
            raise self._error("an OFFSET is outside of all joints")
        if self.open[-1] == _END_SITE:
            self.joints[self.open[-2]].tips.append((x, y, z))
        else:
            self.joints[self.open[-1]].offset = (x, y, z)

        self._skip_rotation()

    def _skip_rotation(self) -> None:
        """Pass over the rotation that some programs write behind an OFFSET: the channels state it anew."""
        behind = list(islice(self.tokens, 3))
        if len(behind) == 3 and all(_NUMBER.fullmatch(word) for _, word, _, _ in behind):
            self.rotated += 1
        else:
            self.tokens.give_back(behind)

    def _channels(self) -> None:
        if not self.open or self.open[-1] == _END_SITE:
            raise self._error("CHANNELS are outside of all joints")
        count = self._next("CHANNELS")[1]
        if count not in tuple("01234569"):
            raise self._error(f"CHANNELS must begin with their number, 0 to 6 or 9, not {count[:40]!r}")
        channels = tuple(self._channel() for _ in range(int(count)))
        if len(set(channels)) < len(channels):
            raise self._error(f"{self._owner()} repeats a channel: {' '.join(channels)}")
        self.joints[self.open[-1]].channels = channels

    def _channel(self) -> str:
        word = self._next("CHANNELS")[1]
        found = _CHANNEL.fullmatch(word)
        if found is None:
            raise self._error(
                f"{word.strip()[:40]!r} is not a channel; give as many as CHANNELS declares, from {_CHANNELS}"
            )
        return f"{found[1]}{found[2] or found[3] or found[4]}".lower()

    def _number(self, what: str) -> float:
        word = self._next(what)[1]
        try:
            value = float(word)
        except ValueError:
            value = math.nan
        if not abs(value) < LARGEST_NUMBER:
            cure = CURE if "," in word else ""
            raise self._error(f"{what} needs three finite numbers below 1e15, not {word[:40]!r}{cure}")
        return value

    def _expect_brace(self, what: str) -> None:
        if self._next(what)[1] != "{":
            raise self._error(f"a {{ must follow {what}")

    def _owner(self) -> str:
        return "an End Site" if self.open[-1] == _END_SITE else f"joint {self.joints[self.open[-1]].name[:40]!r}"

    def _rest(self) -> Iterator[tuple[str, str]]:
        while (found := next(self.tokens, None)) is not None:
            kind, word, self.line, self.position = found
            yield kind, word

    def _next(self, what: str) -> tuple[str, str]:
        found = next(self.tokens, None)
        if found is None:
            raise self._error(f"the file ends within {what}")
        kind, word, self.line, self.position = found
        return kind, word

    def _error(self, problem: str) -> FileError:
        return FileError(self.path, problem, line=self.line)


class _Tokens(Iterator[tuple[str, str, int, int]]):
    """The tokens of a text, some of which may be given back to be read again."""

    def __init__(self, text: str) -> None:
        self._tokens = _tokens(text)
        self._back: list[tuple[str, str, int, int]] = []

    def __next__(self) -> tuple[str, str, int, int]:
        return self._back.pop() if self._back else next(self._tokens)

    def give_back(self, tokens: list[tuple[str, str, int, int]]) -> None:
        """Return tokens that were taken, in their order."""
        self._back += reversed(tokens)


def _tokens(text: str) -> Iterator[tuple[str, str, int, int]]:
    """(kind, text, line, position) of every token; lines are counted in the same pass."""
    line, last = 1, 0
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind is None:  # the end, matched so that trailing spaces are scanned once and not from each of them
            return
        line += text.count("\n", last, match.start(kind))
        last = match.start(kind)
        yield kind, match[kind], line, last

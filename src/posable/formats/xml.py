"""Untrusted XML as a small tree with line numbers: no entities, limited depth and size."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from posable.errors import FileError, FileTooLargeError
from posable.files import check_count, read_text
from posable.skeleton.joint import Point
from posable.spatial.rotations import hamilton_product

MAX_BYTES = 64 * 2**20
MAX_ELEMENTS = 100_000
MAX_DEPTH = 1_000
MAX_MESSAGE = 400
BEYOND = 1e15
"""Numbers above this are not plausible lengths or angles; as a limit they mean unlimited."""

Numbers = tuple[float, ...]
_LISTED = re.compile(r",(?=\s|$)|(?<=\s),")  # a comma beside a space parts numbers; one between digits may be decimal


@dataclass(slots=True)
class Element:
    """An element: attributes, children in order, text where asked for, and its file and line for messages."""

    tag: str
    attributes: dict[str, str]
    path: Path
    line: int
    children: list[Element] = field(default_factory=list)
    words: str = ""

    def error(self, problem: str) -> FileError:
        """The error to raise for this element, with its file and line; long messages are shortened."""
        short = problem if len(problem) <= MAX_MESSAGE else f"{problem[:MAX_MESSAGE]} …"
        return FileError(self.path, short, line=self.line)

    def all(self, tag: str) -> list[Element]:
        """The direct children called `tag`."""
        return [child for child in self.children if child.tag == tag]

    def child(self, tag: str) -> Element | None:
        """The first direct child called `tag`, if there is one."""
        return next((child for child in self.children if child.tag == tag), None)

    def walk(self) -> Iterator[Element]:
        """This element and all below it, in document order."""
        waiting: list[Element] = [self]
        while waiting:
            one = waiting.pop()
            yield one
            waiting.extend(reversed(one.children))

    def text(self, name: str) -> str:
        """A required attribute. Raises FileError if it is missing or empty."""
        value = self.attributes.get(name, "").strip()
        if not value:
            raise self.error(f'<{self.tag}> needs {name}="…"')
        return value

    def numbers(self, name: str, least: int, most: int | None = None, *, infinite: bool = False) -> Numbers | None:
        """The numbers of an attribute, None if it is missing; `least` to `most` of them (exactly `least` if None).

        Raises FileError for another count, invalid numbers, NaN, and, unless `infinite` (for limits), implausibly large
        numbers.
        """
        value = self.attributes.get(name)
        if value is None:
            return None
        words = _LISTED.sub(" ", value).split(maxsplit=64)
        most = least if most is None else most
        if not least <= len(words) <= most:
            count = f"{least}" if least == most else f"{least} to {most}"
            raise self.error(f"<{self.tag}> {name}: it needs {count} numbers, not {value[:60]!r}{_cure(value)}")
        numbers = tuple(self._number(name, word) for word in words)
        if not infinite and any(abs(number) > BEYOND for number in numbers):
            raise self.error(f"<{self.tag}> {name}: {value[:60]!r} is not a plausible length or angle")
        return numbers

    def _number(self, name: str, word: str) -> float:
        try:
            value = float(word)
        except ValueError:
            value = math.nan
        if math.isnan(value):
            raise self.error(f"<{self.tag}> {name}: {word[:40]!r} is not a number{_cure(word)}")
        return value

    def point(self, name: str, default: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> tuple[float, float, float]:
        """Three numbers."""
        found = self.numbers(name, 3)
        return default if found is None else (found[0], found[1], found[2])

    def number(self, name: str, default: float, *, infinite: bool = False) -> float:
        """One number."""
        found = self.numbers(name, 1, infinite=infinite)
        return default if found is None else found[0]

    def limits(self, lower: float, upper: float) -> tuple[float, float]:
        """The limits of this element, checked; implausibly large ones mean unlimited."""
        if lower > upper:
            raise self.error(
                f"<{self.tag}>: the lower limit {lower:g} is above the upper limit {upper:g}; exchange them"
            )
        return (-math.inf if lower <= -BEYOND else lower), (math.inf if upper >= BEYOND else upper)


def _cure(value: str) -> str:
    left = "${" in value or "$(" in value
    return "; it was left to xacro: expand the file first, xacro file.xacro > file.urdf, or write numbers" * left


def read_xml(path: str | Path, *, words: bool = False) -> Element:
    """The root element of a file. Raises FileError with the line if it is not well-formed, declares a document type
    (entities) or is nested too deeply, and FileTooLargeError for too many elements.

    words: also keep the text between the tags.
    """
    path = Path(path)
    builder = _TreeBuilder(path, words=words)
    try:
        builder.parser.Parse(_begun(_without_comments(read_text(path, MAX_BYTES))), True)
    except expat.ExpatError as problem:
        what = expat.ErrorString(problem.code)
        raise FileError(
            path, f"is not well-formed XML ({what}); correct it or export the file again", line=problem.lineno
        ) from problem
    return builder.root.children[0]


class _TreeBuilder:
    """Builds the tree from the parser's events."""

    def __init__(self, path: Path, *, words: bool) -> None:
        self.path = path
        self.root = Element("", {}, path, 0)
        self.open = [self.root]
        self.count = 0
        self.texts: list[list[str]] = [[]]
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.StartDoctypeDeclHandler = self.refuse_entities
        if words:
            self.parser.CharacterDataHandler = lambda text: self.texts[-1].append(text)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        line = self.parser.CurrentLineNumber
        self.count += 1
        check_count(self.path, self.count, MAX_ELEMENTS, "XML elements")
        if len(self.open) > MAX_DEPTH:
            raise FileTooLargeError(self.path, f"nests elements more than {MAX_DEPTH:,} levels deep", line=line)
        element = Element(tag, attributes, self.path, line)
        self.open[-1].children.append(element)
        self.open.append(element)
        self.texts.append([])

    def end(self, tag: str) -> None:  # noqa: ARG002  the parser has matched it
        self.open.pop().words = "".join(self.texts.pop())

    def refuse_entities(self, *_: object) -> None:
        raise FileError(
            self.path,
            "declares a document type (<!DOCTYPE …>), which posable does not accept; delete that declaration",
            line=self.parser.CurrentLineNumber,
        )


def _without_comments(text: str) -> str:
    """The text without comments, lines preserved: robot files contain `--` in comments, which strict XML forbids."""
    kept, place = [], 0
    while (start := text.find("<!--", place)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        kept += [text[place:start], "\n" * text.count("\n", start, end)]
        place = end + 3
    return "".join([*kept, text[place:]])


def _begun(text: str) -> str:
    """The text without its declaration where that stands after blank lines or comments, lines preserved."""
    body = text.lstrip()
    end = body.find("?>")
    if not body.startswith("<?xml") or end < 0 or len(body) == len(text):
        return text
    return text[: len(text) - len(body)] + "\n" * body.count("\n", 0, end) + body[end + 2 :]


# Frames of single XML elements in plain Python: NumPy is twenty times slower for one frame at a time.


Wxyz = tuple[float, float, float, float]
Frame = tuple[Point, Wxyz]
UPRIGHT: Wxyz = (1.0, 0.0, 0.0, 0.0)
HERE: Frame = ((0.0, 0.0, 0.0), UPRIGHT)


def about(axis: Sequence[float], angle: float) -> Wxyz:
    """The rotation by `angle` (radians) about a unit axis."""
    sine = math.sin(angle / 2)
    return math.cos(angle / 2), sine * axis[0], sine * axis[1], sine * axis[2]


def turned(wxyz: Wxyz, point: Point) -> Point:
    """A vector rotated by a unit quaternion."""
    w, x, y, z = wxyz
    _, a, b, c = hamilton_product(*hamilton_product(*wxyz, 0.0, *point), w, -x, -y, -z)
    return a, b, c


def moved(frame: Frame, point: Point) -> Point:
    """A point given in `frame`, expressed in the parent of `frame`."""
    (px, py, pz), wxyz = frame
    x, y, z = turned(wxyz, point)
    return px + x, py + y, pz + z


def compose(outer: Frame, inner: Frame) -> Frame:
    """The frame `inner`, given in `outer`, expressed in the parent of `outer`."""
    return inner if outer == HERE else (moved(outer, inner[0]), hamilton_product(*outer[1], *inner[1]))


def euler(order: str, angles: Sequence[float]) -> Wxyz:
    """Successive rotations (radians): about moving axes for lower-case letters, about fixed ones for capitals."""
    total = UPRIGHT
    for letter, angle in zip(order, angles, strict=True):
        turn = about([float(letter.lower() == one) for one in "xyz"], angle)
        total = hamilton_product(*total, *turn) if letter.islower() else hamilton_product(*turn, *total)
    return total

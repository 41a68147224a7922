"""The text of an Acclaim skeleton file (.asf): lines → plain records of the root and the bones."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from posable.errors import FileError
from posable.files import check_count, read_text
from posable.formats.defaults import LARGEST_NUMBER
from posable.skeleton.tables import MAX_JOINTS

_ORDER = re.compile(r"[xyz]{3}", re.IGNORECASE)
_FREEDOMS = ("rx", "ry", "rz", "tx", "ty", "tz")


@dataclass
class Bone:
    """One bone, in the file's own numbers and angle unit.

    direction, length: from its start to its end at rest, in the world. axis, order: the angles and order of the
    rotations of the frame of its degrees of freedom. dof: their names in the order of the motion file. limits: lower,
    upper of each.
    """

    line: int
    name: str = ""
    direction: tuple[float, ...] = (0.0, 0.0, 0.0)
    length: float = 0.0
    axis: tuple[float, ...] = (0.0, 0.0, 0.0)
    order: str = "xyz"
    dof: tuple[str, ...] = ()
    limits: list[float] = field(default_factory=list)


@dataclass
class AcclaimSkeleton:
    """root: a bone without length, its `direction` is its position. parents: bone name → the one above, or "root".

    length_unit: what lengths are divided by. degrees: whether angles are in degrees (else radians).
    """

    root: Bone
    bones: dict[str, Bone] = field(default_factory=dict)
    parents: dict[str, str] = field(default_factory=dict)
    length_unit: float = 1.0
    degrees: bool = True


@dataclass(frozen=True)
class Line:
    """The words of one line."""

    path: Path
    number: int
    words: list[str]

    def error(self, problem: str) -> FileError:
        return FileError(self.path, problem, line=self.number)

    def numbers(self, count: int, *, start: int = 1, finite: bool = True) -> tuple[float, ...]:
        words = self.words[start : start + count]
        try:
            found = tuple(float(word) for word in words)
        except ValueError:
            found = ()
        if len(found) != count or not all(abs(x) < LARGEST_NUMBER or (not finite and math.isinf(x)) for x in found):
            wanted = "a finite number" if count == 1 else f"{count} finite numbers"
            raise self.error(f"{self.words[0][:40]!r} needs {wanted} below 1e15, not {' '.join(words)[:60]!r}")
        return found

    def word(self, start: int = 1) -> str:
        if len(self.words) <= start:
            raise self.error(f"{self.words[0][:40]!r} needs a value after it")
        return self.words[start]


def parse_skeleton(path: Path) -> AcclaimSkeleton:
    """The records of an .asf file. Raises FileError with the line, FileTooLargeError for too many bones."""
    found = AcclaimSkeleton(Bone(1, name="root", dof=("tx", "ty", "tz", "rx", "ry", "rz")))
    section, bone = "", None
    for line in lines_of(path, read_text(path)):
        first = line.words[0].lower()
        if first.startswith(":"):
            section, bone = first[1:], None
        elif section == "units":
            _take_unit(found, line, first)
        elif section == "root":
            _take_root(found.root, line, first)
        elif section == "bonedata":
            bone = _take_bone_line(found, bone, line, first)
        elif section == "hierarchy" and first not in ("begin", "end"):
            _take_children(found, line)
    if not found.bones:
        raise FileError(
            path, "an ASF file describes bones under :bonedata; this one has none, or its beginning is missing"
        )
    return found


def lines_of(path: Path, text: str) -> Iterator[Line]:
    """The lines without comments (#) and blanks."""
    for number, raw in enumerate(text.splitlines(), 1):
        words = raw.split("#", 1)[0].split()
        if words:
            yield Line(path, number, words)


def _take_unit(found: AcclaimSkeleton, line: Line, first: str) -> None:
    if first == "length":
        (found.length_unit,) = line.numbers(1)
        if not 1e-9 <= found.length_unit <= 1e9:
            raise line.error(f"the unit of length must be above 0, not {line.word()}")
    elif first == "angle":
        found.degrees = _is_degrees(line)


def _is_degrees(line: Line) -> bool:
    word = line.word().lower()
    if not word.startswith(("deg", "rad")):
        raise line.error(f"the unit of angle must be 'deg' or 'rad', not {word[:40]!r}")
    return word.startswith("deg")


def _take_root(root: Bone, line: Line, first: str) -> None:
    if first == "order":
        root.line, root.dof = line.number, _freedoms(line)
    elif first == "axis":
        root.order = _order(line, line.word())
    elif first == "position":
        root.direction = line.numbers(3)
    elif first == "orientation":
        root.axis = line.numbers(3)


def _take_bone_line(found: AcclaimSkeleton, bone: Bone | None, line: Line, first: str) -> Bone | None:
    if first == "begin":
        check_count(line.path, len(found.bones) + 1, MAX_JOINTS - 1, "bones")
        return Bone(line.number)
    if bone is None:
        raise line.error(f"{first[:40]!r} appears between bones; each bone is written between begin and end")
    if first == "end":
        _keep_bone(found, bone, line)
        return None
    _fill_bone(bone, line, first)
    return bone


def _fill_bone(bone: Bone, line: Line, first: str) -> None:
    if first == "name":
        bone.name = line.word()
    elif first == "direction":
        bone.direction = line.numbers(3)
    elif first == "length":
        (bone.length,) = line.numbers(1)
    elif first == "axis":
        bone.axis = line.numbers(3)
        bone.order = _order(line, line.word(4))
    elif first == "dof":
        bone.dof = _freedoms(line)
    elif first == "limits" or first.startswith("("):
        bone.limits += _limits(line)


def _keep_bone(found: AcclaimSkeleton, bone: Bone, line: Line) -> None:
    if not bone.name:
        raise line.error("this bone has no name")
    if bone.name in found.bones or bone.name == "root":
        raise line.error(f"two bones are called {bone.name[:40]!r}; names must be unique")
    if bone.limits and len(bone.limits) != 2 * len(bone.dof):
        raise line.error(
            f"bone {bone.name[:40]!r} has {len(bone.dof)} degrees of freedom, but {len(bone.limits) / 2:g} "
            "pairs of limits"
        )
    for lower, upper in zip(bone.limits[::2], bone.limits[1::2], strict=True):
        if lower > upper:
            raise line.error(f"bone {bone.name[:40]!r}: a lower limit, {lower:g}, exceeds its upper limit, {upper:g}")
    found.bones[bone.name] = bone


def _limits(line: Line) -> Sequence[float]:
    words = re.sub(r"[(),]", " ", " ".join(line.words)).split()
    bare = Line(line.path, line.number, ["limits", *(words[1:] if words and words[0].lower() == "limits" else words)])
    return bare.numbers(len(bare.words) - 1, finite=False)


def _freedoms(line: Line) -> tuple[str, ...]:
    names = tuple(word.lower() for word in line.words[1:])
    for name in names:
        if name not in _FREEDOMS:
            raise line.error(f"{name[:40]!r} is not a degree of freedom; choose from {', '.join(_FREEDOMS)}")
    if len(set(names)) < len(names):
        raise line.error(f"a degree of freedom is repeated: {' '.join(names)}")
    return names


def _order(line: Line, word: str) -> str:
    if not _ORDER.fullmatch(word) or len(set(word.lower())) < 3:
        raise line.error(f"an order of axes is a permutation of XYZ, not {word[:40]!r}")
    return word.lower()


def _take_children(found: AcclaimSkeleton, line: Line) -> None:
    parent, *children = line.words
    for name in line.words:
        if name not in found.bones and name != "root":
            raise line.error(f"no bone is called {name[:40]!r}; :hierarchy names bones of :bonedata")
    for child in children:
        if child in found.parents or child == "root":
            raise line.error(f"bone {child[:40]!r} has two parents, or is its own ancestor")
        found.parents[child] = parent

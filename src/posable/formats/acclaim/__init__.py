"""Acclaim: a skeleton in an .asf file and motions in .amc files, as in the CMU motion capture database.

- Lengths are divided by the `length` of the file's :units. CMU's files (0.45) are in inches: load(…, unit="in").
- A bone is a joint at its start. Its degrees of freedom are hinges in the frame given by its `axis`, the last letter of
the
  order outermost (XYZ: Rz Ry Rx), each with its limits: a hinge, a universal joint or a compound of three, never a
  ball, so that the limits stay those of the file. A bone without degrees of freedom is fixed; the end of one without
  children is its tip.
- The root is free. Its `position` is added to the motion's, its `orientation` is the frame of its rotations, as `axis`
is for bones. - A motion finds its skeleton beside it: the .asf with the longest name that begins its own (02.asf for
02_01.amc), or
  the only one in the folder. It states no frame rate: CMU's, 120 a second, is taken.
Written after J. Lander, "Working with Motion Capture File Formats", and the .asf files of mocap.cs.cmu.edu.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from posable.clips import Clip
from posable.errors import FileError
from posable.figures import Figure
from posable.figures.model import Clips
from posable.files import read_text
from posable.formats.acclaim.skeleton import AcclaimSkeleton, Bone, Line, lines_of, parse_skeleton
from posable.formats.defaults import up_axis
from posable.skeleton import Axis, Joint, Skeleton
from posable.skeleton.joint import Kind, Point
from posable.spatial import Array, matrix_from_wxyz, wxyz_from_euler, wxyz_inverse, wxyz_multiply

# The text of a motion file (.amc): one value per frame and degree of freedom of each bone.


def parse_frames(path: Path, widths: Mapping[str, int], *, degrees: bool) -> tuple[Array, bool]:
    """(`values [frame, freedom]`, whether angles are degrees), freedoms in the order of `widths` (bone → how many).

    degrees: the default if the file does not state the unit.
    Raises FileError with the line for missing, repeated or unknown bones.
    """
    reader = _Frames(path, widths)
    for line in lines_of(path, read_text(path)):
        first = line.words[0]
        if first.startswith(":"):
            degrees = {":DEGREES": True, ":RADIANS": False}.get(first.upper(), degrees)
        elif len(line.words) == 1 and first.isdecimal():
            reader.begin(line)
        else:
            reader.take(line)
    return reader.finish(), degrees


class _Frames:
    """Collects one frame after another."""

    def __init__(self, path: Path, widths: Mapping[str, int]) -> None:
        ends = np.cumsum([0, *widths.values()]).tolist()
        self.path = path
        self.places = {name: slice(ends[k], ends[k + 1]) for k, name in enumerate(widths)}
        self.values = array("d")
        self.row: list[float] | None = None
        self.line: Line | None = None

    def begin(self, line: Line) -> None:
        self._close()
        self.row, self.line = [math.nan] * max(column.stop for column in self.places.values()), line

    def take(self, line: Line) -> None:
        name = line.words[0]
        if self.row is None:
            raise line.error(f"{name[:40]!r} precedes the first frame number")
        column = self.places.get(name)
        if column is None:
            raise line.error(f"the skeleton has no bone {name[:40]!r}; the motion belongs to another .asf")
        width = column.stop - column.start
        if len(line.words) != width + 1:
            raise line.error(f"bone {name[:40]!r} has {width} degrees of freedom, but {len(line.words) - 1} values")
        if width and not math.isnan(self.row[column.start]):
            raise line.error(f"bone {name[:40]!r} appears twice in this frame")
        self.row[column] = line.numbers(width)

    def finish(self) -> Array:
        self._close()
        if not self.values:
            raise FileError(self.path, "this motion has no frames; it is truncated, or not an AMC file")
        return np.array(self.values).reshape(-1, max(column.stop for column in self.places.values()))

    def _close(self) -> None:
        if self.row is None or self.line is None:
            return
        for name, column in self.places.items():
            if any(math.isnan(value) for value in self.row[column]):
                raise self.line.error(f"frame {self.line.words[0][:20]} has no values for bone {name[:40]!r}")
        self.values.extend(self.row)


FPS = 120.0
_KINDS: dict[tuple[str, ...], Kind] = {(): "fixed", ("r",): "hinge", ("r", "r"): "universal", ("t",): "slide"}


def read(path: Path) -> Figure:
    """The skeleton of an .asf file; of an .amc file its skeleton with the motion. Raises FileError."""
    path = Path(path)
    moves = path.suffix.lower() == ".amc"
    described = parse_skeleton(_skeleton_file(path) if moves else path)
    bones = _parents_first(described)
    skeleton = _skeleton(described, bones)
    notes = _left_out(described, bones)
    if not moves:
        return Figure(skeleton, path.stem, notes=notes)
    values, degrees = parse_frames(path, {bone.name: len(bone.dof) for bone in bones}, degrees=described.degrees)
    clip = Clip(skeleton, _coordinates(described, bones, values, degrees=degrees), FPS, path.stem)
    notes += (f"an AMC file states no frame rate; taken as {FPS:g} fps",)
    return Figure(skeleton, path.stem, clips=Clips([clip]), notes=notes)


def _skeleton_file(path: Path) -> Path:
    """The .asf file of a motion."""
    beside = sorted(file for file in path.parent.iterdir() if file.suffix.lower() == ".asf")
    fitting = [file for file in beside if path.stem.lower().startswith(file.stem.lower())] or beside
    longest = max((len(file.stem) for file in fitting), default=0)
    best = [file for file in fitting if len(file.stem) == longest] if fitting is not beside else beside
    if not best:
        cure = "put its .asf file into the same folder, named after the beginning of its name (02.asf for 02_01.amc)"
        raise FileError(path, f"a motion needs its skeleton; {cure}")
    if len(best) > 1:
        listed = ", ".join(file.name for file in best[:5])
        raise FileError(
            path, f"its skeleton is ambiguous ({listed}); name one after the beginning of the motion's name"
        )
    return best[0]


def _parents_first(described: AcclaimSkeleton) -> list[Bone]:
    """The root and the bones below it, in the order of the hierarchy."""
    children: dict[str, list[str]] = {}
    for child, parent in described.parents.items():
        children.setdefault(parent, []).append(child)
    order, waiting = [described.root], list(reversed(children.get("root", [])))
    while waiting:
        name = waiting.pop()
        order.append(described.bones[name])
        waiting += reversed(children.get(name, []))
    return order


def _left_out(described: AcclaimSkeleton, bones: Sequence[Bone]) -> tuple[str, ...]:
    missing = sorted(set(described.bones) - {bone.name for bone in bones})
    few = ", ".join(missing[:5]) + (" …" if len(missing) > 5 else "")
    return (f"bones that are not below the root were left out: {few}",) if missing else ()


def _angle(described: AcclaimSkeleton) -> float:
    """Radians per unit of angle of the skeleton file."""
    return math.pi / 180 if described.degrees else 1.0


def _frame_wxyz(described: AcclaimSkeleton, bone: Bone) -> Array:
    """World rotation of the frame of the bone's degrees of freedom."""
    angles = dict(zip("xyz", np.array(bone.axis) * _angle(described), strict=True))
    outermost_first = bone.order[::-1]
    return wxyz_from_euler(outermost_first, [angles[letter] for letter in outermost_first])


def _end(described: AcclaimSkeleton, bone: Bone) -> Point:
    """The end of a bone relative to its start, in the figure's length unit."""
    x, y, z = (np.array(bone.direction) * bone.length / described.length_unit).tolist()
    return (x, y, z)


def _skeleton(described: AcclaimSkeleton, bones: Sequence[Bone]) -> Skeleton:
    x, y, z = (np.array(described.root.direction) / described.length_unit).tolist()
    joints = [Joint("root", "free", position=(x, y, z))]
    with_children = set(described.parents.values())
    ends: dict[str, Array] = {"root": np.zeros(3)}
    for bone in bones[1:]:
        parent = described.parents[bone.name]
        start = (0.0, 0.0, 0.0) if parent == "root" else _end(described, described.bones[parent])
        tips = () if bone.name in with_children else (_end(described, bone),)
        axes = _axes(described, bone)
        kind = _KINDS.get(tuple("t" if axis.slide else "r" for axis in axes), "compound")
        joints.append(Joint(bone.name, kind, parent, position=start, axes=axes, tips=tips))
        ends[bone.name] = ends[parent] + _end(described, bone)
    return Skeleton(joints, up_axis(list(ends.values())))


def _applied(bone: Bone) -> list[str]:
    """The names of a bone's degrees of freedom in order of application: slides, then rotations, outermost first."""
    turns = [f"r{letter}" for letter in bone.order[::-1] if f"r{letter}" in bone.dof]
    return [name for name in bone.dof if name.startswith("t")] + turns


def _axes(described: AcclaimSkeleton, bone: Bone) -> tuple[Axis, ...]:
    turn = matrix_from_wxyz(_frame_wxyz(described, bone))
    axes = []
    for name in _applied(bone):
        slide, letter = name[0] == "t", name[1]
        k = bone.dof.index(name)
        gain = 1 / described.length_unit if slide else _angle(described)
        lower, upper = (gain * x for x in bone.limits[2 * k : 2 * k + 2]) if bone.limits else (-math.inf, math.inf)
        x, y, z = turn[:, "xyz".index(letter)].tolist()
        axes.append(Axis((x, y, z), slide, lower=lower, upper=upper, name=name if slide else letter))
    return tuple(axes)


def _coordinates(described: AcclaimSkeleton, bones: Sequence[Bone], values: Array, *, degrees: bool) -> Array:
    """`q [frame, coordinates]` of the values of the motion file."""
    columns = np.cumsum([0, *(len(bone.dof) for bone in bones)])
    angle = math.pi / 180 if degrees else 1.0
    parts = [_root_coordinates(described, values[:, : columns[1]], angle)]
    for first, bone in zip(columns[1:], bones[1:], strict=False):
        gains = [1 / described.length_unit if name[0] == "t" else angle for name in _applied(bone)]
        parts.append(values[:, [first + bone.dof.index(name) for name in _applied(bone)]] * gains)
    return np.concatenate(parts, axis=1)


def _root_coordinates(described: AcclaimSkeleton, values: Array, angle: float) -> Array:
    """xyz and wxyz of the root: the position is added, the rotation is in the frame of the orientation (C R C⁻¹)."""
    root = described.root
    by_name = {name: values[:, k] for k, name in enumerate(root.dof)}
    still = np.zeros(len(values))
    moved = np.stack([by_name.get(name, still) for name in ("tx", "ty", "tz")], axis=-1) + root.direction
    outermost_first = root.order[::-1]
    turns = np.stack([by_name.get(f"r{letter}", still) for letter in outermost_first], axis=-1) * angle
    frame = _frame_wxyz(described, root)
    wxyz = wxyz_multiply(frame, wxyz_multiply(wxyz_from_euler(outermost_first, turns), wxyz_inverse(frame)))
    return np.concatenate([moved / described.length_unit, wxyz], axis=1)

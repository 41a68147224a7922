"""BVH (Biovision hierarchy): a skeleton and one motion, angles in degrees, no unit of length, no up axis.

Conventions where the format is ambiguous:
- Position channels come before the rotations of their joint, wherever they stand in its list.
- The position channels of a root say where it is: they replace its OFFSET (as in Blender, bvhio and pybvh). Those of
  other joints replace theirs too (Bandai-Namco), or are displacements from it (MakeHuman): each joint says which by its
  values (`posable.formats.bvh.positions`), and a note says what was decided.
- Up is "y", unless the skeleton at rest (all angles 0) extends over three times as far along z as along y: then "z".
  The motion overrules that, and a rest pose that is not a stance: `posable.figures.stance`. Where y points down in it,
  it is turned.
- Three rotation channels make a ball joint, with three positions a free one (its translation inactive below the root),
  fewer rotations hinges about those axes, positions slides. End sites are the tips of their joint.
- Scale channels have to be 1 throughout and are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from posable.clips import Clip
from posable.errors import FileError
from posable.figures import Figure
from posable.figures.detached import attached
from posable.figures.model import Clips
from posable.figures.stance import standing, turned_up
from posable.files import read_text, write_atomically
from posable.formats.bvh.commas import without_commas
from posable.formats.bvh.comments import without_comments
from posable.formats.bvh.hierarchy import Declared, parse_hierarchy
from posable.formats.bvh.motion import Motion, fill_rotations, parse_motion
from posable.formats.bvh.positions import settle
from posable.formats.bvh.writer import Layout, bvh_text
from posable.formats.defaults import up_axis
from posable.skeleton import Axis, Joint, Pose, Skeleton
from posable.skeleton.joint import MANIFOLDS, Kind
from posable.spatial import Array

_AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def read(path: Path) -> Figure:
    """Read the skeleton and, if the file has frames, one clip named after it. Lengths are the file's own numbers.

    Raises FileError with the line, FileTooLargeError.
    """
    path = Path(path)
    guessed: list[str] = []
    text, unread = without_comments(read_text(path, notes=guessed))
    text, commas = without_commas(text)
    hierarchy = parse_hierarchy(path, text)
    motion = None
    if hierarchy.motion is not None:
        motion = parse_motion(path, text, *hierarchy.motion, hierarchy.channel_count)
    motion = _without_scales(path, hierarchy.joints, motion)
    joints = hierarchy.joints
    notes = (*guessed, *unread, *commas, *hierarchy.notes, *_make_names_unique(joints))
    displaced: frozenset[int] = frozenset()
    travelling = frozenset(i for i, joint in enumerate(joints) if joint.parent < 0)
    if motion is not None:
        displaced, travelling, told = settle(joints, motion.values)
        notes += (*motion.notes, *told)
    places = [_Place.of(joint) for joint in joints]
    skeleton = Skeleton(
        [_joint(d, places[i], joints, i in travelling) for i, d in enumerate(joints)],
        up_axis(_points(joints, travelling)),
    )
    clips = Clips()
    if motion is not None:
        clip = Clip(skeleton, _coordinates(skeleton, joints, places, motion, displaced), motion.fps, path.stem)
        clip, turned = turned_up(clip)
        skeleton, note = standing(clip)
        clips = Clips([replace(clip, skeleton=skeleton)])
        notes += tuple(one for one in (turned, note) if one)
    layout = Layout(tuple(joint.channels for joint in joints), displaced)
    figure = Figure(skeleton, path.stem, clips=clips, notes=notes, source=layout)
    whole = attached(figure)
    return figure if whole is figure else replace(whole, source=None)  # a layout of other joints in another order


def write(path: Path, figure: Figure, motion: Pose | Clip | None) -> None:
    """Write the skeleton with a clip, or one pose as a single frame; with neither, the main clip or the rest pose.

    All angles 0 is the figure's rest pose; in each frame every joint is where the figure has it, to 1e-5 of its size,
    with the same rotation from rest. A figure read from BVH keeps its channels; any other gets Zrotation
    Xrotation Yrotation, with positions for roots and for joints that translate. Content that BVH cannot store (skins,
    limits, shapes, further clips) is left out; spaces in names become "_"; the axes remain the figure's own.
    Raises FileError if it cannot be written, PoseError for a batch of poses.
    """
    write_atomically(path, bvh_text(figure, motion))


@dataclass(frozen=True)
class _Place:
    """The channels of one joint: (axis, index in the joint) of its slides and rotations, and the resulting joint
    kind.
    """

    kind: Kind
    slides: tuple[tuple[int, int], ...]
    turns: tuple[tuple[int, int], ...]

    @staticmethod
    def of(joint: Declared) -> _Place:
        by_kind = {
            word: tuple(("xyz".index(c[0]), k) for k, c in enumerate(joint.channels) if c[1:] == word)
            for word in ("pos", "rot")
        }
        return _Place(
            _KINDS.get((len(by_kind["pos"]), len(by_kind["rot"])), "compound"), by_kind["pos"], by_kind["rot"]
        )


_KINDS: dict[tuple[int, int], Kind] = {
    (0, 0): "fixed",
    (0, 1): "hinge",
    (0, 2): "universal",
    (0, 3): "ball",
    (1, 0): "slide",
    (3, 3): "free",
}


def _joint(declared: Declared, place: _Place, joints: Sequence[Declared], travels: bool) -> Joint:
    manifold = MANIFOLDS[place.kind]
    has_axes = not manifold.rotation
    slides = tuple(Axis(_AXES[axis], slide=True) for axis, _ in place.slides) if has_axes else ()
    turns = (
        tuple(Axis(_AXES[axis], name="r" * bool(slides) + "xyz"[axis]) for axis, _ in place.turns) if has_axes else ()
    )
    carried = manifold.position and not travels
    return Joint(
        declared.name,
        place.kind,
        joints[declared.parent].name if declared.parent >= 0 else None,
        position=declared.offset or (0.0, 0.0, 0.0),
        axes=slides + turns,
        active=(False,) * 3 + (True,) * 3 if carried else None,
        tips=tuple(declared.tips),
    )


def _make_names_unique(joints: Sequence[Declared]) -> tuple[str, ...]:
    """Rename joints with missing or repeated names, and a note on that."""
    used = Counter(joint.name for joint in joints)
    numbers: Counter[str] = Counter()
    changed = []
    for joint in joints:
        name = own = joint.name
        numbers[own] += 1
        if numbers[own] > 1 or not own:
            while name in used or not name:
                name = f"{own or 'joint'}_{numbers[own]}"
                numbers[own] += name in used
            used[name] += 1
            changed.append(name)
            joint.name = name
    few = ", ".join(changed[:5]) + (" …" if len(changed) > 5 else "")
    return (f"joints with missing or repeated names were renamed: {few}",) if changed else ()


_SCALE_TOLERANCE = 1e-3  # how far from 1 the scale of a joint may be


def _without_scales(path: Path, joints: Sequence[Declared], motion: Motion | None) -> Motion | None:
    """The motion without the scales of joints, which are taken from their channels, too. Raises FileError for a scale
    that is not 1.
    """
    owners = [(joint, channel) for joint in joints for channel in joint.channels]
    scales = np.array([channel.endswith("sca") for _, channel in owners], bool)
    if not scales.any():
        return motion
    for joint in joints:
        joint.channels = tuple(channel for channel in joint.channels if not channel.endswith("sca"))
    if motion is None:
        return None
    off = np.abs(motion.values - 1) * scales
    frame, column = np.unravel_index(int(off.argmax()), off.shape)
    if off[frame, column] > _SCALE_TOLERANCE:
        joint, scale = owners[column][0], motion.values[frame, column]
        problem = f"joint {joint.name[:40]!r} is scaled by {scale:.6g} in frame {frame + 1}, and a skeleton here keeps "
        raise FileError(path, problem + "its size; export the file without scale channels", line=joint.line)
    return replace(motion, values=motion.values[:, ~scales])


def _points(joints: Sequence[Declared], travelling: frozenset[int]) -> list[np.ndarray]:
    """Positions of joints and end sites with all angles 0; travelling joints start again at zero, whatever their
    OFFSET.
    """
    places: list[np.ndarray] = []
    for i, joint in enumerate(joints):
        carried = i not in travelling
        places.append(
            (places[joint.parent] if carried and joint.parent >= 0 else np.zeros(3))
            + np.array(joint.offset or (0.0, 0.0, 0.0)) * carried
        )
    return places + [places[i] + tip for i, joint in enumerate(joints) for tip in joint.tips]


def _columns(joints: Sequence[Declared]) -> np.ndarray:
    return np.cumsum([0, *(len(joint.channels) for joint in joints)])


def _coordinates(
    skeleton: Skeleton,
    joints: Sequence[Declared],
    places: Sequence[_Place],
    motion: Motion,
    displaced: frozenset[int],
) -> Array:
    """`q [frame, coordinates]` of the channel values."""
    q = np.empty((len(motion.values), skeleton.coordinates))
    straight: list[tuple[int, int, float, float]] = []  # coordinate, column, gain, shift
    turned: list[tuple[int, list[int], list[int]]] = []  # coordinate, columns, axes
    starts = skeleton.tables.first_coordinate
    for i, (joint, place, column) in enumerate(zip(joints, places, _columns(joints), strict=False)):
        offset = joint.offset or (0.0, 0.0, 0.0)
        is_way = i in displaced
        manifold = MANIFOLDS[place.kind]
        free = manifold.position
        for n, (axis, k) in enumerate(place.slides):
            shift = (offset[axis] if is_way else 0.0) if free else (0.0 if is_way else -offset[axis])
            straight.append((starts[i] + (axis if free else n), column + k, 1.0, shift))
        if manifold.rotation:
            turned.append(
                (starts[i] + 3 * free, [column + k for _, k in place.turns], [axis for axis, _ in place.turns])
            )
        else:
            first = starts[i] + len(place.slides)
            straight += [(first + n, column + k, np.pi / 180, 0.0) for n, (_, k) in enumerate(place.turns)]
    if straight:
        to, source, gain, shift = (np.array(c) for c in zip(*straight, strict=True))
        q[:, to] = motion.values[:, source] * gain + shift
    if turned:
        to, source, axes = (np.array(c, np.int64) for c in zip(*turned, strict=True))
        fill_rotations(motion.values, source, axes, to, q)
    return q

"""The skin of a text description: a smooth tapered tube around a chain of joints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posable.errors import UnknownJointError
from posable.files import Table, check_count
from posable.skeleton import Pose, Skeleton
from posable.skin import Skin
from posable.spatial import Array, matrix_from_wxyz, normalized, rigid_inverse, wxyz_between

TUBE_KEYS = ("name", "from", "to", "radius", "sides", "rings", "color")
MAX_RINGS = 20_000
CAP_RINGS = 6


@dataclass(frozen=True)
class Tube:
    """A tube from joint `start` to joint `end` and on to its tip.

    radius: one, or several at equal intervals, interpolated.
    sides: vertices per ring. rings: rings per joint. color: sRGB 0…1, or None.
    """

    name: str
    start: str
    end: str
    radius: tuple[float, ...]
    sides: int = 16
    rings: int = 4
    color: tuple[float, float, float] | None = None


def read_tube(table: Table, skeleton: Skeleton) -> Tube:
    """The tube described by a [[skin]] table. Raises FileError with the line."""
    table.refuse_unknown(TUBE_KEYS)
    start, end = (_joint(table, key, skeleton) for key in ("from", "to"))
    if skeleton.index(start) not in skeleton.chain(end):
        raise table.error(f"{end!r} is not a descendant of {start!r}", "to")
    radius = table.get("radius")
    radius = radius if isinstance(radius, list) else [radius]
    numbers = table.as_numbers("radius", radius, len(radius))
    if not numbers or min(numbers) <= 0:
        raise table.error("radius must be a number above 0, or a list of them", "radius")
    color = table.numbers("color", 3, None)
    if color is not None and not all(0 <= c <= 1 for c in color):
        raise table.error("color is red, green and blue, each from 0 to 1", "color")
    tube = Tube(
        table.text("name", "skin"), start, end, numbers, table.whole("sides", 16, low=3, high=256),
        table.whole("rings", 4, low=1, high=64), color,
    )  # fmt: skip
    check_count(table.path, len(skeleton.chain(end)) * tube.rings, MAX_RINGS, "rings of a tube")
    return tube


def _joint(table: Table, key: str, skeleton: Skeleton) -> str:
    try:
        return skeleton.joints[skeleton.index(table.text(key))]
    except UnknownJointError as problem:
        raise table.error(str(problem), key) from problem


def tube_skin(tube: Tube, skeleton: Skeleton) -> Skin:
    """The tube as a mesh at rest with rounded ends; each ring is weighted between its two adjacent joints."""
    rest = Pose(skeleton, skeleton.rest_coordinates)
    joints, corners = _path(tube, skeleton, rest)
    at = np.linspace(0.0, len(corners) - 1, tube.rings * (len(corners) - 1) + 1)
    centers = np.stack([np.interp(at, range(len(corners)), corners[:, axis]) for axis in range(3)], axis=-1)
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(centers, axis=0), axis=1))])
    radii = np.interp(along, np.linspace(0.0, along[-1], len(tube.radius)), tube.radius)
    frames = _carried_frames(normalized(np.gradient(centers, axis=0)))
    poles = centers[[0, -1]] + np.array([[-radii[0]], [radii[-1]]]) * frames[[0, -1], 2]
    centers, radii, frames, at = _with_round_ends(centers, radii, frames, at)
    turn = np.linspace(0.0, 2 * np.pi, tube.sides, endpoint=False)
    circle = np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    rings = centers[:, None] + radii[:, None, None] * np.einsum("sk,rkc->rsc", circle, frames[:, :2])
    vertices = np.concatenate([rings.reshape(-1, 3), poles])
    pairs, weights = _shared(np.concatenate([np.repeat(at, tube.sides), at[[0, -1]]]), joints)
    return Skin(
        skeleton,
        vertices.astype(np.float32),
        _tube_faces(len(rings), tube.sides).astype(np.int32),
        pairs.astype(np.int32),
        weights.astype(np.float32),
        rigid_inverse(rest.world_from_joint),
        colors=None if tube.color is None else np.tile(np.array(tube.color, np.float32), (len(vertices), 1)),
        name=tube.name,
    )


def _path(tube: Tube, skeleton: Skeleton, rest: Pose) -> tuple[list[int], Array]:
    """The joints along the tube (of coincident ones, the last) and the vertices of its centre line, the tip last."""
    chain = skeleton.chain(tube.end)
    chain = chain[chain.index(skeleton.index(tube.start)) :]
    tips = skeleton.definitions[chain[-1]].tips
    at = rest.world_from_joint[chain[-1]]
    ending = [at[:3, :3] @ np.array(tips[0]) + at[:3, 3]] if tips else []
    joints: list[int] = []
    corners: list[Array] = []
    for joint in chain:
        origin = rest.origins[joint]
        if corners and np.linalg.norm(origin - corners[-1]) <= 1e-9 * skeleton.reach:
            joints[-1] = joint
            continue
        joints.append(joint)
        corners.append(origin)
    corners += [tip for tip in ending if np.linalg.norm(tip - corners[-1]) > 1e-9 * skeleton.reach]
    if len(corners) < 2:  # all coincide: a short bead
        corners.append(corners[0] + np.eye(3)[2] * min(tube.radius))
    return joints, np.array(corners)


def _carried_frames(tangents: Array) -> Array:
    """`[ring, 3, 3]`, rows: two directions across and the tangent, transported along the centre line without twist."""
    frames = np.empty((len(tangents), 3, 3))
    frames[0] = matrix_from_wxyz(wxyz_between((0, 0, 1), tangents[0])).T
    for i in range(1, len(tangents)):
        frames[i] = frames[i - 1] @ matrix_from_wxyz(wxyz_between(tangents[i - 1], tangents[i])).T
    return frames


def _with_round_ends(centers: Array, radii: Array, frames: Array, at: Array) -> tuple[Array, Array, Array, Array]:
    """The rings with hemispheres of rings before the first and after the last."""
    lift = np.linspace(0.0, np.pi / 2, CAP_RINGS + 2)[1:-1]
    out, narrow = np.sin(lift), np.cos(lift)
    first = centers[0] - np.multiply.outer(radii[0] * out, frames[0, 2])
    last = centers[-1] + np.multiply.outer(radii[-1] * out, frames[-1, 2])
    return (
        np.concatenate([first[::-1], centers, last]),
        np.concatenate([radii[0] * narrow[::-1], radii, radii[-1] * narrow]),
        np.concatenate([np.tile(frames[0], (CAP_RINGS, 1, 1)), frames, np.tile(frames[-1], (CAP_RINGS, 1, 1))]),
        np.concatenate([np.full(CAP_RINGS, at[0]), at, np.full(CAP_RINGS, at[-1])]),
    )


def _shared(at: Array, joints: Sequence[int]) -> tuple[Array, Array]:
    """Joint indices and weights `[vertex, 2]` at joint coordinates `at`: half each at a joint, one joint at
    mid-bone.
    """
    index = np.asarray(joints)
    nearest = np.round(at).astype(int)
    after = np.clip(nearest, 0, len(index) - 1)
    before = np.clip(nearest - 1, 0, len(index) - 1)
    share = at - nearest + 0.5
    smooth = np.clip(share * share * (3 - 2 * share), 0.0, 1.0)
    smooth = np.where(before == after, 1.0, smooth)
    return np.stack([index[after], index[before]], axis=-1), np.stack([smooth, 1 - smooth], axis=-1)


def _tube_faces(rings: int, sides: int) -> NDArray[np.int64]:
    ring, side = np.meshgrid(np.arange(rings - 1), np.arange(sides), indexing="ij")
    a, b = ring * sides + side, ring * sides + (side + 1) % sides
    quads = np.stack([a, b, b + sides, a, b + sides, a + sides], axis=-1).reshape(-1, 3)
    around, following = np.arange(sides), (np.arange(sides) + 1) % sides
    start, end, last = rings * sides, rings * sides + 1, (rings - 1) * sides
    first_fan = np.stack([np.full(sides, start), following, around], axis=-1)
    last_fan = np.stack([np.full(sides, end), last + around, last + following], axis=-1)
    return np.concatenate([quads, first_fan, last_fan])

"""The limbs of a figure: those it stands on, from front to back, and those it does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from posable.skeleton.body_roles.hinges import line_of, swing
from posable.skeleton.body_roles.shape import Pair, Shape, across_of
from posable.skeleton.body_roles.skeleton_facts import Body
from posable.spatial import Array, normalized


@dataclass(frozen=True)
class Limb:
    """A leg or an arm.

    Args:
        name: "leg_l", or for animals "leg_1_l", counted from the front.
        joints: Joint names from hip (or shoulder) to the tip of the foot (or hand), including all hinges of one hip.
        side: "l" or "r".
        row: 0 is the front pair, 1 the pair behind it, …

    Example:
        >>> posable.roles(figure).legs[0].name
        'leg_l'
    """

    name: str
    joints: tuple[str, ...]
    side: str
    row: int = 0


def limbs_of(
    body: Body, shape: Shape, found: Mapping[str, int], forward: Array
) -> tuple[tuple[Limb, ...], tuple[Limb, ...]]:
    """(legs, arms): for a biped by its roles, for other creatures by which limbs reach the ground."""
    left = np.cross(body.up, forward)
    if len(shape.legs) < 2:
        return _of_roles(body, found, "leg", ("upper_leg", "lower_leg", "foot", "toes")), _arms(body, found)
    order = sorted(shape.legs, key=lambda pair: -_ahead(body, pair, forward))
    legs = []
    for row, pair in enumerate(order):
        first, second = (pair.first, pair.second) if shape.lateral @ left > 0 else (pair.second, pair.first)
        legs += [
            _limb(body, f"leg_{row + 1}_{side}", line_of(body, joint), side, row)
            for side, joint in (("l", first), ("r", second))
        ]
    standing = {joint for leg in legs for joint in leg.joints}
    return tuple(legs), tuple(arm for arm in _arms(body, found) if not standing & set(arm.joints))


def foot_roles(legs: Sequence[Limb]) -> dict[str, str]:
    """The feet of an animal by their rows, front_foot_l … hind_foot_r, and their joints; none of a biped."""
    rows = max((leg.row for leg in legs), default=0) + 1
    words = {2: ("front_foot", "hind_foot"), 3: ("front_foot", "middle_foot", "hind_foot")}.get(rows)
    words = words or tuple(f"foot_{row + 1}" for row in range(rows))
    return {f"{words[leg.row]}_{leg.side}": leg.joints[-1] for leg in legs if rows > 1}


def _ahead(body: Body, pair: Pair, forward: Array) -> float:
    """How far forward a pair of legs stands, measured at its feet, since legs may cross at the body."""
    return float(np.mean([body.positions[line_of(body, joint)[-1]] @ forward for joint in (pair.first, pair.second)]))


def _limb(body: Body, name: str, line: list[int], side: str, row: int = 0) -> Limb:
    return Limb(name, tuple(body.definitions[joint].name for joint in line), side, row)


def _arms(body: Body, found: Mapping[str, int]) -> tuple[Limb, ...]:
    return _of_roles(body, found, "arm", ("upper_arm", "lower_arm", "hand"))


def _of_roles(body: Body, found: Mapping[str, int], name: str, parts: tuple[str, ...]) -> tuple[Limb, ...]:
    limbs = []
    for side in "lr":
        joints = [found[f"{part}_{side}"] for part in parts if f"{part}_{side}" in found]
        if len(joints) < 2 or f"{parts[0]}_{side}" not in found:
            continue
        line = [joints[0]]
        for joint in joints[1:]:
            line += body.between(line[-1], joint)[1:] if body.is_above(line[-1], joint) else []
        limbs.append(_limb(body, f"{name}_{side}", _hinges_above(body, found, line[0]) + line, side))
    return tuple(limbs)


def _hinges_above(body: Body, found: Mapping[str, int], joint: int) -> list[int]:
    """The other hinges of a hip or shoulder, from the trunk on."""
    taken, above = set(found.values()), []
    parent = body.parents[joint]
    while (
        body.hinged[joint]
        and parent >= 0
        and parent not in taken
        and body.hinged[parent]
        and len(body.children[parent]) == 1
    ):
        above.append(parent)
        parent = body.parents[parent]
    return above[::-1]


# The direction a figure faces at rest.


_AXIS_COSINE = 0.998  # to a world axis, from which a direction is that axis


def forward_of(body: Body, shape: Shape, found: Mapping[str, int], *, sides_known: bool) -> Array:
    """The horizontal unit vector along which the figure faces at rest, as `evident_forward`; without evidence the
    convention of the file's kind: +z where y is up, +x where z is up.
    """
    evident = evident_forward(body, shape, found, sides_known=sides_known)
    if evident is not None:
        return evident
    custom = custom_forward(body)
    ahead = np.cross(shape.lateral, body.up)
    return ahead * np.sign(ahead @ custom) if shape.pairs and ahead @ custom else custom


def custom_forward(body: Body) -> Array:
    """The direction that most figures face: z if y is up, x if z is up."""
    return np.array([0.0, 0.0, 1.0]) if body.up[1] else np.array([1.0, 0.0, 0.0])


def evident_forward(body: Body, shape: Shape, found: Mapping[str, int], *, sides_known: bool) -> Array | None:
    """From left and right if names give them, else from feet, an animal's head or knees; None without evidence."""
    across = _across(body, found) if sides_known else None
    if across is not None:
        return _snapped(np.cross(across, body.up))
    ahead = np.cross(shape.lateral, body.up)
    signs = _signs(body, shape, found, ahead)
    return _snapped(ahead * next(iter(signs.values()))) if shape.pairs and signs else None


def hinted_forward(body: Body, shape: Shape, found: Mapping[str, int]) -> tuple[Array | None, list[str]]:
    """The facing that most of toes, face, knees and limits indicate, regardless of names, and the hints that agree
    with it; None if they are divided.
    """
    ahead = np.cross(shape.lateral, body.up)
    signs = _signs(body, shape, found, ahead) if shape.pairs else {}
    most = float(np.sign(sum(signs.values())))
    if not most:
        return None, []
    return ahead * most, [of for of, sign in signs.items() if sign == most][: round(abs(sum(signs.values())))]


_LEAST_EVIDENCE = 0.01  # of the figure's size: a shorter vector does not count as evidence
_LEAST_FLEXION = 0.05  # of the figure's size, both knees together: straight legs flex less, and backwards


def _signs(body: Body, shape: Shape, found: Mapping[str, int], ahead: Array) -> dict[str, float]:
    """Whether toes, face, knees and limits indicate that the figure faces along `ahead`, 1.0, or against it, -1.0."""
    hints = {
        "toes": _toes(body, found, shape),
        "face": _nose(body, found, shape),
        "knees": _knees(body, found, shape),
        "limits": _limits(body, found),
    }
    return {
        of: float(np.sign(hint @ ahead))
        for of, hint in hints.items()
        if abs(hint @ ahead) > _LEAST_EVIDENCE * body.size
    }


def _across(body: Body, found: Mapping[str, int]) -> Array | None:
    """From right to left, horizontally: by the roles of both sides, else by all names that give a side."""
    pairs = [
        (joint, found[f"{role[:-1]}r"])
        for role, joint in found.items()
        if role[:-1] + "r" in found and role[-2:] == "_l"
    ]
    if not pairs:
        return across_of(body)
    across = np.sum([body.positions[left] - body.positions[right] for left, right in pairs], axis=0)
    across -= (across @ body.up) * body.up
    return normalized(across) if np.linalg.norm(across) > 0.01 * body.size else None


def _snapped(direction: Array) -> Array:
    """The direction, or the world axis that it nearly is."""
    best = int(np.argmax(np.abs(direction)))
    if abs(direction[best]) < _AXIS_COSINE:
        return normalized(direction)
    return np.copysign(1.0, direction[best]) * np.eye(3)[best] + 0.0


def _toes(body: Body, found: Mapping[str, int], shape: Shape) -> Array:
    """From the feet to their ends."""
    total = np.zeros(3)
    if len(shape.legs) == 1:
        for side in "lr":
            foot, toes = found.get(f"foot_{side}"), found.get(f"toes_{side}")
            if foot is not None:
                ends = list(body.tips[foot])[:1] if toes is None else [body.positions[toes]]
                total += sum((end - body.positions[foot] for end in ends), np.zeros(3))
    return total


def _nose(body: Body, found: Mapping[str, int], shape: Shape) -> Array:
    """From the middle of an animal's feet to its head; of a biped from the head to its eyes and jaw."""
    head = found.get("head")
    if head is None:
        return np.zeros(3)
    if len(shape.legs) > 1:
        feet = [body.positions[pair.parent] for pair in shape.legs]
        return body.positions[head] - np.mean(feet, axis=0)
    face = [body.positions[found[role]] for role in ("eye_l", "eye_r", "jaw") if role in found]
    return np.mean(face, axis=0) - body.positions[head] if face else np.zeros(3)


def _knees(body: Body, found: Mapping[str, int], shape: Shape) -> Array:
    """The direction in which knees flex: over a clip that flexes them clearly, else at rest."""
    if body.placed is not None:
        bend = _bend(body, found, shape, body.placed)
        if np.linalg.norm(bend) > _LEAST_FLEXION * body.size:
            return bend
    return _bend(body, found, shape, body.frames[None])


def _bend(body: Body, found: Mapping[str, int], shape: Shape, frames: Array) -> Array:
    """From the line between hip and ankle to the knee, in the frame of the hips at rest, over `frames [frame, joint, 4,
    4]`: the mean, weighted by the distance, since only flexion goes far. Limbs of hinges are left out, because a
    hip's hinges may lie anywhere about it.
    """
    total = np.zeros(3)
    hips = found.get("hips", 0)
    to_rest = body.frames[hips, :3, :3] @ np.linalg.inv(frames[:, hips, :3, :3])
    for side in "lr":
        joints = [found.get(f"{role}_{side}") for role in ("upper_leg", "lower_leg", "foot")]
        if len(shape.legs) == 1 and None not in joints and not body.hinged[joints[0] or 0]:
            hip, knee, ankle = (frames[:, joint, :3, 3] for joint in joints if joint is not None)
            along = normalized(ankle - hip)
            off = (knee - hip) - np.sum((knee - hip) * along, axis=-1, keepdims=True) * along
            far = np.linalg.norm(off, axis=-1) + 1e-9 * body.size
            total += np.average((to_rest @ off[..., None])[..., 0], axis=0, weights=far)
    return total


def _limits(body: Body, found: Mapping[str, int]) -> Array:
    """The direction in which the limits of hinges let shins and forearms flex."""
    total = np.zeros(3)
    for side in "lr":
        for middle, end, way in (("lower_leg", "foot", -1.0), ("lower_arm", "hand", 1.0)):
            hinge, last = found.get(f"{middle}_{side}"), found.get(f"{end}_{side}")
            if hinge is not None and last is not None:
                total += way * swing(body, hinge, last)
    return total

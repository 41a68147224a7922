"""The limbs of a figure: those it stands on, from front to back, and those it does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from posable.figures.roles_body import Body
from posable.figures.roles_shape import Pair, Shape, line_of
from posable.spatial import Array


@dataclass(frozen=True)
class Limb:
    """One leg or arm. name: "leg_l", or for animals "leg_1_l" counted from the front.

    joints: names from hip (or shoulder) to the tip of the foot (or the hand), hinges of one hip all there.
    side: "l" or "r". row: 0 in front, 1 behind it, …
    """

    name: str
    joints: tuple[str, ...]
    side: str
    row: int = 0


def limbs_of(
    body: Body, shape: Shape, found: Mapping[str, int], forward: Array
) -> tuple[tuple[Limb, ...], tuple[Limb, ...]]:
    """(legs, arms): a biped's from its roles, those of other creatures from which limbs reach the ground."""
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


def _ahead(body: Body, pair: Pair, forward: Array) -> float:
    """How far ahead a pair of legs stands: by its feet, as legs may cross at the body."""
    return float(np.mean([body.places[line_of(body, joint)[-1]] @ forward for joint in (pair.first, pair.second)]))


def _limb(body: Body, name: str, line: list[int], side: str, row: int = 0) -> Limb:
    return Limb(name, tuple(body.skeleton.joints[joint] for joint in line), side, row)


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

"""The shape of a figure: mirrored pairs of limbs, and which of them stand on the ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from posable.figures.roles_body import Body
from posable.spatial import Array, normalized

_ALIKE = 0.15  # how far mirrored places may be apart, as a share of the figure's size: not every rest is symmetric
_GROUND = 0.12  # a leg ends this near the ground, as a share of the figure's height
_HIGH = 0.15  # and comes down at least this much


@dataclass(frozen=True)
class Pair:
    """Two mirrored limbs that leave the trunk at `parent`; `first` lies on the positive side of the lateral axis."""

    parent: int
    first: int
    second: int


@dataclass(frozen=True)
class Shape:
    """The mirrored pairs of a figure across the plane normal to `lateral`, those that stand and those that do not."""

    lateral: Array
    pairs: tuple[Pair, ...]
    legs: tuple[Pair, ...]

    @property
    def others(self) -> tuple[Pair, ...]:
        return tuple(pair for pair in self.pairs if pair not in self.legs)


def shape_of(body: Body) -> Shape:
    """The mirrored limbs of a figure, about whichever horizontal axis shows more of them."""
    across = across_of(body)
    axes = [axis for axis in np.eye(3) if not axis @ body.up]
    if across is not None:
        axes = [max(axes, key=lambda axis: abs(axis @ across))]
    found = [(axis, _pairs(body, axis)) for axis in axes]
    lateral, pairs = max(found, key=lambda one: (sum(body.counts[p.first] for p in one[1]), -_width(body, *one)))
    return Shape(lateral, tuple(pairs), tuple(_standing(body, pairs)))


def across_of(body: Body) -> Array | None:
    """The horizontal unit vector from right to left, by the places of all joints whose names tell a side."""
    said = [
        next((w.side for w in (word, *more) if w.part and w.side), "")
        for word, more in zip(body.words, body.aliases, strict=True)
    ]
    sides = np.array(said)
    if not ((sides == "l").any() and (sides == "r").any()):
        return None
    across = body.places[sides == "l"].mean(axis=0) - body.places[sides == "r"].mean(axis=0)
    across -= (across @ body.up) * body.up
    return normalized(across) if np.linalg.norm(across) > 0.01 * body.size else None


def _width(body: Body, lateral: Array, pairs: Sequence[Pair]) -> float:
    """How far apart the pairs are: a body is longer than wide."""
    return float(sum((body.places[pair.first] - body.places[pair.second]) @ lateral for pair in pairs))


def _pairs(body: Body, lateral: Array) -> list[Pair]:
    """Pairs of children that mirror each other, from the roots down the trunk; limbs are not searched further."""
    found: list[Pair] = []
    trunk = [i for i, parent in enumerate(body.parents) if parent < 0]
    for joint in trunk:
        free = list(body.children[joint])
        options = [(_difference(body, a, b, lateral), a, b) for a, b in combinations(free, 2)]
        for difference, a, b in sorted(options):
            if difference < _ALIKE and a in free and b in free:
                free = [one for one in free if one not in (a, b)]
                a_side, b_side = (_centre(body, one) @ lateral for one in (a, b))
                found.append(Pair(joint, a, b) if a_side > b_side else Pair(joint, b, a))
        trunk += free
    return found


def _centre(body: Body, joint: int) -> Array:
    return body.places[body.below(joint)].mean(axis=0)


def _difference(body: Body, a: int, b: int, lateral: Array) -> float:
    """How far two subtrees are from being mirror images, as a share of the figure's size; infinite if they are none."""
    counts = sorted((body.counts[a], body.counts[b]))
    plane = body.places[body.parents[a]] @ lateral
    offsets = [(_centre(body, one) @ lateral) - plane for one in (a, b)]
    if counts[0] < 0.7 * counts[1] or offsets[0] * offsets[1] >= 0 or min(map(abs, offsets)) < 0.01 * body.size:
        return np.inf
    ends = [[body.places[joint], _centre(body, joint), _far_end(body, joint)] for joint in (a, b)]
    gaps = [p - 2 * ((p @ lateral) - plane) * lateral - q for p, q in zip(*ends, strict=True)]
    return float(np.linalg.norm(gaps, axis=1).max()) / body.size


def _far_end(body: Body, joint: int) -> Array:
    below = body.below(joint)
    return body.places[max(below, key=lambda one: body.distance(joint, one))]


def _standing(body: Body, pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs that come down to the ground."""
    ground = min((float(body.lowest[pair.first]) for pair in pairs), default=0.0)
    height = float(body.heights.max()) - ground or 1.0
    found = []
    for pair in pairs:
        low = max(body.lowest[pair.first], body.lowest[pair.second]) - ground
        down = max(body.heights[pair.first], body.heights[pair.parent]) - ground - low
        if low < _GROUND * height and down > _HIGH * height:
            found.append(pair)
    return found


def line_of(body: Body, joint: int) -> list[int]:
    """From `joint` down the longest way."""
    lengths = dict.fromkeys(body.below(joint), 0.0)
    for one in reversed(body.below(joint)):
        for child in body.children[one]:
            lengths[one] = max(lengths[one], lengths[child] + body.distance(one, child))
    line = [joint]
    while body.children[line[-1]]:
        line.append(max(body.children[line[-1]], key=lambda c: lengths[c] + body.distance(line[-1], c)))
    return line

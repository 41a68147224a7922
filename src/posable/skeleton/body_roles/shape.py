"""The shape of a figure: mirrored pairs of limbs, and which of them stand on the ground."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from posable.skeleton.body_roles.lone_hand import hand_of
from posable.skeleton.body_roles.skeleton_facts import Body
from posable.skeleton.body_roles.words import FINGERS
from posable.spatial import Array, normalized

_MIRROR_TOLERANCE = 0.15  # of the figure's size: not every rest pose is symmetric
_NEAR_GROUND = 0.12  # of the figure's height: a leg ends below this
_MAX_LIMBS = 500  # of one joint: with more it is not a body, and comparing all of them would take minutes
_LEAST_DESCENT = 0.15  # of the figure's height: a leg comes down at least this much
_LEVEL, _LEAST_BONE = 0.25, 0.1  # of a limb's extent, its height where it lies; of the figure's size, a bone of a leg
_LEAST_LIMB_JOINTS, _MAX_COMPARED_LIMBS = 2, 20  # for directions across the figure
_SAME_DIRECTION, _MAX_SLANTED = 0.998, 4  # cosine of one direction; number of slanted directions that are tried
_SLANTED_GAIN = 0.1  # of all joints: a slanted axis must give this many more in pairs


@dataclass(frozen=True)
class Pair:
    """Two mirrored limbs that leave the trunk at `parent`; `first` lies on the positive side of the lateral axis."""

    parent: int
    first: int
    second: int


@dataclass(frozen=True)
class Shape:
    """The mirrored pairs of a figure across the plane normal to `lateral`, those that stand and those that do not.

    elsewhere: joints of further figures in the file.
    """

    lateral: Array
    pairs: tuple[Pair, ...]
    legs: tuple[Pair, ...]
    elsewhere: frozenset[int] = frozenset()

    @property
    def others(self) -> tuple[Pair, ...]:
        return tuple(pair for pair in self.pairs if pair not in self.legs)


def shape_of(body: Body) -> Shape:
    """The mirrored limbs of a figure, across the horizontal world axis that gives more of them, or a slanted axis
    that gives clearly more; none for a single hand.
    """
    across = across_of(body)
    axes = [axis for axis in np.eye(3) if not axis @ body.up]
    if across is not None:
        axes = [max(axes, key=lambda axis: abs(axis @ across))]
    if hand_of(body):
        return Shape(axes[0], (), ())
    found = [(axis, _pairs(body, axis)) for axis in axes]
    lateral, pairs = max(found, key=lambda one: (_count(body, one[1]), -_width(body, *one)))
    for axis in _slanted(body) if across is None else [across] if abs(across @ axes[0]) < _SAME_DIRECTION else []:
        other = _pairs(body, axis)
        more = _count(body, other) - _count(body, pairs)
        better = _unevenness(body, other, axis) < 0.5 * _unevenness(body, pairs, lateral)
        if more > _SLANTED_GAIN * len(body.parents) or (more >= 0 and better):
            lateral, pairs = axis, other
    pairs, elsewhere = _of_one_figure(body, pairs)
    return Shape(lateral, tuple(pairs), tuple(_standing(body, pairs)), elsewhere)


def _of_one_figure(body: Body, pairs: Sequence[Pair]) -> tuple[list[Pair], frozenset[int]]:
    """The pairs of the first of several figures in one file, and the joints of the others.

    Figures are bodies that no body joint connects, each with standing legs and other limbs.
    """
    figures: dict[int, list[Pair]] = {}
    standing = _standing(body, pairs)
    for pair in pairs:
        top = pair.parent
        while body.parents[top] >= 0 and body.bodily[body.parents[top]]:
            top = body.parents[top]
        figures.setdefault(top, []).append(pair)
    whole = [top for top, own in figures.items() if len(own) > 1 and any(pair in standing for pair in own)]
    if len(whole) < 2:
        return list(pairs), frozenset()
    first = min(whole, key=lambda top: (len(body.chain(top)), top))
    others = {joint for top in whole for joint in _apart(body, top, first)}
    return figures[first], frozenset(others)


def _apart(body: Body, top: int, first: int) -> list[int]:
    """All joints of the tree of `top` up to where it meets that of `first`; none for `first` itself."""
    if top == first:
        return []
    kept = {*body.chain(first)}
    while body.parents[top] >= 0 and body.parents[top] not in kept:
        top = body.parents[top]
    return body.below(top)


def _slanted(body: Body) -> list[Array]:
    """Horizontal unit vectors that may point to the left of a figure that faces along no world axis, the likeliest
    first: those between the centres of similar children of one joint, weighted by the number of joints below them.
    """
    steps = []
    for joint, children in enumerate(body.children):
        limbs = [child for child in children if body.counts[child] >= _LEAST_LIMB_JOINTS]
        for a, b in combinations(limbs, 2) if len(limbs) <= _MAX_COMPARED_LIMBS else ():
            step = _centre(body, a) - _centre(body, b)
            far = abs(body.distance(joint, a) - body.distance(joint, b))
            alike = max(abs(float(step @ body.up)), far) < _MIRROR_TOLERANCE * body.size
            step -= (step @ body.up) * body.up
            least, most = sorted((body.counts[a], body.counts[b]))
            if alike and least >= 0.7 * most and np.linalg.norm(step) > 0.02 * body.size:
                steps.append((least, normalized(step)))
    found: list[tuple[int, Array]] = []
    for weight, step in sorted(steps, key=lambda one: -one[0]):
        near = next((k for k, (_, other) in enumerate(found) if abs(step @ other) > _SAME_DIRECTION), None)
        if near is None:
            found.append((weight, step))
        else:
            found[near] = (found[near][0] + weight, found[near][1])
    likely = [axis for _, axis in sorted(found, key=lambda one: -one[0])[:_MAX_SLANTED]]
    return [axis for axis in likely if np.abs(axis).max() < _SAME_DIRECTION]


def _count(body: Body, pairs: Sequence[Pair]) -> int:
    return sum(body.counts[pair.first] for pair in pairs)


def _unevenness(body: Body, pairs: Sequence[Pair], lateral: Array) -> float:
    """Deviation of pairs from mirror images, as a share of the figure's size; infinite without pairs."""
    gaps = [gap for pair in pairs for gap, _, _ in _alike(body, [pair.first, pair.second], lateral)]
    return float(np.mean(gaps)) if gaps else np.inf


def across_of(body: Body) -> Array | None:
    """The horizontal unit vector from right to left, from the positions of all joints whose names tell a side."""
    said = [
        next((w.side for w in (word, *more) if w.part and w.side), "")
        for word, more in zip(body.words, body.aliases, strict=True)
    ]
    sides = np.array(said)
    if not ((sides == "l").any() and (sides == "r").any()):
        return None
    across = body.positions[sides == "l"].mean(axis=0) - body.positions[sides == "r"].mean(axis=0)
    across -= (across @ body.up) * body.up
    return normalized(across) if np.linalg.norm(across) > 0.01 * body.size else None


def _width(body: Body, lateral: Array, pairs: Sequence[Pair]) -> float:
    """How far apart the pairs are: a body is longer than wide."""
    return float(sum((body.positions[pair.first] - body.positions[pair.second]) @ lateral for pair in pairs))


def _pairs(body: Body, lateral: Array) -> list[Pair]:
    """Pairs of children that mirror each other, from the roots down the trunk; limbs are not searched further."""
    found: list[Pair] = []
    trunk = [i for i, parent in enumerate(body.parents) if parent < 0]
    for joint in trunk:
        free = dict.fromkeys(body.children[joint])
        for _, a, b in sorted(_alike(body, [*free], lateral)) if len(free) <= _MAX_LIMBS else ():
            if a in free and b in free:
                del free[a], free[b]
                a_side, b_side = (_centre(body, one) @ lateral for one in (a, b))
                found.append(Pair(joint, a, b) if a_side > b_side else Pair(joint, b, a))
        trunk += free
    return found


def _centre(body: Body, joint: int) -> Array:
    return body.positions[body.below(joint)].mean(axis=0)


def _alike(body: Body, joints: list[int], lateral: Array) -> Iterator[tuple[float, int, int]]:
    """(difference, a, b) of the subtrees at children `joints` of one joint that are nearly mirror images; the
    difference is a share of the figure's size.
    """
    if len(joints) < 2:
        return
    plane = body.positions[body.parents[joints[0]]] @ lateral
    ends = np.array([[body.positions[j], _centre(body, j), _far_end(body, j)] for j in joints])
    mirrored = ends - 2 * (ends @ lateral - plane)[..., None] * lateral
    offsets = ends[:, 1] @ lateral - plane
    counts = np.array([body.counts[j] for j in joints])
    beside = np.abs(offsets) >= 0.01 * body.size
    for k, a in enumerate(joints[:-1]):
        others = slice(k + 1, None)
        gaps = np.linalg.norm(mirrored[k] - ends[others], axis=-1).max(axis=-1) / body.size
        least, most = np.minimum(counts[k], counts[others]), np.maximum(counts[k], counts[others])
        fits = beside[k] & beside[others] & (offsets[k] * offsets[others] < 0) & (least >= 0.7 * most)
        for n in np.flatnonzero(fits & (gaps < _MIRROR_TOLERANCE)).tolist():
            yield float(gaps[n]), a, joints[k + 1 + n]


def _far_end(body: Body, joint: int) -> Array:
    below = body.below(joint)
    return body.positions[max(below, key=lambda one: body.distance(joint, one))]


def _standing(body: Body, pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs that reach down to the ground and can move, unlike bumpers and sensors of robots on wheels."""
    ground = min((float(body.lowest[pair.first]) for pair in pairs), default=0.0)
    height = float(body.heights.max()) - ground or 1.0
    found = []
    for pair in pairs:
        low = max(body.lowest[pair.first], body.lowest[pair.second]) - ground
        down = max(body.heights[pair.first], body.heights[pair.parent]) - ground - low
        moves = body.moves_on[pair.first] and body.moves_on[pair.second]
        if moves and low < _NEAR_GROUND * height and down > _LEAST_DESCENT * height:
            found.append(pair)
    legs = [pair for pair in found if not _are_arms(body, pair)]
    if legs and all(_lies(body, pair) for pair in legs):  # of a person on the back, whose arms do not stand
        found = legs
    if not found:
        spread = [pair for pair in pairs if _lies(body, pair) and not _are_arms(body, pair)]
        return spread if len(spread) > 1 and _are_limbs(body, spread) else []
    return [] if len(found) == 1 and _are_arms(body, found[0]) else found


def _lies(body: Body, pair: Pair) -> bool:
    """Whether both limbs are nearly level at rest, as the legs of simulated ants, folded robots and lying persons."""
    for first in (pair.first, pair.second):
        below = body.below(first)
        points = np.concatenate([body.positions[below], *(body.tips[joint] for joint in below)])
        if np.ptp(points @ body.up) > _LEVEL * np.linalg.norm(np.ptp(points, axis=0)):
            return False
    return True


def _are_limbs(body: Body, pairs: Sequence[Pair]) -> bool:
    """Whether each has two moving joints with a bone between them, unlike wheels, rotors and flaps."""
    for joint in (one for pair in pairs for one in (pair.first, pair.second)):
        moving = [one for one in body.below(joint) if body.definitions[one].kind != "fixed"]
        if max((body.distance(moving[0], one) for one in moving), default=0.0) < _LEAST_BONE * body.size:
            return False
    return True


def _are_arms(body: Body, pair: Pair) -> bool:
    """Whether names show that the only pair that hangs down is the arms of a robot without legs."""
    said = [body.words[joint] for joint in (*body.below(pair.first), *body.below(pair.second))]
    arms = sum(word.part in _ARM_WORDS and not word.row for word in said)
    return arms > sum(word.part in LEG_WORDS for word in said)


_ARM_WORDS = {"upper_arm", "lower_arm", "arm", "elbow", "shoulder", "hand", "wrist", "palm", "finger", *FINGERS}
LEG_WORDS = {"upper_leg", "lower_leg", "leg", "foot", "ankle", "hips", "toes"}

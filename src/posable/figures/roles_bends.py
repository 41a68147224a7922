"""Roles of one limb from its shape alone: where a leg and an arm bend."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise

import numpy as np

from posable.figures.roles_body import Body
from posable.figures.roles_shape import Shape, line_of
from posable.spatial import Array, normalized

_LOW = 0.33  # an ankle lies below this share of the hip's height
_STRAIGHT = 0.97  # the cosine within which a bone goes on as the one before: half a shin, no foot
_SHOULDER_HINGES = 3


def leg_roles(body: Body, shape: Shape, joint: int) -> dict[str, int]:
    """upper_leg, lower_leg, foot and toes on the limb that begins at `joint`."""
    line = line_of(body, joint)
    ankle = _ankle(body, line)
    end = ankle if ankle is not None else len(line)
    plane = body.places[body.parents[joint]] @ shape.lateral
    out = np.abs(body.places[line] @ shape.lateral - plane)
    hip = int(np.argmax(out >= 0.2 * out[min(end, len(line) - 1)]))
    if end - hip < 2:
        return {}
    knee = _middle(body, line, hip, end)
    found = {"upper_leg": line[knee - 1] if body.hinged[line[hip]] else line[hip], "lower_leg": line[knee]}
    if ankle is None:
        return found
    foot = body.last_of_run(line[ankle])
    beyond = [one for one in line[line.index(foot) + 1 :] if body.distance(foot, one) > 0.01 * body.size]
    return found | {"foot": foot} | ({"toes": beyond[0]} if beyond else {})


def _ankle(body: Body, line: Sequence[int]) -> int | None:
    """The index of the first low joint that is not just halfway down the shin."""
    heights = body.heights[list(line)] - body.lowest[line[0]]
    low = [int(k) for k in np.flatnonzero(heights < _LOW * heights.max()) if k >= 2]
    for k in low:
        if k + 1 == len(line) or not _goes_straight_on(body, line, k):
            return k
    return low[0] if low else None


def _goes_straight_on(body: Body, line: Sequence[int], k: int) -> bool:
    before, at, after = body.places[list(line[k - 1 : k + 2])]
    far = np.linalg.norm(after - at) > 0.3 * np.linalg.norm(at - before)
    return bool(far and normalized(at - before) @ normalized(after - at) > _STRAIGHT)


def _middle(body: Body, line: Sequence[int], start: int, end: int) -> int:
    """The index between `start` and `end` nearest to half the way, of hinges at one place the last.

    Beyond the last joint lies its tip.
    """
    points = [body.places[joint] for joint in line[start : end + 1]]
    if end == len(line):
        points.append(body.tips[line[-1]][0] if len(body.tips[line[-1]]) else points[-1])
    along = np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))
    off = np.abs(along[:-1] - 0.5 * along[-1])
    nearest = np.flatnonzero(off <= off.min() + 1e-3 * body.size)
    return start + 1 + int(nearest[-1] if body.hinged[line[start]] else nearest[0])


def arm_roles(body: Body, shape: Shape, joint: int) -> dict[str, int]:
    """shoulder, upper_arm, lower_arm and hand on the limb that begins at `joint`."""
    line = line_of(body, joint)
    if len(line) < 3:
        return {}
    if all(body.hinged[one] for one in line[:_SHOULDER_HINGES]):
        return _hinged_arm(body, line)
    steps = np.array([body.distance(a, b) for a, b in pairwise(line)])
    hand = _wrist(body, line, steps)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    out = np.abs((body.places[line] - body.places[body.parents[joint]]) @ shape.lateral)
    first = int(hand >= 3 and out[0] < 0.5 * out[1])  # a collar bone begins near the middle
    options = [
        (_balance(along[j] - along[i], along[hand] - along[j]), i, j) for i, j in combinations(range(first, hand), 2)
    ]
    _, upper, elbow = max(options)
    found = {"upper_arm": line[upper], "lower_arm": line[elbow], "hand": line[hand]}
    beside = [one for one, offset in zip(line[:upper], out, strict=False) if offset > 0.01 * body.size]
    return ({"shoulder": (beside or line)[0]} | found) if upper else found


def _hinged_arm(body: Body, line: Sequence[int]) -> dict[str, int]:
    """A robot's arm: of the hinges at shoulder, elbow and wrist the last each."""
    moving = [k for k, joint in enumerate(line) if body.hinged[joint]]
    if len(moving) <= _SHOULDER_HINGES + 1:
        return {"upper_arm": line[moving[-2]], "lower_arm": line[moving[-1]]}
    elbow = _middle(body, line, 0, moving[-1])
    return {"upper_arm": line[elbow - 1], "lower_arm": line[elbow], "hand": line[moving[-1]]}


def _balance(first: float, second: float) -> float:
    """Large for two long bones of like length."""
    return (min(first, second) / max(first, second, 1e-12)) ** 2 * (first + second)


def _wrist(body: Body, line: Sequence[int], steps: Array) -> int:
    """Where the fingers part, if they begin near there; else the first joint after which all bones are short."""
    for k in range(2, len(line)):
        fingers = [body.distance(line[k], child) for child in body.children[line[k]]]
        if len(fingers) > 2 and np.median(fingers) < 0.6 * steps[:k].max():
            return k
    return next(k for k in range(2, len(line)) if (steps[k:] < 0.5 * steps.max()).all())

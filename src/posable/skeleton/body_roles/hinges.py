"""Limbs of single-axis joints, as robots have them: several hinges make one hip, one elbow or one wrist."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise

import numpy as np

from posable.skeleton.body_roles.skeleton_facts import SAME_PLACE, Body
from posable.spatial import Array, normalized

_LEAST_HINGES, _HINGED_SHARE = 3, 0.6  # of a robot's limb: number of hinges, and their share of its joints
_WRIST_DISTANCE = 0.5  # of the forearm: hinges this near belong to the wrist
_LEAST_LIKE = 0.5  # of the longer: bones of a thigh and a shin are at least as long
_ALONG_BONE = 0.7  # the cosine above which an axis lies along a bone


def line_of(body: Body, joint: int) -> list[int]:
    """The longest chain below `joint` of joints that are part of the body or its ends."""
    lengths = dict.fromkeys(body.below(joint), 0.0)
    worth = dict.fromkeys(lengths, 0)  # 2 with a part of the body below, 1 with an end
    for one in reversed(lengths):
        worth[one] = 2 if body.bodily[one] else max(worth[one], int(body.uses[one][0] == "end"))
        for child in body.children[one]:
            worth[one] = max(worth[one], worth[child])
            if worth[child]:
                lengths[one] = max(lengths[one], lengths[child] + body.distance(one, child))
    line = [joint]
    while going_on := [child for child in body.children[line[-1]] if worth[child]]:
        line.append(max(going_on, key=lambda c: (worth[c], lengths[c] + body.distance(line[-1], c))))
    return line


def bones_of(body: Body, line: Sequence[int]) -> list[int]:
    """Those joints of a line that are part of the body or its ends, without groups and other helpers between them.

    A twist bone is left out if another joint is named after the same part: the roll joint of an ankle may be the
    ankle. Fixed frames of robots stay.
    """
    if any(body.hinged[joint] for joint in line):
        return [*line]
    bodily = [joint for joint in line if body.bodily[joint] or body.uses[joint][0] == "end"]
    parts = {body.words[joint].part for joint in bodily} | {""}
    return [
        joint
        for joint in line
        if joint in bodily or (body.uses[joint][0] == "twist" and body.words[joint].part not in parts)
    ]


def is_hinged(body: Body, line: Sequence[int]) -> bool:
    """Whether most joints of a limb rotate about single axes."""
    hinges = sum(body.hinged[joint] for joint in line)
    return hinges >= _LEAST_HINGES and hinges > _HINGED_SHARE * sum(
        body.definitions[joint].kind != "fixed" for joint in line
    )


def hinged_limb(body: Body, line: Sequence[int]) -> list[int]:
    """The last hinge of hip (or shoulder), the hinge of the knee (or elbow), the last of the ankle (or wrist).

    Coincident hinges are one part, and a hinge along the bone belongs to the part above it. The knee is where the two
    longest bones of similar length meet.
    """
    fork = next((k for k, one in enumerate(line) if sum(body.moves_on[c] for c in body.children[one]) > 1), len(line))
    moving = [joint for joint in line[: fork + 1] if body.bodily[joint] and body.hinged[joint]]
    tolerance = SAME_PLACE * sum(body.distance(a, b) for a, b in pairwise(line))
    places: list[list[int]] = []
    for joint in moving:
        same = places and body.distance(places[-1][0], joint) < tolerance
        if places and (same or not bends(body, line, joint, tolerance)):
            places[-1].append(joint)
        else:
            places.append([joint])
    at = [place[0] for place in places]
    if len(moving) <= _LEAST_HINGES + 1 and not _ends_in_hinge(body, at):
        return moving[-2:]  # hip and knee of a leg that ends in a point, an arm without a wrist
    if len(places) < 3:
        return []
    options = [
        (balance(body.distance(at[i], at[j]), body.distance(at[j], at[k])), i, j, k)
        for i, j, k in combinations(range(len(at)), 3)
    ]
    _, _, middle, end = max(options)
    far = _WRIST_DISTANCE * body.distance(at[middle], at[end])
    while end + 1 < len(at) and body.distance(at[end], at[end + 1]) < far:
        end += 1
    knee = next(joint for joint in places[middle][::-1] if joint == at[middle] or bends(body, line, joint, tolerance))
    above = [joint for joint in places[middle - 1] if body.distance(joint, knee) > tolerance]
    return [(above or places[middle - 1])[-1], knee, places[end][-1]]


def _ends_in_hinge(body: Body, at: Sequence[int]) -> bool:
    """Whether the last of a few hinges is an ankle or a wrist: the two bones before it are alike, more than the last of
    these and what is beyond the hinge.
    """
    if len(at) < 3:
        return False
    upper, lower = (body.distance(one, other) for one, other in pairwise(at[-3:]))
    below = body.below(at[-1])
    ends = np.concatenate([body.positions[below], *(body.tips[joint] for joint in below)])
    beyond = float(np.linalg.norm(ends - body.positions[at[-1]], axis=1).max())
    alike = min(upper, lower) > _LEAST_LIKE * max(upper, lower)
    return alike and balance(upper, lower) > balance(lower, beyond)


def bends(body: Body, line: Sequence[int], joint: int, tolerance: float) -> bool:
    """Whether a hinge bends its limb rather than twisting it about the next bone."""
    after = [one for one in line[line.index(joint) + 1 :] if body.distance(joint, one) > tolerance]
    if not after:
        return True
    bone = normalized(body.positions[after[0]] - body.positions[joint])
    axis = body.frames[joint, :3, :3] @ np.array(body.definitions[joint].axes[0].direction)
    return bool(abs(normalized(axis) @ bone) < _ALONG_BONE)


def balance(first: float, second: float) -> float:
    """A score that is large for two long bones of similar length."""
    return (min(first, second) / max(first, second, 1e-12)) ** 2 * (first + second)


_ONE_SIDED_RATIO = 3.0  # least ratio of a hinge's two limits


def swing(body: Body, hinge: int, end: int) -> Array:
    """The velocity of `end` when a hinge moves towards its farther limit; zeros where the limits are alike."""
    axis = body.definitions[hinge].axes[0] if body.hinged[hinge] else None
    if axis is None or not np.isfinite([axis.lower, axis.upper]).all():
        return np.zeros(3)
    low, high = max(-axis.lower, 0.0), max(axis.upper, 0.0)
    if max(low, high) < _ONE_SIDED_RATIO * min(low, high):
        return np.zeros(3)
    direction = body.frames[hinge, :3, :3] @ np.array(axis.direction) * (1.0 if high > low else -1.0)
    return np.asarray(np.cross(direction, body.positions[end] - body.positions[hinge]), float)

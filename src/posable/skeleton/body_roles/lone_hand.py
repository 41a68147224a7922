"""A figure that is one hand: its fingers by name, or by shape: several in a row, and a thumb apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from posable.skeleton.body_roles.hinges import swing
from posable.skeleton.body_roles.naming import finger_bones, joints_named, named_roles
from posable.skeleton.body_roles.skeleton_facts import Body
from posable.skeleton.body_roles.words import FINGERS, sides_said
from posable.spatial import Array, normalized

HAND_WORDS = (*FINGERS, "finger", "palm")
_OF_ARM = {
    "", *HAND_WORDS, "hand", "wrist", "lower_arm", "elbow", "upper_arm", "arm", "shoulder", "clavicle",
}  # fmt: skip
_LEAST_FINGERS = 3  # that are found by names
_SIDE_MAJORITY = 0.7  # of the names that state a side
_ROW_SIZES = (3, 4)  # fingers beside each other, if names give none
_PARALLEL_COSINE = 0.85  # of each finger to the mean direction, at least
_ROW_COSINE = 0.6  # of the row to the mean direction, at most
_LENGTH_RATIO = 0.4  # of the shortest finger to the longest, at least
_ROW_THICKNESS = 0.35  # of the row, relative to its width, at most
_GAP_RATIO = 0.3  # of the least gap to the largest, at least: legs stand in pairs
_THUMB_COSINE = 0.9  # to the fingers, below which it is a thumb
_THUMB_BEHIND = 0.25  # of the fingers' length: a thumb may instead begin this far behind them
_THUMB_BESIDE = 0.5  # of half the row's width: least distance of a thumb from the middle of the row
_PALM_BY_LIMITS = 0.4  # least component of the palm's direction out of the plane of its fingers, by limits
_PALM_BY_BEND = 0.1  # the same by fingers bent at rest

Line = Sequence[int]


@dataclass(frozen=True)
class Hand:
    """The roles of a hand alone.

    Args:
        joints: Role to joint.
        is_named: Whether names give the fingers.
        in_row: Whether they are arranged like those of a hand.
        side_by: The evidence for left or right: "name and shape", "name", "name against shape", "limits", "bend" or "".
    """

    joints: Mapping[str, int]
    is_named: bool
    in_row: bool
    side_by: str


def hand_of(body: Body) -> Hand | None:
    """The hand, if the whole figure is one hand, with or without an arm; None otherwise."""
    own = [joint for joint in range(len(body.parents)) if body.bodily[joint]]
    if any(not body.said_of(joint) <= _OF_ARM or body.words[joint].row for joint in own):
        return None
    said = sides_said(
        name for joint in own for name in (body.definitions[joint].name, *body.definitions[joint].aliases)
    )
    side = max(said, key=said.__getitem__, default="")
    if side and said[side] < _SIDE_MAJORITY * said.total():
        side = ""
    return _by_name(body, side, said.total() > 0) or _by_shape(body, side)


def is_one_hand(body: Body) -> bool:
    """Whether all joints named as fingers belong to one hand or arm."""
    fingers = [joint for joint, word in enumerate(body.words) if word.part in HAND_WORDS]
    meeting = body.meeting(fingers) if fingers else None
    return meeting is not None and body.words[meeting].part in ("hand", "wrist", "palm", "arm", "lower_arm")


# By name.


def _by_name(body: Body, side: str, is_sided: bool) -> Hand | None:
    if is_sided and not side:
        return None
    one = replace(
        body,
        words=tuple(replace(word, side="r") for word in body.words),
        aliases=tuple(tuple(replace(word, side="r") for word in some) for some in body.aliases),
    )
    given = {finger: [joint for joint in joints_named(one, finger, "r") if body.bodily[joint]] for finger in FINGERS}
    given = {finger: joints for finger, joints in given.items() if joints}
    named = {role[:-2]: joint for role, joint in named_roles(one).items() if role.endswith("_r")}
    lone = [joints for joints in given.values() if len({body.parents[joint] for joint in joints}) == 1 < len(joints)]
    if lone and len(lone) == len(given) and "hand" in named:
        fingers = {finger: _from(body, named["hand"], joints) for finger, joints in given.items()}
    elif any(not _in_line(body, joints) for joints in given.values()):
        return None  # of two hands
    else:
        fingers = {
            finger: [named[f"{finger}_{k}"] for k in (1, 2, 3) if f"{finger}_{k}" in named] for finger in FINGERS
        }
    fingers = {finger: line for finger, line in fingers.items() if line}
    hand = _carrier(body, named.get("hand"), [line[0] for line in fingers.values()])
    counted = set(fingers) - set(given)  # only numbered, where the first need not be the thumb
    if len(fingers) < (len(FINGERS) if counted else _LEAST_FINGERS) or hand is None or not (side or "thumb" in fingers):
        return None
    above = {part: named[part] for part in ("upper_arm", "lower_arm") if part in named and named[part] != hand}
    return _sided(body, {**above, "hand": hand}, fingers, side, is_named=True)


def _from(body: Body, hand: int, joints: Line) -> list[int]:
    """The bones of a finger that do not hang on each other, from the palm on."""
    bones = [
        joint for joint in joints if body.words[joint].part == "thumb" or "metacarpal" not in body.words[joint].words
    ]
    return sorted(bones, key=lambda joint: body.distance(hand, joint))[:3]


def _in_line(body: Body, joints: Line) -> bool:
    ordered = sorted(joints, key=lambda joint: len(body.chain(joint)))
    return all(body.is_above(a, b) for a, b in pairwise(ordered))


def _carrier(body: Body, named: int | None, bases: Line) -> int | None:
    """The joint of the hand: the named one, or the last hinge that carries all fingers."""
    meeting = body.meeting(bases) if bases else None
    if named is None or (meeting is not None and body.hinged[named] and body.is_above(named, meeting)):
        return meeting
    return named


# By shape.


def _by_shape(body: Body, side: str) -> Hand | None:
    moving = [joint for joint, moves in enumerate(body.moves_on) if moves and body.bodily[joint]]
    ends = [joint for joint in moving if not any(body.moves_on[child] for child in body.children[joint])]
    palm = body.meeting(ends) if ends else None
    if palm is None or not _ROW_SIZES[0] < len(ends) <= _ROW_SIZES[1] + 1:
        return None
    roots = [child for child in body.children[palm] if body.moves_on[child]]
    lines = [_line(body, child, palm) for child in roots]
    if len(lines) != len(ends) or any(len(line) < 2 for line in lines):
        return None
    found: list[tuple[float, int]] = []
    for k, thumb in enumerate(lines):
        row = lines[:k] + lines[k + 1 :]
        if _are_in_row(body, row) and _is_apart(body, thumb, row):
            found.append((float((_ways(body, row) @ normalized(_ways(body, row).mean(axis=0))).min()), k))
    if not found:
        return None
    which = max(found)[1]
    thumb = _line(body, roots[which], None)
    del lines[which]
    across = _across(body, lines)
    lines.sort(key=lambda line: float(body.positions[line[0]] @ across))
    if body.distance(thumb[0], lines[0][0]) > body.distance(thumb[0], lines[-1][0]):
        lines.reverse()
    return _sided(body, {"hand": palm}, dict(zip(FINGERS, [thumb, *lines], strict=False)), side, is_named=False)


def _line(body: Body, joint: int, palm: int | None) -> list[int]:
    """The bones of the finger that begins at `joint`, without that in the palm. palm: None for a thumb."""
    line = [joint]
    while following := [child for child in body.children[line[-1]] if body.moves_on[child]]:
        line.append(following[0])
    return finger_bones(body, [one for one in line if body.definitions[one].kind != "fixed"], palm)


def _ways(body: Body, lines: Sequence[Line]) -> Array:
    """`[line, 3]` unit vectors along fingers."""
    return normalized(np.array([body.positions[line[-1]] - body.positions[line[0]] for line in lines]))


def _across(body: Body, lines: Sequence[Line]) -> Array:
    bases = body.positions[[line[0] for line in lines]]
    return np.linalg.svd(bases - bases.mean(axis=0))[2][0]


def _are_in_row(body: Body, lines: Sequence[Line]) -> bool:
    """Whether these lie beside each other like fingers: parallel, of similar length, evenly spaced in a row."""
    bases = body.positions[[line[0] for line in lines]]
    lengths = [body.distance(line[0], line[-1]) for line in lines]
    if len(lines) < 2 or min(lengths) <= _LENGTH_RATIO * max(lengths):
        return False
    ways, spread = _ways(body, lines), np.linalg.svd(bases - bases.mean(axis=0), compute_uv=False)
    across, mean = _across(body, lines), normalized(ways.mean(axis=0))
    gaps = np.diff(np.sort(bases @ across))
    parallel = (ways @ mean).min() > _PARALLEL_COSINE and abs(across @ mean) < _ROW_COSINE
    return bool(parallel and spread[1] < _ROW_THICKNESS * spread[0] and gaps.min() > _GAP_RATIO * gaps.max())


def _is_apart(body: Body, thumb: Line, row: Sequence[Line]) -> bool:
    """Whether this chain is beside a row of fingers and points in another direction, or begins behind them."""
    mean, bases = normalized(_ways(body, row).mean(axis=0)), body.positions[[line[0] for line in row]]
    behind = (bases.mean(axis=0) - body.positions[thumb[0]]) @ mean
    length = np.mean([body.distance(line[0], line[-1]) for line in row])
    along = (bases - bases.mean(axis=0)) @ _across(body, row)
    aside = abs((body.positions[[*thumb]].mean(axis=0) - bases.mean(axis=0)) @ _across(body, row))
    elsewhere = _ways(body, [thumb])[0] @ mean < _THUMB_COSINE or behind > _THUMB_BEHIND * length
    return bool(elsewhere and aside > _THUMB_BESIDE * np.abs(along).max())


# Left or right.


def _sided(body: Body, arm: Mapping[str, int], fingers: Mapping[str, Line], side: str, *, is_named: bool) -> Hand:
    row = [line for finger, line in fingers.items() if finger != "thumb" and len(line) > 1]
    in_row = len(row) > 1 and _are_in_row(body, row)
    shown, by = _side_shown(body, fingers.get("thumb", ()), row) if in_row else ("", "")
    if side:
        by = "name" if not shown else "name and shape" if shown == side else "name against shape"
    side = side or shown or "r"
    bones = {f"{finger}_{k}": joint for finger, line in fingers.items() for k, joint in enumerate(line, 1)}
    joints = {f"{part}_{side}": joint for part, joint in {**arm, **bones}.items()}
    return Hand(joints, is_named, in_row, by)


def _side_shown(body: Body, thumb: Line, row: Sequence[Line]) -> tuple[str, str]:
    """(side, evidence): by the direction in which limits let the fingers bend, else by their bend at rest."""
    towards_thumb = body.positions[row[0][0]] - body.positions[row[-1][0]]
    normal = normalized(np.cross(_ways(body, row).mean(axis=0), towards_thumb))
    swings = sum((swing(body, joint, line[-1]) for line in row for joint in line[:-1]), np.zeros(3))
    palm = float(normal @ swings) / max(float(np.linalg.norm(swings)), 1e-12)
    if abs(palm) > _PALM_BY_LIMITS:
        return ("l" if palm > 0 else "r"), "limits" if len(row) >= _ROW_SIZES[0] else "bend"
    bent = float(np.mean([_bent(body, line) @ normal for line in row]))
    if thumb:
        off = body.positions[thumb[-1]] - body.positions[[line[0] for line in row]].mean(axis=0)
        bent += float(off @ normal) / float(np.mean([body.distance(line[0], line[-1]) for line in row]))
    return ("", "") if abs(bent) < _PALM_BY_BEND else (("l" if bent > 0 else "r"), "bend")


def _bent(body: Body, line: Line) -> Array:
    """From the middle of a finger to the line between its ends, as a share of its length: into the palm."""
    first, last = body.positions[line[0]], body.positions[line[-1]]
    middle = body.positions[[*line[1:-1]]].mean(axis=0) if len(line) > 2 else (first + last) / 2
    along = normalized(last - first)
    off = middle - first - ((middle - first) @ along) * along
    return -off / max(float(np.linalg.norm(last - first)), 1e-12)

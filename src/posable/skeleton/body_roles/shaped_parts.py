"""Roles from shape alone: where a leg and an arm bend, and the parts between legs, arms and the top."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise

import numpy as np

from posable.skeleton.body_roles.hinges import balance, bones_of, hinged_limb, is_hinged, line_of
from posable.skeleton.body_roles.shape import Shape
from posable.skeleton.body_roles.skeleton_facts import Body
from posable.spatial import Array, normalized

_ANKLE_HEIGHT = 0.33  # an ankle lies below this share of the hip's height
_STRAIGHT_COSINE = 0.97  # from which a bone continues the one before: half a shin, not a foot
_FINGER_DISTANCE = 0.75  # of the longest bone of an arm: fingers are nearer to the hand
_COLLAR_BONE_LENGTH = 0.7  # of the bones after it: a shorter first bone of an arm of three is the collar bone
_HIP_BONE_LENGTH = 0.25  # of the thigh: a shorter bone before it belongs to the hip


def leg_roles(body: Body, shape: Shape, joint: int) -> dict[str, int]:
    """upper_leg, lower_leg, foot and toes on the limb that begins at `joint`."""
    line = line_of(body, joint)
    if is_hinged(body, line):
        found = hinged_limb(body, line)
        return dict(zip(("upper_leg", "lower_leg", "foot"), found, strict=False))
    line = bones_of(body, line)
    ankle = _ankle(body, line)
    end = ankle if ankle is not None else len(line)
    plane = body.positions[body.parents[joint]] @ shape.lateral
    out = np.abs(body.positions[line] @ shape.lateral - plane)
    hip = int(np.argmax(out >= 0.2 * out[min(end, len(line) - 1)]))
    if end - hip < 2:
        return {}
    knee = _middle(body, line, hip, end)
    hip = _past_hip_bones(body, shape, line, hip, knee)
    found = {"upper_leg": line[hip], "lower_leg": line[knee]}
    if ankle is None:
        return found
    foot = line[ankle]
    beyond = [one for one in line[ankle + 1 :] if body.bodily[one] and body.distance(foot, one) > 0.01 * body.size]
    return found | {"foot": foot} | ({"toes": beyond[0]} if beyond else {})


def _past_hip_bones(body: Body, shape: Shape, line: Sequence[int], hip: int, knee: int) -> int:
    """The index of the thigh: bones before it are short, or go out to the side."""
    while hip + 1 < knee:
        bone = body.positions[line[hip + 1]] - body.positions[line[hip]]
        sideways = abs(bone @ shape.lateral) > 0.9 * np.linalg.norm(bone)
        if not sideways and np.linalg.norm(bone) > _HIP_BONE_LENGTH * body.distance(line[hip + 1], line[knee]):
            break
        hip += 1
    return hip


def _ankle(body: Body, line: Sequence[int]) -> int | None:
    """The index of the first low joint that is not just halfway down the shin."""
    heights = body.heights[list(line)] - body.lowest[line[0]]
    low = [int(k) for k in np.flatnonzero(heights < _ANKLE_HEIGHT * heights.max()) if k >= 2]
    for k in low:
        if k + 1 == len(line) or not _goes_straight_on(body, line, k):
            return k
    return low[0] if low else None


def _goes_straight_on(body: Body, line: Sequence[int], k: int) -> bool:
    before, at, after = body.positions[list(line[k - 1 : k + 2])]
    far = np.linalg.norm(after - at) > 0.3 * np.linalg.norm(at - before)
    return bool(far and normalized(at - before) @ normalized(after - at) > _STRAIGHT_COSINE)


def _middle(body: Body, line: Sequence[int], start: int, end: int) -> int:
    """The index between `start` and `end` closest to the middle of the chain.

    Beyond the last joint lies its tip.
    """
    points = [body.positions[joint] for joint in line[start : end + 1]]
    if end == len(line):
        points.append(body.tips[line[-1]][0] if len(body.tips[line[-1]]) else points[-1])
    along = np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))
    off = np.abs(along[:-1] - 0.5 * along[-1])
    return start + 1 + int(np.flatnonzero(off <= off.min() + 1e-3 * body.size)[0])


def arm_roles(body: Body, shape: Shape, joint: int) -> dict[str, int]:
    """shoulder, upper_arm, lower_arm and hand on the limb that begins at `joint`."""
    line = line_of(body, joint)
    hinged = is_hinged(body, line)
    line = line if hinged else bones_of(body, line)
    out = np.abs((body.positions[line] - body.positions[body.parents[joint]]) @ shape.lateral)
    collar = int(len(line) > 1 and out[0] < 0.5 * out[1])  # a collar bone begins near the middle
    if len(line) == 2 + collar and ends_at_wrist(body, line[-2], line[-1], _FINGER_DISTANCE):
        return dict(zip(("upper_arm", "lower_arm"), line[collar:], strict=True)) | (
            {"shoulder": line[0]} if collar else {}
        )
    if len(line) < 3:
        return {}
    if hinged:
        return dict(zip(_ARM_PARTS, hinged_limb(body, line), strict=False))
    steps = np.array([body.distance(a, b) for a, b in pairwise(line)])
    hand = _wrist(body, line, steps)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    first = int(collar or _COLLAR_BONE_LENGTH * steps[1:hand].min() > steps[0]) if hand >= 3 else 0
    options = [
        (balance(along[j] - along[i], along[hand] - along[j]), i, j) for i, j in combinations(range(first, hand), 2)
    ]
    _, upper, elbow = max(options)
    found = {"upper_arm": line[upper], "lower_arm": line[elbow], "hand": line[hand]}
    beside = [one for one, offset in zip(line[:upper], out, strict=False) if offset > 0.01 * body.size]
    return ({"shoulder": (beside or line)[0]} | found) if upper else found


def ends_at_wrist(body: Body, upper: int, lower: int, least: float) -> bool:
    """Whether a limb ends with its second bone, as long as the first up to where a hand would be, within a factor."""
    ends = body.tips[lower]
    if not len(ends) or any(body.bodily[joint] for joint in body.below(lower) if joint != lower):
        return False
    length, far = body.distance(upper, lower), float(np.linalg.norm(ends - body.positions[lower], axis=1).max())
    return least * length < far < length / least


_ARM_PARTS = ("upper_arm", "lower_arm", "hand")


def _wrist(body: Body, line: Sequence[int], steps: Array) -> int:
    """Where the fingers part, if they begin near there; else the first joint after which all bones are short."""
    for k in range(2, len(line)):
        fingers = [body.distance(line[k], c) for c in body.children[line[k]] if body.uses[c][0] != "twist"]
        if len(fingers) > 2 and np.median(fingers) < _FINGER_DISTANCE * steps[:k].max():
            return k
    return next(k for k in range(2, len(line)) if (steps[k:] < 0.5 * steps.max()).all())


# Hips, spine, chest, neck and head: the parts between the legs, the arms and the top.


Found = dict[str, int]


def trunk_roles(body: Body, limbs: Found) -> Found:
    """The roles of the trunk, given those of limbs and head in `limbs`; empty where neither legs nor arms are known."""
    legs = [limbs[role] for role in ("upper_leg_l", "upper_leg_r") if role in limbs]
    arms = [limbs.get(f"shoulder_{side}", limbs.get(f"upper_arm_{side}")) for side in "lr"]
    arms = [arm for arm in arms if arm is not None]
    below, above = _fork(body, legs), _fork(body, arms)
    if below is None:
        return {}
    head = limbs.get("head")
    if head is None and above is not None:
        head = _top(body, above, [*arms, *legs])
    upper = above if above is not None else head
    if upper is None:
        return {"hips": below}
    meeting = body.meeting([below, upper])
    if meeting is None:
        return {"hips": below}
    if meeting == upper and upper != below:  # the chest is the root, the pelvis its child
        upper = _carrier(body, upper)
        spine, neck = body.between(upper, below)[-2::-1], _necks(body, upper, head)
    else:
        below = meeting
        spine, neck = ([j for j in some if not _is_beside(body, j)] for some in _parted(body, below, upper, head))
    found = {"hips": below} | _spine(body, spine)
    found |= {"neck": neck[0]} if neck else {}
    return found | ({"head": head} if head is not None and head != below else {})


def _is_beside(body: Body, joint: int) -> bool:
    """Whether a joint of the trunk is a group or a twist bone rather than one of its bones."""
    return body.uses[joint][0] in ("helper", "twist")


def _carrier(body: Body, joint: int) -> int:
    """The nearest joint above a fixed one that moves it, else the joint itself."""
    return next((one for one in body.chain(joint)[::-1] if body.definitions[one].kind != "fixed"), joint)


def _fork(body: Body, limbs: Sequence[int]) -> int | None:
    """Where two limbs meet."""
    return body.meeting(limbs) if len(limbs) == 2 else None


def _top(body: Body, chest: int, limbs: Sequence[int]) -> int | None:
    """The last joint of the chain from the chest to the highest point outside the limbs."""
    lines = {joint for limb in limbs for joint in body.chain(limb)} | {j for limb in limbs for j in body.below(limb)}
    lines |= {joint for joint, word in enumerate(body.words) if word.part in ("jaw", "eye")}
    reach = {i: float(body.heights[body.below(i)].max()) for i in range(len(body.parents))}
    last = chest
    while options := [child for child in body.children[last] if child not in lines and body.moves_on[child]]:
        best = max(options, key=lambda child: (round(reach[child] / body.size, 3), body.counts[child]))
        if len(options) > 1 and last != chest:
            break  # a face parts here: this is the head
        last = best
    while last != chest and _stands_on(body, last):  # a face on its head
        last = body.parents[last]
    return last if last != chest else None


def _stands_on(body: Body, joint: int) -> bool:
    """Whether a joint coincides with the one above, which carries all that it does and more; never for hinges."""
    above = body.parents[joint]
    apart = body.hinged[joint] or not body.bodily[above] or body.hinged[above] or body.words[above].part == "neck"
    return not apart and body.distance(joint, above) < 0.01 * body.size


def _necks(body: Body, chest: int, head: int | None) -> list[int]:
    if head is None or not body.is_above(chest, head):
        return []
    return body.between(chest, head)[1:-1]


def _parted(body: Body, hips: int, chest: int, head: int | None) -> tuple[list[int], list[int]]:
    """Spine and neck joints between hips and head, divided where the names change, else where the arms branch off."""
    if head is None or not body.is_above(hips, head):
        return body.between(hips, chest)[1:], []
    way = body.between(hips, head)[1:-1]
    named = [k for k, joint in enumerate(way) if body.words[joint].part == "neck"]
    arms = [k for k, joint in enumerate(way) if joint == chest or not body.is_above(joint, chest)]
    split = named[0] if named else (arms[0] + (way[arms[0]] == chest) if arms else len(way))
    return way[:split], way[split:]


def _spine(body: Body, joints: Sequence[int]) -> Found:
    """spine, chest and upper_chest for any number of joints: the first, the middle, the last."""
    kept = [j for j in joints if body.words[j].part != "hips" and body.definitions[j].kind != "fixed"]
    ends = [j for k, j in enumerate(kept) if not (k + 1 < len(kept) and _one_place(body, j, kept[k + 1]))]
    chests = [joint for joint in ends if _is_chest(body, joint)]
    if not ends:
        return {}
    if len(ends) == 1:
        return {"chest" if chests or body.hinged[ends[0]] else "spine": ends[0]}
    if len(ends) == 2:
        return {"spine": ends[0], "upper_chest" if "chest" in body.words[ends[0]].words else "chest": ends[1]}
    return {"spine": ends[0], "chest": ends[len(ends) // 2], "upper_chest": ends[-1]}


def _one_place(body: Body, joint: int, after: int) -> bool:
    return body.hinged[joint] and body.hinged[after] and body.distance(joint, after) < 0.05 * body.size


def _is_chest(body: Body, joint: int) -> bool:
    return any(word.part == "chest" for word in (body.words[joint], *body.aliases[joint]))

"""Hips, spine, chest, neck and head: what lies between the legs, the arms and the top."""

from __future__ import annotations

from collections.abc import Sequence

from posable.figures.roles_body import Body

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
        head = _top(body, above, arms)
    upper = above if above is not None else head
    if upper is None:
        return {"hips": below}
    meeting = body.meeting([below, upper])
    if meeting is None:
        return {"hips": below}
    if meeting == upper and upper != below:  # the chest is the root, the pelvis hangs on it
        spine, neck = body.between(upper, below)[-2::-1], _necks(body, upper, head)
    else:
        below = meeting
        spine, neck = _parted(body, below, upper, head)
    found = {"hips": below} | _spine(body, spine)
    found |= {"neck": neck[0]} if neck else {}
    return found | ({"head": head} if head is not None and head != below else {})


def _fork(body: Body, limbs: Sequence[int]) -> int | None:
    """Where two limbs meet."""
    return body.meeting(limbs) if len(limbs) == 2 else None


def _top(body: Body, chest: int, arms: Sequence[int]) -> int | None:
    """The last joint of the way from the chest to the highest point that is not in an arm."""
    lines = {joint for arm in arms for joint in body.chain(arm)} | {j for arm in arms for j in body.below(arm)}
    reach = {i: float(body.heights[body.below(i)].max()) for i in range(len(body.parents))}
    last = chest
    while options := [child for child in body.children[last] if child not in lines]:
        best = max(options, key=lambda child: (round(reach[child] / body.size, 3), body.counts[child]))
        if len(options) > 1 and last != chest:
            break  # a face parts here: this is the head
        last = best
    return last if last != chest and body.skeleton.definitions[last].kind != "fixed" else None


def _necks(body: Body, chest: int, head: int | None) -> list[int]:
    if head is None or not body.is_above(chest, head):
        return []
    return body.between(chest, head)[1:-1]


def _parted(body: Body, hips: int, chest: int, head: int | None) -> tuple[list[int], list[int]]:
    """Spine and neck joints between hips and head: where the names change, else where the arms leave."""
    if head is None or not body.is_above(hips, head):
        return body.between(hips, chest)[1:], []
    way = body.between(hips, head)[1:-1]
    named = [k for k, joint in enumerate(way) if body.words[joint].part == "neck"]
    arms = [k for k, joint in enumerate(way) if joint == chest or not body.is_above(joint, chest)]
    split = named[0] if named else (arms[0] + (way[arms[0]] == chest) if arms else len(way))
    return way[:split], way[split:]


def _spine(body: Body, joints: Sequence[int]) -> Found:
    """spine, chest and upper_chest for any number of joints: the first, the middle, the last."""
    kept = [j for j in joints if body.words[j].part != "hips" and body.skeleton.definitions[j].kind != "fixed"]
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

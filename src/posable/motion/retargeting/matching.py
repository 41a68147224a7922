"""Rest poses made to match: what each part of the target must turn before its bones lie as the source's do at rest."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from posable.motion.retargeting.body import SIDES, Body
from posable.spatial import IDENTITY_WXYZ, Array, matrix_from_wxyz, wxyz_between, wxyz_multiply

_FINGERS = ("thumb", "index", "middle", "ring", "little")
_CHAINS = (("upper_leg", "lower_leg", "foot"), ("upper_arm", "lower_arm", "hand"))


def matching_turns(source: Body, target: Body) -> dict[str, Array]:
    """Role → turn `[3, 3]` in the figures' own axes (left, up, forward), identity where it is not named.

    Limbs are turned bone by bone, each by the smallest turn after those above it, so that a T-pose and an A-pose, or a
    bent and a straight arm, become the same. Feet turn about the vertical only: both stand flat at rest.
    """
    turns: dict[str, Array] = {}
    for side in SIDES:
        for chain in _CHAINS:
            _match_chain(source, target, [f"{part}_{side}" for part in chain], turns)
        _match_foot(source, target, side, turns)
        _match_hand(source, target, side, turns)
    return {role: matrix_from_wxyz(turn) for role, turn in turns.items()}


def _direction(body: Body, start: str, end: str) -> Array:
    """From one role to another at rest, in the figure's own axes."""
    return body.axes.T @ (body.place(end) - body.place(start))


def _match_chain(source: Body, target: Body, chain: list[str], turns: dict[str, Array]) -> None:
    above = IDENTITY_WXYZ
    for role, after in pairwise(chain):
        if not all(one in body.joints for one in (role, after) for body in (source, target)):
            continue
        above = _aligned(above, _direction(target, role, after), _direction(source, role, after))
        turns[role] = above
    if chain[-1] in target.joints:
        turns[chain[-1]] = above


def _aligned(above: Array, mine: Array, wanted: Array) -> Array:
    """The turn `above` and then the smallest that brings direction `mine` onto `wanted`."""
    turned = matrix_from_wxyz(above) @ mine
    if min(np.linalg.norm(turned), np.linalg.norm(wanted)) < 1e-9:
        return above
    return wxyz_multiply(wxyz_between(turned, wanted), above)


def _match_foot(source: Body, target: Body, side: str, turns: dict[str, Array]) -> None:
    foot, toes = f"foot_{side}", f"toes_{side}"
    turn = IDENTITY_WXYZ
    if all(role in body.joints for role in (foot, toes) for body in (source, target)):
        level = np.array([1.0, 0.0, 1.0])
        turn = _aligned(turn, _direction(target, foot, toes) * level, _direction(source, foot, toes) * level)
    turns[foot] = turns[toes] = turn


def _match_hand(source: Body, target: Body, side: str, turns: dict[str, Array]) -> None:
    """The hand by the roots of its fingers, the fingers joint by joint."""
    hand = f"hand_{side}"
    if not all(hand in body.joints for body in (source, target)):
        return
    knuckles = [
        f"{finger}_1_{side}"
        for finger in _FINGERS[1:]
        if all(f"{finger}_1_{side}" in body.joints for body in (source, target))
    ]
    if knuckles:
        mine, wanted = (np.mean([_direction(body, hand, one) for one in knuckles], axis=0) for body in (target, source))
        turns[hand] = _aligned(turns.get(hand, IDENTITY_WXYZ), mine, wanted)
    for finger in _FINGERS:
        chain = [f"{finger}_{k}_{side}" for k in (1, 2, 3)]
        above = turns.get(hand, IDENTITY_WXYZ)
        for role, after in zip(chain, [*chain[1:], ""], strict=True):
            if all(one in body.joints for one in (role, after) for body in (source, target)):
                above = _aligned(above, _direction(target, role, after), _direction(source, role, after))
            turns[role] = above

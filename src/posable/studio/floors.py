"""How low a drag takes a goal: to the ground that the figure stands on, at height 0."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

import posable
from posable.studio.document import Document, StudioGoal

_ON_GROUND = 0.03  # of the figure's height: the soles of one that stands are as near to height 0
_SEEN = 0.005  # of the same: what is less below the ground is not mentioned
_SQUAT = 0.5  # of the height of the hips at rest: at least so far down they are taken


def floors_of(document: Document) -> dict[str, float]:
    """The least height of each goal that is placed, by its name; empty unless the figure stands on level ground.

    Hips that sit have half of the distance between the hindmost legs below them; a foot is as high as it stands; other
    joints may touch the ground. Goals that go with something else have none.
    """
    if document.terrain["kind"] != "none" or document.demo:
        return {}
    known = _least_heights(document.figure)
    return {goal.name: known[goal.joint] for goal in document.goals if known and _is_placed(goal)}


def below_ground(document: Document) -> tuple[str, float]:
    """The goal that is set furthest below the ground, and how far; ("", 0) where none is."""
    floors, up = floors_of(document), "xyz".index(document.figure.skeleton.up)
    asked = [goal for goal in document.goals if goal.name in floors and goal.acts and goal.weight > 0]
    depth, name = max(((-goal.position[up], goal.name) for goal in asked), default=(0.0, ""))
    return (name, depth) if depth > _SEEN * document.figure.height else ("", 0.0)


def _is_placed(goal: StudioGoal) -> bool:
    return goal.kind in ("place", "reach") and goal.relative_to is None


@lru_cache(maxsize=16)
def _least_heights(figure: posable.Figure) -> dict[str, float]:
    """The least height of each joint; empty where the figure does not stand on height 0 at rest."""
    skeleton, soles = figure.skeleton, _soles_on_ground(figure)
    if len(soles) < 2:
        return {}
    up = "xyz".index(skeleton.up)
    heights = dict(zip(skeleton.joints, figure.rest.origins[:, up].tolist(), strict=True))
    least = {joint: min(height, 0.0) for joint, height in heights.items()}
    least |= {sole.foot: heights[sole.foot] for sole in soles}
    one, other = (figure.rest.origins[skeleton.index(sole.joints[0])] for sole in soles[-2:])
    seat = 0.5 * float(np.linalg.norm(one - other))
    return least | {joint: min(_SQUAT * heights[joint], seat) for joint in _seats(figure, soles[-2:])}


def _soles_on_ground(figure: posable.Figure) -> tuple[posable.motion.Sole, ...]:
    """The soles, where all are on height 0 at rest."""
    try:
        soles = posable.motion.soles(figure)
    except posable.PosableError:
        return ()
    up = "xyz".index(figure.skeleton.up)
    lowest = [abs(sole.corner_places(figure.rest)[:, up].min()) for sole in soles]
    return tuple(soles) if max(lowest, default=0.0) < _ON_GROUND * figure.height else ()


def _seats(figure: posable.Figure, soles: tuple[posable.motion.Sole, ...]) -> set[str]:
    """The joints by which the hips are moved: what carries these legs, and what is between hips and spine."""
    skeleton, roles = figure.skeleton, posable.roles(figure)
    found = set.intersection(*({*skeleton.chain(sole.joints[0])[:-1]} for sole in soles))
    spine = list(skeleton.chain(roles["spine"]))[:-1] if "spine" in roles else []
    hips = skeleton.index(roles["hips"]) if "hips" in roles else -1
    found |= set(spine[spine.index(hips) :] if hips in spine else [])
    return {skeleton.joints[joint] for joint in found}

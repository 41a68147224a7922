"""The ground that the figure stands on, at height 0: how it gets there, and how low a drag takes a goal."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

import posable
from posable.studio.company import figures_of
from posable.studio.document import Document, StudioGoal

_ON_GROUND = 0.03  # of the figure's height: the soles of one that stands are as near to height 0
_SEEN = 0.005  # of the same: what is less below the ground is not mentioned
_LOOKED_AT = 20  # poses of a clip
_PALM = 0.02  # of the same: so high is the wrist of a hand that lies on the ground
_SQUAT = 0.5  # of the height of the hips at rest: at least so far down they are taken


@lru_cache(maxsize=16)
def off_ground(figure: posable.Figure) -> float:
    """How far a figure with legs stands above the ground at rest, negative below; 0 for any other, and on the ground.

    The file of a robot or of motion capture often begins at the hips.
    """
    lowest = float(_lowest(figure, figure.rest))
    return lowest if abs(lowest) > _ON_GROUND * figure.height else 0.0


def put_on_ground(figure: posable.Figure) -> posable.Figure:
    """The figure with its soles at height 0 at rest, and a note of it; unchanged where its root cannot be moved.

    Coordinates of a free root are those in the world, so poses stay where they are; clips that are as far off the
    ground as the rest pose come along.
    """
    away = off_ground(figure)
    if away and figure.skeleton.definitions[0].kind == "fixed" and not figure.clips:
        figure = figure.with_root("free")
    root, *others = figure.skeleton.definitions
    if not away or not root.floating:
        return figure
    shift = np.zeros(figure.skeleton.coordinates)
    shift["xyz".index(figure.skeleton.up)] = -away
    x, y, z, *turn = (figure.rest.q + shift)[: root.coordinates].tolist()
    root = replace(root, position=(x, y, z), rest=None if root.rest is None else (x, y, z, *turn))
    clips = [replace(clip, q=clip.q + shift) if _goes_along(figure, clip, away) else clip for clip in figure.clips]
    put = replace(figure, clips=type(figure.clips)(clips))
    put = put.on(posable.Skeleton((root, *others), figure.skeleton.up))
    where = "below" if away < 0 else "above"
    note = f"its soles are {abs(away):.3g} {where} 0 in the file: it was put on the ground"
    return replace(put, notes=(*figure.notes, note))


def _goes_along(figure: posable.Figure, clip: posable.Clip, away: float) -> bool:
    """Whether a clip is as far off the ground as the rest pose, rather than on it."""
    some = np.linspace(0, len(clip.q) - 1, min(len(clip.q), _LOOKED_AT)).round().astype(int)
    lowest = float(np.median(_lowest(figure, posable.Pose(clip.skeleton, clip.q[some]))))
    return abs(lowest - away) < abs(lowest)


def _lowest(figure: posable.Figure, pose: posable.Pose) -> np.ndarray:
    """`[...]` the height of the lowest sole; 0 for a figure without legs."""
    up = "xyz".index(figure.skeleton.up)
    heights = [sole.corner_places(pose)[..., up].min(axis=-1) for sole in soles_of(figure)]
    return np.min(heights, axis=0) if heights else np.zeros(pose.q.shape[:-1])


@lru_cache(maxsize=16)
def soles_of(figure: posable.Figure) -> tuple[posable.motion.Sole, ...]:
    """The soles of a figure's feet, none where it has no legs."""
    try:
        return posable.motion.soles(figure)
    except posable.PosableError:
        return ()


def on_level_ground(document: Document) -> bool:
    """Whether what stands on height 0 stands on the ground."""
    return document.terrain["kind"] == "none" and not document.demo


def floors_of(document: Document) -> dict[str, float]:
    """The least height of each goal that is placed, by its name; empty unless the figure stands on level ground.

    Hips that sit have half of the distance between the hindmost legs below them; a foot is as high as it stands, a
    wrist as high as on a hand that lies there; other joints may touch the ground. Goals that go with something else
    have none.
    """
    if not on_level_ground(document):
        return {}
    known = {joint: least for one in figures_of(document.figure) for joint, least in least_heights(one).items()}
    return {goal.name: known[goal.joint] for goal in document.goals if goal.joint in known and _is_placed(goal)}


def below_ground(document: Document) -> tuple[str, float]:
    """The goal that is set furthest below the ground, and how far; ("", 0) where none is."""
    floors, up = floors_of(document), "xyz".index(document.figure.skeleton.up)
    asked = [goal for goal in document.goals if goal.name in floors and goal.acts and goal.weight > 0]
    depth, name = max(((-goal.position[up], goal.name) for goal in asked), default=(0.0, ""))
    return (name, depth) if depth > _SEEN * document.figure.height else ("", 0.0)


def _is_placed(goal: StudioGoal) -> bool:
    return goal.kind in ("place", "reach") and goal.relative_to is None


@lru_cache(maxsize=16)
def least_heights(figure: posable.Figure) -> dict[str, float]:
    """The least height of each joint; empty where the figure does not stand on height 0 at rest."""
    skeleton, soles = figure.skeleton, soles_of(figure)
    if len(soles) < 2 or not _all_on_ground(figure, soles):
        return {}
    up = "xyz".index(skeleton.up)
    heights = dict(zip(skeleton.joints, figure.rest.origins[:, up].tolist(), strict=True))
    least = {joint: min(height, 0.0) for joint, height in heights.items()}
    least |= {sole.foot: heights[sole.foot] for sole in soles}
    one, other = (figure.rest.origins[skeleton.index(sole.joints[0])] for sole in soles[-2:])
    seat = 0.5 * float(np.linalg.norm(one - other))
    roles = posable.roles(figure)
    palms = [roles[role] for role in ("hand_l", "hand_r") if role in roles]
    least |= {joint: _PALM * figure.height for joint in palms if heights[joint] > _PALM * figure.height}
    return least | {joint: min(_SQUAT * heights[joint], seat) for joint in _seats(figure, soles[-2:])}


def _all_on_ground(figure: posable.Figure, soles: tuple[posable.motion.Sole, ...]) -> bool:
    up = "xyz".index(figure.skeleton.up)
    lowest = [abs(sole.corner_places(figure.rest)[:, up].min()) for sole in soles]
    return max(lowest) < _ON_GROUND * figure.height


def _seats(figure: posable.Figure, soles: tuple[posable.motion.Sole, ...]) -> set[str]:
    """The joints by which the hips are moved: what carries these legs, and what is between hips and spine."""
    skeleton, roles = figure.skeleton, posable.roles(figure)
    found = set.intersection(*({*skeleton.chain(sole.joints[0])[:-1]} for sole in soles))
    spine = list(skeleton.chain(roles["spine"]))[:-1] if "spine" in roles else []
    hips = skeleton.index(roles["hips"]) if "hips" in roles else -1
    found |= set(spine[spine.index(hips) :] if hips in spine else [])
    return {skeleton.joints[joint] for joint in found}

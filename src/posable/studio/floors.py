"""The ground at height 0: figures are put on it, and goals have least heights above it when dragged."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

import posable
from posable.studio.company import figures_of
from posable.studio.document import Document, StudioGoal

_GROUND_TOLERANCE = 0.03  # of the figure's height: soles this close to height 0 stand on the ground
_VISIBLE_DEPTH = 0.005  # of the figure's height: smaller depths below the ground are not reported
_SAMPLED_POSES = 20  # of a clip
_PALM_HEIGHT = 0.02  # of the figure's height: height of the wrist of a hand that lies on the ground
_SQUAT_HEIGHT = 0.5  # of the hips' height at rest: a drag may lower them at least this far


@lru_cache(maxsize=16)
def off_ground(figure: posable.Figure) -> float:
    """How far a figure with legs stands above the ground at rest, negative below; 0 for any other, and on the ground.

    The file of a robot or of motion capture often begins at the hips.
    """
    lowest = float(_lowest(figure, figure.rest))
    return lowest if abs(lowest) > _GROUND_TOLERANCE * figure.height else 0.0


def put_on_ground(figure: posable.Figure) -> posable.Figure:
    """The figure with its soles at height 0 at rest, and a note of it; unchanged if its root cannot be moved.

    Coordinates of a free root are world coordinates, so poses stay where they are. Clips that are as far off the
    ground as the rest pose are moved too.
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
    clips = [
        replace(clip, q=clip.q + shift) if _is_off_ground_too(figure, clip, away) else clip for clip in figure.clips
    ]
    put = replace(figure, clips=type(figure.clips)(clips))
    put = put.on(posable.Skeleton((root, *others), figure.skeleton.up))
    where = "below" if away < 0 else "above"
    note = f"its soles are {abs(away):.3g} {where} 0 in the file: it was put on the ground"
    return replace(put, notes=(*figure.notes, note))


def _is_off_ground_too(figure: posable.Figure, clip: posable.Clip, away: float) -> bool:
    """Whether a clip is as far off the ground as the rest pose, rather than on it."""
    some = np.linspace(0, len(clip.q) - 1, min(len(clip.q), _SAMPLED_POSES)).round().astype(int)
    lowest = float(np.median(_lowest(figure, posable.Pose(clip.skeleton, clip.q[some]))))
    return abs(lowest - away) < abs(lowest)


def _lowest(figure: posable.Figure, pose: posable.Pose) -> np.ndarray:
    """`[...]` the height of the lowest sole; 0 for a figure without legs."""
    up = "xyz".index(figure.skeleton.up)
    heights = [sole.corner_places(pose)[..., up].min(axis=-1) for sole in soles_of(figure)]
    return np.min(heights, axis=0) if heights else np.zeros(pose.q.shape[:-1])


@lru_cache(maxsize=16)
def soles_of(figure: posable.Figure) -> tuple[posable.motion.Sole, ...]:
    """The soles of a figure's feet; none for a figure without legs."""
    try:
        return posable.motion.soles(figure)
    except posable.PosableError:
        return ()


def on_level_ground(document: Document) -> bool:
    """Whether the ground is the level plane at height 0."""
    return document.terrain["kind"] == "none" and not document.demo


def floors_of(document: Document) -> dict[str, float]:
    """The least height of each goal with a position, by its name; empty unless the figure stands on level ground.

    Hips may come down to half the distance between the hindmost legs, as in sitting; a foot to its height when
    standing, and a wrist to that of a hand lying on the ground. Other joints may touch the ground. Goals that go with
    something else have no least height.
    """
    if not on_level_ground(document):
        return {}
    known = {joint: least for one in figures_of(document.figure) for joint, least in least_heights(one).items()}
    return {goal.name: known[goal.joint] for goal in document.goals if goal.joint in known and _is_placed(goal)}


def below_ground(document: Document) -> tuple[str, float]:
    """The goal that is farthest below the ground, and its depth; ("", 0) if none is."""
    floors, up = floors_of(document), "xyz".index(document.figure.skeleton.up)
    asked = [goal for goal in document.goals if goal.name in floors and goal.acts and goal.weight > 0]
    depth, name = max(((-goal.position[up], goal.name) for goal in asked), default=(0.0, ""))
    return (name, depth) if depth > _VISIBLE_DEPTH * document.figure.height else ("", 0.0)


def _is_placed(goal: StudioGoal) -> bool:
    return goal.kind in ("place", "reach") and goal.relative_to is None


@lru_cache(maxsize=16)
def least_heights(figure: posable.Figure) -> dict[str, float]:
    """The least height of each joint; empty if the figure does not stand at height 0 at rest."""
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
    least |= {joint: _PALM_HEIGHT * figure.height for joint in palms if heights[joint] > _PALM_HEIGHT * figure.height}
    return least | {joint: min(_SQUAT_HEIGHT * heights[joint], seat) for joint in _seats(figure, soles[-2:])}


def _all_on_ground(figure: posable.Figure, soles: tuple[posable.motion.Sole, ...]) -> bool:
    up = "xyz".index(figure.skeleton.up)
    lowest = [abs(sole.corner_places(figure.rest)[:, up].min()) for sole in soles]
    return max(lowest) < _GROUND_TOLERANCE * figure.height


def _seats(figure: posable.Figure, soles: tuple[posable.motion.Sole, ...]) -> set[str]:
    """The joints by which the hips are moved: those that carry these legs, and those between hips and spine."""
    skeleton, roles = figure.skeleton, posable.roles(figure)
    found = set.intersection(*({*skeleton.chain(sole.joints[0])[:-1]} for sole in soles))
    spine = list(skeleton.chain(roles["spine"]))[:-1] if "spine" in roles else []
    hips = skeleton.index(roles["hips"]) if "hips" in roles else -1
    found |= set(spine[spine.index(hips) :] if hips in spine else [])
    return {skeleton.joints[joint] for joint in found}

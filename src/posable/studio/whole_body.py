"""Solves of a whole body: kept above the ground and in balance where its goals alone would sink or tip it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

import posable
from posable.studio.balancing import counted_center, mass_center, nearest_over
from posable.studio.company import figures_of
from posable.studio.document import Document
from posable.studio.floors import least_heights, on_level_ground
from posable.studio.posing import Order, Outcome, Solver
from posable.studio.schema import SolidPoint
from posable.studio.standing import carriers

_CEILING = 10.0  # of the figure's height: a height above the ground that nothing exceeds
_CROWN_CLEARANCE = 0.01  # of the figure's height: height of the crown of a head that lies on it
_FINGER_CLEARANCE = 0.005  # of the figure's height: height of a fingertip that lies on the ground
_LAST_FINGER_BONE = 0.8  # length of a finger's last bone, as a share of the bone before it
_PREFERRED_HEIGHT = 0.25  # of their heights at rest: how high a person who touches the ground keeps head and chest
_CLEARANCES = {
    "head": 0.05, "upper_chest": 0.06, "chest": 0.06, "spine": 0.06,
    "lower_arm_l": 0.02, "lower_arm_r": 0.02, "lower_leg_l": 0.03, "lower_leg_r": 0.03,
}  # fmt: skip
"""Heights of these joints above the ground in a person who lies on it, as shares of the figure's height."""
_SECOND_SOLVE_STEPS = 20  # iterations: what is still unmet then is left to the next step of the drag
VISIBLE_MISS = 1e-3  # of the reach: a larger miss is visible
_HELD_HIGH = ("head", "upper_chest", "chest")


class WholeBodySolver:
    """Solves documents as `Solver` does. Head, trunk, elbows and knees stay above level ground, and head and chest well
    above it if the goals allow. With the option for balance, the centre of mass stays over what carries the figure.

    Most poses need neither, so these goals are added in a second solve, only if the first one sinks or tips the figure.
    """

    def __init__(self) -> None:
        self._plain, self._constrained = Solver(), Solver(_SECOND_SOLVE_STEPS)

    def solve(
        self,
        document: Document,
        start: posable.Pose,
        since: Document | None = None,
        origin: Document | None = None,
        support: np.ndarray | None = None,
    ) -> Outcome:
        """The pose that meets the active goals. since, origin: see `Solver.solve`.

        support: `[corner, 3]` over which the centre of mass is kept; None if it is not.
        """
        found = plain = self._plain.solve(document, start, since, origin)
        points = _allowing_present_heights(solid_points(document), start if origin is None else origin.pose)
        seconds, ground, balance = found.seconds, list[posable.Goal](), list[posable.Goal]()
        for _ in range(2):  # restoring the balance may sink the figure, and raising it may tip it
            new_ground = [] if ground or not _is_sunk(points, found.pose) else _above_ground(document, points)
            new_balance = [] if balance else _over_support(document, found.pose, support)
            if found.solution is None or not (new_ground or new_balance):
                break
            ground, balance = ground + new_ground, balance + new_balance
            found = self._constrained.solve(document, start, since or document, origin, [*balance, *ground])
            seconds += found.seconds
            if ground and not balance and _is_worse(document, found, plain):
                ground = _above_ground(document, points, gently=False)
                found = self._constrained.solve(document, start, since or document, origin, ground)
                seconds += found.seconds
        tips = _missed_goals(document, found) if balance else frozenset()
        return found._replace(seconds=seconds, tips=tips, is_corrected=bool(balance))


def _is_worse(document: Document, found: Outcome, plain: Outcome) -> bool:
    """Whether active goals are missed by visibly more: preferred heights must not cost a goal."""
    acts = [goal.acts for goal in document.goals]
    return bool((found.distances - plain.distances)[acts].max() > VISIBLE_MISS * document.figure.skeleton.reach)


def _missed_goals(document: Document, found: Outcome) -> frozenset[str]:
    """The names of the active goals that are visibly missed."""
    least = VISIBLE_MISS * document.figure.skeleton.reach
    pairs = zip(document.goals, found.distances.tolist(), strict=True)
    return frozenset(goal.name for goal, off in pairs if goal.acts and off > least)


def _over_support(document: Document, pose: posable.Pose, support: np.ndarray | None) -> list[posable.Goal]:
    """The goal that brings the centre of mass over the support; none if it is there already, or balance is not kept."""
    if support is None:
        return []
    up = "xyz".index(document.figure.skeleton.up)
    center = mass_center(document, pose)
    over = nearest_over(support, center, up)
    if np.array_equal(over, center):
        return []
    # The solve counts free limbs as they hang at rest. The target is shifted by the error of that in this pose.
    target = over + counted_center(document, pose) - center
    target[up] = 0.0  # the goal ignores the height; a constant one does not look like a moving target
    return [posable.Balance(target)]


def _is_sunk(points: Sequence[SolidPoint], pose: posable.Pose) -> bool:
    return any(_height(point, pose) < point["rather"] for point in points)


def _height(point: SolidPoint, pose: posable.Pose) -> float:
    row = pose.world_from_joint[pose.skeleton.index(point["joint"]), "xyz".index(pose.skeleton.up)]
    return float(row[3] + row[:3] @ point["tip"])


def _allowing_present_heights(points: Sequence[SolidPoint], before: posable.Pose) -> list[SolidPoint]:
    """The points; those that were lower in the pose before may stay as low, as a body may lie on the ground."""
    found: list[SolidPoint] = []
    for point in points:
        height = _height(point, before)
        found.append({**point, "least": min(point["least"], height), "rather": min(point["rather"], height)})
    return found


def _above_ground(document: Document, points: Sequence[SolidPoint], *, gently: bool = True) -> list[posable.Goal]:
    """The goals that keep a figure above the ground. gently: also at the heights that a person prefers."""
    found = [_above_height(document, point, point["least"], 0) for point in points]
    if gently:
        last = Order.of([goal for goal in document.goals if goal.acts], carriers(document.figure)).poles + 2
        high = [point for point in points if point["rather"] > point["least"]]
        found += [_above_height(document, point, point["rather"], last) for point in high]
    return found


def _above_height(document: Document, point: SolidPoint, height: float, priority: int) -> posable.Goal:
    tall, up = _CEILING * document.figure.height, np.eye(3)["xyz".index(document.figure.skeleton.up)]
    x, y, z = np.where(up > 0, tall, np.inf).tolist()
    target, within = (height + tall) * up, posable.Box((x, y, z))
    return posable.Reach(point["joint"], target, tip=point["tip"], within=within, priority=priority)


def solid_points(document: Document) -> list[SolidPoint]:
    """The points kept above level ground, except those of joints with a target below it; none if it is not level."""
    if not on_level_ground(document):
        return []
    up = "xyz".index(document.figure.skeleton.up)
    sunk = {goal.joint for goal in document.goals if goal.acts and goal.kind != "look" and goal.position[up] < 0}
    points = [point for one in figures_of(document.figure) for point in _solid_points_of(one)]
    return [point for point in points if point["joint"] not in sunk]


@lru_cache(maxsize=16)
def _solid_points_of(figure: posable.Figure) -> tuple[SolidPoint, ...]:
    """The same for one figure, without the joints that are as low in the rest pose."""
    if not least_heights(figure):
        return ()
    roles, up = posable.roles(figure), np.eye(3)["xyz".index(figure.skeleton.up)]
    found: list[SolidPoint] = []
    for role, share in _CLEARANCES.items():
        if role not in roles:
            continue
        joint, least = roles[role], share * figure.height
        frame = figure.rest.world_from_joint[figure.skeleton.index(joint)]
        at_rest = float(up @ frame[:3, 3])
        if at_rest <= least:
            continue
        rather = max(least, _PREFERRED_HEIGHT * at_rest) if role in _HELD_HIGH else least
        found.append({"joint": joint, "tip": (0.0, 0.0, 0.0), "least": least, "rather": rather})
        if role == "head":
            crown = frame[:3, 3] + (figure.height - at_rest) * up
            found.append(_carried_point(joint, frame, crown, _CROWN_CLEARANCE * figure.height))
    for side, finger in itertools.product("lr", ("thumb", "middle", "little")):
        bones = [roles[f"{finger}_{n}_{side}"] for n in (1, 2, 3) if f"{finger}_{n}_{side}" in roles][-2:]
        if len(bones) == 2:
            hand = figure.rest.world_from_joint[figure.skeleton.index(roles[f"hand_{side}"])]
            before, last = figure.rest.origins[[figure.skeleton.index(bone) for bone in bones]]
            found.append(
                _carried_point(
                    roles[f"hand_{side}"],
                    hand,
                    last + _LAST_FINGER_BONE * (last - before),
                    _FINGER_CLEARANCE * figure.height,
                )
            )
    return tuple(found)


def _carried_point(joint: str, frame: np.ndarray, position: np.ndarray, least: float) -> SolidPoint:
    """The point that a joint at `frame [4, 4]` carries at a position in the world."""
    x, y, z = (frame[:3, :3].T @ (position - frame[:3, 3])).tolist()
    return {"joint": joint, "tip": (x, y, z), "least": least, "rather": least}

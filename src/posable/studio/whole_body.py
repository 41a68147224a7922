"""Solves of a whole body: above the ground, and with the balance kept, where its goals alone would sink or tip it."""

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

_HIGH = 10.0  # of the figure's height: nothing goes so high above the ground
_CROWN = 0.01  # of it: a head that lies on its crown
_FINGER = 0.005  # of it: the end of a finger that lies on the ground
_LAST = 0.8  # of the bone before it: the last bone of a finger
_RATHER = 0.25  # of its height at rest: so high a person keeps head and chest who touches the ground
_THICKNESS = {
    "head": 0.05, "upper_chest": 0.06, "chest": 0.06, "spine": 0.06,
    "lower_arm_l": 0.02, "lower_arm_r": 0.02, "lower_leg_l": 0.03, "lower_leg_r": 0.03,
}  # fmt: skip
"""How far above the ground these joints are in a person who lies on it, of the height."""
_HELD_STEPS = 20  # iterations: what is not met by then is not held, and the next step of a drag goes on
_SEEN = 1e-3  # of the reach: a goal that is missed by more
_UPPER = ("head", "upper_chest", "chest")


class WholeBodySolver:
    """Solves documents as `Solver` does. Head, trunk, elbows and knees stay above level ground, head and chest well
    above it where the goals allow, and with the option the centre of mass stays over what carries the figure.

    Most poses ask for neither, so these are goals of a second solve, where the first one sinks or tips the figure.
    """

    def __init__(self) -> None:
        self._plain, self._held = Solver(), Solver(_HELD_STEPS)

    def solve(
        self,
        document: Document,
        start: posable.Pose,
        since: Document | None = None,
        origin: Document | None = None,
        support: np.ndarray | None = None,
    ) -> Outcome:
        """The pose that meets the active goals. since, origin: see `Solver.solve`.

        support: `[corner, 3]` over which the centre of mass is kept; None where it is not.
        """
        found = plain = self._plain.solve(document, start, since, origin)
        points = _no_lower(solid_points(document), start if origin is None else origin.pose)
        seconds, ground, balance = found.seconds, list[posable.Goal](), list[posable.Goal]()
        for _ in range(2):  # what is put over its support may sink, and what comes out of the ground may tip
            new_ground = [] if ground or not _is_sunk(points, found.pose) else _above_ground(document, points)
            new_balance = [] if balance else _over_support(document, found.pose, support)
            if found.solution is None or not (new_ground or new_balance):
                break
            ground, balance = ground + new_ground, balance + new_balance
            found = self._held.solve(document, start, since or document, origin, [*balance, *ground])
            seconds += found.seconds
            if ground and not balance and _is_worse(document, found, plain):
                ground = _above_ground(document, points, gently=False)
                found = self._held.solve(document, start, since or document, origin, ground)
                seconds += found.seconds
        return found._replace(seconds=seconds, tips=_missed(document, found) if balance else frozenset())


def _is_worse(document: Document, found: Outcome, plain: Outcome) -> bool:
    """Whether goals that act are missed by visibly more: what a body would rather do costs no goal."""
    acts = [goal.acts for goal in document.goals]
    return bool((found.distances - plain.distances)[acts].max() > _SEEN * document.figure.skeleton.reach)


def _missed(document: Document, found: Outcome) -> frozenset[str]:
    """The goals that act and are missed by visibly much."""
    least = _SEEN * document.figure.skeleton.reach
    pairs = zip(document.goals, found.distances.tolist(), strict=True)
    return frozenset(goal.name for goal, off in pairs if goal.acts and off > least)


def _over_support(document: Document, pose: posable.Pose, support: np.ndarray | None) -> list[posable.Goal]:
    """The goal that brings the centre of mass over the support; none where it is, or need not be."""
    if support is None:
        return []
    up = "xyz".index(document.figure.skeleton.up)
    center = mass_center(document, pose)
    over = nearest_over(support, center, up)
    if np.array_equal(over, center):
        return []
    # The solve counts free limbs where they hang at rest: it aims as far aside as that is wrong in this pose.
    target = over + counted_center(document, pose) - center
    target[up] = 0.0  # which counts for nothing, and is not to look as if it moved
    return [posable.Balance(target)]


def _is_sunk(points: Sequence[SolidPoint], pose: posable.Pose) -> bool:
    return any(_height(point, pose) < point["rather"] for point in points)


def _height(point: SolidPoint, pose: posable.Pose) -> float:
    row = pose.world_from_joint[pose.skeleton.index(point["joint"]), "xyz".index(pose.skeleton.up)]
    return float(row[3] + row[:3] @ point["tip"])


def _no_lower(points: Sequence[SolidPoint], before: posable.Pose) -> list[SolidPoint]:
    """The points, of which those that were lower in the pose before may stay so: a body may lie on the ground."""
    found: list[SolidPoint] = []
    for point in points:
        height = _height(point, before)
        found.append({**point, "least": min(point["least"], height), "rather": min(point["rather"], height)})
    return found


def _above_ground(document: Document, points: Sequence[SolidPoint], *, gently: bool = True) -> list[posable.Goal]:
    """The goals that keep a figure above the ground. gently: also as high above it as a person would rather be."""
    found = [_above(document, point, point["least"], 0) for point in points]
    if gently:
        last = Order.of([goal for goal in document.goals if goal.acts], carriers(document.figure)).poles + 2
        high = [point for point in points if point["rather"] > point["least"]]
        found += [_above(document, point, point["rather"], last) for point in high]
    return found


def _above(document: Document, point: SolidPoint, height: float, priority: int) -> posable.Goal:
    tall, up = _HIGH * document.figure.height, np.eye(3)["xyz".index(document.figure.skeleton.up)]
    x, y, z = np.where(up > 0, tall, np.inf).tolist()
    target, within = (height + tall) * up, posable.Box((x, y, z))
    return posable.Reach(point["joint"], target, tip=point["tip"], within=within, priority=priority)


def solid_points(document: Document) -> list[SolidPoint]:
    """What stays above the ground, but for what is set below it; nothing but on level ground."""
    if not on_level_ground(document):
        return []
    up = "xyz".index(document.figure.skeleton.up)
    sunk = {goal.joint for goal in document.goals if goal.acts and goal.kind != "look" and goal.position[up] < 0}
    points = [point for one in figures_of(document.figure) for point in _of_figure(one)]
    return [point for point in points if point["joint"] not in sunk]


@lru_cache(maxsize=16)
def _of_figure(figure: posable.Figure) -> tuple[SolidPoint, ...]:
    """The same for one figure; what is as low at rest may be so."""
    if not least_heights(figure):
        return ()
    roles, up = posable.roles(figure), np.eye(3)["xyz".index(figure.skeleton.up)]
    found: list[SolidPoint] = []
    for role, share in _THICKNESS.items():
        if role not in roles:
            continue
        joint, least = roles[role], share * figure.height
        frame = figure.rest.world_from_joint[figure.skeleton.index(joint)]
        at_rest = float(up @ frame[:3, 3])
        if at_rest <= least:
            continue
        rather = max(least, _RATHER * at_rest) if role in _UPPER else least
        found.append({"joint": joint, "tip": (0.0, 0.0, 0.0), "least": least, "rather": rather})
        if role == "head":
            crown = frame[:3, 3] + (figure.height - at_rest) * up
            found.append(_end(joint, frame, crown, _CROWN * figure.height))
    for side, finger in itertools.product("lr", ("thumb", "middle", "little")):
        bones = [roles[f"{finger}_{n}_{side}"] for n in (1, 2, 3) if f"{finger}_{n}_{side}" in roles][-2:]
        if len(bones) == 2:
            hand = figure.rest.world_from_joint[figure.skeleton.index(roles[f"hand_{side}"])]
            before, last = figure.rest.origins[[figure.skeleton.index(bone) for bone in bones]]
            found.append(_end(roles[f"hand_{side}"], hand, last + _LAST * (last - before), _FINGER * figure.height))
    return tuple(found)


def _end(joint: str, frame: np.ndarray, position: np.ndarray, least: float) -> SolidPoint:
    """What a joint at `frame [4, 4]` carries at a position in the world."""
    x, y, z = (frame[:3, :3].T @ (position - frame[:3, 3])).tolist()
    return {"joint": joint, "tip": (x, y, z), "least": least, "rather": least}

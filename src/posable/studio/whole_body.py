"""Solves of a whole body: above the ground, and with the balance kept, where its goals alone would sink or tip it."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

import posable
from posable.studio.balancing import keeps_balance, mass_center, nearest_over, support_of
from posable.studio.company import figures_of
from posable.studio.document import Document
from posable.studio.floors import least_heights, on_level_ground
from posable.studio.posing import Outcome, Solver

_BALANCED = 1e-3  # of the reach: so near its position is the centre of mass
_MOST = 3  # solves after the first: one for ground and balance, the others for what that leaves
_HIGH = 10.0  # of the figure's height: nothing goes so high above the ground
_THICKNESS = {
    "head": 0.05, "upper_chest": 0.06, "chest": 0.06, "spine": 0.06,
    "lower_arm_l": 0.02, "lower_arm_r": 0.02, "lower_leg_l": 0.03, "lower_leg_r": 0.03,
}  # fmt: skip
"""How far above the ground these joints are in a person who lies on it, of the height."""


class WholeBodySolver:
    """Solves documents as `Solver` does. Head, trunk, elbows and knees stay above level ground, and with the option
    the centre of mass stays over what carries the figure.

    Most poses ask for neither, so these are goals of a second solve, where the first one sinks or tips the figure.
    """

    def __init__(self) -> None:
        self._plain, self._held = Solver(), Solver()

    def solve(
        self, document: Document, start: posable.Pose, since: Document | None = None, origin: Document | None = None
    ) -> Outcome:
        """The pose that meets the active goals. since, origin: see `Solver.solve`."""
        found = self._plain.solve(document, start, since, origin)
        if found.solution is None:
            return found
        seconds, ground = found.seconds, list[posable.Goal]()
        over = point = None
        for _ in range(_MOST):
            is_sunk = not ground and _is_sunk(document, found.pose)
            if point is None or over is None:
                over = point = _over_support(document, found.pose)
                is_tipped = point is not None
            else:
                off = _off(document, found.pose, over)
                is_tipped = float(np.linalg.norm(off)) > _BALANCED * document.figure.skeleton.reach
                point = point + off  # the masses of free limbs are where they are only after the solve
            if not (is_sunk or is_tipped):
                break
            ground = _above_ground(document) if is_sunk else ground
            balance = [] if point is None else [posable.Balance(point)]
            found = self._held.solve(document, start, since, origin, [*balance, *ground])
            seconds += found.seconds
        return found._replace(seconds=seconds)


def _over_support(document: Document, pose: posable.Pose) -> np.ndarray | None:
    """`[3]` where a centre of mass is to be that is not over the support; None where it is, or need not be."""
    if not keeps_balance(document):
        return None
    center = mass_center(document, pose)
    over = nearest_over(support_of(document), center, "xyz".index(document.figure.skeleton.up))
    return None if np.array_equal(over, center) else over


def _off(document: Document, pose: posable.Pose, over: np.ndarray) -> np.ndarray:
    """`[3]` from the centre of mass to the position above or below which it is to be, level."""
    off = over - mass_center(document, pose)
    off["xyz".index(document.figure.skeleton.up)] = 0.0
    return off


def _is_sunk(document: Document, pose: posable.Pose) -> bool:
    heights = solid_heights(document)
    joints = [pose.skeleton.index(joint) for joint in heights]
    up = "xyz".index(pose.skeleton.up)
    return bool((pose.origins[joints, up] < np.array(list(heights.values()))).any())


def _above_ground(document: Document) -> list[posable.Goal]:
    """The goals that keep a figure above the ground."""
    skeleton, tall = document.figure.skeleton, _HIGH * document.figure.height
    up = np.eye(3)["xyz".index(skeleton.up)]
    half = tuple(np.where(up > 0, tall, np.inf).tolist())
    return [
        posable.Reach(joint, (least + tall) * up, within=posable.Box(half))
        for joint, least in solid_heights(document).items()
    ]


def solid_heights(document: Document) -> dict[str, float]:
    """The least height of joints that are above the ground whatever the goals; empty but on level ground."""
    if not on_level_ground(document):
        return {}
    return {joint: least for one in figures_of(document.figure) for joint, least in _of_figure(one).items()}


@lru_cache(maxsize=16)
def _of_figure(figure: posable.Figure) -> dict[str, float]:
    """The same for one figure; joints that are as low at rest may be so."""
    if not least_heights(figure):
        return {}
    roles, up = posable.roles(figure), "xyz".index(figure.skeleton.up)
    found = {roles[role]: share * figure.height for role, share in _THICKNESS.items() if role in roles}
    return {
        joint: least for joint, least in found.items() if figure.rest.origins[figure.skeleton.index(joint), up] > least
    }

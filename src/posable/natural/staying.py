"""A pose that is kept as people keep it: what they move little stays most, and feet stand."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posable.figures import roles
from posable.goals import Goal, Place, Stay
from posable.goals.rows import Spring
from posable.natural.habits import FLAT
from posable.natural.natural import ROOT, Natural, natural_if_known
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array

LAST = 7  # the highest priority number


def staying(pose: Pose) -> Stay:
    """The soft goal that keeps a pose: for a figure that `Natural` knows, its limbs move first and its trunk last.

    Args:
        pose: One pose, or a batch.
    """
    return _StayNaturally(pose) if natural_if_known(pose.skeleton) else Stay(pose)


@dataclass(frozen=True)
class _StayNaturally(Stay):
    """`Stay`, in which a freedom counts by the square of its resistance to `Natural`."""

    def structure(self) -> Hashable:
        return _StayNaturally, self.weight, self.pose.skeleton

    def spring(self, skeleton: Skeleton) -> Spring:
        plain, resistances = super().spring(skeleton), Natural().resistances(skeleton)
        resistances[_carrying(skeleton, resistances) & np.isnan(resistances)] = ROOT
        return plain._replace(weight=plain.weight * np.where(np.isnan(resistances), 1.0, resistances) ** 2)


def _carrying(skeleton: Skeleton, resistances: Array) -> NDArray[np.bool_]:
    """`[dof]` the freedoms of the joints that carry all those that resist, as a root does above hips of its own."""
    carrying, own = np.zeros(skeleton.dof, bool), [list(skeleton.freedom_range(j)) for j in range(len(skeleton.joints))]
    chains = [set(skeleton.chain(j)) for j, freedoms in enumerate(own) if not np.isnan(resistances[freedoms]).all()]
    for joint in set.intersection(*chains) if chains else ():
        carrying[own[joint]] = True
    return carrying


def standing(pose: Pose, goals: Sequence[Goal], frozen: Sequence[str]) -> list[Goal]:
    """Goals, after the given ones, that keep feet where they are in a pose, where those could carry them away.

    Args:
        pose: One pose, or a batch.
        goals: The given ones.
        frozen: Joints and axes that do not move.
    """
    skeleton = pose.skeleton
    if not natural_if_known(skeleton):
        return []
    free, rows = ~skeleton.freedom_mask(frozen), [row for goal in goals for row in goal.rows(skeleton)]
    leads = {j for row in rows for joint in row.bodies for j in skeleton.chain(joint)}
    moving = {j for j in leads if free[list(skeleton.freedom_range(j))].any()}
    after, named = min(1 + max((row.level for row in rows), default=0), LAST), roles(skeleton)
    ankles = {named[role] for role in ("foot_l", "foot_r") if role in named}
    kept: list[Goal] = []
    for leg in named.legs:
        foot = next((joint for joint in leg.joints if joint in ankles), leg.joints[-1])
        if skeleton.index(leg.joints[0]) not in leads and moving.intersection(skeleton.chain(foot)):
            place = pose.world_from_joint[..., skeleton.index(foot), :, :]
            kept.append(Place(foot, place, 1.0, FLAT, priority=after))
    return kept

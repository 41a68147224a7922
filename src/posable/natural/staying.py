"""A pose that is kept as people keep it: parts that people move little stay most, and feet stand."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.figures import roles
from posable.goals import Goal, Place, Stay
from posable.goals.rows import Row, Spring
from posable.natural.knees import with_bent_knees
from posable.natural.natural import ROOT, Natural, led_by, natural_if_known
from posable.skeleton import Cone, Pose, Skeleton
from posable.spatial import Array

LAST = 7  # the highest priority number
FOOT_ROTATION_WEIGHT = 0.1  # of a standing foot, relative to its position: ankles are often at their limits
HIPS_ROTATION_WEIGHT = 0.3  # if goals move only the hips, relative to the position of a standing foot
HIPS_ROTATION_WEIGHT_WITH_LIMBS = 0.05  # if goals move limbs
START_KNEE_BEND, KEPT_KNEE_BEND = 0.2, 0.02  # radians
ALLOWED_HIPS_TILT = Cone((0.0, 1.0, 0.0), 0.2, (-0.2, 0.2))  # radians by which goals of limbs may rotate the hips


def staying(pose: Pose) -> Stay:
    """The soft goal that keeps a pose. If `Natural` knows the figure, its limbs move first and its trunk last.

    Args:
        pose: One pose, or a batch.
    """
    return _StayNaturally(pose) if natural_if_known(pose.skeleton) else Stay(pose)


@dataclass(frozen=True)
class _StayNaturally(Stay):
    """`Stay`, with each degree of freedom weighted by the square of its resistance in `Natural`."""

    def structure(self) -> Hashable:
        return _StayNaturally, self.weight, self.pose.skeleton

    def spring(self, skeleton: Skeleton) -> Spring:
        plain, resistances = super().spring(skeleton), Natural().resistances(skeleton)
        resistances[_carrying(skeleton, resistances) & np.isnan(resistances)] = ROOT
        return plain._replace(weight=plain.weight * np.where(np.isnan(resistances), 1.0, resistances) ** 2)


def _carrying(skeleton: Skeleton, resistances: Array) -> NDArray[np.bool_]:
    """`[dof]` the degrees of freedom of joints that carry all resisting joints, such as a root above separate hips."""
    carrying, own = np.zeros(skeleton.dof, bool), [list(skeleton.freedom_range(j)) for j in range(len(skeleton.joints))]
    chains = [set(skeleton.chain(j)) for j, freedoms in enumerate(own) if not np.isnan(resistances[freedoms]).all()]
    for joint in set.intersection(*chains) if chains else ():
        carrying[own[joint]] = True
    return carrying


def keeping(pose: Pose, goals: Sequence[Goal], frozen: Sequence[str]) -> tuple[Pose, list[Goal]]:
    """(start pose, goals to add) that keep a pose as people do, except for what `goals` change.

    Feet that the goals could move stay where they are, and the hips keep their rotation, or nearly so if the goals move
    limbs. Neither is exact: if a leg is too short or an ankle at its limit, both yield a little. A straight knee starts
    bent and stays bent by a degree, because it could bend backwards otherwise.

    Args:
        pose: One pose, or a batch.
        goals: The given goals.
        frozen: Joints and axes that do not move.
    """
    if not natural_if_known(pose.skeleton):
        return pose, [staying(pose)]
    led = _Led.by(pose.skeleton, goals, frozen)
    start, kept = (with_bent_knees(pose, least, led.moving, led.free) for least in (START_KNEE_BEND, KEPT_KNEE_BEND))
    return start, [*_standing(pose, led), staying(kept)]


class _Led(NamedTuple):
    """What the goals move."""

    rows: Sequence[Row]
    free: NDArray[np.bool_]
    """`[dof]`"""
    chains: frozenset[int]
    """The joints of all chains to the effectors."""
    moving: frozenset[int]
    """Those of them that may move."""
    after: int
    """The priority after all goals."""

    @classmethod
    def by(cls, skeleton: Skeleton, goals: Sequence[Goal], frozen: Sequence[str]) -> _Led:
        free, rows = ~skeleton.freedom_mask(frozen), [row for goal in goals for row in goal.rows(skeleton)]
        after = min(1 + max((row.level for row in rows), default=0), LAST)
        return cls(rows, free, *led_by(skeleton, rows, free), after)


def _standing(pose: Pose, led: _Led) -> list[Goal]:
    """Goals after the given ones, all of one priority, so that contradictions between them cause no leaps."""
    skeleton, named = pose.skeleton, roles(pose.skeleton)
    kept: list[Goal] = []

    def keep(joint: str, position: float, rotation: float, within: Cone | None = None) -> None:
        place = pose.world_from_joint[..., skeleton.index(joint), :, :]
        kept.append(Place(joint, place, position, rotation, priority=led.after, within=within))

    ankles = {named[role] for role in ("foot_l", "foot_r") if role in named}
    for leg in named.legs:
        foot = next((joint for joint in leg.joints if joint in ankles), leg.joints[-1])
        if skeleton.index(leg.joints[0]) not in led.chains and led.moving.intersection(skeleton.chain(foot)):
            keep(foot, 1.0, FOOT_ROTATION_WEIGHT)
    if kept and "hips" in named:
        hips = named.index("hips")
        alone = led.chains.issubset(skeleton.chain(hips))
        if not any(row.is_rotation and row.joint == hips for row in led.rows):
            keep(
                named["hips"],
                0.0,
                *((HIPS_ROTATION_WEIGHT, None) if alone else (HIPS_ROTATION_WEIGHT_WITH_LIMBS, ALLOWED_HIPS_TILT)),
            )
    return kept

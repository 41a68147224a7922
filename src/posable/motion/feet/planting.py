"""Feet that stand still, and on the ground: the plants of a whole clip, solved together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.errors import SkeletonError
from posable.figures import Figure, Roles
from posable.motion.feet.contacts import Contacts, contacts
from posable.motion.feet.foot_goals import FootGoals
from posable.motion.feet.over_ground import OverGround, deepest, planes_at
from posable.motion.feet.paths import Path, carried, foot_path, pelvis_path
from posable.motion.feet.plants import Plant, free_root, plants_of, source_floor
from posable.motion.feet.soles import Sole
from posable.motion.feet.terrain import Terrain
from posable.motion.whole_clip import ClipSolution, solve_clip
from posable.skeleton import Skeleton
from posable.spatial import Array

_STAY = 1e-3
_ROOT_STAYS = 40.0  # times as firmly as a joint; the pelvis is the last to give way
_ROOT_BENDS = 4.0  # times as hard as a joint: as far as it gives way it does so with the feet, and spares the knees
_SPREADS = 0.2  # s over which a correction spreads
_EFFORT = {"tolerance": 1e-3, "max_iterations": 25}  # of each round
_OVER = 1000.0  # of the squared depth of a corner of the sole
_ROUNDS = 8
_DEEP = 5e-4  # m, for a leg of 0.88 m: what may be left in the ground


@dataclass(frozen=True, eq=False)
class Planting:
    """What came of planting the feet of a clip. solution: the whole-clip solve, with its cost before and after.

    contacts: as found in the source. plants: per foot, in the order of time. heel_held: `[foot, frame]` where the heel
    stands too; where the leg is too short for a flat foot it does not.
    """

    solution: ClipSolution
    contacts: Contacts
    plants: tuple[tuple[Plant, ...], ...]
    heel_held: NDArray[np.bool_]

    @property
    def clip(self) -> Clip:
        """The clip whose feet stand."""
        return self.solution.clip


def plant_feet(
    clip: Clip,
    terrain: Terrain | None = None,
    feet: Sequence[str] | None = None,
    *,
    figure: Figure | None = None,
    found: Roles | None = None,
) -> Clip:
    """The clip with feet that neither slide, sink nor hover; `plant` tells more about it.

    Where the source's feet touch the ground, each stands on one spot; the legs and the pelvis give way over the frames
    around, all frames solved together, so that the motion keeps its detail. With a terrain the feet come down on it,
    flat where the source's are, swing clear of it, and the pelvis follows; a foot that is out of reach lifts its heel.
    terrain: the ground, None for that of the clip itself. feet: roles ("foot_l") or joints of those meant, all unless
    given. figure: whose skin says where the soles are. found: the roles, where `posable.roles` is to be overruled.
    Raises TerrainError for a hole under a foot, SkeletonError for a figure without legs, or without a free root where
    a terrain asks for one, UnknownJointError for a foot that is not there.
    """
    return plant(clip, terrain, feet, figure=figure, found=found).clip


def plant(
    clip: Clip,
    terrain: Terrain | None = None,
    feet: Sequence[str] | None = None,
    *,
    figure: Figure | None = None,
    found: Roles | None = None,
) -> Planting:
    """As `plant_feet`, with the contacts, the plants, and what the whole-clip solve cost before and after."""
    touching = contacts(clip, None, feet, figure=figure, found=found)
    plants = tuple(tuple(plants_of(clip, touching, foot, terrain)) for foot in range(len(touching.soles)))
    root = free_root(clip.skeleton, touching.soles)
    source, paths = _carried(clip, touching.soles, plants, terrain, root)
    every = zip(touching.soles, plants, paths, strict=True)
    feet_goals = [FootGoals(clip, source.poses, sole, own, path) for sole, own, path in every]
    solution = _solve(source, feet_goals, terrain, root)
    return Planting(solution, touching, plants, np.array([foot.held for foot in feet_goals]))


def _carried(
    clip: Clip,
    soles: Sequence[Sole],
    plants: Sequence[Sequence[Plant]],
    terrain: Terrain | None,
    root: int | None,
) -> tuple[Clip, Sequence[Path | None]]:
    """(the clip with its pelvis carried over the terrain, the paths of its feet)."""
    if terrain is None:
        return clip, [None] * len(soles)
    if root is None:
        raise SkeletonError(
            "no free joint carries the legs, so the figure cannot follow a terrain; free its root with "
            "figure.with_root('free'), or --root free"
        )
    floor = source_floor(clip, soles)
    paths = [foot_path(clip, sole, own, terrain, floor) for sole, own in zip(soles, plants, strict=True)]
    return replace(clip, q=carried(clip, root, pelvis_path(clip, soles, paths, plants)).q), paths


def _solve(source: Clip, feet: Sequence[FootGoals], terrain: Terrain | None, root: int | None) -> ClipSolution:
    """The whole clip solved, with no corner of a sole in the terrain: again, where it led over other ground."""
    skeleton, soles = source.skeleton, [foot.sole for foot in feet]
    moving = [joint for sole in soles for joint in (*sole.joints, *([sole.toes] if sole.toes else []))]
    free = [*moving, *([] if root is None else [skeleton.joints[root]])]
    stay, smooth = _ties(skeleton, root)
    goals, weights = zip(*[wish for foot in feet for wish in foot.wishes()], strict=True)
    options = {"free": free, "stay": stay, "smooth": smooth, **_EFFORT}
    if terrain is None:
        return solve_clip(source, goals, weights, **options)
    start, solution = source, None
    for _ in range(_ROUNDS):
        over = OverGround(
            skeleton, soles, [planes_at(terrain, sole.corner_places(start.poses)) for sole in soles], _OVER
        )
        solution = solve_clip(source, goals, weights, one_sided=[over], start=start, **options)
        start = solution.clip
        if deepest(start.poses, soles, terrain) < _DEEP:
            break
    assert solution is not None
    return solution


def _ties(skeleton: Skeleton, root: int | None) -> tuple[Array, Array]:
    stay = np.full(skeleton.dof, _STAY)
    smooth = stay * (_SPREADS / (2 * np.pi)) ** 4
    if root is not None:
        own = list(skeleton.freedom_range(root))
        stay[own] *= _ROOT_STAYS
        smooth[own] *= _ROOT_BENDS
    return stay, smooth

"""Foot planting for a whole clip: feet stand still and on the ground, with all frames solved together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.errors import check_kind
from posable.figures import Figure, Roles
from posable.figures.terrain import Terrain
from posable.goals import Goal, Orient, Reach
from posable.motion.feet.contact_detection import Contacts, contacts
from posable.motion.feet.plants import (
    Path,
    Plant,
    carried,
    carrying_root,
    foot_path,
    free_root,
    pelvis_path,
    plants_of,
    source_floor,
    stays,
)
from posable.motion.feet.sole_shapes import Sole
from posable.motion.whole_clip import ClipSolution, solve_clip
from posable.motion.whole_clip.clip_rows import LinearizedRows, Motions, RowBuilder, kept_for_last
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array, matrix_from_wxyz, wxyz_between, wxyz_from_matrix

# The goals of one foot over a whole clip: to stand on its plants, and to stay over the ground.


_PLANTED, _SWINGING = 2000.0, 0.03  # weights of a foot's position on a terrain, and in the air
_KEPT = 2e4  # of its position on the clip's own ground: ends yield, so that it costs little
_FLAT, _CARRIED = 30.0, 0.03  # of its rotation
_YIELDS, _YIELDING = (
    0.03,
    0.3,
)  # s at either end of a contact, and the factor of its weight in the first and last frame
_LETS_GO = 0.1  # s over which the weight of a lifting or landing ball changes to that in the air, to avoid a jump
_STRETCH = 0.995  # of the straight leg: a target further away is out of reach

ReachRequest = tuple[Goal, Array]
"""A goal, and its weight `[frame]`."""


class FootGoals:
    """The goals of one foot. path: its path over a terrain; None where feet stay on the source's own ground.

    held: `[frame]` where the heel has to stand as well: not where the leg is too short for a flat foot.
    """

    def __init__(self, clip: Clip, carried: Pose, sole: Sole, plants: Sequence[Plant], path: Path | None) -> None:
        self.sole, self.plants = sole, plants
        moved = 0.0 if path is None else path.moved
        self._ball, self._heel = sole.ball_places(clip.poses) + moved, sole.heel_places(clip.poses) + moved
        self._turn, self._toes = _turns(clip, sole.foot, path), _turns(clip, sole.toes or sole.foot, path)
        self._fps = clip.fps
        air, carry = (0.0, 0.0) if path is None else (_SWINGING, _CARRIED)
        self._weights = {name: np.full(len(clip), air) for name in ("ball", "heel")}
        self._weights |= {name: np.full(len(clip), carry) for name in ("turn", "toes")}
        self.held: NDArray[np.bool_] = np.zeros(len(clip), bool)
        for one in plants:
            self._add(one, carried, flat=path is not None)
        if path is not None:
            self._weights["ball"] = _let_go(self._weights["ball"], max(round(_LETS_GO * clip.fps), 1))

    def _add(self, one: Plant, carried: Pose, *, flat: bool) -> None:
        if one.ball is not None:
            at = np.arange(*one.ball)
            self._ball[at], self._weights["ball"][at] = one.place, self._firm(at, flat)
            if flat:
                self._toes[at], self._weights["toes"][at] = (
                    _leant(self._toes[at], self.sole.toes_flat, one.normal),
                    _FLAT,
                )
        if one.heel is not None:
            at = np.arange(*one.heel)
            at = at[_in_reach(carried[at], self.sole, one)]
            self._heel[at], self._weights["heel"][at] = one.heel_place(self.sole), self._firm(at, flat)
            self.held[at] = True
            both = at if one.ball is None else at[(at >= one.ball[0]) & (at < one.ball[1])]
            if flat:
                self._turn[both], self._weights["turn"][both] = one.turn, _FLAT

    def _firm(self, at: NDArray[np.int64], flat: bool) -> Array:
        """`[frame]` the weight of a planted point; over a terrain at once, since the foot's path leads there."""
        return np.full(len(at), _PLANTED) if flat else _firmness(at, len(self._ball), self._fps)

    def requests(self) -> list[ReachRequest]:
        """Those of every clip and, over a terrain, those for the rotations of foot and toes."""
        sole, weights = self.sole, self._weights
        found: list[ReachRequest] = [(Reach(sole.foot, self._ball, tip=sole.ball), weights["ball"])]
        if sole.heel is not None:
            found.append((Reach(sole.foot, self._heel, tip=sole.heel), weights["heel"]))
        if weights["turn"].any():
            found.append((Orient(sole.foot, wxyz_from_matrix(self._turn)), weights["turn"]))
        if sole.toes is not None and weights["toes"].any():
            found.append((Orient(sole.toes, wxyz_from_matrix(self._toes)), weights["toes"]))
        return found


def _firmness(at: NDArray[np.int64], frames: int, fps: float) -> Array:
    """`[frame]` the weight of a point that is held in the frames `at`, of `frames`: less after landing and before
    leaving, or its limb would stop abruptly.
    """
    yields = round(_YIELDS * fps)
    inside = np.full((2, len(at)), yields)
    if len(at) and at[0] > 0:
        inside[0] = at - at[0]
    if len(at) and at[-1] + 1 < frames:
        inside[1] = at[-1] - at
    share = np.maximum(1 - (inside.min(axis=0) + 1) / (yields + 1), 0.0)
    return _KEPT * (_YIELDING / _KEPT) ** share


def _let_go(weights: Array, frames: int) -> Array:
    """The weights `[frame]`, falling geometrically to those of the swing over `frames` frames before and after."""
    falls = (_SWINGING / _PLANTED) ** (np.arange(1, frames + 1) / (frames + 1))
    found = np.array(weights)
    for k, fall in enumerate(falls, 1):
        found[k:] = np.maximum(found[k:], fall * weights[:-k])
        found[:-k] = np.maximum(found[:-k], fall * weights[k:])
    return found


def _turns(clip: Clip, joint: str, path: Path | None) -> Array:
    turns = np.array(clip.poses.world_from_joint[:, clip.skeleton.index(joint), :3, :3])
    return turns if path is None else path.tilt @ turns


def _leant(turns: Array, flat: Array, normal: Array) -> Array:
    """Rotations `[frame, 3, 3]` with the least additional rotation that aligns `flat` with the ground's normal."""
    return matrix_from_wxyz(wxyz_between(turns @ flat, normal)) @ turns


def _in_reach(pose: Pose, sole: Sole, one: Plant) -> NDArray[np.bool_]:
    """`[frame]` whether the leg is long enough for the ankle of the flat foot; elsewhere the heel lifts."""
    joints = [pose.skeleton.index(joint) for joint in sole.joints]
    bones = np.linalg.norm(np.diff(pose.origins[:, joints], axis=1), axis=2).sum(axis=1)
    ankle = one.place - one.turn @ sole.ball
    return np.asarray(np.linalg.norm(pose.origins[:, joints[0]] - ankle, axis=1) <= _STRETCH * bones)


# Soles that stay over the ground.


Ground = Callable[[Array], tuple[Array, Array]]
"""From positions `[frame, corner, 3]` to (the height of the ground `[frame, corner]`, NaN for a hole; its unit normals
`[frame, corner, 3]`).
"""


class OverGround:
    """No corner of the soles penetrates the ground, along its normal. grounds: of each foot. weight: of the squared
    depth.
    """

    def __init__(self, skeleton: Skeleton, soles: Sequence[Sole], grounds: Sequence[Ground], weight: float) -> None:
        self._soles, self._grounds, self._root = tuple(soles), tuple(grounds), float(np.sqrt(weight))
        self._up = "xyz".index(skeleton.up)
        self._carriers = np.array([skeleton.index(joint) for sole in soles for joint in sole.corner_joints])

    @property
    def bodies(self) -> list[int]:
        """See `Inequalities`: those that carry the soles."""
        return self._carriers.tolist()

    def violations(self, pose: Pose) -> Array:
        """See `Inequalities`: one row per corner."""
        return self._deep(pose)[0]

    def linearized(self, pose: Pose, motions: Motions) -> LinearizedRows:
        """See `Inequalities`: against the normal."""
        depths, corners, normals = self._deep(pose)
        rows = RowBuilder(depths, self._root, motions.free)
        at, row = rows.used
        places, out = corners[at, row] / pose.skeleton.reach, -self._root * normals[at, row]
        rows.add_points((at, row), places, out, self._carriers[row], motions)
        return rows.rows

    @kept_for_last
    def _deep(self, pose: Pose) -> tuple[Array, Array, Array]:
        """(depths of the corners `[frame, row]`, the corners and normals `[frame, row, 3]`)."""
        corners = [sole.corner_places(pose) for sole in self._soles]
        found = [ground(own) for ground, own in zip(self._grounds, corners, strict=True)]
        corner, normal = np.concatenate(corners, axis=1), np.concatenate([one[1] for one in found], axis=1)
        height = np.concatenate([one[0] for one in found], axis=1)
        deep = (height - corner[..., self._up]) * normal[..., self._up]
        return self._root * np.where(np.isfinite(deep), deep / pose.skeleton.reach, -1.0), corner, normal


def planes_at(terrain: Terrain, corners: Array) -> Ground:
    """The tangent planes of the terrain at `corners [frame, corner, 3]`, without the discontinuity at a step's edge."""
    k = "xyz".index(terrain.up)
    height, normal = terrain.ground(corners)

    def ground(places: Array) -> tuple[Array, Array]:
        away = places - corners
        away[..., k] = 0.0
        return height - np.sum(normal * away, axis=-1) / normal[..., k], normal

    return ground


def deepest(pose: Pose, soles: Sequence[Sole], terrain: Terrain) -> float:
    """The largest penetration of a corner of the soles, for a leg of 0.88 m."""
    return max(float(np.nanmax(-terrain.gap(sole.corner_places(pose)) / sole.scale)) for sole in soles)


_STAY = 1e-3
_ROOT_STAYS = 40.0  # factor against a joint's weight; the pelvis is the last to yield
_ROOT_BENDS = 30.0  # factor against a joint: accelerations of the pelvis shake the body; more costs the knees
_SPREADS = 0.27  # s over which a correction spreads
_LIMB = 2  # joints above a hand or knee that rotate its limb: elbow and shoulder
_EFFORT = {"tolerance": 1e-3, "max_iterations": 25}  # of each round
_OVER = 1000.0  # of the squared depth of a corner of the sole
_ROUNDS = 8
_DEEP = 5e-4  # m, for a leg of 0.88 m: the tolerated penetration


@dataclass(frozen=True, eq=False)
class Planting:
    """Result of planting the feet of a clip.

    Args:
        solution: The whole-clip solve, with its cost before and after.
        contacts: Contacts found in the source.
        plants: Planted contacts of each foot, in order of time.
        heel_held: `[foot, frame]`, whether the heel is planted too; not where the leg is too short for a flat foot.

    Example:
        >>> planted = posable.motion.plant(clip).clip
    """

    solution: ClipSolution
    contacts: Contacts
    plants: tuple[tuple[Plant, ...], ...]
    heel_held: NDArray[np.bool_]

    @property
    def clip(self) -> Clip:
        """The clip with planted feet."""
        return self.solution.clip


def plant_feet(
    clip: Clip,
    terrain: Terrain | None = None,
    feet: Sequence[str] | None = None,
    *,
    figure: Figure | None = None,
    roles: Roles | None = None,
) -> Clip:
    """Remove sliding, sinking and hovering of the feet from a clip.

    Where the source's feet touch the ground, each is fixed to one position; legs and pelvis adapt over the neighbouring
    frames. All frames are solved together, so that the motion keeps its detail. On a terrain, feet land flat where the
    source's do, swing clear of it, and the pelvis follows; a foot out of reach lifts its heel.

    Args:
        clip: The clip.
        terrain: The ground; None is the clip's own ground level.
        feet: Roles ("foot_l") or joints of the feet; None is all.
        figure: The figure, whose skin gives the soles.
        roles: Roles of the joints; None finds them.

    Returns:
        The clip with planted feet; `plant` also returns details.

    Raises:
        TerrainError: For a hole in the terrain under a foot.
        SkeletonError: For a figure without legs, or without a free root if the terrain needs one.
        UnknownJointError: For an unknown foot.
        PosableError: For what is not a clip.

    Example:
        >>> planted = posable.plant_feet(clip, figure=figure)
    """
    return plant(clip, terrain, feet, figure=figure, roles=roles).clip


def plant(
    clip: Clip,
    terrain: Terrain | None = None,
    feet: Sequence[str] | None = None,
    *,
    figure: Figure | None = None,
    roles: Roles | None = None,
) -> Planting:
    """Plant the feet of a clip as `plant_feet` does, with details of the solve.

    Args:
        clip: The clip.
        terrain: The ground; None is the clip's own ground level.
        feet: Roles ("foot_l") or joints of the feet; None is all.
        figure: The figure, whose skin gives the soles.
        roles: Roles of the joints; None finds them.

    Returns:
        The solution, the contacts and the plants.

    Raises:
        TerrainError: As `plant_feet`.
        SkeletonError: As `plant_feet`.
        UnknownJointError: As `plant_feet`.
    """
    check_kind(clip, Clip, "feet are planted in a Clip", "a file's are figure.clips")
    touching = contacts(clip, None, feet, figure=figure, roles=roles)
    plants = tuple(tuple(plants_of(clip, touching, foot, terrain)) for foot in range(len(touching.soles)))
    root = (free_root if terrain is None else carrying_root)(clip.skeleton, touching.soles)
    source, paths = _carried(clip, touching.soles, plants, terrain, root)
    every = zip(touching.soles, plants, paths, strict=True)
    feet_goals = [FootGoals(clip, source.poses, sole, own, path) for sole, own, path in every]
    resting = _resting(clip, touching, roles) if terrain is None else {}
    solution = _solve(source, feet_goals, terrain, root, resting)
    return Planting(solution, touching, plants, np.array([foot.held for foot in feet_goals]))


def _carried(
    clip: Clip,
    soles: Sequence[Sole],
    plants: Sequence[Sequence[Plant]],
    terrain: Terrain | None,
    root: int | None,
) -> tuple[Clip, Sequence[Path | None]]:
    """(the clip with its pelvis carried over the terrain, the paths of its feet)."""
    if terrain is None or root is None:
        return clip, [None] * len(soles)
    floor = source_floor(clip, soles)
    paths = [foot_path(clip, sole, own, terrain, floor) for sole, own in zip(soles, plants, strict=True)]
    return replace(clip, q=carried(clip, root, pelvis_path(clip, soles, paths, plants)).q), paths


def _resting(clip: Clip, touching: Contacts, roles: Roles | None) -> dict[str, ReachRequest]:
    """Joint of each knee and hand that rests on the ground → its goal: to keep its position."""
    scale, found = float(np.mean([sole.scale for sole in touching.soles] or [1.0])), {}
    for role, rests in touching.rests.items():
        joint = clip.skeleton.joints[clip.skeleton.index(roles[role] if roles is not None else role)]
        places = np.array(clip.poses.origins[:, clip.skeleton.index(joint)])
        weights = np.zeros(len(clip))
        for start, end in stays(places, rests, (0, len(clip)), clip.fps, scale):
            places[start:end] = places[start:end].mean(axis=0)
            weights[start:end] = _firmness(np.arange(start, end), len(clip), clip.fps)
        found[joint] = Reach(joint, places), weights
    return found


def _arm_to(skeleton: Skeleton, joint: str) -> list[str]:
    """The last joints above a knee or hand, as many as rotate a limb: those that move so that it rests."""
    chain = [one for one in skeleton.chain(joint)[:-1] if skeleton.definitions[one].dof]
    return [skeleton.joints[one] for one in chain[-_LIMB:] if not skeleton.definitions[one].travels]


def _solve(
    source: Clip,
    feet: Sequence[FootGoals],
    terrain: Terrain | None,
    root: int | None,
    resting: Mapping[str, ReachRequest],
) -> ClipSolution:
    """Solve the whole clip with no corner of a sole in the terrain; repeatedly, where it moves over other ground."""
    skeleton, soles = source.skeleton, [foot.sole for foot in feet]
    moving = [joint for sole in soles for joint in (*sole.joints, *([sole.toes] if sole.toes else []))]
    moving += [name for joint in resting for name in _arm_to(skeleton, joint) if name not in moving]
    free = [*moving, *([] if root is None else [skeleton.joints[root]])]
    stay, smooth = _ties(skeleton, root)
    goals, weights = zip(*[one for foot in feet for one in foot.requests()], *resting.values(), strict=True)
    options = {"free": free, "stay": stay, "smooth": smooth, **_EFFORT}
    if terrain is None:
        return solve_clip(source, goals, weights, **options)
    start, solution = source, None
    for _ in range(_ROUNDS):
        over = OverGround(
            skeleton, soles, [planes_at(terrain, sole.corner_places(start.poses)) for sole in soles], _OVER
        )
        solution = solve_clip(source, goals, weights, inequalities=[over], start=start, **options)
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

"""What is asked of one foot over a whole clip: to stand on its plants, and to stay over the ground."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.goals import Goal, Orient, Reach
from posable.motion.feet.paths import Path
from posable.motion.feet.plants import Plant
from posable.motion.feet.soles import Sole
from posable.skeleton import Pose
from posable.spatial import Array, matrix_from_wxyz, wxyz_between, wxyz_from_matrix

_PLANTED, _SWINGING = 2000.0, 0.03  # weights of a foot's place on the ground, and in the air
_FLAT, _CARRIED = 30.0, 0.03  # of its turn
_LETS_GO = 0.1  # s in which a ball that lifts or lands comes to be as free as in the air: at once, it would jump
_STRETCH = 0.995  # of the straight leg: what is further away is out of reach

Wish = tuple[Goal, Array]
"""A goal, and its weight `[frame]`."""


class FootGoals:
    """The goals of one foot. path: how it is carried over a terrain; None where each stays on the source's own ground.

    held: `[frame]` where the heel, too, is asked to stand: not where the leg is too short for a flat foot.
    """

    def __init__(self, clip: Clip, carried: Pose, sole: Sole, plants: Sequence[Plant], path: Path | None) -> None:
        self.sole, self.plants = sole, plants
        moved = 0.0 if path is None else path.moved
        self._ball, self._heel = sole.ball_places(clip.poses) + moved, sole.heel_places(clip.poses) + moved
        self._turn, self._toes = _turns(clip, sole.foot, path), _turns(clip, sole.toes or sole.foot, path)
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
            self._ball[at], self._weights["ball"][at] = one.place, _PLANTED
            if flat:
                self._toes[at], self._weights["toes"][at] = (
                    _leant(self._toes[at], self.sole.toes_flat, one.normal),
                    _FLAT,
                )
        if one.heel is not None:
            at = np.arange(*one.heel)
            at = at[_in_reach(carried[at], self.sole, one)]
            self._heel[at], self._weights["heel"][at], self.held[at] = one.heel_place(self.sole), _PLANTED, True
            both = at if one.ball is None else at[(at >= one.ball[0]) & (at < one.ball[1])]
            if flat:
                self._turn[both], self._weights["turn"][both] = one.turn, _FLAT

    def wishes(self) -> list[Wish]:
        """Those that any clip has, and where it is carried over a terrain, those for the turns of foot and toes."""
        sole, weights = self.sole, self._weights
        found: list[Wish] = [(Reach(sole.foot, self._ball, tip=sole.ball), weights["ball"])]
        if sole.heel is not None:
            found.append((Reach(sole.foot, self._heel, tip=sole.heel), weights["heel"]))
        if weights["turn"].any():
            found.append((Orient(sole.foot, wxyz_from_matrix(self._turn)), weights["turn"]))
        if sole.toes is not None and weights["toes"].any():
            found.append((Orient(sole.toes, wxyz_from_matrix(self._toes)), weights["toes"]))
        return found


def _let_go(weights: Array, frames: int) -> Array:
    """The weights `[frame]`, falling by even factors to those of the swing over so many frames before and after."""
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
    """Turns `[frame, 3, 3]` with the least more of a turn that makes `flat` point along the ground's normal."""
    return matrix_from_wxyz(wxyz_between(turns @ flat, normal)) @ turns


def _in_reach(pose: Pose, sole: Sole, one: Plant) -> NDArray[np.bool_]:
    """`[frame]` whether the leg is long enough for the ankle of the flat foot; where it is not, the heel lifts."""
    joints = [pose.skeleton.index(joint) for joint in sole.joints]
    bones = np.linalg.norm(np.diff(pose.origins[:, joints], axis=1), axis=2).sum(axis=1)
    ankle = one.place - one.turn @ sole.ball
    return np.asarray(np.linalg.norm(pose.origins[:, joints[0]] - ankle, axis=1) <= _STRETCH * bones)

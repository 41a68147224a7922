"""Feet that stay where they are put, frame by frame, as a game needs it: locked on the ground and let go again."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from posable.errors import MethodError, PoseError, SkeletonError
from posable.figures import Figure, Roles
from posable.goals import Place
from posable.motion.feet import live_kernels as kernels
from posable.motion.feet.contacts import checked_up
from posable.motion.feet.plants import free_root
from posable.motion.feet.soles import Sole, soles
from posable.motion.feet.terrain import Terrain
from posable.skeleton import Pose, Skeleton
from posable.solvers import Prepared, prepare
from posable.solvers.methods import TwoBone

_STRETCH = 0.998  # of the straight leg
Pelvis = Literal["lowest", "mean", "still"]
_PELVIS: tuple[str, ...] = get_args(Pelvis)


@dataclass(frozen=True)
class FootLock:
    """When a foot is locked to the ground and let go, for a leg of 0.88 m.

    lock_speed, release_speed: m/s of the animated ball; under the one it is locked, over the other let go; what is in
        between changes nothing. lock_height: m over the ground under which it may be locked. release_distance: m that
        the animation may get away from the lock. half_life: s in which half of a foot's or the pelvis's way to where it
        belongs is gone; larger is calmer and slower.
    pelvis: "lowest" brings it down with the lower foot, "mean" halfway, "still" leaves it.
    """

    lock_speed: float = 0.3
    release_speed: float = 1.0
    lock_height: float = 0.05
    release_distance: float = 0.2
    half_life: float = 0.05
    pelvis: Pelvis = "lowest"

    def __post_init__(self) -> None:
        numbers = (self.lock_speed, self.release_speed, self.lock_height, self.release_distance, self.half_life)
        if not all(math.isfinite(x) and x > 0 for x in numbers) or self.lock_speed >= self.release_speed:
            raise MethodError("a foot's lock has numbers above 0, and locks at a lower speed than it lets go")
        if self.pelvis not in _PELVIS:
            raise MethodError(f"the pelvis follows the 'lowest' foot, their 'mean', or is 'still', not {self.pelvis!r}")


class FootPlacement:
    """Call it with every frame's pose; it hands back the pose with its feet on the ground.

    A ball that comes to rest on the ground is locked there until the animation has it move on; then the foot goes back
    to its animation within a few frames. On a terrain a foot keeps the height over the ground that it has over level
    ground at `level`; the pelvis follows. A leg that is too short lifts its heel first, and only then the pelvis comes
    down. For whole clips `plant_feet` is better: it sees what comes.

    figure: with legs that posable finds (or `found`, `feet` name them). terrain: None for level ground.
    level: the height of the ground that the animation was made for.
    Raises SkeletonError for a figure without legs or without a free root, as `soles` does; TerrainError, MethodError.
    """

    def __init__(
        self,
        figure: Figure | Skeleton,
        terrain: Terrain | None = None,
        *,
        level: float = 0.0,
        lock: FootLock | None = None,
        feet: Sequence[str] | None = None,
        found: Roles | None = None,
    ) -> None:
        self.skeleton = figure if isinstance(figure, Skeleton) else figure.skeleton
        self.terrain, self.level, self.lock = terrain, float(level), lock or FootLock()
        if terrain is not None:
            checked_up(terrain, self.skeleton.up)
        which = soles(figure, feet, found)
        root = free_root(self.skeleton, which)
        if root != 0:
            raise SkeletonError("live feet need a figure whose first joint is free; use figure.with_root('free')")
        self._up, lock = "xyz".index(self.skeleton.up), self.lock
        self._joints = np.array([self.skeleton.index(sole.foot) for sole in which])
        self._hips = np.array([self.skeleton.index(sole.joints[0]) for sole in which])
        self._feet = np.array([_constants(sole) for sole in which])
        self._limits = (lock.lock_speed, lock.release_speed, lock.lock_height, lock.release_distance)
        self._legs = _leg_solver(self.skeleton, which)
        self._state = np.zeros((len(which), kernels.STATES))
        self._level = np.full(len(which), self.level)
        self._balls, self._at, self._places = np.zeros((3, len(which), 3))
        self._targets = np.tile(np.eye(4), (len(which), 1, 1))

    def reset(self) -> None:
        """Forget locks and speeds: after a cut, or when the figure was put elsewhere."""
        self._state[:] = 0.0

    @property
    def locked(self) -> tuple[bool, ...]:
        """Which feet are locked just now."""
        return tuple((self._state[:, kernels.LOCKED] > 0).tolist())

    def update(self, pose: Pose, seconds: float) -> Pose:
        """The pose of this frame with its feet placed. seconds: since the last one, above 0.

        Raises PoseError for a batch, another skeleton's pose, or no time. A hole in the terrain counts as level ground.
        """
        if pose.q.shape != (self.skeleton.coordinates,) or not seconds > 0:
            raise PoseError("live placement takes one pose of its own skeleton at a time, and seconds above 0")
        kept = 0.5 ** (seconds / self.lock.half_life)
        frames, feet = pose.world_from_joint, (self._joints, self._feet)
        kernels.balls_of(frames, *feet, self._state, self._balls, self._at)
        ground = self._level if self.terrain is None else self.terrain.height(self._at)
        mode = _PELVIS.index(self.lock.pelvis)
        q = pose.q.copy()
        q[self._up] += kernels.place_feet(
            frames, self._joints, self._hips, self._feet, self._balls, ground, self._state, self._limits, self.level,
            self._up, float(seconds), kept, mode, self._places, self._targets,
        )  # fmt: skip
        placed = self._reached(Pose.trusted(self.skeleton, q))
        again = kernels.make_up(placed.world_from_joint, *feet, self._places, self._state, self._targets, self._balls)
        return self._reached(placed) if again else placed

    def _reached(self, pose: Pose) -> Pose:
        """The pose with every leg bent so that its foot is at its target."""
        return self._legs.solve(pose, list(self._targets)).pose


def _constants(sole: Sole) -> list[float]:
    """A row of what the kernels want to know of a foot."""
    below = max(sole.ball_height - float(sole.flat @ sole.ball), 0.0)  # from the ankle down to the sole
    longest = _STRETCH * (sole.length - below)
    stretched = longest + 0.7 * float(np.linalg.norm(sole.ball))  # with the heel lifted
    return [*sole.ball.tolist(), sole.ball_height, sole.scale, longest, stretched]


def _leg_solver(skeleton: Skeleton, which: Sequence[Sole]) -> Prepared:
    """All legs at once: in closed form where they are of two bones, else by least squares."""
    legs = {skeleton.index(joint) for sole in which for joint in sole.joints}
    others = [name for n, name in enumerate(skeleton.joints) if n not in legs]
    goals = [Place(sole.foot, np.eye(4)) for sole in which]
    options = {"frozen": others, "restarts": 0, "tolerance": 1e-5 * skeleton.reach}
    try:
        prepared = prepare(skeleton, goals, method=TwoBone(), **options)
        prepared.solve(Pose(skeleton, skeleton.rest_coordinates))
    except MethodError:
        return prepare(skeleton, goals, **options)
    return prepared

"""Feet that stay where they are put, frame by frame, as a game needs it: locked on the ground and let go again."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from posable.errors import MethodError, PoseError, SkeletonError
from posable.figures import Figure, Roles
from posable.goals import Place
from posable.motion.feet.contacts import checked_up
from posable.motion.feet.plants import free_root
from posable.motion.feet.soles import Sole, soles
from posable.motion.feet.terrain import Terrain
from posable.skeleton import Pose, Skeleton
from posable.solvers import Prepared, prepare
from posable.solvers.methods import TwoBone
from posable.spatial import Array

_STRETCH = 0.998  # of the straight leg
_MISSED = 1e-3  # m for a leg of 0.88 m: a ball so far off its place is brought nearer
_MADE_UP = 0.015  # m, likewise: more than this is no matter of an ankle
_STEEPEST = 1.2  # rad: how far a heel is lifted


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
    pelvis: Literal["lowest", "mean", "still"] = "lowest"

    def __post_init__(self) -> None:
        numbers = (self.lock_speed, self.release_speed, self.lock_height, self.release_distance, self.half_life)
        if not all(math.isfinite(x) and x > 0 for x in numbers) or self.lock_speed >= self.release_speed:
            raise MethodError("a foot's lock has numbers above 0, and locks at a lower speed than it lets go")
        if self.pelvis not in ("lowest", "mean", "still"):
            raise MethodError(f"the pelvis follows the 'lowest' foot, their 'mean', or is 'still', not {self.pelvis!r}")


class _Foot:
    """What is remembered of one foot from frame to frame."""

    def __init__(self, skeleton: Skeleton, sole: Sole) -> None:
        self.sole = sole
        self.index, self.hip = skeleton.index(sole.foot), skeleton.index(sole.joints[0])
        below = max(sole.ball_height - float(sole.flat @ sole.ball), 0.0)  # from the ankle down to the sole
        self.longest = _STRETCH * (sole.length - below)
        self.stretched = self.longest + 0.7 * float(np.linalg.norm(sole.ball))  # with the heel lifted
        self.target = np.eye(4)
        self.last: Array | None = None  # where the animation had the ball
        self.lock: Array | None = None
        self.offset = np.zeros(3)  # from the animation to where the ball is
        self.rise = 0.0


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
        self._up = "xyz".index(self.skeleton.up)
        self._feet = [_Foot(self.skeleton, sole) for sole in which]
        self._legs = _leg_solver(self.skeleton, which)

    def reset(self) -> None:
        """Forget locks and speeds: after a cut, or when the figure was put elsewhere."""
        for foot in self._feet:
            foot.last, foot.lock, foot.offset, foot.rise = None, None, np.zeros(3), 0.0

    @property
    def locked(self) -> tuple[bool, ...]:
        """Which feet are locked just now."""
        return tuple(foot.lock is not None for foot in self._feet)

    def update(self, pose: Pose, seconds: float) -> Pose:
        """The pose of this frame with its feet placed. seconds: since the last one, above 0.

        Raises PoseError for a batch, another skeleton's pose, or no time. A hole in the terrain counts as level ground.
        """
        if pose.q.shape != (self.skeleton.coordinates,) or not seconds > 0:
            raise PoseError("live placement takes one pose of its own skeleton at a time, and seconds above 0")
        kept = 0.5 ** (seconds / self.lock.half_life)
        frames = pose.world_from_joint
        turns = [frames[foot.index, :3, :3] for foot in self._feet]
        balls = [
            turn @ foot.sole.ball + frames[foot.index, :3, 3] for foot, turn in zip(self._feet, turns, strict=True)
        ]
        rises = self._rises(balls)
        places = []
        for foot, ball, rise in zip(self._feet, balls, rises, strict=True):
            foot.rise = rise + kept * (foot.rise - rise)
            self._step(foot, ball, seconds, kept)
            place = ball + foot.offset
            place[self._up] += foot.rise
            places.append(place)
        ankles = [place - turn @ foot.sole.ball for foot, turn, place in zip(self._feet, turns, places, strict=True)]
        hips = [frames[foot.hip, :3, 3] for foot in self._feet]
        q = np.array(pose.q)
        drop = self._pelvis(hips, ankles)
        q[self._up] += drop
        for foot, turn, place, hip in zip(self._feet, turns, places, hips, strict=True):
            hip = hip.copy()
            hip[self._up] += drop
            _aim(foot, turn, place, hip)
        return self._corrected(self._reached(Pose.trusted(self.skeleton, q)), places)

    def _reached(self, pose: Pose) -> Pose:
        """The pose with every leg bent so that its foot is at its target."""
        return self._legs.solve(pose, [foot.target for foot in self._feet]).pose

    def _corrected(self, pose: Pose, places: list[Array]) -> Pose:
        """Where the limit of an ankle keeps a foot from its turn and the ball from its place, the ankle makes up."""
        frames, again = pose.world_from_joint, False
        for foot, place in zip(self._feet, places, strict=True):
            missed = place - (frames[foot.index, :3, :3] @ foot.sole.ball + frames[foot.index, :3, 3])
            if (_MISSED * foot.sole.scale) ** 2 < missed @ missed < (_MADE_UP * foot.sole.scale) ** 2:
                foot.target[:3, 3] += missed
                again = True
        return self._reached(pose) if again else pose

    def _rises(self, balls: list[Array]) -> list[float]:
        """How much higher than level the ground is under each foot, where it is or is locked."""
        if self.terrain is None:
            return [0.0] * len(balls)
        at = np.array([b if f.lock is None else f.lock for f, b in zip(self._feet, balls, strict=True)])
        return [0.0 if math.isnan(h) else h - self.level for h in self.terrain.height(at).tolist()]

    def _step(self, foot: _Foot, ball: Array, seconds: float, kept: float) -> None:
        """Lock, let go, or go on as before."""
        lock, unit, k = self.lock, foot.sole.scale, self._up
        speed = math.inf if foot.last is None else math.dist(ball, foot.last) / seconds / unit
        foot.last = ball
        if foot.lock is not None:
            if speed > lock.release_speed or math.dist(ball, foot.lock) > lock.release_distance * unit:
                foot.lock = None
        elif speed < lock.lock_speed and ball[k] - self.level - foot.sole.ball_height < lock.lock_height * unit:
            foot.lock = ball + foot.offset  # where it is seen, so that nothing jumps
        if foot.lock is None:
            foot.offset = foot.offset * kept
            return
        foot.lock[k] += (1.0 - kept) * (self.level + foot.sole.ball_height - foot.lock[k])
        foot.offset = foot.lock - ball

    def _pelvis(self, hips: list[Array], ankles: list[Array]) -> float:
        """How much the pelvis goes up or down: with the ground under the feet, and as far as a leg is too short."""
        rises = [foot.rise for foot in self._feet]
        drop = {"lowest": min(rises), "mean": sum(rises) / len(rises), "still": 0.0}[self.lock.pelvis]
        for foot, hip, ankle in zip(self._feet, hips, ankles, strict=True):
            away = hip - ankle
            across = float(away @ away) - away[self._up] ** 2
            drop = min(drop, math.sqrt(max(foot.stretched**2 - across, 0.0)) - away[self._up])
        return drop


def _aim(foot: _Foot, turn: Array, place: Array, hip: Array) -> None:
    """Set the foot's target so that its ball is at `place`, the heel lifted where the leg is too short."""
    arm = -(turn @ foot.sole.ball)  # from ball to ankle
    lifted = _lifting(arm, hip - place, foot.longest)
    foot.target[:3, :3] = turn if lifted is None else lifted @ turn
    foot.target[:3, 3] = place + (arm if lifted is None else lifted @ arm)


def _lifting(arm: Array, hip: Array, longest: float) -> Array | None:
    """The least turn about the ball that brings the ankle within the leg's length of the hip; None where it is.

    In the plane of foot and hip the ankle runs on a circle: hip · (arm cos φ + side sin φ)
    = (|hip|² + |arm|² − l²) / 2.
    """
    size = float(arm @ arm)
    if (hip - arm) @ (hip - arm) <= longest * longest or size == 0:
        return None
    side = hip - arm * (float(arm @ hip) / size)
    length = float(np.linalg.norm(side))
    if length < 1e-9:
        return None
    side *= math.sqrt(size) / length
    a, b = float(hip @ arm), float(hip @ side)
    c = 0.5 * (float(hip @ hip) + size - longest * longest)
    top = math.atan2(b, a)
    angle = min(top - math.acos(min(max(c / math.hypot(a, b), -1.0), 1.0)), top, _STEEPEST)
    axis = np.cross(arm, side) / size
    x, y, z = axis.tolist()
    s, v = math.sin(angle), 1.0 - math.cos(angle)
    return np.array(
        [
            [1 - v * (y * y + z * z), v * x * y - s * z, v * x * z + s * y],
            [v * x * y + s * z, 1 - v * (x * x + z * z), v * y * z - s * x],
            [v * x * z - s * y, v * y * z + s * x, 1 - v * (x * x + y * y)],
        ]
    )


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

"""Foot locking frame by frame, for games: feet are locked on the ground and released again."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from posable.compiled.decorators import inner_kernel, lean_kernel
from posable.errors import MethodError, PoseError
from posable.figures import Figure, Roles
from posable.figures.terrain import Terrain
from posable.goals import Place
from posable.motion.feet import live as kernels
from posable.motion.feet.plants import carrying_root
from posable.motion.feet.sole_shapes import Sole, soles
from posable.skeleton import Pose, Skeleton
from posable.solvers import Prepared, prepare
from posable.solvers.methods import TwoBone

_STRETCH = 0.998  # of the straight leg
Pelvis = Literal["lowest", "mean", "still"]
_PELVIS: tuple[str, ...] = get_args(Pelvis)


@dataclass(frozen=True)
class FootLock:
    """Thresholds at which a foot is locked and released, for a leg of 0.88 m.

    Args:
        lock_speed: Speed of the animated ball in m/s below which the foot is locked.
        release_speed: Speed in m/s above which the foot is released; speeds in between change nothing.
        lock_height: Height over the ground in metres below which a foot may be locked.
        release_distance: Distance in metres between animation and lock at which the foot is released.
        half_life: Seconds in which half of the remaining distance of a foot or the pelvis is covered; larger is calmer
            and slower.
        pelvis: "lowest" lowers the pelvis with the lower foot, "mean" by half, "still" not at all.

    Example:
        >>> lock = posable.motion.FootLock(half_life=0.1)  # releases a foot more slowly
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
            raise MethodError("a foot's lock has numbers above 0, and locks at a lower speed than it releases")
        if self.pelvis not in _PELVIS:
            raise MethodError(f"the pelvis follows the 'lowest' foot, their 'mean', or is 'still', not {self.pelvis!r}")


class FootPlacement:
    """Puts the feet of a figure on the ground in real time: call it with every frame's pose.

    A ball that comes to rest on the ground is locked until the animation moves on; then the foot returns to its
    animation within a few frames. On a terrain, a foot keeps the height over the ground that it has over level ground,
    and the pelvis follows. If a leg is too short, its heel is lifted first, then the pelvis is lowered. For whole clips
    `plant_feet` is better, because it knows the future.

    Args:
        figure: A figure with legs.
        terrain: The ground; None is level.
        level: Height of the ground that the animation was made for.
        lock: Thresholds of the lock; None is the default.
        feet: Roles or joints of the feet; None is all.
        roles: Roles of the joints; None finds them.

    Raises:
        SkeletonError: For a figure without legs, or without a free joint that carries them.
        TerrainError: For a terrain with another up axis.
        MethodError: For invalid thresholds.
    """

    def __init__(
        self,
        figure: Figure | Skeleton,
        terrain: Terrain | None = None,
        *,
        level: float = 0.0,
        lock: FootLock | None = None,
        feet: Sequence[str] | None = None,
        roles: Roles | None = None,
    ) -> None:
        self.skeleton = figure if isinstance(figure, Skeleton) else figure.skeleton
        self.terrain, self.level, self.lock = terrain, float(level), lock or FootLock()
        if terrain is not None:
            terrain.check_up(self.skeleton.up)
        which = soles(figure, feet, roles)
        root = carrying_root(self.skeleton, which)
        self._up, lock = "xyz".index(self.skeleton.up), self.lock
        first = int(self.skeleton.tables.first_coordinate[root])
        self._carries, self._parent = slice(first, first + 3), int(self.skeleton.parents[root])
        self._upwards = np.eye(3)[self._up]  # in the frame of the world
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
        """Forget locks and speeds: after a cut, or when the figure was moved elsewhere."""
        self._state[:] = 0.0

    @property
    def locked(self) -> tuple[bool, ...]:
        """Which feet are locked now."""
        return tuple((self._state[:, kernels.LOCKED] > 0).tolist())

    def update(self, pose: Pose, seconds: float) -> Pose:
        """The pose of this frame with its feet on the ground. seconds: since the last one, above 0.

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
        rise = kernels.place_feet(
            frames, self._joints, self._hips, self._feet, self._balls, ground, self._state, self._limits, self.level,
            self._up, float(seconds), kept, mode, self._places, self._targets,
        )  # fmt: skip
        q[self._carries] += rise * (self._upwards if self._parent < 0 else frames[self._parent, self._up, :3])
        placed = self._reached(Pose.trusted(self.skeleton, q))
        again = kernels.make_up(placed.world_from_joint, *feet, self._places, self._state, self._targets, self._balls)
        return self._reached(placed) if again else placed

    def _reached(self, pose: Pose) -> Pose:
        """The pose with every leg bent so that its foot is at its target."""
        return self._legs.solve(pose, list(self._targets)).pose


def _constants(sole: Sole) -> list[float]:
    """The constants of a foot for the kernels, as one row."""
    below = max(sole.ball_height - float(sole.flat @ sole.ball), 0.0)  # from the ankle down to the sole
    longest = _STRETCH * (sole.length - below)
    stretched = longest + 0.7 * float(np.linalg.norm(sole.ball))  # with the heel lifted
    return [*sole.ball.tolist(), sole.ball_height, sole.scale, longest, stretched]


def _leg_solver(skeleton: Skeleton, which: Sequence[Sole]) -> Prepared:
    """A solver of all legs at once: in closed form where they have two bones, else by least squares."""
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


# The formulas of live feet, compiled: a frame costs less than NumPy's calls would for one foot.


BALL, REST, SCALE, LONGEST, STRETCHED, CONSTANTS = 0, 3, 4, 5, 6, 7
"""Columns of the constants of a foot: its ball in its joint's frame (three), the height of that on the ground, its
unit, the lengths from hip to ankle and, with the heel lifted, from hip to ball.
"""

LOCK, OFFSET, LAST, MADE_UP, RISE, LOCKED, SEEN, STATES = 0, 3, 6, 9, 12, 13, 14, 15
"""Columns of the state: the position of the lock, the offset of the ball from the animation, the animated ball in the
last frame, the offset of the ankle (three each); the height of the ground above level; whether the foot is locked, and
whether there was a last frame.
"""

_MISSED = 1e-3  # m for a leg of 0.88 m: a ball this far off its target is corrected
_MADE_UP = 0.015  # m, likewise: a larger error is not due to the ankle
_STEEPEST = 1.2  # rad: the largest lift of a heel


@lean_kernel
def balls_of(frames, joints, feet, state, balls, at):
    """Fill the positions of the balls, and those at which the ground is evaluated: their locks if they are locked."""
    for n in range(joints.shape[0]):
        m = frames[joints[n]]
        for a in range(3):
            balls[n, a] = m[a, 3]
            for b in range(3):
                balls[n, a] += m[a, b] * feet[n, BALL + b]
        for a in range(3):
            at[n, a] = state[n, LOCK + a] if state[n, LOCKED] > 0 else balls[n, a]


@inner_kernel
def _distance(one, first, other, second):
    square = 0.0
    for a in range(3):
        square += (one[first + a] - other[second + a]) ** 2
    return math.sqrt(square)


@inner_kernel
def _step(foot, ball, own, lock, level, up, seconds, kept):
    """Lock a foot, release it, or continue. own: its row of the state."""
    unit = foot[SCALE]
    speed = _distance(ball, 0, own, LAST) / (seconds * unit) if own[SEEN] > 0 else math.inf
    if own[LOCKED] > 0:
        if speed > lock[1] or _distance(ball, 0, own, LOCK) > lock[3] * unit:
            own[LOCKED] = 0.0
    elif speed < lock[0] and ball[up] - level - foot[REST] < lock[2] * unit:
        own[LOCKED] = 1.0
        for a in range(3):
            own[LOCK + a] = ball[a] + own[OFFSET + a]  # its visible position, so that nothing jumps
    own[SEEN] = 1.0
    own[LOCK + up] += (1.0 - kept) * (level + foot[REST] - own[LOCK + up])
    for a in range(3):
        own[LAST + a] = ball[a]
        own[OFFSET + a] = own[LOCK + a] - ball[a] if own[LOCKED] > 0 else kept * own[OFFSET + a]


@inner_kernel
def _lift(arm, hip, longest, turn, target):
    """Rotate a foot about its ball by the least that brings the ankle within `longest` of the hip, both relative to it.

    In the plane of foot and hip the ankle moves on a circle: hip · (arm cos φ + side sin φ)
    = (|hip|² + |arm|² − l²) / 2. `turn`, target: 4 × 4, the foot before and after.
    """
    size = arm[0] ** 2 + arm[1] ** 2 + arm[2] ** 2
    far = hip[0] ** 2 + hip[1] ** 2 + hip[2] ** 2
    along = arm[0] * hip[0] + arm[1] * hip[1] + arm[2] * hip[2]
    if size == 0.0 or far - 2.0 * along + size <= longest * longest:
        return
    share = along / size
    side = hip[0] - arm[0] * share, hip[1] - arm[1] * share, hip[2] - arm[2] * share
    length = math.sqrt(side[0] ** 2 + side[1] ** 2 + side[2] ** 2)
    if length < 1e-9:
        return
    root = math.sqrt(size)
    b = root * length  # hip along the side, made as long as the arm
    top = math.atan2(b, along)
    reached = 0.5 * (far + size - longest * longest) / math.hypot(along, b)
    angle = min(top - math.acos(min(max(reached, -1.0), 1.0)), top, _STEEPEST)
    k = 1.0 / (root * length)
    x = k * (arm[1] * side[2] - arm[2] * side[1])
    y = k * (arm[2] * side[0] - arm[0] * side[2])
    z = k * (arm[0] * side[1] - arm[1] * side[0])
    s, v = math.sin(angle), 1.0 - math.cos(angle)
    rows = (
        (1 - v * (y * y + z * z), v * x * y - s * z, v * x * z + s * y),
        (v * x * y + s * z, 1 - v * (x * x + z * z), v * y * z - s * x),
        (v * x * z - s * y, v * y * z + s * x, 1 - v * (x * x + y * y)),
    )
    for a in range(3):
        row = rows[a]
        for c in range(3):
            target[a, c] = row[0] * turn[0, c] + row[1] * turn[1, c] + row[2] * turn[2, c]
        target[a, 3] += row[0] * arm[0] + row[1] * arm[1] + row[2] * arm[2] - arm[a]


@inner_kernel
def _room(foot, ball, place, m, h, up):
    """The least rise of the pelvis (below 0: its drop) with which a leg reaches, its heel lifted."""
    across = 0.0
    for a in range(3):
        if a != up:
            across += (h[a, 3] - place[a] + ball[a] - m[a, 3]) ** 2
    high = h[up, 3] - place[up] + ball[up] - m[up, 3]
    return math.sqrt(max(foot[STRETCHED] ** 2 - across, 0.0)) - high


@inner_kernel
def _aim(foot, ball, place, own, m, h, up, drop, target):
    """The target of a foot: its ball at its position, its heel lifted where the leg is too short."""
    for a in range(3):
        for b in range(3):
            target[a, b] = m[a, b]
        target[a, 3] = place[a] + m[a, 3] - ball[a] + own[MADE_UP + a]
    arm = m[0, 3] - ball[0], m[1, 3] - ball[1], m[2, 3] - ball[2]
    hip = (
        h[0, 3] - place[0] + drop * (up == 0),
        h[1, 3] - place[1] + drop * (up == 1),
        h[2, 3] - place[2] + drop * (up == 2),
    )
    _lift(arm, hip, foot[LONGEST], m, target)


@lean_kernel
def place_feet(
    frames, joints, hips, feet, balls, ground, state, lock, level, up, seconds, kept, pelvis, places, targets
):
    """The rise of the pelvis; fills `places [foot, 3]`, the targets of the balls, and `targets [foot, 4, 4]` of the
    feet.

    ground: `[foot]` its height, NaN over a hole. lock: speeds of locking and release, height, distance.
    pelvis: 0 with the lowest ground, 1 with the mean, 2 unchanged.
    """
    count = joints.shape[0]
    least, mean = math.inf, 0.0
    for n in range(count):
        rise = 0.0 if math.isnan(ground[n]) else ground[n] - level
        if state[n, SEEN] > 0:  # else nothing was there to ease from
            rise += kept * (state[n, RISE] - rise)
        state[n, RISE] = rise
        _step(feet[n], balls[n], state[n], lock, level, up, seconds, kept)
        for a in range(3):
            places[n, a] = balls[n, a] + state[n, OFFSET + a]
        places[n, up] += state[n, RISE]
        least, mean = min(least, state[n, RISE]), mean + state[n, RISE] / count
    drop = least if pelvis == 0 else mean if pelvis == 1 else 0.0
    for n in range(count):
        drop = min(drop, _room(feet[n], balls[n], places[n], frames[joints[n]], frames[hips[n]], up))
    for n in range(count):
        m, h = frames[joints[n]], frames[hips[n]]
        _aim(feet[n], balls[n], places[n], state[n], m, h, up, drop, targets[n])
    return drop


@lean_kernel
def make_up(frames, joints, feet, places, state, targets, off):
    """Whether a ball is off its target because its ankle cannot rotate far enough; the target is moved by the error,
    and the sum goes into the state. off: `[foot, 3]`, receives the errors.
    """
    again = False
    for n in range(joints.shape[0]):
        m, square = frames[joints[n]], 0.0
        for a in range(3):
            off[n, a] = places[n, a] - m[a, 3]
            for b in range(3):
                off[n, a] -= m[a, b] * feet[n, BALL + b]
            square += off[n, a] ** 2
        size = math.sqrt(square) / feet[n, SCALE]
        for a in range(3):
            state[n, MADE_UP + a] = state[n, MADE_UP + a] + off[n, a] if size < _MADE_UP else 0.0
        if _MISSED < size < _MADE_UP:
            again = True
            for a in range(3):
                targets[n, a, 3] += off[n, a]
    return again

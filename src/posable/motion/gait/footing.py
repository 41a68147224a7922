"""Footholds: feet are moved along their direction until the sole lies on one plane, as on stairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from posable.errors import PosableError
from posable.figures.surfaces import Stairs
from posable.motion.feet import Terrain
from posable.motion.gait.anatomy import Body, Leg
from posable.spatial import Array

# The ground in the figure's own axes: height and normal.


@dataclass(frozen=True, eq=False)
class Ground:
    """terrain: in the world; None for level ground under the rest pose.

    to_body, origin, length: the figure's own axes, their origin and the leg length, in the world.
    """

    terrain: Terrain | None
    to_body: Array
    origin: Array
    length: float

    @property
    def level(self) -> bool:
        return self.terrain is None

    @property
    def stairs(self) -> bool:
        return self.terrain is not None and isinstance(self.terrain.surface, Stairs)

    def at(self, positions: Array) -> tuple[Array, Array]:
        """(height `[...]`, unit normal `[..., 3]`) under `positions [..., 3]`. Raises PosableError over a hole."""
        height, normal = self.seen(positions)
        if not np.isfinite(height).all():
            point = self._world(positions.reshape(-1, 3)[np.argmax(~np.isfinite(height.reshape(-1)))])
            shown = ", ".join(f"{number:.3g}" for number in point)
            raise PosableError(
                f"the terrain has no ground under ({shown}), where a foot would land; lead the path around it"
            )
        return height, normal

    def seen(self, positions: Array) -> tuple[Array, Array]:
        """As `at`, with NaN over a hole."""
        if self.terrain is None:
            return np.zeros(positions.shape[:-1]), np.broadcast_to([0.0, 1.0, 0.0], positions.shape)
        height, normal = self.terrain.ground(self._world(positions))
        return (height - self.to_body[1] @ self.origin) / self.length, normal @ self.to_body.T

    def _world(self, positions: Array) -> Array:
        return self.origin + self.length * positions @ self.to_body


def ground_of(terrain: Terrain | None, body: Body) -> Ground:
    """The ground under a figure. Raises PosableError for a terrain with another up axis."""
    up = body.skeleton.up
    if terrain is not None and terrain.up != up:
        raise PosableError(f"the terrain's up axis is {terrain.up}, the figure's is {up}; make it with up={up!r}")
    return Ground(terrain, body.to_body, body.origin, body.length)


_SEARCH, _STEP = 0.3, 0.01  # range to either side and step of the search for even ground, leg lengths
_ROOM, _CLOSE = 1, 4  # required and desired distance of heel and tip from higher ground, steps of the search
_ROUGH = 0.02  # leg lengths: smaller differences in height count as even
_HANGS, _BALL_HANGS = 12.0, 4.0  # cost of the share of a sole over an edge, and of a ball over an edge
_STANDS = 4.0  # factor of the cost of a shift while the figure stands, with its hips over its feet
_TIGHT = 0.2  # cost of each search step closer than desired
_UNEVEN = 60.0  # cost of uneven steps, per squared difference in strides


@dataclass(frozen=True, eq=False)
class Footsteps:
    """The footsteps of one leg on level ground.

    foothold: `[contact, 3]` under the ball. heading: `[contact]`. middle: `[contact]` phase. stands: `[contact]`
    whether the figure stands there before or after its walk.
    """

    leg: Leg
    foothold: Array
    heading: Array
    middle: Array
    stands: np.ndarray

    @property
    def ahead(self) -> Array:
        return np.stack([np.sin(self.heading), 0 * self.heading, np.cos(self.heading)], axis=-1)


def footing(
    ground: Ground, legs: Sequence[Footsteps], toe_out: float, stride: float
) -> list[tuple[Array, Array, Array]]:
    """Per leg: footholds `[contact, 3]` moved along their headings, the ground's unit normals there, and the shifts.

    The height of a foothold is that of the highest ground under the sole: a sole too long for a tread hangs over its
    edge and never penetrates a riser. Steps stay about even, so that no tread is skipped; feet on which the figure
    stands stay beside each other. toe_out: radians. stride: leg lengths.
    """
    seen = [_places(ground, steps, toe_out) for steps in legs]
    order = np.argsort(np.concatenate([steps.middle for steps in legs]), kind="stable")
    costs, stands = np.concatenate([cost for cost, _, _ in seen]), np.concatenate([steps.stands for steps in legs])
    chosen = np.empty(len(order), int)
    chosen[order] = _evenly(costs[order], stands[order], stride)
    found, first = [], 0
    for steps, (_, height, normal) in zip(legs, seen, strict=True):
        rows, own = np.arange(len(height)), chosen[first : first + len(height)]
        shift = _shifts()[own]
        foothold = steps.foothold + shift[:, None] * steps.ahead
        foothold[:, 1] = height[rows, own]
        if not np.isfinite(foothold).all():
            ground.at(steps.foothold[~np.isfinite(foothold[:, 1])])  # raises for the hole
        found.append((foothold, normal[rows, own], shift))
        first += len(height)
    return found


def _shifts() -> Array:
    count = round(_SEARCH / _STEP)
    return np.linspace(-count * _STEP, count * _STEP, 2 * count + 1)


def _places(ground: Ground, steps: Footsteps, toe_out: float) -> tuple[Array, Array, Array]:
    """(cost, height `[contact, shift]`, normal `[contact, shift, 3]`) of the candidates around each foothold."""
    leg, foothold, ahead, count = steps.leg, steps.foothold, steps.ahead, round(_SEARCH / _STEP)
    half = leg.breadth / 2
    corner = half * abs(float(np.sin(toe_out)))  # distance of the sole's corner ahead of its middle
    ends = leg.ball[2] - leg.heel[2], leg.tip[2] - leg.ball[2]
    back, front = (int(np.ceil((end + corner) / _STEP)) for end in ends)
    along = np.arange(-count - back - _CLOSE, count + front + _CLOSE + 1) * _STEP
    aside = np.stack([ahead[:, 2], 0 * ahead[:, 1], -ahead[:, 0]], axis=-1)
    lines = np.array([0.0, half, -half])
    positions = (
        foothold[:, None, None] + along[:, None] * ahead[:, None, None] + lines[:, None, None] * aside[:, None, None]
    )
    seen, normals = ground.seen(positions)
    middle = slice(back + _CLOSE, back + _CLOSE + 2 * count + 1)
    own, normal = seen[:, 0, middle], normals[:, 0, middle]
    rise, tilt = (-(normal * direction[:, None]).sum(axis=-1) / normal[..., 1] for direction in (ahead, aside))
    wide = sliding_window_view(seen, back + front + 2 * _CLOSE + 1, axis=2)  # [contact, line, shift, position]
    reach = np.arange(-back - _CLOSE, front + _CLOSE + 1) * _STEP
    plane = own[:, None, :, None] + rise[:, None, :, None] * reach + tilt[:, None, :, None] * lines[:, None, None]
    over = wide - plane
    raised = over[..., _CLOSE - _ROOM : _ROOM - _CLOSE].max(axis=(1, 3))
    level = raised[:, None, :, None]
    tight = (over > level + _ROUGH).any(axis=1).sum(axis=-1)
    hangs = (over[..., _CLOSE:-_CLOSE] < level - _ROUGH).mean(axis=(1, 3))
    cost = (
        np.abs(_shifts()) / _SEARCH * np.where(steps.stands, _STANDS, 1.0)[:, None]
        + _HANGS * hangs
        + _BALL_HANGS * (raised > _ROUGH)
        + _TIGHT * tight
    )
    return np.where(np.isfinite(raised), cost, np.inf), own + raised, normal


def _evenly(cost: Array, standing: np.ndarray, stride: float) -> np.ndarray:
    """`[contact]` index of the chosen shift: the sequence of least total cost (Viterbi)."""
    shifts = _shifts()
    uneven = _UNEVEN * ((shifts[:, None] - shifts) / stride) ** 2
    beside = np.where(np.eye(len(shifts), dtype=bool), 0.0, np.inf)
    total, came = cost[0], np.zeros(cost.shape, int)
    for row in range(1, len(cost)):
        costs = (beside if standing[row - 1] and standing[row] else uneven) + total  # [to, from]
        came[row] = costs.argmin(axis=1)
        total = cost[row] + costs.min(axis=1)
        total = np.where(np.isfinite(total).any(), total, np.abs(shifts))  # no ground at all: continue from any shift
    chosen = np.empty(len(cost), int)
    chosen[-1] = int(total.argmin())
    for row in range(len(cost) - 1, 0, -1):
        chosen[row - 1] = came[row, chosen[row]]
    return chosen


# Extra height of swings over obstacles: smooth, and never less than required.
#
# A swing, x from 0 to 1, is sampled over u = ln(x / (1 − x)), which stretches its ends: a foot that has just left the
# ground gains height as quickly as an edge right before it requires; one in mid-swing gains it slowly.


_ENDS, _SAMPLES = 4.8, 97  # u from −4.8 to 4.8: x from 0.8 to 99.2 % of the swing
_WIDTH = 9  # samples to either side over which height is gained and lost: 0.9 of u


@dataclass(frozen=True, eq=False)
class Lifts:
    """height: `[swing, sample]`, leg lengths, by which each swing is raised."""

    height: Array

    @classmethod
    def none(cls, swings: int) -> Lifts:
        return cls(np.zeros((swings, _SAMPLES)))

    @staticmethod
    def course() -> Array:
        """x of the samples."""
        return 1 / (1 + np.exp(-np.linspace(-_ENDS, _ENDS, _SAMPLES)))

    def at(self, swing: np.ndarray, x: Array) -> Array:
        """`[n]` extra height at the share `x [n]` of each swing."""
        inside = np.clip(x, 1e-6, 1 - 1e-6)
        position = (np.log(inside / (1 - inside)) / _ENDS + 1) / 2 * (_SAMPLES - 1)
        low = np.clip(np.floor(position).astype(int), 0, _SAMPLES - 2)
        share = np.clip(position - low, 0.0, 1.0)
        return self.height[swing, low] * (1 - share) + self.height[swing, low + 1] * share

    def over(self, lack: Array) -> Lifts:
        """The lifts raised smoothly by at least `lack [swing, sample]`, except at the ends."""
        wide = np.pad(np.maximum(lack, 0.0), [(0, 0), (2 * _WIDTH, 2 * _WIDTH)])
        most = sliding_window_view(wide, 2 * _WIDTH + 1, axis=1).max(axis=-1)
        weight = 1 + np.cos(np.linspace(-np.pi, np.pi, 2 * _WIDTH + 1))
        more = sliding_window_view(most, 2 * _WIDTH + 1, axis=1) @ (weight / weight.sum())
        more[:, [0, -1]] = 0.0
        return Lifts(self.height + more)

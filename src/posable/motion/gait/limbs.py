"""Legs by closed form: from hip to ankle, all frames at once, the bend of all knees of a leg being one number.

A leg of two bones bends its one knee by the law of cosines about the axis that its joint has; a leg of more bones
bends all its knees together, in proportion to their bend at rest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from posable.motion.gait.body import Leg
from posable.motion.gait.limb_kernels import facing
from posable.motion.gait.turning import about_axis, cross, multiply, rotate
from posable.skeleton import Skeleton
from posable.spatial import Array, normalized, wxyz_between

_STUB = 0.25  # of the longest bone: shorter ones at the top belong to the body
_LEAST_BEND = 0.35  # radians that a knee of a many-boned leg takes part with, however straight it rests
_TABLE = 129
_FOLDED = 2.0  # how many times its rest bend a many-boned leg may fold
_POLISH = 6


@dataclass(frozen=True, eq=False)
class Limb:
    """A leg ready to be posed. joints: hip first; bones: `[bone, 3]` at rest; axes: `[knee, 3]` and shares: `[knee]`,
    how each knee turns when the leg bends by 1 radian (more means nearer). points_ahead: the knee is led by the foot.
    """

    joints: tuple[int, ...]
    hip: Array
    bones: Array
    axes: Array
    shares: Array
    straight: float  # the bend at which the leg is longest
    folded: float
    biped: bool

    @classmethod
    def of(cls, leg: Leg, skeleton: Skeleton, turns: Array, *, biped: bool) -> Limb:
        """turns: `[joint, 4]`, joint frames at rest to the figure's directions."""
        first, bones = 0, np.diff(leg.points, axis=0)
        sizes = np.linalg.norm(bones, axis=1)
        while len(bones) - first > 2 and sizes[first] < _STUB * sizes.max():
            first += 1
        bones, joints = bones[first:], leg.joints[first:]
        axes, shares = _knees(skeleton, joints, bones, turns, biped=biped)
        limb = cls(joints, leg.points[first], bones, axes, shares, 0.0, 0.0, biped)
        straight, folded = _range(limb)
        return cls(joints, leg.points[first], bones, axes, shares, straight, folded, biped)

    def reach(self, bend: float) -> float:
        """The distance from hip to ankle when every knee is bent by `bend` radians more than straight."""
        return float(np.linalg.norm(self.span(np.array([self.straight + bend]))[0]))

    def span(self, bend: Array) -> Array:
        """Hip to ankle `[n, 3]` in the frame of the thigh at rest."""
        end = np.broadcast_to(self.bones[-1], (len(bend), 3))
        for axis, share, bone in zip(self.axes[::-1], self.shares[::-1], self.bones[-2::-1], strict=True):
            end = bone + rotate(about_axis(axis, share * bend), end)
        return end

    def bends(self, distance: Array) -> Array:
        """The bend `[n]` at which hip and ankle are `distance [n]` apart; straight or folded beyond its reach."""
        if len(self.bones) == 2:
            return self._one_knee(distance)
        grid = np.linspace(self.straight, self.folded, _TABLE)
        sizes = np.linalg.norm(self.span(grid), axis=1)
        bend = np.interp(distance, sizes[::-1], grid[::-1])
        step = 1e-6
        for _ in range(_POLISH):
            off = np.linalg.norm(self.span(bend), axis=1) - distance
            slope = (np.linalg.norm(self.span(bend + step), axis=1) - distance - off) / step
            move = np.where(np.abs(slope) > 1e-6, off / np.where(slope == 0, 1.0, slope), 0.0)
            bend = np.clip(bend - np.clip(move, -0.1, 0.1), self.straight, self.folded)
        return bend

    def _one_knee(self, distance: Array) -> Array:
        constant, size, middle = _cosine_terms(self)
        cosine = np.clip((distance**2 - constant) / (2 * size), -1.0, 1.0)
        return middle + np.arccos(cosine)

    def pose(self, hip: Array, ankle: Array, ahead: Array, body: Array) -> list[Array]:
        """Turns away from rest `[n, 4]` of the leg's joints, hip first.

        hip, ankle: `[n, 3]`. ahead: `[n, 3]`, where the foot points: a person's knee turns square to it, which is what
        an ankle that cannot twist asks for. body: `[n, 4]`, turn of the body, which other legs follow.
        """
        gap = ankle - hip
        bend = self.bends(np.linalg.norm(gap, axis=1))
        span = self.span(bend)
        top = self._facing(span, gap, ahead) if self.biped else self._following(span, gap, body)
        turns = [top]
        for axis, share in zip(self.axes, self.shares, strict=True):
            turns.append(multiply(turns[-1], about_axis(axis, share * bend)))
        return turns

    def _following(self, span: Array, gap: Array, body: Array) -> Array:
        carried = rotate(body, span)
        return multiply(wxyz_between(carried, gap), body)

    def _facing(self, span: Array, gap: Array, ahead: Array) -> Array:
        turn = np.empty((len(gap), 4))
        facing(np.ascontiguousarray(span), gap, np.ascontiguousarray(ahead), self.axes[0], turn)
        return turn


def _knees(
    skeleton: Skeleton, joints: tuple[int, ...], bones: Array, turns: Array, *, biped: bool
) -> tuple[Array, Array]:
    """Axes and shares of the knees: the joint's own axis where it has one, else square to the bend at rest."""
    axes, shares = [], []
    for k, joint in enumerate(joints[1:]):
        normal = cross(bones[k], bones[k + 1])
        angle = np.arctan2(np.linalg.norm(normal), bones[k] @ bones[k + 1])
        own = skeleton.definitions[joint].axes
        if own and not own[0].slide:
            axis = rotate(turns[joint], np.array(own[0].direction))
            forward = axis[0] if biped else axis @ normal
            axis = axis if forward >= 0 else -axis
        else:
            axis = np.array([1.0, 0.0, 0.0]) if biped or np.linalg.norm(normal) == 0 else normalized(normal)
        axes.append(axis)
        shares.append(1.0 if len(joints) == 2 else max(float(angle), _LEAST_BEND))
    return np.array(axes), np.array(shares)


def _cosine_terms(limb: Limb) -> tuple[float, float, float]:
    """distance² = constant + 2 size cos(bend − middle)."""
    a, b, k = limb.bones[0], limb.bones[1], limb.axes[0]
    along = (a @ k) * (b @ k)
    even, odd = a @ b - along, a @ cross(k, b)
    return float(a @ a + b @ b + 2 * along), float(np.hypot(even, odd)), float(np.arctan2(odd, even))


def _range(limb: Limb) -> tuple[float, float]:
    """The bends at which the leg is longest, and folded as far as it may."""
    if len(limb.bones) == 2:
        middle = _cosine_terms(limb)[2]
        return middle, middle + np.pi
    grid = np.linspace(-1.5, _FOLDED, 701)
    sizes = np.linalg.norm(limb.span(grid), axis=1)
    longest = int(np.argmax(sizes))
    falls = np.flatnonzero(np.diff(sizes[longest:]) > 0)
    return float(grid[longest]), float(grid[longest + falls[0]] if len(falls) else grid[-1])

"""Height of the hips: within the reach of the legs; on uneven ground and in bends, as the knees of both require."""

from __future__ import annotations

import numpy as np

from posable.motion.gait.plan import Plan
from posable.spatial import Array
from posable.spatial.curves import smootherstep


def lowered(phase: Array, edges: Array, limits: Array, stands: tuple[bool, bool], *, loop: bool) -> Array:
    """A smooth curve below `limits [piece, sample]`, sampled evenly in the pieces between `edges [piece + 1]`.

    In the middle of each piece it takes the minimum of the piece and its neighbours. stands: whether the figure stands
    at the start and at the end, as high as possible, with one piece of transition. loop: the curve is periodic.
    """
    heights = limits.min(axis=1)
    ends = (heights[-1:], heights[:1]) if loop else (heights[:1], heights[-1:])
    padded = np.concatenate([ends[0], heights, ends[1]])
    knots = np.minimum(np.minimum(padded[:-2], padded[2:]), heights)
    at = (edges[1:] + edges[:-1]) / 2
    if loop:
        knots = np.concatenate([knots[-1:], knots, knots[:1]])
        at = np.concatenate([2 * edges[:1] - at[:1], at, 2 * edges[-1:] - at[-1:]])
    if stands[0]:
        knots = np.concatenate([[_standing(limits[0], knots[0])], knots])
        at = np.concatenate([edges[:2], at[1:]])
    if stands[1]:
        knots = np.concatenate([knots, [_standing(limits[-1][::-1], knots[-1])]])
        at = np.concatenate([at[:-1], edges[-2:]])
    if len(at) < 2:
        return np.full_like(phase, knots[0])
    k = np.clip(np.searchsorted(at, phase, side="right") - 1, 0, len(at) - 2)
    x = smootherstep(np.clip((phase - at[k]) / (at[k + 1] - at[k]), 0, 1))
    return knots[k] * (1 - x) + knots[k + 1] * x


def _standing(limits: Array, last: float) -> float:
    """The greatest first height from which a smooth transition to `last` stays below `limits`."""
    share = smootherstep(np.linspace(0, 1, len(limits)))
    before = share < 0.99
    return max(float(np.min((limits[before] - last * share[before]) / (1 - share[before]))), last)


_TAKES_OVER = 0.2  # strides in which the other leg takes over the height of the hips
_CALM = 1500.0  # weight of a smooth curve against knees as on level ground
_LIMIT = 1e7  # weight of the height limit
_TRIES = 10
LEAST_BEND = 0.12  # radians: bends below this get no more weight


def carrying(plan: Plan, leg: int, phase: Array) -> Array:
    """`[n]` share of the body carried by that leg; it changes legs in the middle of double support."""
    c = plan.contacts[leg]
    half = (sum(plan.downs) - 1) / 4
    k = np.clip(np.searchsorted(c.land, phase + _TAKES_OVER, side="right") - 1, 0, len(c.land) - 1)
    share = np.zeros_like(phase)
    for one in (np.maximum(k - 1, 0), k):
        up = (phase - c.land[one] - half) / _TAKES_OVER + 0.5
        down = (phase - c.lift[one] + half) / _TAKES_OVER + 0.5
        share = np.maximum(share, smootherstep(up) * (1 - smootherstep(down)))
    return share


def settled(start: Array, desired: Array, weights: Array, limits: Array) -> Array:
    """Heights `[n]` near the legs' `desired [leg, n]` by `weights`, below `limits [n]` and smooth (least squares).

    Smoothness is that of the offset from `start [n]`, by its second differences.
    """
    from scipy.linalg import solveh_banded

    count = len(start)
    band = np.zeros((3, count))
    band[2] = 6.0 * _CALM
    band[1, 1:] = -4.0 * _CALM
    band[0, 2:] = _CALM
    band[2, [0, -1]], band[2, [1, -2]] = _CALM, 5.0 * _CALM
    band[1, [1, -1]] = -2.0 * _CALM
    total, pull = weights.sum(axis=0), (weights * (desired - start)).sum(axis=0)
    room, over, off = limits - start, np.zeros(count), np.zeros(count)
    for _ in range(_TRIES):
        own = band.copy()
        own[2] += total + over + 1e-9
        off = solveh_banded(own, pull + over * room)
        beyond = np.where(off > room - 1e-9, _LIMIT, 0.0)
        if np.array_equal(beyond, over):
            break
        over = beyond
    return start + off

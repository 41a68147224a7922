"""Coordinates at rest and drawn at random."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from posable.skeleton.joint import Cone, Joint
from posable.skeleton.limits import clamp_ball
from posable.skeleton.tables import cone_numbers
from posable.spatial import Array, random_wxyz, wxyz_about, wxyz_between, wxyz_multiply


def rest_of(joint: Joint) -> Array:
    """The rest coordinates of one joint: as stated, or neutral ones moved inside the limits."""
    if joint.rest is not None:
        return np.array(joint.rest, float)
    if joint.kind == "free":
        size = math.hypot(*joint.wxyz)
        return np.array([*joint.position, *(c / size for c in joint.wxyz)], float)
    if joint.kind == "ball":
        q = np.array([1.0, 0, 0, 0])
        if joint.cone is not None and not _holds_identity(joint.cone):
            clamp_ball(np.array(cone_numbers(joint.cone)), q, 0)
        return q
    own = [axis for axis in joint.axes if axis.follow is None]
    return np.array([min(max(axis.reference, axis.lower), axis.upper) for axis in own], float)


def _holds_identity(cone: Cone) -> bool:
    """Whether the identity is plainly inside, so that no kernel need be compiled to see it."""
    return abs(cone.center[0]) == 1 and cone.twist[0] <= 0 <= cone.twist[1]


def random_coordinates(
    joints: Sequence[Joint], rest: Array, reach: float, rng: np.random.Generator, shape: tuple[int, ...]
) -> Array:
    """Uniform coordinates `[*shape, coordinates]` within the limits; what is not active stays at `rest`.

    `reach` is how far what slides without a limit may go.
    """
    parts, first = [], 0
    for joint in joints:
        own = np.broadcast_to(rest[first : first + joint.coordinates], (*shape, joint.coordinates))
        parts.append(_random_of(joint, own, reach, rng, shape))
        first += joint.coordinates
    return np.concatenate(parts, axis=-1)


def _random_of(joint: Joint, rest: Array, reach: float, rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    active = np.array(joint.active or (True,) * joint.dof, bool)
    if joint.kind == "ball":
        return _random_ball(joint.cone, rng, shape) if active.any() else rest
    if joint.kind == "free":
        xyz = rest[..., :3] + np.where(active[:3], rng.uniform(-reach, reach, (*shape, 3)), 0.0)
        return np.concatenate([xyz, random_wxyz(rng, shape) if active[3:].any() else rest[..., 3:]], axis=-1)
    own = [axis for axis in joint.axes if axis.follow is None]
    widest = np.array([reach if axis.slide else math.pi for axis in own])
    low, high = np.array([axis.lower for axis in own]), np.array([axis.upper for axis in own])
    open_low, open_high = np.minimum(-widest, high - widest), np.maximum(widest, low + widest)
    low, high = np.where(np.isfinite(low), low, open_low), np.where(np.isfinite(high), high, open_high)
    return np.where(active, rng.uniform(low, high, (*shape, joint.dof)), rest)


def _random_ball(cone: Cone | None, rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Uniform in solid angle of the swing and in twist."""
    if cone is None:
        return random_wxyz(rng, shape)
    lean = np.arccos(rng.uniform(math.cos(cone.swing), 1.0, shape))
    around = rng.uniform(0, 2 * math.pi, shape)
    twist = rng.uniform(*cone.twist, shape)
    # Leaning about a direction square to the axis, which stands anywhere around it.
    about = np.stack([np.cos(around), np.sin(around), np.zeros(shape)], axis=-1)
    upright = wxyz_between((0, 0, 1), cone.axis)
    swing = wxyz_multiply(wxyz_multiply(upright, wxyz_about(about, lean)), upright * np.array([1, -1, -1, -1]))
    return wxyz_multiply(cone.center, wxyz_multiply(swing, wxyz_about(cone.axis, twist)))

"""Arms for the closed forms, written by hand, and what judges them: plain NumPy, no compiled code."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from posable import Axis, Joint, Skeleton
from posable.spatial import wxyz_about

Array = NDArray[np.float64]
Link = tuple[tuple[float, float, float], tuple[float, float, float]]

# Axis and place in the link before, at zero angles.
PUMA: list[Link] = [  # shoulder and elbow offsets to the side, the wrist's axes meet
    ((0, 0, 1), (0, 0, 0.67)),
    ((0, 1, 0), (0.05, 0.243, 0)),
    ((0, -1, 0), (0.432, -0.093, 0.01)),
    ((0, 0, 1), (-0.02, 0, 0.3)),
    ((0, 1, 0), (0, 0, 0.133)),
    ((0, 0, 1), (0, 0, 0.0)),
]
SLANTED_WRIST: list[Link] = [  # as of some painting robots: neighbours in the wrist at 55° to each other
    *PUMA[:4],
    ((0, math.sin(0.96), math.cos(0.96)), (0, 0, 0.133)),
    ((0, 0, 1), (0, 0, 0.0)),
]
SKEW: list[Link] = [  # no two of the first three axes parallel or meeting: the quartic
    ((0, 0, 1), (0.1, 0, 0.3)),
    ((0, 0.8, 0.6), (0.2, 0.1, 0.1)),
    ((0.6, 0, 0.8), (0.35, 0.05, -0.1)),
    ((0, 1, 0), (0.25, 0.1, 0.2)),
    ((1, 0, 0), (0, 0.2, 0)),
    ((0, 1, 0), (0, 0, 0)),
]
SHOULDER_MEETS: list[Link] = [  # the first two axes meet, the third is askew
    ((0, 0, 1), (0, 0, 0.3)),
    ((0, 1, 0), (0, 0, 0)),
    ((0.6, 0, 0.8), (0.35, 0.05, 0.1)),
    *SKEW[3:],
]
SCARA_WITH_WRIST: list[Link] = [  # the first two axes are parallel, the third lies across
    ((0, 0, 1), (0, 0, 0.3)),
    ((0, 0, -1), (0.4, 0, 0.05)),
    ((0, 1, 0), (0.3, 0, 0)),
    ((1, 0, 0), (0.05, 0, 0.02)),
    ((0, 1, 0), (0.3, 0, 0)),
    ((1, 0, 0), (0.0, 0, 0)),
]
THREE_LATER: list[Link] = [  # the second to fourth are parallel, as a UR's, but slanted to the neighbours
    ((0, 0, 1), (0, 0, 0.1)),
    ((0, 0.8, 0.6), (0.05, 0.1, 0)),
    ((0, -0.8, -0.6), (0.4, 0, 0)),
    ((0, 0.8, 0.6), (0.35, 0.02, 0)),
    ((0.6, 0, 0.8), (0.03, 0.1, 0.1)),
    ((0, 1, 0), (0, 0, 0)),
]
THREE_FIRST: list[Link] = [  # the first three are parallel, the last two meet
    ((0, 0, 1), (0, 0, 0.2)),
    ((0, 0, 1), (0.4, 0, 0)),
    ((0, 0, 1), (0.3, 0.05, 0)),
    ((0.6, 0.8, 0), (0.05, 0, 0.1)),
    ((0, 0, 1), (0.2, 0.02, 0)),
    ((1, 0, 0), (0, 0, 0)),
]
THREE_FIRST_EARLY: list[Link] = [  # the first three are parallel, the fourth and fifth meet
    *THREE_FIRST[:4],
    ((0, 0, 1), (0, 0, 0)),
    ((1, 0, 0), (0.1, 0.05, 0)),
]
TOOL = (0.02, 0.05, 0.11)


def arm(links: list[Link], scale: float = 1.0, limit: float = math.inf, start: float = 0.3) -> Skeleton:
    """Hinges "h1" … "h6" with a fixed joint in between and a fixed, turned "tool" at the end."""
    joints = [Joint("stand", "fixed", None, (0.1 * scale, 0.0, -0.2 * scale), tuple(wxyz_about((0, 1, 1), 0.4)))]
    for k, (axis, place) in enumerate(links):
        place = tuple(scale * c for c in place)
        joint = Joint(f"h{k + 1}", "hinge", joints[-1].name, place, axes=(Axis(axis, lower=-limit, upper=limit),))
        joints.append(joint)
        if k == 2:  # a bracket: the next place is given in its turned frame
            joints.append(Joint("bracket", "fixed", "h3"))
    place = tuple(scale * c for c in TOOL)
    joints.append(Joint("tool", "fixed", "h6", place, tuple(wxyz_about((1, 2, 3), start))))
    return Skeleton(joints, "z")


def mirrored(links: list[Link]) -> list[Link]:
    """The same axes from the end to the base."""
    places = [place for _, place in links]
    axes = [axis for axis, _ in links]
    back = [(0.0, 0.0, 0.1), *[tuple(-c for c in place) for place in reversed(places[1:])]]
    return list(zip(reversed(axes), back, strict=True))  # type: ignore[arg-type]


def with_limits(skeleton: Skeleton, lower: float, upper: float) -> Skeleton:
    """The same arm, every hinge between `lower` and `upper`."""
    joints = [
        replace(j, axes=tuple(replace(axis, lower=lower, upper=upper) for axis in j.axes)) for j in skeleton.definitions
    ]
    return Skeleton(joints, skeleton.up)


def place_by_hand(skeleton: Skeleton, q: Array, joint: int = -1) -> Array:
    """`[..., 4, 4]` of a joint of an unbranched arm of hinges and fixed joints, with NumPy alone."""
    matrix = np.broadcast_to(np.eye(4), (*q.shape[:-1], 4, 4))
    column = 0
    for definition in skeleton.definitions[: len(skeleton.joints) + joint + 1]:
        own = np.broadcast_to(np.eye(4), matrix.shape).copy()
        w, x, y, z = definition.wxyz / np.linalg.norm(definition.wxyz)
        cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        own[..., :3, :3] = np.eye(3) + 2 * w * cross + 2 * cross @ cross
        own[..., :3, 3] = definition.position
        matrix = matrix @ own
        for axis in definition.axes:
            ax, ay, az = axis.direction
            cross = np.array([[0, -az, ay], [az, 0, -ax], [-ay, ax, 0]])
            angle = q[..., column, None, None] - axis.reference
            turn = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
            anchor = np.array(axis.anchor)
            own = np.broadcast_to(np.eye(4), matrix.shape).copy()
            own[..., :3, :3] = turn
            own[..., :3, 3] = anchor - turn @ anchor
            matrix = matrix @ own
            column += 1
    return matrix


def wrapped(angles: Array) -> Array:
    """Differences of angles to −π … π."""
    return angles - 2 * np.pi * np.round(angles / (2 * np.pi))


def solutions_by_search(skeleton: Skeleton, target: Array, rng: np.random.Generator, starts: int = 600) -> Array:
    """`[solution, 6]` of a six-hinge arm: Newton's steps from many random starts, copies taken out."""
    from posable import Pose

    joint = skeleton.joints[-1]
    q = rng.uniform(-np.pi, np.pi, (starts, 6))
    length = skeleton.reach
    for _ in range(60):
        pose = Pose(skeleton, q)
        now, jacobian = pose.world_from_joint[:, -1], pose.jacobian(joint)
        error = np.concatenate([(target[:3, 3] - now[:, :3, 3]) / length, _turn_error(now, target)], axis=1)
        jacobian = np.concatenate([jacobian[:, :3] / length, jacobian[:, 3:]], axis=1)
        square = np.einsum("nij,nik->njk", jacobian, jacobian)
        damping = 1e-3 * (error**2).sum(axis=1)[:, None, None] + 1e-15
        step = np.linalg.solve(square + damping * np.eye(6), np.einsum("nij,ni->nj", jacobian, error)[..., None])[
            ..., 0
        ]
        q = q + np.clip(step, -0.5, 0.5)
    missed = np.abs(Pose(skeleton, q).world_from_joint[:, -1] - target).max(axis=(1, 2))
    found: list[Array] = []
    for one in q[missed < 1e-9 * max(length, 1.0)]:
        if all(np.abs(wrapped(one - other)).max() > 1e-4 for other in found):
            found.append(one)
    return np.array(found).reshape(-1, 6)


def _turn_error(now: Array, target: Array) -> Array:
    """The rotation vectors, to first order and of the right direction far off, from `now` to `target`."""
    turn = target[:3, :3] @ np.swapaxes(now[:, :3, :3], 1, 2)
    vector = 0.5 * np.stack(
        [turn[:, 2, 1] - turn[:, 1, 2], turn[:, 0, 2] - turn[:, 2, 0], turn[:, 1, 0] - turn[:, 0, 1]], axis=1
    )
    cosine = np.clip(0.5 * (np.trace(turn, axis1=1, axis2=2) - 1), -1, 1)
    sine = np.linalg.norm(vector, axis=1)
    return vector * (np.arctan2(sine, cosine) / np.maximum(sine, 1e-12))[:, None]

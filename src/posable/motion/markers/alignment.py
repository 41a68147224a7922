"""Aligning markers and figure: axes, units, the initial pose of the root, and filling gaps."""

from __future__ import annotations

import numpy as np

from posable.motion.markers.marker_model import MarkerModel
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array, normalized, slerp, wxyz_from_matrix

_UNITS = (1.0, 10.0, 100.0, 1000.0, 1 / 0.0254, 1 / 0.3048)
_NEAR_UNIT = 2.2
"""The largest ratio of sizes of body and figure that is not attributed to units."""


def with_up_axis(positions: Array, given: str, wanted: str) -> Array:
    """Points `[..., 3]` whose `given` axis points up, rotated so that the `wanted` one does."""
    if given == wanted:
        return positions
    x, y, z = np.moveaxis(positions, -1, 0)
    return np.stack([x, z, -y] if given == "z" else [x, -z, y], axis=-1)


def unit_ratio(model: Array, seen: Array, size: float) -> float:
    """The figure's length units per unit of the markers, a common one if possible, from points `[marker, 3]` of both.

    1 if the distances roughly agree: people and figures differ in size far less than units do.
    """
    first, second = np.triu_indices(len(model), 1)
    ours = np.linalg.norm(model[first] - model[second], axis=1)
    theirs = np.linalg.norm(seen[first] - seen[second], axis=1)
    far = (ours > 0.1 * size) & (theirs > 0)
    if not far.any():
        return 1.0
    ratio = float(np.median(ours[far] / theirs[far]))
    if 1 / _NEAR_UNIT < ratio < _NEAR_UNIT:
        return 1.0
    usual = np.array([*_UNITS[1:], *(1 / unit for unit in _UNITS[1:])])
    nearest = float(usual[np.argmin(np.abs(np.log(usual / ratio)))])
    return nearest if 1 / 1.5 < nearest / ratio < 1.5 else ratio


def rigid_fits(model: Array, targets: Array, weights: Array) -> Array:
    """`[frame, 4, 4]`: the rigid motions that bring `model [frame, point, 3]` closest to `targets` (Kabsch 1976)."""
    total = np.maximum(weights.sum(axis=1), 1e-300)[:, None]
    middle = np.sum(weights[..., None] * model, axis=1) / total
    aim = np.sum(weights[..., None] * targets, axis=1) / total
    spread = np.einsum("fm,fmi,fmj->fij", weights, targets - aim[:, None], model - middle[:, None])
    u, _, vt = np.linalg.svd(spread)
    u[..., 2] *= np.linalg.det(u @ vt)[:, None]
    found = np.tile(np.eye(4), (len(model), 1, 1))
    found[:, :3, :3] = u @ vt
    found[:, :3, 3] = aim - (found[:, :3, :3] @ middle[..., None])[..., 0]
    return found


def aligned(model: MarkerModel, pose: Pose, offsets: Array, importance: Array) -> Pose:
    """The poses with their root moved so that the rigid figure fits the markers; frames with fewer than three stay.

    importance: `[marker]` factors of the weights.
    """
    root = model.skeleton.definitions[0]
    if not root.floating:
        return pose
    weights = model.weights * importance
    moves = rigid_fits(model.positions(pose, offsets), model.targets, weights)
    world = moves @ pose.world_from_joint[:, 0]
    q = np.array(pose.q)
    enough = (weights > 0).sum(axis=1) >= 3
    q[enough, :3] = world[enough, :3, 3]
    q[enough, 3:7] = wxyz_from_matrix(world[enough, :3, :3])
    return Pose.trusted(pose.skeleton, q)


def fill_gaps(skeleton: Skeleton, q: Array, known: np.ndarray) -> Array:
    """`q [frame, coordinates]` with every joint interpolated over frames in which it is not `known [frame, joint]`,
    constant before the first known frame and after the last.
    """
    out, first = np.array(q), skeleton.tables.first_coordinate
    for j, joint in enumerate(skeleton.definitions):
        own = slice(int(first[j]), int(first[j + 1]))
        if not joint.coordinates or not known[:, j].any() or known[:, j].all():
            continue
        before, after, share = _between(known[:, j])
        mixed = (1 - share[:, None]) * q[before, own] + share[:, None] * q[after, own]
        if joint.has_quaternion:
            mixed[:, -4:] = fill_rotation_gaps(q[:, own.stop - 4 : own.stop], known[:, j])
        out[~known[:, j], own] = mixed[~known[:, j]]
    return out


def fill_rotation_gaps(wxyz: Array, known: np.ndarray) -> Array:
    """Quaternions `[frame, 4]` with those not `known [frame]` interpolated likewise."""
    before, after, share = _between(known)
    return np.where(known[:, None], wxyz, normalized(slerp(wxyz[before], wxyz[after], share)))


def _between(known: np.ndarray) -> tuple[np.ndarray, np.ndarray, Array]:
    """(the known frame before, the one after, the relative position between them) for each frame."""
    sure, frames = np.flatnonzero(known), np.arange(len(known))
    after = sure[np.clip(np.searchsorted(sure, frames), 0, len(sure) - 1)]
    before = sure[np.clip(np.searchsorted(sure, frames, side="right") - 1, 0, len(sure) - 1)]
    share = np.where(after > before, (frames - before) / np.maximum(after - before, 1), 0.0)
    return before, after, share

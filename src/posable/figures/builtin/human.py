"""The mannequin: a skinned human made by code, in the manner of an artist's wooden figure."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from posable.figures.builtin.human_body import MOUTH, body
from posable.figures.builtin.human_joints import FINGERS, finger_points, human_skeleton, points
from posable.figures.builtin.tubes import bound_at_rest
from posable.figures.model import Figure
from posable.skeleton import Skeleton
from posable.skin import Skin
from posable.spatial import Array, normalized

SKIN_FILE = Path(__file__).with_name("mannequin.npz")


def mannequin() -> Figure:
    """A human of 1.75 m and 70 kg with anatomical joint limits and one smooth, closed skin: to reach, look and walk.

    Metres, y up, standing on y = 0, facing +z, arms half down. Joints: root, spine, chest, neck, head and, ending in
    _l or _r, eye, clavicle, upper_arm, forearm, hand, thumb_1…3, index_1…3, index_tip, middle_1…3, ring_1…3, pinky_1…3,
    thigh, shin, foot, toe. `human_joints` tells where the limits come from, `sculpting` how the skin is made.
    """
    skeleton = human_skeleton()
    return Figure(skeleton, name="mannequin", skins=(_skin(skeleton),))


def _skin(skeleton: Skeleton) -> Skin:
    with np.load(SKIN_FILE, allow_pickle=False) as kept:
        low, high = kept["box"]
        vertices = low + kept["vertices"] / 65535 * (high - low)
        parts = {name: kept[name] for name in ("faces", "joints", "weights", "colors")}
    return bound_at_rest(
        skeleton, vertices, parts["faces"], parts["joints"], parts["weights"] / 255, parts["colors"] / 255
    )


# How the mannequin's vertices follow its joints, and their colours.


INFLUENCES = 4
WOOD, DARK_WOOD, INK = np.array([0.88, 0.72, 0.52]), np.array([0.70, 0.50, 0.32]), np.array([0.20, 0.14, 0.10])
FINGER_WOOD, LIP_WOOD = 0.55 * WOOD + 0.45 * DARK_WOOD, 0.25 * WOOD + 0.75 * DARK_WOOD
_BANDS = {  # the other end of the bone gives the direction; half the band's width and its reach round the joint, m
    "forearm": ("hand", 0.026, 0.070),
    "hand": ("forearm", 0.013, 0.060),
    "shin": ("foot", 0.032, 0.090),
    "foot": ("shin", 0.012, 0.048),
}

# The blend between a joint and its parent: how much farther away (m) the other's solid is where its influence ends.
_WIDTH = {
    "spine": 0.070, "chest": 0.070, "neck": 0.045, "head": 0.030, "clavicle": 0.080, "upper_arm": 0.034,
    "forearm": 0.020, "hand": 0.020, "thumb_1": 0.012, "thigh": 0.070, "shin": 0.028, "foot": 0.024, "toe": 0.014,
}  # fmt: skip
_FINGER_WIDTH = 0.0055
_TOUCHING = (("chest", "upper_arm"), ("neck", "clavicle"))  # at the armpit and beside the neck, no joint in between
_MIDDLE = 0.030  # m from the middle plane over which the sides take hold
_SMOOTHINGS = 3


def skin_weights(skeleton: Skeleton, vertices: Array, faces: NDArray[np.int64]) -> tuple[NDArray[np.int64], Array]:
    """Joints and weights, `[vertex, 4]` each: the nearest solid's joint, blended with those next to it in the skeleton.

    Nothing but a joint, its parent and its children ever shares a vertex (and what touches without a joint in between),
    so that fingers, legs and sides stay apart.
    """
    distance = _joint_distances(skeleton, vertices)
    nearest = np.argmin(distance, axis=1)
    allowed = _neighbours(skeleton)[nearest]
    share = np.clip(1 - (distance - distance.min(axis=1, keepdims=True)) / _widths(skeleton)[nearest], 0, 1)
    weights = np.where(allowed, share * share * (3 - 2 * share), 0) * _side_hold(skeleton, vertices)
    weights = _smoothed(weights / weights.sum(axis=1, keepdims=True), allowed, faces)
    top = np.argsort(-weights, axis=1, kind="stable")[:, :INFLUENCES]
    kept = np.take_along_axis(weights, top, axis=1)
    return top, kept / kept.sum(axis=1, keepdims=True)


def skin_colors(vertices: Array) -> Array:
    """`[vertex, 3]` sRGB: light wood, darker bands round the joints, ink for the eyes."""
    p = points()
    folded = np.column_stack([np.abs(vertices[:, 0]), vertices[:, 1:]])
    colors = np.tile(WOOD, (len(vertices), 1))
    for joint, (below, half_width, reach) in _BANDS.items():
        away = folded - p[joint]
        beyond = np.abs(away @ normalized(p[below] - p[joint])) - half_width
        beyond = np.maximum(beyond, np.linalg.norm(away, axis=1) - reach)
        colors = _painted(colors, DARK_WOOD, beyond, 0.0, 0.008)
    for finger in FINGERS:
        for place in finger_points()[finger][1:3]:
            colors = _painted(colors, FINGER_WOOD, np.linalg.norm(folded - place, axis=1), 0.0105, 0.003)
    lips = np.linalg.norm((folded - MOUTH) * (0.30, 1.4, 0.3), axis=1)
    colors = _painted(colors, LIP_WOOD, lips, 0.004, 0.004)
    return _painted(colors, INK, np.linalg.norm((folded - p["eye"]) * (1, 1.25, 0.5), axis=1), 0.0085, 0.003)


def _painted(colors: Array, paint: Array, distance: Array, radius: float, edge: float) -> Array:
    """Colours blended to `paint` within `radius`, softly over ± `edge`."""
    share = np.clip((radius + edge - distance) / (2 * edge), 0, 1)[:, None]
    return colors + share * share * (3 - 2 * share) * (paint - colors)


def _joint_distances(skeleton: Skeleton, vertices: Array) -> Array:
    """`[vertex, joint]` distance to each joint's solids; infinite where it has none and for the other side."""
    folded = np.column_stack([np.abs(vertices[:, 0]), vertices[:, 1:]])
    found = np.full((len(vertices), len(skeleton.joints)), np.inf)
    for blob in body().blobs():
        if not blob.owner:
            continue
        distance = blob.distance(folded)
        for joint, here in _sides(skeleton, blob.owner, vertices):
            found[here, joint] = np.minimum(found[here, joint], distance[here])
    return found


def _sides(skeleton: Skeleton, owner: str, vertices: Array) -> list[tuple[int, NDArray[np.bool_]]]:
    if owner in skeleton.joints:
        return [(skeleton.index(owner), np.ones(len(vertices), bool))]
    return [(skeleton.index(f"{owner}_l"), vertices[:, 0] >= 0), (skeleton.index(f"{owner}_r"), vertices[:, 0] <= 0)]


def _bare(joint: str) -> str:
    return joint.removesuffix("_l").removesuffix("_r")


def _neighbours(skeleton: Skeleton) -> NDArray[np.bool_]:
    """`[joint, joint]`: who may share a vertex."""
    pairs = [(i, int(parent)) for i, parent in enumerate(skeleton.parents) if parent >= 0]
    pairs += [(skeleton.index(one), skeleton.index(other + side)) for one, other in _TOUCHING for side in ("_l", "_r")]
    near = np.eye(len(skeleton.joints), dtype=bool)
    for i, j in pairs:
        near[i, j] = near[j, i] = True
    return near


def _widths(skeleton: Skeleton) -> Array:
    """`[joint, joint]` the blend between two neighbours: that of the lower one."""
    own = np.array([_WIDTH.get(_bare(joint), _FINGER_WIDTH) for joint in skeleton.joints])
    row, column = np.meshgrid(np.arange(len(own)), np.arange(len(own)), indexing="ij")
    return own[np.maximum(row, column)]


def _side_hold(skeleton: Skeleton, vertices: Array) -> Array:
    """`[vertex, joint]` 1; for the joints of a side falling to 0 at the middle plane, so that the two meet untorn."""
    hold = np.clip(np.abs(vertices[:, :1]) / _MIDDLE, 0, 1)
    sided = np.array([joint != _bare(joint) for joint in skeleton.joints])
    return np.where(sided, np.maximum(hold * hold * (3 - 2 * hold), 1e-9), 1.0)


def _smoothed(weights: Array, allowed: NDArray[np.bool_], faces: NDArray[np.int64]) -> Array:
    """Weights averaged with those of the neighbouring vertices, without letting in what is not allowed."""
    pairs = np.concatenate(
        [faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]
    )  # closed: each edge once in each direction
    count = np.bincount(pairs[:, 0], minlength=len(weights))[:, None]
    for _ in range(_SMOOTHINGS):
        mean = (
            np.stack([np.bincount(pairs[:, 0], column[pairs[:, 1]], len(weights)) for column in weights.T], axis=1)
            / count
        )
        weights = np.where(allowed, 0.5 * weights + 0.5 * mean, 0)
        weights /= weights.sum(axis=1, keepdims=True)
    return weights

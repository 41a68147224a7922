"""The mannequin: a skinned human made by code, in the manner of an artist's wooden figure."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from posable.figures.builtin.human_joints import human_skeleton
from posable.figures.builtin.tubes import bound_at_rest
from posable.figures.model import Figure
from posable.skeleton import Skeleton
from posable.skin import Skin

SKIN_FILE = Path(__file__).with_name("mannequin.npz")


def mannequin() -> Figure:
    """A human of 1.75 m and 70 kg with anatomical joint limits, made of wooden pieces: to reach, look and walk.

    Metres, y up, standing on y = 0, facing +z, arms half down. Joints: root, spine, chest, neck, head and, ending in
    _l or _r, eye, clavicle, upper_arm, forearm, hand, thumb_1…3, index_1…3, index_tip, middle_1…3, ring_1…3, pinky_1…3,
    thigh, shin, foot, toe. Each piece of its skin follows one joint. `human_joints` tells where the limits come from,
    `sculpting` how the skin is made.
    """
    skeleton = human_skeleton()
    return Figure(skeleton, name="mannequin", skins=(_skin(skeleton),))


def _skin(skeleton: Skeleton) -> Skin:
    with np.load(SKIN_FILE, allow_pickle=False) as kept:
        low, high = kept["box"]
        vertices = low + kept["vertices"] / 65535 * (high - low)
        joints = np.zeros((len(vertices), 4), np.int32)
        joints[:, 0] = kept["joints"]
        weights = np.eye(4)[np.zeros(len(vertices), int)]
        return bound_at_rest(skeleton, vertices, kept["faces"], joints, weights, kept["colors"] / 255)

"""Poses and clips as glTF says them: translations and rotations of nodes, and animations of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from posable.clips import Clip
from posable.files import free_name
from posable.formats.gltf_builder import Builder
from posable.skeleton import Skeleton
from posable.skeleton.placements import placements
from posable.spatial import Array, wxyz_inverse, wxyz_multiply

SAME = 1e-9
"""What moves less than this (radians, or shares of the figure's reach) rests."""


def moved(
    skeleton: Skeleton, position: Array, wxyz: Array, rest_position: Array, rest_wxyz: Array
) -> tuple[np.ndarray, np.ndarray]:
    """`[joint]` masks: which really shift away from rest in some frame, and which really turn."""
    shift = np.linalg.norm(position - rest_position, axis=-1).max(axis=0)
    turn = np.abs(wxyz_multiply(wxyz_inverse(rest_wxyz), wxyz)[..., 1:]).max(axis=(0, 2))
    return shift > SAME * skeleton.reach, turn > SAME


class Target:
    """The nodes that joints became: where they rest, and what lengths in them count.

    nodes: `[joint]` indices. position, wxyz: rest in posable's lengths. unfold: `[joint, 3, 3]` from those to the
    node's.
    """

    def __init__(self, nodes: list[int], position: Array, wxyz: Array, unfold: Array | None = None) -> None:
        self.nodes = nodes
        self.position, self.wxyz = position, wxyz
        self.unfold = np.tile(np.eye(3), (len(nodes), 1, 1)) if unfold is None else unfold

    def translation(self, position: Array) -> Array:
        """Node translations `[..., joint, 3]` of joint positions."""
        return np.einsum("jab,...jb->...ja", self.unfold, position)


def add_animation(builder: Builder, clip: Clip, target: Target, name: str) -> list[int]:
    """Append `clip` as an animation with linear keys of all that moves in it; the nodes that it moves."""
    position, wxyz = placements(clip.poses)
    shifts, turns = moved(clip.skeleton, position, wxyz, target.position, target.wxyz)
    if not (shifts | turns).any():
        turns = turns.copy()
        turns[0] = True  # an animation needs a channel
    times = builder.accessor((np.arange(len(clip)) / clip.fps).astype("<f4")[:, None], bounds=True)
    translation, xyzw = target.translation(position), np.roll(_continuous(wxyz), -1, axis=-1)
    animation: dict[str, Any] = {"name": name, "channels": [], "samplers": [], "extras": {"posable": {"fps": clip.fps}}}
    for path, mask, values in (("translation", shifts, translation), ("rotation", turns, xyzw)):
        for j in np.flatnonzero(mask):
            sampler = {
                "input": times,
                "interpolation": "LINEAR",
                "output": builder.accessor(values[:, j].astype("<f4")),
            }
            animation["channels"].append(
                {"sampler": len(animation["samplers"]), "target": {"node": target.nodes[j], "path": path}}
            )
            animation["samplers"].append(sampler)
    builder.add("animations", animation)
    return [target.nodes[j] for j in np.flatnonzero(shifts | turns)]


def _continuous(wxyz: Array) -> Array:
    """The same rotations `[frame, joint, 4]` with signs such that neighbours in time lie near each other."""
    flips = np.where(np.sum(wxyz[1:] * wxyz[:-1], axis=-1) < 0, -1.0, 1.0)
    return wxyz * np.concatenate([np.ones((1, wxyz.shape[1])), np.cumprod(flips, axis=0)])[..., None]


def unique_name(builder: Builder, wanted: str) -> str:
    """`wanted`, or with a number after it where an animation of the file has that name."""
    taken = {animation.get("name") for animation in builder.raw.get("animations", ())}
    return free_name(wanted, taken)

"""A biped by the positions of its joints: legs, trunk, sides, and why its pose is not a stance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from posable.spatial import Array

LEG, ARM = ("upper_leg", "lower_leg", "foot"), ("upper_arm", "lower_arm", "hand")
UPRIGHT = 0.5  # least cosine between the vertical and the legs and trunk of a stance
_HANGING_TRUNK = -0.3  # cosine to the vertical below which a trunk hangs; a dinosaur's is about level
_FOLDED_LEG = 0.6  # of a straight leg: least distance between hip and ankle in a stance
_LEAST_HIP_WIDTH = 0.02  # of a leg: hips closer to each other do not determine left and right
_HIPS_TO_SHOULDERS = 0.3  # least cosine between the lines of hips and shoulders, seen from above
_UPPER_TRUNK = ("spine", "chest", "upper_chest", "neck", "head")
_HANGING_BONE = 0.7  # cosine to straight down from which a bone hangs
_SHORT_BONE = 0.05  # of a leg: shorter bones may hang

Joints = Mapping[str, int]


@dataclass(frozen=True)
class Biped:
    """Legs, trunk and sides of a biped from the positions of its joints `[frame, joint, 3]`."""

    places: Array
    joints: Joints
    up: Array

    def _sides(self, role: str) -> Array:
        """`[frame, side, 3]`."""
        return self.places[:, [self.joints[f"{role}_{side}"] for side in "lr"]]

    @cached_property
    def hips(self) -> Array:
        return self._sides("upper_leg")

    @cached_property
    def ankles(self) -> Array:
        return self._sides("foot")

    @cached_property
    def bones(self) -> list[Array]:
        """Thighs and shins `[frame, side, 3]`."""
        knees = self._sides("lower_leg")
        return [knees - self.hips, self.ankles - knees]

    @cached_property
    def leg(self) -> float:
        """The length of a leg."""
        return float(np.median(sum(np.linalg.norm(bone, axis=-1) for bone in self.bones)))

    @cached_property
    def shoulders(self) -> Array | None:
        """`[frame, side, 3]`, None without arms."""
        role = next(
            (part for part in ("upper_arm", "lower_arm") if all(f"{part}_{s}" in self.joints for s in "lr")), None
        )
        return self._sides(role) if role else None

    @cached_property
    def trunk(self) -> Array:
        """`[frame, 3]` unit vectors along the trunk, by its own joints if known: the hips may be in front of it."""
        ends = [self.hips.mean(axis=1), self.top]
        if "hips" in self.joints and ("neck" in self.joints or "head" in self.joints):
            ends = [self.places[:, self.joints[role]] for role in ("hips", "neck" if "neck" in self.joints else "head")]
        return unit(ends[1] - ends[0])

    @cached_property
    def top(self) -> Array:
        """`[frame, 3]` the upper end of the trunk."""
        if self.shoulders is not None:
            return self.shoulders.mean(axis=1)
        role = next((one for one in ("neck", "head", "upper_chest", "chest") if one in self.joints), None)
        return self.hips.mean(axis=1) + self.up if role is None else self.places[:, self.joints[role]]

    @cached_property
    def legs(self) -> Array:
        """`[frame, side, 3]` unit vectors from the hip to the ankle."""
        return unit(self.ankles - self.hips)

    @cached_property
    def across(self) -> Array:
        """`[frame, 3]` unit vectors from right to left by the hips."""
        return unit(self.hips[:, 0] - self.hips[:, 1])

    @cached_property
    def axes(self) -> Array:
        """`[frame, 3, 3]`, columns: left (level), up and forward."""
        left = unit(self.across - (self.across @ self.up)[:, None] * self.up)
        return np.stack([left, np.broadcast_to(self.up, left.shape), np.cross(left, self.up)], axis=-1)

    def fault(self) -> str:
        """Why the first frame is not a stance; "" if it is one."""
        straight = sum(np.linalg.norm(bone[0], axis=-1) for bone in self.bones)
        between = self.hips[0, 0] - self.hips[0, 1]
        level = between - between @ self.up * self.up
        if (-self.legs[0] @ self.up < UPRIGHT).any():
            return "its legs do not point down"
        if (np.linalg.norm(self.ankles[0] - self.hips[0], axis=-1) < _FOLDED_LEG * straight).any():
            return "its legs are folded"
        if np.linalg.norm(level) < max(_LEAST_HIP_WIDTH * self.leg, 0.5 * np.linalg.norm(between)):
            return "its hips are not beside each other"
        over = unit(self.top - self.hips.mean(axis=1))
        if max(self.trunk[0] @ self.up, over[0] @ self.up) < _HANGING_TRUNK:
            return "its trunk hangs down"
        if self.shoulders is not None:
            width = self.shoulders[0, 0] - self.shoulders[0, 1]
            if (
                abs(width @ self.axes[0, :, 0]) < _HIPS_TO_SHOULDERS * np.linalg.norm(width)
                or np.linalg.norm(width) < _LEAST_HIP_WIDTH * self.leg
            ):
                return "its shoulders are not beside each other over the hips"
        return ""

    def hangs(self) -> str:
        """The bone of the trunk above the hips that points down in the first frame, as in no stance; "" if none."""
        way = [role for role in _UPPER_TRUNK if role in self.joints]
        for lower, upper in pairwise(way):
            bone = self.places[0, self.joints[upper]] - self.places[0, self.joints[lower]]
            if bone @ self.up < -_HANGING_BONE * np.linalg.norm(bone) and np.linalg.norm(bone) > _SHORT_BONE * self.leg:
                return f"its {upper.replace('_', ' ')} hangs down"
        return ""

    def on_its_head(self) -> bool:
        """Whether its head is below its hands in most frames, which walking on hands does not explain."""
        hands = [self.joints[f"hand_{side}"] for side in "lr" if f"hand_{side}" in self.joints]
        if "head" not in self.joints or len(hands) < 2:
            return False
        heights = self.places @ self.up
        return bool(np.mean(heights[:, self.joints["head"]] < heights[:, hands].min(axis=1)) > 0.5)

    def score(self) -> Array:
        """`[frame]` how far from a neutral stance: straight, upright, level, both feet down and ahead."""
        off = sum((1 + unit(bone) @ self.up).sum(axis=1) for bone in self.bones)
        off = off + 2 * (1 - self.trunk @ self.up) + 2 * (self.across @ self.up) ** 2
        off += 4 * ((self.ankles[:, 0] - self.ankles[:, 1]) @ self.up / self.leg) ** 2
        if self.shoulders is not None:
            off += 2 * (1 - np.sum(unit(self.shoulders[:, 0] - self.shoulders[:, 1]) * self.across, axis=1))
        if "head" in self.joints:
            off += 1 - unit(self.places[:, self.joints["head"]] - self.top) @ self.up
        if all(f"{part}_{side}" in self.joints for part in ARM for side in "lr"):
            upper, lower, hand = (self._sides(part) for part in ARM)
            off += 0.2 * (1 - np.sum(unit(lower - upper) * unit(hand - lower), axis=-1)).sum(axis=1)
            left, right = np.moveaxis(np.einsum("fji,fsj->fsi", self.axes, unit(hand - upper)), 1, 0)
            off += 0.2 * np.sum((left * (-1, 1, 1) - right) ** 2, axis=1)
        return off


def unit(vectors: Array) -> Array:
    """`[..., 3]` the vectors with length 1."""
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12)


def axis_of(up: str) -> Array:
    """`[3]` the unit vector along "x", "y" or "z"."""
    return np.eye(3)["xyz".index(up)]

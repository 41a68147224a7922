"""A person of known size, with markers at known positions, who moves in a known way."""

from __future__ import annotations

import numpy as np

import posable
from posable.motion.markers import Attachment, Markers
from posable.motion.markers.marker_model import MarkerModel, scaled_skeleton

COUNTS = {
    "root": 3, "spine": 1, "chest": 3, "neck": 1, "head": 3, "clavicle": 1, "upper_arm": 2, "forearm": 2, "hand": 3,
    "thigh": 2, "shin": 2, "foot": 3,
}  # fmt: skip
"""Markers a body; 41 in all, with left and right."""


def attachments(figure: posable.Figure, seed: int = 1) -> dict[str, Attachment]:
    """Label → where it sits, a hand's breadth from the joint and a third of the way down the body."""
    rng, found = np.random.default_rng(seed), {}
    for joint in figure.skeleton.joints:
        count = COUNTS.get(joint.removesuffix("_l").removesuffix("_r"), 0)
        children = figure.skeleton.children(joint)
        bone = np.array(figure.skeleton.definitions[children[0]].position) if children else np.zeros(3)
        for k in range(count):
            offset = bone * (k + 1) / (count + 1) + rng.uniform(-0.09, 0.09, 3)
            found[f"{joint}{k + 1}"] = Attachment(joint, tuple(offset.tolist()))
    return found


def person(figure: posable.Figure, table: dict[str, Attachment], seed: int = 2) -> posable.Skeleton:
    """The figure 6 % larger, with segments up to 7 % off that."""
    model = model_of(figure.skeleton, table)
    logs = np.random.default_rng(seed).uniform(-0.07, 0.07, 2 + int(model.groups.max()))
    logs[0] = 0.06
    return scaled_skeleton(figure.skeleton, model.factors(logs))


def motion(figure: posable.Figure, skeleton: posable.Skeleton, table: dict[str, Attachment]) -> posable.Clip:
    """A walk in which every joint with markers sways as well."""
    clip = posable.walk(figure, steps=4, fps=60)
    rng, free = np.random.default_rng(3), model_of(figure.skeleton, table).free
    size = np.zeros(figure.skeleton.dof)
    size[free] = rng.uniform(0, 0.35, len(free))
    size[:6] = 0
    sway = size * np.sin(1.7 * np.linspace(0, 4, len(clip))[:, None] + rng.uniform(0, 6, len(size)))
    return posable.Clip(skeleton, clip.poses.plus(sway).clamped().q, 60.0)


def recorded(clip: posable.Clip, table: dict[str, Attachment], noise: float = 0.0, seed: int = 4) -> Markers:
    """What a system sees of it; noise: standard deviation along each axis."""
    offsets = np.array([one.offset for one in table.values()])
    positions = np.array(model_of(clip.skeleton, table).positions(clip.poses, offsets))
    positions += noise * np.random.default_rng(seed).standard_normal(positions.shape)
    return Markers(tuple(table), positions, clip.fps, clip.skeleton.up, "synthetic")


def model_of(skeleton: posable.Skeleton, table: dict[str, Attachment]) -> MarkerModel:
    carriers = np.array([skeleton.index(one.joint) for one in table.values()])
    return MarkerModel(skeleton, carriers, np.zeros((1, len(table), 3)), np.ones((1, len(table))))


def errors(found: posable.Clip, truth: posable.Clip, table: dict[str, Attachment]) -> tuple[np.ndarray, np.ndarray]:
    """(distances `[frame, joint]`, angles in degrees) of the joints that carry markers."""
    used = sorted({truth.skeleton.index(one.joint) for one in table.values()})
    away = np.linalg.norm(found.poses.origins - truth.poses.origins, axis=2)[:, used]
    between = (found.poses.world_from_joint - truth.poses.world_from_joint)[:, used, :3, :3]
    sine = np.linalg.norm(between, axis=(2, 3)) / np.sqrt(8)
    return away, 2 * np.degrees(np.arcsin(np.minimum(1, sine)))

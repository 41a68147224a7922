"""Feet that stand: pinned, on level ground, flat or on their balls."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

import posable
from posable.figures.effectors import pelvis
from posable.motion.feet.sole_shapes import Sole
from posable.spatial import matrix_from_wxyz, normalized, transform, wxyz_about, wxyz_from_matrix
from posable.studio.company import figures_of
from posable.studio.document import Document, StudioGoal, with_rotation
from posable.studio.floors import soles_of

_MAX_ROLL_SINE = 0.05  # of the angle between a foot's lateral axis and the ground: above it the foot does not only roll
_LOWERED_TOLERANCE = float(np.radians(0.2))  # a heel that is lower than flat by more does not stand
_LEAST_HINGE_COSINE = 0.8  # between the toes' hinge and the axis across the sole: with less, the hinge is not used


class Standing(NamedTuple):
    """A pinned foot as it stands flat.

    ball: `[3]` the point that stays, in the world. flat: `[3, 3]` the rotation of the foot flat on the ground. lateral:
    `[3]` the axis in the world about which a positive angle raises the heel. angle: by which it is raised.
    """

    sole: Sole
    ball: np.ndarray
    flat: np.ndarray
    lateral: np.ndarray
    angle: float

    def raised(self, angle: float) -> np.ndarray:
        """`[4, 4]` the frame of the foot with its heel raised by an angle."""
        frame = transform(wxyz=wxyz_about(self.lateral, angle))
        frame[:3, :3] = frame[:3, :3] @ self.flat
        frame[:3, 3] = self.ball - frame[:3, :3] @ self.sole.ball
        return frame

    def toes(self, figure: posable.Figure) -> np.ndarray:
        """`[3, 3]` the rotation of the toes flat on the ground; of the foot if it has no toes."""
        skeleton, rest = figure.skeleton, figure.rest.world_from_joint
        foot, toes = (skeleton.index(joint) for joint in (self.sole.foot, self.sole.toes or self.sole.foot))
        return self.flat @ rest[foot, :3, :3].T @ rest[toes, :3, :3]


@lru_cache(maxsize=16)
def carriers(figure: posable.Figure) -> frozenset[str]:
    """The joints that carry the whole body: floating ones, and the hips."""
    floating = {joint.name for joint in figure.skeleton.definitions if joint.floating}
    found = [(own.skeleton, posable.roles(own)) for own in figures_of(figure)]
    hips = {joint for own, role in found if "hips" in role for joint in (role["hips"], pelvis(own, role))}
    return frozenset(floating | hips)


def hips_of(document: Document, foot: str) -> StudioGoal | None:
    """The goal that moves the body over a foot; None without an active one, or if the ground is not level."""
    if document.terrain["kind"] != "none" or document.clip is not None or document.demo:
        return None
    known, skeleton = carriers(document.figure), document.figure.skeleton
    root = skeleton.chain(foot)[0]
    asked = (goal for goal in document.goals if goal.joint in known and goal.kind == "place" and goal.acts)
    asked = (goal for goal in asked if goal.relative_to is None and goal.weight > 0)
    return next((goal for goal in asked if skeleton.chain(goal.joint)[0] == root), None)


def standing(document: Document, goal: StudioGoal) -> Standing | None:
    """A goal as a foot that stands flat or on its ball; None for any other goal, and for feet rotated by hand."""
    if not (goal.pinned and goal.acts and goal.kind == "place" and goal.rotation_weight > 0):
        return None
    sole = _soles(document.figure).get(goal.joint)
    if goal.lifts_above is None or goal.relative_to is not None or sole is None:
        return None
    up, rotation = _up(document.figure.skeleton), matrix_from_wxyz(np.array(goal.rotation))
    lateral, normal = rotation @ _roll_axis(document.figure, goal.joint), rotation @ sole.flat
    angle = float(np.arctan2(np.cross(up, normal) @ lateral, up @ normal))
    ball = np.array(goal.position) + rotation @ sole.ball
    flat = matrix_from_wxyz(wxyz_about(lateral, -angle)) @ rotation
    stands = Standing(sole, ball, flat, lateral, angle)
    is_low = stands.raised(0.0)[:3, 3] @ up <= goal.lifts_above
    return stands if abs(lateral @ up) < _MAX_ROLL_SINE and is_low and angle > -_LOWERED_TOLERANCE else None


def with_flat_toes(document: Document, pose: posable.Pose) -> posable.Pose:
    """The pose with the toes of feet that the hips' goal moves on the ground, as far as their limits allow."""
    for foot in (standing(document, goal) for goal in document.goals):
        if foot is not None and foot.sole.toes is not None and hips_of(document, foot.sole.foot) is not None:
            skeleton, frames = document.figure.skeleton, pose.world_from_joint
            toes = skeleton.index(foot.sole.toes)
            local = frames[skeleton.parents[toes], :3, :3].T @ foot.toes(document.figure)
            pose = with_rotation(pose, toes, wxyz_from_matrix(local))
    return pose


@lru_cache(maxsize=16)
def _soles(figure: posable.Figure) -> dict[str, Sole]:
    """The soles that have a heel and a ball ahead of it, by the joint of the foot."""
    found = [sole for one in figures_of(figure) for sole in soles_of(one)]
    return {sole.foot: sole for sole in found if sole.heel is not None and np.linalg.norm(sole.ball) > 1e-6}


@lru_cache(maxsize=16)
def _roll_axis(figure: posable.Figure, foot: str) -> np.ndarray:
    """`[3]` the axis in a foot's frame about which it rolls: the hinge of its toes, else the one across its sole."""
    skeleton, rest, sole = figure.skeleton, figure.rest.world_from_joint, _soles(figure)[foot]
    across = normalized(np.cross(sole.flat, sole.ball))
    axes = () if sole.toes is None else skeleton.definitions[skeleton.index(sole.toes)].axes
    if sole.toes is None or len(axes) != 1:
        return across
    hinge = rest[skeleton.index(sole.toes), :3, :3] @ np.array(axes[0].direction)
    hinge = rest[skeleton.index(foot), :3, :3].T @ hinge
    level = normalized(hinge - sole.flat * (hinge @ sole.flat))
    along = float(level @ across)
    return level * np.sign(along) if abs(along) > _LEAST_HINGE_COSINE else across


def _up(skeleton: posable.Skeleton) -> np.ndarray:
    return np.eye(3)["xyz".index(skeleton.up)]

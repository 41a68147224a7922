"""Balance: what a figure weighs where, what it stands on, and the goal that keeps its centre of mass over that."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, TypedDict

import numpy as np

import posable
from posable.spatial import transform
from posable.studio.document import Document, StudioGoal


class SoleShape(TypedDict):
    """A foot's sole. joints: the joint of each corner. points: the corners, flat, in their joints' frames."""

    joint: str
    joints: list[int]
    points: list[float]


class BodyShape(TypedDict):
    """What a page needs to show balance: masses in kg, centres of mass, flat, in the joints' frames, and soles."""

    masses: list[float]
    centers: list[float]
    soles: list[SoleShape]


class Body(NamedTuple):
    """masses: `[joint]`, None where nothing has a volume. centers: `[joint, 3]` in the joints' frames."""

    masses: np.ndarray | None
    centers: np.ndarray
    soles: tuple[posable.motion.Sole, ...]


@lru_cache(maxsize=8)
def body_of(figure: posable.Figure) -> Body:
    """The masses and soles of a figure."""
    try:
        soles = posable.motion.soles(figure)
    except posable.PosableError:
        soles = ()
    try:
        heavy = posable.with_masses(figure).skeleton.definitions
    except posable.PosableError:
        return Body(None, np.zeros((0, 3)), soles)
    masses = np.array([joint.mass or 0.0 for joint in heavy])
    return Body(masses if masses.any() else None, np.array([joint.mass_center for joint in heavy], float), soles)


def body_shape(figure: posable.Figure) -> BodyShape:
    """The masses and soles as a page gets them; without masses where the figure has none."""
    body, index = body_of(figure), figure.skeleton.index
    soles: list[SoleShape] = [
        {
            "joint": sole.foot,
            "joints": [index(joint) for joint in sole.corner_joints],
            "points": np.round(sole.corners, 5).ravel().tolist(),
        }
        for sole in body.soles
    ]
    masses = [] if body.masses is None else np.round(body.masses, 5).tolist()
    return {"masses": masses, "centers": np.round(body.centers, 5).ravel().tolist(), "soles": soles}


def support_point(document: Document) -> np.ndarray:
    """`[3]` the middle of what carries the figure: the soles of pinned feet and other pinned goals where their targets
    are, else all feet as they stand, else where the centre of mass is.
    """
    body, skeleton = body_of(document.figure), document.figure.skeleton
    by_foot = {skeleton.index(sole.foot): sole for sole in body.soles}
    pinned = [goal for goal in document.goals if goal.pinned and goal.enabled and goal.kind != "look"]
    middles = [_middle(document, goal, by_foot.get(skeleton.index(goal.joint))) for goal in pinned]
    if not middles:
        middles = [sole.corner_places(document.pose).mean(axis=0) for sole in body.soles]
    return np.mean(middles, axis=0) if middles else mass_center(document)


def _middle(document: Document, goal: StudioGoal, sole: posable.motion.Sole | None) -> np.ndarray:
    target = transform(np.array(goal.position), np.array(goal.rotation))
    if sole is None:
        return target[:3, 3]
    foot = document.pose.world_from_joint[document.figure.skeleton.index(sole.foot)]
    corners = sole.corner_places(document.pose) - foot[:3, 3]
    rotation = target[:3, :3] @ foot[:3, :3].T if goal.rotation_weight > 0 else np.eye(3)
    return target[:3, 3] + (corners @ rotation.T).mean(axis=0)


def mass_center(document: Document) -> np.ndarray:
    """`[3]` the centre of mass of the pose; the root where nothing has a mass."""
    body, world = body_of(document.figure), document.pose.world_from_joint
    if body.masses is None:
        return world[0, :3, 3]
    positions = (world[:, :3, :3] @ body.centers[..., None])[..., 0] + world[:, :3, 3]
    return body.masses @ positions / body.masses.sum()


def balance_goal(document: Document) -> posable.Balance | None:
    """The goal of the option, as strong as pins: a hand that would tip the figure over falls short. None where it is
    off, and for a figure without masses.
    """
    if not document.options.balance or body_of(document.figure).masses is None:
        return None
    return posable.Balance(support_point(document))

"""Balance: the masses of a figure, what it stands on, and the goal that keeps its centre of mass over that support."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple, TypedDict

import numpy as np

import posable
from posable.motion.transfer.over_the_feet import convex_hull, out_of_hulls
from posable.spatial import transform
from posable.studio.document import Document, StudioGoal
from posable.studio.floors import floors_of
from posable.studio.schema import Support
from posable.studio.standing import carriers

SUPPORT_SHARE = 0.95  # of the support, measured from its middle: the centre of mass stays within it
LEANING_HEIGHT = 0.2  # of the figure's height: the target of a hand below this height begins to carry weight
_STEPPING_HEIGHT = 0.1  # of the figure's height: a pinned foot above it carries nothing; heels rise less
MAX_IMBALANCE = 0.02  # of the figure's height: a figure farther off balance at the start is left as it is


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
    """heavy: the figure with masses. masses: `[joint]`, None for a figure without volumes. centers: `[joint, 3]` in the
    joints' frames.
    """

    heavy: posable.Figure
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
        heavy = posable.with_masses(figure)
    except posable.PosableError:
        return Body(figure, None, np.zeros((0, 3)), soles)
    masses = np.array([joint.mass or 0.0 for joint in heavy.skeleton.definitions])
    centers = np.array([joint.mass_center for joint in heavy.skeleton.definitions], float)
    return Body(heavy, masses if masses.any() else None, centers, soles)


def body_shape(figure: posable.Figure) -> BodyShape:
    """The masses and soles in the form that pages get; no masses for a figure without any."""
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


def support_of(document: Document) -> np.ndarray:
    """`[corner, 3]` the corners of what carries the figure, drawn in towards their middle by the margin that a person
    keeps from the edge; `[0, 3]` if nothing carries it. The corners are those of the soles of pinned feet, at their
    targets. A hand on the ground carries too, and a lifted foot does not. A figure with neither hangs from what is
    pinned.
    """
    carrying = _carrying_corners(document)
    corners, shares = (
        np.array([one.position for one in carrying]).reshape(-1, 3),
        np.array([one.share for one in carrying]),
    )
    if not shares.any():
        return np.zeros((0, 3))
    firm = shares * [not one.is_leaned_on for one in carrying]
    middle = np.average(corners, axis=0, weights=firm if firm.any() else shares)
    kept = shares * [1.0 if one.is_leaned_on else SUPPORT_SHARE for one in carrying]
    return middle + kept[:, None] * (corners - middle)


def support_shape(document: Document) -> Support | None:
    """What a page needs to keep balance as the session does; None if balance is not kept."""
    support = support_kept(document, document.pose, document.origin)
    if support is None:
        return None
    carrying = [one.goal for one in _carrying_corners(document) if one.share > 0]
    corners = [(round(x, 5), round(y, 5), round(z, 5)) for x, y, z in support.tolist()]
    below = max(floors_of(document).values(), default=0.0) + LEANING_HEIGHT * document.figure.height
    return {"corners": corners, "goals": list(dict.fromkeys(carrying)), "below": float(below)}


def support_kept(document: Document, start: posable.Pose, origin: Document | None) -> np.ndarray | None:
    """`[corner, 3]` the corners over which the centre of mass is kept; None if balance is not kept.

    A figure that leans out of its support a little from the start may keep doing so. One that is far out of it falls,
    jumps or lies, and is not moved over its feet. start: the first pose, used if there is no origin.
    """
    if not keeps_balance(document):
        return None
    support, began = support_of(document), origin or replace(document, pose=start)
    if not len(support):
        return None
    center, before = mass_center(began), support if origin is None else support_of(origin)
    up = "xyz".index(document.figure.skeleton.up)
    out = float(np.linalg.norm(nearest_over(before, center, up) - center)) if len(before) else np.inf
    if out > MAX_IMBALANCE * document.figure.height:
        return None
    return np.vstack([support, center]) if out > 0 else support


class Carrying(NamedTuple):
    """A corner of what carries the figure. share: 0 to 1, how much it carries. is_leaned_on: not of a foot."""

    goal: str
    position: np.ndarray
    share: float
    is_leaned_on: bool


def _carrying_corners(document: Document) -> list[Carrying]:
    """The corners of the soles of pinned feet, and other goals on or near the ground; in the air, the pinned goals."""
    skeleton, least = document.figure.skeleton, floors_of(document)
    by_foot, found = {skeleton.index(sole.foot): sole for sole in body_of(document.figure).soles}, list[Carrying]()
    for goal in document.goals:
        sole = by_foot.get(skeleton.index(goal.joint))
        if _is_pinned_support(goal) and sole:
            share = _ground_share(document, goal, least, _STEPPING_HEIGHT)
            found += [Carrying(goal.name, corner, share, False) for corner in _corners(document, goal, sole)]
        elif _is_pinned_support(goal) or (goal.acts and goal.name in least):
            share = _ground_share(document, goal, least, LEANING_HEIGHT) if goal.name in least else 1.0
            found.append(Carrying(goal.name, np.array(goal.position), share, True))
    if not any(one.share > 0 for one in found):  # the figure hangs from its pinned goals
        hung = [goal for goal in document.goals if _is_pinned_support(goal)]
        return [Carrying(goal.name, np.array(goal.position), 1.0, False) for goal in hung]
    return found


def _ground_share(document: Document, goal: StudioGoal, least: dict[str, float], high: float) -> float:
    """How near to the ground a goal's target is: 1 on it, falling to 0 at `high` of the figure's height. 1 if the
    ground is not level.
    """
    if goal.name not in least:
        return 1.0
    above = goal.position["xyz".index(document.figure.skeleton.up)] - least[goal.name]
    return float(min(max(1.0 - above / (high * document.figure.height), 0.0), 1.0))


@lru_cache(maxsize=16)
def feet_of(figure: posable.Figure) -> frozenset[str]:
    """The joints of the feet."""
    return frozenset(sole.foot for sole in body_of(figure).soles)


def _is_pinned_support(goal: StudioGoal) -> bool:
    return goal.pinned and goal.enabled and goal.kind != "look"


def _corners(document: Document, goal: StudioGoal, sole: posable.motion.Sole | None) -> np.ndarray:
    target = transform(np.array(goal.position), np.array(goal.rotation))
    if sole is None:
        return target[None, :3, 3]
    foot = document.pose.world_from_joint[document.figure.skeleton.index(sole.foot)]
    corners = sole.corner_places(document.pose) - foot[:3, 3]
    rotation = target[:3, :3] @ foot[:3, :3].T if goal.rotation_weight > 0 else np.eye(3)
    return target[:3, 3] + corners @ rotation.T


def nearest_over(support: np.ndarray, center: np.ndarray, up: int) -> np.ndarray:
    """`[3]` the position above the convex hull of the corners `support [corner, 3]` that is nearest to a centre of
    mass, at its height.
    """
    across = [axis for axis in range(3) if axis != up]
    distances, directions = out_of_hulls(center[None, across], convex_hull(support[:, across])[None])
    found = center.copy()
    found[across] -= max(float(distances[0]), 0.0) * directions[0]
    return found


def mass_center(document: Document, pose: posable.Pose | None = None) -> np.ndarray:
    """`[3]` the centre of mass of a pose, by default the document's; the root's position without masses."""
    body, pose = body_of(document.figure), pose or document.pose
    return pose.origins[0] if body.masses is None else _center(pose, body.masses, body.centers)


def counted_center(document: Document, pose: posable.Pose) -> np.ndarray:
    """`[3]` the centre of mass of a pose as the goal Balance computes it. See `with_carried_masses`."""
    return _center(pose, *_lumped_masses(body_of(document.figure).heavy, moving_joints(document)))


def _center(pose: posable.Pose, masses: np.ndarray, centers: np.ndarray) -> np.ndarray:
    world = pose.world_from_joint
    return masses @ ((world[:, :3, :3] @ centers[..., None])[..., 0] + world[:, :3, 3]) / masses.sum()


def keeps_balance(document: Document) -> bool:
    """Whether balance is on and has an effect: for a figure with feet, masses and something pinned. It has none where a
    goal of the hips or a clip determines where the body is.
    """
    if not document.options.balance or document.demo or document.clip is not None:
        return False
    hips = carriers(document.figure)
    if any(goal.acts and not goal.pinned and goal.kind != "look" and goal.joint in hips for goal in document.goals):
        return False
    body = body_of(document.figure)
    return bool(body.soles) and body.masses is not None and any(map(_is_pinned_support, document.goals))


def with_carried_masses(figure: posable.Figure, moving: frozenset[int]) -> posable.Figure:
    """The figure with the masses of all joints except `moving` added to the joints that carry them. Otherwise, when a
    hand is out of reach, a free arm would be flung aside as a counterweight, and the head turned.
    """
    masses, centers = _lumped_masses(figure, moving)
    joints = [
        replace(joint, mass=own, mass_center=tuple(center))
        for joint, own, center in zip(figure.skeleton.definitions, masses.tolist(), centers.tolist(), strict=True)
    ]
    return figure.on(posable.Skeleton(joints, figure.skeleton.up))


@lru_cache(maxsize=8)
def _lumped_masses(figure: posable.Figure, moving: frozenset[int]) -> tuple[np.ndarray, np.ndarray]:
    """(masses `[joint]`, centres of mass `[joint, 3]` in the joints' frames), carried joints as in the rest pose."""
    skeleton, world = figure.skeleton, figure.rest.world_from_joint
    masses = np.array([joint.mass or 0.0 for joint in skeleton.definitions])
    moments = masses[:, None] * np.array([joint.mass_center for joint in skeleton.definitions], float)
    for j in reversed(range(len(masses))):
        above = int(skeleton.parents[j])
        if j in moving or above < 0:
            continue
        to_parent = np.linalg.inv(world[above]) @ world[j]
        moments[above] += to_parent[:3, :3] @ moments[j] + masses[j] * to_parent[:3, 3]
        masses[above] += masses[j]
        masses[j], moments[j] = 0.0, 0.0
    return masses, moments / np.where(masses > 0, masses, 1.0)[:, None]


def moving_joints(document: Document) -> frozenset[int]:
    """The joints that may move to keep the balance: those that move an active goal, and those that carry several limbs.
    With gravity, which pulls at every limb, all joints.
    """
    skeleton = document.figure.skeleton
    if document.options.gravity > 0:
        return frozenset(range(len(skeleton.joints)))
    acting = (skeleton.chain(goal.joint)[:-1] for goal in document.goals if goal.acts and goal.kind != "pole")
    return frozenset().union(*acting) | shared_joints(document, ends=False)


def shared_joints(document: Document, *, ends: bool) -> frozenset[int]:
    """The joints that carry several goals. ends: whether a joint counts as carrying its own goals."""
    skeleton, below = document.figure.skeleton, Counter[int]()
    for goal in document.goals:
        if goal.kind != "pole":
            chain = skeleton.chain(goal.joint)
            below.update(chain if ends else chain[:-1])
    return frozenset(j for j, count in below.items() if count > 1)

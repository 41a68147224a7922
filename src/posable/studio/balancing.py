"""Balance: what a figure weighs where, what it stands on, and the goal that keeps its centre of mass over that."""

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

_KEPT = 0.95  # of the support, from its middle: there the centre of mass stays
_LEANS = 0.2  # of the figure's height: so far above the ground the target of a hand begins to carry
_STEPS = 0.1  # of it: so far above the ground a pinned foot carries no more; heels rise by less
_TIPPED = 0.02  # of it: who is so far out of balance in the beginning is not brought into balance


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
    """heavy: the figure with masses. masses: `[joint]`, None where nothing has a volume. centers: `[joint, 3]` in the
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


def support_of(document: Document) -> np.ndarray:
    """`[corner, 3]` the corners of what carries the figure, drawn in towards their middle by as much as a person keeps
    from the edge: the soles of pinned feet, where their targets are, `[0, 3]` without any. Who puts a hand on the
    ground leans on it, a foot that is lifted carries no more, and who has neither hangs from what is pinned.
    """
    carrying = _carrying(document)
    corners, shares = (
        np.array([one.position for one in carrying]).reshape(-1, 3),
        np.array([one.share for one in carrying]),
    )
    if not shares.any():
        return np.zeros((0, 3))
    firm = shares * [not one.is_leaned_on for one in carrying]
    middle = np.average(corners, axis=0, weights=firm if firm.any() else shares)
    kept = shares * [1.0 if one.is_leaned_on else _KEPT for one in carrying]
    return middle + kept[:, None] * (corners - middle)


def support_shape(document: Document) -> Support | None:
    """What a page needs to keep the balance as the session does; None where the balance is not kept."""
    support = support_kept(document, document.pose, document.origin)
    if support is None:
        return None
    carrying = [one.goal for one in _carrying(document) if one.share > 0]
    corners = [(round(x, 5), round(y, 5), round(z, 5)) for x, y, z in support.tolist()]
    below = max(floors_of(document).values(), default=0.0) + _LEANS * document.figure.height
    return {"corners": corners, "goals": list(dict.fromkeys(carrying)), "below": float(below)}


def support_kept(document: Document, start: posable.Pose, origin: Document | None) -> np.ndarray | None:
    """`[corner, 3]` the corners over which the centre of mass is kept; None where it is not.

    Who leans out of the support a little from the beginning may go on doing so. Who is far out of it falls, jumps or
    lies, and is not put over the feet. start: the pose of the beginning without an origin.
    """
    if not keeps_balance(document):
        return None
    support, began = support_of(document), origin or replace(document, pose=start)
    if not len(support):
        return None
    center, before = mass_center(began), support if origin is None else support_of(origin)
    up = "xyz".index(document.figure.skeleton.up)
    out = float(np.linalg.norm(nearest_over(before, center, up) - center)) if len(before) else np.inf
    if out > _TIPPED * document.figure.height:
        return None
    return np.vstack([support, center]) if out > 0 else support


class Carrying(NamedTuple):
    """A corner of what carries the figure. share: how far it is relied on. is_leaned_on: another goal than a foot."""

    goal: str
    position: np.ndarray
    share: float
    is_leaned_on: bool


def _carrying(document: Document) -> list[Carrying]:
    """The corners of soles of pinned feet, and other goals on the ground or nearly so; in the air what is pinned."""
    skeleton, least = document.figure.skeleton, floors_of(document)
    by_foot, found = {skeleton.index(sole.foot): sole for sole in body_of(document.figure).soles}, list[Carrying]()
    for goal in document.goals:
        sole = by_foot.get(skeleton.index(goal.joint))
        if _carries(goal) and sole:
            share = _touching(document, goal, least, _STEPS)
            found += [Carrying(goal.name, corner, share, False) for corner in _corners(document, goal, sole)]
        elif _carries(goal) or (goal.acts and goal.name in least):
            share = _touching(document, goal, least, _LEANS) if goal.name in least else 1.0
            found.append(Carrying(goal.name, np.array(goal.position), share, True))
    if not any(one.share > 0 for one in found):  # who hangs from what is pinned
        hung = [goal for goal in document.goals if _carries(goal)]
        return [Carrying(goal.name, np.array(goal.position), 1.0, False) for goal in hung]
    return found


def _touching(document: Document, goal: StudioGoal, least: dict[str, float], high: float) -> float:
    """How near to the ground a goal's target is, 1 on it and 0 from that height on, of the figure's; 1 off level
    ground.
    """
    if goal.name not in least:
        return 1.0
    above = goal.position["xyz".index(document.figure.skeleton.up)] - least[goal.name]
    return float(min(max(1.0 - above / (high * document.figure.height), 0.0), 1.0))


@lru_cache(maxsize=16)
def feet_of(figure: posable.Figure) -> frozenset[str]:
    """The joints of the feet."""
    return frozenset(sole.foot for sole in body_of(figure).soles)


def _carries(goal: StudioGoal) -> bool:
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
    """`[3]` the position nearest to a centre of mass that is above the convex hull of the corners `support [corner,
    3]`, at the height of the centre.
    """
    across = [axis for axis in range(3) if axis != up]
    distances, directions = out_of_hulls(center[None, across], convex_hull(support[:, across])[None])
    found = center.copy()
    found[across] -= max(float(distances[0]), 0.0) * directions[0]
    return found


def mass_center(document: Document, pose: posable.Pose | None = None) -> np.ndarray:
    """`[3]` the centre of mass of a pose, the document's unless given; the root where nothing has a mass."""
    body, pose = body_of(document.figure), pose or document.pose
    return pose.origins[0] if body.masses is None else _center(pose, body.masses, body.centers)


def counted_center(document: Document, pose: posable.Pose) -> np.ndarray:
    """`[3]` the centre of mass of a pose as a solve for Balance counts it. See `with_carried_masses`."""
    return _center(pose, *_carried(body_of(document.figure).heavy, moving_joints(document)))


def _center(pose: posable.Pose, masses: np.ndarray, centers: np.ndarray) -> np.ndarray:
    world = pose.world_from_joint
    return masses @ ((world[:, :3, :3] @ centers[..., None])[..., 0] + world[:, :3, 3]) / masses.sum()


def keeps_balance(document: Document) -> bool:
    """Whether the option is on and acts: for a figure with feet and masses of which something is pinned. Hips that were
    moved say where the body is, and so does a clip.
    """
    if not document.options.balance or document.demo or document.clip is not None:
        return False
    hips = carriers(document.figure)
    if any(goal.acts and not goal.pinned and goal.kind != "look" and goal.joint in hips for goal in document.goals):
        return False
    body = body_of(document.figure)
    return bool(body.soles) and body.masses is not None and any(map(_carries, document.goals))


def with_carried_masses(figure: posable.Figure, moving: frozenset[int]) -> posable.Figure:
    """The figure with the masses of all but the joints `moving` added to what carries them: a free arm would else be
    flung aside as a counterweight, and the head turned, where a hand is out of reach.
    """
    masses, centers = _carried(figure, moving)
    joints = [
        replace(joint, mass=own, mass_center=tuple(center))
        for joint, own, center in zip(figure.skeleton.definitions, masses.tolist(), centers.tolist(), strict=True)
    ]
    return figure.on(posable.Skeleton(joints, figure.skeleton.up))


@lru_cache(maxsize=8)
def _carried(figure: posable.Figure, moving: frozenset[int]) -> tuple[np.ndarray, np.ndarray]:
    """(masses `[joint]`, centres of mass `[joint, 3]` in the joints' frames), as the rest pose has what is carried."""
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
    """The joints that bring a body into balance: those that move a goal which acts, and those that carry several
    limbs. With gravity, which pulls at each limb, all.
    """
    skeleton = document.figure.skeleton
    if document.options.gravity > 0:
        return frozenset(range(len(skeleton.joints)))
    acting = (skeleton.chain(goal.joint)[:-1] for goal in document.goals if goal.acts and goal.kind != "pole")
    return frozenset().union(*acting) | shared_joints(document, ends=False)


def shared_joints(document: Document, *, ends: bool) -> frozenset[int]:
    """The joints that carry several goals; with `ends` the joint of a goal carries that one too."""
    skeleton, below = document.figure.skeleton, Counter[int]()
    for goal in document.goals:
        if goal.kind != "pole":
            chain = skeleton.chain(goal.joint)
            below.update(chain if ends else chain[:-1])
    return frozenset(j for j, count in below.items() if count > 1)

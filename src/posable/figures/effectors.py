"""The ends of a figure (hands, feet, tips): which they are, and a goal for one of them where the user gave none."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from posable.errors import PosableError
from posable.figures.body_roles.find_roles import Roles
from posable.figures.model import Figure
from posable.goals import Goal, Orient, Reach
from posable.skeleton import Joint, Pose, Skeleton, name_key
from posable.spatial import Array, wxyz_from_matrix

SIDES = {"l": "left", "r": "right"}
_ROWS = {2: ("front", "hind"), 3: ("front", "middle", "hind")}
_MOST_ENDS = 6  # of a figure whose body is not understood
_OWN = 3  # freedoms: what an end needs for itself to be somewhere else than its neighbour
_HANDS = ("hand", "wrist", "gripper", "tool", "finger", "palm", "paw", "claw", "foot", "flange", "ee")
_NUDGE = 0.15  # of the length of the limb


def hands(roles: Roles) -> dict[str, str]:
    """{name: joint} of the hands, but for those that are the feet an animal stands on."""
    standing = {joint for leg in roles.legs for joint in leg.joints}
    found = {f"{word} hand": roles.get(f"hand_{side}", "") for side, word in SIDES.items()}
    return {name: joint for name, joint in found.items() if joint not in standing | {""}}


def feet(roles: Roles) -> dict[str, str]:
    """{name: joint} of the feet, by the roles of two, or else of the last joint of every leg, from the front on."""
    rows = max((leg.row for leg in roles.legs), default=0) + 1
    if rows == 1:
        return {f"{word} foot": roles[f"foot_{side}"] for side, word in SIDES.items() if f"foot_{side}" in roles}
    words = _ROWS.get(rows)
    names = [
        f"{SIDES[leg.side]} {words[leg.row]} foot" if words else f"{SIDES[leg.side]} foot {leg.row + 1}"
        for leg in roles.legs
    ]
    return {name: leg.joints[-1] for name, leg in zip(names, roles.legs, strict=True)}


# By shape.


def ends(skeleton: Skeleton) -> list[str]:
    """The ends of chains that may move, six at most, those with most freedoms first.

    Of ends that go along with one another (the fingers of a gripper, the frame of its tool) one stands for all, that
    with the fewest freedoms.
    """
    leaves = [j for j in range(len(skeleton.joints)) if not skeleton.children(j) and len(skeleton.chain(j)) > 1]
    chains = {j: frozenset(_movers(skeleton, j)) - {0} for j in leaves}
    count = {j: _freedoms(skeleton, skeleton.chain(j)) for j in leaves}
    groups: list[list[int]] = []
    for j in sorted((j for j in leaves if moves(skeleton, j)), key=lambda j: -count[j]):
        for group in groups:
            own = _freedoms(skeleton, chains[j] - chains[group[0]])
            if own < min(_OWN, _freedoms(skeleton, chains[j] & chains[group[0]])):
                group.append(j)
                break
        else:
            groups.append([j])
    most = {group[0]: count[group[0]] for group in groups}
    found = [min((j for j in group if count[j] > most[group[0]] - _OWN), key=count.__getitem__) for group in groups]
    goes_as_a_whole = skeleton.definitions[0].floating
    chosen = found or (leaves[:1] or [0] if goes_as_a_whole or can_move(skeleton) else [])
    return [skeleton.joints[j] for j in chosen[:_MOST_ENDS]]


def can_move(skeleton: Skeleton) -> bool:
    """Whether any joint has room between its limits."""
    return any(map(_room, skeleton.definitions))


def _room(joint: Joint) -> int:
    """How many freedoms of a joint have room between their limits."""
    return joint.dof - sum(axis.follow is None and axis.lower == axis.upper for axis in joint.axes)


def moves(skeleton: Skeleton, joint: str | int) -> bool:
    """Whether anything takes a joint away from its place but something free above it, which takes all along."""
    own = skeleton.chain(joint)[-1]
    return any(k == own or not skeleton.definitions[k].floating for k in _movers(skeleton, joint))


def _movers(skeleton: Skeleton, joint: str | int) -> list[int]:
    """What takes a joint away from its place: what only turns at that place does not."""
    chain = list(skeleton.chain(joint))
    while chain and _only_turns(skeleton.definitions[chain[-1]]):
        if any(skeleton.definitions[chain.pop()].position):
            break
    return [k for k in chain if _room(skeleton.definitions[k])]


def _only_turns(joint: Joint) -> bool:
    """Whether a joint's origin stays where it is whatever the joint does."""
    anchors = [joint.anchor, *(axis.anchor for axis in joint.axes)]
    slides = any(axis.slide for axis in joint.axes)
    return not (joint.floating or slides or any(map(any, anchors)))


def _freedoms(skeleton: Skeleton, joints: Iterable[int]) -> int:
    return sum(_room(skeleton.definitions[k]) for k in joints)


# A goal where the user gave none.


def front_of(figure: Figure, joint: str) -> Array:
    """`[3]` where the figure faces at rest (+z where y is up, +x where z is up), in the frame of `joint`."""
    front = (0.0, 0.0, 1.0) if figure.skeleton.up == "y" else (1.0, 0.0, 0.0)
    return np.asarray(front) @ figure.rest.world_from_joint[figure.skeleton.index(joint), :3, :3]


def nearby_goal(start: Pose, frozen: Sequence[str]) -> Goal:
    """An end of the figure, a hand if there is one, to a place about 15 % of its limb's length away that it can reach.

    Places under the figure's lowest joint count as under the ground: taken only where nothing above will do. Where
    joints only turn and none of their ends is known, one of them is to be turned. Raises PosableError where nothing
    can move.
    """
    skeleton = start.skeleton
    movable = skeleton.tables.active & ~skeleton.freedom_mask(frozen)
    tries = _permitted_poses(start, movable).world_from_joint
    limbs = _limb_lengths(skeleton, movable)
    ends = [i for i, name in enumerate(skeleton.joints) if not skeleton.children(i) or _likeness(name) == 2]
    for end in sorted(ends, key=lambda i: (_likeness(skeleton.joints[i]), limbs[i]), reverse=True):
        tip = next(iter(skeleton.definitions[end].tips), (0.0, 0.0, 0.0))
        places = tries[..., end, :3, :3] @ tip + tries[..., end, :3, 3]
        away = np.linalg.norm(places[1:] - places[0, 0], axis=-1)
        if away.max() > 1e-6 * skeleton.reach:
            nudge = _NUDGE * (limbs[end] or skeleton.reach)
            under = _heights(places[1:], skeleton.up) < _heights(start.origins, skeleton.up).min()
            nearest = np.argmin(np.abs(away - nudge) + np.where(under, nudge / 2, 0.0))
            return Reach(skeleton.joints[end], places[1:].reshape(-1, 3)[nearest], tip)
    return _turned(skeleton, tries)


def _heights(places: Array, up: str) -> Array:
    """`[...]`: how far `places [..., 3]` are up."""
    return places[..., "xyz".index(up)]


def _permitted_poses(start: Pose, movable: Array) -> Pose:
    """`[25, 16]` poses within the limits, from the start (first row) further and further along sixteen seeded ways."""
    wild = start.skeleton.random_pose(np.random.default_rng(0), (16,))
    ways = np.where(movable, wild.minus(start), 0.0)
    steps = start.plus(np.linspace(0.0, 0.8, 25)[:, None, None] * ways)
    return Pose(start.skeleton, np.concatenate([steps.q[:1], steps[1:].clamped().q]))


def _turned(skeleton: Skeleton, tries: Array) -> Goal:
    """The first joint that can turn, as it is turned a little way along the first of the tries."""
    turned = np.abs(tries[8, 0, :, :3, :3] - tries[0, 0, :, :3, :3]).max(axis=(-1, -2))
    if turned.max() < 1e-6:
        raise PosableError("nothing can move here: every freedom is fixed, frozen, inactive or held by its limits")
    joint = int(np.argmax(turned > 1e-6))
    return Orient(skeleton.joints[joint], wxyz_from_matrix(tries[8, 0, joint, :3, :3]))


def _likeness(name: str) -> int:
    """2 for the name of a hand or the like, 1 where it is a part of the name (a finger, say), 0 else."""
    return 2 if name_key(name)[0] in _HANDS else int(any(word in name.lower() for word in _HANDS))


def _limb_lengths(skeleton: Skeleton, movable: Array) -> list[float]:
    """Per joint: the length of the bones between it and the first joint above it that can move; 0 where none can."""
    lengths: list[float] = []
    moved: list[bool] = []
    for i, joint in enumerate(skeleton.definitions):
        p = skeleton.parents[i]
        under = p >= 0 and moved[p]
        lengths.append(lengths[p] + math.hypot(*joint.position) if under else 0.0)
        moved.append(under or bool(movable[list(skeleton.freedom_range(i))].any()))
    return lengths

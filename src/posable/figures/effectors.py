"""End effectors of a figure (hands, feet, tips), and a default goal for one of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from posable.errors import SIDES, PosableError, role_in_words
from posable.figures.role_table import Roles, roles
from posable.goals import Goal, Orient, Reach
from posable.skeleton import Joint, Pose, Skeleton, name_key
from posable.skeleton.body_roles.limbs import foot_roles
from posable.spatial import Array, wxyz_from_matrix

_MAX_ENDS = 6  # of a figure without known parts of a body
_LEAST_OWN_FREEDOMS = 3  # degrees of freedom by which an end must differ from its neighbour to count separately
_HANDS = ("hand", "wrist", "gripper", "tool", "finger", "palm", "paw", "claw", "foot", "flange", "ee")
_GOAL_DISTANCE = 0.15  # of the length of the limb


def hands(roles: Roles) -> dict[str, str]:
    """{name: joint} of the hands, except those that an animal stands on."""
    standing = {joint for leg in roles.legs for joint in leg.joints}
    found = {f"{word} hand": roles.get(f"hand_{side}", "") for side, word in SIDES.items()}
    return {name: joint for name, joint in found.items() if joint not in standing | {""}}


def feet(roles: Roles) -> dict[str, str]:
    """{name: joint} of the feet, by role for bipeds, else the last joint of every leg, from front to back."""
    if all(leg.row == 0 for leg in roles.legs):
        return {f"{word} foot": roles[f"foot_{side}"] for side, word in SIDES.items() if f"foot_{side}" in roles}
    found = foot_roles(roles.legs)
    return {role_in_words(role): joint for role, joint in found.items()}


def pelvis(skeleton: Skeleton, roles: Roles) -> str:
    """The joint that moves the hips: their own, or, if the legs are children of a root on the floor, the joint up there
    that carries the trunk.
    """
    thighs = [roles[name] for name in ("upper_leg_l", "upper_leg_r") if name in roles]
    if len(thighs) < 2 or "spine" not in roles:
        return roles["hips"]
    hips, chain = skeleton.index(roles["hips"]), list(skeleton.chain(roles["spine"]))
    between = [hips, *(chain[chain.index(hips) + 1 : -1] if hips in chain else [])]
    at_rest = skeleton.parts.body.positions
    middle = np.mean([at_rest[skeleton.index(thigh)] for thigh in thighs], axis=0)
    return skeleton.joints[min(between, key=lambda joint: float(np.linalg.norm(at_rest[joint] - middle)))]


def between_hips_and_pelvis(skeleton: Skeleton) -> frozenset[str]:
    """The joints from the hips' role to the pelvis, if the legs are not below the pelvis but hang on a root on the
    floor. If these joints moved, the solver would rotate one part against the other and pull the legs out of the trunk.
    """
    found = roles(skeleton)
    if "hips" not in found:
        return frozenset()
    between = set(skeleton.chain(pelvis(skeleton, found))) - set(skeleton.chain(found["hips"]))
    return frozenset(skeleton.joints[joint] for joint in between)


def carried(skeleton: Skeleton) -> set[int]:
    """The joints from the root to the hips, up to the first part of the body that branches. A bone that ends at the
    hips does not belong to the body, and may be as long as the distance to the origin.
    """
    hips, found = roles(skeleton).get("hips"), set[int]()
    uses = skeleton.parts.body.uses
    for joint in skeleton.chain(hips) if hips else ():
        found.add(int(joint))
        if len(skeleton.children(joint)) != 1 and uses[joint][0] != "helper":
            break
    return found


# By shape.


def ends(skeleton: Skeleton) -> list[str]:
    """The end effectors: ends of chains that can move, at most six, those with most degrees of freedom first.

    Of ends that always move together (the fingers of a gripper, the frame of its tool), the one with the fewest degrees
    of freedom represents all.
    """
    leaves = [j for j in _leaves(skeleton) if len(skeleton.chain(j)) > 1]
    chains = {j: frozenset(_movers(skeleton, j)) - {0} for j in leaves}
    count = {j: _freedoms(skeleton, skeleton.chain(j)) for j in leaves}
    groups: list[list[int]] = []
    for j in sorted((j for j in leaves if moves(skeleton, j)), key=lambda j: -count[j]):
        for group in groups:
            own = _freedoms(skeleton, chains[j] - chains[group[0]])
            if own < min(_LEAST_OWN_FREEDOMS, _freedoms(skeleton, chains[j] & chains[group[0]])):
                group.append(j)
                break
        else:
            groups.append([j])
    most = {group[0]: count[group[0]] for group in groups}
    found = [
        min((j for j in group if count[j] > most[group[0]] - _LEAST_OWN_FREEDOMS), key=count.__getitem__)
        for group in groups
    ]
    goes_as_a_whole = skeleton.definitions[0].floating
    chosen = found or (leaves[:1] or [0] if goes_as_a_whole or can_move(skeleton) else [])
    return [skeleton.joints[j] for j in chosen[:_MAX_ENDS]]


def _leaves(skeleton: Skeleton) -> list[int]:
    """The joints at the ends of chains, without handles, props and fixed frames, unless there is no other."""
    uses = [use for use, _ in skeleton.parts.body.uses]
    kept = [use not in ("control", "prop", "helper") for use in uses]
    goes_on = [False] * len(uses)
    for j in range(len(uses) - 1, 0, -1):
        if skeleton.parents[j] >= 0 and (kept[j] or goes_on[j]):
            goes_on[skeleton.parents[j]] = True
    found = [j for j in range(len(uses)) if kept[j] and not goes_on[j]]
    return found or [j for j in range(len(uses)) if not skeleton.children(j)]


def can_move(skeleton: Skeleton) -> bool:
    """Whether any joint has room between its limits."""
    return any(map(_room, skeleton.definitions))


def _room(joint: Joint) -> int:
    """Number of degrees of freedom with room between their limits."""
    return joint.dof - sum(axis.follow is None and axis.lower == axis.upper for axis in joint.axes)


def moves(skeleton: Skeleton, joint: str | int) -> bool:
    """Whether any joint other than a free one above all can displace the origin of `joint`."""
    own = skeleton.chain(joint)[-1]
    return any(k == own or not skeleton.definitions[k].floating for k in _movers(skeleton, joint))


def _movers(skeleton: Skeleton, joint: str | int) -> list[int]:
    """The joints that can displace the origin of `joint`; rotations about that origin do not count."""
    chain = list(skeleton.chain(joint))
    while chain and _only_turns(skeleton.definitions[chain[-1]]):
        if any(skeleton.definitions[chain.pop()].position):
            break
    return [k for k in chain if _room(skeleton.definitions[k])]


def _only_turns(joint: Joint) -> bool:
    """Whether the joint's origin is fixed in its parent."""
    anchors = [joint.anchor, *(axis.anchor for axis in joint.axes)]
    slides = any(axis.slide for axis in joint.axes)
    return not (joint.floating or slides or any(map(any, anchors)))


def _freedoms(skeleton: Skeleton, joints: Iterable[int]) -> int:
    return sum(_room(skeleton.definitions[k]) for k in joints)


# The default goal.


def nearby_goal(start: Pose, frozen: Sequence[str]) -> Goal:
    """A default goal: an end effector, preferably a hand, to a reachable position 15 % of its limb's length away.

    Positions below the figure's lowest joint count as underground and are avoided if possible. If joints only rotate
    and
    no end effector is known, the goal is a rotation of one of them. Raises PosableError if nothing can move.
    """
    skeleton = start.skeleton
    movable = skeleton.tables.active & ~skeleton.freedom_mask(frozen)
    tries = _permitted_poses(start, movable).world_from_joint
    limbs = _limb_lengths(skeleton, movable)
    uses = [use for use, _ in skeleton.parts.body.uses]
    hands = [i for i, name in enumerate(skeleton.joints) if _likeness(name) == 2 and uses[i] in ("deforming", "end")]
    ends = sorted({*_leaves(skeleton), *hands})
    for end in sorted(ends, key=lambda i: (_likeness(skeleton.joints[i]), limbs[i]), reverse=True):
        tip = next(iter(skeleton.definitions[end].tips), (0.0, 0.0, 0.0))
        positions = tries[..., end, :3, :3] @ tip + tries[..., end, :3, 3]
        away = np.linalg.norm(positions[1:] - positions[0, 0], axis=-1)
        if away.max() > 1e-6 * skeleton.reach:
            nudge = _GOAL_DISTANCE * (limbs[end] or skeleton.reach)
            under = _heights(positions[1:], skeleton.up) < _heights(start.origins, skeleton.up).min()
            nearest = np.argmin(np.abs(away - nudge) + np.where(under, nudge / 2, 0.0))
            return Reach(skeleton.joints[end], positions[1:].reshape(-1, 3)[nearest], tip)
    return _turned(skeleton, tries)


def _heights(positions: Array, up: str) -> Array:
    """Heights of `positions [..., 3]`, `[...]`."""
    return positions[..., "xyz".index(up)]


def _permitted_poses(start: Pose, movable: NDArray[np.bool_]) -> Pose:
    """`[25, 16]` poses within the limits, from the start (first row) increasingly far in sixteen seeded directions."""
    wild = start.skeleton.random_pose(np.random.default_rng(0), (16,))
    ways = np.where(movable, wild.minus(start), 0.0)
    steps = start.plus(np.linspace(0.0, 0.8, 25)[:, None, None] * ways)
    return Pose(start.skeleton, np.concatenate([steps.q[:1], steps[1:].clamped().q]))


def _turned(skeleton: Skeleton, tries: Array) -> Goal:
    """The first joint that can rotate, rotated slightly in the direction of the first try."""
    turned = np.abs(tries[8, 0, :, :3, :3] - tries[0, 0, :, :3, :3]).max(axis=(-1, -2))
    if turned.max() < 1e-6:
        raise PosableError("nothing can move here: every freedom is fixed, frozen, inactive or held by its limits")
    joint = int(np.argmax(turned > 1e-6))
    return Orient(skeleton.joints[joint], wxyz_from_matrix(tries[8, 0, joint, :3, :3]))


def _likeness(name: str) -> int:
    """2 if `name` is a hand or similar, 1 if it contains such a word (a finger, say), else 0."""
    return 2 if name_key(name)[0] in _HANDS else int(any(word in name.lower() for word in _HANDS))


def _limb_lengths(skeleton: Skeleton, movable: NDArray[np.bool_]) -> list[float]:
    """Per joint, the length of the bones up to the first movable joint above it; 0 without one."""
    lengths: list[float] = []
    moved: list[bool] = []
    for i, joint in enumerate(skeleton.definitions):
        p = skeleton.parents[i]
        under = p >= 0 and moved[p]
        lengths.append(lengths[p] + math.hypot(*joint.position) if under else 0.0)
        moved.append(under or bool(movable[list(skeleton.freedom_range(i))].any()))
    return lengths

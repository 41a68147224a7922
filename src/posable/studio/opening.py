"""A figure as a document: the goals that one would want to drag at once."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

import numpy as np

import posable
from posable.files import free_name
from posable.studio.document import Document, StudioGoal, place_of
from posable.studio.schema import Vector

_SIDES = {"l": "left", "r": "right"}
_ROWS = {2: ("front", "hind"), 3: ("front", "middle", "hind")}
_POINT = 0.1  # of the leg: a foot so small under its joint stands on a point
_MOST_ENDS = 6  # goals of a figure whose body is not understood
_OWN = 3  # freedoms: what an end needs for itself to be somewhere else than its neighbour


def document_of(figure: posable.Figure, source: str) -> Document:
    """The figure at rest with its usual goals: hands, feet, head and pelvis, or the ends of what has none."""
    goals = tuple(_usual_goals(figure))
    root = figure.skeleton.definitions[0]
    stands = any(goal.pinned for goal in goals)
    reaches = any(_moves(figure.skeleton, goal.joint) for goal in goals)  # else it goes as a whole
    frozen = frozenset([root.name]) if root.floating and reaches and not stands else frozenset()
    fps = figure.clips[0].fps if figure.clips else 30.0
    return Document(
        figure, figure, source, figure.rest, goals, frozen, fps=float(round(fps, 3)), clips=named_apart(figure)
    )


def named_apart(figure: posable.Figure) -> tuple[posable.Clip, ...]:
    """The clips with names that differ."""
    from dataclasses import replace

    found: dict[str, posable.Clip] = {}
    for clip in figure.clips:
        name = free_name(clip.name or "clip", found, " ")
        found[name] = clip if clip.name == name else replace(clip, name=name)
    return tuple(found.values())


def new_goal(pose: posable.Pose, joint: str, kind: str, taken: Container[object] = ()) -> StudioGoal:
    """A goal for a joint where it is; a look far ahead of it, a pole beside its limb."""
    joint = pose.skeleton.joints[pose.skeleton.index(joint)]
    position, rotation = place_of(pose, joint)
    name = free_name(joint, taken, " ")
    if kind == "look":
        return _look(pose, joint, name)
    if kind == "pole":
        return StudioGoal(name, joint, "pole", pole_of(pose, joint), rotation)
    return StudioGoal(name, joint, "reach" if kind == "reach" else "place", position, rotation)


def pole_of(pose: posable.Pose, joint: str) -> Vector:
    """A place to which the elbow or knee of the limb that ends in `joint` points now. Raises GoalError where none."""
    skeleton, origins = pose.skeleton, pose.origins
    end, middle, first = posable.Pole(joint, (0.0, 0.0, 0.0)).limb(skeleton)
    along = origins[end] - origins[first]
    bend = origins[middle] - origins[first]
    side = bend - along * (bend @ along) / max(float(along @ along), 1e-12)
    length = float(np.linalg.norm(side))
    if length < 1e-6 * skeleton.reach:
        side, length = ahead(pose), 1.0
    x, y, z = (origins[middle] + side * (0.4 * skeleton.reach / length)).tolist()
    return x, y, z


def ahead(pose: posable.Pose) -> np.ndarray:
    """The unit vector along which the figure looks at rest."""
    return np.array(posable.roles(pose.skeleton).forward)


def _look(pose: posable.Pose, joint: str, name: str) -> StudioGoal:
    skeleton = pose.skeleton
    rest = posable.Pose(skeleton, skeleton.rest_coordinates).world_from_joint[skeleton.index(joint), :3, :3]
    forward = _three(rest.T @ ahead(pose))
    _, rotation = place_of(pose, joint)
    return StudioGoal(name, joint, "look", looked_at(pose, joint, forward), rotation, forward=forward)


def looked_at(pose: posable.Pose, joint: str, forward: Vector) -> Vector:
    """A place far ahead of a joint, along `forward` of its own frame."""
    now = pose.world_from_joint[pose.skeleton.index(joint)]
    return _three(now[:3, 3] + now[:3, :3] @ np.array(forward) * 0.6 * pose.skeleton.reach)


def _three(values: np.ndarray) -> Vector:
    x, y, z = values.tolist()
    return x, y, z


def _usual_goals(figure: posable.Figure) -> Iterator[StudioGoal]:
    found, pose = posable.roles(figure), figure.rest
    usual = [*_hand_goals(pose, found), *_foot_goals(figure, found)]
    ends = [goal for goal in usual if _moves(figure.skeleton, goal.joint)]
    if not ends:
        joints = _ends(figure.skeleton)[:_MOST_ENDS]
        yield from (_end_goal(pose, name, name) for name in map(figure.skeleton.joints.__getitem__, joints))
        return
    yield from ends
    if "head" in found:
        yield _look(pose, found["head"], "head")
    if "hips" in found and (figure.skeleton.definitions[0].floating or _moves(figure.skeleton, found["hips"])):
        position, rotation = place_of(pose, found["hips"])
        yield StudioGoal("pelvis", found["hips"], "place", position, rotation, rotation_weight=1.0, enabled=False)


def _hand_goals(pose: posable.Pose, roles: posable.Roles) -> Iterator[StudioGoal]:
    """Of hands that are none of the feet an animal stands on."""
    standing = {joint for leg in roles.legs for joint in leg.joints}
    for side, word in _SIDES.items():
        if roles.get(f"hand_{side}", "") not in standing | {""}:
            yield _end_goal(pose, roles[f"hand_{side}"], f"{word} hand")


def _foot_goals(figure: posable.Figure, roles: posable.Roles) -> Iterator[StudioGoal]:
    """Of the feet: two by their roles, more by their rows from the front on. They are pinned, and turned as they stand
    unless a leg ends in a point.
    """
    rows = max((leg.row for leg in roles.legs), default=0) + 1
    if rows == 1:
        for side, word in _SIDES.items():
            if f"foot_{side}" in roles:
                yield _end_goal(figure.rest, roles[f"foot_{side}"], f"{word} foot", stands=True)
        return
    for leg, sole in zip(roles.legs, posable.motion.soles(figure, roles=roles), strict=True):
        name = (
            f"{_SIDES[leg.side]} {_ROWS[rows][leg.row]} foot"
            if rows in _ROWS
            else f"{_SIDES[leg.side]} foot {leg.row + 1}"
        )
        pointed = float(np.linalg.norm(sole.ball)) < _POINT * sole.length
        yield _end_goal(figure.rest, sole.foot, name, stands=True, turned=not pointed)


def _end_goal(pose: posable.Pose, joint: str, name: str, *, stands: bool = False, turned: bool = True) -> StudioGoal:
    position, rotation = place_of(pose, joint)
    return StudioGoal(name, joint, "place", position, rotation, rotation_weight=float(stands and turned), pinned=stands)


def _ends(skeleton: posable.Skeleton) -> list[int]:
    """The ends of chains that may move, those with most freedoms first. Of ends that go along with one another (the
    fingers of a gripper, the frame of its tool) one stands for all, that with the fewest freedoms.
    """
    leaves = [j for j in range(len(skeleton.joints)) if not skeleton.children(j) and len(skeleton.chain(j)) > 1]
    chains = {j: frozenset(_movers(skeleton, j)) - {0} for j in leaves}
    count = {j: _freedoms(skeleton, skeleton.chain(j)) for j in leaves}
    groups: list[list[int]] = []
    for j in sorted((j for j in leaves if _moves(skeleton, j)), key=lambda j: -count[j]):
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
    return found or (leaves[:1] or [0] if goes_as_a_whole or can_move(skeleton) else [])


def can_move(skeleton: posable.Skeleton) -> bool:
    """Whether any joint has room between its limits."""
    return any(map(_room, skeleton.definitions))


def _room(joint: posable.Joint) -> int:
    """How many freedoms of a joint have room between their limits."""
    return joint.dof - sum(axis.follow is None and axis.lower == axis.upper for axis in joint.axes)


def _moves(skeleton: posable.Skeleton, joint: str | int) -> bool:
    """Whether anything takes a joint away from its place but something free above it, which takes all along."""
    own = skeleton.chain(joint)[-1]
    return any(k == own or not skeleton.definitions[k].floating for k in _movers(skeleton, joint))


def _movers(skeleton: posable.Skeleton, joint: str | int) -> list[int]:
    """What takes a joint away from its place: what only turns at that place does not."""
    chain = list(skeleton.chain(joint))
    while chain and _only_turns(skeleton.definitions[chain[-1]]):
        if any(skeleton.definitions[chain.pop()].position):
            break
    return [k for k in chain if _room(skeleton.definitions[k])]


def _only_turns(joint: posable.Joint) -> bool:
    """Whether a joint's origin stays where it is whatever the joint does."""
    anchors = [joint.anchor, *(axis.anchor for axis in joint.axes)]
    slides = any(axis.slide for axis in joint.axes)
    return not (joint.floating or slides or any(map(any, anchors)))


def _freedoms(skeleton: posable.Skeleton, joints: Iterable[int]) -> int:
    return sum(_room(skeleton.definitions[k]) for k in joints)

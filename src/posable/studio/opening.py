"""A figure as a document, with the goals that a person wants to drag first; demonstrations of figures and methods."""

from __future__ import annotations

import tempfile
from collections.abc import Container, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

import posable
from posable.errors import SIDES
from posable.figures import merge_figures
from posable.figures.effectors import between_hips_and_pelvis, ends, feet, hands, moves, pelvis
from posable.files import free_name
from posable.natural import natural_if_known
from posable.studio.document import Document, Options, StudioGoal, joint_frame
from posable.studio.records import MessageError
from posable.studio.schema import Vector

_POINTED_FOOT = 0.1  # of the leg's length: a shorter foot counts as a point


def document_of(figure: posable.Figure, source: str) -> Document:
    """The figure at rest with its usual goals: hands, feet, head and pelvis, or else the ends of its chains.

    Keep apart is on for a person whose capsules are known: `Natural` alone may move limbs through the body.
    """
    goals = tuple(_usual_goals(figure))
    root = figure.skeleton.definitions[0]
    stands = any(goal.pinned for goal in goals)
    reaches = any(moves(figure.skeleton, goal.joint) for goal in goals)  # otherwise a drag moves the whole figure
    frozen = (
        frozenset([root.name]) if root.floating and reaches and not stands else between_hips_and_pelvis(figure.skeleton)
    )
    fps = figure.clips[0].fps if figure.clips else 30.0
    is_solid = any(joint.capsules for joint in figure.skeleton.definitions)
    options = Options(keep_apart=is_solid and len(natural_if_known(figure.skeleton)) > 0)
    return Document(
        figure, figure, source, figure.rest, goals, frozen, options=options, fps=float(round(fps, 3)),
        clips=named_apart(figure),
    )  # fmt: skip


def named_apart(figure: posable.Figure) -> tuple[posable.Clip, ...]:
    """The clips with unique names."""
    from dataclasses import replace

    found: dict[str, posable.Clip] = {}
    for clip in figure.clips:
        name = free_name(clip.name or "clip", found, " ")
        found[name] = clip if clip.name == name else replace(clip, name=name)
    return tuple(found.values())


def main_name(figure: posable.Figure) -> str:
    """The name of the main clip among the unique ones; "" without clips."""
    named = zip(figure.clips, named_apart(figure), strict=True)
    return next((own.name for clip, own in named if clip is figure.main_clip), "")


def new_goal(pose: posable.Pose, joint: str, kind: str, taken: Container[object] = ()) -> StudioGoal:
    """A goal at a joint's position; a look far ahead of it, a pole beside its limb."""
    joint = pose.skeleton.joints[pose.skeleton.index(joint)]
    position, rotation = joint_frame(pose, joint)
    name = free_name(joint, taken, " ")
    if kind == "look":
        return _look(pose, joint, name)
    if kind == "pole":
        return StudioGoal(name, joint, "pole", pole_of(pose, joint), rotation)
    return StudioGoal(name, joint, "reach" if kind == "reach" else "place", position, rotation)


def pole_of(pose: posable.Pose, joint: str) -> Vector:
    """A position to which the elbow or knee of `joint`'s limb points. Raises GoalError without a limb."""
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
    """The figure's forward direction at rest, a unit vector."""
    return np.array(posable.roles(pose.skeleton).forward)


def _look(pose: posable.Pose, joint: str, name: str) -> StudioGoal:
    skeleton = pose.skeleton
    rest = posable.Pose(skeleton, skeleton.rest_coordinates).world_from_joint[skeleton.index(joint), :3, :3]
    forward = _vector(rest.T @ ahead(pose))
    _, rotation = joint_frame(pose, joint)
    return StudioGoal(name, joint, "look", looked_at(pose, joint, forward), rotation, forward=forward)


def looked_at(pose: posable.Pose, joint: str, forward: Vector) -> Vector:
    """A position far ahead of a joint, along `forward` of its frame."""
    now = pose.world_from_joint[pose.skeleton.index(joint)]
    return _vector(now[:3, 3] + now[:3, :3] @ np.array(forward) * 0.6 * pose.skeleton.reach)


def _vector(values: np.ndarray) -> Vector:
    x, y, z = values.tolist()
    return x, y, z


def _usual_goals(figure: posable.Figure) -> Iterator[StudioGoal]:
    found, pose = posable.roles(figure), figure.rest
    usual = [_end_goal(pose, joint, name) for name, joint in hands(found).items()]
    usual += _foot_goals(figure, found)
    if usual:
        usual = [*(_end_goal(pose, joint, name) for name, joint in _elbows(found).items()), *usual]
    moving = [goal for goal in usual if moves(figure.skeleton, goal.joint)]
    if not moving:
        yield from (_end_goal(pose, name, name) for name in ends(figure.skeleton))
        return
    stands = any(goal.pinned for goal in moving)  # the hands of a standing figure move with the body
    yield from (replace(goal, loose=stands and not goal.pinned) for goal in moving)
    if "head" in found:
        yield replace(_look(pose, found["head"], "head"), loose=stands)
    if (pelvis := _pelvis(figure, found)) is not None:
        position, rotation = joint_frame(pose, pelvis)
        yield StudioGoal("pelvis", pelvis, "place", position, rotation, rotation_weight=1.0, enabled=False)


def _elbows(roles: posable.Roles) -> dict[str, str]:
    """{name: joint} of the elbows of arms without hands, as some robots have."""
    standing = {joint for leg in roles.legs for joint in leg.joints}
    found = {
        f"{SIDES[side]} elbow": roles.get(f"lower_arm_{side}", "") for side in SIDES if f"hand_{side}" not in roles
    }
    return {name: joint for name, joint in found.items() if joint not in standing | {""}}


def _pelvis(figure: posable.Figure, roles: posable.Roles) -> str | None:
    """The joint by which the hips are moved; None if they cannot move."""
    skeleton = figure.skeleton
    if "hips" not in roles:
        return None
    floats = any(skeleton.definitions[joint].floating for joint in skeleton.chain(roles["hips"]))
    return pelvis(skeleton, roles) if floats or moves(skeleton, roles["hips"]) else None


def _foot_goals(figure: posable.Figure, roles: posable.Roles) -> Iterator[StudioGoal]:
    """Goals of the feet: two by their roles, more by their rows from the front. They are pinned, with their rotation
    unless a leg ends in a point.
    """
    if all(leg.row == 0 for leg in roles.legs):
        for name, joint in feet(roles).items():
            yield _end_goal(figure.rest, joint, name, stands=True)
        return
    for name, sole in zip(feet(roles), posable.motion.soles(figure, roles=roles), strict=True):
        pointed = float(np.linalg.norm(sole.ball)) < _POINTED_FOOT * sole.length
        yield _end_goal(figure.rest, sole.foot, name, stands=True, turned=not pointed)


def _end_goal(pose: posable.Pose, joint: str, name: str, *, stands: bool = False, turned: bool = True) -> StudioGoal:
    position, rotation = joint_frame(pose, joint)
    kept, skeleton = stands and turned, pose.skeleton
    above = position["xyz".index(skeleton.up)] + _LIFT_HEIGHT * skeleton.reach if kept else None
    return StudioGoal(
        name, joint, "place", position, rotation, rotation_weight=float(kept), pinned=stands, lifts_above=above
    )


_LIFT_HEIGHT = 0.015  # reaches above which a foot is off the ground
_DEFAULT_OPTIONS = Options()


@dataclass(frozen=True)
class Demo:
    """figure: a built-in one. method: of its goal. speed: of the goal while a key is held, reaches per second.

    race: whether there is one copy of the figure for each method, side by side, whose goals all move together.
    """

    figure: str
    method: str = "LeastSquares"
    options: Options = _DEFAULT_OPTIONS
    speed: float = 0.5
    race: bool = False


RACE = "methods racing"
_RACERS = ("LeastSquares", "DampedLeastSquares", "CyclicDescent", "PseudoInverse", "Transpose")
DEMOS = {
    "snake": Demo("snake", "VirtualForce", Options(elasticity=1e-3)),
    "tentacle": Demo("tentacle", options=Options(comfort=True)),
    "telescope": Demo("telescope", "CyclicDescent"),
    "doorbell arm": Demo("doorbell_arm", speed=0.3),
    "robot arm": Demo("arm7", "DampedLeastSquares"),
    RACE: Demo("arm6", speed=0.3, race=True),
}

_AXES_TOLERANCE = 1e-3  # for unit length and the right angle, as pages round the numbers
_MAX_GOAL_DISTANCE = 1.1  # reaches from the root: held keys may move a goal slightly out of reach

KEYS = {
    "ArrowLeft": (-1, 0, 0),
    "ArrowRight": (1, 0, 0),
    "ArrowUp": (0, 1, 0),
    "ArrowDown": (0, -1, 0),
    "PageUp": (0, 0, -1),
    "PageDown": (0, 0, 1),
}
"""The direction in which a held key moves the goal: right, up, towards the viewer."""


def demo_document(name: str) -> Document:
    """The document of a demonstration, with the text of its figure. Raises PosableError."""
    if name not in DEMOS:
        raise posable.PosableError(f"unknown demonstration {name[:40]!r} (choose from {', '.join(DEMOS)})")
    demo = DEMOS[name]
    if demo.race:
        runner = document_of(posable.figure(demo.figure), demo.figure)
        return race(runner, runner.goals[0].name, name, name)
    document = document_of(posable.figure(demo.figure), demo.figure)
    goals = (replace(document.goals[0], method=demo.method), *document.goals[1:])
    return replace(document, goals=goals, options=demo.options, demo=name, text=text_of(document.figure))


def race(runner: Document, goal: str, name: str, source: str) -> Document:
    """One copy of a figure per method, side by side, each with this one goal. Raises GoalError for an unknown goal."""
    skeleton, end = runner.figure.skeleton, runner.goal(goal)
    side = np.array([1.0, 0.0, 0.0] if skeleton.up == "y" else [0.0, 1.0, 0.0]) * (0.8 * skeleton.reach)
    stands = {method: tuple((side * (k - (len(_RACERS) - 1) / 2)).tolist()) for k, method in enumerate(_RACERS)}
    figure = replace(merge_figures(dict.fromkeys(_RACERS, runner.opened), stands), name=name)
    document = document_of(figure, source)
    end = replace(
        end, position=joint_frame(runner.opened.rest, end.joint)[0], enabled=True, pinned=False, loose=False, keys=()
    )
    goals = []
    for method, stand in stands.items():
        x, y, z = (np.array(end.position) + stand).tolist()
        goals.append(replace(end, name=method, joint=f"{method}/{end.joint}", position=(x, y, z), method=method))
    return replace(document, goals=tuple(goals), demo=RACE)


def driven_goals(document: Document) -> int:
    """Number of goals that held keys move: one, or all of a race."""
    demo = DEMOS.get(document.demo or "")
    return len(document.goals) if demo is not None and demo.race else 1


def driven(document: Document, direction: np.ndarray, seconds: float) -> Document:
    """The document of a demonstration with the first goal, or all goals of a race, moved for so many seconds."""
    demo = DEMOS.get(document.demo or "", DEMOS["snake"])
    step, goals = direction * (demo.speed * document.figure.skeleton.reach * seconds), list(document.goals)
    for k in range(driven_goals(document)):
        x, y, z = within_reach(document, goals[k], np.array(goals[k].position) + step).tolist()
        goals[k] = replace(goals[k], position=(x, y, z), enabled=True, loose=False)
    return replace(document, goals=tuple(goals))


def within_reach(document: Document, goal: StudioGoal, position: np.ndarray) -> np.ndarray:
    """`[3]` the position, or the point at which the line to it leaves the reach of the goal's joint."""
    skeleton, joint = document.figure.skeleton, document.figure.skeleton.index(goal.joint)
    while skeleton.parents[joint] >= 0:
        joint = skeleton.parents[joint]
    root = document.figure.rest.origins[joint]
    away, most = position - root, _MAX_GOAL_DISTANCE * skeleton.reach
    return root + away * min(1.0, most / max(float(np.linalg.norm(away)), 1e-12))


def text_of(figure: posable.Figure) -> str:
    """The figure as a text description."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "figure.toml"
        posable.save(path, figure)
        return path.read_text(encoding="utf-8")


def screen_axes(right: Vector | None, up: Vector | None, world_up: str) -> np.ndarray:
    """`[3, 3]` rows: right and up on the screen, and towards the viewer; by default those of a view from the front.

    Raises MessageError unless the two are perpendicular unit vectors.
    """
    own_up = (0.0, 1.0, 0.0) if world_up == "y" else (0.0, 0.0, 1.0)
    rows = np.array([right or (1.0, 0.0, 0.0), up or own_up])
    if abs(rows @ rows.T - np.eye(2)).max() > _AXES_TOLERANCE:
        raise MessageError("right and up of demo.key are directions of length 1, across each other")
    return np.vstack([rows, np.cross(*rows)])


def direction_of(held: set[str], axes: np.ndarray) -> np.ndarray:
    """`[3]` the direction, of length 1 or 0, in which held keys move a goal. axes: as `screen_axes` gives them."""
    across = sum((np.array(KEYS[key], float) for key in held), np.zeros(3)) @ axes
    length = float(np.linalg.norm(across))
    return across / length if length else across


def checked_key(key: str) -> str:
    """The key. Raises MessageError for a key without a function."""
    if key not in KEYS:
        raise MessageError(f"the key {key[:20]!r} moves nothing; {', '.join(KEYS)} do")
    return key

"""The document: all that a session knows, as one frozen value, so that undo is a list of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

import posable
from posable.spatial import wxyz_from_matrix
from posable.studio import schema
from posable.studio.schema import Quaternion, Vector

LARGEST_FRAME = 100_000


@dataclass(frozen=True, eq=False)
class GoalKey:
    """Where a goal is at a frame, and the whole figure's coordinates when the key was made: what it starts from.

    pole: where the elbow or knee points; None where the keys about it say that.
    """

    frame: int
    position: Vector
    rotation: Quaternion
    weight: float
    q: np.ndarray = field(repr=False)
    interpolation: schema.Interpolation = "cubic"
    velocity: Vector | None = None
    pole: Vector | None = None


@dataclass(frozen=True, eq=False)
class StudioGoal:
    """What one joint should do, under a name that people read."""

    name: str
    joint: str
    kind: schema.Kind
    position: Vector
    rotation: Quaternion = (1.0, 0.0, 0.0, 0.0)
    weight: float = 1.0
    rotation_weight: float = 0.0
    enabled: bool = True
    pinned: bool = False
    pole: Vector | None = None
    method: str = "LeastSquares"
    forward: Vector = (0.0, 0.0, 1.0)  # of a look, in the joint's frame
    keys: tuple[GoalKey, ...] = ()

    def key_at(self, frame: int) -> GoalKey | None:
        """The key at this frame, if there is one."""
        return next((key for key in self.keys if key.frame == frame), None)

    def with_keys(self, keys: dict[int, GoalKey]) -> StudioGoal:
        """The same goal with these keys, in their order in time."""
        ordered = [replace(key, frame=frame) if key.frame != frame else key for frame, key in sorted(keys.items())]
        return replace(self, keys=tuple(ordered))

    @property
    def keys_by_frame(self) -> dict[int, GoalKey]:
        """Its keys by their frames."""
        return {key.frame: key for key in self.keys}


class DroppedMesh(NamedTuple):
    """Ground from a file, by the name under which it is kept."""

    file: str
    mesh: posable.Mesh


@dataclass(frozen=True)
class Options:
    """What the whole figure would rather do. gravity, elasticity: weights, 0 for none."""

    comfort: bool = False
    gravity: float = 0.0
    elasticity: float = 0.0
    keep_apart: bool = False


@dataclass(frozen=True, eq=False)
class Document:
    """All that a session knows.

    figure: with the limits as they are now; opened: as it was opened. source: the file it came from, or the name of a
    built-in figure. clips: those of the figure, and those made here. clip: the one that plays under the keys.
    is_reskinned: whether skins have other weights than in the source.
    meshes: what ground may be made of, by the names that people know.
    walk: how many steps the chosen walk takes, so that it can follow the gait; 0 where it is no walk of ours.
    """

    figure: posable.Figure
    opened: posable.Figure
    source: str
    pose: posable.Pose
    goals: tuple[StudioGoal, ...] = ()
    frozen: frozenset[str] = frozenset()
    options: Options = Options()
    fps: float = 30.0
    frame: int = 0
    range: tuple[int, int] = (0, 120)
    auto_key: bool = False
    blend: schema.Blend = "linear"
    space: schema.Space = "world"
    clips: tuple[posable.Clip, ...] = ()
    clip: str | None = None
    walk: int = 0
    gait: posable.Gait | None = None
    gait_name: str | None = None
    terrain: Mapping[str, Any] = field(default_factory=lambda: {"kind": "none"})
    meshes: Mapping[str, DroppedMesh] = field(default_factory=dict)
    demo: str | None = None
    text: str | None = None
    is_reskinned: bool = False

    def goal(self, name: str) -> StudioGoal:
        """The goal of that name. Raises GoalError."""
        for one in self.goals:
            if one.name == name:
                return one
        raise posable.GoalError(f"no goal is called {name!r}; there are {', '.join(g.name for g in self.goals)}")

    def with_goal(self, goal: StudioGoal) -> Document:
        """The same with this goal in the place of the one of its name."""
        return replace(self, goals=tuple(goal if one.name == goal.name else one for one in self.goals))

    @property
    def playing(self) -> posable.Clip | None:
        """The chosen clip."""
        return next((clip for clip in self.clips if clip.name == self.clip), None)

    @property
    def is_animated(self) -> bool:
        """Whether frames differ: a clip plays or a goal has keys."""
        return self.clip is not None or any(goal.keys for goal in self.goals)


def place_of(pose: posable.Pose, joint: str) -> tuple[Vector, Quaternion]:
    """Where a joint's frame is, and how it is turned."""
    index = pose.skeleton.index(joint)
    matrix = pose.world_from_joint[index]
    x, y, z = matrix[:3, 3].tolist()
    return (x, y, z), wxyz_of(matrix[:3, :3])


def wxyz_of(matrix: np.ndarray) -> Quaternion:
    """The quaternion of one rotation matrix."""
    w, x, y, z = wxyz_from_matrix(matrix).tolist()
    return w, x, y, z


def plain(document: Document) -> dict[str, Any]:
    """The document as pages are told of it, but for what only the session knows (undo, names of gaits)."""
    return {
        "name": document.figure.name,
        "fps": document.fps,
        "frame": document.frame,
        "range": list(document.range),
        "auto_key": document.auto_key,
        "blend": document.blend,
        "space": document.space,
        "goals": [_plain_goal(goal) for goal in document.goals],
        "joints": _plain_joints(document),
        "gait": plain_gait(document.gait),
        "gait_name": document.gait_name,
        "terrain": dict(document.terrain),
        "clip": document.clip,
        "clips": [clip.name for clip in document.clips],
        "options": dict(vars(document.options)),
        "demo": document.demo,
        "text": document.text,
    }


def plain_gait(gait: posable.Gait | None) -> dict[str, float] | None:
    """The numbers of a gait that are set."""
    if gait is None:
        return None
    return {name: float(value) for name, value in vars(gait).items() if isinstance(value, int | float)}


def _plain_goal(goal: StudioGoal) -> dict[str, Any]:
    names = ("name", "joint", "kind", "position", "rotation", "weight", "rotation_weight", "enabled", "pinned", "pole")
    found = {name: getattr(goal, name) for name in (*names, "method")}
    return {**found, "keys": [_plain_key(key) for key in goal.keys]}


def _plain_key(key: GoalKey) -> dict[str, Any]:
    return {name: getattr(key, name) for name in schema.Key.__annotations__}


def _plain_joints(document: Document) -> list[dict[str, Any]]:
    return [
        {"name": joint.name, "frozen": joint.name in document.frozen, "limits": plain_limits(joint)}
        for joint in document.figure.skeleton.definitions
    ]


def plain_limits(joint: posable.Joint) -> dict[str, Any]:
    """How far a joint moves, as pages are told."""
    axes = [
        {
            "name": axis.name,
            "direction": axis.direction,
            "slide": axis.slide,
            "lower": _finite(axis.lower),
            "upper": _finite(axis.upper),
            "reference": axis.reference,
        }
        for axis in joint.axes
    ]
    return {"kind": joint.kind, "base": joint.wxyz, "axes": axes, "cone": _plain_cone(joint.cone)}


def _plain_cone(cone: posable.Cone | None) -> dict[str, Any] | None:
    if cone is None:
        return None
    lower, upper = cone.twist
    return {"axis": cone.axis, "center": cone.center, "swing": cone.swing, "lower": lower, "upper": upper}


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None

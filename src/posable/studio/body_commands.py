"""The commands about whole poses, preferences, hands, skin, skeleton and scene; `commands` has them all."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from posable.studio.command import UNSET, After, Command, Unset
from posable.studio.schema import Blend, PaintMode, Quaternion, Space, Vector


@dataclass(frozen=True)
class GoalsMove(Command, op="goals.move", after=After.SOLVE, auto_keys=True):
    """Move or rotate several goals at once. positions, rotations: by goal, in the world."""

    positions: dict[str, Vector]
    rotations: dict[str, Quaternion] = field(default_factory=dict)


@dataclass(frozen=True)
class GoalsSet(Command, op="goals.set", after=After.SOLVE, auto_keys=True):
    """Give several goals the same weights."""

    goals: list[str]
    weight: float | Unset = UNSET
    rotation_weight: float | Unset = UNSET


@dataclass(frozen=True)
class JointSet(Command, op="joint.set", auto_keys=True):
    """Put an axis of a joint, counted from 0, at a coordinate by hand: radians, or metres where it slides."""

    joint: str
    axis: int
    value: float


@dataclass(frozen=True)
class OptionsSet(Command, op="options.set", after=After.SOLVE):
    """Change the preferences of the whole figure, and the axes of gizmos."""

    comfort: bool | Unset = UNSET
    gravity: float | Unset = UNSET
    elasticity: float | Unset = UNSET
    keep_apart: bool | Unset = UNSET
    natural: float | Unset = UNSET
    human_limits: bool | Unset = UNSET
    balance: bool | Unset = UNSET
    mirror: bool | Unset = UNSET
    space: Space | Unset = UNSET


@dataclass(frozen=True)
class PoseReset(Command, op="pose.reset", auto_keys=True):
    """Return to the rest pose, with the goals. settings: and with their weights, pins and methods as at first."""

    settings: bool = True


@dataclass(frozen=True)
class GoalsClear(Command, op="goals.clear", after=After.SOLVE, auto_keys=True):
    """Put goals back to the position or to the rotation of the rest pose."""

    goals: list[str]
    what: Literal["position", "rotation"]


@dataclass(frozen=True)
class PoseMirror(Command, op="pose.mirror", auto_keys=True):
    """Mirror the pose."""


@dataclass(frozen=True)
class ArmsLower(Command, op="arms.lower", auto_keys=True):
    """Let the arms hang that no goal leads, as of a figure whose file holds them out."""


@dataclass(frozen=True)
class PoseCopy(Command, op="pose.copy", is_step=False):
    """Copy the pose of these goals' joints; without any, of all joints."""

    goals: list[str]


@dataclass(frozen=True)
class PosePaste(Command, op="pose.paste", auto_keys=True):
    """Put on the copied pose. mirror: on the other side."""

    mirror: bool = False


@dataclass(frozen=True)
class PoseBetween(Command, op="pose.between", auto_keys=True):
    """Put on a pose between the keys before and after the frame. share: 0 is the one before, 1 the one after, beyond
    them it is pushed further. goals: those whose joints take part; none for all.
    """

    share: float
    goals: list[str]


@dataclass(frozen=True)
class PoseSave(Command, op="pose.save"):
    """Keep the pose in the library. picture: a small PNG as base64 text."""

    name: str
    goals: list[str]
    picture: str = field(default="", repr=False)


@dataclass(frozen=True)
class PoseApply(Command, op="pose.apply", auto_keys=True):
    """Put on a pose of the library. share: how far from the pose there is."""

    name: str
    share: float = 1.0
    mirror: bool = False


@dataclass(frozen=True)
class PoseForget(Command, op="pose.forget"):
    """Remove a pose from the library."""

    name: str


@dataclass(frozen=True)
class SkinBlend(Command, op="skin.blend"):
    """Choose the skinning blend."""

    blend: Blend


@dataclass(frozen=True)
class SkinPaint(Command, op="skin.paint"):
    """Paint a stroke on the posed skin: add, subtract or smooth the weight of a joint."""

    joint: str
    points: list[Vector]
    radius: float
    strength: float
    mode: PaintMode = "add"
    mirror: bool = False


@dataclass(frozen=True)
class SkinBind(Command, op="skin.bind"):
    """Bind the figure's skin again."""

    method: str = "heat"


@dataclass(frozen=True)
class SkeletonMove(Command, op="skeleton.move"):
    """Move a joint of the skeleton at rest; what hangs on it stays. mirror: its mirror image goes likewise."""

    joint: str
    position: Vector
    mirror: bool = False


@dataclass(frozen=True)
class SkeletonRename(Command, op="skeleton.rename"):
    """Give a joint another name."""

    joint: str
    name: str


@dataclass(frozen=True)
class SkeletonAdd(Command, op="skeleton.add"):
    """Add a joint to the skeleton. position: in the world at rest. mirror: its mirror image as well."""

    parent: str
    name: str
    position: Vector
    mirror: bool = False


@dataclass(frozen=True)
class SkeletonRemove(Command, op="skeleton.remove"):
    """Remove a joint; what hangs on it hangs on its parent, which takes its part of the skin. mirror: its mirror image
    as well.
    """

    joint: str
    mirror: bool = False


@dataclass(frozen=True)
class HandShape(Command, op="hand.shape", auto_keys=True):
    """Curl and spread the fingers of a hand. curls: by finger, 0 stretched … 1 closed; fingers that are not named stay.

    grip: one of the grips by name, instead of both.
    """

    side: Literal["l", "r"]
    curls: dict[str, float] = field(default_factory=dict)
    spread: float | Unset = UNSET
    grip: str = ""


@dataclass(frozen=True)
class GoalRelative(Command, op="goal.relative", after=After.SOLVE):
    """Let a goal go with a joint or a prop; null: with neither."""

    goal: str
    to: str | None


@dataclass(frozen=True)
class JointKeep(Command, op="joint.keep", after=After.SOLVE):
    """Let a joint keep its rotation wherever goals can be met without it, or no longer."""

    joint: str
    kept: bool


@dataclass(frozen=True)
class MeshHide(Command, op="mesh.hide"):
    """Choose the meshes of the figure that are not shown, by name."""

    names: list[str]


@dataclass(frozen=True)
class PropAdd(Command, op="prop.add", after=After.SOLVE):
    """Put a box or a sphere into the scene."""

    kind: Literal["box", "sphere"]


@dataclass(frozen=True)
class PropFile(Command, op="prop.file", after=After.SOLVE):
    """Put an uploaded mesh into the scene. file: its stored name. name: its name on the person's machine."""

    file: str
    name: str = ""


@dataclass(frozen=True)
class PropSet(Command, op="prop.set", after=After.SOLVE):
    """Change a prop. joint: that carries it where it is; null: none does."""

    prop: str
    position: Vector | Unset = UNSET
    rotation: Quaternion | Unset = UNSET
    size: Vector | Unset = UNSET
    obstacle: bool | Unset = UNSET
    ground: bool | Unset = UNSET
    joint: str | Unset | None = UNSET


@dataclass(frozen=True)
class PropRemove(Command, op="prop.remove", after=After.SOLVE):
    """Take a prop out of the scene; goals that went with it stay where they are."""

    prop: str


@dataclass(frozen=True)
class MethodsRace(Command, op="methods.race"):
    """Put copies of the open figure side by side, in which this goal alone is solved, in each by another method."""

    goal: str


@dataclass(frozen=True)
class FigureJoin(Command, op="figure.join"):
    """Put a second figure beside the open one. file: an uploaded figure. name: else the name of a built-in one.

    fit: whether a mesh without joints gets a skeleton. height: its height, in heights of the open one; null: as in its
    file.
    """

    name: str
    file: str = ""
    fit: bool = True
    height: float | None = None


@dataclass(frozen=True)
class FigureLeave(Command, op="figure.leave"):
    """Take one of several figures out of the scene; goals that went with it stay where they are."""

    figure: str


@dataclass(frozen=True)
class FigurePlace(Command, op="figure.place"):
    """Move one of several figures as a whole, with its pose, goals, keys and clips.

    by: displacement. turn: degrees about the vertical through its first joint. size: factor, about the point of the
    ground under that joint.
    """

    figure: str
    by: Vector = (0.0, 0.0, 0.0)
    turn: float = 0.0
    size: float = 1.0

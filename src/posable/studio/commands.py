"""What a page may ask for: one frozen record per command."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from posable.studio.command import AS_IT_IS, Command, Left
from posable.studio.schema import (
    Blend,
    Interpolation,
    KeyName,
    Kind,
    Limits,
    PaintMode,
    Quaternion,
    Range,
    Space,
    Terrain,
    Vector,
)

_Number = float | Left
_Flag = bool | Left


@dataclass(frozen=True)
class FigureBuiltin(Command):
    """Take a built-in figure."""

    op: ClassVar[str] = "figure.builtin"
    name: str


@dataclass(frozen=True)
class FigureOpen(Command):
    """Take a file that was uploaded, by the name it was given. name: what it is called by whoever uploaded it."""

    op: ClassVar[str] = "figure.open"
    file: str
    name: str = ""


@dataclass(frozen=True)
class GoalAdd(Command):
    """A new goal for a joint, where the joint is."""

    op: ClassVar[str] = "goal.add"
    joint: str
    kind: Kind = "place"


@dataclass(frozen=True)
class GoalRemove(Command):
    """Do without a goal."""

    op: ClassVar[str] = "goal.remove"
    goal: str


@dataclass(frozen=True)
class GoalSet(Command):
    """Another place, turn or weight of a goal."""

    op: ClassVar[str] = "goal.set"
    goal: str
    position: Vector | Left = AS_IT_IS
    rotation: Quaternion | Left = AS_IT_IS
    weight: _Number = AS_IT_IS
    rotation_weight: _Number = AS_IT_IS
    enabled: _Flag = AS_IT_IS
    pinned: _Flag = AS_IT_IS


@dataclass(frozen=True)
class GoalPole(Command):
    """Where the elbow or knee of a limb points; null: anywhere."""

    op: ClassVar[str] = "goal.pole"
    goal: str
    pole: Vector | None


@dataclass(frozen=True)
class GoalMethod(Command):
    """How a limb is solved."""

    op: ClassVar[str] = "goal.method"
    goal: str
    method: str


@dataclass(frozen=True)
class JointRotate(Command):
    """Turn a joint by hand: its rotation in its parent's frame."""

    op: ClassVar[str] = "joint.rotate"
    joint: str
    rotation: Quaternion


@dataclass(frozen=True)
class JointFreeze(Command):
    """Hold a joint as it is, or let it go."""

    op: ClassVar[str] = "joint.freeze"
    joint: str
    frozen: bool


@dataclass(frozen=True)
class JointLimit(Command):
    """Other limits of a joint; null: as its file has them."""

    op: ClassVar[str] = "joint.limit"
    joint: str
    limits: Limits | None


@dataclass(frozen=True)
class IkFkSwitch(Command):
    """A limb follows its goal, or is moved by hand."""

    op: ClassVar[str] = "ikfk.switch"
    goal: str
    to: str


@dataclass(frozen=True)
class PoseReset(Command):
    """Back to the rest pose, the goals too."""

    op: ClassVar[str] = "pose.reset"


@dataclass(frozen=True)
class PoseMirror(Command):
    """Left and right exchanged."""

    op: ClassVar[str] = "pose.mirror"


@dataclass(frozen=True)
class OptionsSet(Command):
    """What the whole figure would rather do, and how gizmos lie."""

    op: ClassVar[str] = "options.set"
    comfort: _Flag = AS_IT_IS
    gravity: _Number = AS_IT_IS
    elasticity: _Number = AS_IT_IS
    keep_apart: _Flag = AS_IT_IS
    space: Space | Left = AS_IT_IS


@dataclass(frozen=True)
class KeySet(Command):
    """A key of each of these goals, as they are, at a frame."""

    op: ClassVar[str] = "key.set"
    goals: list[str]
    frame: int


@dataclass(frozen=True)
class KeyValue(Command):
    """Other values of a key."""

    op: ClassVar[str] = "key.value"
    goal: str
    frame: int
    position: Vector | Left = AS_IT_IS
    weight: _Number = AS_IT_IS
    velocity: Vector | Left | None = AS_IT_IS
    pole: Vector | Left | None = AS_IT_IS


@dataclass(frozen=True)
class KeyDelete(Command):
    """Do without keys."""

    op: ClassVar[str] = "key.delete"
    keys: list[KeyName]


@dataclass(frozen=True)
class KeyMove(Command):
    """Keys to other frames. copy: leave them there too. ripple: later keys make room."""

    op: ClassVar[str] = "key.move"
    keys: list[KeyName]
    by: int
    copy: bool = False
    ripple: bool = False


@dataclass(frozen=True)
class KeyCopy(Command):
    """Remember keys."""

    op: ClassVar[str] = "key.copy"
    keys: list[KeyName]


@dataclass(frozen=True)
class KeyPaste(Command):
    """The remembered keys, the first of them at a frame."""

    op: ClassVar[str] = "key.paste"
    frame: int


@dataclass(frozen=True)
class KeyEase(Command):
    """How to go on from keys."""

    op: ClassVar[str] = "key.ease"
    keys: list[KeyName]
    interpolation: Interpolation


@dataclass(frozen=True)
class TimelineSet(Command):
    """Another frame rate or range."""

    op: ClassVar[str] = "timeline.set"
    fps: _Number = AS_IT_IS
    range: Range | Left = AS_IT_IS


@dataclass(frozen=True)
class TimelineFrame(Command):
    """Go to a frame."""

    op: ClassVar[str] = "timeline.frame"
    frame: int


@dataclass(frozen=True)
class AutoKey(Command):
    """Moving a goal makes a key, or not."""

    op: ClassVar[str] = "autokey"
    on: bool


@dataclass(frozen=True)
class GaitLoad(Command):
    """One of posable's characters."""

    op: ClassVar[str] = "gait.load"
    name: str


@dataclass(frozen=True)
class GaitSet(Command):
    """Other numbers of the gait."""

    op: ClassVar[str] = "gait.set"
    values: dict[str, float]


@dataclass(frozen=True)
class WalkMake(Command):
    """Walk some steps."""

    op: ClassVar[str] = "walk.make"
    steps: int = 6


@dataclass(frozen=True)
class TerrainSet(Command):
    """Other ground."""

    op: ClassVar[str] = "terrain.set"
    terrain: Terrain


@dataclass(frozen=True)
class TerrainFile(Command):
    """Ground from the mesh of a file that was uploaded. name: what it is called by whoever uploaded it."""

    op: ClassVar[str] = "terrain.file"
    file: str
    name: str = ""


@dataclass(frozen=True)
class ClipRetarget(Command):
    """The motion of a file that was uploaded, for the open figure. clip: which of the file's; null: the first."""

    op: ClassVar[str] = "clip.retarget"
    file: str
    name: str = ""
    clip: str | None = None


@dataclass(frozen=True)
class ClipChoose(Command):
    """Play a clip under the keys; null: none."""

    op: ClassVar[str] = "clip.choose"
    name: str | None


@dataclass(frozen=True)
class ClipBake(Command):
    """What is played now, as a clip of its own."""

    op: ClassVar[str] = "clip.bake"


@dataclass(frozen=True)
class ClipMirror(Command):
    """Left and right exchanged, over the whole clip and all keys."""

    op: ClassVar[str] = "clip.mirror"


@dataclass(frozen=True)
class SkinBlend(Command):
    """How the skin follows."""

    op: ClassVar[str] = "skin.blend"
    blend: Blend


@dataclass(frozen=True)
class SkinPaint(Command):
    """A stroke of the brush over the skin as it stands: more, less or smoother weight of a joint."""

    op: ClassVar[str] = "skin.paint"
    joint: str
    points: list[Vector]
    radius: float
    strength: float
    mode: PaintMode = "add"
    mirror: bool = False


@dataclass(frozen=True)
class SkinBind(Command):
    """Bind the figure's skin anew."""

    op: ClassVar[str] = "skin.bind"
    method: str = "heat"


@dataclass(frozen=True)
class GestureBegin(Command):
    """What follows is one step of undo."""

    op: ClassVar[str] = "gesture.begin"
    label: str = ""


@dataclass(frozen=True)
class GestureEnd(Command):
    """The gesture is over."""

    op: ClassVar[str] = "gesture.end"


@dataclass(frozen=True)
class Undo(Command):
    """One step back."""

    op: ClassVar[str] = "undo"


@dataclass(frozen=True)
class Redo(Command):
    """One step on again."""

    op: ClassVar[str] = "redo"


@dataclass(frozen=True)
class DemoLoad(Command):
    """One of the demonstrations."""

    op: ClassVar[str] = "demo.load"
    name: str


@dataclass(frozen=True)
class DemoKey(Command):
    """A key is held, or let go."""

    op: ClassVar[str] = "demo.key"
    key: str
    down: bool


@dataclass(frozen=True)
class TextReload(Command):
    """The figure as this text describes it."""

    op: ClassVar[str] = "text.reload"
    text: str = field(repr=False)

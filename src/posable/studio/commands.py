"""What a page may ask for: one frozen record per command."""

from __future__ import annotations

from dataclasses import dataclass, field

from posable.studio.command import UNSET, After, Command, Unset
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

_Number = float | Unset
_Flag = bool | Unset


@dataclass(frozen=True)
class FigureBuiltin(Command, op="figure.builtin"):
    """Take a built-in figure."""

    name: str


@dataclass(frozen=True)
class FigureOpen(Command, op="figure.open"):
    """Take a file that was uploaded, by the name it was given. name: what it is called by whoever uploaded it."""

    file: str
    name: str = ""


@dataclass(frozen=True)
class GoalAdd(Command, op="goal.add", after=After.SOLVE):
    """A new goal for a joint, where the joint is."""

    joint: str
    kind: Kind = "place"


@dataclass(frozen=True)
class GoalRemove(Command, op="goal.remove", after=After.SOLVE):
    """Do without a goal."""

    goal: str


@dataclass(frozen=True)
class GoalSet(Command, op="goal.set", after=After.SOLVE, auto_keys=True):
    """Another place, turn or weight of a goal."""

    goal: str
    position: Vector | Unset = UNSET
    rotation: Quaternion | Unset = UNSET
    weight: _Number = UNSET
    rotation_weight: _Number = UNSET
    enabled: _Flag = UNSET
    pinned: _Flag = UNSET


@dataclass(frozen=True)
class GoalPole(Command, op="goal.pole", after=After.SOLVE, auto_keys=True):
    """Where the elbow or knee of a limb points; null: anywhere."""

    goal: str
    pole: Vector | None


@dataclass(frozen=True)
class GoalMethod(Command, op="goal.method", after=After.SOLVE):
    """How a limb is solved."""

    goal: str
    method: str


@dataclass(frozen=True)
class JointRotate(Command, op="joint.rotate", auto_keys=True):
    """Turn a joint by hand: its rotation in its parent's frame."""

    joint: str
    rotation: Quaternion


@dataclass(frozen=True)
class JointFreeze(Command, op="joint.freeze", after=After.SOLVE):
    """Hold a joint as it is, or let it go."""

    joint: str
    frozen: bool


@dataclass(frozen=True)
class JointLimit(Command, op="joint.limit", after=After.SOLVE):
    """Other limits of a joint; null: as its file has them."""

    joint: str
    limits: Limits | None


@dataclass(frozen=True)
class IkFkSwitch(Command, op="ikfk.switch", after=After.SOLVE):
    """A limb follows its goal, or is moved by hand."""

    goal: str
    to: str


@dataclass(frozen=True)
class PoseReset(Command, op="pose.reset", auto_keys=True):
    """Back to the rest pose, the goals too."""


@dataclass(frozen=True)
class PoseMirror(Command, op="pose.mirror", auto_keys=True):
    """Unset and right exchanged."""


@dataclass(frozen=True)
class OptionsSet(Command, op="options.set", after=After.SOLVE):
    """What the whole figure would rather do, and how gizmos lie."""

    comfort: _Flag = UNSET
    gravity: _Number = UNSET
    elasticity: _Number = UNSET
    keep_apart: _Flag = UNSET
    space: Space | Unset = UNSET


@dataclass(frozen=True)
class KeySet(Command, op="key.set", after=After.PLAY):
    """A key of each of these goals, as they are, at a frame."""

    goals: list[str]
    frame: int


@dataclass(frozen=True)
class KeyValue(Command, op="key.value", after=After.PLAY):
    """Other values of a key."""

    goal: str
    frame: int
    position: Vector | Unset = UNSET
    weight: _Number = UNSET
    velocity: Vector | Unset | None = UNSET
    pole: Vector | Unset | None = UNSET


@dataclass(frozen=True)
class KeyDelete(Command, op="key.delete", after=After.PLAY):
    """Do without keys."""

    keys: list[KeyName]


@dataclass(frozen=True)
class KeyMove(Command, op="key.move", after=After.PLAY):
    """Keys to other frames. copy: leave them there too. ripple: later keys make room."""

    keys: list[KeyName]
    by: int
    copy: bool = False
    ripple: bool = False


@dataclass(frozen=True)
class KeyCopy(Command, op="key.copy", is_step=False):
    """Remember keys."""

    keys: list[KeyName]


@dataclass(frozen=True)
class KeyPaste(Command, op="key.paste", after=After.PLAY):
    """The remembered keys, the first of them at a frame."""

    frame: int


@dataclass(frozen=True)
class KeyEase(Command, op="key.ease", after=After.PLAY):
    """How to go on from keys."""

    keys: list[KeyName]
    interpolation: Interpolation


@dataclass(frozen=True)
class TimelineSet(Command, op="timeline.set", after=After.PLAY):
    """Another frame rate or range."""

    fps: _Number = UNSET
    range: Range | Unset = UNSET


@dataclass(frozen=True)
class TimelineFrame(Command, op="timeline.frame", after=After.PLAY, is_step=False):
    """Go to a frame."""

    frame: int


@dataclass(frozen=True)
class AutoKey(Command, op="autokey", is_step=False):
    """Moving a goal makes a key, or not."""

    on: bool


@dataclass(frozen=True)
class GaitLoad(Command, op="gait.load", after=After.PLAY):
    """One of posable's characters."""

    name: str


@dataclass(frozen=True)
class GaitSet(Command, op="gait.set", after=After.PLAY):
    """Other numbers of the gait."""

    values: dict[str, float]


@dataclass(frozen=True)
class WalkMake(Command, op="walk.make", after=After.PLAY):
    """Walk some steps."""

    steps: int = 6


@dataclass(frozen=True)
class TerrainSet(Command, op="terrain.set", after=After.PLAY):
    """Other ground."""

    terrain: Terrain


@dataclass(frozen=True)
class TerrainFile(Command, op="terrain.file", after=After.PLAY):
    """Ground from the mesh of a file that was uploaded. name: what it is called by whoever uploaded it."""

    file: str
    name: str = ""


@dataclass(frozen=True)
class ClipRetarget(Command, op="clip.retarget", after=After.PLAY):
    """The motion of a file that was uploaded, for the open figure. clip: which of the file's; null: the first."""

    file: str
    name: str = ""
    clip: str | None = None


@dataclass(frozen=True)
class ClipChoose(Command, op="clip.choose", after=After.PLAY):
    """Play a clip under the keys; null: none."""

    name: str | None


@dataclass(frozen=True)
class ClipBake(Command, op="clip.bake", after=After.PLAY):
    """What is played now, as a clip of its own."""


@dataclass(frozen=True)
class ClipMirror(Command, op="clip.mirror", after=After.PLAY):
    """Unset and right exchanged, over the whole clip and all keys."""


@dataclass(frozen=True)
class SkinBlend(Command, op="skin.blend"):
    """How the skin follows."""

    blend: Blend


@dataclass(frozen=True)
class SkinPaint(Command, op="skin.paint"):
    """A stroke of the brush over the skin as it stands: more, less or smoother weight of a joint."""

    joint: str
    points: list[Vector]
    radius: float
    strength: float
    mode: PaintMode = "add"
    mirror: bool = False


@dataclass(frozen=True)
class SkinBind(Command, op="skin.bind"):
    """Bind the figure's skin anew."""

    method: str = "heat"


@dataclass(frozen=True)
class GestureBegin(Command, op="gesture.begin"):
    """What follows is one step of undo."""

    label: str = ""


@dataclass(frozen=True)
class GestureEnd(Command, op="gesture.end"):
    """The gesture is over."""


@dataclass(frozen=True)
class Undo(Command, op="undo"):
    """One step back."""


@dataclass(frozen=True)
class Redo(Command, op="redo"):
    """One step on again."""


@dataclass(frozen=True)
class DemoLoad(Command, op="demo.load"):
    """One of the demonstrations."""

    name: str


@dataclass(frozen=True)
class DemoKey(Command, op="demo.key"):
    """A key is held, or let go."""

    key: str
    down: bool


@dataclass(frozen=True)
class TextReload(Command, op="text.reload"):
    """The figure as this text describes it."""

    text: str = field(repr=False)

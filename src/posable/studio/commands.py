"""The commands of a page: one frozen record each, read from JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from posable.errors import near_names
from posable.studio import body_commands, layer_commands
from posable.studio.body_commands import (
    OptionsSet as OptionsSet,
)
from posable.studio.body_commands import (
    PoseApply as PoseApply,
)
from posable.studio.body_commands import (
    PoseBetween as PoseBetween,
)
from posable.studio.body_commands import (
    PoseCopy as PoseCopy,
)
from posable.studio.body_commands import (
    PoseForget as PoseForget,
)
from posable.studio.body_commands import (
    PoseMirror as PoseMirror,
)
from posable.studio.body_commands import (
    PosePaste as PosePaste,
)
from posable.studio.body_commands import (
    PoseReset as PoseReset,
)
from posable.studio.body_commands import (
    PoseSave as PoseSave,
)
from posable.studio.body_commands import (
    SkeletonAdd as SkeletonAdd,
)
from posable.studio.body_commands import (
    SkeletonMove as SkeletonMove,
)
from posable.studio.body_commands import (
    SkeletonRemove as SkeletonRemove,
)
from posable.studio.body_commands import (
    SkeletonRename as SkeletonRename,
)
from posable.studio.body_commands import (
    SkinBind as SkinBind,
)
from posable.studio.body_commands import (
    SkinBlend as SkinBlend,
)
from posable.studio.body_commands import (
    SkinPaint as SkinPaint,
)
from posable.studio.command import UNSET, After, Command, Unset
from posable.studio.records import Form, MessageError
from posable.studio.schema import (
    Interpolation,
    KeyName,
    Kind,
    Limits,
    Quaternion,
    Range,
    Terrain,
    Vector,
)

_Number = float | Unset
_Flag = bool | Unset


@dataclass(frozen=True)
class FigureBuiltin(Command, op="figure.builtin"):
    """Open a built-in figure."""

    name: str


@dataclass(frozen=True)
class FigureOpen(Command, op="figure.open"):
    """Open an uploaded figure. file, name: stored, and on the person's machine. fit: give a bare mesh a skeleton."""

    file: str
    name: str = ""
    fit: bool = True


@dataclass(frozen=True)
class GoalAdd(Command, op="goal.add", after=After.SOLVE):
    """Add a goal for a joint, at the joint's position."""

    joint: str
    kind: Kind = "place"


@dataclass(frozen=True)
class GoalRemove(Command, op="goal.remove", after=After.SOLVE):
    """Remove a goal."""

    goal: str


@dataclass(frozen=True)
class GoalSet(Command, op="goal.set", after=After.SOLVE, auto_keys=True):
    """Change the position, rotation or weight of a goal."""

    goal: str
    position: Vector | Unset = UNSET
    rotation: Quaternion | Unset = UNSET
    weight: _Number = UNSET
    rotation_weight: _Number = UNSET
    enabled: _Flag = UNSET
    pinned: _Flag = UNSET


@dataclass(frozen=True)
class GoalPole(Command, op="goal.pole", after=After.SOLVE, auto_keys=True):
    """Set the position to which the elbow or knee of a limb points; null: none."""

    goal: str
    pole: Vector | None


@dataclass(frozen=True)
class GoalMethod(Command, op="goal.method", after=After.SOLVE):
    """Set the method that solves a limb."""

    goal: str
    method: str


@dataclass(frozen=True)
class JointRotate(Command, op="joint.rotate", auto_keys=True):
    """Rotate a joint by hand. rotation: in its parent's frame."""

    joint: str
    rotation: Quaternion


@dataclass(frozen=True)
class JointFreeze(Command, op="joint.freeze", after=After.SOLVE):
    """Freeze or release a joint."""

    joint: str
    frozen: bool


@dataclass(frozen=True)
class JointLimit(Command, op="joint.limit", after=After.SOLVE):
    """Change the limits of a joint; null: those of its file."""

    joint: str
    limits: Limits | None


@dataclass(frozen=True)
class IkFkSwitch(Command, op="ikfk.switch", after=After.SOLVE, auto_keys=True):
    """Let a limb follow its goal (ik), or move it by hand (fk)."""

    goal: str
    to: str


@dataclass(frozen=True)
class KeySet(Command, op="key.set", after=After.PLAY):
    """Set a key of each of these goals at a frame."""

    goals: list[str]
    frame: int


@dataclass(frozen=True)
class KeyValue(Command, op="key.value", after=After.PLAY):
    """Change the values of a key."""

    goal: str
    frame: int
    position: Vector | Unset = UNSET
    rotation: Quaternion | Unset = UNSET
    weight: _Number = UNSET
    velocity: Vector | Unset | None = UNSET
    pole: Vector | Unset | None = UNSET


@dataclass(frozen=True)
class KeyDelete(Command, op="key.delete", after=After.PLAY):
    """Delete keys."""

    keys: list[KeyName]


@dataclass(frozen=True)
class KeyMove(Command, op="key.move", after=After.PLAY):
    """Move keys. by: frames. copy: keep the originals. ripple: move later keys too."""

    keys: list[KeyName]
    by: int
    copy: bool = False
    ripple: bool = False


@dataclass(frozen=True)
class KeyCopy(Command, op="key.copy", is_step=False):
    """Copy keys to the clipboard."""

    keys: list[KeyName]


@dataclass(frozen=True)
class KeyPaste(Command, op="key.paste", after=After.PLAY):
    """Paste the copied keys, the first of them at a frame."""

    frame: int


@dataclass(frozen=True)
class KeyEase(Command, op="key.ease", after=After.PLAY):
    """Set the interpolation after keys."""

    keys: list[KeyName]
    interpolation: Interpolation


@dataclass(frozen=True)
class TimelineSet(Command, op="timeline.set", after=After.PLAY):
    """Change the frame rate or range, or whether keys go on from the end to the beginning."""

    fps: _Number = UNSET
    range: Range | Unset = UNSET
    cyclic: _Flag = UNSET


@dataclass(frozen=True)
class TimelineFrame(Command, op="timeline.frame", after=After.PLAY, is_step=False):
    """Go to a frame."""

    frame: int


@dataclass(frozen=True)
class AutoKey(Command, op="autokey", is_step=False):
    """Switch auto-key: whether moving a goal sets a key."""

    on: bool


@dataclass(frozen=True)
class GaitLoad(Command, op="gait.load", after=After.PLAY):
    """Load the gait of one of posable's characters."""

    name: str


@dataclass(frozen=True)
class GaitSet(Command, op="gait.set", after=After.PLAY):
    """Change parameters of the gait."""

    values: dict[str, float]


@dataclass(frozen=True)
class WalkMake(Command, op="walk.make", after=After.PLAY):
    """Make a walk of some steps. alone: without the keys there are."""

    steps: int = 6
    alone: bool = False


@dataclass(frozen=True)
class TerrainSet(Command, op="terrain.set", after=After.PLAY):
    """Change the ground."""

    terrain: Terrain


@dataclass(frozen=True)
class TerrainFile(Command, op="terrain.file", after=After.PLAY):
    """Use an uploaded mesh as ground. file: its stored name. name: its name on the person's machine."""

    file: str
    name: str = ""


@dataclass(frozen=True)
class ClipRetarget(Command, op="clip.retarget", after=After.PLAY):
    """Retarget an uploaded motion to the open figure. clip: which one of the file; null: its main one."""

    file: str
    name: str = ""
    clip: str | None = None


@dataclass(frozen=True)
class ClipChoose(Command, op="clip.choose", after=After.PLAY):
    """Play a clip under the keys; null: none."""

    name: str | None


@dataclass(frozen=True)
class ClipBake(Command, op="clip.bake", after=After.PLAY):
    """Bake everything that plays into a clip."""


@dataclass(frozen=True)
class ClipMirror(Command, op="clip.mirror", after=After.PLAY):
    """Mirror everything that plays, as a clip."""


@dataclass(frozen=True)
class GestureBegin(Command, op="gesture.begin"):
    """Begin a gesture: what follows is one step of undo."""

    label: str = ""


@dataclass(frozen=True)
class GestureEnd(Command, op="gesture.end"):
    """End the gesture."""


@dataclass(frozen=True)
class GestureCancel(Command, op="gesture.cancel"):
    """End the gesture as if it had never begun."""


@dataclass(frozen=True)
class Undo(Command, op="undo"):
    """Undo one step."""


@dataclass(frozen=True)
class Redo(Command, op="redo"):
    """Redo one step."""


@dataclass(frozen=True)
class DemoLoad(Command, op="demo.load"):
    """Open a demonstration."""

    name: str


@dataclass(frozen=True)
class DemoKey(Command, op="demo.key"):
    """Press or release a key. right, up: of the screen, in the figure's axes; the world's where they are not given."""

    key: str
    down: bool
    right: Vector | Unset = UNSET
    up: Vector | Unset = UNSET


@dataclass(frozen=True)
class TextReload(Command, op="text.reload"):
    """Open the figure of a text description."""

    text: str = field(repr=False)


_FORM = Form("command")


def _all(kind: type[Command]) -> list[type[Command]]:
    return [found for one in kind.__subclasses__() for found in (one, *_all(one))]


COMMANDS: dict[str, type[Command]] = {
    one.op: one
    for one in _all(Command)
    if one.__module__ in (__name__, body_commands.__name__, layer_commands.__name__)
}
"""By their names in messages."""


def command_from(message: Any) -> Command:
    """The command in a JSON object. Raises MessageError for an invalid one."""
    if not isinstance(message, dict) or not isinstance(message.get("op"), str):
        raise MessageError("a command is a JSON object with an op")
    kind = COMMANDS.get(message["op"])
    if kind is None:
        near = near_names(message["op"], COMMANDS, 1)
        guess = f"; did you mean {near[0]}?" if near else ""
        raise MessageError(f"unknown command {message['op'][:40]!r}{guess}")
    return _FORM.from_json(message, kind, kind.op)

"""The messages between session and page, stated once: shapes of JSON here, commands beside, bytes in `codec`.

`python -m posable.studio.typescript` writes the page's half, web/src/schema.ts and web/src/vectors.json, from them.
Angles are radians, times seconds, quaternions wxyz, places in the figure's own axes and length unit.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict, get_args

import posable

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
Interpolation = Literal["cubic", "monotone", "linear", "step"]
Blend = Literal["linear", "dual_quaternion"]
Space = Literal["world", "local"]
Kind = Literal["place", "reach", "look", "pole"]
Status = Literal["REACHED", "AT_LIMIT", "OUT_OF_REACH", "COMPROMISE", "LOCAL_MINIMUM", "OUT_OF_ITERATIONS", "POSED"]
PaintMode = Literal["add", "subtract", "smooth"]
UploadUse = Literal["figure", "clip", "terrain"]
"""What an upload is for, the `use` of `POST /api/file?name=…&use=…`: another figure (unless given), a motion for the
open one, or ground under it.
"""
Range = tuple[int, int]
KeyName = tuple[str, int]
"""(goal, frame)."""

INTERPOLATIONS: tuple[str, ...] = get_args(Interpolation)
POSED = "POSED"
"""The status where goals are not met and nothing was solved for them: the pose was set by hand, or it is played."""
STATUSES: tuple[str, ...] = (*(status.name for status in posable.Status), POSED)


class Key(TypedDict):
    """A key of one goal."""

    frame: int
    position: Vector
    rotation: Quaternion
    weight: float
    interpolation: Interpolation
    velocity: Vector | None  # of the position, units per second: the handles; null where the neighbours decide
    pole: Vector | None  # null where the goal has none, or the keys about it decide


class Goal(TypedDict):
    """What one joint should do."""

    name: str
    joint: str
    kind: Kind
    position: Vector
    rotation: Quaternion
    weight: float
    rotation_weight: float
    enabled: bool  # false: the limb is moved by hand (FK)
    pinned: bool
    pole: Vector | None
    method: str
    keys: list[Key]


class AxisLimit(TypedDict):
    """How far a joint turns about, or slides along, one axis; null where nothing stops it."""

    name: str
    direction: Vector
    slide: bool
    lower: float | None
    upper: float | None
    reference: float  # the coordinate at which nothing has turned or slid yet


class ConeLimit(TypedDict):
    """How far a ball joint leans and twists."""

    axis: Vector
    center: Quaternion
    swing: float | None
    lower: float | None
    upper: float | None


class Limits(TypedDict):
    """How far a joint moves. base: its rotation in its parent's frame before anything moved."""

    kind: str
    base: Quaternion
    axes: list[AxisLimit]
    cone: ConeLimit | None


class Joint(TypedDict):
    """One joint of the figure."""

    name: str
    frozen: bool
    limits: Limits


class Options(TypedDict):
    """What the whole figure would rather do."""

    comfort: bool
    gravity: float
    elasticity: float
    keep_apart: bool


class NoTerrain(TypedDict):
    """No ground."""

    kind: Literal["none"]


class PlaneTerrain(TypedDict):
    """Level ground."""

    kind: Literal["plane"]
    height: float


class SlopeTerrain(TypedDict):
    """A slope, uphill where the figure looks."""

    kind: Literal["slope"]
    degrees: float


class StairsTerrain(TypedDict):
    """Stairs, up where the figure looks."""

    kind: Literal["stairs"]
    rise: float
    run: float
    count: int


class BumpsTerrain(TypedDict):
    """Random bumps."""

    kind: Literal["bumps"]
    height: float
    size: float
    seed: int


class MeshTerrain(TypedDict):
    """A mesh that was dropped."""

    kind: Literal["mesh"]
    name: str


Terrain = NoTerrain | PlaneTerrain | SlopeTerrain | StairsTerrain | BumpsTerrain | MeshTerrain


class Document(TypedDict):
    """All that a page shows, but for the pose, which comes as bytes."""

    name: str
    fps: float
    frame: int
    range: Range
    auto_key: bool
    blend: Blend
    space: Space
    goals: list[Goal]
    joints: list[Joint]
    gait: dict[str, float] | None
    gait_name: str | None
    gaits: list[str]
    terrain: Terrain
    clip: str | None
    clips: list[str]
    options: Options
    can_undo: bool
    can_redo: bool
    demo: str | None
    text: str | None


class GaitNumber(TypedDict):
    """A slider of the gait panel."""

    name: str
    low: float
    high: float
    default: float
    help: str


class WelcomeEvent(TypedDict):
    """What there is to choose from."""

    event: Literal["welcome"]
    figures: list[str]
    demos: list[str]
    methods: list[str]
    exports: list[str]
    gait: list[GaitNumber]


class DocumentEvent(TypedDict):
    """The whole document, or those of its entries that are others than before."""

    event: Literal["document"]
    rev: int
    document: NotRequired[Document]
    set: NotRequired[dict[str, object]]


class FigureEvent(TypedDict):
    """Another figure, or another skin of it, is to be fetched."""

    event: Literal["figure"]
    rev: int
    url: str
    joints: list[str]
    nodes: list[int]  # of the GLB, per joint
    parents: list[int]
    height: float
    up: Literal["y", "z"]
    bare: bool  # so much of it has no skin that its bones should be seen


class GoalLeft(TypedDict):
    """How far one goal is from being met."""

    name: str
    distance: float
    angle: float


class StatusEvent(TypedDict):
    """What became of the goals, in a sentence and in numbers. limits: joints that stand at one which holds them."""

    event: Literal["status"]
    text: str
    detail: str
    status: Status
    ms: float
    goals: list[GoalLeft]
    limits: list[str]


class TerrainEvent(TypedDict):
    """The ground as triangles: coordinates in a row, and three indices a face."""

    event: Literal["terrain"]
    vertices: list[float]
    faces: list[int]


class ClipsEvent(TypedDict):
    """A file that was uploaded as a clip holds several; `clip.retarget` with its name takes another of them."""

    event: Literal["clips"]
    file: str
    name: str
    clips: list[str]
    taken: str


class NoticeEvent(TypedDict):
    """Something that a person should know."""

    event: Literal["notice"]
    text: str


class UploadAnswer(TypedDict):
    """What an upload is answered with where it was taken; where not, `message` says why."""

    name: str  # of the figure that is open now


class ErrorEvent(TypedDict):
    """Why a command was refused. id: that of the command, null where it had none."""

    event: Literal["error"]
    id: int | None
    message: str


ServerEvent = (
    WelcomeEvent | DocumentEvent | FigureEvent | StatusEvent | TerrainEvent | ClipsEvent | NoticeEvent | ErrorEvent
)  # fmt: skip

"""Events: what the session sends to pages as JSON."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from posable.studio.document import Document
from posable.studio.schema import Status


class GaitNumber(TypedDict):
    """A slider of the gait panel."""

    name: str
    low: float
    high: float
    default: float
    help: str


class HelloEvent(TypedDict):
    """What there is to choose from."""

    event: Literal["hello"]
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
    HelloEvent | DocumentEvent | FigureEvent | StatusEvent | TerrainEvent | ClipsEvent | NoticeEvent | ErrorEvent
)  # fmt: skip

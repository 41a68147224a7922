"""Events: what the session sends to pages as JSON; the first tells a new page what there is."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any, Literal, NotRequired, TypedDict

import posable
from posable.solvers import METHODS
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
    """The first event: the available figures, demos, methods, exports and gait parameters."""

    event: Literal["hello"]
    figures: list[str]
    demos: list[str]
    methods: list[str]
    exports: list[str]
    gait: list[GaitNumber]


class DocumentEvent(TypedDict):
    """The whole document, or the entries that changed."""

    event: Literal["document"]
    rev: int
    document: NotRequired[Document]
    set: NotRequired[dict[str, object]]


class FigureEvent(TypedDict):
    """A new figure, or a new skin of it: the page fetches its GLB."""

    event: Literal["figure"]
    rev: int
    url: str
    joints: list[str]
    nodes: list[int]  # of the GLB, per joint
    parents: list[int]
    height: float
    up: Literal["y", "z"]
    bare: bool  # so few of its bones have a skin that they should be drawn


class GoalResidual(TypedDict):
    """How far one goal is from being met."""

    name: str
    distance: float
    angle: float


class StatusEvent(TypedDict):
    """The result for the goals, in words and numbers. limits: joints at an active limit."""

    event: Literal["status"]
    text: str
    detail: str
    status: Status
    ms: float
    goals: list[GoalResidual]
    limits: list[str]


class TerrainEvent(TypedDict):
    """The ground as triangles: flat lists of coordinates and of three indices per face."""

    event: Literal["terrain"]
    vertices: list[float]
    faces: list[int]


class ClipsEvent(TypedDict):
    """The uploaded motion file has several clips; `clip.retarget` with a name takes another of them."""

    event: Literal["clips"]
    file: str
    name: str
    clips: list[str]
    taken: str


class ReadyEvent(TypedDict):
    """Whether the solver's kernels are compiled; until then gestures and commands wait, and are done in their order."""

    event: Literal["ready"]
    ready: bool


class ProgressEvent(TypedDict):
    """How far an export is. job: as the page named it. share: 0 … 1. left: seconds."""

    event: Literal["progress"]
    job: str
    share: float
    left: float


class NoticeEvent(TypedDict):
    """A notice for the person."""

    event: Literal["notice"]
    text: str


class UploadAnswer(TypedDict):
    """The answer to an accepted upload; a refusal has a `message` instead."""

    name: str  # of the open figure


class ErrorEvent(TypedDict):
    """The reason why a command was refused. id: the command's, null where it had none."""

    event: Literal["error"]
    id: int | None
    message: str


ServerEvent = (
    HelloEvent
    | DocumentEvent
    | FigureEvent
    | StatusEvent
    | TerrainEvent
    | ClipsEvent
    | ReadyEvent
    | ProgressEvent
    | NoticeEvent
    | ErrorEvent
)


FIGURES = ("mannequin", "doorbell_arm", "snake", "tentacle", "telescope", "arm6", "arm7")
EXPORTS = ("glb", "bvh", "mp4", "gif", "png", "html", "session", "ground")
_UNFIT = {"SplineIK"}  # needs a curve instead of goals


@cache
def hello_event() -> dict[str, Any]:
    """The event; gait parameters come with their ranges."""
    from posable.studio.opening import DEMOS

    return {
        "event": "hello",
        "figures": list(FIGURES),
        "demos": list(DEMOS),
        "methods": ["LeastSquares", *(name for name in METHODS if name not in _UNFIT)],
        "exports": list(EXPORTS),
        "gait": _gait_numbers(),
    }


def _gait_numbers() -> list[dict[str, Any]]:
    human = posable.Gait.load("human")
    found = []
    for one in fields(posable.Gait):
        value = getattr(human, one.name)
        if "low" in one.metadata and not one.metadata["help"].startswith("quadratic"):
            low, high = float(one.metadata["low"]), float(one.metadata["high"])
            default = float(value) if isinstance(value, int | float) else (low + high) / 2
            found.append({"name": one.name, "low": low, "high": high, "default": default, "help": one.metadata["help"]})
    return found

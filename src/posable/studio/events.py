"""Events: what the session sends to pages as JSON; the first tells a new page what there is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from functools import cache
from typing import Any, Literal, NotRequired, TypedDict

import numpy as np

import posable
from posable.figures.fingers import GRIPS
from posable.skeleton import symmetry_of
from posable.skin.weights import limit_weights
from posable.solvers import METHODS
from posable.studio.company import figures_of, parts_of
from posable.studio.document import Document
from posable.studio.schema import Member, Status, Vector
from posable.studio.touching import BodyCapsules, body_capsules
from posable.studio.uploads import OPENED
from posable.view.scene import Bones, uncovered


class GaitNumber(TypedDict):
    """A slider of the gait panel."""

    name: str
    low: float
    high: float
    default: float
    help: str


class HelloEvent(TypedDict):
    """The first event: the available figures, demos, methods, exports, grips, gait parameters and endings of files."""

    event: Literal["hello"]
    figures: list[str]
    demos: list[str]
    methods: list[str]
    exports: list[str]
    grips: list[str]
    opens: list[str]
    gait: list[GaitNumber]


class DocumentEvent(TypedDict):
    """The whole document, or the entries that changed."""

    event: Literal["document"]
    rev: int
    document: NotRequired[Document]
    set: NotRequired[dict[str, object]]


class Mirror(TypedDict):
    """The plane between left and right at rest, and each joint's mirror image."""

    partners: list[int]
    middle: Vector
    left: Vector


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
    mirror: Mirror | None
    bare: bool  # so few of its bones have a skin that they should be drawn
    members: list[Member]  # each of several figures; none for a single one
    carrier: int  # the joint with which a camera goes along
    forward: Vector | None  # where the figure faces at rest, as far as its parts are known
    body: BodyCapsules | None  # what a dragged hand goes in front of


class SkinWeights(TypedDict):
    """The vertices of one skin that follow other joints now: four joints and weights each, the strongest first."""

    count: int  # of all its vertices
    vertices: list[int]
    joints: list[int]
    weights: list[float]


class WeightsEvent(TypedDict):
    """A stroke of the brush was taken, or taken back: what changed of the figure's skins, in their order."""

    event: Literal["weights"]
    rev: int
    skins: list[SkinWeights]


class GoalResidual(TypedDict):
    """How far one goal is from being met. ms, iterations: of a race, what its method needs from the rest pose."""

    name: str
    distance: float
    angle: float
    ms: float | None
    iterations: int | None


class StatusEvent(TypedDict):
    """The result for the goals, in words and numbers. limits: joints at an active limit."""

    event: Literal["status"]
    text: str
    inside: bool  # whether it says that a limb is inside of the body
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


class OriginEvent(TypedDict):
    """Where the targets began to move that have led to the pose: its coordinates, and position and rotation of each
    goal there. Empty lists: the next gesture begins anew.
    """

    event: Literal["origin"]
    coordinates: list[float]
    goals: list[float]


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
    """How far an export is, by the name that the page gave it, or a "command". share: 0 … 1. left: seconds.

    doing: what is prepared before share and seconds are known; else empty.
    """

    event: Literal["progress"]
    job: str
    share: float
    left: float
    doing: NotRequired[str]


class NoticeEvent(TypedDict):
    """A notice for the person."""

    event: Literal["notice"]
    text: str


class UploadAnswer(TypedDict):
    """The answer to an accepted upload; a refusal has a `message` instead.

    plays: the name of the figure's main clip; "" without clips.
    bare: the file has a mesh and no joints, and was not opened: to be sent again with `fit=1` if it shall have a
    skeleton.
    """

    name: str  # of the open figure
    plays: str
    bare: bool


class ErrorEvent(TypedDict):
    """The reason why a command was refused. id: the command's, null where it had none."""

    event: Literal["error"]
    id: int | None
    message: str


ServerEvent = (
    HelloEvent
    | DocumentEvent
    | FigureEvent
    | WeightsEvent
    | StatusEvent
    | TerrainEvent
    | OriginEvent
    | ClipsEvent
    | ReadyEvent
    | ProgressEvent
    | NoticeEvent
    | ErrorEvent
)


FIGURES = ("mannequin", "doorbell_arm", "snake", "tentacle", "telescope", "arm6", "arm7")
EXPORTS = ("glb", "fbx", "usdz", "bvh", "mp4", "gif", "png", "html", "session", "ground")
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
        "grips": list(GRIPS),
        "opens": list(OPENED),
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


def figure_event(figure: posable.Figure, rev: int, nodes: Iterable[int]) -> FigureEvent:
    """The event of a figure. nodes: of its GLB, per joint."""
    skeleton = figure.skeleton
    return {
        "event": "figure",
        "rev": rev,
        "url": f"/api/figure.glb?rev={rev}",
        "joints": list(skeleton.joints),
        "nodes": list(nodes),
        "parents": skeleton.parents.tolist(),
        "height": figure.height,
        "up": skeleton.up,
        "mirror": mirror_of(figure),
        "bare": any(map(_is_bare, figures_of(figure))),
        "members": [
            {"name": part.name, "joint": part.joints.start, "height": part.figure.height} for part in parts_of(figure)
        ],
        "carrier": carrier_of(skeleton),
        "forward": facing_of(figure),
        "body": body_capsules(figure),
    }


def _is_bare(figure: posable.Figure) -> bool:
    return bool(figure.skins or figure.shapes) and uncovered(figure, Bones.of(figure)) is not None


def carrier_of(skeleton: posable.Skeleton) -> int:
    """The joint with which a camera goes along: the hips, as the first joint of many files stays where it is."""
    hips = posable.roles(skeleton).get("hips")
    return 0 if hips is None else skeleton.index(hips)


def facing_of(figure: posable.Figure) -> Vector | None:
    """Where a figure faces at rest, of several the first; None where no part of its body is known."""
    roles = posable.roles(figures_of(figure)[0])
    if not roles:
        return None
    x, y, z = roles.forward.tolist()
    return x, y, z


def mirror_of(figure: posable.Figure) -> Mirror | None:
    """None for a figure without left and right."""
    try:
        found = symmetry_of(figure.skeleton)
    except posable.SkeletonError:
        return None
    (a, b, c), (x, y, z) = found.middle.tolist(), found.left.tolist()
    return {"partners": found.partner.tolist(), "middle": (a, b, c), "left": (x, y, z)}


def weights_event(before: posable.Figure | None, figure: posable.Figure, rev: int) -> dict[str, Any] | None:
    """What a stroke has changed; None where anything but weights is new, and the figure has to be fetched."""
    if before is None or before.skeleton is not figure.skeleton or len(before.skins) != len(figure.skins):
        return None
    skins: list[SkinWeights] = []
    for old, new in zip(before.skins, figure.skins, strict=True):
        same = np.array_equal(old.vertices, new.vertices) and np.array_equal(old.faces, new.faces)
        if not same or new.uvs is not None:
            return None
        (was, much), (joints, weights) = (_strongest(skin) for skin in (old, new))
        changed = np.flatnonzero((was != joints).any(axis=1) | (np.abs(much - weights) > _SAME).any(axis=1))
        skins.append(
            {
                "count": len(new.vertices),
                "vertices": changed.tolist(),
                "joints": joints[changed].ravel().tolist(),
                "weights": np.round(weights[changed], 5).ravel().tolist(),
            }
        )
    return {"event": "weights", "rev": rev, "skins": skins}


_SAME = 1e-6


def _strongest(skin: posable.Skin) -> tuple[np.ndarray, np.ndarray]:
    """`[vertex, 4]` joints and weights that sum to 1, the strongest first."""
    four = limit_weights(skin, 4)
    most = np.argsort(-four.weights, axis=1, kind="stable")
    joints, weights = (np.take_along_axis(part, most, axis=1) for part in (four.joints, four.weights))
    wide = ((0, 0), (0, max(4 - joints.shape[1], 0)))
    return np.pad(np.where(weights > 0, joints, 0), wide), np.pad(weights, wide)

"""The values in messages between session and page. The document that they describe is in `document`, requests of the
page in `commands`, answers of the session in `events`, and bytes in `codec`.

`python -m posable.studio.typescript` writes the page's half, web/src/schema.ts and web/src/vectors.json, from them.
Angles are radians, times seconds, quaternions wxyz, positions in the figure's own axes and length unit.
"""

from __future__ import annotations

from typing import Literal, TypedDict, get_args

import posable

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
Interpolation = Literal["cubic", "monotone", "linear", "step"]
Blend = Literal["linear", "dual_quaternion"]
Space = Literal["world", "local"]
Kind = Literal["place", "reach", "look", "pole"]
Status = Literal["REACHED", "AT_LIMIT", "OUT_OF_REACH", "COMPROMISE", "LOCAL_MINIMUM", "OUT_OF_ITERATIONS", "POSED"]
PaintMode = Literal["add", "subtract", "smooth"]
UploadUse = Literal["figure", "clip", "terrain", "prop", "companion"]
"""The `use` of `POST /api/file?name=…&use=…`: a new figure (the default), a motion for the open one, ground, a thing in
the scene, or a second figure beside the open one.
"""
PropKind = Literal["box", "sphere", "mesh"]
Range = tuple[int, int]
KeyName = tuple[str, int]
"""(goal, frame)."""

INTERPOLATIONS: tuple[str, ...] = get_args(Interpolation)
POSED = "POSED"
"""The status of unmet goals that were not solved for: the pose was set by hand, or it plays."""
STATUSES: tuple[str, ...] = (*(status.name for status in posable.Status), POSED)


class AxisLimit(TypedDict):
    """Limits of the rotation about, or the translation along, one axis; null is unlimited."""

    name: str
    direction: Vector
    slide: bool
    lower: float | None
    upper: float | None
    reference: float  # the coordinate of the neutral position


class ConeLimit(TypedDict):
    """Limits of the swing and the twist of a ball joint."""

    axis: Vector
    center: Quaternion
    swing: float | None
    lower: float | None
    upper: float | None


class Limits(TypedDict):
    """Limits of a joint. base: its neutral rotation in its parent's frame."""

    kind: str
    base: Quaternion
    axes: list[AxisLimit]
    cone: ConeLimit | None


class Joint(TypedDict):
    """One joint of the figure. coordinates: of the pose, which axis stands at which; null where it follows another."""

    name: str
    frozen: bool
    kept: bool
    limits: Limits
    coordinates: list[int | None]


class Member(TypedDict):
    """One of several figures. joint: the index of its first joint. height: at rest."""

    name: str
    joint: int
    height: float


class Hand(TypedDict):
    """A hand with fingers, as it is posed. curls: of its fingers from the thumb on, 0 stretched … 1 closed."""

    side: Literal["l", "r"]
    joint: str
    fingers: list[str]
    curls: list[float]
    spread: float


class SolidPoint(TypedDict):
    """A point above ground. tip: in its joint's frame. It is below `rather` for goals alone, never below `least`."""

    joint: str
    tip: Vector
    least: float
    rather: float


class Support(TypedDict):
    """What carries the figure. goals: whose targets decide that. below: the height under which those of others do."""

    corners: list[Vector]
    goals: list[str]
    below: float


class NoTerrain(TypedDict):
    """No ground."""

    kind: Literal["none"]


class PlaneTerrain(TypedDict):
    """Level ground."""

    kind: Literal["plane"]
    height: float


class SlopeTerrain(TypedDict):
    """A slope that rises in the figure's forward direction."""

    kind: Literal["slope"]
    degrees: float


class StairsTerrain(TypedDict):
    """Stairs that rise in the figure's forward direction."""

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
    """An uploaded mesh."""

    kind: Literal["mesh"]
    name: str


Terrain = NoTerrain | PlaneTerrain | SlopeTerrain | StairsTerrain | BumpsTerrain | MeshTerrain

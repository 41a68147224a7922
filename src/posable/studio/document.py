"""The document: all the state of a session as one frozen value, so that undo is a list of documents.

Its fields are stated here alone: the journal, the JSON for pages, the checks and the TypeScript types follow from
their type hints (`records`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Annotated, Any, NamedTuple, TypedDict, TypeVar

import numpy as np

import posable
from posable.spatial import wxyz_from_matrix
from posable.studio import schema
from posable.studio.finger_curls import hands_of
from posable.studio.joint_axes import limits_of, own_coordinates
from posable.studio.records import Form
from posable.studio.schema import Quaternion, Vector

LARGEST_FRAME = 100_000

Value = TypeVar("Value")
JournalOnly = Annotated[Value, "journal"]
"""A field that is written to the journal and not sent to pages; fields of a plain type do both."""
Derived = Annotated[Value, "memory"]
"""A field that neither gets: it follows from the others."""


@dataclass(frozen=True, eq=False)
class GoalKey:
    """A key of a goal: its target at a frame, and the coordinates `q` when the key was set of the joints that it holds.

    holds: joints; None for all, as in keys of old sessions. velocity: of the position, units per second, None where the
    neighbours decide. pole: the position to which elbow or knee points, None where the neighbouring keys decide.
    enabled: whether its limb follows the goal (IK) or its joints (FK), over a clip as an addition to that; None: as the
    goal says.
    """

    frame: int
    position: Vector
    rotation: Quaternion
    weight: float
    q: JournalOnly[np.ndarray] = field(repr=False)
    interpolation: schema.Interpolation = "cubic"
    velocity: Vector | None = None
    pole: Vector | None = None
    enabled: bool | None = None
    holds: JournalOnly[tuple[str, ...] | None] = field(default=None, repr=False)


@dataclass(frozen=True, eq=False)
class StudioGoal:
    """A goal of one joint. enabled: False where its limb is moved by hand (FK). forward: of a look, in joint axes.

    loose: its limb goes along with the body until somebody moves the goal or pins it; its keys hold the limb's joints,
    and over a clip, or in a layer over others, lead it to the goal.
    relative_to: a joint, or a prop of the scene, with which the goal goes; its position stays that in the world.
    lifts_above: the height above which a drag lets go of its rotation, as of a foot that is lifted; None: it is kept.
    """

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
    forward: JournalOnly[Vector] = (0.0, 0.0, 1.0)
    relative_to: str | None = None
    loose: bool = False
    lifts_above: float | None = None
    keys: tuple[GoalKey, ...] = ()

    @property
    def acts(self) -> bool:
        """Whether the figure is solved for it."""
        return self.enabled and not self.loose

    def dragged(self, position: Vector, rotation: Quaternion | None, is_free: bool) -> StudioGoal:
        """The goal where a drag has it. rotation: None where that is as it was. is_free: whether it is let go."""
        changes: dict[str, Any] = {"position": position, "enabled": True, "loose": False}
        if rotation is not None:
            changes |= {"rotation": rotation, "rotation_weight": self.rotation_weight or 1.0}
            if not np.allclose(rotation, self.rotation, atol=1e-4):  # turned by hand
                changes["lifts_above"] = None
        elif is_free:
            changes["rotation_weight"] = 0.0
        return replace(self, **changes)

    def key_at(self, frame: int) -> GoalKey | None:
        """The key at this frame, or None."""
        return next((key for key in self.keys if key.frame == frame), None)

    def with_keys(self, keys: dict[int, GoalKey]) -> StudioGoal:
        """The same goal with these keys, sorted by frame."""
        ordered = [replace(key, frame=frame) if key.frame != frame else key for frame, key in sorted(keys.items())]
        return replace(self, keys=tuple(ordered))

    @property
    def keys_by_frame(self) -> dict[int, GoalKey]:
        """Its keys by their frames."""
        return {key.frame: key for key in self.keys}


@dataclass(frozen=True, eq=False)
class KeyLayer:
    """Keys that count together, over the clip and the layers before. keys: by goal; those of the layer that is edited
    are the goals' own.

    weight: 0 … 1; the first layer without a clip under it counts in full. on: whether it counts at all.
    """

    name: str
    weight: float = 1.0
    on: bool = True
    keys: JournalOnly[dict[str, tuple[GoalKey, ...]]] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, eq=False)
class SavedPose:
    """A pose of the library: coordinates `q`, of which those of some joints are used, None for all.

    picture: a small PNG as base64 text, "" for none.
    """

    name: str
    q: JournalOnly[np.ndarray] = field(repr=False)
    joints: JournalOnly[tuple[str, ...] | None] = None
    picture: str = field(default="", repr=False)


@dataclass(frozen=True)
class StudioProp:
    """A thing in the scene: a box, a sphere or a mesh from a file.

    size: along its own axes; of a mesh, factors. joint: that carries it, and in whose frame it is then; None for the
    world. obstacle: limbs stay out of it. ground: feet stand on it.
    """

    name: str
    kind: schema.PropKind
    position: Vector
    rotation: Quaternion = (1.0, 0.0, 0.0, 0.0)
    size: Vector = (1.0, 1.0, 1.0)
    joint: str | None = None
    obstacle: bool = False
    ground: bool = False


class DroppedMesh(NamedTuple):
    """Ground or a prop from an uploaded file, with the name of that file."""

    file: str
    mesh: posable.Mesh


@dataclass(frozen=True)
class Options:
    """Preferences of the whole figure. gravity, elasticity: weights, 0 is off. natural: how much the rest of a person's
    body does what people do, 0 … 1. human_limits: whether trunk, neck and head of a person whose file states no limits
    rotate no further than a person's. balance: whether the centre of mass stays over what carries the figure. mirror:
    whether the other side does what one side is made to do.
    """

    comfort: bool = False
    gravity: float = 0.0
    elasticity: float = 0.0
    keep_apart: bool = False
    natural: float = 1.0
    human_limits: bool = True
    balance: bool = True
    mirror: bool = False


@dataclass(frozen=True, eq=False)
class Document:
    """All the state of a session.

    figure: with the current limits; opened: as it was opened. source: its file, or the name of a built-in figure.
    clips: those of the figure, and those made here. clip: the one that plays under the keys.
    kept: {joint: rotation in its parent's frame} of joints rotated by hand, which solvers move only if goals cannot be
    met otherwise.
    is_reskinned: whether the skin weights differ from the source. meshes: of uploaded ground and props, by name.
    props: things in the scene. hidden: meshes of the figure that are not shown, by name.
    cyclic: whether the keys of the range are a loop, whose end joins its beginning.
    layers: of keys, each over those before. edited_layer: the name of the layer whose keys the goals have.
    still: the pose when the first key was set. It plays under the other layers where the first one has no keys.
    poses: the session's library of poses.
    walk: steps of the current walk, which is made again when the gait changes; 0 for any other clip.
    origin: the document from which the pose was reached by moving targets alone; None if anything else changed it.
    """

    figure: Derived[posable.Figure]
    opened: Derived[posable.Figure]
    source: JournalOnly[str]
    pose: JournalOnly[posable.Pose]
    goals: tuple[StudioGoal, ...] = ()
    frozen: JournalOnly[frozenset[str]] = frozenset()
    kept: JournalOnly[dict[str, Quaternion]] = field(default_factory=dict)
    still: JournalOnly[posable.Pose | None] = None
    poses: tuple[SavedPose, ...] = ()
    props: tuple[StudioProp, ...] = ()
    hidden: tuple[str, ...] = ()
    options: Options = Options()
    fps: float = 30.0
    frame: int = 0
    range: tuple[int, int] = (0, 120)
    cyclic: bool = False
    auto_key: bool = False
    blend: schema.Blend = "linear"
    space: schema.Space = "world"
    clips: tuple[posable.Clip, ...] = ()
    clip: str | None = None
    layers: tuple[KeyLayer, ...] = (KeyLayer("Keys"),)
    edited_layer: str = "Keys"
    walk: JournalOnly[int] = 0
    gait: posable.Gait | None = None
    gait_name: str | None = None
    terrain: schema.Terrain = field(default_factory=lambda: schema.NoTerrain(kind="none"))
    meshes: JournalOnly[dict[str, DroppedMesh]] = field(default_factory=dict)
    demo: str | None = None
    text: str | None = None
    is_reskinned: Derived[bool] = False
    origin: Derived[Document | None] = field(default=None, repr=False)

    def goal(self, name: str) -> StudioGoal:
        """The goal of that name. Raises GoalError."""
        for one in self.goals:
            if one.name == name:
                return one
        raise posable.GoalError(f"unknown goal {name!r} (choose from {', '.join(g.name for g in self.goals)})")

    def with_goal(self, goal: StudioGoal) -> Document:
        """The same document with this goal instead of the one with its name."""
        return replace(self, goals=tuple(goal if one.name == goal.name else one for one in self.goals))

    @property
    def has_keys(self) -> bool:
        """Whether any goal has keys, in any layer."""
        return any(goal.keys for goal in self.goals) or any(layer.keys for layer in self.layers)

    def without_keys(self) -> Document:
        """The same document with no key in any layer."""
        goals = tuple(replace(goal, keys=()) for goal in self.goals)
        return replace(self, goals=goals, layers=tuple(replace(layer, keys={}) for layer in self.layers))

    def with_layer(self, name: str) -> Document:
        """The same document with the goals' keys those of that layer: it is edited now. Raises PosableError."""
        layer = self.layer(name)
        if name == self.edited_layer:
            return self
        own = {goal.name: goal.keys for goal in self.goals if goal.keys}
        kept = {layer.name: replace(layer, keys={}), self.edited_layer: replace(self.layer(), keys=own)}
        return replace(
            self,
            goals=tuple(replace(goal, keys=layer.keys.get(goal.name, ())) for goal in self.goals),
            layers=tuple(kept.get(one.name, one) for one in self.layers),
            edited_layer=name,
        )

    def layer(self, name: str | None = None) -> KeyLayer:
        """The layer of that name, or the one that is edited. Raises PosableError."""
        name = self.edited_layer if name is None else name
        for one in self.layers:
            if one.name == name:
                return one
        raise posable.PosableError(
            f"unknown layer {name[:60]!r} (choose from {', '.join(one.name for one in self.layers)})"
        )

    @property
    def playing(self) -> posable.Clip | None:
        """The chosen clip."""
        return next((clip for clip in self.clips if clip.name == self.clip), None)

    @property
    def is_animated(self) -> bool:
        """Whether there is motion: a clip plays or a goal has keys."""
        return self.clip is not None or self.has_keys


def joint_frame(pose: posable.Pose, joint: str) -> tuple[Vector, Quaternion]:
    """Position and rotation of a joint's frame in the world."""
    index = pose.skeleton.index(joint)
    matrix = pose.world_from_joint[index]
    x, y, z = matrix[:3, 3].tolist()
    return (x, y, z), wxyz_of(matrix[:3, :3])


def with_rotation(pose: posable.Pose, joint: int, rotation: np.ndarray) -> posable.Pose:
    """The pose with a joint's rotation in its parent's frame, within its limits. rotation: `[4]` wxyz."""
    skeleton = pose.skeleton
    _, positions = posable.rotations_of(pose, "quaternion")
    alone = _alone(skeleton, joint)
    first, q = skeleton.tables.first_coordinate, np.array(pose.q)
    q[first[joint] : first[joint + 1]] = posable.pose_from_rotations(
        alone, np.array([rotation]), positions[joint : joint + 1], "quaternion"
    ).q
    return posable.Pose(skeleton, q).clamped()


@lru_cache(maxsize=64)
def _alone(skeleton: posable.Skeleton, joint: int) -> posable.Skeleton:
    return posable.Skeleton([replace(skeleton.definitions[joint], parent=None)], skeleton.up)


def wxyz_of(matrix: np.ndarray) -> Quaternion:
    """The quaternion of a rotation matrix."""
    w, x, y, z = wxyz_from_matrix(matrix).tolist()
    return w, x, y, z


class PageEntries(TypedDict):
    """What pages get beside the document's own fields. floors: the least heights to which a drag takes goals.
    above_ground: what stays above the ground whatever the goals. support: what the balance is kept over.
    has_human_limits: whether drags are solved with limits that the figure does not state.
    """

    name: str
    joints: list[schema.Joint]
    hands: list[schema.Hand]
    gaits: list[str]
    floors: dict[str, float]
    above_ground: list[schema.SolidPoint]
    support: schema.Support | None
    has_human_limits: bool
    can_undo: bool
    can_redo: bool


def page_json(
    document: Document,
    floors: dict[str, float],
    above_ground: list[schema.SolidPoint],
    support: schema.Support | None,
    has_human_limits: bool,
    *,
    can_undo: bool,
    can_redo: bool,
) -> dict[str, Any]:
    """The document in the form that pages get."""
    joints = document.figure.skeleton.definitions
    own: PageEntries = {
        "name": document.figure.name,
        "joints": [
            {
                "name": j.name,
                "frozen": j.name in document.frozen,
                "kept": j.name in document.kept,
                "limits": limits_of(j),
                "coordinates": own_coordinates(document.figure.skeleton, k),
            }
            for k, j in enumerate(joints)
        ],
        "hands": hands_of(document.figure, document.pose),
        "gaits": _gaits_of(document.figure),
        "floors": floors,
        "above_ground": above_ground,
        "support": support,
        "has_human_limits": has_human_limits,
        "can_undo": can_undo,
        "can_redo": can_redo,
    }
    return {**page_form().to_json(document), **own}


@lru_cache(maxsize=8)
def _gaits_of(figure: posable.Figure) -> list[str]:
    """The characters whose gait has the figure's number of legs; none without legs."""
    from posable.motion import characters

    rows = len({leg.row for leg in posable.roles(figure).legs})
    return [name for name in characters() if rows and len(posable.Gait.load(name).phases) in (1, rows)]


@cache
def page_form() -> Form:
    """How documents are written for pages: of clips the names, of gaits the numbers."""
    return Form("page", {posable.Clip: _clip_name, posable.Gait: _gait_numbers})


def _clip_name(clip: posable.Clip) -> str:
    return clip.name


def _gait_numbers(gait: posable.Gait) -> dict[str, float]:
    return {name: float(value) for name, value in vars(gait).items() if isinstance(value, int | float)}

"""The facts of a skeleton that the search for roles uses: names, parents, rest positions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from posable.skeleton.body_roles.words import FINGERS, Word, only_twists, read_names
from posable.skeleton.joint import Joint
from posable.spatial import Array, apply_transform

_SIDED = ("shoulder", "upper_arm", "lower_arm", "hand", "upper_leg", "lower_leg", "foot", "toes")
BODY_ROLES = (
    "hips", "spine", "chest", "upper_chest", "neck", "head", *(f"{role}_{side}" for side in "lr" for role in _SIDED),
)  # fmt: skip
"""The roles of trunk and limbs."""
ROLE_NAMES = (
    *BODY_ROLES, "jaw", "eye_l", "eye_r",
    *(f"{finger}_{k}_{side}" for side in "lr" for finger in FINGERS for k in (1, 2, 3)),
)  # fmt: skip
"""All roles: those of the body, of the face, and of the fingers, thumb_1_l … little_3_r."""

_ENDS, _HINGES = ("hand", "palm", "foot"), ("elbow", "wrist", "ankle")
SAME_PLACE = 0.03
"""Joints nearer than this share of the figure's size count as coincident."""

Use = tuple[str, str]  # the use, and why


@dataclass(frozen=True, eq=False)
class Seen:
    """Evidence of skins and clips for each joint.

    weights: `[joint]` sums of skin weights; bound: `[joint, 4, 4]` where each was when its skin was bound, or NaN;
    moving: `[joint]` whether it moves in any clip; placed: computes `[frame, joint, 4, 4]` in the world over the first
    clip. Each is None without skins or clips. mirrored: whether the file mirrors the whole figure."""

    weights: Array | None = None
    moving: NDArray[np.bool_] | None = None
    placed: Callable[[], Array] | None = None
    bound: Array | None = None
    mirrored: bool = False


NOTHING_SEEN = Seen()


@dataclass(frozen=True, eq=False)
class Body:
    """A skeleton at rest. `frames [joint, 4, 4]`: its joints in the world; `words [joint]`: the meaning of the names;
    `aliases [joint]`: the meaning of the other names.
    """

    definitions: tuple[Joint, ...]
    parents: list[int]
    frames: Array
    up: Array
    words: tuple[Word, ...]
    aliases: tuple[tuple[Word, ...], ...]
    seen: Seen = NOTHING_SEEN

    def nameless(self) -> Body:
        """The same body without names."""
        return replace(self, words=(Word(),) * len(self.words), aliases=((),) * len(self.words))

    @cached_property
    def uses(self) -> tuple[Use, ...]:
        """`[joint]` (use, why): the purpose of each joint."""
        return uses_of(self)

    @cached_property
    def bodily(self) -> list[bool]:
        """`[joint]` whether it is part of the body rather than a handle, a prop, a twist bone or an end."""
        return [use == "deforming" for use, _ in self.uses]

    def said_of(self, joint: int) -> set[str]:
        """The parts that the name of `joint` or its other names mean."""
        own = self.words[joint].part
        return {own} if own else {word.part for word in self.aliases[joint] if word.part}

    @cached_property
    def called(self) -> dict[tuple[str, str], dict[int, Word]]:
        """(part, side) → the joints whose name, or else another name, means it, each with that word."""
        found: dict[tuple[str, str], dict[int, Word]] = {}
        for joint, own in enumerate(self.words):
            said = [own] if own.part else self.aliases[joint]
            if own.part in _ENDS and self.hinged[joint]:
                # A link may be named after its end; its hinge is more reliable.
                said = [word for word in self.aliases[joint] if word.part in _HINGES and word.side == own.side] or said
            for word in said:
                if not word.row:
                    found.setdefault((word.part, word.side), {}).setdefault(joint, word)
        return found

    @cached_property
    def moves_on(self) -> list[bool]:
        """`[joint]` whether the joint or one below it is part of the body and can move."""
        moves = [own and joint.kind != "fixed" for own, joint in zip(self.bodily, self.definitions, strict=True)]
        for joint in range(len(moves) - 1, 0, -1):
            if moves[joint] and self.parents[joint] >= 0:
                moves[self.parents[joint]] = True
        return moves

    @cached_property
    def positions(self) -> Array:
        """`[joint, 3]` where the joints are at rest, in the world."""
        return self.frames[:, :3, 3]

    @cached_property
    def placed(self) -> Array | None:
        """`[frame, joint, 4, 4]` where the joints are in the world over a clip; None without one."""
        return self.seen.placed() if self.seen.placed else None

    @cached_property
    def heights(self) -> Array:
        """`[joint]` heights of the joints."""
        return self.positions @ self.up

    @cached_property
    def tips(self) -> tuple[Array, ...]:
        """`[joint]` of `[tip, 3]`: where bodies end, in the world."""
        return tuple(
            np.array([apply_transform(frame, tip) for tip in joint.tips]).reshape(-1, 3)
            for frame, joint in zip(self.frames, self.definitions, strict=True)
        )

    @cached_property
    def lowest(self) -> Array:
        """`[joint]` the lowest height of joints and tips from each joint on down."""
        low = np.array([min([h, *(tips @ self.up)]) for h, tips in zip(self.heights, self.tips, strict=True)])
        for i in range(len(low) - 1, -1, -1):
            parent = self.parents[i]
            if parent >= 0:
                low[parent] = min(low[parent], low[i])
        return low

    @cached_property
    def size(self) -> float:
        """The largest extent of the joints along the world's axes."""
        return float(np.ptp(self.positions, axis=0).max()) or 1.0

    @cached_property
    def children(self) -> list[list[int]]:
        found: list[list[int]] = [[] for _ in self.parents]
        for i, parent in enumerate(self.parents):
            if parent >= 0:
                found[parent].append(i)
        return found

    @cached_property
    def counts(self) -> list[int]:
        """`[joint]` number of joints from each on down, itself included."""
        counts = [1] * len(self.parents)
        for i in range(len(counts) - 1, 0, -1):
            if self.parents[i] >= 0:
                counts[self.parents[i]] += counts[i]
        return counts

    @cached_property
    def hinged(self) -> list[bool]:
        """`[joint]` whether it rotates about single axes, so that several joints make one shoulder or hip."""
        return [joint.manifold.axes == (False,) for joint in self.definitions]

    def chain(self, joint: int) -> list[int]:
        """From the root down to `joint`."""
        found = [joint]
        while self.parents[found[-1]] >= 0:
            found.append(self.parents[found[-1]])
        return found[::-1]

    def is_above(self, upper: int, lower: int) -> bool:
        """Whether `lower` is a descendant of `upper`."""
        return upper != lower and upper in self.chain(lower)

    def between(self, upper: int, lower: int) -> list[int]:
        """From `upper` down to `lower`, both included."""
        chain = self.chain(lower)
        return chain[chain.index(upper) :]

    def meeting(self, joints: Sequence[int]) -> int | None:
        """The lowest joint that is above all of `joints`, or one of them; None for joints of different trees."""
        chains = [self.chain(joint) for joint in joints]
        shared = [level[0] for level in zip(*chains, strict=False) if len(set(level)) == 1]
        return shared[-1] if shared else None

    def below(self, joint: int) -> list[int]:
        """`joint` and all its descendants."""
        found = [joint]
        for one in found:
            found += self.children[one]
        return found

    def distance(self, a: int, b: int) -> float:
        return math.dist(self._points[a], self._points[b])

    @cached_property
    def _points(self) -> list[list[float]]:
        return self.positions.tolist()


def body_of(
    definitions: tuple[Joint, ...], parents: list[int], frames: Array, up: str, seen: Seen = NOTHING_SEEN
) -> Body:
    """The facts about a skeleton whose joints are at `frames` at rest."""
    words = read_names([joint.name for joint in definitions])
    spelled = [(i, alias) for i, joint in enumerate(definitions) for alias in joint.aliases]
    aliases: list[list[Word]] = [[] for _ in words]
    for (i, _), word in zip(spelled, read_names([alias for _, alias in spelled]), strict=True):
        aliases[i].append(word)
    return Body(
        definitions,
        parents,
        frames,
        np.eye(3)["xyz".index(up)],
        tuple(words),
        tuple(tuple(some) for some in aliases),
        seen,
    )


# The use of each joint, decided here alone: by skins and clips, by the hierarchy, by names and by positions.


USES = {
    "deforming": "part of the body: it moves the skin, or joints that do",
    "twist": "shares the twist of the bone beside it",
    "end": "marks where a chain ends",
    "prop": "holds what is carried: a weapon, a tool",
    "control": "a handle for animators: an IK target, a pole",
    "helper": "neither moves the skin nor ends a chain",
}
"""The uses of joints, with what each means."""

LEAST_SHARE = 1e-6
"""Of all weights: a smaller sum is residue of weight painting."""
_HANDLE_SHARE = 0.25  # of all joints: a joint with more below it is not a handle, whatever its name is
_SMALL_SKELETON = 8  # with so few, one joint may move all of the skin
_COINCIDENT = 1e-3  # of the figure's size: joints so near begin at one point
_TWIST_OFFSET = 0.05  # of a bone's length: a twist bone is this near its line
_TWIST_RANGE = (0.08, 0.97)  # of the bone, where twist bones are


def uses_of(body: Body) -> tuple[Use, ...]:
    """`[joint]` (use, why). Parents are decided before their children."""
    skinned = _skinned(body)
    carrying = skinned if skinned is None else skinned.copy()  # moves skin, or joints that do
    for joint in range(len(body.parents) - 1, 0, -1):
        if carrying is not None and carrying[joint] and body.parents[joint] >= 0:
            carrying[body.parents[joint]] = True
    found: list[Use] = []
    for joint in range(len(body.parents)):
        above = found[body.parents[joint]][0] if body.parents[joint] >= 0 else ""
        if skinned is None or carrying is None:
            found.append(_bare(body, joint, above))
        elif skinned[joint]:
            found.append(_skin_mover(body, joint, above))
        else:
            found.append(_without_skin(body, joint, above, skinned, carries=bool(carrying[joint])))
    return tuple(found)


def _skinned(body: Body) -> NDArray[np.bool_] | None:
    """`[joint]` whether it moves skin. None if no joint does, or only one of many (a hat alone, or a skin without
    weights that the exporter attached to one joint), or only separate objects do.
    """
    weights = body.seen.weights
    if weights is None or not weights.sum() > 0:
        return None
    moves = weights > LEAST_SHARE * weights.sum()
    alone = [body.parents[joint] < 0 and not body.children[joint] for joint in np.flatnonzero(moves)]
    is_loose = all(alone) and len(moves) > len(alone)
    return None if is_loose or (len(alone) == 1 and len(moves) > _SMALL_SKELETON) else moves


def _skin_mover(body: Body, joint: int, above: str) -> Use:
    if body.words[joint].use == "prop" or above == "prop":
        return "prop", "what is held moves with it"
    return _twist(body, joint) or ("deforming", "moves the skin")


def _without_skin(body: Body, joint: int, above: str, skinned: NDArray[np.bool_], *, carries: bool) -> Use:
    """A joint of a figure with skins that moves none itself. carries: joints below it do."""
    said = body.words[joint].use
    if carries and (said == "control" or (said in ("twist", "helper") and not body.hinged[joint])):
        return said, "moves no skin itself, and its name says so"
    if carries and _is_group(body, joint, skinned):
        return "helper", "moves no skin itself and stands where the one joint below it does"
    if carries and (above == "deforming" or body.words[joint].part):
        return "deforming", "carries joints that move the skin"
    if carries:
        return "helper", "moves no skin itself and stands above all that does"
    if said:
        return said, "moves no skin, and its name says so"
    if above == "prop":
        return above, "hangs on a prop"
    if above == "deforming" and body.counts[joint] == 1:
        return "end", "moves no skin, and nothing hangs on it"
    if above == "deforming" or body.words[joint].part:
        return "helper", "moves no skin"
    return "control", "moves no skin and hangs on nothing that does"


def _bare(body: Body, joint: int, above: str) -> Use:
    """Without skins: by names, by what can move and by what does in the clips."""
    said, leaf = body.words[joint].use, not body.children[joint]
    if above in ("prop", "control"):
        return above, "hangs on one"
    if said in ("prop", "control"):
        few = body.counts[joint] <= _HANDLE_SHARE * len(body.parents)
        return (said, "its name says so") if few else ("helper", "most of the body hangs on it")
    if said == "end" and leaf:
        return said, "its name says so, and nothing hangs on it"
    if said == "helper" and not body.hinged[joint]:
        return said, "its name says so"
    if above and _is_group(body, joint, None):
        return "helper", "stands where the one joint below it does, whose name is plainer"
    twist = _twist(body, joint)
    if twist:
        return twist
    if body.definitions[joint].kind == "fixed":
        return _unmoving(body, joint, above, leaf)
    on = [one for one in body.children[joint] if body.children[one] and body.words[one].use != "control"]
    on, top = on or body.children[joint], above in ("", "helper") and not body.words[joint].part
    if top and len(on) == 1 and _is_handle(body, joint, on[0]):
        return "helper", "stands above the whole body"
    if leaf and not body.words[joint].part and _stands_still(body, joint):
        return "end", "nothing hangs on it, and no clip moves it"
    return "deforming", "part of the body, as far as can be seen"


def _is_group(body: Body, joint: int, skinned: NDArray[np.bool_] | None) -> bool:
    """Whether a joint coincides with its only child, such as the groups that animation programs put above their bones:
    the child moves the skin, or has the plainer name, and clips do not move the parent alone.
    """
    last = joint
    while len(body.children[last]) == 1 and (last == joint or (skinned is not None and not skinned[last])):
        last = body.children[last][0]
    if last != joint and skinned is not None and not skinned[last]:
        last = body.children[joint][0]
    own, other, moving = body.words[joint], body.words[last], body.seen.moving
    alone = moving is not None and moving[joint] and not moving[last]
    if last == joint or alone or body.hinged[joint] or body.distance(joint, last) > _COINCIDENT * body.size:
        return False
    same, moves = (own.part, own.side) == (other.part, other.side), skinned is not None and skinned[last]
    plainer = bool(other.part) and (not own.part or {*other.words} < {*own.words})
    return (same or not own.part) and (bool(moves) or plainer)


def _unmoving(body: Body, joint: int, above: str, leaf: bool) -> Use:
    """A joint without any freedom: a frame of a robot, the root of a file, an end site."""
    if leaf:
        return ("end", "cannot move, and nothing hangs on it") if above else ("helper", "cannot move")
    if above in ("", "helper") and len(body.children[joint]) > 1:
        return "deforming", "the body that others hang on"
    return "helper", "cannot move by itself"


def _is_handle(body: Body, joint: int, below: int) -> bool:
    """Whether the joint above a body is not part of it: it lies on the ground, or coincides with `below`, its child."""
    low = body.heights[joint] <= body.lowest[joint] + 0.02 * body.size
    return bool(body.definitions[joint].floating and (low or body.distance(joint, below) < 0.01 * body.size))


def _stands_still(body: Body, joint: int) -> bool:
    """Whether no clip moves the joint although clips move most others."""
    moving = body.seen.moving
    return moving is not None and not moving[joint] and 2 * moving.sum() > len(moving)


def _twist(body: Body, joint: int) -> Use | None:
    """A twist bone by the joint it follows, by its name, or by its position on a bone that continues without it."""
    definition = body.definitions[joint]
    if definition.kind == "twist" and definition.axes[0].follow:
        return "twist", "follows the twist of another"
    if definition.kind != "fixed" and not body.hinged[joint]:
        said = body.words[joint]
        if said.use == "twist" and not (body.children[joint] and only_twists(body.words, said)):
            return "twist", "its name says so"
        if not body.children[joint] and _lies_along(body, joint, body.parents[joint]):
            return "twist", "lies along a bone that goes on without it"
    return None


def _lies_along(body: Body, joint: int, parent: int) -> bool:
    siblings = body.children[parent] if parent >= 0 else ()
    others = [other for other in siblings if other != joint and body.children[other]]
    if not others:
        return False
    start = body.positions[parent]
    bones, own = body.positions[others] - start, body.positions[joint] - start
    squares = np.maximum(np.sum(bones * bones, axis=1), 1e-300)
    lengths, along = np.sqrt(squares), bones @ own / squares
    off = np.linalg.norm(own - along[:, None] * bones, axis=1)
    beside = (_TWIST_RANGE[0] < along) & (along < _TWIST_RANGE[1]) & (off < _TWIST_OFFSET * lengths)
    return bool((beside & (lengths >= 0.05 * body.size)).any())

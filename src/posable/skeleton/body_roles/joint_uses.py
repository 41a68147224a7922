"""What each joint is there for: part of the body, twist bone, end, prop, control or helper.

Told by what skins and clips show, by the hierarchy, by names and by where joints are; the one place that decides it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from posable.spatial import Array

if TYPE_CHECKING:
    from posable.skeleton.body_roles.skeleton_facts import Body

USES = {
    "deforming": "part of the body: it moves the skin, or joints that do",
    "twist": "shares the twist of the bone beside it",
    "end": "marks where a chain ends",
    "prop": "holds what is carried: a weapon, a tool",
    "control": "a handle for animators: an IK target, a pole",
    "helper": "neither moves the skin nor ends a chain",
}
"""The uses of joints, with what each means."""

_LEAST_SHARE = 1e-6  # of all weights: less is dust that a painter left
_FEW = 0.25  # of all joints: what more hang on is no handle, whatever its name says
_BESIDE = 0.05  # of a bone's length: a twist bone is this near its line
_ALONG = (0.08, 0.97)  # of the bone, where twist bones are

Use = tuple[str, str]  # the use, and why


@dataclass(frozen=True, eq=False)
class Seen:
    """What skins and clips show of each joint.

    weights: `[joint]` sums of skin weights, None without skins. moving: `[joint]` whether it moves in any clip, None
    without clips.
    """

    weights: Array | None = None
    moving: NDArray[np.bool_] | None = None


NOTHING_SEEN = Seen()


def uses_of(body: Body) -> tuple[Use, ...]:
    """`[joint]` (use, why). Parents are decided before what hangs on them."""
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
            found.append(_without_skin(body, joint, above, carries=bool(carrying[joint])))
    return tuple(found)


def _skinned(body: Body) -> NDArray[np.bool_] | None:
    """`[joint]` whether it moves skin; None where no joint does."""
    weights = body.seen.weights
    if weights is None or not weights.sum() > 0:
        return None
    return weights > _LEAST_SHARE * weights.sum()


def _skin_mover(body: Body, joint: int, above: str) -> Use:
    if body.words[joint].use == "prop" or above == "prop":
        return "prop", "what is held moves with it"
    return _twist(body, joint) or ("deforming", "moves the skin")


def _without_skin(body: Body, joint: int, above: str, *, carries: bool) -> Use:
    """A joint of a figure with skins that moves none itself. carries: joints below it do."""
    said = body.words[joint].use
    if carries and said == "control":
        return said, "moves no skin itself, and its name says so"
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
        few = body.counts[joint] <= _FEW * len(body.parents)
        return (said, "its name says so") if few else ("helper", "most of the body hangs on it")
    if said == "end" and leaf:
        return said, "its name says so, and nothing hangs on it"
    if said == "helper" and not body.hinged[joint]:
        return said, "its name says so"
    twist = _twist(body, joint)
    if twist:
        return twist
    if body.definitions[joint].kind == "fixed":
        return _unmoving(body, joint, above, leaf)
    alone = above in ("", "helper") and len(body.children[joint]) == 1 and not body.words[joint].part
    if alone and _is_handle(body, joint):
        return "helper", "stands above the whole body"
    if leaf and not body.words[joint].part and _stands_still(body, joint):
        return "end", "nothing hangs on it, and no clip moves it"
    return "deforming", "part of the body, as far as can be seen"


def _unmoving(body: Body, joint: int, above: str, leaf: bool) -> Use:
    """A joint without any freedom: a frame of a robot, the root of a file, an end site."""
    if leaf:
        return ("end", "cannot move, and nothing hangs on it") if above else ("helper", "cannot move")
    if above in ("", "helper") and len(body.children[joint]) > 1:
        return "deforming", "the body that others hang on"
    return "helper", "cannot move by itself"


def _is_handle(body: Body, joint: int) -> bool:
    """Whether the joint above a body is no part of it: it lies on the ground, or at the place of the one below."""
    below = body.children[joint][0]
    low = body.heights[joint] <= body.lowest[joint] + 0.02 * body.size
    return bool(body.definitions[joint].floating and (low or body.distance(joint, below) < 0.01 * body.size))


def _stands_still(body: Body, joint: int) -> bool:
    """Whether no clip moves the joint although clips move most others."""
    moving = body.seen.moving
    return moving is not None and not moving[joint] and 2 * moving.sum() > len(moving)


def _twist(body: Body, joint: int) -> Use | None:
    """A twist bone by its name, or by its place on the line of a bone that goes on without it."""
    if body.definitions[joint].kind != "fixed" and not body.hinged[joint]:
        if body.words[joint].use == "twist":
            return "twist", "its name says so"
        parent = body.parents[joint]
        if parent >= 0 and not body.children[joint] and _lies_along(body, joint, parent):
            return "twist", "lies along a bone that goes on without it"
    return None


def _lies_along(body: Body, joint: int, parent: int) -> bool:
    start = body.positions[parent]
    for other in body.children[parent]:
        bone = body.positions[other] - start
        length = float(np.linalg.norm(bone))
        if other == joint or not body.children[other] or length < 0.05 * body.size:
            continue
        along = float((body.positions[joint] - start) @ bone) / length**2
        off = np.linalg.norm(body.positions[joint] - start - along * bone)
        if _ALONG[0] < along < _ALONG[1] and off < _BESIDE * length:
            return True
    return False

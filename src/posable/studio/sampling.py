"""The sampled timeline: a clip or keys, overlaid by layers of keys and by pins, solved frame by frame."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

import posable
from posable.motion import Fade
from posable.spatial import IDENTITY_WXYZ, transform, wxyz_from_matrix
from posable.studio.document import Document, GoalKey, KeyLayer, StudioGoal
from posable.studio.heels import heels_over_time
from posable.studio.posing import Order
from posable.studio.scenery import goes_with_joint, localized
from posable.studio.standing import carriers
from posable.studio.timeline import (
    POLE,
    SWITCH,
    WEIGHT,
    acts,
    around,
    curve_of,
    goes_along,
    keyed_poses,
    keys_over,
    poles_of,
    terrain_of,
)


def holds_its_place(document: Document, goal: StudioGoal) -> bool:
    """Whether a goal without keys acts at every frame. A pin does, at its present position, while only keys play; over
    a clip it does if it goes with a joint.
    """
    moves = goes_with_joint(goal, document.figure) or (document.clip is None and document.has_keys)
    return goal.pinned and goal.enabled and not goal.keys and moves


class Overlays:
    """Overlays goals on a clip; unchanged frames are not solved again. The trunk moves only if a limb alone cannot
    reach its target, so that a key of a hand leaves the spine as it is keyed, or as it is in the clip.
    """

    def __init__(self) -> None:
        self._limbs, self._whole = posable.motion.Overlay(), posable.motion.Overlay()

    @cached_property
    def plain(self) -> Overlays:
        """Overlays of the same goals on the clip without rotations by hand."""
        return Overlays()

    def over(
        self, document: Document, clip: posable.Clip, fades: dict[Any, Fade], *, on_layers: bool = False
    ) -> posable.Clip:
        """The clip with the goals. on_layers: whether lower layers hold the poses of the clip."""
        frozen = sorted(document.frozen)
        trunk = _held_trunk(document, is_held=on_layers or document.clip is not None)
        if trunk:
            before, clip = clip, self._limbs.over(clip, fades, frozen=sorted({*frozen, *trunk}))
            fades = {goal: _remaining_weights(goal, fade, before, clip) for goal, fade in fades.items()}
            if document.clip is not None:
                fades = {_within_trunk_lead(goal, clip): fade for goal, fade in fades.items()}
        return self._whole.over(clip, fades, frozen=frozen if document.clip is None else None)


def _target_position(goal: posable.Goal) -> np.ndarray | None:
    """The target position of a goal in the world; None if it has none."""
    if goal.relative_to is not None or not isinstance(goal, posable.Reach | posable.Place):
        return None
    return goal.KIND.position(goal.given)


def _remaining_weights(goal: posable.Goal, fade: Fade, before: posable.Clip, now: posable.Clip) -> Fade:
    """The weights that take a goal from where it is `now` as far as its own would from where it was `before`."""
    place = _target_position(goal)
    if place is None:
        return fade
    joint = before.skeleton.index(goal.joint)
    was, far = (np.linalg.norm(place - clip.poses.origins[:, joint], axis=-1) for clip in (before, now))
    left = np.clip(far / np.maximum(was, 1e-9), 0.0, 1.0)
    wanted = np.asarray(fade.position)
    more = np.clip(1.0 - (1.0 - wanted) / np.maximum(left, 1e-9), 0.0, 1.0)
    return Fade(more, np.asarray(fade.rotation) * more / np.maximum(wanted, 1e-9))


_MAX_TRUNK_LEAD = 0.1  # reaches that the trunk of a clip moves towards the target of a limb that does not reach it


def _within_trunk_lead(goal: posable.Goal, clip: posable.Clip) -> posable.Goal:
    """The goal with a target at most that far from its joint, and less far the farther the real target is: a body does
    not fold or lean for a target that is out of its reach.
    """
    kind, place = goal.KIND, _target_position(goal)
    if place is None:
        return goal
    at = clip.poses.origins[:, clip.skeleton.index(goal.joint)]
    most, far = _MAX_TRUNK_LEAD * clip.skeleton.reach, np.linalg.norm(place - at, axis=-1, keepdims=True)
    near = np.minimum(far, np.maximum(0.0, (3 * most - far) / 2))
    turned = kind.wxyz(goal.given)
    nearer = at + (place - at) * near / np.maximum(far, 1e-12)
    return goal.with_target(kind.joined(nearer, IDENTITY_WXYZ if turned is None else turned))


def _held_trunk(document: Document, *, is_held: bool) -> set[str]:
    """The joints that carry several limbs with goals and are held by keys, or by a clip or lower layers (`is_held`)."""
    skeleton = document.figure.skeleton
    ends = [goal.joint for goal in document.goals if goal.kind == "place" and goal.enabled]
    held = {joint for goal in document.goals for key in goal.keys for joint in key.holds or ()}
    held |= set(skeleton.joints) if is_held else set()
    carried = [set(skeleton.chain(end)) for end in ends]
    return {
        joint
        for j, joint in enumerate(skeleton.joints)
        if joint in held and joint not in ends and sum(j in chain for chain in carried) > 1
    }


def sampled(document: Document, overlays: dict[str, Overlays] | None = None) -> posable.Clip:
    """All frames of the timeline, from 0 to the end of its range: the chosen clip or the poses keyed in the first
    layer, with the feet on the ground, overlaid layer by layer by pins and by the goals that have keys, with their
    weights.

    overlays: of each layer by its name, reused between calls, so that unchanged frames are not solved again.
    """
    count = document.range[1] + 1
    overlays = {} if overlays is None else overlays
    layers = _layers(document)
    clip, below = _on_ground(document, _base_clip(layers[0][1], count)), frozenset[str]()
    for layer, own in layers:
        at = overlays.setdefault(layer.name, Overlays())
        clip = _overlaid(own, clip, layer, at, None if layer is layers[0][0] else below)
        below |= {goal.name for goal in own.goals if _leads(own, goal)}
    return clip


def _layers(document: Document) -> list[tuple[KeyLayer, Document]]:
    """The layers that have an effect, the lowest first, each with the document whose goals have its keys. The first
    layer is always included, as pins act in it.
    """
    edited, found = document.edited_layer, []
    for k, layer in enumerate(document.layers):
        own = document if layer.name == edited else document.with_layer(layer.name)
        if not layer.on:
            own = replace(own, goals=tuple(replace(goal, keys=()) for goal in own.goals))
        if k == 0 or any(goal.keys for goal in own.goals):
            found.append((layer, own))
    return found


def _overlaid(
    document: Document, clip: posable.Clip, layer: KeyLayer, overlays: Overlays, below: frozenset[str] | None
) -> posable.Clip:
    """The clip, overlaid by the keys of one layer, which are the keys of the document's goals.

    below: goals with keys in lower layers, which keep their effect; None for the first layer.
    """
    weight = 1.0 if below is None and document.clip is None else layer.weight
    acting = [one for one in document.goals if _leads(document, one) or holds_its_place(document, one)]
    acting += [one for one in document.goals if below and one.name in below and one not in acting]
    fades: dict[Any, Fade] = {}
    order = Order.of(acting, carriers(document.figure))
    for goal in acting:
        if goal.keys or below is None:
            fades.update(_over_time(document, goal, len(clip), order, weight))
        else:
            fades.update(_as_below(goal, clip, order))
    if (below is not None or document.clip is not None) and any(_rotated_keys(goal) for goal in document.goals):
        plain = overlays.plain.over(document, clip, fades, on_layers=below is not None) if fades else clip
        clip = _with_rotations_by_hand(document, clip, plain, weight)
    return overlays.over(document, clip, fades, on_layers=below is not None) if fades else clip


def _leads(document: Document, goal: StudioGoal) -> bool:
    """Whether keys of the goal lead its limb to its position."""
    return bool(goal.keys) and acts(goal) and not goes_along(document, goal)


def _as_below(goal: StudioGoal, clip: posable.Clip, order: Order) -> dict[Any, Fade]:
    """The library's goal that holds a limb as the lower layers have it, frame by frame."""
    frames = np.asarray(clip.poses.world_from_joint)[:, clip.skeleton.index(goal.joint)]
    full = np.ones(len(clip))
    if goal.kind == "pole":  # the limb's ends, held by other goals, keep it
        return {}
    if goal.kind == "look":
        gaze = posable.Orient(goal.joint, wxyz_from_matrix(frames[:, :3, :3]), priority=order.priority(goal))
        return {gaze: Fade(full, full)}
    if goal.rotation_weight > 0:
        return {posable.Place(goal.joint, frames, priority=order.priority(goal)): Fade(full, full)}
    return {posable.Reach(goal.joint, frames[:, :3, 3], priority=order.priority(goal)): Fade(full, full)}


def _rotated_keys(goal: StudioGoal) -> list[GoalKey]:
    """The keys in FK, whose joints were rotated by hand."""
    return [key for key in goal.keys if key.enabled is False and key.holds]


def _with_rotations_by_hand(document: Document, clip: posable.Clip, plain: posable.Clip, share: float) -> posable.Clip:
    """The clip with rotations by hand added: a key in FK adds the difference of its joints from `plain`, the clip that
    would play at its frame. share: 0 to 1, how much of that is added.
    """
    skeleton, rest = document.figure.skeleton, document.figure.rest
    times, added = np.arange(len(clip)) / document.fps, np.zeros((len(clip), skeleton.dof))
    for goal in document.goals:
        turned = _rotated_keys(goal)
        joints = sorted({skeleton.index(joint) for key in turned for joint in key.holds or ()})
        if not joints:
            continue
        off = [posable.Pose(skeleton, key.q).minus(plain.poses[min(key.frame, len(clip) - 1)]) for key in turned]
        keys = around(document, [replace(key, q=rest.plus(own).q) for key, own in zip(turned, off, strict=True)])
        curve, own = keys_over(skeleton, list(keys), document.fps).at(times), curve_of(document, goal).at(times).q
        weight = share * np.clip(own[:, WEIGHT], 0.0, 1.0) * (1.0 - np.clip(own[:, SWITCH], 0.0, 1.0))
        columns = [d for j in joints for d in skeleton.freedom_range(j)]
        added[:, columns] += weight[:, None] * curve.minus(rest)[:, columns]
    return replace(clip, q=clip.poses.plus(added).q) if added.any() else clip


def _base_clip(document: Document, count: int) -> posable.Clip:
    times = np.arange(count) / document.fps
    skeleton, clip = document.figure.skeleton, document.playing
    q = keyed_poses(document, times) if clip is None else clip.at(times).q
    return posable.Clip(skeleton, q, document.fps, document.clip or "keys")


def _on_ground(document: Document, clip: posable.Clip) -> posable.Clip:
    """The clip with its feet on the ground, frame by frame; walks made here already are, and keys stay as they are.

    Raises PosableError for a figure that cannot follow the ground.
    """
    if document.terrain["kind"] == "none" or document.walk or document.clip is None:
        return clip
    try:
        live = posable.motion.FootPlacement(document.figure, terrain_of(document))
    except posable.SkeletonError as problem:
        why = "its hips are fixed in the scene" if posable.roles(document.figure).legs else "no legs are found on it"
        raise posable.PosableError(
            f"{document.figure.name} cannot follow the ground in a motion: {why}. Choose the ground 'none'"
        ) from problem
    rows = [live.update(clip.poses[k], 1 / clip.fps).q for k in range(len(clip))]
    return replace(clip, q=np.array(rows))


def _over_time(document: Document, goal: StudioGoal, count: int, order: Order, share: float) -> dict[Any, Fade]:
    """The library's goals with a target for every frame, and their weights; pins come first, as in a drag.

    share: 0 to 1, the weight of the keys' layer.
    """
    if goal.keys:
        q = curve_of(document, goal).at(np.arange(count) / document.fps).q
    else:
        own = localized(goal, document.figure, document.pose)
        q = np.tile([*own.position, *own.rotation, goal.weight, 1.0, *(goal.pole or (0.0, 0.0, 0.0))], (count, 1))
    heels = heels_over_time(document, goal, np.arange(count) / document.fps)
    place, turn = q[:, :3], q[:, 3:7]
    weight = np.clip(q[:, WEIGHT], 0.0, 1.0) * np.clip(q[:, SWITCH], 0.0, 1.0)
    if goal.keys:
        weight = weight * share
    fade = Fade(weight, weight)
    first, poles = order.priority(goal), order.poles
    if goal.kind == "look":
        return {posable.LookAt(goal.joint, place, forward=goal.forward, priority=first): fade}
    if goal.kind == "pole":
        return {posable.Pole(goal.joint, place, priority=poles): fade}
    found: dict[Any, Fade] = {}
    base = goal.relative_to if goes_with_joint(goal, document.figure) else None
    if goal.kind == "place" and goal.rotation_weight > 0:
        frames = transform(place, turn) if heels is None else heels.feet
        frame = posable.Place(goal.joint, frames, relative_to=base, priority=first)
        if heels is not None and heels.joint is not None:
            found[posable.Orient(heels.joint, heels.toes, priority=poles)] = fade
        found[frame] = Fade(weight, weight * min(goal.rotation_weight, 1.0))
    else:
        found[posable.Reach(goal.joint, place, relative_to=base, priority=first)] = fade
    if poles_of(goal) is not None:
        found[posable.Pole(goal.joint, q[:, POLE:], priority=poles)] = fade
    elif goal.pole is not None:
        found[posable.Pole(goal.joint, goal.pole, priority=poles)] = fade
    return found

"""Weights and motion alternately: more joints than wanted first, then the least important ones are removed.

Beginning with too many groups and letting go of the superfluous ones finds joints that splitting alone does not: on the
sequences of benchmarks/skin_examples.py it halves the error or better, and finds many more of the true joints.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.spatial import KDTree

from posable.skin.bound_frames import nearest_rotation
from posable.skin.learning.motion_solve import normal_sums, sweep, unit_ratio
from posable.skin.learning.sequence import Sequence
from posable.skin.learning.weight_solve import EXACT, Indices, share, squared_errors
from posable.spatial import Array

# Where the search begins: vertices that move alike, found by splitting the group that is explained worst.


_FEWEST = 3  # vertices of a group
_CLUSTER_PATCH = 20  # vertices of a new group, at most
_RELABELS = 4
_STALLED = 3  # rounds without a further group, after which no more are looked for


def clusters(sequence: Sequence, count: int) -> tuple[Array, Indices]:
    """(motion `[frame, joint, 4, 3]`, label `[vertex]`) of at most `count` groups that each move rigidly.

    As Le & Deng 2012, but a vertex joins the group that fits it best anywhere, so that meshes of many shells or without
    faces need no special case. Fewer groups are returned if so many cannot be distinguished.
    """
    label = np.zeros(len(sequence.points), np.int64)
    motion = rigid_fit(sequence, label, 1)
    most, most_label, stalled = motion, label, 0
    while most.shape[1] < count and stalled < _STALLED:
        label, groups = _split(sequence, motion, label, count)
        for _ in range(_RELABELS):
            motion = rigid_fit(sequence, label, groups)
            label = np.argmin(squared_errors(sequence, motion), axis=1)
            label, groups = _without_small(label, groups)
        motion = rigid_fit(sequence, label, groups)
        stalled += 1
        if groups > most.shape[1]:
            most, most_label, stalled = motion, label, 0
    return most, most_label


def rigid_fit(sequence: Sequence, label: Indices, groups: int) -> Array:
    """`[frame, group, 4, 3]`: the rigid motion of each group of vertices (Kabsch 1976)."""
    normal, reached = normal_sums(sequence, label[:, None], np.ones((len(label), 1)), groups)
    motion = np.zeros((len(sequence.frames), groups, 4, 3))
    motion[:, :, :3] = np.eye(3)
    sweep(motion, normal, reached, 1)
    return motion


def _split(sequence: Sequence, motion: Array, label: Indices, count: int) -> tuple[Indices, int]:
    """Half as many groups again, at most `count`: each new one is a patch about the worst vertex of a bad group."""
    groups, label, places = motion.shape[1], label.copy(), sequence.points[:, :3]
    own = np.take_along_axis(squared_errors(sequence, motion), label[:, None], axis=1)[:, 0]
    total = np.bincount(label, own, minlength=groups)
    enough = len(motion) * EXACT**2
    for worst in np.argsort(-total, kind="stable")[: min(max(1, groups // 2), count - motion.shape[1])]:
        members = np.flatnonzero(label == worst)
        if len(members) < 2 * _FEWEST or total[worst] <= len(members) * enough:
            continue
        away = np.linalg.norm(places[members] - places[members].mean(axis=0), axis=1)
        seed = members[np.argmax(own[members] * away)]
        near = np.argsort(np.linalg.norm(places[members] - places[seed], axis=1), kind="stable")
        label[members[near[: max(_FEWEST, min(len(members) // 4, _CLUSTER_PATCH))]]] = groups
        groups += 1
    return label, groups


def _without_small(label: Indices, groups: int) -> tuple[Indices, int]:
    """Vertices of groups with too few go to group 0 for now (until the next relabelling); the rest renumbered."""
    kept = np.flatnonzero(np.bincount(label, minlength=groups) >= _FEWEST)
    if not len(kept):
        return np.zeros_like(label), 1
    number = np.zeros(groups, np.int64)
    number[kept] = np.arange(len(kept))
    return number[label], len(kept)


_SURPLUS = 2.2  # times the wanted joints to begin with
_SETTLING, _BETWEEN, _POLISHING = 8, 4, 60  # iterations
_DROPPED = 8  # one of so many joints goes at a time
_SAMPLE = 2000  # vertices from which the motion is learnt at first
_WIDE = 10
_PATCH = 12  # vertices after which a further joint is made
_CYCLES, _EXCHANGED, _WORTH = (
    3,
    0.3,
    0.98,
)  # how often joints are exchanged, what share of them, and while it saves this
_MOST_TRIED = 128  # joints, where their number is open
_PROGRESS = 1e-4  # minimum reduction of the error by ten iterations


@dataclass(frozen=True)
class Blend:
    """What has been learnt so far: `motion [frame, joint, 4, 3]`, `joints`, `weights` `[vertex, influence]`, and the
    squared error `[vertex]` summed over the frames."""

    motion: Array
    joints: Indices
    weights: Array
    left: Array

    @property
    def error(self) -> float:
        """The root of the mean squared distance, as a share of the box diagonal."""
        return float(np.sqrt(self.left.mean() / len(self.motion)))


def learn(
    sequence: Sequence, count: int, influences: int, seed: int, progress: Callable[[float], None]
) -> tuple[Sequence, Blend]:
    """At most `count` joints: (the sequence, its unit corrected, what was learnt). progress hears shares 0…1."""
    few = sequence
    if len(sequence.points) > _SAMPLE:
        chosen = np.random.default_rng(seed).choice(len(sequence.points), _SAMPLE, replace=False)
        few = sequence.of(np.sort(chosen))
    few, blend = _begin(few, int(np.ceil(count * _SURPLUS)), influences)
    blend = alternate(few, blend, _SETTLING)
    progress(0.2)
    while blend.motion.shape[1] > count:
        blend = alternate(few, _without_least(few, blend, count), _BETWEEN)
        few, blend = in_unit(few, blend)
    progress(0.5)
    few, blend = in_unit(few, alternate(few, _in_use(blend), _BETWEEN))
    for cycle in range(_CYCLES):
        better = _exchanged(few, blend, count)
        progress(0.5 + 0.1 * cycle)
        if blend.error < EXACT or better.error > _WORTH * blend.error:
            break
        few, blend = in_unit(few, better)
    blend = alternate(few, blend, _POLISHING)
    progress(0.85)
    blend = alternate(few, blend, _BETWEEN, wide=_WIDE)
    sequence = sequence.rescaled(few.scale / sequence.scale)
    return sequence, finish(sequence, few, blend)


def learn_within(
    sequence: Sequence, target: float, influences: int, seed: int, progress: Callable[[float], None]
) -> tuple[Sequence, Blend]:
    """As few joints as reach the error `target`: twice as many until they do, then fewer while they still do."""
    count, most = 1, min(len(sequence.points), _MOST_TRIED)
    while True:
        found, blend = learn(sequence, count, influences, seed, progress)
        if blend.error <= target or count >= most:
            break
        count = min(2 * count, most)
    while blend.error <= target and blend.motion.shape[1] > 1:
        fewer = alternate(found, _without_least(found, blend, blend.motion.shape[1] - 1), 2 * _BETWEEN, wide=_WIDE)
        if fewer.error > target:
            break
        blend = _in_use(fewer)
    return found, blend


def in_order(blend: Blend, order: list[int]) -> Blend:
    """The same, with the joints in another order."""
    number = np.argsort(order)
    return replace(blend, motion=np.ascontiguousarray(blend.motion[:, order]), joints=number[blend.joints])


def _exchanged(sequence: Sequence, blend: Blend, count: int) -> Blend:
    """Some joints more, where the error is, and as many less, where they are missed least."""
    more = alternate(sequence, _with_more(sequence, blend, max(1, round(count * _EXCHANGED))), _SETTLING)
    while more.motion.shape[1] > count:
        more = alternate(sequence, _without_least(sequence, more, count), _BETWEEN)
    return alternate(sequence, _in_use(more), 3 * _BETWEEN)


def finish(sequence: Sequence, few: Sequence, blend: Blend) -> Blend:
    """What was learnt from `few` of the vertices, for all of them."""
    if len(few.points) < len(sequence.points):
        shape = (len(sequence.points), blend.weights.shape[1])
        everyone = Blend(
            blend.motion, np.zeros(shape, np.int64), np.zeros(shape), np.full(len(sequence.points), np.inf)
        )
        blend = alternate(sequence, everyone, _SETTLING)
    joints, weights = blend.joints.copy(), blend.weights.copy()
    left = share(sequence, blend.motion, joints, weights, tries=4, wide=_WIDE)
    return _in_use(Blend(blend.motion, joints, weights, left))


def _begin(sequence: Sequence, count: int, influences: int) -> tuple[Sequence, Blend]:
    motion, label = clusters(sequence, count)
    joints, weights = np.zeros((len(label), influences), np.int64), np.zeros((len(label), influences))
    joints[:, 0], weights[:, 0] = label, 1.0
    for _ in range(3 if sequence.other_unit else 0):
        left = np.take_along_axis(squared_errors(sequence, motion), label[:, None], axis=1)[:, 0]
        sequence, _ = in_unit(sequence, Blend(motion, joints, weights, left))
        motion = rigid_fit(sequence, label, motion.shape[1])
    return sequence, Blend(motion, joints, weights, np.full(len(label), np.inf))


def in_unit(sequence: Sequence, blend: Blend) -> tuple[Sequence, Blend]:
    """Both in a better estimate of the frames' unit, where that is not the rest pose's."""
    if not sequence.other_unit:
        return sequence, blend
    sums = normal_sums(sequence, blend.joints, blend.weights, blend.motion.shape[1])
    present = blend.motion.shape[1]
    square = (blend.weights**2).reshape(-1)
    followed = np.bincount(blend.joints.reshape(-1), square, minlength=present)
    left = np.repeat(blend.left / len(blend.motion), blend.joints.shape[1])
    each = np.bincount(blend.joints.reshape(-1), square * left, minlength=present) / np.maximum(followed, 1e-300)
    ratio = unit_ratio(blend.motion, *sums, each)
    motion = blend.motion.copy()
    motion[:, :, 3] /= ratio
    return sequence.rescaled(ratio), replace(blend, motion=motion)


def alternate(sequence: Sequence, blend: Blend, turns: int, *, tries: int = 3, wide: int = 0) -> Blend:
    """Weights for the motion, then motion for the weights, `turns` times or until the error stagnates; the best of all.

    Each iteration begins beyond the last motion, by Nesterov's steps; where the error rises it begins again without.
    """
    before = now = blend.motion
    best, momentum, errors = blend, 0, []
    for _ in range(turns):
        motion = now.copy() if momentum == 0 else _beyond(before, now, momentum / (momentum + 3))
        joints, weights = best.joints.copy(), best.weights.copy()
        left = share(sequence, motion, joints, weights, tries, wide)
        if left.sum() > best.left.sum():
            if momentum == 0:
                break
            before = now = best.motion
            momentum = 0
            continue
        best = Blend(motion.copy(), joints, weights, left)
        errors.append(best.error)
        if len(errors) > 10 and errors[-11] - errors[-1] <= _PROGRESS * errors[-11]:
            break
        sweep(motion, *normal_sums(sequence, joints, weights, motion.shape[1]), 1)
        before, now, momentum = now, motion, momentum + 1
    return best


def _beyond(before: Array, now: Array, share_more: float) -> Array:
    """Rigid motion as far beyond `now` as that share of the distance from `before`."""
    motion = now + share_more * (now - before)
    motion[:, :, :3] = nearest_rotation(motion[:, :, :3])
    return motion


def _with_more(sequence: Sequence, blend: Blend, more: int) -> Blend:
    """With more joints, where the error is: each moves as the patch of vertices about one that is explained badly."""
    tree = KDTree(sequence.points[:, :3])
    patches = tree.query(sequence.points[:, :3], k=min(_PATCH, len(sequence.points)))[1].reshape(
        len(sequence.points), -1
    )
    open_error = blend.left.copy()
    motions = [blend.motion]
    for _ in range(more):
        patch = patches[np.argmax(open_error[patches].sum(axis=1))]
        motions.append(rigid_fit(sequence.of(patch), np.zeros(len(patch), np.int64), 1))
        open_error[patch] = 0.0
    return replace(blend, motion=np.concatenate(motions, axis=1), left=np.full(len(blend.left), np.inf))


def _without_least(sequence: Sequence, blend: Blend, count: int) -> Blend:
    """Without the joints that are missed least: some, but not below `count` joints."""
    vertex, place = np.nonzero(blend.weights > 0)
    barred = blend.joints[vertex, place]
    joints, weights = blend.joints[vertex], blend.weights[vertex]
    weights[np.arange(len(vertex)), place] = 0.0
    weights /= np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)
    left = share(sequence.of(vertex), blend.motion, joints, weights, 2, barred=barred)
    present = blend.motion.shape[1]
    loss = np.bincount(barred, np.maximum(left - blend.left[vertex], 0.0), minlength=present)
    gone = np.argsort(loss, kind="stable")[: max(1, min(present - count, present // _DROPPED))]
    return _of_joints(blend, np.setdiff1d(np.arange(present), gone))


def _in_use(blend: Blend) -> Blend:
    """Without joints that no vertex follows."""
    return _of_joints(blend, np.unique(blend.joints[blend.weights > 0]))


def _of_joints(blend: Blend, kept: Indices) -> Blend:
    number = np.full(blend.motion.shape[1], -1)
    number[kept] = np.arange(len(kept))
    joints = number[blend.joints]
    weights = np.where(joints >= 0, blend.weights, 0.0)
    weights /= np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)
    left = blend.left if len(kept) == blend.motion.shape[1] else np.full(len(weights), np.inf)
    return Blend(np.ascontiguousarray(blend.motion[:, kept]), np.maximum(joints, 0), weights, left)

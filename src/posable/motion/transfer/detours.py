"""Limbs that got to the wrong side of a body: the frames around are solved again from where they are beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.motion.feet.contact_detection import runs
from posable.motion.transfer.copying import rotation_by_frame
from posable.motion.transfer.hands_feet import Foot
from posable.motion.transfer.limb_joints import Limbs, WeightedGoals, farthest_off
from posable.motion.transfer.measured import SIDES, Body
from posable.motion.transfer.self_collision import Apart
from posable.motion.whole_clip.clip_rows import Inequalities
from posable.skeleton import Pose
from posable.spatial import Array
from posable.spatial.curves import smoothstep

_DEEP = 0.002  # reaches: bodies that are less deep in one another stay so
_AROUND = 0.6  # s to either side of such frames that are solved with them
_FADES = 0.25  # s over which the new motion comes and goes
_BEYOND = (0.04, 0.14)  # s to either side from which an arm goes straight past the body
_BETTER = 0.8  # of the depth before, summed over frames: what is taken is less deep
_CLEAR = 0.005  # reaches: legs that get no clearer than that stay as they are: standing feet would slide for nothing
_FIRMER = 10.0  # times the weight of depths
_CALMER = (1.0, 10.0, 100.0)  # factors of smoothness tried in turn while a joint leaps
_WIDER = np.radians((15.0, 30.0, 45.0, 60.0, 75.0))  # angles by which arms are held away from the trunk
_CLOSE = 2e-2  # relative decrease of the cost that ends such a solve


def detoured(
    limbs: Limbs,
    clip: Clip,
    goals: WeightedGoals,
    apart: Apart,
    rows: Callable[[slice], Sequence[Inequalities]] = lambda _: (),
    feet: Sequence[Foot] = (),
    deep: float = _DEEP,
) -> Clip:
    """The clip with limbs out of bodies in which they are stuck for some frames.

    A descent pushes a limb out to where it is nearest: in one frame to one side of a body, in the next to the other, so
    that it passes through. There it starts again from the straight path between frames before and after, from the
    copied rotations, and from where it is; the result with the least depth is taken, if no joint leaps for it and no
    foot is farther off than it may be. Legs have to come clear by it.

    rows: the inequalities of some frames besides `apart`. deep: the depth, in reaches, from which frames are solved
    again.
    """
    for frames in _stuck(apart.depths(clip.poses) > deep, clip.fps):
        clip = _solved_again(limbs, clip, goals, apart, frames, rows(frames), feet)
    return clip


def wider(clip: Clip, target: Body, depth: Callable[[Pose], float]) -> Clip:
    """The clip with both upper arms away from the trunk by the same angle in all frames, that of the least `depth`."""
    skeleton, world = clip.skeleton, clip.poses.world_from_joint
    chest = target.shoulders
    ahead = world[:, chest, :3, :3] @ target.rest[chest, :3, :3].T @ target.axes[:, 2]
    turned = np.zeros((len(clip), skeleton.dof))
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        arm = target.joints.get(f"upper_arm_{side}", 0)
        if skeleton.definitions[arm].has_quaternion:
            own = list(skeleton.freedom_range(arm))[-3:]
            turned[:, own] = sign * np.einsum("fki,fk->fi", world[:, arm, :3, :3], ahead)
    tried = (replace(clip, q=clip.poses.plus(angle * turned).clamped().q) for angle in _WIDER)
    return min(tried, key=lambda one: depth(one.poses))


def _stuck(deep: NDArray[np.bool_], fps: float) -> list[slice]:
    """The parts around the frames `[frame]` that are too deep."""
    around, near = round(_AROUND * fps), np.zeros(len(deep), bool)
    for start, end in runs(deep):
        near[max(start - around, 0) : end + around] = True
    return [slice(start, end) for start, end in runs(near)]


def _solved_again(
    limbs: Limbs,
    clip: Clip,
    goals: WeightedGoals,
    apart: Apart,
    frames: slice,
    rows: Sequence[Inequalities],
    feet: Sequence[Foot],
) -> Clip:
    """The clip with `frames` from the start that leads to the least depth."""
    part, own = replace(limbs, copy=_cut(limbs.copy, frames)), apart.of_frames(frames, _FIRMER)
    cut = [(goal.of_frames(frames), weights[frames]) for goal, weights in goals]
    before = clip.poses[frames]
    best, deepest, turned, off = clip, _worst(own, before), rotation_by_frame(before), farthest_off(feet, clip)
    for start in _starts(limbs, clip, apart.depths(clip.poses) > _DEEP, frames):
        for smoother in _CALMER:
            start = replace(part, smoother=smoother).solved(cut, [*rows, own], start, _CLOSE).clip
            found = _put(clip, start, frames)
            pose = found.poses[frames]
            deep, leaps = _worst(own, pose), _leaps(limbs, pose, turned)
            if deep[1] < _BETTER * deepest[1] and not leaps and farthest_off(feet, found) <= max(off, 0.0):
                best, deepest = found, deep
            if not leaps:
                break
        if deepest[0] <= _DEEP:
            break
    return best if not feet or deepest[0] <= _CLEAR else clip


def _worst(apart: Apart, pose: Pose) -> tuple[float, float]:
    """The greatest depth, and the sum over frames."""
    depths = np.maximum(apart.depths(pose), 0.0)
    return float(depths.max()), float(depths.sum())


def _leaps(limbs: Limbs, pose: Pose, before: Mapping[int, Array]) -> bool:
    """Whether a joint rotates by more per frame than may be, and by more than before, joint → `[frame]`."""
    return any(
        own.max(initial=0.0) > max(limbs.most, before[joint].max(initial=0.0))
        for joint, own in rotation_by_frame(pose).items()
    )


def _starts(limbs: Limbs, clip: Clip, deep: NDArray[np.bool_], frames: slice) -> Iterator[Clip]:
    """The starts tried, of these frames alone."""
    yield _cut(clip, frames)
    for beyond in _BEYOND:
        yield _cut(_past(limbs, clip, deep, frames, max(round(beyond * clip.fps), 1)), frames)
    yield _cut(limbs.copy, frames)


def _past(limbs: Limbs, clip: Clip, deep: NDArray[np.bool_], frames: slice, beyond: int) -> Clip:
    """The clip in which joints go straight from `beyond` frames before those that are deep to as many after them."""
    skeleton, q = clip.skeleton, np.array(clip.q)
    own = [joint for joint in limbs.moving if not skeleton.definitions[joint].travels]
    moves = skeleton.freedom_mask([skeleton.joints[joint] for joint in own])
    near = np.zeros(len(clip), bool)
    for start, end in runs(deep):
        near[max(start - beyond, 0) : end + beyond] = True
    near[: frames.start], near[frames.stop :] = False, False
    for start, end in runs(near):
        first, last = max(start - 1, 0), min(end, len(clip) - 1)
        first, last = (last, last) if near[first] else (first, first if near[last] else last)
        ways = clip.poses[last : last + 1].minus(clip.poses[first : first + 1])
        shares = np.arange(start - first, end - first)[:, None] / max(last - first, 1)
        straight = Pose(skeleton, np.repeat(clip.q[first : first + 1], end - start, axis=0)).plus(shares * ways)
        now = clip.poses[start:end]
        q[start:end] = now.plus(np.where(moves, straight.minus(now), 0.0)).clamped().q
    return replace(clip, q=q)


def _put(clip: Clip, part: Clip, frames: slice) -> Clip:
    """The clip with `part` in place of these frames, faded in and out where others are before and after them."""
    at, fades = np.arange(len(part)), max(_FADES * clip.fps, 1.0)
    share = np.ones(len(part))
    if frames.start > 0:
        share *= smoothstep(at / fades)
    if frames.stop < len(clip):
        share *= smoothstep((len(part) - 1 - at) / fades)
    before, q = clip.poses[frames], np.array(clip.q)
    q[frames] = before.plus(share[:, None] * part.poses.minus(before)).clamped().q
    return replace(clip, q=q)


def _cut(clip: Clip, frames: slice) -> Clip:
    return replace(clip, q=clip.q[frames], events=())

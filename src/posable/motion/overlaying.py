"""Goals on top of a clip, fading in and out: a hand grasps a handle while the figure keeps walking."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from posable import goals as all_goals
from posable.clips import Clip, Keys, travels
from posable.clips.root_motion import carrier_of
from posable.errors import GoalError, PosableError, check_kind, is_number
from posable.goals import Goal
from posable.motion.props import Prop
from posable.natural.staying import keeping
from posable.skeleton import Pose
from posable.solvers import prepare, solve
from posable.solvers.problem import as_goals
from posable.spatial import Array, rigid_inverse
from posable.spatial.curves import smootherstep, smoothstep


class Fade(NamedTuple):
    """The weights of a goal's position and rotation: numbers or arrays `[frame]`, 0 to 1.

    Example:
        >>> fade = posable.motion.Fade(position=1.0, rotation=0.5)
    """

    position: ArrayLike
    rotation: ArrayLike


def fade(clip: Clip, start: float, end: float, seconds: float = 0.3) -> Array:
    """`[frame]` weights: 0, from `start` on rising to 1 within `seconds`, and down to 0 at `end`, without a kink.

    Args:
        clip: The clip whose frames it is for.
        start: When it begins to rise, in seconds.
        end: When it is back at 0, in seconds.
        seconds: How long it takes to rise, and to fall.

    Raises:
        PosableError: For invalid times.
    """
    if not (_are_seconds(start, end, seconds) and seconds > 0 and start < end):
        raise PosableError(f"a fade goes from a time to a later one and takes some time, not {start}, {end}, {seconds}")
    return smoothstep(np.minimum(clip.times - start, end - clip.times) / seconds)


def _are_seconds(*given: float) -> bool:
    return all(is_number(seconds) and bool(np.isfinite(seconds)) for seconds in given)


def overlay(
    clip: Clip,
    goals: Mapping[Goal, ArrayLike | Fade],
    props: Sequence[Prop] = (),
    *,
    frozen: Sequence[str] | None = None,
) -> Clip:
    """The clip with goals on top, like the IK pass of game engines: {goal: weight over time}.

    A weight is a number or `[frame]`, from 0, where the clip is unchanged, to 1, where the goal is met; in between, the
    effector moves this share of the path from its position in the clip. A `Fade` has separate weights for position and
    rotation; a gaze and a pole use that of the rotation.
    Targets may have a leading axis of frames. The rest of the figure stays as near to the clip as the goals allow; of a
    person, or a figure with habits, arms go before the trunk, and feet stay that no goal moves. For repeated calls with
    small changes, as in an editor, keep an `Overlay`.

    Args:
        clip: The clip.
        goals: {goal: weight}: a number or `[frame]` from 0 to 1, or a `Fade`.
        props: Carried objects; a goal's `relative_to` may name one. A prop does not guide the joint that holds it, so a
            hand may fade from a grip and take the object along: `prop.along(result)` gives its path.
        frozen: Joints and axes that stay as in the clip; None is the joint that carries the figure.

    Raises:
        GoalError: For goals that cannot fade or weights outside 0 to 1, and as `posable.solve` does.
    """
    return Overlay().over(clip, goals, props, frozen=frozen)


class Overlay:
    """`overlay` for repeated calls with small changes of clips and goals.

    A frame with the pose, targets and weights of any frame of the last call is not solved again, and stays bitwise
    equal.

    Make one Overlay for each clip that is edited, and call `over` after every change, with all goals each time. It
    takes the arguments of `overlay` and returns the same clip.

    Example:
        >>> editor = posable.motion.Overlay()
        >>> hand = posable.Reach("hand_r", (-0.3, 1.2, 0.4))
        >>> first = editor.over(clip, {hand: 0.5})
        >>> again = editor.over(clip, {hand: 0.5})  # nothing has changed: nothing is solved
        >>> bool((first.q == again.q).all())
        True
    """

    def __init__(self) -> None:
        self._known: dict[Hashable, Array] = {}
        self._used: dict[Hashable, Array] = {}

    def over(
        self,
        clip: Clip,
        goals: Mapping[Goal, ArrayLike | Fade],
        props: Sequence[Prop] = (),
        *,
        frozen: Sequence[str] | None = None,
    ) -> Clip:
        """As `overlay`."""
        check_kind(goals, Mapping, "goals on top of a clip are {goal: weight}", error=GoalError)
        fades = {goal: _checked(goal, goals[goal], len(clip)) for goal in as_goals(goals)}
        if frozen is None:
            frozen = [clip.skeleton.joints[carrier_of(clip.skeleton)]] if travels(clip) else []
        named = {prop.name: prop for prop in props}
        result, self._known, self._used = clip, self._used, {}
        for part in _parts(clip, props):
            over_part = {
                _placed(goal, named, result, part): (position[part], rotation[part])
                for goal, (position, rotation) in fades.items()
            }
            q = np.array(result.q)
            q[part] = self._overlaid(clip.poses[part], over_part, frozen)
            result = replace(result, q=q)
        return result

    def _overlaid(self, poses: Pose, fades: Mapping[Goal, tuple[Array, Array]], frozen: Sequence[str]) -> Array:
        """`[frame, coordinates]`: the poses with the goals on top, bitwise equal where no goal has a weight."""
        active = np.zeros(len(poses), bool)
        for position, rotation in fades.values():
            active |= (position > 0) | (rotation > 0)
        found, frames = np.array(poses.q), np.flatnonzero(active)
        if len(frames):
            own = poses[frames]
            faded = [goal.of_frames(frames).faded(own, p[frames], r[frames]) for goal, (p, r) in fades.items()]
            found[frames] = self._solved(own, faded, frozen)
        return found

    def _solved(self, poses: Pose, goals: Sequence[Goal], frozen: Sequence[str]) -> Array:
        """`[frame, coordinates]`: each frame solved from its own pose, so that frozen joints follow the clip."""
        starts, kept = keeping(poses, goals, frozen)
        prepared = prepare(poses.skeleton, [*goals, *kept], frozen=frozen, restarts=0)
        values = prepared.targets.values(None)
        asked, _ = prepared.targets.rows(values, poses.shape, slice(0, len(poses)))
        alike = (poses.skeleton, tuple(frozen), *(goal.structure() for goal in goals))
        names = [(alike, row.tobytes()) for row in np.concatenate([poses.q, asked], axis=1)]
        fresh = {name: frame for frame, name in enumerate(names) if name not in self._known}
        if fresh:
            new = np.array(list(fresh.values()))
            solved = prepared.solve(starts[new], [value[new] for value in values]).pose.q
            self._known |= zip(fresh, solved, strict=True)
        self._used |= {name: self._known[name] for name in names}
        return np.array([self._known[name] for name in names])


def _parts(clip: Clip, props: Sequence[Prop]) -> list[slice]:
    """The clip cut where a prop is grasped, one frame later, and where it is released: within a part the holders do not
    change, and the grip is known from the parts before.
    """
    cuts = {0, len(clip)}
    for prop in props:
        for hold in prop.holds:
            held = hold.frames(clip)
            cuts |= {held.start, min(held.start + 1, len(clip)), held.stop}
    ends = sorted(cuts)
    return [slice(a, b) for a, b in pairwise(ends)]


def _placed(goal: Goal, props: Mapping[str, Prop], done: Clip, part: slice) -> Goal:
    """The goal with its targets of these frames; where it is relative to a prop, relative to the holder of that, or in
    the world. A prop that the goal's own joint holds does not guide it.
    """
    goal = goal.of_frames(part)
    if not isinstance(goal.relative_to, str) or goal.relative_to not in props:
        return goal
    prop = props[goal.relative_to]
    index = done.skeleton.index
    led = replace(prop, holds=tuple(hold for hold in prop.holds if index(hold.joint) != index(goal.joint)))
    way = led.along(done)
    for hold in led.holds:
        held = hold.frames(done)
        if part.start > held.start and part.stop <= held.stop:
            taken = done.poses[held.start].world_from_joint[done.skeleton.index(hold.joint)]
            return goal.moved(rigid_inverse(taken) @ way[held.start], hold.joint)
    return goal.moved(way[part], None)


def _checked(goal: Goal, weight: ArrayLike | Fade, frames: int) -> tuple[Array, Array]:
    if not goal.FADES:
        able = [name for name in all_goals.__all__ if getattr(getattr(all_goals, name), "FADES", False)]
        raise GoalError(f"{goal!r} cannot fade over a clip; {', '.join(able)} can")
    if goal.within is not None:
        raise GoalError(f"{goal._label}: a goal that fades over a clip has one target, no region")
    if goal.frames() - {frames}:
        own = max(goal.frames() - {frames})
        raise GoalError(f"{goal._label}: it has {own} targets, the clip {frames} frames")
    parts = weight if isinstance(weight, Fade) else Fade(weight, weight)
    both = []
    for part in parts:
        over_time = np.asarray(part, float)
        fine = over_time.shape in ((), (frames,)) and bool(((over_time >= 0) & (over_time <= 1)).all())
        if not fine:
            raise GoalError(f"{goal._label}: its weight is 0 to 1, a number or {frames}, one a frame")
        both.append(np.broadcast_to(over_time, (frames,)))
    return both[0], both[1]


# Auto-key: a goal moved at one time of a clip changes the motion around it.


Motion = TypeVar("Motion", Clip, Keys)


def key(
    motion: Motion,
    time: float,
    goals: Sequence[Goal],
    *,
    reach: float = 0.5,
    frozen: Sequence[str] = (),
    restarts: int = 20,
) -> Motion:
    """The motion with `goals` met at `time` seconds.

    In `Keys`, the pose becomes a key. In a `Clip`, the change fades smoothly to zero `reach` seconds before and after,
    so that the rest of the recording is unchanged.
    The pose is the nearest to the motion's own that the goals allow.

    Args:
        motion: Keys or a clip.
        time: Seconds from the beginning.
        goals: The goals.
        reach: Seconds before and after over which the change of a clip fades to zero; above 0.
        frozen: Joints or single axes that must not move, as for `posable.solve`.
        restarts: Further attempts where the first one fails, as for `posable.solve`.

    Raises:
        PosableError: For a time outside a clip, a reach that is not above 0 or a goal with several targets, and as
            `posable.solve` does.
    """
    if not _are_seconds(time):
        raise PosableError(f"a key is at some seconds, not {time!r}")
    if not (_are_seconds(reach) and reach > 0):
        raise PosableError(f"a key reaches some seconds, not {reach!r}")
    if isinstance(motion, Clip) and not 0 <= time <= motion.seconds + 1e-9:
        raise PosableError(f"a key of a clip is within its {motion.seconds:g} s, not at {time:g} s")
    before, goals = motion.at(time), as_goals(goals)
    if several := next((goal for goal in goals if goal.frames() - {1}), None):
        raise GoalError(f"{several._label}: a key needs one target, not {max(several.frames())}, one a frame")
    start, kept = keeping(before, goals, frozen)
    after = solve(start, [*goals, *kept], frozen=frozen, restarts=restarts).pose
    if isinstance(motion, Keys):
        return motion.with_key(time, after)
    share = smootherstep(1 - np.abs(motion.times - time) / reach)
    return replace(motion, q=motion.poses.plus(share[:, None] * after.minus(before)).q)

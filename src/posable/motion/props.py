"""Things that are carried: where a prop is over time, and whose hand holds it when."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from posable.clips import Clip
from posable.errors import PosableError
from posable.spatial import Array, rigid_inverse


@dataclass(frozen=True)
class Hold:
    """A joint holds a prop for some time.

    Args:
        joint: Name of the joint.
        start: Start in seconds.
        end: End in seconds; None is the end of the clip.

    Example:
        >>> hold = posable.motion.Hold("hand_r", start=0.5, end=1.0)  # seconds
    """

    joint: str
    start: float = 0.0
    end: float | None = None

    def frames(self, clip: Clip) -> range:
        """The frames of `clip` in which the prop is held."""
        first = int(np.ceil(self.start * clip.fps - 1e-9))
        last = len(clip) if self.end is None else int(np.floor(self.end * clip.fps + 1e-9)) + 1
        return range(min(first, len(clip)), min(last, len(clip)))


@dataclass(frozen=True, eq=False)
class Prop:
    """An object that is not part of a figure: a cup, a lever, a cylinder to lift.

    Args:
        name: Name of the prop.
        world_from_prop: Rigid transform `[4, 4]`, or `[frame, 4, 4]` for a prop that moves on its own.
        holds: The joints that carry it, and when; see `attach`.

    Raises:
        PosableError: For a transform that is not rigid, or overlapping holds.
    """

    name: str
    world_from_prop: Array
    holds: tuple[Hold, ...] = ()

    def __post_init__(self) -> None:
        frames = np.array(self.world_from_prop, float)
        rigid = frames.shape[-2:] == (4, 4) and frames.ndim in (2, 3) and np.isfinite(frames).all()
        if rigid:
            turn = frames[..., :3, :3]
            rigid = bool(np.abs(turn @ np.swapaxes(turn, -1, -2) - np.eye(3)).max() < 1e-6)
        if not rigid:
            raise PosableError(
                f"prop {self.name!r}: world_from_prop must be a rigid transform [4, 4], or one per frame"
            )
        holds = sorted(self.holds, key=lambda hold: hold.start)
        for one, following in pairwise(holds):
            if one.end is None or one.end > following.start:
                raise PosableError(
                    f"prop {self.name!r}: {one.joint!r} still holds it when {following.joint!r} takes it"
                )
        for hold in holds:
            if not (0 <= hold.start < np.inf) or (hold.end is not None and not hold.start < hold.end):
                raise PosableError(f"prop {self.name!r}: {hold.joint!r} holds it from a time to a later one")
        frames.setflags(write=False)
        object.__setattr__(self, "world_from_prop", frames)
        object.__setattr__(self, "holds", tuple(holds))

    def along(self, clip: Clip) -> Array:
        """`[frame, 4, 4]`: where the prop is while the clip plays. While a joint holds it, it moves with the joint
        as it was when taken; when let go it stays, or goes on by itself from there if it moves by itself.

        Raises UnknownJointError, and PosableError for a motion of its own that has not the clip's length.
        """
        own = self.world_from_prop
        if own.ndim == 3 and len(own) != len(clip):
            raise PosableError(f"prop {self.name!r} moves for {len(own)} frames, the clip has {len(clip)}")
        frames = np.array(np.broadcast_to(own, (len(clip), 4, 4)))
        for hold in self.holds:
            joint = clip.poses.world_from_joint[:, clip.skeleton.index(hold.joint)]
            held = hold.frames(clip)
            if not held:
                continue
            first, last = held.start, held.stop
            frames[first:last] = joint[first:last] @ rigid_inverse(joint[first]) @ frames[first]
            # Its own motion goes on from where it was let go.
            by = frames[last - 1] @ rigid_inverse(frames[last]) if last < len(clip) else np.eye(4)
            frames[last:] = by @ frames[last:]
        return frames


def attach(prop: Prop, joint: str, start: float = 0.0, end: float | None = None) -> Prop:
    """Attach a prop to a joint for some time, as it lies in the hand at the start.

    Args:
        prop: The prop.
        joint: Name of the joint that carries it.
        start: Start in seconds.
        end: End in seconds; None is the end of the clip.

    Returns:
        The attached prop.

    Raises:
        PosableError: If another joint holds the prop at that time.

    Example:
        >>> cup = posable.attach(posable.motion.Prop("cup", np.eye(4)), "hand_r", start=0.5)
    """
    return replace(prop, holds=(*prop.holds, Hold(joint, start, end)))

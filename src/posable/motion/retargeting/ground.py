"""The ground: of the source as its own contacts show it, and the one on which the target is to walk."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.ndimage import gaussian_filter1d

from posable.clips import Clip
from posable.motion.feet.contacts import Contacts, runs
from posable.motion.retargeting.body import Body
from posable.spatial import Array

_UNEVEN = 0.12  # of the leg: contacts whose heights differ by less are on level ground, recorded with some error
_RAISED = 0.5  # of the leg: a foot so far above the other stands on nothing
_OVER = 0.25  # s over which the figure follows the ground from one stand to the next
_NEAR = 0.2  # of the leg: ground so near that of the figure at rest is taken to be it


@dataclass(frozen=True, eq=False)
class Ground:
    """level: whether it is. floor: its height for the target; rise: over the source's, scaled; scale: of lengths.

    lifts: `[frame]` how much higher the target goes than the source, scaled, by all this.
    """

    level: bool
    floor: float
    rise: float
    scale: float
    lifts: Array

    def under(self, heights: Array) -> Array:
        """`[frame]` the target's ground where the source's is at `heights`."""
        return np.full(len(heights), self.floor) if self.level else self.scale * heights + self.rise


def ground_of(clip: Clip, touching: Contacts, target: Body, scale: float, *, stands: bool) -> Ground:
    """The ground of the target. stands: its rest pose is known to stand on the ground, which is then kept if near."""
    own = np.array([heights(clip, touching, row) for row in range(len(touching.soles))])
    every = own[touching.ball]
    if not len(every):  # it flies all the time
        every = own.min(keepdims=True)[0]
    middle = scale * float(np.median(every))
    leg = target.leg_length
    level = scale * float(np.ptp(np.percentile(every, (5, 95)))) < _UNEVEN * leg
    floor = target.floor if stands and abs(target.floor - middle) < _NEAR * leg else middle
    lifts = np.full(len(clip), floor - middle)
    if level:
        lifts += middle - scale * _walked_on(own, touching)
    return Ground(level, floor, floor - middle, scale, lifts)


def _walked_on(own: Array, touching: Contacts) -> Array:
    """`[frame]` the height of the ground from stand to stand, smoothly; own: `[foot, frame]` by each ball."""
    stands = [(foot, run) for foot in range(len(own)) for run in runs(touching.ball[foot])]
    if not stands:
        return np.full(own.shape[1], own.min())
    stands.sort(key=lambda one: sum(one[1]))
    middles = [0.5 * (start + end - 1) for _, (start, end) in stands]
    levels = [float(own[foot, start:end].mean()) for foot, (start, end) in stands]
    return gaussian_filter1d(np.interp(np.arange(own.shape[1]), middles, levels), _OVER * touching.fps, mode="nearest")


def believable(clip: Clip, touching: Contacts) -> Contacts:
    """The contacts without those of a foot held up beside a standing one: it is still, but on no ground."""
    places = np.array([heights(clip, touching, row) for row in range(len(touching.soles))])
    raised = places - places.min(axis=0) > np.array([[_RAISED * sole.length] for sole in touching.soles])
    return replace(touching, heel=touching.heel & ~raised, ball=touching.ball & ~raised, toe=touching.toe & ~raised)


def heights(clip: Clip, touching: Contacts, row: int) -> Array:
    """`[frame]` how high the source's ground is, where the ball of that foot stands on it."""
    sole = touching.soles[row]
    return sole.ball_places(clip.poses)[:, "xyz".index(clip.skeleton.up)] - sole.ball_height

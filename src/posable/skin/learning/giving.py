"""The two easier problems: weights where the motion is given, motion where the weights are."""

from __future__ import annotations

import numpy as np

from posable.skin.learning.alternating import Blend, in_unit
from posable.skin.learning.clusters import rigid_fit
from posable.skin.learning.moving import normal_sums, sweep
from posable.skin.learning.newton import EachFree, minimised
from posable.skin.learning.sequence import Sequence, unit_or_one
from posable.skin.learning.sharing import share, squared_blend_errors
from posable.spatial import Array

_TRIES, _WIDE, _PASSES = 6, 14, 2
_ROUNDS, _SWEEPS, _STEPS = 6, 3, 10


def weights_for(sequence: Sequence, transforms: Array, influences: int) -> Blend:
    """The best weights for joints that move by `transforms [frame, joint, 4, 4]` world_from_rest, rigid or not."""
    here = np.linalg.inv(sequence.world_from_here)[:, None] @ transforms @ np.linalg.inv(sequence.here_from_rest)
    motion = np.ascontiguousarray(here[..., :3, :].swapaxes(-1, -2))
    joints = np.zeros((len(sequence.points), influences), np.int64)
    weights = np.zeros(joints.shape)
    left = np.empty(0)
    for _ in range(_PASSES):
        left = share(sequence, motion, joints, weights, _TRIES, _WIDE)
    return Blend(motion, joints, weights, left)


def unit_of(transforms: Array) -> float | None:
    """The scale that `transforms [frame, joint, 4, 4]` have in common; None, to be seen, where they have none."""
    volumes = np.abs(np.linalg.det(transforms[..., :3, :3]))
    middle = float(np.cbrt(np.median(volumes)))
    return unit_or_one(middle) if middle > 0 else None


def motion_for(sequence: Sequence, dense: Array) -> tuple[Sequence, Blend]:
    """The best rigid motion of joints with weights `dense [vertex, joint]`; the sequence, its unit corrected.

    It begins with every joint fitted to the vertices that follow it most.
    """
    count = dense.shape[1]
    vertex, joint = np.nonzero((dense > 0) & (dense >= 0.5 * dense.max(axis=0)))
    motion = rigid_fit(sequence.of(vertex), joint, count)
    width = int((dense > 0).sum(axis=1).max())
    joints = np.argsort(-dense, axis=1, kind="stable")[:, :width]
    weights = np.take_along_axis(dense, joints, axis=1)
    blend = Blend(motion, joints, weights, squared_blend_errors(sequence, motion, joints, weights))
    for _ in range(_ROUNDS if sequence.other_unit else 1):
        sequence, blend = in_unit(sequence, blend)
        motion = blend.motion.copy()
        sums = normal_sums(sequence, joints, weights, count)
        sweep(motion, *sums, _SWEEPS)
        motion = minimised(motion, *sums, EachFree(), _STEPS)
        blend = Blend(motion, joints, weights, squared_blend_errors(sequence, motion, joints, weights))
    return sequence, blend

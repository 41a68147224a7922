"""Figures and motions for tests of clips."""

from __future__ import annotations

import numpy as np

from posable.clips import Clip
from posable.skeleton import Axis, Joint, Skeleton

UP = (0.0, 1.0, 0.0)


def biped() -> Skeleton:
    """A free pelvis with a ball spine and two sides: ball hips with turned rests, hinge knees, a sliding foot."""
    joints = [Joint("pelvis", "free", rest=(0.1, 1.0, 0.2, 1, 0, 0, 0)), Joint("spine", "ball", "pelvis", (0, 0.3, 0))]
    for side, name in ((1.0, "l"), (-1.0, "r")):
        turned = (0.9, 0.1, 0.3 * side, 0.05 * side)
        joints += [
            Joint(f"hip_{name}", "ball", "pelvis", (0.1 * side, -0.05, 0), turned),
            Joint(f"knee_{name}", "hinge", f"hip_{name}", (0, -0.4, 0), axes=(Axis((1.0, 0.2 * side, 0.0)),)),
            Joint(f"foot_{name}", "slide", f"knee_{name}", (0, -0.4, 0.02), axes=(Axis((0.0, -0.3, 1.0), slide=True),)),
        ]
    return Skeleton(joints)


def wandering(frames: int = 60, fps: float = 30.0, seed: int = 0) -> Clip:
    """A smooth motion of everything, the root going about and turning round and round."""
    rng, skeleton = np.random.default_rng(seed), biped()
    start = skeleton.random_pose(rng)
    times = np.arange(frames) / fps
    waves = sum(np.sin(2 * times[:, None] * k + rng.uniform(0, 6, skeleton.dof)) / k for k in (1, 2, 3))
    step = 0.3 * np.asarray(waves)
    step[:, :3] += times[:, None] * [1.0, 0.0, 0.5]
    step[:, 3:6] += times[:, None] * [0.1, 2.5, 0.0]
    return Clip(skeleton, start.plus(step).q, fps, "wander")

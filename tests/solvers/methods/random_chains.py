"""Chains whose joints are drawn by lot."""

from __future__ import annotations

import numpy as np

from posable import Axis, Cone, Joint, Skeleton


def random_chain(rng: np.random.Generator, count: int, kind: str, limit: float | None) -> Skeleton:
    """Pieces of 1 along x, ending in "tip"; hinges about any axis, or balls; limits ± `limit`, swing and twist."""
    joints: list[Joint] = []
    for k in range(count):
        parent, position = (joints[-1].name, (1.0, 0.0, 0.0)) if k else (None, (0.0, 0.0, 0.0))
        if kind == "ball":
            cone = Cone((1, 0, 0), limit, (-limit, limit)) if limit else None
            joints.append(Joint(f"j{k}", "ball", parent, position, cone=cone))
        else:
            bounds = {"lower": -limit, "upper": limit} if limit else {}
            joints.append(Joint(f"j{k}", "hinge", parent, position, axes=(Axis(tuple(rng.normal(size=3)), **bounds),)))
    return Skeleton([*joints, Joint("tip", "fixed", joints[-1].name, (1.0, 0.0, 0.0))])

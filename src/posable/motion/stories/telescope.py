"""The telescope: three cylinders pulled down into one another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from posable.figures import Figure, figure
from posable.goals import Reach
from posable.motion.pursuit import pursue
from posable.motion.stories.story import Story, gathered
from posable.skeleton import Skeleton
from posable.solvers.methods import CyclicDescent, Method

_FPS = 20.0


def telescope() -> Story:
    """Three telescopes pulled down: in order, the top one first; with ease, a little of both; shared by all joints.

    Their joints are order/middle, order/top, ease/middle and so on; the tip is pulled from 90 to 30 and let up again.
    """
    plain = figure("telescope")
    in_order = CyclicDescent(order="tip_first", help=False)
    ways: dict[str, tuple[Figure, Method | None]] = {
        "order": (plain, in_order),
        "ease": (_eased(plain, 10.0), in_order),
        "shared": (plain, None),
    }
    down = np.linspace(90.0, 30.0, 41)
    heights = np.concatenate([down, np.full(10, 30.0), down[::-1], np.full(5, 90.0)])
    targets = np.stack([0 * heights, heights, 0 * heights], axis=-1)
    goals = [Reach("tip", targets)]
    moves = {name: pursue(one.rest, goals, method, steps=100).q for name, (one, method) in ways.items()}
    three, clip = gathered({name: one for name, (one, _) in ways.items()}, moves, _FPS, {
        "ease": (35.0, 0.0, 0.0), "shared": (70.0, 0.0, 0.0)
    })  # fmt: skip
    return Story("telescope", three, clip, (80.0, 95.0, 290.0), (35.0, 42.0, 0.0), 26.0)


def _eased(plain: Figure, ease: float) -> Figure:
    """The telescope whose slides resist the more, the nearer they are to their ends."""
    joints = [replace(one, ease=ease) if one.kind == "slide" else one for one in plain.skeleton.definitions]
    return plain.on(Skeleton(joints, plain.skeleton.up))

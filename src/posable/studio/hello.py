"""The first event for a new page: the available figures, demos, methods, exports and gait parameters."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any

import posable
from posable.solvers import METHODS

FIGURES = ("mannequin", "doorbell_arm", "snake", "tentacle", "telescope", "arm6", "arm7")
EXPORTS = ("glb", "bvh", "mp4", "gif", "png", "html", "session", "ground")
_UNFIT = {"SplineIK"}  # needs a curve instead of goals


@cache
def hello_event() -> dict[str, Any]:
    """The event; gait parameters come with their ranges."""
    from posable.studio.demos import DEMOS

    return {
        "event": "hello",
        "figures": list(FIGURES),
        "demos": list(DEMOS),
        "methods": ["LeastSquares", *(name for name in METHODS if name not in _UNFIT)],
        "exports": list(EXPORTS),
        "gait": _gait_numbers(),
    }


def _gait_numbers() -> list[dict[str, Any]]:
    human = posable.Gait.load("human")
    found = []
    for one in fields(posable.Gait):
        value = getattr(human, one.name)
        if "low" in one.metadata and not one.metadata["help"].startswith("quadratic"):
            low, high = float(one.metadata["low"]), float(one.metadata["high"])
            default = float(value) if isinstance(value, int | float) else (low + high) / 2
            found.append({"name": one.name, "low": low, "high": high, "default": default, "help": one.metadata["help"]})
    return found

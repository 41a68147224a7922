"""How a solve is to be run, the same for every method."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from posable.errors import GoalError
from posable.goals.rows import is_number


@dataclass(frozen=True)
class Options:
    """The options of `posable.solve`, checked.

    Raises GoalError for tolerances not above 0 and counts that are none.
    """

    tolerance: float = 1e-6
    angle_tolerance: float = 1e-5
    max_iterations: int = 100
    restarts: int = 20
    seed: int = 0
    frozen: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for what in ("tolerance", "angle_tolerance"):
            value = getattr(self, what)
            if not (is_number(value) and 0 < value < np.inf):
                raise GoalError(f"{what} must be a number above 0, not {value!r}")
        for what, least in (("max_iterations", 1), ("restarts", 0), ("seed", 0)):
            value = getattr(self, what)
            if not (is_number(value) and least <= value < 2**63 and int(value) == value):
                raise GoalError(f"{what} must be a whole number of at least {least}, not {value!r}")

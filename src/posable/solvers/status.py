"""How a solve ended, and why."""

from __future__ import annotations

from enum import IntEnum


class Status(IntEnum):
    """Why a solve ended. Every status but the first says that some goal is not met, and is earned by a proof or a
    search.

    Example:
        >>> posable.solve(figure.rest, [posable.Reach("hand_r", (9, 9, 9))], frozen=["root"]).status.name
        'OUT_OF_REACH'
    """

    REACHED = 0
    """Every goal with a weight is within its tolerance."""
    AT_LIMIT = 1
    """No better pose was found, and without the limits that hold it the goals would be met."""
    OUT_OF_REACH = 2
    """A target is proved to be too far away (or too near), limits or not."""
    COMPROMISE = 3
    """Each goal can be met alone but not all together: the weighted best."""
    LOCAL_MINIMUM = 4
    """No better pose was found, in all restarts if the method has any, and nothing proves that there is none."""
    OUT_OF_ITERATIONS = 5
    """The search was still winning when its iterations ran out."""

    def __str__(self) -> str:
        return self.name

    def __format__(self, spec: str) -> str:
        return format(int(self) if spec.endswith("d") else self.name, spec)

"""What happens in a clip: a foot lands, a hand lets go."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from posable.errors import PoseError


@dataclass(frozen=True, order=True)
class Event:
    """Something named that happens at `seconds` from a clip's first frame; joint: what it happens to, if to one.

    Raises PoseError for a time that is no finite number.
    """

    seconds: float
    name: str
    joint: str = ""

    def __post_init__(self) -> None:
        if not math.isfinite(self.seconds):
            raise PoseError(f"event {self.name!r}: its time is a finite number of seconds, not {self.seconds}")

    def moved(self, seconds: float) -> Event:
        """The same event so much later."""
        return replace(self, seconds=self.seconds + seconds)


def within(events: Iterable[Event], start: float, end: float) -> tuple[Event, ...]:
    """The events from `start` to `end`, both included to within a microsecond, told from `start`."""
    return tuple(event.moved(-start) for event in events if start - 1e-6 <= event.seconds <= end + 1e-6)

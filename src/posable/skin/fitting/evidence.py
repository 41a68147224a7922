"""What speaks for a fitted skeleton, and against it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

_DOUBTFUL = 0.5


class Evidence(NamedTuple):
    """doubt: the sentence to report where `strength`, 0 … 1, is low. floor: what the score falls to without it."""

    doubt: str
    strength: float
    floor: float


def score_of(found: Iterable[Evidence]) -> float:
    """0 … 1: the product of what each piece of evidence leaves."""
    score = 1.0
    for one in found:
        score *= one.floor + (1 - one.floor) * min(max(one.strength, 0.0), 1.0)
    return score


def doubts_of(found: Iterable[Evidence]) -> tuple[str, ...]:
    """The sentences of what is weakly supported, in order."""
    return tuple(one.doubt for one in found if one.strength < _DOUBTFUL)

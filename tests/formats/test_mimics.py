"""Mimics: ties without circles, in chains of any length."""

from __future__ import annotations

import numpy as np

from posable.formats.defaults import Mimics


def test_a_tie_is_refused_where_it_closes_a_circle_or_is_the_second() -> None:
    mimics = Mimics()
    assert mimics.tie("a", "b")
    assert mimics.tie("b", "c")
    assert not mimics.tie("c", "a")
    assert not mimics.tie("d", "d")
    assert not mimics.tie("a", "d")
    assert mimics.tie("c", "d")  # what was refused has left nothing behind


def test_random_ties_agree_with_a_walk_along_the_chain() -> None:
    rng = np.random.default_rng(0)
    mimics, ahead = Mimics(), {}
    refused = 0
    for follower, leader in rng.integers(0, 60, (2_000, 2)).tolist():
        last = leader
        while last in ahead:
            last = ahead[last]
        allowed = follower not in ahead and last != follower
        assert mimics.tie(follower, leader) is allowed
        if allowed:
            ahead[follower] = leader
        refused += not allowed
    assert len(ahead) == 59
    assert refused == 1_941

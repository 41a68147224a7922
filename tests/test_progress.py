"""How far long work is, as whoever waits hears it, and how it is ended."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import posable
from posable.progress import part_of_work, progress_heard, tell_progress


def test_parts_count_as_shares_of_the_whole_under_its_name() -> None:
    heard: list[tuple[str, float]] = []
    with progress_heard(lambda *told: heard.append(told)), part_of_work(0.2, 0.6, "the whole"), part_of_work(0.5, 1.0):
        tell_progress("a part", 0.0)
        tell_progress("a part", 0.5)
        tell_progress("a part", 1.0)
    assert [what for what, _ in heard] == ["the whole"] * 3
    assert np.allclose([share for _, share in heard], [0.4, 0.5, 0.6])


def test_the_share_of_a_part_never_falls_where_several_works_begin_anew() -> None:
    heard: list[float] = []
    with progress_heard(lambda _, share: heard.append(share)), part_of_work(0.2, 0.6):
        for share in (0.0, 0.5, 1.0, 0.0, 0.5):
            tell_progress("a solve", share)
    assert np.allclose(heard, [0.2, 0.4, 0.6, 0.6, 0.6])


def test_nobody_has_to_listen() -> None:
    with part_of_work(0.0, 0.5, "work"):
        tell_progress("work", 0.5)


def walk() -> posable.Clip:
    return posable.load(posable.sample("walk.bvh")).clips[0]


@pytest.mark.parametrize("sample", ["knight.glb", "g1.urdf"])
def test_retargeting_tells_how_far_it_is_under_one_name(sample: str) -> None:
    """The share never falls and ends at 1, though it consists of several solves."""
    heard: list[tuple[str, float]] = []
    clip = walk()
    with progress_heard(lambda *told: heard.append(told)):
        posable.retarget(clip, posable.load(posable.sample(sample), root="free" if sample == "g1.urdf" else None))
    shares = [share for _, share in heard]
    assert {what for what, _ in heard} == {f"retargeting {clip.name}"}
    assert all(later >= former for former, later in pairwise(shares))
    assert shares[-1] == 1.0 and sum(0.0 < share < 1.0 for share in shares) > 5


def test_a_listener_ends_the_work() -> None:
    class EndedError(Exception):
        pass

    heard: list[float] = []

    def hear(_: str, share: float) -> None:
        heard.append(share)
        if len(heard) == 3:
            raise EndedError

    with pytest.raises(EndedError), progress_heard(hear):
        posable.retarget(walk(), posable.load(posable.sample("knight.glb")))
    assert len(heard) == 3

"""Files with several figures: which of them commands move is said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import posable
from posable.cli.bystanders import bystanders, stays_still
from posable.figures import merge_figures

SAID = "holds 2 figures: that of ann/root moves, bob/root stays still."


@pytest.fixture(scope="module")
def pair() -> posable.Figure:
    """Two mannequins side by side."""
    one = posable.figure("mannequin")
    return merge_figures({"ann": one, "bob": one}, {"bob": (2.0, 0.0, 0.0)})


def test_figures_after_the_first_are_bystanders(pair: posable.Figure) -> None:
    assert bystanders(pair) == ["bob/root"]
    assert bystanders(posable.figure("mannequin")) == []
    assert stays_still(posable.figure("mannequin"), "one.glb") == []


def test_info_walk_and_retarget_say_who_stays_still(
    pair: posable.Figure, run: Callable[..., Any], tmp_path: Path
) -> None:
    posable.save(tmp_path / "pair.glb", pair)
    assert SAID in run("info", "pair.glb").out
    walked = run("walk", "pair.glb", "--steps", "2", "-o", "walked.glb")
    assert walked.out.count(SAID) == 1
    moved = posable.load(tmp_path / "walked.glb")
    paths = [moved.clips[0].poses.of(f"{name}/root") for name in ("ann", "bob")]
    travel = [path[-1] - path[0] for path in paths]
    assert abs(travel[0]).max() > 0.3
    assert abs(travel[1]).max() < 1e-6
    assert SAID in run("retarget", posable.sample("walk.bvh"), "pair.glb", "-o", "moved.glb").out

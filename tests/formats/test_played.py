"""The clip that a file states to be its motion: posable takes it where no clip is named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import posable
from posable.figures import Clips

FORMATS = ("glb", "gltf", "fbx", "usda")


@pytest.fixture
def figure() -> posable.Figure:
    """A snake with two clips, the second of which bends it the other way."""
    snake = posable.figure("snake")
    bend = np.linspace(0, 0.3, 5)[:, None]
    clips = [
        posable.Clip(snake.skeleton, snake.skeleton.rest_coordinates + side * bend, 30, name)
        for side, name in ((1, "left"), (-1, "right"))
    ]
    return replace(snake, clips=Clips(clips))


def _read(path: Path) -> posable.Figure:
    if path.suffix == ".usda":
        pytest.importorskip("pxr", reason="USD is read by usd-core")
    return posable.load(path)


@pytest.mark.parametrize("ending", FORMATS)
def test_the_saved_clip_is_the_one_that_the_file_plays(figure: posable.Figure, tmp_path: Path, ending: str) -> None:
    """`report` and `render` showed the first clip of a character's file after `retarget` had added one."""
    path = tmp_path / f"one.{ending}"
    posable.save(path, figure, figure.clips["right"])
    first = _read(path)
    assert [clip.name for clip in first.clips] == ["left", "right"]
    assert (first.played, first.main_clip) == ("right", first.clips["right"])
    posable.save(path, first)  # as it is
    assert _read(path).played == "right"
    posable.save(path, first, first.clips["left"])  # the other one, which the file has already
    other = _read(path)
    assert (other.played, [clip.name for clip in other.clips]) == ("left", ["left", "right"])


@pytest.mark.parametrize("ending", [one for one in FORMATS if one != "usda"])  # a USD file is written anew
def test_a_new_clip_gets_a_free_name_and_is_played(figure: posable.Figure, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"one.{ending}"
    posable.save(path, figure, figure.clips["left"])
    first = _read(path)
    posable.save(path, first, posable.Clip(first.skeleton, first.clips["left"].q[::-1], 30, "right"))
    again = _read(path)
    assert (again.played, again.main_clip) == ("right_2", again.clips[-1])
    np.testing.assert_allclose(again.clips[-1].poses[0].origins, first.clips["left"].poses[-1].origins, atol=1e-5)


def test_without_such_a_statement_it_is_the_first(figure: posable.Figure, tmp_path: Path) -> None:
    posable.save(tmp_path / "one.glb", figure)
    plain = posable.load(tmp_path / "one.glb")
    assert (plain.played, plain.main_clip) == ("", plain.clips[0])
    assert replace(plain, clips=Clips()).main_clip is None
    posable.save(tmp_path / "one.bvh", replace(figure, played="right"))  # a file of one clip
    written = posable.load(tmp_path / "one.bvh").clips[0].poses[-1].origins[-1]
    np.testing.assert_allclose(written, figure.clips["right"].poses[-1].origins[-1], atol=1e-4)

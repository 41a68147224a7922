"""`posable points` and `posable video`: what a person was seen to do, on a figure."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from motion.key_points.seen import SIZE, filmed

import posable
from posable.formats import video
from posable.motion.key_points import KeyPoints


@pytest.fixture(scope="module")
def points() -> KeyPoints:
    figure = posable.figure("mannequin")
    clip = posable.clips.trim(posable.walk(figure, steps=2), 0.0, 1.0)
    truth = filmed(figure, clip, "coco17", lost=0.0)
    return KeyPoints.of("coco17", truth.pixels, clip.fps, size=SIZE)


@pytest.mark.slow
def test_points_become_a_figure_with_a_clip(run: Callable[..., Any], tmp_path: Path, points: KeyPoints) -> None:
    np.save(tmp_path / "points.npy", points.positions)
    given = ("--convention", "coco17", "--size", "1280x720", "--fps", "30", "--focal", "1200")
    ran = run("points", tmp_path / "points.npy", "-o", "out.glb", *given)
    assert ran.status == 0, ran.err
    assert "17 points" in ran.out
    assert "off the camera's own" in ran.out
    assert len(posable.load("out.glb").clips[0]) == len(points)
    ran = run("points", tmp_path / "points.npy", posable.sample("knight.glb"), "-o", "knight.glb", *given, "--json")
    assert ran.json["frames"] == len(points)
    assert ran.json["used"][0] == "nose"
    assert ran.json["clip"] in {clip.name for clip in posable.load("knight.glb").clips}
    assert run("points", tmp_path / "points.npy", "-o", "out.glb", *given).status == 1
    (tmp_path / "empty.json").write_text("[]")
    ran = run("points", tmp_path / "empty.json", "-o", "other.glb")
    assert (ran.status, "holds no frames" in ran.err) == (1, True)


def test_a_video_is_estimated_after_asking(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, points: KeyPoints
) -> None:
    (tmp_path / "film.mp4").write_bytes(b"\0frames")
    made: list[bool] = []
    monkeypatch.setattr(video, "is_made", lambda: bool(made))
    monkeypatch.setattr(video, "make_environment", lambda: made.append(True))
    monkeypatch.setattr(video, "key_points_of_video", lambda _path, **_given: points)
    ran = run("video", tmp_path / "film.mp4", "-o", "out.glb")
    assert (ran.status, made) == (1, [])
    assert "is not installed; run posable video with --yes" in ran.err
    assert not Path("out.glb").exists()
    ran = run("video", tmp_path / "film.mp4", "-o", "out.glb", "--yes")
    assert ran.status == 0, ran.err
    assert "Installing mediapipe" in ran.err
    assert made == [True]
    assert len(posable.load("out.glb").clips[0]) == len(points)
    ran = run("video", tmp_path / "gone.mp4", "-o", "other.glb")
    assert (ran.status, "no such file" in ran.err) == (1, True)

"""Saving: what belongs to another figure, and what is there already, is refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import posable
from posable.clips import Clip
from posable.errors import FileError, PosableError
from posable.figures import figure
from posable.formats import save


@pytest.mark.parametrize("motion", ["pose", "clip"])
def test_motion_of_another_skeleton_is_refused_even_where_the_numbers_would_fit(tmp_path: Path, motion: str) -> None:
    snake, other = figure("snake"), figure("tentacle").rest
    assert snake.skeleton.coordinates == other.skeleton.coordinates
    moved = other if motion == "pose" else Clip(other.skeleton, other.q[None], 30.0)
    with pytest.raises(PosableError, match="belongs to another skeleton than the figure; retarget it first"):
        save(tmp_path / "out.glb", snake, moved)
    assert not list(tmp_path.iterdir())


def test_poses_of_the_same_joints_without_limits_are_taken(tmp_path: Path) -> None:
    snake = figure("snake")
    save(tmp_path / "out.toml", snake, snake.skeleton.without_limits().random_pose(np.random.default_rng(0)))
    assert (tmp_path / "out.toml").exists()


def test_a_file_that_is_there_stays_unless_it_may_be_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "out.toml"
    path.write_text("mine")
    with pytest.raises(FileError, match="already exists; choose another name, or allow overwriting"):
        save(path, figure("arm6"), overwrite=False)
    assert path.read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (lambda path, snake: (snake, path), "the path is the name of a file, not Figure; posable.save(path, figure"),
        (lambda path, snake: (path, snake.rest), "what is saved is a Figure, not Pose; posable.save(path, figure"),
        (
            lambda path, snake: (path, snake, posable.solve(snake.rest, [])),
            "in a Pose or with a Clip, not Solution; a solution's pose is solution.pose",
        ),
        (lambda path, snake: (path, snake, snake), "a figure is saved in a Pose or with a Clip, not Figure"),
    ],
)
def test_what_cannot_be_saved_is_said(tmp_path: Path, arguments: Any, reason: str) -> None:
    with pytest.raises(PosableError, match=re.escape(reason)):
        save(*arguments(tmp_path / "out.glb", figure("snake")))
    assert not list(tmp_path.iterdir())

"""`posable roles`: words, a table to correct, a picture."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import posable
from posable import PosableError
from posable.view import roles_picture


@pytest.fixture
def walker(tmp_path: Path) -> Path:
    """A person whose pelvis two joints could be."""
    figure = posable.figure("mannequin")
    path = tmp_path / "walker.glb"
    posable.save(path, figure)
    return path


def test_it_lists_parts_and_how_sure_they_are(run, walker) -> None:
    lines = run("roles", walker).out.splitlines()
    assert any(line.split() == ["hand_l", "100%", "hand_l"] for line in lines)
    assert not any("right?" in line for line in lines)
    told = run("roles", walker, "--json").json
    assert told["roles"]["foot_r"] == "foot_r" and told["confidence"]["foot_r"] == 1.0


def test_what_is_unsure_becomes_a_question_and_a_corrected_table_an_answer(run, shared, tmp_path) -> None:
    path, table = shared / "characters/RobotExpressive.glb", tmp_path / "table.toml"
    asked = run("roles", path, "-o", table)
    assert "Is this right? hips = Body" in asked.out and f"Wrote {table}." in asked.out
    assert "Draw it with --picture PNG, correct the table and give it as --roles TOML." in asked.out
    table.write_text(table.read_text(encoding="utf-8").replace('hips = "Body"', 'hips = "Hips"'), encoding="utf-8")
    answered = run("roles", path, "--roles", table)
    assert "right?" not in answered.out
    assert "Hips" in answered.out.splitlines()[0]


def test_a_file_without_a_body_says_so(run, arm) -> None:
    ran = run("roles", arm)
    assert ran.status == 0
    assert "No part of a body was found in arm.toml" in ran.out


def test_existing_files_stay(run, walker, tmp_path) -> None:
    (tmp_path / "table.toml").write_text("mine")
    assert run("roles", walker, "-o", tmp_path / "table.toml").status == 1
    assert (tmp_path / "table.toml").read_text() == "mine"


@pytest.mark.slow
def test_the_picture_has_warm_colours_on_the_left_and_cool_ones_on_the_right(run, walker, tmp_path) -> None:
    assert run("roles", walker, "--picture", tmp_path / "parts.png").status == 0
    assert (tmp_path / "parts.png").stat().st_size > 10_000
    image = roles_picture(posable.figure("mannequin"), size=(600, 400)).astype(int)
    front = image[:, :200]
    warm = (front[..., 0] > 150) & (front[..., 2] < 60) & (front[..., 1] < 190)
    cool = (front[..., 2] > 150) & (front[..., 0] < 60)
    assert warm.sum() > 100 and cool.sum() > 100
    assert warm.nonzero()[1].mean() > cool.nonzero()[1].mean() + 20  # its left is at the right of the picture
    with pytest.raises(PosableError, match=r"written as \.png"):
        roles_picture(posable.figure("mannequin"), path=tmp_path / "parts.jpg")


def test_the_legend_has_room_for_long_names() -> None:
    """Those of robots were cut off at the right edge."""
    figure = posable.load(posable.sample("g1.urdf"))
    drawn = roles_picture(figure, posable.roles(figure))
    assert np.ptp(drawn[:, -4:].astype(int), axis=(0, 1)).max() == 0  # nothing but paper at the edge

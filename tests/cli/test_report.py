"""`posable report`: numbers, a text with plots, side by side with the source, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import posable


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    """A walk in a file."""
    figure = posable.figure("mannequin")
    posable.save(tmp_path / "walk.bvh", figure, posable.walk(figure, steps=4))
    return tmp_path / "walk.bvh"


def test_numbers_for_people_and_for_machines(run: Callable[..., Any], walk: Path) -> None:
    ran = run("report", walk)
    assert ran.status == 0, ran.err
    for name in ("skate", "GMD skating ratio", "PhysDiff float", "EDGE PFC", "walk ratio", "knee jerk"):
        assert name in ran.out
    jerk = next(line for line in ran.out.splitlines() if line.startswith("knee jerk"))
    assert jerk.endswith("rad/s³            at most 1.2 × that of the source (--against)")
    assert "people: 5.5 to 7.5" in ran.out
    ran = run("report", walk, "--json")
    figure = posable.load(walk)
    wanted = posable.motion.motion_report(figure.clips[0], figure=figure)
    found = ran.json["result"]
    assert found["frames"] == wanted.frames
    assert found["measures"]["step_length"]["value"] == pytest.approx(wanted.step_length)
    assert found["measures"]["self_penetration"]["value"] is None
    assert ran.json["change"] is None
    assert ran.json["wrote"] == []


def test_of_several_clips_the_measured_one_is_named(run: Callable[..., Any]) -> None:
    knight = posable.sample("knight.glb")
    for clip, asked in (("Idle", ()), ("Running_A", ("--clip", "Running_A"))):
        assert run("report", knight, *asked).out.split("\n")[0].split() == [
            "measure",
            "knight.glb:",
            clip,
            "unit",
            "compare",
            "with",
        ]
    assert run("report", knight, "--json").json["result"]["file"] == "knight.glb"


def test_source_and_result_side_by_side(run: Callable[..., Any], walk: Path) -> None:
    assert run("ground", walk, "-o", "planted.bvh").status == 0
    ran = run("report", "planted.bvh", "--against", walk, "-o", "report.md")
    assert ran.status == 0, ran.err
    assert "Changed from the source: pelvis moved" in ran.out
    text = Path("report.md").read_text(encoding="utf-8")
    assert "| measure | walk.bvh | planted.bvh | unit | compare with | what it is |" in text
    assert "![Joint angles](report_curves.png)" in text
    assert Path("report_curves.png").exists() and Path("report_feet.png").exists()
    again = run("report", "planted.bvh", "-o", "report.md")
    assert again.status == 1
    assert "report.md: already exists" in again.err
    assert run("report", "planted.bvh", "-o", "report.md", "--force").status == 0
    other = run("report", "planted.bvh", "--against", walk, "--json")
    assert set(other.json) == {"source", "result", "change", "wrote"}
    assert other.json["change"]["bones"] < 1e-6


def test_a_folder_and_one_html_file(run: Callable[..., Any], walk: Path) -> None:
    ran = run("report", walk, "-o", "out", "--json")
    assert ran.status == 0, ran.err
    assert sorted(path.name for path in Path("out").iterdir()) == ["curves.png", "feet.png", "report.md"]
    assert run("report", walk, "-o", "walk.html").status == 0
    page = Path("walk.html").read_text(encoding="utf-8")
    assert page.count("data:image/png;base64,") == 2
    assert "<th>walk.bvh</th>" in page


def test_each_refusal_says_what_is_wrong(run: Callable[..., Any], walk: Path) -> None:
    snake = posable.figure("snake")
    clip = posable.Clip(snake.skeleton, np.tile(snake.rest.q, (5, 1)), 30.0)
    posable.save("snake.glb", snake, clip)
    posable.save("still.glb", snake)
    figure = posable.load(walk)
    posable.save("one.bvh", figure, posable.Clip(figure.skeleton, figure.clips[0].q[:1], 30.0))
    Path("taken").write_text("a file")
    for words, problem in [
        (["snake.glb"], "no legs"),
        (["still.glb"], "has no clip"),
        (["one.bvh"], "holds 1 frame, which is not a motion"),
        ([walk, "-o", "report.txt"], "report.txt: a report is a folder, or ends in .md or .html"),
        ([walk, "-o", "taken"], "taken: is a file; a report without an ending is a folder"),
        (
            [walk, "-o", "nowhere/report.md"],
            "report.md: cannot be written: the folder nowhere does not exist; create it first",
        ),
        (
            [walk, "-o", "nowhere/out"],
            "report.md: cannot be written: the folder nowhere does not exist; create it first",
        ),
        ([walk, "--clip", "run"], "run"),
    ]:
        ran = run("report", *words)
        assert ran.status == 1, words
        assert problem in ran.err
        assert ran.err.startswith("posable: ")

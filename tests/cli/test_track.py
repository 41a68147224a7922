"""`posable track`: targets that move come from files."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import posable


def circle(path: Path, header: str = "") -> np.ndarray:
    """A file of 31 places near the tip of the arm."""
    turn = np.linspace(0, 1, 31)
    places = np.stack([1.5 + 0.2 * np.sin(turn), 1.3 + 0.2 * np.cos(turn), 0 * turn], axis=1)
    path.write_text(header + "\n".join(",".join(map(str, place)) for place in places.tolist()) + "\n\n")
    return places


@pytest.mark.parametrize("header", ["", "x,y,z\n", "# metres\n"])
def test_a_joint_follows_the_path_of_a_file(run, arm, tmp_path: Path, header: str) -> None:
    places = circle(tmp_path / "path.csv", header)
    ran = run("track", arm, "--goal", "tip=@path.csv", "--fps", "20", "-o", "out.glb", "--json")
    assert ran.status == 0, ran.err
    told = json.loads(ran.out)
    assert told["frames"] == 31 and told["goals"][0]["distance"] < 1e-5
    clip = posable.load(tmp_path / "out.glb").clips[0]
    joint = clip.skeleton.index("tip")
    assert clip.fps == pytest.approx(20)
    assert np.abs(clip.poses.origins[:, joint] - places).max() < 1e-4


def test_what_was_done_is_told_and_the_file_has_a_name_of_its_own(run, arm, tmp_path: Path) -> None:
    circle(tmp_path / "path.csv")
    words = ["--goal", "wrist=@path.csv", "--orient", "tip=1,0,0,0", "--smooth", "0.1"]
    ran = run("track", arm, *words)
    assert ran.status == 0 and "Reach wrist: at most" in ran.out and "Orient tip: at most" in ran.out
    assert f"Wrote {Path(arm).stem}_track.glb: 31 frames at 30 fps." in ran.out
    assert re.search(r"Reach wrist: at most .* off, in frame \d+\n", ran.out)
    again = run("track", arm, *words, "-o", f"{Path(arm).stem}_track.glb")
    assert again.status == 1 and "already exists" in again.err


@pytest.mark.parametrize(
    ("text", "status", "message"),
    [
        ("1,2,3\n1,2\n", 1, "path.csv:2: must have 3 numbers in each row, commas between them, one row a frame"),
        ("1;2;3\n1;2;3\n", 1, "path.csv:1: must have 3 numbers in each row, commas between them"),
        ("1,2,3 m\n1,2,3\n", 1, "path.csv:1: must have 3 numbers in each row"),
        ("1,2,3\n1,2,high\n", 1, "path.csv:2: must have 3 numbers"),
        ("x,y,z\n", 1, "path.csv: has no row of numbers"),
        ("1,2,3\n1,2,nan\n", 1, "path.csv:2: holds a number that is not finite"),
        (None, 1, "path.csv"),
    ],
)
def test_what_is_no_path_is_refused(run, arm, tmp_path: Path, text: str | None, status: int, message: str) -> None:
    if text is not None:
        (tmp_path / "path.csv").write_text(text)
    ran = run("track", arm, "--goal", "tip=@path.csv", "-o", "out.glb")
    assert (ran.status, ran.out) == (status, "")
    assert message in ran.err and not (tmp_path / "out.glb").exists()


def test_errors_are_told_in_a_unit_where_the_file_has_one(run, arm, person, tmp_path: Path) -> None:
    """A hair's breadth was told as a number that may be anything, 3.29e-08."""
    circle(tmp_path / "path.csv")
    assert re.search(r"Reach tip: at most [\d.]+ mm off", run("track", arm, "--goal", "tip=@path.csv").out)
    (tmp_path / "far.csv").write_text("9,0,0\n9,0,0\n")
    assert re.search(r"Reach tip: at most [\d.]+ m off", run("track", arm, "--goal", "tip=@far.csv", "--force").out)
    assert re.search(r"Reach \w+: at most [\d.]+ off", run("track", person, "--goal", "arm=@far.csv").out)


def test_a_person_follows_as_people_do_unless_told(run, tmp_path: Path) -> None:
    hand = np.linspace((-0.5, 1.0, 0.3), (-0.1, 1.5, 0.4), 20)
    (tmp_path / "path.csv").write_text("\n".join(",".join(map(str, place)) for place in hand.tolist()))
    chests = []
    for words in ((), ("--plain",)):
        ran = run("track", "--goal", "hand_r=@path.csv", "--force", "--json", *words)
        told = json.loads(ran.out)
        assert told["goals"][0]["distance"] < 1e-5
        clip = posable.load(tmp_path / told["wrote"][0]).clips[told["clip"]]
        chests.append(clip.poses.world_from_joint[:, clip.skeleton.index("chest"), :3, :3])
    assert np.abs(chests[0] - chests[1]).max() > 0.01


def test_the_clip_has_the_name_that_is_asked(run, arm, tmp_path: Path) -> None:
    circle(tmp_path / "path.csv")
    assert run("track", arm, "--goal", "wrist=@path.csv", "--name", "wave", "-o", "a.glb").status == 0
    assert [clip.name for clip in posable.load("a.glb").clips] == ["wave"]


def test_something_must_move(run, arm) -> None:
    ran = run("track", arm, "--goal", "tip=1,1,0")
    assert ran.status == 2 and "nothing moves: give a path" in ran.err
    assert run("track", arm, "--goal", "tip=@").status == 2


def test_a_default_name_gets_a_number_instead_of_replacing_a_file(run, arm, tmp_path: Path) -> None:
    (tmp_path / "path.csv").write_text("0.3,1,0\n0.3,1.1,0\n")
    wrote = [run("track", arm, "--goal", f"tip=@{tmp_path / 'path.csv'}", "--json").json["wrote"] for _ in range(2)]
    assert wrote == [["arm_track.glb"], ["arm_track_2.glb"]]


def test_a_file_without_its_at_is_told_so(run, arm) -> None:
    ran = run("track", arm, "--goal", "tip=path.csv")
    assert ran.status == 2 and "give a file of them as tip=@path.csv" in ran.err


def test_a_film_has_the_view_and_the_size_that_are_asked(run, arm, tmp_path: Path) -> None:
    circle(tmp_path / "path.csv")
    pictures = []
    for view in ("front", "side"):
        words = ["--film", f"{view}.gif", "--view", view, "--size", "96x64", "--force"]
        assert run("track", arm, "--goal", "tip=@path.csv", *words).status == 0
        with Image.open(f"{view}.gif") as film:
            assert film.size == (96, 64)
            pictures.append(np.asarray(film.convert("RGB"), int))
    assert np.abs(pictures[0] - pictures[1]).max() > 50


def test_a_film_without_skeleton_shows_neither_bones_nor_targets(run, arm, tmp_path: Path) -> None:
    circle(tmp_path / "path.csv")
    words = ["track", arm, "--goal", "tip=@path.csv", "--size", "96x64"]
    for name, more in (("with", []), ("without", ["--no-skeleton"])):
        assert run(*words, "-o", f"{name}.glb", "--film", f"{name}.gif", *more).status == 0
    shown, bare = (np.asarray(Image.open(f"{name}.gif").convert("RGB")).astype(int) for name in ("with", "without"))
    red = [(picture[..., 0] - picture[..., 1:].max(axis=-1) > 60).sum() for picture in (shown, bare)]
    assert red[0] > 0 and red[1] == 0


def test_paths_of_unequal_length_are_named(run, arm, tmp_path: Path) -> None:
    """It said that leading axes do not go with each other."""
    circle(tmp_path / "path.csv")
    (tmp_path / "short.csv").write_text("1,1,0\n1,1,0\n")
    ran = run("track", arm, "--goal", "tip=@path.csv", "--look", "wrist=@short.csv", "-o", "out.glb")
    assert ran.status == 1
    assert "the same number of rows, one a frame: that of Reach tip has 31, that of LookAt wrist has 2" in ran.err

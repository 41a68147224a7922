"""`posable walk`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import posable


def test_the_mannequin_walks_without_a_file(run) -> None:
    ran = run("walk", "--steps", 2)
    assert ran.status == 0, ran.err
    assert ran.out.startswith("human: ") and ran.out.endswith("Wrote walk.glb.\n")
    clip = posable.load("walk.glb").clips[0]
    assert clip.name == "human"
    assert clip.poses.origins[-1, :, 2].max() > 0.5
    assert "Wrote walk_2.glb." in run("walk", "--steps", 2).out


@pytest.mark.slow
def test_json_path_terrain_and_pictures(run) -> None:
    Path("curve.json").write_text("[[0, 0], [0.5, 1.5], [2, 3]]")
    Path("stairs.toml").write_text('kind = "stairs"\nrise = 0.15\nrun = 0.32\ncount = 3\nstart = [0, 0, 0.6]\n')
    ran = run("walk", "--gait", "sad", "--path", "curve.json", "-o", "out.glb", "--json")
    assert (ran.json["gait"], ran.json["wrote"]) == ("sad", ["out.glb"])
    ran = run("walk", "--terrain", "stairs.toml", "-o", "up.glb", "--steps", 7, "--picture", "up.png", "--json")
    assert ran.json["wrote"] == ["up.glb", "up.png"] and Path("up.png").is_file()
    hips = posable.load("up.glb").clips[0].poses.origins[:, 0, 1]
    assert hips[-1] - hips[0] > 0.35


def test_loop_and_backwards_are_heard(run) -> None:
    run("walk", "--loop", "--steps", 2, "-o", "loop.glb")
    run("walk", "--backwards", "--steps", 2, "-o", "back.glb")
    loop, back = (posable.load(name).clips[0].poses.origins[:, 0, 2] for name in ("loop.glb", "back.glb"))
    assert loop[1] - loop[0] > 0.02
    assert back[-1] - back[0] < -0.3


def test_a_seed_is_heard(run) -> None:
    for name, seed in (("one.glb", 1), ("again.glb", 1), ("two.glb", 2)):
        assert run("walk", "--steps", 6, "--seed", seed, "-o", name).status == 0
    one, again, two = (posable.load(name).clips[0].q for name in ("one.glb", "again.glb", "two.glb"))
    assert np.array_equal(one, again)
    assert np.abs(one - two).max() > 1e-3
    assert run("walk", "--seed", -1).status != 0


def test_a_turn_on_the_spot_is_heard(run) -> None:
    assert run("walk", "--turn", 90, "-o", "turn.glb").status == 0
    turned = posable.load("turn.glb").clips[0].poses.world_from_joint[-1, 0, :3, 2]
    assert turned[0] > 0.999  # to its left
    ran = run("walk", "--turn", -90, "--backwards", "-o", "other.glb")
    assert ran.status != 0
    assert "does not travel; leave out turn=-90, or backwards" in ran.err


def test_a_path_is_given_in_the_command(run) -> None:
    Path("curve.json").write_text("[[0, 0], [0.2, 1]]")
    for path, output in (("curve.json", "a.csv"), ("[[0, 0], [0.2, 1]]", "b.csv")):
        ran = run("walk", "--path", path, "-o", output)
        assert ran.status == 0, ran.err
    assert Path("a.csv").read_text() == Path("b.csv").read_text()


def test_the_list_names_the_characters(run) -> None:
    assert {"human", "sad", "spider"} <= set(run("walk", "--list").out.split())


@pytest.mark.parametrize(
    ("words", "files", "message"),
    [
        (("--gait", "sade"), {}, "no gait is called 'sade'; did you mean sad"),
        (
            ("--gait", "own.toml"),
            {"own.toml": "speeed = 1\n"},
            "own.toml:1: 'speeed' is not a known key; did you mean speed?",
        ),
        (("--path", "a.json"), {"a.json": "[[0, 0]"}, "a.json: is not a valid path ("),
        (("--path", "a.json"), {"a.json": "[[0, 0]]"}, "a.json: is not a valid path (a path is 2 to"),
        (("--path", "[[0, 0], [0, 0]]"), {}, "--path is not a valid path (points 0 and 1 of the path are the same)"),
        (("--path", "[[0, 0]"), {}, "--path is not a valid path ("),
        (
            ("--terrain", "a.toml"),
            {"a.toml": 'kind = "stair"\n'},
            "a.toml:1: kind cannot be 'stair'; did you mean 'stairs'?",
        ),
        (("--terrain", "a.toml"), {"a.toml": 'kind = "slope"\n'}, "a.toml: degrees is missing"),
    ],
)
def test_what_cannot_be_meant_is_one_sentence(run, words, files, message) -> None:
    for name, text in files.items():
        Path(name).write_text(text)
    ran = run("walk", *words)
    assert ran.status == 1
    assert message in ran.err
    assert not Path("walk.glb").exists()


def test_a_robot_walks_though_its_file_fixes_it_to_the_world(run, shared: Path) -> None:
    ran = run("walk", shared / "robots/h1.urdf", "-o", "h1.bvh")
    assert ran.status == 0, ran.err
    walked = posable.load("h1.bvh")
    way = np.diff(walked.clips[0].poses.origins[[0, -1], 0], axis=0)[0]
    assert np.linalg.norm(way) > 2.0
    ran = run("walk", shared / "robots/h1.urdf", "--root", "fixed", "-o", "h1_fixed.bvh")
    assert (ran.status, Path("h1_fixed.bvh").exists()) == (1, False)
    assert "is not free, so the figure cannot travel" in ran.err


def test_steps_that_do_not_end_where_the_path_does_are_told(run) -> None:
    """The walk stopped halfway, or went on beyond the end, without a word."""
    for steps, told in ((2, True), (12, True), (None, False)):
        words = [] if steps is None else ["--steps", steps]
        ran = run("walk", "--path", "[[0, 0], [0, 3]]", *words, "-o", f"{steps}.glb")
        assert ran.status == 0, ran.err
        assert (f"{steps} steps lead" in ran.out) == told == ("and the path 3: without --steps" in ran.out)

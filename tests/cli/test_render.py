"""`posable render`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import posable


def _pixels(name: str = "out.png") -> np.ndarray:
    with Image.open(name) as image:
        return np.asarray(image.convert("RGB")).astype(int)


@pytest.fixture
def drawn(run, person):
    """Draws `person` small, with the given words, and returns the pixels."""

    def draw(*words: object) -> np.ndarray:
        ran = run("render", person, "-o", "out.png", "--size", "96x64", "--force", *words)
        assert (ran.status, ran.out.splitlines()[0][:13]) == (0, "Wrote out.png"), ran.err
        return _pixels()

    return draw


def test_size_is_the_size(drawn) -> None:
    assert drawn().shape == (64, 96, 3)


def test_the_default_size(run, person) -> None:
    assert run("render", person, "-o", "out.png").status == 0
    assert _pixels().shape == (720, 960, 3)


def test_frame_and_clip_choose_the_pose(drawn) -> None:
    rest, first, last = drawn(), drawn("--clip", "person"), drawn("--frame", 2)
    assert np.abs(first - last).max() > 50
    assert np.abs(rest - last).max() > 50


def test_the_ground_is_drawn_with_a_figure_that_walked_over_it(run, drawn) -> None:
    Path("stairs.toml").write_text('kind = "stairs"\nrise = 0.15\nrun = 0.32\ncount = 3\nstart = [0, 0, 0.6]\n')
    assert np.abs(drawn() - drawn("--terrain", "stairs.toml")).max() > 50
    ran = run("walk", "--terrain", "stairs.toml", "--steps", 3, "-o", "up.glb")
    assert "render up.glb --terrain stairs.toml -o up.mp4" in ran.out
    figure = posable.load("up.glb")
    shown = {"size": (96, 64), "terrain": posable.Terrain.stairs(0.15, 0.32, 3, start=(0, 0, 0.6))}
    assert (
        run("render", "up.glb", "--terrain", "stairs.toml", "--frame", 9, "-o", "up.png", "--size", "96x64").status == 0
    )
    assert np.array_equal(_pixels("up.png"), posable.picture(figure, figure.clips[0].poses[9], **shown)[..., :3])
    ran = run("render", "up.glb", "--terrain", "none.toml", "-o", "no.png")
    assert ran.status == 1 and "none.toml: no such file" in ran.err


def test_view_chooses_the_side(drawn) -> None:
    views = [drawn("--view", view) for view in ("front", "side", "three_quarter")]
    assert all(np.abs(one - other).max() > 50 for one, other in zip(views, views[1:] + views[:1], strict=True))
    assert np.array_equal(views[2], drawn())


def test_no_skeleton_leaves_it_away(run) -> None:
    figure = posable.figure("snake")
    posable.save("snake.glb", figure)
    run("render", "snake.glb", "-o", "with.png", "--size", "96x64")
    run("render", "snake.glb", "-o", "without.png", "--size", "96x64", "--no-skeleton")
    assert np.abs(_pixels("with.png") - _pixels("without.png")).max() > 50


def test_root_and_unit_are_heard(run, person, monkeypatch) -> None:
    heard = []
    load = posable.load
    monkeypatch.setattr(posable, "load", lambda file, **more: heard.append(more) or load(file, **more))
    assert run("render", person, "-o", "a.png", "--size", "96x64", "--unit", "cm", "--root", "fixed").status == 0
    assert heard == [{"unit": "cm", "up": None, "root": "fixed"}]


@pytest.mark.parametrize("name", ["out.gif", "out.mp4"])
def test_a_film_holds_every_frame_of_the_clip(run, person, name) -> None:
    import av

    assert run("render", person, "-o", name, "--size", "96x64", "--clip", "person").status == 0
    with av.open(name) as film:
        frames = list(film.decode(video=0))
    assert (len(frames), frames[0].width, frames[0].height) == (3, 96, 64)


def test_which_of_several_clips_was_filmed_is_said(run) -> None:
    run("samples", "knight.glb", "-o", ".")
    words = ("knight.glb", "-o", "out.gif", "--size", "32x32", "--force")
    clips = [clip.name for clip in posable.load("knight.glb").clips]
    first, *others = run("render", *words).out.splitlines()
    assert first == f"Wrote out.gif: clip {clips[0]!r}."
    assert len(others) == 1
    assert others[0].startswith(f"Of the {len(clips)} clips of knight, {clips[0]!r} was taken, the first; --clip cho")
    assert run("render", *words, "--clip", clips[1]).out == f"Wrote out.gif: clip {clips[1]!r}.\n"


def test_a_film_of_one_frame_is_refused(run, person) -> None:
    ran = run("render", person, "-o", "out.gif", "--frame", 1)
    assert (ran.status, ran.err) == (1, "posable: a film shows a whole clip; leave --frame out, or write a .png\n")


def test_a_film_needs_a_clip(run, arm) -> None:
    ran = run("render", arm, "-o", "out.gif")
    assert (ran.status, ran.err) == (1, "posable: arm has no clip and therefore no frames\n")


def test_json_names_the_file(run, person) -> None:
    assert run("render", person, "-o", "out.png", "--size", "32x32", "--json").json == {
        "wrote": "out.png",
        "clip": None,
    }


def test_it_overwrites_only_by_force(run, person, tmp_path) -> None:
    (tmp_path / "out.png").write_text("mine")
    assert "already exists" in run("render", person, "-o", "out.png").err
    assert (tmp_path / "out.png").read_text() == "mine"


def test_the_clip_that_a_command_added_is_shown(run) -> None:
    """The film and the report of a file after `walk -o` were those of its first clip."""
    run("samples", "knight.glb", "-o", ".")
    assert run("walk", "knight.glb", "--steps", 2, "-o", "walk.glb").status == 0
    name = posable.load("walk.glb").clips[-1].name
    filmed = run("render", "walk.glb", "-o", "out.gif", "--size", "32x32").out
    assert f"Of the 7 clips of walk, {name!r} was taken, the one that it plays; --clip chooses" in filmed
    assert run("render", "walk.glb", "-o", "out.png", "--size", "32x32", "--json").json["clip"] is None
    assert run("report", "walk.glb", "--json").json["result"]["clip"] == name
    told = run("report", "walk.glb").out
    assert f"walk.glb: {name}" in told
    assert "was taken, the one that it plays" in told

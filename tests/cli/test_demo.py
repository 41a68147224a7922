"""`posable demo`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from posable.clips import Clip
from posable.motion import STORIES
from posable.motion.stories.short_stories import mace_figure
from posable.motion.stories.story import Story


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mace that stands still for three frames."""
    figure = mace_figure()
    clip = Clip(figure.skeleton, np.repeat(figure.rest.q[None], 3, axis=0), 10.0)
    story = Story("mace", figure, clip, (2.0, 1.0, 3.0), (0.0, 0.8, 0.0))
    monkeypatch.setitem(STORIES, "mace", lambda: replace(story))


@pytest.mark.usefixtures("short")
def test_it_films_a_story(run, tmp_path) -> None:
    ran = run("demo", "mace", "--size", "96x64")
    assert (ran.status, ran.out) == (0, "mace: 0.2 s. Wrote mace.mp4.\n"), ran.err
    assert (tmp_path / "mace.mp4").stat().st_size > 0


@pytest.mark.usefixtures("short")
def test_json_tells_what_was_written(run) -> None:
    ran = run("demo", "mace", "--size", "96x64", "-o", "m.gif", "--json")
    assert ran.json == {"story": "mace", "frames": 3, "fps": 10.0, "wrote": "m.gif"}


def test_the_list_names_every_story(run) -> None:
    ran = run("demo", "--list")
    assert [line.split()[0] for line in ran.out.splitlines()] == list(STORIES)
    assert list(run("demo", "--list", "--json").json["stories"]) == list(STORIES)


def test_an_unknown_story_is_refused_with_the_near_names(run) -> None:
    ran = run("demo", "dorbell")
    assert ran.status == 1
    assert ran.err.startswith(
        "posable: no story is called 'dorbell'; did you mean doorbell? choose from doorbell, mace"
    )


def test_a_name_is_asked_for(run) -> None:
    ran = run("demo")
    assert ran.status == 2
    assert "missing story NAME; --list shows them" in ran.err


@pytest.mark.slow
@pytest.mark.usefixtures("short")
def test_it_overwrites_only_by_force(run, tmp_path) -> None:
    (tmp_path / "mace.mp4").write_text("mine")
    assert "already exists" in run("demo", "mace").err
    assert (tmp_path / "mace.mp4").read_text() == "mine"
    assert run("demo", "mace", "--size", "96x64", "--force").status == 0

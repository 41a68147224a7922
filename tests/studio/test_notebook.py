"""`posable.show`: a page of one file."""

from __future__ import annotations

import base64
import importlib
import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import posable
from posable.studio import notebook
from posable.studio import page as pages
from posable.studio import widget as widgets


@pytest.fixture(autouse=True)
def viewer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "viewer.js"
    path.write_text("console.log('</script><script>')")
    monkeypatch.setattr(pages, "_VIEWER", path)
    return path


def held(page: str, tmp_path: Path) -> posable.Figure:
    """The figure in a page."""
    found = re.search(r'id="figure">([^<]*)</script>', page)
    assert found is not None
    (tmp_path / "held.glb").write_bytes(base64.b64decode(found[1]))
    return posable.load(tmp_path / "held.glb")


def test_a_page_holds_the_figure_and_its_motion_and_nothing_else(tmp_path: Path) -> None:
    figure = posable.figure("arm6")
    clip = posable.motion.move(figure.rest, figure.rest.plus(np.full(6, 0.3)), 1.0)
    page = posable.show(figure, clip, browser=False)
    page.save(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    again = held(text, tmp_path)
    assert np.abs(again.clips[0].poses[-1].minus(posable.Pose(again.skeleton, clip.q[-1]))).max() < 1e-5
    assert not re.search(r'(?:src|href)="', text)
    assert text.count("</script>") == 5 and 'id="ground">null<' in text  # figure, ground, handles, solver and viewer
    told = re.search(r'id="live">([^<]*)<', text)
    assert told is not None
    played = np.frombuffer(base64.b64decode(json.loads(told[1])["clip"]["q"]), "<f4").reshape(clip.q.shape)
    assert np.abs(played - clip.q).max() < 1e-6


@pytest.mark.parametrize(("name", "up"), [("mannequin", 1), ("arm6", 2)])
def test_a_page_holds_the_ground_with_y_upright(name: str, up: int) -> None:
    corners = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    page = pages.page_of(posable.figure(name), None, (corners, np.array([[0, 1, 2], [0, 2, 3]]))).text
    found = re.search(r'id="ground">([^<]*)</script>', page)
    assert found is not None
    told = json.loads(found[1])
    vertices = np.reshape(told["vertices"], (-1, 3))
    assert told["faces"] == [0, 1, 2, 0, 2, 3]
    assert np.array_equal(vertices[1 + up], [0, 1, 0]) and np.linalg.det(vertices[1:]) == 1  # turned, not mirrored


def test_a_clip_alone_is_shown_on_its_bones(tmp_path: Path) -> None:
    figure = posable.figure("arm6")
    clip = posable.motion.move(figure.rest, figure.rest.plus(np.full(6, 0.3)), 1.0)
    assert held(posable.show(clip, browser=False).text, tmp_path).skeleton.joints == figure.skeleton.joints


class Shell:
    """As much of IPython as is asked: the cell that runs, and what shows values of a type."""

    def __init__(self) -> None:
        self.cell, self.shown = "a", {}
        self.display_formatter = self.mimebundle_formatter = self

    def get_parent(self) -> dict[str, Any]:
        return {"metadata": {"cellId": self.cell}}

    def for_type_by_name(self, module: str, name: str, draw: Any) -> None:
        self.shown[getattr(importlib.import_module(module), name)] = draw


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> Shell:
    shell = Shell()
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))  # pyright: ignore
    monkeypatch.setattr(pages, "_viewer_cells", [])
    return shell


def test_a_notebook_holds_the_viewer_once(viewer: Path, shell: Shell) -> None:
    viewer.write_text("viewer('</script>') // " + "x" * 100_000)
    page = posable.show(posable.figure("arm6"), browser=False)
    first = page._repr_html_()
    assert first.startswith("<script>(window.posableViewers ??= {})['") and "x" * 100_000 in first
    assert first.count("</script>") == 1 and first.count("x" * 100_000) == 1
    shell.cell = "b"
    other = page._repr_html_()
    assert other.startswith("<iframe") and "srcdoc=" in other and "<script" not in other and "x" * 100 not in other
    key = re.search(r"posableViewers \?\?= {}\)\['(\w+)'\]", first)
    assert key is not None and f"const key = &#x27;{key[1]}&#x27;" in other
    shell.cell = "a"  # run again: its output was replaced, and the viewer with it
    assert page._repr_html_() == first
    assert "x" * 100_000 in page.text


@pytest.fixture
def shows(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> dict[type, Any]:
    """What shows values of a type where there is no anywidget."""
    monkeypatch.setattr(notebook, "has_widgets", lambda: False)
    posable._draw_in_notebooks()
    return shell.shown


def test_values_show_themselves(shows: dict[type, Any]) -> None:
    figure = posable.figure("arm6")
    clip = posable.motion.move(figure.rest, figure.rest.plus(np.full(6, 0.3)), 1.0)
    goals = [posable.Reach("tool", (0.4, 0.2, 0.5))]
    solution, compared = (
        posable.solve(figure.rest, goals),
        posable.compare(figure, goals, ["ccd", "fabrik", "two_bone"]),
    )
    for thing in (figure, figure.rest, clip, solution, compared):
        bundle = shows[type(thing)](thing, include=None, exclude=None)
        assert base64.b64decode(bundle["image/png"])[:4] == b"\x89PNG" and bundle["text/plain"] == repr(thing)
        assert ("<iframe" in bundle.get("text/html", "")) == (thing in (clip, compared))
    assert shows[posable.Pose](clip.poses) is None  # a batch has its text
    assert shows[posable.Solution](posable.solve(clip.poses, goals)) is None


def test_a_comparison_plays_the_path_of_each_method_that_can_be_used(tmp_path: Path) -> None:
    figure = posable.figure("arm6")
    compared = posable.compare(figure.rest, [posable.Reach("tool", (9, 0, 0))], ["ccd", "two_bone", "fabrik"])
    assert compared[1].refusal and [clip.name.partition(",")[0] for clip in compared.clips] == [
        "CyclicDescent",
        "Fabrik",
    ]
    assert compared.clips[0].name.endswith(f"{compared[0].distance:.3g} left")
    shown = notebook._shown(compared)
    assert shown is not None
    assert len(held(pages.page_of(shown[0]).text, tmp_path).clips) == 2
    with pytest.raises(posable.PosableError, match="not Skeleton"):
        posable.compare(figure.skeleton, [])  # pyright: ignore[reportArgumentType]


def test_a_page_of_a_pose_has_handles_whatever_the_figure_could_play(tmp_path: Path) -> None:
    figure = posable.figure("arm6")
    clip = posable.motion.move(figure.rest, figure.rest.plus(np.full(6, 0.3)), 1.0)
    moving, pose = replace(figure, clips=(clip,)), clip.poses[-1]
    page = posable.show(moving, pose, browser=False)
    told = re.search(r'id="live">([^<]*)<', page.text)
    assert told is not None and json.loads(told[1])["start"] == pose.q.tolist()
    assert np.abs(held(page.text, tmp_path).rest.origins - pose.origins).max() < 1e-6
    assert json.loads(re.search(r'id="live">([^<]*)<', posable.show(moving, browser=False).text)[1])["clip"]  # type: ignore[index]


# Widgets.


def test_goals_are_solved_as_in_the_page() -> None:
    figure = posable.figure("mannequin")
    posing = widgets.Posing(figure)
    goals = {**posing.positions(figure.rest), "hand_r": (3.0, 1.0, 3.0)}
    assert posing.missed(figure.rest, goals) == ["hand_r"]
    far = posing.positions(posing.solved(figure.rest, goals, ["hand_r"]).pose)
    for foot in ("foot_l", "foot_r"):
        assert far[foot] == pytest.approx(goals[foot], abs=1e-4), "what is out of reach takes no foot off the ground"
    assert np.linalg.norm(np.subtract(far["hand_r"], goals["hand_r"])) < 2.8
    with pytest.raises(posable.GoalError, match="'spine' has no handle; handles are hand_l, "):
        posing.handle("spine")


def test_a_widget_without_anywidget_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(widgets, "has_widgets", lambda: False)
    widgets.widget_class.cache_clear()
    with pytest.raises(posable.MissingExtraError, match=r"posable\[notebook\]"):
        posable.show(posable.figure("arm6"), live=True)


@pytest.fixture
def live() -> Any:
    """The mannequin as a live widget."""
    pytest.importorskip("anywidget", reason="anywidget is not installed, so there are no widgets")
    widgets.widget_class.cache_clear()
    return posable.show(posable.figure("mannequin"), live=True)


def test_a_goal_set_in_python_moves_the_figure(live: Any) -> None:
    heard: list[str] = []
    live.observe(lambda change: heard.append(change["name"]), ["pose", "goals", "status"])
    live.goals["right hand"] = (-0.4, 1.2, 0.3)
    hand = live.figure.skeleton.index("hand_r")
    assert np.abs(live.pose.origins[hand] - (-0.4, 1.2, 0.3)).max() < 1e-4
    assert live.goals["hand_r"] == (-0.4, 1.2, 0.3) and live.status == "reached: every goal is met"
    assert set(heard) == {"pose", "goals", "status"}
    live.goals = {"hand_l": (3, 1, 3)}
    assert live.goals["hand_l"] == (3, 1, 3), "a goal stays as it was asked, also out of reach"
    live.reset()
    assert live.goals["hand_l"] == pytest.approx(tuple(live.figure.rest.origins[live.figure.skeleton.index("hand_l")]))


def test_what_the_page_has_solved_is_not_solved_again(live: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live._posing, "solved", None)
    pose = live.figure.rest.plus(np.full(live.figure.skeleton.dof, 0.02))
    live.set_state({"goals": live._posing.positions(pose), "pose": pose.q.tolist(), "status": "reached"})
    assert np.array_equal(live.pose.q, pose.q) and live.status == "reached"


def test_wrong_goals_and_motions_are_refused(live: Any) -> None:
    before = live.pose
    for name, position, problem in (
        ("nose", (0, 0, 0), "nose"),
        ("spine", (0, 0, 0), "no handle"),
        ("hand_r", (0, 0), "3"),
    ):
        with pytest.raises(posable.PosableError, match=problem):
            live.goals[name] = position
    with pytest.raises(posable.GoalError, match="every handle has its goal"):
        del live.goals["hand_r"]
    assert live.pose is before
    still = posable.Clip(live.figure.skeleton, live.figure.rest.q[None], 30.0)
    with pytest.raises(posable.PosableError, match="a motion plays and has no handles"):
        posable.show(live.figure, still, live=True)
    with pytest.raises(posable.PoseError, match="not a batch"):
        posable.show(live.figure, still.poses, live=True)


@pytest.mark.parametrize("name", ["snake", "a batch"])
def test_a_pose_of_another_figure_or_a_batch_is_refused(live: Any, name: str) -> None:
    """A snake's pose was taken, and the next drag failed."""
    before = live.pose
    with pytest.raises(posable.PoseError, match="a single pose of its own figure"):
        live.pose = posable.Pose(before.skeleton, before.q[None]) if name == "a batch" else posable.figure(name).rest
    assert live.pose is before
    live.goals["right hand"] = (-0.4, 1.2, 0.3)
    live.pose = None
    assert live.pose is live.figure.rest


def test_the_viewer_is_sent_when_it_is_asked_for_and_not_kept(live: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    key, viewer = pages.shared_viewer()
    sent: list[Any] = []
    monkeypatch.setattr(live, "send", sent.append)
    widgets._sent(live, {"wants": "another"}, None)
    widgets._sent(live, {"wants": key}, None)
    assert sent == [{"viewer": viewer, "key": key}]
    assert viewer not in live.page and f"const key = '{key}'" in live.page
    bundle = live._repr_mimebundle_()
    assert base64.b64decode(bundle["image/png"])[:4] == b"\x89PNG" and len(bundle) == 3


def test_outside_notebooks_nothing_is_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: None))  # pyright: ignore
    posable._draw_in_notebooks()
    monkeypatch.delitem(sys.modules, "IPython")
    posable._draw_in_notebooks()


def test_a_name_cannot_break_out_of_the_page(tmp_path: Path) -> None:
    figure = posable.Figure(posable.figure("arm6").skeleton, "</title><script>alert(1)</script>")
    assert "<script>alert" not in posable.show(figure, browser=False).text
    del tmp_path


def test_a_viewer_that_was_not_built_is_said(viewer: Path) -> None:
    viewer.unlink()
    with pytest.raises(posable.PosableError, match="npm run build"):
        posable.show(posable.figure("arm6"), browser=False)


@pytest.mark.parametrize("what", ["hero.glb", None])
def test_what_cannot_be_shown_is_said(what: Any) -> None:
    with pytest.raises(posable.PosableError, match=r"a Figure, a Clip or a Pose, not (str|NoneType); posable\.load"):
        posable.show(what, browser=False)
    figure = posable.figure("arm6")
    with pytest.raises(posable.PosableError, match=r"not Solution; .* a solution's pose is solution\.pose"):
        posable.show(figure, posable.solve(figure.rest, []), browser=False)  # pyright: ignore

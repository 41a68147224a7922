"""`posable.show`: a page of one file."""

from __future__ import annotations

import base64
import importlib
import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import posable
from posable.studio import notebook as pages


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
    assert text.count("</script>") == 3 and 'id="ground">null<' in text


@pytest.mark.parametrize(("name", "up"), [("mannequin", 1), ("arm6", 2)])
def test_a_page_holds_the_ground_with_y_upright(name: str, up: int) -> None:
    corners = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    page = pages.page_of(posable.figure(name), None, (corners, np.array([[0, 1, 2], [0, 2, 3]])))
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
        self.display_formatter = self
        self.formatters = dict.fromkeys(("image/png", "text/html"), self)

    def get_parent(self) -> dict[str, Any]:
        return {"metadata": {"cellId": self.cell}}

    def for_type_by_name(self, module: str, name: str, draw: Any) -> None:
        self.shown[getattr(importlib.import_module(module), name)] = draw


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> Shell:
    shell = Shell()
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))  # pyright: ignore
    monkeypatch.setattr(pages, "_carriers", [])
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


def test_values_show_themselves(shell: Shell) -> None:
    posable._draw_in_notebooks()
    figure = posable.figure("arm6")
    clip = posable.motion.move(figure.rest, figure.rest.plus(np.full(6, 0.3)), 1.0)
    assert shell.shown[posable.Pose](figure.rest)[:4] == shell.shown[posable.Figure](figure)[:4] == b"\x89PNG"
    assert "<iframe" in shell.shown[posable.Clip](clip)
    assert shell.shown[posable.Pose](clip.poses) is None  # a batch has its text


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

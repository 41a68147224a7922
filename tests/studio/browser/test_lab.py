"""Widgets in a real JupyterLab: dragged in the page and moved from Python, one copy of the viewer for all of them."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import posable

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CELLS = (
    "import json, os, pathlib\nimport numpy as np\nimport posable\nfigure = posable.figure('mannequin')\n"
    "def told(_=None):\n"
    "    state = {'pose': w.pose.q.tolist(), 'goals': w.goals, 'status': w.status}\n"
    "    pathlib.Path('new.json').write_text(json.dumps(state))\n"
    "    os.replace('new.json', 'state.json')\n"
    "w = posable.show(figure, live=True)\nw.observe(told, ['pose', 'status'])\ntold()\nw",
    "goals = [posable.Reach('tool', (0.4, 0.2, 0.5))]\narm = posable.figure('arm6')\nposable.solve(arm.rest, goals)",
    "posable.walk(figure, steps=2)",
    "posable.compare(arm, goals, ['ccd', 'fabrik'])",
    "w.goals['left hand'] = (0.5, 1.3, 0.35)",
    "w.pose = figure.rest",
)


def python_with_lab() -> str:
    """A Python that has JupyterLab and anywidget: $POSABLE_JUPYTER, or this one. Skips where there is none."""
    chosen = os.environ.get("POSABLE_JUPYTER")
    if chosen is None and not all(importlib.util.find_spec(name) for name in ("jupyterlab", "anywidget")):
        pytest.skip("needs JupyterLab: pip install jupyterlab anywidget, or POSABLE_JUPYTER=python of an environment")
    return chosen or sys.executable


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The address of a JupyterLab with a notebook of CELLS in a folder."""
    folder = tmp_path_factory.mktemp("lab")
    cells = [
        {"cell_type": "code", "id": f"c{k}", "metadata": {}, "source": text, "outputs": [], "execution_count": None}
        for k, text in enumerate(CELLS)
    ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    (folder / "figures.ipynb").write_text(
        json.dumps({"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5})
    )
    words = ["--no-browser", "--allow-root", "--port=0", "--ip=127.0.0.1", "--LabApp.expose_app_in_browser=True"]
    own = {"JUPYTER_CONFIG_DIR": f"{folder}/config", "JUPYTER_DATA_DIR": f"{folder}/data", "IPYTHONDIR": f"{folder}/i"}
    path = os.pathsep.join([str(Path(posable.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    process = subprocess.Popen(
        [python_with_lab(), "-m", "jupyterlab", *words],
        cwd=folder,
        env={**os.environ, **own, "PYTHONPATH": path},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        address = next(
            found[0] for line in process.stderr if (found := re.search(r"http://127\S+/lab\?token=\w+", line))
        )
        yield address.replace("/lab?", "/lab/tree/figures.ipynb?"), folder
    finally:
        process.terminate()
        process.wait(20)


def until(look: Callable[[], Any], what: str, seconds: float = 120) -> Any:
    """What `look` gives as soon as it is something."""
    for _ in range(int(seconds / 0.1)):
        if found := look():
            return found
        time.sleep(0.1)
    raise AssertionError(f"waited in vain for {what}")


class Notebook:
    """The notebook in a browser: its cells are run one by one, and its frames are looked for."""

    def __init__(self, chrome: Browser, address: str, folder: Path) -> None:
        self.folder = folder
        self.page: Page = chrome.new_page(viewport={"width": 1200, "height": 1000})
        self.problems: list[str] = []
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.goto(address)
        self.page.wait_for_function("window.jupyterapp", timeout=90_000)
        self.page.locator(".jp-Notebook .jp-Cell").nth(len(CELLS) - 1).wait_for(state="attached", timeout=90_000)

    def run(self, cell: int) -> None:
        """Run one cell, until it has a number."""
        box = self.page.locator(".jp-Notebook .jp-Cell").nth(cell)
        box.scroll_into_view_if_needed()
        box.locator(".jp-InputArea-editor").click()
        self.page.keyboard.press("Control+Enter")
        prompt = box.locator(".jp-InputArea-prompt")
        until(lambda: re.fullmatch(r"\[\d+\]:", prompt.inner_text()), f"cell {cell}, {box.inner_text()[:500]}")

    def look_at(self, cell: int) -> None:
        """Scroll a cell's output into sight."""
        self.page.locator(".jp-Notebook .jp-Cell").nth(cell).locator(".jp-OutputArea").scroll_into_view_if_needed()

    def frame(self, asks: str, argument: Any = None) -> Any:
        """The first frame in which that holds; frames come and go meanwhile."""
        from playwright.sync_api import Error

        def found() -> Any:
            for frame in self.page.frames[1:]:
                with suppress(Error):
                    if frame.evaluate(asks, argument):
                        return frame
            return None

        return until(found, asks)

    def live(self, joint: str) -> Any:
        """The frame whose figure has a handle on that joint."""
        return self.frame("name => Boolean(window.posableLive?.told.handles.includes(name))", joint)

    def frames(self) -> int:
        """How many figures are drawn now."""
        return self.page.locator("iframe[title='a posable figure']").count()

    def state(self) -> dict[str, Any]:
        """What Python sees of the widget."""
        return json.loads((self.folder / "state.json").read_text())


def drag(notebook: Notebook, frame: Any, joint: str, by: tuple[float, float]) -> None:
    """Pull a handle."""
    box = frame.frame_element().bounding_box()
    x, y = np.add(frame.evaluate("name => posableLive.screen(name)", joint), (box["x"], box["y"]))
    mouse = notebook.page.mouse
    mouse.move(x, y)
    mouse.down()
    for step in range(1, 9):
        mouse.move(x + by[0] * step / 8, y + by[1] * step / 8)
    mouse.up()


@pytest.mark.slow
def test_a_widget_and_python_move_the_same_figure(chrome: Browser, lab: tuple[str, Path]) -> None:
    figure = posable.figure("mannequin")
    notebook = Notebook(chrome, *lab)
    notebook.run(0)
    frame = notebook.live("hand_r")
    assert notebook.state()["pose"] == figure.rest.q.tolist()

    drag(notebook, frame, "hand_r", (-30, -80))
    here = frame.evaluate("Array.from(posableLive.pose)")
    state = until(lambda: (now := notebook.state())["pose"] == here and now, "the drag in Python")
    pose = posable.Pose(figure.skeleton, state["pose"])
    hand = pose.origins[figure.skeleton.index("hand_r")]
    assert np.linalg.norm(hand - figure.rest.origins[figure.skeleton.index("hand_r")]) > 0.1
    assert state["goals"]["hand_r"] == pytest.approx(hand.tolist(), abs=1e-9)
    assert state["status"] == "reached"

    notebook.run(4)
    state = until(lambda: (now := notebook.state())["pose"] != here and now, "Python's goal")
    assert state["goals"]["hand_l"] == [0.5, 1.3, 0.35] and state["status"].startswith("reached")
    assert state["goals"]["hand_r"] == pytest.approx(hand.tolist(), abs=1e-4), "the other hand stays"
    notebook.look_at(0)
    frame = notebook.live("hand_r")
    until(lambda: frame.evaluate("Array.from(posableLive.pose)") == state["pose"], "Python's goal in the page")
    assert frame.evaluate("posableLive.position('hand_l')") == pytest.approx([0.5, 1.3, 0.35], abs=1e-4)

    notebook.run(5)
    notebook.look_at(0)
    frame = notebook.live("hand_r")
    until(lambda: frame.evaluate("Array.from(posableLive.pose)") == figure.rest.q.tolist(), "Python's pose in the page")
    assert notebook.state()["goals"]["hand_r"] == pytest.approx(
        figure.rest.origins[figure.skeleton.index("hand_r")].tolist()
    )
    assert notebook.problems == []
    notebook.page.close()


@pytest.mark.slow
def test_values_show_themselves_and_share_one_viewer(chrome: Browser, lab: tuple[str, Path]) -> None:
    notebook = Notebook(chrome, *lab)
    for cell in range(4):
        notebook.run(cell)
        notebook.look_at(cell)
        until(notebook.frames, f"a figure of cell {cell}")
    notebook.look_at(1)
    assert notebook.live("tool").evaluate("posableLive.position('tool')") == pytest.approx([0.4, 0.2, 0.5], abs=1e-5)
    notebook.look_at(2)
    plays = "() => document.querySelectorAll('option').length === 1 && document.querySelector('input').value > 0"
    notebook.frame(plays)
    notebook.look_at(3)
    clips = notebook.frame("() => document.querySelectorAll('option').length === 2")
    names = clips.evaluate("[...document.querySelectorAll('option')].map(one => one.text.split(',')[0])")
    assert names == ["CyclicDescent", "Fabrik"]
    until(lambda: notebook.frames() < 4, "figures out of sight to be put away")
    assert notebook.page.evaluate("Object.keys(window.posableViewers).length") == 1

    notebook.page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
    path = notebook.folder / "figures.ipynb"
    saved = until(lambda: (text := path.read_text()).count('"image/png"') >= 4 and text, "the notebook on disk")
    assert "posableViewers" not in saved and len(saved) < 1_000_000, "the file holds pictures, and not the viewer"
    assert notebook.problems == []
    notebook.page.close()


def test_the_notebook_of_these_tests_has_valid_cells() -> None:
    for cell in CELLS:
        compile(cell, "cell", "exec")

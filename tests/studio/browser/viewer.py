"""A studio that runs, and a browser that looks at it: what the tests of the page and the pictures of the docs drive."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, sync_playwright

from posable.studio import codec

CHROME_FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
CHROME_FLAGS += ["--ignore-gpu-blocklist", "--disable-dev-shm-usage"]
PATIENCE = 90_000  # ms until what never comes is given up: kernels may be compiled meanwhile; no test measures time


@contextmanager
def chromium() -> Iterator[Browser]:
    """Debian's chromium without a window, drawing by the processor."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), headless=True, args=CHROME_FLAGS)
        yield browser
        browser.close()


@contextmanager
def page_from_disk(browser: Browser, path: Path, size: tuple[int, int] = (800, 600)) -> Iterator[Page]:
    """A file in a tab of its own, which asks for no other file and leaves no error, and is closed in the end."""
    page = browser.new_page(viewport={"width": size[0], "height": size[1]})
    page.set_default_timeout(PATIENCE)
    problems: list[str] = []
    page.on("pageerror", lambda problem: problems.append(str(problem)))
    page.on("request", lambda request: problems.append(request.url))
    page.goto(path.as_uri())
    yield page
    assert set(problems) == {path.as_uri()}
    page.close()


class Server:
    """`posable studio FILE` in a process of its own, its session in `folder`; started again it has the same port.

    program: what Python runs, posable or a script that runs it.
    """

    def __init__(self, folder: Path, file: Path | None = None, program: tuple[str, ...] = ("-m", "posable")) -> None:
        self.folder = folder
        self._program = program
        self._files = [] if file is None else [str(file)]
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = ""
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Returns when it says where it is."""
        words = ["studio", *self._files, "--no-browser", "--port", str(self.port), "--session", str(self.folder)]
        self._process = subprocess.Popen(
            [sys.executable, *self._program, *words], stdout=subprocess.PIPE, text=True, env={**os.environ}
        )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if found := re.search(r"http://\S+", line):
                self.address = found[0]
                return
        raise AssertionError("posable studio ended without saying where it is")

    @property
    def pid(self) -> int:
        """Of the process that runs."""
        assert self._process is not None, "it does not run"
        return self._process.pid

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End it, as the system would."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.communicate(timeout=60)
        self._process = None


class Tab:
    """One page in a browser, its mouse and its keys. script: run in the page before anything else."""

    def __init__(
        self,
        browser: Browser,
        address: str,
        size: tuple[int, int] = (1200, 700),
        scheme: Any = "dark",
        script: str = "",
    ) -> None:
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, accept_downloads=True, color_scheme=scheme
        )
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.problems: list[str] = []
        self.page.on("pageerror", lambda problem: self.problems.append(str(problem)))
        self.page.add_init_script(script)
        self._open(address)

    def _open(self, address: str) -> None:
        self.page.goto(address)
        self.page.locator("[data-handle]").first.wait_for()

    def frames(self, count: int = 2) -> None:
        """Until the page has drawn that many pictures more."""
        self.page.evaluate(
            "n => new Promise(done => { const step = () => n-- > 0 ? requestAnimationFrame(step) : done(); step(); })",
            count,
        )

    def said(self) -> str:
        """The status line."""
        return self.page.locator(".status-bar .status").inner_text()

    def handle(self, name: str, kind: str = "goal") -> Locator:
        """The handle of a goal or of its pole."""
        return self.page.locator(f'[data-handle="{kind}:{name}"]')

    def place(self, name: str, kind: str = "goal") -> np.ndarray:
        """`[2]` where a handle is, in pixels of the page."""
        box = self.handle(name, kind).bounding_box()
        assert box is not None, f"the handle of {name} is not to be seen"
        return np.array([box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])

    def press(self, keys: str) -> None:
        """A key, as if typed on the picture."""
        self.page.keyboard.press(keys)

    def tool(self, name: str) -> None:
        """Choose a tool in the toolbar."""
        self.page.locator(f".toolbar [data-action={name}]").click()

    def hint(self) -> str:
        """What the status bar says of what the mouse is over."""
        return self.page.locator(".status-bar .hints").inner_text()

    def pull(self, start: np.ndarray, by: tuple[float, float], steps: int = 5, keys: tuple[str, ...] = ()) -> None:
        """Press the mouse at a place, move it, let go; keys: held down meanwhile."""
        mouse = self.page.mouse
        mouse.move(*start)
        self.frames()
        mouse.down()
        for key in keys:
            self.page.keyboard.down(key)
        for k in range(1, steps + 1):
            mouse.move(*(start + np.array(by) * k / steps))
            self.frames(1)
        mouse.up()
        for key in keys:
            self.page.keyboard.up(key)

    def field(self, label: str, value: str, within: str = "body") -> None:
        """Type a value into a field and leave it by Enter."""
        box = self.page.locator(within).get_by_role("textbox", name=label, exact=True)
        box.fill(value)
        box.press("Enter")
        box.blur()

    def drop(self, *paths: Path) -> None:
        """Drop files or folders onto the picture, as the system does."""
        data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
        box = self.page.locator(".viewport").bounding_box()
        assert box is not None
        wire = self.context.new_cdp_session(self.page)
        for kind in ("dragEnter", "dragOver", "drop"):
            at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
            wire.send("Input.dispatchDragEvent", {"type": kind, **at, "data": data})
        wire.detach()

    def choose(self, command: str) -> None:
        """By the command palette: the first that the words find."""
        self.press("Control+k")
        box = self.page.get_by_role("combobox", name="Find a command")
        box.fill(command)
        box.press("Enter")

    def picture(self) -> np.ndarray:
        """`[height, width, 3]` the 3-D view alone, as drawn at rest; signed, so that pictures may be subtracted."""
        self.page.evaluate("document.querySelector('.overlay').style.visibility = 'hidden'")
        self.page.wait_for_timeout(900)  # a resting picture is drawn better
        self.frames(3)
        shot = self.page.locator(".viewport > canvas").screenshot()
        self.page.evaluate("document.querySelector('.overlay').style.visibility = ''")
        return np.asarray(Image.open(io.BytesIO(shot)).convert("RGB")).astype(int)

    def close(self) -> None:
        """The tab and what it kept."""
        self.context.close()


class Viewer(Tab):
    """A page, and what it was told over its socket."""

    def _open(self, address: str) -> None:
        self.document: dict[str, Any] = {}
        self.status: dict[str, Any] = {}
        self.pose: codec.PoseMessage | None = None
        self.clip: codec.ClipMessage | None = None
        self.poses = self.sockets = self.rev = self.figures = 0
        self.asked = self.answered = 0  # the numbers of the last message to the session, and of the last one answered
        self.page.on("websocket", self._listen)
        self.page.goto(address)
        self.wait(lambda: self.pose is not None and bool(self.document), "the first pose")

    def _listen(self, opened: Any) -> None:
        self.sockets += 1
        opened.on("framesent", self._give)
        opened.on("framereceived", self._take)

    def _give(self, message: str | bytes) -> None:
        if isinstance(message, bytes):
            self.asked = codec.unpack_goal(message).seq
        elif message.startswith("{"):  # the first is the page's key
            self.asked = json.loads(message).get("id") or self.asked

    def _take(self, message: str | bytes) -> None:
        if isinstance(message, bytes):
            if message[0] == codec.POSE:
                self.pose = codec.unpack_pose(message)
                self.answered = self.pose.seq or self.answered
                self.poses += 1
            else:
                clip = codec.unpack_clip(message)
                self.clip = clip if len(clip.roots) else None
            return
        event = json.loads(message)
        if event["event"] == "document":
            self.document = event.get("document") or {**self.document, **event["set"]}
            self.rev = event["rev"]
        elif event["event"] == "status":
            self.status = event
        elif event["event"] == "figure":
            self.figures += 1
        elif event["event"] == "error":
            self.answered = event["id"] or self.answered

    def wait(self, is_so: Callable[[], object], what: str) -> None:
        """Until it is so; AssertionError after a coarse time-out."""
        for _ in range(PATIENCE // 25):
            if is_so():
                return
            self.page.wait_for_timeout(25)
        raise AssertionError(f"waited in vain for {what}; the page says {self.said()!r}; {self.problems}")

    def renew(self) -> None:
        """Everything undone, nothing chosen, frame 0, no auto-key, and no notice left."""
        self.page.mouse.move(5, 5)
        self.page.evaluate("document.querySelectorAll('.notice button').forEach((button) => button.click())")
        self.page.evaluate("document.activeElement?.blur()")
        for _ in range(2):  # a dialog, then the choice
            self.press("Escape")
        while self.document["can_undo"]:  # a key that the page is too busy to take is pressed again
            rev = self.rev
            self.press("Control+z")
            for _ in range(80):
                if self.rev > rev:
                    break
                self.page.wait_for_timeout(25)
        if self.document["auto_key"]:  # no step, so undo leaves it on
            self.press("a")
            self.wait(lambda: not self.document["auto_key"], "auto-key off")
        if self.document["frame"]:
            self.press("Home")
            self.wait(lambda: self.document["frame"] == 0, "the first frame")
        self.settle()
        self.problems.clear()

    def undo(self) -> None:
        """One step back, by its keys."""
        self.wait(lambda: self.document["can_undo"], "a step to take back")
        rev = self.rev
        self.press("Control+z")
        self.wait(lambda: self.rev > rev, "the undo")
        self.settle()

    def goal(self, name: str) -> dict[str, Any]:
        """A goal of the document."""
        return next(goal for goal in self.document["goals"] if goal["name"] == name)

    def joint(self, name: str) -> dict[str, Any]:
        """A joint of the document."""
        return next(joint for joint in self.document["joints"] if joint["name"] == name)

    def turn(self, joint: str) -> np.ndarray:
        """`[4]` wxyz, how a joint stands in its parent's frame."""
        assert self.pose is not None
        names = [one["name"] for one in self.document["joints"]]
        return np.array(self.pose.rotations[names.index(joint)])

    def part(self, name: str, what: str, kind: str = "goal") -> np.ndarray:
        """`[2]` a place, in pixels, where the mouse holds this part of a handle's gizmo ("move along x", say)."""
        middle = self.place(name, kind)
        for reach in (28, 39, 50, 60):
            for step in range(36):
                turn = 2 * np.pi * step / 36
                place = middle + reach * np.array([np.cos(turn), np.sin(turn)])
                self.page.mouse.move(*place)
                self.frames()
                if f"{what} ·" in self.hint():
                    return place
        raise AssertionError(f"no part of the gizmo of {name} says {what!r}")

    def drag(self, name: str, by: tuple[float, float], kind: str = "goal") -> None:
        """A whole gesture by mouse, by so many pixels; returns when the session has taken its end."""
        poses, rev = self.poses, self.rev
        self.pull(self.place(name, kind), by)
        self.wait(lambda: self.poses > poses, "the pose that follows the mouse")
        self.wait(lambda: self.rev > rev and self.document["can_undo"], "the step that the gesture is")
        self.settle()

    def settle(self) -> None:
        """Until the session has answered what the page has said, and no pose has come for some pictures."""
        for _ in range(PATIENCE // 1000):  # a message that a new connection has lost is never answered
            poses = self.poses
            self.frames(6)  # what the page has just sent is told only meanwhile
            if poses == self.poses and self.answered >= self.asked:
                return

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

FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
FLAGS += ["--ignore-gpu-blocklist", "--disable-dev-shm-usage"]
PATIENCE = 30_000  # ms until something that never comes is given up; no test measures time


class Server:
    """`posable studio` in a process of its own, its session in `folder`; started again it has the same port."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = ""
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Returns when it says where it is."""
        words = ["studio", "--no-browser", "--port", str(self.port), "--session", str(self.folder)]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "posable", *words], stdout=subprocess.PIPE, text=True, env={**os.environ}
        )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if found := re.search(r"http://\S+", line):
                self.address = found[0]
                return
        raise AssertionError("posable studio ended without saying where it is")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End it, as the system would."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.communicate(timeout=60)
        self._process = None


class Viewer:
    """One page, and what it was told over its socket."""

    def __init__(
        self, browser: Browser, address: str, size: tuple[int, int] = (1100, 700), scheme: Any = "dark"
    ) -> None:
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, accept_downloads=True, color_scheme=scheme
        )
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.document: dict[str, Any] = {}
        self.status: dict[str, Any] = {}
        self.pose: codec.PoseMessage | None = None
        self.clip: codec.ClipMessage | None = None
        self.poses = self.sockets = 0
        self.problems: list[str] = []
        self.page.on("websocket", self._listen)
        self.page.on("pageerror", lambda problem: self.problems.append(str(problem)))
        self.page.goto(address)
        self.wait(lambda: self.pose is not None and bool(self.document), "the first pose")

    def _listen(self, opened: Any) -> None:
        self.sockets += 1
        opened.on("framereceived", self._take)

    def _take(self, message: str | bytes) -> None:
        if isinstance(message, bytes):
            if message[0] == codec.POSE:
                self.pose = codec.unpack_pose(message)
                self.poses += 1
            else:
                self.clip = codec.unpack_clip(message)
            return
        event = json.loads(message)
        if event["event"] == "document":
            self.document = event.get("document") or {**self.document, **event["set"]}
        elif event["event"] == "status":
            self.status = event

    def wait(self, is_so: Callable[[], bool], what: str) -> None:
        """Until it is so; AssertionError after a coarse time-out."""
        for _ in range(PATIENCE // 25):
            if is_so():
                return
            self.page.wait_for_timeout(25)
        raise AssertionError(f"waited in vain for {what}; the page says {self.said()!r}; {self.problems}")

    def frames(self, count: int = 2) -> None:
        """Until the page has drawn that many pictures more."""
        self.page.evaluate(
            "n => new Promise(done => { const step = () => n-- > 0 ? requestAnimationFrame(step) : done(); step(); })",
            count,
        )

    def said(self) -> str:
        """The status line."""
        return self.page.locator(".status-bar [role=status]").inner_text()

    def goal(self, name: str) -> dict[str, Any]:
        """A goal of the document."""
        return next(goal for goal in self.document["goals"] if goal["name"] == name)

    def handle(self, name: str, kind: str = "goal") -> Locator:
        """The handle of a goal or of its pole."""
        return self.page.locator(f'[data-handle="{kind}:{name}"]')

    def place(self, name: str, kind: str = "goal") -> np.ndarray:
        """`[2]` where a handle is, in pixels of the page."""
        box = self.handle(name, kind).bounding_box()
        assert box is not None, f"the handle of {name} is not to be seen"
        return np.array([box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])

    def drag(self, name: str, by: tuple[float, float], kind: str = "goal", steps: int = 5) -> None:
        """A whole gesture by mouse, by so many pixels; returns when the session has taken its end."""
        start = self.place(name, kind)
        mouse, poses = self.page.mouse, self.poses
        mouse.move(*start)
        self.frames()
        mouse.down()
        for k in range(1, steps + 1):
            mouse.move(*(start + np.array(by) * k / steps))
            self.frames(1)
        mouse.up()
        self.wait(lambda: self.poses > poses and self.document["can_undo"], "the pose that follows the mouse")
        self.settle()

    def settle(self) -> None:
        """Until no pose has come for some pictures."""
        poses = -1
        while poses != self.poses:
            poses = self.poses
            self.frames(6)

    def press(self, keys: str) -> None:
        """A key, as if typed on the picture."""
        self.page.keyboard.press(keys)

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


@contextmanager
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, drawing by the processor."""
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), headless=True, args=FLAGS)
        yield browser
        browser.close()

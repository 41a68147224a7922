"""The studio in a real browser: poses a second and lag in a drag, a brush, what the server does of it, and a soak.

    python -m benchmarks.studio [--file FIGURE] [--seconds 8] [--soak 600] [--output benchmarks/STUDIO.md]

Needs `posable[test]` and Debian's chromium, and an otherwise idle machine: the browser draws by the processor. Lag is
from the pointer's event in the page to the first upload of bones that differ; the mouse waits for each answer there.
The soak holds an arrow key down, turn by turn left and right, and compares memory at its beginning and at its end.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

import posable
from posable.studio import codec
from posable.studio.opening import document_of
from posable.studio.session import Session

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from studio.browser.viewer import Server, Tab, chromium

FIGURE = Path(__file__).parents[2] / "shared/data/characters/MH_game_engine.glb"
HAND = "left hand"
SIZE = (1280, 800)
RADIUS = 40  # pixels

# Counts what goes over the socket, and notes when bones change after the pointer has moved, and how often they do.
PROBE = """
(() => {
  const sent = { sent: 0, last: 0, echoed: 0, wrong: 0, poses: 0 };
  const told = (window.probe = { ...sent, drawn: 0, frame: 0, pointer: 0, lags: [] });
  const Plain = window.WebSocket;
  window.WebSocket = class extends Plain {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", (message) => {
        if (!(message.data instanceof ArrayBuffer)) return;
        const bytes = new DataView(message.data);
        if (bytes.getUint8(0) !== 2) return;
        const seq = bytes.getUint32(4, true);
        told.poses++;
        if (seq < told.echoed) told.wrong++;
        told.echoed = Math.max(told.echoed, seq);
      });
    }
    send(data) {
      if (data instanceof ArrayBuffer) {
        told.sent++;
        told.last = new DataView(data).getUint32(4, true);
      }
      super.send(data);
    }
  };
  addEventListener("pointermove", (event) => (told.pointer ||= event.timeStamp), true);
  const kept = new Map();
  const context = WebGL2RenderingContext.prototype;
  const watch = (name, atLeast) => {
    const plain = context[name];
    context[name] = function (...given) {
      const data = given.find((part) => part instanceof Float32Array);
      if (data && data.length >= atLeast) {
        const before = kept.get(data.length);
        if (!before || data.some((value, k) => value !== before[k])) {
          kept.set(data.length, data.slice());
          if (told.frame !== (told.frame = document.timeline.currentTime)) told.drawn++;
          if (told.pointer) told.lags.push(performance.now() - told.pointer);
          told.pointer = 0;
        }
      }
      return plain.apply(this, given);
    };
  };
  // A texture of bones, or the vertices of a skin that the page bends itself, as it does without a graphics card.
  for (const name of ["texImage2D", "texSubImage2D"]) watch(name, 0);
  watch("bufferSubData", 3000);
  if (UNDRAWN) for (const name of ["drawElements", "drawArrays", "drawElementsInstanced", "drawArraysInstanced"])
    context[name] = () => {};
})();
"""


# Notes when something of so many corners is drawn first: the figure is in the picture, not only its handles.
SEEN = """
const draw = WebGL2RenderingContext.prototype.drawElements;
WebGL2RenderingContext.prototype.drawElements = function (mode, count, ...rest) {
  window.isSeen ||= count > 3000;
  return draw.call(this, mode, count, ...rest);
};
"""

# Leads a held handle about in a circle, one event a picture, as browsers tell of a mouse: Playwright's moves wait for
# each other, so that 20 to 45 a second would be all that is asked for.
LEAD = """
([grip, x, y, radius]) => {
  const start = performance.now();
  probe.leads = true;
  const lead = () => {
    const turn = (2 * Math.PI * (performance.now() - start)) / 3000;
    const [clientX, clientY] = [x + radius * (Math.cos(turn) - 1), y + radius * (Math.sin(turn) - 0.5)];
    const told = { bubbles: true, pointerId: 1, pointerType: "mouse", buttons: 1, clientX, clientY };
    document.querySelector(grip).dispatchEvent(new PointerEvent("pointermove", told));
    if (probe.leads) requestAnimationFrame(lead);
  };
  lead();
}
"""


@dataclass(frozen=True)
class Drag:
    """What a drag in the browser was like. rate: pictures a second with another pose. lags: ms of single moves."""

    rate: float
    lags: list[float]


class Probed(Tab):
    """A page that counts by itself: to listen to its messages from outside would cost what is to be measured."""

    def __init__(self, browser: Any, address: str, undrawn: bool) -> None:
        super().__init__(browser, address, SIZE, script=PROBE.replace("UNDRAWN", "true" if undrawn else "false"))

    def told(self) -> dict[str, Any]:
        """What the probe has counted."""
        return self.page.evaluate("() => ({ ...window.probe })")

    def settle(self) -> None:
        """Until no pose has come for some pictures."""
        poses = -1
        while poses != (poses := self.told()["poses"]):
            self.frames(6)


def drag(viewer: Probed, seconds: float) -> Drag:
    """Lead the hand about in a circle for that long; then by single moves."""
    place, mouse = viewer.place(HAND), viewer.page.mouse
    mouse.move(*place)
    viewer.frames()
    mouse.down()
    for k in range(30):  # warm
        mouse.move(*(place + _circle(k / 30)))
    viewer.page.evaluate(LEAD, [f'[data-handle="goal:{HAND}"]', *map(float, place), RADIUS])
    viewer.frames(30)
    before, start = viewer.told(), time.perf_counter()
    time.sleep(seconds)
    rate = (viewer.told()["drawn"] - before["drawn"]) / (time.perf_counter() - start)
    viewer.page.evaluate("() => (probe.leads = false)")
    lags = []
    for k in range(40):
        viewer.page.wait_for_timeout(250)
        viewer.page.evaluate("() => { probe.pointer = 0; probe.lags = []; }")
        mouse.move(*(place + _circle((k + 1) / 40)))
        viewer.page.wait_for_timeout(250)
        lags += viewer.told()["lags"][:1]
    mouse.up()
    viewer.settle()
    return Drag(rate, lags)


def paint(viewer: Probed, joint: str, seconds: float) -> float:
    """Pictures a second with other colours while a brush goes over the skin at a joint for that long."""
    viewer.choose(f"Select joint {joint}")
    viewer.press("w")
    viewer.page.get_by_label("Paint").check()
    place, mouse = viewer.place(joint, "joint"), viewer.page.mouse
    mouse.move(*place)
    mouse.down()
    for k in range(10):  # warm
        mouse.move(*(place + _circle(k / 10)))
    viewer.frames(10)
    before, start, moves = viewer.told(), time.perf_counter(), 0
    while time.perf_counter() - start < seconds:
        moves += 1
        mouse.move(*(place + _circle(moves / 31)))
    rate = (viewer.told()["drawn"] - before["drawn"]) / (time.perf_counter() - start)
    mouse.up()
    return rate


def _circle(turn: float) -> np.ndarray:
    """`[2]` pixels from where the hand is at rest."""
    return RADIUS * np.array([np.cos(2 * np.pi * turn) - 1, np.sin(2 * np.pi * turn) - 0.5])


@contextmanager
def studio(figure: Path, undrawn: bool) -> Iterator[tuple[Server, Probed]]:
    """The studio with `figure` in it, and a page that looks at it."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), figure)
        server.start()
        try:
            with chromium() as browser:
                viewer = Probed(browser, server.address, undrawn)
                viewer.settle()
                yield server, viewer
                viewer.close()
        finally:
            server.stop()


def server_share(figure: Path, count: int = 500) -> list[float]:
    """Milliseconds that the session takes for one goal message, packing included, message by message."""
    opened = posable.load(figure)
    session = Session(document_of(opened, figure.name))
    at = next(k for k, goal in enumerate(session.document.goals) if goal.name == HAND)
    goal = session.document.goals[at]
    taken = []
    for k in range(count):
        turn = 2 * np.pi * k / 100
        place = np.asarray(goal.position) + 0.1 * np.array([np.cos(turn) - 1, np.sin(turn), 0.0])
        x, y, z = place.tolist()
        flags = codec.GESTURE_BEGINS if k == 0 else 0
        message = codec.GoalMessage(at, flags, k, (x, y, z), goal.rotation)
        start = time.perf_counter()
        session.drag(message)
        session.pose_message(k)
        taken.append(1e3 * (time.perf_counter() - start))
    return taken[20:]


@dataclass(frozen=True)
class Soak:
    """Messages and memory of a long time under held keys; MiB at its beginning (after a minute's warming) and end."""

    seconds: float
    sent: int
    answered: bool
    overtaken: int
    server: tuple[float, float]
    page: tuple[float, float]


def soak(figure: Path, seconds: float) -> Soak:
    """Hold an arrow key down, a second to the left, a second to the right, and so on."""
    with studio(figure, undrawn=False) as (server, viewer):
        viewer.handle(HAND).click()
        begin = time.perf_counter()
        memory: list[tuple[float, float]] = []
        warm = min(60.0, seconds / 10)
        while (passed := time.perf_counter() - begin) < seconds:
            for key in ("ArrowLeft", "ArrowRight"):
                viewer.page.keyboard.down(key)
                viewer.page.wait_for_timeout(1000)
                viewer.page.keyboard.up(key)
            if not memory and passed > warm:
                memory.append((_resident(server), _heap(viewer)))
        viewer.settle()
        memory.append((_resident(server), _heap(viewer)))
        told = viewer.told()
        first, last = memory[0], memory[-1]
        answered = told["echoed"] >= told["last"]
        return Soak(seconds, told["sent"], answered, told["wrong"], (first[0], last[0]), (first[1], last[1]))


def _resident(server: Server) -> float:
    text = Path(f"/proc/{server.pid}/status").read_text()
    return int(text.split("VmRSS:")[1].split()[0]) / 1024


def _heap(viewer: Probed) -> float:
    session = viewer.context.new_cdp_session(viewer.page)
    session.send("HeapProfiler.collectGarbage")
    return session.send("Runtime.getHeapUsage")["usedSize"] / 2**20


def first_page() -> float:
    """Seconds from the command to the mannequin in the page, warm."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        server = Server(Path(folder))
        start = time.perf_counter()
        server.start()
        try:
            tab = Tab(browser, server.address, script=SEEN)
            while not tab.page.evaluate("() => window.isSeen"):
                tab.frames(1)
            tab.frames()
            return time.perf_counter() - start
        finally:
            server.stop()


def table(figure: Path, seconds: float, soak_seconds: float) -> str:
    """The Markdown table."""
    rows, painted = [], 0.0
    upper_arm = str(posable.roles(posable.load(figure))["upper_arm_l"])
    for undrawn, aims in ((False, (25, None)), (True, (50, 35))):
        with studio(figure, undrawn) as (_, viewer):
            dragged = drag(viewer, seconds)
            if not undrawn:
                painted = paint(viewer, upper_arm, seconds)
        how = "draw calls switched off" if undrawn else "software GL"
        rows.append((f"poses a second, {how}", f"≥ {aims[0]}", f"{dragged.rate:.0f}"))
        lag = f"{statistics.median(dragged.lags):.0f} ({max(dragged.lags):.0f} the longest of {len(dragged.lags)})"
        rows.append((f"ms from pointer to pose, {how}, median", f"≤ {aims[1]}" if aims[1] else "–", lag))
    rows.append(("pictures a second with other weights while painting, software GL", "≥ 15", f"{painted:.0f}"))
    share = server_share(figure)
    rows.append(
        ("ms of the server a pose, median", "< 2", f"{statistics.median(share):.2f} (mean {np.mean(share):.2f})")
    )
    rows.append(("seconds from the command to the mannequin", "≤ 3", f"{min(first_page() for _ in range(3)):.1f}"))
    if soak_seconds:
        s = soak(figure, soak_seconds)
        what = f"soak of {s.seconds:.0f} s, held keys"
        rows.append((f"{what}: goals sent, the newest answered", "yes", f"{s.sent:,}, {'yes' if s.answered else 'no'}"))
        rows.append((f"{what}: poses out of order", "0", str(s.overtaken)))
        for who, (early, late) in (("server", s.server), ("page's heap", s.page)):
            rows.append(
                (f"{what}: MiB of the {who}, after a minute and at the end", "flat", f"{early:.1f}, {late:.1f}")
            )
    lines = ["| what | aim | measured |", "|---|---|---|", *(f"| {a} | {b} | {c} |" for a, b, c in rows)]
    return "\n".join(lines)


def main() -> None:
    """Measure, print, and write where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--file", type=Path, default=FIGURE, help="the figure that is dragged")
    parser.add_argument("--seconds", type=float, default=8.0, help="how long a drag lasts")
    parser.add_argument("--soak", type=float, default=0.0, help="seconds under held keys; 600 for the whole")
    parser.add_argument("--output", type=Path)
    given = parser.parse_args()
    browser = subprocess.run(["chromium", "--version"], capture_output=True, text=True).stdout.strip()
    machine = f"{platform.machine()}, Python {platform.python_version()}, posable {version('posable')}, {browser}"
    measured = table(given.file, given.seconds, given.soak)
    made = f"Made by `python -m benchmarks.studio` with {given.file.name}. {machine}."
    text = f"# The studio in a browser\n\n{made}\n\n{measured}\n"
    print(text)
    if given.output:
        given.output.write_text(text)


if __name__ == "__main__":
    main()

"""The gesture in hand is solved in the page: it follows the mouse before the session answers, and never goes back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from studio.browser.viewer import Server, Tab

from posable.studio import codec

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# Keeps every picture's bones as they go to the graphics card: 16 numbers a bone. Without one the page would bend skins
# itself and send none, so it is told that there is one.
BONES = """
const asked = WebGL2RenderingContext.prototype.getParameter;
WebGL2RenderingContext.prototype.getParameter = function (name) {
  const answer = asked.call(this, name);
  return typeof answer === "string" ? answer.replace(/.*swiftshader.*/i, "a graphics card") : answer;
};
window.bones = [];
for (const name of ["texImage2D", "texSubImage2D"]) {
  const plain = WebGL2RenderingContext.prototype[name];
  WebGL2RenderingContext.prototype[name] = function (...given) {
    const data = given.find((part) => part instanceof Float32Array);
    if (data) window.bones.push(Array.from(data));
    return plain.apply(this, given);
  };
}
"""


class Held(Tab):
    """A page between which and the session a wire is held: what the session says waits while `holds`."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.holds = False
        self.kept: list[Any] = []
        self.pose: codec.PoseMessage | None = None
        super().__init__(browser, address, script=BONES)

    def _open(self, address: str) -> None:
        self.page.route_web_socket(re.compile("/ws$"), self._between)
        super()._open(address)

    def _between(self, socket: Any) -> None:
        self._socket, server = socket, socket.connect_to_server()
        socket.on_message(server.send)
        server.on_message(lambda message: self.kept.append(message) if self.holds else self._pass(message))

    def _pass(self, message: Any) -> None:
        if isinstance(message, bytes) and message[0] == codec.POSE:
            self.pose = codec.unpack_pose(message)
        self._socket.send(message)

    def release(self) -> None:
        """What has waited goes on."""
        self.holds = False
        while self.kept:
            self._pass(self.kept.pop(0))

    def bones(self) -> np.ndarray:
        """`[picture, bone, 4, 4]`, column by column, since this was asked last; the last picture is kept.

        The figure's bones are the largest array sent to the graphics card; smaller ones, as a ghost's, are left out.
        """
        found = self.page.evaluate("bones.splice(0, bones.length - 1).concat(bones)")
        most = max(map(len, found))
        pictures = [one for one in found if len(one) == most]
        return np.array(pictures).reshape(len(pictures), -1, 4, 4)

    def rest(self) -> None:
        """Until the picture has been the same for a while, however slow the machine is."""
        same, last = 0, None
        for _ in range(100):
            self.page.wait_for_timeout(150)
            self.frames(3)
            now = self.page.evaluate("bones.reduce((most, one) => (one.length >= most.length ? one : most), [])")
            same, last = (same + 1 if now == last else 0), now
            if same == 3:
                return
        raise AssertionError("the picture never comes to rest")


@pytest.fixture(scope="module")
def held(chrome: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Held]:
    """The page of a session of its own, once it has its own solver."""
    server = Server(tmp_path_factory.mktemp("foresight"))
    server.start()
    tab = Held(chrome, server.address)
    while not tab.page.evaluate("Boolean(window.posable)"):
        tab.page.wait_for_timeout(50)
    for _ in range(40):  # the figure's record and the network of what people do come when they come
        if _solves(tab):
            break
        tab.page.wait_for_timeout(1000)
    yield tab
    assert tab.problems == []
    tab.close()
    server.stop()


def _solves(held: Held) -> bool:
    """Whether a drag moves the figure while the session says nothing; the drag is undone."""
    held.rest()
    before = held.bones()[-1]
    held.holds = True
    _pulled(held, "left hand", (-12, -20))
    held.rest()
    moved = np.abs(held.bones()[-1] - before).max() > 0.01
    held.release()
    held.page.mouse.up()
    held.rest()
    held.press("Control+z")
    held.rest()
    return bool(moved)


def _pulled(held: Held, goal: str, by: tuple[float, float]) -> None:
    """Take a handle along, and keep it."""
    start = held.place(goal)
    held.page.mouse.move(*start)
    held.frames()
    held.page.mouse.down()
    for k in range(1, 9):
        held.page.mouse.move(*(start + np.array(by) * k / 8))
        held.frames(1)


@pytest.mark.slow
def test_drags_are_solved_before_the_session_answers(held: Held) -> None:
    """The session's answer to each move is what the page has drawn already, also of a second hand after the first."""
    held.rest()
    before = held.bones()[-1]
    for hand, side in (("left hand", -1.0), ("right hand", 1.0)):
        began = held.bones()[-1]
        start = held.place(hand)
        held.page.mouse.move(*start)
        held.frames()
        held.page.mouse.down()
        foreseen = began
        for k in range(1, 5):
            held.holds = True
            held.page.mouse.move(*(start + np.array([4.5 * side, -7.0]) * k))
            held.rest()
            foreseen = held.bones()[-1]
            assert np.abs(foreseen - began).max() > 0.05 * k, "the figure waits for the session"
            held.release()
            held.rest()
            assert np.abs(held.bones() - foreseen).max() < 1e-5, "the session's answer is another"
        held.page.mouse.up()
        held.rest()
        assert np.abs(held.bones() - foreseen).max() < 1e-5, "the figure jumps when it is let go"
    for _ in range(2):
        held.press("Control+z")
        held.rest()
    assert np.abs(held.bones()[-1] - before).max() < 1e-3


@pytest.mark.slow
def test_nothing_goes_back_while_the_mouse_goes_on(held: Held) -> None:
    held.rest()
    before = held.bones()[-1]
    _pulled(held, "left hand", (-80, -80))
    held.page.mouse.up()
    held.rest()
    pictures = held.bones()
    shift = pictures[:, :, 3, :3]
    bone = int(np.argmax(np.linalg.norm(shift[-1] - before[:, 3, :3], axis=1)))
    way = shift[-1, bone] - before[bone, 3, :3]
    along = (shift[:, bone] - before[bone, 3, :3]) @ way / np.linalg.norm(way) ** 2
    assert len(pictures) >= 5
    assert np.diff(along).min() > -0.02, along.round(3)
    held.press("Control+z")
    held.rest()


def test_the_switch_leaves_drags_to_the_session(held: Held) -> None:
    held.choose("Solve drags in the page")
    held.rest()
    before = held.bones()[-1]
    held.holds = True
    _pulled(held, "left hand", (-40, -60))
    held.rest()
    assert np.abs(held.bones()[-1] - before).max() < 1e-3
    held.page.mouse.up()
    held.release()
    held.rest()
    assert np.abs(held.bones()[-1] - before).max() > 0.1
    held.press("Control+z")
    held.choose("Solve drags in the page")
    held.rest()

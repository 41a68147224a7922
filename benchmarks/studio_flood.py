"""The studio under a flood: fifteen viewers drag as fast as they can, strangers knock, and one more viewer comes.

    python -m benchmarks.studio_flood [--seconds 60] [--rate 9000] [--hard]

Fifteen pages with a key drag a hand, `rate` messages a second together, and read all that comes. Thirty-five strangers
knock: with a wrong key, without any, or with half a request. A sixteenth page comes again and again: how long until it
has the figure and a pose? While it is in, thirty-five pages with a key come at once, and all must be refused. The flood
and the strangers are processes of their own, beside the server's. The figures stand in `docs/internals/trust.md`.

With `--hard` two hands are dragged in turn, so that no drag overtakes another, among commands and nonsense: more than
any machine can do. What is not done waits with its sender, and so do its answers to pings: after two minutes it is let
go.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import json
import multiprocessing
import os
import select
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import numpy as np

import posable
from posable.studio import codec
from posable.studio.opening import document_of

SEATS, KNOCKING = 16, 35
BEAT = 0.01  # seconds between two bursts of the flood
PATIENCE = 120.0  # seconds until what never comes is given up


@dataclass
class Measured:
    """What a flood was like. waits: seconds until the sixteenth viewer had figure and pose, visit by visit; refusals:
    seconds until each page that was one too many was refused; memory: MiB of the server, second by second.
    """

    seconds: float = 0.0
    sent: int = 0
    answered: int = 0
    knocks: int = 0
    waits: list[float] = field(default_factory=list)
    refusals: list[float] = field(default_factory=list)
    admitted: int = 0
    memory: list[float] = field(default_factory=list)


# ---- a WebSocket by hand: a library's costs would be measured too ----


def opened(port: int) -> socket.socket:
    """A socket whose handshake is done."""
    own = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    key = base64.b64encode(os.urandom(16)).decode()
    lines = ["GET /ws HTTP/1.1", f"Host: 127.0.0.1:{port}", f"Origin: http://127.0.0.1:{port}", "Upgrade: websocket"]
    lines += ["Connection: Upgrade", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", "", ""]
    own.sendall("\r\n".join(lines).encode())
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += own.recv(1) or _broken()
    return own


def _broken() -> bytes:
    raise ConnectionError("the server closed the connection")


TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


def framed(message: bytes, code: int = BINARY) -> bytes:
    """A message as a page sends it; its mask is zero, which leaves the bytes as they are."""
    assert len(message) < 126
    return bytes([0x80 | code, 0x80 | len(message), 0, 0, 0, 0]) + message


class Frames:
    """Takes a server's bytes apart."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, some: bytes) -> Iterator[tuple[int, bytes]]:
        """(opcode, content) of the messages that are complete."""
        self._bytes += some
        while len(self._bytes) >= 2:
            start, size = 2, self._bytes[1] & 127
            if size >= 126:
                start = 4 if size == 126 else 10
                size = int.from_bytes(self._bytes[2:start], "big")
            if len(self._bytes) < start + size or len(self._bytes) < start:
                return
            yield self._bytes[0] & 15, bytes(self._bytes[start : start + size])
            del self._bytes[: start + size]


# ---- who comes ----


def flood(port: int, key: str, rate: float, hard: bool, told: Any, stop: Any) -> None:
    """Fifteen viewers that lead hands about in circles. told: [sent, answered], shared."""
    sockets = [opened(port) for _ in range(SEATS - 1)]
    for own in sockets:
        own.sendall(framed(key.encode(), TEXT))
        own.setblocking(False)
    frames = {own: Frames() for own in sockets}
    answered, rest = dict.fromkeys(sockets, 0), dict.fromkeys(sockets, b"")
    number, began = 1, time.monotonic()
    while not stop.is_set():
        until = max(int((time.monotonic() - began) * rate / len(sockets)), number)
        for k in range(number, until):
            message = _message(k, hard)
            for own in sockets:
                if len(rest[own]) < 1 << 16:  # else the server does not take it: this page waits, as a browser would
                    rest[own] = _sent(own, rest[own] + message)
                    told[0] += 1
        number = until
        for own in select.select(sockets, [], [], 0.0)[0]:
            for code, content in frames[own].feed(own.recv(1 << 20) or _broken()):
                if code == BINARY and content[0] == codec.POSE:
                    answered[own] = max(answered[own], int.from_bytes(content[4:8], "little"))
                elif code == PING:
                    rest[own] += framed(content, PONG)
        told[1] = sum(answered.values())
        time.sleep(BEAT)


def _sent(own: socket.socket, some: bytes) -> bytes:
    """What of it must wait."""
    try:
        return some[own.send(some) :]
    except BlockingIOError:
        return some


_HANDS = [
    (k, goal)
    for k, goal in enumerate(document_of(posable.figure("mannequin"), "mannequin").goals)
    if goal.name.endswith("hand")
]


def _message(number: int, hard: bool) -> bytes:
    """What a viewer of the flood sends, framed."""
    if hard and number % 50 == 0:
        return framed(b"nonsense", TEXT)
    if hard and number % 10 == 0:
        return framed(json.dumps({"op": "timeline.frame", "frame": number % 120, "id": number}).encode(), TEXT)
    at, goal = _HANDS[number % 2 if hard else 0]
    turn = number / 100
    place = np.array(goal.position) + 0.1 * np.array([np.cos(turn) - 1, np.sin(turn), 0.0])
    x, y, z = place.tolist()
    return framed(codec.pack_goal(codec.GoalMessage(at, 0, number, (x, y, z), goal.rotation)))


def knock(port: int, told: Any, stop: Any) -> None:
    """Thirty-five strangers: with a wrong key, without a word, with half a request."""

    def stranger(number: int) -> None:
        while not stop.is_set():
            with contextlib.suppress(OSError):
                if number % 3:
                    own = opened(port)
                    own.sendall(framed(b"a guess", TEXT) if number % 3 == 1 else b"")
                else:
                    own = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
                    own.sendall(b"GET / HTTP/1.1\r\nHost:")
                with own:
                    own.settimeout(1.0)
                    while own.recv(1 << 10) and not stop.is_set():
                        pass
            told[2] += 1
            stop.wait(0.1)

    threads = [threading.Thread(target=stranger, args=(number,), daemon=True) for number in range(KNOCKING)]
    for thread in threads:
        thread.start()
    stop.wait()


def visit(port: int, key: str, then: Any = None) -> float:
    """Seconds until a page has the figure and its pose. then: called while the page is still in."""
    began = time.perf_counter()
    frames, is_posed = Frames(), False
    with opened(port) as own:
        own.sendall(framed(key.encode(), TEXT))
        url = ""
        while not (is_posed and url):
            for code, content in frames.feed(own.recv(1 << 20) or _broken()):
                is_posed |= code == BINARY and content[0] == codec.POSE
                if code == TEXT and content.startswith(b'{"event":"figure"'):
                    url = "/api/figure.glb"
        connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        connection.request("GET", url, headers={"X-Posable-Key": key})
        assert connection.getresponse().read(4) == b"glTF"
        connection.close()
        passed = time.perf_counter() - began
        if then is not None:
            then()
    return passed


def warm(port: int, key: str) -> None:
    """Wait until the session is open and has dragged either hand: at first, kernels may be compiled."""
    frames, answered = Frames(), 0
    with opened(port) as own:
        own.sendall(framed(key.encode(), TEXT) + b"".join(_message(number, hard=True) for number in (1, 2)))
        while answered < 2:
            for code, content in frames.feed(own.recv(1 << 20) or _broken()):
                if code == BINARY and content[0] == codec.POSE:
                    answered = max(answered, int.from_bytes(content[4:8], "little"))


def refused(port: int, key: str) -> tuple[float, bool]:
    """Seconds until the answer to a page with a key, and whether it was refused."""
    began, frames = time.perf_counter(), Frames()
    with opened(port) as own:
        own.sendall(framed(key.encode(), TEXT))
        while True:
            for code, content in frames.feed(own.recv(1 << 20) or _broken()):
                return time.perf_counter() - began, code == CLOSE and int.from_bytes(content[:2], "big") == 1013


# ---- the measurement ----


@contextlib.contextmanager
def studio() -> Iterator[tuple[int, str, int]]:
    """(port, key, pid) of a studio with the mannequin."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["studio", "--no-browser", "--port", "0", "--session", folder]
        with subprocess.Popen([sys.executable, "-m", "posable", *words], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            try:
                home, _, token = process.stdout.readline().split()[-1].partition("/#")
                port = int(home.rpartition(":")[2])
                connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
                connection.request("POST", "/api/key", headers={"X-Posable-Token": token})
                key = connection.getresponse().read().decode().split('"')[3]
                connection.close()
                warm(port, key)
                yield port, key, process.pid
            finally:
                process.kill()


def measure(seconds: float, rate: float, hard: bool = False, pause: float = 2.0) -> Measured:
    """Flood a studio for so long. pause: seconds between two visits of the sixteenth viewer."""
    found = Measured()
    spawn = multiprocessing.get_context("spawn")
    told, stop = spawn.Array("q", 3, lock=False), spawn.Event()
    with studio() as (port, key, pid):
        others = [
            spawn.Process(target=flood, args=(port, key, rate, hard, told, stop), daemon=True),
            spawn.Process(target=knock, args=(port, told, stop), daemon=True),
        ]
        for other in others:
            other.start()
        while not told[1] or not told[2]:  # both are at it
            time.sleep(0.05)
        began, before = time.monotonic(), list(told)
        while (passed := time.monotonic() - began) < seconds or not found.waits:
            found.waits.append(visit(port, key, lambda: _crowd(port, key, found)))
            found.memory.append(resident(pid))
            time.sleep(pause)
        found.seconds = passed
        found.sent, found.answered, found.knocks = (now - then for now, then in zip(told, before, strict=True))
        stop.set()
        for other in others:
            other.join(10)
    return found


def _crowd(port: int, key: str, found: Measured) -> None:
    """Thirty-five pages with a key at once, where there is no seat left."""

    def come() -> None:
        seconds, is_refused = refused(port, key)
        found.refusals.append(seconds)
        found.admitted += not is_refused

    threads = [threading.Thread(target=come) for _ in range(KNOCKING)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def resident(pid: int) -> float:
    """MiB of a process."""
    text = Path(f"/proc/{pid}/status").read_text()
    return int(text.split("VmRSS:")[1].split()[0]) / 1024


def table(found: Measured) -> str:
    """The Markdown table."""
    early = found.memory[len(found.memory) // 6]
    rows = [
        ("messages a second that fifteen viewers sent", "9,000", f"{found.sent / found.seconds:,.0f}"),
        ("of these done", "–", f"{found.answered / found.seconds:,.0f}"),
        ("knocks of strangers a second", "–", f"{found.knocks / found.seconds:.0f}"),
        (
            "seconds until the sixteenth viewer has figure and pose: median, longest",
            "≤ 3",
            f"{np.median(found.waits):.2f}, {max(found.waits):.2f} of {len(found.waits)}",
        ),
        ("pages beyond the sixteenth that were let in", "0", f"{found.admitted} of {len(found.refusals)}"),
        ("seconds until they were refused: longest", "–", f"{max(found.refusals):.2f}"),
        ("MiB of the server: after a sixth of the time, at the end", "flat", f"{early:.1f}, {found.memory[-1]:.1f}"),
    ]
    return "\n".join(["| what | aim | measured |", "|---|---|---|", *(f"| {a} | {b} | {c} |" for a, b, c in rows)])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--rate", type=float, default=9000.0, help="messages a second")
    parser.add_argument("--hard", action="store_true", help="messages of which none overtakes another")
    given = parser.parse_args()
    print(table(measure(given.seconds, given.rate, given.hard)))


if __name__ == "__main__":
    main()

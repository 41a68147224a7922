"""The hub: one task owns the session, executes the viewers' messages in order, and sends the events to all viewers.

Commands are never dropped. Of queued drags of one goal only the newest is solved; of queued poses for one viewer only
the newest is sent. The hub is independent of the web server.
"""

from __future__ import annotations

import asyncio
import json
import logging
import struct
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import posable
from posable.studio import codec
from posable.studio import commands as c
from posable.studio.command import Command
from posable.studio.hello import hello_event
from posable.studio.parse_commands import command_from
from posable.studio.records import MessageError
from posable.studio.session import Event, Session

_QUICK = 0.005  # seconds: longer drags run in the worker thread, so that messages are still received
_PAUSE = 0.06  # seconds without a message after which the status is computed
_LONGEST_WAIT = 0.3  # seconds after which it is computed even during a drag
_TICK, _LONGEST_TICK = 1 / 60, 0.2  # seconds
_MOST_WAITING = 2000  # queued messages after which a viewer is disconnected

log = logging.getLogger("posable.studio")
Message = str | bytes


@dataclass(eq=False)
class Viewer:
    """A connected page. Texts and clips are queued; of poses only the newest is kept.

    held: the gesture and the keys that this viewer holds, each with the command that releases it.
    """

    line: deque[Message] = field(default_factory=deque)
    pose: bytes | None = None
    waiting: asyncio.Event = field(default_factory=asyncio.Event)
    is_gone: bool = False
    held: dict[str, Command] = field(default_factory=dict)

    def hold(self, what: codec.GoalMessage | Command) -> None:
        """Remember what this viewer holds, and the command that releases it."""
        if isinstance(what, codec.GoalMessage):
            name, is_held, end = "gesture", not what.flags & codec.GESTURE_ENDS, c.GestureEnd()
        elif isinstance(what, c.GestureBegin | c.GestureEnd):
            name, is_held, end = "gesture", isinstance(what, c.GestureBegin), c.GestureEnd()
        elif isinstance(what, c.DemoKey):
            name, is_held, end = what.key, what.down, c.DemoKey(what.key, down=False)
        else:
            return
        if is_held:
            self.held[name] = end
        else:
            self.held.pop(name, None)

    def give(self, events: Iterable[Event]) -> None:
        """Queue messages for this viewer."""
        for event in events:
            if isinstance(event, dict):
                self.line.append(json.dumps(event, allow_nan=False, separators=(",", ":")))
            elif event[0] == codec.POSE:
                self.pose = event
            else:
                self.line.append(event)
        if len(self.line) > _MOST_WAITING:
            self.is_gone = True
        self.waiting.set()

    async def send_all(self, send: Callable[[Message], Awaitable[None]]) -> None:
        """Send the queued messages until the viewer is gone."""
        while not self.is_gone:
            await self.waiting.wait()
            self.waiting.clear()
            while self.line:
                await send(self.line.popleft())
            if self.pose is not None:
                pose, self.pose = self.pose, None
                await send(pose)


@dataclass(eq=False)
class _Work:
    """A message to execute, and its sender. done: gets the result."""

    viewer: Viewer | None
    what: codec.GoalMessage | Command | Viewer
    id: int | None = None
    done: asyncio.Future[None] | None = None


class Hub:
    """Owns a session. `run` is the only task that touches it."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.viewers: list[Viewer] = []
        self._queue: asyncio.Queue[_Work] = asyncio.Queue()
        self._worker = ThreadPoolExecutor(1, "posable-studio")
        self._drag_seconds = 1.0  # of the last drag; the first one may compile kernels
        self._status_at, self._is_status_due = 0.0, False
        self._ticked_at = 0.0

    # ---- for the server ----

    def join(self) -> Viewer:
        """A new viewer. It gets the whole state when its turn comes."""
        viewer = Viewer()
        self._queue.put_nowait(_Work(viewer, viewer))
        return viewer

    def leave(self, viewer: Viewer) -> None:
        """Remove a viewer; what it held is released."""
        viewer.is_gone = True
        for command in viewer.held.values():
            self._queue.put_nowait(_Work(None, command))
        viewer.waiting.set()
        if viewer in self.viewers:
            self.viewers.remove(viewer)

    def take(self, viewer: Viewer, message: Message) -> None:
        """Receive a message from a viewer; an invalid one is answered with an error event."""
        number: int | None = None
        try:
            if isinstance(message, bytes):
                self._take(viewer, codec.unpack_goal(message), None)
                return
            try:
                read = json.loads(message)
            except (ValueError, RecursionError) as problem:
                raise MessageError("the message is not JSON") from problem
            number = read.get("id") if isinstance(read, dict) and isinstance(read.get("id"), int) else None
            self._take(viewer, command_from(read), number)
        except posable.PosableError as problem:
            viewer.give([_error(number, problem)])

    def _take(self, viewer: Viewer, what: codec.GoalMessage | Command, number: int | None) -> None:
        viewer.hold(what)
        self._queue.put_nowait(_Work(viewer, what, number))

    async def ask(self, command: Command) -> None:
        """Execute a command and wait for it. Raises what the command raises."""
        done = asyncio.get_running_loop().create_future()
        self._queue.put_nowait(_Work(None, command, None, done))
        await done

    async def in_worker(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Run a function in the worker thread of the session, after its current work."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, function, *arguments)

    # ---- the task ----

    async def run(self) -> None:
        """Execute queued messages forever."""
        while True:
            for work in _newest(await self._waiting()):
                try:
                    await self._do(work)
                except posable.PosableError as problem:
                    self._refuse(work, problem)
                except Exception as problem:
                    log.exception("a command failed")
                    self._refuse(work, problem)
            if self._is_status_due and monotonic() - self._status_at > _LONGEST_WAIT:
                await self._send_status()

    async def _waiting(self) -> list[_Work]:
        """The queued messages. While there are none, held keys act and a due status is computed."""
        while self._queue.empty():
            pause = _TICK if self.session.is_ticking else _PAUSE if self._is_status_due else None
            try:
                work = await asyncio.wait_for(self._queue.get(), pause)
            except TimeoutError:
                if self.session.is_ticking:
                    await self._tick()
                if self._is_status_due and (
                    not self.session.is_ticking or monotonic() - self._status_at > _LONGEST_WAIT
                ):
                    await self._send_status()
                continue
            return [work, *self._rest()]
        return self._rest()

    async def _tick(self) -> None:
        """Move what held keys move, by the time since the last tick."""
        now = monotonic()
        passed, self._ticked_at = now - self._ticked_at, now
        await self.in_worker(self.session.tick, passed if passed < _LONGEST_TICK else _TICK)
        self._send_pose(None, 0)

    def _rest(self) -> list[_Work]:
        found = []
        while not self._queue.empty():
            found.append(self._queue.get_nowait())
        return found

    async def _do(self, work: _Work) -> None:
        if isinstance(work.what, Viewer):
            self.viewers.append(work.what)
            work.what.give([hello_event(), *await self.in_worker(self.session.whole)])
            return
        if isinstance(work.what, codec.GoalMessage):
            await self._drag(work.what)
            self._send_pose(work.viewer, work.what.seq)
            events = await self.in_worker(self.session.end_gesture) if work.what.flags & codec.GESTURE_ENDS else []
        else:
            events = await self.in_worker(self.session.handle, work.what)
            self._send_pose(work.viewer, work.id or 0)
        for viewer in self.viewers:
            viewer.give(events)
        if work.done is not None and not work.done.done():
            work.done.set_result(None)

    async def _drag(self, message: codec.GoalMessage) -> None:
        began = monotonic()
        if self._drag_seconds < _QUICK:
            self.session.drag(message)
        else:
            await self.in_worker(self.session.drag, message)
        self._drag_seconds = monotonic() - began

    def _refuse(self, work: _Work, problem: Exception) -> None:
        if work.done is not None and not work.done.done():
            work.done.set_exception(problem)
        if work.viewer is not None:
            number = work.what.seq if isinstance(work.what, codec.GoalMessage) else work.id
            work.viewer.give([_error(number, problem)])

    def _send_pose(self, asker: Viewer | None, seq: int) -> None:
        """Send the pose to all viewers; `seq` goes to the viewer that asked."""
        message = self.session.pose_message(0)
        for viewer in self.viewers:
            own = message[:4] + struct.pack("<I", seq & 0xFFFFFFFF) + message[8:] if viewer is asker else message
            viewer.give([own])
        self._is_status_due = True

    async def _send_status(self) -> None:
        self._is_status_due = False
        status = await self.in_worker(self.session.status)
        self._status_at = monotonic()
        for viewer in self.viewers:
            viewer.give([status])
        if self._queue.empty() and await self.in_worker(self.session.settle):
            self._send_pose(None, 0)


def _newest(works: list[_Work]) -> list[_Work]:
    """Drop drags that a newer message about the same goal replaces; starts and ends of gestures stay."""
    found: list[_Work] = []
    for work in works:
        before = found[-1] if found else None
        if (
            before is not None
            and isinstance(work.what, codec.GoalMessage)
            and isinstance(before.what, codec.GoalMessage)
            and (before.viewer, before.what.goal) == (work.viewer, work.what.goal)
            and not before.what.flags & codec.GESTURE_ENDS
        ):
            begins = before.what.flags & codec.GESTURE_BEGINS
            found[-1] = _Work(work.viewer, work.what._replace(flags=work.what.flags | begins))
        else:
            found.append(work)
    return found


def _error(number: int | None, problem: Exception) -> dict[str, Any]:
    known = isinstance(problem, posable.PosableError | OSError)
    message = (
        str(problem) if known else f"the command failed, and nothing was changed: {problem or type(problem).__name__}"
    )
    return {"event": "error", "id": number, "message": message}

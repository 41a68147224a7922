"""The desk at which viewers sit: one task owns the session, does what they ask in order, and tells all of them.

Commands are never dropped. Of goals that wait to be dragged, the newest wins; of poses that wait to be sent to a
viewer, too. It knows nothing of the web.
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

_QUICK = 0.005  # seconds: what takes longer is done in the worker's thread, so that messages go on
_PAUSE = 0.06  # seconds without a message after which the status is found out
_PATIENCE = 0.3  # seconds after which it is found out in the middle of a drag
_TICK, _LONGEST_TICK = 1 / 60, 0.2  # seconds
_MOST_WAITING = 2000  # messages to a viewer that does not read them

log = logging.getLogger("posable.studio")
Message = str | bytes


@dataclass(eq=False)
class Viewer:
    """Somebody who watches. Texts and clips wait in line, of poses only the newest.

    held: what is in this viewer's hand, a gesture or keys, and the command that lets go of it.
    """

    line: deque[Message] = field(default_factory=deque)
    pose: bytes | None = None
    waiting: asyncio.Event = field(default_factory=asyncio.Event)
    is_gone: bool = False
    held: dict[str, Command] = field(default_factory=dict)

    def hold(self, what: codec.GoalMessage | Command) -> None:
        """Remember what this viewer has in hand, and how to let go of it."""
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
        """Messages for this viewer, in their order."""
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
        """Hands on what waits, for as long as the viewer is there."""
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
    """Something to be done, and who asked for it. done: hears how it ended."""

    viewer: Viewer | None
    what: codec.GoalMessage | Command | Viewer
    id: int | None = None
    done: asyncio.Future[None] | None = None


class Hub:
    """Owns a session. `run` is the one task that touches it."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.viewers: list[Viewer] = []
        self._queue: asyncio.Queue[_Work] = asyncio.Queue()
        self._worker = ThreadPoolExecutor(1, "posable-studio")
        self._lasted = 1.0  # seconds, of the last drag: the first may compile
        self._status_at, self._is_status_due = 0.0, False
        self._ticked_at = 0.0

    # ---- for whoever serves ----

    def join(self) -> Viewer:
        """A new viewer, who is told everything as soon as it is its turn."""
        viewer = Viewer()
        self._queue.put_nowait(_Work(viewer, viewer))
        return viewer

    def leave(self, viewer: Viewer) -> None:
        """A viewer less; what it had in hand is let go."""
        viewer.is_gone = True
        for command in viewer.held.values():
            self._queue.put_nowait(_Work(None, command))
        viewer.waiting.set()
        if viewer in self.viewers:
            self.viewers.remove(viewer)

    def take(self, viewer: Viewer, message: Message) -> None:
        """A message from a viewer; what cannot be meant is answered with an error event."""
        number: int | None = None
        try:
            if isinstance(message, bytes):
                self._take(viewer, codec.unpack_goal(message), None)
                return
            try:
                said = json.loads(message)
            except (ValueError, RecursionError) as problem:
                raise MessageError("a message that is no JSON") from problem
            number = said.get("id") if isinstance(said, dict) and isinstance(said.get("id"), int) else None
            self._take(viewer, command_from(said), number)
        except posable.PosableError as problem:
            viewer.give([_error(number, problem)])

    def _take(self, viewer: Viewer, what: codec.GoalMessage | Command, number: int | None) -> None:
        viewer.hold(what)
        self._queue.put_nowait(_Work(viewer, what, number))

    async def ask(self, command: Command) -> None:
        """Do a command and wait for it. Raises what it raises."""
        done = asyncio.get_running_loop().create_future()
        self._queue.put_nowait(_Work(None, command, None, done))
        await done

    async def in_worker(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Run something in the thread that works on the session, after what it does now."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, function, *arguments)

    # ---- the one task ----

    async def run(self) -> None:
        """Do what is asked, for ever."""
        while True:
            for work in _newest(await self._waiting()):
                try:
                    await self._do(work)
                except posable.PosableError as problem:
                    self._refuse(work, problem)
                except Exception as problem:
                    log.exception("a command failed")
                    self._refuse(work, problem)
            if self._is_status_due and monotonic() - self._status_at > _PATIENCE:
                await self._tell_status()

    async def _waiting(self) -> list[_Work]:
        """What waits; meanwhile held keys act, and the status is found out once it is quiet."""
        while self._queue.empty():
            pause = _TICK if self.session.is_ticking else _PAUSE if self._is_status_due else None
            try:
                work = await asyncio.wait_for(self._queue.get(), pause)
            except TimeoutError:
                if self.session.is_ticking:
                    await self._tick()
                if self._is_status_due and (not self.session.is_ticking or monotonic() - self._status_at > _PATIENCE):
                    await self._tell_status()
                continue
            return [work, *self._rest()]
        return self._rest()

    async def _tick(self) -> None:
        """Held keys act for as long as it was since they last did."""
        now = monotonic()
        passed, self._ticked_at = now - self._ticked_at, now
        await self.in_worker(self.session.tick, passed if passed < _LONGEST_TICK else _TICK)
        self._tell_pose(None, 0)

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
            self._tell_pose(work.viewer, work.what.seq)
            events = await self.in_worker(self.session.end_gesture) if work.what.flags & codec.GESTURE_ENDS else []
        else:
            events = await self.in_worker(self.session.handle, work.what)
            self._tell_pose(work.viewer, work.id or 0)
        for viewer in self.viewers:
            viewer.give(events)
        if work.done is not None and not work.done.done():
            work.done.set_result(None)

    async def _drag(self, message: codec.GoalMessage) -> None:
        began = monotonic()
        if self._lasted < _QUICK:
            self.session.drag(message)
        else:
            await self.in_worker(self.session.drag, message)
        self._lasted = monotonic() - began

    def _refuse(self, work: _Work, problem: Exception) -> None:
        if work.done is not None and not work.done.done():
            work.done.set_exception(problem)
        if work.viewer is not None:
            number = work.what.seq if isinstance(work.what, codec.GoalMessage) else work.id
            work.viewer.give([_error(number, problem)])

    def _tell_pose(self, asker: Viewer | None, seq: int) -> None:
        """The pose for everybody; `seq` is for the one who asked."""
        message = self.session.pose_message(0)
        for viewer in self.viewers:
            own = message[:4] + struct.pack("<I", seq & 0xFFFFFFFF) + message[8:] if viewer is asker else message
            viewer.give([own])
        self._is_status_due = True

    async def _tell_status(self) -> None:
        self._is_status_due = False
        status = await self.in_worker(self.session.status)
        self._status_at = monotonic()
        for viewer in self.viewers:
            viewer.give([status])
        if self._queue.empty() and await self.in_worker(self.session.settle):
            self._tell_pose(None, 0)


def _newest(works: list[_Work]) -> list[_Work]:
    """Without dragged goals that a newer message of the same goal overtakes; beginnings and ends of gestures stay."""
    kept: list[_Work] = []
    for work in works:
        before = kept[-1] if kept else None
        if (
            before is not None
            and isinstance(work.what, codec.GoalMessage)
            and isinstance(before.what, codec.GoalMessage)
            and (before.viewer, before.what.goal) == (work.viewer, work.what.goal)
            and not before.what.flags & codec.GESTURE_ENDS
        ):
            begins = before.what.flags & codec.GESTURE_BEGINS
            kept[-1] = _Work(work.viewer, work.what._replace(flags=work.what.flags | begins))
        else:
            kept.append(work)
    return kept


def _error(number: int | None, problem: Exception) -> dict[str, Any]:
    known = isinstance(problem, posable.PosableError | OSError)
    message = str(problem) if known else f"that failed, and nothing was changed: {problem or type(problem).__name__}"
    return {"event": "error", "id": number, "message": message}

"""The hub: one task owns the session, executes the viewers' messages in turn, and sends the events to all viewers.

Each viewer has a short queue of its own, and one message of each is executed in turn, so that a viewer with many
messages does not delay the others. Commands are never dropped. Of queued drags of one goal only the newest is solved;
of queued poses for one viewer only the newest is sent. The hub is independent of the web server.
"""

from __future__ import annotations

import asyncio
import contextlib
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
from posable.studio.command_progress import CommandProgress
from posable.studio.commands import command_from
from posable.studio.document import Document
from posable.studio.events import hello_event
from posable.studio.opening import checked_key
from posable.studio.records import MessageError
from posable.studio.session import Event, Session
from posable.studio.uploads import in_words

MOST_VIEWERS = 16
_MOST_RECEIVED = 32  # waiting messages of a viewer; no more are read from its socket until they are executed
_MOST_WAITING = 2000  # queued messages after which a viewer is disconnected
_MOST_BYTES = 64 << 20  # of queued messages; with more, the viewer is disconnected
_QUICK_DRAG = 0.005  # seconds: longer drags run in the worker thread, so that messages are still received
_STATUS_PAUSE = 0.06  # seconds without a message after which the status is computed
_STATUS_DELAY = 0.3  # seconds after which it is computed even during a drag
_TICK, _LONGEST_TICK = 1 / 60, 0.2  # seconds
_PAGE_LOAD_SECONDS = 3.0  # after which the kernels are compiled even if no page has loaded

log = logging.getLogger("posable.studio")
Message = str | bytes


@dataclass(eq=False)
class _Work:
    """Something to execute. what: None sends the viewer the whole state, or, if the viewer has left, makes its steps
    everybody's; an error is the answer to an invalid message.

    id: the viewer's number of the message. done: gets the result. count: messages of the viewer that this stands for.
    """

    what: codec.GoalMessage | Command | posable.PosableError | None
    id: int | None = None
    done: asyncio.Future[None] | None = None
    count: int = 1

    def absorb(self, newer: _Work) -> bool:
        """Become a newer drag of the same goal; False for anything else. Starts and ends of gestures stay."""
        old, new = self.what, newer.what
        if not isinstance(old, codec.GoalMessage) or not isinstance(new, codec.GoalMessage):
            return False
        if new.goal != old.goal or old.flags & codec.GESTURE_ENDS:
            return False
        self.what = new._replace(flags=new.flags | (old.flags & codec.GESTURE_BEGINS))
        self.id = newer.id
        self.count += newer.count
        return True


@dataclass(eq=False)
class Viewer:
    """A connected page. Texts and clips are queued; of poses only the newest is kept.

    received: its waiting messages. is_in: whether it has the whole state, to which events refer.
    held: the gesture and the keys that this viewer holds, each with the command that releases it.
    """

    line: deque[Message] = field(default_factory=deque)
    pose: bytes | None = None
    waiting: asyncio.Event = field(default_factory=asyncio.Event)
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    received: deque[_Work] = field(default_factory=deque)
    room: asyncio.Event = field(default_factory=asyncio.Event)
    is_in: bool = False
    held: dict[str, Command] = field(default_factory=dict)
    _count: int = field(default=0, init=False)  # of received messages
    _bytes: int = field(default=0, init=False)  # in line

    @property
    def is_gone(self) -> bool:
        """Whether the viewer has left, or was too far behind."""
        return self.gone.is_set()

    async def has_room(self) -> None:
        """Wait until another message may be received."""
        while self._count >= _MOST_RECEIVED:
            self.room.clear()
            await self.room.wait()

    def receive(self, work: _Work) -> None:
        """Queue work of this viewer; a drag replaces an older one of the same goal that waits."""
        self._count += work.count
        if not (self.received and self.received[-1].absorb(work)):
            self.received.append(work)

    def next(self) -> _Work:
        """Take the oldest work."""
        work = self.received.popleft()
        self._count -= work.count
        self.room.set()
        return work

    def hold(self, what: codec.GoalMessage | Command) -> None:
        """Remember what this viewer holds, and the command that releases it. Raises PosableError for an unknown key."""
        if isinstance(what, codec.GoalMessage):
            name, is_held, end = "gesture", not what.flags & codec.GESTURE_ENDS, c.GestureEnd()
        elif isinstance(what, c.GestureBegin | c.GestureEnd | c.GestureCancel):
            name, is_held, end = "gesture", isinstance(what, c.GestureBegin), c.GestureEnd()
        elif isinstance(what, c.DemoKey):
            name, is_held, end = checked_key(what.key), what.down, c.DemoKey(what.key, down=False)
        else:
            return
        if is_held:
            self.held[name] = end
        else:
            self.held.pop(name, None)

    def give(self, messages: Iterable[Message]) -> None:
        """Queue messages for this viewer, unless it is gone."""
        if self.is_gone:
            return
        for message in messages:
            if isinstance(message, str) or message[0] != codec.POSE:
                self.line.append(message)
                self._bytes += len(message)
            elif self.pose is not None and message[4:8] == _NO_MESSAGE:
                self.pose = message[:4] + self.pose[4:8] + message[8:]  # keeps the number that the older pose answers
            else:
                self.pose = message
        if len(self.line) > _MOST_WAITING or (self._bytes > _MOST_BYTES and len(self.line) > 1):
            self.gone.set()
        self.waiting.set()

    async def send_all(self, send: Callable[[Message], Awaitable[None]]) -> None:
        """Send the queued messages until the viewer is gone."""
        while not self.is_gone:
            await self.waiting.wait()
            self.waiting.clear()
            while self.line:
                message = self.line.popleft()
                self._bytes -= len(message)
                await send(message)
            if self.pose is not None:
                pose, self.pose = self.pose, None
                await send(pose)


_NO_MESSAGE = struct.pack("<I", 0)  # the number of a pose that does not answer a message


def encoded(event: Event) -> Message:
    """An event as it is sent."""
    return json.dumps(event, allow_nan=False, separators=(",", ":")) if isinstance(event, dict) else event


class Hub:
    """Owns a session. `run` is the only task that touches it.

    warm_up: compiles the kernels of gestures; until then viewers get the state, and their work waits.
    """

    def __init__(self, session: Session, warm_up: Callable[[Document], Awaitable[None]] | None = None) -> None:
        self.session = session
        self._warm_up = warm_up
        self._is_ready = warm_up is None
        self._early: list[Viewer] = []  # viewers whose work came before the kernels were ready
        self._may_warm_up = asyncio.Event()
        self.viewers: list[Viewer] = []
        self._own = Viewer()  # for work that did not come over a socket
        self._waiting: deque[Viewer] = deque()  # viewers with work, in the order of execution
        self._has_work = asyncio.Event()
        self._worker = ThreadPoolExecutor(1, "posable-studio")
        self._drag_seconds = 1.0  # of the last drag; the first one may compile kernels
        self._status_at, self._is_status_due = 0.0, False
        self._ticked_at = 0.0
        self._progress = CommandProgress(self.tell)

    # ---- for the server ----

    def join(self) -> Viewer | None:
        """A new viewer, or None if there are too many. It gets the whole state as its first message."""
        if len(self.viewers) >= MOST_VIEWERS:
            return None
        viewer = Viewer()
        self.viewers.append(viewer)
        self._queue(viewer, _Work(None))
        return viewer

    def leave(self, viewer: Viewer) -> None:
        """Remove a viewer; what it held is released after all that it sent."""
        viewer.gone.set()
        viewer.waiting.set()
        for command in viewer.held.values():
            self._queue(viewer, _Work(command))
        if viewer in self.viewers:
            self.viewers.remove(viewer)
            self._queue(viewer, _Work(None))

    def take(self, viewer: Viewer, message: Message) -> None:
        """Receive a message from a viewer that has room; an invalid one is answered with an error event."""
        number: int | None = None
        try:
            if isinstance(message, bytes):
                what: codec.GoalMessage | Command = codec.unpack_goal(message)
                number = what.seq
            else:
                read = _json(message)
                number = read.get("id") if isinstance(read, dict) and isinstance(read.get("id"), int) else None
                what = command_from(read)
            viewer.hold(what)
            self._queue(viewer, _Work(what, number))
        except posable.PosableError as problem:
            self._queue(viewer, _Work(problem, number))

    async def ask(self, command: Command) -> None:
        """Execute a command and wait for it. Raises what the command raises."""
        done = asyncio.get_running_loop().create_future()
        self._queue(self._own, _Work(command, None, done))
        await done

    def cancel(self) -> None:
        """Cancel the command that is being executed, if it reports progress; nothing has changed then."""
        self._progress.cancel()

    async def in_worker(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Run a function in the worker thread of the session, after its current work."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, function, *arguments)

    def tell(self, event: Event) -> None:
        """Send an event to all viewers, now."""
        self._send([event])

    def _queue(self, viewer: Viewer, work: _Work) -> None:
        if not viewer.received:
            self._waiting.append(viewer)
        viewer.receive(work)
        self._has_work.set()

    # ---- the task ----

    async def run(self) -> None:
        """Execute queued work forever, one message of each viewer in turn."""
        warming = asyncio.create_task(self._warmed())
        try:
            await self._work()
        finally:
            warming.cancel()

    async def _warmed(self) -> None:
        """Compile the kernels as soon as a page has the whole state or work waits for them; then execute that work."""
        if self._warm_up is None:
            return
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._may_warm_up.wait(), _PAGE_LOAD_SECONDS)
        try:
            await self._warm_up(self.session.document)
        except Exception:
            log.exception("the kernels could not be compiled beforehand")
        self._is_ready = True
        self._send([self._ready_event()])
        self._waiting.extend(self._early)
        self._early.clear()
        self._has_work.set()

    def _ready_event(self) -> Event:
        return {"event": "ready", "ready": self._is_ready}

    async def _work(self) -> None:
        while True:
            if not self._waiting:
                await self._idle()
                continue
            viewer = self._waiting.popleft()
            if not self._is_ready and viewer.received[0].what is not None:
                self._early.append(viewer)  # it waits until the kernels are ready
                self._may_warm_up.set()
                continue
            work = viewer.next()
            if viewer.received:
                self._waiting.append(viewer)
            await self._try(viewer, work)
            if self._is_status_due and monotonic() - self._status_at > _STATUS_DELAY:
                await self._send_status()
            await asyncio.sleep(0)  # fast drags never await, and sockets must be read

    async def _try(self, viewer: Viewer, work: _Work) -> None:
        try:
            await self._do(viewer, work)
        except (posable.PosableError, OSError) as problem:
            self._refuse(viewer, work, problem)
        except Exception as problem:
            log.exception("a command failed")
            self._refuse(viewer, work, problem)

    async def _idle(self) -> None:
        """Wait for work. Meanwhile held keys act, and a due status is computed."""
        self._has_work.clear()
        pause = _TICK if self.session.is_ticking else _STATUS_PAUSE if self._is_status_due else None
        try:
            await asyncio.wait_for(self._has_work.wait(), pause)
        except TimeoutError:
            if self.session.is_ticking:
                await self._tick()
            if self._is_status_due and (not self.session.is_ticking or monotonic() - self._status_at > _STATUS_DELAY):
                await self._send_status()

    async def _tick(self) -> None:
        """Move what held keys move, by the time since the last tick."""
        now = monotonic()
        passed, self._ticked_at = now - self._ticked_at, now
        await self.in_worker(self.session.tick, passed if passed < _LONGEST_TICK else _TICK)
        self._send_pose()

    async def _do(self, viewer: Viewer, work: _Work) -> None:
        if isinstance(work.what, posable.PosableError):
            raise work.what
        if work.what is None:
            if viewer.is_gone:
                self.session.history.release(viewer)
                return
            events = [hello_event(), *await self.in_worker(self.session.whole)]
            viewer.is_in = True
            viewer.give(map(encoded, [*events, self._ready_event()]))
            self._may_warm_up.set()
            return
        if isinstance(work.what, codec.GoalMessage):
            await self._drag(work.what, viewer)
            self._send_pose()
            is_last = work.what.flags & codec.GESTURE_ENDS
            events = await self.in_worker(self.session.end_gesture, viewer) if is_last else []
        else:
            by = None if viewer is self._own else viewer
            events = await self.in_worker(self._progress.watched(self.session.handle), work.what, by)
            self._send_pose()
        self._send(events)
        self._answer(viewer, work)
        if work.done is not None and not work.done.done():
            work.done.set_result(None)

    async def _drag(self, message: codec.GoalMessage, viewer: Viewer) -> None:
        began = monotonic()
        if self._drag_seconds < _QUICK_DRAG:
            self.session.drag(message, viewer)
        else:
            await self.in_worker(self.session.drag, message, viewer)
        self._drag_seconds = monotonic() - began

    def _refuse(self, viewer: Viewer, work: _Work, problem: Exception) -> None:
        if work.done is not None and not work.done.done():
            work.done.set_exception(problem)
        viewer.give([encoded({"event": "error", "id": work.id, "message": in_words(problem)})])

    def _send(self, events: Iterable[Event]) -> None:
        """Send events to all viewers that have the whole state; each is encoded once."""
        messages = [encoded(event) for event in events]
        for viewer in self.viewers:
            if viewer.is_in:
                viewer.give(messages)

    def _send_pose(self) -> None:
        """Send the pose to all viewers."""
        self._send([self.session.pose_message(0)])
        self._is_status_due = True

    def _answer(self, viewer: Viewer, work: _Work) -> None:
        """Tell the viewer of a message that it has received everything that the message changed."""
        if viewer.is_in and work.id:
            viewer.give([self.session.pose_message(work.id & 0xFFFFFFFF)])

    async def _send_status(self) -> None:
        self._is_status_due = False
        status = await self.in_worker(self.session.status)
        self._status_at = monotonic()
        self._send([status])
        if not self._waiting and await self.in_worker(self.session.settle):
            self._send_pose()


def _json(message: str) -> Any:
    try:
        return json.loads(message)
    except (ValueError, RecursionError) as problem:
        raise MessageError("the message is not JSON") from problem

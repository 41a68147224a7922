"""The hub: what waits in line, what is overtaken, and who is too far behind."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest

from posable.studio import codec
from posable.studio import commands as c
from posable.studio.hub import Hub, Message, Viewer, _newest, _Work
from posable.studio.session import Session

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """In a thread of its own: a browser that other tests drive keeps a loop running in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def moved(number: int, seq: int, flags: int, by: float) -> bytes:
    """A goal dragged upwards, as bytes."""
    x, y, z = Session().document.goals[number].position
    return codec.pack_goal(codec.GoalMessage(number, flags, seq, (x, y + by, z), (1.0, 0.0, 0.0, 0.0)))


def goal(number: int, seq: int, flags: int = 0) -> codec.GoalMessage:
    return codec.GoalMessage(number, flags, seq, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))


def test_of_goals_that_wait_the_newest_wins_and_no_end_is_lost() -> None:
    viewer, other = Viewer(), Viewer()
    begins, ends = codec.GESTURE_BEGINS, codec.GESTURE_ENDS
    waiting = [
        _Work(viewer, goal(0, 1, begins)), _Work(viewer, goal(0, 2)), _Work(viewer, goal(0, 3, ends)),
        _Work(viewer, goal(0, 4, begins)), _Work(viewer, goal(1, 5)), _Work(other, goal(1, 6)),
        _Work(other, goal(1, 7)),
    ]  # fmt: skip
    found = [work.what for work in _newest(waiting)]
    assert [(one.seq, one.flags) for one in found if isinstance(one, codec.GoalMessage)] == [
        (3, begins | ends),
        (4, begins),
        (5, 0),
        (7, 0),
    ]


def test_poses_are_overtaken_and_texts_are_not() -> None:
    viewer, sent = Viewer(), []
    pose = Session().pose_message(0)

    async def send(message: Message) -> None:
        sent.append(message)
        viewer.is_gone = len(sent) == 3

    viewer.give(
        [
            pose,
            {"event": "notice", "text": "one"},
            {"event": "notice", "text": "two"},
            pose[:4] + b"\1\0\0\0" + pose[8:],
        ]
    )
    run(viewer.send_all(send))
    assert [isinstance(one, str) for one in sent] == [True, True, False]
    assert codec.unpack_pose(sent[2]).seq == 1


def test_a_viewer_that_never_reads_is_let_go() -> None:
    viewer = Viewer()
    for _ in range(3000):
        viewer.give([{"event": "notice", "text": "hello"}])
    assert viewer.is_gone


def test_an_accident_is_answered_and_the_desk_goes_on() -> None:
    async def scene() -> list[Message]:
        hub = Hub(Session())
        task = asyncio.create_task(hub.run())
        viewer = hub.join()
        hub.session.handle = None  # type: ignore[assignment,method-assign]  # calling it is an accident
        hub.take(viewer, '{"op": "pose.reset", "id": 4}')
        hub.take(viewer, codec.pack_goal(goal(0, 5)))
        while viewer.pose is None or codec.unpack_pose(viewer.pose).seq != 5:
            await asyncio.sleep(0.005)
        task.cancel()
        return list(viewer.line)

    messages = [one for one in run(scene()) if isinstance(one, str)]
    assert any('"id":4' in one and "nothing was changed" in one for one in messages)


@pytest.mark.parametrize("flags", [codec.GESTURE_BEGINS, 0])  # 0: its beginning was lost with a connection
def test_what_a_viewer_who_leaves_has_in_hand_is_let_go(flags: int) -> None:
    async def scene() -> Session:
        hub = Hub(Session())
        task = asyncio.create_task(hub.run())
        viewer = hub.join()
        hub.take(viewer, moved(0, 5, flags, 0.05))
        hub.leave(viewer)
        await hub.ask(c.GoalSet("head", weight=0.5))
        task.cancel()
        return hub.session

    session = run(scene())
    assert len(session.undo) == 2
    assert [document.goal("head").weight for document in session.undo] == [1.0, 1.0]
    assert session.undo[1].goals[0].position[1] - session.undo[0].goals[0].position[1] == pytest.approx(0.05)


def test_keys_that_a_viewer_who_leaves_holds_are_let_go() -> None:
    async def scene() -> Session:
        hub = Hub(Session())
        task = asyncio.create_task(hub.run())
        viewer, other = hub.join(), hub.join()
        hub.take(viewer, '{"op": "demo.key", "key": "ArrowUp", "down": true}')
        hub.take(viewer, '{"op": "demo.key", "key": "ArrowLeft", "down": true}')
        await hub.ask(c.GestureBegin())
        assert hub.session.is_ticking
        hub.leave(other)
        await hub.ask(c.GestureBegin())
        assert hub.session.is_ticking
        hub.leave(viewer)
        await hub.ask(c.GestureBegin())
        task.cancel()
        return hub.session

    assert not run(scene()).is_ticking

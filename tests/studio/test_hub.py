"""The hub: what waits in line, what is overtaken, and who is too far behind."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest

from posable.studio import codec
from posable.studio import commands as c
from posable.studio import hub as hubs
from posable.studio.hub import MOST_VIEWERS, Hub, Message, Viewer, _Work, encoded
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
    viewer = Viewer()
    begins, ends = codec.GESTURE_BEGINS, codec.GESTURE_ENDS
    for one in (goal(0, 1, begins), goal(0, 2), goal(0, 3, ends), goal(0, 4, begins), goal(1, 5), goal(1, 6)):
        viewer.receive(_Work(one))
    found = [(work.what, work.count) for work in viewer.received]
    assert [(one.seq, one.flags, count) for one, count in found if isinstance(one, codec.GoalMessage)] == [
        (3, begins | ends, 3),
        (4, begins, 1),
        (6, 0, 2),
    ]


NOTICES = [encoded({"event": "notice", "text": text}) for text in ("one", "two")]


def answering(pose: bytes, seq: int) -> bytes:
    return pose[:4] + bytes([seq, 0, 0, 0]) + pose[8:]


def sent_by(viewer: Viewer, count: int) -> list[Message]:
    """The first messages that a viewer is sent."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)
        if len(sent) == count:
            viewer.gone.set()

    run(viewer.send_all(send))
    return sent


def test_poses_are_overtaken_and_texts_are_not() -> None:
    viewer, pose = Viewer(), Session().pose_message(0)
    viewer.give([pose, *NOTICES, answering(pose, 1)])
    sent = sent_by(viewer, 3)
    assert sent[:2] == NOTICES and isinstance(sent[2], bytes)
    assert codec.unpack_pose(sent[2]).seq == 1


def test_a_pose_that_overtakes_an_answer_answers_instead() -> None:
    viewer, pose, other = Viewer(), Session().pose_message(0), moved_pose()
    viewer.give([answering(pose, 7)])
    viewer.give([other])
    (sent,) = sent_by(viewer, 1)
    assert sent == answering(other, 7) != answering(pose, 7)


def moved_pose() -> bytes:
    session = Session()
    session.handle(c.GoalSet("left hand", position=(0.3, 1.2, 0.3)))
    return session.pose_message(0)


@pytest.mark.parametrize("most", ["_MOST_WAITING", "_MOST_BYTES"])
def test_a_viewer_that_never_reads_is_let_go_and_nothing_more_is_kept_for_it(
    most: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert hubs._MOST_WAITING == 2000 and hubs._MOST_BYTES == 64 << 20
    monkeypatch.setattr(hubs, most, 50)
    viewer = Viewer()
    for _ in range(3000):
        viewer.give(NOTICES)
    assert viewer.is_gone and len(viewer.line) <= 52


class Stuck:
    """A socket that takes nothing, says nothing, and never ends."""

    async def forever(self, *_: object) -> Any:
        await asyncio.Event().wait()

    receive = send_text = send_bytes = close = forever


def test_a_viewer_that_takes_nothing_gives_its_seat_back(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("starlette", reason="the studio's server is not installed")
    from posable.studio import routes

    monkeypatch.setattr(routes, "_CLOSING_TIMEOUT", 0.0)

    async def scene() -> list[int]:
        served = routes.Routes(Session())
        task = asyncio.create_task(served.socket(Stuck()))  # type: ignore[arg-type]
        while not served.hub.viewers:
            await asyncio.sleep(0)
        seats = [len(served.hub.viewers)]
        served.hub.viewers[0].give(NOTICES)
        while len(served.hub.viewers[0].line) == len(NOTICES):  # until the first is on its way
            await asyncio.sleep(0)
        for _ in range(2000):
            served.hub.viewers[0].give(NOTICES)
        await task
        return [*seats, len(served.hub.viewers)]

    assert run(scene()) == [1, 0]


def test_one_long_message_is_not_too_far_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hubs, "_MOST_BYTES", 10)
    viewer = Viewer()
    viewer.give(NOTICES[:1])
    assert not viewer.is_gone


def test_seats_are_taken_at_once_and_not_when_the_session_has_time() -> None:
    async def scene() -> list[bool]:
        hub = Hub(Session())  # nobody runs it
        found = [hub.join() for _ in range(MOST_VIEWERS + 3)]
        first = found[0]
        assert first is not None
        hub.leave(first)
        return [one is not None for one in (*found, hub.join(), hub.join())]

    assert run(scene()) == [True] * MOST_VIEWERS + [False] * 3 + [True, False]


def test_of_each_viewer_one_message_is_done_in_turn() -> None:
    async def scene() -> list[tuple[int, str]]:
        hub, done = Hub(Session()), []
        many, few = hub.join(), hub.join()
        assert many is not None and few is not None
        for k in range(20):
            hub.take(many, f'{{"op": "goal.set", "goal": "head", "weight": 0.{k + 10}}}')
        hub.take(few, '{"op": "pose.reset"}')
        numbers = {many: 0, few: 1}
        do = hub._do

        async def noted(viewer: Viewer, work: _Work) -> None:
            done.append((numbers[viewer], type(work.what).__name__))
            await do(viewer, work)

        hub._do = noted  # type: ignore[method-assign]
        task = asyncio.create_task(hub.run())
        late = None
        while len(done) < 23:
            if len(done) >= 5 and late is None:
                late = hub.join()
                assert late is not None
                numbers[late] = 2
            await asyncio.sleep(0)
        task.cancel()
        return done

    done = run(scene())
    assert done[:4] == [(0, "NoneType"), (1, "NoneType"), (0, "GoalSet"), (1, "PoseReset")]
    assert (2, "NoneType") in done[5:8]  # who comes while others send waits for one message of each


@pytest.mark.parametrize(
    "message", [moved, lambda *_: '{"op": "pose.reset"}', lambda *_: "nonsense"], ids=["drag", "command", "invalid"]
)
def test_no_more_is_read_of_a_viewer_than_its_turns_allow(message: Any) -> None:
    async def scene() -> tuple[int, bool, int, bool]:
        hub = Hub(Session())  # nobody runs it
        viewer = hub.join()
        assert viewer is not None
        read = 0

        async def reader() -> None:
            nonlocal read
            for k in range(1000):
                await viewer.has_room()
                hub.take(viewer, message(0, k, 0, 0.0))
                read += 1

        task = asyncio.create_task(reader())
        for _ in range(50):
            await asyncio.sleep(0)
        at_first, waits = read, not task.done()
        while viewer.received:
            viewer.next()
        for _ in range(50):
            await asyncio.sleep(0)
        task.cancel()
        return at_first, waits, read - at_first, len(viewer.received) <= hubs._MOST_RECEIVED

    assert run(scene()) == (hubs._MOST_RECEIVED - 1, True, hubs._MOST_RECEIVED, True)


def test_keys_that_move_nothing_are_not_remembered() -> None:
    hub = Hub(Session())
    viewer = hub.join()
    assert viewer is not None
    for k in range(100):
        hub.take(viewer, f'{{"op": "demo.key", "key": "{k}", "down": true}}')
    assert not viewer.held


def test_an_accident_is_answered_and_the_desk_goes_on() -> None:
    async def scene() -> list[Message]:
        hub = Hub(Session())
        task = asyncio.create_task(hub.run())
        viewer = hub.join()
        assert viewer is not None
        hub.session.handle = None  # type: ignore[assignment,method-assign]  # calling it is an accident
        hub.take(viewer, '{"op": "pose.reset", "id": 4}')
        hub.take(viewer, codec.pack_goal(goal(0, 5)))
        while viewer.pose is None or codec.unpack_pose(viewer.pose).seq != 5:
            await asyncio.sleep(0.005)
        task.cancel()
        return list(viewer.line)

    messages = [one for one in run(scene()) if isinstance(one, str)]
    assert any('"id":4' in one and "nothing was changed" in one for one in messages)


async def all_done(hub: Hub, viewer: Viewer) -> None:
    """Until all is done that a viewer sent."""
    while viewer.received:
        await asyncio.sleep(0.005)
    await hub.ask(c.GestureBegin())


@pytest.mark.parametrize("flags", [codec.GESTURE_BEGINS, 0])  # 0: its beginning was lost with a connection
def test_what_a_viewer_who_leaves_has_in_hand_is_let_go(flags: int) -> None:
    async def scene() -> Session:
        hub = Hub(Session())
        task = asyncio.create_task(hub.run())
        viewer = hub.join()
        assert viewer is not None
        hub.take(viewer, moved(0, 5, flags, 0.05))
        hub.leave(viewer)
        while viewer.received:
            await asyncio.sleep(0.005)
        await hub.ask(c.GoalSet("head", weight=0.5))
        task.cancel()
        return hub.session

    session = run(scene())
    assert len(session.history.done) == 2
    first, second = (step.before for step in session.history.done)
    assert first.goal("head").weight == second.goal("head").weight == 1.0
    assert second.goals[0].position[1] - first.goals[0].position[1] == pytest.approx(0.05)


def test_keys_that_a_viewer_who_leaves_holds_are_let_go() -> None:
    async def scene() -> Session:
        hub = Hub(Session())
        task = asyncio.create_task(hub.run())
        viewer, other = hub.join(), hub.join()
        assert viewer is not None and other is not None
        hub.take(viewer, '{"op": "demo.key", "key": "ArrowUp", "down": true}')
        hub.take(viewer, '{"op": "demo.key", "key": "ArrowLeft", "down": true}')
        await all_done(hub, viewer)
        assert hub.session.is_ticking
        hub.leave(other)
        await all_done(hub, viewer)
        assert hub.session.is_ticking
        hub.leave(viewer)
        await all_done(hub, viewer)
        task.cancel()
        return hub.session

    assert not run(scene()).is_ticking


def test_work_waits_for_the_kernels_in_its_order_and_the_state_does_not() -> None:
    async def scene() -> tuple[bool, list[str], list[str]]:
        session, go = Session(), asyncio.Event()

        async def warm_up(_document: object) -> None:
            await go.wait()

        hub = Hub(session, warm_up)
        task = asyncio.create_task(hub.run())
        viewer = hub.join()
        assert viewer is not None
        while viewer.pose is None:
            await asyncio.sleep(0.01)
        for number, name in ((1, "left hand"), (2, "right hand")):
            hub.take(viewer, json.dumps({"op": "goal.set", "id": number, "goal": name, "weight": 0.5}))
        await asyncio.sleep(0.05)
        waits = not session.history.done
        early = [json.loads(one)["event"] for one in viewer.line if isinstance(one, str)]
        go.set()
        while len(session.history.done) < 2:
            await asyncio.sleep(0.01)
        task.cancel()
        return waits, early, [goal.name for goal in session.document.goals if goal.weight == 0.5]

    waits, early, done = run(scene())
    assert waits and early[-1] == "ready" and done == ["left hand", "right hand"]


def test_what_is_asked_before_a_page_comes_does_not_wait_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hubs, "_PAGE_LOAD_SECONDS", 3600.0)

    async def scene() -> float:
        async def warm_up(_document: object) -> None: ...

        hub = Hub(Session(), warm_up)
        task = asyncio.create_task(hub.run())
        await asyncio.wait_for(hub.ask(c.GoalSet("left hand", weight=0.5)), 60)
        task.cancel()
        return next(goal.weight for goal in hub.session.document.goals if goal.name == "left hand")

    assert run(scene()) == 0.5

"""Ctrl-C ends what is being solved, on every thread; what another thread solves goes on."""

from __future__ import annotations

import _thread
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator

import numpy as np
import pytest

import posable
from posable.compiled import threads
from posable.compiled.threads import in_threads
from posable.solvers.default.kernels.descent import HALTED
from posable.solvers.engine import Batch

PATIENCE = 30.0  # seconds after which a test gives up

HOURS = """
import _thread, signal, sys, threading
import numpy as np
import posable
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's jobs in the background ignore it
count, restarts, goals = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
rest = posable.load(posable.sample("panda.urdf")).rest
tip = rest.skeleton.joints[-1]
far = np.random.default_rng(0).normal(size=(count, 3)) * [5, 5, 5] + 10
asked = [posable.Reach(tip, far if count > 1 else far[0]), posable.Orient(tip, (1, 0, 0, 0))]
asked += {"hard": [], "soft": [posable.Comfort()], "custom": [posable.Custom(lambda pose: pose.q[..., :1] - 9)]}[goals]
posable.solve(rest, asked[:1] + asked[2:], restarts=0, max_iterations=1)
threading.Timer(0.5, _thread.interrupt_main).start()
try:
    posable.solve(rest, asked, restarts=restarts, max_iterations=10**6)
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("count", "restarts", "goals"),
    [(1, 10**9, "hard"), (1, 10**9, "soft"), (400_000, 10**7, "hard"), (50, 500, "custom")],
)
def test_a_solve_of_hours_is_interrupted(count: int, restarts: int, goals: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", HOURS, str(count), str(restarts), goals],
        capture_output=True,
        text=True,
        timeout=10 * PATIENCE,
        check=False,
    )
    assert ran.stdout == "interrupted\n", ran.stderr


@pytest.fixture
def heeds_ctrl_c() -> Iterator[None]:
    """A shell's jobs in the background ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("waits", [False, True])
def test_the_others_are_halted_and_waited_for(heeds_ctrl_c: None, waits: bool) -> None:
    del heeds_ctrl_c
    halted, begun, ended = threading.Event(), threading.Event(), []

    def run(part: slice) -> None:
        if threading.current_thread() is threading.main_thread():
            assert begun.wait(PATIENCE)
            raise KeyboardInterrupt
        begun.set()
        if waits:
            _thread.interrupt_main()
        assert halted.wait(PATIENCE)
        ended.append(part)

    with pytest.raises(KeyboardInterrupt):
        in_threads(run, 100, 100, 2, halted.set, waits=waits)
    assert halted.is_set() and 1 <= len(ended) <= 2  # each thread ends what it has begun, and begins nothing more


def test_what_does_not_heed_the_halt_is_not_waited_for_long(
    heeds_ctrl_c: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    del heeds_ctrl_c
    monkeypatch.setattr(threads, "_PATIENCE", 0.01)
    over = threading.Event()

    def run(_: slice) -> None:
        _thread.interrupt_main()
        over.wait(PATIENCE)

    with pytest.raises(KeyboardInterrupt):
        in_threads(run, 1, 1, 1, waits=True)
    assert not over.is_set()
    over.set()


def test_an_error_ends_the_others_early() -> None:
    done = []

    def run(part: slice) -> None:
        if part.start == 0:
            raise ValueError("no")
        done.append(part)

    with pytest.raises(ValueError, match="no"):
        in_threads(run, 1000, 1000, 1)
    assert not done


@pytest.mark.parametrize("count", [1, 70])
def test_a_halted_problem_is_left_and_nothing_else(count: int) -> None:
    rest = posable.load(posable.sample("panda.urdf")).rest
    prepared = posable.prepare(rest.skeleton, [posable.Reach("panda_hand", (0, 0, 0))])
    targets = np.random.default_rng(0).normal(size=(count, 3))
    numbers, _ = prepared.targets.rows(prepared.targets.values([targets]), (count,), slice(0, count))
    starts, no_trace = np.tile(rest.q, (count, 1)), np.empty((count, 0, rest.skeleton.coordinates))
    out, counts = np.full_like(starts, np.nan), np.zeros((count, 3), np.int64)
    counts[count // 2 :, 0] = HALTED
    engine = prepared.engine
    engine.route.is_single = False
    engine.run(Batch(starts, numbers, None), out, counts, no_trace)
    assert np.isnan(out[count // 2 :]).all() and (counts[count // 2 :, 0] == HALTED).all()
    expected = posable.solve(rest, [posable.Reach("panda_hand", targets)]).pose.q
    assert np.array_equal(out[: count // 2], expected[: count // 2])

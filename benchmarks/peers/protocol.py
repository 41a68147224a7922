"""How a peer is asked: problems come in an .npz, answers and times go into another. Needs NumPy alone.

    python -m benchmarks.peers.NAME problem.npz answers.npz

Each peer gives a class of the shape of `Peer`. What it has to convert is converted before the clock starts.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

import numpy as np

NEAR, TURNED = 9e-7, 9e-6  # a peer stops here: just inside what counts as success (1e-6 m, 1e-5 rad)
WARM_UP, WARM_UP_SECONDS = 50, 1.0
PASSES, PASSES_SECONDS = 5, 5.0  # each call is timed as often, as far as the seconds go
PATIENCE = 5  # steps that may bring little before a start is given up


class Problem:
    """What was asked; see `benchmarks.solver.problems`."""

    def __init__(self, path: str) -> None:
        with np.load(path) as stored:
            self.start, self.targets, self.roots = stored["start"], stored["targets"], stored["roots"]
            self.lower, self.upper, self.again = stored["lower"], stored["upper"], stored["again"]
            self.about: dict[str, Any] = json.loads(str(stored["about"]))
        for name, value in self.about.items():
            setattr(self, name, value)

    def __getattr__(self, name: str) -> Any:  # what `about` brings
        raise AttributeError(name)


class Peer(Protocol):
    """settings: for the table. packages: whose versions the table names."""

    settings: str
    packages: Sequence[str]

    def read(self, target: np.ndarray) -> Any:
        """`[aim, 4, 4]` as the peer wants it."""
        ...

    def solve(self, start: Any, target: Any) -> Any:
        """Timed: the best answer found from `start`."""
        ...

    def plain(self, answer: Any) -> np.ndarray:
        """`[coordinate]`, in the order of the problem."""
        ...

    def native(self, q: np.ndarray) -> Any:
        """The other way round."""
        ...


def serve(make: Callable[[Problem], Peer]) -> None:
    """Answer the problem named on the command line."""
    problem = Problem(sys.argv[1])
    stay_on_one_core()
    peer = make(problem)
    answers, taken = answer(peer, problem)
    versions = ", ".join(f"{name} {version(name)}" for name in peer.packages)
    keep(answers, taken, peer.settings, versions)


def serve_reader(read: Callable[[str], np.ndarray], package: str) -> None:
    """Read the recording named in the question again and again: where its joints are `[frame, joint, 3]`, and times.

    What takes long is read twice at least, and as often as fits.
    """
    with np.load(sys.argv[1]) as stored:
        about = json.loads(str(stored["about"]))
    stay_on_one_core()
    taken, end = [], time.perf_counter() + about["seconds"]
    places = read(about["path"])
    while len(taken) < 2 or (len(taken) < about["rounds"] and time.perf_counter() < end):
        before = time.perf_counter_ns()
        places = read(about["path"])
        taken.append(time.perf_counter_ns() - before)
    keep(places, np.array(taken), f"{len(taken)} times", f"{package} {version(package)}")


def ask_node(script: str, library: str | Path, told: Mapping[str, Any]) -> dict[str, Any]:
    """Hand what is told, and the library to load, to a script beside this file, under node; give its answers."""
    asked, answers = (Path(sys.argv[2]).with_suffix(ending) for ending in (".asked.json", ".answers.json"))
    asked.write_text(json.dumps(told))
    stay_on_one_core()
    subprocess.run(["node", Path(__file__).with_name(script), library, asked, answers], check=True)
    return json.loads(answers.read_text())


def keep(answers: np.ndarray, nanoseconds: np.ndarray, settings: str, versions: str, **more: np.ndarray) -> None:
    """Write the answers, and arrays beside them, to the place named on the command line."""
    about = json.dumps({"settings": settings, "versions": versions})
    np.savez(sys.argv[2], q=answers, microseconds=np.asarray(nanoseconds) / 1e3, about=about, **more)


def stay_on_one_core() -> None:
    """One thread each: whatever a peer starts, it runs on one core."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def answer(peer: Peer, problem: Problem) -> tuple[np.ndarray, np.ndarray]:
    """`[done, coordinate]` and nanoseconds `[done]`: as many as fit into the seconds that a peer may take.

    Of a call that is timed several times the first answer counts, and the median of the times.
    """
    wanted = [peer.read(target) for target in problem.targets]
    start = peer.native(problem.start)
    end = time.perf_counter() + WARM_UP_SECONDS
    for target in wanted[:WARM_UP]:
        peer.solve(start, target)
        if time.perf_counter() > end:
            break
    gc.disable()
    found, taken = _pass(peer, problem, start, wanted, problem.seconds)
    passes, end = [taken], time.perf_counter() + PASSES_SECONDS
    while len(passes) < PASSES and time.perf_counter() + taken.sum() / 1e9 < end:
        passes.append(_pass(peer, problem, start, wanted[: len(taken)], np.inf)[1])
    return found, np.median(passes, axis=0)


def _pass(
    peer: Peer, problem: Problem, start: Any, wanted: Sequence[Any], seconds: float
) -> tuple[np.ndarray, np.ndarray]:
    """As `answer`, each problem once."""
    found, taken = [], []
    clock, end = time.perf_counter_ns, time.perf_counter() + seconds
    for target in wanted:
        before = clock()
        q = peer.solve(start, target)
        taken.append(clock() - before)
        found.append(peer.plain(q))
        if problem.warm:
            start = q
        if time.perf_counter() > end:
            break
    return np.array(found), np.array(taken)


def descend(
    problem: Problem,
    starts: Sequence[Any],
    begin: Callable[[Any], None],
    step: Callable[[], None],
    errors: Callable[[], tuple[float, float]],
    iterations: int,
) -> bool:
    """For peers that take one step at a time: step until near enough, try the next start where that does not help.

    A start is given up when PATIENCE steps in a row have brought less than a tenth off the best error.
    """
    for start in starts:
        begin(start)
        best, stalled = np.inf, 0
        for _ in range(iterations):
            distance, angle = errors()
            if distance <= NEAR and angle <= TURNED:
                return True
            error = distance + angle
            best, stalled = (error, 0) if error < 0.9 * best else (best, stalled + 1)
            if stalled >= PATIENCE and not problem.warm:
                break
            step()
    return False

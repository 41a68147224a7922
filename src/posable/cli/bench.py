"""`posable bench`: measures the solver's speed on this machine."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from typing import NamedTuple

import click
import numpy as np

import posable
from posable.cli import options
from posable.cli.terminal import say, show

# The measurements: each test of a built-in figure with each kind of call.


_TOLERANCE, _ANGLE_TOLERANCE = 1e-6, 1e-5  # the solver's own defaults; lengths of the figures are metres
_ROUNDING = 1 + 1e-6  # the same pose computed by another order of operations
_FRAMES, _BATCH, _SINGLES, _QUICK_POSES = 1000, 10_000, 500, 10


class Test(NamedTuple):
    """Targets for some joints of a built-in figure. whole: their rotations as well as their positions."""

    figure: str
    joints: tuple[str, ...]
    whole: bool
    frozen: tuple[str, ...] = ()


class Row(NamedTuple):
    """One row of the table. solved: the share of poses that meet their targets; times are µs per pose."""

    figure: str
    goals: str
    call: str
    poses: int
    solved: float
    median: float | None
    mean: float
    p95: float | None


TESTS = (
    Test("arm6", ("tool",), True),
    Test("arm7", ("tool",), True),
    Test("tentacle", ("tip",), False),
    Test("mannequin", ("hand_r",), True, ("root",)),
    Test("mannequin", ("head", "hand_l", "hand_r", "foot_l", "foot_r"), False),
)


class Timing:
    """A prepared test: the figure, the goals, and the targets that poses give."""

    def __init__(self, test: Test) -> None:
        self.test, figure = test, posable.figure(test.figure)
        self.start, self.skeleton = figure.rest, figure.skeleton
        self.indices = [self.skeleton.index(joint) for joint in test.joints]
        kind = posable.Place if test.whole else posable.Reach
        goals = [kind(joint, target) for joint, target in zip(test.joints, self._targets(self.start), strict=True)]
        self.prepared = posable.prepare(self.skeleton, goals, frozen=test.frozen)

    def rows(self, quick: bool) -> Iterator[Row]:
        """One pose per call, many in one call, a motion in one call. quick: a few poses of each."""
        singles, batch, frames = (_QUICK_POSES,) * 3 if quick else (_SINGLES, _BATCH, _FRAMES)
        random, motion = self._random(batch), self._motion(frames)
        yield self._one_by_one(posable.Pose(self.skeleton, random.q[:singles]))
        yield self._in_one_call(f"{batch:,} at once", self.prepared.solve, self.start, random)
        start = posable.Pose(self.skeleton, motion.q[0])
        yield self._in_one_call(f"{frames:,} frames", self.prepared.track, start, motion)

    def _random(self, count: int) -> posable.Pose:
        """Random poses within the limits, with the root at its start."""
        pose = self.skeleton.random_pose(np.random.default_rng(0), (count,))
        q = pose.q.copy()
        root = slice(0, 7) if self.skeleton.definitions[0].floating else slice(0, 0)
        q[:, root] = self.start.q[root]
        return posable.Pose(self.skeleton, q)

    def _motion(self, frames: int) -> posable.Pose:
        """A periodic motion with a third of the amplitude of two random poses."""
        one, other = self._random(2).minus(self.start)
        time = np.linspace(0, 2 * np.pi, frames)[:, None]
        return self.start.plus(0.3 * (np.sin(time) * one + np.sin(1.7 * time) * other)).clamped()

    def _targets(self, poses: posable.Pose) -> list[np.ndarray]:
        """One target array per goal."""
        world = poses.world_from_joint
        frames = [np.ascontiguousarray(world[..., i, :, :]) for i in self.indices]
        return frames if self.test.whole else [place[..., :3, 3] for place in frames]

    def _one_by_one(self, poses: posable.Pose) -> Row:
        targets = self._targets(poses)
        wanted = [[target[k] for target in targets] for k in range(len(poses))]
        self.prepared.solve(self.start, wanted[0])
        taken, found = [], []
        for target in wanted:
            begun = time.perf_counter()
            solution = self.prepared.solve(self.start, target)
            taken.append(1e6 * (time.perf_counter() - begun))
            found.append(solution.pose.q)
        solved = self._solved(posable.Pose(self.skeleton, np.array(found)), targets)
        median, p95 = (float(np.percentile(taken, part)) for part in (50, 95))
        return self._row(f"{len(poses):,} one by one", len(poses), solved, float(np.mean(taken)), median, p95)

    def _in_one_call(
        self, call: str, solve: Callable[..., posable.Solution], start: posable.Pose, poses: posable.Pose
    ) -> Row:
        targets = self._targets(poses)
        solve(start, [target[:2] for target in targets])
        begun = time.perf_counter()
        solution = solve(start, targets)
        mean = 1e6 * (time.perf_counter() - begun) / len(poses)
        return self._row(call, len(poses), self._solved(solution.pose, targets), mean)

    def _solved(self, poses: posable.Pose, targets: Sequence[np.ndarray]) -> float:
        """The share of poses that meet their targets."""
        good = np.ones(len(poses), bool)
        for found, wanted in zip(self._targets(poses), targets, strict=True):
            here, there = (found[..., :3, 3], wanted[..., :3, 3]) if self.test.whole else (found, wanted)
            good &= np.linalg.norm(here - there, axis=-1) <= _ROUNDING * _TOLERANCE
            if self.test.whole:
                chord = np.linalg.norm(found[..., :3, :3] - wanted[..., :3, :3], axis=(-2, -1))
                good &= 2 * np.arcsin(np.minimum(chord / np.sqrt(8.0), 1.0)) <= _ROUNDING * _ANGLE_TOLERANCE
        return float(good.mean())

    def _row(
        self, call: str, poses: int, solved: float, mean: float, median: float | None = None, p95: float | None = None
    ) -> Row:
        joints = self.test.joints
        what = "frame" if self.test.whole else "position"
        goals = f"{joints[0]} {what}" if len(joints) == 1 else f"{len(joints)} {what}s"
        return Row(self.test.figure, goals, call, poses, solved, median, mean, p95)


@click.command("bench", short_help="Time the solver on the built-in figures")
@click.option("--quick", is_flag=True, help="Only a few poses each, as a smoke test.")
@options.as_json
def command(quick: bool, as_json: bool) -> None:
    """Time the solver on the built-in figures: one pose per call, many poses in one call, and a motion frame by frame.

    Targets come from random poses within the limits, so all are reachable; "solved" is the share reached within 1e-6 m
    and 1e-5 rad. Single calls and motions use one core, batches use all of them.
    """
    rows = list(_measured(quick, silent=as_json))
    if as_json:
        say(json.dumps({"machine": _machine(), "rows": [row._asdict() for row in rows]}, allow_nan=False))
    else:
        _print(rows)


def _measured(quick: bool, *, silent: bool) -> Iterator[Row]:
    """Each test with each kind of call, with a progress bar on stderr if that is a terminal."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    console.quiet = silent or not console.is_terminal
    for test in track(TESTS, "solving", console=console, transient=True):
        yield from Timing(test).rows(quick)


def _print(rows: Sequence[Row]) -> None:
    from rich import box
    from rich.table import Table

    table = Table(
        "figure", "call", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), caption=_machine(), caption_justify="left"
    )
    for name in ("solved", "median µs", "mean µs", "p95 µs"):
        table.add_column(name, justify="right")
    above = ""
    for row in rows:
        title = f"{row.figure}, {row.goals}"
        times = (_number(value) for value in (row.median, row.mean, row.p95))
        table.add_row("" if title == above else title, row.call, _percent(row.solved), *times)
        above = title
    show(table)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def _percent(share: float) -> str:
    """A percentage that is 100 % only if all poses are solved."""
    return "100 %" if share == 1 else f"{min(100 * share, 99.9):.1f} %"


def _machine() -> str:
    packages = f"posable {posable.__version__}, numpy {version('numpy')}, numba {version('numba')}"
    return f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, {packages}"

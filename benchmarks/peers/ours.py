"""posable itself, asked like its peers; `mode` says through which of its doors."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import posable
from benchmarks.peers.protocol import Problem, answer, keep, stay_on_one_core
from benchmarks.solver.figures import skeleton_of
from benchmarks.solver.trees import from_plain, quaternion_of
from posable.solvers.closed import ClosedForm

Found = tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]
SETTINGS = {
    "prepared": "prepare(…).solve, {restarts} restarts",
    "plain": "solve(start, goals), {restarts} restarts",
    "frames": "prepare(…).solve frame by frame from the last answer, no restarts",
    "trajectory": "prepare(…).track: one call",
    "traced": "solve(start, goals, trace=True), {restarts} restarts",
    "closed": "ClosedForm.branches: all within the limits, the nearest first",
    "batch": "prepare(…).solve: one call",
}


class Ours:
    """One solve a call."""

    packages = ("posable", "numba")

    def __init__(self, problem: Problem) -> None:
        self.skeleton = skeleton_of(from_plain(problem.tree), problem.about.get("up", "z"))
        self.kinds = [_kind(aim) for aim in problem.aims]
        self.options = {"restarts": 0 if problem.warm else problem.restarts, **problem.about.get("options", {})}
        self.problem, self.plainly = problem, problem.mode in ("plain", "traced")
        self.settings = SETTINGS[problem.mode].format(restarts=self.options["restarts"])
        self.bodies = [aim["body"] for aim in problem.aims]
        if not self.plainly:
            goals = self.goals(self.read(problem.targets[0]))
            self.prepared = posable.prepare(self.skeleton, goals, **self.options)

    def goals(self, target: list[np.ndarray]) -> list[Any]:
        """One goal for each aim."""
        return [kind(body, one) for kind, body, one in zip(self.kinds, self.bodies, target, strict=True)]

    def read(self, target: np.ndarray) -> list[np.ndarray]:
        """`[..., aim, 4, 4]` to one array per goal."""
        return [np.ascontiguousarray(_part(kind, target[..., k, :, :])) for k, kind in enumerate(self.kinds)]

    def native(self, q: np.ndarray) -> posable.Pose:
        return posable.Pose(self.skeleton, q)

    def solve(self, start: posable.Pose, target: list[np.ndarray]) -> posable.Pose:
        if self.plainly:
            return posable.solve(start, self.goals(target), **self.options).pose
        return self.prepared.solve(start, target).pose

    def plain(self, answer: posable.Pose) -> np.ndarray:
        return answer.q


def _kind(aim: dict[str, Any]) -> Any:
    if aim["position"] and aim["rotation"]:
        return posable.Place
    return posable.Reach if aim["position"] else posable.Orient


def _part(kind: Any, target: np.ndarray) -> np.ndarray:
    if kind is posable.Place:
        return target
    if kind is posable.Reach:
        return target[..., :3, 3]
    flat = [quaternion_of(one) for one in target[..., :3, :3].reshape(-1, 3, 3)]
    return np.array(flat).reshape(*target.shape[:-2], 4)


def at_once(ours: Ours, problem: Problem) -> Found:
    """All targets in one call, the best of up to three: answers, nanoseconds of each, megabytes beside the answers."""
    start, targets = ours.native(problem.start), ours.read(problem.targets)
    call = ours.prepared.track if problem.mode == "trajectory" else ours.prepared.solve
    call(start, [one[:2] for one in targets])
    q, best, used, end = problem.start, np.inf, [], time.perf_counter() + problem.seconds / 3
    for _ in range(3):
        before = forget_peak()
        begun = time.perf_counter_ns()
        q = call(start, targets).pose.q
        best = min(best, time.perf_counter_ns() - begun)
        if before is not None:
            used.append((_kilobytes("VmHWM") - before) / 1024 - q.nbytes / 2**20)
        if time.perf_counter() > end:
            break
    more = {"megabytes": np.array(max(used))} if used else {}
    return q, np.full(len(problem.targets), best / len(problem.targets)), more


def traced(ours: Ours, problem: Problem) -> Found:
    """One solve a call, every intermediate pose kept: `trace` of all in a row, and how many each has."""
    start, taken, ends, paths = ours.native(problem.start), [], [], []
    for target in problem.targets:
        goals = ours.goals(ours.read(target))
        begun = time.perf_counter_ns()
        solution = posable.solve(start, goals, trace=True, **ours.options)
        taken.append(time.perf_counter_ns() - begun)
        ends.append(solution.pose.q)
        paths.append(solution.trace.q)
    lengths = np.array([len(path) for path in paths])
    return np.array(ends), np.array(taken), {"trace": np.concatenate(paths), "lengths": lengths}


class Branches:
    """The closed form alone; the nearest branch is judged."""

    def __init__(self, ours: Ours) -> None:
        arm = ClosedForm.of(ours.skeleton, ours.bodies[0])
        if arm is None:
            raise SystemExit("this arm has no closed form")
        self.arm, self.native = arm, ours.native
        self.settings, self.packages = ours.settings, ours.packages

    def read(self, target: np.ndarray) -> np.ndarray:
        return np.ascontiguousarray(target[0])

    def solve(self, start: posable.Pose, target: np.ndarray) -> np.ndarray:
        return self.arm.branches(target, start)[0]

    def plain(self, answer: np.ndarray) -> np.ndarray:
        return answer[0]


def branches(ours: Ours, problem: Problem) -> Found:
    """All branches, one pose a call."""
    return (*answer(Branches(ours), problem), {})


def forget_peak() -> float | None:
    """Kilobytes in use, the peak counted from now on; None where the system does not tell."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
        return _kilobytes("VmRSS")
    except OSError:
        return None


def _kilobytes(what: str) -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(what))


def main() -> None:
    """Answer the problem named on the command line."""
    problem = Problem(sys.argv[1])
    if problem.mode != "batch":
        stay_on_one_core()
    ours = Ours(problem)
    ways = {"batch": at_once, "trajectory": at_once, "traced": traced, "closed": branches}
    q, taken, more = ways[problem.mode](ours, problem) if problem.mode in ways else (*answer(ours, problem), {})
    keep(q, taken, ours.settings, f"posable {posable.__version__}", **more)


if __name__ == "__main__":
    main()

"""EAIK: closed forms of six-joint arms; all branches, then the nearest to the start, chosen in NumPy."""

from __future__ import annotations

import os
import sys
import time
from importlib.metadata import version
from typing import Any

import numpy as np
from eaik.IK_HP import HPRobot

from benchmarks.peers.protocol import Problem, keep, serve


class EAIK:
    """The geometry at angles 0 comes with the problem: axes, and the steps between points on them."""

    packages = ("EAIK",)

    def __init__(self, problem: Problem) -> None:
        if len(problem.start) != 6:
            raise SystemExit(f"EAIK solves arms of 6 joints, this one has {len(problem.start)}")
        axes, points = np.array(problem.axes_at_zero), np.array(problem.points_at_zero)
        self.robot = HPRobot(axes, np.diff(points, axis=0, prepend=np.zeros((1, 3))))
        self.tip_at_zero = np.array(problem.tip_at_zero)
        self.lower, self.upper = problem.lower, problem.upper
        self.branches_only = problem.mode in ("branches", "batch")
        self.settings = f"IK ({self.robot.getKinematicFamily()}), all branches"
        self.settings += "" if self.branches_only else ", then the nearest inside the limits in NumPy"

    def read(self, target: np.ndarray) -> np.ndarray:
        wanted = target[0].copy()
        wanted[:3, :3] = wanted[:3, :3] @ self.tip_at_zero[:3, :3].T
        return wanted

    def native(self, q: np.ndarray) -> np.ndarray:
        return q

    def solve(self, start: np.ndarray, target: np.ndarray) -> Any:
        found = self.robot.IK(target)
        if self.branches_only:
            return found
        q = _exact(found)
        q = q + 2 * np.pi * np.round((start - q) / (2 * np.pi))  # the turn of each joint that is nearest to the start
        q = q - 2 * np.pi * (q > self.upper) + 2 * np.pi * (q < self.lower)
        inside = q[((q >= self.lower) & (q <= self.upper)).all(1)]
        return inside[np.argmin(((inside - start) ** 2).sum(1))] if len(inside) else np.full(6, np.nan)

    def plain(self, answer: Any) -> np.ndarray:
        if self.branches_only:
            q = _exact(answer)
            return q[0] if len(q) else np.full(6, np.nan)
        return answer


def _exact(found: Any) -> np.ndarray:
    """`[branch, joint]` without those that only come near in the sense of least squares."""
    return np.asarray(found.Q).reshape(-1, 6)[~np.asarray(found.is_LS, bool)]


def at_once() -> None:
    """All poses in one call, on all cores; the first exact branch of each is judged."""
    problem = Problem(sys.argv[1])
    peer, cores = EAIK(problem), os.cpu_count() or 1
    wanted = [peer.read(target) for target in problem.targets]
    peer.robot.IK_batched(wanted[:10], cores)
    before = time.perf_counter_ns()
    found = peer.robot.IK_batched(wanted, cores)
    taken = (time.perf_counter_ns() - before) / len(wanted)
    q = np.array([peer.plain(one) for one in found])
    keep(q, np.full(len(q), taken), f"IK_batched, {cores} threads, all branches", f"EAIK {version('EAIK')}")


if __name__ == "__main__":
    if Problem(sys.argv[1]).mode == "batch":
        at_once()
    else:
        serve(EAIK)
